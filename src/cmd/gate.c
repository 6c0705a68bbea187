/* SPDX-License-Identifier: GPL-2.0-or-later */
/* loadmix gate: an exit status for scripts and git bisect run. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/compare.h"
#include "model/figures.h"
#include "model/judge.h"
#include "model/study_doubts.h"

/* What git bisect run takes as "cannot be tested", and as a reason to stop. */
enum { EXIT_UNTOLD = 125, EXIT_ABORT = 255 };

struct gate_options {
	struct lm_study_options study;
	double limit; /* percent */
};

/* --- options ------------------------------------------------------------------------------- */

enum { KEY_FAIL_ABOVE = 0x700 };

static const struct argp_option options_table[] = {
	{ "fail-above", KEY_FAIL_ABOVE, "PERCENT", 0,
	  "How much worse a figure may be, such as 5% (needed)", 0 },
	{ 0 },
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct gate_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->study;
		return 0;
	case KEY_FAIL_ABOVE:
		if (lm_parse_percent(arg, 0.1, 1000, &o->limit))
			return 0;
		return lm_bad_value(&o->study.results.err, "--fail-above", arg,
				    "share in percent from 0.1 to 1000, such as 5%");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_table,
	.parser = parse,
	.args_doc = "BASE NEW",
	.doc = "Tell by the exit status whether NEW is worse than BASE: 1 when a figure (--figure, "
	       "by "
	       "default jobs_per_min) is significantly worse by more than the limit at some task "
	       "count, 0 when it is not, 125 when it cannot be told: an INVALID step, missing or "
	       "unreadable results, too few repeats. This is what git bisect run asks for; wrong "
	       "usage ends with 255, which stops a bisection.\v",
	.children = lm_study_children,
};

/* --- the ruling ---------------------------------------------------------------------------- */

struct court {
	const struct gate_options *options;
	unsigned bad, untold, improved, good;
	size_t repeats; /* that would do */
	bool unfit;     /* the sides cannot be compared, whatever the figures are */
};

/* What a line is about: " [fserver]"; text of files made harmless. A frame of its own: stacks can
 * be small. */
static __attribute__((noinline)) const char *place_of(const struct lm_comparison *c, char *buf,
						      size_t size)
{
	char name[512], text[4 * sizeof(name) + 8];

	lm_comparison_name(c, name, sizeof(name));
	snprintf(buf, size, "%s%s%s", name[0] ? " [" : "",
		 lm_text_quote(name, strlen(name), sizeof(name), text, sizeof(text)),
		 name[0] ? "]" : "");
	return buf;
}

static void tell(const char *place, unsigned tasks, enum lm_figure figure,
		 const struct lm_ruling *r)
{
	static const char *const words[] = { [LM_JUDGE_GOOD] = "good",
					     [LM_JUDGE_BAD] = "WORSE",
					     [LM_JUDGE_UNTOLD] = "cannot tell" };

	printf("%6u %s  %-13s %s: %s%s\n", tasks, tasks == 1 ? "task " : "tasks",
	       lm_figure_info(figure)->title, r->improved ? "BETTER" : words[r->judgement], r->text,
	       place);
	if (r->improved)
		printf("        A gain of this size deserves the same look as a loss: such gains "
		       "have meant lost cache flushes.\n");
}

static void try_cell(struct court *c, const char *place, const struct lm_cell *cell)
{
	const struct lm_study_options *o = &c->options->study;

	for (size_t i = 0; i < o->figure_count; i++) {
		struct lm_ruling r;

		lm_judge(cell, o->figures[i], c->options->limit, &r);
		tell(place, cell->tasks, o->figures[i], &r);
		c->bad += r.judgement == LM_JUDGE_BAD;
		c->good += r.judgement == LM_JUDGE_GOOD;
		c->untold += r.judgement == LM_JUDGE_UNTOLD;
		c->improved += r.improved;
		if (r.repeats_needed > c->repeats)
			c->repeats = r.repeats_needed;
	}
}

static bool has_load(const struct lm_loads *loads, unsigned tasks)
{
	for (size_t i = 0; i < loads->count; i++)
		if (loads->tasks[i] == tasks)
			return true;
	return false;
}

