#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Single mode: each kind alone for a period.
. "$(dirname "$0")/lib.sh"
mkdir d

run 0 "four kinds" "$LOADMIX" single add_int disk_rr pipe_cpy fork_test --period 0.3 --filesize 64K --dir d --output s.jsonl
equal "a line each" "$(grep -cE '^(add_int|disk_rr|pipe_cpy|fork_test) ' out)" 4
nothing_left d "nothing left"
# credited operations: 60000 thousand additions; 64 KiB; 100 messages; 100 processes
for want in add_int:60000 disk_rr:64 pipe_cpy:100 fork_test:100; do
	kind=${want%:*}
	equal "operations of $kind are runs times ${want#*:}" "$(jq -s --arg k "$kind" \
		'map(select(.type=="step").kinds[0] | select(.kind == $k))[0] | .operations / .jobs' s.jsonl)" "${want#*:}"
	check "operations/s of $kind follow from the runs" awk -v k="$kind" -v f="${want#*:}" \
		'$1 == k { d = $11 / ($3 / $2 * f) - 1; if (d * d > 1e-4) exit 1; n++ } END { exit !n }' out
done
check "times are in order, shares are shares" steps 'all(.kinds[0] | .min_s <= .median_s and .median_s <= .p99_s
	and .p99_s <= .max_s and .elapsed_s >= 0.3 and .elapsed_s < 0.3 + .max_s + 10 and .jobs * .min_s <= .elapsed_s)' s.jsonl
equal "the period is in the journal" "$(jq 'select(.type=="run").plan.period_s' s.jsonl)" 0.3
equal "steps are numbered" "$(jq -c 'select(.type=="step").index' s.jsonl | tr '\n' ' ')" "1 2 3 4 "

run 0 "once at least" "$LOADMIX" single string_rtns --period 0.000001 --output one.jsonl
equal "one run" "$(jq 'select(.type=="step").kinds[0].jobs' one.jsonl)" 1
run 1 "kinds that go wrong" "$ODD" single odd_killed null odd_wrong --period 0.05 --output w.jsonl
equal "are told, and the others go on" "$(jq -c 'select(.type=="step").valid' w.jsonl | tr '\n' ' ')" "false true false "
check "more runs than times are kept" steps '.[1].kinds[0].jobs > 65536' w.jsonl
run 0 "unsupported kinds" "$ODD" single odd_unsupported null --period 0.01 --output u.jsonl
holds "are told" "$(cat out)" '^odd_unsupported is not supported here: there is no such thing here$'
equal "the journal too" "$(jq -r 'select(.type=="run") | .plan.skipped[0]' u.jsonl)" "odd_unsupported: there is no such thing here"
run 3 "nothing that is supported" "$ODD" single odd_unsupported --output v.jsonl
run 2 "an unknown kind" "$LOADMIX" single nosuch --output n.jsonl
holds "is told" "$(cat err)" "nosuch: unknown job kind 'nosuch'"
run 2 "a wrong period" "$LOADMIX" single add_int --period 0
hold 0
env --default-signal=INT "$ODD" single odd_held null --period 20 --output i.jsonl >out 2>err &
pid=$!
await held 0
kill -INT $pid
wait $pid
equal "Ctrl-C" $? 130
equal "the journal has its end" "$(tail -n 1 i.jsonl | jq -c '[.type, .complete]')" '["end",false]'

check "record sizes: the example prints its matrix" env LOADMIX="$LOADMIX" sh "$LOADMIX_SRC/docs/examples/matrix.sh" d 16M 0.01
rows_of_matrix=$(grep -E '^ +[0-9]' .check)
equal "13 rows of 8 columns" "$(awk 'NF == 8 { n++ } END { print n }' <<<"$rows_of_matrix")" 13
equal "under iozone's names" "$(grep reclen .check | xargs)" "kB reclen write rewrite read reread read write"
equal "of one file size, records from 4K to 16M" "$(awk '{ printf "%s%s", $1 == 16384 ? "" : "?", $2 " " }' <<<"$rows_of_matrix")" \
	"4K 8K 16K 32K 64K 128K 256K 512K 1M 2M 4M 8M 16M "
# on tmpfs a file cannot be read from anywhere but memory
cold='^[1-9][0-9]*$'
"$LOADMIX" single disk_coldrd --period 0.01 --dir d --output cold.jsonl >/dev/null 2>&1 || cold='^-$'
equal "figures are positive, and there is no read that was not measured" "$(awk -v cold="$cold" '
	{ for (i = 3; i <= 8; i++) if ($i !~ (i == 5 ? cold : "^[1-9][0-9]*$")) print $2, $i }' <<<"$rows_of_matrix")" ""
nothing_left d "nothing left"
finish
