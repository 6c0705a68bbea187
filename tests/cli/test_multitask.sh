#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# AIM7's command: driven by scripts and by people, its files, and what becomes of them when it goes wrong.
. "$(dirname "$0")/lib.sh"
MULTITASK=$LOADMIX_BUILD/multitask
SHARED=${LOADMIX_SHARED:-$LOADMIX_SRC/../shared}
export MARK=loadmix-test-$$-$RANDOM
chmod 755 .
shm=$(mktemp -d /dev/shm/loadmix-test.XXXXXX 2>/dev/null) || shm=$(mktemp -d "$T/shm.XXXXXX")
trap 'rm -rf "$T" "$shm"' EXIT

answers() { printf '%s\n' "$@"; }

# fresh: a directory of its own for the next run, with a mix that is done at once
fresh() {
	cd "$T" || exit 99
	rm -rf here
	mkdir here
	cd here || exit 99
	printf 'FILESIZE: 16K\n60 disk_rr\n30 creat-clo\n10 mem_rtns_2\n' >workfile
}

# results: the rows of suite7.ss
results() { awk -F'\t' '$1 ~ /^[0-9]+$/ && NF == 7' "${1:-suite7.ss}"; }

# refused STATUS TEXT PATTERN ANSWER...: it ends with the status and tells why, and nothing was run or made
refused() {
	local status=$1 text=$2 pattern=$3
	shift 3
	answers "$@" >../input
	ls -A >../before
	"$MULTITASK" "${options[@]}" <../input >../out 2>../err
	equal "$text: status" $? "$status"
	holds "$text: why" "$(cat ../err)" "$pattern"
	equal "$text: no result" "$(cat ../out)" ""
	equal "$text: nothing was made" "$(ls -A)" "$(cat ../before)"
}

# --- a run --------------------------------------------------------------------------------------
fresh
answers boxA "6.1 test" 2 1 2 3 1 4 2 4 1 "not for us" >../input
{
	"$MULTITASK" -t >../out 2>../err
	equal "two iterations" $? 0
	equal "what follows the answers is left for others" "$(cat)" "not for us"
} <../input
header='Tasks    jobs/min  jti  jobs/min/task      real       cpu'
equal "standard output: two headers" "$(grep -cxF "$header" ../out)" 2
equal "a mark above each and rows after it, nothing else" "$(sed 's/^ *//' ../out | cut -d' ' -f1 | tr '\n' ' ')" "# Tasks 1 2 3 # Tasks 4 "
awk '$1 ~ /^[0-9]+$/ { $5 = "100.00" } { print }' ../out >../slow
equal "which tells that AIM7's delay is not in real: nothing is taken out" \
	"$("$LOADMIX" convert ../slow --aim7-delay --to journal 2>../err | jq -r 'select(.type=="step").real_s | floor' | tr '\n' ' ')" "100 100 100 100 "
equal "but out of AIM7's own, without it" \
	"$(grep -v '^#' ../slow >../plain; "$LOADMIX" convert ../plain --aim7-delay --to journal 2>../err | jq -r 'select(.type=="step").real_s | floor' | tr '\n' ' ')" "90 90 90 90 "
row='^ {4}[1-4] {1,9}[0-9]+\.[0-9]{2} +[0-9]{1,3} +[0-9]+\.[0-9]{4} +[0-9]+\.[0-9]{2} +[0-9]+\.[0-9]{2}   [A-Z][a-z]{2} [A-Z][a-z]{2} [ 1-3][0-9] [0-9:]{8} [0-9]{4}$'
equal "rows as AIM7 writes them" "$(grep -cE "$row" ../out)" 4
check "jobs/min over tasks is jobs/min/task" awk '$1 ~ /^[0-9]+$/ { d = $2 / $1 - $4; if (d * d > 1e-4) exit 1 }' ../out
equal "suite7.ss: four rows" "$(results | cut -f1 | tr '\n' ' ')" "1 2 3 4 "
tab=$'\t'
equal "its header" "$(sed -n 1p suite7.ss)" "Benchmark${tab}Version${tab}Machine${tab}Run Date"
version=$("$LOADMIX" --version | sed -n 's/^loadmix //p')
holds "mix, version, machine, date" "$(sed -n 2p suite7.ss)" \
	"^workfile$tab\"loadmix $version\"${tab}boxA${tab}[A-Z][a-z]{2} [ 1-3][0-9] [0-9:]{8} [0-9]{4}$"
