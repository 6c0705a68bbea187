/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <math.h>
#include <stdlib.h>

#include "jobs/opaque.h"

SPOIL_REAL(acos)
SPOIL_REAL(asin)
SPOIL_REAL(atan)
SPOIL_REAL(ceil)
SPOIL_REAL(cos)
SPOIL_REAL(cosh)
SPOIL_REAL(exp)
SPOIL_REAL(fabs)
SPOIL_REAL(floor)
SPOIL_REAL(log)
SPOIL_REAL(log10)
SPOIL_REAL(sin)
SPOIL_REAL(sinh)
SPOIL_REAL(sqrt)
SPOIL_REAL(tan)
SPOIL_REAL(tanh)
SPOIL_REAL_2(atan2)
SPOIL_REAL_2(fmod)
SPOIL_REAL_2(pow)
SPOIL_INT(abs)

static double spoilt_frexp(double x, int *exponent)
{
	double fraction = frexp(x, exponent);

	*exponent += spoil("frexp");
	return fraction;
}

static double spoilt_ldexp(double x, int exponent)
{
	return ldexp(x, exponent) + spoil("ldexp");
}

static double spoilt_modf(double x, double *whole)
{
	double fraction = modf(x, whole);

	*whole += spoil("modf");
	return fraction;
}

static long spoilt_labs(long x)
{
	return labs(x) + spoil("labs");
}

static int spoilt_rand(void)
{
	return rand() ^ spoil("rand");
}

static void spoilt_srand(unsigned seed)
{
	srand(seed + spoil("srand"));
}

#undef VIA
#define VIA(function) VIA_WRAPPER(function)
#define lm_jobs_math  spoilt_math
#include "jobs/math.c"
