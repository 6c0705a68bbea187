/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The self-checks of the heap, process, shell and ipc kinds: each kind's result is broken, and the
 * kind fails. The functions defined here take the place of the C library's; they do what theirs do
 * but for the one fault that a test asks for.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <loadmix/job.h>

#include "fixture.h"
#include "jobs/jobs.h"

/* --- faults ------------------------------------------------------------------------------------
 */

enum fault {
	NO_FAULT,
	LOSE_WRITE,   /* a message is not sent, although write() says so */
	ALTER_READ,   /* the last byte read is a wrong one */
	END_READ,     /* read() finds the end */
	NO_WRITE,     /* write() writes nothing */
	ALTER_MEMORY, /* a byte of the segment changes while the semaphore is free */
	BUSY,         /* the semaphore was not given back */
	REMOVED,      /* the semaphore is gone */
	NO_SEGMENT,
	NO_SEMAPHORE,
	NO_ATTACH,
	OTHER_STATUS, /* a child ends with status 1 */
	OTHER_SIGNAL, /* a child is killed */
	OTHER_CHILD,  /* waitpid() answers with another child */
	NO_CHILD,
	NO_FORK,
	NO_SHRINK, /* the break does not go back, although the kernel says so */
	NO_RESTORE,
	NOEXEC,
	NO_FIFO,
};

static struct {
	enum fault fault;
	unsigned at, calls;     /* the call of the faulty function that goes wrong, from 0 */
	bool hit;               /* it did */
	key_t key;              /* of the objects made last */
	unsigned char *segment; /* what shmat() returned last */
	unsigned char *start;   /* of the heap */
	unsigned interrupted;   /* waits that a signal has interrupted so far */
	const struct lm_job_ctx *ctx;
} hook;

/* True in the call that is to go wrong. */
static bool now(enum fault fault)
{
	if (hook.fault != fault || hook.calls++ != hook.at)
		return false;
	hook.hit = true;
	return true;
}

static int refuse(int error)
{
	errno = error;
	return -1;
}

/* The C library's function of that name. */
static void *real(const char *name)
{
	void *function = dlsym(RTLD_NEXT, name);

	assert_non_null(function);
	return function;
}
#define REAL(function) ((__typeof__(&function))real(#function))

ssize_t write(int fd, const void *buffer, size_t size)
{
	if (now(LOSE_WRITE))
		return (ssize_t)size;
	return now(NO_WRITE) ? 0 : REAL(write)(fd, buffer, size);
}

ssize_t read(int fd, void *buffer, size_t size)
{
	ssize_t n;

	if (now(END_READ))
		return 0;
	n = REAL(read)(fd, buffer, size);
	if (n > 0 && now(ALTER_READ))
		((unsigned char *)buffer)[n - 1] ^= 1;
	return n;
}

int shmget(key_t key, size_t size, int flags)
{
	assert_int_equal(*hook.ctx->ipc_key, key); /* noted before there is anything */
	hook.key = key;
	return now(NO_SEGMENT) ? refuse(ENOSPC) : REAL(shmget)(key, size, flags);
}

int semget(key_t key, int count, int flags)
{
	assert_int_equal(*hook.ctx->ipc_key, key);
	return now(NO_SEMAPHORE) ? refuse(ENOSPC) : REAL(semget)(key, count, flags);
}

void *shmat(int id, const void *address, int flags)
{
	if (now(NO_ATTACH)) {
		errno = ENOMEM;
		return (void *)-1;
	}
	return hook.segment = REAL(shmat)(id, address, flags);
}

int semop(int id, struct sembuf *operations, size_t count)
{
	if (now(BUSY))
		return refuse(operations->sem_flg & IPC_NOWAIT ? EAGAIN : EDEADLK);
	if (now(REMOVED))
		return refuse(EIDRM);
	if (now(ALTER_MEMORY))
		hook.segment[0] ^= 1;
	return REAL(semop)(id, operations, count);
}

pid_t fork(void)
{
	return now(NO_FORK) ? refuse(EAGAIN) : REAL(fork)();
}

