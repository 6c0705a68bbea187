/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stored result: JSON lines, each on the disk before the next step begins (docs/formats.md). */
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "formats/formats.h"
#include "model/kinds.h"
#include "model/next.h"
#include "model/order.h"

#define SCHEMA 1

struct journal {
	int fd; /* -1 until the run begins */
	char *path;
	unsigned lines;
	bool created; /* by us, and not something like /dev/null */
};

/* Text from outside need not be UTF-8, which JSON must be. */
static json_t *text(const char *s)
{
	char *quoted;
	json_t *j;
	size_t size;

	if (!s)
		return json_null();
	j = json_string(s);
	if (j)
		return j;
	size = 4 * strlen(s) + 1;
	quoted = malloc(size);
	if (!quoted)
		return NULL;
	j = json_string(lm_text_quote(s, strlen(s), size, quoted, size));
	free(quoted);
	return j;
}

static json_t *now_text(void)
{
	char buf[32];

	lm_now_text(buf, sizeof(buf));
	return json_string(buf);
}

/* The object that a fact "group.name" goes into, made at need. */
static json_t *group(json_t *all, const char *key, const char **name)
{
	const char *dot = strchr(key, '.');
	char text[64];
	json_t *o;

	*name = dot ? dot + 1 : key;
	if (!dot || (size_t)(dot - key) >= sizeof(text))
		return all;
	snprintf(text, sizeof(text), "%.*s", (int)(dot - key), key);
	o = json_object_get(all, text);
	if (!o) {
		o = json_object();
		json_object_set_new(all, text, o);
	}
	return o;
}

static json_t *facts(const struct lm_facts *f)
{
	json_t *o = json_object();

	for (size_t i = 0; i < f->count; i++) {
		const struct lm_fact *fact = &f->items[i];
		const char *name;
		json_t *into = group(o, fact->key, &name);

		json_object_set_new(into, name,
				    fact->type == LM_FACT_NUMBER ? json_real(fact->number)
				    : fact->type == LM_FACT_TEXT ? text(fact->text)
								 : json_null());
	}
	return o;
}

static json_t *texts(const char *const *list, size_t count)
{
	json_t *a = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(a, text(list[i]));
	return a;
}

static size_t argv_count(const char *const *argv)
{
	size_t n = 0;

	while (argv && argv[n])
		n++;
	return n;
}

static json_t *ranges(const struct lm_sweep *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->count; i++)
		json_array_append_new(a, json_pack("{s:I, s:I, s:I}", "start",
						   (json_int_t)s->ranges[i].start, "end",
						   (json_int_t)s->ranges[i].end, "increment",
						   (json_int_t)s->ranges[i].step));
	return a;
}

/* Fields of a plan that say which loads come, beside the ranges. */
static json_t *sweep_json(const struct lm_sweep *s)
{
	json_t *most = s->open ? json_integer(s->ranges[0].end) : json_null();
	json_t *floor = s->until == LM_UNTIL_CROSSOVER ? json_real(s->floor) : json_null();
	json_t *tolerance = s->tolerance > 0 ? json_real(s->tolerance) : json_null();

	return json_pack("{s:s, s:s, s:o, s:o, s:b, s:b, s:o, s:o, s:I}", "policy", s->policy,
			 "until", lm_until_name(s->until), "floor", floor, "tolerance", tolerance,
			 "reaim", s->reaim, "newton", s->newton, "max_tasks", most, "guard",
			 text(s->guard), "iterations",
			 (json_int_t)(s->iterations ? s->iterations : 1));
}

static json_t *plan_json(const struct lm_plan *p)
{
	json_t *o = json_pack(
		"{s:s, s:f, s:o, s:o, s:o, s:o, s:I, s:s, s:I, s:I, s:I, s:o, s:o, s:f, s:b, s:b, "
		"s:o}",
		"semantics", lm_semantics_name(p->semantics), "period_s", p->period_s, "skipped",
		texts(p->skipped, p->skipped_count), "workload", text(p->mix->name), "workfile",
		text(p->mix->path), "sweep", ranges(&p->sweep), "jobs", (json_int_t)p->jobs,
		"order", lm_order_name(p->order), "seed", (json_int_t)p->seed, "filesize_kib",
		(json_int_t)p->mix->filesize_kib, "poolsize_kib", (json_int_t)p->mix->poolsize_kib,
		"dirs", texts(p->dirs, p->dir_count), "cpus", text(p->cpu_list), "step_timeout_s",
		p->step_timeout_s, "sync", p->sync, "start_delay", p->start_delay, "command",
		texts(p->argv, argv_count(p->argv)));
	json_t *rest = sweep_json(&p->sweep);

	json_object_update(o, rest);
	json_decref(rest);
	return o;
}

