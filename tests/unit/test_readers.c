/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as other programs and people leave them. The texts are made up; each has one quirk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/units.h"
#include "formats/dates.h"
#include "formats/readers.h"
#include "model/figures.h"
#include "model/runs.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define CONSOLE  "Tasks    jobs/min  jti  jobs/min/task      real       cpu\n"
#define SUITE7   "Tasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n"
#define FIELDS   "Benchmark\tVersion\tMachine\tRun Date\n"
#define HEADING  "AIM Multiuser Benchmark - Suite VII\t\"1.1\"\tbox\tMar  4 05:06:07 2003\n"
#define REAIM                                                                           \
	"Num     Parent   Child   Child  Jobs per   Jobs/min/  Std_dev  Std_dev  JTI\n" \
	"Forked  Time     SysTime UTime   Minute     Child      Time     Percent \n"

/* The reader of journals has tests of its own: here it counts what it is given. */
static size_t journal_bytes;

int lm_journal_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		    struct lm_error *err)
{
	for (journal_bytes = 0; get(state) >= 0;)
		journal_bytes++;
	return lm_runs_add(out, source, 1, "journal", err) ? 0 : -1;
}

/* --- help -------------------------------------------------------------------- */

/* A text, count times over, and what comes after its last byte: -1 or -2. */
struct text {
	const char *bytes;
	size_t length, at, count;
	int end;
};

static int next(void *state)
{
	struct text *t = state;

	if (t->at == t->length && t->count > 1) {
		t->at = 0;
		t->count--;
	}
	return t->at < t->length ? (unsigned char)t->bytes[t->at++] : t->end;
}

static struct lm_runs runs;
static struct lm_error error;

static int read_text(struct text text)
{
	lm_runs_free(&runs);
	error = (struct lm_error){ 0 };
	return lm_runs_read(next, &text, "file", &runs, &error);
}

static int read_bytes(const char *bytes, size_t length)
{
	return read_text((struct text){ bytes, length, 0, 1, -1 });
}

/* Read a good text: so many runs, and notes. */
static void good(const char *text, size_t run_count, size_t note_count)
{
	if (read_bytes(text, strlen(text)) < 0)
		fail_msg("%s\n%s", error.text, text);
	if (runs.note_count > note_count)
		fail_msg("%s\n%s", runs.notes[note_count].text, text);
	assert_int_equal(runs.count, run_count);
	assert_int_equal(runs.note_count, note_count);
}

static void bad(const char *text, const char *message)
{
	assert_int_equal(read_bytes(text, strlen(text)), -1);
	assert_int_equal(error.code, LM_ERR_INPUT);
	if (!strstr(error.text, message))
		fail_msg("'%s': expected '%s'", error.text, message);
}

static void noted(size_t i, long line, const char *text)
{
	assert_true(i < runs.note_count);
	assert_int_equal(runs.notes[i].line, line);
	if (!strstr(runs.notes[i].text, text))
		fail_msg("'%s': expected '%s'", runs.notes[i].text, text);
}

static const struct lm_record *step(size_t run, size_t i)
{
	assert_true(run < runs.count && i < runs.items[run].count);
	return &runs.items[run].records[i];
}

/* Every figure is either that or, when it is not told, unknown. */
static void figure(const struct lm_record *r, enum lm_figure f, double value)
{
	assert_true(lm_figure_known(r, f));
	assert_true(lm_figure_value(r, f) == value);
}

static void fact(const struct lm_facts *facts, const char *key, double number)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].key, key) == 0 && facts->items[i].number == number)
			return;
	fail_msg("there is no %s of %g", key, number);
}

/* --- forms -------------------------------------------------------------------- */

static void test_suite7(void **state)
{
	(void)state;
	good("for the record\n\n" FIELDS HEADING "\n" SUITE7
	     "1\t60.0\t\t100\t100.0\t50.0\t1.0000\n10\t300.0\t\t95\t200.0\t400.5\t0.5000\n",
	     1, 0);
	assert_string_equal(runs.items[0].format, "suite7");
	assert_string_equal(runs.items[0].label, "for the record");
	assert_string_equal(runs.items[0].machine, "box");
	assert_string_equal(runs.items[0].version, "1.1");
	assert_string_equal(runs.items[0].started, "2003-03-04T05:06:07");
	assert_int_equal(runs.items[0].line, 6);
	assert_int_equal(runs.items[0].count, 2);
	assert_int_equal(step(0, 1)->tasks, 10);
	assert_int_equal(step(0, 1)->line, 8);
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN, 300.0);
	figure(step(0, 1), LM_FIG_JTI, 95);
	figure(step(0, 1), LM_FIG_REAL, 200.0);
	figure(step(0, 1), LM_FIG_CPU, 400.5);
	figure(step(0, 1), LM_FIG_JOBS_PER_S_TASK, 0.5);
	/* worked out: 300 / 10; 300 jobs/min * 200 s / 60 / 10 tasks */
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN_TASK, 30);
	assert_int_equal(lm_run_jobs(&runs.items[0]), 100);
	assert_false(lm_figure_known(step(0, 1), LM_FIG_USER));
}

static void test_suite7_appended(void **state)
{
	(void)state;
	/* no caption: the machine is the name; the mix stands where AIM7 names itself */
	good(FIELDS HEADING "\n" SUITE7 "1\t60.0\t\t100\t100.0\t50.0\t1.0\n\n" FIELDS
			    "dbase\t\"2\"\tanother box\tMar  4 05:06:07 2004\n\n" SUITE7
			    "1\t60.0\t\t100\t100.0\t50.0\t1.0\n",
	     2, 0);
	assert_string_equal(runs.items[0].label, "box");
	assert_string_equal(runs.items[0].workload, "");
	assert_string_equal(runs.items[1].label, "another box");
	assert_string_equal(runs.items[1].workload, "dbase");
	/* the columns are named once, at the top, for both */
	good(SUITE7 FIELDS HEADING
	     "1\t60.0\t\t100\t100.0\t50.0\t1.0\n" FIELDS
	     "AIM Multiuser Benchmark - Suite VII \"1.1\" my box Mar  5 05:06:07 2003\n"
	     "2\t60.0\t\t100\t100.0\t50.0\t1.0\n",
	     2, 0);
	assert_string_equal(runs.items[1].machine, "my box"); /* tabs became blanks */
	assert_string_equal(runs.items[1].started, "2003-03-05T05:06:07");
	assert_int_equal(runs.items[1].line, 7); /* no head of its own */
}

static void test_console(void **state)
{
	(void)state;
	good("with the patch:\n" CONSOLE
	     "    1      100.00  100      100.0000     60.00      1.00   Tue Mar  4 05:06:07 2003\n"
	     "\nwithout:\n\nAIM Multiuser Benchmark - Suite VII Run Beginning\n\n" CONSOLE
	     "   10      500.00   90       50.0000    120.00     10.00\n",
	     2, 0);
	assert_string_equal(runs.items[0].format, "multitask");
	assert_string_equal(runs.items[0].label, "with the patch");
	assert_string_equal(runs.items[1].label, "without");
	assert_string_equal(step(0, 0)->ended, "2003-03-04T05:06:07");
	assert_string_equal(step(1, 0)->ended, "");
	figure(step(1, 0), LM_FIG_JOBS_PER_MIN_TASK, 50);
	figure(step(1, 0), LM_FIG_REAL, 120);
}

