/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every disk and file-name kind fails when its result is broken: behind its back, by a common file
 * that is not what it should be, or by this program's own read(), open(), link() and so on, which
 * take the place of the C library's. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"
#include "jobs/jobs.h"

enum fault {
	NO_FAULT,
	COMMON_ALTERED, /* block 4 of the common file has another stamp */
	COMMON_SHORT,   /* the common file has 3 blocks */
	COMMON_EMPTY,   /* it has none */
	COMMON_MOVED,   /* every block has the stamp of another */
	WRITE_ALTERED,  /* every block is written with another stamp */
	WRITE_SHORT,    /* the write of number hook.at tells 512 bytes less */
	WRITE_FAILS,    /* it fails: no space */
	READ_SHORT,     /* the read of that number tells 512 bytes less */
	READ_FAILS,     /* it fails with an I/O error */
	REOPEN_EMPTY,   /* the file is empty when it is opened again */
	REOPEN_NARROW,  /* it is opened for reading instead of writing */
	CREAT_NO_NAME,  /* a descriptor, but no file of that name */
	LINK_NOTHING,   /* link() does nothing */
	UNLINK_NOTHING, /* the first unlink() does nothing */
	STAT_SWOLLEN,   /* files have a byte more */
	READDIR_EMPTY,  /* there is no entry */
	DROP_NOTHING,   /* posix_fadvise() does nothing */
	DROP_REFUSED,   /* it is refused */
	SYNC_FAILS,     /* fdatasync() fails with an I/O error */
};

static struct {
	enum fault fault;
	unsigned at, reads, writes, unlinks;
} hook;

ssize_t read(int fd, void *buffer, size_t size)
{
	bool now = hook.reads++ == hook.at;

	if (hook.fault == READ_FAILS && now) {
		errno = EIO;
		return -1;
	}
	return syscall(SYS_read, fd, buffer, size) - (hook.fault == READ_SHORT && now ? 512 : 0);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	bool now = hook.writes++ == hook.at;

	if (hook.fault == WRITE_FAILS && now) {
		errno = ENOSPC;
		return -1;
	}
	if (hook.fault == WRITE_ALTERED)
		*(unsigned char *)(uintptr_t)buffer ^= 1;
	return syscall(SYS_write, fd, buffer, size) - (hook.fault == WRITE_SHORT && now ? 512 : 0);
}

