/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The heap, process, shell and local ipc kinds: their tables, their work and what they leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <loadmix/job.h>

#include "fixture.h"
#include "jobs/jobs.h"

/* Section 2 of the specification. */
static const struct lm_job expected[] = {
	{ .name = "page_test",
	  .unit = "System Allocations & Pages",
	  .class = LM_CLASS_MEMORY,
	  .factor = 1700 },
	{ .name = "brk_test",
	  .unit = "System Memory Allocations",
	  .class = LM_CLASS_MEMORY,
	  .factor = 17000 },
	{ .name = "exec_test",
	  .unit = "Program Loads",
	  .class = LM_CLASS_PROCESS,
	  .factor = 5,
	  .flags = LM_JOB_CHILDREN },
	{ .name = "fork_test",
	  .unit = "Task Creations",
	  .class = LM_CLASS_PROCESS,
	  .factor = 100,
	  .flags = LM_JOB_CHILDREN },
	{ .name = "shell_rtns_1",
	  .unit = "Shell Scripts",
	  .class = LM_CLASS_SHELL,
	  .factor = 1,
	  .flags = LM_JOB_CHILDREN },
	{ .name = "shell_rtns_2",
	  .unit = "Shell Scripts",
	  .class = LM_CLASS_SHELL,
	  .factor = 1,
	  .flags = LM_JOB_CHILDREN },
	{ .name = "shell_rtns_3",
	  .unit = "Shell Scripts",
	  .class = LM_CLASS_SHELL,
	  .factor = 1,
	  .flags = LM_JOB_CHILDREN },
	{ .name = "shared_memory",
	  .unit = "Shared Memory Operations",
	  .class = LM_CLASS_IPC,
	  .factor = 100,
	  .flags = LM_JOB_DIR },
	{ .name = "stream_pipe",
	  .unit = "Stream Pipe Messages",
	  .class = LM_CLASS_IPC,
	  .factor = 100 },
	{ .name = "dgram_pipe",
	  .unit = "DataGram Pipe Messages",
	  .class = LM_CLASS_IPC,
	  .factor = 100 },
	{ .name = "pipe_cpy", .unit = "Pipe Messages", .class = LM_CLASS_IPC, .factor = 100 },
	{ .name = "fifo_test", .unit = "FIFO Messages", .class = LM_CLASS_IPC, .factor = 100 },
};
#define KINDS (sizeof expected / sizeof expected[0])

static int ipc_key;
static char before[PATH_MAX], data[PATH_MAX];

/* name relative to the test's directory */
static void write_file(const char *name, const char *text, mode_t mode)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(chmod(name, mode), 0);
}

/* The test stands in its directory, which is home, and holds the data directory as well. */
static int enter(void **state)
{
	struct fixture *f;

	if (set_up(state) < 0 || !getcwd(before, sizeof before))
		return -1;
	f = *state;
	if (chdir(f->dir) < 0 || mkdir("data", 0777) < 0 || mkdir("data/scripts", 0777) < 0)
		return -1;
	for (char n = '1'; n <= '3'; n++) {
		char name[] = "data/scripts/aim_N.sh";

		name[strlen(name) - 4] = n;
		write_file(name, "#!/bin/sh\nexit 0\n", 0755);
	}
	snprintf(data, sizeof data, "%s/data", f->dir);
	f->ctx.data_dir = data;
	f->ctx.tasks = 7;
	f->ctx.ipc_key = &ipc_key;
	return 0;
}

static int leave(void **state)
{
	return chdir(before) < 0 ? -1 : tear_down(state);
}

/* System V objects of this very process: other tests may be making some. */
static unsigned count_ipc(void)
{
	struct shm_info shm;
	struct seminfo sem;
	struct shmid_ds segment;
	struct semid_ds set;
	unsigned n = 0;
	int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&shm);

	for (int i = 0; i <= last; i++)
		n += shmctl(i, SHM_STAT, &segment) >= 0 && segment.shm_cpid == getpid();
	last = semctl(0, 0, SEM_INFO, &sem);
	for (int i = 0; i <= last; i++) {
		int id = semctl(i, 0, SEM_STAT, &set);

		n += id >= 0 && semctl(id, 0, GETPID) == getpid();
	}
	return n;
}

