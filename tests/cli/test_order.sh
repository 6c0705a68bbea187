#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The order of jobs is the plan's, whatever the jobs do: same seed, same order.
. "$(dirname "$0")/lib.sh"
mkdir d
printf '50 odd_a\n30 odd_b\n20 odd_c\n' >w

# traced NAME ARGS...: run, and put what the four tasks really ran into NAME.0 ... NAME.3
traced() {
	ODD_TRACE=$T/$1 "$ODD" run ./w --tasks 4 --dir d --no-sync --output "$1.jsonl" "${@:2}" >out 2>err ||
		not_ok "run $1"
}

# planned TASK ARGS...: what `show` says that a task runs
planned() {
	"$ODD" show ./w --order-of "$1" "${@:2}" | sed 's/^odd_//' | tr -d '\n'
}

traced one
traced two
traced seed5 --seed 5
traced shuffle --order shuffle
traced shuffle-again --order shuffle
traced shuffle5 --order shuffle --seed 5
for task in 0 1 2 3; do
	equal "task $task runs the same order in two runs" "$(cat two.$task)" "$(cat one.$task)"
	equal "task $task runs what show says" "$(cat one.$task)" "$(planned $task)"
	equal "task $task with seed 5 runs what show says" "$(cat seed5.$task)" "$(planned $task --seed 5)"
	equal "task $task shuffles the same in two runs" "$(cat shuffle-again.$task)" "$(cat shuffle.$task)"
	equal "task $task shuffles as show says" "$(cat shuffle5.$task)" \
		"$(planned $task --order shuffle --seed 5)"
	check "another seed is another shuffle for task $task" test "$(cat shuffle.$task)" != "$(cat shuffle5.$task)"
	equal "task $task runs 100 jobs, 50 30 20" "$(fold -w1 one.$task | sort | uniq -c | tr -d ' \n')" "50a30b20c"
done
# seed + task index: task 0 of seed 1 does what task 1 of seed 0 does
equal "the seed is added to the task's index" "$(planned 0 --seed 1)" "$(planned 1)"
check "tasks differ" test "$(cat one.0)" != "$(cat one.1)"

# By hand, from s = s * 1103515245 + 12345 (64 bits) and (s >> 16) & 0x7fff, seed 0:
# draws 0 21468 9988 22117 3498 16927; modulo 3: 0 0 1 1 0 1
equal "first jobs of task 0" "$(cut -c1-6 one.0)" "aabbab"
finish