static void test_reaim(void **state)
{
	(void)state;
	good("$ reaim -f workfile.new_dbase\nREAIM Workload (one disk)\n"
	     "Times are in seconds - Child times from tms.cstime and tms.cutime\n\n" REAIM
	     "2       80.00    2.00    4.00    150.00     75.00      1.00     1.25     98   \n"
	     "Crossover achieved\nMax Jobs per Minute 150.00\n",
	     1, 0);
	assert_string_equal(runs.items[0].format, "reaim");
	assert_string_equal(runs.items[0].workload, "new_dbase");
	assert_string_equal(runs.items[0].label, "one disk");
	figure(step(0, 0), LM_FIG_REAL, 80);
	figure(step(0, 0), LM_FIG_SYSTEM, 2);
	figure(step(0, 0), LM_FIG_USER, 4);
	figure(step(0, 0), LM_FIG_CPU, 6); /* user + system */
	figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 150);
	figure(step(0, 0), LM_FIG_JOBS_PER_MIN_TASK, 75);
	figure(step(0, 0), LM_FIG_STDDEV, 1);
	figure(step(0, 0), LM_FIG_JTI, 98);
	fact(&step(0, 0)->system, "posted.stddev_percent", 1.25);
	fact(&runs.items[0].environment, "posted.max_jobs_per_min", 150);
}

static void test_reaim_files(void **state)
{
	static const char *const heads[] = {
		"Forks,JPM,JPM_C,JPS_C,parent_tm,childU_tm,childS_tm,std_dev,JTI,max_c,min_c\n"
		"2,150.00,75.00,1.25,80.00,4.00,2.00,1.00,98,80.00,78.50\n",
		"#Forks  JPM  JPM_C  JPS_C  parent_tm  childU_tm  childS_tm  std_dev  JTI max_c "
		"min_c\n"
		"2       150.00  75.00  1.25  80.00  4.00  2.00  1.00  98  80.00  78.50\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(heads); i++) {
		good(heads[i], 1, 0);
		assert_string_equal(runs.items[0].format, "reaim");
		figure(step(0, 0), LM_FIG_USER, 4);
		figure(step(0, 0), LM_FIG_SYSTEM, 2);
		figure(step(0, 0), LM_FIG_JOBS_PER_S_TASK, 1.25);
		fact(&step(0, 0)->system, "posted.min_child_s", 78.5);
	}
}

static void test_posted(void **state)
{
	(void)state;
	good(" AIM7 dbase workload\n kernel        Tasks  Jobs/Min   Real   CPU  \n"
	     " 2.5.1\t 4  43.1\t  551.7  117.1\n 2.5.1-mm 4  44.0  540.3  116.0\n     \n"
	     " 2.5.1-mm 8  75.5  630.0  200.0\n 2.5.1 8  74.7  636.6  203.1\n\n"
	     "AIM7 shared workload\nkernel Tasks Jobs/Min Real CPU\n2.5.1 64 1.0 2.0 3.0\n",
	     3, 0);
	assert_string_equal(runs.items[0].format, "posted");
	assert_string_equal(runs.items[0].label, "2.5.1");
	assert_string_equal(runs.items[0].workload, "dbase");
	assert_string_equal(runs.items[1].label, "2.5.1-mm");
	assert_int_equal(runs.items[1].count, 2);
	assert_int_equal(runs.items[0].line, runs.items[1].line); /* one table */
	assert_string_equal(runs.items[2].workload, "shared");
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN, 74.7);
	figure(step(1, 1), LM_FIG_REAL, 630.0);
	figure(step(1, 1), LM_FIG_CPU, 200.0);
}

static void test_posted_layouts(void **state)
{
	(void)state;
	/* another order of columns; a name of several words; a workload without a head of its own
	 */
	good("kernel Real CPU Tasks Jobs/Min\n2.5.1 with a patch 551.7 117.1 4 43.1\n\n"
	     "the shared workload\n2.5.1 with a patch 1.5 2.5 8 3.5\n",
	     2, 0);
	assert_string_equal(runs.items[0].label, "2.5.1 with a patch");
	assert_int_equal(step(0, 0)->tasks, 4);
	figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 43.1);
	assert_string_equal(runs.items[1].workload, "shared");
	figure(step(1, 0), LM_FIG_REAL, 1.5);
	/* tables of Markdown, and commas with quotes; what is not told is not known */
	good("| kernel | Tasks | Jobs/Min | Real | CPU |\n|---|---:|---:|---:|---:|\n"
	     "| a b | 4 | 43.1 | 551.7 | - |\n| c | 4 | | 5 | 1 |\n",
	     2, 0);
	assert_string_equal(runs.items[0].label, "a b");
	assert_false(lm_figure_known(step(0, 0), LM_FIG_CPU));
	assert_false(lm_figure_known(step(1, 0), LM_FIG_JOBS_PER_MIN));
	good("label,workload,tasks,jobs_per_min,real_s,cpu_s,valid,ended\n"
	     "\"a, \"\"b\"\"\",fserver,4,43.1,5,1,false,2003-03-04T05:06:07Z\n",
	     1, 0);
	assert_string_equal(runs.items[0].label, "a, \"b\"");
	assert_string_equal(runs.items[0].workload, "fserver");
	assert_string_equal(step(0, 0)->ended, "2003-03-04T05:06:07Z");
	assert_false(step(0, 0)->valid);
}

static void test_own_table(void **state)
{
	(void)state;
	good("# fserver, 101 jobs per task, on vm 6.1.0, a label\n"
	     "# FILESIZE 10M, POOLSIZE 20M, order aim7, seed 0\n"
	     "  Tasks  Jobs/min  JTI  Real   CPU  User System  Jobs/min/task\n"
	     "      4     60.00   82  404.0  1.74  0.45   1.29  15.0000  INVALID\n"
	     "        ! task 0 was killed\n# iteration 2 of 2\n"
	     "      8     60.00   82  808.0  1.74  0.45   1.29  7.5000\n"
	     "# peak 60.00 jobs/min at 8 tasks; 2 steps, 1 INVALID\n",
	     1, 0);
	assert_string_equal(runs.items[0].format, "table");
	assert_string_equal(runs.items[0].label, "a label");
	assert_string_equal(runs.items[0].workload, "fserver");
	assert_int_equal(runs.items[0].jobs_per_task, 101);
	assert_false(step(0, 0)->valid);
	assert_string_equal(step(0, 0)->problems[1], "task 0 was killed");
	assert_true(step(0, 1)->valid);
	assert_int_equal(step(0, 1)->iteration, 2);
	figure(step(0, 1), LM_FIG_SYSTEM, 1.29);
}

