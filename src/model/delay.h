/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The 10 idle seconds in the times of AIM7. Pure. */
#ifndef LM_MODEL_DELAY_H
#define LM_MODEL_DELAY_H

#include <loadmix/run.h>

#include <stdbool.h>
#include <stddef.h>

/* Does its real hold the 10 idle seconds that AIM7 counts? So it is with its formats (suite7,
 * multitask, posted), unless version says that loadmix wrote the file, or they were taken out. */
bool lm_run_has_delay(const struct lm_run *run);

/* They were taken out: now, or before what was read was written. */
bool lm_run_delay_taken(const struct lm_run *run);

/*
 * Take these 10 seconds out of real, and restate what follows from it, where they are in it. The
 * environment tells of it, so that it is done once. A step whose real is not above 10 s, or is not
 * known, becomes INVALID with that problem. Returns the number of steps changed. See
 * docs/figures.md.
 */
size_t lm_run_take_delay(struct lm_run *run);

#endif