int open(const char *path, int flags, ...)
{
	bool again = !(flags & O_CREAT) && strstr(path, "/t0.");
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (hook.fault == REOPEN_EMPTY && again && truncate(path, 0) < 0)
		return -1;
	if (hook.fault == REOPEN_NARROW && again)
		flags &= ~O_ACCMODE;
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int creat(const char *path, mode_t mode)
{
	return hook.fault == CREAT_NO_NAME ? open("/dev/null", O_WRONLY)
					   : open(path, O_WRONLY | O_CREAT | O_TRUNC, mode);
}

int link(const char *from, const char *to)
{
	return hook.fault == LINK_NOTHING
		       ? 0
		       : (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int unlink(const char *path)
{
	return hook.fault == UNLINK_NOTHING && hook.unlinks++ == 0
		       ? 0
		       : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}

int stat(const char *restrict path, struct stat *restrict status)
{
	int rc = fstatat(AT_FDCWD, path, status, 0);

	if (hook.fault == STAT_SWOLLEN && strstr(path, "sheet"))
		status->st_size++;
	return rc;
}

struct dirent *readdir(DIR *dir)
{
	return hook.fault == READDIR_EMPTY ? NULL : (struct dirent *)readdir64(dir);
}

int posix_fadvise(int fd, off_t at, off_t length, int advice)
{
	if (hook.fault == DROP_NOTHING || hook.fault == DROP_REFUSED)
		return hook.fault == DROP_NOTHING ? 0 : EINVAL;
	return syscall(SYS_fadvise64, fd, at, length, advice) < 0 ? errno : 0;
}

int fdatasync(int fd)
{
	if (hook.fault == SYNC_FAILS) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_fdatasync, fd);
}

struct row {
	const char *kind;
	enum fault fault;
	unsigned at;
	enum lm_outcome outcome;
	int error;
	const char *want;
	enum lm_semantics semantics;
};

#define AIM7  LM_SEMANTICS_AIM7
#define REAIM LM_SEMANTICS_REAIM

/* Files have 10 blocks, halves 5. Writes 0 to 9 (4) make the file of the kinds that read or write
 * it at random, the next ones are those. */
static const struct row rows[] = {
	{ "creat-clo", CREAT_NO_NAME, 0, LM_JOB_FAILED, ENOENT, "unlink ", AIM7 },
	{ "link_test", LINK_NOTHING, 0, LM_JOB_FAILED, ENOENT, "unlink ", AIM7 },
	{ "link_test", UNLINK_NOTHING, 0, LM_JOB_FAILED, EEXIST, "link ", AIM7 },
	{ "disk_src", STAT_SWOLLEN, 0, LM_JOB_FAILED, 0, ": not an empty file", AIM7 },
	{ "disk_src", CREAT_NO_NAME, 0, LM_JOB_FAILED, ENOENT, "unlink ", AIM7 },
	{ "dir_rtns_1", READDIR_EMPTY, 0, LM_JOB_FAILED, 0, "no entry", AIM7 },

	{ "disk_rd", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "disk_cp", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "sync_disk_cp", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "disk_brd", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "disk_bcp", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "disk_dio_rd", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped 5, want 4", AIM7 },
	{ "disk_dio_cp", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped 5, want 4", AIM7 },
	{ "disk_rd", COMMON_SHORT, 0, LM_JOB_FAILED, 0, "/common, block 3: 0 bytes, want 1024",
	  AIM7 },
	{ "disk_cp", COMMON_SHORT, 0, LM_JOB_FAILED, 0, "/common, block 3: 0 bytes, want 1024",
	  AIM7 },
	{ "sync_disk_cp", COMMON_SHORT, 0, LM_JOB_FAILED, 0, "/common, block 3: 0 bytes, want 1024",
	  AIM7 },
	{ "disk_dio_cp", COMMON_SHORT, 0, LM_JOB_FAILED, 0, " bytes, want ", AIM7 },

	{ "disk_rr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_rr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", REAIM },
	{ "disk_rd", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "block 0: it is stamped 1", REAIM },
	{ "sync_disk_update", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_brr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_dio_rr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_aio_rr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_aiodio_rr", WRITE_ALTERED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },

	{ "disk_rr", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "disk_rw", WRITE_SHORT, 13, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_wrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "disk_wrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", REAIM },
	{ "disk_cp", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "sync_disk_rw", WRITE_SHORT, 7, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "sync_disk_wrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024",
	  AIM7 },
	{ "sync_disk_update", WRITE_SHORT, 12, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_brw", WRITE_SHORT, 13, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_bwrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "disk_dio_rw", WRITE_SHORT, 3, LM_JOB_FAILED, 0, " bytes, want ", AIM7 },
	{ "disk_dio_wrt", WRITE_SHORT, 1, LM_JOB_FAILED, 0, " bytes, want ", AIM7 },

	{ "disk_rw", WRITE_FAILS, 13, LM_JOB_NO_RESOURCE, ENOSPC, "write ", AIM7 },
	{ "disk_wrt", WRITE_FAILS, 3, LM_JOB_NO_RESOURCE, ENOSPC, "block 3", AIM7 },
	{ "sync_disk_wrt", WRITE_FAILS, 3, LM_JOB_NO_RESOURCE, ENOSPC, "block 3", AIM7 },
	{ "disk_rr", READ_FAILS, 3, LM_JOB_FAILED, EIO, "read ", AIM7 },
	{ "disk_rd", READ_FAILS, 3, LM_JOB_FAILED, EIO, "/common, block 3", AIM7 },
	{ "disk_rr", READ_SHORT, 3, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_rd", READ_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "disk_cp", READ_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "sync_disk_cp", READ_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "sync_disk_update", READ_SHORT, 3, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },

	{ "disk_aio_rr", REOPEN_EMPTY, 0, LM_JOB_FAILED, 0, ": 0 bytes, want 1024", AIM7 },
	{ "disk_aiodio_rr", REOPEN_EMPTY, 0, LM_JOB_FAILED, 0, ": 0 bytes, want ", AIM7 },
	{ "disk_aio_rw", REOPEN_NARROW, 0, LM_JOB_FAILED, EBADF, "write ", AIM7 },
	{ "disk_aiodio_rw", REOPEN_NARROW, 0, LM_JOB_FAILED, EBADF, "write ", AIM7 },
	{ "disk_dio_rw", REOPEN_NARROW, 0, LM_JOB_FAILED, EBADF, "write ", AIM7 },

	{ "disk_bcp", UNLINK_NOTHING, 0, LM_JOB_FAILED, 0, "still there after its removal", AIM7 },
	{ "disk_cp", UNLINK_NOTHING, 0, LM_JOB_FAILED, 0, "still there after its removal", REAIM },

	{ "disk_rewrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, "block 3: 512 bytes, want 1024", AIM7 },
	{ "disk_rewrt", WRITE_FAILS, 3, LM_JOB_NO_RESOURCE, ENOSPC, "/common, block 3", AIM7 },
	{ "disk_rndwrt", WRITE_SHORT, 3, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_rndwrt", WRITE_FAILS, 3, LM_JOB_NO_RESOURCE, ENOSPC, "/common, block ", AIM7 },
	{ "disk_rndrd", COMMON_EMPTY, 0, LM_JOB_FAILED, 0, ": 0 bytes, want 1024", AIM7 },
	{ "disk_rndrd", COMMON_MOVED, 0, LM_JOB_FAILED, 0, "it is stamped ", AIM7 },
	{ "disk_rndrd", READ_SHORT, 3, LM_JOB_FAILED, 0, ": 512 bytes, want 1024", AIM7 },
	{ "disk_coldrd", COMMON_ALTERED, 0, LM_JOB_FAILED, 0, "/common, block 4: it is stamped 5",
	  AIM7 },
	{ "disk_coldrd", COMMON_SHORT, 0, LM_JOB_FAILED, 0, "/common, block 3: 0 bytes, want 1024",
	  AIM7 },
	{ "disk_coldrd", READ_FAILS, 3, LM_JOB_FAILED, EIO, "/common, block 3", AIM7 },
	{ "disk_coldrd", DROP_NOTHING, 0, LM_JOB_FAILED, 0, " are still in memory", AIM7 },
	{ "disk_coldrd", DROP_REFUSED, 0, LM_JOB_FAILED, EINVAL, "drop the pages of ", AIM7 },
	{ "disk_coldrd", SYNC_FAILS, 0, LM_JOB_FAILED, EIO, "drop the pages of ", AIM7 },
};
#define ROWS (sizeof(rows) / sizeof(rows[0]))

static void skip_if_fortified(void)
{
#if defined __USE_FORTIFY_LEVEL && __USE_FORTIFY_LEVEL > 0
	skip(); /* calls may go to other names */
#endif
}

static void arm(enum fault fault, unsigned at)
{
	memset(&hook, 0, sizeof(hook));
	hook.fault = fault;
	hook.at = at;
}

static void check_row(struct fixture *f, const struct row *row)
{
	const struct lm_job *job = find(row->kind);
	enum lm_outcome outcome;

	f->ctx.semantics = row->semantics;
	if (ask(f, job) != LM_JOB_OK) {
		print_message("%s is left out: %s\n", job->name, f->text);
		return;
	}
	make_ready(f, job);
	assert_runs(f, job); /* so that it is the fault that is found */
	if (row->fault == COMMON_ALTERED)
		corrupt_common(f, 4);
	if (row->fault == COMMON_SHORT)
		write_common(f, 3);
	if (row->fault == COMMON_EMPTY)
		write_common(f, 0);
	for (uint64_t block = 0; row->fault == COMMON_MOVED && block < f->ctx.file_kib; block++)
		corrupt_common(f, block);
	arm(row->fault, row->at);
	outcome = run_kind(f, job);
	arm(NO_FAULT, 0);
	if (outcome != row->outcome || f->error != row->error || !strstr(f->text, row->want))
		fail_msg("row %d, %s: outcome %d, error %d, \"%s\"; want %d, %d, \"%s\"",
			 (int)(row - rows), row->kind, outcome, f->error, f->text, row->outcome,
			 row->error, row->want);
}

static void test_faults_are_found(void **state)
{
	struct fixture *f = *state;

	skip_if_fortified();
	f->ctx.file_kib = 10;
	f->ctx.system_sync = false;
	for (size_t i = 0; i < ROWS; i++)
		check_row(f, &rows[i]);
}

static bool has_row(const char *kind)
{
	for (size_t i = 0; i < ROWS; i++)
		if (strcmp(rows[i].kind, kind) == 0)
			return true;
	return false;
}

static void test_every_kind_has_a_fault(void **state)
{
	(void)state;
	for (size_t i = 0; lm_jobs[i]; i++)
		for (const struct lm_job *job = lm_jobs[i]; job->name; job++)
			if ((job->class == LM_CLASS_DISK || job->class == LM_CLASS_FS_META) &&
			    !has_row(job->name))
				fail_msg("no fault for %s", job->name);
}

/* Half of 10 blocks are 0 to 4: block 5 is not read, so its stamp does not matter. */
static void test_sync_copy_reads_half(void **state)
{
	struct fixture *f = *state;

	f->ctx.file_kib = 10;
	make_ready(f, find("sync_disk_cp"));
	corrupt_common(f, 5);
	assert_runs(f, find("sync_disk_cp"));
	run_failing(f, find("disk_cp"));
}

/* Whatever the size of a transfer, the stamp of each one is looked at: that of the first KiB that
 * begins in it. KiB 4 is block 8 of 512 bytes, block 1 of 4 KiB. KiB 5 begins in the middle of that
 * block and is not looked at. 1,000 bytes: block 4 holds bytes 4000 to 4999, KiB 4 begins at 4096.
 */
static void test_stamps_of_other_sizes(void **state)
{
	static const struct {
		uint64_t block, altered;
		const char *want; /* NULL: not found */
	} cases[] = {
		{ 512, 4, "block 8: it is stamped 5, want 4" },
		{ 1000, 4, "block 4: it is stamped 5, want 4" },
		{ 2048, 4, "block 2: it is stamped 5, want 4" },
		{ 4096, 4, "block 1: it is stamped 5, want 4" },
		{ 4096, 5, NULL },
		{ 65536, 64, "block 1: it is stamped 65, want 64" },
	};
	static const char *const readers[] = { "disk_rd", "disk_cp", "disk_brd", "disk_bcp",
					       "disk_coldrd" };
	struct fixture *f = *state;

	f->ctx.file_kib = 128;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t n = 0; n < sizeof(readers) / sizeof(readers[0]); n++) {
			f->block = cases[i].block;
			if (ask(f, find(readers[n])) != LM_JOB_OK)
				continue; /* disk_coldrd on tmpfs */
			make_ready(f, find(readers[n]));
			corrupt_common(f, cases[i].altered);
			if (cases[i].want) {
				run_failing(f, find(readers[n]));
				assert_text(f, cases[i].want);
			} else {
				assert_runs(f, find(readers[n]));
			}
		}
}

/* A file may grow to 3 blocks only: the fourth write fails in the middle of the job. */
static void test_failing_write(void **state)
{
	static const char *const writers[] = {
		"disk_rr",      "disk_rw",          "disk_wrt",  "disk_cp",  "sync_disk_rw",
		"sync_disk_cp", "sync_disk_update", "disk_bwrt", "disk_bcp", "sync_disk_wrt",
	};
	struct fixture *f = *state;
	struct rlimit old, small;

	f->ctx.file_kib = 10;
	make_ready(f, find("disk_cp"));
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = old;
	small.rlim_cur = 3 * LM_BLOCK;
	signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < sizeof(writers) / sizeof(writers[0]); i++) {
		enum lm_outcome outcome;

		choose(f, find(writers[i]));
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		outcome = f->ctx.job->run(&f->ctx);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_int_equal(outcome, LM_JOB_FAILED);
		assert_int_equal(f->error, EFBIG);
		assert_text(f, "write ");
		assert_text(f, "block 3");
		assert_int_equal(count_entries(f), 2); /* the directory and the common file */
	}
	signal(SIGXFSZ, SIG_DFL);
}

int main(void)
{
#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		WITH_DIR(test_faults_are_found),     cmocka_unit_test(test_every_kind_has_a_fault),
		WITH_DIR(test_sync_copy_reads_half), WITH_DIR(test_stamps_of_other_sizes),
		WITH_DIR(test_failing_write),
	};

	return cmocka_run_group_tests_name("selfchecks_disk", tests, NULL, NULL);
}
