/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The journal read back, written again, and compared with a plan. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "formats/journal.h"
#include "formats/journal_json.h"
#include "formats/readers.h"
#include "model/figures.h"
#include "model/mix.h"
#include "model/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A run of a mix of two kinds, 3 jobs a task. Of the first step: 2 tasks are 6 jobs; in 4 s that is
 * 90 a minute, 45 a task, 0.75 a second and task. */
#define MIX                                                                              \
	"\"mix\":[{\"kind\":\"add_int\",\"label\":\"add_int\",\"weight\":2,\"jobs\":2}," \
	"{\"kind\":\"disk_rd\",\"label\":\"disk_rd block=64K\",\"weight\":1,\"jobs\":1}]"
#define PLAN                                                                                  \
	"\"plan\":{\"workload\":\"tiny\",\"sweep\":[{\"start\":2,\"end\":4,\"increment\":1}," \
	"{\"start\":9,\"end\":9,\"increment\":1}],\"sync\":true,\"start_delay\":false,"       \
	"\"seed\":9223372036854775807,\"cpus\":null,\"period_s\":0.0}"
#define ENVIRONMENT                                                                      \
	"\"environment\":{\"host\":{\"name\":\"box\"},\"kernel\":{\"release\":\"6.1\"}," \
	"\"cpu\":{\"online\":8.0,\"smt\":null}}"
#define HEAD                                                                                     \
	"{\"type\":\"run\",\"schema\":1,\"loadmix\":\"0.9\",\"label\":\"a \\\"b\\\"\","          \
	"\"started\":\"2026-01-02T03:04:05Z\",\"jobs_per_task\":3," PLAN "," MIX "," ENVIRONMENT \
	"}\n"
#define KIND_A                                                                                \
	"{\"kind\":\"add_int\",\"unit\":\"Adds\",\"operations\":4000.0,\"jobs\":4,"           \
	"\"elapsed_s\":2.0,\"user_s\":1.0,\"system_s\":0.25,\"min_s\":0.25,\"median_s\":0.5," \
	"\"p99_s\":0.75,\"max_s\":0.75}"
#define KIND_B                                                                                \
	"{\"kind\":\"disk_rd block=64K\",\"unit\":\"Reads\",\"operations\":128.0,\"jobs\":2," \
	"\"elapsed_s\":3.0,\"user_s\":0.5,\"system_s\":0.25,\"min_s\":1.0,\"median_s\":1.0,"  \
	"\"p99_s\":2.0,\"max_s\":2.0}"
#define FIGURES                                                                         \
	"\"jobs_per_min\":90.0,\"jti\":97,\"real_s\":4.0,\"cpu_s\":2.0,\"user_s\":1.5," \
	"\"system_s\":0.5,\"jobs_per_min_task\":45.0,\"jobs_per_s_task\":0.75,\"stddev_s\":0.125"
#define STEP(INDEX)                                                                          \
	"{\"type\":\"step\",\"index\":" #INDEX ",\"iteration\":1,"                           \
	"\"ended\":\"2026-01-02T03:05:05Z\",\"tasks\":2,\"valid\":true,\"jobs_per_task\":3," \
	"\"jobs_done\":6,\"file_kib\":64,\"deadline_s\":3720.0," FIGURES                     \
	",\"files_s\":0.5,\"ready_s\":0.25,\"outside_s\":0.75,\"problem_total\":0,"          \
	"\"problems\":[],\"kinds\":[" KIND_A "," KIND_B                                      \
	"],\"system\":{\"cpu\":{\"idle_s\":1.5,\"steal_s\":null}}}\n"
/* 4 of 6 jobs in 4 s: 60 a minute, 30 a task, 0.5 a second and task */
#define BAD_STEP                                                                              \
	"{\"type\":\"step\",\"index\":2,\"iteration\":2,\"ended\":\"2026-01-02T03:06:05Z\","  \
	"\"tasks\":2,\"valid\":false,\"jobs_per_task\":3,\"jobs_done\":4,\"file_kib\":64,"    \
	"\"deadline_s\":3720.0,\"jobs_per_min\":60.0,\"jti\":0,\"real_s\":4.0,\"cpu_s\":2.0," \
	"\"user_s\":1.5,\"system_s\":0.5,\"jobs_per_min_task\":30.0,\"jobs_per_s_task\":0.5," \
	"\"stddev_s\":9.0,\"files_s\":0.5,\"ready_s\":0.25,\"outside_s\":0.75,"               \
	"\"problem_total\":2,\"problems\":[\"one\",\"two\"],\"kinds\":[],\"system\":{}}\n"
#define END                                                                               \
	"{\"type\":\"end\",\"ended\":\"2026-01-02T03:07:05Z\",\"steps\":2,\"invalid\":1," \
	"\"peak_jobs_per_min\":90.0,\"peak_tasks\":2,\"complete\":true,\"stopped\":null," \
	"\"sweeps\":[]}\n"
#define RESUME                                                                                     \
	"{\"type\":\"resume\",\"began\":\"2026-01-03T03:04:05Z\",\"loadmix\":\"0.9\",\"after\":1," \
	"\"was\":{\"kernel.release\":\"6.1\"},\"now\":{\"kernel.release\":\"6.2\"}}\n"

struct text {
	const char *bytes;
	size_t length, at;
};

static int get(void *state)
{
	struct text *t = state;

	return t->at < t->length ? (unsigned char)t->bytes[t->at++] : -1;
}

