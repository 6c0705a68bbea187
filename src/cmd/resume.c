/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/resume.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cmd/cmd.h"
#include "formats/journal.h"
#include "formats/readers.h"
#include "model/harmless.h"
#include "model/metrics.h"
#include "model/next.h"
#include "model/runs.h"
#include "model/validity.h"

#define MAX_SHOWN 20 /* differences that are told */

/* --- the command line ---------------------------------------------------------------------- */

/* argp takes an option's name when it is cut short, down to where two names are the same. */
static bool is_option(const char *word, const char *name, size_t least)
{
	size_t length = strcspn(word, "=");

	return length >= least && strncmp(word, name, length) == 0;
}

int lm_resume_alone(int argc, const char *const *argv, struct lm_error *err)
{
	for (int i = 1; i < argc; i++) {
		if (is_option(argv[i], "--resume", 5) || is_option(argv[i], "--progress", 4)) {
			i += strchr(argv[i], '=') == NULL;
			continue;
		}
		if (strcmp(argv[i], "-n") == 0 || is_option(argv[i], "--dry-run", 4))
			continue;
		return lm_error_at(
			err, "--resume", 0, 0,
			"'%.100s' cannot be given with it: the journal holds the "
			"workload and all options; only --dry-run and --progress go with "
			"--resume",
			argv[i]);
	}
	return 0;
}

/* --- the journal --------------------------------------------------------------------------- */

/* NULL when there is none. */
static const char *plan_text(const struct lm_resume *r, const char *key)
{
	return lm_facts_text_of(&r->run->plan, key, NULL);
}

static const char *plan_item(const struct lm_resume *r, const char *list, size_t index)
{
	char key[64];

	snprintf(key, sizeof(key), "%s.%zu", list, index);
	return plan_text(r, key);
}

/* Lists that argp may reorder, and that a word can be taken out of. */
static int take_command(struct lm_resume *r, struct lm_error *err)
{
	size_t n = 0;

	while (plan_item(r, "command", n))
		n++;
	r->command = calloc(n + 1, sizeof(*r->command));
	r->repeat = calloc(n + 1, sizeof(*r->repeat));
	r->again = calloc(n + 1, sizeof(*r->again));
	if (!r->command || !r->repeat || !r->again)
		return lm_error_sys(err, "a command");
	for (; r->words < n; r->words++) {
		char *word = strdup(plan_item(r, "command", r->words));

		if (!word)
			return lm_error_sys(err, "a command");
		r->command[r->words] = word;
		r->repeat[r->words] = word;
		r->again[r->words] = word;
	}
	return 0;
}

static int check_command(const struct lm_resume *r, struct lm_error *err)
{
	if (r->words >= 2 && strcmp(r->command[0], "loadmix") == 0 &&
	    strcmp(r->command[1], "run") == 0)
		return 0;
	return lm_error_at(err, r->path, 0, 0,
			   "is a journal of '%.60s%s%.60s', which cannot be resumed: only those of "
			   "'loadmix run' can",
			   r->words ? r->command[0] : "another program", r->words > 1 ? " " : "",
			   r->words > 1 ? r->command[1] : "");
}

/* A step that a signal ended tells nothing of its load, and was not to end there: it is run again,
 * as one that a crash has taken. */
static void take_back(struct lm_resume *r)
{
	struct lm_run *run = &r->runs.items[0];
	struct lm_record *last = run->count ? &run->records[run->count - 1] : NULL;

	if (!last || run->complete || run->step_bytes < 0 || last->problem_count == 0 ||
	    strncmp(last->problems[0], LM_INTERRUPTED, strlen(LM_INTERRUPTED)) != 0)
		return;
	snprintf(r->taken_back, sizeof(r->taken_back), "%u task%s, %s", last->tasks,
		 last->tasks == 1 ? "" : "s", last->problems[0]);
	lm_record_free(last);
	run->count--;
	run->body_bytes = run->step_bytes;
}

static int check_runs(struct lm_resume *r, struct lm_error *err)
{
	if (r->runs.count != 1)
		return lm_error_at(err, r->path, r->runs.items[1].line, 0,
				   "another run begins: a file of %zu runs cannot be resumed",
				   r->runs.count);
	if (r->runs.note_count > 0)
		return lm_error_at(err, r->path, r->runs.notes[0].line, 0,
				   "the journal is damaged and cannot be resumed: %s",
				   r->runs.notes[0].text);
	take_back(r);
	r->run = &r->runs.items[0];
	return 0;
}

