/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The disk kinds: their work at every size of file and transfer, in either semantics, and what they
 * say before the run. Their self-checks are tested in test_selfchecks_disk.c. */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "fixture.h"
#include "jobs/jobs.h"

#define ALL  LM_OPS_PER_BLOCK
#define HALF LM_OPS_PER_HALF_BLOCK

/*
 * Specification. Name, unit, whether the file or half of it is credited, whether the common file is
 * used: section 2. Transfers by read() and write() in terms of the whole file's blocks and the
 * half's, and the draws: section 5.10; under re-aim-7's semantics disk_rd writes the whole, too.
 * Calls of sync() under these: section 6. Descriptors at once: section 5.10, and one for the queue.
 * The last four are ours: docs/jobs.md, "Kinds of our own".
 */
static const struct disk_row {
	const char *name, *unit;
	enum lm_ops_per per;
	unsigned common;
	unsigned reads_whole, reads_half, writes_whole, writes_half, draws;
	unsigned syncs, descriptors;
} table[] = {
	{ "disk_rr", "Random Disk Reads (K)", ALL, 0, 1, 0, 1, 0, 1, 2, 1 },
	{ "disk_rw", "Random Disk Writes (K)", ALL, 0, 0, 0, 2, 0, 1, 2, 1 },
	{ "disk_rd", "Sequential Disk Reads (K)", ALL, 1, 1, 0, 0, 0, 0, 2, 1 },
	{ "disk_wrt", "Sequential Disk Writes (K)", ALL, 0, 0, 0, 1, 0, 0, 2, 1 },
	{ "disk_cp", "Disk Copies (K)", ALL, 1, 1, 0, 1, 0, 0, 3, 2 },
	{ "sync_disk_rw", "Sync Random Disk Writes (K)", HALF, 0, 0, 0, 0, 2, 1, 0, 1 },
	{ "sync_disk_wrt", "Sync Sequential Disk Writes (K)", HALF, 0, 0, 0, 0, 1, 0, 0, 1 },
	{ "sync_disk_cp", "Sync Disk Copies (K)", HALF, 1, 0, 1, 0, 1, 0, 0, 2 },
	{ "sync_disk_update", "Sync Disk Updates (K)", HALF, 0, 0, 1, 1, 1, 1, 0, 1 },
	{ "disk_brr", "Random Bufcache Disk Reads (K)", ALL, 0, 1, 0, 1, 0, 1, 0, 1 },
	{ "disk_brw", "Random Bufcache Disk Writes (K)", ALL, 0, 0, 0, 2, 0, 1, 0, 1 },
	{ "disk_brd", "Sequential Bufcache Disk Reads (K)", ALL, 1, 1, 0, 0, 0, 0, 0, 1 },
	{ "disk_bwrt", "Sequential Bufcache Disk Writes (K)", ALL, 0, 0, 0, 1, 0, 0, 0, 1 },
	{ "disk_bcp", "Bufcache Disk Copies (K)", ALL, 1, 1, 0, 1, 0, 0, 0, 2 },
	{ "disk_dio_rr", "Random O_DIRECT Disk Reads (K)", ALL, 0, 1, 0, 1, 0, 1, 2, 1 },
	{ "disk_dio_rw", "Random O_DIRECT Disk Writes (K)", ALL, 0, 0, 0, 2, 0, 1, 2, 1 },
	{ "disk_dio_rd", "Sequential O_DIRECT Disk Reads (K)", ALL, 1, 1, 0, 0, 0, 0, 1, 1 },
	{ "disk_dio_wrt", "Sequential Disk Writes (K)", ALL, 0, 0, 0, 1, 0, 0, 2, 1 },
	{ "disk_dio_cp", "O_DIRECT Disk Copies (K)", ALL, 1, 1, 0, 1, 0, 0, 2, 2 },
	{ "disk_aio_rr", "Random ASYNC I/O Disk Reads (K)", ALL, 0, 0, 0, 1, 0, 1, 2, 2 },
	{ "disk_aio_rw", "Random ASYNC I/O Disk Writes (K)", ALL, 0, 0, 0, 1, 0, 1, 2, 2 },
	{ "disk_aiodio_rr", "Random ASYNC DIRECT I/O Disk Reads (K)", ALL, 0, 0, 0, 1, 0, 1, 2, 2 },
	{ "disk_aiodio_rw", "Random ASYNC DIRECT I/O Disk Writes (K)", ALL, 0, 0, 0, 1, 0, 1, 2,
	  2 },
	{ "disk_rewrt", "Sequential Disk Rewrites (K)", ALL, 1, 0, 0, 1, 0, 0, 0, 1 },
	{ "disk_coldrd", "Sequential Uncached Disk Reads (K)", ALL, 1, 1, 0, 0, 0, 0, 0, 1 },
	{ "disk_rndrd", "Random Common File Reads (K)", ALL, 1, 1, 0, 0, 0, 1, 0, 1 },
	{ "disk_rndwrt", "Random Common File Writes (K)", ALL, 1, 0, 0, 1, 0, 1, 0, 1 },
};
#define KINDS (sizeof(table) / sizeof(table[0]))