static int read_bytes(const char *bytes, size_t length, struct lm_runs *runs, struct lm_error *err)
{
	struct text text = { bytes, length, 0 };

	*runs = (struct lm_runs){ 0 };
	return lm_journal_read(get, &text, "j", runs, err);
}

static struct lm_runs read_good(const char *bytes)
{
	struct lm_runs runs;
	struct lm_error err = { 0 };

	if (read_bytes(bytes, strlen(bytes), &runs, &err) < 0)
		fail_msg("%s", err.text);
	return runs;
}

/* With the first place of old replaced; the caller frees it. */
static char *replaced(const char *text, const char *old, const char *new)
{
	const char *at = strstr(text, old);
	char *result;

	if (!at)
		fail_msg("'%s' is not in the text", old);
	if (asprintf(&result, "%.*s%s%s", (int)(at - text), text, new, at + strlen(old)) < 0)
		fail();
	return result;
}

static const struct lm_fact *fact(const struct lm_facts *facts, const char *key)
{
	for (size_t i = 0; i < facts->count; i++)
		if (strcmp(facts->items[i].key, key) == 0)
			return &facts->items[i];
	fail_msg("there is no fact %s", key);
	return NULL;
}

static void is_number(const struct lm_facts *facts, const char *key, double number)
{
	assert_int_equal(fact(facts, key)->type, LM_FACT_NUMBER);
	assert_true(fact(facts, key)->number == number);
}

static void is_text(const struct lm_facts *facts, const char *key, const char *text)
{
	assert_int_equal(fact(facts, key)->type, LM_FACT_TEXT);
	assert_string_equal(fact(facts, key)->text, text);
}

/* --- whole journals ------------------------------------------------------------------------ */

static void test_run(void **state)
{
	struct lm_runs runs = read_good(HEAD STEP(1) BAD_STEP END);
	const struct lm_run *run = runs.items;

	(void)state;
	assert_int_equal(runs.count, 1);
	assert_int_equal(runs.note_count, 0);
	assert_string_equal(run->source, "j");
	assert_int_equal(run->line, 1);
	assert_string_equal(run->format, "journal");
	assert_string_equal(run->label, "a \"b\"");
	assert_string_equal(run->workload, "tiny");
	assert_string_equal(run->machine, "box");
	assert_string_equal(run->version, "0.9");
	assert_string_equal(run->started, "2026-01-02T03:04:05Z");
	assert_int_equal(run->jobs_per_task, 3);
	assert_true(run->complete);
	assert_false(run->torn);
	assert_int_equal(run->good_bytes, strlen(HEAD STEP(1) BAD_STEP END));
	assert_int_equal(run->body_bytes, strlen(HEAD STEP(1) BAD_STEP));
	assert_int_equal(strlen(run->head_text), strlen(HEAD) - 1);
	assert_memory_equal(run->head_text, HEAD, strlen(HEAD) - 1);
	is_number(&run->plan, "sweep.0.start", 2);
	is_number(&run->plan, "sweep.1.end", 9);
	is_text(&run->plan, "sync", "true");
	is_text(&run->plan, "start_delay", "false");
	is_text(&run->plan, "seed", "9223372036854775807"); /* a double would round it */
	assert_int_equal(fact(&run->plan, "cpus")->type, LM_FACT_NULL);
	is_text(&run->environment, "kernel.release", "6.1");
	is_number(&run->environment, "cpu.online", 8);
	assert_int_equal(fact(&run->environment, "cpu.smt")->type, LM_FACT_NULL);
	lm_runs_free(&runs);
}

static void check_kinds(const struct lm_record *r)
{
	assert_int_equal(r->kind_count, 2);
	assert_string_equal(r->kinds[0].name, "add_int");
	assert_string_equal(r->kinds[0].unit, "Adds");
	assert_int_equal(r->kinds[0].jobs, 4);
	assert_true(r->kinds[0].operations == 4000 && r->kinds[0].elapsed_s == 2);
	assert_true(r->kinds[0].user_s == 1 && r->kinds[0].system_s == 0.25);
	assert_true(r->kinds[0].min_s == 0.25 && r->kinds[0].median_s == 0.5);
	assert_true(r->kinds[0].p99_s == 0.75 && r->kinds[0].max_s == 0.75);
	assert_string_equal(r->kinds[1].name, "disk_rd block=64K");
	assert_string_equal(r->kinds[1].unit, "Reads");
}

static void test_steps(void **state)
{
	struct lm_runs runs = read_good(HEAD STEP(1) BAD_STEP END);
	const struct lm_record *r = runs.items->records;

	(void)state;
	assert_int_equal(runs.items->count, 2);
	assert_int_equal(r->step, 1);
	assert_int_equal(r->iteration, 1);
	assert_int_equal(r->tasks, 2);
	assert_int_equal(r->jobs_per_task, 3);
	assert_int_equal(r->jobs_done, 6);
	assert_int_equal(r->file_kib, 64);
	assert_int_equal(r->line, 2);
	assert_string_equal(r->ended, "2026-01-02T03:05:05Z");
	assert_true(r->valid);
	assert_int_equal(r->unknown, 0);
	assert_true(r->deadline_s == 3720 && r->real_s == 4 && r->cpu_s == 2);
	assert_true(r->user_s == 1.5 && r->system_s == 0.5 && r->stddev_s == 0.125);
	assert_true(r->jobs_per_min == 90 && r->jobs_per_min_task == 45);
	assert_true(r->jobs_per_s_task == 0.75);
	assert_int_equal(r->jti, 97);
	assert_true(r->files_s == 0.5 && r->ready_s == 0.25 && r->outside_s == 0.75);
	check_kinds(r);
	is_number(&r->system, "cpu.idle_s", 1.5);
	assert_int_equal(fact(&r->system, "cpu.steal_s")->type, LM_FACT_NULL);
	r++;
	assert_int_equal(r->iteration, 2);
	assert_false(r->valid);
	assert_int_equal(r->problem_total, 2);
	assert_int_equal(r->problem_count, 2);
	assert_string_equal(r->problems[1], "two");
	assert_int_equal(r->jobs_done, 4);
	lm_runs_free(&runs);
}

