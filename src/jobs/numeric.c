/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Numerical methods: point transformation, linear systems, Newton's method, Taylor series. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

VIA(cos);
VIA(sin);

/* ---- the values that points, matrices and series are made of ---- */

enum { VALUES = 500 };

static double value[VALUES];
static unsigned next; /* not reset between runs */

/* From 2^-1 on each value is half the one before. */
static int value_prepare(void)
{
	value[0] = 0;
	value[1] = 1;
	value[2] = DBL_TRUE_MIN;
	for (unsigned i = 3; i < VALUES; i++)
		value[i] = fabs(value[i - 1] - value[i - 2]) / 2;
	next = 0;
	return 0;
}

static double draw(void)
{
	double drawn = value[next++];

	KEEP_REAL(drawn); /* one at a time, as all that is computed from them */
	if (next == VALUES)
		next = 0;
	return drawn;
}

/* ---- matrix_rtns ---- */

enum { POINTS = 100, DIMENSIONS = 4 };

/*
 * The sum of a run. It goes through the values four times, 20 a point, so that wherever it starts
 * (series_1 draws 100) it meets the same 25 points. The one that begins with the first value gives
 *   int(1280 * (2^-3 + 2^-6)) * int(1024 * (2^-7 + 2^-10)) * int(8192 * (2^-11 + 2^-14))
 *   = 180 * 9 * 4
 * and all the others are too small to give anything.
 */
enum { SUM_OF_POINTS = 4 * 180 * 9 * 4 };

struct transformed {
	long sum;
	uint64_t check; /* sum of the bits of all results, whatever their order */
};

static uint64_t point_check; /* of the run before the fork */

static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void transform_point(struct transformed *all)
{
	double point[DIMENSIONS], matrix[DIMENSIONS][DIMENSIONS], to[DIMENSIONS];

	for (int i = 0; i < DIMENSIONS; i++)
		point[i] = draw();
	for (int i = 0; i < DIMENSIONS; i++)
		for (int k = 0; k < DIMENSIONS; k++)
			matrix[i][k] = draw();
	for (int i = 0; i < DIMENSIONS; i++) {
		to[i] = 0;
		for (int k = 0; k < DIMENSIONS; k++) {
			to[i] += matrix[i][k] * point[k];
			KEEP_REAL(to[i]);
		}
		all->check += bits_of(to[i]);
	}
	all->sum += (long)(int)(to[0] * 1280) * (int)(to[1] * 1024) * (int)(to[2] * 8192);
}

static struct transformed transform_points(void)
{
	struct transformed all = { 0 };

	for (int n = 0; n < POINTS; n++)
		transform_point(&all);
	return all;
}

static int matrix_prepare(void)
{
	value_prepare();
	point_check = transform_points().check;
	return 0;
}

static enum lm_outcome matrix_rtns(struct lm_job_ctx *ctx)
{
	struct transformed is = transform_points();

	if (is.sum != SUM_OF_POINTS)
		return lm_job_wrong(ctx, "the transformed points gave the sum %ld; want %d", is.sum,
				    SUM_OF_POINTS);
	if (is.check != point_check)
		return lm_job_wrong(
			ctx, "the transformed points gave check sum %llx; %llx before the fork",
			(unsigned long long)is.check, (unsigned long long)point_check);
	return LM_JOB_OK;
}

/* ---- array_rtns ---- */

enum { SYSTEMS = 20, SMALLEST = 5, LARGEST = 100 };

#define RESIDUAL 0.5 /* as much as AIM7 lets a row miss its right side by */

static double work[LARGEST][LARGEST + 1], saved[LARGEST][LARGEST + 1];

/* Fill the matrix and the right side of h unknowns, from the running value. */
static double fill_system(int h, double running)
{
	for (int i = 0; i < h; i++)
		for (int k = 0; k <= h; k++) {
			work[i][k] = running;
			running = running * 1.00001 + 1.0;
			if (running > 1e20)
				running -= 1e19;
		}
	return running;
}

