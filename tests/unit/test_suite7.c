/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files and the table of AIM7's command. Rows are those of published runs, or worked out beside
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "formats/formats.h"

static char dir[] = "/tmp/loadmix-suite7.XXXXXX", path[64], other[64];

static const struct lm_job add_int = { .name = "add_int" }, disk_rd = { .name = "disk_rd" };
static char add_int_label[] = "add_int", disk_rd_label[] = "disk_rd block=4K", name[] = "shared";
static struct lm_mix_entry entries[] = { { .job = &add_int, .label = add_int_label },
					 { .job = &disk_rd, .label = disk_rd_label } };
static const struct lm_mix mix = { .name = name, .entries = entries, .count = 2 };
static const struct lm_plan plan = {
	.mix = &mix, .label = "box, fast", .machine = "box", .configuration = "fast"
};

static void write_file(const char *text)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	fclose(f);
}

static const char *read_file(void)
{
	static char text[4096];
	FILE *f = fopen(path, "r");
	size_t n;

	assert_non_null(f);
	n = fread(text, 1, sizeof(text) - 1, f);
	text[n] = '\0';
	fclose(f);
	return text;
}

/* The file is what is told, with a date in place of the first %. */
static void assert_file(const char *before, const char *after)
{
	const char *text = read_file();
	size_t tail = strlen(text) - strlen(after);

	assert_memory_equal(text, before, strlen(before));
	assert_true(strlen(text) > strlen(before) + strlen(after));
	assert_string_equal(text + tail, after);
	/* "Jan  2 03:04:05 2026" */
	assert_int_equal(tail - strlen(before), 20);
}

static struct lm_sink begin(const struct lm_format *format)
{
	struct lm_sink sink;
	struct lm_error err = { 0 };

	assert_int_equal(format->open(path, &sink, &err), 0);
	assert_int_equal(sink.begin(sink.state, &plan, NULL, &err), 0);
	return sink;
}

/* A published step: 4 tasks, 120.9 jobs/min, 200.5 s, JTI 88. */
static const struct lm_record posted = { .tasks = 4,
					 .jobs_per_task = 101,
					 .jobs_per_min = 120.9,
					 .jobs_per_min_task = 30.225,
					 .jobs_per_s_task = 0.50372,
					 .jti = 88,
					 .real_s = 200.47,
					 .cpu_s = 32.84,
					 .valid = true };

static int setup(void **state)
{
	(void)state;
	strcpy(dir + strlen(dir) - 6, "XXXXXX");
	if (!mkdtemp(dir))
		return -1;
	snprintf(path, sizeof(path), "%s/file", dir);
	snprintf(other, sizeof(other), "%s/other", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	rmdir(path);
	return rmdir(dir);
}

#define HEAD "Benchmark\tVersion\tMachine\tRun Date\nshared\t\"loadmix " LM_VERSION "\"\tbox\t"
#define ROWS                                                   \
	"\n\nTasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n" \
	"4\t120.9\t\t88\t200.5\t32.8\t0.5037\n"

/* A zone that is 5:30 h before UTC, and one 4 h behind it. */
static void test_dates_are_local(void **state)
{
	static const struct {
		const char *zone, *iso, *date;
	} rows[] = {
		{ "XXX-5:30", "2026-01-02T20:04:05Z", "Jan  3 01:34:05 2026" },
		{ "XXX4", "2026-03-01T03:00:00Z", "Feb 28 23:00:00 2026" },
		{ "XXX4", "2026-03-01T03:00:00", "Mar  1 03:00:00 2026" },
		{ "XXX4", "2026-03-01", "" },
		{ "XXX4", "", "" },
	};
	char date[32];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		setenv("TZ", rows[i].zone, 1);
		tzset();
		lm_iso_date(rows[i].iso, date, sizeof(date));
		assert_string_equal(date, rows[i].date);
	}
	unsetenv("TZ");
	tzset();
}

static void test_block(void **state)
{
	struct lm_sink sink = begin(&lm_format_suite7);
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(sink.step(sink.state, &posted, &err), 0);
	sink.close(sink.state);
	assert_file(HEAD, ROWS);
}

