#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Files of 200 MB that are mostly no results: memory, time and messages stay within bounds.
. "$(dirname "$0")/lib.sh"
if grep -q __asan_init "$LOADMIX"; then
	skip "large files: a sanitizer takes more memory than a limit can tell"
	finish
fi
size=200000000

# grow FILE: up to the size of the test, with zeros that take no room on the disk
grow() { truncate -s "$size" "$1"; }

# bounded STATUS TEXT FILE LINES: it is read in 20 s of processor time and 300 MB, with so many lines
# on standard error
bounded() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	run "$1" "$2" bash -c 'ulimit -v 300000 -t 20 && exec "$0" summary "$1"' "$LOADMIX" "$3"
	equal "what is told of it is short" "$(wc -l <err)" "$4"
}

printf '1 null\n' >w
run 0 "a run" "$ODD" run ./w --tasks 1,2 --jobs 1 --no-sync --output j.jsonl
{
	head -n 2 j.jsonl
	yes x | head -n 4000000
	tail -n 2 j.jsonl
} >junk.jsonl
grow junk.jsonl
bounded 0 "a journal with lines of junk and a hole" junk.jsonl 1002
equal "the last note counts the rest" "$(tail -n 1 err)" \
	"junk.jsonl:4000003: and 3999001 more notes, which are not kept"
# the one after it may be of another run
holds "the step before the junk is there" "$(cat out)" ' 1 +1 +[0-9.]+ +1 +- '

{
	head -n 1 j.jsonl
	yes '{"type":"new"}' | head -n 2000000
} >new.jsonl
grow new.jsonl
bounded 0 "a journal with lines of an unknown type" new.jsonl 1002
equal "the last note counts the rest" "$(tail -n 1 err)" \
	"new.jsonl:2000001: and 1999000 more notes, which are not kept"

{
	printf 'Tasks jobs/min jti jobs/min/task real cpu\n1 2 50 2 4 5\n'
	yes '1 nan 50 2 4 5' | head -n 190000
	yes 'x y' | head -n 20000000
} >table
grow table
bounded 0 "a table with rows that are none, prose and a hole" table 1001
holds "the last note counts the rest" "$(tail -n 1 err)" '^table:[0-9]+: and 189[0-9]{3} more notes, which are not kept$'
truncate -s "$size" hole
bounded 2 "nothing but a hole" hole 1
finish
