#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The work of the arithmetic, numeric, libc, memory and process kinds, counted from outside: what one
# job executes under callgrind, compiled by gcc and clang at -O2 and at -O3 for this very processor.
# The figures are AIM7's, from the specification (docs/jobs.md), not what the program does.
#
# LOADMIX_SRC: the source directory. LOADMIX_COUNTED: not empty when another build's tests have run this.
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
# within TEXT FOUND LEAST MOST
within() {
	if [ "${2:-0}" -ge "$3" ] && [ "$2" -le "$4" ]; then
		ok "$1"
	else
		not_ok "$1" "found:  ${2:-nothing}" "wanted: $3 to $4"
	fi
}

if [ -n "${LOADMIX_COUNTED:-}" ]; then
	echo "skip - instructions of each kind: compiled here, whatever the build, and counted before"
	exit 0
fi
if ! command -v valgrind >/dev/null; then
	echo "skip - instructions of each kind: valgrind is missing"
	exit 0
fi
scratch=$(mktemp -d "${TMPDIR:-/tmp}/loadmix-instructions.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT

# valgrind does not know AVX-512.
native="-O3 -march=native"
case $(uname -m) in x86_64 | i?86) native+=" -mno-avx512f" ;; esac

# Single operations of the arithmetic kinds. Each is one instruction at least; what else there is in
# a loop of twelve leaves it below 2.5, and below 5 where operands of 16 bits are extended and a
# dividend is spread over two registers.
arithmetic='
add_int 60000000
add_long 60000000
add_short 24000000
mul_int 240000
mul_long 240000
mul_short 300000
div_int 900000
div_long 900000
div_short 900000
add_double 18000000
add_float 12000000
mul_double 12000000
mul_float 12000000
div_double 3000000
div_float 3000000
'

# Instructions of the program itself, without libraries: least and most, the most being 2.5 times
# what the work spelt out takes.
#   sieve        13,876,040 multiples cleared (store, step, end test: 3 at least; compare: 4) and
#                5 x 999,998 entries looked at (load and test, step, end test: 3; compares: 5)
#   fun_cal*     512,000 calls: call, load of the sum'"'"'s address, addition, return and an instruction an
#                argument; 2.5 times that with the load and extension of what is added
#   matrix_rtns  100 x (20 draws: load, step, end test: 3; wrap and store: 5) and 16 multiply-adds (1
#                when fused; load, multiplication, addition and store: 4)
#   array_rtns   5,511,450 multiply-subtracts: load, one fused operation, store: 3; two loads, two
#                operations and a loop: 6
#   new_raph     1,051 (992) steps: 4 calls, each a load of the address and the call: 8; 7 multiplications,
#                2 subtractions, a division, what keeps operands over the calls and the tests: 30
#   series_1     256 terms: 2 divisions, addition, 4 multiplications, 2 tests: 9; 15 with moves
#   num_rtns_1   1,600 calls: load and call; 900 draws as above; 1,000 additions to the check sum
#   trig_rtns    100,000 calls and 40,000 draws; 30,000 additions
own='
sieve 56628108 201260000
fun_cal 2048000 5120000
fun_cal1 2560000 6400000
fun_cal2 3072000 7680000
fun_cal15 9728000 24320000
matrix_rtns 7600 41000
array_rtns 16534350 82671750
new_raph 8408 78825
new_raph:reaim 7936 74400
series_1 2304 9600
num_rtns_1 6900 29750
trig_rtns 350000 1500000
'

# The integer kinds, whose counts two compilers agree on within 25 %.
agreeing="add_int add_long add_short mul_int mul_long mul_short div_int div_long div_short
	sieve fun_cal fun_cal1 fun_cal2 fun_cal15"

