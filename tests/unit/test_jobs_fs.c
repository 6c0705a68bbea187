/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ipc and file-name kinds: their work, their self-checks and what they leave behind. */
#include <fcntl.h>
#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cmocka.h>

#include <loadmix/job.h>

#include "fixture.h"

/* AIM7's figures, table of section 2 of the specification. */
static const struct lm_job expected[] = {
	{ .name = "tcp_test",
	  .unit = "TCP/IP Messages",
	  .class = LM_CLASS_IPC,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 90,
	  .flags = 0 },
	{ .name = "udp_test",
	  .unit = "UDP/IP DataGrams",
	  .class = LM_CLASS_IPC,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 100,
	  .flags = 0 },
	{ .name = "creat-clo",
	  .unit = "File Creations and Closes",
	  .class = LM_CLASS_FS_META,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 1000,
	  .flags = LM_JOB_DIR },
	{ .name = "link_test",
	  .unit = "Link/Unlink Pairs",
	  .class = LM_CLASS_FS_META,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 63,
	  .flags = LM_JOB_DIR },
	{ .name = "disk_src",
	  .unit = "Directory Searches",
	  .class = LM_CLASS_FS_META,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 75,
	  .flags = LM_JOB_DIR },
	{ .name = "dir_rtns_1",
	  .unit = "Directory Operations",
	  .class = LM_CLASS_FS_META,
	  .ops_per = LM_OPS_PER_RUN,
	  .factor = 10000,
	  .flags = 0 },
};
#define KINDS (sizeof expected / sizeof expected[0])

static void test_table(void **state)
{
	(void)state;
	for (const struct lm_job *e = expected; e < expected + KINDS; e++) {
		const struct lm_job *job = find(e->name);

		assert_string_equal(job->unit, e->unit);
		assert_int_equal(job->class, e->class);
		assert_int_equal(job->ops_per, e->ops_per);
		assert_int_equal(job->factor, e->factor);
		assert_int_equal(job->flags, e->flags);
		assert_non_null(job->run);
	}
}

static void test_every_kind_runs_at_every_size(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 2, 10 };
	struct fixture *f = *state;

	for (const struct lm_job *e = expected; e < expected + KINDS; e++) {
		const struct lm_job *job = find(e->name);

		if (ask(f, job) != LM_JOB_OK) {
			print_message("%s is left out: %s\n", job->name, f->text);
			continue;
		}
		for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
			f->ctx.file_kib = sizes[i];
			make_ready(f, job);
			assert_runs(f, job);
			assert_runs(f, job);
		}
	}
}

/* Call and name that each kind's first failing call must be reported with; "" = a name that the
 * job makes. */
static const struct {
	const char *kind, *call, *name;
} first_calls[] = {
	{ "creat-clo", "creat ", "" },
	{ "link_test", "creat ", "" },
	{ "disk_src", "chdir ", "tree" },
};

static void test_missing_directory_is_named(void **state)
{
	struct fixture *f = *state;
	char want[PATH_MAX];

	f->ctx.file_kib = 10;
	remove_tree(f->dir);
	for (size_t i = 0; i < sizeof first_calls / sizeof first_calls[0]; i++) {
		assert_int_equal(run_failing(f, find(first_calls[i].kind)), LM_JOB_FAILED);
		assert_int_equal(f->error, ENOENT);
		snprintf(want, sizeof want, "%s%s/%s", first_calls[i].call, f->dir,
			 first_calls[i].name);
		assert_text(f, want);
	}
}

/* It shuffles two arrays in 5 passes of 75 swaps. */
static void test_search_draws(void **state)
{
	struct fixture *f = *state;

	make_ready(f, find("disk_src"));
	f->ctx.rng.state = 7;
	assert_runs(f, find("disk_src"));
	assert_true(f->ctx.rng.state == state_after(7, 750));
}