pid_t waitpid(pid_t pid, int *status, int options)
{
	pid_t ended;

	assert_true(pid > 0); /* the very process, never any */
	if (hook.interrupted++ % 2 == 0)
		return refuse(EINTR);
	ended = REAL(waitpid)(pid, status, options);
	if (now(OTHER_STATUS))
		*status = 1 << 8;
	if (now(OTHER_SIGNAL))
		*status = SIGSEGV;
	if (now(NO_CHILD))
		return refuse(ECHILD);
	return now(OTHER_CHILD) ? ended + 1 : ended;
}

int statvfs(const char *path, struct statvfs *fs)
{
	int status = REAL(statvfs)(path, fs);

	if (now(NOEXEC))
		fs->f_flag |= ST_NOEXEC;
	return status;
}

int mkfifo(const char *path, mode_t mode)
{
	return now(NO_FIFO) ? refuse(EPERM) : REAL(mkfifo)(path, mode);
}

/* The kinds' only raw call is brk. */
long syscall(long number, ...)
{
	unsigned char *to, *before = sbrk(0);
	va_list ap;

	va_start(ap, number);
	to = va_arg(ap, unsigned char *);
	va_end(ap);
	assert_int_equal(number, SYS_brk);
	if (!to)
		return (long)before;
	if (to < before && to > hook.start && now(NO_SHRINK))
		return (long)to;
	if (to <= before && to > hook.start && hook.fault == NO_SHRINK && hook.hit)
		return (long)to; /* grown by pages that were not given back */
	if (to == hook.start && now(NO_RESTORE)) {
		assert_int_equal(brk(to), 0);
		return (long)before;
	}
	return brk(to) == 0 ? (long)to : (long)before;
}

/* --- running a kind ----------------------------------------------------------------------------
 */

static int ipc_key;
static char before[PATH_MAX];

/* The test stands in its directory, which is home. */
static int enter(void **state)
{
	struct fixture *f;

	if (set_up(state) < 0 || !getcwd(before, sizeof before))
		return -1;
	f = *state;
	f->ctx.data_dir = "";
	f->ctx.ipc_key = &ipc_key;
	return chdir(f->dir);
}

static int leave(void **state)
{
	return chdir(before) < 0 ? -1 : tear_down(state);
}

/* False when this machine cannot run the kind. */
static bool get_ready(struct fixture *f, const char *name)
{
	memset(&hook, 0, sizeof hook);
	if (ask(f, find(name)) != LM_JOB_OK)
		return false;
	make_ready(f, find(name));
	return true;
}

/* Run a kind that is ready with a fault; it must leave nothing. */
static enum lm_outcome run_faulty(struct fixture *f, enum fault fault, unsigned at)
{
	enum lm_outcome outcome;

	hook.ctx = &f->ctx;
	hook.start = sbrk(0);
	hook.fault = fault;
	hook.at = at;
	outcome = run_kind(f, f->ctx.job);
	hook.fault = NO_FAULT;
	hook.ctx = NULL;
	assert_int_equal(ipc_key, 0);
	assert_int_equal(REAL(waitpid)(-1, NULL, WNOHANG), -1);
	return outcome;
}

/* The kind runs well without the fault; with it it fails and says that. */
static void assert_fails(struct fixture *f, const char *name, enum fault fault, unsigned at,
			 enum lm_outcome want, const char *text)
{
	if (!get_ready(f, name))
		return;
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_OK);
	hook.calls = 0;
	if (run_faulty(f, fault, at) != want)
		fail_msg("%s: fault %d: not outcome %d", name, fault, want);
	assert_true(hook.hit);
	assert_text(f, text);
}

/* --- the tests ---------------------------------------------------------------------------------
 */

static const char *const talkers[] = { "tcp_test",   "udp_test", "stream_pipe",
				       "dgram_pipe", "pipe_cpy", "fifo_test" };
#define TALKERS (sizeof talkers / sizeof talkers[0])

static void test_altered_messages(void **state)
{
	for (size_t i = 0; i < TALKERS; i++)
		for (unsigned n = 0; n < 89; n += 44) /* the first, a middle one, the last of tcp */
			assert_fails(*state, talkers[i], ALTER_READ, n, LM_JOB_FAILED, "altered");
}