/* --- quirks of posts ---------------------------------------------------------- */

static void test_line_ends_and_quotes(void **state)
{
	static const char *const texts[] = {
		"Tasks Jobs/Min Real\r\n1 2.5 3\r\n\r\n4 5.5 6",
		"\xef\xbb\xbfTasks Jobs/Min Real\r1 2.5 3\r\r4 5.5 6\r",
		"> Tasks Jobs/Min Real\n> 1 2.5 3\n> \n>4 5.5 6\n",
		" > >\tTasks\tJobs/Min\tReal  \n > > 1  2.5\t3   \n > >\n > > 4 5.5 6 \n",
		"Tasks\xc2\xa0Jobs/Min Real\n1\xc2\xa0\xc2\xa0 2.5 3\n\n4 5.5 6\n",
		"| Tasks Jobs/Min Real\n| 1 2.5 3\n|\n| 4 5.5 6\n",
		"> | Tasks Jobs/Min Real\n> | 1 2.5 3\n> |\n> | 4 5.5 6\n",
		"AM> Tasks Jobs/Min Real\nAM> 1 2.5 3\nAM>\nAM>> 4 5.5 6\n",
		"> | Tasks | Jobs/Min | Real |\n> |---|---|---|\n> |1|2.5|3|\n> |4|5.5|6|\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		good(texts[i], 1, 0);
		assert_int_equal(runs.items[0].count, 2);
		figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 2.5);
		figure(step(0, 1), LM_FIG_REAL, 6);
		assert_int_equal(step(0, 1)->line, 4);
	}
}

static void test_extra_columns(void **state)
{
	(void)state;
	good("Tasks Jobs/Min JTI Real CPU J/S/T user sys idle/wait Ctx-Switches\n"
	     "7 60.0 90 700.0 50.0 0.1429 20.0 30.0 9.5 many\n",
	     1, 0);
	figure(step(0, 0), LM_FIG_USER, 20);
	figure(step(0, 0), LM_FIG_SYSTEM, 30);
	fact(&step(0, 0)->system, "posted.idle_wait_s", 9.5);
	assert_string_equal(step(0, 0)->system.items[1].key, "posted.ctx_switches");
	assert_string_equal(step(0, 0)->system.items[1].text, "many");
	/* names as long as can be, and empty ones */
	bad("Tasks,real,cpu,abcdefghijklmnopqrstuvwxyzabcdefghijkl,,\n1,2\n", "holds no result");
	/* a figure that is there twice is kept beside the first, and nobody knows which is meant */
	good("Tasks Jobs/Min Real Real\n7 60.0 700.0 50.0\n", 1, 1);
	noted(0, 1, "the column 'real' is there more than once");
	figure(step(0, 0), LM_FIG_REAL, 700);
	fact(&step(0, 0)->system, "posted.real", 50);
}

/* A row that says that it is not to be trusted, in whatever words, is not read as a good one. */
static void test_invalid_marks(void **state)
{
	static const char *const marks[] = {
		"  INVALID",
		" Tue Mar  4 05:06:07 2003  INVALID",
		" INVALID  Tue Mar  4 05:06:07 2003",
		" invalid",
		" (INVALID: one task was killed)",
		" *INVALID* one task was killed",
	};
	char text[400];

	(void)state;
	for (size_t i = 0; i < COUNT(marks); i++) {
		snprintf(text, sizeof(text), CONSOLE "1 100.00 100 100.0000 60.00 1.00%s\n",
			 marks[i]);
		good(text, 1, 0);
		assert_false(step(0, 0)->valid);
		assert_string_equal(step(0, 0)->ended,
				    strstr(marks[i], "2003") ? "2003-03-04T05:06:07" : "");
	}
	assert_non_null(strstr(step(0, 0)->problems[0], "one task was killed"));
	/* before the row, as in re-aim's csv and multiuser.ss */
	good("Forks,JPM,parent_tm\n1,60.0,100.0\nINVALID 2,61.0,101.0\n", 1, 0);
	assert_true(step(0, 0)->valid && !step(0, 1)->valid);
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN, 61);
	good(SUITE7 "1\t60.0\t\t100\t100.0\t50.0\t1.0\nINVALID 2\t61.0\t\t99\t101.0\t51.0\t0.9\n",
	     1, 0);
	assert_false(step(0, 1)->valid);
	/* a kernel may be called so */
	good("kernel Tasks Jobs/Min Real CPU\ninvalid-fix 4 43.1 551.7 117.1\n", 1, 0);
	assert_true(step(0, 0)->valid);
}

/* Whatever the column of the kernels is called, they are not taken for repeats of one. */
static void test_columns_of_names(void **state)
{
	static const char *const heads[] = {
		"Version Tasks Jobs/Min Real CPU",
		"patchset Tasks Jobs/Min Real CPU",
		"what Tasks Jobs/Min Real CPU",
	};
	char text[400];

	(void)state;
	for (size_t i = 0; i < COUNT(heads); i++) {
		snprintf(text, sizeof(text),
			 "%s\n2.5.1 4 43.1 551.7 117.1\nvanilla one 4 42.9 552.0 116.0\n",
			 heads[i]);
		good(text, 2, 0);
		assert_string_equal(runs.items[0].label, "2.5.1");
		assert_string_equal(runs.items[1].label, "vanilla one");
	}
	good("Tasks Jobs/Min Real CPU Version\n4 43.1 551.7 117.1 a\n4 42.9 552.0 116.0 b\n", 2, 0);
	/* times and numbers name no kernel */
	good("Time Tasks Jobs/Min Real\n12:00:01 4 43.1 551.7\n12:10:02 8 42.9 552.0\n", 1, 0);
	good("Nr Tasks Jobs/Min Real\n1 4 43.1 551.7\n2 8 42.9 552.0\n", 1, 0);
}

/* A row with something odd in it does not take the next one along. */
static void test_rows_stay_apart(void **state)
{
	(void)state;
	good("kernel Tasks Jobs/Min Real CPU\n2.5.1 4 43.1 551.7s 117.1 s\n2.5.2 4 42.9 552.0 "
	     "116.0\n",
	     1, 1);
	noted(0, 2, "its real is '551.7s'");
	assert_string_equal(runs.items[0].label, "2.5.2");
	figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 42.9);
}

/* Posts that have nothing but throughput, and heads that were wrapped behind it. */
static void test_throughput_alone(void **state)
{
	(void)state;
	good("Tasks jobs/min\n1 100.5\n100 2000.7\n", 1, 0);
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN, 2000.7);
	good("kernel Tasks Jobs/Min\na 1 100.5\nb 1 90.0\n", 2, 0);
	good("kernel Tasks Jobs/Min\n   Real CPU\na 4 43.1\n  551.7 117.1\nb 4 42.9\n  552.0 "
	     "116.0\n",
	     2, 0);
	figure(step(1, 0), LM_FIG_CPU, 116);
	bad("100 tasks, jobs/min below\n", "holds no result");
}

