#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A real sweep of the file-server mix: figures agree with each other, the journal holds them,
# nothing is left.
. "$(dirname "$0")/lib.sh"
mkdir d e

run 0 "fserver, 1 to 4 tasks" "$LOADMIX" run fserver --tasks 1-4:3 --dir d --dir e --filesize 64K --poolsize 256K \
	--label 'a "label" \ é' --output j.jsonl --seed 7
table=$(cat out)
equal "two rows" "$(rows out | wc -l)" 2
equal "no row is marked" "$(grep -c INVALID out)" 0
holds "a summary with the peak" "$table" '^# peak [0-9.]+ jobs/min at [14] tasks; 2 steps, all valid$'
# jobs/min = tasks * 101 * 60 / real; real is printed to 0.01 s, so compare within what that hides
check "jobs/min follows from real" awk '$1 ~ /^[0-9]+$/ {
	lo = $1 * 101 * 60 / ($4 + 0.00501); hi = $4 > 0.00501 ? $1 * 101 * 60 / ($4 - 0.00501) : 1e300
	if ($2 < lo || $2 > hi) exit 1 }' out
check "jobs/min/task follows from jobs/min" awk '$1 ~ /^[0-9]+$/ { d = $2 / $1 - $8; if (d * d > 1e-4) exit 1 }' out
check "cpu is user and system" awk '$1 ~ /^[0-9]+$/ { d = $5 - $6 - $7; if (d * d > 0.0151 ^ 2) exit 1 }' out
nothing_left d "nothing left in the first directory"
nothing_left e "nothing left in the second directory"

check "every journal line is JSON" jq -e . j.jsonl
equal "run, steps, end" "$(jq -r .type j.jsonl | tr '\n' ' ')" "run step step end "
equal "tasks of the steps" "$(jq -c 'select(.type=="step").tasks' j.jsonl | tr '\n' ' ')" "1 4 "
equal "the label survives" "$(jq -r 'select(.type=="run").label' j.jsonl)" 'a "label" \ é'
equal "the mix: 31 kinds, 595 weights, 101 jobs" \
	"$(jq -c 'select(.type=="run").mix | [length, (map(.weight)|add), (map(.jobs)|add)]' j.jsonl)" "[31,595,101]"
equal "the plan's directories" "$(jq -r 'select(.type=="run").plan.dirs[]' j.jsonl | xargs -n1 basename | tr '\n' ' ')" "d e "
equal "file size of a step" "$(jq -c 'select(.type=="step").file_kib' j.jsonl | tr '\n' ' ')" "320 128 "
check "exact figures in the journal" steps 'all(
	(.jobs_per_min - .tasks * 101 * 60 / .real_s | fabs) < 1e-6 * .jobs_per_min
	and (.cpu_s - .user_s - .system_s | fabs) < 1e-9
	and .valid and .jobs_done == .tasks * 101 and .jti >= 0 and .jti <= 100
	and (.kinds | map(.jobs) | add) == .jobs_done and (.kinds | length) == 31)' j.jsonl
check "kinds take no longer than tasks exist" steps 'all(
	(.kinds | map(.elapsed_s) | add) <= .real_s * .tasks)' j.jsonl
check "jobs account for the processor time, but for their start and end" steps 'all(
	(.kinds | map(.user_s + .system_s) | add) as $jobs | $jobs <= .cpu_s and $jobs > 0.5 * .cpu_s)' j.jsonl
equal "the command that repeats it" "$(jq -r 'select(.type=="run").plan.command[0:3] | join(" ")' j.jsonl)" "loadmix run fserver"
check "the machine" test "$(jq -r 'select(.type=="run").environment.kernel.release' j.jsonl)" = "$(uname -r)"
check "system counters of a step" steps 'all(.system.cpu.context_switches > 0)' j.jsonl

# each line is on the disk before the next step begins
strace -f -e trace=fsync,sync -o trace "$ODD" run fserver --tasks 1-3 --jobs 1 --dir d --filesize 16K --poolsize 0K \
	--output k.jsonl >out 2>err && traced=yes || traced=no
if [ $traced = yes ]; then
# the first two are the new name's in its directory and the first line's
	equal "sync before every step, fsync after every line" "$(grep -oE ' (f?sync)\(' trace | tr -d ' (' | tr '\n' ' ')" \
		"fsync fsync sync fsync sync fsync sync fsync fsync "
	strace -f -e trace=sync -o trace "$LOADMIX" run fserver --tasks 1 --jobs 1 --dir d --filesize 16K \
		--poolsize 0K --no-sync --output l.jsonl >out 2>err
	equal "--no-sync" "$(grep -c 'sync()' trace)" 0
else
	skip "order of sync and fsync: strace does not work here"
fi

# the default journal's name, and two runs in one second
printf '1 null\n' >w
"$ODD" run ./w --tasks 1 >/dev/null 2>err1 && "$ODD" run ./w --tasks 1 >/dev/null 2>err2
check "two default journals" test "$(find . -name "w-$(uname -r)-*.jsonl" | wc -l)" = 2

# pinned: a task may run on the given processors only
printf '1 odd_cpus\n' >w
for cpu in $(awk -F: '/Cpus_allowed_list/ { print $2 }' /proc/self/status | grep -oE '[0-9]+' | head -n 1); do
	ODD_TRACE=$T/cpus run 0 "pinned to processor $cpu" "$ODD" run ./w --tasks 2 --jobs 1 --cpus "$cpu" --output p.jsonl
	equal "the tasks' processors" "$(cat cpus.0 cpus.1)" "$cpu$cpu"
done

# AIM7's ten idle seconds, inside the measured time
printf '1 null\n' >w
run 0 "start delay" "$ODD" run ./w --tasks 2 --count-start-delay --output delay.jsonl
check "real holds ten seconds" steps 'all(.real_s >= 10 and .real_s < 20 and .jti > 0)' delay.jsonl
finish
