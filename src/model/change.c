/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a figure has changed: Welch's t-test, Fieller's interval, the minimum detectable effect.
 * docs/compare.md explains them and names the sources. */
#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>

#include "model/compare.h"
#include "model/stats.h"

#define ALPHA        0.05
#define POWER        0.8
#define MOST_REPEATS 1000

/* Two means, the variances of these means, and the degrees of freedom of each. */
struct welch {
	double base, now;
	double base_var, now_var;
	double base_df, now_df;
};

struct lm_stat lm_stat_of(const double *values, size_t n)
{
	struct lm_stat s = { .n = n };

	if (n == 0)
		return s;
	s.mean = lm_mean(values, n);
	s.min = s.max = values[0];
	for (size_t i = 1; i < n; i++) {
		s.min = fmin(s.min, values[i]);
		s.max = fmax(s.max, values[i]);
	}
	if (n > 1) {
		double of_sample = sqrt((double)n / (double)(n - 1));

		s.stddev = fmin(lm_stddev(values, n) * of_sample, DBL_MAX);
	}
	return s;
}

/* --- values that were rounded ---------------------------------------------------------------- */

static bool is_multiple(const double *values, size_t n, double per_unit)
{
	for (size_t i = 0; i < n; i++) {
		double x = values[i] * per_unit;

		/* where doubles themselves are too coarse to tell */
		if (!(fabs(x) < 1e9) || fabs(x - round(x)) > 1e-6)
			return false;
	}
	return true;
}

/* Values as they stand in tables have few decimals; those of our journals have nanoseconds. */
double lm_grain_of(const double *values, size_t count)
{
	for (double per_unit = 1; count && per_unit <= 10000; per_unit *= 10)
		if (is_multiple(values, count, per_unit))
			return 1 / per_unit;
	return 0;
}

/*
 * The standard error of a mean. Rounding errors are spread evenly over the grain, which is a
 * standard deviation of grain / sqrt(12). Repeats that are equal as printed share one of them,
 * which no number of repeats makes smaller.
 */
static double error_of(const struct lm_stat *s, double n, double grain)
{
	return fmax(s->stddev / sqrt(n), grain / sqrt(12));
}

/* --- the test ----------------------------------------------------------------------------------
 */

/* In units of the largest number, so that no square leaves the range of doubles. */
static struct welch welch_of(const struct lm_change *c, double base_n, double now_n)
{
	double base_error = error_of(&c->base, base_n, c->base_grain);
	double now_error = error_of(&c->now, now_n, c->now_grain);
	double unit =
		fmax(fmax(fabs(c->base.mean), fabs(c->now.mean)), fmax(base_error, now_error));

	if (!(unit > 0))
		unit = 1;
	base_error /= unit;
	now_error /= unit;
	return (struct welch){ .base = c->base.mean / unit,
			       .now = c->now.mean / unit,
			       .base_var = base_error * base_error,
			       .now_var = now_error * now_error,
			       .base_df = base_n - 1,
			       .now_df = now_n - 1 };
}

/* Of now - ratio * base; ratio 1 is Welch's test. */
static double error_at(const struct welch *w, double ratio)
{
	return sqrt(ratio * ratio * w->base_var + w->now_var);
}

/* Welch and Satterthwaite's degrees of freedom, 1 at the least. */
static double df_at(const struct welch *w, double ratio)
{
	double of_base = ratio * ratio * w->base_var;
	double all = of_base + w->now_var;
	double share = all > 0 ? of_base / all : 0;

	return 1 / (share * share / w->base_df + (1 - share) * (1 - share) / w->now_df);
}

static double t_at(const struct welch *w, double ratio)
{
	double difference = w->now - ratio * w->base;

	return fabs(difference) > 0 ? difference / error_at(w, ratio) : 0;
}

static double two_sided(double df)
{
	return gsl_cdf_tdist_Qinv(ALPHA / 2, df);
}

