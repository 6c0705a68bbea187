/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "engine/gate.h"

#include <limits.h>
#include <linux/futex.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <unistd.h>

void lm_gate_wait(struct lm_gate *gate, int ready_fd)
{
	if (atomic_fetch_add(&gate->waiting, 1) + 1 == gate->expected)
		eventfd_write(ready_fd, 1);
	while (!atomic_load_explicit(&gate->open, memory_order_acquire))
		syscall(SYS_futex, &gate->open, FUTEX_WAIT, 0, NULL, NULL, 0);
}

void lm_gate_open(struct lm_gate *gate)
{
	atomic_store_explicit(&gate->open, 1, memory_order_release);
	syscall(SYS_futex, &gate->open, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
