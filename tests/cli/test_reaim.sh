#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The drop-in reaim: options, configuration file, rows and files, tools, signals.
. "$(dirname "$0")/lib.sh"
REAIM=$LOADMIX_BUILD/reaim
export MARK=loadmix-test-$$-$RANDOM
unset LOADMIX_DATA
mkdir fs
printf 'FILESIZE: 10k\n2 add_int\n1 disk_rr\n1 disk_cp\n1 pipe_cpy\n' >workfile
printf 'DISKDIR %s\n' "$T/fs" >reaim.config

# left: live programs of this test that are reaim
left() {
	processes_of "$MARK" | while read -r p; do
		tr '\0' ' ' <"/proc/$p/cmdline" | grep -q "^$REAIM " && ps -o pid,ppid,stat,args "$p"
	done 2>/dev/null
}

gone() {
	for _ in $(seq 600); do
		[ -n "$(left)" ] || break
		sleep 0.1
	done
	equal "no process left: $1" "$(left)" ""
	nothing_left fs "no file left: $1"
}

digit_rows() { grep -E '^[ 0-9.]+$' "$1"; }
loads() { digit_rows out | awk '{ printf "%s ", $1 }'; }
csv_loads() { tail -n +2 "$1" | cut -d, -f1 | tr '\n' ' '; }
clean() { rm -f ./*.csv* ./*.log* ./*.ss* stp_* maxjobs.txt*; }

# --- how its users drive it ------------------------------------------------------------------------
if [ -e "${LOADMIX_SHARED:-/nonexistent}/check/reaim-rows" ]; then
	check "as its users drive it" bash "$LOADMIX_SHARED/check/reaim-rows" "$LOADMIX_BUILD" workfile
else
	skip "as its users drive it: LOADMIX_SHARED is not set"
fi

run 0 "glued options" "$REAIM" -s1 -e3 -i1 -t -y -fworkfile -r1 -c./reaim.config -lpre -j100 -d5 </dev/null
printf '%s\n%s\n' 'Num     Parent   Child   Child  Jobs per   Jobs/min/  Std_dev  Std_dev  JTI' \
	'Forked  Time     SysTime UTime   Minute     Child      Time     Percent ' >two-lines
check "the two lines of the head" diff two-lines <(head -n 2 out)
equal "three rows of digits" "$(loads)" "1 2 3 "
equal "of nine columns" "$(digit_rows out | awk '{ print NF }' | sort -u)" 9
check "jobs/min from the jobs and the time, per task, deviation in percent" awk '/^[ 0-9.]+$/ {
	a = $5 / ($1 * 100 * 60 / $2); b = $5 / $1 / $6; n++
	if ($1 == 1 && ($7 != 0 || $8 != 0 || $9 != 100)) exit bad = 1
	if (a < 0.8 || a > 1.25 || b < 0.999 || b > 1.001 || $8 < 99 - $9 - 1 || $8 > 101 - $9) exit bad = 1 } END { exit bad || n != 3 }' out
equal "the maximum is that of the rows" "$(sed -n 's/^Max Jobs per Minute //p' out)" \
	"$(digit_rows out | awk '$5 > m { m = $5 } END { printf "%.2f", m }')"
equal "head of the csv" "$(head -n 1 pre.csv)" "Forks,JPM,JPM_C,JPS_C,parent_tm,childU_tm,childS_tm,std_dev,JTI,max_c,min_c"
check "rows of the csv are those of the table" diff <(digit_rows out | awk '{ print $1, $5, $6, $2, $4, $3, $7, $9 }') \
	<(tail -n +2 pre.csv | awk -F, '{ print $1, $2, $3, $5, $6, $7, $8, $9 }')
check "longest and shortest task" awk -F, 'NR > 1 && ($10 < $11 || $10 > $5 + 0.005 || $11 <= 0) { exit bad = 1 } END { exit bad }' pre.csv
check "the log has the columns of the csv" diff <(tr ',' ' ' <pre.csv) <(sed 's/^ *//; s/  */ /g' pre.log)
equal "lines of the log are of one width" "$(awk '{ print length }' pre.log | sort -u | wc -l)" 1
equal "multiuser.ss has its rows" "$(awk -F'\t' '/^[0-9]/ { printf "%s:%d ", $1, NF }' multiuser.ss)" "1:7 2:7 3:7 "
gone "glued options"

cat pre.csv >first
run 0 "long options with values apart, a file that is there" "$REAIM" --startusers 2 --endusers=2 --jobs 10 --timeroff \
	--nosync --file workfile --logprefix pre --multiuser
check "the earlier file has a number" cmp first pre.csv.1
equal "the new one its own row" "$(csv_loads pre.csv)" "2 "
clean
run 0 "repeat and brief" "$REAIM" -r2 -b -e2 -j10 -y
equal "two tables" "$(loads)" "1 2 1 2 "
for f in reaim.csv reaim.log multiuser.ss stp_mdata.txt stp_hdata.html maxjobs.txt; do
	check "$f of both runs" test -s $f -a -s $f.1 -a ! -e $f.2
done
equal "maxjobs.txt holds the maximum" "$(cat maxjobs.txt.1 maxjobs.txt)" "$(sed -n 's/^Max Jobs per Minute //p' out)"
equal "stp_mdata.txt two columns" "$(cat stp_mdata.txt)" "$(awk -F, 'NR > 1 { print $1, $2 }' reaim.csv)"
equal "stp_hdata.html a row a step, and its end" "$(grep -c '<td>' stp_hdata.html) $(tail -n 1 stp_hdata.html)" "2 </body></html>"
clean
mkdir reaim.csv
run 3 "a directory in the place of a result" "$REAIM" -e1
equal "no row without its file" "$(cat out)" ""
rmdir reaim.csv
clean

if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 strace -y -e trace=fsync -o trace "$REAIM" -e2 -j5 >/dev/null 2>&1
	for f in reaim.csv reaim.log multiuser.ss; do
		# its head, two rows, its end
		equal "$f is on the disk after each row" "$(grep -c "^fsync([0-9]*<$T/$f>) *= 0" trace)" 4
	done
	clean
else
	skip "rows are on the disk: strace is missing or not permitted"
fi

# --- the configuration file ------------------------------------------------------------------------
mkdir other
printf '# one\nFileSize 7k\nPOOLSIZE 8k\nDISKDIR %s\nstartusers 2\nENDUSERS 4\nIncrement 2\nJOBS 30\nVerbose 1\nBRIEF 1\n' "$T/other" >c
printf '1 disk_wrt\n1 add_int\n' >w
run 0 "a configuration file" "$REAIM" -t -y -fw -cc
equal "its loads" "$(loads)" "2 4 "
holds "its jobs" "$(cat err)" '^workload .* 2 entries, 30 jobs per task$'
# 7k + 8k / 2 = 11k; 7k + 8k / 4 = 9k
holds "its sizes" "$(cat err)" '^ +1 +2 +60 +11K '
holds "at both loads" "$(cat err)" '^ +2 +4 +120 +9K '
holds "its directory" "$(cat err)" "^directory  $T/other "
holds "re-aim-7's work" "$(cat err)" '^semantics  reaim$'
holds "no sync with -y" "$(cat err)" '^sync       no$'
check "its brief files" test -s maxjobs.txt
nothing_left other "nothing left there"
clean
run 0 "the command line wins" "$REAIM" -t -fw -cc -s1 -e1 -i5 -j10
equal "over the loads" "$(loads)" "1 "
holds "over the jobs" "$(cat err)" '2 entries, 10 jobs per task$'
holds "sync() by default" "$(cat err)" '^sync       before every step$'
clean
run 0 "the workfile's size wins" "$REAIM" -t -y -fworkfile -cc -e2
holds "10k + 8k / 2" "$(cat err)" '^ +1 +2 +60 +14K '
clean
for bad in "c:1:10:FILESIZE 10" "c:1:1:USERS 5" "c:2:6:BRIEF 1|JOBS none" "c:1:DISKDIR $T/nowhere"; do
	place=$(grep -oE '^c(:[0-9]+)+' <<<"$bad")
	tr '|' '\n' <<<"${bad#"$place":}" >c
	run 2 "an error at $place" "$REAIM" -cc -e1
	holds "is told with what was expected" "$(cat err)" "^reaim: $place: .*(expected|write 10K)"
done
for args in "-cnowhere" "-fnowhere" "-s0" "-s5 -e3" "-ex" "-i0" "-j0" "-r0" "-p0" "-x -g" "extra" "--nosuch" "-f" "-Z ./nowhere"; do
	# shellcheck disable=SC2086
	run 2 "exit 2: reaim $args" "$REAIM" $args
	check "'$args' is explained" test -s err
done
printf '1 disk_wrt\n' >w
: >c
run 2 "no size anywhere" "$REAIM" -fw -cc
holds "is told as this program has it" "$(cat err)" 'set FILESIZE in the workfile or in the configuration file$'
printf '1 add_int\n' >w
run 2 "a start above the limit" "$REAIM" -fw -cc -s9 -x --max-tasks 3
holds "so is this" "$(cat err)" '^reaim: -s/-e/-i: the sweep starts at 9 tasks, above its limit of 3 \(--max-tasks\)'
run 3 "more than the machine has" "$REAIM" -fw -cc -s1000000 -j100000
holds "and this" "$(cat err)" 'lower the number of tasks'
equal "the engine names no program's options" "$(grep -n '"[^"]*--[a-z]' "$LOADMIX_SRC"/src/engine/*.c)" ""
equal "nothing was created" "$(ls -A ./*.csv ./*.ss 2>/dev/null)" ""
run 0 "help" "$REAIM" --help
missing=$(grep -oE -e '--[a-z][a-z-]+' out | sort -u | while read -r option; do
	grep -qF -e "${option//-/\\-}" "$LOADMIX_SRC/docs/reaim.1" || echo "$option"
done)
equal "every option is in the man page" "$missing" ""
for letter in s e i j f c l d v x q g m o p t r b y h Z z; do
	grep -qE "^\.BR? .*\\\\-$letter\b" "$LOADMIX_SRC/docs/reaim.1" || not_ok "-$letter is in the man page"
done

# --- sweeps ------------------------------------------------------------------------------------------
printf '1 pipe_cpy\n' >w
run 0 "the end is not below the start" "$REAIM" -fw -s7 -j1
equal "one step" "$(loads)" "7 "
run 0 "fixed steps" "$REAIM" -fw -s1 -e10 -i4 -t -j1
equal "1 5 9 10" "$(loads)" "1 5 9 10 "
# any machine does more than 60 of these jobs a minute, and none 60 of those a minute and task
printf '1 shell_rtns_1\n' >slow
cat >aim_1.sh <<'S'
#!/bin/sh
sleep 1.2
S
chmod +x aim_1.sh
run 0 "until the quick crossover" "$REAIM" -fslow -j1 -q
equal "ends at once" "$(loads)" "1 "
check "and says so" grep -qx 'Crossover achieved.' out
run 0 "not so the other" "$REAIM" -fslow -j1 -x -e2
equal "goes on" "$(loads)" "1 2 "
equal "and does not say so" "$(grep -c Crossover out)" 0
run 0 "both: the quick one comes first" "$REAIM" -fslow -j1 -q -x
equal "ends at once" "$(loads)" "1 "
printf 'CROSSOVER 1\n' >c
run 0 "by the configuration file, and bounded" "$REAIM" -fslow -j1 -cc -i1 --max-tasks 2
equal "two steps" "$(loads)" "1 2 "
run 0 "until the peak" "$REAIM" -fw -j200 -g -t --max-tasks 60
check "takes five steps at least" test "$(digit_rows out | wc -l)" -ge 5
clean

# --- an INVALID step -----------------------------------------------------------------------------------
printf '#!/bin/sh\nexit 1\n' >aim_1.sh
run 1 "jobs that fail" "$REAIM" -fslow -j1 -e2 -b -t
equal "no row of digits" "$(digit_rows out)" ""
equal "rows with the word" "$(grep -c '^[12] .* INVALID$' out)" 2
equal "no maximum" "$(grep -c '^Max' out)" 0
holds "the reason is told" "$(cat err)" '^reaim: the step of 2 tasks is INVALID: task [01] .*shell_rtns_1'
equal "the csv has it where the load is" "$(csv_loads reaim.csv)" "INVALID 1 INVALID 2 "
equal "multiuser.ss too" "$(grep -c '^INVALID [12]	' multiuser.ss)" 2
equal "the log at the end of its lines" "$(grep -c '  INVALID$' reaim.log)" 2
equal "the brief files have none" "$(cat stp_mdata.txt maxjobs.txt)" ""
rm aim_1.sh
clean

# --- single mode ---------------------------------------------------------------------------------------
printf 'FILESIZE 64k\n1 add_int\n1 disk_rr\n5 add_int\n1 pipe_cpy\n' >w
printf 'DISKDIR %s\n' "$T/fs" >c
run 0 "one user" "$REAIM" -o -p 0.2 -fw -cc -y
equal "each kind once, with a number" "$(awk '/^ +[0-9]/ { printf "%s:%s ", $1, $2 }' out)" "1:add_int 2:disk_rr 3:pipe_cpy "
check "the same in singleuser.ss" cmp out singleuser.ss
# credited: 60000 thousand additions, 64 blocks, 100 messages a run
check "rates follow from the runs" awk '/^ +[0-9]/ { f = $2 == "add_int" ? 60000 : $2 == "disk_rr" ? 64 : 100
	a = $6 / ($5 * f); b = $4 / $3 / $5; n++; if (a < 0.9999 || a > 1.0001 || b < 0.95 || b > 1.05 || $3 < 0.2) exit bad = 1 } END { exit bad || n != 3 }' out
holds "with the unit" "$(cat out)" ' Random Disk Reads \(K\)$'
check "no file of a sweep" test ! -e reaim.csv
gone "single mode"
clean

# --- tools -----------------------------------------------------------------------------------------------
cat >tool <<'S'
#!/bin/sh
echo "$* $(wc -c)" >>calls
echo 1 2 3
[ "$1" = "$FAIL" ] && exit 7
[ "$1" = "$HANG" ] && { sleep 1000 & wait; }
[ "$1" = setup ] && [ -n "$BLOCK" ] && for d in "$BLOCK"/loadmix.*; do mkdir "$d/common"; done
[ "$1" = begin ] && [ -n "$GOES" ] && rm "$GOES"
# when this has ended, who runs tools is stopped for a while
[ "$1" = begin ] && [ -n "$STOP" ] && {
	(while kill -0 $$; do sleep 0.05; done
	sleep 0.2; kill -STOP $PPID; touch stopped; sleep 12; date +%s >resumed; kill -CONT $PPID) >/dev/null 2>&1 &
}
[ "$1 $BACK" = "setup yes" ] && { sleep 1000 >/dev/null 2>&1 & echo $! >back; }
exit 0
S
chmod +x tool
printf '1 pipe_cpy\n' >w
run 0 "a tool" "$REAIM" -fw -cc -e2 -j5 -Z ./tool -z "one  two" </dev/null
equal "is called at its moments" "$(tr '\n' ';' <calls)" \
	"setup 1 one two 0;begin 1 one two 0;halt 1 one two 0;report 1 one two 0;setup 2 one two 0;begin 2 one two 0;halt 2 one two 0;report 2 one two 0;"
equal "its output does not pass for rows" "$(loads)" "1 2 "
rm calls
BACK=yes run 0 "a tool that leaves a process running" "$REAIM" -fw -cc -e1 -j5 -Z ./tool
check "which lives" kill -0 "$(cat back)"
equal "and is no stray" "$(loads)" "1 "
kill "$(cat back)"
for moment in setup begin; do
	rm -f calls
	FAIL=$moment run 3 "a $moment that fails" "$REAIM" -fw -cc -e2 -j5 -Z ./tool
	holds "is named" "$(cat err)" "^reaim: tool './tool $moment 1' exited with status 7$"
	equal "no step is run" "$(loads)" ""
	equal "once" "$(grep -c 'exited with status 7' err)" 1
	# what was set up is reported; a begin that says it failed has begun nothing
	equal "nor anything else of it" "$(cut -d' ' -f1,2 calls | tr '\n' ';')" \
		"$([ $moment = setup ] && echo 'setup 1;' || echo 'setup 1;begin 1;report 1;')"
done
rm -f calls
printf 'FILESIZE 4k\n1 disk_cp\n' >w-cp
BLOCK=$T/fs run 3 "common files that cannot be made" "$REAIM" -fw-cp -cc -e2 -j5 -Z ./tool
equal "what was set up is reported" "$(cut -d' ' -f1,2 calls | tr '\n' ';')" "setup 1;report 1;"
gone "common files that cannot be made"
for moment in halt report; do
	FAIL=$moment run 0 "a $moment that fails" "$REAIM" -fw -cc -e2 -j5 -Z ./tool
	holds "is a warning" "$(cat err)" "^reaim: warning: tool './tool $moment 2' exited with status 7$"
	equal "a step" "$(grep -c "$moment .' exited" err)" 2
done
cp tool goes
GOES=./goes run 0 "a halt that cannot be started" "$REAIM" -fw -cc -e1 -j5 -Z ./goes
equal "is a warning, once" "$(grep -c "^reaim: warning: tool './goes halt 1' cannot be started: No such file" err)" 1
HANG=setup run 3 "a tool that hangs" timeout 120 "$REAIM" -fw -cc -e1 -Z ./tool --tool-timeout 3
holds "is named" "$(cat err)" "'./tool setup 1' did not end within 3 s"
HANG=halt run 0 "a halt that hangs" timeout 120 "$REAIM" -fw -cc -e1 -j5 -Z ./tool --tool-timeout 3
holds "is named" "$(cat err)" "'./tool halt 1' did not end within 3 s"
equal "both were killed" "$(processes_of "$MARK" | while read -r p; do tr '\0' ' ' <"/proc/$p/cmdline" | grep '^sleep 1000'; done 2>/dev/null)" ""
printf 'no program\n' >text && chmod +x text
run 3 "what cannot be started" "$REAIM" -fw -cc -e1 -Z ./text
holds "is named" "$(cat err)" "tool './text setup 1' cannot be started: "
for moment in setup begin; do
	rm -f calls
	HANG=$moment "$REAIM" -fw -cc -e1 -Z ./tool >out 2>err &
	pid=$!
	await grep -q "^$moment" calls
	kill -TERM $pid
	wait $pid
	equal "a signal while $moment runs" $? 143
	equal "is told" "$(grep -c '^reaim: ended early: Terminated$' err)" 1
	equal "what may have begun is halted, and reported" "$(cut -d' ' -f1,2 calls | tr '\n' ';')" \
		"$([ $moment = setup ] && echo 'setup 1;report 1;' || echo 'setup 1;begin 1;halt 1;report 1;')"
	gone "a signal while $moment runs"
done
# One task ends when tools cannot be run; the other goes on until the step's time is up, and not
# until they can again. The stamps are seconds.
cat >either <<S
#!/bin/sh
cd '$T' || exit
mkdir ends-early 2>/dev/null && { while [ ! -e stopped ]; do sleep 0.1; done; exit 0; }
while :; do date +%s >>stamps; sleep 0.2; done
S
chmod +x either
printf 'COMMAND: either %s\n1 either\n' "$T/either" >we
rm -f calls
STOP=yes run 1 "a halt that is slow to start" "$REAIM" -fwe -cc -s2 -e2 -t -j1 -y --step-timeout 3 -Z ./tool
equal "is run in the end" "$(cut -d' ' -f1,2 calls | tr '\n' ';')" "setup 2;begin 2;halt 2;report 2;"
check "one task has ended, one not" test -d ends-early -a -s stamps
check "the step was ended when its time was up, and not when tools ran again" test "$(tail -n 1 stamps)" -lt "$(cat resumed)"
gone "tools"
clean

# --- signals ---------------------------------------------------------------------------------------------
# jobs of the second step wait for whoever ends it
printf '#!/bin/sh\n[ "$1" = 9 ] || exit 0\ngrep -q "^begin 2" "%s" || exit 0\n: >"%s"\nexec sleep 1000\n' \
	"$T/calls" "$T/waits" >aim_1.sh
chmod +x aim_1.sh
for sig in INT TERM HUP; do
	number=$(kill -l $sig)
	rm -f calls waits
	env --default-signal=INT,QUIT "$REAIM" -fslow -cc -s1 -e2 -t -j6 -Z ./tool >out 2>err </dev/null &
	pid=$!
	await test -e waits
	kill -$sig $pid
	wait $pid
	equal "exit 128 + $number on SIG$sig" $? $((128 + number))
	equal "the step that had ended is a row, the other is marked" "$(csv_loads reaim.csv)" "1 INVALID 2 "
	equal "multiuser.ss too" "$(grep -c '^1	' multiuser.ss)" 1
	equal "the table" "$(loads)" "1 "
	equal "what was begun is halted, and reported" "$(tail -n 2 calls | cut -d' ' -f1,2 | tr '\n' ';')" "halt 2;report 2;"
	gone "SIG$sig"
	clean
done
rm -f calls waits
"$REAIM" -fslow -cc -s2 -e2 -t -j6 -Z ./tool >out 2>err </dev/null &
pid=$!
await test -e waits
kill -KILL $pid
wait $pid 2>/dev/null
gone "SIGKILL"
finish