equal "an empty line" "$(sed -n 3p suite7.ss)" ""
equal "the header of the rows" "$(sed -n 4p suite7.ss)" "Tasks${tab}Jobs/Min${tab}JTI${tab}Real${tab}CPU${tab}Jobs/sec/task"
equal "a block an iteration" "$(grep -c ^Benchmark suite7.ss)" 2
# jobs/min has one digit less in the file
check "table and file tell the same" awk -F'\t' 'NR == FNR { if ($1 ~ /^[0-9]+$/ && NF == 7) { t[++n] = $1; j[n] = $2; i[n] = $4 }; next }
	{ split($0, c, " ") } c[1] ~ /^[0-9]+$/ { k++; d = c[2] - j[k]; if (c[1] != t[k] || c[3] != i[k] || d * d > 0.0031) exit 1 }
	END { exit !(k == 4 && n == 4) }' suite7.ss ../out
equal "no trademark in our results" "$(grep -ciE 'AIM (multiuser|benchmark)|suite VII' ../out suite7.ss logfile.suite7 | grep -v ':0$')" ""
equal "the log's head" "$(sed -n '1,2p;4p' logfile.suite7 | tr '\n' '|')" "boxA|6.1 test|workfile|"
# 60, 30 and 10 of 100 jobs by 1 + 2 + 3 + 4 tasks
equal "a line a job" "$(awk 'NF == 5 && $3 $4 $5 ~ /^[0-9]+$/ { n[$2]++ } END { print n["disk_rr"], n["creat-clo"], n["mem_rtns_2"], n["job_timing"] }' logfile.suite7)" \
	"600 300 100 10"
equal "nothing else was left" "$(ls -A | tr '\n' ' ')" "logfile.suite7 suite7.ss workfile "
cp suite7.ss ../suite7.before
cp logfile.suite7 ../log.before
answers boxA more 1 2 2 2 1 | "$MULTITASK" -t -nl --no-sync >../out 2>../err
equal "another run" $? 0
check "adds to suite7.ss" cmp -n "$(stat -c %s ../suite7.before)" suite7.ss ../suite7.before
equal "one row" "$(results | wc -l)" 5
check "-nl leaves the log alone" cmp logfile.suite7 ../log.before
printf 'my notes, without an end' >suite7.ss
answers boxA more 1 2 2 2 1 | "$MULTITASK" -tnl --no-sync >../out 2>../err
equal "what is no line of results stays" "$(sed -n '1,3p' suite7.ss | cut -c1-24 | tr '\n' '|')" \
	"my notes, without an end||Benchmark${tab}Version${tab}Machin|"

# --- scripts of robots --------------------------------------------------------------------------
# drive KIND: one kind at 4 tasks; the row is the line after the header
drive() {
	fresh
	mkdir fs
	printf '# the disk\r\n\n  %s  \r\n' "$PWD/fs" >config
	printf 'FILESIZE: 16K\n10 %s\n' "$1" >workfile
	answers boxB "$1" 1 4 2 4 1 | tr '\n' '\r' | sed 's/\r/\r\n/g' | "$MULTITASK" -t --no-sync >../out 2>../err ||
		{ cat ../err; return 1; }
	awk '/Tasks.*jobs\/min.*jti/ { getline; exit !($1 == 4 && $2 > 0 && $3 >= 0 && $3 <= 100 && $4 > 0 && $5 >= 0) }' ../out &&
		[ -z "$(ls -A fs)" ] && [ "$(results | wc -l)" = 1 ]
}
kinds="creat-clo disk_rr disk_src sync_disk_rw disk_cp page_test signal_test exec_test shared_memory shell_rtns_1"
for kind in $kinds; do check "one kind as a robot runs it: $kind" drive "$kind"; done
fresh
printf '#!/bin/sh\necho "$1" >>%q\n' "$T/here/ran" >aim_1.sh
chmod +x aim_1.sh
printf '1 shell_rtns_1\n' >workfile
answers b c 1 2 2 2 1 | "$MULTITASK" -t -nl --no-sync >../out 2>../err
equal "a script in the current directory" $? 0
equal "is what is run, with the number of tasks" "$(sort ran | uniq -c | tr -s ' ')" " 200 2"