static const enum lm_semantics both[] = { LM_SEMANTICS_AIM7, LM_SEMANTICS_REAIM };

/* --- what this program's own calls see, which take the place of the C library's -------------- */

static struct {
	unsigned reads, writes, syncs;
	size_t size; /* of every read and write; 0: they differ */
	off_t at;    /* where the file in hand stands, from lseek() on */
	off_t read_at, last_write, furthest;
	bool follows;        /* every write since a seek has been behind the read before it */
	char name[PATH_MAX]; /* a name, and whether the last read or write found it */
	bool named;
	bool refuse_direct; /* open() refuses O_DIRECT */
	unsigned alignment; /* what statx() tells; 0: the truth */
	long pages;         /* of the file in memory at the first read; -1: not to be counted */
} seen;

/* Pages of a file of up to 64 pages that are in memory. */
static long pages_in_memory(int fd)
{
	unsigned char resident[64];
	size_t size = (size_t)lseek(fd, 0, SEEK_END);
	void *map = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);
	long pages = 0;

	assert_true(map != MAP_FAILED);
	memset(resident, 0, sizeof(resident));
	assert_int_equal(mincore(map, size, resident), 0);
	munmap(map, size);
	for (size_t i = 0; i < sizeof(resident); i++)
		pages += resident[i] & 1;
	return pages;
}

static void see_transfer(size_t size)
{
	if (seen.reads + seen.writes > 0 && seen.size != size)
		size = 0;
	seen.size = size;
	if (seen.name[0])
		seen.named = syscall(SYS_faccessat, AT_FDCWD, seen.name, F_OK) == 0;
}

ssize_t read(int fd, void *buffer, size_t size)
{
	see_transfer(size);
	if (seen.pages == 0 && seen.reads == 0) {
		off_t at = seen.at;

		seen.pages = pages_in_memory(fd);
		lseek(fd, at, SEEK_SET);
	}
	seen.reads++;
	seen.read_at = seen.at;
	seen.at += (off_t)size;
	return syscall(SYS_read, fd, buffer, size);
}

ssize_t write(int fd, const void *buffer, size_t size)
{
	see_transfer(size);
	seen.writes++;
	if (seen.reads > 0 && seen.at != seen.read_at + (off_t)size)
		seen.follows = false;
	seen.last_write = seen.at;
	seen.at += (off_t)size;
	if (seen.at > seen.furthest)
		seen.furthest = seen.at;
	return syscall(SYS_write, fd, buffer, size);
}

off_t lseek(int fd, off_t offset, int whence)
{
	seen.at = offset;
	return syscall(SYS_lseek, fd, offset, whence);
}