static void test_wrapped(void **state)
{
	(void)state;
	/* the JTI alone; most of a row; a date in the middle; a whole date; a head */
	good(REAIM "1       60.00    1.00    2.00    100.00     100.00     0.00     0.00 \n  100\n"
		   "2       80.00    2.00    4.00    150.00     75.00\n  1.00     1.25     98\n",
	     1, 0);
	figure(step(0, 0), LM_FIG_JTI, 100);
	figure(step(0, 1), LM_FIG_JTI, 98);
	assert_int_equal(step(0, 1)->line, 5);
	good(CONSOLE "1 100.00 100 100.0000 60.00 1.00 Tue Mar  4\n05:06:07 2003\n"
		     "2 100.00 100 50.0000 120.00 1.00\n  Tue Mar  4 05:08:07 2003\n",
	     1, 0);
	assert_string_equal(step(0, 0)->ended, "2003-03-04T05:06:07");
	assert_string_equal(step(0, 1)->ended, "2003-03-04T05:08:07");
	good("Num Parent Child Child Jobs per Jobs/min/\nStd_dev Std_dev JTI\n"
	     "Forked Time SysTime UTime Minute Child\nTime Percent\n1 2 3 4 5 6 7 8 9\n",
	     1, 0);
	figure(step(0, 0), LM_FIG_JTI, 9);
	good("Tasks Jobs/Min JTI\nReal CPU\n1 2 3 4 5\n", 1, 0);
	figure(step(0, 0), LM_FIG_CPU, 5);
}

/* The heading of suite7.ss, wherever it was cut. */
static void test_wrapped_heading(void **state)
{
	static const char *const headings[] = {
		"AIM Multiuser Benchmark - Suite VII\t\"1.1\"\tbox\nMar  4 05:06:07 2003\n",
		"AIM Multiuser Benchmark - Suite VII\t\"1.1\"\tbox\tMar  4\n05:06:07 2003\n",
		"AIM Multiuser Benchmark - Suite VII\t\"1.1\"\nbox\tMar  4 05:06:07 2003\n",
		"AIM Multiuser Benchmark - Suite VII \"1.1\" box Mar\n4 05:06:07 2003\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(headings); i++) {
		char text[400];

		snprintf(text, sizeof(text), FIELDS "%s\n" SUITE7 "1 2 50 4 5 6\n", headings[i]);
		good(text, 1, 0);
		assert_string_equal(runs.items[0].machine, "box");
		assert_string_equal(runs.items[0].started, "2003-03-04T05:06:07");
		assert_string_equal(runs.items[0].label, "box");
	}
}

static void labelled(size_t run, const char *label, const char *workload)
{
	assert_true(run < runs.count);
	assert_string_equal(runs.items[run].label, label);
	assert_string_equal(runs.items[run].workload, workload);
}

#define SEED "kernel Tasks Jobs/Min Real CPU\n"

/* A kernel of several words hides no damage of its rows. */
static void test_damaged_rows_of_long_names(void **state)
{
	static const struct {
		const char *row, *message;
	} cases[] = {
		{ "2.5.69 my patch 8 2O00 23 39", "its jobs/min is '2O00'" },
		{ "2.5.69 my patch l6 3000 23 39", "its tasks is 'l6'" },
		{ "2.5.69 my patch 16 100,5 24 3", "its jobs/min is '100,5'" },
		{ "2.5.69 my patch 32 3000 2x3 39", "its real is '2x3'" },
		{ "2.5.69 my patch 64 3000 23", "it has 4 cells: expected 5" },
		{ "2.5.69 my patch 64 3000", "it has 3 cells: expected 5" },
		{ "2.5.69 my patch 8 lOO l4 3", "its jobs/min is 'lOO'" },
		{ "2.5.69 my patch 8 was not run", "begins as a row" },
		{ "2.5.69 my patch 64 3000 23 39 7", "more numbers than the table has columns" },
	};
	char text[500];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(text, sizeof(text), SEED "2.5.69 my patch 4 100 24 3\n%s\n", cases[i].row);
		good(text, 1, 1);
		noted(0, 3, cases[i].message);
		labelled(0, "2.5.69 my patch", "");
		assert_int_equal(runs.items[0].count, 1);
	}
	good("Tasks Jobs/Min\n8 lOO\n16 200\n", 1, 1);
	noted(0, 2, "its jobs/min is 'lOO'");
	/* a short row does not become the name of the next */
	good(SEED "2.5.70 my patch 4 100 24\n2.5.71 8 110 24 3\n", 1, 1);
	noted(0, 2, "it has 4 cells");
	labelled(0, "2.5.71", "");
}

/* A load of which nothing is told but that it failed. */
static void test_rows_without_figures(void **state)
{
	static const char *const kernel[] = { "2.5.70 8 INVALID", "2.5.70 32 failed",
					      "2.5.70 4 oops",    "2.5.70 my patch 8 killed",
					      "2.5.70 4 wedged",  "INVALID 2.5.70 8" };
	static const char *const plain[] = { "8 INVALID", "16 oops", "8 (INVALID: killed)",
					     "32 timed out", "INVALID 8" };
	char text[500];

	(void)state;
	for (size_t i = 0; i < COUNT(kernel); i++) {
		snprintf(text, sizeof(text), SEED "2.5.69 4 100 24 3\n%s\n2.5.70 2 110 24 3\n",
			 kernel[i]);
		good(text, 2, 1);
		noted(0, 3, "this row is not used");
		labelled(1, "2.5.70", "");
	}
	for (size_t i = 0; i < COUNT(plain); i++) {
		snprintf(text, sizeof(text), "caption\nTasks Jobs/Min Real\n4 100 1\n%s\n4 110 1\n",
			 plain[i]);
		good(text, 1, 1);
		noted(0, 4, "this row is not used");
		labelled(0, "caption", "");
		assert_int_equal(runs.items[0].count, 2);
	}
	good("label,tasks,jobs_per_min,real_s,cpu_s\na,4,100,24,3\na,8,INVALID\n", 1, 1);
	noted(0, 3, "it has 3 cells: expected 5");
}

