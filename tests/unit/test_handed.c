/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Listings that people posted, with the cells that are expected of them: data/handed/index.tsv in
 * the directory $LOADMIX_SHARED, or in ../shared beside the source. Skipped where there is none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/readers.h"
#include "model/figures.h"
#include "model/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_RUNS 64

/* No handed file is a journal. */
int lm_journal_read(lm_getbyte get, void *state, const char *source, struct lm_runs *out,
		    struct lm_error *err)
{
	(void)get;
	(void)state;
	(void)out;
	return lm_error_at(err, source, 0, 0, "was taken for a journal");
}

/* The directory of the listings; skips the test when there is none. */
static const char *handed(void)
{
	static char path[4096];
	const char *shared = getenv("LOADMIX_SHARED"), *source = getenv("LOADMIX_SRC");

	if (shared)
		snprintf(path, sizeof(path), "%s/data/handed", shared);
	else
		snprintf(path, sizeof(path), "%s/../shared/data/handed", source ? source : ".");
	if (access(path, R_OK) != 0)
		skip();
	return path;
}

static void load(const char *name, struct lm_runs *runs)
{
	struct lm_error err = { 0 };
	char path[8192];

	snprintf(path, sizeof(path), "%s/%s", handed(), name);
	*runs = (struct lm_runs){ 0 };
	if (lm_runs_load(path, runs, &err) < 0)
		fail_msg("%s: %s", name, err.text);
}

/* A posted table counts as one run there, and every kernel of it is one here: the runs that the
 * index means, as the first of ours that belongs to each. */
static size_t listed_runs(const struct lm_runs *runs, size_t first[MAX_RUNS])
{
	size_t n = 0;

	for (size_t i = 0; i < runs->count; i++) {
		bool same = n && strcmp(runs->items[i].format, "posted") == 0 &&
			    runs->items[i].line == runs->items[first[n - 1]].line;

		if (same)
			continue;
		assert_true(n < MAX_RUNS);
		first[n++] = i;
	}
	return n;
}

/* "2.5.69-mm3:32" or "32": the run and the step that are meant. */
static const struct lm_record *find_step(const struct lm_runs *runs, const struct lm_run **run,
					 const char *where)
{
	const char *colon = strrchr(where, ':');
	unsigned tasks = (unsigned)atoi(colon ? colon + 1 : where);
	const struct lm_record *found = NULL;

	for (; colon && *run < runs->items + runs->count; ++*run)
		if (strlen((*run)->label) == (size_t)(colon - where) &&
		    strncmp((*run)->label, where, (size_t)(colon - where)) == 0)
			break;
	assert_true(*run < runs->items + runs->count);
	for (size_t i = 0; i < (*run)->count && !found; i++)
		if ((*run)->records[i].tasks == tasks)
			found = &(*run)->records[i];
	return found;
}

static const struct {
	const char *column;
	enum lm_figure figure;
	const char *fact;
} columns[] = {
	{ "jobs_per_min", LM_FIG_JOBS_PER_MIN, NULL },
	{ "jti", LM_FIG_JTI, NULL },
	{ "real", LM_FIG_REAL, NULL },
	{ "cpu", LM_FIG_CPU, NULL },
	{ "user", LM_FIG_USER, NULL },
	{ "child_user", LM_FIG_USER, NULL },
	{ "child_sys", LM_FIG_SYSTEM, NULL },
	{ "jobs_per_min_per_task", LM_FIG_JOBS_PER_MIN_TASK, NULL },
	{ "jobs_per_sec_per_task", LM_FIG_JOBS_PER_S_TASK, NULL },
	{ "std_dev_time", LM_FIG_STDDEV, NULL },
	{ "idle_wait", LM_FIGURES, "posted.idle_wait_s" },
	{ "max_jobs_per_min", LM_FIGURES, "posted.max_jobs_per_min" },
};

static double fact(const struct lm_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].key, key) == 0)
			return facts->items[i].number;
	fail_msg("there is no %s", key);
	return 0;
}

static double cell(const struct lm_run *run, const struct lm_record *step, const char *column)
{
	size_t i = 0;

	while (i < sizeof(columns) / sizeof(columns[0]) && strcmp(columns[i].column, column) != 0)
		i++;
	if (i == sizeof(columns) / sizeof(columns[0]))
		fail_msg("the index has a column %s that this test does not know", column);
	if (columns[i].fact)
		return fact(step ? &step->system : &run->environment, columns[i].fact);
	assert_non_null(step);
	assert_true(lm_figure_known(step, columns[i].figure));
	return lm_figure_value(step, columns[i].figure);
}

/* The number has the text that stands in the index, digit for digit. */
static void check_number(const char *name, const char *what, double got, const char *want)
{
	const char *point = strchr(want, '.');
	char text[64];

	snprintf(text, sizeof(text), "%.*f", point ? (int)strlen(point + 1) : 0, got);
	if (strcmp(text, want) != 0)
		fail_msg("%s: %s is %s: expected %s", name, what, text, want);
}

/* "1/500/user=671.0" */
static void check_cell(const char *name, const struct lm_runs *runs, const size_t *first,
		       char *text)
{
	char *save = NULL, *number = strtok_r(text, "/", &save),
	     *where = strtok_r(NULL, "/", &save);
	char *column = strtok_r(NULL, "=", &save), *want = strtok_r(NULL, "", &save);
	const struct lm_run *run = &runs->items[first[atoi(number) - 1]];
	const struct lm_record *step = strcmp(where, "-") ? find_step(runs, &run, where) : NULL;

	if (strcmp(where, "-") != 0 && !step)
		fail_msg("%s: there is no step %s", name, where);
	if (strcmp(column, "machine") == 0)
		assert_string_equal(run->machine, want);
	else if (strcmp(column, "date") == 0)
		assert_string_equal(step->ended, want);
	else
		check_number(name, column, cell(run, step, column), want);
}