void sync(void)
{
	seen.syncs++;
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & (O_CREAT | __O_TMPFILE))
		mode = va_arg(ap, mode_t);
	va_end(ap);
	if (seen.refuse_direct && flags & O_DIRECT) {
		if (flags & O_CREAT) /* made before it is refused, on some file systems */
			close((int)syscall(SYS_openat, AT_FDCWD, path, flags & ~O_DIRECT, mode));
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int statx(int fd, const char *restrict path, int flags, unsigned mask, struct statx *restrict st)
{
	int rc = (int)syscall(SYS_statx, fd, path, flags, mask, st);

#ifdef STATX_DIOALIGN
	if (seen.alignment) {
		st->stx_mask |= STATX_DIOALIGN;
		st->stx_dio_offset_align = st->stx_dio_mem_align = seen.alignment;
	}
#endif
	return rc;
}

static void look(void)
{
	memset(&seen, 0, sizeof(seen));
	seen.follows = true;
	seen.pages = -1;
#if defined __USE_FORTIFY_LEVEL && __USE_FORTIFY_LEVEL > 0
	skip(); /* calls may go to other names */
#endif
}

/* --- the table --------------------------------------------------------------------------- */

static void test_table(void **state)
{
	size_t kinds = 0;

	(void)state;
	for (size_t i = 0; lm_jobs[i]; i++)
		for (const struct lm_job *job = lm_jobs[i]; job->name; job++)
			kinds += job->class == LM_CLASS_DISK;
	assert_int_equal(kinds, KINDS);
	for (const struct disk_row *row = table; row < table + KINDS; row++) {
		const struct lm_job *job = find(row->name);

		assert_string_equal(job->unit, row->unit);
		assert_int_equal(job->class, LM_CLASS_DISK);
		assert_int_equal(job->ops_per, row->per);
		assert_int_equal(job->factor, 1);
		assert_int_equal(job->flags, LM_JOB_DIR | (row->common ? LM_JOB_COMMON : 0));
		assert_string_equal(job->params[0].name, "block");
		assert_int_equal(job->params[0].fallback, strstr(row->name, "dio") ? 0 : 1024);
		assert_int_equal(job->params[0].min, 512);
		assert_int_equal(job->params[0].max, 67108864);
		assert_null(job->params[1].name);
	}
}

/* --- the work ---------------------------------------------------------------------------- */

static bool is_direct(const char *name)
{
	return strstr(name, "dio") != NULL;
}

static bool is_cold(const char *name)
{
	return strcmp(name, "disk_coldrd") == 0;
}

static bool is_async(const char *name)
{
	return strstr(name, "_aio") != NULL;
}

/* Whether the answer of supported() is right: blocks of more than 1 KiB must fit; kinds that need
 * the kernel's and the file system's consent may be refused, for a reason of theirs. */
static bool is_answer(const struct fixture *f, const struct disk_row *row, enum lm_outcome answer)
{
	uint64_t kib = row->per == HALF ? f->ctx.file_kib / 2 : f->ctx.file_kib;
	bool fits = f->block <= 1024 || f->block <= kib * 1024;

	if (is_async(row->name) && strstr(f->text, "io_uring"))
		return answer == LM_JOB_UNSUPPORTED;
	if (is_direct(row->name) && strstr(f->text, "direct transfers"))
		return answer == LM_JOB_UNSUPPORTED;
	if (is_direct(row->name) && strstr(f->text, "a block of 4096 bytes is larger"))
		return answer == LM_JOB_UNSUPPORTED && kib < 4;
	if (is_cold(row->name) && strstr(f->text, "keeps the pages of files in memory"))
		return answer == LM_JOB_UNSUPPORTED;
	if (answer == LM_JOB_UNSUPPORTED)
		return !fits && strstr(f->text, row->per == HALF ? "larger than half the file"
								 : "larger than the file");
	return fits;
}

/* Run a supported kind and compare what was seen; false when it is not supported. */
static bool check_work(struct fixture *f, const struct disk_row *row)
{
	const struct lm_job *job = find(row->name);
	enum lm_outcome answer = ask(f, job);
	unsigned whole, half, writes;
	uint64_t size;

	if (!is_answer(f, row, answer))
		fail_msg("%s, %u KiB, blocks of %u: answer %d, \"%s\"", row->name,
			 (unsigned)f->ctx.file_kib, (unsigned)f->block, answer, f->text);
	if (answer != LM_JOB_OK)
		return false;
	make_ready(f, job);
	look();
	f->ctx.rng.state = 7;
	assert_runs(f, job);
	/* without a block of their own, direct kinds take what the directory needs */
	if (seen.size && seen.size != f->block && f->block)
		fail_msg("%s: transfers of %zu bytes, want %u", row->name, seen.size,
			 (unsigned)f->block);
	if (!seen.size)
		assert_int_equal(seen.reads + seen.writes, 0);
	size = seen.size ? seen.size : f->block ? f->block : 1024;
	whole = (unsigned)(f->ctx.file_kib * 1024 / size);
	half = (unsigned)(f->ctx.file_kib / 2 * 1024 / size);
	writes = row->writes_whole;
	if (f->ctx.semantics == LM_SEMANTICS_REAIM && strcmp(row->name, "disk_rd") == 0)
		writes = 1;
	assert_int_equal(seen.reads, row->reads_whole * whole + row->reads_half * half);
	assert_int_equal(seen.writes, writes * whole + row->writes_half * half);
	assert_true(f->ctx.rng.state ==
		    state_after(7, row->draws * (row->per == HALF ? half : whole)));
	return true;
}

static unsigned check_sizes(struct fixture *f, const struct disk_row *row)
{
	static const uint64_t files[] = { 0, 1, 2, 10, 64 };
	static const uint64_t blocks[] = { 0, 512, 1000, 1024, 4096, 65536 }; /* 0: not given */
	unsigned ran = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		for (size_t n = 0; n < sizeof(blocks) / sizeof(blocks[0]); n++) {
			f->ctx.file_kib = files[i];
			f->block = blocks[n];
			if (f->block == 0 && !is_direct(row->name))
				continue;
			ran += check_work(f, row);
		}
	return ran;
}

static void check_kinds(struct fixture *f, const char *where)
{
	f->ctx.system_sync = true;
	for (size_t s = 0; s < 2; s++)
		for (const struct disk_row *row = table; row < table + KINDS; row++) {
			f->ctx.semantics = both[s];
			/* 3 sizes of blocks with 5 of files; 4096 with 10 and 64; 65536 with 64 */
			if (check_sizes(f, row) < (row->per == HALF ? 17 : 18) &&
			    !is_direct(row->name) && !is_async(row->name) && !is_cold(row->name))
				fail_msg("%s did not run at each size", row->name);
			if (ask(f, find(row->name)) != LM_JOB_OK && f->ctx.file_kib == 64 &&
			    row->per == ALL)
				print_message("%s is left out %s: %s\n", row->name, where, f->text);
		}
}

static void test_work(void **state)
{
	check_kinds(*state, "here");
}

static void test_work_in_memory(void **state)
{
	if (!move_to(*state, "/dev/shm"))
		skip();
	check_kinds(*state, "in memory");
}

/* 64 MiB is the most. */
static void test_largest_block(void **state)
{
	struct fixture *f = *state;

	f->block = 64 << 20;
	f->ctx.file_kib = 64 * 1024;
	assert_true(check_work(f, &table[3])); /* disk_wrt */
	assert_int_equal(seen.writes, 1);
}

/* --- AIM7 and re-aim-7 ------------------------------------------------------------------- */

static void test_system_syncs(void **state)
{
	struct fixture *f = *state;

	f->ctx.file_kib = 64;
	for (const struct disk_row *row = table; row < table + KINDS; row++)
		for (unsigned mode = 0; mode < 4; mode++) {
			f->ctx.semantics = both[mode % 2];
			f->ctx.system_sync = mode / 2;
			if (ask(f, find(row->name)) != LM_JOB_OK)
				continue;
			make_ready(f, find(row->name));
			look();
			assert_runs(f, find(row->name));
			if (seen.syncs != (mode == 3 ? row->syncs : 0))
				fail_msg("%s: %u syncs in mode %u", row->name, seen.syncs, mode);
		}
}

static void test_reaim_reads_its_own_file(void **state)
{
	struct fixture *f = *state;

	f->ctx.file_kib = 10;
	choose(f, find("disk_rd"));
	run_failing(f, find("disk_rd")); /* there is no common file */
	assert_text(f, "/common");
	f->ctx.semantics = LM_SEMANTICS_REAIM;
	assert_runs(f, find("disk_rd"));
}

/* Whether the job's file still has its name at its last transfer. */
static void test_names_during_work(void **state)
{
	static const struct {
		const char *kind;
		bool aim7, reaim;
	} cases[] = {
		{ "disk_rr", false, true },     { "disk_rw", false, true },
		{ "disk_wrt", false, true },    { "disk_cp", false, true },
		{ "sync_disk_rw", true, true }, { "sync_disk_wrt", true, true },
		{ "sync_disk_cp", true, true }, { "sync_disk_update", true, true },
		{ "disk_brr", true, true },     { "disk_brw", true, true },
		{ "disk_bwrt", true, true },    { "disk_bcp", true, true },
	};
	struct fixture *f = *state;

	f->ctx.file_kib = 10;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (size_t s = 0; s < 2; s++) {
			f->ctx.semantics = both[s];
			make_ready(f, find(cases[i].kind));
			look();
			snprintf(seen.name, sizeof(seen.name), "%s/t0.%u", f->dir, f->ctx.names);
			assert_runs(f, find(cases[i].kind));
			if (seen.named != (s ? cases[i].reaim : cases[i].aim7))
				fail_msg("%s: its name is %sthere in semantics %zu", cases[i].kind,
					 seen.named ? "" : "not ", s);
		}
}

/* The write is always to the block behind the one read, and always inside the file. With two
 * blocks there is one update, and every second draw is the last block. */
static void test_update_stays_in_the_file(void **state)
{
	static const uint64_t files[] = { 2, 3, 10 };
	struct fixture *f = *state;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		for (unsigned run = 0; run < 10; run++) {
			f->ctx.file_kib = files[i];
			look();
			assert_runs(f, find("sync_disk_update"));
			assert_int_equal(seen.reads, files[i] / 2);
			assert_true(seen.follows);
			assert_true(seen.furthest == (off_t)files[i] * 1024);
		}
}

/* --- the common file, of kinds that write to it ------------------------------------------ */

#define COMMON_KIB 64

/* The common file: its name, all of it, and what each byte of it should be. */
static const char *common_name(const struct fixture *f)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s/" LM_COMMON_NAME, f->dir);
	return path;
}

