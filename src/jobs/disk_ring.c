/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/disk_ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/io_uring.h>)
#include <linux/io_uring.h>
#endif

/* What came with IORING_OP_READ and IORING_OP_WRITE; one mapping for both queues is older. */
#ifdef IORING_FEAT_RW_CUR_POS

static unsigned *counter(const struct lm_ring *ring, unsigned offset)
{
	return (unsigned *)(void *)(ring->queues + offset);
}

static void find_parts(struct lm_ring *ring, const struct io_uring_params *p)
{
	unsigned *order = counter(ring, p->sq_off.array);

	ring->submit_tail = counter(ring, p->sq_off.tail);
	ring->submit_mask = *counter(ring, p->sq_off.ring_mask);
	ring->complete_head = counter(ring, p->cq_off.head);
	ring->complete_tail = counter(ring, p->cq_off.tail);
	ring->complete_mask = *counter(ring, p->cq_off.ring_mask);
	ring->completions = ring->queues + p->cq_off.cqes;
	for (unsigned i = 0; i < p->sq_entries; i++)
		order[i] = i; /* request i stands in place i, always */
}

static void *map(const struct lm_ring *ring, size_t size, off_t what)
{
	void *at =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring->fd, what);

	return at == MAP_FAILED ? NULL : at;
}

static int map_queues(struct lm_ring *ring, const struct io_uring_params *p)
{
	size_t submissions = p->sq_off.array + p->sq_entries * sizeof(unsigned);
	size_t completions = p->cq_off.cqes + p->cq_entries * sizeof(struct io_uring_cqe);

	ring->queues_size = submissions > completions ? submissions : completions;
	ring->entries_size = p->sq_entries * sizeof(struct io_uring_sqe);
	ring->queues = map(ring, ring->queues_size, IORING_OFF_SQ_RING);
	ring->entries = map(ring, ring->entries_size, IORING_OFF_SQES);
	return ring->queues && ring->entries ? 0 : -1;
}

int lm_ring_open(struct lm_ring *ring, unsigned depth)
{
	struct io_uring_params p = { 0 };
	int error;

	*ring = (struct lm_ring){ .fd = (int)syscall(SYS_io_uring_setup, depth, &p) };
	if (ring->fd < 0)
		return -1;
	if (!(p.features & IORING_FEAT_RW_CUR_POS))
		errno = ENOSYS;
	else if (map_queues(ring, &p) == 0) {
		find_parts(ring, &p);
		return 0;
	}
	error = errno;
	lm_ring_close(ring);
	errno = error;
	return -1;
}

void lm_ring_close(struct lm_ring *ring)
{
	if (ring->queues)
		munmap(ring->queues, ring->queues_size);
	if (ring->entries)
		munmap(ring->entries, ring->entries_size);
	close(ring->fd);
}

int lm_ring_submit(struct lm_ring *ring, const struct lm_ring_request *request)
{
	unsigned tail = *ring->submit_tail;
	long taken;
	struct io_uring_sqe *entry =
		(struct io_uring_sqe *)ring->entries + (tail & ring->submit_mask);

	memset(entry, 0, sizeof(*entry));
	entry->opcode = request->writes ? IORING_OP_WRITE : IORING_OP_READ;
	entry->fd = request->fd;
	entry->addr = (uint64_t)(uintptr_t)request->buffer;
	entry->len = (unsigned)request->size;
	entry->off = request->offset;
	entry->user_data = request->tag;
	/* the kernel reads the entry when it sees the tail behind it */
	__atomic_store_n(ring->submit_tail, tail + 1, __ATOMIC_RELEASE);
	taken = syscall(SYS_io_uring_enter, ring->fd, 1, 0, 0, NULL, 0);
	if (taken == 0)
		errno = EBUSY;
	return taken == 1 ? 0 : -1;
}

bool lm_ring_take(struct lm_ring *ring, uint64_t *tag, int *result)
{
	unsigned head = *ring->complete_head;
	const struct io_uring_cqe *entry;

	if (head == __atomic_load_n(ring->complete_tail, __ATOMIC_ACQUIRE))
		return false;
	entry = (const struct io_uring_cqe *)ring->completions + (head & ring->complete_mask);
	*tag = entry->user_data;
	*result = entry->res;
	__atomic_store_n(ring->complete_head, head + 1, __ATOMIC_RELEASE);
	return true;
}

int lm_ring_wait(struct lm_ring *ring)
{
	long rc;

	do
		rc = syscall(SYS_io_uring_enter, ring->fd, 0, 1, IORING_ENTER_GETEVENTS, NULL, 0);
	while (rc < 0 && errno == EINTR);
	return rc < 0 ? -1 : 0;
}

#else /* built with headers that do not know it */

int lm_ring_open(struct lm_ring *ring, unsigned depth)
{
	(void)ring;
	(void)depth;
	errno = ENOSYS;
	return -1;
}

int lm_ring_submit(struct lm_ring *ring, const struct lm_ring_request *request)
{
	(void)ring;
	(void)request;
	errno = ENOSYS;
	return -1;
}

bool lm_ring_take(struct lm_ring *ring, uint64_t *tag, int *result)
{
	(void)ring;
	(void)tag;
	(void)result;
	return false;
}

int lm_ring_wait(struct lm_ring *ring)
{
	(void)ring;
	errno = ENOSYS;
	return -1;
}

void lm_ring_close(struct lm_ring *ring)
{
	(void)ring;
}

#endif
