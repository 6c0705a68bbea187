#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The kinds that make processes and kernel objects: many at once, and killed at any moment, they leave
# nothing.
. "$(dirname "$0")/lib.sh"
export MARK=loadmix-test-$$-$RANDOM
export LOADMIX_DATA=$LOADMIX_SRC
mkdir d
for n in 1 2 3; do cp "$LOADMIX_SRC/scripts/aim_$n.sh" .; done

# objects: one line for each System V object of this user
objects() {
	awk -v uid="$(id -u)" 'FNR == 1 { type = $2; for (i = 1; i <= NF; i++) if ($i == "cuid") c = i }
		FNR > 1 && $c == uid { print type, $2 }' /proc/sysvipc/shm /proc/sysvipc/sem | sort
}

# lasting BEFORE: objects that were not there before and do not go; others' tests may make some
lasting() {
	local first
	first=$(comm -13 "$1" <(objects))
	[ -z "$first" ] && return
	sleep 2
	comm -12 <(echo "$first") <(objects)
}

# gone TEXT: within a minute no process of the program is left, no file and no object
gone() {
	local left
	for _ in $(seq 600); do
		left=$(processes_of "$MARK" | xargs -r -n 1 ps -o args= -p | grep -E "^($LOADMIX|/bin/sh|ls) ")
		[ -n "$left" ] || break
		sleep 0.1
	done
	equal "$1: no process left" "$left" ""
	nothing_left d "$1: no file left"
	[ ! -e before ] || equal "$1: no System V object left" "$(lasting before)" ""
}

sysv=yes
if [ -e /proc/sysvipc/sem ]; then objects >before; else sysv=no; fi

# --- many at once ------------------------------------------------------------------------------
kinds='page_test brk_test fork_test exec_test shell_rtns_1 shell_rtns_2 shell_rtns_3 stream_pipe
	dgram_pipe pipe_cpy fifo_test tcp_test udp_test'
[ $sysv = no ] || kinds="$kinds shared_memory"
for kind in $kinds; do echo "1 $kind"; done >all
for semantics in aim7 reaim; do
	run 0 "64 tasks, $semantics" "$LOADMIX" run ./all --tasks 64 --jobs 14 --semantics $semantics --dir d --output $semantics.jsonl
	check "valid, all jobs done" steps 'all(.valid and .jobs_done == 64 * .jobs_per_task and .problem_total == 0)' $semantics.jsonl
	gone "64 tasks, $semantics"
done
# what processes use that a job has started is counted, too
printf '1 shell_rtns_1\n' >shells
run 0 "shells" "$LOADMIX" run ./shells --tasks 1 --jobs 50 --dir d --output shells.jsonl
check "the time of what they start is the step's" steps 'all(.user_s + .system_s > 0.02)' shells.jsonl

# --- killed at any moment ----------------------------------------------------------------------
if [ $sysv = yes ]; then
	printf '1 shared_memory\n' >w
	for timeout in 0.3 0.5 0.7 0.9; do # a slow machine may not even have made the tasks by then
		"$LOADMIX" run ./w --tasks 20 --jobs 100000 --dir d --output t$timeout.jsonl --step-timeout $timeout >out 2>err
		check "a deadline of $timeout s is not passed over" test $? -ne 0
	done
	gone "deadline"
	for delay in 0.3 0.4 0.5 0.6; do
		"$LOADMIX" run ./w --tasks 20 --jobs 100000 --dir d --output k$delay.jsonl >out 2>err &
		pid=$!
		sleep $delay
		kill -9 $pid
		wait $pid 2>/dev/null
	done
	sleep 1
	gone "SIGKILL to the program"
else
	skip "killed among System V objects: this kernel has none"
fi
printf '1 fork_test\n1 exec_test\n1 shell_rtns_1\n1 fifo_test\n' >w
"$LOADMIX" run ./w --tasks 8 --jobs 100000 --dir d --output p.jsonl --step-timeout 0.5 >out 2>err
check "a deadline among processes is not passed over" test $? -ne 0
gone "a deadline among processes"

# --- programs that fail ------------------------------------------------------------------------
printf '1 shell_rtns_2\n' >w
printf '#!/bin/sh\nexit 3\n' >aim_2.sh
run 1 "a script that fails" "$LOADMIX" run ./w --tasks 2 --jobs 3 --dir d --output s.jsonl
holds "it is named" "$(cat out)" "shell_rtns_2: $T/aim_2.sh exited with status 3; want 0"
printf '#!/bin/sh\nkill -9 $PPID; exec sleep 1000\n' >aim_2.sh
run 1 "a script that goes wild" "$LOADMIX" run ./w --tasks 2 --jobs 3 --dir d --output x.jsonl --step-timeout 5
gone "a script that goes wild"
rm aim_2.sh
mkdir nothing
LOADMIX_DATA=$T/nothing run 3 "no script" "$LOADMIX" run ./w --tasks 1 --dir d --output n.jsonl
holds "where they were looked for" "$(cat err)" 'shell_rtns_2 .*no executable aim_2.sh in the current directory'
gone "no script"

# --- what cannot be had ------------------------------------------------------------------------
printf '1 page_test\n' >w
if grep -q __asan_init "$LOADMIX"; then
	skip "a small data limit: a sanitizer needs more"
else
	limit=500 # KiB; until the program itself gets along with it
	until (ulimit -d $limit; exec "$LOADMIX" list >/dev/null) 2>/dev/null || [ $limit -gt 16000 ]; do
		limit=$((limit + 250))
	done 2>/dev/null
	(ulimit -d $((limit + 250)); exec "$LOADMIX" run ./w --tasks 1 --dir d --output u.jsonl >out 2>err)
	equal "a small data limit: exit 3" $? 3
	holds "the limit is named" "$(cat err)" 'page_test .*heap cannot grow by 1 MiB: raise ulimit -d'
fi
printf '1 exec_test\n' >w
if [ "$(id -u)" = 0 ] && mkdir noexec && mount -t tmpfs -o noexec none noexec 2>/dev/null; then
	run 3 "scratch mounted noexec" "$LOADMIX" run ./w --tasks 1 --dir noexec --output e.jsonl
	holds "it is told" "$(cat err)" "exec_test .*$T/noexec is mounted noexec"
	nothing_left noexec "nothing was made there"
	umount noexec
else
	skip "scratch mounted noexec: mounting a tmpfs takes root"
fi
finish