/* On a channel that does not block a lost message is seen at once. */
static void test_lost_messages(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 2; i < TALKERS; i++) {
		assert_fails(f, talkers[i], LOSE_WRITE, 98, LM_JOB_FAILED, "message lost, 0 of ");
		assert_int_equal(f->error, ETIMEDOUT);
	}
}

static void test_broken_channels(void **state)
{
	for (size_t i = 0; i < TALKERS; i++) {
		assert_fails(*state, talkers[i], END_READ, 7, LM_JOB_FAILED, "end after 0 of ");
		assert_fails(*state, talkers[i], NO_WRITE, 7, LM_JOB_FAILED, "write ");
	}
}

/* A semop() of number 4 n + 2 is before the copy out of message n. */
static void test_altered_memory(void **state)
{
	assert_fails(*state, "shared_memory", ALTER_MEMORY, 2, LM_JOB_FAILED, "message 0 of ");
	assert_fails(*state, "shared_memory", ALTER_MEMORY, 4 * 99 + 2, LM_JOB_FAILED,
		     "message 99 of ");
}

static void test_broken_semaphore(void **state)
{
	struct fixture *f = *state;

	assert_fails(f, "shared_memory", BUSY, 200, LM_JOB_FAILED, "not free");
	assert_fails(f, "shared_memory", REMOVED, 399, LM_JOB_FAILED, "semop +1");
	assert_int_equal(f->error, EIDRM);
}

static void test_limits_are_named(void **state)
{
	struct fixture *f = *state;

	assert_fails(f, "shared_memory", NO_SEGMENT, 0, LM_JOB_NO_RESOURCE, "shmmni");
	assert_text(f, "2048 bytes");
	assert_int_equal(f->error, ENOSPC);
	assert_fails(f, "shared_memory", NO_SEMAPHORE, 0, LM_JOB_NO_RESOURCE,
		     "/proc/sys/kernel/sem");
	assert_fails(f, "shared_memory", NO_ATTACH, 0, LM_JOB_NO_RESOURCE, "shmat");
	f->ctx.semantics = LM_SEMANTICS_REAIM;
	assert_fails(f, "shared_memory", NO_SEGMENT, 0, LM_JOB_NO_RESOURCE, "65536 bytes");
}

/* A key that belongs to somebody is left alone, and another one is taken. */
static void test_key_in_use(void **state)
{
	struct fixture *f = *state;
	struct shmid_ds segment;
	int foreign;
	key_t key;

	assert_true(get_ready(f, "shared_memory"));
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_OK);
	key = hook.key;
	foreign = REAL(shmget)(key, 1, IPC_CREAT | IPC_EXCL | 0600);
	assert_true(foreign >= 0);
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_OK);
	assert_int_equal(shmctl(foreign, IPC_STAT, &segment), 0);
	assert_int_equal(segment.shm_segsz, 1);
	assert_int_equal(shmctl(foreign, IPC_RMID, NULL), 0);
	assert_int_not_equal(hook.key, key);
	assert_true(REAL(shmget)(hook.key, 0, 0) < 0);
	assert_true(REAL(semget)(hook.key, 0, 0) < 0);
}

static void test_bad_children(void **state)
{
	static const char *const kinds[] = { "fork_test", "exec_test" };

	for (size_t i = 0; i < 2; i++) {
		struct fixture *f = *state;
		unsigned last = i ? 4 : 99;

		assert_fails(f, kinds[i], OTHER_STATUS, 0, LM_JOB_FAILED, "exited with status 1");
		assert_fails(f, kinds[i], OTHER_STATUS, last, LM_JOB_FAILED, "status 1");
		assert_fails(f, kinds[i], OTHER_SIGNAL, last, LM_JOB_FAILED, "killed by signal 11");
		assert_fails(f, kinds[i], OTHER_CHILD, last, LM_JOB_FAILED, "answered with");
		assert_fails(f, kinds[i], NO_CHILD, last, LM_JOB_FAILED, "waitpid");
		assert_fails(f, kinds[i], NO_FORK, last, LM_JOB_NO_RESOURCE, "fork ");
	}
}

