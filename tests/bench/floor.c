/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * floor N: the least that forking N waiting processes and letting them go can cost here. Each child
 * announces itself, waits at a futex, notes the time and ends: no group, no order, no accounting.
 * Prints: seconds from the first fork to all waiting, seconds from the gate to the last child
 * running, KiB a waiting child.
 */
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "memory.h"

struct page {
	_Atomic uint32_t gate, waiting;
	uint64_t woke_ns[];
};

static void futex(_Atomic uint32_t *word, int op, uint32_t value)
{
	syscall(SYS_futex, word, op, value, NULL, NULL, 0);
}

static _Noreturn void child(struct page *p, int i)
{
	atomic_fetch_add(&p->waiting, 1);
	futex(&p->waiting, FUTEX_WAKE, 1);
	while (!atomic_load(&p->gate))
		futex(&p->gate, FUTEX_WAIT, 0);
	p->woke_ns[i] = lm_now_ns();
	_exit(0);
}

static void fork_all(struct page *p, int n)
{
	for (int i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0)
			child(p, i);
		if (pid < 0) {
			perror("floor: fork");
			exit(1);
		}
	}
	for (uint32_t seen; (seen = atomic_load(&p->waiting)) < (uint32_t)n;)
		futex(&p->waiting, FUTEX_WAIT, seen);
}

static uint64_t last_of(const struct page *p, int n)
{
	uint64_t last = 0;

	for (int i = 0; i < n; i++)
		last = p->woke_ns[i] > last ? p->woke_ns[i] : last;
	return last;
}

int main(int argc, char **argv)
{
	int n = argc == 2 ? atoi(argv[1]) : 0;
	uint64_t first_fork, ready, opened;
	double before, waiting;
	struct page *p;

	if (n < 1)
		return 2;
	p = mmap(NULL, sizeof(*p) + (size_t)n * sizeof(uint64_t), PROT_READ | PROT_WRITE,
		 MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (p == MAP_FAILED)
		return 1;
	before = lm_processes_kib();
	first_fork = lm_now_ns();
	fork_all(p, n);
	ready = lm_now_ns();
	waiting = lm_processes_kib();
	opened = lm_now_ns();
	atomic_store(&p->gate, 1);
	futex(&p->gate, FUTEX_WAKE, INT_MAX);
	while (wait(NULL) > 0)
		;
	printf("%.9f %.9f %.3f\n", (double)(ready - first_fork) * 1e-9,
	       (double)(last_of(p, n) - opened) * 1e-9, (waiting - before) / n);
	return 0;
}