/* The names of two kernels may end in the same word of a second line. */
static void test_wrapped_names(void **state)
{
	(void)state;
	good(SEED "2.5.71 with a long\nname 8 1000.5 24.0 40.1\n2.5.72 with a long\n"
		  "name 8 2000.5 12.0 40.1\n",
	     2, 0);
	labelled(0, "2.5.71 with a long name", "");
	labelled(1, "2.5.72 with a long name", "");
	figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 1000.5);
	figure(step(1, 0), LM_FIG_JOBS_PER_MIN, 2000.5);
	good(SEED
	     "2.5.71 with a\nvery long\nname 8 1 2 3\n2.5.72 with a\nvery long\nname 8 4 5 6\n",
	     2, 0);
	labelled(1, "2.5.72 with a very long name", "");
	/* without a number it may be a remark: what was made of it is told */
	good(SEED "my kernel\nname 8 1 2 3\nmy other kernel\nname 8 4 5 6\n", 2, 2);
	noted(0, 3, "is taken to begin in the line above: 'my kernel'");
	labelled(1, "my other kernel name", "");
	/* the name alone in its line, and the name with the tasks */
	good(SEED "2.5.69\n4 1000.5 24.0 40.1\n2.5.70 8\n1000.5 24.0 40.1\n"
		  "2.5.71 with a patch 8\n1001.5 24.0 40.1\n",
	     3, 0);
	labelled(0, "2.5.69", "");
	labelled(1, "2.5.70", "");
	labelled(2, "2.5.71 with a patch", "");
	figure(step(2, 0), LM_FIG_JOBS_PER_MIN, 1001.5);
	/* a remark stays one where the name is there already, or is a version */
	good(SEED "vanilla 4 1 2 3\nand on\nvanilla 8 1 2 3\nfaster box\n2.5.70 8 4 5 6\n", 2, 0);
	assert_int_equal(runs.items[0].count, 2);
	labelled(1, "2.5.70", "");
}

/* Prose that ends in numbers makes no kernel. */
static void test_sentences_below_a_table(void **state)
{
	(void)state;
	good(SEED "2.5.69 4 1000.5 24.0 40.1\nand 2.5.70 gives 5 5 5 5\n"
		  "so 3 2 1 5 runs were made\n",
	     1, 2);
	noted(0, 3, "'and 2.5.70 gives' reads like a sentence");
	noted(1, 4, "reads like a sentence");
	/* a name that stands in a column */
	good("kernel    Tasks Jobs/Min Real CPU\nas it is      4    1  2  3\n", 1, 0);
	labelled(0, "as it is", "");
}

/* Another column beside the kernel's tells apart what is no repeat. */
static void test_columns_of_several_names(void **state)
{
	(void)state;
	good("kernel config Tasks Jobs/Min Real\n2.6.0 up 4 1000.5 24\n2.6.0 smp 4 2100.5 12\n"
	     "2.6.0 my patch smp 4 2200.5 11\n",
	     3, 0);
	labelled(0, "2.6.0 up", "");
	labelled(1, "2.6.0 smp", "");
	labelled(2, "2.6.0 my patch smp", "");
	figure(step(1, 0), LM_FIG_JOBS_PER_MIN, 2100.5);
	good("| kernel | gcc | Tasks | Jobs/Min |\n| a | 2.95 | 4 | 1 |\n| a | 3.3 | 4 | 2 |\n", 2,
	     0);
	labelled(0, "a gcc=2.95", "");
	labelled(1, "a gcc=3.3", "");
	good("kernel box Tasks Jobs/Min Real\na 4-way 4 5 6\na 8-way 4 7 8\n", 2, 0);
	labelled(1, "a 8-way", "");
	good("box Tasks Jobs/Min Real\n4-way 4 5 6\n8-way 4 7 8\n", 2, 0);
	labelled(1, "8-way", "");
	/* without a kernel a number may be what was measured: repeats, but told */
	good("cpus Tasks Jobs/Min Real\n4 4 5 6\n8 4 7 8\n8 8 7 8\n", 1, 1);
	noted(0, 3, "'cpus' is not as in line 2, with the same load");
	good("kernel Tasks Jobs/Min Real fs swaps\na 4 1 2 ext3 7\na 4 3 4 ext3 9\na 4 3 4 xfs 9\n",
	     1, 1);
	noted(0, 4, "'fs' is not as in line 2");
	/* a number that counts the rows does not */
	good("kernel Nr Tasks Jobs/Min Real\na 1 4 5 6\na 2 4 7 8\n", 1, 0);
	assert_int_equal(runs.items[0].count, 2);
}

#define TABLE(A, B) SEED "2.5.69 4 " A " 24 3\n2.5.70 4 " B " 24 3\n\n"

/* Headings of their own tell tables apart; without them they are repeats. */
static void test_headings(void **state)
{
	(void)state;
	good("On ext3:\n" TABLE("1000", "1200") "On xfs:\n" TABLE("1200", "1000"), 4, 0);
	labelled(0, "2.5.69", "On ext3");
	labelled(1, "2.5.70", "On ext3");
	labelled(2, "2.5.69", "On xfs");
	labelled(3, "2.5.70", "On xfs");
	figure(step(3, 0), LM_FIG_JOBS_PER_MIN, 1000);
	/* the last line with a colon, where other prose stands below it */
	good("On ext3:\nin seconds\n" TABLE("1", "2") "On xfs:\nin seconds\n" TABLE("3", "4"), 4,
	     0);
	labelled(0, "2.5.69", "On ext3");
	labelled(2, "2.5.69", "On xfs");
	/* in one table, too */
	good("On ext3:\n" SEED "2.5.69 4 1000 24 3\nOn xfs:\n2.5.69 4 1200 20 3\n", 2, 0);
	labelled(0, "2.5.69", "On ext3");
	labelled(1, "2.5.69", "On xfs");
	/* a second heading is enough, and the workload stays */
	good("AIM7 dbase workload\n" TABLE("1", "2") "AIM7 dbase workload on xfs\n" TABLE("3", "4"),
	     4, 0);
	labelled(0, "2.5.69", "dbase");
	labelled(2, "2.5.69", "dbase (on xfs)");
	/* repeats: no heading, the same one, or one that counts them */
	good(TABLE("1", "2") TABLE("3", "4"), 4, 0);
	labelled(2, "2.5.69", "");
	good("On ext3:\n" TABLE("1", "2") "On ext3:\n" TABLE("3", "4"), 4, 0);
	labelled(2, "2.5.69", "");
	good("Run 1:\n" TABLE("1", "2") "and the 2nd run:\n" TABLE("3", "4"), 4, 0);
	labelled(2, "2.5.69", "");
	/* other loads, and what is quoted and shown again, tell nothing apart */
	good("a:\n" TABLE("1", "2") "b:\n" SEED "2.5.69 8 3 4 5\n", 3, 0);
	labelled(2, "2.5.69", "");
	good("a:\n" TABLE("1", "2") "b:\n" TABLE("1", "2"), 4, 0);
	labelled(2, "2.5.69", "");
}

static void test_headings_that_are_workloads(void **state)
{
	static const char *const headings[] = { "fserver:", "AIM7 fserver:",
						"AIM7 results, fserver:", "reaim fserver",
						"The fserver mix:" };
	char text[500];

	(void)state;
	for (size_t i = 0; i < COUNT(headings); i++) {
		snprintf(text, sizeof(text), "dbase:\n%s%s\n%s", TABLE("1", "2"), headings[i],
			 TABLE("3", "4"));
		good(text, 4, 0);
		labelled(0, "2.5.69", "dbase");
		labelled(2, "2.5.69", "fserver");
	}
	/* plain words need the program's name */
	good("AIM7 disk:\n" TABLE("1", "2"), 2, 0);
	labelled(0, "2.5.69", "disk");
	good("disk:\n" TABLE("1", "2"), 2, 0);
	labelled(0, "2.5.69", "");
}