static void write_script(const char *name, const char *text, mode_t mode)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0700);

	assert_true(fd >= 0);
	assert_int_equal(REAL(write)(fd, text, strlen(text)), strlen(text));
	assert_int_equal(fchmod(fd, mode), 0);
	assert_int_equal(close(fd), 0);
}

static void test_bad_programs(void **state)
{
	struct fixture *f = *state;

	assert_true(get_ready(f, "exec_test"));
	write_script("true", "#!/bin/sh\nexit 3\n", 0700);
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
	assert_text(f, "/true exited with status 3");
	write_script("true", "#!/bin/sh\nkill -9 $$\n", 0700);
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
	assert_text(f, "/true was killed by signal 9");
	write_script("true", "#!/nonexistent\n", 0700);
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
	assert_text(f, "/true exited with status 127");
	assert_int_equal(remove("true"), 0);
	assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
	assert_text(f, "/true exited with status 127");
}

static void test_bad_scripts(void **state)
{
	static const char *const kinds[] = { "shell_rtns_1", "shell_rtns_2", "shell_rtns_3" };
	struct fixture *f = *state;

	for (size_t i = 0; i < 3; i++) {
		char name[] = "aim_N.sh";

		name[4] = (char)('1' + i);
		write_script(name, "#!/bin/sh\nexit 0\n", 0700);
		assert_fails(f, kinds[i], OTHER_STATUS, 0, LM_JOB_FAILED, "exited with status 1");
		assert_fails(f, kinds[i], NO_FORK, 0, LM_JOB_NO_RESOURCE, "fork ");
		write_script(name, "#!/bin/sh\nexit 3\n", 0700);
		assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
		assert_text(f, "exited with status 3");
		assert_text(f, name);
		write_script(name, "#!/bin/sh\nkill -9 $$\n", 0700);
		assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
		assert_text(f, "exited with status 137"); /* 128 + 9 */
		assert_int_equal(remove(name), 0);
		assert_int_equal(run_faulty(f, NO_FAULT, 0), LM_JOB_FAILED);
	}
}

/* The first shrink gives back pages that nothing has used: its loss is not seen. */
static void test_stale_pages(void **state)
{
	assert_fails(*state, "page_test", NO_SHRINK, 1, LM_JOB_FAILED, "not grown by a new page");
	assert_fails(*state, "page_test", NO_SHRINK, 99, LM_JOB_FAILED, "not grown by a new page");
}

static void test_break_not_restored(void **state)
{
	assert_fails(*state, "page_test", NO_RESTORE, 0, LM_JOB_FAILED, "the break ends 1048576");
	assert_fails(*state, "brk_test", NO_RESTORE, 0, LM_JOB_FAILED, "the break ends 1048576");
}

static void test_said_before_the_run(void **state)
{
	struct fixture *f = *state;

	memset(&hook, 0, sizeof hook);
	hook.fault = NOEXEC;
	assert_int_equal(ask(f, find("exec_test")), LM_JOB_UNSUPPORTED);
	assert_text(f, "noexec");
	assert_text(f, f->dir);
	memset(&hook, 0, sizeof hook);
	hook.fault = NO_FIFO;
	assert_int_equal(ask(f, find("fifo_test")), LM_JOB_UNSUPPORTED);
	assert_text(f, "no FIFO");
	hook.fault = NO_FAULT;
	assert_int_equal(ask(f, find("fifo_test")), LM_JOB_OK);
}

int main(void)
{
#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, enter, leave)
	const struct CMUnitTest tests[] = {
		WITH_DIR(test_altered_messages),    WITH_DIR(test_lost_messages),
		WITH_DIR(test_broken_channels),     WITH_DIR(test_altered_memory),
		WITH_DIR(test_broken_semaphore),    WITH_DIR(test_limits_are_named),
		WITH_DIR(test_key_in_use),          WITH_DIR(test_bad_children),
		WITH_DIR(test_bad_programs),        WITH_DIR(test_bad_scripts),
		WITH_DIR(test_stale_pages),         WITH_DIR(test_break_not_restored),
		WITH_DIR(test_said_before_the_run),
	};

	return cmocka_run_group_tests_name("selfchecks_ipc", tests, NULL, NULL);
}
