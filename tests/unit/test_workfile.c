/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/workfile.h"
#include "model/mix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define KIND(n)           \
	{                 \
		.name = n \
	}

static const struct lm_job family[] = {
	KIND("add_int"),       KIND("add_long"),    KIND("add_short"),    KIND("creat-clo"),
	KIND("dir_rtns_1"),    KIND("disk_cp"),     KIND("disk_rd"),      KIND("disk_rr"),
	KIND("disk_rw"),       KIND("disk_src"),    KIND("disk_wrt"),     KIND("div_int"),
	KIND("div_long"),      KIND("div_short"),   KIND("jmp_test"),     KIND("link_test"),
	KIND("mem_rtns_1"),    KIND("mem_rtns_2"),  KIND("misc_rtns_1"),  KIND("mul_int"),
	KIND("mul_long"),      KIND("mul_short"),   KIND("ram_copy"),     KIND("signal_test"),
	KIND("sort_rtns_1"),   KIND("string_rtns"), KIND("sync_disk_cp"), KIND("sync_disk_rw"),
	KIND("sync_disk_wrt"), KIND("tcp_test"),    KIND("udp_test"),     { 0 },
};
static const struct lm_job *const list[] = { family, NULL };
static const struct lm_workfile_kinds kinds = { .list = list };

/* A text to be read, with the position. */
struct text {
	const char *bytes;
	size_t length, at;
	int at_end; /* what comes after the last byte: -1 or -2 */
};

static int get(void *state)
{
	struct text *t = state;

	return t->at < t->length ? (unsigned char)t->bytes[t->at++] : t->at_end;
}

static int read_bytes(const char *bytes, size_t length, struct lm_mix *mix, struct lm_error *err)
{
	struct text text = { bytes, length, 0, -1 };

	return lm_workfile_read(get, &text, "mix", &kinds, mix, err);
}

/* An accepted text: entries as "weight name line, ..." and the sizes. */
static void check_good(const char *bytes, size_t length, const char *entries, uint64_t filesize,
		       uint64_t poolsize)
{
	struct lm_mix mix = { 0 };
	struct lm_error err = { 0 };
	char shown[500] = "";

	if (read_bytes(bytes, length, &mix, &err) < 0)
		fail_msg("refused: %ld:%ld: %s", err.line, err.column, err.text);
	for (size_t i = 0; i < mix.count; i++)
		snprintf(shown + strlen(shown), sizeof(shown) - strlen(shown), "%s%ju %s %ld",
			 i ? ", " : "", (uintmax_t)mix.entries[i].weight, mix.entries[i].job->name,
			 mix.entries[i].line);
	assert_string_equal(shown, entries);
	assert_int_equal(mix.filesize_kib, filesize);
	assert_int_equal(mix.poolsize_kib, poolsize);
	assert_null(mix.name);
	assert_null(mix.path);
	lm_mix_free(&mix);
}

#define GOOD(text, ...) check_good(text, sizeof(text) - 1, __VA_ARGS__)

static void test_plain(void **state)
{
	(void)state;
	GOOD("# a mix\nFILESIZE: 10M\nPOOLSIZE: 20M\n20 add_int\n30 disk_cp\n",
	     "20 add_int 4, 30 disk_cp 5", 10240, 20480);
	GOOD("20 add_int\n", "20 add_int 1", 0, 0);
	GOOD("20 add_int", "20 add_int 1", 0, 0);
	GOOD("20 add_int\n10 disk_cp\n20 add_int\n", "20 add_int 1, 10 disk_cp 2, 20 add_int 3", 0,
	     0);
	GOOD("1000000000 add_int", "1000000000 add_int 1", 0, 0);
}