static void test_invalid_step_is_no_row(void **state)
{
	struct lm_sink sink = begin(&lm_format_suite7);
	struct lm_record bad = posted;

	(void)state;
	bad.valid = false;
	bad.tasks = 9;
	assert_int_equal(sink.step(sink.state, &bad, NULL), 0);
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	sink.close(sink.state);
	assert_file(HEAD, ROWS);
}

static void test_block_is_added(void **state)
{
	struct lm_sink sink;

	(void)state;
	write_file("a note\n");
	sink = begin(&lm_format_suite7);
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	sink.close(sink.state);
	assert_file("a note\n\n" HEAD, ROWS);
}

/* The header begins a line even after one that was torn. */
static void test_torn_line_before(void **state)
{
	struct lm_sink sink;

	(void)state;
	write_file("8\t100.");
	sink = begin(&lm_format_suite7);
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	sink.close(sink.state);
	assert_file("8\t100.\n\n" HEAD, ROWS);
}

static void assert_refused(enum lm_error_code code, const char *part)
{
	struct lm_error err = { 0 };
	struct lm_sink sink;

	assert_int_equal(lm_format_suite7.open(path, &sink, &err), -1);
	assert_int_equal(err.code, code);
	if (!strstr(err.text, part))
		fail_msg("'%s' is not in '%s'", part, err.text);
}

static void test_what_is_no_file(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(mkdir(path, 0700), 0);
	assert_refused(LM_ERR_INPUT, "a directory");
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_refused(LM_ERR_INPUT, "a pipe");
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink(other, path), 0);
	assert_refused(LM_ERR_INPUT, "cannot be followed");
	assert_int_equal(stat(other, &st), -1);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(symlink("/dev/null", path), 0);
	assert_refused(LM_ERR_INPUT, "a device");
}