# Calls into the C library by name. Names that the library resolves by processor
# (strlen, memcpy, sin) are not always to be seen, so they are counted in the totals alone.
#   string_rtns  1,023 characters, 100 rounds, in 11 classes; letters met: 52 in the text in each of
#                100 rounds, and 90 times the 9 of "many tasks" behind it in all rounds but the first
#   mem_rtns_1   300 blocks, 100 rounds
#   sort_rtns_1  6 sorts and 4,000 searches
#   num_rtns_1   each once in 100 rounds
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
num_rtns_1 rand 100
num_rtns_1 srand 100
num_rtns_1 abs 100
num_rtns_1 labs 100
'

# Calls into the C library in all.
#   string_rtns  100 x (5 prints, 5 parses, 11,253 classes, 314 strlen, 56 strcmp, 55 strcat, 99
#                strncat, 99 strncmp, 9 others) and the letters twice
#   mem_rtns_1   the above, and strlen and strcpy 10,000 times each
#   mem_rtns_2   6 x 100
#   jmp_test     setjmp and longjmp
#   num_rtns_1   16 x 100
#   trig_rtns    10 x 10,000
#   new_raph     4 a step: 1,051 steps by AIM7'"'"'s rule, 992 by re-aim-7'"'"'s
#   series_1     100 sines
#   sieve        malloc, 5 fills, free
totals='
string_rtns 1360280
mem_rtns_1 80000
mem_rtns_2 600
sort_rtns_1 4006
ram_copy 64
ram_copy:reaim 100
jmp_test 2000
num_rtns_1 1600
trig_rtns 100000
new_raph 4204
new_raph:reaim 3968
series_1 100
sieve 7
'
# A compiler may add some of its own: time, a memset, the address of errno.
slack=10

