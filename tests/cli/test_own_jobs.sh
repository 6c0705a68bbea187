#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of people's own: plug-ins, commands in a workfile, AIM7's scripts; and parameters.
. "$(dirname "$0")/lib.sh"
mkdir d

# build NAME [CPPFLAGS...]: the example plug-in, perhaps spoilt; the program runs what is built here
build() {
	local name=$1
	shift
	"${CC:-cc}" -O2 -fPIC -shared -I"$LOADMIX_SRC/include" "$@" -o "$name.so" "$name.c"
}

cp "$LOADMIX_SRC/docs/examples/plugin.c" mine.c
check "the example plug-in is built" build mine -Wall -Wextra -Werror
printf 'FILESIZE: 1K\n10 rename_test\n10 rename_test pairs=5\n' >w
run 0 "a plug-in's kind" "$LOADMIX" run ./w --plugin ./mine.so --tasks 1,4 --dir d --output p.jsonl
check "is valid, with a row for each value of its parameter" steps \
	'all(.valid and (.kinds | map(.kind)) == ["rename_test", "rename_test pairs=5"])' p.jsonl
nothing_left d "nothing left"
equal "a run is credited with its pairs" \
	"$(jq -s -c 'map(select(.type=="step"))[0].kinds | map(.operations / .jobs)' p.jsonl)" "[100,5]"
run 0 "list shows it with its parameter" "$LOADMIX" list -v --plugin mine.so
holds "default and range" "$(cat out)" '^    pairs=100  renames there and back, 1 to 100000$'
strace -f -e trace=rename -o trace "$LOADMIX" single 'rename_test pairs=7' --plugin mine.so --period 0.0001 --dir d \
	--output s.jsonl >out 2>err && equal "pairs=7 is seven renames there and seven back, each run" \
	"$(($(grep -c rename trace) / $(jq -s 'map(select(.type=="step"))[0].kinds[0].jobs' s.jsonl)))" 14

# refused TEXT PATTERN ARGS...
refused() {
	run 2 "$1" "$LOADMIX" run ./w --dir d --output no.jsonl "${@:3}"
	holds "is explained: $1" "$(cat err)" "$2"
	equal "nothing is created: $1" "$(ls -A d; ls no.jsonl 2>/dev/null)" ""
}
sed 's/{ LM_JOB_ABI, jobs }/{ LM_JOB_ABI + 1, jobs }/' mine.c >abi.c && build abi
refused "a plug-in of another version" 'abi.so: was built for version 2 .* version 1' --plugin ./abi.so
echo 'int nothing;' >empty.c && build empty
refused "a plug-in without the symbol" "empty.so: is no plug-in: .*'loadmix_plugin'" --plugin ./empty.so
sed 's/"rename_test"/"add_int"/' mine.c >twice.c && build twice
refused "a plug-in with a name that exists" "twice.so: defines the job kind 'add_int', which exists" --plugin ./twice.so
sed 's/\.run = rename_run,//' mine.c >norun.c && build norun
refused "a plug-in with an incomplete kind" 'rename_test' --plugin ./norun.so
sed 's/	{ 0 },/{ "a", "x", 0, 1, 1, 1 }, { "b", "x", 0, 1, 1, 1 }, { "c", "x", 0, 1, 1, 1 }, { "d", "x", 0, 1, 1, 1 }, { 0 },/' mine.c >many.c && build many
refused "a plug-in with too many parameters" 'many.so: .*LM_MAX_PARAMS' --plugin ./many.so
sed 's/"Rename Pairs"/"Rename \\xff"/' mine.c >unit.c && build unit
refused "a plug-in with a unit that cannot be written" 'unit.so: .*unit of plain characters' --plugin ./unit.so
echo 'not an object' >text.so
refused "a text file as plug-in" 'text.so: cannot be loaded as a plug-in' --plugin ./text.so
refused "a plug-in that is not there" 'none.so: cannot be loaded: No such file' --plugin ./none.so
refused "the kind without its plug-in" "w:2:4: unknown job kind 'rename_test'"

