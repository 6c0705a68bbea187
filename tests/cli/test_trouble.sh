#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Whatever goes wrong: the step says so, what was measured is kept, nothing is left, nobody else is
# signalled.
. "$(dirname "$0")/lib.sh"
export MARK=loadmix-test-$$-$RANDOM
mkdir d

# left: the processes of this test that run a program of ours
left() {
	processes_of "$MARK" | while read -r p; do
		tr '\0' ' ' <"/proc/$p/cmdline" | grep -qE "^($ODD|$LOADMIX) " && ps -o pid,ppid,pgid,stat,args "$p"
	done 2>/dev/null
}

# gone TEXT: within a minute no process of ours is left, and no file
gone() {
	for _ in $(seq 600); do
		[ -n "$(left)" ] || break
		sleep 0.1
	done
	equal "no process left: $1" "$(left)" ""
	nothing_left d "no file left: $1"
}

reason() { jq -r 'select(.type=="step" and (.valid|not)).problems[]' "$1"; }

# --- jobs that go wrong ------------------------------------------------------------------------
printf '1 odd_one_wrong\n' >w
run 1 "a wrong result" "$ODD" run ./w --tasks 2-4 --jobs 3 --dir d --output wrong.jsonl
equal "every step is marked" "$(rows out | grep -c INVALID)" 3
holds "task, job, kind and reason are told" "$(cat out)" 'task 1 \(pid [0-9]+\), job 1 of 3, odd_one_wrong: result is 41, want 42$'
equal "jobs/min counts what was done" "$(jq -c 'select(.type=="step").jobs_done' wrong.jsonl | tr '\n' ' ')" "3 6 9 "
check "jobs/min from jobs really done" steps 'all(
	(.jobs_per_min - .jobs_done * 60 / .real_s | fabs) < 1e-6 * .jobs_per_min)' wrong.jsonl
equal "the journal ends well" "$(tail -n 1 wrong.jsonl | jq -c '[.type, .invalid, .complete]')" '["end",3,true]'
equal "no peak out of invalid steps" "$(tail -n 1 wrong.jsonl | jq -c .peak_tasks)" 0
gone "a wrong result"

printf '1 odd_killed\n' >w
run 1 "a task killed by SIGKILL" "$ODD" run ./w --tasks 1 --dir d --output k.jsonl
holds "signal, job and kind are told" "$(reason k.jsonl)" '^task 0 \(pid [0-9]+\) was killed by signal 9 .* job 1 of 100, odd_killed'
printf '1 odd_leaves\n' >w
run 1 "a task that exits 0 in the middle of its list" "$ODD" run ./w --tasks 1 --dir d --output l.jsonl
holds "the exit is told" "$(reason l.jsonl)" '^task 0 .*job 1 of 100, odd_leaves'
gone "lost tasks"

# four jobs, each of which leaves a daemon and the process between, both, or one of them: the one between
# may be met before its fork, and may not have ended when the daemon is there
for kind in odd_stray:4 odd_daemon:[1-8]; do
	printf '1 %s\n' ${kind%:*} >w
	run 1 "a job that leaves a process (${kind%:*})" "$ODD" run ./w --tasks 2 --jobs 2 --dir d --output ${kind%:*}.jsonl
	holds "it is told" "$(reason ${kind%:*}.jsonl)" "jobs left ${kind#*:} process"
	gone "${kind%:*}"
done

printf '1 odd_nap\n1 odd_hang\n' >w
run 1 "a step beyond its deadline" "$ODD" run ./w --tasks 2,1 --jobs 2 --dir d --step-timeout 0.5 --output t.jsonl
holds "the deadline is told" "$(reason t.jsonl)" 'deadline of 0.5 s'
equal "the sweep goes on" "$(rows out | grep -c INVALID)" 2
check "the step takes no longer than that" steps 'all(.real_s >= 0.5 and .real_s < 60)' t.jsonl
gone "deadline"

