/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/detach.h"

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

/* The new process lives until we let it go, and we have no child meanwhile. */
static void is_no_child(void **state)
{
	int go[2], said[2], rc;
	char byte = 0;

	(void)state;
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(said), 0);
	rc = lm_fork_detached();
	if (rc == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1 && write(said[1], &byte, 1) == 1)
			_exit(0);
		_exit(1);
	}
	assert_int_equal(rc, 1);
	close(said[1]);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
	assert_int_equal(write(go[1], "x", 1), 1);
	assert_int_equal(read(said[0], &byte, 1), 1);
	assert_int_equal(byte, 'x');
	assert_int_equal(read(said[0], &byte, 1), 0); /* its end */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_no_child),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