# parameters
printf 'FILESIZE: 1M\n10 disk_rd block=64K\n' >w
run 0 "a parameter" "$LOADMIX" run ./w --tasks 1 --jobs 3 --dir d --output b.jsonl
equal "it is the kind's label in the results" "$(jq -r 'select(.type=="step").kinds[0].kind' b.jsonl)" "disk_rd block=64K"
printf 'FILESIZE: 1M\n10 disk_rd block=100\n' >w
refused "a value out of range" "w:2:12: '100' is no value for block of disk_rd: give one from 512 to 64M"
printf 'FILESIZE: 1M\n10 disk_rd block=4K block=4K\n' >w
refused "a parameter given twice" 'w:2:21: block is given twice'
printf 'FILESIZE: 1M\n10 disk_rd blok=4K\n' >w
refused "an unknown parameter" "w:2:12: disk_rd has no parameter 'blok'"

# commands
cp "$LOADMIX_SRC/docs/examples/commands.workfile" w
run 0 "the example of commands" "$LOADMIX" run ./w --tasks 2 --jobs 12 --dir d --output c.jsonl
check "is valid" steps 'all(.valid)' c.jsonl
nothing_left d "nothing left"
cat >spin.sh <<'S'
i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done
awk '{ print $14 / hz }' hz="$(getconf CLK_TCK)" /proc/$$/stat >>spent
S
printf 'COMMAND: spin sh %s/spin.sh\n1 spin\n' "$T" >w
run 0 "a command that computes" "$LOADMIX" run ./w --tasks 1 --jobs 2 --dir d --output u.jsonl
check "its processor time is the job's and the step's" steps \
	'all(.kinds[0].user_s > 0 and .cpu_s >= .kinds[0].user_s)' u.jsonl
check "it is what the command saw itself" steps "all(.kinds[0].user_s > 0.7 * $(awk '{ s += $1 } END { print s }' spent))" u.jsonl

# goes_wrong TEXT COMMAND PATTERN
goes_wrong() {
	printf 'COMMAND: mine %s\n1 mine\n' "$2" >w
	rm -f g.jsonl
	run 1 "$1" "$LOADMIX" run ./w --tasks 1 --jobs 2 --dir d --step-timeout "${4:-60}" --output g.jsonl
	holds "is told: $1" "$(cat out)" "$3"
	nothing_left d "nothing left: $1"
}
goes_wrong "a command that is not found" 'no-such-program -x' 'mine: posix_spawn no-such-program: No such file or directory$'
goes_wrong "a command that exits 3" "sh -c 'exit 3'" "mine: sh -c 'exit 3' exited with status 3"
goes_wrong "a command that is killed" "sh -c 'kill -9 \$\$'" "mine: sh -c 'kill -9 .*' was killed by signal 9 \\(Killed\\)"
goes_wrong "a command that hangs" 'sleep 1000.25' 'deadline of 2 s passed with 1 of 1 tasks unfinished' 2
equal "the hanging command is gone" "$(pgrep -f 'sleep 1000\.25')" ""
printf 'COMMAND: mine echo "unclosed\n1 mine\n' >w
refused "a command line that does not parse" 'w:1:15: .*quote'
printf 'COMMAND: add_int echo\n1 add_int\n' >w
refused "a command with a name that exists" "w:1:10: there is a job kind 'add_int' already"
printf 'COMMAND: mine\n1 mine\n' >w
refused "a command without a command line" "w:1:14: no command line after 'mine'"

# what a command leaves in the directory goes, however deep and whatever its mode
cat >deep.sh <<'S'
cd "$LOADMIX_DIR" || exit 1
mkdir "top.$$" && cd "top.$$" || exit 1
for _ in $(seq 100); do mkdir d && : >f && cd d || exit 1; done
chmod 0 .
S
printf 'COMMAND: deep sh %s/deep.sh\n1 deep\n' "$T" >w
mkdir -m 777 open
chmod 755 .
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
if "${as_nobody[@]}" test -x "$LOADMIX" 2>/dev/null; then
	(ulimit -n 24 && exec "${as_nobody[@]}" "$LOADMIX" run ./w --tasks 1 --jobs 2 --dir open --progress=none --output /dev/null) >out 2>err
	equal "a deep tree, few descriptors, an ordinary user: exit 0" "$? $(grep -v ': warning: the machine is not idle' err)" "0 "
	nothing_left open "nothing left of the deep tree"
else
	skip "a deep tree as an ordinary user: the build directory is closed to other users"
fi