/* The nth descriptor that a kind opens is refused, for each n that it opens at once. */
static void test_no_descriptor_left(void **state)
{
	static const struct {
		const char *kind;
		unsigned at_once;
	} rows[] = {
		{ "tcp_test", 3 },  { "udp_test", 2 }, { "creat-clo", 1 },
		{ "link_test", 1 }, { "disk_src", 1 }, { "dir_rtns_1", 1 },
	};
	struct fixture *f = *state;
	struct rlimit old, small;
	int next;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	f->ctx.file_kib = 2;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		make_ready(f, find(rows[i].kind));
		for (unsigned n = 0; n < rows[i].at_once; n++) {
			enum lm_outcome outcome;
			unsigned before = count_descriptors();

			next = open("/dev/null", O_RDONLY);
			assert_true(next >= 0);
			close(next);
			small = old;
			small.rlim_cur = (rlim_t)next + n;
			assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);
			choose(f, find(rows[i].kind));
			outcome = f->ctx.job->run(&f->ctx);
			assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
			assert_int_equal(outcome, LM_JOB_NO_RESOURCE);
			assert_int_equal(f->error, EMFILE);
			assert_int_equal(count_descriptors(), before);
		}
	}
}

struct tally {
	unsigned files, stats, creates, lines;
	size_t shortest_stat, longest_stat, shortest_create, longest_create;
	struct {
		char path[64];
		unsigned depth, files, stats, creates;
	} folder[64];
	unsigned folders;
};

static struct tally tally;
static size_t tree_length;

/* Index of the folder that a name, relative to the top, is in. */
static unsigned folder_of(const char *name)
{
	const char *slash = strrchr(name, '/');
	size_t length = slash ? (size_t)(slash - name) : 0;

	for (unsigned i = 0; i < tally.folders; i++)
		if (strlen(tally.folder[i].path) == length &&
		    strncmp(tally.folder[i].path, name, length) == 0)
			return i;
	fail_msg("no folder for %s", name);
	return 0;
}

static int tally_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
	const char *name = strlen(path) > tree_length ? path + tree_length + 1 : "";

	if (type == FTW_D) {
		snprintf(tally.folder[tally.folders].path, sizeof tally.folder[0].path, "%s", name);
		tally.folder[tally.folders++].depth = (unsigned)at->level;
	} else if (strcmp(name, "list") != 0) {
		tally.files++;
		tally.folder[folder_of(name)].files++;
		assert_int_equal(status->st_size, 0);
	}
	return 0;
}

static void widen(size_t *shortest, size_t *longest, size_t length)
{
	if (*shortest == 0 || length < *shortest)
		*shortest = length;
	if (length > *longest)
		*longest = length;
}

/* One line of the list: a mark ('?' to stat, '+' to create), then the name. */
static void tally_line(const char *tree, const char *line)
{
	char path[2 * PATH_MAX];
	bool there;

	tally.lines++;
	if (line[0] != '?' && line[0] != '+')
		return;
	snprintf(path, sizeof path, "%s/%s", tree, line + 1);
	there = access(path, F_OK) == 0;
	if (line[0] == '?') {
		assert_true(there);
		tally.stats++;
		tally.folder[folder_of(line + 1)].stats++;
		widen(&tally.shortest_stat, &tally.longest_stat, strlen(line + 1));
	} else {
		assert_false(there);
		tally.creates++;
		tally.folder[folder_of(line + 1)].creates++;
		widen(&tally.shortest_create, &tally.longest_create, strlen(line + 1));
	}
}

static long tally_tree(const struct fixture *f)
{
	char tree[PATH_MAX - 64], path[PATH_MAX], line[256];
	long bytes;
	FILE *file;

	memset(&tally, 0, sizeof tally);
	snprintf(tree, sizeof tree, "%s/tree", f->dir);
	tree_length = strlen(tree);
	assert_int_equal(nftw(tree, tally_entry, 16, FTW_PHYS), 0);
	snprintf(path, sizeof path, "%s/list", tree);
	file = fopen(path, "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file)) {
		assert_non_null(strchr(line, '\n'));
		*strchr(line, '\n') = '\0';
		tally_line(tree, line);
	}
	bytes = ftell(file);
	fclose(file);
	return bytes;
}

