#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under small limits and in odd surroundings each program works, or says why not; it never crashes or hangs, and
# nothing is left.
. "$(dirname "$0")/lib.sh"
MULTITASK=$LOADMIX_BUILD/multitask
REAIM=$LOADMIX_BUILD/reaim
export MARK=loadmix-test-$$-$RANDOM
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 .
mkdir -m 777 d here made
printf 'FILESIZE: 16K\n10 add_int\n10 disk_rd\n5 disk_src\n5 shell_rtns_1\n5 disk_cp\n5 page_test\n5 fork_test\n5 exec_test\n' >here/workfile
printf '%s\n' "$T/d" >here/config
printf 'DISKDIR %s\n' "$T/d" >here/reaim.config
printf '%s\n' box setup 1 1 2 2 1 >answers
run 0 "a run to compare" "$LOADMIX" run here/workfile --tasks 1,2 --jobs 8 --dir d --no-sync --output a.jsonl
cp a.jsonl b.jsonl
chmod 644 a.jsonl b.jsonl

programs=(run single compare gate convert summary multitask reaim)
declare -A command=(
	[run]="exec $LOADMIX run $T/here/workfile --tasks 1,2 --jobs 8 --dir $T/d --no-sync --progress=none --output $T/made/run.jsonl"
	[single]="exec $LOADMIX single add_int disk_rr --period 0.01 --dir $T/d --no-sync --output $T/made/single.jsonl"
	[compare]="exec $LOADMIX compare A=$T/a.jsonl B=$T/b.jsonl"
	[gate]="exec $LOADMIX gate --fail-above 5% A=$T/a.jsonl B=$T/b.jsonl"
	[convert]="exec $LOADMIX convert --to csv $T/a.jsonl --output $T/made/a.csv"
	[summary]="exec $LOADMIX summary $T/a.jsonl"
	[report]="PATH=/nonexistent exec $LOADMIX report $T/a.jsonl $T/b.jsonl --output $T/made/r.html"
	[multitask]="exec $MULTITASK -t -nl --no-sync"
	[reaim]="exec $REAIM -s1 -e2 -i1 -t -fworkfile -r1 -c./reaim.config -lpre -j8"
)

# left: live programs of this test; the processes that clean up end by themselves
left() {
	processes_of "$MARK" | while read -r p; do
		tr '\0' ' ' <"/proc/$p/cmdline" | grep -E "^$LOADMIX_BUILD/(loadmix|multitask|reaim) "
	done 2>/dev/null
}
none_left() { [ -z "$(left)" ]; }
# strays: pids of what the command leaves behind
strays() {
	processes_of "$MARK" | while read -r p; do
		if [ "$(tr '\0' ' ' <"/proc/$p/cmdline")" = "sleep 4711 " ]; then echo "$p"; fi
	done 2>/dev/null
}

