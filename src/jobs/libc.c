/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The C library: heap, blocks of memory, sorting, and a round of system look-ups. */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/opaque.h"

#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <sys/utsname.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Block sizes of both heap and block memory functions, used over and over. */
static const unsigned short block_size[] = {
	1, 3, 5, 7, 9, 11, 33, 65, 129, 1024, 1025, 1023, 8192, 4096, 4095, 11, 33, 65, 129, 1024,
};

enum { LARGEST = 8192, ALIGNMENTS = 8 };

/* ---- mem_rtns_1 ---- */

VIA(calloc);
VIA(free);
VIA(malloc);
VIA(strcpy);
VIA(strlen);

static const char sentence[] = "Every task allocates and frees many a block.";

enum { HEAP_ROUNDS = 100, SENTENCE = sizeof(sentence) - 1 };

_Static_assert(SENTENCE == 44, "the sentence has the length that docs/jobs.md states");

static struct trio {
	char *copy, *plain, *zeroed;
} heap[100];

static size_t zeroed_size(unsigned i)
{
	return block_size[(i + 1) % LENGTH(block_size)];
}

static int allocate_trio(struct trio *g, unsigned i)
{
	g->copy = call_malloc(call_strlen(sentence) + 1);
	if (g->copy)
		call_strcpy(g->copy, sentence);
	g->plain = call_malloc(block_size[i % LENGTH(block_size)]);
	g->zeroed = call_calloc(zeroed_size(i), 1);
	return g->copy && g->plain && g->zeroed ? 0 : -1;
}

/* Read a byte of each block; true when those that are known are right. */
static bool read_trio(const struct trio *g, unsigned i)
{
	__asm__ volatile("" : : "r"(*(volatile char *)g->plain));
	return g->copy[i % SENTENCE] == sentence[i % SENTENCE] &&
	       g->zeroed[zeroed_size(i) - 1] == 0;
}

static void free_trios(unsigned count)
{
	while (count-- > 0) {
		call_free(heap[count].copy);
		call_free(heap[count].zeroed);
		call_free(heap[count].plain);
	}
}

static enum lm_outcome heap_round(struct lm_job_ctx *ctx)
{
	unsigned wrong = 0;

	for (unsigned i = 0; i < LENGTH(heap); i++)
		if (allocate_trio(&heap[i], i)) {
			int error = errno;

			free_trios(i + 1);
			errno = error;
			return lm_job_fail(ctx, "malloc or calloc, trio %u of blocks", i);
		}
	for (unsigned i = 0; i < LENGTH(heap); i++)
		wrong += !read_trio(&heap[i], i);
	free_trios(LENGTH(heap));
	if (wrong)
		return lm_job_wrong(ctx, "%u of 100 trios of heap blocks read back wrong", wrong);
	return LM_JOB_OK;
}

static enum lm_outcome mem_rtns_1(struct lm_job_ctx *ctx)
{
	enum lm_outcome outcome = LM_JOB_OK;

	for (int n = 0; n < HEAP_ROUNDS && outcome == LM_JOB_OK; n++)
		outcome = heap_round(ctx);
	return outcome;
}

/* ---- mem_rtns_2 ---- */

VIA(memchr);
VIA(memcmp);
VIA(memcpy);
VIA(memmove);
VIA(memset);

enum { BLOCK_ROUNDS = 100 };

static unsigned char first[LARGEST + ALIGNMENTS], second[LARGEST + ALIGNMENTS];

/* Copy and see whether both ends arrived; they are spoilt first, as they may well be there. */
static bool copies(void *(*copy)(void *, const void *, size_t), unsigned char *to,
		   const unsigned char *from, size_t size)
{
	to[0] = (unsigned char)~from[0];
	to[size - 1] = (unsigned char)~from[size - 1];
	copy(to, from, size);
	return to[0] == from[0] && to[size - 1] == from[size - 1];
}

/* Six calls over blocks of one size at two alignments; true when every result is right. */
static bool block_round(unsigned n)
{
	size_t size = block_size[n % LENGTH(block_size)], at = n % size;
	unsigned a = n % ALIGNMENTS, b = n / ALIGNMENTS % ALIGNMENTS;
	unsigned char fill = (unsigned char)(n + 1), mark = (unsigned char)(fill + 1);
	bool filled, found, larger, copied;

	call_memset(first + a, fill, size);
	call_memset(second + b, fill, size);
	filled = first[a + size - 1] == fill && second[b + size - 1] == fill;
	first[a + at] = mark;
	found = call_memchr(first + a, mark, size) == first + a + at;
	larger = call_memcmp(first + a, second + b, size) > 0;
	if (larger)
		first[a + at] = fill;
	copied = copies(call_memcpy, first + a, second + b, size) &&
		 copies(call_memmove, second + a, first + b, size);
	return filled && found && larger && copied;
}

static enum lm_outcome mem_rtns_2(struct lm_job_ctx *ctx)
{
	for (unsigned n = 0; n < BLOCK_ROUNDS; n++)
		if (!block_round(n))
			return lm_job_wrong(ctx,
					    "memset, memchr, memcmp, memcpy or memmove of %u "
					    "bytes gave a wrong result in round %u",
					    block_size[n % LENGTH(block_size)], n);
	return LM_JOB_OK;
}

/* ---- sort_rtns_1 ---- */

VIA(bsearch);
VIA(qsort);

enum { NUMBERS = 10000, SORT_ROUNDS = 2, SEARCHES = 2000, HITS = 1000 };

static int numbers[NUMBERS]; /* 0 to 9,999, ascending between runs */