/* Two kernels in one row. */
static void test_side_by_side(void **state)
{
	static const char *const texts[] = {
		"kernel Tasks Jobs/Min Real CPU kernel Tasks Jobs/Min Real CPU\n"
		"2.5.69 4 100 24 3 2.5.70 4 110 22 5\n",
		"   2.5.69        2.5.70\nTasks Jobs/Min Real CPU Jobs/Min Real CPU\n"
		"4 100 24 3 110 22 5\n",
		"2.5.69 vs. 2.5.70\nTasks Jobs/Min Real CPU Tasks Jobs/Min Real CPU\n"
		"4 100 24 3 4 110 22 5\n",
		"Tasks Real Real CPU CPU Jobs/Min Jobs/Min\n"
		"2.5.69 2.5.70\n4 24 22 3 5 100 110\n",
		"| Tasks | Jobs/Min | Real | CPU | Jobs/Min | Real | CPU "
		"|\n|---|---|---|---|---|---|---|\n"
		"2.5.69, 2.5.70\n| 4 | 100 | 24 | 3 | 110 | 22 | 5 |\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		good(texts[i], 2, 0);
		labelled(0, "2.5.69", "");
		labelled(1, "2.5.70", "");
		for (size_t k = 0; k < 2; k++) {
			assert_int_equal(step(k, 0)->tasks, 4);
			figure(step(k, 0), LM_FIG_JOBS_PER_MIN, k ? 110 : 100);
			figure(step(k, 0), LM_FIG_REAL, k ? 22 : 24);
			figure(step(k, 0), LM_FIG_CPU, k ? 5 : 3);
		}
	}
	/* headings above the names hold; a mark is of the whole row */
	good("fserver workload\n2.5.69  2.5.70\nTasks Jobs/Min Real Jobs/Min Real\n"
	     "4 100 24 110 22\n8 100 24 110 22 INVALID\n",
	     2, 0);
	labelled(1, "2.5.70", "fserver");
	assert_true(step(1, 0)->valid);
	assert_false(step(0, 1)->valid);
	assert_false(step(1, 1)->valid);
}

static void test_side_by_side_refused(void **state)
{
	(void)state;
	/* nothing tells whose they are: prose of as many words does not */
	bad("Tasks Jobs/Min Real CPU Jobs/Min Real CPU\n4 100 24 3 110 22 3\n",
	    "the figures of 2 runs side by side, and no line next to its head names them");
	bad("Some results\nTasks Jobs/Min Real Jobs/Min Real\n4 100 24 110 22\n",
	    "no line next to its head names them");
	good(SEED "a 4 1 2 3\nTasks Jobs/Min Real Jobs/Min Real\n4 100 24 110 22\n", 1, 1);
	noted(0, 3, "the rows below it are not used");
	/* the same kernel on both sides is no repeat; a row that is not whole */
	good("kernel Tasks Jobs/Min Real kernel Tasks Jobs/Min Real\n"
	     "a 4 1 2 a 4 3 4\na 4 1 2 b 4 3\na 8 1 2 b 8 3 4\na 9 1 x b 9 3 4\n",
	     2, 3);
	noted(0, 2, "the same name of a kernel");
	noted(1, 3, "it has 7 cells: expected 8");
	noted(2, 5, "on side 1, its real is 'x'");
	assert_int_equal(runs.items[0].count, 1);
	assert_int_equal(runs.items[1].count, 2);
}

/* As databases print them. */
static void test_bars_without_borders(void **state)
{
	(void)state;
	good("Kernel | Tasks | Jobs/Min | Real | CPU\n-------+-------+----------+------+----\n"
	     "2.5.69 |     4 |    100.5 | 24.0 | 3.0\n2.5.70 |     4 |    110.5 | 24.0 | 3.0\n",
	     2, 0);
	labelled(1, "2.5.70", "");
	figure(step(1, 0), LM_FIG_JOBS_PER_MIN, 110.5);
	good("+--------+-------+----------+\n| kernel | Tasks | Jobs/Min |\n"
	     "+--------+-------+----------+\n| 2.5.69 |     4 |    100.5 |\n"
	     "+--------+-------+----------+\n",
	     1, 0);
}

/* A row that was cut in the middle, or before it, if its second part can be no row. */
static void test_cut_in_the_middle(void **state)
{
	static const char *const rows[] = { "2 194.4 98 60.6 1.1\n1.6200",
					    "2 194.4 98 60.6\n1.1 1.6200",
					    "2 194.4 98\n60.6 1.1 1.6200",
					    "2 194.4\n98 60.6 1.1 1.6200" };
	char text[500];

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		snprintf(text, sizeof(text), SUITE7 "%s\n", rows[i]);
		good(text, 1, 0);
		figure(step(0, 0), LM_FIG_JOBS_PER_MIN, 194.4);
		figure(step(0, 0), LM_FIG_JTI, 98);
		figure(step(0, 0), LM_FIG_REAL, 60.6);
		figure(step(0, 0), LM_FIG_CPU, 1.1);
		figure(step(0, 0), LM_FIG_JOBS_PER_S_TASK, 1.62);
	}
}

/* Two rows that lack the same cells must not become one. */
static void test_cut_rows(void **state)
{
	(void)state;
	good(SUITE7 "1 60.0 100\n10 300.0 95\n20 300.0 95 1.0 2.0 3.0\n", 1, 2);
	noted(0, 2, "it has 3 cells: expected 6");
	noted(1, 3, "it has 3 cells: expected 6");
	assert_int_equal(runs.items[0].count, 1);
	assert_int_equal(step(0, 0)->tasks, 20);
}

static void test_several_tables(void **state)
{
	(void)state;
	/* prose between rows that go on is no new run; a sweep that begins again is one */
	good("first\nTasks Jobs/Min Real\n1 2 3\na remark\n4 5 6\nsecond\n1 2 3\n", 2, 0);
	assert_int_equal(runs.items[0].count, 2);
	assert_string_equal(runs.items[0].label, "first");
	assert_string_equal(runs.items[1].label, "second");
	/* two forms in one file; what was captioned holds until the next caption */
	good("kernel a:\n-------\n" CONSOLE
	     "1 100.00 100 100.0000 60.00 1.00\n\nREAIM Workload\n" REAIM
	     "1 2 3 4 5 6 7 8 9\nMax Jobs per Minute 5.00\n\nkernel b\n" REAIM
	     "1 2 3 4 5 6 7 8 9\n",
	     3, 0);
	assert_string_equal(runs.items[0].format, "multitask");
	assert_string_equal(runs.items[1].format, "reaim");
	assert_string_equal(runs.items[1].label, "kernel a");
	assert_string_equal(runs.items[2].label, "kernel b");
}