/* Files, stats and creates of the folders of a depth, in the order of the stats. */
static bool has_folder(unsigned depth, unsigned stats, unsigned creates)
{
	for (unsigned i = 0; i < tally.folders; i++)
		if (tally.folder[i].depth == depth && tally.folder[i].files == 40 &&
		    tally.folder[i].stats == stats && tally.folder[i].creates == creates) {
			tally.folder[i].files = 0; /* met once only */
			return true;
		}
	return false;
}

static void test_tree(void **state)
{
	/* Section 4.2: depth, names to stat, names to create. */
	static const unsigned spread[8][3] = { { 0, 8, 0 }, { 1, 6, 7 }, { 2, 7, 5 }, { 4, 7, 6 },
					       { 5, 8, 6 }, { 5, 8, 7 }, { 5, 6, 6 }, { 6, 7, 6 } };
	struct fixture *f = *state;
	unsigned leading = 0;

	make_ready(f, find("disk_src"));
	assert_int_equal(tally_tree(f), 10726);
	assert_int_equal(tally.lines, 382);
	assert_int_equal(tally.folders, 24);
	assert_int_equal(tally.files, 320);
	assert_int_equal(tally.stats, 57);
	assert_int_equal(tally.creates, 43);
	assert_int_equal(tally.shortest_stat, 8);
	assert_int_equal(tally.longest_stat, 41);
	assert_int_equal(tally.shortest_create, 15);
	assert_int_equal(tally.longest_create, 44);
	for (unsigned i = 0; i < tally.folders; i++)
		leading += tally.folder[i].files == 0;
	assert_int_equal(leading, 16);
	for (unsigned i = 0; i < 8; i++)
		assert_true(has_folder(spread[i][0], spread[i][1], spread[i][2]));
}

static void test_tree_can_be_made_twice(void **state)
{
	struct fixture *f = *state;

	make_ready(f, find("disk_src"));
	make_ready(f, find("disk_src"));
	assert_int_equal(tally_tree(f), 10726);
	assert_int_equal(tally.files, 320);
}

static void test_tree_needs_its_directory(void **state)
{
	struct fixture *f = *state;

	remove_tree(f->dir);
	assert_int_equal(find("disk_src")->furnish(f->dir), -1);
	assert_int_equal(errno, ENOENT);
}

static void run_search_failing(struct fixture *f, const char *want)
{
	char before[PATH_MAX], after[PATH_MAX];

	assert_non_null(getcwd(before, sizeof before));
	assert_int_equal(run_failing(f, find("disk_src")), LM_JOB_FAILED);
	assert_non_null(getcwd(after, sizeof after));
	assert_string_equal(after, before);
	assert_text(f, want);
}

static void test_search_keeps_the_working_directory(void **state)
{
	struct fixture *f = *state;
	char before[PATH_MAX], after[PATH_MAX], path[PATH_MAX];

	make_ready(f, find("disk_src"));
	assert_non_null(getcwd(before, sizeof before));
	assert_runs(f, find("disk_src"));
	assert_non_null(getcwd(after, sizeof after));
	assert_string_equal(after, before);

	snprintf(path, sizeof path, "%s/tree/list", f->dir);
	assert_int_equal(truncate(path, 10725), 0);
	run_search_failing(f, "/tree/list: 10725 bytes, want 10726");
	assert_int_equal(truncate(path, 20000), 0);
	run_search_failing(f, "/tree/list: ");
	assert_int_equal(unlink(path), 0);
	run_search_failing(f, "open ");
	assert_int_equal(f->error, ENOENT);
}

/* Same length, but a line less and a mark less than there should be. */
static void test_search_checks_the_list(void **state)
{
	struct fixture *f = *state;
	char path[PATH_MAX], text[10726];
	FILE *file;

	make_ready(f, find("disk_src"));
	snprintf(path, sizeof path, "%s/tree/list", f->dir);
	file = fopen(path, "r+");
	assert_non_null(file);
	assert_int_equal(fread(text, 1, sizeof text, file), sizeof text);
	*(char *)memchr(text, '+', sizeof text) = '-';
	*(char *)memchr(text, '\n', sizeof text) = '.';
	rewind(file);
	assert_int_equal(fwrite(text, 1, sizeof text, file), sizeof text);
	assert_int_equal(fclose(file), 0);
	run_search_failing(f, "381 lines, 57 to stat, 42 to create, want 382, 57 and 43");
}

