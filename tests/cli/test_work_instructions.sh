#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The work of the integer, libc, memory and process kinds, counted from outside: what one job
# executes under callgrind, compiled by gcc and clang at -O2 and -O3. The figures are AIM7's, from
# the specification (docs/jobs.md), not what the program does.
#
# LOADMIX_SRC: the source directory.
set -u
export LC_ALL=C

src=${LOADMIX_SRC:-.}
failures=0

ok() { printf 'ok - %s\n' "$1"; }
not_ok() {
	printf 'not ok - %s\n' "$1"
	shift
	printf '    %s\n' "$@"
	failures=$((failures + 1))
}
# within TEXT FOUND LEAST [MOST]
within() {
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "${4:-$2}" ]; then
		ok "$1"
	else
		not_ok "$1" "found:  ${2:-nothing}" "wanted: $3 or more${4:+, up to $4}"
	fi
}

if ! command -v valgrind >/dev/null; then
	echo "skip - instructions of each kind: valgrind is missing"
	exit 0
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/loadmix-instructions.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

# Single operations of the arithmetic kinds; each is one instruction at least.
operations='
add_int 60000000
add_long 60000000
add_short 24000000
mul_int 240000
mul_long 240000
mul_short 300000
div_int 900000
div_long 900000
div_short 900000
'

# Calls into the C library by name. Names that the library resolves by processor
# (strlen, memcpy) are not always to be seen, so they are counted in the totals alone.
#   string_rtns  1,023 characters, 100 rounds, in 11 classes; letters met: 52 in the text in each of
#                100 rounds, and 90 times the 9 of "many tasks" behind it in all rounds but the first
#   mem_rtns_1   300 blocks, 100 rounds
#   sort_rtns_1  6 sorts and 4,000 searches
named='
string_rtns isalnum 102300
string_rtns isalpha 102300
string_rtns iscntrl 102300
string_rtns isdigit 102300
string_rtns isgraph 102300
string_rtns islower 102300
string_rtns isprint 102300
string_rtns ispunct 102300
string_rtns isspace 102300
string_rtns isupper 102300
string_rtns isxdigit 102300
string_rtns toupper 85390
string_rtns tolower 85390
string_rtns sprintf 500
string_rtns ctime 100
mem_rtns_1 malloc 20000
mem_rtns_1 calloc 10000
mem_rtns_1 free 30000
sort_rtns_1 qsort 6
sort_rtns_1 bsearch 4000
'

# Calls into the C library in all.
#   string_rtns  100 x (5 prints, 5 parses, 11,253 classes, 314 strlen, 56 strcmp, 55 strcat, 99
#                strncat, 99 strncmp, 9 others) and the letters twice
#   mem_rtns_1   the above, and strlen and strcpy 10,000 times each
#   mem_rtns_2   6 x 100
#   jmp_test     setjmp and longjmp
totals='
string_rtns 1360280
mem_rtns_1 80000
mem_rtns_2 600
sort_rtns_1 4006
ram_copy 64
jmp_test 2000
'
# A compiler may add some of its own: time, a memset, the address of errno.
slack=10

# build COMPILER LEVEL: make runkind. Without -g, as some valgrinds cannot read what clang writes.
build() {
	"$1" -std=gnu17 -D_GNU_SOURCE "$2" -I"$src/include" -I"$src/src" "$src"/src/jobs/*.c \
		"$src"/src/model/kinds.c "$src"/src/base/*.c "$src"/tests/support/runkind.c \
		-o "$scratch/runkind" -lm 2>"$scratch/log"
}

# count KIND TIMES: run the job so often under callgrind; what is counted goes to profile.TIMES
count() {
	valgrind --tool=callgrind --compress-strings=no --compress-pos=no \
		--callgrind-out-file="$scratch/profile.$2" "$scratch/runkind" "$1" "$scratch" 10 \
		"$2" >"$scratch/log" 2>&1
}

# measure KIND TIMES BUILD: count, or say that it did not run
measure() {
	count "$1" "$2" && return 0
	not_ok "$1 runs under callgrind ($3)" "$(tail -n 3 "$scratch/log")"
	return 1
}

# difference COMMAND WORD...: what the command finds in the profile of one job, less that of none
difference() {
	echo $(($("$@" <"$scratch/profile.1") - $("$@" <"$scratch/profile.0")))
}

instructions() {
	awk '/^totals: / { n = $2 } END { print n + 0 }'
}

# calls DIRECTION PATTERN: calls "out" of runkind itself into libraries, or "back" from those, to
# functions named so; what the dynamic linker does does not count
calls() {
	awk -v direction="$1" -v pattern="$2" '
	/^ob=/ { from = substr($0, 4) }
	/^cob=/ { to = substr($0, 5) }
	/^cfn=/ { name = substr($0, 5); sub(/@.*/, "", name) }
	/^calls=/ {
		if (to == "" || to == from)
			way = ""
		else
			way = from ~ /\/runkind$/ ? "out" : to ~ /\/runkind$/ ? "back" : ""
		if (way == direction && name ~ pattern && name !~ /^_dl_/)
			n += substr($1, 7)
		to = ""
	}
	END { print n + 0 }'
}

# These kinds prepare nothing, so that no job of one costs as much as no job of another.
check_integer() {
	local kind least
	measure add_int 0 "$1" || return
	while read -r kind least; do
		[ -n "$kind" ] && measure "$kind" 1 "$1" &&
			within "$kind executes each operation ($1)" "$(difference instructions)" "$least"
	done <<<"$operations"
}

check_calls() {
	local kind total name wanted key
	while read -r kind total; do
		if [ -z "$kind" ] || ! measure "$kind" 0 "$1" || ! measure "$kind" 1 "$1"; then
			continue
		fi
		within "$kind makes its calls ($1)" "$(difference calls out .)" "$total" $((total + slack))
		while read -r key name wanted; do
			[ "$key" = "$kind" ] &&
				within "$kind calls $name ($1)" \
					"$(difference calls out "^$name\$")" "$wanted" "$wanted"
		done <<<"$named"
		[ "$kind" = sort_rtns_1 ] && check_comparisons "$1"
		[ "$kind" = jmp_test ] && check_frames "$1"
	done <<<"$totals"
}

# Any sort must look at each of 9,999 neighbouring pairs, and a search for one of the 1,000 keys
# beyond the table's end halves 10,000 numbers 13 times at least, in two rounds.
check_comparisons() {
	within "sort_rtns_1 compares ($1)" "$(difference calls back scending)" \
		$((6 * 9999 + 2 * 1000 * 13))
}

# 1,000 times 11 nested frames, each a call, a count, a test and a decrement at least.
check_frames() {
	within "jmp_test enters its frames ($1)" "$(difference instructions)" $((1000 * 11 * 4))
}

for compiler in gcc clang; do
	if ! command -v $compiler >/dev/null; then
		echo "skip - instructions of each kind compiled by $compiler: it is missing"
		continue
	fi
	for level in -O2 -O3; do
		if build $compiler $level; then
			check_integer "$compiler $level"
			check_calls "$compiler $level"
		else
			not_ok "the kinds compile ($compiler $level)" "$(head -n 5 "$scratch/log")"
		fi
	done
done

[ "$failures" -eq 0 ]