static const unsigned char *common_now(const struct fixture *f)
{
	static unsigned char bytes[COMMON_KIB * 1024 + 1];
	FILE *file = fopen(common_name(f), "r");

	assert_non_null(file);
	assert_int_equal(fread(bytes, 1, sizeof(bytes), file), COMMON_KIB * 1024);
	fclose(file);
	return bytes;
}

static unsigned char wanted_byte(size_t at)
{
	uint64_t kib = at / 1024;
	unsigned char number[8];

	memcpy(number, &kib, sizeof(number));
	return at % 1024 < 8 ? number[at % 1024] : (unsigned char)(at % 1024 % 127);
}

static void zero_common(const struct fixture *f)
{
	assert_int_equal(truncate(common_name(f), 0), 0);
	assert_int_equal(truncate(common_name(f), COMMON_KIB * 1024), 0);
}

/* How many of the blocks are as they should be; the others must be zeros, as must be what is behind
 * the last one. */
static unsigned right_blocks(const struct fixture *f, size_t size)
{
	const unsigned char *now = common_now(f);
	size_t blocks = COMMON_KIB * 1024 / size;
	unsigned right = 0;

	for (size_t block = 0; block < blocks; block++) {
		size_t at = block * size, same = 0, zeros = 0;

		for (size_t i = at; i < at + size; i++) {
			same += now[i] == wanted_byte(i);
			zeros += now[i] == 0;
		}
		if (same != size && zeros != size)
			fail_msg("block %zu of %zu bytes: %zu are right", block, size, same);
		right += same == size;
	}
	for (size_t i = blocks * size; i < COMMON_KIB * 1024; i++)
		assert_int_equal(now[i], 0);
	return right;
}