# --- a directory that vanishes -------------------------------------------------------------------
printf 'FILESIZE: 64K\n1 disk_wrt\n1 odd_held\n' >w
hold 0 1
"$ODD" run ./w --tasks 2 --jobs 40 --dir d --output v.jsonl >out 2>err &
pid=$!
await held 0 1
mv d/loadmix.* elsewhere
release
wait $pid
equal "exit 1 when the directory vanishes" $? 1
holds "task, kind, call, path and reason" "$(cat out)" 'task [01] \(pid [0-9]+\), job [0-9]+ of 40, disk_wrt: creat /.*/d/loadmix\.[^ ]*: No such file or directory'
check "the step is in the journal" steps 'all(.valid == false and .jobs_done > 0 and .jobs_done < 80)' v.jsonl
check "what was moved away is no longer ours to remove" test -d elsewhere
rm -rf elsewhere
gone "vanished directory"

# --- a task is killed from outside ---------------------------------------------------------------
printf '1 odd_nap\n1 odd_held\n' >w
hold 0 1 2
"$ODD" run ./w --tasks 3 --jobs 20 --dir d --output s.jsonl >out 2>err &
pid=$!
await held 0 1 2
victim=$(for p in $(pgrep -P $pid); do [ "$(pgrep -P "$p" | wc -l)" = 0 ] && ps -o pid=,pgid= -p "$p"; done | awk '$1 != $2 { print $1; exit }')
kill -9 "$victim"
release
wait $pid
equal "exit 1 when a task is killed" $? 1
holds "who it was" "$(cat out)" "task [012] \(pid $victim\) was killed by signal 9 \(Killed\) in job [0-9]+ of 20, odd_held"
check "jobs/min from jobs really done" steps 'all(.valid == false and .jobs_done >= 40 and .jobs_done < 60
	and (.jobs_per_min - .jobs_done * 60 / .real_s | fabs) < 1e-6 * .jobs_per_min)' s.jsonl
gone "killed task"

# --- signals to the program ----------------------------------------------------------------------
# only the second step has a task 1
hold 1
for sig in INT TERM HUP QUIT; do
	number=$(kill -l $sig)
	# a script without job control starts background commands with SIGINT and SIGQUIT ignored
	env --default-signal=INT,QUIT "$ODD" run ./w --tasks 1,2 --jobs 20 --dir d --output "$sig.jsonl" >out 2>err &
	pid=$!
	await held 1
	kill -$sig $pid
	wait $pid
	equal "exit 128 + $number on SIG$sig" $? $((128 + number))
	equal "the finished step is kept" "$(jq -c 'select(.type=="step" and .valid).tasks' "$sig.jsonl")" 1
	holds "the broken step says why" "$(reason "$sig.jsonl")" "interrupted by signal $number"
	equal "the journal has its end" "$(tail -n 1 "$sig.jsonl" | jq -c '[.type, .complete]')" '["end",false]'
	holds "the table too" "$(cat out)" '^# ended early: '
	gone "SIG$sig"
	hold 1
done

"$ODD" run ./w --tasks 1,2 --jobs 20 --dir d --output kill.jsonl >out 2>err &
pid=$!
await held 1
kill -9 $pid
wait $pid 2>/dev/null
release
gone "SIGKILL to the program"
equal "the finished step survives a SIGKILL" "$(jq -c 'select(.type=="step" and .valid).tasks' kill.jsonl)" 1

# --- the caller is left alone --------------------------------------------------------------------
cat >caller.sh <<'S'
trap 'echo signalled >>signals' INT TERM HUP USR1 USR2 QUIT CHLD PIPE
trap '' CHLD
"$1" run ./w --tasks 1-3 --jobs 5 --dir d --output c.jsonl >out 2>err
echo "exit $?" >status
S
bash caller.sh "$ODD"
equal "a run from a script without job control" "$(cat status)" "exit 0"
check "the script was not signalled" test ! -e signals
gone "script"
# a child that the program has before it begins is not its own
bash -c 'sleep 300 & echo $! >sleeper; exec "$0" run ./w --tasks 2 --jobs 5 --dir d --output x.jsonl >out 2>err' "$ODD"
check "a stranger's child survives" kill -0 "$(cat sleeper)"
kill "$(cat sleeper)"
equal "and does not make a step invalid" "$(jq -c 'select(.type=="step").valid' x.jsonl)" true
"$ODD" run ./w --tasks 1-3 --jobs 5 --dir d --output pipe.jsonl 2>err | head -n 1 >/dev/null
equal "a reader that goes away: exit 3" "${PIPESTATUS[0]}" 3
holds "it is told" "$(cat err)" 'cannot write the table.*Broken pipe'
check "the step that could not be shown is in the journal" test "$(grep -c '"step"' pipe.jsonl)" -ge 1
gone "broken pipe"

