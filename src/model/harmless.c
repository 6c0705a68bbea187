/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "model/harmless.h"

#include <fnmatch.h>
#include <stddef.h>

/* The first pattern that matches a key decides; what none matches matters. */
static const struct {
	const char *pattern;
	enum lm_nature nature;
} rules[] = {
	/* names the label and the output, which differ by nature */
	{ "plan.command", LM_IS_COMMAND },
	{ "plan.command.*", LM_IS_COMMAND },
	{ "plan.output", LM_IS_COMMAND },

	{ "plan.workfile", LM_IS_PLACE },
	{ "plan.cwd", LM_IS_PLACE },
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
	/* that a run was broken off and gone on with, and what had changed then */
	{ "environment.resumed.*", LM_IS_NAME },

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

enum lm_nature lm_nature_of(const char *key)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (fnmatch(rules[i].pattern, key, 0) == 0)
			return rules[i].nature;
	return LM_MATTERS;
}