static void test_real_life(void **state)
{
	(void)state;
	GOOD("20 add_int\r\n30 disk_cp\r\n", "20 add_int 1, 30 disk_cp 2", 0, 0);
	GOOD("20 add_int\r30 disk_cp\r", "20 add_int 1, 30 disk_cp 2", 0, 0);
	GOOD("\r\n\n\r\n20 add_int\n\n", "20 add_int 4", 0, 0);
	GOOD("\xef\xbb\xbf"
	     "20 add_int\n",
	     "20 add_int 1", 0, 0);
	GOOD("\xef\xbb\xbf# comment\n20 add_int\n", "20 add_int 2", 0, 0);
	GOOD(" \t20\t\tadd_int \t\n \t \n\f\n", "20 add_int 1", 0, 0);
	GOOD("\f20 add_int\n", "20 add_int 1", 0, 0);
	GOOD("05 add_int\n00000000000000000000000000000000000000000000000000000000000000000000007 "
	     "disk_cp",
	     "5 add_int 1, 7 disk_cp 2", 0, 0);
	GOOD("# 20 disk_cp\n#\n#20 disk_cp\n20 add_int\n", "20 add_int 4", 0, 0);
	GOOD("# caf\xe9 \xff\xfe latin-1\n20 add_int\n", "20 add_int 2", 0, 0);
	GOOD("20 creat_clo\n20 add-int\n", "20 creat-clo 1, 20 add_int 2", 0, 0);
}

static void test_sizes(void **state)
{
	(void)state;
	GOOD("FILESIZE 10k\nPOOLSIZE 1g\n1 add_int", "1 add_int 3", 10, 1048576);
	GOOD("FILESIZE:10K\npoolsize:\t1m\n1 add_int", "1 add_int 3", 10, 1024);
	GOOD("1 add_int\n FileSize : 2G\n", "1 add_int 1", 2097152, 0);
	GOOD("PoolSize :2M # shared out\n1 add_int", "1 add_int 2", 0, 2048);
	GOOD("FILESIZE: 0K\n1 add_int", "1 add_int 2", 0, 0);
}

static void test_text_after_the_name(void **state)
{
	(void)state;
	GOOD("20 add_int 17 of these, see below\n", "20 add_int 1", 0, 0);
	GOOD("20 add_int # size=3\n", "20 add_int 1", 0, 0);
	GOOD("20 add_int = 3 == =x 3=4 (a=b)\n", "20 add_int 1", 0, 0);
}

static void check_bad(const char *bytes, size_t length, long line, long column, const char *part,
		      const char *part2)
{
	struct lm_mix mix = { 0 };
	struct lm_error err = { 0 };

	assert_int_equal(read_bytes(bytes, length, &mix, &err), -1);
	assert_int_equal(err.code, LM_ERR_INPUT);
	assert_string_equal(err.source, "mix");
	if (err.line != line || err.column != column || !strstr(err.text, part) ||
	    !strstr(err.text, part2))
		fail_msg("%ld:%ld: '%s' is not %ld:%ld with '%s' and '%s'", err.line, err.column,
			 err.text, line, column, part, part2);
	lm_mix_free(&mix);
	assert_int_equal(read_bytes(bytes, length, &mix, NULL), -1);
	lm_mix_free(&mix);
}

#define BAD(text, ...) check_bad(text, sizeof(text) - 1, __VA_ARGS__)

static void test_bad_names(void **state)
{
	(void)state;
	BAD("20 add_int\n20 add_itn\n", 2, 4, "unknown job kind 'add_itn'", "add_int");
	BAD("20  disk_rq\n", 1, 5, "'disk_rq'", "disk_rd, disk_rr, disk_rw");
	BAD("20 quicksort\n", 1, 4, "unknown job kind 'quicksort'", "loadmix list");
	BAD("20 ADD_INT\n", 1, 4, "'ADD_INT'", "add_int");
	BAD("20 add_int#5\n", 1, 4, "'add_int#5'", "unknown job kind");
	BAD("20 caf\xe9\n", 1, 4, "'caf\\xe9'", "unknown job kind");
	BAD("20\n", 1, 3, "no name after the weight", "<weight> <name>");
	BAD("20  \t\r\n", 1, 6, "no name after the weight", "<weight> <name>");
	BAD("20 # add_int\n", 1, 4, "'#'", "column one");
	BAD("20 #add_int\n", 1, 4, "'#add_int'", "column one");
	BAD("20 add_int size=3\n", 1, 12, "add_int has no parameter 'size'", "");
	BAD("20 add_int x x-y=\n", 1, 14, "add_int has no parameter 'x-y'", "");
}