if [ -d "$SHARED/check" ]; then
	cd "$T" || exit 99
	printf 'COMMAND: nap sleep 0.03\nFILESIZE: 16K\n50 nap\n50 disk_rr\n' >workfile.nap
	check "posted script" "$SHARED/check/posted-script" "$LOADMIX_BUILD" workfile.nap 1 5 2
	for kind in $kinds; do
		[ "$kind" = shell_rtns_1 ] || check "robot: $kind" "$SHARED/check/robot" "$LOADMIX_BUILD" "$kind" 4 "$shm"
	done
else
	skip "posted script and robot: there is no shared folder"
fi

# --- which loads --------------------------------------------------------------------------------
fresh
answers b c 2 points points >../input
printf '# a comment\n3\n1\n\n2\n' >points
run 0 "-f" "$MULTITASK" -f -nl --no-sync <../input
equal "the loads of the file, twice" "$(results | cut -f1 | tr '\n' ' ')" "3 1 2 3 1 2 "
fresh
answers b c 1 1 2 12 1 >../input
run 0 "the increment follows the times" "$MULTITASK" -v -nl --no-sync <../input
holds "as AIM7 does it" "$(cat err)" '^sweep +adaptive$'
equal "the first eight loads are as given" "$(results | head -n 8 | cut -f1 | tr '\n' ' ')" "1 2 3 4 5 6 7 8 "
equal "the end is the last" "$(results | tail -n 1 | cut -f1)" 12
answers b c 1 3 1 2 >../input
run 0 "to the crossover" "$MULTITASK" -t -N -v --no-sync -nl --max-tasks 6 <../input
holds "by newton, until jobs/min/task is 1" "$(cat err)" '^sweep +newton, until jobs/min/task is 1 or less$'
equal "up to the limit" "$(awk '$1 ~ /^[0-9]/ { print $1 }' out | tr '\n' ' ')" "3 5 6 "
holds "which is told" "$(cat err)" '^multitask: ended: the limit of 6 tasks \(--max-tasks\)$'
equal "and no crossover" "$(grep -c achieved out)" 0
answers b c 2 1 1 1 9 1 2 >../input
run 2 "a start above the limit" "$MULTITASK" -t --max-tasks 3 <../input
holds "names the iteration" "$(cat err)" '^multitask: iteration 2: the sweep starts at 9 tasks, above its limit of 3 \(--max-tasks\)'
answers b c 1 3 1 2 >../input
run 0 "-N without -t" "$MULTITASK" -N -v --no-sync -nl --max-tasks 4 <../input
holds "adapts, too" "$(cat err)" '^sweep +adaptive, newton near the crossover, until'
run 0 "a journal" "$MULTITASK" -t -d3 --no-sync --max-tasks 4 --journal j.jsonl <../input
equal "holds what was run" "$(jq -c 'select(.type=="run") | [.label, .plan.policy, .plan.command[-1]]' j.jsonl)" '["b, c","fixed","j.jsonl"]'
check "and the steps" steps 'map(.tasks) == [3,4]' j.jsonl

fresh
if [ "$(stat -f -c %T "$shm")" = tmpfs ]; then
	echo "$shm" >config
	answers b c 2 1 2 1 1 2 2 2 1 >../input
	run 0 "a machine that is doubtful, twice" "$MULTITASK" -t -nl --no-sync --journal j.jsonl <../input
	equal "is told of once" "$(grep -c 'tmpfs, which is memory' err)" 1
	equal "and kept twice" "$(cat j.jsonl j.jsonl.2 | grep -c 'tmpfs, which is memory')" 2
else
	skip "a machine that is doubtful: no tmpfs"
fi

fresh
printf '1 shell_rtns_1\n1 add_int\n' >workfile
answers b c 2 1 2 1 1 2 2 2 1 >../input
LOADMIX_DATA=$T run 0 "a kind that cannot be run, in two iterations" "$MULTITASK" -t -nl --no-sync --skip-unsupported <../input
equal "is told of once" "$(grep -c 'shell_rtns_1 is left out of the mix' err)" 1

