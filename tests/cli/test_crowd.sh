#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Thousands of tasks, and more than a system allows.
. "$(dirname "$0")/lib.sh"
mkdir d
tasks=10000
if grep -q __asan_init "$ODD"; then tasks=200; fi # each sanitized process needs many times the memory
if [ "$(ulimit -u)" != unlimited ] && [ "$(ulimit -u)" -lt $((tasks + 500)) ]; then tasks=$(($(ulimit -u) / 2)); fi

printf 'FILESIZE: 1K\n10 null\n1 ram_copy\n1 jmp_test\n1 disk_wrt\n1 udp_test\n1 tcp_test\n1 link_test\n' >w
run 0 "$tasks tasks of small kinds" "$ODD" run ./w --tasks $tasks --jobs 8 --dir d --output j.jsonl
equal "valid" "$(jq -c 'select(.type=="step") | [.valid, .problem_total]' j.jsonl)" "[true,0]"
jobs=$(jq 'select(.type=="step").jobs_per_task' j.jsonl)
equal "all jobs done" "$(jq 'select(.type=="step").jobs_done' j.jsonl)" $((tasks * jobs))
nothing_left d "nothing left"

printf '1 null\n' >w
run 3 "more tasks than processes can be" "$ODD" run ./w --tasks 1000000 --jobs 1 --dir d --output k.jsonl
holds "the limit is named" "$(cat err)" '1000000 tasks need 1000003 processes, but .* allows [0-9]+'
nothing_left d "nothing left"

as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid=54321 --regid=54321 --clear-groups)
chmod 755 .
mkdir -m 777 u
if "${as_user[@]}" test -x "$ODD" 2>/dev/null; then
	# fork fails in the middle: the user has other processes, which no check beforehand can count
	cat >crowded.sh <<'S'
for i in $(seq 20); do sleep 60 & done
"$1" run ./w --tasks 50 --jobs 1 --dir u --output u/k.jsonl >u/out 2>u/err
echo $? >u/status
kill $(jobs -p)
S
	(ulimit -u 60 && exec "${as_user[@]}" bash crowded.sh "$ODD") >/dev/null 2>&1
	if [ "$(cat u/status 2>/dev/null)" = 3 ]; then
		ok "exit 3 when fork is refused"
		holds "fork and its limit are named" "$(cat u/err)" 'cannot fork task [0-9]+ of 50 .*ulimit -u.*Resource temporarily unavailable'
		equal "nothing left of the crowd" "$(find u -name 'loadmix.*')" ""
	else
		not_ok "exit 3 when fork is refused (got $(cat u/status 2>/dev/null))"
		head -n 3 u/err 2>/dev/null
	fi
	(ulimit -u 40; exec "${as_user[@]}" "$ODD" run ./w --tasks 50 --jobs 1 --dir u --output u/l.jsonl >u/out 2>u/err)
	equal "exit 3 when the limit is known beforehand" $? 3
	holds "it is named" "$(cat u/err)" 'ulimit -u allows 40'
else
	skip "limits of an ordinary user: the build directory is closed to other users"
fi
finish
