/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Families of kinds with a seam: each spoilt_FAMILY.c includes the family's source, in which the
 * compiler barriers or the library functions are replaced by some that can be told to spoil one
 * result. The sources themselves know nothing of it.
 */
#ifndef LM_TESTS_SPOIL_H
#define LM_TESTS_SPOIL_H

#include <stdbool.h>
#include <stdint.h>

#include <loadmix/job.h>

extern const struct lm_job spoilt_integer[];
extern const struct lm_job spoilt_float[];
extern const struct lm_job spoilt_sieve[];
extern const struct lm_job spoilt_calls[];
extern const struct lm_job spoilt_numeric[];
extern const struct lm_job spoilt_math[];
extern const struct lm_job spoilt_libc[];
extern const struct lm_job spoilt_string[];
extern const struct lm_job spoilt_memory[];
extern const struct lm_job spoilt_process[];

extern const struct lm_job *const spoilt_families[]; /* all of them, ended by NULL */

/* Set by a test: this operation, or this call of this function, counted down to 0, is wrong. */
struct fault {
	const char *function;
	uint64_t operations, calls;
};
extern struct fault fault;

extern uint64_t bytes_copied; /* by ram_copy */
extern char reported[512];    /* by the last job */

/* Have all families prepare for jobs; cmocka's group set-up function. */
int prepare_spoilt(void **state);

const struct lm_job *find_spoilt(const char *name);

/* One job, with the kind's default parameters. */
enum lm_outcome run_spoilt(const struct lm_job *job, enum lm_semantics semantics);

/* True for the one operation that is to go wrong. */
static inline bool spoil_operation(void)
{
	return fault.operations && --fault.operations == 0;
}

/* True for the one call that is to go wrong; every wrapper asks. */
bool spoil(const char *function);

/* A barrier's stead: the value goes wrong once. */
#define SPOIL_VALUE(x) ((x) = (__typeof__(x))((x) + spoil_operation()))

/* Wrappers whose result goes wrong by one. */
#define SPOIL_REAL(function)                           \
	static double spoilt_##function(double x)      \
	{                                              \
		return function(x) + spoil(#function); \
	}
#define SPOIL_REAL_2(function)                              \
	static double spoilt_##function(double x, double y) \
	{                                                   \
		return function(x, y) + spoil(#function);   \
	}
#define SPOIL_INT(function)                            \
	static int spoilt_##function(int x)            \
	{                                              \
		return function(x) + spoil(#function); \
	}

/* Has opaque.h's pointers to functions point to wrappers; for use after #undef VIA. */
#define VIA_WRAPPER(function) \
	static __typeof__(&spoilt_##function) volatile const call_##function = spoilt_##function

#endif