# under SETTING PROGRAM: its status is in $status, its streams in out and err
under() {
	local setting=$1 program=$2
	rm -f made/* here/suite7.ss here/logfile* here/pre* here/multiuser* here/max*
	(
		cd here && exec <../answers >../out 2>../err && eval "$setting" && eval "${command[$program]}"
	) 2>/dev/null
	status=$?
}

# clean TEXT: nothing is left of what was run
clean() {
	await none_left
	nothing_left d "$1: nothing left"
	rm -rf d/* # so that the next one is not blamed
}

# either SETTING STATUSES PROGRAM...: under it the programs end with one of the statuses, and with words if it is not 0
either() {
	local setting=$1 statuses=$2 program
	shift 2
	for program; do
		under "$setting" "$program"
		holds "$setting: $program ends as it should ($status)" " $status " " ($statuses) "
		[ "$status" = 0 ] || [ -s out ] || check "$setting: $program says why" test -s err
	done
	clean "$setting"
}

# --- memory -------------------------------------------------------------------------------------
if grep -q __asan_init "$LOADMIX"; then
	skip "small stacks and little memory: sanitizers need more"
else
	# the environment is on the stack, too; the smallest with which all work is about 48 KiB
	either "ulimit -s 96" 0 run single compare convert summary multitask reaim
	either "ulimit -s 96" 3 report # no gnuplot: a page without pictures
	check "the page is there" test -s made/r.html
	either "ulimit -v 60000" 0 run single compare convert summary multitask reaim
	either "ulimit -c 0" 0 run multitask reaim
fi

# --- descriptors --------------------------------------------------------------------------------
either "ulimit -n 20" 0 run single compare convert summary multitask reaim
for n in 4 8 10 12 14; do
	either "ulimit -n $n" "0|2|3" run single multitask reaim convert
done
# what left its session is found, or the run is not begun
printf 'COMMAND: strays sh -c "setsid sleep 4711 &"\n1 strays\n' >here/strays
for n in 10 11 12 13 14 15 16 18 20; do
	(ulimit -n $n && exec "$LOADMIX" run here/strays --tasks 1 --jobs 1 --dir d --no-sync --progress=none --output "made/s$n.jsonl") >out 2>err
	case $? in
	1) holds "$n descriptors: the stray is told" "$(cat out)" 'left 1 process behind' ;;
	*) holds "$n descriptors: too few are told" "$(cat err)" 'a run needs [0-9]+ free file descriptors' ;;
	esac
	equal "no stray is left of $n descriptors" "$(strays)" ""
	clean "ulimit -n $n"
done
under "ulimit -n 12" run
holds "too few descriptors are told beforehand" "$status $(grep -v warning err)" '^3 .*a run needs [0-9]+ free file descriptors and has [0-9]+: raise ulimit -n'
under "ulimit -n 4" convert
holds "too few for a new file" "$status $(cat err)" "^3 .*a.csv': too few file descriptors"

# --- files --------------------------------------------------------------------------------------
printf 'FILESIZE: 64K\n1 disk_src\n' >large
(ulimit -f 8 && exec "$LOADMIX" run ./large --tasks 1 --jobs 1 --dir d --no-sync --output made/f.jsonl) >out 2>err
equal "ulimit -f 8: exit 3" $? 3
holds "what is too large is told, not that the disk is full" "$(cat err)" 'disk_src.*File too large'
printf 'FILESIZE: 64K\n1 disk_rd\n' >large
(ulimit -f 32 && exec "$LOADMIX" run ./large --tasks 1 --jobs 1 --dir d --no-sync --output made/f.jsonl) >out 2>err
equal "a common file above ulimit -f: exit 3" $? 3
holds "is told so" "$(cat err)" 'common file of 64 KiB.*File too large'
clean "ulimit -f"
either "umask 0777" 0 run single convert multitask reaim
either "umask 0" 0 run single convert multitask reaim

# --- streams ------------------------------------------------------------------------------------
either "exec <&-" 0 run single compare convert summary reaim
either "exec <&-" 2 multitask
either "exec 2>&-" 0 run single compare convert summary multitask reaim
either "exec <&- 2>&-" 0 run single compare convert summary reaim
for closed in ">&-" "<&- >&-"; do
	either "exec $closed" 3 run single compare summary reaim
	either "exec $closed" 255 gate
	either "exec $closed" 0 convert
done
for closed in ">&- 2>&-" "<&- >&- 2>&-"; do
	for program in "${programs[@]}"; do
		under "exec $closed" "$program"
		holds "exec $closed: $program ends by itself ($status)" " $status " ' (0|2|3|255) '
	done
	clean "exec $closed"
done

# --- surroundings -------------------------------------------------------------------------------
either "export -n HOME; unset HOME TMPDIR" 0 run single compare multitask reaim
either "export TMPDIR=/nonexistent LC_ALL=xx_YY.nonsense LANG=q TZ=No/Where" 0 run single compare summary multitask reaim
for program in run single compare convert summary multitask reaim; do
	under 'exec() { command exec env -i "LOADMIX_DATA=$LOADMIX_DATA" "MARK=$MARK" "$@"; }' $program
	equal "no environment: $program" $status 0
done
clean "no environment"
lost='mkdir ../lost && cd ../lost && rmdir ../lost'
either "$lost" 0 single compare convert summary
either "$lost" 3 run
holds "why a mix cannot be run from a directory that is gone" "$(cat err)" 'current directory cannot be left and entered again'
either "$lost" 2 multitask reaim
mkdir -m 711 shut
if "${as_nobody[@]}" test -x "$LOADMIX" 2>/dev/null && ! "${as_nobody[@]}" test -r /root; then
	printf '1 shell_rtns_1\n1 add_int\n' >scripts
	cd shut || exit 99
	if [ "$(id -u)" != 0 ]; then chmod 311 .; fi
	run_shut() { "${as_nobody[@]}" "$LOADMIX" run ../scripts --tasks 1 --jobs 2 --dir "$T/d" --no-sync --output /dev/null "$@" >../out 2>../err; }
	run_shut
	equal "scripts in a directory that cannot be read: exit 3" $? 3
	holds "which is told before the run" "$(cat ../err)" 'shell_rtns_1 is not supported here .*aim_1.sh lists the current directory, which cannot be read'
	run_shut --skip-unsupported
	equal "and left out on request" $? 0
	cd ..
	clean "an unreadable directory"
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # it takes a process of its own
	for u in 1 3 5; do
		"${as_nobody[@]}" bash -c 'ulimit -u $1; shift; exec "$@"' sh $u "$LOADMIX" single add_int --period 0.01 --dir d --output /dev/null >out 2>err
		holds "ulimit -u $u: it works, or the limit is told" "$? $(tail -n 1 err)" '^(0|3 .*(ulimit -u|Resource temporarily unavailable))'
	done
	clean "ulimit -u"
else
	skip "an ordinary user: the build directory is closed to other users"
fi

# --- what a kind cannot do as it is told ----------------------------------------------------------
printf 'FILESIZE: 64K\n1 disk_dio_rr block=1000\n1 add_int\n' >odd
run 3 "a block that direct transfers cannot have" "$LOADMIX" run ./odd --tasks 1 --jobs 2 --dir d --no-sync --output made/o.jsonl
holds "is refused before the run" "$(cat err)" 'disk_dio_rr block=1000 is not supported here .*direct transfers'
run 0 "and left out on request" "$LOADMIX" run ./odd --tasks 1 --jobs 2 --dir d --no-sync --skip-unsupported --output made/o.jsonl
equal "by its name" "$(jq -r 'select(.type=="run").plan.skipped[]' made/o.jsonl | grep -c '^disk_dio_rr block=1000: ')" 1
clean "direct transfers"
finish
