#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Figures are numbers under every circumstance, and names may be what they like.
. "$(dirname "$0")/lib.sh"

sane='all([.jobs_per_min, .jobs_per_min_task, .jobs_per_s_task, .real_s, .cpu_s, .user_s,
	.system_s, .stddev_s, .jti, .ready_s, .files_s, .outside_s] | all(type == "number" and . >= 0 and . < 1e15))'

# numbers FILE TEXT: no NaN, no infinity, nothing negative, in journal and table
numbers() {
	check "finite and not negative: $2" steps "length > 0 and $sane" "$1"
	equal "neither nan nor inf: $2" "$(grep -ciE '[^a-z](nan|inf)[^a-z]' out)" 0
	check "JTI from 0 to 100: $2" awk '$1 ~ /^[0-9]+$/ && ($3 < 0 || $3 > 100) { exit 1 }' out
}

printf '1 null\n' >w
run 0 "one job of no length" "$ODD" run ./w --tasks 1 --jobs 1 --output one.jsonl
numbers one.jsonl "one job of no length"
tasks=3000
if grep -q __asan_init "$ODD"; then tasks=300; fi
run 0 "$tasks equal tasks" "$ODD" run ./w --tasks $tasks --jobs 1 --output many.jsonl
numbers many.jsonl "$tasks equal tasks"
equal "all jobs are done" "$(jq 'select(.type=="step").jobs_done' many.jsonl)" $tasks
printf '1 odd_hang\n' >w
run 1 "no job done at all" "$ODD" run ./w --tasks 2 --step-timeout 0.3 --output none.jsonl
numbers none.jsonl "no job done at all"
equal "no job is counted" "$(jq -c 'select(.type=="step") | [.jobs_done, .jobs_per_min]' none.jsonl)" "[0,0]"

# a locale with a decimal comma
mkdir locale
if localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>/dev/null; then
	export LOCPATH=$T/locale
	equal "the locale is real" "$(LC_ALL=de_DE.UTF-8 bash -c 'printf "%.1f" "1,5"' 2>/dev/null)" "1,5"
	LC_ALL=de_DE.UTF-8 run 0 "under de_DE.UTF-8" "$LOADMIX" run fserver --tasks 1,2 --jobs 31 --filesize 32K \
		--poolsize 1M --step-timeout 900.5 --output de.jsonl
	equal "no decimal comma" "$(rows out | grep -c ,)" 0
	numbers de.jsonl "under de_DE.UTF-8"
	unset LOCPATH
else
	skip "decimal comma: localedef cannot make de_DE.UTF-8"
fi

# directories
long=$(printf 'x%.0s' $(seq 1 150))
for dir in "with space" "a:b:c" "größe-目录" "-dash" '$(touch hacked) `x` "q" '"'q'" "$long/$long" $'new\nline'; do
	mkdir -p -- "$dir"
	run 0 "directory ${dir:0:30}" "$LOADMIX" run fserver --tasks 2 --jobs 31 --filesize 16K --poolsize 0K \
		"--dir=$dir" --output "j.jsonl"
	equal "its name in the journal" "$(jq -r 'select(.type=="run").plan.dirs[0]' j.jsonl)" "$T/$dir"
	nothing_left "$dir" "nothing left in ${dir:0:30}"
	rm -f j.jsonl
done
check "no name was run by a shell" test ! -e hacked
dir=$'latin\351'
mkdir "$dir"
run 0 "a name that is not UTF-8" "$LOADMIX" run fserver --tasks 1 --jobs 1 --filesize 16K --poolsize 0K "--dir=$dir" \
	--label $'\377\376' --output j.jsonl
check "is escaped in the journal" jq -e . j.jsonl
nothing_left "$dir" "nothing left there"
deep=$T
while [ ${#deep} -lt 3930 ]; do deep=$deep/$long; done
if mkdir -p "$deep" 2>/dev/null; then
	run 3 "a path too long for the jobs' names" "$LOADMIX" run fserver --tasks 1 "--dir=$deep" --output k.jsonl
	holds "says how long it may be" "$(cat err)" 'characters; use one of at most [0-9]+'
else
	skip "a path of nearly PATH_MAX: cannot be made here"
fi
ln -s . link
run 0 "a directory named through a symbolic link" "$LOADMIX" run fserver --tasks 1 --jobs 1 --filesize 16K \
	--poolsize 0K --dir link --output l.jsonl
equal "nothing but what was there" "$(find . -maxdepth 1 -name 'loadmix.*')" ""
finish