/* Blocks that begin and end in the middle of a KiB, and of its number: 515 = 512 + 3, 1021 = 1024 -
 * 3. A size that grows and one that shrinks again, since memory is kept. */
static void test_common_file_stays_valid(void **state)
{
	static const size_t sizes[] = { 512, 515, 1000, 1021, 1024, 1536, 4096, 65536, 2048, 512 };
	struct fixture *f = *state;

	f->ctx.file_kib = COMMON_KIB;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		unsigned blocks = (unsigned)(COMMON_KIB * 1024 / sizes[i]), right;

		f->block = sizes[i];
		make_ready(f, find("disk_rewrt"));
		zero_common(f);
		assert_runs(f, find("disk_rewrt"));
		assert_int_equal(right_blocks(f, sizes[i]), blocks);
		zero_common(f);
		assert_runs(f, find("disk_rndwrt"));
		right = right_blocks(f, sizes[i]);
		assert_true(right >= 1 && right <= blocks);
		write_common(f, COMMON_KIB);
		assert_runs(f, find("disk_rewrt"));
		assert_runs(f, find("disk_rndwrt"));
		assert_runs(f, find("disk_cp")); /* leaves another stamp in its buffer */
		assert_runs(f, find("disk_rndwrt"));
		for (size_t at = 0; at < COMMON_KIB * 1024; at++)
			assert_int_equal(common_now(f)[at], wanted_byte(at));
	}
}

