/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/doubts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the list ------------------------------------------------------------------------------ */

int lm_doubts_add(struct lm_doubts *doubts, struct lm_error *err, const char *fmt, ...)
{
	char **more = reallocarray(doubts->texts, doubts->count + 1, sizeof(*more));
	va_list ap;
	int n;

	if (!more)
		return lm_error_sys(err, "warnings");
	doubts->texts = more;
	va_start(ap, fmt);
	n = vasprintf(&more[doubts->count], fmt, ap);
	va_end(ap);
	if (n < 0)
		return lm_error_sys(err, "warnings");
	doubts->count++;
	return 0;
}

void lm_doubts_free(struct lm_doubts *doubts)
{
	for (size_t i = 0; i < doubts->count; i++)
		free(doubts->texts[i]);
	free(doubts->texts);
	lm_facts_free(&doubts->environment);
	*doubts = (struct lm_doubts){ 0 };
}

/* --- reasons ------------------------------------------------------------------------------- */

/* A kind of the mix that measures a disk, NULL: none. */
static const char *disk_kind(const struct lm_mix *mix)
{
	for (size_t i = 0; i < mix->count; i++)
		if (mix->entries[i].job->class == LM_CLASS_DISK)
			return mix->entries[i].job->name;
	return NULL;
}

static bool is_memory_disk(const char *disk)
{
	return !strncmp(disk, "zram", 4) || !strncmp(disk, "ram", 3) || !strncmp(disk, "pmem", 4);
}

/* What keeps the files of a directory in memory, NULL: nothing that is known. */
static const char *memory_of(const struct lm_facts *facts, size_t number)
{
	char key[64];
	const char *type, *disk;

	snprintf(key, sizeof(key), "directory_%zu.file_system", number);
	type = lm_facts_text_of(facts, key, "");
	if (!strcmp(type, "tmpfs") || !strcmp(type, "ramfs"))
		return type;
	snprintf(key, sizeof(key), "directory_%zu.disk", number);
	disk = lm_facts_text_of(facts, key, "");
	return is_memory_disk(disk) ? disk : NULL;
}

static int judge_directories(const struct lm_plan *plan, const struct lm_facts *facts,
			     struct lm_doubts *doubts, struct lm_error *err)
{
	const char *kind = disk_kind(plan->mix);

	for (size_t i = 0; kind && i < plan->dir_count; i++) {
		const char *memory = memory_of(facts, i + 1);

		if (memory && lm_doubts_add(doubts, err,
					    "%s is on %s, which is memory: the figures of disk "
					    "kinds such as %s are not those of a disk",
					    plan->dirs[i], memory, kind) < 0)
			return -1;
	}
	return 0;
}

/* Governors that follow the load are what most machines have, and no reason to doubt. powersave is,
 * with every driver: it keeps processors slow, or is slow to make them fast. */
static int judge_governor(const struct lm_facts *facts, struct lm_doubts *doubts,
			  struct lm_error *err)
{
	const char *governor = lm_facts_text_of(facts, "cpu.governor", "");

	if (!strstr(governor, "powersave"))
		return 0;
	return lm_doubts_add(doubts, err,
			     "the processors' frequency governor is %s: figures depend on how it "
			     "follows the load; 'performance' keeps the frequency up",
			     governor);
}

static int judge_power(const struct lm_facts *facts, struct lm_doubts *doubts, struct lm_error *err)
{
	if (strcmp(lm_facts_text_of(facts, "power.source", ""), "battery") != 0)
		return 0;
	return lm_doubts_add(doubts, err,
			     "the machine runs on its battery: processors may be held back");
}

/* The load average is told, but is no reason: after a run it is high for minutes. */
static int judge_load(const struct lm_facts *facts, struct lm_doubts *doubts, struct lm_error *err)
{
	double running = lm_facts_number_of(facts, "load.running", 0);
	double blocked = lm_facts_number_of(facts, "load.blocked", 0);
	double average = lm_facts_number_of(facts, "load.average_1min", 0);

	if (running < 1 && blocked < 1)
		return 0;
	return lm_doubts_add(doubts, err,
			     "the machine is not idle: %.0f other task%s running, %.0f waiting for "
			     "a disk, load average %ld.%02ld: figures are lower by what they take",
			     running, (long)(running + 0.5) == 1 ? "" : "s", blocked, (long)average,
			     (long)(average * 100 + 0.5) % 100);
}

int lm_doubts_judge(const struct lm_plan *plan, const struct lm_facts *facts,
		    struct lm_doubts *doubts, struct lm_error *err)
{
	if (judge_directories(plan, facts, doubts, err) < 0 ||
	    judge_governor(facts, doubts, err) < 0 || judge_power(facts, doubts, err) < 0)
		return -1;
	return judge_load(facts, doubts, err);
}