# --- output that cannot be written ---------------------------------------------------------------
"$ODD" run ./w --tasks 1 --jobs 1 --dir d --output full.jsonl >/dev/full 2>err
equal "standard output on a full disk: exit 3" $? 3
holds "it is told" "$(cat err)" 'No space left'
"$ODD" run ./w --tasks 1 --jobs 1 --dir d --output closed.jsonl >&- 2>err
equal "standard output closed: exit 3" $? 3
holds "it is told" "$(cat err)" 'cannot write the table: Bad file descriptor'
gone "no output"
run 0 "standard input closed" "$ODD" run ./w --tasks 1 --jobs 1 --dir d --output stdin.jsonl <&-

# --- a reader that does not read -----------------------------------------------------------------
mkfifo deaf
exec 8<>deaf
full() { dd if=/dev/zero of=deaf bs=4096 oflag=nonblock >/dev/null 2>&1; }
# room for the head and some rows, not for all of them: 300 rows are more than two pages
full
dd if=deaf of=/dev/null bs=4096 count=2 2>/dev/null
"$ODD" run ./w --tasks 1-300 --jobs 2 --dir d --output deaf.jsonl >deaf 2>err &
pid=$!
# ended PID: this child of ours waits to be reaped, or is gone
ended() { ! ps -o stat= -p "$1" | grep -q '^[^Z]'; }
# stopped PID: with the status that TERM gave it, or, if it does not hear that, KILL
stopped() {
	kill -TERM "$1"
	await ended "$1"
	kill -KILL "$1" 2>/dev/null
	wait "$1"
}
# asleep PID: for a second it sleeps whenever we look, and has no task
asleep() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		[ "$(ps -o stat= -p "$1" | cut -c1)" = S ] && ! pgrep -P "$1" >/dev/null || return
		sleep 0.1
	done
}
# stuck PID FILE: steps are in the journal, and it waits for a reader
stuck() { grep -q '"step"' "$2" && asleep "$1"; }
await stuck $pid deaf.jsonl
stopped $pid
equal "a signal is heard while nobody reads the table" $? 143
equal "the journal has its end" "$(tail -n 1 deaf.jsonl | jq -c '[.type, .complete, .stopped]')" '["end",false,"Terminated"]'
check "and the step whose row was not read" steps 'length > 10 and length < 300 and all(.valid)' deaf.jsonl
holds "it is told" "$(cat err)" 'cannot write the table: Interrupted system call'
gone "a reader that does not read"
full
"$ODD" run ./w --tasks 1 --jobs 1 --dir d --output deaf2.jsonl >deaf 2>&1 &
pid=$!
await asleep $pid
stopped $pid
equal "nor messages" $? 143
gone "nobody reads at all"
full
"$ODD" single add_int --period 0.01 --dir d --output deaf3.jsonl >deaf 2>err &
pid=$!
await test -s deaf3.jsonl
stopped $pid
equal "nor the table of single mode" $? 143
equal "nothing was measured: no journal" "$(ls deaf3.jsonl 2>/dev/null)" ""
gone "nobody reads the table of single mode"
# a signal that is blocked is pending, although it is ignored
full
env --ignore-signal=HUP --block-signal=HUP "$ODD" run ./w --tasks 1 --jobs 1 --dir d --progress=none --output deaf4.jsonl >deaf 2>err &
pid=$!
await test -s deaf4.jsonl
kill -HUP $pid
sleep 1
cat deaf >/dev/null &
reader=$!
wait $pid
equal "a signal that the caller ignores ends no wait for a reader" $? 0
kill $reader
gone "a signal that the caller ignores"
exec 8>&-

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=16K none small 2>/dev/null; then
	run 3 "a journal on a full disk" "$ODD" run ./w --tasks 1-40 --jobs 1 --dir d --output small/j.jsonl
	holds "it is told" "$(cat err)" "cannot write journal 'small/j.jsonl': No space left"
	check "no line of it is torn" jq -e . small/j.jsonl
	check "the table has what was measured" test "$(rows out | wc -l)" -ge "$(grep -c '"step"' small/j.jsonl)"
	umount small
else
	skip "a journal on a full disk: mounting a tmpfs takes root"
fi
gone "the end"
finish
