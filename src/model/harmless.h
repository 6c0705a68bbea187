/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What may differ between two runs without harm, and why: the one table of it. Pure. */
#ifndef LM_MODEL_HARMLESS_H
#define LM_MODEL_HARMLESS_H

enum lm_nature {
	LM_MATTERS,      /* the figures may depend on it */
	LM_DECIDES,      /* the work or how it is measured is another: asked for, not met with */
	LM_IS_COMMAND,   /* how it was asked for; the plan has all that it asked for */
	LM_IS_PLACE,     /* where the workload was read from: no matter when its mix is the same */
	LM_IS_NAME,      /* what a run is called, when it was, how often it is repeated */
	LM_IS_KERNEL,    /* of kernels that are compared: expected, and worth telling */
	LM_IS_BOOT_LINE, /* the same, as far as it names the kernel's image */
	LM_IS_NEARLY,    /* what a kernel leaves of memory: harmless within 1 % */
	LM_IS_UNSTEADY,  /* never the same on one machine: time, load, what happens to be free */
};

/* Of a key as lm_differ() makes them: "run.KEY", "plan.KEY", "environment.KEY". */
enum lm_nature lm_nature_of(const char *key);

#endif
