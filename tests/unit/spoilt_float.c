/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include "jobs/opaque.h"

#undef KEEP_REAL
#define KEEP_REAL(x)  SPOIL_VALUE(x)
#define lm_jobs_float spoilt_float
#include "jobs/float.c"