/* Take the multiple of a row off another that leaves column i at 0 there, over all columns. */
static void subtract_row(double *from, const double *row, int i, int h)
{
	double multiple = from[i];

	for (int k = 0; k <= h; k++) {
		double left = from[k] - multiple * row[k];

		KEEP_REAL(left);
		from[k] = left;
	}
}

static void divide_row(double *row, int i, int h)
{
	double pivot = row[i];

	for (int k = i; k <= h; k++) {
		row[k] /= pivot;
		KEEP_REAL(row[k]);
	}
}

/* Gauss and Jordan without pivoting: the last column becomes the solution. 0, or the number of the
 * row whose pivot is 0, from 1. */
static int solve(int h)
{
	for (int i = 0; i < h; i++) {
		if (work[i][i] == 0)
			return i + 1;
		divide_row(work[i], i, h);
		for (int below = i + 1; below < h; below++)
			subtract_row(work[below], work[i], i, h);
	}
	for (int i = h - 1; i > 0; i--)
		for (int above = 0; above < i; above++)
			subtract_row(work[above], work[i], i, h);
	return 0;
}

/* How far the solution misses the right side of a row; not a number where it is none. */
static double residual(int row, int h)
{
	double sum = 0;

	for (int k = 0; k < h; k++)
		sum += saved[row][k] * work[k][h];
	return fabs(saved[row][h] - sum);
}

static enum lm_outcome solve_checked(struct lm_job_ctx *ctx, int h)
{
	int singular;

	memcpy(saved, work, sizeof(saved));
	singular = solve(h);
	if (singular)
		return lm_job_wrong(ctx, "system of %d unknowns: pivot %d is 0", h, singular);
	for (int row = 0; row < h; row++)
		if (!(residual(row, h) <= RESIDUAL))
			return lm_job_wrong(
				ctx, "system of %d unknowns: row %d is off by %g; want %g at most",
				h, row, residual(row, h), RESIDUAL);
	return LM_JOB_OK;
}

static enum lm_outcome array_rtns(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;
	double running = 1.0;

	memset(work, 0, sizeof(work));
	memset(saved, 0, sizeof(saved));
	for (int h = SMALLEST; h <= LARGEST && outcome == LM_JOB_OK; h += LARGEST / SYSTEMS) {
		running = fill_system(h, running);
		outcome = solve_checked(ctx, h);
	}
	return outcome;
}

/* ---- new_raph ---- */

enum {
	STARTS = 200,
	MOST_STEPS = 99,   /* of a start */
	STEPS_LEEWAY = 50, /* for mathematics libraries that differ in the last digit */
};

#define START_DISTANCE 0.05
#define SMALL_STEP     1e-12
#define ROOT_LEEWAY    1e-9
#define FARTHEST       1e6 /* no start goes farther than 120; a wrong one may go anywhere */

/* The next approach to a zero of 1000 sin x cos x. Four calls, though two would do. */
static double newton(double x)
{
	double f = 1000 * call_sin(x) * call_cos(x);
	double cosine = call_cos(x), sine = call_sin(x);

	return x - f / (1000 * (cosine * cosine - sine * sine));
}

/* AIM7 waits until x stays the same, which another library might never reach: a step that is small
 * and not smaller than the one before will do, too. */
static bool has_arrived(enum lm_semantics semantics, double step, double before)
{
	if (semantics == LM_SEMANTICS_REAIM)
		return step < SMALL_STEP;
	return step == 0 || (step < SMALL_STEP && step >= before);
}

/* Go to a zero from *x; the steps it took, more than MOST_STEPS when there was none. */
static int find_zero(enum lm_semantics semantics, double *x)
{
	double before, step = INFINITY;
	int steps = 0;

	do {
		double from = *x;

		before = step;
		*x = newton(from);
		step = fabs(*x - from);
	} while (++steps <= MOST_STEPS && !has_arrived(semantics, step, before));
	return steps;
}