static void test_bad_weights(void **state)
{
	(void)state;
	BAD("0 add_int\n", 1, 1, "the weight is 0", "1 or more");
	BAD(" 000 add_int\n", 1, 2, "the weight is 0", "1 or more");
	BAD("-5 add_int\n", 1, 1, "'-5' is negative", "1 or more");
	BAD("+5 add_int\n", 1, 1, "'+5' is no weight", "a whole number");
	BAD("2.5 add_int\n", 1, 1, "'2.5' is a fraction", "whole number");
	BAD("2,5 add_int\n", 1, 1, "'2,5' is a fraction", "whole number");
	BAD("2.5.1 add_int\n", 1, 1, "'2.5.1' is no weight", "whole number");
	BAD("1e3 add_int\n", 1, 1, "'1e3' is no weight", "whole number");
	BAD("0x10 add_int\n", 1, 1, "'0x10' is no weight", "whole number");
	BAD("20add_int\n", 1, 1, "'20add_int' is no weight", "<weight> <name>");
	BAD("1000000001 add_int\n", 1, 1, "'1000000001' is too big", "1000000000");
	BAD("18446744073709551617 add_int\n", 1, 1, "is too big", "1000000000"); /* 2^64 + 1 */
	BAD("add_int 20\n", 1, 1, "no weight before 'add_int'", "'20 add_int'");
	BAD("add_int\n", 1, 1, "no weight before 'add_int'", "<weight> <name>");
	BAD("twenty add_int\n", 1, 1, "'twenty' is no weight", "<weight> <name>");
	BAD("99999999999999999999999999999999999999999999999999999999999999999999999999999999 a", 1,
	    1, "is too big", "...");
}

static void test_bad_sizes(void **state)
{
	(void)state;
	BAD("FILESIZE: 10\n1 add_int", 1, 11, "FILESIZE '10' has no unit", "10M");
	BAD("1 add_int\nPOOLSIZE 10T\n", 2, 10, "POOLSIZE '10T'", "10M");
	BAD("FILESIZE: 10MB\n", 1, 11, "'10MB'", "one letter");
	BAD("FILESIZE: 10 M\n", 1, 11, "'10' has no unit", "10M");
	BAD("FILESIZE: 1.5M\n", 1, 11, "'1.5M'", "whole number");
	BAD("FILESIZE: -1M\n", 1, 11, "'-1M'", "whole number");
	BAD("FILESIZE: big\n", 1, 11, "'big'", "whole number");
	BAD("FILESIZE:\n", 1, 10, "no size after FILESIZE", "10M");
	BAD("poolsize\n", 1, 9, "no size after POOLSIZE", "10M");
	BAD("FILESIZE: # 10M\n", 1, 11, "no size after FILESIZE", "10M");
	BAD("FILESIZE: 1048577G\n", 1, 11, "'1048577G' is too big", "1 PiB");
	BAD("FILESIZE: 10M\n\n  filesize 20M\n", 3, 3, "FILESIZE was already given in line 1", "");
	BAD("FILESIZE: 0K\nFILESIZE: 20M\n", 2, 1, "FILESIZE was already given in line 1", "");
	BAD("FILESIZE: 10M POOLSIZE: 20M\n", 1, 15, "'POOLSIZE:'", "the end of the line");
}

static void test_bad_lines(void **state)
{
	(void)state;
	BAD("1 add_int\n  # comment\n", 2, 3, "column one", "column 3");
	BAD("FOO: 3\n", 1, 1, "unknown keyword 'FOO:'", "FILESIZE, POOLSIZE");
	BAD("FOO : 3\n", 1, 1, "unknown keyword 'FOO'", "FILESIZE, POOLSIZE");
	BAD("FILESIZES: 3M\n", 1, 1, "unknown keyword 'FILESIZES:'", "FILESIZE, POOLSIZE");
	BAD("\xef\xbb\xbf"
	    "0 add_int\n",
	    1, 1, "the weight is 0", "");
	BAD("1 add_int\r\n\r\n0 add_int\r\n", 3, 1, "the weight is 0", "");
}