# AIM7's scripts: from the current directory, else those of the installation; the load is the argument
printf '#!/bin/sh\necho "$1" >>"%s/loads"\n' "$T" >aim_1.sh
chmod +x aim_1.sh
printf '1 shell_rtns_1\n1 shell_rtns_2\n' >w
run 0 "scripts" "$LOADMIX" run ./w --tasks 3 --jobs 2 --dir d --output a.jsonl
equal "the current directory's own script got the load" "$(sort loads | uniq -c | tr -s ' ')" " 3 3"
equal "the journal knows it by its place and content" \
	"$(jq -r 'select(.type=="run").mix[] | select(.kind=="shell_rtns_1") | .file, .digest' a.jsonl | tr '\n' ' ')" \
	"$T/aim_1.sh $(python3 -c 'h = 0xcbf29ce484222325
for b in open("aim_1.sh", "rb").read(): h = ((h ^ b) * 0x100000001b3) % 2**64
print("fnv1a:%016x" % h)') "
run 0 "a sweep with a script" "$LOADMIX" run ./w --tasks 1-2 --jobs 2 --dir d --output r.jsonl
head -n 2 r.jsonl >half.jsonl
cp half.jsonl whole.jsonl
run 0 "goes on with the same script" "$LOADMIX" run --resume whole.jsonl
echo 'sleep 0' >>aim_1.sh
run 2 "does not go on with another" "$LOADMIX" run --resume half.jsonl
holds "and tells which" "$(cat err)" '^loadmix: warning: mix\.[01]\.digest was "fnv1a:[0-9a-f]{16}" in the journal and is "fnv1a:'
printf '#!/bin/sh\nexit 5\n' >aim_1.sh
run 1 "a script that fails" "$LOADMIX" run ./w --tasks 1 --jobs 2 --dir d --output f.jsonl
holds "is told" "$(cat out)" 'shell_rtns_1: .*5'
# --- a signal while files are made ----------------------------------------------------------------
# the hook makes a file and waits, in each directory
sed -e 's/\.run = rename_run,/.furnish = furnish, .run = rename_run,/' -e '/^static const struct lm_job jobs/i\
#include <unistd.h>\
static int furnish(const char *dir)\
{\
	char path[PATH_MAX];\
	FILE *f;\
	snprintf(path, sizeof(path), "%s/made", dir);\
	f = fopen(path, "w");\
	if (!f || fclose(f))\
		return -1;\
	while (getenv("HOLD"))\
		pause();\
	return 0;\
}' mine.c >waits.c
check "a plug-in whose files take long is built" build waits -include stdio.h -include stdlib.h
printf 'FILESIZE: 1K\n1 rename_test pairs=1\n' >w
made() { compgen -G "$T/d/loadmix.*/made"; }

# interrupted SIGNAL TEXT COMMAND...: in ./here, which then holds nothing but what was there
interrupted() {
	local sig=$1 text=$2 before pid
	shift 2
	before=$(ls -A here)
	(cd here && HOLD=1 exec env --default-signal=INT,QUIT "$@" >../out 2>../err <../in) &
	pid=$!
	await made
	kill -"$sig" $pid
	wait $pid
	equal "SIG$sig while files are made ends $text" $? $((128 + $(kill -l "$sig")))
	nothing_left d "no file left: $text, SIG$sig"
	equal "no result left: $text, SIG$sig" "$(ls -A here)" "$before"
}
mkdir here
cp w here/workfile
printf 'DISKDIR %s/d\n' "$T" >here/reaim.config
printf '%s/d\n' "$T" >here/config
printf '%s\n' machine configuration 2 1 2 3 1 1 2 3 1 >in
for sig in TERM INT; do
	interrupted $sig run "$LOADMIX" run ./workfile --plugin "$T/waits.so" --tasks 1-3 --jobs 2 --dir "$T/d"
	interrupted $sig multitask "$LOADMIX_BUILD/multitask" --plugin "$T/waits.so"
	interrupted $sig reaim "$LOADMIX_BUILD/reaim" --plugin "$T/waits.so" -fworkfile -creaim.config -b
done
sed 's/while (getenv("HOLD"))/if (fork() == 0)/' waits.c >leaves.c
check "a plug-in that leaves a process is built" build leaves -include stdio.h -include stdlib.h
run 3 "a process that outlives the making of files" "$LOADMIX" run ./w --plugin ./leaves.so --tasks 1 --dir d --output leaves.jsonl
holds "is no job's" "$(cat err)" "^loadmix: 1 process was left behind when the kinds' files were made"
nothing_left d "no file of it is left"
run 0 "the same plug-in when it need not wait" "$LOADMIX" run ./w --plugin ./waits.so --tasks 1,2 --jobs 2 --dir d --output waits.jsonl
nothing_left d "nothing left of its files"
finish
