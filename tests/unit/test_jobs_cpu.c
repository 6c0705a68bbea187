/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds that stay within their process: integer, libc, memory and process families.
 *
 * Some functions that they call are replaced here by ones that count, and that can be told to give
 * one wrong answer, so that the self-checks can be seen to fail.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pwd.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define NEXT(function) ((__typeof__(&function))dlsym(RTLD_NEXT, #function))

/* Not from <ctype.h>, where they are macros or inline. */
int isxdigit(int c);
int toupper(int c);

static unsigned kills, searches, parents; /* calls counted */
static const char *spoilt;                /* this function's next answer is wrong */

static bool spoil(const char *function)
{
	bool now = spoilt && strcmp(spoilt, function) == 0;

	if (now)
		spoilt = NULL;
	return now;
}

int kill(pid_t pid, int number)
{
	kills++;
	if (spoil("kill")) {
		errno = EPERM;
		return -1;
	}
	return (int)syscall(SYS_kill, pid, number);
}

pid_t getppid(void)
{
	parents++;
	return (pid_t)syscall(SYS_getppid);
}

void *bsearch(const void *key, const void *base, size_t count, size_t size,
	      int (*order)(const void *, const void *))
{
	searches++;
	return spoil("bsearch") ? NULL : NEXT(bsearch)(key, base, count, size, order);
}

struct passwd *getpwuid(uid_t uid)
{
	return spoil("getpwuid") ? NULL : NEXT(getpwuid)(uid);
}

int isxdigit(int c)
{
	static int (*next)(int);

	if (!next)
		next = NEXT(isxdigit);
	return spoil("isxdigit") ? !next(c) : next(c);
}

int toupper(int c)
{
	static int (*next)(int);

	if (!next)
		next = NEXT(toupper);
	return spoil("toupper") ? '?' : next(c);
}

/* What a kind reported. */
static char reported[512];
static int reported_error;

static void report(struct lm_job_ctx *ctx, int error, const char *fmt, va_list ap)
{
	(void)ctx;
	reported_error = error;
	vsnprintf(reported, sizeof(reported), fmt, ap);
}

static const struct lm_job *const families[] = {
	lm_jobs_integer, lm_jobs_libc, lm_jobs_string, lm_jobs_memory, lm_jobs_process, NULL,
};

static const struct lm_job *find(const char *name)
{
	for (size_t i = 0; families[i]; i++)
		for (const struct lm_job *job = families[i]; job->name; job++)
			if (strcmp(job->name, name) == 0)
				return job;
	fail_msg("there is no kind %s", name);
	return NULL;
}

static enum lm_outcome run(const char *name)
{
	struct lm_job_ctx ctx = { .tasks = 1, .report = report };

	reported[0] = '\0';
	reported_error = 0;
	return find(name)->run(&ctx);
}

static void assert_ok(const char *name)
{
	enum lm_outcome outcome = run(name);

	if (outcome != LM_JOB_OK)
		fail_msg("%s ended with outcome %d: %s", name, (int)outcome, reported);
}

/* The kind fails and its report holds the word. */
static void assert_fails(const char *name, const char *word)
{
	assert_int_equal(run(name), LM_JOB_FAILED);
	if (!strstr(reported, word))
		fail_msg("%s reported \"%s\"; want something on %s", name, reported, word);
}

static int prepare_all(void **state)
{
	(void)state;
	if (!getenv("PATH"))
		setenv("PATH", "/usr/bin:/bin", 1);
	for (size_t i = 0; families[i]; i++)
		for (const struct lm_job *job = families[i]; job->name; job++)
			if (job->prepare && job->prepare())
				return -1;
	return 0;
}

/* False in a container whose user has no passwd or group entry. */
static bool misc_is_supported(void)
{
	char why[256];

	return find("misc_rtns_1")->supported(&(struct lm_job_ctx){ 0 }, why, sizeof(why)) ==
	       LM_JOB_OK;
}

/* Kinds of AIM7's published table: name, credited operations, unit label, class. */
static const struct lm_job published[] = {
	{ "add_int", "Thousand Integer Additions", LM_CLASS_CPU_INT, .factor = 60000 },
	{ "add_long", "Thousand Long Integer Additions", LM_CLASS_CPU_INT, .factor = 60000 },
	{ "add_short", "Thousand Short Integer Additions", LM_CLASS_CPU_INT, .factor = 24000 },
	{ "mul_int", "Thousand Integer Multiplies", LM_CLASS_CPU_INT, .factor = 240 },
	{ "mul_long", "Thousand Long Integer Multiplies", LM_CLASS_CPU_INT, .factor = 240 },
	{ "mul_short", "Thousand Short Integer Multiplies", LM_CLASS_CPU_INT, .factor = 300 },
	{ "div_int", "Thousand Integer Divides", LM_CLASS_CPU_INT, .factor = 900 },
	{ "div_long", "Thousand Long Integer Divides", LM_CLASS_CPU_INT, .factor = 900 },
	{ "div_short", "Thousand Short Integer Divides", LM_CLASS_CPU_INT, .factor = 900 },
	{ "string_rtns", "String Manipulations", LM_CLASS_LIBC, .factor = 100 },
	{ "mem_rtns_1", "Dynamic Memory Operations", LM_CLASS_LIBC, .factor = 30000 },
	{ "mem_rtns_2", "Block Memory Operations", LM_CLASS_LIBC, .factor = 100 },
	{ "sort_rtns_1", "Sort Operations", LM_CLASS_LIBC, .factor = 10 },
	{ "misc_rtns_1", "Auxiliary Loops", LM_CLASS_LIBC, .factor = 10 },
	{ "ram_copy", "Memory to Memory Copy", LM_CLASS_MEMORY, .factor = 25020 },
	{ "jmp_test", "Non-local gotos", LM_CLASS_PROCESS, .factor = 1000 },
	{ "signal_test", "Signal Traps", LM_CLASS_PROCESS, .factor = 1000 },
};

static void test_descriptors_are_as_published(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(published[0]); i++) {
		const struct lm_job *want = &published[i], *job = find(want->name);

		assert_string_equal(job->unit, want->unit);
		assert_int_equal(job->class, want->class);
		assert_int_equal(job->factor, want->factor);
		assert_int_equal(job->ops_per, LM_OPS_PER_RUN);
		assert_int_equal(job->flags, 0);
	}
}

static void test_every_kind_runs_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < 2 * sizeof(published) / sizeof(published[0]); i++) {
		const char *name = published[i / 2].name;

		if (strcmp(name, "misc_rtns_1") != 0 || misc_is_supported())
			assert_ok(name);
	}
}