static bool is_format(const char *ours, const char *listed)
{
	if (strcmp(ours, "posted") == 0)
		return strcmp(listed, "seed-table") == 0;
	return strstr(listed, ours) != NULL;
}

static void check_file(char *line)
{
	char *save = NULL, *name = strtok_r(line, "\t", &save),
	     *format = strtok_r(NULL, "\t", &save);
	int run_count = atoi(strtok_r(NULL, "\t", &save)), rows = atoi(strtok_r(NULL, "\t", &save));
	char *quirks = strtok_r(NULL, "\t", &save), *cells = strtok_r(NULL, "\t\n", &save);
	size_t first[MAX_RUNS];
	struct lm_runs runs;

	assert_non_null(quirks);
	load(name, &runs);
	if (listed_runs(&runs, first) != (size_t)run_count)
		fail_msg("%s: %zu runs: expected %d", name, listed_runs(&runs, first), run_count);
	for (size_t i = 0; i < runs.count; i++) {
		rows -= (int)runs.items[i].count;
		if (!is_format(runs.items[i].format, format))
			fail_msg("%s: %s: expected %s", name, runs.items[i].format, format);
	}
	if (rows)
		fail_msg("%s: %d rows are missing", name, rows);
	save = NULL;
	for (char *text = strtok_r(cells, ";", &save), *inner; text;
	     text = strtok_r(NULL, ";", &save)) {
		inner = text + strspn(text, " ");
		check_cell(name, &runs, first, inner);
	}
	lm_runs_free(&runs);
}

static void test_index(void **state)
{
	char path[8192], *line = NULL;
	size_t size = 0, files = 0;
	FILE *index;

	(void)state;
	snprintf(path, sizeof(path), "%s/index.tsv", handed());
	index = fopen(path, "r");
	assert_non_null(index);
	assert_true(getline(&line, &size, index) > 0); /* the names of its columns */
	for (; getline(&line, &size, index) > 0; files++)
		check_file(line);
	assert_true(files > 0);
	free(line);
	fclose(index);
}

/* Every row of the three clean tables, digit for digit. */
static void check_seed_row(const char *name, const struct lm_runs *runs, char *line)
{
	static const char *const figures[] = { "jobs_per_min", "real", "cpu" };
	char *save = NULL, *kernel = strtok_r(line, "\t", &save), where[200];
	const struct lm_run *run = runs->items;
	const struct lm_record *step;

	snprintf(where, sizeof(where), "%s:%s", kernel, strtok_r(NULL, "\t", &save));
	step = find_step(runs, &run, where);
	if (!step)
		fail_msg("%s: there is no step %s", name, where);
	for (size_t i = 0; i < 3; i++)
		check_number(name, where, cell(run, step, figures[i]),
			     strtok_r(NULL, "\t\n", &save));
}

static void check_seed(const char *name, size_t rows)
{
	char path[8192], *line = NULL;
	struct lm_runs runs;
	size_t size = 0, n = 0;
	FILE *file;

	load(name, &runs);
	assert_int_equal(runs.note_count, 0);
	snprintf(path, sizeof(path), "%s/%s", handed(), name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(getline(&line, &size, file) > 0);
	for (; getline(&line, &size, file) > 0; n++)
		check_seed_row(name, &runs, line);
	assert_int_equal(n, rows);
	free(line);
	fclose(file);
	lm_runs_free(&runs);
}

/* Rows as the index counts them. */
static void test_seeds(void **state)
{
	(void)state;
	check_seed("seed-fserver.tsv", 23);
	check_seed("seed-dbase.tsv", 14);
	check_seed("seed-shared.tsv", 21);
}

/* What the files say that is no figure: looked up by hand. */
static void test_words(void **state)
{
	struct lm_runs runs;

	(void)state;
	load("suite7-vmemmap-2.6.22.ss", &runs);
	assert_string_equal(runs.items[0].started, "2007-06-01T07:17:24");
	assert_string_equal(runs.items[5].machine, "vmemmap");
	assert_string_equal(runs.items[5].label, "amd64 2 2-core, 4Gb and SATA, vmemmap");
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);

	load("suite7-alpha-2.4.9-ac18.ss", &runs);
	assert_string_equal(runs.items[1].label, "2.4.10-ac4");
	assert_string_equal(runs.items[1].version, "1.0");
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);

	load("mixed-ia64-2.6.20-rc1.txt", &runs);
	assert_string_equal(runs.items[3].label, "EXTREME (without drop_caches)");
	assert_string_equal(runs.items[7].label, "SPARSEMEM+VMEMMAP+your+patch");
	assert_string_equal(runs.items[7].records[9].ended, ""); /* the year was cut off */
	assert_int_equal(runs.note_count, 1);
	assert_int_equal(runs.notes[0].line, runs.items[7].records[9].line);
	lm_runs_free(&runs);

	load("reaim-ia64-new_dbase-16k.txt", &runs);
	assert_string_equal(runs.items[0].workload, "new_dbase");
	assert_int_equal(lm_run_jobs(&runs.items[0]), 103); /* as of that mix */
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);

	load("table-quad-2.5.70.txt", &runs);
	assert_string_equal(runs.items[0].workload, "dbase");
	assert_string_equal(runs.items[runs.count - 1].workload, "shared");
	assert_string_equal(runs.items[runs.count - 1].label, "2.5.70-mm3");
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_index),
		cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
