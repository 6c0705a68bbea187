/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/differ.h"

#include "model/harmless.h"
#include "model/runs.h"
#include "model/work.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUES 4 /* that are written out */

enum { BASE, NOW, SIDES };

/* --- the boot command line ----------------------------------------------------------------- */

/* Words of a boot command line that name the kernel's image and what goes with it. */
static const char *const image_words[] = { "BOOT_IMAGE=", "initrd=" };

static bool names_image(const char *word)
{
	for (size_t i = 0; i < sizeof(image_words) / sizeof(image_words[0]); i++)
		if (strncmp(word, image_words[i], strlen(image_words[i])) == 0)
			return true;
	return false;
}

/* The next word that says more than the kernel's image; its length is 0 at the end. */
static const char *next_word(const char *text, size_t *length)
{
	for (;;) {
		text += strspn(text, " ");
		*length = strcspn(text, " ");
		if (*length == 0 || !names_image(text))
			return text;
		text += *length;
	}
}

static bool same_options(const char *a, const char *b)
{
	size_t a_length, b_length;

	for (;;) {
		a = next_word(a, &a_length);
		b = next_word(b, &b_length);
		if (a_length != b_length || memcmp(a, b, a_length) != 0)
			return false;
		if (a_length == 0)
			return true;
		a += a_length;
		b += b_length;
	}
}

/* --- facts of all runs
 * ----------------------------------------------------------------------------- */

/* What a run tells. */
struct entry {
	const char *block; /* "run", "plan", "environment", "mix" */
	const char *name;
	const char *text; /* NULL: it is a number */
	double number;
	int side;
	size_t place; /* the base's before the others */
};

struct entries {
	struct entry *items;
	size_t count;
	size_t runs[SIDES];
	bool same_work; /* all runs did the same jobs */
};

static void add(struct entries *all, struct entry entry)
{
	entry.place = all->count + (entry.side == NOW ? SIZE_MAX / 2 : 0);
	all->items[all->count++] = entry;
}

/* A text that is not there is not told. */
static void add_text(struct entries *all, int side, const char *block, const char *name,
		     const char *text)
{
	if (text && text[0] != '\0')
		add(all,
		    (struct entry){ .block = block, .name = name, .text = text, .side = side });
}

static void add_number(struct entries *all, int side, const char *block, const char *name,
		       double number)
{
	add(all, (struct entry){ .block = block, .name = name, .number = number, .side = side });
}

/* null is what a system does not tell, and what a plan was not given. */
static void add_facts(struct entries *all, int side, const char *block,
		      const struct lm_facts *facts)
{
	for (size_t i = 0; i < facts->count; i++) {
		const struct lm_fact *fact = &facts->items[i];

		if (fact->type == LM_FACT_NUMBER)
			add_number(all, side, block, fact->key, fact->number);
		else if (fact->type == LM_FACT_NULL && strcmp(block, "plan") == 0)
			add_text(all, side, block, fact->key, "none");
		else
			add_text(all, side, block, fact->key, fact->text);
	}
}

#define RUN_FACTS 6

static void add_run(struct entries *all, int side, const struct lm_run *run)
{
	add_text(all, side, "run", "label", run->label);
	add_text(all, side, "run", "format", run->format);
	add_text(all, side, "run", "version", run->version);
	add_text(all, side, "run", "machine", run->machine);
	add_text(all, side, "run", "started", run->started);
	if (lm_run_jobs(run) > 0)
		add_number(all, side, "run", "jobs_per_task", lm_run_jobs(run));
}

static bool tells(const struct lm_set *set, bool plan)
{
	for (size_t i = 0; i < set->count; i++)
		if ((plan ? &set->runs[i]->plan : &set->runs[i]->environment)->count > 0)
			return true;
	return false;
}

/* A block that only one side has would be a long list of nothing to compare. */
static void add_block(struct entries *all, const struct lm_set *const sets[], bool plan)
{
	const char *block = plan ? "plan" : "environment";
	bool both = tells(sets[BASE], plan) && tells(sets[NOW], plan);

	for (int side = BASE; side < SIDES; side++) {
		for (size_t i = 0; i < sets[side]->count; i++) {
			const struct lm_run *run = sets[side]->runs[i];

			if (both)
				add_facts(all, side, block, plan ? &run->plan : &run->environment);
			else if (tells(sets[side], plan))
				add_text(all, side, block, "", "told");
		}
	}
}