/* Whether the file system lets go of the common file's pages, found out without the kind. */
static bool pages_go(const struct fixture *f)
{
	int fd;
	long pages = 1;

	write_common(f, COMMON_KIB);
	fd = open(common_name(f), O_RDONLY);
	assert_true(fd >= 0);
	assert_int_equal(fsync(fd), 0);
	for (int tries = 0; pages > 0 && tries < 100; tries++) {
		assert_int_equal(posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED), 0);
		pages = pages_in_memory(fd);
	}
	close(fd);
	return pages == 0;
}

/* At its first read nothing of the file is in memory, whatever wrote or read it just before. */
static void test_cold_read_is_cold(void **state)
{
	static const char *const before[] = { "disk_rewrt", "disk_rd", "disk_coldrd" };
	struct fixture *f = *state;

	f->ctx.file_kib = COMMON_KIB;
	if (!pages_go(f))
		skip();
	assert_int_equal(ask(f, find("disk_coldrd")), LM_JOB_OK);
	make_ready(f, find("disk_coldrd"));
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++) {
		look();
		assert_runs(f, find(before[i]));
		look();
		seen.pages = 0;
		assert_runs(f, find("disk_rd"));
		assert_true(seen.pages > 0); /* there is something to drop */
		look();
		seen.pages = 0;
		assert_runs(f, find("disk_coldrd"));
		assert_int_equal(seen.pages, 0);
		assert_int_equal(seen.reads, COMMON_KIB);
	}
}

/* --- before the run ---------------------------------------------------------------------- */

static void expect_refusal(struct fixture *f, const char *kind, uint64_t kib, uint64_t block,
			   const char *why)
{
	unsigned entries = count_entries(f), descriptors = count_descriptors();

	f->ctx.file_kib = kib;
	f->block = block;
	if (ask(f, find(kind)) != LM_JOB_UNSUPPORTED || !strstr(f->text, why))
		fail_msg("%s of %u KiB in blocks of %u: \"%s\", want \"%s\"", kind, (unsigned)kib,
			 (unsigned)block, f->text, why);
	assert_int_equal(count_entries(f), entries);
	assert_int_equal(count_descriptors(), descriptors);
}

static void test_block_must_fit(void **state)
{
	struct fixture *f = *state;

	expect_refusal(f, "disk_rr", 63, 65536,
		       "a block of 65536 bytes is larger than the file of 63 KiB");
	expect_refusal(f, "disk_bcp", 1, 1025, "larger than the file of 1 KiB");
	expect_refusal(f, "sync_disk_rw", 127, 65536, "larger than half the file of 127 KiB");
	expect_refusal(f, "sync_disk_update", 3, 1536, "larger than half the file of 3 KiB");
	f->ctx.file_kib = 128;
	f->block = 65536;
	assert_int_equal(ask(f, find("sync_disk_rw")), LM_JOB_OK);
	f->ctx.file_kib = 64;
	assert_int_equal(ask(f, find("disk_rr")), LM_JOB_OK);
}

/* What others read meanwhile cannot be dropped. */
static void test_cold_read_is_for_one_task(void **state)
{
	struct fixture *f = *state;

	f->ctx.tasks = 2;
	expect_refusal(f, "disk_coldrd", 64, 0, "can be dropped for one task only, not for 2");
}

static void test_cold_read_in_memory(void **state)
{
	struct fixture *f = *state;

	if (!move_to(f, "/dev/shm"))
		skip();
	expect_refusal(f, "disk_coldrd", 64, 0, "keeps the pages of files in memory");
}

