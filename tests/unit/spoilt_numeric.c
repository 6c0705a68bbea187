/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <math.h>

#include "jobs/opaque.h"

SPOIL_REAL(cos)
SPOIL_REAL(sin)

#undef VIA
#define VIA(function) VIA_WRAPPER(function)
#undef KEEP_REAL
#define KEEP_REAL(x)    SPOIL_VALUE(x)
#define lm_jobs_numeric spoilt_numeric
#include "jobs/numeric.c"