/* Trace of the original: 1,000 kill. */
static void test_signal_test_sends_1000_signals(void **state)
{
	(void)state;
	kills = 0;
	assert_ok("signal_test");
	assert_int_equal(kills, 1000);
}

static void ignore(int number)
{
	(void)number;
}

static void test_signal_test_puts_the_handler_back(void **state)
{
	struct sigaction mine = { .sa_handler = ignore, .sa_flags = SA_NODEFER }, after;

	(void)state;
	sigaddset(&mine.sa_mask, SIGHUP);
	assert_int_equal(sigaction(SIGUSR2, &mine, NULL), 0);
	assert_ok("signal_test");
	assert_int_equal(sigaction(SIGUSR2, NULL, &after), 0);
	assert_true(after.sa_handler == ignore);
	assert_int_equal(after.sa_flags & SA_NODEFER, SA_NODEFER);
	assert_int_equal(sigismember(&after.sa_mask, SIGHUP), 1);
}

static void test_signal_test_fails_where_kill_does(void **state)
{
	(void)state;
	spoilt = "kill";
	assert_fails("signal_test", "kill");
	assert_int_equal(reported_error, EPERM);
}

/* It must not wait for ever. The pending signal is discarded by ignoring it. */
static void test_signal_test_fails_where_the_signal_is_blocked(void **state)
{
	sigset_t set;

	(void)state;
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	signal(SIGUSR2, SIG_IGN);
	assert_int_equal(sigprocmask(SIG_BLOCK, &set, NULL), 0);
	assert_fails("signal_test", "blocked");
	assert_int_equal(sigprocmask(SIG_UNBLOCK, &set, NULL), 0);
	signal(SIGUSR2, SIG_DFL);
}

