/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics of a set of numbers. Pure; never NaN or infinite for finite input. */
#ifndef LM_MODEL_STATS_H
#define LM_MODEL_STATS_H

#include <stddef.h>

double lm_mean(const double *x, size_t n);   /* 0 for none */
double lm_stddev(const double *x, size_t n); /* of the population; 0 for none or one */

/* Job timing index of tasks' elapsed times: int((1 - stddev / mean) * 100), 100 for one task or
 * when no task took any time, 0 at the least. */
int lm_jti(double mean, double stddev, size_t n);

void lm_sort(double *x, size_t n); /* ascending */

/* Nearest-rank quantile q (0 to 1) of sorted numbers; 0 for none. */
double lm_quantile(const double *sorted, size_t n, double q);

#endif
