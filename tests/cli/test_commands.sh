#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# show, list, help and version: what a person asks before a run.
. "$(dirname "$0")/lib.sh"

run 0 "show fserver" "$LOADMIX" show fserver --tasks 4
out=$(cat out)
holds "595 weights in 31 kinds, 101 jobs" "$out" '^total +595 +100\.000 +101 +31 entries$'
holds "add_int is 3.361 %" "$out" '^add_int +20 +3\.361 +3 '
holds "disk_cp is 5.042 %" "$out" '^disk_cp +30 +5\.042 +5 '
holds "sync_disk_cp is 0.840 %" "$out" '^sync_disk_cp +5 +0\.840 +1 '
holds "udp_test is 6.723 %" "$out" '^udp_test +40 +6\.723 +7 '
# FILESIZE 10M + POOLSIZE 20M / 4 = 15M; 5 of them are 75M
holds "file size and disk need at a load" "$out" '^at 4 tasks: files of 15M, at most 75M of disk'

run 0 "list" "$LOADMIX" list
out=$(cat out)
equal "75 kinds of the suites and 4 of ours" "$(sed '/^$/q' out | grep -cE '^[a-z]')" $((75 + 4))
holds "a kind with class, operations and unit" "$out" '^add_int +cpu-int +60000 +Thousand Integer Additions$'
holds "a kind whose operations depend on the size" "$out" '^sync_disk_wrt +disk +size/2 +'
holds "the bundled workload" "$out" '^fserver .*/workfile\.fserver$'
if grep -qE 'null|odd_' out; then not_ok "test kinds are hidden"; else ok "test kinds are hidden"; fi

for args in "--help" "run --help" "list --help" "show --help" "--version" "run --version" \
	"list --version" "show --version" "run -h" "-V"; do
	# shellcheck disable=SC2086 # words on purpose
	run 0 "loadmix $args" "$LOADMIX" $args
	check "loadmix $args says something" test -s out
	equal "loadmix $args is quiet on standard error" "$(cat err)" ""
done
for args in "" "nonsense" "run" "run fserver extra" "run --nonsense fserver" "run --tasks" \
	"show" "list what" "run fserver --tasks 0" "run fserver --tasks 4-2" "run fserver --tasks 1-9:0" \
	"run fserver --tasks 1,,2" "run fserver --tasks x" "run fserver --jobs 0" "run fserver --jobs 1e3" \
	"run fserver --seed -1" "run fserver --order random" "run fserver --filesize 10" \
	"run fserver --filesize 5X" "run fserver --cpus 99999" "run fserver --cpus 3-1" \
	"run fserver --step-timeout 0" "run fserver --step-timeout nan" "run --nosuch" "list --nosuch" "run fserver --step-timeout -3" \
	"run nosuchworkload" "show fserver --order-of x" "run fserver --filesize 0K --poolsize 0K"; do
	# shellcheck disable=SC2086
	run 2 "exit 2: loadmix $args" "$LOADMIX" $args
	check "'$args' is explained" test -s err
	equal "'$args' leaves standard output alone" "$(cat out)" ""
done
run 3 "a processor that exists nowhere here" "$LOADMIX" run fserver --dir /nonexistent --cpus 0
nothing_left_but=$(find . -mindepth 1 ! -name out ! -name err ! -name .check)
equal "nothing was created" "$nothing_left_but" ""

run 0 "dry run" "$LOADMIX" run fserver --tasks 4-32:4 --dry-run
out=$(cat out)
equal "eight steps" "$(grep -cE '^ +[1-8] ' out)" 8
# 10M + 20M / 32 = 10.625M; 33 of them are 350.6M; the tasks and three processes more
holds "needs of the last step" "$out" '^ +8 +32 +3232 +10880K +350.6M +35 +5520 s$'
equal "a dry run creates nothing" "$(find . -name '*.jsonl' -o -name 'loadmix.*')" ""
run 0 "the last step is the end of the range" "$LOADMIX" run fserver --tasks 1-10:4 --dry-run
equal "1 5 9 10" "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $2 }' out)" "1 5 9 10 "
run 0 "a list" "$LOADMIX" run fserver --tasks 1,5,9,50 --dry-run
equal "1 5 9 50" "$(awk '$1 ~ /^[0-9]+$/ { printf "%s ", $2 }' out)" "1 5 9 50 "

for args in "--help" "--version" "list" "show fserver" "run fserver --dry-run" "run --help"; do
	# shellcheck disable=SC2086
	"$LOADMIX" $args >/dev/full 2>err
	equal "exit 3 on a full disk: loadmix $args" $? 3
	check "a full disk is named: loadmix $args" grep -q 'No space left' err
	# shellcheck disable=SC2086
	"$LOADMIX" $args >&- 2>err
	equal "exit 3 on a closed output: loadmix $args" $? 3
done
finish
