#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A run that was broken off goes on from its journal, whenever and however that happened; whatever is
# not the same run is refused, and then the journal is left as it was.
. "$(dirname "$0")/lib.sh"
export MARK=loadmix-test-$$-$RANDOM
RANDOM=${SEED:=$$}
echo "# seed $SEED (SEED=$SEED repeats the moments)"
mkdir d
printf 'FILESIZE: 16K\nPOOLSIZE: 0K\n3 odd_nap\n1 disk_wrt\n' >w

loads() { jq -c 'select(.type=="step").tasks' "$1" | tr '\n' ' '; }
types() { jq -r .type "$1" | tr '\n' ' '; }

# whole FILE LOADS: a complete journal of a valid run with these loads
whole() {
	jq -e -s --argjson loads "[${2// /,}]" '.[0].type == "run" and .[-1].type == "end" and .[-1].complete
		and (map(select(.type == "step")) | map(.tasks) == $loads and map(.index) == [range(1; length + 1)]
			and all(.valid and .jobs_done == .tasks * .jobs_per_task and (.kinds | map(.jobs) | add) == .jobs_done))
		and (map(select(.type == "run" or .type == "end")) | length) == 2
		and .[-1].steps == ($loads | length) and .[-1].sweeps[0].loads == ($loads | length)' "$1"
}

# left: the processes of this test that run a program of ours
left() {
	processes_of "$MARK" | while read -r p; do
		tr '\0' ' ' <"/proc/$p/cmdline" | grep -qE "^($ODD|$LOADMIX) " && ps -o pid,ppid,stat,args "$p"
	done 2>/dev/null
}

# gone TEXT: within a minute no process of ours is left, and no file
gone() {
	for _ in $(seq 600); do
		[ -n "$(left)$(ls -A d)" ] || break
		sleep 0.1
	done
	equal "no process left: $1" "$(left)" ""
	nothing_left d "no file left: $1"
}

# until_line FILE N: wait for N whole lines
until_line() {
	for _ in $(seq 3000); do
		[ "$(wc -l 2>/dev/null <"$1")" -ge "$2" ] && break
		sleep 0.02
	done 2>/dev/null
}

# refused TEXT FILE PATTERN OPTION...: exit 2, the last line says why, the file is as it was
refused() {
	local text=$1 file=$2 pattern=$3
	shift 3
	cp "$file" before
	run 2 "refused: $text" "$ODD" run --resume "$file" "$@"
	holds "clear: $text" "$(tail -n 1 err)" "$pattern"
	check "left as it was: $text" cmp before "$file"
}

# --- killed at any moment ------------------------------------------------------------------------
bad=0
killed=0
for i in $(seq 20); do
	rm -f j.jsonl
	"$ODD" run ./w --jobs 4 --tasks 1-6 --dir d --no-sync --output j.jsonl >out 2>err &
	pid=$!
	for again in 1 2; do
		# some line of the run and its six steps is there, and then some part of a step
		until_line j.jsonl $((1 + RANDOM % 6))
		sleep "0.$(printf '%03d' $((RANDOM % 50)))"
		kill -9 $pid 2>/dev/null && killed=$((killed + 1))
		wait $pid 2>/dev/null
		head -n "$(wc -l <j.jsonl)" j.jsonl | grep -v '"type":"end"' >before
		[ $again = 1 ] || break
		"$ODD" run --resume j.jsonl >out 2>err &
		pid=$!
	done
	"$ODD" run --resume j.jsonl >out 2>err || { echo "# round $i: exit $?"; bad=$((bad + 1)); cat err; }
	whole j.jsonl "1 2 3 4 5 6" >/dev/null || { echo "# round $i: not whole"; bad=$((bad + 1)); loads j.jsonl; }
	cmp -s before <(head -c "$(wc -c <before)" j.jsonl) || { echo "# round $i: steps changed"; bad=$((bad + 1)); }
done
equal "20 rounds of kills end in a whole journal that keeps every step" "$bad" 0
check "most kills met a running program" test "$killed" -ge 10
gone "after the kills"