/* Two rounds of 2,000 searches, of which 1,000 hit. */
static void test_sort_rtns_1_counts_its_hits(void **state)
{
	(void)state;
	searches = 0;
	assert_ok("sort_rtns_1");
	assert_int_equal(searches, 4000);
	spoilt = "bsearch";
	assert_fails("sort_rtns_1", "bsearch found 999 of 2000");
}

static void test_string_rtns_sees_a_wrong_class(void **state)
{
	(void)state;
	spoilt = "isxdigit";
	assert_fails("string_rtns", "true answers");
	assert_ok("string_rtns");
}

static void test_string_rtns_sees_a_wrong_letter(void **state)
{
	(void)state;
	spoilt = "toupper";
	assert_fails("string_rtns", "check sum");
	assert_ok("string_rtns");
}

static void test_misc_rtns_1_makes_ten_rounds(void **state)
{
	(void)state;
	if (!misc_is_supported())
		skip();
	parents = 0;
	assert_ok("misc_rtns_1");
	assert_int_equal(parents, 10);
	spoilt = "getpwuid";
	assert_fails("misc_rtns_1", "getpwuid");
}

static void test_misc_rtns_1_is_unsupported_without_a_user(void **state)
{
	char why[256] = "";

	(void)state;
	spoilt = "getpwuid";
	assert_int_equal(
		find("misc_rtns_1")->supported(&(struct lm_job_ctx){ 0 }, why, sizeof(why)),
		LM_JOB_UNSUPPORTED);
	spoilt = NULL;
	assert_non_null(strstr(why, "passwd"));
}

static void test_misc_rtns_1_is_unsupported_without_path(void **state)
{
	char *path = strdup(getenv("PATH"));
	char why[256] = "";

	(void)state;
	assert_non_null(path);
	unsetenv("PATH");
	assert_int_equal(
		find("misc_rtns_1")->supported(&(struct lm_job_ctx){ 0 }, why, sizeof(why)),
		LM_JOB_UNSUPPORTED);
	assert_non_null(strstr(why, "PATH"));
	setenv("PATH", path, 1);
	free(path);
}

static bool address_space_is_limitable(void)
{
	return !dlsym(RTLD_DEFAULT, "__asan_init");
}

/* A run holds 214,300 bytes at its peak; a process that may not grow at all does not have them. */
static void test_mem_rtns_1_without_memory_is_no_resource(void **state)
{
	struct rlimit none = { 0, 0 };
	int status;
	pid_t child;

	(void)state;
	if (!address_space_is_limitable())
		skip();
	malloc_trim(0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(setrlimit(RLIMIT_AS, &none) ? 100 : (int)run("mem_rtns_1"));
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), LM_JOB_NO_RESOURCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mem_rtns_1_without_memory_is_no_resource),
		cmocka_unit_test(test_descriptors_are_as_published),
		cmocka_unit_test(test_every_kind_runs_twice),
		cmocka_unit_test(test_signal_test_sends_1000_signals),
		cmocka_unit_test(test_signal_test_puts_the_handler_back),
		cmocka_unit_test(test_signal_test_fails_where_kill_does),
		cmocka_unit_test(test_signal_test_fails_where_the_signal_is_blocked),
		cmocka_unit_test(test_sort_rtns_1_counts_its_hits),
		cmocka_unit_test(test_string_rtns_sees_a_wrong_class),
		cmocka_unit_test(test_string_rtns_sees_a_wrong_letter),
		cmocka_unit_test(test_misc_rtns_1_makes_ten_rounds),
		cmocka_unit_test(test_misc_rtns_1_is_unsupported_without_a_user),
		cmocka_unit_test(test_misc_rtns_1_is_unsupported_without_path),
	};

	return cmocka_run_group_tests_name("jobs_cpu", tests, prepare_all, NULL);
}