static bool tells_kinds(const struct lm_set *set)
{
	for (size_t i = 0; i < set->count; i++)
		if (lm_telling_step(set->runs[i]))
			return true;
	return false;
}

/* Of kinds that are not the program's own. */
static void add_means(struct entries *all, const struct lm_set *const sets[])
{
	if (!tells_kinds(sets[BASE]) || !tells_kinds(sets[NOW]))
		return;
	for (int side = BASE; side < SIDES; side++)
		for (size_t i = 0; i < sets[side]->count; i++)
			add_facts(all, side, "mix", &sets[side]->runs[i]->means);
}

static size_t count_entries(const struct lm_set *set)
{
	size_t n = 1;

	for (size_t i = 0; i < set->count; i++)
		n += RUN_FACTS + 2 + set->runs[i]->plan.count + set->runs[i]->means.count +
		     set->runs[i]->environment.count;
	return n;
}

static int by_key(const struct entry *a, const struct entry *b)
{
	int order = strcmp(a->block, b->block);

	return order ? order : strcmp(a->name, b->name);
}

/* Numbers before texts. */
static int by_value(const struct entry *a, const struct entry *b)
{
	if (a->text && b->text)
		return strcmp(a->text, b->text);
	if (a->text || b->text)
		return a->text ? 1 : -1;
	return (a->number > b->number) - (a->number < b->number);
}

static int in_order(const void *a, const void *b)
{
	const struct entry *p = a, *q = b;
	int order = by_key(p, q);

	if (order == 0)
		order = p->side - q->side;
	return order ? order : by_value(p, q);
}

/* --- the jobs ------------------------------------------------------------------------------ */

/* A workfile that was edited keeps its name. */
static bool same_work(const struct lm_set *const sets[])
{
	const struct lm_run *first = NULL;

	for (int side = BASE; side < SIDES; side++)
		for (size_t i = 0; i < sets[side]->count; i++) {
			const struct lm_run *run = sets[side]->runs[i];
			const struct lm_record *r = lm_telling_step(run);

			first = first ? first : run;
			if (!r || !lm_telling_step(first) ||
			    !lm_same_work(first, lm_telling_step(first), run, r))
				return false;
		}
	return first != NULL;
}

/* The step that tells what a task of a run did; in single mode it did so for a time. */
static const struct lm_record *mix_of(const struct lm_run *run)
{
	return lm_run_is_single(run) ? NULL : lm_telling_step(run);
}

static const struct lm_record *mix_of_set(const struct lm_set *set)
{
	const struct lm_record *r = NULL;

	for (size_t i = 0; i < set->count && !r; i++)
		r = mix_of(set->runs[i]);
	return r;
}

static bool has_kind(const struct lm_record *r, const char *name)
{
	for (size_t i = 0; i < r->kind_count; i++)
		if (strcmp(r->kinds[i].name, name) == 0)
			return true;
	return false;
}

/* Jobs of each kind a task, 0 of those that only the others have. */
static void add_kinds(struct entries *all, int side, const struct lm_record *r,
		      const struct lm_record *const others[SIDES])
{
	for (size_t i = 0; i < r->kind_count; i++)
		add_number(all, side, "mix", r->kinds[i].name, (double)r->kinds[i].jobs / r->tasks);
	for (int other = BASE; other < SIDES; other++)
		for (size_t i = 0; i < others[other]->kind_count; i++)
			if (!has_kind(r, others[other]->kinds[i].name))
				add_number(all, side, "mix", others[other]->kinds[i].name, 0);
}

/* The mixes, kind by kind, when they are not the same. */
static void add_mixes(struct entries *all, const struct lm_set *const sets[])
{
	const struct lm_record *const first[SIDES] = { mix_of_set(sets[BASE]),
						       mix_of_set(sets[NOW]) };

	if (all->same_work || !first[BASE] || !first[NOW])
		return;
	for (int side = BASE; side < SIDES; side++)
		for (size_t i = 0; i < sets[side]->count; i++) {
			const struct lm_record *r = mix_of(sets[side]->runs[i]);

			if (r)
				add_kinds(all, side, r, first);
		}
}