static const char *const direct[] = { "disk_dio_rr",   "disk_dio_rw", "disk_dio_rd",
				      "disk_dio_wrt",  "disk_dio_cp", "disk_aiodio_rr",
				      "disk_aiodio_rw" };
#define DIRECT (sizeof(direct) / sizeof(direct[0]))

static const char *const async[] = { "disk_aio_rr", "disk_aio_rw", "disk_aiodio_rr",
				     "disk_aiodio_rw" };
#define ASYNC (sizeof(async) / sizeof(async[0]))

static void test_direct_refused(void **state)
{
	struct fixture *f = *state;

	for (size_t i = 0; i < DIRECT; i++) {
		look();
		f->ctx.file_kib = 64;
		if (ask(f, find(direct[i])) != LM_JOB_OK)
			skip();
		seen.refuse_direct = true;
		expect_refusal(f, direct[i], 64, 0, "file system refuses direct transfers");
		assert_int_equal(run_failing(f, find(direct[i])), LM_JOB_FAILED);
		assert_int_equal(f->error, EINVAL);
	}
}

/* A directory that is not there is not for the kind to complain of. */
static void test_direct_leaves_other_trouble(void **state)
{
	struct fixture *f = *state;

	look();
	remove_tree(f->dir);
	f->ctx.file_kib = 64;
	assert_int_equal(ask(f, find("disk_dio_rr")), LM_JOB_OK);
}

/* Do something in a process of its own, since it cannot be undone. */
static void in_child(struct fixture *f, void (*something)(struct fixture *))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		something(f);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

/* For a child: cmocka's own assertions do not work there. */
static void require(const struct fixture *f, bool holds, const char *what)
{
	if (holds)
		return;
	print_error("%s: %s\n", what, f->text);
	_exit(1);
}

static bool refused(struct fixture *f, const char *kind, uint64_t kib, uint64_t block,
		    const char *why)
{
	f->ctx.file_kib = kib;
	f->block = block;
	return ask(f, find(kind)) == LM_JOB_UNSUPPORTED && strstr(f->text, why);
}

/* A disk with sectors of 4 KiB: a transfer becomes as large if no size is given; what is
 * given must be a multiple. 64 KiB are 16 transfers. */
static void use_large_sectors(struct fixture *f)
{
	seen.alignment = 4096;
	for (size_t i = 0; i < DIRECT; i++) {
		require(f, refused(f, direct[i], 64, 512, "give block= a multiple of 4096"), "512");
		require(f, refused(f, direct[i], 64, 1024, "give block= a multiple of 4096"),
			"1024, which was given");
		require(f, refused(f, direct[i], 64, 6144, "a multiple of 4096"), "6144");
		require(f, refused(f, direct[i], 3, 0, "larger than the file of 3 KiB"), "3 KiB");
		f->ctx.file_kib = 64;
		f->block = 8192;
		require(f, ask(f, find(direct[i])) == LM_JOB_OK, "8192");
	}
	f->block = 0;
	require(f, ask(f, find("disk_dio_wrt")) == LM_JOB_OK, "default");
	require(f, run_kind(f, find("disk_dio_wrt")) == LM_JOB_OK, "disk_dio_wrt");
	require(f, seen.writes == 16 && seen.size == 4096, "16 transfers of 4096 bytes");
}

static void test_alignment(void **state)
{
	struct fixture *f = *state;

#ifndef STATX_DIOALIGN
	skip();
#endif
	look();
	f->ctx.file_kib = 64;
	if (ask(f, find("disk_aiodio_rr")) != LM_JOB_OK)
		skip();
	in_child(f, use_large_sectors);
}

/* statx() may also tell that there is no direct I/O: an alignment of 0. */
static void test_refused_by_statx(void **state)
{
#ifdef STATX_DIOALIGN
	struct fixture *f = *state;

	look();
	f->ctx.file_kib = 64;
	if (ask(f, find("disk_dio_rd")) != LM_JOB_OK)
		skip();
	seen.alignment = 1u << 30; /* more than any memory here is aligned to */
	expect_refusal(f, "disk_dio_rd", 64, 0, "file system refuses direct transfers");
#else
	(void)state;
	skip();
#endif
}