static void test_nothing_in_it(void **state)
{
	(void)state;
	BAD("", 1, 1, "without a job kind", "<weight> <name>");
	BAD("\n\n", 2, 1, "without a job kind", "<weight> <name>");
	BAD("# comment\nFILESIZE: 10M\n\n", 3, 1, "without a job kind", "<weight> <name>");
}

static void test_binary(void **state)
{
	(void)state;
	BAD("\x7f"
	    "ELF\x02\x01",
	    1, 1, "binary data (byte 0x7f)", "text file");
	BAD("20 add_int\n20 disk\0cp\n", 2, 8, "binary data (byte 0x00)", "text file");
	BAD("# comment \x1b[31m\n20 add_int\n", 1, 11, "binary data (byte 0x1b)", "text file");
	BAD("20 add_int\v\n", 1, 11, "binary data (byte 0x0b)", "text file");
	BAD("\xff\xfe"
	    "2\0000\0",
	    1, 4, "binary data (byte 0x00)", "text file"); /* UTF-16 */
}

static void test_long_lines(void **state)
{
	size_t size = 1 << 20;
	char *text = malloc(size);
	struct lm_mix mix = { 0 };

	(void)state;
	assert_non_null(text);
	memset(text, 'x', size);
	check_bad(text, size, 1, 65537, "longer than 65536 bytes", "<weight> <name>");
	text[0] = '#'; /* in a comment, too */
	check_bad(text, size, 1, 65537, "longer than 65536 bytes", "<weight> <name>");
	memcpy(text + 65536, "\n2 add_int\n", 11); /* just as long as it may be */
	assert_int_equal(read_bytes(text, 65536 + 11, &mix, NULL), 0);
	assert_int_equal(mix.count, 1);
	lm_mix_free(&mix);
	/* as one word: quoted in part only */
	memset(text, '7', 60000);
	check_bad(text, 60000, 1, 1, "is too big", "777...");
	free(text);
}

static void test_many_lines(void **state)
{
	static const char line[] = "1 add_int\n";
	size_t size = sizeof(line) - 1, lines = LM_MAX_ENTRIES + 1;
	char *text = malloc(size * lines);
	struct lm_mix mix = { 0 };

	(void)state;
	assert_non_null(text);
	for (size_t i = 0; i < lines; i++)
		memcpy(text + i * size, line, size);
	assert_int_equal(read_bytes(text, size * (lines - 1), &mix, NULL), 0);
	assert_int_equal(mix.count, 65535);
	lm_mix_free(&mix);
	check_bad(text, size * lines, 65536, 1, "more than 65535", "limit");
	free(text);
}

static void test_read_error(void **state)
{
	struct text text = { "20 add_int\n20 add", 17, 0, -2 };
	struct lm_mix mix = { 0 };
	struct lm_error err = { 0 };

	(void)state;
	errno = EIO;
	assert_int_equal(lm_workfile_read(get, &text, "mix", &kinds, &mix, &err), -1);
	assert_int_equal(err.code, LM_ERR_INPUT);
	assert_string_equal(err.source, "mix");
	assert_non_null(strstr(err.text, strerror(EIO)));
	lm_mix_free(&mix);
}

/* A scratch directory; freed and removed by the teardown. */
static int make_dir(void **state)
{
	char *dir = strdup("/tmp/test_workfile.XXXXXX");

	*state = dir;
	return dir && mkdtemp(dir) ? 0 : -1;
}

static int remove_dir(void **state)
{
	int result = rmdir(*state);

	free(*state);
	return result;
}

static char *path_in(const char *dir, const char *name)
{
	char *path = NULL;

	assert_true(asprintf(&path, "%s/%s", dir, name) > 0);
	return path;
}

static void check_load(const char *dir, const char *name, const char *expected)
{
	char *path = path_in(dir, name);
	FILE *file = fopen(path, "w");
	struct lm_mix mix = { 0 };
	struct lm_error err = { 0 };

	assert_non_null(file);
	fputs("FILESIZE: 10M\n20 add_int\n", file);
	fclose(file);
	assert_int_equal(lm_workfile_load(path, &kinds, &mix, &err), 0);
	assert_int_equal(mix.count, 1);
	assert_int_equal(mix.filesize_kib, 10240);
	assert_string_equal(mix.name, expected);
	assert_string_equal(mix.path, path);
	lm_mix_free(&mix);
	unlink(path);
	free(path);
}