static size_t count_kinds(const struct lm_set *const sets[])
{
	size_t first = 0, n = 0;

	for (int side = BASE; side < SIDES; side++) {
		const struct lm_record *r = mix_of_set(sets[side]);

		first += r ? r->kind_count : 0;
	}
	for (int side = BASE; side < SIDES; side++)
		for (size_t i = 0; i < sets[side]->count; i++) {
			const struct lm_record *r = mix_of(sets[side]->runs[i]);

			n += r ? r->kind_count + first : 0;
		}
	return n;
}

static int collect(const struct lm_set *const sets[], struct entries *all)
{
	all->same_work = same_work(sets);
	all->items =
		calloc(count_entries(sets[BASE]) + count_entries(sets[NOW]) + count_kinds(sets),
		       sizeof(*all->items));
	if (!all->items)
		return -1;
	for (int side = BASE; side < SIDES; side++) {
		all->runs[side] = sets[side]->count;
		for (size_t i = 0; i < sets[side]->count; i++)
			add_run(all, side, sets[side]->runs[i]);
	}
	add_block(all, sets, true);
	add_block(all, sets, false);
	add_means(all, sets);
	add_mixes(all, sets);
	qsort(all->items, all->count, sizeof(*all->items), in_order);
	return 0;
}

/* --- a key
 * ------------------------------------------------------------------------------------------- */

/* What the runs of a side tell of a key, ascending, each value once. */
struct side {
	struct entry *values;
	size_t count;
	bool unknown; /* to a run, or to all */
};

/* Entries of the same key (and side) from the first on. */
static size_t same_key(const struct entry *entries, size_t count, bool side)
{
	size_t n = 0;

	while (n < count && by_key(&entries[0], &entries[n]) == 0 &&
	       (!side || entries[0].side == entries[n].side))
		n++;
	return n;
}

/* Keep one of each value, in place. */
static size_t drop_doubles(struct entry *entries, size_t count)
{
	size_t n = 0;

	for (size_t i = 0; i < count; i++)
		if (n == 0 || by_value(&entries[n - 1], &entries[i]) != 0)
			entries[n++] = entries[i];
	return n;
}

static void split(struct entry *entries, size_t count, const size_t runs[SIDES],
		  struct side out[SIDES])
{
	size_t told[SIDES];

	told[BASE] = entries[0].side == BASE ? same_key(entries, count, true) : 0;
	told[NOW] = count - told[BASE];
	out[BASE].values = entries;
	out[NOW].values = entries + told[BASE];
	for (int side = BASE; side < SIDES; side++) {
		out[side].unknown = told[side] < runs[side] || told[side] == 0;
		out[side].count = drop_doubles(out[side].values, told[side]);
	}
}

static bool same_values(const struct side sides[SIDES])
{
	if (sides[BASE].count != sides[NOW].count || sides[BASE].unknown != sides[NOW].unknown)
		return false;
	for (size_t i = 0; i < sides[BASE].count; i++)
		if (by_value(&sides[BASE].values[i], &sides[NOW].values[i]) != 0)
			return false;
	return true;
}

static bool same_boot(const struct side sides[SIDES])
{
	const char *first = sides[BASE].values[0].text; /* or the other's, when it has none */

	for (int side = BASE; side < SIDES; side++) {
		if (sides[side].unknown)
			return false;
		for (size_t i = 0; i < sides[side].count; i++) {
			const char *text = sides[side].values[i].text;

			if (!first || !text || !same_options(first, text))
				return false;
		}
	}
	return true;
}

static bool all_close(const struct side sides[SIDES])
{
	const struct entry *first = sides[BASE].values;

	for (int side = BASE; side < SIDES; side++) {
		if (sides[side].unknown)
			return false;
		for (size_t i = 0; i < sides[side].count; i++) {
			const struct entry *e = &sides[side].values[i];

			if (e->text || first->text ||
			    fabs(e->number - first->number) > 0.01 * fabs(first->number))
				return false;
		}
	}
	return true;
}

static bool is_expected(const struct side sides[SIDES], enum lm_nature nature, bool same_work)
{
	switch (nature) {
	case LM_IS_BOOT_LINE:
		return same_boot(sides);
	case LM_IS_NEARLY:
		return all_close(sides);
	case LM_IS_PLACE:
		return same_work;
	default:
		return nature != LM_MATTERS && nature != LM_DECIDES;
	}
}