static void test_broken_off(void **state)
{
	struct lm_runs runs = read_good(HEAD STEP(1));
	char *stopped =
		replaced(HEAD STEP(1) BAD_STEP END, "\"complete\":true", "\"complete\":false");

	(void)state;
	assert_false(runs.items->complete);
	assert_false(runs.items->torn);
	assert_null(runs.items->tail_text);
	lm_runs_free(&runs);
	runs = read_good(stopped);
	assert_int_equal(runs.items->count, 2);
	assert_false(runs.items->complete);
	assert_non_null(runs.items->tail_text);
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);
	free(stopped);
}

/* It ended because its third step could not be stored. */
static void test_full_disk(void **state)
{
	char *text = replaced(HEAD STEP(1) BAD_STEP END, "\"complete\":true", "\"complete\":false");
	char *more = replaced(text, "\"steps\":2", "\"steps\":3");
	struct lm_runs runs = read_good(more);

	(void)state;
	assert_int_equal(runs.note_count, 0);
	lm_runs_free(&runs);
	free(more);
	more = replaced(text, "\"steps\":2", "\"steps\":4");
	runs = read_good(more);
	assert_int_equal(runs.note_count, 1);
	lm_runs_free(&runs);
	free(more);
	free(text);
}

static void test_several(void **state)
{
	struct lm_runs runs = read_good(HEAD STEP(1) HEAD "\r\n" HEAD STEP(1) BAD_STEP END);

	(void)state;
	assert_int_equal(runs.count, 3);
	assert_int_equal(runs.note_count, 0);
	assert_int_equal(runs.items[0].count, 1);
	assert_int_equal(runs.items[1].count, 0);
	assert_int_equal(runs.items[1].line, 3);
	assert_int_equal(runs.items[2].line, 5);
	assert_int_equal(runs.items[2].count, 2);
	assert_false(runs.items[0].complete || runs.items[1].complete);
	assert_true(runs.items[2].complete);
	lm_runs_free(&runs);
}

/* A torn line, and the first of another journal behind it: its steps must not become the first's.
 */
static void test_glued(void **state)
{
	struct lm_runs runs = read_good(HEAD "{\"type\":\"step\",\"ind" HEAD STEP(1));

	(void)state;
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.items[0].count, 0);
	assert_int_equal(runs.items[1].count, 1);
	assert_memory_equal(runs.items[1].head_text, HEAD, strlen(HEAD) - 1);
	assert_int_equal(runs.note_count, 1);
	assert_int_equal(runs.notes[0].line, 2);
	lm_runs_free(&runs);
}

static void test_resumed(void **state)
{
	struct lm_runs runs = read_good(HEAD STEP(1) RESUME BAD_STEP END);

	(void)state;
	assert_int_equal(runs.note_count, 0);
	assert_int_equal(runs.items->count, 2);
	is_number(&runs.items->environment, "resumed.1.after", 1);
	is_text(&runs.items->environment, "resumed.1.was.kernel.release", "6.1");
	is_text(&runs.items->environment, "resumed.1.now.kernel.release", "6.2");
	lm_runs_free(&runs);
	runs = read_good(HEAD RESUME STEP(1));
	assert_int_equal(runs.note_count, 1);
	lm_runs_free(&runs);
}

/* --- torn ones ----------------------------------------------------------------------------- */

/* Cut anywhere behind the first line: the whole lines are there, the rest is torn. */
static void test_cut(void **state)
{
	static const char text[] = HEAD STEP(1) BAD_STEP END;
	size_t head = strlen(HEAD), one = head + strlen(STEP(1)), two = one + strlen(BAD_STEP);

	(void)state;
	for (size_t length = head; length < sizeof(text); length++) {
		size_t good = length < one ? head : length < two ? one : two;
		struct lm_runs runs;

		if (length == sizeof(text) - 1)
			good = length;
		assert_int_equal(read_bytes(text, length, &runs, NULL), 0);
		assert_int_equal(runs.note_count, 0);
		assert_int_equal(runs.items->torn, length != good);
		assert_int_equal(runs.items->good_bytes, good);
		assert_int_equal(runs.items->count, length < one ? 0 : length < two ? 1 : 2);
		assert_int_equal(runs.items->complete, length == sizeof(text) - 1);
		lm_runs_free(&runs);
	}
}

