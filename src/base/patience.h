/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for a reader that may never read, and still hearing who asks us to stop. */
#ifndef LM_BASE_PATIENCE_H
#define LM_BASE_PATIENCE_H

#include <signal.h>
#include <stdio.h>

/* The signals that ask us to stop: those of INT, TERM, HUP and QUIT that the caller does not
 * ignore. One that is ignored would be pending all the same while it is blocked. */
void lm_stop_signals(sigset_t *set);

/*
 * A stream that writes to fd, and closes nothing. While signals that ask us to stop are blocked,
 * one that is pending ends the wait for a reader: what he takes at once is written, then this and
 * all later writes fail with EINTR. The signal stays pending. While they are not blocked, they act
 * as ever. NULL with errno.
 */
FILE *lm_patient_stream(int fd);

#endif
