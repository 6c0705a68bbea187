/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define NAME_WORDS 3 /* that a name of a column has at most */
#define NAME_SIZE  40
#define COUNT(a)   (sizeof(a) / sizeof((a)[0]))

/* What a column gives away about the program that printed it. */
enum origin { ANY, MULTITASK, SUITE7, TABLE, REAIM, CSV, POSTED, ORIGINS };

static const char *const formats[ORIGINS] = { "posted", "multitask", "suite7", "table",
					      "reaim",  "csv",       "posted" };

/* Names of columns, in small letters. */
struct word {
	const char *text;
	enum lm_column_type type;
	enum lm_figure figure;
	const char *fact; /* its key */
	enum origin origin;
};

#define FIGURE(TEXT, FIG, ORIGIN)                                  \
	{                                                          \
		TEXT, LM_COLUMN_FIGURE, LM_FIG_##FIG, NULL, ORIGIN \
	}
#define OTHER(TEXT, TYPE, ORIGIN)                                \
	{                                                        \
		TEXT, LM_COLUMN_##TYPE, LM_FIGURES, NULL, ORIGIN \
	}
#define FACT_OF(TEXT, KEY, ORIGIN)                                      \
	{                                                               \
		TEXT, LM_COLUMN_FACT, LM_FIGURES, "posted." KEY, ORIGIN \
	}

static const struct word words[] = {
	OTHER("tasks", TASKS, ANY),
	OTHER("task", TASKS, ANY),
	OTHER("load", TASKS, ANY),
	OTHER("users", TASKS, ANY),
	OTHER("forks", TASKS, REAIM),
	OTHER("kernel", LABEL, POSTED),
	OTHER("label", LABEL, ANY),
	OTHER("workload", WORKLOAD, ANY),
	OTHER("date", DATE, ANY),
	OTHER("ended", DATE, ANY),
	OTHER("valid", VALID, ANY),
	OTHER("iteration", ITERATION, ANY),
	OTHER("run", RUN, ANY),
	OTHER("started", STARTED, ANY),
	OTHER("step", STEP, ANY),
	OTHER("jobs_per_task", JOBS, ANY),
	FIGURE("jobs/min", JOBS_PER_MIN, ANY),
	FIGURE("jobs per minute", JOBS_PER_MIN, ANY),
	FIGURE("jobs_per_min", JOBS_PER_MIN, ANY),
	FIGURE("jpm", JOBS_PER_MIN, REAIM),
	FIGURE("jti", JTI, ANY),
	FIGURE("real", REAL, ANY),
	FIGURE("real_s", REAL, CSV),
	FIGURE("parent_tm", REAL, REAIM),
	FIGURE("cpu", CPU, ANY),
	FIGURE("cpu_s", CPU, CSV),
	FIGURE("user", USER, ANY),
	FIGURE("usr", USER, ANY),
	FIGURE("user_s", USER, CSV),
	FIGURE("childu_tm", USER, REAIM),
	FIGURE("sys", SYSTEM, ANY),
	FIGURE("system", SYSTEM, TABLE),
	FIGURE("system_s", SYSTEM, CSV),
	FIGURE("childs_tm", SYSTEM, REAIM),
	FIGURE("jobs/min/task", JOBS_PER_MIN_TASK, MULTITASK),
	FIGURE("jobs_per_min_task", JOBS_PER_MIN_TASK, CSV),
	FIGURE("jpm_c", JOBS_PER_MIN_TASK, REAIM),
	FIGURE("jobs/sec/task", JOBS_PER_S_TASK, SUITE7),
	FIGURE("jobs/s/task", JOBS_PER_S_TASK, SUITE7),
	FIGURE("j/s/t", JOBS_PER_S_TASK, SUITE7),
	FIGURE("jobs_per_s_task", JOBS_PER_S_TASK, CSV),
	FIGURE("jps_c", JOBS_PER_S_TASK, REAIM),
	FIGURE("std_dev", STDDEV, ANY),
	FIGURE("std dev", STDDEV, ANY),
	FIGURE("stddev_s", STDDEV, CSV),
	FACT_OF("idle/wait", "idle_wait_s", ANY),
	FACT_OF("idle", "idle_s", ANY),
	FACT_OF("wait", "wait_s", ANY),
	FACT_OF("max_c", "max_child_s", REAIM),
	FACT_OF("min_c", "min_child_s", REAIM),
};