static double p_at(const struct welch *w, double ratio)
{
	double t = fabs(t_at(w, ratio));

	return isinf(t) ? 0 : 2 * gsl_cdf_tdist_Q(t, df_at(w, ratio));
}

/* The smallest true difference of means that is found often enough. */
static double effect_of(const struct welch *w)
{
	double df = df_at(w, 1);

	return (two_sided(df) + gsl_cdf_tdist_Pinv(POWER, df)) * error_at(w, 1);
}

/* --- the interval ------------------------------------------------------------------------------
 */

static bool excluded(const struct welch *w, double ratio)
{
	return p_at(w, ratio) < ALPHA;
}

/* Ratios far away are excluded as well: else the interval has no ends. */
static bool has_ends(const struct welch *w)
{
	return fabs(w->base) > two_sided(w->base_df) * sqrt(w->base_var);
}

/* The ratio where the test begins to exclude, from the middle into a direction (1 or -1). */
static double end_of(const struct welch *w, double direction)
{
	double inside = w->now / w->base, outside = inside, middle;
	double step = error_at(w, inside) / fabs(w->base);

	if (!(step > 0))
		return inside;
	do {
		inside = outside;
		outside += direction * step;
		step *= 2;
		if (!isfinite(outside))
			return NAN;
	} while (!excluded(w, outside));
	for (;;) {
		middle = inside + (outside - inside) / 2;
		if (fabs(middle - inside) <= 0 || fabs(outside - middle) <= 0)
			return middle;
		if (excluded(w, middle))
			outside = middle;
		else
			inside = middle;
	}
}

static double percent_of(double part, double whole)
{
	double percent = 100 * (part / whole);

	return isfinite(percent) ? percent : NAN;
}

/* Fieller's interval: all ratios that the test does not exclude. */
static void set_interval(struct lm_change *c, const struct welch *w)
{
	double low, high;

	if (!has_ends(w))
		return;
	low = percent_of(end_of(w, -1) - 1, 1);
	high = percent_of(end_of(w, 1) - 1, 1);
	if (isnan(low) || isnan(high))
		return;
	/* rounding does not put the change outside */
	c->low = fmin(low, c->percent);
	c->high = fmax(high, c->percent);
}

/* --- together ----------------------------------------------------------------------------------
 */

static void judge(struct lm_change *c)
{
	struct welch w = welch_of(c, (double)c->base.n, (double)c->now.n);
	double effect = effect_of(&w);

	c->p = p_at(&w, 1);
	c->significant = c->p < ALPHA && fabs(w.now - w.base) >= effect;
	if (isnan(c->percent))
		return;
	c->mde = percent_of(effect, fabs(w.base));
	set_interval(c, &w);
}

struct lm_change lm_change_of(const struct lm_values *base, const struct lm_values *now,
			      bool more_is_better)
{
	struct lm_change c = { .base = lm_stat_of(base->items, base->count),
			       .now = lm_stat_of(now->items, now->count),
			       .base_grain = base->grain,
			       .now_grain = now->grain,
			       .percent = NAN,
			       .low = NAN,
			       .high = NAN,
			       .p = NAN,
			       .mde = NAN };

	if (base->count == 0 || now->count == 0)
		return c;
	c.percent = percent_of(c.now.mean - c.base.mean, c.base.mean);
	c.worse = more_is_better ? c.now.mean < c.base.mean : c.now.mean > c.base.mean;
	if (base->count > 1 && now->count > 1)
		judge(&c);
	return c;
}

size_t lm_repeats_needed(const struct lm_change *change, double percent)
{
	if (isnan(change->mde))
		return 0;
	for (size_t n = 2; n <= MOST_REPEATS; n++) {
		struct welch w = welch_of(change, (double)n, (double)n);

		if (100 * effect_of(&w) <= percent * fabs(w.base))
			return n;
	}
	return SIZE_MAX;
}
