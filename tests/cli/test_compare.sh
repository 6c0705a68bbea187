#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Results side by side: real runs of a kind that was made slower, posted tables, the gate, bisection.
. "$(dirname "$0")/lib.sh"
mkdir d

# --- a kind that is slower on one side ----------------------------------------------------------
# twin MICROSECONDS: a plug-in whose kind sleeps so long
twin() {
	cat >twin.c <<C
#include <loadmix/job.h>
#include <unistd.h>
static enum lm_outcome twin(struct lm_job_ctx *ctx)
{
	(void)ctx;
	usleep($1);
	return LM_JOB_OK;
}
static const struct lm_job jobs[] = {
	{ .name = "twin", .unit = "Sleeps", .class = LM_CLASS_PROCESS, .factor = 1, .run = twin },
	{ 0 },
};
extern const struct lm_plugin loadmix_plugin;
const struct lm_plugin loadmix_plugin = { LM_JOB_ABI, jobs };
C
	"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -shared -fPIC -I"$LOADMIX_SRC/include" -o "twin$1.so" twin.c
}
printf '10 twin\n10 pipe_cpy\n10 udp_test\n' >mix
# measure NAME MICROSECONDS REPEATS OPTION...
measure() {
	local name=$1 us=$2 repeats=$3
	shift 3
	"$LOADMIX" run ./mix --plugin "./twin$us.so" --jobs 30 --tasks 1,2 --repeat "$repeats" --dir d \
		--no-sync --output "$name.jsonl" "$@" >/dev/null 2>&1
}
check "a plug-in that sleeps" twin 1000
check "its slower twin" twin 41000
check "five repeats of the base" measure base 1000 5 --label base
check "five repeats with the slower twin" measure slow 41000 5 --label slow
check "five more of the base" measure same 1000 5 --label same

run 0 "compare" "$LOADMIX" compare base.jsonl slow.jsonl
holds "jobs/min is significantly worse" "$(cat out)" '^ +2 +jobs/min .* -[0-9.]+ % .*WORSE$'
holds "an interval, p and what can be seen" "$(cat out)" \
	'^ +1 +real .* 5 .* 5 +\+[0-9.]+ % +\+[0-9.]+ \.\. \+[0-9.]+ % +0\.0[0-9]+ +[0-9.]+ %'
holds "blame names the twin" "$(cat out)" '^Which jobs, at 1 task: \+[0-9.e+]+ s of \+[0-9.e+]+ s a task in twin, all of it waiting\.$'
holds "the command repeats it" "$(cat out)" '^# again: loadmix compare base.jsonl slow.jsonl$'
run 0 "as JSON" "$LOADMIX" compare base.jsonl slow.jsonl --format json
equal "the twin makes at least 80 % of the change at every load" \
	"$(jq -c '[.comparisons[0].loads[] | .blame.kinds[0] | .kind == "twin" and .share_percent >= 80]' out)" \
	'[true,true]'
equal "the shares add up" \
	"$(jq -c '[.comparisons[0].loads[].blame | [.kinds[].share_percent] | add | . > 99.999 and . < 100.001]' out)" \
	'[true,true]'
# 10 of 30 jobs sleep 40 ms longer: 400 ms a task
equal "the change is what the sleep is longer" \
	"$(jq -c '[.comparisons[0].loads[].blame.kinds[0].change_s | . > 0.3 and . < 1]' out)" '[true,true]'