# --- the rows that are printed ---------------------------------------------------------------------
run 0 "a run to cut" "$ODD" run ./w --jobs 4 --tasks 1-4 --dir d --no-sync --output full.jsonl
head -n 3 full.jsonl >j.jsonl
run 0 "what to do is told" "$ODD" run --resume j.jsonl --dry-run
holds "the next load" "$(cat out)" '^resumed +after 2 steps; next is 3 tasks in iteration 1$'
check "and nothing done" cmp j.jsonl <(head -n 3 full.jsonl)
for how in --progress=plain '--progress plain' --prog=plain; do
	cp j.jsonl p.jsonl
	# shellcheck disable=SC2086 # two words
	run 0 "resumed with $how" "$ODD" run $how --resume p.jsonl
	equal "which is heeded" "$(grep -c '^loadmix: step [34]/4' err)" 2
	check "and no part of the plan" whole p.jsonl "1 2 3 4"
done
cp j.jsonl p.jsonl
run 0 "resumed with --progress=none" "$ODD" run --resume p.jsonl --progress=none
equal "nothing is drawn" "$(grep -c '^loadmix: step' err)" 0
run 0 "a run with --progress=none" "$ODD" run ./w --jobs 4 --tasks 1-4 --dir d --no-sync --progress=none --output none.jsonl
head -n 3 none.jsonl >p.jsonl
run 0 "its progress when it is resumed" "$ODD" run --resume=p.jsonl
equal "is as it was" "$(grep -c '^loadmix: step' err)" 0
head -n 3 none.jsonl >p.jsonl
run 0 "unless another is asked for" "$ODD" run --resume=p.jsonl --progress=auto
equal "then it is that" "$(grep -c '^loadmix: step' err)" 2
mkdir -p elsewhere
cd elsewhere || exit 99
run 0 "resumed from another directory" "$ODD" run --resume ../j.jsonl
cd ..
equal "rows of the steps run now" "$(rows elsewhere/out | awk '{ print $1 }' | tr '\n' ' ')" "3 4 "
holds "the table says so" "$(cat elsewhere/out)" '^# resumed: the journal has 2 steps already$'
holds "the summary is over all" "$(cat elsewhere/out)" '^# peak .*; 4 steps, all valid$'
equal "lines" "$(types j.jsonl)" "run step step resume step step end "
check "a whole journal" whole j.jsonl "1 2 3 4"
equal "the trace" "$(jq -c 'select(.type=="resume") | [.after, .was, .now]' j.jsonl)" '[2,{},{}]'

# --- cut anywhere ------------------------------------------------------------------------------------
whole_bytes=$(head -n 3 full.jsonl | wc -c)
line=$(sed -n 4p full.jsonl | wc -c)
for cut in 1 15 $((line / 2)) $((line - 1)); do
	head -c $((whole_bytes + cut)) full.jsonl >j.jsonl
	run 0 "torn after $cut of $line bytes" "$ODD" run --resume j.jsonl
	check "whole again" whole j.jsonl "1 2 3 4"
done
{ head -n 2 full.jsonl && printf '\0\0\0\0'; } >j.jsonl
run 0 "a tail of zeros, as a crash can leave" "$ODD" run --resume j.jsonl
check "whole again" whole j.jsonl "1 2 3 4"
head -n 1 full.jsonl >j.jsonl
run 0 "no step yet" "$ODD" run --resume j.jsonl
check "whole" whole j.jsonl "1 2 3 4"
head -n 5 full.jsonl >j.jsonl
run 0 "all steps, and no end" "$ODD" run --resume j.jsonl
check "now with an end" whole j.jsonl "1 2 3 4"
equal "without a row" "$(rows out | wc -l)" 0
head -c 100 full.jsonl >j.jsonl
refused "torn in the first line" j.jsonl 'no whole line'

# --- complete ones -----------------------------------------------------------------------------------
cp full.jsonl j.jsonl
run 0 "a complete journal" "$ODD" run --resume j.jsonl
holds "it says so" "$(cat err)" 'is complete, with 4 steps: nothing is left to do'
check "as it was" cmp full.jsonl j.jsonl
printf '1 odd_one_wrong\n' >wrong
"$ODD" run ./wrong --jobs 1 --tasks 1-3 --dir d --no-sync --output wrong.jsonl >out 2>err
run 1 "one with INVALID steps exits as its run did" "$ODD" run --resume wrong.jsonl
head -n 3 wrong.jsonl >j.jsonl
run 1 "INVALID steps stay" "$ODD" run --resume j.jsonl
equal "and are counted" "$(jq -c 'select(.type=="end") | [.steps, .invalid, .complete]' j.jsonl)" '[3,2,true]'

