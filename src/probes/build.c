/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the program was built. */
#include "probes/probes.h"

#ifdef __clang__
#define COMPILER __VERSION__ /* "Clang 14.0.6", a distribution's name may stand before it */
#else
#define COMPILER "gcc " __VERSION__
#endif

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_facts_text(out, "build.version", LM_VERSION) |
	       lm_facts_text(out, "build.compiler", COMPILER) |
	       lm_facts_text(out, "build.flags", LM_BUILD_FLAGS);
}

const struct lm_probe lm_probe_build = { .name = "build", .describe = describe };