static void test_cut_head(void **state)
{
	(void)state;
	for (size_t length = 0; length < strlen(HEAD); length++) {
		struct lm_error err = { 0 };
		struct lm_runs runs;

		assert_int_equal(read_bytes(HEAD, length, &runs, &err), -1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_non_null(strstr(err.text, length ? "no whole line" : "is empty"));
		lm_runs_free(&runs);
	}
}

/* What a crash can leave: a last line of anything. */
static void test_torn_tails(void **state)
{
	static const char zeros[64];
	static const struct {
		const char *bytes;
		size_t length;
	} tails[] = { { zeros, 64 },     { "}\n", 2 },        { "\0\0\0\n", 4 }, { "[1]\n", 4 },
		      { "\"step\"", 6 }, { "\xff\xfe\n", 3 }, { "{}", 2 } };

	(void)state;
	for (size_t i = 0; i < COUNT(tails); i++) {
		char text[8192];
		size_t length = strlen(HEAD STEP(1));
		struct lm_runs runs;

		memcpy(text, HEAD STEP(1), length);
		memcpy(text + length, tails[i].bytes, tails[i].length);
		assert_int_equal(read_bytes(text, length + tails[i].length, &runs, NULL), 0);
		assert_true(runs.items->torn);
		assert_int_equal(runs.items->good_bytes, length);
		assert_int_equal(runs.items->body_bytes, length);
		assert_int_equal(runs.items->count, 1);
		assert_int_equal(runs.note_count, 0);
		lm_runs_free(&runs);
	}
}

/* --- broken ones --------------------------------------------------------------------------- */

static const struct {
	const char *old, *new, *why;
} broken_steps[] = {
	{ "\"index\":1,", "", "'index' is missing" },
	{ "\"iteration\":1,", "", "'iteration' is missing" },
	{ "\"iteration\"", "\"itepation\"", "'iteration' is missing" },
	{ "\"deadline_s\":3720.0,", "", "'deadline_s' is missing" },
	{ "\"index\":1", "\"index\":0", "0" },
	{ "\"index\":1", "\"index\":\"1\"", "'index'" },
	{ "\"iteration\":1", "\"iteration\":0", "0" },
	{ "\"tasks\":2", "\"tasks\":0", "0" },
	{ "\"tasks\":2", "\"tasks\":-2", "'tasks'" },
	{ "\"tasks\":2", "\"tasks\":1000001", "'tasks'" },
	{ "\"tasks\":2", "\"tasks\":2.5", "'tasks'" },
	{ "\"tasks\":2", "\"tasks\":null", "'tasks' is null" },
	{ "\"tasks\":2", "\"tasks\":3", "do not agree" },
	{ "\"valid\":true", "\"valid\":1", "'valid'" },
	{ "\"valid\":true", "\"valid\":false", "validity" },
	{ "\"jobs_per_task\":3", "\"jobs_per_task\":4", "4 jobs per task" },
	{ "\"jobs_done\":6", "\"jobs_done\":5", "do not agree" },
	{ "\"jobs_done\":6", "\"jobs_done\":-6", "'jobs_done'" },
	{ "\"jobs_per_min\":90.0", "\"jobs_per_min\":91.0", "do not agree" },
	{ "\"jobs_per_min\":90.0,", "", "'jobs_per_min' is missing" },
	{ "\"jti\":97", "\"jti\":101", "'jti'" },
	{ "\"jti\":97", "\"jti\":-1", "'jti'" },
	{ "\"real_s\":4.0", "\"real_s\":5.0", "do not agree" },
	{ "\"real_s\":4.0", "\"real_s\":-4.0", "'real_s'" },
	{ "\"real_s\":4.0", "\"real_s\":1e300", "'real_s'" },
	{ "\"real_s\":4.0", "\"real_s\":[4]", "'real_s'" },
	{ "\"cpu_s\":2.0", "\"cpu_s\":2.1", "do not agree" },
	{ "\"jobs_per_min_task\":45.0", "\"jobs_per_min_task\":4.5", "do not agree" },
	{ "\"jobs_per_s_task\":0.75", "\"jobs_per_s_task\":0.74", "do not agree" },
	{ "\"stddev_s\":0.125", "\"stddev_s\":false", "'stddev_s'" },
	{ "\"outside_s\":0.75,", "", "'outside_s'" },
	{ "\"ended\":\"2026", "\"ended\":\"a time that is longer than any of ours 2026",
	  "'ended'" },
	{ "\"problem_total\":0", "\"problem_total\":1", "validity" },
	{ "\"problems\":[]", "\"problems\":[\"x\"]", "validity" },
	{ "\"problems\":[]", "\"problems\":{}", "'problems'" },
	{ "\"kinds\":[{", "\"kinds\":[7,{", "row 1 of its kinds" },
	{ "\"kinds\":[{", "\"kinds\":{\"a\":[{}],\"b\":[{", "no JSON" },
	{ "\"kind\":\"add_int\"", "\"kind\":\"add_jnt\"", "not in the mix" },
	{ "\"unit\":\"Adds\"", "\"unit\":7", "'unit'" },
	{ "\"jobs\":4", "\"jobs\":3", "kinds together" },
	{ "\"elapsed_s\":2.0", "\"elapsed_s\":4.0", "times of add_int" },
	{ "\"elapsed_s\":2.0", "\"elapsed_s\":0.5", "times of add_int" },
	{ "\"min_s\":0.25", "\"min_s\":0.6", "order" },
	{ "\"median_s\":0.5", "\"median_s\":0.8", "order" },
	{ "\"p99_s\":0.75", "\"p99_s\":7.5", "order" },
	{ "\"system\":{", "\"system\":[{", "no JSON" },
	{ "\"system\":{\"cpu\"", "\"systen\":{\"cpu\"", "'system' is missing" },
	{ "\"type\":\"step\"", "\"type\":\"stop\"", "unknown type 'stop'" },
	{ "\"type\":\"step\"", "\"type\":3", "unknown type" },
	{ "\"type\":\"step\"", "\"type\":\"st\xe5p\"", "no JSON" },
	{ "{\"type\"", "{\"type", "no JSON" },
};

static void test_broken_steps(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(broken_steps); i++) {
		char *step = replaced(STEP(1), broken_steps[i].old, broken_steps[i].new), *text;
		struct lm_runs runs;

		assert_true(asprintf(&text, "%s%s%s", HEAD, step, BAD_STEP) > 0);
		runs = read_good(text);
		assert_true(runs.note_count >= 1);
		if (runs.notes[0].line != 2 || !strstr(runs.notes[0].text, broken_steps[i].why))
			fail_msg("%s: line %ld, %s", broken_steps[i].new, runs.notes[0].line,
				 runs.notes[0].text);
		/* the other is good */
		assert_int_equal(runs.items->count, 1);
		assert_int_equal(runs.items->records[0].step, 2);
		lm_runs_free(&runs);
		free(text);
		free(step);
	}
}

