/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "formats/prose.h"

#include "base/units.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define BLANKS   " \t"
#define OLD_NAME "AIM Multiuser Benchmark"
#define NOT_TOLD "-"
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- texts ------------------------------------------------------------------- */

/* Copy what is between two places, without the blanks around it. */
static void copy_trimmed(const char *from, const char *end, char out[LM_PROSE_MAX])
{
	while (from < end && strchr(BLANKS, *from))
		from++;
	while (end > from && strchr(BLANKS, end[-1]))
		end--;
	snprintf(out, LM_PROSE_MAX, "%.*s", (int)(end - from), from);
}

/* What follows the words at the beginning of a line, any blanks between them; NULL: others. */
static const char *after_words(const char *line, const char *words)
{
	for (; *words; words++) {
		if (*words == ' ') {
			if (!strchr(BLANKS, *line))
				return NULL;
			line += strspn(line, BLANKS);
		} else if (strncasecmp(line++, words, 1) != 0) {
			return NULL;
		}
	}
	return line + strspn(line, BLANKS);
}

/* --- heads of runs ----------------------------------------------------------- */

bool lm_is_heading_names(const char *line)
{
	const char *rest = after_words(line, "benchmark version machine run date");

	return rest && *rest == '\0';
}

/* The fields as AIM7 writes them: parted by one tab each. */
static bool split_tabs(const char *line, struct lm_heading *h)
{
	const char *version = strchr(line, '\t'), *machine, *date;

	if (!version || !(machine = strchr(version + 1, '\t')) ||
	    !(date = strchr(machine + 1, '\t')))
		return false;
	copy_trimmed(line, version, h->benchmark);
	copy_trimmed(version + 1, machine, h->version);
	copy_trimmed(machine + 1, date, h->machine);
	copy_trimmed(date + 1, date + strlen(date), h->bad_date);
	return true;
}

/* Where the last n words of a text begin; NULL: there are fewer. */
static const char *last_words(const char *from, int n)
{
	const char *at = from + strlen(from);

	while (n-- > 0) {
		while (at > from && strchr(BLANKS, at[-1]))
			at--;
		if (at == from)
			return NULL;
		while (at > from && !strchr(BLANKS, at[-1]))
			at--;
	}
	return at;
}

/* The tabs have become blanks: the quotes of the version are what is left to go by. */
static bool split_quotes(const char *line, struct lm_heading *h)
{
	const char *open = strchr(line, '"'), *close = open ? strchr(open + 1, '"') : NULL, *date;

	if (!close || !(date = last_words(close + 1, 1)))
		return false;
	if (strcmp(date, NOT_TOLD) != 0 && !(date = last_words(close + 1, 4)))
		return false;
	copy_trimmed(line, open, h->benchmark);
	copy_trimmed(open, close + 1, h->version);
	copy_trimmed(close + 1, date, h->machine);
	copy_trimmed(date, date + strlen(date), h->bad_date);
	return true;
}

static void drop_quotes(char *text)
{
	size_t length = strlen(text);

	if (length < 2 || text[0] != '"' || text[length - 1] != '"')
		return;
	memmove(text, text + 1, length - 2);
	text[length - 2] = '\0';
}

/* What stands for a field that was not told, so that every field is there. */
static void drop_mark(char *text)
{
	if (strcmp(text, NOT_TOLD) == 0)
		text[0] = '\0';
}

static bool split_fields(const char *line, struct lm_heading *out)
{
	struct lm_heading h = { 0 };

	if (!split_tabs(line, &h) && !split_quotes(line, &h))
		return false;
	drop_quotes(h.version);
	drop_mark(h.version);
	drop_mark(h.benchmark);
	drop_mark(h.machine);
	drop_mark(h.bad_date);
	if (lm_date_parse(h.bad_date, h.date))
		h.bad_date[0] = '\0';
	if (!after_words(h.benchmark, OLD_NAME))
		memcpy(h.workload, h.benchmark, sizeof(h.workload));
	*out = h;
	return true;
}

bool lm_is_heading(const char *line)
{
	return after_words(line, OLD_NAME) != NULL;
}

bool lm_heading_parse(const char *line, bool expected, struct lm_heading *out)
{
	return (expected || after_words(line, OLD_NAME)) && split_fields(line, out);
}

/* Of the head of our table. */
static const char jobs[] = " jobs per task, on ";

static bool split_own(const char *line, const char *number, const char *host,
		      struct lm_heading *out)
{
	struct lm_heading h = { 0 };
	const char *comma = strchrnul(host, ',');
	char digits[LM_PROSE_MAX];
	uint64_t value;

	copy_trimmed(number + 1, strstr(number, jobs), digits);
	if (!lm_parse_uint(digits, 1, UINT32_MAX, &value))
		return false;
	h.jobs_per_task = (unsigned)value;
	copy_trimmed(line + 1, number, h.workload);
	copy_trimmed(host, host + strcspn(host, BLANKS ","), h.machine);
	copy_trimmed(host + strcspn(host, BLANKS ","), comma, h.kernel);
	if (*comma)
		copy_trimmed(comma + 1, comma + strlen(comma), h.label);
	*out = h;
	return true;
}

