/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/answers.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

#define MAX_START     10000
#define MAX_INCREMENT 100
#define MAX_NAME      200 /* of the machine, and of its configuration */
#define SHOWN         60

struct asking {
	FILE *in, *prompts;
	unsigned iteration; /* from 1; 0: the question is not of one */
	struct lm_plain_line line;
	struct lm_error *err;
};

/* What is asked, and what will do. */
struct question {
	const char *text;
	const char *fallback; /* what an empty line stands for; NULL: nothing */
	const char *expected;
	bool (*take)(const char *answer, const struct question *q);
	void *out;    /* where take() puts it */
	bool is_text; /* of fewer than size bytes; else a number from min to max */
	size_t size;
	uint64_t min, max;
};

static void show(const struct asking *a, const struct question *q)
{
	if (!a->prompts)
		return;
	if (a->iteration)
		fprintf(a->prompts, "Iteration %u, ", a->iteration);
	fprintf(a->prompts, "%s (%s)", q->text, q->expected);
	if (q->fallback)
		fprintf(a->prompts, " [%s]", q->fallback);
	fputs(": ", a->prompts);
	fflush(a->prompts);
}

/* "iteration 2, number of tasks to start with", as errors name a question. */
static const char *name_of(const struct asking *a, const struct question *q, char *buf, size_t size)
{
	if (a->iteration)
		snprintf(buf, size, "iteration %u, %s", a->iteration, q->text);
	else
		snprintf(buf, size, "%s", q->text);
	return buf;
}

static int no_answer(struct asking *a, const struct question *q, int rc)
{
	char name[128], why[128] = "the input ends here";

	if (rc < 0)
		snprintf(why, sizeof(why), "it cannot be read (%s)", strerror(errno));
	return lm_error_at(a->err, "standard input", a->line.number + 1, 0,
			   "%s: %s: expected %s; there is one answer a line",
			   name_of(a, q, name, sizeof(name)), why, q->expected);
}

/* 1: ask again; -1 with err. */
static int bad_answer(struct asking *a, const struct question *q)
{
	const char *fault = a->line.fault ? a->line.fault : "is no answer";
	char name[128], shown[4 * SHOWN + 8];

	lm_text_quote(a->line.text, strlen(a->line.text), SHOWN, shown, sizeof(shown));
	if (!a->prompts)
		return lm_error_at(a->err, "standard input", a->line.number, 0,
				   "%s: '%s' %s: expected %s", name_of(a, q, name, sizeof(name)),
				   shown, fault, q->expected);
	fprintf(a->prompts, "'%s' %s: expected %s\n", shown, fault, q->expected);
	return 1;
}

/* An empty line is an answer only where somebody has seen what it stands for; but a name that was
 * left empty is not worth an error. */
static const char *answer_to(const struct asking *a, const struct question *q)
{
	if (*a->line.text == '\0' && q->fallback && (a->prompts || q->is_text))
		return q->fallback;
	return a->line.text;
}

static int ask_once(struct asking *a, const struct question *q)
{
	int rc;

	show(a, q);
	rc = lm_plain_line_read(a->in, &a->line);
	if (rc <= 0)
		return no_answer(a, q, rc);
	if (!a->line.fault && q->take(answer_to(a, q), q))
		return 0;
	return bad_answer(a, q);
}

static int ask(struct asking *a, const struct question *q)
{
	int rc;

	do
		rc = ask_once(a, q);
	while (rc > 0);
	return rc;
}

/* --- texts --------------------------------------------------------------------------------- */

static bool take_text(const char *answer, const struct question *q)
{
	if (*answer == '\0' || strlen(answer) >= q->size)
		return false;
	strcpy(q->out, answer);
	return true;
}

static int ask_name(struct asking *a, const char *text, const char *fallback, char *out)
{
	const struct question q = { .text = text,
				    .fallback = fallback,
				    .expected = "up to 200 characters",
				    .take = take_text,
				    .out = out,
				    .is_text = true,
				    .size = MAX_NAME + 1 };

	return ask(a, &q);
}

static bool take_file(const char *answer, const struct question *q)
{
	return access(answer, R_OK) == 0 && take_text(answer, q);
}

static int ask_points(struct asking *a, char *out)
{
	const struct question q = { .text = "file of task counts",
				    .expected = "the name of a file that can be read",
				    .take = take_file,
				    .out = out,
				    .is_text = true,
				    .size = LM_PLAIN_LINE_SIZE };

	return ask(a, &q);
}

/* --- numbers ------------------------------------------------------------------------------- */

static bool take_number(const char *answer, const struct question *q)
{
	uint64_t number;

	if (!lm_parse_uint(answer, q->min, q->max, &number))
		return false;
	*(unsigned *)q->out = (unsigned)number;
	return true;
}

/* The number's range is told unless words are given for it. */
static int ask_number(struct asking *a, const char *text, unsigned min, unsigned max,
		      unsigned fallback, const char *expected, unsigned *out)
{
	char range[64], number[16];
	const struct question q = { .text = text,
				    .fallback = number,
				    .expected = expected ? expected : range,
				    .take = take_number,
				    .out = out,
				    .min = min,
				    .max = max };

	snprintf(range, sizeof(range), "a number from %u to %u", min, max);
	snprintf(number, sizeof(number), "%u", fallback);
	return ask(a, &q);
}

static int ask_sweep(struct asking *a, struct lm_sweep_answers *out)
{
	unsigned how;

	if (ask_number(a, "number of tasks to start with", 1, MAX_START, 1, NULL, &out->start) <
		    0 ||
	    ask_number(a, "how far", 1, 2, 1, "1 for the crossover, 2 for a number of tasks",
		       &how) < 0)
		return -1;
	if (how == 2 && ask_number(a, "number of tasks to end with", out->start, MAX_START,
				   out->start, NULL, &out->end) < 0)
		return -1;
	return ask_number(a, "increment", 1, MAX_INCREMENT, 1, NULL, &out->increment);
}

int lm_answers_read(FILE *in, FILE *prompts, bool points, struct lm_answers *out,
		    struct lm_error *err)
{
	struct asking a = { .in = in, .prompts = prompts, .err = err };
	struct utsname system;

	*out = (struct lm_answers){ 0 };
	if (uname(&system) < 0)
		return lm_error_sys(err, "uname");
	if (ask_name(&a, "name of the machine", system.nodename, out->machine) < 0 ||
	    ask_name(&a, "configuration of the machine", system.release, out->configuration) < 0 ||
	    ask_number(&a, "number of iterations", 1, LM_MAX_ASKED, 1, NULL, &out->iterations) < 0)
		return -1;
	for (a.iteration = 1; a.iteration <= out->iterations; a.iteration++) {
		struct lm_sweep_answers *sweep = &out->sweeps[a.iteration - 1];

		if ((points ? ask_points(&a, sweep->points) : ask_sweep(&a, sweep)) < 0)
			return -1;
	}
	return 0;
}
