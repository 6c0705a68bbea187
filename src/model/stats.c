/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/stats.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Sums are kept wider than their terms, and a result that still does not fit is cut to the
 * largest number. */
static double narrowed(long double x)
{
	return x > DBL_MAX ? DBL_MAX : x < -DBL_MAX ? -DBL_MAX : (double)x;
}

/* Taken from the first number, so that the mean of equal numbers is exactly that number, and
 * their deviation exactly 0. */
static long double mean_of(const double *x, size_t n)
{
	long double sum = 0;

	for (size_t i = 1; i < n; i++)
		sum += (long double)x[i] - x[0];
	return x[0] + sum / n;
}

double lm_mean(const double *x, size_t n)
{
	return n == 0 ? 0 : narrowed(mean_of(x, n));
}

double lm_stddev(const double *x, size_t n)
{
	long double mean, sum = 0;

	if (n < 2)
		return 0;
	mean = mean_of(x, n);
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return narrowed(sqrtl(sum / n));
}

int lm_jti(double mean, double stddev, size_t n)
{
	double percent;

	if (n < 2 || !(mean > 0))
		return 100;
	/* Multiplied before divided: 0.43 of 1 leaves 57, which (1 - 0.43) * 100 just misses. */
	percent = 100 - 100 * stddev / mean;
	return percent > 0 ? (int)percent : 0;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void lm_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), ascending);
}

double lm_quantile(const double *sorted, size_t n, double q)
{
	/* A rank that only rounding put above a whole number is that whole number. */
	double rank = ceil(q * (double)n * (1 - 4 * DBL_EPSILON));

	if (n == 0)
		return 0;
	if (!(rank >= 1))
		return sorted[0];
	return rank >= (double)n ? sorted[n - 1] : sorted[(size_t)rank - 1];
}
