#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# How far a run is: a line on a terminal that behaves when the terminal is resized or the program is
# stopped, and lines elsewhere. Stops never make a figure wrong unseen.
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || {
	echo "skip - all of it: python3 is missing"
	exit 77
}
here=$LOADMIX_SRC/tests/cli
export TERM=xterm
mkdir d
printf '1 odd_nap\n' >w # 10 ms a job
printf '1 odd_held\n' >w-held # as long as the scene wants

# on COLUMNS SCENE... -- OPTION...: a run of $mix on a terminal; its status
mix=./w
on() {
	local scenes=()
	while [ "$1" != -- ]; do
		scenes+=("$1")
		shift
	done
	rm -f j.jsonl
	timeout 120 python3 "$here/terminal.py" "${scenes[@]}" -- "$ODD" run $mix --dir d --no-sync --output j.jsonl "${@:2}"
}

# seconds CLOCK: 1:02 as 62
seconds() { awk -F: '{ s = 0; for (i = 1; i <= NF; i++) s = s * 60 + $i; print s }' <<<"$1"; }

# valid: whether each step is
valid() { jq -c 'select(.type=="step").valid' j.jsonl | tr '\n' ' '; }

# told: standard error without the warning of a busy machine
told() { grep -v '^loadmix: warning: the machine is not idle' err; }

# --- no terminal ---------------------------------------------------------------------------------
run 0 "no terminal" "$ODD" run ./w --tasks 1,2,3 --jobs 5 --dir d --output a.jsonl
equal "a line a step" "$(told | sed 's/, left.*//')" "loadmix: step 1/3, 1 task, 5 jobs
loadmix: step 2/3, 2 tasks, 10 jobs
loadmix: step 3/3, 3 tasks, 15 jobs"
holds "nothing is known before the first step" "$(told | head -n 1)" ', left \?, sweep \?$'
holds "the others know from the steps before" "$(told | sed 1d)" '^loadmix: step 2/3.*, left [0-9]+:[0-9][0-9], sweep [0-9]+:[0-9][0-9]$'
run 0 "a sweep that cannot be foreseen" "$ODD" run ./w --tasks 1- --max-tasks 2 --jobs 5 --dir d --output b.jsonl
holds "does not tell how many steps" "$(cat err)" '^loadmix: step 2, 2 tasks, 10 jobs, left [0-9]+:[0-9][0-9], sweep \?$'
run 0 "--progress=none" "$ODD" run ./w --tasks 1,2 --jobs 5 --dir d --output c.jsonl --progress=none
equal "nothing is written" "$(told)" ""
run 0 "--progress=line without a terminal" "$ODD" run ./w --tasks 1 --jobs 5 --dir d --output e.jsonl --progress=line
holds "gives whole lines" "$(cat err)" '^loadmix: step 1/1'
run 2 "--progress=fast" "$ODD" run ./w --tasks 1 --jobs 5 --dir d --output f.jsonl --progress=fast
holds "is no way" "$(cat err)" "^loadmix: --progress: 'fast' is no way to show progress: give auto, line, plain or none$"

# --- on a terminal -------------------------------------------------------------------------------
on 80 -- --tasks 1,2 --jobs 200
equal "a terminal: exit 0" $? 0
equal "nothing of the line is left" "$(grep -c "step [0-9]" final)" 0
equal "the rows stand alone" "$(rows final | wc -l)" 2
shape='^step [12]/2, (1 task|2 tasks), (starting|[0-9]+/[24]00 jobs, [0-9]+:[0-9]{2}), left (\?|[0-9]+:[0-9]{2}), sweep (\?|[0-9]+:[0-9]{2})$'
equal "every line has its fields" "$(grep -vE "$shape" draws)" ""
# 2 s or more a step, and one before the gate
check "two lines a second at most, and some" awk -v real="$(jq -s 'map(.real_s // 0) | add' j.jsonl)" \
	'END { exit !(NR >= 4 && NR <= 2 * real + 4) }' draws
equal "the first step begins without an estimate" "$(sed -n 1p draws)" "step 1/2, 1 task, starting, left ?, sweep ?"
holds "the second has one" "$(cat draws)" '^step 2/2, 2 tasks, starting, left [0-9]+:[0-9]{2}, sweep [0-9]+:[0-9]{2}$'
clocks=$(sed -n 's/^step 2.*, left \([0-9:]*\),.*/\1/p' draws)
check "what is left falls to the end" test "$(seconds "$(tail -n 1 <<<"$clocks")")" -lt "$(seconds "$(head -n 1 <<<"$clocks")")"
check "jobs done grow" awk -F'[ /]' '/jobs/ { if ($2 == step && $6 < done) exit 1; step = $2; done = $6 }' draws

on 20 -- --tasks 2 --jobs 100
equal "20 columns: nothing is longer" "$(awk 'length > 19' draws)" ""
holds "nor cut inside" "$(cat draws)" '^step 1/1, 2 tasks$'
on 5 -- --tasks 2 --jobs 100
equal "5 columns: the run is the same" "$? $(valid)" "0 true "
mix=./w-held
hold 0 1
on 80 "wait:/[0-9]+ jobs, 0:01" size:30 "wait:/50 jobs" size:120 "wait:sweep" remove:"$ODD_HOLD.*" -- --tasks 1 --jobs 50
equal "resized: exit 0" $? 0
holds "fewer columns hold less" "$(cat draws)" '^step 1/1, 1 task, [0-9]+/50 jobs$|^step 1/1, 1 task$'
equal "the last line has all again" "$(tail -n 1 draws | grep -c ', sweep ')" 1
equal "the step is valid" "$(valid)" "true "
mix=./w