/* re-aim's table names a column in two lines, one word above the other. */
static const struct half {
	const char *upper, *lower; /* lower NULL: the upper line has it all */
	struct word word;
} halves[] = {
	{ "num", "forked", OTHER("tasks", TASKS, REAIM) },
	{ "parent", "time", FIGURE("real", REAL, REAIM) },
	{ "child", "systime", FIGURE("system", SYSTEM, REAIM) },
	{ "child", "utime", FIGURE("user", USER, REAIM) },
	{ "jobs per", "minute", FIGURE("jobs/min", JOBS_PER_MIN, REAIM) },
	{ "jobs/min/", "child", FIGURE("jobs/min/task", JOBS_PER_MIN_TASK, REAIM) },
	{ "std_dev", "time", FIGURE("std dev", STDDEV, REAIM) },
	{ "std_dev", "percent", FACT_OF("std_dev percent", "stddev_percent", REAIM) },
	{ "jti", NULL, FIGURE("jti", JTI, REAIM) },
};

/* --- names ------------------------------------------------------------------- */

static char lower_case(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* n cells from the first on as one name, in small letters. false when it is too long for one. */
static bool join_name(const struct lm_cells *cells, size_t first, size_t n, char name[NAME_SIZE])
{
	size_t used = 0;

	if (first + n > cells->count)
		return false;
	for (size_t i = first; i < first + n; i++) {
		size_t length = strlen(cells->at[i]);

		if (used + 1 + length + 1 > NAME_SIZE)
			return false;
		if (i > first)
			name[used++] = ' ';
		for (size_t k = 0; k < length; k++)
			name[used++] = lower_case(cells->at[i][k]);
	}
	name[used] = '\0';
	return true;
}

static const struct word *find_word(const char *name)
{
	for (size_t i = 0; i < COUNT(words); i++)
		if (strcmp(words[i].text, name) == 0)
			return &words[i];
	return NULL;
}

/* The longest known name that begins with that cell; *taken: its cells. */
static const struct word *word_at(const struct lm_cells *cells, size_t first, size_t *taken)
{
	const struct word *word = NULL;
	char name[NAME_SIZE];

	for (*taken = NAME_WORDS; *taken > 0 && !word; --*taken)
		if (join_name(cells, first, *taken, name))
			word = find_word(name);
	++*taken; /* the loop steps once more than it looks */
	return word;
}

/* The same for a line of re-aim's head. */
static const char *half_at(const struct lm_cells *cells, size_t first, bool upper, size_t *taken)
{
	char name[NAME_SIZE];

	for (*taken = 2; *taken > 0; --*taken) {
		if (!join_name(cells, first, *taken, name))
			continue;
		for (size_t i = 0; i < COUNT(halves); i++) {
			const char *text = upper ? halves[i].upper : halves[i].lower;

			if (text && strcmp(text, name) == 0)
				return text;
		}
	}
	return NULL;
}

/* --- a table of columns ------------------------------------------------------ */

struct count {
	size_t known, unknown, figures, tasks, throughput, labels;
	size_t again; /* known, and there before */
	enum origin origin;
};

static void set_column(struct lm_column *column, const struct word *word)
{
	column->type = word->type;
	column->figure = word->figure;
	snprintf(column->name, sizeof(column->name), "%s", word->fact ? word->fact : word->text);
}

/* A column that nobody knows is kept under its own name. */
static void set_unknown(struct lm_column *column, const char *text)
{
	size_t used = strlen("posted.");

	column->type = LM_COLUMN_FACT;
	column->figure = LM_FIGURES;
	strcpy(column->name, "posted.");
	for (; *text && used + 1 < sizeof(column->name); text++) {
		char c = lower_case(*text);
		bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');

		if (plain || column->name[used - 1] != '_')
			column->name[used++] = plain ? c : '_';
	}
	column->name[used] = '\0';
}

/* The column that is the same as the last, which is told of all that are. */
static void count_twins(struct lm_table *table)
{
	struct lm_column *last = &table->columns[table->count - 1];

	last->nth = 1;
	last->twin = table->count - 1;
	for (size_t i = 0; i + 1 < table->count; i++) {
		const struct lm_column *column = &table->columns[i];
		bool same = column->type == last->type && column->figure == last->figure &&
			    (last->type != LM_COLUMN_FACT || strcmp(column->name, last->name) == 0);

		if (!same || column->nth != 1)
			continue;
		last->twin = i;
		for (size_t k = i; k + 1 < table->count; k++)
			last->nth += table->columns[k].twin == i;
	}
}

static unsigned count_of(const struct lm_table *table, size_t twin)
{
	unsigned n = 0;

	for (size_t i = 0; i < table->count; i++)
		n += table->columns[i].twin == twin;
	return n;
}

/* A second column of a name is kept, and is not the figure. */
static void demote(struct lm_table *table, size_t i)
{
	char name[NAME_SIZE];

	snprintf(name, sizeof(name), "%s", table->columns[table->columns[i].twin].name);
	if (table->columns[i].type == LM_COLUMN_FACT)
		return;
	set_unknown(&table->columns[i], name);
}

/* Figures that are all there as often are those of several kernels, side by side. */
static bool has_sides(const struct lm_table *table, unsigned sides)
{
	for (size_t i = 0; i < table->count; i++) {
		const struct lm_column *column = &table->columns[table->columns[i].twin];
		unsigned n = count_of(table, table->columns[i].twin);

		if (column->type == LM_COLUMN_FIGURE
			    ? n != sides
			    : n != 1 && n != sides && column->type != LM_COLUMN_FACT)
			return false;
		if (column->type == LM_COLUMN_LABEL && n != sides)
			return false;
	}
	return sides >= 2 && sides <= LM_SIDES_MAX;
}

/* Give columns that are there more than once to their sides, or say which cannot be used. */
static void settle_sides(struct lm_table *table)
{
	unsigned sides = 1;

	for (size_t i = 0; i < table->count; i++) {
		struct lm_column *column = &table->columns[i];
		const struct lm_column *twin = &table->columns[column->twin];

		if (column->nth == 1)
			continue;
		column->type = twin->type;
		column->figure = twin->figure;
		snprintf(column->name, sizeof(column->name), "%s", twin->name);
		if (column->type != LM_COLUMN_FACT && column->nth > sides)
			sides = column->nth;
	}
	table->sides = has_sides(table, sides) ? sides : 1;
	table->doubled = 0;
	for (size_t i = 0; i < table->count; i++) {
		struct lm_column *column = &table->columns[i];

		column->side = table->sides > 1 && count_of(table, column->twin) == sides
				       ? column->nth
				       : 0;
		if (column->side || column->nth == 1)
			continue;
		if (column->type != LM_COLUMN_FACT)
			table->doubled = i;
		demote(table, i);
	}
}

/* Only words that nobody puts into a sentence on tasks make a head of a line. */
static bool is_plain(const struct word *word)
{
	return word->type == LM_COLUMN_RUN || word->type == LM_COLUMN_STARTED ||
	       word->type == LM_COLUMN_STEP || word->type == LM_COLUMN_JOBS;
}

static void count_word(struct count *n, const struct word *word)
{
	n->known += !is_plain(word);
	n->unknown += is_plain(word);
	n->tasks += word->type == LM_COLUMN_TASKS;
	n->labels += word->type == LM_COLUMN_LABEL;
	n->figures += word->type == LM_COLUMN_FIGURE;
	n->throughput += word->figure == LM_FIG_JOBS_PER_MIN;
	if (word->origin > n->origin)
		n->origin = word->origin;
}

static void add_column(struct lm_table *table, const struct word *word, const char *text,
		       struct count *n)
{
	struct lm_column *column = &table->columns[table->count];

	if (word)
		set_column(column, word);
	else
		set_unknown(column, text);
	table->count++;
	count_twins(table);
	if (word && (column->nth == 1 || word->type == LM_COLUMN_FACT))
		count_word(n, word);
	else
		n->unknown += word ? 0 : 1;
	n->again += word && column->nth > 1 && word->type != LM_COLUMN_FACT;
}

/* Add the columns that the cells name. false: they are too many. */
static bool add_columns(struct lm_table *table, const struct lm_cells *cells, struct count *n)
{
	size_t taken = 1;

	for (size_t i = 0; i < cells->count; i += taken) {
		const struct word *word = word_at(cells, i, &taken);

		if (table->count == LM_COLUMNS_MAX)
			return false;
		if (table->separator == '|' && *cells->at[i] == '\0')
			continue;
		add_column(table, word, cells->at[i], n);
	}
	return true;
}

/* Prose has such words, too; no prose has so many of them and so few others. */
static bool is_head(const struct count *n)
{
	if (n->tasks != 1 || n->labels > 1)
		return false;
	if (n->unknown == 0)
		return n->figures >= 2 || n->throughput == 1;
	return n->throughput == 1 && n->figures + n->labels >= 2 && n->known >= n->unknown;
}

static void finish_table(struct lm_table *table, const struct count *n)
{
	struct lm_column *last = &table->columns[table->count - 1];

	table->format = formats[n->origin];
	table->named = n->labels == 1;
	/* a date has several words, and is found after the last column anyway */
	if (table->separator == ' ' && last->type == LM_COLUMN_DATE)
		table->count--;
}

/* --- heads ------------------------------------------------------------------- */

/* A log may make a comment of its head. */
static const char *without_hash(const char *line)
{
	return line + strspn(line, "# \t");
}

/* Most lines are none, and are quickly passed over. */
static bool may_be_head(const char *line)
{
	return strcasestr(line, "task") || strcasestr(line, "load") || strcasestr(line, "users") ||
	       strcasestr(line, "forks");
}

static bool is_head_of(const char *line, char separator, struct lm_table *out)
{
	struct lm_table table = { .separator = separator };
	struct lm_cells cells;
	struct count n = { 0 };

	lm_cells_split(line, table.separator, &cells);
	if (cells.count < 2 || cells.count == LM_CELLS_MAX || !add_columns(&table, &cells, &n))
		return false;
	settle_sides(&table);
	if (table.sides > 1)
		n.figures *= table.sides;
	else
		n.unknown += n.again;
	if (!is_head(&n))
		return false;
	finish_table(&table, &n);
	*out = table;
	return true;
}

static bool is_one_line(const char *line, struct lm_table *out)
{
	if (!may_be_head(line))
		return false;
	if (strchr(line, '|') && is_head_of(line, '|', out))
		return true;
	return is_head_of(line, lm_cells_separator(line), out);
}

/* Add the words of a line of which each is a half; false, and nothing added, when one is none. */
static bool add_halves(const char *line, bool upper, const char **list, size_t *count)
{
	size_t taken, n = *count;
	struct lm_cells cells;

	lm_cells_split(line, ' ', &cells);
	for (size_t i = 0; i < cells.count; i += taken) {
		const char *text = half_at(&cells, i, upper, &taken);

		if (!text || n == LM_COLUMNS_MAX)
			return false;
		list[n++] = text;
	}
	*count = n;
	return true;
}

static const struct word *whole(const char *upper, const char *lower)
{
	for (size_t i = 0; i < COUNT(halves); i++) {
		const struct half *half = &halves[i];

		if (strcmp(half->upper, upper) == 0 &&
		    (!half->lower || (lower && strcmp(half->lower, lower) == 0)))
			return &half->word;
	}
	return NULL;
}

static bool has_lower(const char *upper)
{
	for (size_t i = 0; i < COUNT(halves); i++)
		if (strcmp(halves[i].upper, upper) == 0)
			return halves[i].lower != NULL;
	return false;
}

static size_t lowers_needed(const struct lm_head *head)
{
	size_t n = 0;

	for (size_t i = 0; i < head->upper_count; i++)
		n += has_lower(head->upper[i]);
	return n;
}

/* The words of the lower line belong to those of the upper in their order. */
static bool join_halves(const struct lm_head *head, struct lm_table *out)
{
	struct lm_table table = { .separator = ' ' };
	struct count n = { 0 };
	size_t at = 0;

	for (size_t i = 0; i < head->upper_count; i++) {
		const char *upper = head->upper[i];
		const struct word *word = whole(upper, has_lower(upper) ? head->lower[at++] : NULL);

		if (!word)
			return false;
		add_column(&table, word, upper, &n);
	}
	if (!is_head(&n))
		return false;
	finish_table(&table, &n);
	*out = table;
	return true;
}

static enum lm_head_state go_on(struct lm_head *head, const char *line, struct lm_table *table)
{
	bool known = (head->lower_count == 0 &&
		      add_halves(line, true, head->upper, &head->upper_count)) ||
		     add_halves(line, false, head->lower, &head->lower_count);
	size_t needed = lowers_needed(head);
	bool good;

	if (known && head->lower_count < needed)
		return LM_HEAD_PART;
	good = known && head->lower_count == needed && join_halves(head, table);
	*head = (struct lm_head){ 0 };
	return good ? LM_HEAD_DONE : LM_HEAD_BROKEN;
}

enum lm_head_state lm_head_line(struct lm_head *head, const char *line, struct lm_table *table)
{
	line = without_hash(line);
	if (head->upper_count)
		return go_on(head, line, table);
	if (is_one_line(line, table))
		return LM_HEAD_DONE;
	if (strncasecmp(line, "num", 3) != 0 ||
	    !add_halves(line, true, head->upper, &head->upper_count))
		return LM_HEAD_NONE;
	if (head->upper_count >= 3)
		return LM_HEAD_PART;
	*head = (struct lm_head){ 0 };
	return LM_HEAD_NONE;
}

bool lm_table_extend(struct lm_table *table, const char *line)
{
	struct lm_table longer = *table;
	struct lm_cells cells;
	struct count n = { 0 };

	lm_cells_split(without_hash(line), table->separator, &cells);
	if (cells.count == 0 || !add_columns(&longer, &cells, &n) || n.unknown || n.tasks)
		return false;
	settle_sides(&longer);
	if (longer.named && n.labels)
		return false;
	longer.named = longer.named || n.labels;
	*table = longer;
	return true;
}
