/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "spoil.h"

#include <setjmp.h>
#include <signal.h>

/* Says that it has sent it. */
static int spoilt_kill(pid_t pid, int number)
{
	return spoil("kill") ? 0 : kill(pid, number);
}

static _Noreturn void spoilt_longjmp(jmp_buf to, int value)
{
	longjmp(to, value + spoil("longjmp"));
}

#define kill            spoilt_kill
#define longjmp         spoilt_longjmp
#define lm_jobs_process spoilt_process
#include "jobs/process.c"
