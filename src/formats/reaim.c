/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What re-aim-7 prints and leaves: its table, PREFIX.csv, PREFIX.log, multiuser.ss. Programs read
 * the rows, so one of an INVALID step must not pass for a row: the word stands in it. */
#include <string.h>

#include "base/clock.h"
#include "formats/formats.h"
#include "formats/reaim_rows.h"

/* --- the table ------------------------------------------------------------------------------ */

static void table_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	(void)plan;
	(void)environment;
	fputs("Num     Parent   Child   Child  Jobs per   Jobs/min/  Std_dev  Std_dev  JTI\n"
	      "Forked  Time     SysTime UTime   Minute     Child      Time     Percent \n",
	      out);
}

static void table_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	fprintf(out, "%-8u%-8.2f %-7.2f %-7.2f %-10.2f %-10.2f %-8.2f %-8.2f %-4d %s\n", r->tasks,
		r->real_s, r->system_s, r->user_s, r->jobs_per_min, r->jobs_per_min_task,
		r->stddev_s, lm_reaim_percent(row), r->jti, r->valid ? "" : "INVALID");
}

static void table_end(FILE *out, const struct lm_summary *summary, bool crossed)
{
	if (crossed)
		fputs("Crossover achieved.\n", out);
	if (summary->peak_tasks)
		fprintf(out, "Max Jobs per Minute %.2f\n", summary->peak_jobs_per_min);
}

static int table_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { table_head, table_row, table_end };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim = {
	.name = "reaim",
	.summary = "re-aim-7's table; standard output by default",
	.open = table_open,
};

/* --- PREFIX.csv ----------------------------------------------------------------------------- */

static void csv_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	(void)plan;
	(void)environment;
	fputs("Forks,JPM,JPM_C,JPS_C,parent_tm,childU_tm,childS_tm,std_dev,JTI,max_c,min_c\n", out);
}

static void csv_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	fprintf(out, "%s%u,%.2f,%.2f,%.4f,%.2f,%.2f,%.2f,%.2f,%d,%.2f,%.2f\n",
		r->valid ? "" : "INVALID ", r->tasks, r->jobs_per_min, r->jobs_per_min_task,
		r->jobs_per_s_task, r->real_s, r->user_s, r->system_s, r->stddev_s, r->jti,
		row->longest_s, row->shortest_s);
}

static int csv_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { csv_head, csv_row, NULL };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_csv = {
	.name = "reaim-csv",
	.summary = "re-aim-7's PREFIX.csv: its columns, separated by commas",
	.open = csv_open,
};

/* --- PREFIX.log ----------------------------------------------------------------------------- */

static void log_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	(void)plan;
	(void)environment;
	fprintf(out, "%7s %12s %12s %10s %10s %10s %10s %10s %4s %10s %10s\n", "Forks", "JPM",
		"JPM_C", "JPS_C", "parent_tm", "childU_tm", "childS_tm", "std_dev", "JTI", "max_c",
		"min_c");
}

static void log_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	fprintf(out, "%7u %12.2f %12.2f %10.4f %10.2f %10.2f %10.2f %10.2f %4d %10.2f %10.2f%s\n",
		r->tasks, r->jobs_per_min, r->jobs_per_min_task, r->jobs_per_s_task, r->real_s,
		r->user_s, r->system_s, r->stddev_s, r->jti, row->longest_s, row->shortest_s,
		r->valid ? "" : "  INVALID");
}

static int log_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { log_head, log_row, NULL };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_log = {
	.name = "reaim-log",
	.summary = "re-aim-7's PREFIX.log: the columns of PREFIX.csv, of fixed width",
	.open = log_open,
};

/* --- multiuser.ss --------------------------------------------------------------------------- */

/* As the head of suite7.ss, for those who read that. */
static void ss_head(FILE *out, const struct lm_plan *plan, const struct lm_facts *environment)
{
	char date[32];

	lm_now_date(date, sizeof(date));
	fprintf(out,
		"Benchmark\tVersion\tMachine\tRun Date\n%s\t\"loadmix " LM_VERSION "\"\t%s\t%s\n\n"
		"Tasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n",
		plan->mix->name, lm_facts_text_of(environment, "host.name", ""), date);
}

static void ss_row(FILE *out, const struct lm_reaim_row *row)
{
	const struct lm_record *r = row->r;

	fprintf(out, "%s%u\t%.2f\t\t%d\t%.2f\t%.2f\t%.4f\n", r->valid ? "" : "INVALID ", r->tasks,
		r->jobs_per_min, r->jti, r->real_s, r->cpu_s, r->jobs_per_s_task);
}

static int ss_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	static const struct lm_reaim_layout layout = { ss_head, ss_row, NULL };

	return lm_reaim_rows_open(path, &layout, out, err);
}

const struct lm_format lm_format_reaim_ss = {
	.name = "reaim-ss",
	.summary = "multiuser.ss: head and columns of suite7.ss",
	.open = ss_open,
};