/* What nobody needs may be missing, and what nobody knows may be there. */
static void test_growth(void **state)
{
	static const struct {
		const char *old, *new;
	} cases[] = {
		{ "\"index\":1", "\"new\":[{\"x\":{}}],\"index\":1" },
		{ "\"unit\":\"Adds\"", "\"unit\":\"Adds\",\"new\":null" },
		{ "\"schema\":1", "\"schema\":1,\"newer\":{\"a\":[1]}" },
		{ "\"label\":\"disk_rd block=64K\",", "\"label\":\"disk_rd block=64K\",\"z\":1," },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *text = replaced(HEAD STEP(1), cases[i].old, cases[i].new);
		struct lm_runs runs = read_good(text);

		assert_int_equal(runs.note_count, 0);
		assert_int_equal(runs.items->count, 1);
		assert_int_equal(runs.items->records[0].iteration, 1);
		lm_runs_free(&runs);
		free(text);
	}
}

static void test_unknown(void **state)
{
	static const char *const names[] = { "\"jobs_per_min\":90.0", "\"jti\":97", "\"cpu_s\":2.0",
					     "\"stddev_s\":0.125" };
	static const char *const nulls[] = { "\"jobs_per_min\":null", "\"jti\":null",
					     "\"cpu_s\":null", "\"stddev_s\":null" };
	char *text = strdup(HEAD STEP(1));
	struct lm_runs runs;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		char *next = replaced(text, names[i], nulls[i]);

		free(text);
		text = next;
	}
	runs = read_good(text);
	assert_int_equal(runs.note_count, 0);
	assert_false(lm_figure_known(runs.items->records, LM_FIG_JOBS_PER_MIN));
	assert_false(lm_figure_known(runs.items->records, LM_FIG_JTI));
	assert_false(lm_figure_known(runs.items->records, LM_FIG_STDDEV));
	assert_true(lm_figure_known(runs.items->records, LM_FIG_CPU)); /* user + system */
	assert_true(lm_figure_known(runs.items->records, LM_FIG_REAL));
	lm_runs_free(&runs);
	free(text);
}

static const struct {
	const char *old, *new, *why;
} broken_heads[] = {
	{ "\"schema\":1", "\"schema\":2", "schema is 2" },
	{ "\"schema\":1", "\"schema\":0", "schema is 0" },
	{ "\"schema\":1,", "", "'schema' is missing" },
	{ "\"type\":\"run\"", "\"type\":\"ruin\"", "is no journal" },
	{ "\"type\":\"run\"", "\"type\":null", "is no journal" },
	{ "\"label\":\"a", "\"label\":7,\"x\":\"a", "'label'" },
	{ "\"jobs_per_task\":3", "\"jobs_per_task\":-3", "'jobs_per_task'" },
	{ "\"plan\":{", "\"plan\":7,\"other\":{", "'plan'" },
	{ "\"mix\":[", "\"mix\":[3,", "entry 1 of its mix" },
	{ "\"mix\":[", "\"nix\":[", "'mix' is missing" },
	{ "\"environment\":{", "\"environment\":true,\"x\":{", "'environment'" },
};

static void test_broken_heads(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(broken_heads); i++) {
		char *text = replaced(HEAD STEP(1), broken_heads[i].old, broken_heads[i].new);
		struct lm_error err = { 0 };
		struct lm_runs runs;

		assert_int_equal(read_bytes(text, strlen(text), &runs, &err), -1);
		assert_int_equal(err.code, LM_ERR_INPUT);
		assert_int_equal(err.line, 1);
		if (!strstr(err.text, broken_heads[i].why))
			fail_msg("%s: %s", broken_heads[i].new, err.text);
		lm_runs_free(&runs);
		free(text);
	}
}