/* The zeros are the multiples of half of pi. */
static bool is_zero(double x)
{
	long nearest;

	if (!(fabs(x) < FARTHEST))
		return false;
	nearest = (long)(x / M_PI_2 + copysign(0.5, x));
	return fabs(x - (double)nearest * M_PI_2) < ROOT_LEEWAY;
}

static const int steps_known[] = {
	[LM_SEMANTICS_AIM7] = 1051,
	[LM_SEMANTICS_REAIM] = 992,
};

static int steps_before[2]; /* of the runs before the fork */

/* From all starts; the steps, or -1 - n where start n did not lead to a zero. */
static int find_zeros(enum lm_semantics semantics)
{
	int total = 0;

	for (int n = 0; n < STARTS; n++) {
		double x = n * START_DISTANCE;
		int steps = find_zero(semantics, &x);

		if (steps > MOST_STEPS || !is_zero(x))
			return -1 - n;
		total += steps;
	}
	return total;
}

static int newton_prepare(void)
{
	steps_before[LM_SEMANTICS_AIM7] = find_zeros(LM_SEMANTICS_AIM7);
	steps_before[LM_SEMANTICS_REAIM] = find_zeros(LM_SEMANTICS_REAIM);
	return 0;
}

static enum lm_outcome new_raph(struct lm_job_ctx *ctx)
{
	int steps = find_zeros(ctx->semantics), known = steps_known[ctx->semantics];

	if (steps < 0)
		return lm_job_wrong(ctx,
				    "from %g Newton's method did not come to a multiple of pi/2 "
				    "within %d steps",
				    (-1 - steps) * START_DISTANCE, MOST_STEPS);
	if (abs(steps - known) > STEPS_LEEWAY)
		return lm_job_wrong(ctx, "Newton's method took %d steps; want %d, give or take %d",
				    steps, known, STEPS_LEEWAY);
	if (steps != steps_before[ctx->semantics])
		return lm_job_wrong(ctx, "Newton's method took %d steps; %d before the fork", steps,
				    steps_before[ctx->semantics]);
	return LM_JOB_OK;
}

/* ---- series_1 ---- */

enum { SERIES = 100 };

/* Of x, as most values are far smaller than the 1e-4 that AIM7 allows for any of them. */
#define SERIES_LEEWAY 1e-4

/* The Taylor series about 0, to the term that no longer counts. */
static double sine_series(double x)
{
	double sum = 0, before, power = x, factorial = 1;

	for (int n = 2;; n += 2) {
		before = sum;
		sum += power / factorial;
		KEEP_REAL(sum);
		if (sum == before)
			return sum;
		power *= -x * x;
		factorial *= n * (n + 1);
	}
}

static enum lm_outcome series_1(struct lm_job_ctx *ctx)
{
	for (int n = 0; n < SERIES; n++) {
		double x = draw(), series = sine_series(x), sine = call_sin(x);

		if (!(fabs(series - sine) <= SERIES_LEEWAY * x))
			return lm_job_wrong(ctx,
					    "the series for sin(%g) gave %.17g; the library %.17g",
					    x, series, sine);
	}
	return LM_JOB_OK;
}

/* ---- the table ---- */

const struct lm_job lm_jobs_numeric[] = {
	{
		.name = "matrix_rtns",
		.unit = "Point Transformations",
		.class = LM_CLASS_CPU_FLOAT,
		.factor = POINTS,
		.prepare = matrix_prepare,
		.run = matrix_rtns,
	},
	{
		.name = "array_rtns",
		.unit = "Linear Systems Solved",
		.class = LM_CLASS_CPU_FLOAT,
		.factor = SYSTEMS,
		.run = array_rtns,
	},
	{
		.name = "new_raph",
		.unit = "Zeros Found",
		.class = LM_CLASS_CPU_FLOAT,
		.factor = STARTS,
		.prepare = newton_prepare,
		.run = new_raph,
	},
	{
		.name = "series_1",
		.unit = "Series Evaluations",
		.class = LM_CLASS_CPU_FLOAT,
		.factor = SERIES,
		.prepare = value_prepare,
		.run = series_1,
	},
	{ 0 },
};