static int ascending(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static int descending(const void *a, const void *b)
{
	return *(const int *)b - *(const int *)a;
}

/* Sort; true when every number is then in its place. */
static bool sort(int (*order)(const void *, const void *), int start, int step)
{
	unsigned misplaced = 0;

	call_qsort(numbers, NUMBERS, sizeof(numbers[0]), order);
	for (int i = 0; i < NUMBERS; i++)
		misplaced += numbers[i] != start + step * i;
	return misplaced == 0;
}

/* Sorts once, so that what the library asks the system before its first sort is not asked again in
 * every task. */
static int sort_prepare(void)
{
	for (int i = 0; i < NUMBERS; i++)
		numbers[i] = i;
	errno = EINVAL;
	return sort(ascending, 0, 1) ? 0 : -1;
}

static unsigned search_all(void)
{
	unsigned hits = 0;

	for (int key = 0; key < SEARCHES * 10; key += 10) {
		const int *hit = call_bsearch(&key, numbers, NUMBERS, sizeof(key), ascending);

		hits += hit && *hit == key;
	}
	return hits;
}

static enum lm_outcome sort_rtns_1(struct lm_job_ctx *ctx)
{
	for (int round = 0; round < SORT_ROUNDS; round++) {
		unsigned hits;

		if (!sort(ascending, 0, 1) || !sort(descending, NUMBERS - 1, -1) ||
		    !sort(ascending, 0, 1))
			return lm_job_wrong(ctx, "qsort left %d numbers unsorted", NUMBERS);
		hits = search_all();
		if (hits != HITS)
			return lm_job_wrong(ctx, "bsearch found %u of %d keys; want %d", hits,
					    SEARCHES, HITS);
	}
	return LM_JOB_OK;
}

/* ---- misc_rtns_1 ---- */

enum { MISC_ROUNDS = 10 };

static gid_t groups[NGROUPS_MAX];

struct identity {
	uid_t user;
	gid_t group;
};

/* Each of these makes its part of the 21 calls and returns the name of the one that failed, with
 * errno, or NULL. */
static const char *ask_terminal(void)
{
	static const struct termios line;
	char terminal[L_ctermid];

	(void)cfgetispeed(&line);
	(void)cfgetospeed(&line);
	(void)isatty(STDIN_FILENO);
	(void)ttyname(STDIN_FILENO);
	return *ctermid(terminal) ? NULL : "ctermid";
}

static const char *ask_identity(struct identity *self)
{
	self->user = getuid();
	(void)geteuid();
	self->group = getgid();
	(void)getegid();
	(void)getpid();
	(void)getpgrp();
	(void)getppid();
	return getgroups(NGROUPS_MAX, groups) < 0 ? "getgroups" : NULL;
}

static const char *look_up(const struct identity *self)
{
	const struct passwd *user;
	const struct group *group;

	if (!getenv("PATH"))
		return "getenv of PATH";
	user = getpwnam("root");
	if (!user || strcmp(user->pw_name, "root") != 0)
		return "getpwnam of root";
	user = getpwuid(self->user);
	if (!user || user->pw_uid != self->user)
		return "getpwuid of the user";
	group = getgrgid(self->group);
	if (!group || group->gr_gid != self->group)
		return "getgrgid of the group";
	return NULL;
}

/* times() may well return -1 as the time; only errno tells a failure. */
static const char *ask_system(void)
{
	static char folder[2048];
	struct utsname system;
	struct tms spent;

	(void)clock();
	if (!getcwd(folder, sizeof(folder)))
		return "getcwd";
	if (uname(&system))
		return "uname";
	errno = 0;
	return times(&spent) == (clock_t)-1 && errno ? "times" : NULL;
}

static const char *misc_round(void)
{
	struct identity self;
	const char *failed = ask_terminal();

	if (!failed)
		failed = ask_identity(&self);
	if (!failed)
		failed = look_up(&self);
	return failed ? failed : ask_system();
}

static enum lm_outcome misc_rtns_1(struct lm_job_ctx *ctx)
{
	for (int n = 0; n < MISC_ROUNDS; n++) {
		const char *failed;

		errno = 0;
		failed = misc_round();
		if (failed)
			return lm_job_fail(ctx, "%s", failed);
	}
	return LM_JOB_OK;
}

static enum lm_outcome misc_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	(void)ctx;
	if (!getenv("PATH"))
		snprintf(why, why_size, "the environment has no PATH; set one");
	else if (!getpwnam("root"))
		snprintf(why, why_size, "there is no passwd entry for root");
	else if (!getpwuid(getuid()))
		snprintf(why, why_size,
			 "user %u has no passwd entry; add one or run as another user",
			 (unsigned)getuid());
	else if (!getgrgid(getgid()))
		snprintf(why, why_size,
			 "group %u has no group entry; add one or run as another user",
			 (unsigned)getgid());
	else
		return LM_JOB_OK;
	return LM_JOB_UNSUPPORTED;
}

/* ---- the table ---- */

const struct lm_job lm_jobs_libc[] = {
	{
		.name = "mem_rtns_1",
		.unit = "Dynamic Memory Operations",
		.class = LM_CLASS_LIBC,
		.factor = 30000,
		.run = mem_rtns_1,
	},
	{
		.name = "mem_rtns_2",
		.unit = "Block Memory Operations",
		.class = LM_CLASS_LIBC,
		.factor = BLOCK_ROUNDS,
		.run = mem_rtns_2,
	},
	{
		.name = "sort_rtns_1",
		.unit = "Sort Operations",
		.class = LM_CLASS_LIBC,
		.factor = 10,
		.prepare = sort_prepare,
		.run = sort_rtns_1,
	},
	{
		.name = "misc_rtns_1",
		.unit = "Auxiliary Loops",
		.class = LM_CLASS_LIBC,
		.factor = MISC_ROUNDS,
		.supported = misc_supported,
		.run = misc_rtns_1,
	},
	{ 0 },
};
