#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The fifteen published mixes, and every kind alone and in company.
. "$(dirname "$0")/lib.sh"

# name, total weight, jobs per task at 100, FILESIZE, POOLSIZE: as published
while read -r mix weight jobs filesize poolsize; do
	run 0 "show $mix" "$LOADMIX" show "$mix"
	holds "$mix: weights and jobs" "$(cat out)" "^total +$weight +100.000 +$jobs "
	holds "$mix: sizes" "$(cat out)" "^file size +FILESIZE $filesize, POOLSIZE $poolsize$"
done <<'M'
fserver 595 101 10M 20M
dbase 550 99 1M 25M
shared 780 97 1M 10M
compute 820 101 100K 250M
new_fserver 580 98 10M 20M
new_dbase 570 103 1M 25M
alltests 1000 100 100K 1M
all_utime 170 102 10K 10M
high_systime 260 104 10K 1M
five_sec 220 99 100K 1M
long 180 108 100K 1M
short 340 102 1M 10M
disk 400 100 10K 100K
custom 410 95 100K 1M
aim9 600 120 5M 0K
M
shared=${LOADMIX_SHARED:-$LOADMIX_SRC/../shared}/data/mixes.tsv
if [ -e "$shared" ]; then
	while IFS='|' read -r mix entries; do
		equal "$mix: entries in order" "$(grep -E '^[0-9]' "$LOADMIX_SRC/workloads/workfile.$mix" |
			awk '{ printf "%s%s:%s", (NR > 1 ? " " : ""), $2, $1 }')" "$entries"
	done < <(awk -F'\t' '!/^#/ { print $1 "|" $6 }' "$shared")
else
	skip "entries of the mixes against the published ones: not at hand"
fi

crowd=64
if grep -q __asan_init "$ODD"; then crowd=8; fi
chmod 755 .
mkdir -m 777 a b c
shm=$(mktemp -d /dev/shm/loadmix-test.XXXXXX 2>/dev/null) && chmod 777 "$shm" || shm=$T/a
trap 'rm -rf "$T" "$shm"' EXIT
as_nobody=()
[ "$(id -u)" != 0 ] || as_nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
objects() { ipcs -m -s 2>/dev/null | grep -c 0x; }
before=$(objects)

# every kind alone: 1, 2 and many tasks, two jobs each
"$LOADMIX" list | sed '/^$/q' | awk 'NR > 1 && NF { print $1 }' >kinds
ours='disk_rewrt|disk_coldrd|disk_rndrd|disk_rndwrt'
equal "there are 75 kinds of the suites" "$(grep -cvxE "$ours" kinds)" 75
equal "and 4 of ours" "$(grep -cxE "$ours" kinds)" 4
equal "which are in no mix" "$(grep -lwE "$ours" "$LOADMIX_SRC"/workloads/workfile.*)" ""
while read -r kind; do
	printf 'FILESIZE: 16K\n1 %s\n' "$kind" >w
	tasks=1,2,$crowd
	[ "$kind" != disk_coldrd ] || tasks=1
	"$LOADMIX" run ./w --tasks "$tasks" --jobs 1 --dir a --no-sync --progress=none --output "alone.$kind.jsonl" >out 2>err
	status=$?
	if grep -q 'is not supported here' err; then
		skip "$kind: $(head -n 1 err)"
		continue
	fi
	equal "$kind alone" "$status $(grep -v ': warning: the machine is not idle' err | head -n 3)" "0 "
done <kinds
nothing_left a "nothing left of the kinds alone"

# our kinds write to the common file while others read it and check its stamps
printf 'FILESIZE: 64K\n' >w
for entry in 'disk_rewrt block=1000' 'disk_rewrt block=64K' 'disk_rndwrt block=4K' disk_rndwrt 'disk_rndrd block=512' disk_rd \
	'disk_rd block=1000' 'disk_cp block=1536' sync_disk_cp; do
	echo "10 $entry"
done >>w
run 0 "who writes to the common file leaves it valid for all" "$LOADMIX" run ./w --tasks 1,8 --jobs 45 --dir a --no-sync \
	--output common.jsonl
check "valid" steps 'length == 2 and all(.valid)' common.jsonl
printf 'FILESIZE: 16K\n10 disk_coldrd\n' >w
run 3 "disk_coldrd in two tasks" "$LOADMIX" run ./w --tasks 1,2 --dir a --output cold.jsonl
holds "is refused, with the reason" "$(cat err)" "pages can be dropped for one task only, not for 2"
nothing_left a "nothing left of these"

# in company: on this file system and on tmpfs, as root and as an ordinary user, in one and three directories
for who in self nobody; do
	prefix=()
	if [ $who = nobody ]; then
		prefix=("${as_nobody[@]}")
		"${prefix[@]}" test -x "$LOADMIX" 2>/dev/null || { skip "as another user: the build directory is closed"; break; }
	fi
	for dirs in "--dir a" "--dir a --dir b --dir $shm"; do
		# shellcheck disable=SC2086 # words on purpose
		run 0 "alltests as $who, $dirs" "${prefix[@]}" "$LOADMIX" run alltests --tasks 1,4 --jobs 1 $dirs --filesize 16K \
			--poolsize 0K --skip-unsupported --output "$shm/$who.jsonl"
		check "valid" steps 'length == 2 and all(.valid)' "$shm/$who.jsonl"
		rm -f "$shm/$who.jsonl"
	done
done
for dir in a b "$shm"; do nothing_left "$dir" "nothing left in $dir"; done
for _ in $(seq 50); do [ "$(objects)" -le "$before" ] && break || sleep 0.2; done # other tests have some for a while
check "no IPC object left" test "$(objects)" -le "$before"
run 0 "alltests with re-aim-7's semantics" "$LOADMIX" run alltests --tasks 1 --jobs 1 --dir a --filesize 16K --poolsize 0K \
	--semantics reaim --skip-unsupported --output r.jsonl
equal "the journal says whose" "$(jq -r 'select(.type=="run").plan.semantics' r.jsonl)" reaim
printf 'FILESIZE: 16K\n1 odd_unsupported\n1 add_int\n' >w
run 0 "--skip-unsupported" "$ODD" run ./w --tasks 1 --jobs 2 --dir a --skip-unsupported --output s.jsonl
holds "the table says what was left out" "$(cat out)" '^# left out: odd_unsupported: there is no such thing here$'
equal "the journal too" "$(jq -r 'select(.type=="run") | .plan.skipped[0]' s.jsonl)" "odd_unsupported: there is no such thing here"
equal "its jobs go to the others" "$(jq -c 'select(.type=="step").jobs_done' s.jsonl)" 2
finish