# --- stopped by a signal -------------------------------------------------------------------------------
rm -f j.jsonl
printf '1 odd_held\n' >w-held
hold 2
"$ODD" run ./w-held --jobs 4 --tasks 1-4 --dir d --no-sync --output j.jsonl >out 2>err &
pid=$!
await held 2
kill -TERM $pid
wait $pid
equal "ended by the signal" $? 143
release
equal "its end says so" "$(tail -n 1 j.jsonl | jq -c '[.type, .complete]')" '["end",false]'
equal "the step that was running is INVALID" "$(jq -c 'select(.type=="step") | [.tasks, .valid]' j.jsonl | tr '\n' ' ')" '[1,true] [2,true] [3,false] '
cp j.jsonl stopped.jsonl
run 0 "foretold" "$ODD" run --resume j.jsonl --dry-run
holds "the step is run again" "$(cat out)" 'next is 3 tasks in iteration 1'
check "nothing is taken back then" cmp stopped.jsonl j.jsonl
run 0 "a run that a signal stopped" "$ODD" run --resume j.jsonl
holds "tells what is run again" "$(cat out)" '^# run again: 3 tasks, interrupted by signal 15 '
equal "takes the step back" "$(jq -c 'select(.type=="step") | [.tasks, .valid]' j.jsonl | tr '\n' ' ')" '[1,true] [2,true] [3,true] [4,true] '
equal "and says so" "$(jq -r 'select(.type=="resume") | .after, .again' j.jsonl | tr '\n' ' ' | cut -c-40)" "2 3 tasks, interrupted by signal 15 (Ter"
equal "goes on behind what was there" "$(loads j.jsonl)" "1 2 3 4 "
"$ODD" run --resume stopped.jsonl >/dev/full 2>err
check "it is there when the run could not go on" jq -es 'any(.type == "step" and .tasks == 3 and (.problems | length > 0))' stopped.jsonl
equal "one end" "$(types j.jsonl | grep -o end | wc -l)" 1
equal "complete" "$(tail -n 1 j.jsonl | jq -c '[.type, .complete, .steps]')" '["end",true,4]'

# --- policies that look at what was measured -----------------------------------------------------------
printf '1 odd_nap\n' >nap
"$ODD" run ./nap --jobs 1 --adaptive --tasks 20-60:3 --dir d --no-sync --output adaptive.jsonl >out 2>err
# took FILE TIME: the second step, of 23 tasks, is made to have taken TIME after 1 s of the first
took() {
	head -n 1 adaptive.jsonl
	sed -n 2,3p adaptive.jsonl | jq -c --argjson time "$1" '(if .index == 1 then 1 else $time end) as $real
		| .real_s = $real | .jobs_per_min = .jobs_done * 60 / $real
		| .jobs_per_min_task = .jobs_per_min / .tasks | .jobs_per_s_task = .jobs_per_min_task / 60'
}
# r = 1: 3 * (1 + 1) = 6; r = 1.5: 3 / (1 + 1.5) = 1.2, cut to 1
for case in 1:29 1.5:24; do
	took "${case%:*}" >j.jsonl
	run 0 "adaptive, times 1 and ${case%:*}" "$ODD" run --resume j.jsonl
	equal "the load that the policy chooses then" "$(loads j.jsonl | cut -d' ' -f 1-3)" "20 23 ${case#*:}"
	took "${case%:*}" >j.jsonl
	"$ODD" run --resume j.jsonl -n >out 2>err
	holds "and foretells" "$(cat out)" "next is ${case#*:} tasks in iteration 1"
done
took 1 | sed 's/"tasks":23/"tasks":20/;s/"jobs_done":23/"jobs_done":20/' >j.jsonl
refused "steps that are not this sweep's" j.jsonl 'line|:3: ' </dev/null

"$ODD" run ./nap --jobs 1 --tasks 1-2 --repeat 3 --dir d --no-sync --output it.jsonl >out 2>err
equal "--repeat is sweep after sweep" "$(jq -c 'select(.type=="step") | [.iteration, .tasks]' it.jsonl | tr '\n' ' ')" \
	'[1,1] [1,2] [2,1] [2,2] [3,1] [3,2] '