/* Lines that are whole and stand where they should not. */
static void test_places(void **state)
{
	static const struct {
		const char *text, *why;
		long line;
		size_t steps;
	} cases[] = {
		{ HEAD STEP(1) STEP(1) STEP(2), "step 1 comes after step 1", 3, 1 },
		{ HEAD STEP(2) STEP(1), "step 1 comes after step 2", 3, 1 },
		{ HEAD STEP(1) STEP(4) STEP(5), "step 4 comes after step 1", 3, 3 },
		{ HEAD STEP(1) BAD_STEP END STEP(3), "after the end", 5, 2 },
		{ HEAD STEP(1) BAD_STEP END END, "second end", 5, 2 },
		{ HEAD STEP(1) BAD_STEP END RESUME, "after its end", 5, 2 },
		{ HEAD STEP(1) END, "other steps", 3, 1 },
		{ HEAD "{}\n" STEP(1), "unknown type", 2, 1 },
		/* a line that may have been another run's first */
		{ HEAD "{\"type\":\"rum\",\"schema\":1}\n" STEP(1), "unknown type 'rum'", 2, 0 },
		{ HEAD "{\"type\":\"run\",\n" STEP(1), "may have begun another run", 3, 0 },
		{ HEAD STEP(1) "{\"type\":\"run\",\n" STEP(2), "may have begun another run", 4, 1 },
		{ HEAD STEP(1) "{\"type\":\"step\",\n" STEP(3), "what is between is not there", 4,
		  2 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct lm_error err = { 0 };
		struct lm_runs runs;

		assert_int_equal(read_bytes(cases[i].text, strlen(cases[i].text), &runs, &err), 0);
		if (cases[i].steps != runs.items->count)
			fail_msg("%s: %zu steps", cases[i].why, runs.items->count);
		/* index 2 before 1 is a gap as well */
		assert_in_range(runs.note_count, 1, 2);
		assert_int_equal(runs.notes[runs.note_count - 1].line, cases[i].line);
		assert_non_null(strstr(runs.notes[runs.note_count - 1].text, cases[i].why));
		lm_runs_free(&runs);
	}
}

/* Whatever bit falls over: no crash, and no figure of the step is another without a note. */
static void test_bits(void **state)
{
	char text[] = HEAD STEP(1) BAD_STEP END;
	size_t first = strlen(HEAD),
	       last = first + (size_t)(strstr(STEP(1), "\"stddev_s\"") - STEP(1));
	size_t unseen = 0;

	(void)state;
	for (size_t i = 0; i < 8 * (sizeof(text) - 1); i++) {
		const struct lm_record *r;
		struct lm_runs runs;
		bool good;

		text[i / 8] ^= (char)(1 << i % 8);
		good = read_bytes(text, sizeof(text) - 1, &runs, NULL) == 0 &&
		       runs.note_count == 0 && !runs.items->torn;
		r = good && runs.items->count ? runs.items->records : NULL;
		if (r && i / 8 >= first && i / 8 < last)
			unseen += r->tasks != 2 || r->jobs_done != 6 || r->real_s != 4 ||
				  r->jobs_per_min != 90 || r->cpu_s != 2 || r->user_s != 1.5 ||
				  r->jobs_per_min_task != 45 || r->jobs_per_s_task != 0.75;
		lm_runs_free(&runs);
		text[i / 8] ^= (char)(1 << i % 8);
	}
	assert_int_equal(unseen, 0);
}

/* --- what somebody might do ---------------------------------------------------------------- */

static void test_hostile(void **state)
{
	size_t deep = 1000000;
	char *text = malloc(deep + 2);
	struct lm_runs runs;

	(void)state;
	assert_non_null(text);
	memset(text, '[', deep);
	assert_int_equal(read_bytes(text, deep, &runs, NULL), -1);
	lm_runs_free(&runs);
	memset(text, '\0', deep);
	assert_int_equal(read_bytes(text, deep, &runs, NULL), -1);
	lm_runs_free(&runs);
	free(text);
	runs = read_good("{\"type\":\"run\",\"schema\":1,\"jobs_per_task\":null,\"mix\":null,"
			 "\"plan\":{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{\"f\":{\"g\":1}}}}}}},"
			 "\"environment\":{\"a.b\":1}}\n");
	assert_int_equal(runs.note_count, 1);
	assert_int_equal(runs.items->plan.count, 0);
	is_number(&runs.items->environment, "a.b", 1);
	lm_runs_free(&runs);
}

static void test_names(void **state)
{
	struct lm_runs runs = { 0 };
	const char *names[1000];
	char text[16];

	(void)state;
	for (unsigned i = 0; i < COUNT(names); i++) {
		snprintf(text, sizeof(text), "kind %u", i);
		names[i] = lm_runs_name(&runs, text, NULL);
		assert_string_equal(names[i], text);
	}
	for (unsigned i = 0; i < COUNT(names); i++) {
		snprintf(text, sizeof(text), "kind %u", i);
		assert_ptr_equal(lm_runs_name(&runs, text, NULL), names[i]);
	}
	assert_int_equal(runs.name_count, COUNT(names));
	lm_runs_free(&runs);
}

/* --- writing ------------------------------------------------------------------------------- */

static char *written(const struct lm_runs *runs)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	assert_non_null(f);
	for (size_t i = 0; i < runs->count; i++)
		assert_int_equal(lm_journal_write(&runs->items[i], f, NULL), 0);
	assert_int_equal(fclose(f), 0);
	return text;
}

/* JSON equal line by line: key order means nothing. */
static void same_lines(const char *a, const char *b)
{
	while (*a && *b) {
		json_t *x = json_loads(a, JSON_DISABLE_EOF_CHECK, NULL);
		json_t *y = json_loads(b, JSON_DISABLE_EOF_CHECK, NULL);

		if (!x || !json_equal(x, y))
			fail_msg("%.300s is not %.300s", b, a);
		json_decref(x);
		json_decref(y);
		a = strchr(a, '\n') + 1;
		b = strchr(b, '\n') + 1;
	}
	assert_int_equal(*a, *b);
}

static void test_round_trip(void **state)
{
	static const char *const texts[] = {
		HEAD STEP(1) BAD_STEP END,
		HEAD STEP(1),
		HEAD,
		HEAD STEP(1) RESUME BAD_STEP END,
		HEAD STEP(1) RESUME RESUME,
		HEAD STEP(1) HEAD STEP(1) BAD_STEP END,
	};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct lm_runs runs = read_good(texts[i]);
		char *text = written(&runs);

		same_lines(texts[i], text);
		lm_runs_free(&runs);
		free(text);
	}
}