bool lm_own_heading_parse(const char *line, struct lm_heading *out)
{
	const char *at = *line == '#' ? strstr(line, jobs) : NULL, *number;

	if (!at || !(number = memrchr(line, ',', (size_t)(at - line))))
		return false;
	return split_own(line, number, at + strlen(jobs), out);
}

/* --- chatter ----------------------------------------------------------------- */

static const struct saying {
	const char *words;
	enum lm_chatter meaning;
} sayings[] = {
	{ "aim multiuser benchmark - suite vii run beginning", LM_CHATTER_BEGIN },
	{ "aim multiuser benchmark - suite vii", LM_CHATTER_NOTHING },
	{ "reaim workload", LM_CHATTER_VARIANT },
	{ "times are in seconds", LM_CHATTER_NOTHING },
	{ "crossover achieved", LM_CHATTER_CROSSOVER },
	{ "max jobs per minute", LM_CHATTER_MAXIMUM },
	{ "# iteration", LM_CHATTER_ITERATION },
	{ "# loadmix", LM_CHATTER_OWN },
	{ "#", LM_CHATTER_NOTHING },
	{ "!", LM_CHATTER_PROBLEM },
};

/* A bracket around the whole of it is no part of a name. */
static void drop_bracket(char *text)
{
	size_t length = strlen(text);

	if (length < 2 || text[0] != '(' || text[length - 1] != ')')
		return;
	memmove(text, text + 1, length - 2);
	text[length - 2] = '\0';
}

enum lm_chatter lm_chatter(const char *line, char text[LM_PROSE_MAX])
{
	for (size_t i = 0; i < COUNT(sayings); i++) {
		const char *rest = after_words(line, sayings[i].words);

		if (!rest)
			continue;
		copy_trimmed(rest, rest + strlen(rest), text);
		if (sayings[i].meaning == LM_CHATTER_VARIANT)
			drop_bracket(text);
		return sayings[i].meaning;
	}
	return LM_CHATTER_NONE;
}

/* --- workloads and captions -------------------------------------------------- */

static bool is_in(const char *word, const char *const *list, size_t count)
{
	/* most words differ in their first letter, and files of prose are long */
	for (size_t i = 0; i < count; i++)
		if ((*word | 0x20) == *list[i] && strcasecmp(word, list[i]) == 0)
			return true;
	return false;
}

/* Names that are no words of plain English, so that they need no program's name before them. */
static bool is_workload(const char *word)
{
	static const char *const names[] = { "fserver",      "dbase",       "shared",   "compute",
					     "new_dbase",    "new_fserver", "alltests", "all_utime",
					     "high_systime", "five_sec",    "aim9" };

	return is_in(word, names, COUNT(names));
}

static bool is_program(const char *word)
{
	static const char *const names[] = { "aim7", "aim", "reaim", "re-aim", "re-aim-7" };

	return is_in(word, names, COUNT(names));
}

static bool named_file(const char *line, char out[LM_PROSE_MAX])
{
	static const char file[] = "workfile.";
	const char *at = strstr(line, file);
	size_t length;

	if (!at)
		return false;
	at += strlen(file);
	length = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");
	copy_trimmed(at, at + length, out);
	return length > 0;
}

/* "NAME workload" and nothing else, as a table of ours begins. */
static bool is_caption(const char *line, char out[LM_PROSE_MAX])
{
	static const char suffix[] = " workload";
	size_t length = strlen(line), name;

	if (length <= strlen(suffix) || strcmp(line + length - strlen(suffix), suffix) != 0)
		return false;
	name = length - strlen(suffix);
	if (name >= LM_PROSE_MAX || memchr(line, ' ', name) || memchr(line, '\t', name))
		return false;
	copy_trimmed(line, line + name, out);
	return true;
}

/* The two words before "workload". */
static bool named_workload(const char *line, char out[LM_PROSE_MAX])
{
	static const char plain[] = " \t,;:()\"'*";
	char copy[LM_PROSE_MAX], *save = NULL, *word, *before = NULL, *last = NULL;

	if (!strcasestr(line, "workload")) /* as in most lines */
		return false;
	snprintf(copy, sizeof(copy), "%s", line);
	for (word = strtok_r(copy, plain, &save); word; word = strtok_r(NULL, plain, &save)) {
		if (strncasecmp(word, "workload", 8) == 0 && last &&
		    (is_workload(last) || (before && is_program(before)))) {
			copy_trimmed(last, last + strlen(last), out);
			return true;
		}
		before = last;
		last = word;
	}
	return false;
}

static const char separators[] = " \t,;:()\"'*=";

