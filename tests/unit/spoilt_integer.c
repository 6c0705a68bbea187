/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include "jobs/opaque.h"

#undef KEEP
#define KEEP(x)         SPOIL_VALUE(x)
#define lm_jobs_integer spoilt_integer
#include "jobs/integer.c"