/* A run from elsewhere tells three figures and a name. */
static void add_foreign(struct lm_runs *runs)
{
	struct lm_run *run = lm_runs_add(runs, "post", 7, "posted", NULL);
	struct lm_record *r;

	assert_non_null(run);
	assert_int_equal(lm_run_text(&run->label, "2.5.70", NULL), 0);
	assert_int_equal(lm_run_text(&run->workload, "fserver", NULL), 0);
	assert_int_equal(lm_run_text(&run->machine, "m\xff", NULL), 0);
	assert_int_equal(lm_facts_text(&run->environment, "title", "x"), 0);
	assert_int_equal(lm_facts_text(&run->environment, "title.sub", "y"), 0);
	r = lm_run_step(run, 8, NULL);
	assert_non_null(r);
	r->tasks = 4;
	lm_figure_set(r, LM_FIG_JOBS_PER_MIN, 79.0); /* rounded: 79.0 * 306.9 / 60 / 4 is 101.02 */
	lm_figure_set(r, LM_FIG_REAL, 306.9);
}

static void check_foreign(const struct lm_run *run)
{
	const struct lm_record *r = run->records;

	assert_string_equal(run->format, "posted");
	assert_string_equal(run->label, "2.5.70");
	assert_string_equal(run->workload, "fserver");
	assert_string_equal(run->machine, "m\\xff"); /* JSON is UTF-8 */
	assert_string_equal(run->version, "");
	assert_true(run->complete);
	assert_int_equal(run->count, 1);
	is_text(&run->environment, "title", "x");
	is_text(&run->environment, "title.sub", "y");
	assert_true(r->real_s == 306.9 && r->jobs_per_min == 79.0);
	assert_int_equal(r->jobs_per_task, 0); /* not told */
	assert_false(lm_figure_known(r, LM_FIG_CPU));
	assert_false(lm_figure_known(r, LM_FIG_JTI));
	assert_true(r->valid);
}

static void test_foreign(void **state)
{
	struct lm_runs runs = { 0 }, again;
	char *text, *twice;

	(void)state;
	add_foreign(&runs);
	text = written(&runs);
	assert_non_null(strstr(text, "\"plan\":null"));
	assert_non_null(strstr(text, "\"jti\":null"));
	assert_non_null(strstr(text, "\"jobs_done\":null"));
	again = read_good(text);
	assert_int_equal(again.note_count, 0);
	check_foreign(again.items);
	twice = written(&again);
	lm_runs_free(&again);
	again = read_good(twice);
	assert_int_equal(again.note_count, 0);
	check_foreign(again.items);
	lm_runs_free(&again);
	lm_runs_free(&runs);
	free(text);
	free(twice);
}

/* --- a plan that is another ---------------------------------------------------------------- */

static const struct lm_job kind_a = { .name = "add_int", .unit = "Adds" };
static const struct lm_job kind_b = { .name = "mul_int", .unit = "Muls" };

static struct lm_run head_of(const struct lm_plan *plan, const struct lm_facts *environment)
{
	size_t length;
	struct lm_run run = { .head_text = lm_journal_dump(lm_journal_run_line(plan, environment),
							   &length) };

	assert_non_null(run.head_text);
	run.head_text[length - 1] = '\0';
	return run;
}

static void changes_are(const struct lm_journal_changes *changes, const char *keys)
{
	char text[1024] = "";

	for (size_t i = 0; i < changes->count; i++) {
		strcat(text, changes->items[i].key);
		strcat(text, " ");
	}
	assert_string_equal(text, keys);
}

struct example {
	struct lm_mix mix;
	struct lm_range ranges[2];
	struct lm_plan plan;
};

static void make_example(struct example *e)
{
	static const char *const dirs[] = { "/d", "/e" };
	static const char *const argv[] = { "loadmix", "run", NULL };

	*e = (struct example){ .ranges = { { 1, 4, 1 }, { 9, 9, 1 } } };
	e->mix.name = strdup("m");
	e->mix.path = strdup("/w");
	assert_int_equal(lm_mix_add(&e->mix, &kind_a, 2, 1), 0);
	assert_int_equal(lm_mix_add(&e->mix, &kind_b, 1, 2), 0);
	e->plan = (struct lm_plan){ .mix = &e->mix,
				    .sweep = { e->ranges, 1, .policy = "fixed" },
				    .jobs = 3,
				    .label = "",
				    .dirs = dirs,
				    .dir_count = 2,
				    .argv = argv,
				    .cwd = "/c" };
}

static void check_changes(const struct lm_run *run, const struct lm_plan *plan, const char *keys)
{
	struct lm_journal_changes changes = { 0 };

	assert_int_equal(lm_journal_plan_changes(run, plan, &changes, NULL), 0);
	changes_are(&changes, keys);
	lm_journal_changes_free(&changes);
}