# --- answers that will not do -------------------------------------------------------------------
fresh
options=(-t)
refused 2 "no answer at all" '^multitask: standard input:2: configuration of the machine: the input ends here: expected'  "box"
refused 2 "iterations" "^multitask: standard input:3: number of iterations: '11' .*from 1 to 10$" b c 11
refused 2 "start" "^multitask: standard input:4: iteration 1, number of tasks to start with: '0' .*from 1 to 10000$" b c 1 0
refused 2 "start, no number" "start with: '4x' .*from 1 to 10000$" b c 1 4x
refused 2 "start, above" "start with: '10001' .*from 1 to 10000$" b c 1 10001
refused 2 "start, negative" "start with: '-4' .*from 1 to 10000$" b c 1 -4
refused 2 "an empty line is no number" "start with: '' .*from 1 to 10000$" b c 1 ''
refused 2 "how far" "^multitask: standard input:5: iteration 1, how far: '3' is no answer: expected 1 for the crossover, 2 for" b c 1 4 3
refused 2 "an end below the start" "^multitask: standard input:6: iteration 1, number of tasks to end with: '3' .*from 4 to 10000$" b c 1 4 2 3
refused 2 "increment" "^multitask: standard input:7: iteration 1, increment: '101' .*from 1 to 100$" b c 1 4 2 8 101
refused 2 "in the second iteration" "^multitask: standard input:11: iteration 2, increment: 'x' " b c 2 4 2 8 1 4 2 8 x
refused 2 "end of the input in the second iteration" "^multitask: standard input:8: iteration 2, number of tasks to start with: the input ends" b c 2 4 2 8 1
refused 2 "a name with a tab" "name of the machine: 'a.*b' has a control character" "a${tab}b" c 1 4 2 4 1
refused 2 "a long name" "name of the machine: .* up to 200 characters$" "$(printf 'x%.0s' $(seq 201))" c 1 4 2 4 1
refused 2 "a line without end" "name of the machine: .* is too long" "$(head -c 100000 /dev/zero | tr '\0' x)" c
options=(-f)
refused 2 "no file of task counts" "iteration 1, file of task counts: 'nowhere' .*can be read$" b c 1 nowhere
printf '4\nfour\n' >points
refused 2 "a bad one" "^multitask: points:2:1: 'four'" b c 1 points
options=(-x)
refused 2 "an unknown option" "invalid option -- 'x'"
options=(-nx)
refused 2 "an option like -nl" "give -nl"
options=(word)
refused 2 "an argument" "'word' is one argument too many"
options=(-t)
for input in /dev/null closed; do
	if [ $input = closed ]; then "$MULTITASK" -t --no-sync <&- >../out 2>../err; else "$MULTITASK" -t --no-sync <$input >../out 2>../err; fi
	equal "standard input $input" "$? $(cat ../out)" "2 "
	holds "tells the question" "$(cat ../err)" '^multitask: standard input:1: name of the machine: '
done
answers '' '' 1 2 2 2 1 >../input
run 0 "empty names" "$MULTITASK" -t --no-sync <../input
equal "are those of the system" "$(sed -n 2p suite7.ss | cut -f3) $(sed -n 2p logfile.suite7)" "$(uname -n) $(uname -r)"