TERM=dumb on 80 -- --tasks 1,2 --jobs 50
equal "TERM=dumb: no control characters" "$(grep -c $'\033' screen)" 0
equal "but a line a step" "$(grep -c '^loadmix: step' final)" 2
on 0 -- --tasks 1,2 --jobs 50
equal "unknown width: lines" "$(grep -c '^loadmix: step' final) $(grep -c $'\033' screen)" "2 0"
on 80 -- --tasks 1 --jobs 100 --progress=none
equal "--progress=none on a terminal" "$(grep -c "step [0-9]" screen)" 0
on 80 -- --tasks 1 --jobs 100 --progress=plain
equal "--progress=plain on a terminal" "$(grep -c '^loadmix: step 1/1' final) $(wc -l <draws)" "1 0"

# --- stopped -------------------------------------------------------------------------------------
# the tasks run on
mix=./w-held
hold 0 1
on 80 "wait:/[0-9]+ jobs, 0:01" key:Z stopped sleep:1 fg "wait:/[0-9]+ jobs" remove:"$ODD_HOLD.*" -- --tasks 2 --jobs 20
equal "Ctrl-Z and fg: exit 0" $? 0
equal "the step is valid, its tasks went on" "$(valid)" "true "
check "real is that of the tasks" steps 'all(.real_s >= 1.5)' j.jsonl
holds "the line is there again" "$(sed '1,/stopped/d' screen | tr '\r' '\n')" 'step 1/1, 2 tasks, [0-9]+/40 jobs'

# stopped until long after their end, beyond the deadline even; the tasks' jobs took about twice what
# one of them did
hold 0 1
on 80 "wait:/[0-9]+ jobs, 0:01" key:Z stopped remove:"$ODD_HOLD.*" sleep:6 fg -- --tasks 2 --jobs 20 --step-timeout 6
equal "stopped at the end: exit 1" $? 1
holds "the step says why" "$(cat final)" '! the program was stopped when the last task ended: the counters of the system are of a longer time$'
check "that alone, and real is right" steps 'all(.problem_total == 1 and .jobs_done == 40 and .real_s >= 0.5 and .real_s < (.kinds | map(.elapsed_s) | add))' j.jsonl
hold 0 1
on 80 "wait:/[0-9]+ jobs" key:Z stopped sleep:8.5 remove:"$ODD_HOLD.*" sleep:3 fg -- --tasks 2 --jobs 20 --step-timeout 8
holds "a deadline that passed meanwhile is one" "$(cat final)" '! the step deadline of 8 s passed with 0 of 2 tasks unfinished$'
check "what was done is counted" steps 'all(.jobs_done == 40 and .real_s >= 3)' j.jsonl
mix=./w

# the start delay is inside the measured time
on 80 "wait:/[0-9]+ jobs" key:Z stopped sleep:1 fg -- --tasks 1 --jobs 5 --count-start-delay
equal "stopped before the tasks are let go: exit 1" $? 1
holds "the step says why" "$(cat final)" '! the program was stopped while the start gate opened: the real time is too long$'

on 80 "wait:/[0-9]+ jobs" key:Z stopped bg sleep:1.2 -- --tasks 1 --jobs 400 --label back
equal "Ctrl-Z and bg: exit 0" "$? $(valid)" "0 true "
equal "in the background no line is drawn" "$(sed '1,/stopped/d' screen | grep -c "step [0-9]")" 0
on 80 background tostop -- --tasks 1,2 --jobs 50
equal "in the background of a terminal with tostop: exit 0" "$? $(valid)" "0 true true "
equal "nothing is drawn" "$(wc -l <draws)" 0

# a warning comes before the session does
shm=$(mktemp -d /dev/shm/loadmix-test.XXXXXX 2>/dev/null)
if [ -n "$shm" ] && [ "$(stat -f -c %T "$shm")" = tmpfs ]; then
	trap 'rm -rf "$T" "$shm"' EXIT
	printf 'FILESIZE: 16K\n1 disk_rd\n' >w
	on 80 background tostop -- --tasks 1 --jobs 5 --dir "$shm"
	equal "nor does a warning stop it there" "$? $(valid)" "0 true "
	holds "which is told" "$(cat final)" '^loadmix: warning: .* is on tmpfs'
	printf '1 odd_nap\n' >w
else
	skip "a warning in the background: /dev/shm is no tmpfs"
fi

# Ctrl-S for 7 s; the table can wait, the tasks and who watches over them do not
on 80 "wait:/[0-9]+ jobs" key:S sleep:7 key:Q -- --tasks 1 --jobs 1500 --step-timeout 2
equal "a terminal that is halted: exit 1" $? 1
check "the deadline came all the same" steps 'all(.real_s >= 2 and .real_s < 7)' j.jsonl
on 80 "wait:/[0-9]+ jobs" key:C -- --tasks 1 --jobs 3000
equal "Ctrl-C: exit 130" $? 130
holds "the row stands alone" "$(cat final)" '^ +1 .* INVALID'
nothing_left d "nothing is left"
finish