static json_t *mix_json(const struct lm_mix *mix)
{
	json_t *a = json_array();

	for (size_t i = 0; i < mix->count; i++)
		json_array_append_new(a, json_pack("{s:s, s:s, s:I, s:I}", "kind",
						   mix->entries[i].job->name, "label",
						   mix->entries[i].label, "weight",
						   (json_int_t)mix->entries[i].weight, "jobs",
						   (json_int_t)mix->entries[i].jobs));
	return a;
}

static json_t *kinds_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->kind_count; i++) {
		const struct lm_kind_record *k = &r->kinds[i];

		json_array_append_new(
			a,
			json_pack("{s:s, s:s, s:f, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "kind",
				  k->name, "unit", k->unit, "operations", k->operations, "jobs",
				  (json_int_t)k->jobs, "elapsed_s", k->elapsed_s, "user_s",
				  k->user_s, "system_s", k->system_s, "min_s", k->min_s, "median_s",
				  k->median_s, "p99_s", k->p99_s, "max_s", k->max_s));
	}
	return a;
}

static json_t *problems_json(const struct lm_record *r)
{
	json_t *a = json_array();

	for (size_t i = 0; i < r->problem_count; i++)
		json_array_append_new(a, text(r->problems[i]));
	return a;
}

static json_t *step_json(const struct lm_record *r)
{
	json_t *o = json_pack("{s:s, s:I, s:I, s:o, s:I, s:b, s:I, s:I, s:I, s:f}", "type", "step",
			      "index", (json_int_t)r->step, "iteration", (json_int_t)r->iteration,
			      "ended", text(r->ended), "tasks", (json_int_t)r->tasks, "valid",
			      r->valid, "jobs_per_task", (json_int_t)r->jobs_per_task, "jobs_done",
			      (json_int_t)r->jobs_done, "file_kib", (json_int_t)r->file_kib,
			      "deadline_s", r->deadline_s);
	json_t *figures = json_pack(
		"{s:f, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "jobs_per_min",
		r->jobs_per_min, "jti", r->jti, "real_s", r->real_s, "cpu_s", r->cpu_s, "user_s",
		r->user_s, "system_s", r->system_s, "jobs_per_min_task", r->jobs_per_min_task,
		"jobs_per_s_task", r->jobs_per_s_task, "stddev_s", r->stddev_s, "files_s",
		r->files_s, "ready_s", r->ready_s, "outside_s", r->outside_s);
	json_t *rest = json_pack("{s:I, s:o, s:o, s:o}", "problem_total",
				 (json_int_t)r->problem_total, "problems", problems_json(r),
				 "kinds", kinds_json(r), "system", facts(&r->system));

	json_object_update(o, figures);
	json_object_update(o, rest);
	json_decref(figures);
	json_decref(rest);
	return o;
}

static int write_all(int fd, const char *buf, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, buf, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		buf += n;
		size -= (size_t)n;
	}
	return 0;
}

/* Put a line on the disk, or leave nothing of it: a full disk must not tear the journal. */
static int store(int fd, const char *line, size_t size)
{
	off_t before = lseek(fd, 0, SEEK_END);
	int error;

	/* EINVAL: nothing that could be put on a disk */
	if (write_all(fd, line, size) == 0 && (fsync(fd) == 0 || errno == EINVAL))
		return 0;
	error = errno;
	if (before >= 0 && ftruncate(fd, before) < 0)
		error = errno;
	errno = error;
	return -1;
}

/* Takes line over. */
static int append(struct journal *j, json_t *line, struct lm_error *err)
{
	char *s = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(12)) : NULL;
	size_t length = s ? strlen(s) : 0;
	int rc;

	json_decref(line);
	if (!s)
		return lm_error_set(err, LM_ERR_SYSTEM, "a line of journal '%s' cannot be made",
				    j->path);
	s[length] = '\n'; /* over the NUL: one write is one line */
	rc = store(j->fd, s, length + 1);
	free(s);
	if (rc < 0)
		return lm_error_sys(err, "cannot write journal '%s'", j->path);
	j->lines++;
	return 0;
}

static int refuse_existing(const char *path, struct lm_error *err)
{
	return lm_error_set(err, LM_ERR_INPUT,
			    "journal '%s' exists already and is left alone: give --output another "
			    "name or move it away",
			    path);
}

