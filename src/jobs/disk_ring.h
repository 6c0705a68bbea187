/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A queue of reads and writes: io_uring by its system calls, as much of it as disk kinds need. */
#ifndef LM_JOBS_DISK_RING_H
#define LM_JOBS_DISK_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lm_ring {
	int fd;
	unsigned char *queues; /* both queues, shared with the kernel */
	size_t queues_size;
	void *entries; /* the requests of the submission queue */
	size_t entries_size;
	unsigned *submit_tail, *complete_head, *complete_tail;
	unsigned submit_mask, complete_mask;
	void *completions;
};

/* One transfer at an offset of a file. The kernel uses buffer until it is complete. */
struct lm_ring_request {
	bool writes;
	int fd;
	void *buffer;
	size_t size;
	uint64_t offset;
	uint64_t tag; /* told when it is complete */
};

/* Room for so many requests in flight, a power of two. -1 with errno: ENOSYS = a kernel that has no
 * io_uring or one older than 5.6's, EPERM = forbidden. */
int lm_ring_open(struct lm_ring *ring, unsigned depth);

/* Hand one request to the kernel, with one system call. -1 with errno. */
int lm_ring_submit(struct lm_ring *ring, const struct lm_ring_request *request);

/* A complete request, if there is one: its tag, and bytes or a negative errno. No system call. */
bool lm_ring_take(struct lm_ring *ring, uint64_t *tag, int *result);

/* Sleep until a request is complete. -1 with errno. */
int lm_ring_wait(struct lm_ring *ring);

void lm_ring_close(struct lm_ring *ring);

#endif