/* Loads that one side has no valid step of; a kernel that died in one has none. Those of told are
 * told already. */
static void miss(struct court *c, const char *place, const char *what, const struct lm_loads *loads,
		 const struct lm_loads *told)
{
	for (size_t i = 0; i < loads->count; i++) {
		if (told && has_load(told, loads->tasks[i]))
			continue;
		printf("%6u tasks  cannot tell: %s%s\n", loads->tasks[i], what, place);
		c->untold++;
	}
}

static void miss_names(struct court *c, const char *what, const struct lm_names *names)
{
	char text[512];

	for (size_t i = 0; i < names->count; i++) {
		printf("cannot tell: %s has no '%s'\n", what,
		       lm_text_quote(names->names[i], strlen(names->names[i]), 100, text,
				     sizeof(text)));
		c->untold++;
	}
}

static void try_comparison(struct court *c, const struct lm_comparison *of)
{
	char place[2200], work[256];

	place_of(of, place, sizeof(place));
	if (of->jobs_differ) {
		printf("cannot tell: %s%s\n        What differs is told by: loadmix compare\n",
		       lm_study_work(of, work, sizeof(work)), place);
		c->untold++;
		return;
	}
	for (size_t i = 0; i < of->count; i++)
		try_cell(c, place, &of->cells[i]);
	miss(c, place, "every step of the base is INVALID", &of->base_invalid, NULL);
	miss(c, place, "every step of the new side is INVALID", &of->now_invalid,
	     &of->base_invalid);
	miss(c, place, "the new side has no valid step", &of->base_only, &of->now_invalid);
	miss(c, place, "the base has no valid step", &of->now_only, &of->base_invalid);
}

static void try_all(struct court *c, const struct lm_comparisons *all)
{
	for (size_t i = 0; i < all->count; i++)
		try_comparison(c, &all->items[i]);
	miss_names(c, "the new side", &all->base_only);
	miss_names(c, "the base", &all->now_only);
}

/* What could not be read, or was never run, may be what was worse. */
static void miss_parts(struct court *c, const struct lm_results *results)
{
	for (size_t i = 0; i < results->file_count; i++) {
		const struct lm_runs *file = &results->files[i];

		if (file->note_count == 0)
			continue;
		printf("cannot tell: something in %s could not be used, see the notes\n",
		       file->notes[0].source);
		c->untold++;
	}
	for (size_t i = 0; i < results->set_count; i++)
		for (size_t k = 0; k < results->sets[i].count; k++) {
			if (results->sets[i].runs[k]->complete)
				continue;
			printf("cannot tell: the run in %s was not completed\n",
			       results->sets[i].runs[k]->source);
			c->untold++;
		}
}

/* Other load on one side alone is a change of its own. */
static bool busy_on_one_side(const struct lm_study_box *box)
{
	bool base = lm_set_was_busy(&box->study.sets[0]),
	     now = lm_set_was_busy(&box->study.sets[1]);

	if (base == now) {
		if (base)
			printf("The machine was not idle before either side.\n");
		return false;
	}
	printf("cannot tell: the machine was not idle before %s, and idle before the other\n",
	       base ? "the base" : "the new side");
	return true;
}

/* A frame of its own, as above. */
static __attribute__((noinline)) void tell_reason(const char *sentence)
{
	char text[4 * 1000 + 8];

	printf("cannot tell: %s\n",
	       lm_text_quote(sentence, strlen(sentence), 1000, text, sizeof(text)));
}

/* Whether the two sides can be held against each other at all; each reason is told. 0, or -1 with
 * err. */
static int look_for_unfit(const struct lm_study_box *box, struct court *c, struct lm_error *err)
{
	const struct lm_set *sets = box->study.sets;
	struct lm_doubts reasons = { 0 };
	int rc = lm_study_unfit(&box->study.contrasts[0], &sets[0], &sets[1], &reasons, err);

	for (size_t i = 0; i < reasons.count; i++)
		tell_reason(reasons.texts[i]);
	c->unfit = reasons.count > 0;
	lm_doubts_free(&reasons);
	c->unfit |= busy_on_one_side(box);
	return rc;
}

