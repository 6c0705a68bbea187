/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the power comes from. */
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "probes/probes.h"
#include "probes/readfile.h"

#define SUPPLIES "/sys/class/power_supply"

struct supplies {
	bool known, mains, draining;
};

static void take_supply(const char *root, const char *name, struct supplies *s)
{
	char type[32], text[32];
	int64_t online = 0;

	/* the battery of a mouse is none of the machine's */
	if (lm_read_text(text, sizeof(text), root, SUPPLIES "/%s/scope", name) == 0 &&
	    strcmp(text, "Device") == 0)
		return;
	if (lm_read_text(type, sizeof(type), root, SUPPLIES "/%s/type", name) < 0)
		return;
	s->known = true;
	if (strcmp(type, "Battery") != 0) {
		s->mains |= lm_read_number(&online, root, SUPPLIES "/%s/online", name) == 0 &&
			    online > 0;
		return;
	}
	s->draining |= lm_read_text(text, sizeof(text), root, SUPPLIES "/%s/status", name) == 0 &&
		       strcmp(text, "Discharging") == 0;
}

int lm_power_facts(const char *root, struct lm_facts *out)
{
	struct supplies s = { 0 };
	struct dirent *entry;
	char path[4096];
	DIR *dir;

	snprintf(path, sizeof(path), "%s" SUPPLIES, root);
	dir = opendir(path);
	while (dir && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			take_supply(root, entry->d_name, &s);
	if (dir)
		closedir(dir);
	return lm_facts_text(out, "power.source",
			     !s.known                 ? NULL
			     : s.draining && !s.mains ? "battery"
						      : "mains");
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	(void)plan;
	return lm_power_facts("", out);
}

const struct lm_probe lm_probe_power = { .name = "power", .describe = describe };