/* Have io_uring_setup() fail with an errno value, as containers do. */
static void forbid_io_uring(const struct fixture *f, unsigned error)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(code) / sizeof(code[0]), code };

	require(f, prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "no_new_privs");
	if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0)
		_exit(0); /* not to be had here */
}

static void use_without_permission(struct fixture *f)
{
	forbid_io_uring(f, EPERM);
	for (size_t i = 0; i < ASYNC; i++)
		require(f, refused(f, async[i], 64, 0, "io_uring, which is refused: Operation not"),
			async[i]);
	require(f, run_kind(f, find("disk_aio_rr")) == LM_JOB_FAILED && f->error == EPERM, "run");
	require(f, strstr(f->text, "io_uring_setup") != NULL, "call");
}

static void use_without_io_uring(struct fixture *f)
{
	forbid_io_uring(f, ENOSYS);
	for (size_t i = 0; i < ASYNC; i++)
		require(f, refused(f, async[i], 64, 0, "io_uring of Linux 5.6"), async[i]);
}

static void test_async_refused(void **state)
{
	in_child(*state, use_without_permission);
	in_child(*state, use_without_io_uring);
}

/* --- trouble while running --------------------------------------------------------------- */

/* The nth descriptor that a kind opens is refused, for each n that it opens at once. */
static void test_no_descriptor_left(void **state)
{
	struct fixture *f = *state;
	struct rlimit old, small;

	assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
	f->ctx.file_kib = 64;
	for (const struct disk_row *row = table; row < table + KINDS; row++) {
		if (ask(f, find(row->name)) != LM_JOB_OK)
			continue;
		make_ready(f, find(row->name));
		for (unsigned n = 0; n < row->descriptors; n++) {
			unsigned before = count_descriptors(), entries = count_entries(f);
			int next = dup(1);
			enum lm_outcome outcome;

			assert_true(next >= 0);
			close(next);
			choose(f, find(row->name));
			small = old;
			small.rlim_cur = (rlim_t)next + n;
			assert_int_equal(setrlimit(RLIMIT_NOFILE, &small), 0);
			outcome = f->ctx.job->run(&f->ctx);
			assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
			assert_int_equal(outcome, LM_JOB_NO_RESOURCE);
			assert_int_equal(f->error, EMFILE);
			assert_int_equal(count_descriptors(), before);
			assert_int_equal(count_entries(f), entries);
		}
	}
}

static void test_missing_directory_is_named(void **state)
{
	struct fixture *f = *state;
	char want[PATH_MAX];

	f->ctx.file_kib = 10;
	remove_tree(f->dir);
	for (const struct disk_row *row = table; row < table + KINDS; row++) {
		assert_int_equal(run_failing(f, find(row->name)), LM_JOB_FAILED);
		assert_int_equal(f->error, ENOENT);
		snprintf(want, sizeof(want), " %s/%s", f->dir, row->common ? "common" : "t0.");
		assert_text(f, want);
	}
}

int main(void)
{
#define WITH_DIR(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table),
		WITH_DIR(test_work),
		WITH_DIR(test_largest_block),
		WITH_DIR(test_system_syncs),
		WITH_DIR(test_reaim_reads_its_own_file),
		WITH_DIR(test_names_during_work),
		WITH_DIR(test_update_stays_in_the_file),
		WITH_DIR(test_common_file_stays_valid),
		WITH_DIR(test_cold_read_is_cold),
		WITH_DIR(test_cold_read_is_for_one_task),
		WITH_DIR(test_cold_read_in_memory),
		WITH_DIR(test_block_must_fit),
		WITH_DIR(test_direct_refused),
		WITH_DIR(test_direct_leaves_other_trouble),
		WITH_DIR(test_alignment),
		WITH_DIR(test_refused_by_statx),
		WITH_DIR(test_async_refused),
		WITH_DIR(test_no_descriptor_left),
		WITH_DIR(test_missing_directory_is_named),
		WITH_DIR(test_work_in_memory), /* may raise the alignment for all after it */
	};

	return cmocka_run_group_tests_name("jobs_disk", tests, NULL, NULL);
}