static void test_load(void **state)
{
	check_load(*state, "workfile.fserver", "fserver");
	check_load(*state, "workfile", "workfile");
	check_load(*state, "workfile.", "workfile.");
	check_load(*state, "my mix: \xc3\xa4.txt", "my mix: \xc3\xa4.txt");
}

static void check_load_fails(const char *path, const char *part)
{
	struct lm_mix mix = { 0 };
	struct lm_error err = { 0 };

	assert_int_equal(lm_workfile_load(path, &kinds, &mix, &err), -1);
	assert_int_equal(err.code, LM_ERR_INPUT);
	assert_string_equal(err.source, path);
	assert_non_null(strstr(err.text, part));
	lm_mix_free(&mix);
}

static void test_load_fails(void **state)
{
	char *path = path_in(*state, "mix");

	check_load_fails(*state, "is a directory");
	check_load_fails("/dev/null", "is a device");
	check_load_fails(path, strerror(ENOENT));
	if (geteuid() != 0) { /* root reads everything */
		close(open(path, O_CREAT | O_WRONLY, 0000));
		check_load_fails(path, strerror(EACCES));
		unlink(path);
	}
	free(path);
}

static void test_load_from_pipe(void **state)
{
	char path[64];
	struct lm_mix mix = { 0 };
	int fds[2];

	(void)state;
	assert_int_equal(pipe(fds), 0);
	assert_int_equal(write(fds[1], "20 add_int\n", 11), 11);
	close(fds[1]);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fds[0]);
	assert_int_equal(lm_workfile_load(path, &kinds, &mix, NULL), 0);
	assert_int_equal(mix.count, 1);
	lm_mix_free(&mix);
	close(fds[0]);
}

/* The bundled mix, against the figures published for it; automake tells where the sources are. */
static void test_bundled_fserver(void **state)
{
	static const unsigned weights[] = { 20, 20, 20, 20, 20, 30, 30, 30, 30, 30, 30,
					    10, 10, 10, 10, 20, 40, 10, 20, 10, 10, 10,
					    20, 10, 30, 30, 5,  5,  5,  10, 40 };
	const char *srcdir = getenv("srcdir");
	struct lm_mix mix = { 0 };
	char *path = path_in(srcdir ? srcdir : ".", "workloads/workfile.fserver");

	(void)state;
	if (access(path, F_OK) < 0 && !srcdir) {
		free(path);
		skip();
	}
	assert_int_equal(lm_workfile_load(path, &kinds, &mix, NULL), 0);
	free(path);
	assert_string_equal(mix.name, "fserver");
	assert_int_equal(mix.filesize_kib, 10240);
	assert_int_equal(mix.poolsize_kib, 20480);
	assert_int_equal(mix.count, 31);
	assert_int_equal(mix.total_weight, 595);
	for (size_t i = 0; i < mix.count; i++) {
		assert_ptr_equal(mix.entries[i].job, &family[i]);
		assert_int_equal(mix.entries[i].weight, weights[i]);
	}
	lm_mix_count_jobs(&mix, 100);
	assert_int_equal(mix.jobs_per_task, 101);
	lm_mix_free(&mix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plain),
		cmocka_unit_test(test_real_life),
		cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_text_after_the_name),
		cmocka_unit_test(test_bad_names),
		cmocka_unit_test(test_bad_weights),
		cmocka_unit_test(test_bad_sizes),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_nothing_in_it),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_long_lines),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_read_error),
		cmocka_unit_test_setup_teardown(test_load, make_dir, remove_dir),
		cmocka_unit_test_setup_teardown(test_load_fails, make_dir, remove_dir),
		cmocka_unit_test(test_load_from_pipe),
		cmocka_unit_test(test_bundled_fserver),
	};

	return cmocka_run_group_tests_name("workfile", tests, NULL, NULL);
}
