/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/detach.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

int lm_fork_detached(void)
{
	pid_t pid = fork();
	int status = 0;

	if (pid == 0) {
		pid_t second = fork();

		if (second == 0)
			return 0;
		_exit(second < 0 ? errno : 0);
	}
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	errno = WIFEXITED(status) ? WEXITSTATUS(status) : EAGAIN;
	return status == 0 ? 1 : -1;
}
