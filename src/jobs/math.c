/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C library's numeric and trigonometric functions. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the values that functions are given ---- */

enum {
	VALUES = 10000,
	TINY_EVERY = 100,
	FIRST_SEED = 1, /* with which the library's generator starts by itself */
};

static double value[VALUES];
static unsigned next; /* not reset between runs */

static void make_values(void)
{
	srand(FIRST_SEED);
	for (unsigned i = 0; i < VALUES; i++)
		value[i] = i % TINY_EVERY ? rand() * (20.0 / RAND_MAX) - 10 : DBL_TRUE_MIN;
	next = 0;
}

static double any(void)
{
	double drawn = value[next++];

	if (next == VALUES)
		next = 0;
	return drawn;
}

static double positive(void)
{
	return any() + 10.0001;
}

static double negative(void)
{
	return any() - 10.0001;
}

/* Check sums are sums of bits, so that they do not depend on the order of what they hold. */
static uint64_t bits_of(double x)
{
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static enum lm_outcome check(struct lm_job_ctx *ctx, uint64_t is, uint64_t want)
{
	if (is == want)
		return LM_JOB_OK;
	return lm_job_wrong(ctx, "the results gave check sum %llx; %llx before the fork",
			    (unsigned long long)is, (unsigned long long)want);
}

/* ---- num_rtns_1 ---- */

VIA(abs);
VIA(ceil);
VIA(exp);
VIA(fabs);
VIA(floor);
VIA(fmod);
VIA(frexp);
VIA(labs);
VIA(ldexp);
VIA(log);
VIA(log10);
VIA(modf);
VIA(pow);
VIA(rand);
VIA(sqrt);
VIA(srand);

/* A run draws 900 values, so that 100 runs start at different ones before all is back. */
enum { NUMERIC_ROUNDS = 100, NUMERIC_STARTS = 100, START_DISTANCE = VALUES / NUMERIC_STARTS };

static uint64_t numeric_check[NUMERIC_STARTS];

static uint64_t numeric_round(long n)
{
	double whole, dividend, base;
	int exponent;
	uint64_t sum = bits_of(call_floor(call_exp(any())));

	sum += bits_of(call_ceil(call_log10(positive())));
	sum += bits_of(call_modf(call_log(positive()), &whole));
	sum += bits_of(whole);
	sum += bits_of(call_frexp(negative(), &exponent));
	sum += bits_of(call_fabs(call_ldexp(any(), exponent)));
	sum += (uint64_t)call_abs(exponent);
	dividend = 5 * any();
	sum += bits_of(call_fmod(dividend, positive()));
	base = positive();
	sum += bits_of(call_sqrt(call_pow(base, any())));
	call_srand((unsigned)exponent);
	return sum + (uint64_t)call_labs(n - call_rand());
}

static uint64_t numeric_rounds(void)
{
	uint64_t sum = 0;

	for (long n = 0; n < NUMERIC_ROUNDS; n++)
		sum += numeric_round(n);
	return sum;
}

static int numeric_prepare(void)
{
	make_values();
	for (int n = 0; n < NUMERIC_STARTS; n++) {
		unsigned start = next / START_DISTANCE;

		numeric_check[start] = numeric_rounds();
	}
	return 0;
}

static enum lm_outcome num_rtns_1(struct lm_job_ctx *ctx)
{
	unsigned start = next / START_DISTANCE;

	return check(ctx, numeric_rounds(), numeric_check[start]);
}

/* ---- trig_rtns ---- */

VIA(acos);
VIA(asin);
VIA(atan);
VIA(atan2);
VIA(cos);
VIA(cosh);
VIA(sin);
VIA(sinh);
VIA(tan);
VIA(tanh);

enum { TRIG_ROUNDS = 10000 };

/* Of a run, wherever it starts: it goes through the values four times, and four make a round. */
static uint64_t trig_check;

static uint64_t trig_round(void)
{
	uint64_t sum = bits_of(call_acos(call_cos(call_asin(call_sin(any())))));
	double rise;

	sum += bits_of(call_tanh(call_atan(call_tan(any()))));
	rise = call_sinh(any());
	return sum + bits_of(call_atan2(rise, call_cosh(any())));
}

static uint64_t trig_rounds(void)
{
	uint64_t sum = 0;

	for (int n = 0; n < TRIG_ROUNDS; n++)
		sum += trig_round();
	return sum;
}

static int trig_prepare(void)
{
	make_values();
	trig_check = trig_rounds();
	return 0;
}

static enum lm_outcome trig_rtns(struct lm_job_ctx *ctx)
{
	return check(ctx, trig_rounds(), trig_check);
}

/* ---- the table ---- */

const struct lm_job lm_jobs_math[] = {
	{
		.name = "num_rtns_1",
		.unit = "Numeric Functions",
		.class = LM_CLASS_LIBC,
		.factor = NUMERIC_ROUNDS,
		.prepare = numeric_prepare,
		.run = num_rtns_1,
	},
	{
		.name = "trig_rtns",
		.unit = "Trigonometric Functions",
		.class = LM_CLASS_LIBC,
		.factor = TRIG_ROUNDS,
		.prepare = trig_prepare,
		.run = trig_rtns,
	},
	{ 0 },
};