static int swell_first;

/* Remove the first file that is met, or make it not empty. */
static int spoil_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
	(void)status;
	if (type == FTW_F && at->level > 1)
		return swell_first ? truncate(path, 1) : remove(path);
	return 0;
}

static void test_search_checks_what_it_finds(void **state)
{
	struct fixture *f = *state;
	char tree[PATH_MAX];

	snprintf(tree, sizeof tree, "%s/tree", f->dir);
	make_ready(f, find("disk_src"));
	swell_first = 1;
	assert_int_equal(nftw(tree, spoil_entry, 16, FTW_PHYS), 0);
	run_search_failing(f, ": not an empty file");
	assert_text(f, "stat ");
	make_ready(f, find("disk_src"));
	swell_first = 0;
	assert_int_equal(nftw(tree, spoil_entry, 16, FTW_PHYS), 0);
	run_search_failing(f, "stat ");
	assert_int_equal(f->error, ENOENT);
}

/* What read() and write() do while a job runs under one of the tests below. This program's own
 * definitions of the two take the place of the C library's. */
enum fault {
	NO_FAULT,
	INTERRUPT, /* every other call fails with EINTR */
	HALVE,     /* every call transfers half of what is asked for, at least a byte */
	ALTER,     /* the call of that number reads one wrong byte */
	FAIL,      /* the call of that number fails with hook.error */
};

static struct {
	enum fault on_read, on_write;
	unsigned at; /* number of the call that goes wrong, from 0 */
	int error;
	unsigned reads, writes;
	size_t sizes[400]; /* of the writes */
	time_t limit;      /* receive timeout of the descriptor of the failing read, in seconds */
} hook;

static size_t granted(enum fault fault, size_t size)
{
	return fault == HALVE && size > 1 ? size / 2 : size;
}

static bool refused(enum fault fault, unsigned call)
{
	if (fault == INTERRUPT && call % 2 == 0)
		errno = EINTR;
	else if (fault == FAIL && call == hook.at)
		errno = hook.error;
	else
		return false;
	return true;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	unsigned call = hook.reads++;
	struct timeval limit = { 0 };
	socklen_t length = sizeof limit;
	ssize_t n;

	if (refused(hook.on_read, call)) {
		int error = errno;

		if (getsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, &length) == 0)
			hook.limit = limit.tv_sec;
		errno = error;
		return -1;
	}
	n = syscall(SYS_read, fd, buffer, granted(hook.on_read, size));
	if (hook.on_read == ALTER && call == hook.at)
		((char *)buffer)[n - 1] ^= 1;
	return n;
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	unsigned call = hook.writes++;

	if (call < sizeof hook.sizes / sizeof hook.sizes[0])
		hook.sizes[call] = size;
	if (refused(hook.on_write, call))
		return -1;
	return syscall(SYS_write, fd, buffer, granted(hook.on_write, size));
}

/* Run the named kind with the faults that want names; hook then holds what was seen. */
static enum lm_outcome run_hooked(struct fixture *f, const char *kind, enum fault on_read,
				  enum fault on_write, unsigned at, int error)
{
	enum lm_outcome outcome;

#if defined __USE_FORTIFY_LEVEL && __USE_FORTIFY_LEVEL > 0
	skip(); /* calls may go to other names */
#endif
	if (ask(f, find(kind)) != LM_JOB_OK)
		skip();
	make_ready(f, find(kind));
	memset(&hook, 0, sizeof hook);
	hook.on_read = on_read;
	hook.on_write = on_write;
	hook.at = at;
	hook.error = error;
	outcome = run_kind(f, find(kind));
	hook.on_read = hook.on_write = NO_FAULT;
	return outcome;
}

static const char *const talkers[] = { "tcp_test", "udp_test" };

/* The table has 31 entries that sum to 10,176; 89 and 99 messages are no multiples of 31, so a
 * cursor of its own for each kind, or one put back before a run, would break the period. */