run 0 "the plug-ins differ and are told" "$LOADMIX" compare base.jsonl slow.jsonl
run 0 "blame can be left out" "$LOADMIX" compare base.jsonl slow.jsonl --blame=never
equal "left out" "$(grep -c 'Which jobs' out)" 0
run 0 "blame can be asked for" "$LOADMIX" compare base.jsonl same.jsonl --blame=always
equal "at both loads" "$(grep -c 'Which jobs' out)" 2
run 0 "sets of files" "$LOADMIX" compare A=base.jsonl,same.jsonl B=slow.jsonl --format json
equal "repeats are pooled" "$(jq -c '[.comparisons[0].loads[].figures.jobs_per_min | .base.n, .new.n]' out)" '[10,5,10,5]'
equal "under the label given" "$(jq -r '.comparisons[0].base' out)" A
run 0 "three sets" "$LOADMIX" compare base.jsonl same.jsonl slow.jsonl --format csv
equal "each against the base" "$(cut -d, -f2,3 out | sort -u | tr '\n' ' ')" "base,new base,same base,slow "
run 0 "minimum, average, maximum" "$LOADMIX" compare base.jsonl slow.jsonl --stats minmax --figure real
holds "as a row a side" "$(cat out)" '^ +1 +real +base +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +5$'
run 0 "posted" "$LOADMIX" compare base.jsonl slow.jsonl --format posted
holds "posted rows" "$(cat out)" '^slow +2 +[0-9.]+ +[0-9.]+ +[0-9.]+$'
run 0 "robot" "$LOADMIX" compare base.jsonl slow.jsonl --format robot
holds "robot rows" "$(cat out)" ' -[0-9.]+% .* jobs_per_min$'
run 0 "markdown" "$LOADMIX" compare base.jsonl slow.jsonl --format markdown
holds "markdown rows" "$(cat out)" '^\| 2 \| jobs/min \| .*\*\*-[0-9.]+ %\*\* \|.* worse \|$'

# --- the gate ------------------------------------------------------------------------------------
run 1 "the gate fails" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above 20%
holds "and says where" "$(cat out)" '^ +1 tasks +jobs/min +WORSE: -[0-9.]+ %'
run 0 "a gain passes" "$LOADMIX" gate slow.jsonl base.jsonl --fail-above 20%
holds "and is told loudly" "$(cat out)" 'BETTER.*by more than 20 %'
run 0 "the same passes a wide gate" "$LOADMIX" gate base.jsonl same.jsonl --fail-above 400%
run 125 "single runs cannot be told" "$LOADMIX" gate "$LOADMIX_SRC/tests/data/posted/fserver.txt" --label 2.5.69 \
	--label 2.5.70 --fail-above 5%
run 125 "nor can a file that is not there" "$LOADMIX" gate base.jsonl none.jsonl --fail-above 5%
holds "which is named" "$(cat err)" 'none.jsonl'
run 255 "wrong usage stops a bisection" "$LOADMIX" gate base.jsonl slow.jsonl
holds "and teaches" "$(cat err)" 'fail-above'
run 255 "so does a wrong limit" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above lots
printf '1 odd_fail\n' >bad
"$ODD" run ./bad --jobs 1 --tasks 1 --dir d --output invalid.jsonl >/dev/null 2>&1
run 125 "an INVALID step cannot be told" "$LOADMIX" gate invalid.jsonl N=invalid.jsonl --fail-above 5%

# --- bisection -----------------------------------------------------------------------------------
if command -v git >/dev/null; then
	export GIT_CONFIG_NOSYSTEM=1 HOME=$T GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t \
		GIT_COMMITTER_EMAIL=t@t
	mkdir repo && cd repo && git init -q -b main .
	for n in 1 2 3 4 5 6 7 8; do
		[ $n -ge 5 ] && us=41000 || us=1000
		[ $n = 3 ] && us=broken
		echo $us >nap && echo $n >number && git add . && git commit -q -m "kernel $n"
	done
	# the try runs in the repository: the commit is what its file says
	cat >../try <<S
#!/bin/sh
us=\$(cat nap)
[ "\$us" != broken ] || exit 1
exec "$LOADMIX" run "$T/mix" --plugin "$T/twin\$us.so" --jobs 30 --tasks 1 --repeat 5 --dir "$T/d" --no-sync \\
	--output "\$JOURNAL" >/dev/null 2>&1