# --- files that will not do ---------------------------------------------------------------------
four=(b c 1 4 2 4 1)
fresh
rm workfile
refused 2 "no workfile" '^multitask: \./workfile: cannot be read: No such file' "${four[@]}"
printf '1 disk_rr\n' >workfile
refused 2 "no file size" '^multitask: .*workfile:1: .* 0 KiB: set FILESIZE in the workfile$' "${four[@]}"
printf '1 add_itn\n' >workfile
refused 2 "an unknown kind" '^multitask: \./workfile:1:3: unknown job kind' "${four[@]}"
fresh
printf '# disks\nOFF\n/nonexistent/dir\n' >config
refused 2 "a directory that is not there" "^multitask: config:3:1: cannot use directory '/nonexistent/dir': No such file" "${four[@]}"
printf 'workfile\n' >config
refused 2 "one that is a file" "^multitask: config:1:1: cannot use directory 'workfile': Not a directory" "${four[@]}"
printf 'OFF\n' >config
answers "${four[@]}" >../input
run 0 "OFF" "$MULTITASK" -t --no-sync <../input
fresh
mkdir suite7.ss
refused 2 "suite7.ss is a directory" '^multitask: suite7.ss: is a directory' "${four[@]}"
rmdir suite7.ss
mkfifo suite7.ss
refused 2 "suite7.ss is a pipe" '^multitask: suite7.ss: is a pipe' "${four[@]}"
rm suite7.ss
ln -s elsewhere suite7.ss
refused 2 "suite7.ss leads nowhere" '^multitask: suite7.ss: is a symbolic link' "${four[@]}"
rm suite7.ss
mkdir logfile.suite7
refused 2 "logfile.suite7 is a directory" '^multitask: logfile.suite7: is a directory' "${four[@]}"
rmdir logfile.suite7
printf '1 mem_rtns_2\n' >workfile
answers b c 1 1 2 2 1 >../input
run 0 "suite7.ss without a limit" "$MULTITASK" -t -nl --no-sync <../input
head=$(head -n 4 suite7.ss | wc -c)
# room for an empty line, the header and 12 bytes
head -c $((1024 - 1 - head - 12)) /dev/zero | tr '\0' '\n' >suite7.ss
(ulimit -f 1 && exec "$MULTITASK" -t -nl --no-sync) <../input >../out 2>../err
equal "a row that does not fit" $? 3
holds "is told" "$(cat ../err)" "cannot append to 'suite7.ss': File too large"
equal "and not there in part: the header is last" "$(tail -n 1 suite7.ss | cut -c 1-5) $(stat -c %s suite7.ss)" "Tasks 1012"

# --- an ordinary user ---------------------------------------------------------------------------
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=65534 --regid=65534 --clear-groups)
fresh
chmod 777 . ..
if "${as_user[@]}" test -x "$MULTITASK" 2>/dev/null; then
	"${as_user[@]}" "$MULTITASK" -t --no-sync <../input >../out 2>../err
	equal "as an ordinary user" $? 0
	rm -f suite7.ss
	echo "somebody's" >suite7.ss
	chmod 444 suite7.ss
	"${as_user[@]}" "$MULTITASK" -t -nl --no-sync <../input >../out 2>../err
	equal "a suite7.ss that is not ours to write" "$? $(cat ../out) $(cat suite7.ss)" "3  somebody's"
	holds "is told before the first step" "$(cat ../err)" "^multitask: cannot append to 'suite7.ss': Permission denied$"
	rm -f suite7.ss
	chmod 555 .
	"${as_user[@]}" "$MULTITASK" -t -nl --no-sync <../input >../out 2>../err
	equal "a directory that is not ours to write" "$? $(cat ../out)" "3 "
	holds "is told" "$(cat ../err)" "^multitask: cannot use directory '\.' \(config\): "
	chmod 777 .
else
	skip "as an ordinary user: the build directory is closed"
fi
cd "$T" && chmod 755 .

# --- steps that go wrong ------------------------------------------------------------------------
fresh
printf 'COMMAND: bad sh -c "test ! -e %s"\n1 bad\n' "$T/here/fail" >workfile
answers b c 2 1 2 2 1 3 2 3 1 >../input
touch fail
"$MULTITASK" -t --no-sync <../input >../out 2>../err
equal "jobs that fail" $? 1
equal "the steps are marked after the date, and go on" "$(grep -cE '^ +[123] .* [0-9]{4}  INVALID$' ../out)" 3
equal "the reasons are told" "$(grep -cE '^multitask: the step of [123] tasks? is INVALID: task 0 .*job 1 of 100, bad' ../err)" 3
equal "no row, and no line of the log" "$(results | wc -l) $(grep -c ' bad ' logfile.suite7)" "0 0"

# left: the processes of this test that run multitask or a job of it
left() {
	processes_of "$MARK" | while read -r p; do
		tr '\0' ' ' <"/proc/$p/cmdline" | grep -E "^($MULTITASK|sleep 600)"
	done 2>/dev/null
}

