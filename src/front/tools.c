/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "front/tools.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/cmd.h"

#define FIRST_WORD 3 /* in argv, after tool, moment and tasks */

/* --- making it ready ----------------------------------------------------------------------- */

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* As execvp() looks for it. */
static bool is_in_path(const char *name)
{
	const char *path = getenv("PATH");
	char full[PATH_MAX];

	for (const char *at = path ? path : "/bin:/usr/bin"; at; at = strchr(at, ':')) {
		size_t length;

		at += *at == ':' && at != path;
		length = strcspn(at, ":");
		if ((size_t)snprintf(full, sizeof(full), "%.*s%s%s", (int)length, at,
				     length ? "/" : "./", name) < sizeof(full) &&
		    is_program(full))
			return true;
	}
	return false;
}

static int cut_words(struct lm_tools *t, const char *args, struct lm_error *err)
{
	size_t count = FIRST_WORD;
	char *save = NULL;

	t->words = strdup(args ? args : "");
	if (!t->words)
		return lm_error_sys(err, "the tool's arguments");
	for (char *word = strtok_r(t->words, " \t\n", &save); word;
	     word = strtok_r(NULL, " \t\n", &save)) {
		if (count == LM_KEEPER_MAX_ARGS)
			return lm_error_at(err, "-z", 0, 0, "more than %d words: give fewer",
					   LM_KEEPER_MAX_ARGS - FIRST_WORD);
		t->argv[count++] = word;
	}
	return 0;
}

int lm_tools_open(struct lm_tools *t, const char *tool, const char *args, double timeout_s,
		  struct lm_error *err)
{
	*t = (struct lm_tools){ .tool = tool, .timeout_s = timeout_s, .keeper = { -1 } };
	if (!(strchr(tool, '/') ? is_program(tool) : is_in_path(tool)))
		return lm_error_at(err, "-Z", 0, 0,
				   "'%.200s' is no program that can be run: give its path, or a "
				   "name that is in PATH",
				   tool);
	if (cut_words(t, args, err) < 0)
		return -1;
	return lm_keeper_open(&t->keeper, err);
}

void lm_tools_close(struct lm_tools *t)
{
	if (!t->tool)
		return;
	lm_keeper_close(&t->keeper);
	free(t->words);
	*t = (struct lm_tools){ 0 };
}

/* --- running it ---------------------------------------------------------------------------- */

/* How it failed, as the end of a sentence; NULL: it did not, or nobody is to be told. */
static const char *fault(const struct lm_tools *t, struct lm_keeper_reply reply, char *buf,
			 size_t size)
{
	switch (reply.fate) {
	case LM_KEEPER_ENDED:
		if (reply.value == 0)
			return NULL;
		snprintf(buf, size, "exited with status %d", reply.value);
		break;
	case LM_KEEPER_KILLED:
		snprintf(buf, size, "was killed by signal %d (%s)", reply.value,
			 strsignal(reply.value));
		break;
	case LM_KEEPER_NOT_BEGUN:
		snprintf(buf, size, "cannot be started: %s", strerror(reply.value));
		break;
	case LM_KEEPER_TOO_LONG:
		snprintf(buf, size, "did not end within %g s (--tool-timeout) and was killed",
			 t->timeout_s);
		break;
	case LM_KEEPER_GIVEN_UP:
		return NULL;
	case LM_KEEPER_GONE:
		snprintf(buf, size, "cannot be run: the process that runs tools is gone");
		break;
	}
	return buf;
}

static struct lm_keeper_reply ask(struct lm_tools *t, enum lm_keeper_order order,
				  const char *moment, unsigned tasks)
{
	snprintf(t->tasks, sizeof(t->tasks), "%u", tasks);
	t->argv[0] = t->tool;
	t->argv[1] = moment;
	t->argv[2] = t->tasks;
	return lm_keeper_ask(&t->keeper, order, t->argv, t->timeout_s);
}

/* A tool that was killed may have done its part; one that ended by itself has told. */
static bool may_be_done(struct lm_keeper_reply reply)
{
	switch (reply.fate) {
	case LM_KEEPER_ENDED:
		return reply.value == 0;
	case LM_KEEPER_NOT_BEGUN:
	case LM_KEEPER_GONE:
		return false;
	default:
		return true;
	}
}

/* Its failure is an error: what it was to look at would not be seen. *done: it may be to undo. */
static int must(struct lm_tools *t, const char *moment, unsigned tasks, bool *done,
		struct lm_error *err)
{
	struct lm_keeper_reply reply = ask(t, LM_KEEPER_RUN, moment, tasks);
	char buf[200];
	const char *wrong = fault(t, reply, buf, sizeof(buf));

	t->load = tasks;
	*done = may_be_done(reply);
	if (!wrong)
		return 0;
	return lm_error_set(err, LM_ERR_SYSTEM, "tool '%.200s %s %u' %s", t->tool, moment, tasks,
			    wrong);
}

static void should(struct lm_tools *t, enum lm_keeper_order order, const char *moment)
{
	char buf[200];
	const char *wrong = fault(t, ask(t, order, moment, t->load), buf, sizeof(buf));

	if (wrong)
		lm_cmd_warn("tool '%.200s %s %u' %s", t->tool, moment, t->load, wrong);
}

static int tools_moment(void *state, enum lm_moment moment, unsigned tasks, struct lm_error *err)
{
	struct lm_tools *t = state;

	switch (moment) {
	case LM_MOMENT_SETUP:
		return must(t, "setup", tasks, &t->set_up, err);
	case LM_MOMENT_GATE:
		return must(t, "begin", tasks, &t->begun, err);
	case LM_MOMENT_HALT:
		/* a keeper that cannot be asked is told of by the order that is waited for */
		t->halting = may_be_done(ask(t, LM_KEEPER_BEGIN, "halt", tasks));
		break;
	}
	return 0;
}

/* What was begun is halted, also in a step that was ended before an eighth had finished, and in one
 * that never came to be a record. */
static void finish(struct lm_tools *t)
{
	if (t->begun)
		should(t, t->halting ? LM_KEEPER_COLLECT : LM_KEEPER_RUN, "halt");
	if (t->set_up)
		should(t, LM_KEEPER_RUN, "report");
	t->set_up = false;
	t->begun = false;
	t->halting = false;
}

static int tools_step(void *state, const struct lm_record *r, struct lm_error *err)
{
	(void)r;
	(void)err;
	finish(state);
	return 0;
}

static int tools_end(void *state, const struct lm_summary *summary, struct lm_error *err)
{
	(void)summary;
	(void)err;
	finish(state);
	return 0;
}

static void tools_close(void *state)
{
	(void)state;
}

struct lm_sink lm_tools_sink(struct lm_tools *t)
{
	return (struct lm_sink){
		.state = t,
		.moment = tools_moment,
		.step = tools_step,
		.end = tools_end,
		.close = tools_close,
	};
}