/* A new file is only safe when its directory is on the disk too. */
static int store_name(const char *path, struct lm_error *err)
{
	char *copy = strdup(path);
	int fd = copy ? open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int rc = fd < 0 ? -1 : fsync(fd);

	if (rc < 0 && errno != EINVAL && errno != EACCES)
		lm_error_sys(err, "cannot put the name of journal '%s' on the disk", path);
	else
		rc = 0;
	if (fd >= 0)
		close(fd);
	free(copy);
	return rc;
}

/* /dev/null is for who wants no journal. */
static bool is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISCHR(st.st_mode);
}

static int create(struct journal *j, struct lm_error *err)
{
	if (is_device(j->path)) {
		j->fd = open(j->path, O_WRONLY | O_CLOEXEC);
		return j->fd < 0 ? lm_error_sys(err, "cannot write '%s'", j->path) : 0;
	}
	j->fd = open(j->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	j->created = j->fd >= 0;
	if (j->fd >= 0)
		return store_name(j->path, err);
	if (errno == EEXIST)
		return refuse_existing(j->path, err);
	return lm_error_sys(err, "cannot create journal '%s' (choose a place with --output)",
			    j->path);
}

static int journal_begin(void *state, const struct lm_plan *plan,
			 const struct lm_facts *environment, struct lm_error *err)
{
	if (create(state, err) < 0)
		return -1;
	return append(state,
		      json_pack("{s:s, s:i, s:o, s:s, s:o, s:o, s:I, s:o, s:o, s:o}", "type", "run",
				"schema", SCHEMA, "warnings",
				texts(plan->warnings, plan->warning_count), "loadmix", LM_VERSION,
				"label", text(plan->label), "started", now_text(), "jobs_per_task",
				(json_int_t)plan->mix->jobs_per_task, "plan", plan_json(plan),
				"mix", mix_json(plan->mix), "environment", facts(environment)),
		      err);
}

static int journal_step(void *state, const struct lm_record *record, struct lm_error *err)
{
	return append(state, step_json(record), err);
}

static json_t *sweeps_json(const struct lm_summary *s)
{
	json_t *a = json_array();

	for (size_t i = 0; i < s->sweep_count; i++) {
		const struct lm_figures *f = &s->sweeps[i];

		json_array_append_new(
			a,
			json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "iteration",
				  (json_int_t)f->iteration, "loads", (json_int_t)f->loads,
				  "peak_jobs_per_min",
				  f->peak_tasks ? json_real(f->peak_jobs_per_min) : json_null(),
				  "peak_tasks",
				  f->peak_tasks ? json_integer(f->peak_tasks) : json_null(),
				  "most_tasks",
				  f->loads ? json_integer(f->most_tasks) : json_null(), "min_jti",
				  f->has_min_jti ? json_integer(f->min_jti) : json_null(),
				  "crossover",
				  f->has_crossover ? json_real(f->crossover) : json_null(),
				  "sustained",
				  f->has_sustained ? json_real(f->sustained) : json_null(), "ended",
				  f->ended.text[0] ? text(f->ended.text) : json_null()));
	}
	return a;
}

static int journal_end(void *state, const struct lm_summary *s, struct lm_error *err)
{
	return append(state,
		      json_pack("{s:s, s:o, s:I, s:I, s:f, s:I, s:b, s:o, s:o}", "type", "end",
				"ended", now_text(), "steps", (json_int_t)s->steps, "invalid",
				(json_int_t)s->invalid, "peak_jobs_per_min", s->peak_jobs_per_min,
				"peak_tasks", (json_int_t)s->peak_tasks, "complete", !s->stopped,
				"stopped", text(s->stopped), "sweeps", sweeps_json(s)),
		      err);
}

static void journal_close(void *state)
{
	struct journal *j = state;

	if (j->fd >= 0) {
		close(j->fd);
		/* a run that could not begin has no result */
		if (j->created && j->lines < 2)
			unlink(j->path);
	}
	free(j->path);
	free(j);
}

static int journal_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct journal *j;
	struct stat st;

	if (lstat(path, &st) == 0 && !is_device(path))
		return refuse_existing(path, err);
	j = calloc(1, sizeof(*j));
	if (!j || !(j->path = strdup(path))) {
		free(j);
		return lm_error_sys(err, "journal '%s'", path);
	}
	j->fd = -1;
	*out = (struct lm_sink){ .state = j,
				 .begin = journal_begin,
				 .step = journal_step,
				 .end = journal_end,
				 .close = journal_close };
	return 0;
}

const struct lm_format lm_format_journal = {
	.name = "journal",
	.summary = "JSON lines, the stored result; every step is on the disk when it ends",
	.open = journal_open,
};