/* --- what cannot be read -------------------------------------------------------- */

static void test_bad_cells(void **state)
{
	static const struct {
		const char *row, *message;
	} cases[] = {
		{ "0 2 50 4 5 6", "its tasks is '0'" },
		{ "-3 2 50 4 5 6", "its tasks is '-3'" },
		{ "1.5 2 50 4 5 6", "its tasks is '1.5'" },
		{ "1000001 2 50 4 5 6", "from 1 to 1000000" },
		{ "1O 2 50 4 5 6", "its tasks is '1O'" },
		{ "1 nan 50 4 5 6", "its jobs/min is 'nan': expected a number of 0 or more" },
		{ "1 inf 50 4 5 6", "its jobs/min is 'inf'" },
		{ "1 0x10 50 4 5 6", "its jobs/min is '0x10'" },
		{ "1 1,5 50 4 5 6", "its jobs/min is '1,5'" },
		{ "1 -2 50 4 5 6", "its jobs/min is '-2'" },
		{ "1 1e300 50 4 5 6", "its jobs/min is '1e300'" },
		{ "1 1e999 50 4 5 6", "its jobs/min is '1e999'" },
		{ "1 2 101 4 5 6", "its jti is '101': expected a whole number up to 100" },
		{ "1 2 50.5 4 5 6", "its jti is '50.5'" },
		{ "1 2 50 4 5 6 7", "more numbers than the table has columns (6)" },
		{ "1 2 50 4 5", "it has 5 cells: expected 6" },
		{ "1 - - - - -", "it holds no figure" },
		{ "lO lOO Il 4 5 6", "its tasks is 'lO'" },
	};
	char text[500];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(text, sizeof(text), SUITE7 "1 2 50 4 5 6\n%s\n", cases[i].row);
		good(text, 1, 1);
		noted(0, 3, cases[i].message);
		assert_int_equal(runs.items[0].count, 1);
	}
}

static void test_odd_cells(void **state)
{
	(void)state;
	good(SUITE7 "1 2 -30 4 5 6\n2 3 50 4 5 6 <- look\n", 1, 2);
	noted(0, 2, "JTI is below 0");
	figure(step(0, 0), LM_FIG_JTI, 0);
	noted(1, 3, "'<- look' in this row is no date");
	figure(step(0, 1), LM_FIG_JOBS_PER_MIN, 3);
	/* a date without its year says nothing that can be relied on */
	good(CONSOLE "1 100.00 100 100.0000 60.00 1.00 Tue Mar  4 05:06:07:\n", 1, 1);
	noted(0, 2, "'Tue Mar  4 05:06:07:'");
	assert_string_equal(step(0, 0)->ended, "");
	good(FIELDS "AIM Multiuser Benchmark - Suite VII\t\"1.1\"\tbox\tsome day\n" SUITE7
		    "1 2 50 4 5 6\n",
	     1, 1);
	noted(0, 2, "'some day' is no date");
}

static void test_no_rows(void **state)
{
	(void)state;
	good(CONSOLE "\n" CONSOLE "1 100.00 100 100.0000 60.00 1.00\n", 1, 1);
	noted(0, 1, "no row below the head");
	good("Tasks Jobs/Min Real\n1 2 3\nNum Parent Child Child Jobs per\nsomething else\n1 2 3 "
	     "4\n",
	     1, 1);
	noted(0, 4, "the head of a table ends above this line");
	bad("", "is empty: expected a journal, suite7.ss");
	bad(" \n\r\n\t\n", "is empty");
	bad("The quick brown fox\n1 2 3 4\n", "holds no result: expected a journal");
	bad(SUITE7 "1 2 3\n", "no row could be read; here, this row is not used: it has 3 cells");
	bad(CONSOLE, "no row below the head");
	/* a journal behind a table */
	good("Tasks Jobs/Min Real\n1 2 3\n{\"type\":\"run\",\"schema\":1}\n", 1, 1);
	noted(0, 3, "this line is a journal's");
	/* no text at all */
	bad("\x1f\x8b\x08 squeezed", "is compressed (gzip?): unpack it first");
	bad("\xfd"
	    "7zXZ",
	    "is compressed (xz?)");
	bad("\xff\xfeT\1a\1s\1k\1", "is text in UTF-16");
	bad("> Num Parent Child Child Jobs per\n", "ends within the head");
}

/* Prose has the words, too. */
static void test_prose(void **state)
{
	(void)state;
	good("We ran 100 tasks; the load and the real cpu time per user of the system was high.\n"
	     "Tasks, jobs/min and real time are what counts, as 4 people said.\n"
	     "2 cpu box, 4Gb\n" SUITE7 "1 2 50 4 5 6\n2 cpu machine next\n\n"
	     "4 tasks and 100 users on 2 cpus\n",
	     1, 0);
	assert_string_equal(runs.items[0].label, "2 cpu box, 4Gb");
	assert_int_equal(runs.items[0].count, 1);
}

static void test_binary(void **state)
{
	static const char nul[] = "Tasks Jobs/Min Real\n1 2\0003 4\n5 6 7\n";
	char junk[256];

	(void)state;
	assert_int_equal(read_bytes(nul, sizeof(nul) - 1), 0);
	assert_int_equal(runs.items[0].count, 1);
	noted(0, 2, "its jobs/min is '2\\x7f3'");
	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)i;
	assert_int_equal(read_text((struct text){ junk, sizeof(junk), 0, 1000, -1 }), -1);
	assert_non_null(strstr(error.text, "holds no result"));
	errno = EIO;
	assert_int_equal(read_text((struct text){ "Tasks", 5, 0, 1, -2 }), -1);
	assert_non_null(strstr(error.text, "cannot be read: Input/output error"));
}

/* --- much ---------------------------------------------------------------------- */

static void test_limits(void **state)
{
	static const char row[] = "1 2 50 4 5 6\n", broken[] = "1 nan 50 4 5 6\n";
	char text[60000];

	(void)state;
	/* notes: the first 1000, and how many more */
	snprintf(text, sizeof(text), "%s%s", SUITE7, row);
	for (size_t i = 0; i < 1500; i++)
		strcat(text, broken);
	good(text, 1, 1001);
	noted(1000, 1502, "and 500 more notes");
	/* one line without end */
	assert_int_equal(read_text((struct text){ "Tasks ", 6, 0, 1000000, -1 }), -1);
	assert_non_null(strstr(error.text, "holds no result"));
	/* rows without end */
	assert_int_equal(
		read_text((struct text){ SUITE7 "1 2 50 4 5 6\n",
					 sizeof(SUITE7) - 1 + sizeof(row) - 1, 0, 200001, -1 }),
		-1);
	assert_non_null(strstr(error.text, "more than 200000 rows"));
}