static void test_others_link(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip(); /* only root can give a link away */
	close(open(other, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(symlink(other, path), 0);
	assert_int_equal(lchown(path, 65534, 65534), 0);
	assert_refused(LM_ERR_INPUT, "belongs to another user");
}

static void test_own_link(void **state)
{
	struct lm_sink sink;
	struct stat st;

	(void)state;
	close(open(other, O_CREAT | O_WRONLY, 0600));
	assert_int_equal(symlink(other, path), 0);
	sink = begin(&lm_format_suite7);
	sink.close(sink.state);
	assert_int_equal(stat(other, &st), 0);
	assert_true(st.st_size > 0);
}

/* A run that could not begin leaves nothing, and takes nothing away. */
static void test_nothing_written(void **state)
{
	struct lm_sink sink;
	struct stat st;

	(void)state;
	assert_int_equal(lm_format_suite7.open(path, &sink, NULL), 0);
	sink.close(sink.state);
	assert_int_equal(stat(path, &st), -1);
	write_file("");
	assert_int_equal(lm_format_suite7.open(path, &sink, NULL), 0);
	sink.close(sink.state);
	assert_int_equal(stat(path, &st), 0);
}

/* --- the log ------------------------------------------------------------------------------- */

#define LOG_HEAD "box\nfast\n"

static struct lm_step_result one_task(void)
{
	static union {
		struct lm_task_slot slot;
		unsigned char room[sizeof(struct lm_task_slot) + 2 * sizeof(struct lm_sample)];
	} task;
	struct lm_sample *s = task.slot.samples;

	task.slot.start_ns = 1000000000;
	task.slot.end_ns = 1021400000; /* 21.4 ms later */
	s[0] = (struct lm_sample){ .entry = 1, .duration_ns = 12500000, .system_ns = 11499999 };
	s[1] = (struct lm_sample){ .entry = 0, .duration_ns = 8600000, .user_ns = 8000000 };
	return (struct lm_step_result){
		.tasks = 1, .jobs_per_task = 2, .slots = task.room, .slot_stride = sizeof(task)
	};
}

static void test_log(void **state)
{
	struct lm_step_result result = one_task();
	struct lm_sink sink = begin(&lm_format_suite7_log);
	struct lm_record bad = posted;

	(void)state;
	bad.valid = false;
	assert_int_equal(sink.samples(sink.state, &mix, &result, NULL), 0);
	assert_int_equal(sink.step(sink.state, &bad, NULL), 0);
	assert_int_equal(sink.samples(sink.state, &mix, &result, NULL), 0);
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	sink.close(sink.state);
	/* 12.5 and 11.499999 ms, 8.6 and 8 ms, 21.4 ms; the invalid step is not there */
	assert_file(LOG_HEAD, "\nshared\n1 disk_rd,block=4K 13 0 11\n1 add_int 9 8 0\n"
			      "1 job_timing 21 0 0\n");
}

/* A step that was ended early has no lines; its slots may hold anything. */
static void test_log_of_interrupted_step(void **state)
{
	struct lm_step_result result = one_task();
	struct lm_sink sink = begin(&lm_format_suite7_log);

	(void)state;
	result.end = LM_STEP_INTERRUPTED;
	result.slots = NULL;
	assert_int_equal(sink.samples(sink.state, &mix, &result, NULL), 0);
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	sink.close(sink.state);
	assert_file(LOG_HEAD, "\nshared\n");
}

/* --- the table ----------------------------------------------------------------------------- */

#define TABLE_HEAD                                                  \
	"# loadmix [0-9.]+: times are without AIM7.s start delay\n" \
	"Tasks    jobs/min  jti  jobs/min/task      real       cpu\n"
#define CTIME "[A-Z][a-z]{2} [A-Z][a-z]{2} [ 1-3][0-9] [0-9:]{8} [0-9]{4}"

/* The table, whose dates are not known, is as the extended regular expression says. */
static void assert_table(const char *expected)
{
	const char *text = read_file();
	regmatch_t whole;
	regex_t regex;
	int rc;

	assert_int_equal(regcomp(&regex, expected, REG_EXTENDED), 0);
	rc = regexec(&regex, text, 1, &whole, 0);
	regfree(&regex);
	if (rc != 0 || whole.rm_so != 0 || text[whole.rm_eo])
		fail_msg("the table is not as expected:\n%s", text);
}

static void test_table(void **state)
{
	struct lm_sink sink = begin(&lm_format_multitask);
	struct lm_record last = posted, bad = posted, wide = posted;

	(void)state;
	/* 277 tasks at 273.4 jobs/min: 273.4 / 277 = 0.9870 */
	last.tasks = 277;
	last.jobs_per_min = 273.4;
	last.jobs_per_min_task = 273.4 / 277;
	last.jti = 70;
	bad.valid = false;
	bad.jobs_per_min_task = 0.5;
	wide.jobs_per_min = 123456789012.34;
	assert_int_equal(sink.step(sink.state, &posted, NULL), 0);
	assert_int_equal(sink.step(sink.state, &bad, NULL), 0);
	assert_int_equal(sink.step(sink.state, &last, NULL), 0);
	assert_int_equal(sink.step(sink.state, &last, NULL), 0);
	assert_int_equal(sink.step(sink.state, &wide, NULL), 0);
	sink.close(sink.state);
	/* widths 5, 12, 5, 15, 10 and 10, then three blanks */
	assert_table(
		TABLE_HEAD
		"    4      120\\.90   88        30\\.2250    200\\.47     32\\.84   " CTIME "\n"
		"    4      120\\.90   88         0\\.5000    200\\.47     32\\.84   " CTIME
		"  INVALID\n"
		"  277      273\\.40   70         0\\.9870    200\\.47     32\\.84   " CTIME "\n"
		"Crossover achieved\\.\n"
		"  277      273\\.40   70         0\\.9870    200\\.47     32\\.84   " CTIME "\n"
		"    4 123456789012\\.34   88 .*\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dates_are_local),
		cmocka_unit_test_setup_teardown(test_block, setup, teardown),
		cmocka_unit_test_setup_teardown(test_invalid_step_is_no_row, setup, teardown),
		cmocka_unit_test_setup_teardown(test_block_is_added, setup, teardown),
		cmocka_unit_test_setup_teardown(test_torn_line_before, setup, teardown),
		cmocka_unit_test_setup_teardown(test_what_is_no_file, setup, teardown),
		cmocka_unit_test_setup_teardown(test_others_link, setup, teardown),
		cmocka_unit_test_setup_teardown(test_own_link, setup, teardown),
		cmocka_unit_test_setup_teardown(test_nothing_written, setup, teardown),
		cmocka_unit_test_setup_teardown(test_log, setup, teardown),
		cmocka_unit_test_setup_teardown(test_log_of_interrupted_step, setup, teardown),
		cmocka_unit_test_setup_teardown(test_table, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
