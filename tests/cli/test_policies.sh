#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Sweeps that choose their loads: open ranges, rules that end them, data points, iterations.
. "$(dirname "$0")/lib.sh"
mkdir d
printf '1 odd_nap\n' >w

# sweep STATUS TEXT OPTION...: run ./w, with a job a task, into a new journal j.jsonl
sweep() {
	local status=$1 text=$2
	shift 2
	rm -f j.jsonl
	run "$status" "$text" "$ODD" run ./w --jobs 1 --dir d --output j.jsonl "$@"
}

# loads: the task counts of the journal's steps
loads() { jq -c 'select(.type=="step").tasks' j.jsonl | tr '\n' ' '; }

# end FILTER: of the journal's end line
end() { tail -n 1 j.jsonl | jq -c "$1"; }

# refused TEXT PATTERN OPTION...: exit 2, one line, nothing made
refused() {
	local text=$1 pattern=$2
	shift 2
	rm -f j.jsonl
	"$ODD" run ./w --jobs 1 --dir d --output j.jsonl "$@" >out 2>err
	equal "exit 2: $text" $? 2
	equal "one line: $text" "$(wc -l <err)" 1
	holds "clear: $text" "$(cat err)" "$pattern"
	equal "nothing made: $text" "$(ls -A d; ls j.jsonl 2>/dev/null)" ""
}

# --- ranges without an end ---------------------------------------------------------------------
sweep 0 "the guard ends what has no end" --tasks 1-:2 --until crossover --max-tasks 6
equal "loads up to the guard" "$(loads)" "1 3 5 6 "
holds "the limit is named" "$(cat out)" '^# ended: the limit of 6 tasks \(--max-tasks\)$'
equal "the journal names it, too" "$(end '[.complete, .sweeps[0].ended, .sweeps[0].most_tasks]')" \
	'[true,"the limit of 6 tasks (--max-tasks)",6]'
equal "the plan in the journal" \
	"$(head -n 1 j.jsonl | jq -c '.plan | [.policy, .until, .floor, .max_tasks, .guard, .iterations]')" \
	'["fixed","crossover",1,6,"--max-tasks",1]'
sweep 0 "--max-tasks alone is an end" --tasks 2- --max-tasks 3
equal "its loads" "$(loads)" "2 3 "
sweep 0 "--until without loads goes from 1 by 1" --until crossover --max-tasks 3
equal "its loads, too" "$(loads)" "1 2 3 "
# a job of 10 ms: at most 6000 a minute
sweep 0 "a crossover at another line" --tasks 2-:1 --until crossover=6000
equal "it ends where it is crossed" "$(loads)" "2 "
holds "and says so" "$(cat out)" '^# ended: crossover: jobs/min/task is [0-9.]+ at 2 tasks, not above 6000$'
sweep 0 "a rule ends a list as well" --tasks 3,1,2 --until crossover=6000
equal "after its first load" "$(loads)" "3 "
sweep 0 "increments of its own" --adaptive --newton --until crossover --max-tasks 2
equal "adaptive, named in the journal" "$(head -n 1 j.jsonl | jq -c '.plan | [.policy, .newton, .reaim]')" \
	'["adaptive",true,false]'
sweep 0 "re-aim-7's" --adaptive=reaim --tasks 1-3:2
equal "loads of a range" "$(loads)" "1 3 "
sweep 0 "newton" --newton --tasks 1-3:2
equal "newton in the journal" "$(head -n 1 j.jsonl | jq -r .plan.policy)" newton

printf '1 odd_wrong\n' >w
sweep 1 "steps that are INVALID end an open sweep" --tasks 1- --until crossover --max-tasks 50
equal "three of them" "$(loads)" "1 2 3 "
holds "it says so" "$(cat out)" '^# ended: 3 steps in a row are INVALID$'
equal "no figures of invalid steps" "$(end '.sweeps[0] | [.loads, .peak_tasks, .min_jti, .crossover, .sustained]')" \
	'[0,null,null,null,null]'