static void test_message_sizes(void **state)
{
	struct fixture *f = *state;
	size_t sizes[2 * (89 + 99)], count = 0, sum = 0;

	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(run_hooked(f, talkers[i % 2], NO_FAULT, NO_FAULT, 0, 0),
				 LM_JOB_OK);
		assert_int_equal(hook.writes, i % 2 ? 99 : 89);
		memcpy(sizes + count, hook.sizes, hook.writes * sizeof sizes[0]);
		count += hook.writes;
	}
	for (size_t i = 31; i < count; i++)
		assert_int_equal(sizes[i], sizes[i - 31]);
	for (size_t i = 0; i < 31; i++)
		sum += sizes[i];
	assert_int_equal(sum, 10176);
}

static void test_interrupted_messages(void **state)
{
	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(run_hooked(*state, talkers[i], INTERRUPT, INTERRUPT, 0, 0),
				 LM_JOB_OK);
		assert_int_equal(hook.reads, i ? 2 * 99 : 2 * 89);
		assert_int_equal(hook.writes, i ? 2 * 99 : 2 * 89);
	}
}

static void test_partial_messages(void **state)
{
	assert_int_equal(run_hooked(*state, "tcp_test", HALVE, HALVE, 0, 0), LM_JOB_OK);
	assert_true(hook.reads > 89);
	assert_true(hook.writes > 89);
}

static void test_altered_message(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(run_hooked(f, talkers[i], ALTER, NO_FAULT, 50, 0), LM_JOB_FAILED);
		assert_int_equal(f->error, 0);
		assert_text(f, "read 127.1.0.1 port ");
		assert_text(f, "message 50 of ");
		assert_text(f, "altered");
	}
}

/* What a receive timeout looks like to read(): not a lack of resources but a failed job. */
static void test_lost_message(void **state)
{
	struct fixture *f = *state;

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(run_hooked(f, talkers[i], FAIL, NO_FAULT, 50, EAGAIN),
				 LM_JOB_FAILED);
		assert_int_equal(f->error, ETIMEDOUT);
		assert_text(f, "read 127.1.0.1 port ");
		assert_text(f, "message lost");
		assert_true(hook.limit > 0);
	}
}

/* Tasks 0, 253, 254 and 65,279 x 254 + 253, the last one with an address of its own. */
static void test_each_task_has_its_address(void **state)
{
	static const struct {
		unsigned task;
		const char *address;
	} rows[] = {
		{ 0, "127.1.0.1 " },
		{ 253, "127.1.0.254 " },
		{ 254, "127.1.1.1 " },
		{ 16581119, "127.255.255.254 " },
	};
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		f->ctx.task = rows[i].task;
		assert_int_equal(run_hooked(f, "tcp_test", FAIL, NO_FAULT, 0, EIO), LM_JOB_FAILED);
		assert_text(f, rows[i].address);
		assert_int_equal(run_hooked(f, "udp_test", FAIL, NO_FAULT, 0, EIO), LM_JOB_FAILED);
		assert_text(f, rows[i].address);
	}
}

int main(void)
{
#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		WITH_DIR(test_every_kind_runs_at_every_size),
		WITH_DIR(test_missing_directory_is_named),
		WITH_DIR(test_search_draws),
		WITH_DIR(test_no_descriptor_left),
		WITH_DIR(test_tree),
		WITH_DIR(test_tree_can_be_made_twice),
		WITH_DIR(test_tree_needs_its_directory),
		WITH_DIR(test_search_keeps_the_working_directory),
		WITH_DIR(test_search_checks_the_list),
		WITH_DIR(test_search_checks_what_it_finds),
		WITH_DIR(test_message_sizes),
		WITH_DIR(test_interrupted_messages),
		WITH_DIR(test_partial_messages),
		WITH_DIR(test_altered_message),
		WITH_DIR(test_lost_message),
		WITH_DIR(test_each_task_has_its_address),
	};

	return cmocka_run_group_tests_name("jobs_fs", tests, NULL, NULL);
}
