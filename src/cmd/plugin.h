/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job kinds of people's own, from shared objects. */
#ifndef LM_CMD_PLUGIN_H
#define LM_CMD_PLUGIN_H

#include <loadmix/error.h>
#include <loadmix/job.h>

#define LM_MAX_PLUGINS  32
#define LM_MAX_FAMILIES 64

/* The program's families followed by the plug-ins', ended by NULL. */
struct lm_kind_list {
	const struct lm_job *families[LM_MAX_FAMILIES];
	void *handles[LM_MAX_PLUGINS];
	size_t count;
};

/* Load plug-ins and add their kinds to the list; every kind is checked. 0, or -1 with err;
 * lm_plugins_close() in either case. */
int lm_plugins_open(struct lm_kind_list *list, lm_job_list own, const char *const *paths,
		    size_t count, struct lm_error *err);
void lm_plugins_close(struct lm_kind_list *list);

#endif