for sig in INT TERM HUP; do
	fresh
	mkdir fs
	echo "$PWD/fs" >config
	# jobs of the second step, when the first is in the file, do not end
	printf '#!/bin/sh\nif grep -q "^1	" %q; then touch %q; exec sleep 600; fi\n' "$PWD/suite7.ss" "$PWD/slow" >nap
	chmod +x nap
	printf 'COMMAND: nap %s\n1 nap\n' "$PWD/nap" >workfile
	answers b c 2 1 2 2 1 1 2 2 1 >../input
	env --default-signal=INT,HUP "$MULTITASK" -t --no-sync <../input >../out 2>../err &
	pid=$!
	await test -e slow
	kill -$sig $pid
	wait $pid
	equal "SIG$sig in the second step" $? $((128 + $(kill -l $sig)))
	equal "the row before it is kept: $sig" "$(results | cut -f1)" 1
	equal "the log of it, too: $sig" "$(grep -cE '^1 (nap|job_timing) ' logfile.suite7) $(grep -c '^2 ' logfile.suite7)" "101 0"
	equal "the next iteration is not begun: $sig" "$(grep -c ^Benchmark suite7.ss)" 1
	for _ in $(seq 100); do [ -n "$(left)" ] || break; sleep 0.1; done
	equal "no process is left: $sig" "$(left)" ""
	nothing_left fs "no file is left: $sig"
done
trap 'echo signalled >>"$T/signals"' INT TERM HUP USR1
fresh
answers b c 1 4 2 4 1 | "$MULTITASK" -t --no-sync >../out 2>../err
trap - INT TERM HUP USR1
equal "the caller is not signalled" "$(grep -c . ../signals 2>/dev/null | grep -v '^0$')" ""

# --- somebody at a terminal ---------------------------------------------------------------------
fresh
cat >../terminal.py <<'P'
# Type each argument as a line when the program has asked; print what it has shown.
import os, pty, select, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], [sys.argv[1], "-t", "--no-sync", "--max-tasks", "2"])
shown, lines, until = b"", sys.argv[2:], time.time() + 120
typed = 0
while time.time() < until:
    if select.select([fd], [], [], 0.1)[0]:
        try:
            more = os.read(fd, 4096)
        except OSError:
            break
        if not more:
            break
        shown += more
    if typed < len(lines) and shown.count(b": ", shown.rfind(b"\n") + 1) and shown.endswith(b": "):
        line = lines[typed]
        typed += 1
        shown += b"<" + line.encode() + b">"
        os.write(fd, b"\x04" if line == "EOF" else line.encode() + b"\n")
sys.stdout.write(shown.decode().replace("\r", ""))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
if command -v python3 >/dev/null; then
	python3 ../terminal.py "$MULTITASK" '' '' '' '' '' '' >../out
	equal "Return for every question" $? 0
	holds "shows the host's name" "$(cat ../out)" "^name of the machine \(.*\) \[$(uname -n)\]: <>"
	holds "and a range with its default" "$(cat ../out)" '^number of iterations \(a number from 1 to 10\) \[1\]: <>'
	equal "runs from 1 to the crossover, or the limit" "$(results | cut -f1 | tr '\n' ' ')" "1 2 "
	equal "the system's names" "$(sed -n 2p suite7.ss | cut -f3) $(sed -n 2p logfile.suite7)" "$(uname -n) $(uname -r)"
	python3 ../terminal.py "$MULTITASK" box conf 0 1 many 2 2 1 2 101 1 >../out
	equal "answers that will not do" $? 0
	equal "are asked for again" "$(grep -cE 'is no answer: expected' ../out)" 4
	equal "and the good ones are taken" "$(sed -n '/box/,$p' suite7.ss | results /dev/stdin | cut -f1 | tr '\n' ' ')" "2 "
	python3 ../terminal.py "$MULTITASK" box EOF >../out
	equal "the end of the input there" $? 2
else
	skip "at a terminal: python3 is missing"
fi

# --- documents ----------------------------------------------------------------------------------
cd "$T" || exit 99
for option in $("$MULTITASK" --help | grep -oE -e '(^|[ ,])--?[a-zA-Z][a-z-]*' | tr -d ' ,' | sort -u); do
	grep -qF -e "${option//-/\\-}" "$LOADMIX_SRC/docs/multitask.1" || not_ok "$option is not in the man page"
done
ok "options of the man page were looked at"
if command -v groff >/dev/null; then
	equal "the man page is clean" "$(groff -man -ww -z "$LOADMIX_SRC/docs/multitask.1" 2>&1)" ""
else
	skip "the man page is clean: groff is missing"
fi
finish
