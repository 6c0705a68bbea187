/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of jobs in a task. Pure: the same seed and task give the same order everywhere. */
#ifndef LM_MODEL_ORDER_H
#define LM_MODEL_ORDER_H

#include <loadmix/plan.h>

/* The generators. aim7: the textbook one of <loadmix/job.h>, state seed + task. shuffle:
 * Fisher-Yates over the job list in workfile order with splitmix64, state mix(seed) + task. The
 * kinds' stream: the textbook one again, state mix(mix(~seed) + task). mix() is the output function
 * of splitmix64. */

/* Write the entry index of every job of a task into out (mix->jobs_per_task of them).
 * 0, or -1 when memory ran out. */
int lm_order_fill(const struct lm_mix *mix, enum lm_order order, uint64_t seed, unsigned task,
		  uint16_t *out);

/* Index of the first directory a task works in, 0 to count - 1 (second generator, same seed). */
unsigned lm_order_first_dir(uint64_t seed, unsigned task, size_t count);

/* The seed of a task's stream for the job kinds. */
uint64_t lm_order_kind_seed(uint64_t seed, unsigned task);

/* "aim7" or "shuffle". */
const char *lm_order_name(enum lm_order order);
bool lm_order_parse(const char *text, enum lm_order *out);

#endif
