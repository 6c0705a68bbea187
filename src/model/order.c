/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/order.h"

#include <stdlib.h>
#include <string.h>

/* The output function of splitmix64: every bit of the result depends on every bit of z. */
static uint64_t mixed(uint64_t z)
{
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t splitmix_draw(uint64_t *state)
{
	*state += 0x9e3779b97f4a7c15u;
	return mixed(*state);
}

/* A draw below bound, all equally likely. */
static uint64_t draw_below(uint64_t *state, uint64_t bound)
{
	uint64_t limit = UINT64_MAX - UINT64_MAX % bound, draw;

	do
		draw = splitmix_draw(state);
	while (draw >= limit);
	return draw % bound;
}

/* Entries that still have jobs, in workfile order. */
struct left {
	uint16_t *alive;
	size_t count;
	unsigned *jobs; /* left, by entry */
};

static void left_fill(struct left *left, const struct lm_mix *mix)
{
	left->count = 0;
	for (size_t i = 0; i < mix->count; i++) {
		left->jobs[i] = mix->entries[i].jobs;
		if (left->jobs[i] > 0)
			left->alive[left->count++] = (uint16_t)i;
	}
}

/* Take one job of an entry; strike the entry off when that was its last. */
static void left_take(struct left *left, uint16_t entry)
{
	size_t low = 0, high = left->count;

	if (--left->jobs[entry] > 0)
		return;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (left->alive[middle] < entry)
			low = middle + 1;
		else
			high = middle;
	}
	left->count--;
	memmove(left->alive + low, left->alive + low + 1,
		(left->count - low) * sizeof(*left->alive));
}

static void draw_aim7(struct left *left, const struct lm_mix *mix, uint64_t seed, uint16_t *out)
{
	struct lm_rng rng = { seed };

	for (unsigned i = 0; i < mix->jobs_per_task && left->count > 0; i++) {
		uint16_t entry = (uint16_t)(lm_rng_draw(&rng) % mix->count);

		if (left->jobs[entry] == 0)
			entry = left->alive[lm_rng_draw(&rng) % left->count];
		left_take(left, entry);
		out[i] = entry;
	}
}

static int fill_aim7(const struct lm_mix *mix, uint64_t seed, uint16_t *out)
{
	struct left left = {
		.alive = calloc(mix->count + 1, sizeof(*left.alive)),
		.jobs = calloc(mix->count + 1, sizeof(*left.jobs)),
	};
	int result = -1;

	if (left.alive && left.jobs) {
		left_fill(&left, mix);
		draw_aim7(&left, mix, seed, out);
		result = 0;
	}
	free(left.alive);
	free(left.jobs);
	return result;
}

/* Fisher-Yates over the full job list in workfile order. */
static void fill_shuffle(const struct lm_mix *mix, uint64_t state, uint16_t *out)
{
	unsigned n = 0;

	for (size_t i = 0; i < mix->count; i++) {
		for (unsigned k = 0; k < mix->entries[i].jobs; k++)
			out[n++] = (uint16_t)i;
	}
	for (; n > 1; n--) {
		size_t other = draw_below(&state, n);
		uint16_t swap = out[n - 1];

		out[n - 1] = out[other];
		out[other] = swap;
	}
}

int lm_order_fill(const struct lm_mix *mix, enum lm_order order, uint64_t seed, unsigned task,
		  uint16_t *out)
{
	if (order == LM_ORDER_AIM7)
		return fill_aim7(mix, seed + task, out);
	fill_shuffle(mix, mixed(seed) + task, out);
	return 0;
}

unsigned lm_order_first_dir(uint64_t seed, unsigned task, size_t count)
{
	struct lm_rng rng = { seed + task };

	return count ? (unsigned)(lm_rng_draw(&rng) % count) : 0;
}

uint64_t lm_order_kind_seed(uint64_t seed, unsigned task)
{
	return mixed(mixed(~seed) + task);
}

const char *lm_order_name(enum lm_order order)
{
	return order == LM_ORDER_AIM7 ? "aim7" : "shuffle";
}

bool lm_order_parse(const char *text, enum lm_order *out)
{
	static const enum lm_order orders[] = { LM_ORDER_AIM7, LM_ORDER_SHUFFLE };

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++) {
		if (strcmp(text, lm_order_name(orders[i])) == 0) {
			*out = orders[i];
			return true;
		}
	}
	return false;
}