# build COMPILER LEVEL: make runkind. Without -g, as some valgrinds cannot read what clang writes.
build() {
	local flags
	read -ra flags <<<"$2"
	"$1" -std=gnu17 -D_GNU_SOURCE "${flags[@]}" -I"$src/include" -I"$src/src" \
		"$src"/src/jobs/*.c "$src"/src/model/kinds.c "$src"/src/model/mix.c \
		"$src"/src/base/*.c "$src"/tests/support/runkind.c -o "$dir/runkind" -lm 2>"$dir/log"
}

# count KIND[:OPTION] TIMES: run the job so often under callgrind; what is counted goes to
# profile.KIND.TIMES, unless it is there already
count() {
	[ -e "$dir/profile.$1.$2" ] && return
	set -- "$1" "$2" "${1%%:*}" "${1#"${1%%:*}"}"
	valgrind --tool=callgrind --compress-strings=no --compress-pos=no \
		--callgrind-out-file="$dir/new" "$dir/runkind" "$3" "$dir" 10 \
		"$2" ${4:+"${4#:}"} </dev/null >"$dir/log" 2>&1 && mv "$dir/new" "$dir/profile.$1.$2"
}

# measure KIND: count one job and none, or say that it did not run
measure() {
	count "$1" 0 && count "$1" 1 && return 0
	not_ok "$1 runs under callgrind ($build)" "$(tail -n 3 "$dir/log")"
	return 1
}

# difference KIND COMMAND WORD...: what the command finds in the profile of one job, less that of none
difference() {
	echo $(($("${@:2}" <"$dir/profile.$1.1") - $("${@:2}" <"$dir/profile.$1.0")))
}

instructions() {
	awk '/^totals: / { n = $2 } END { print n + 0 }'
}

# Instructions of runkind itself; the line after a call tells what the callee cost.
own_instructions() {
	awk '
	/^ob=/ { own = /\/runkind$/ }
	/^calls=/ { getline; next }
	own && /^[0-9]/ { n += $2 }
	END { print n + 0 }'
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

check_arithmetic() {
	local kind operations found most
	measure add_int || return
	while read -r kind operations; do
		[ -n "$kind" ] || continue
		# they prepare nothing: no job of one costs as much as no job of another
		cp -n "$dir/profile.add_int.0" "$dir/profile.$kind.0"
		measure "$kind" || continue
		found=$(difference "$kind" instructions)
		echo "$kind $found" >>"$dir/counts"
		most=$((operations * 5 / 2))
		case $kind in div_int | div_long | div_short | mul_short) most=$((operations * 5)) ;; esac
		within "$kind executes each operation once ($build)" "$found" "$operations" "$most"
	done <<<"$arithmetic"
}

check_own() {
	local kind least most found
	while read -r kind least most; do
		if [ -z "$kind" ] || ! measure "$kind"; then continue; fi
		found=$(difference "$kind" own_instructions)
		echo "$kind $found" >>"$dir/counts"
		within "$kind does its work ($build)" "$found" "$least" "$most"
	done <<<"$own"
}

check_calls() {
	local kind total name wanted key
	while read -r kind total; do
		if [ -z "$kind" ] || ! measure "$kind"; then continue; fi
		within "$kind makes its calls ($build)" \
			"$(difference "$kind" calls out .)" "$total" $((total + slack))
		while read -r key name wanted; do
			[ "$key" = "$kind" ] &&
				within "$kind calls $name ($build)" \
					"$(difference "$kind" calls out "^$name\$")" "$wanted" "$wanted"
		done <<<"$named"
		[ "$kind" = sort_rtns_1 ] && check_comparisons
		[ "$kind" = jmp_test ] && check_frames
	done <<<"$totals"
}

# Any sort must look at each of 9,999 neighbouring pairs, and a search for one of the 1,000 keys
# beyond the table's end halves 10,000 numbers 13 times at least, in two rounds. At most, a sort that
# merges looks at each number in 14 levels, and each of 2,000 searches ends after 14 halvings.
check_comparisons() {
	within "sort_rtns_1 compares ($build)" "$(difference sort_rtns_1 calls back scending)" \
		$((6 * 9999 + 2 * 1000 * 13)) $((6 * 10000 * 14 + 2 * 2000 * 14))
}

# 1,000 times 11 nested frames, each a call, a count, a test and a decrement at least; saved
# registers, the load of the function's address and what setjmp and longjmp do make it up to 30.
check_frames() {
	within "jmp_test enters its frames ($build)" "$(difference jmp_test instructions)" \
		$((1000 * 11 * 4)) $((1000 * 11 * 30))
}

# check_build NUMBER COMPILER LEVEL: everything of a build, in a directory of its own
check_build() {
	build="$2 $3" dir=$scratch/$1
	mkdir "$dir"
	if build "$2" "$3"; then
		check_arithmetic
		check_own
		check_calls
	else
		not_ok "the kinds compile ($build)" "$(head -n 5 "$dir/log")"
	fi
}

# agree KIND LEVEL COUNT COUNT: neither is more than a quarter above the other
agree() {
	local less=$3 more=$4
	[ "$less" -le "$more" ] || less=$4 more=$3
	within "gcc and clang agree on $1 ($2)" "$more" "$less" $((less * 5 / 4))
}

# check_level NUMBER LEVEL: the gcc build and the clang build of a level at a time.
check_level() {
	local compiler kind gcc clang
	for compiler in gcc clang; do
		if command -v $compiler >/dev/null; then
			check_build "$1$compiler" $compiler "$2" >"$scratch/$1$compiler.out" &
		else
			echo "skip - instructions of each kind compiled by $compiler: it is missing" \
				>"$scratch/$1$compiler.out"
		fi
	done
	wait
	cat "$scratch/$1gcc.out" "$scratch/$1clang.out"
	failures=$((failures + $(cat "$scratch/$1"{gcc,clang}.out | grep -c '^not ok')))
	for kind in $agreeing; do
		gcc=$(sed -n "s/^$kind //p" "$scratch/$1gcc/counts" 2>/dev/null)
		clang=$(sed -n "s/^$kind //p" "$scratch/$1clang/counts" 2>/dev/null)
		if [ -n "$gcc" ] && [ -n "$clang" ]; then agree "$kind" "$2" "$gcc" "$clang"; fi
	done
}

check_level 1 -O2
check_level 2 "$native"

[ "$failures" -eq 0 ]