int lm_resume_open(const char *path, struct lm_resume *r, struct lm_error *err)
{
	struct lm_journal_input *input = calloc(1, sizeof(*input));
	int rc = -1;

	*r = (struct lm_resume){ .path = path, .fd = lm_journal_lock(path, err) };
	if (!input) {
		lm_error_sys(err, "a journal");
	} else if (r->fd >= 0) {
		input->fd = r->fd;
		rc = lm_journal_read(lm_journal_byte, input, path, &r->runs, err);
	}
	free(input);
	if (rc < 0 || check_runs(r, err) < 0 || take_command(r, err) < 0)
		return -1;
	return check_command(r, err);
}

void lm_resume_close(struct lm_resume *r)
{
	if (r->fd >= 0)
		close(r->fd);
	for (size_t i = 0; i < r->words; i++)
		free(r->repeat[i]);
	free(r->command);
	free(r->repeat);
	free(r->again);
	lm_runs_free(&r->runs);
}

bool lm_resume_is_complete(const struct lm_resume *r)
{
	return r->run->complete;
}

/* --- the plan ------------------------------------------------------------------------------ */

int lm_resume_enter(const struct lm_resume *r, struct lm_error *err)
{
	const char *cwd = plan_text(r, "cwd"), *dir;
	struct stat st;

	if (cwd && chdir(cwd) < 0)
		return lm_error_at(err, r->path, 0, 0,
				   "the run was started in directory '%s', which cannot be "
				   "entered: %s",
				   cwd, strerror(errno));
	for (size_t i = 0; (dir = plan_item(r, "dirs", i)); i++)
		if (stat(dir, &st) < 0)
			return lm_error_at(err, r->path, 0, 0,
					   "the run worked in directory '%s', which cannot be "
					   "used: %s",
					   dir, strerror(errno));
	return 0;
}

/* What memory allowed then may be another number now. */
void lm_resume_limit(const struct lm_resume *r, struct lm_sweep_options *o)
{
	double most = lm_facts_number_of(&r->run->plan, "max_tasks", 0);

	if (most >= 1 && most <= LM_MAX_TASKS)
		o->max_tasks = (uint64_t)most;
}

/* The mix is compared, too: where it was read from does not matter then. */
static bool is_harmless(const char *key)
{
	enum lm_nature nature = lm_nature_of(key);

	return nature == LM_IS_COMMAND || nature == LM_IS_PLACE;
}

static const char *shown(const char *json, char *buf, size_t size)
{
	return json ? lm_text_quote(json, strlen(json), size / 4, buf, size) : "nothing";
}

static void tell_change(const struct lm_journal_change *c)
{
	char key[300], was[600], now[600];

	lm_cmd_warn("%s was %s in the journal and is %s now",
		    lm_text_quote(c->key, strlen(c->key), 200, key, sizeof(key)),
		    shown(c->was, was, sizeof(was)), shown(c->now, now, sizeof(now)));
}

static void tell_changes(const struct lm_journal_changes *changes)
{
	for (size_t i = 0; i < changes->count && i < MAX_SHOWN; i++)
		tell_change(&changes->items[i]);
	if (changes->count > MAX_SHOWN)
		lm_cmd_warn("and %zu more%s", changes->count - MAX_SHOWN,
			    changes->count == LM_MAX_CHANGES ? " at least" : "");
}

static int compare_plan(const struct lm_resume *r, const struct lm_plan_box *box,
			struct lm_error *err)
{
	struct lm_journal_changes changes = { 0 };
	size_t serious = 0;
	int rc = lm_journal_plan_changes(r->run, &box->plan, &changes, err);

	for (size_t i = 0; rc == 0 && i < changes.count; i++)
		serious += !is_harmless(changes.items[i].key);
	if (rc == 0)
		tell_changes(&changes);
	lm_journal_changes_free(&changes);
	if (serious == 0)
		return rc;
	return lm_error_at(err, r->path, 0, 0,
			   "cannot be resumed: what is to be run is not what it was (%zu "
			   "difference%s, see above); start a new run",
			   serious, serious == 1 ? "" : "s");
}

/* The journal's steps must be those that the sweep comes to, or another sweep would be continued.
 */