S
	chmod +x ../try
	JOURNAL=$T/good.jsonl
	export JOURNAL LOADMIX
	git checkout -q HEAD~7 && ../try
	git checkout -q main
	git bisect start HEAD HEAD~7 >/dev/null 2>&1
	run 0 "git bisect run" git bisect run sh "$LOADMIX_SRC/docs/examples/bisect.sh" "$T/good.jsonl" 50% ../try
	equal "the fifth kernel is found" "$(git show -s --format=%s refs/bisect/bad)" "kernel 5"
	cd ..
else
	skip "bisection: git is missing"
fi

# --- posted figures ------------------------------------------------------------------------------
# what was posted in 2003 for 2.5.69 and 2.5.70, and the changes worked out by hand
posted=$LOADMIX_SRC/tests/data/posted
run 0 "a posted table" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69 --label 2.5.70
holds "jobs/min at 4 tasks" "$(cat out)" '^ +4 +jobs/min +120\.90 +1 +79\.00 +1 +-34\.7 % +- +- +-$'
holds "real at 4 tasks" "$(cat out)" '^ +4 +real +200\.50 +1 +306\.90 +1 +\+53\.1 %'
holds "jobs/min at 32 tasks" "$(cat out)" '^ +32 +jobs/min .* \+2\.3 %'
holds "no significance is claimed" "$(cat out)" '^Single runs: nothing can be said about noise'
equal "no row is marked" "$(grep -cE 'WORSE|BETTER' out)" 0
run 2 "a label that is not there" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69 --label 2.6
holds "the labels there are" "$(cat err)" "there is no '2.6' in the results, which are of: 2.5.69, 2.5.70"
run 2 "one label alone" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69
holds "is nothing to compare" "$(cat err)" 'nothing to compare'

# --- convert -------------------------------------------------------------------------------------
run 0 "posted to journal" "$LOADMIX" convert "$posted/fserver.txt" --to journal --output p.jsonl
check "every line is JSON" jq -e . p.jsonl
run 0 "and back" "$LOADMIX" convert p.jsonl --to posted
equal "every row survives" "$(awk '$2 ~ /^[0-9]+$/ { $1 = $1; print }' out | sort)" \
	"$(awk '$2 ~ /^[0-9]+$/ { $1 = $1; print }' "$posted/fserver.txt" | sort)"
run 0 "to csv" "$LOADMIX" convert base.jsonl --to csv
equal "a line a step" "$(wc -l <out)" 11
run 0 "to suite7" "$LOADMIX" convert base.jsonl --to suite7 --output b.ss
run 0 "suite7 to journal" "$LOADMIX" convert b.ss --to journal
equal "loads survive" "$(jq -c 'select(.type=="step").tasks' out | tr '\n' ' ')" "1 2 1 2 1 2 1 2 1 2 "
run 0 "to json" "$LOADMIX" convert base.jsonl --to json
equal "with all that was read" "$(jq -c '[length, (.[0].steps | length), .[0].steps[0].kinds[0].kind]' out)" '[1,10,"twin"]'
echo old >there
run 2 "what exists is left alone" "$LOADMIX" convert base.jsonl --to csv --output there
equal "untouched" "$(cat there)" old
run 3 "a place that cannot be written" "$LOADMIX" convert base.jsonl --to csv --output /nowhere/x
run 3 "a full device" "$LOADMIX" convert base.jsonl --to csv --output /dev/full
run 2 "no form" "$LOADMIX" convert base.jsonl
run 2 "a wrong form" "$LOADMIX" convert base.jsonl --to xml

# --- summary -------------------------------------------------------------------------------------
# AIM7's documented example: peak 338.0, minimum JTI 80, crossover 276.3, sustained 283.6
run 0 "summary of suite7.ss" "$LOADMIX" summary "$LOADMIX_SRC/tests/data/posted/example.ss"
holds "to the digit" "$(cat out)" '^boxA +[^ ]+ +1 +6 +338\.0 +61 +80 +276\.3 +283\.6$'
run 0 "summary of a journal" "$LOADMIX" summary base.jsonl
equal "a line a sweep" "$(grep -c '^base ' out)" 5
run 2 "summary of nothing" "$LOADMIX" summary
run 2 "summary of no result" "$LOADMIX" summary mix
finish
