#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Bad input: one clear error each, exit 2 or 3, nothing created.
. "$(dirname "$0")/lib.sh"
mkdir d

# bad TEXT PATTERN: ./w is refused, the one line on standard error matches
bad() {
	"$LOADMIX" run w --dir d --tasks 1 --output j.jsonl >out 2>err
	equal "exit 2: $1" $? 2
	equal "one line: $1" "$(wc -l <err)" 1
	holds "clear: $1" "$(cat err)" "$2"
	equal "nothing created: $1" "$(ls -A d; ls j.jsonl 2>/dev/null)" ""
}

head='FILESIZE: 10M\n'
printf "${head}20 add_int\n20 disk_rq\n" >w
bad "unknown kind" "^loadmix: w:3:4: .*disk_rq.*disk_rr"
printf "${head}0 add_int\n" >w
bad "weight 0" '^loadmix: w:2:1: '
printf "${head}  -5 add_int\n" >w
bad "negative weight" '^loadmix: w:2:3: '
printf "${head}99999999999999999999999 add_int\n" >w
bad "huge weight" '^loadmix: w:2:1: '
printf "${head}2.5 add_int\n" >w
bad "fraction" '^loadmix: w:2:1: '
printf "${head}20\n" >w
bad "missing name" '^loadmix: w:2:3: '
printf 'FILESIZE: 10\n20 add_int\n' >w
bad "size without unit" '^loadmix: w:1:11: .*unit'
printf 'FILESIZE: 10X\n20 add_int\n' >w
bad "unknown unit" '^loadmix: w:1:11: '
printf 'FILESIZE:\n20 add_int\n' >w
bad "no size" '^loadmix: w:1:'
printf "${head}# nothing\n" >w
bad "no kinds at all" '^loadmix: w:'
: >w
bad "empty file" '^loadmix: w'
printf "${head}20 add_int block=4K\n" >w
bad "unknown parameter" '^loadmix: w:2:12: .*block'
head -c 4096 /bin/true >w
bad "binary file" '^loadmix: w:1:1: '
head -c 1048576 /dev/zero | tr '\0' x >w
bad "a line of 1 MiB" '^loadmix: w:1:'
printf '20 disk_rr\n' >w
bad "disk kinds without a size" '^loadmix: w:1: .*FILESIZE'
rm w
mkdir w
"$LOADMIX" run ./w --dir d >out 2>err
equal "exit 2: a directory" $? 2
holds "clear: a directory" "$(cat err)" 'w: .*directory'
rmdir w
"$LOADMIX" run ./w --dir d >out 2>err
equal "exit 2: a missing file" $? 2
holds "clear: a missing file" "$(cat err)" 'w: .*No such file'
printf '10 null\n' >w
chmod 0 w
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 .
if "${as_nobody[@]}" test -x "$ODD" 2>/dev/null; then
	"${as_nobody[@]}" "$ODD" run ./w --dir d >out 2>err
	equal "exit 2: an unreadable file" $? 2
	holds "clear: an unreadable file" "$(cat err)" 'w: .*Permission denied'
else
	skip "an unreadable file: the build directory is closed to other users"
fi
chmod 644 w

# accepted quirks: BOM, CRLF, tabs, blanks, zeros, both spellings, text after the name, no last newline
printf '\357\273\277# made on another system\r\n\r\nFILESIZE 1M\r\npoolsize: 0k\r\n\t05\tcreat_clo  as ever\r\n  1 creat-clo\r\n2 add_int' >w
run 0 "quirks of real files" "$LOADMIX" show w
# 5, 1 and 2 of 8 are 62.5, 12.5 and 25 jobs of 100: rounded half up 63 + 13 + 25
holds "separate entries stay separate" "$(cat out)" '^total +8 +100.000 +101 +3 entries$'

# directories: exit 3
printf '10 null\n' >w
for dir in missing w; do
	run 3 "a directory that is $dir" "$ODD" run w --dir "$dir" --output j.jsonl
	holds "it is named" "$(cat err)" "^loadmix: cannot use directory '$dir'"
done
check "no journal of a run that did not begin" test ! -e j.jsonl
if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=1M none small 2>/dev/null; then
	printf 'FILESIZE: 4M\n10 disk_rd\n' >w
	run 3 "a directory that is full" "$LOADMIX" run w --dir small --tasks 1 --output j.jsonl
	holds "a full directory is named" "$(cat err)" "loadmix: the common file needs 4096 KiB in .*/small/loadmix.*, where [0-9]+ KiB are free"
	nothing_left small "nothing left in the full directory"
	check "no step, so no more than head and end in the journal" test "$(wc -l <j.jsonl)" = 2
	rm -f j.jsonl
	mount -o remount,ro small
	run 3 "a directory that is read-only" "$LOADMIX" run w --dir small --tasks 1 --output j.jsonl
	holds "a read-only directory is named" "$(cat err)" "small.*Read-only file system"
	umount small
	check "no journal of the read-only directory" test ! -e j.jsonl
else
	skip "full and read-only directories: mounting a tmpfs takes root"
fi
printf 'FILESIZE: 400000G\n10 disk_rd\n' >w
run 3 "a file that no disk holds" timeout 60 "$LOADMIX" run ./w --dir d --tasks 1 --output j.jsonl
holds "is not begun" "$(cat err)" "^loadmix: the common file needs 419430400000 KiB in .*, where [0-9]+ KiB are free: make room, or lower"
equal "nothing is left of it" "$(ls -A d)" ""
rm -f j.jsonl
printf 'FILESIZE: 4M\n10 disk_rd\n' >w
run 3 "a file that comes to a limit" sh -c "ulimit -f 2000; '$LOADMIX' run ./w --dir d --tasks 1 --output j.jsonl"
holds "is told" "$(cat err)" "^loadmix: cannot write the common file of 4096 KiB in .*: File too large"
equal "nothing is left of that" "$(ls -A d)" ""
rm -f j.jsonl
run 2 "an output that exists is left alone" sh -c "echo mine >j.jsonl; '$ODD' run ./w --output j.jsonl"
equal "its content" "$(cat j.jsonl)" "mine"
printf '10 null\n' >w
run 2 "the standard output is no journal" "$ODD" run ./w --output -
equal "no file of that name" "$(ls ./-* 2>/dev/null)" ""
run 3 "an output that cannot be made" "$ODD" run ./w --output no/where/j.jsonl
printf '10 odd_unsupported\n' >w
run 3 "a kind that this system does not support" "$ODD" run ./w --output k.jsonl
holds "the reason is told" "$(cat err)" 'odd_unsupported is not supported.*there is no such thing'
check "nothing was begun" test ! -e k.jsonl
finish