static void write_value(FILE *out, const struct entry *value)
{
	if (value->text)
		fputs(value->text, out);
	else
		fprintf(out, "%.12g", value->number);
}

/* NULL when memory ran out. */
static char *join(const struct side *side)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < side->count && i < MOST_VALUES; i++) {
		fputs(i > 0 ? " | " : "", out);
		write_value(out, &side->values[i]);
	}
	if (side->count > MOST_VALUES)
		fprintf(out, " | ... (%zu values)", side->count);
	if (side->unknown)
		fprintf(out, "%sunknown", side->count > 0 ? " | " : "");
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

/* --- all keys
 * ---------------------------------------------------------------------------------------- */

/* A difference and its place among the others. */
struct row {
	struct lm_difference difference;
	size_t place;
};

static void free_difference(struct lm_difference *d)
{
	free(d->key);
	free(d->base);
	free(d->now);
}

/* 1: a row was made; 0: nothing to tell; -1: memory ran out. */
static int make_row(const struct side sides[SIDES], const char *key, bool same_work,
		    struct row *row)
{
	enum lm_nature nature = lm_nature_of(key);
	struct lm_difference *d = &row->difference;

	if (nature == LM_IS_COMMAND || same_values(sides))
		return 0;
	*d = (struct lm_difference){
		.key = strdup(key),
		.base = join(&sides[BASE]),
		.now = join(&sides[NOW]),
		.expected = is_expected(sides, nature, same_work),
		.decides = nature == LM_DECIDES && sides[BASE].count > 0 && sides[NOW].count > 0,
	};
	if (d->key && d->base && d->now)
		return 1;
	free_difference(d);
	return -1;
}

static int look_at(const struct entries *all, struct entry *entries, size_t count, struct row *row)
{
	struct side sides[SIDES];
	const struct entry *e = &entries[0];
	char *key;
	int rc;

	row->place = e->place;
	for (size_t i = 1; i < count; i++)
		if (entries[i].place < row->place)
			row->place = entries[i].place;
	if (asprintf(&key, "%s%s%s", e->block, e->name[0] ? "." : "", e->name) < 0)
		return -1;
	split(entries, count, all->runs, sides);
	rc = make_row(sides, key, all->same_work, row);
	free(key);
	return rc;
}

static int by_suspicion(const void *a, const void *b)
{
	const struct row *p = a, *q = b;
	int order = p->difference.expected - q->difference.expected;

	return order ? order : (p->place > q->place) - (p->place < q->place);
}

static int find_rows(struct entries *all, struct row *rows, size_t *found)
{
	int rc = 0;

	for (size_t i = 0, n; i < all->count && rc >= 0; i += n) {
		n = same_key(&all->items[i], all->count - i, false);
		rc = look_at(all, &all->items[i], n, &rows[*found]);
		*found += rc > 0;
	}
	qsort(rows, *found, sizeof(*rows), by_suspicion);
	return rc < 0 ? -1 : 0;
}

static int differ(struct entries *all, struct lm_differences *out)
{
	struct row *rows = calloc(all->count + 1, sizeof(*rows));
	size_t found = 0;
	int rc = rows ? find_rows(all, rows, &found) : -1;

	out->items = calloc(found + 1, sizeof(*out->items));
	for (size_t i = 0; i < found; i++) {
		if (out->items)
			out->items[out->count++] = rows[i].difference;
		else
			free_difference(&rows[i].difference);
	}
	free(rows);
	return out->items ? rc : -1;
}

int lm_differ(const struct lm_set *base, const struct lm_set *now, struct lm_differences *out,
	      struct lm_error *err)
{
	const struct lm_set *const sets[] = { base, now };
	struct entries all = { 0 };
	int rc;

	*out = (struct lm_differences){ 0 };
	rc = collect(sets, &all) < 0 ? -1 : differ(&all, out);
	free(all.items);
	if (rc < 0)
		lm_error_sys(err, "finding what differs between two sets of runs");
	return rc;
}

void lm_differences_free(struct lm_differences *d)
{
	for (size_t i = 0; i < d->count; i++)
		free_difference(&d->items[i]);
	free(d->items);
	*d = (struct lm_differences){ 0 };
}