for n in 2 3 4 5 6; do
	head -n "$n" it.jsonl >j.jsonl
	run 0 "iterations, after $((n - 1)) steps" "$ODD" run --resume j.jsonl
	equal "each is there" "$(jq -c 'select(.type=="step") | [.iteration, .tasks]' j.jsonl | tr '\n' ' ')" \
		'[1,1] [1,2] [2,1] [2,2] [3,1] [3,2] '
	equal "and in the end" "$(tail -n 1 j.jsonl | jq -c '[.sweeps[] | [.iteration, .loads]]')" '[[1,2],[2,2],[3,2]]'
done

# a limit that the machine sets may be another later: the run's own counts
"$ODD" run ./nap --jobs 1 --tasks 1- --until crossover=6000 --dir d --no-sync --output open.jsonl >out 2>err
limit=$(head -n 1 open.jsonl | jq .plan.max_tasks)
head -n 2 open.jsonl | sed "1s/:$limit\\b/:$((limit - 1))/g" >j.jsonl
run 0 "a range without an end" "$ODD" run --resume j.jsonl
equal "ended by its rule" "$(tail -n 1 j.jsonl | jq -r .sweeps[0].ended | cut -d: -f1)" crossover

# --- another run ---------------------------------------------------------------------------------------
head -n 3 full.jsonl >j.jsonl
cp w w.was
changed() {
	refused "$1" j.jsonl 'cannot be resumed: what is to be run is not what it was'
	holds "named: $1" "$(cat err)" "$2"
	cp w.was w
}
sed -i 's/16K/32K/' w
changed "another size" 'plan.filesize_kib was 16 in the journal and is 32 now'
sed -i 's/^3 /6 /' w
changed "another weight" 'mix.0.weight was 3 in the journal and is 6 now'
sed -i 's/disk_wrt/disk_rd/' w
changed "another kind" 'mix.1.kind was "disk_wrt" in the journal and is "disk_rd" now'
echo '1 odd_nap' >>w
changed "one more" 'mix.2 was nothing in the journal'
mv w w.gone
refused "no workfile" j.jsonl '\./w: cannot be read'
mv w.gone w
mv d d.gone
refused "no directory" j.jsonl "worked in directory '.*/d', which cannot be used"
mv d.gone d
sed '1s,"cwd":"[^"]*","cwd":"/no/such",' full.jsonl | head -n 3 >gone.jsonl
refused "its own directory is gone" gone.jsonl "started in directory '/no/such'"
sed '1s/,"cwd":"[^"]*"//' full.jsonl | head -n 3 >old.jsonl
run 0 "a journal of an older version" "$ODD" run --resume old.jsonl
refused "other options with it" j.jsonl "'--jobs' cannot be given with it" --jobs 4
refused "a wrong progress with it" j.jsonl "--progress: 'loud' is no way to show progress" --progress=loud
refused "a workload with it" j.jsonl "'w' cannot be given with it" w

head -n 3 full.jsonl >few.jsonl
(ulimit -n 500 && exec "$ODD" run --resume few.jsonl) >out 2>err
holds "numbers are as people write them" "$(cat err)" 'environment\.limits\.open_files was ([0-9]+|"unlimited") in the journal and is 500 now'
kernel=$(uname -r)
sed "1s/\"release\":\"$kernel\"/\"release\":\"0.0.1\"/" full.jsonl | head -n 3 >k.jsonl
run 0 "another kernel" "$ODD" run --resume k.jsonl
holds "is told" "$(cat err)" "environment.kernel.release was \"0.0.1\" in the journal and is \"$kernel\" now"
equal "and in the journal" "$(jq -r 'select(.type=="resume") | .was["kernel.release"], .now["kernel.release"]' k.jsonl | tr '\n' ' ')" \
	"0.0.1 $kernel "

# --- no journal to go on with -----------------------------------------------------------------------------
: >empty
head -c 3000 /dev/urandom >noise
cat full.jsonl full.jsonl >two.jsonl
sed '2s/"tasks":1/"tasks":2/' full.jsonl | head -n 3 >flipped.jsonl
refused "a workfile" w 'no whole line|is no journal'
refused "an empty file" empty 'is empty'
refused "noise" noise 'is no journal'
refused "two runs" two.jsonl 'a file of 2 runs'
refused "a damaged step" flipped.jsonl ':2: the journal is damaged'
sed '1s/"schema":1/"schema":2/' full.jsonl >new.jsonl
refused "a newer schema" new.jsonl 'schema is 2'
"$LOADMIX" single add_int --period 0.05 --dir d --output s.jsonl >out 2>err
sed '$d' s.jsonl >single.jsonl
refused "a journal of single" single.jsonl "journal of 'loadmix single'"
for f in d /dev/null ./no-such; do
	run 2 "refused: $f" "$ODD" run --resume $f
	equal "one line: $f" "$(wc -l <err)" 1