sweep 1 "but not a range with an end" --tasks 1-5
equal "all of it" "$(loads)" "1 2 3 4 5 "
printf '1 odd_nap\n' >w

# --- the search for the peak -------------------------------------------------------------------
sweep 0 "search for the peak" --tasks 1-8 --until peak --tolerance 20%
holds "it names the peak" "$(cat out)" '^# ended: peak at [0-9]+ tasks?(, the end of the range)?: [0-9.]+ jobs/min \(mean of [123]\)$'
check "it stays in its range, and begins by doubling" steps 'all(.tasks >= 1 and .tasks <= 8) and (map(.tasks)[0:2] == [1, 2])' j.jsonl
equal "policy and tolerance in the journal" "$(head -n 1 j.jsonl | jq -c '.plan | [.policy, .tolerance]')" '["peak",0.2]'
sweep 0 "re-aim-7's rule of the peak has a guard as well" --tasks 1-:1 --until peak --max-tasks 4
equal "four steps are too few for it" "$(loads)" "1 2 3 4 "

# --- data points -------------------------------------------------------------------------------
printf '# loads\n3\n1 # again\r\n\n3' >p
sweep 0 "data points" --points p
equal "in the order of the file" "$(loads)" "3 1 3 "
printf '4\n 8 9\n' >p
refused "two numbers in a line" "^loadmix: p:2:4: '9'" --points p
printf '4\nten\n' >p
refused "a word" "^loadmix: p:2:1: 'ten': expected a task count" --points p
: >p
refused "no point" '^loadmix: p:1:1: .*without a task count' --points p
refused "no file" '^loadmix: nowhere: cannot be read: No such file' --points nowhere
refused "a directory" '^loadmix: d: is a directory: expected a file of task counts' --points d

# --- iterations --------------------------------------------------------------------------------
sweep 0 "three iterations" --tasks 1-2 --iterations 3
equal "each from its start" "$(jq -c 'select(.type=="step") | [.index, .iteration, .tasks]' j.jsonl | tr '\n' ' ')" \
	"[1,1,1] [2,1,2] [3,2,1] [4,2,2] [5,3,1] [6,3,2] "
equal "figures of each" "$(end '[.steps, (.sweeps | map(.iteration)), (.sweeps | map(.loads))]')" '[6,[1,2,3],[2,2,2]]'
equal "the table tells them apart" "$(grep -cE '^# iteration [123] of 3$' out)" 3
equal "and has a peak for each" "$(grep -cE '^# iteration [123]: peak [0-9.]+ jobs/min at [12] tasks?$' out)" 3

# --- figures of the sweep ----------------------------------------------------------------------
sweep 0 "figures of a sweep" --tasks 1-3
holds "in the table" "$(cat out)" '^# minimum JTI [0-9]+ below 3 tasks, no crossover, sustained [0-9.]+ up to 3 tasks$'
check "they follow from the steps" jq -e -s '(map(select(.type=="step"))) as $s | .[-1].sweeps[0]
	| .crossover == null and .min_jti == ([$s[0:2][].jti] | min) and .ended == null
	and ((.sustained - (($s[0].jobs_per_min / 2 + $s[1].jobs_per_min + $s[2].jobs_per_min / 2) | sqrt)) | fabs) < 1e-3' j.jsonl
sweep 0 "one load" --tasks 2
equal "has neither JTI nor area" "$(end '.sweeps[0] | [.loads, .min_jti, .sustained]')" '[1,null,null]'
equal "and no line of its own" "$(grep -c 'JTI [0-9]' out)" 0

