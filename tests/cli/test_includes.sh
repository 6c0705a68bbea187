#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The include graph points down the layers: a file includes the contracts, base, model and its own
# folder; only commands and front ends join the lists to the engine.
. "$(dirname "$0")/lib.sh"

# violations DIR: "file: include" for every include of a file that its folder may not have
violations() {
	local file folder inc
	while IFS= read -r file; do
		folder=$(basename "$(dirname "$file")")
		while IFS= read -r inc; do
			case "$folder:$inc" in
			cmd:* | front:*) ;;
			base:base/* | model:base/* | model:model/*) ;;
			jobs:jobs/*) ;;
			policies:base/* | policies:model/* | policies:policies/*) ;;
			formats:base/* | formats:model/* | formats:formats/*) ;;
			probes:base/* | probes:model/* | probes:probes/*) ;;
			engine:base/* | engine:model/* | engine:engine/*) ;;
			*) printf '%s: %s\n' "${file#"$1"/}" "$inc" ;;
			esac
		done < <(sed -n 's/^#include "\(.*\)".*/\1/p' "$file")
	done < <(find "$1/src" -name '*.[ch]')
	# base knows nothing of benchmarks but the error object and the facts
	grep -ln '#include <loadmix/' "$1"/src/base/*.[ch] | while IFS= read -r file; do
		grep -o '#include <loadmix/[a-z]*.h>' "$file" | grep -vE 'error|probe' |
			sed "s|^|${file#"$1"/}: |"
	done
	# a job kind knows its contract alone
	for file in "$1"/src/jobs/*.[ch]; do
		grep -o '#include <loadmix/[a-z]*.h>' "$file" | grep -v 'job.h' | sed "s|^|${file#"$1"/}: |"
	done
	# contracts include contracts
	grep -n '#include "' "$1"/include/loadmix/*.h
}

equal "no file includes what its layer may not" "$(violations "$LOADMIX_SRC")" ""

cp -r "$LOADMIX_SRC/src" "$LOADMIX_SRC/include" .
chmod -R u+w src include
echo '#include "engine/step.h"' >>src/jobs/null.c
echo '#include "jobs/jobs.h"' >>src/engine/step.c
echo '#include <loadmix/plan.h>' >>src/base/units.c
echo '#include <loadmix/sink.h>' >>src/jobs/disk.c
equal "this test sees four that do" "$(violations "$T" | wc -l)" 4

printf '#include <loadmix/job.h>\nint main(void) { return sizeof(struct lm_job) == 0; }\n' >one.c
for h in "$LOADMIX_SRC"/include/loadmix/*.h; do
	printf '#include <loadmix/%s>\n' "$(basename "$h")" >one.c
	check "$(basename "$h") stands alone" "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror \
		-I"$LOADMIX_SRC/include" -fsyntax-only one.c
done
finish