static int conclude(const struct court *c)
{
	if (c->unfit) {
		printf("It cannot be told\n");
		return EXIT_UNTOLD;
	}
	if (c->bad) {
		printf("WORSE by more than %g %%\n", c->options->limit);
		return LM_EXIT_NO;
	}
	if (c->untold) {
		printf("It cannot be told");
		if (c->repeats && c->repeats < SIZE_MAX)
			printf(": %zu repeats on either side would do", c->repeats);
		putchar('\n');
		return EXIT_UNTOLD;
	}
	printf("%s by more than %g %%\n", c->improved ? "BETTER" : "Not worse", c->options->limit);
	return LM_EXIT_OK;
}

/* A verdict that nobody has read is none. */
static int reach_reader(int status)
{
	struct lm_error err = { 0 };

	errno = EIO;
	/* some file systems tell only when a descriptor is closed that there was no room */
	if (fflush(stdout) == 0 && !ferror(stdout) && close(dup(STDOUT_FILENO)) == 0)
		return status;
	lm_error_sys(&err, "cannot write standard output");
	lm_cmd_fail(&err);
	return EXIT_ABORT;
}

static int judge(const struct gate_options *o, const char *const *argv)
{
	struct court court = { .options = o };
	struct lm_study_box box;
	struct lm_error err = { 0 };
	int rc = lm_study_open(&o->study, argv, &box, &err), status = EXIT_UNTOLD;

	if (rc == 0 && box.results.set_count > 2)
		rc = lm_error_set(&err, LM_ERR_INPUT,
				  "two sets are judged, but the results are of %zu labels: choose "
				  "two with --label",
				  box.results.set_count);
	if (rc < 0) {
		lm_cmd_fail(&err);
		printf("It cannot be told\n");
		/* it is not two sets: the command line is wrong */
		if (box.results.whole && box.results.set_count != 2)
			status = EXIT_ABORT;
	} else {
		try_all(&court, &box.study.contrasts[0].comparisons);
		miss_parts(&court, &box.results);
		if (look_for_unfit(&box, &court, &err) < 0) {
			lm_cmd_fail(&err);
			court.unfit = true;
		}
		status = conclude(&court);
		printf("# again: %s\n", box.command);
	}
	lm_study_close(&box);
	return reach_reader(status);
}

/* --- the command --------------------------------------------------------------------------- */

/* A figure of which more is better can fall by 100 % at most: such a gate could never fail. */
static int check_limit(const struct gate_options *o, struct lm_error *err)
{
	if (o->limit <= 0)
		return lm_error_set(err, LM_ERR_INPUT,
				    "say how much worse NEW may be: --fail-above 5%%");
	for (size_t i = 0; i < o->study.figure_count && o->limit >= 100; i++)
		if (lm_figure_info(o->study.figures[i])->more_is_better)
			return lm_error_at(err, "--fail-above", 0, 0,
					   "%s can fall by less than 100 %%: give less than that, "
					   "or --figure real_s",
					   lm_figure_info(o->study.figures[i])->title);
	return 0;
}

static int act(void *options, const char *const *again)
{
	struct gate_options *o = options;

	if (o->study.figure_count == 0)
		o->study.figures[o->study.figure_count++] = LM_FIG_JOBS_PER_MIN;
	if (check_limit(o, &o->study.results.err) == 0)
		return judge(o, again);
	lm_cmd_fail(&o->study.results.err);
	return EXIT_ABORT;
}

int lm_cmd_gate(int argc, char **argv, lm_job_list kinds)
{
	static const struct lm_results_command command = {
		.name = "gate", .argp = &argp, .size = sizeof(struct gate_options), .act = act
	};
	int status = lm_results_command(&command, argc, argv);

	(void)kinds;
	/* no ruling ends with these: the command line was wrong, or memory is short */
	return status == LM_EXIT_USAGE || status == LM_EXIT_SYSTEM ? EXIT_ABORT : status;
}