/* Run a kind, which must be supported and leave nothing. */
static void assert_runs_clean(struct fixture *f, const char *name)
{
	const struct lm_job *job = find(name);

	if (ask(f, job) != LM_JOB_OK)
		fail_msg("%s is unsupported: %s", name, f->text);
	make_ready(f, job);
	assert_runs(f, job);
	assert_int_equal(count_ipc(), 0);
	assert_int_equal(ipc_key, 0);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void test_table(void **state)
{
	(void)state;
	for (const struct lm_job *e = expected; e < expected + KINDS; e++) {
		const struct lm_job *job = find(e->name);

		assert_string_equal(job->unit, e->unit);
		assert_int_equal(job->class, e->class);
		assert_int_equal(job->ops_per, LM_OPS_PER_RUN);
		assert_int_equal(job->factor, e->factor);
		assert_int_equal(job->flags, e->flags);
		assert_non_null(job->run);
	}
}

static void test_every_kind_runs_twice(void **state)
{
	struct fixture *f = *state;

	for (int semantics = LM_SEMANTICS_AIM7; semantics <= LM_SEMANTICS_REAIM; semantics++)
		for (const struct lm_job *e = expected; e < expected + KINDS; e++) {
			f->ctx.semantics = (enum lm_semantics)semantics;
			assert_runs_clean(f, e->name);
			assert_runs_clean(f, e->name);
		}
}

/* --- the program break -------------------------------------------------------------------------
 */

static struct {
	long changes, pieces;
	long refuse_at; /* number of the change that is refused, from 1; 0: none */
	unsigned char *start, *now;
} heap;

/* Stride 128 through 4,096 bytes: 32 stores, whatever the value and the place in a stride. */
static bool is_dirty(const unsigned char *piece)
{
	unsigned stored = 0;

	for (int i = 0; i < 4096; i += 128) {
		bool any = false;

		for (int j = 0; j < 128; j++)
			any = any || piece[i + j];
		stored += any;
	}
	return stored == 32;
}

/* The raw call that the kinds make; the piece grown last is looked at before the break moves on. */
long syscall(long number, ...)
{
	va_list ap;
	unsigned char *to;

	va_start(ap, number);
	to = va_arg(ap, unsigned char *);
	va_end(ap);
	assert_int_equal(number, SYS_brk);
	if (!to)
		return (long)sbrk(0);
	if (heap.changes++ > 0 && heap.now - heap.start <= 1 << 20 &&
	    heap.now - heap.start > (1 << 20) - 65536)
		heap.pieces += is_dirty(heap.now - 4096);
	if (heap.refuse_at && heap.changes == heap.refuse_at)
		return (long)heap.now;
	assert_int_equal(brk(to), 0);
	return (long)(heap.now = to);
}

static void run_heap(struct fixture *f, const char *name, long refuse_at, enum lm_outcome want)
{
	const struct lm_job *job = find(name);

	make_ready(f, job);
	heap.start = heap.now = sbrk(0);
	heap.changes = heap.pieces = 0;
	heap.refuse_at = refuse_at;
	assert_int_equal(job->run(&f->ctx), want);
	heap.refuse_at = 0;
	assert_ptr_equal(sbrk(0), heap.start);
}

/* Section 5.6: 1 + 100 x (1 + 16) + 1 changes and 1,600 dirtied pieces; 1 + 1,000 x 17 + 1. */
static void test_heap_work(void **state)
{
	run_heap(*state, "page_test", 0, LM_JOB_OK);
	assert_int_equal(heap.changes, 1702);
	assert_int_equal(heap.pieces, 1600);
	run_heap(*state, "brk_test", 0, LM_JOB_OK);
	assert_int_equal(heap.changes, 17002);
	assert_int_equal(heap.pieces, 0);
}

/* The first growth, the first shrink, and the growth after it. */
static void test_heap_refused(void **state)
{
	static const char *const want[] = { "grow the heap by 1 MiB", "shrink the heap by 65,536",
					    "grow the heap by 4,096" };
	struct fixture *f = *state;

	for (int n = 0; n < 3; n++) {
		run_heap(f, n % 2 ? "brk_test" : "page_test", n + 1, LM_JOB_NO_RESOURCE);
		assert_int_equal(f->error, ENOMEM);
		assert_text(f, want[n]);
		assert_int_equal(heap.changes, n + 2); /* the last one puts the break back */
	}
}

/* Refused as by a low ulimit -d: nothing is tried after it, and the break is where it was. */
static void test_heap_unsupported(void **state)
{
	struct fixture *f = *state;

	heap.start = heap.now = sbrk(0);
	heap.changes = 0;
	heap.refuse_at = 1;
	assert_int_equal(ask(f, find("page_test")), LM_JOB_UNSUPPORTED);
	heap.refuse_at = 0;
	assert_text(f, "1 MiB");
	assert_text(f, "ulimit -d");
	assert_ptr_equal(sbrk(0), heap.start);
}

/* --- programs ----------------------------------------------------------------------------------
 */

/* Nothing but the interpreter line; for the user alone. */
static void test_exec_script(void **state)
{
	struct fixture *f = *state;
	char text[32] = "";
	struct stat st;
	FILE *file;
	mode_t mask = umask(0777);

	make_ready(f, find("exec_test"));
	umask(mask);
	file = fopen("true", "r");
	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof text - 1, file), 10);
	assert_string_equal(text, "#!/bin/sh\n");
	assert_int_equal(fstat(fileno(file), &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	fclose(file);
}

/* Each run writes its own path and arguments to the file "said". */
static void write_speaker(const char *name)
{
	write_file(name, "#!/bin/sh\nprintf '%s %s %s\\n' \"$0\" $# \"$1\" >said\n", 0755);
}

/* Run a kind; the script must say its absolute path, and that it got one argument, which is this.
 */
static void assert_says(struct fixture *f, const char *kind, const char *script,
			const char *argument)
{
	char line[2 * PATH_MAX] = "", want[2 * PATH_MAX], here[PATH_MAX];
	FILE *file;

	write_file("said", "", 0644);
	assert_runs_clean(f, kind);
	assert_non_null(getcwd(here, sizeof here));
	snprintf(want, sizeof want, "%s/%s 1 %s\n", here, script, argument);
	file = fopen("said", "r");
	assert_non_null(file);
	assert_non_null(fgets(line, sizeof line, file));
	fclose(file);
	assert_string_equal(line, want);
}

static void test_own_script_comes_first(void **state)
{
	struct fixture *f = *state;

	write_speaker("data/scripts/aim_2.sh");
	assert_says(f, "shell_rtns_2", "data/scripts/aim_2.sh", "7");
	assert_int_equal(mkdir("aim_2.sh", 0777), 0); /* can be searched, not run */
	assert_says(f, "shell_rtns_2", "data/scripts/aim_2.sh", "7");
	assert_int_equal(rmdir("aim_2.sh"), 0);
	write_speaker("aim_2.sh");
	assert_int_equal(chmod("aim_2.sh", 0644), 0);
	assert_says(f, "shell_rtns_2", "data/scripts/aim_2.sh", "7");
	assert_int_equal(chmod("aim_2.sh", 0755), 0);
	assert_says(f, "shell_rtns_2", "aim_2.sh", "7");
}

/* Section 0: the argument is the number of tasks; re-aim-7's is always 9. */
static void test_script_argument(void **state)
{
	struct fixture *f = *state;

	write_speaker("aim_1.sh");
	f->ctx.tasks = 1234;
	assert_says(f, "shell_rtns_1", "aim_1.sh", "1234");
	f->ctx.semantics = LM_SEMANTICS_REAIM;
	assert_says(f, "shell_rtns_1", "aim_1.sh", "9");
}

static void test_script_in_an_odd_place(void **state)
{
	static const char *const name = "it's $HOME; \"a\\b\"";

	assert_int_equal(mkdir(name, 0777), 0);
	assert_int_equal(chdir(name), 0);
	write_speaker("aim_3.sh");
	assert_says(*state, "shell_rtns_3", "aim_3.sh", "7");
}

static void test_no_script(void **state)
{
	struct fixture *f = *state;

	assert_int_equal(remove("data/scripts/aim_1.sh"), 0);
	assert_int_equal(ask(f, find("shell_rtns_1")), LM_JOB_UNSUPPORTED);
	assert_text(f, "aim_1.sh in the current directory");
	assert_text(f, data);
	assert_text(f, "/scripts/aim_1.sh");
	f->ctx.data_dir = "";
	assert_int_equal(ask(f, find("shell_rtns_1")), LM_JOB_UNSUPPORTED);
	assert_text(f, "the data directory is not found");
}

int main(void)
{
#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, enter, leave)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		WITH_DIR(test_every_kind_runs_twice),
		WITH_DIR(test_heap_work),
		WITH_DIR(test_heap_refused),
		WITH_DIR(test_heap_unsupported),
		WITH_DIR(test_exec_script),
		WITH_DIR(test_own_script_comes_first),
		WITH_DIR(test_script_argument),
		WITH_DIR(test_script_in_an_odd_place),
		WITH_DIR(test_no_script),
	};

	return cmocka_run_group_tests_name("jobs_proc", tests, NULL, NULL);
}
