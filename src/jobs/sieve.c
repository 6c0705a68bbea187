/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sieve of Eratosthenes, without short cuts, over a table of bytes. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <stdlib.h>
#include <string.h>

#define LARGEST (UINT64_C(256) << 20)

enum {
	PASSES = 5,
	ROOT = 16383,   /* of the largest number that a table has an entry for, rounded down */
	NOT_CLEARED = 2 /* 0 and 1 stay marked as the primes do */
};

static void strike_multiples(unsigned char *marked, size_t size)
{
	for (size_t n = 2; n < size; n++) {
		if (!marked[n])
			continue;
		for (size_t k = 2 * n; k < size; k += n) {
			marked[k] = 0;
			KEEP(k);
		}
	}
}

enum { KNOWN = 16 };

static size_t count_marked(const unsigned char *marked, size_t size)
{
	size_t count = 0;

	for (size_t n = 0; n < size; n++)
		count += marked[n];
	return count;
}

/*
 * Primes up to last, found without a table of them: low[v] counts the numbers up to v, high[i]
 * those up to last / i, that the primes so far do not divide (or that are such a prime). For each
 * prime in turn those that it is the smallest divisor of are taken off. About last^(3/4) steps.
 */
static uint32_t primes_up_to(uint32_t last)
{
	static uint32_t low[ROOT + 1], high[ROOT + 1];
	uint32_t root = 1;

	while ((root + 1) * (root + 1) <= last)
		root++;
	for (uint32_t i = 1; i <= root; i++) {
		low[i] = i - 1;
		high[i] = last / i - 1;
	}
	for (uint32_t p = 2; p <= root; p++) {
		uint32_t smaller = low[p - 1];

		if (low[p] == smaller)
			continue;
		for (uint32_t i = 1; i <= root && i <= last / (p * p); i++)
			high[i] -= (i * p <= root ? high[i * p] : low[last / (i * p)]) - smaller;
		for (uint32_t v = root; v >= p * p; v--)
			low[v] -= low[v / p] - smaller;
	}
	return high[1];
}

/* What is known of the sizes in a mix: reckoned in the parent, since it would be a part of the work
 * of small tables. */
static struct {
	size_t size, marked;
} known[KNOWN];
static unsigned known_count;

static size_t left_marked(size_t size)
{
	for (unsigned i = 0; i < known_count; i++)
		if (known[i].size == size)
			return known[i].marked;
	return primes_up_to((uint32_t)size - 1) + NOT_CLEARED;
}

static enum lm_outcome sieve_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	size_t size = (size_t)ctx->params[0], marked = left_marked(size);

	(void)why;
	(void)why_size;
	if (known_count < KNOWN) {
		known[known_count].size = size;
		known[known_count++].marked = marked;
	}
	return LM_JOB_OK;
}

static enum lm_outcome sieve(struct lm_job_ctx *ctx)
{
	size_t size = (size_t)ctx->params[0], found, want = left_marked(size);
	unsigned char *marked = malloc(size);

	if (!marked)
		return lm_job_fail(ctx, "malloc of a table of %zu bytes", size);
	for (int pass = 0; pass < PASSES; pass++) {
		memset(marked, 1, size);
		strike_multiples(marked, size);
		__asm__ volatile("" : : "r"(marked) : "memory"); /* each pass is looked at */
	}
	found = count_marked(marked, size);
	free(marked);
	if (found != want)
		return lm_job_wrong(ctx, "%zu of %zu entries are left marked; want %zu", found,
				    size, want);
	return LM_JOB_OK;
}

static const struct lm_job_param sieve_params[] = {
	{ "size", "bytes of the table", true, 1000000, 1024, LARGEST },
	{ 0 },
};

const struct lm_job lm_jobs_sieve[] = {
	{
		.name = "sieve",
		.unit = "Integer Sieves",
		.class = LM_CLASS_CPU_INT,
		.factor = PASSES,
		.params = sieve_params,
		.supported = sieve_supported,
		.run = sieve,
	},
	{ 0 },
};
