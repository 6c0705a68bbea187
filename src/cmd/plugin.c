/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "model/kinds.h"

static int add_family(struct lm_kind_list *list, const struct lm_job *jobs, struct lm_error *err)
{
	size_t n = 0;

	while (list->families[n])
		n++;
	if (n + 1 >= LM_MAX_FAMILIES)
		return lm_error_set(err, LM_ERR_INPUT, "too many plug-ins");
	list->families[n] = jobs;
	return 0;
}

static int check_plugin(const struct lm_plugin *plugin, const char *path, struct lm_error *err)
{
	if (!plugin)
		return lm_error_at(err, path, 0, 0,
				   "is no plug-in: it does not export 'loadmix_plugin' (see "
				   "loadmix/job.h)");
	if (plugin->abi != LM_JOB_ABI)
		return lm_error_at(
			err, path, 0, 0,
			"was built for version %u of the job interface, this program has "
			"version %u: build it again with this program's loadmix/job.h",
			plugin->abi, LM_JOB_ABI);
	if (!plugin->jobs)
		return lm_error_at(err, path, 0, 0, "has no table of jobs");
	return 0;
}

/* Check the plug-in's kinds before anybody uses them. */
static int check_kinds(const struct lm_job *jobs, const char *path, struct lm_error *err)
{
	const struct lm_job *const alone[] = { jobs, NULL };
	struct lm_error fault = { 0 };

	if (lm_kinds_check(alone, &fault) == 0)
		return 0;
	return lm_error_at(err, path, 0, 0, "%s", fault.text);
}

/* A kind of the plug-in that is there already under that name, or NULL. */
static const char *name_taken(lm_job_list list, const struct lm_job *jobs)
{
	for (const struct lm_job *job = jobs; job->name; job++)
		if (lm_kind_find(list, job->name))
			return job->name;
	return NULL;
}

static int load(struct lm_kind_list *list, const char *name, struct lm_error *err)
{
	char *path =
		realpath(name, NULL); /* a name without a slash would be looked for elsewhere */
	const struct lm_plugin *plugin;
	const char *taken;
	void *handle;

	if (!path)
		return lm_error_at(err, name, 0, 0, "cannot be loaded: %s", strerror(errno));
	handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	free(path);
	if (!handle)
		return lm_error_at(err, name, 0, 0, "cannot be loaded as a plug-in: %s", dlerror());
	list->handles[list->count++] = handle;
	plugin = dlsym(handle, "loadmix_plugin");
	if (check_plugin(plugin, name, err) < 0)
		return -1;
	if (check_kinds(plugin->jobs, name, err) < 0)
		return -1;
	taken = name_taken(list->families, plugin->jobs);
	if (taken)
		return lm_error_at(
			err, name, 0, 0,
			"defines the job kind '%s', which exists already: choose another "
			"name",
			taken);
	return add_family(list, plugin->jobs, err);
}

int lm_plugins_open(struct lm_kind_list *list, lm_job_list own, const char *const *paths,
		    size_t count, struct lm_error *err)
{
	*list = (struct lm_kind_list){ 0 };
	for (; *own; own++)
		if (add_family(list, *own, err) < 0)
			return -1;
	for (size_t i = 0; i < count; i++)
		if (load(list, paths[i], err) < 0)
			return -1;
	return 0;
}

void lm_plugins_close(struct lm_kind_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		dlclose(list->handles[i]);
	list->count = 0;
}