static int check_step(const struct lm_resume *r, const struct lm_plan_box *box, size_t first,
		      size_t index, struct lm_error *err)
{
	const struct lm_record *records = r->run->records;
	struct lm_reason why;
	unsigned tasks = 0;

	if (lm_sweep_next(box->policy, &box->plan.sweep, records + first, index - first, &tasks,
			  &why) &&
	    tasks == records[index].tasks)
		return 0;
	return lm_error_at(err, r->path, records[index].line, 0,
			   "cannot be resumed: a step of %u task%s stands where this sweep %s",
			   records[index].tasks, records[index].tasks == 1 ? "" : "s",
			   tasks ? "comes to another load" : "has come to its end");
}

static int check_steps(const struct lm_resume *r, const struct lm_plan_box *box,
		       struct lm_error *err)
{
	const struct lm_record *records = r->run->records;
	unsigned most = box->plan.sweep.iterations ? box->plan.sweep.iterations : 1;
	struct lm_reason why;
	unsigned tasks;
	size_t first = 0;

	for (size_t i = 0; i < r->run->count; i++) {
		unsigned last = i ? records[i - 1].iteration : 1;

		/* an iteration begins when the one before has come to its end */
		if (i && records[i].iteration == last + 1 &&
		    !lm_sweep_next(box->policy, &box->plan.sweep, records + first, i - first,
				   &tasks, &why)) {
			first = i;
			last++;
		}
		if (records[i].iteration != last || last > most || records[i].step != i + 1)
			return lm_error_at(err, r->path, records[i].line, 0,
					   "cannot be resumed: this is step %u of iteration %u, "
					   "which cannot stand here",
					   records[i].step, records[i].iteration);
		if (check_step(r, box, first, i, err) < 0)
			return -1;
	}
	return 0;
}

int lm_resume_check(const struct lm_resume *r, struct lm_plan_box *box, struct lm_error *err)
{
	const char *guard = plan_text(r, "guard");

	if (box->plan.sweep.open && guard)
		box->plan.sweep.guard = guard;
	if (compare_plan(r, box, err) < 0 || check_steps(r, box, err) < 0)
		return -1;
	box->before = r->run->records;
	box->before_count = r->run->count;
	return 0;
}

/* --- sinks --------------------------------------------------------------------------------- */

int lm_resume_journal(struct lm_resume *r, struct lm_sink *out, struct lm_error *err)
{
	int fd = r->fd;

	r->fd = -1;
	return lm_journal_continue(fd, r->path, r->run, r->taken_back, out, err);
}

static int tell_begin(void *state, const struct lm_plan *plan, const struct lm_facts *environment,
		      struct lm_error *err)
{
	const struct lm_resume *r = state;
	struct lm_journal_changes changes = { 0 };
	int rc = lm_journal_environment_changes(r->run, environment, &changes, err);

	(void)plan;
	if (rc == 0)
		tell_changes(&changes);
	lm_journal_changes_free(&changes);
	printf("# resumed: the journal has %zu step%s already\n", r->run->count,
	       r->run->count == 1 ? "" : "s");
	if (r->taken_back[0])
		printf("# run again: %s\n", r->taken_back);
	return rc;
}

static void tell_close(void *state)
{
	(void)state;
}

void lm_resume_teller(const struct lm_resume *r, struct lm_sink *out)
{
	*out = (struct lm_sink){ .state = (void *)(uintptr_t)r,
				 .begin = tell_begin,
				 .close = tell_close };
}

void lm_resume_print(const struct lm_plan_box *box, FILE *out)
{
	const struct lm_record *records = box->before;
	size_t count = box->before_count, first = count;
	unsigned tasks, iteration = count ? records[count - 1].iteration : 1;
	struct lm_reason why;

	while (first > 0 && records[first - 1].iteration == iteration)
		first--;
	fprintf(out, "resumed    after %zu step%s; ", count, count == 1 ? "" : "s");
	if (!lm_sweep_next(box->policy, &box->plan.sweep, count ? records + first : NULL,
			   count - first, &tasks, &why) &&
	    (iteration++ >= box->plan.sweep.iterations ||
	     !lm_sweep_next(box->policy, &box->plan.sweep, NULL, 0, &tasks, &why)))
		fprintf(out, "none is left\n");
	else
		fprintf(out, "next is %u task%s in iteration %u\n", tasks, tasks == 1 ? "" : "s",
			iteration);
}
