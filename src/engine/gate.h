/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The start gate: tasks wait in shared memory, and one store lets all of them go. */
#ifndef LM_ENGINE_GATE_H
#define LM_ENGINE_GATE_H

#include <stdatomic.h>
#include <stdint.h>

struct lm_gate {
	_Alignas(64) _Atomic uint32_t open;
	_Alignas(64) _Atomic uint32_t waiting; /* tasks that have reached the gate */
	uint32_t expected;
};

/* In a task: announce it, wait until the gate is open. The last of the expected tasks makes
 * ready_fd (an eventfd) readable. */
void lm_gate_wait(struct lm_gate *gate, int ready_fd);

/* In the parent: let all tasks go. */
void lm_gate_open(struct lm_gate *gate);

#endif