static void test_many_labels(void **state)
{
	char text[40000] = "kernel Tasks Jobs/Min Real CPU\n";

	(void)state;
	for (int i = 0; i < 1001; i++)
		sprintf(text + strlen(text), "k%d 1 2 3 4\n", i);
	bad(text, "more than 1000 kernels");
}

/* --- around it -------------------------------------------------------------------- */

static void test_recognised(void **state)
{
	char blanks[5001];

	(void)state;
	good("\xef\xbb\xbf\n  {\"a\":1}\n", 1, 0);
	assert_string_equal(runs.items[0].format, "journal");
	assert_int_equal(journal_bytes, strlen("\n  {\"a\":1}\n"));
	memset(blanks, '\n', 5000);
	blanks[5000] = '\0';
	bad(blanks, "is empty");
	bad("x {\"a\":1}\n", "holds no result");
}

static void test_dates(void **state)
{
	static const char *const good_dates[][2] = {
		{ "Fri Jun 24 00:28:01 2005", "2005-06-24T00:28:01" },
		{ "Oct  4 20:13:13 2001", "2001-10-04T20:13:13" },
		{ "Fri, 24 Jun 2005 00:28:01 UTC", "2005-06-24T00:28:01Z" },
		{ "Fri Jun 24 00:28:01 CEST 2005", "2005-06-24T00:28:01" },
		{ "2005-06-24 00:28", "2005-06-24T00:28:00" },
		{ "2005-06-24T00:28:01Z", "2005-06-24T00:28:01Z" },
		{ "Feb 29 00:00:00 2004", "2004-02-29T00:00:00" },
	};
	static const char *const bad_dates[] = {
		"",
		"Jun 24 00:28:01",
		"Jun 24 2005",
		"Feb 29 00:00:00 2005",
		"Jun 31 00:00:00 2005",
		"Jun 24 24:00:00 2005",
		"Jun 24 00:60:00 2005",
		"Jun 24 00:28:01: 2005",
		"Fri Fri Jun 24 00:28:01 2005",
		"2005-13-24T00:28:01",
		"2005-06-24T00:28:01x",
		"Jun 24 00:28:01 20055",
		"Jun 24 00:28:01 2005 1",
	};
	char text[LM_DATE_SIZE] = "";

	(void)state;
	for (size_t i = 0; i < COUNT(good_dates); i++) {
		if (!lm_date_parse(good_dates[i][0], text))
			fail_msg("%s", good_dates[i][0]);
		assert_string_equal(text, good_dates[i][1]);
	}
	for (size_t i = 0; i < COUNT(bad_dates); i++)
		if (lm_date_parse(bad_dates[i], text))
			fail_msg("%s", bad_dates[i]);
}

static void test_numbers(void **state)
{
	static const char *const none[] = { "",    "-",   ".5",    "5.", "1e", "1e+", "0x1p3",
					    "nan", "inf", "1e400", " 1", "1 ", "1,5", "1.5f" };
	double value = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(none); i++)
		if (lm_parse_number(none[i], &value))
			fail_msg("'%s'", none[i]);
	assert_true(lm_parse_number("-12.5e-1", &value) && value == -1.25);
	assert_true(lm_parse_number("0.1", &value) && value == 0.1);
	assert_true(lm_parse_number("+007", &value) && value == 7);
	assert_true(lm_parse_number("1.7976931348623157e308", &value) && value > 1e308);
}

/* A place that writes 1,5 changes nothing; where it is not installed this is test_posted again. */
static void test_locale(void **state)
{
	setlocale(LC_ALL, "de_DE.UTF-8");
	test_posted(state);
	setlocale(LC_ALL, "C");
}

/* The seeds of the fuzzer, whole and cut anywhere. */
static void test_corpus(void **state)
{
	const char *source = getenv("LOADMIX_SRC");
	char path[4096], file[8192], bytes[4096];
	struct dirent *entry;
	size_t length, files = 0;
	DIR *dir;
	FILE *f;

	(void)state;
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus", source ? source : ".");
	dir = opendir(path);
	if (!dir)
		skip();
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		snprintf(file, sizeof(file), "%s/%s", path, entry->d_name);
		f = fopen(file, "r");
		assert_non_null(f);
		length = fread(bytes, 1, sizeof(bytes), f);
		fclose(f);
		files++;
		if (read_bytes(bytes, length) < 0)
			assert_true(error.text[0] != '\0');
		for (size_t i = 0; i < length; i++)
			if (read_bytes(bytes, i) < 0)
				assert_true(error.text[0] != '\0');
	}
	closedir(dir);
	assert_true(files > 0);
}

static void test_load(void **state)
{
	(void)state;
	lm_runs_free(&runs);
	error = (struct lm_error){ 0 };
	assert_int_equal(lm_runs_load("/no/such/file", &runs, &error), -1);
	assert_int_equal(error.code, LM_ERR_INPUT);
	error = (struct lm_error){ 0 };
	assert_int_equal(lm_runs_load("/", &runs, &error), -1);
	assert_non_null(strstr(error.text, "is a directory: expected a file of results"));
}

static int empty(void **state)
{
	(void)state;
	lm_runs_free(&runs);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_suite7),
		cmocka_unit_test(test_suite7_appended),
		cmocka_unit_test(test_console),
		cmocka_unit_test(test_reaim),
		cmocka_unit_test(test_reaim_files),
		cmocka_unit_test(test_posted),
		cmocka_unit_test(test_posted_layouts),
		cmocka_unit_test(test_own_table),
		cmocka_unit_test(test_line_ends_and_quotes),
		cmocka_unit_test(test_extra_columns),
		cmocka_unit_test(test_invalid_marks),
		cmocka_unit_test(test_columns_of_names),
		cmocka_unit_test(test_rows_stay_apart),
		cmocka_unit_test(test_throughput_alone),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_wrapped_heading),
		cmocka_unit_test(test_cut_rows),
		cmocka_unit_test(test_damaged_rows_of_long_names),
		cmocka_unit_test(test_rows_without_figures),
		cmocka_unit_test(test_wrapped_names),
		cmocka_unit_test(test_sentences_below_a_table),
		cmocka_unit_test(test_columns_of_several_names),
		cmocka_unit_test(test_headings),
		cmocka_unit_test(test_headings_that_are_workloads),
		cmocka_unit_test(test_side_by_side),
		cmocka_unit_test(test_side_by_side_refused),
		cmocka_unit_test(test_bars_without_borders),
		cmocka_unit_test(test_cut_in_the_middle),
		cmocka_unit_test(test_several_tables),
		cmocka_unit_test(test_bad_cells),
		cmocka_unit_test(test_odd_cells),
		cmocka_unit_test(test_no_rows),
		cmocka_unit_test(test_prose),
		cmocka_unit_test(test_binary),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_many_labels),
		cmocka_unit_test(test_recognised),
		cmocka_unit_test(test_dates),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_locale),
		cmocka_unit_test(test_corpus),
		cmocka_unit_test(test_load),
	};

	return cmocka_run_group_tests(tests, NULL, empty);
}