/* "dbase:", "AIM7 fserver", "reaim results, new_dbase:": a name, and nothing that tells anything
 * else. Names that are plain words need the program's name before them. */
static bool is_named_heading(const char *line, char out[LM_PROSE_MAX])
{
	static const char *const fill[] = { "results", "result",  "benchmark", "workload", "mix",
					    "the",     "for",     "of",        "and",      "here",
					    "is",      "numbers", "figures",   "are" };
	static const char *const plain[] = { "disk", "long", "short", "custom" };
	char copy[LM_PROSE_MAX], *save = NULL;
	bool program = false, named = false;

	if (strlen(line) >= sizeof(copy))
		return false;
	strcpy(copy, line);
	for (char *word = strtok_r(copy, separators, &save); word;
	     word = strtok_r(NULL, separators, &save)) {
		if (is_program(word)) {
			program = true;
		} else if (is_workload(word) || (program && is_in(word, plain, COUNT(plain)))) {
			if (named)
				return false;
			copy_trimmed(word, word + strlen(word), out);
			named = true;
		} else if (!is_in(word, fill, COUNT(fill))) {
			return false;
		}
	}
	return named;
}

bool lm_prose_workload(const char *line, char out[LM_PROSE_MAX])
{
	char text[LM_PROSE_MAX];

	if (named_file(line, out) || is_caption(line, out) || named_workload(line, out))
		return true;
	if (!is_named_heading(line, text))
		return false;
	memcpy(out, text, sizeof(text));
	return true;
}

/* --- headings ---------------------------------------------------------------- */

/* "Run 2:", "and the third run": the same thing once more. */
static bool is_repeat(const char *text)
{
	static const char *const words[] = { "run",     "runs",  "try",    "pass",    "iteration",
					     "repeat",  "round", "boot",   "attempt", "sample",
					     "trial",   "again", "once",   "more",    "first",
					     "second",  "third", "fourth", "fifth",   "last",
					     "another", "next",  "one",    "two",     "three" };
	static const char *const fill[] = { "the", "and", "a",    "of", "same",
					    "no",  "nr",  "here", "is", "number" };
	char copy[LM_PROSE_MAX], *save = NULL;
	bool any = false;

	snprintf(copy, sizeof(copy), "%s", text);
	for (char *word = strtok_r(copy, " \t,;:()#.", &save); word;
	     word = strtok_r(NULL, " \t,;:()#.", &save)) {
		if (is_in(word, words, COUNT(words)))
			any = true;
		else if (!is_in(word, fill, COUNT(fill)) &&
			 word[strspn(word, "0123456789")] != '\0' && strlen(word) > 0 &&
			 !is_in(word + strspn(word, "0123456789"),
				(const char *const[]){ "st", "nd", "rd", "th" }, 4))
			return false;
	}
	return any;
}

/* A word with what parts it from others taken off. */
static void bare_word(const char *at, size_t length, char out[LM_PROSE_MAX])
{
	while (length && strchr(separators, *at)) {
		at++;
		length--;
	}
	while (length && strchr(separators, at[length - 1]))
		length--;
	copy_trimmed(at, at + length, out);
}

void lm_prose_heading(const char *caption, const char *workload, char out[LM_PROSE_MAX])
{
	char date[LM_DATE_SIZE], word[LM_PROSE_MAX];
	size_t used = 0;

	out[0] = '\0';
	for (size_t length; *caption; caption += length) {
		caption += strspn(caption, BLANKS);
		length = strcspn(caption, BLANKS);
		bare_word(caption, length, word);
		if (length == 0 || is_program(word) || strcasecmp(word, "workload") == 0 ||
		    strcasecmp(word, workload) == 0)
			continue;
		if (used + 1 + length < LM_PROSE_MAX)
			used += (size_t)snprintf(out + used, LM_PROSE_MAX - used, "%s%.*s",
						 used ? " " : "", (int)length, caption);
	}
	while (used && strchr(",;: \t", out[used - 1]))
		out[--used] = '\0';
	if (is_repeat(out) || lm_date_parse(out, date))
		out[0] = '\0';
}

/* --- captions ---------------------------------------------------------------- */

/* "host:/mnt# reaim -s1", "$ multitask": the first or second word ends as a prompt does. */
static bool is_command(const char *line)
{
	for (int word = 0; word < 2 && *line; word++) {
		size_t length = strcspn(line, BLANKS);

		if (length && (line[length - 1] == '#' || line[length - 1] == '$'))
			return true;
		line += length;
		line += strspn(line, BLANKS);
	}
	return false;
}

bool lm_prose_caption(const char *line, char out[LM_PROSE_MAX])
{
	const char *end = line + strlen(line);

	if (strspn(line, "-=~*_+|#: \t") == strlen(line) || is_command(line))
		return false;
	while (end > line && strchr(": \t", end[-1]))
		end--;
	copy_trimmed(line, end, out);
	return *out != '\0';
}
