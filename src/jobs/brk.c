/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The heap grown and shrunk: changes of the program break, with and without use of the new pages.
 *
 * The break belongs to the C library's allocator too. Between the first change and the one that
 * puts it back nothing here allocates, and the changes are raw system calls, so the library never
 * sees a break other than its own; where its own is not the kernel's, the kinds are unsupported.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"

#include <sys/syscall.h>
#include <unistd.h>

enum {
	RESERVE = 1 << 20, /* the first growth */
	PIECE = 4096,
	PIECES = 16, /* grown in a round, after the break has shrunk by as much */
	PAGE_ROUNDS = 100,
	BRK_ROUNDS = 1000,
	STRIDE = 128, /* bytes between the stores that dirty a piece */
	DIRT = 1,
};

/* What went wrong, kept until the break is back and telling it may allocate again. */
struct fault {
	const char *change;      /* of the break, that was refused; NULL: none */
	ptrdiff_t wanted, found; /* the break then, from where it was at first */
	bool stale;              /* the heap did not grow by new pages */
};

/* The break after an attempt to move it: the kernel answers with the old one when it refuses. */
static unsigned char *move_break(const unsigned char *to)
{
	return (unsigned char *)syscall(SYS_brk, to);
}

/* Where the C library believes the break is; no system call with glibc. */
static unsigned char *library_break(void)
{
	return sbrk(0);
}

static bool moved(const unsigned char *start, const unsigned char *to, const char *change,
		  struct fault *fault)
{
	const unsigned char *now = move_break(to);

	if (now == to)
		return true;
	*fault = (struct fault){ .change = change, .wanted = to - start, .found = now - start };
	return false;
}

/* Rounds store to two sets of places in turn, so that a page of the round before can be told. */
static ptrdiff_t first_place(int round)
{
	return round % 2 * (STRIDE / 2);
}

static void dirty(volatile unsigned char *piece, int round)
{
	for (ptrdiff_t i = first_place(round); i < PIECE; i += STRIDE)
		piece[i] = DIRT;
}

/* What was stored is there, what the round before stored in its page is not. */
static bool is_new(const volatile unsigned char *piece, int round)
{
	const volatile unsigned char *last = piece + PIECE - STRIDE;

	return last[first_place(round)] == DIRT && last[first_place(round + 1)] == 0;
}

/* One shrink and 16 growths. The last piece is in pages that the shrink gave back, wherever in a
 * page the break is. */
static bool one_round(unsigned char *start, bool use, int round, struct fault *fault)
{
	unsigned char *piece = start + RESERVE - PIECES * PIECE;

	if (!moved(start, piece, "shrink the heap by 65,536 bytes", fault))
		return false;
	for (int n = 0; n < PIECES; n++, piece += PIECE) {
		if (!moved(start, piece + PIECE, "grow the heap by 4,096 bytes", fault))
			return false;
		if (use)
			dirty(piece, round);
	}
	fault->stale = use && !is_new(piece - PIECE, round);
	return !fault->stale;
}

static enum lm_outcome tell(struct lm_job_ctx *ctx, const struct fault *fault)
{
	if (fault->stale)
		return lm_job_wrong(ctx,
				    "the heap has not grown by a new page: it holds other than "
				    "what was stored");
	errno = ENOMEM;
	return lm_job_fail(ctx,
			   "brk to %s: the break is at +%td, want +%td (see ulimit -d and "
			   "/proc/sys/vm/overcommit_memory)",
			   fault->change, fault->found, fault->wanted);
}

static enum lm_outcome change_break(struct lm_job_ctx *ctx, int rounds, bool use)
{
	unsigned char *start = library_break(), *end;
	struct fault fault = { 0 };

	if (moved(start, start + RESERVE, "grow the heap by 1 MiB", &fault))
		for (int n = 0; n < rounds; n++)
			if (!one_round(start, use, n, &fault))
				break;
	end = move_break(start);
	if (fault.change || fault.stale)
		return tell(ctx, &fault);
	if (end != start)
		return lm_job_wrong(ctx, "the break ends %td bytes from where it was", end - start);
	return LM_JOB_OK;
}

static enum lm_outcome page_test(struct lm_job_ctx *ctx)
{
	return change_break(ctx, PAGE_ROUNDS, true);
}

static enum lm_outcome brk_test(struct lm_job_ctx *ctx)
{
	return change_break(ctx, BRK_ROUNDS, false);
}

/* Try the first growth. */
static enum lm_outcome brk_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	const unsigned char *start = library_break();
	bool known = start == move_break(NULL);
	bool grown = known && move_break(start + RESERVE) == start + RESERVE;

	(void)ctx;
	if (known)
		move_break(start);
	if (!known)
		snprintf(why, why_size,
			 "the C library or a sanitizer does not use the kernel's program break");
	else if (!grown)
		snprintf(why, why_size,
			 "the heap cannot grow by 1 MiB: raise ulimit -d, or see "
			 "/proc/sys/vm/overcommit_memory and what is mapped above the heap");
	return grown ? LM_JOB_OK : LM_JOB_UNSUPPORTED;
}

const struct lm_job lm_jobs_brk[] = {
	{
		.name = "page_test",
		.unit = "System Allocations & Pages",
		.class = LM_CLASS_MEMORY,
		.factor = PAGE_ROUNDS * (1 + PIECES),
		.supported = brk_supported,
		.run = page_test,
	},
	{
		.name = "brk_test",
		.unit = "System Memory Allocations",
		.class = LM_CLASS_MEMORY,
		.factor = BRK_ROUNDS * (1 + PIECES),
		.supported = brk_supported,
		.run = brk_test,
	},
	{ 0 },
};