done

# --- two at once, and no space ----------------------------------------------------------------------------
hold 1 2
"$ODD" run ./w-held --jobs 4 --tasks 1-3 --dir d --no-sync --output j2.jsonl >out2 2>err2 &
pid=$!
await held 1
refused "a run that is still running" j2.jsonl "process $pid is writing this journal"
kill -9 $pid
wait $pid 2>/dev/null
hold 2
"$ODD" run --resume j2.jsonl >out2 2>err2 &
pid=$!
await held 2
run 2 "one that is resumed already" "$ODD" run --resume j2.jsonl
holds "says so" "$(cat err)" "process $pid is writing this journal"
release
wait $pid
equal "the first is not disturbed" "$? $(loads j2.jsonl)" "0 1 2 3 "

# what cannot begin leaves the journal as it was, with half a line or the end of the run before
for end in '{"type":"end","steps":' ''; do
	{ head -n 3 full.jsonl && printf %s "$end"; } >j.jsonl
	cp j.jsonl before.jsonl
	"$ODD" run --resume j.jsonl >/dev/full 2>err
	equal "nobody can be told: exit 3" $? 3
	check "the journal is as it was" cmp before.jsonl j.jsonl
done
hold 2
"$ODD" run ./w-held --jobs 4 --tasks 1-3 --dir d --no-sync --output j3.jsonl >out2 2>err2 &
pid=$!
await held 2
kill -TERM $pid
wait $pid
release
cp j3.jsonl before.jsonl
"$ODD" run --resume j3.jsonl >/dev/full 2>err
equal "after a signal, too: exit 3" $? 3
check "it has the end that it had" cmp before.jsonl j3.jsonl
equal "which is one" "$(types j3.jsonl | awk '{ print $NF }')" end

# the first line of what is left to write fits, a step does not
"$ODD" run ./nap --jobs 1 --tasks 1-4 --no-sync --output small.jsonl >out 2>err
head -n 2 small.jsonl >j.jsonl
run 3 "no space for a step" prlimit --fsize=$(($(wc -c <j.jsonl) + 300)) "$ODD" run --resume j.jsonl
equal "no step was stored" "$(loads j.jsonl)" "1 "
check "every line is whole" jq -e . j.jsonl
run 0 "with space it goes on" "$ODD" run --resume j.jsonl
check "whole" whole j.jsonl "1 2 3 4"

# --- the command that repeats it -----------------------------------------------------------------------------
mkdir bin
ln -s "$ODD" bin/loadmix
label=$'it\'s $HOME "x"\n\t\\'
PATH=$T/bin:$PATH run 0 "a label that a shell would change" loadmix run ./w --tasks 1 --jobs 4 --dir d --no-sync --label "$label" -o first.jsonl
again=$(sed -n 's/^# again: //p' out)
equal "the last line" "$(tail -n 1 out)" "# again: $again"
PATH=$T/bin:$PATH run 0 "its command" bash -c "$again --output=second.jsonl"
check "the same label" test "$(head -n 1 second.jsonl | jq .label)" = "$(head -n 1 first.jsonl | jq .label)"
check "the same plan" test "$(head -n 1 second.jsonl | jq -c '.plan | del(.command)')" = \
	"$(head -n 1 first.jsonl | jq -c '.plan | del(.command)')"
equal "the journal's name is in neither" "$(grep -c 'first.jsonl\|second' <<<"$again")" 0
PATH=$T/bin:$PATH run 0 "single, too" loadmix single add_int --period 0.05 --output third.jsonl --dir d
equal "its command" "$(tail -n 1 out)" "# again: loadmix single add_int --period 0.05 --dir d"

# --- the check that everybody has --------------------------------------------------------------------------------
if [ -x "${LOADMIX_SHARED:-}/check/crash-resume" ]; then
	check "a machine that dies in the third step" "$LOADMIX_SHARED/check/crash-resume" "$LOADMIX_BUILD" \
		"$LOADMIX_SRC/workloads/workfile.fserver"
else
	skip "crash-resume: LOADMIX_SHARED is not set"
fi
gone "at the end"
finish
