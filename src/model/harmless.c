/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/harmless.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* The first pattern that matches a key decides; what none matches matters. */
static const struct {
	const char *pattern;
	enum lm_nature nature;
} rules[] = {
	/* names the label and the output, which differ by nature */
	{ "plan.command", LM_IS_COMMAND },
	{ "plan.command.*", LM_IS_COMMAND },
	{ "plan.output", LM_IS_COMMAND },

	{ "plan.semantics", LM_DECIDES },
	{ "plan.start_delay", LM_DECIDES },
	{ "plan.cpus", LM_DECIDES },
	{ "plan.order", LM_DECIDES },
	{ "plan.seed", LM_DECIDES },
	{ "plan.sync", LM_DECIDES },
	{ "plan.period_s", LM_DECIDES },

	{ "plan.workfile", LM_IS_PLACE },
	{ "plan.cwd", LM_IS_PLACE },
	/* where a plug-in or script was; its digest tells what it is */
	{ "mix.*.file", LM_IS_PLACE },
	/* the reasons why kinds were left out; the mix tells which */
	{ "plan.skipped", LM_IS_PLACE },
	{ "plan.skipped.*", LM_IS_PLACE },

	{ "run.label", LM_IS_NAME },
	{ "run.started", LM_IS_NAME },
	{ "plan.label", LM_IS_NAME },
	/* how often, and not what */
	{ "plan.iterations", LM_IS_NAME },
	{ "plan.repeat", LM_IS_NAME },
	{ "plan.repeats", LM_IS_NAME },
	/* that a run was broken off and gone on with; what had changed then is as it is without
	 * that, but steps of two kernels in one run are none that anyone compares */
	{ "environment.resumed.*.kernel.*", LM_MATTERS },
	{ "environment.resumed.*.after", LM_IS_NAME },
	{ "environment.resumed.*.began", LM_IS_NAME },
	{ "environment.resumed.*.again", LM_IS_NAME },
	{ "environment.resumed.*.loadmix", LM_MATTERS },

	{ "environment.kernel.release", LM_IS_KERNEL },
	{ "environment.kernel.version", LM_IS_KERNEL },
	{ "environment.kernel.command_line", LM_IS_BOOT_LINE },

	/* kernels take more or less memory for themselves, and derive limits from the rest */
	{ "environment.memory.total_kib", LM_IS_NEARLY },
	{ "environment.limits.processes", LM_IS_NEARLY },
	{ "environment.limits.pending_signals", LM_IS_NEARLY },
	{ "environment.limits.threads_max", LM_IS_NEARLY },
	{ "environment.limits.system_files", LM_IS_NEARLY },

	/* time */
	{ "environment.*.time", LM_IS_UNSTEADY },
	{ "environment.*uptime*", LM_IS_UNSTEADY },
	{ "environment.*boot_time*", LM_IS_UNSTEADY },

	/* space and memory that happened to be free */
	{ "environment.*free_kib", LM_IS_UNSTEADY },
	{ "environment.*free_inodes", LM_IS_UNSTEADY },
	{ "environment.*available_kib", LM_IS_UNSTEADY },
	{ "environment.*used_kib", LM_IS_UNSTEADY },
	{ "environment.memory.huge_pages_free", LM_IS_UNSTEADY },

	/* what else happened to go on */
	{ "environment.load.*", LM_IS_UNSTEADY },
	{ "environment.*current_khz", LM_IS_UNSTEADY },
	{ "environment.*current_mhz", LM_IS_UNSTEADY },
	/* of a login; the limits have keys of their own */
	{ "environment.cgroup.path", LM_IS_UNSTEADY },
};

/* "environment.resumed.1.now.KEY" and "... was.KEY": KEY alone; else NULL. */
static const char *key_of_resume(const char *key)
{
	const char *const marks[] = { ".was.", ".now." };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *mark = strstr(key, marks[i]);

		if (mark && fnmatch("environment.resumed.*", key, 0) == 0)
			return mark + strlen(marks[i]);
	}
	return NULL;
}

static enum lm_nature match(const char *key)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (fnmatch(rules[i].pattern, key, 0) == 0)
			return rules[i].nature;
	return LM_MATTERS;
}

enum lm_nature lm_nature_of(const char *key)
{
	const char *inner = key_of_resume(key);
	char of[300];

	if (!inner || strncmp(inner, "kernel.", strlen("kernel.")) == 0)
		return match(key);
	snprintf(of, sizeof(of), "environment.%s", inner);
	return match(of);
}