static void test_plan_changes(void **state)
{
	const struct lm_facts none = { 0 };
	struct lm_run run, old;
	struct example e;

	(void)state;
	make_example(&e);
	run = head_of(&e.plan, &none);
	check_changes(&run, &e.plan, "");
	e.plan.seed = 7;
	e.mix.filesize_kib = 1;
	check_changes(&run, &e.plan, "plan.seed plan.filesize_kib ");
	e.plan.seed = 0;
	e.mix.filesize_kib = 0;
	e.ranges[0].end = 5;
	e.mix.entries[1].weight = 2;
	check_changes(&run, &e.plan, "plan.sweep.0.end mix.1.weight ");
	e.ranges[0].end = 4;
	e.mix.entries[1].weight = 1;
	e.plan.sweep.count = 2;
	e.plan.dir_count = 1;
	e.mix.count = 1;
	check_changes(&run, &e.plan, "plan.sweep.1 plan.dirs.1 mix.1 ");
	e.mix.count = 2;
	e.plan.sweep.count = 1;
	e.plan.dir_count = 2;
	/* a journal that is older than a field does not differ in it */
	old.head_text = replaced(run.head_text, "\"cwd\":\"/c\",", "");
	check_changes(&old, &e.plan, "");
	free(old.head_text);
	/* one that is newer does: nobody knows what it asks for */
	old.head_text = replaced(run.head_text, "\"cwd\":", "\"pace\":3,\"cwd\":");
	check_changes(&old, &e.plan, "plan.pace ");
	free(old.head_text);
	free(run.head_text);
	lm_mix_free(&e.mix);
}

/* The line of a journal whose environment is null tells of no change, and is one that can be read.
 */
static void test_no_environment(void **state)
{
	struct lm_facts now = { 0 };
	struct lm_journal_changes changes = { 0 };
	struct lm_run run;
	struct example e;
	char *text;
	size_t length;

	(void)state;
	make_example(&e);
	run = head_of(&e.plan, &now);
	text = replaced(run.head_text, "\"environment\":{}", "\"environment\":null");
	free(run.head_text);
	run.head_text = text;
	lm_facts_text(&now, "kernel.release", "6.2");
	assert_int_equal(lm_journal_environment_changes(&run, &now, &changes, NULL), 0);
	assert_int_equal(changes.count, 0);
	lm_journal_changes_free(&changes);
	text = lm_journal_dump(lm_journal_resume_line(&run, "", &now), &length);
	assert_non_null(text);
	assert_non_null(strstr(text, "\"was\":{},\"now\":{}"));
	free(text);
	free(run.head_text);
	lm_facts_free(&now);
	lm_mix_free(&e.mix);
}

/* What never is the same is a list of keys, not of words that are in them. */
static void test_unsteady(void **state)
{
	static const char *const told[] = { "cpu.available_governors", "directory_1.freezer",
					    "kernel.release" };
	static const char *const untold[] = { "memory.available_kib", "directory_1.free_kib",
					      "memory.huge_pages_free", "load.uptime_s",
					      "cgroup.path" };
	struct lm_facts was = { 0 }, now = { 0 };
	struct lm_journal_changes changes = { 0 };
	struct lm_run run;
	struct example e;

	(void)state;
	for (size_t i = 0; i < COUNT(told); i++) {
		lm_facts_text(&was, told[i], "a");
		lm_facts_text(&now, told[i], "b");
	}
	for (size_t i = 0; i < COUNT(untold); i++) {
		lm_facts_text(&was, untold[i], "a");
		lm_facts_text(&now, untold[i], "b");
	}
	make_example(&e);
	run = head_of(&e.plan, &was);
	assert_int_equal(lm_journal_environment_changes(&run, &now, &changes, NULL), 0);
	changes_are(&changes, "environment.cpu.available_governors environment.directory_1.freezer "
			      "environment.kernel.release ");
	lm_journal_changes_free(&changes);
	free(run.head_text);
	lm_facts_free(&was);
	lm_facts_free(&now);
	lm_mix_free(&e.mix);
}

static void test_environment_changes(void **state)
{
	struct lm_facts was = { 0 }, now = { 0 };
	struct lm_journal_changes changes = { 0 };
	struct lm_run run;
	struct example e;

	(void)state;
	make_example(&e);
	lm_facts_text(&was, "kernel.release", "6.1");
	lm_facts_number(&was, "memory.available_kib", 1);
	lm_facts_number(&was, "load.running", 1);
	lm_facts_number(&was, "cpu.online", 1.0 / 3);
	lm_facts_text(&was, "gone.fact", "x");
	lm_facts_text(&now, "kernel.release", "6.2");
	lm_facts_number(&now, "memory.available_kib", 2);
	lm_facts_number(&now, "load.running", 2);
	lm_facts_number(&now, "cpu.online", 1.0 / 3); /* stored with 12 digits */
	lm_facts_text(&now, "new.fact", "x");
	run = head_of(&e.plan, &was);
	assert_int_equal(lm_journal_environment_changes(&run, &now, &changes, NULL), 0);
	changes_are(&changes, "environment.kernel.release environment.gone ");
	assert_string_equal(changes.items[0].was, "\"6.1\"");
	assert_string_equal(changes.items[0].now, "\"6.2\"");
	assert_null(changes.items[1].now);
	lm_journal_changes_free(&changes);
	lm_facts_free(&was);
	lm_facts_free(&now);
	free(run.head_text);
	lm_mix_free(&e.mix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_broken_off),
		cmocka_unit_test(test_several),
		cmocka_unit_test(test_full_disk),
		cmocka_unit_test(test_glued),
		cmocka_unit_test(test_resumed),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_cut_head),
		cmocka_unit_test(test_torn_tails),
		cmocka_unit_test(test_broken_steps),
		cmocka_unit_test(test_growth),
		cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_broken_heads),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_bits),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_plan_changes),
		cmocka_unit_test(test_environment_changes),
		cmocka_unit_test(test_no_environment),
		cmocka_unit_test(test_unsteady),
	};

	return cmocka_run_group_tests_name("journal", tests, NULL, NULL);
}