# --- what does not go together -----------------------------------------------------------------
refused "no end at all" '^loadmix: --tasks: the range has no end' --tasks 1-
refused "adaptive without an end" '^loadmix: --tasks: the range has no end' --adaptive
refused "points and tasks" '^loadmix: --points and --tasks' --points p --tasks 4
refused "points and adaptive" '^loadmix: --points names every task count, but --adaptive' --points p --adaptive
refused "a list and newton" "^loadmix: --tasks: '1,2' names every task count, but --newton" --tasks 1,2 --newton
refused "one number and adaptive" "^loadmix: --tasks: '5' names every" --tasks 5 --adaptive
refused "tolerance without peak" '^loadmix: --tolerance .*add --until peak' --tolerance 5%
refused "tolerance and adaptive" '^loadmix: --tolerance .*leave out' --tolerance 5% --until peak --adaptive
refused "tolerance and increment" "^loadmix: --tasks: .*leave out ':4'" --tolerance 5% --until peak --tasks 1-:4
refused "a list with an open range" "^loadmix: --tasks: .*must be alone" --tasks 1,4-
refused "a guard below the list" '^loadmix: --max-tasks: 3 is below .* 4' --tasks 1-4 --max-tasks 3
refused "a start above the guard" '^loadmix: --tasks: the sweep starts at 9 tasks, above its limit of 3' --tasks 9- --max-tasks 3
refused "an unknown rule" "^loadmix: --until: 'noon'" --until noon --tasks 1-
refused "a line that is no number" "^loadmix: --until:11: 'x'" --until crossover=x
refused "an unknown suite" "^loadmix: --adaptive: 'aim9'" --adaptive=aim9
for value in 0 60% x% 0.05% ''; do
	refused "tolerance $value" '^loadmix: --tolerance: ' --until peak --tolerance "$value"
done
refused "iterations" '^loadmix: --iterations: ' --iterations 0
refused "a guard of nothing" '^loadmix: --max-tasks: ' --max-tasks 0

# --- before the run ----------------------------------------------------------------------------
run 0 "the plan of an open sweep" "$ODD" run ./w --dir d --tasks 2-:1 --until crossover --max-tasks 40 --dry-run
holds "its rule" "$(cat out)" '^sweep +fixed, until jobs/min/task is 1 or less$'
holds "its limit" "$(cat out)" '^limit +40 tasks \(--max-tasks\)$'
holds "its first step" "$(cat out)" '^ +1 +2 '
holds "its largest step" "$(cat out)" '^ +max +40 '
holds "what is not known" "$(cat out)" '^Which steps follow the first depends on what is measured'
run 0 "what the machine allows" "$ODD" run ./w --dir d --until peak --tolerance 5% --dry-run
holds "the machine's limit is named" "$(cat out)" '^limit +[0-9]+ tasks \((ulimit -u|/proc/sys/kernel/.*|the cgroup.*|half of.*|the most.*)\)$'
holds "the search in the plan" "$(cat out)" '^sweep +peak, until the peak is found within 5%$'

# (300 - 3) / 2: half of what is left beside the program's own three
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 .
chmod 777 d
if "${as_nobody[@]}" test -x "$ODD" -a -r w; then
	(ulimit -u 300 && "${as_nobody[@]}" "$ODD" run ./w --dir d --until crossover --dry-run) >out 2>err
	limit=$(sed -n 's/^limit *\([0-9]*\) tasks.*/\1/p' out)
	check "a limit of 300 processes leaves 148 tasks, or another limit fewer" test "${limit:-999}" -le 148
	check "it is named" grep -qE '^limit +(148 tasks \(ulimit -u\)|[0-9]+ tasks \((/proc|the cgroup|half))' out
else
	skip "a limit of 300 processes: nobody cannot run the program"
fi

# --- signals -----------------------------------------------------------------------------------
rm -f j.jsonl
printf '1 odd_held\n' >w-held
hold 2
env --default-signal=INT "$ODD" run ./w-held --jobs 2 --dir d --tasks 1-:1 --until crossover --max-tasks 9999 --iterations 2 \
	--output j.jsonl >out 2>err &
pid=$!
await held 2
kill -INT $pid
wait $pid
equal "Ctrl-C in an open sweep" $? 130
equal "the end is stored" "$(end '[.type, .complete, (.sweeps | length)]')" '["end",false,1]'
check "steps before it are kept" steps 'length >= 1 and all(.iteration == 1)' j.jsonl
holds "the table says so" "$(cat out)" '^# ended early: Interrupt$'
nothing_left d "nothing left"
finish
