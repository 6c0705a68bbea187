/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search for the peak on curves whose peak is known, with seeded noise. A curve is Gunther's
 * law of scalability, X(N) = rate * N / (1 + s (N - 1) + k N (N - 1)), which has its peak where
 * N^2 = (1 - s) / k, or one of two straight lines, a sharper peak than that law can have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/next.h"
#include "policies/policies.h"

#include <math.h>
#include <stdio.h>

#define TRIALS    100
#define GOOD      95 /* of them at least */
#define NOISE     0.03
#define TOLERANCE 0.05
#define END       64 /* of the range, so a unit sweep of it has as many steps */
#define RATE      750.0
#define ROOM      200

struct shape {
	const char *name;
	double contention, coherency; /* of Gunther's law */
	unsigned edge;                /* not 0: rises in proportion up to here, then falls */
	unsigned level;               /* not 0: rises in proportion up to here, then stays */
	unsigned end;                 /* of the range */
	unsigned most_steps, most_tasks;
};

static double true_value(const struct shape *shape, unsigned tasks)
{
	double n = tasks;

	if (shape->level)
		return RATE * fmin(n, shape->level);
	if (shape->edge)
		return RATE * (n <= shape->edge ? n : (double)shape->edge * shape->edge / n);
	return RATE * n / (1 + shape->contention * (n - 1) + shape->coherency * n * (n - 1));
}

static double best_value(const struct shape *shape)
{
	double best = 0;

	for (unsigned n = 1; n <= shape->end; n++)
		best = fmax(best, true_value(shape, n));
	return best;
}

/* Uniform above 0 and at most 1: Knuth's 64-bit generator, the upper bits of it. */
static double uniform(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return ((double)(*state >> 11) + 1) / 9007199254740992.0;
}

/* Normal noise by Box and Muller's transform. */
static double noise(uint64_t *state)
{
	double radius = sqrt(-2 * log(uniform(state)));

	return NOISE * radius * cos(2 * 3.14159265358979323846 * uniform(state));
}

static struct lm_sweep search_to(struct lm_range *range)
{
	return (struct lm_sweep){
		.ranges = range, .count = 1, .until = LM_UNTIL_PEAK, .tolerance = TOLERANCE
	};
}

/* One search: the load that it names, and in steps how many it took. */
static unsigned search(const struct shape *shape, uint64_t seed, size_t *steps)
{
	struct lm_range range = { 1, shape->end, 1 };
	const struct lm_sweep sweep = search_to(&range);
	struct lm_record records[ROOM] = { 0 };
	uint64_t state = seed * 977 + 1;
	struct lm_reason why;
	unsigned tasks = 0;

	for (*steps = 0;
	     lm_sweep_next(&lm_policy_peak, &sweep, records, *steps, &tasks, &why) == 1;) {
		struct lm_record *r = &records[(*steps)++];

		assert_in_range(tasks, 1, shape->most_tasks);
		assert_true(*steps < ROOM);
		*r = (struct lm_record){ .tasks = tasks, .valid = true };
		r->jobs_per_min = true_value(shape, tasks) * (1 + noise(&state));
	}
	assert_int_equal(sscanf(why.text, "peak at %u tasks", &tasks), 1);
	return tasks;
}

static void check_shape(const struct shape *shape)
{
	double best = best_value(shape);
	size_t steps, most = 0, sum = 0;
	unsigned good = 0;

	for (uint64_t seed = 0; seed < TRIALS; seed++) {
		unsigned tasks = search(shape, seed, &steps);

		good += true_value(shape, tasks) >= best * (1 - TOLERANCE);
		most = steps > most ? steps : most;
		sum += steps;
	}
	print_message("%s: %u of %d within %g, %.1f steps, at most %zu\n", shape->name, good,
		      TRIALS, TOLERANCE, (double)sum / TRIALS, most);
	assert_in_range(good, GOOD, TRIALS);
	assert_in_range(most, 1, shape->most_steps);
}

static void test_shapes(void **state)
{
	/* coherency is (1 - contention) / peak^2; half a unit sweep of the range is 32 steps */
	static const struct shape shapes[] = {
		{ "peak at 1", 0.5, 0.5, 0, 0, END, END / 2, END },
		{ "peak at 7", 0.05, 0.95 / 49, 0, 0, END, END / 2, END },
		/* half of the steps that a unit sweep takes to come to the peak alone */
		{ "peak at 40", 0.05, 0.95 / 1600, 0, 0, END, 40 / 2, END },
		{ "little contention, peak at 40", 0.005, 0.995 / 1600, 0, 0, END, 40 / 2, END },
		{ "flat top", 0.3, 0.0001, 0, 0, END, END / 2, END },
		{ "rises to the end", 0.01, 0, 0, 0, END, END / 2, END },
		{ "an edge at 23", 0, 0, 23, 0, END, END / 2, END },
		{ "an edge at 40", 0, 0, 40, 0, END, END / 2, END },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		check_shape(&shapes[i]);
}

/* Where a resource is full, load after load gives the same, and nothing falls. A step of thousands
 * of tasks takes as long as all before it. */
static void test_levels(void **state)
{
	static const struct shape shapes[] = {
		{ "level from 4 on", 0, 0, 0, 4, 16384, 16, 64 },
		{ "level from 100 on", 0, 0, 0, 100, 16384, 20, 2048 },
		/* 95 % of its most is at 361; each doubling gains a little */
		{ "contention alone", 0.05, 0, 0, 0, 16384, 20, 16384 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		check_shape(&shapes[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_levels),
	};

	return cmocka_run_group_tests_name("peak", tests, NULL, NULL);
}
