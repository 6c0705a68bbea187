#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The work of the ipc, file-name and disk kinds and of signal_test, counted from outside: the system
# calls of one job with files of 10 blocks. The figures are AIM7's, from the specification
# (docs/jobs.md), not what the program does.
#
# LOADMIX_BUILD: the build directory, which holds tests/support/runkind.
# shellcheck disable=SC2046,SC2086 # lists of words are split on purpose
# shellcheck source-path=SCRIPTDIR
. "${LOADMIX_SRC:-$(dirname "$0")/../..}/tests/cli/lib.sh"

export LC_ALL=C
export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # it cannot work under strace
runkind=$LOADMIX_BUILD/tests/support/runkind

# repeat N WORD...: the words N times
repeat() {
	local n=$1 i
	shift
	for ((i = 0; i < n; i++)); do
		printf '%s ' "$@"
	done
}

if ! command -v strace >/dev/null || ! strace -f -o /dev/null true 2>/dev/null; then
	skip "system calls of each kind: strace is missing or not permitted"
	finish
fi

# Section 9. An open that creates counts as creat (some systems have no other call for it), so the
# "2 open" of the sync kinds are 1 creat and 1 open here. setsockopt: one more than AIM7, the receive
# timeout. rt_sigaction: one more than AIM7, the handler is put back.
counts='
creat-clo creat 1000
creat-clo close 1000
creat-clo unlink 1
link_test creat 1
link_test link 70
link_test unlink 71
link_test close 1
disk_src stat 58
disk_src creat 43
disk_src unlink 43
disk_src close 44
disk_src read 4
disk_src chdir 2
disk_src getcwd 1
disk_src open 1
signal_test kill 1000
signal_test rt_sigaction 1002
signal_test rt_sigreturn 1000
signal_test getpid 1
tcp_test write 89
tcp_test read 89
tcp_test socket 2
tcp_test bind 1
tcp_test listen 1
tcp_test connect 1
tcp_test accept 1
tcp_test getsockname 2
tcp_test setsockopt 2
tcp_test getsockopt 1
tcp_test close 3
udp_test write 99
udp_test read 99
udp_test socket 2
udp_test bind 2
udp_test getsockname 2
udp_test connect 1
udp_test setsockopt 1
udp_test close 2
disk_rr write 10
disk_rr lseek 10
disk_rr read 10
disk_rr creat 1
disk_rr open 1
disk_rr close 2
disk_rr unlink 1
disk_rw write 20
disk_rw lseek 10
disk_rw creat 1
disk_rw open 1
disk_rw close 2
disk_rw unlink 1
disk_rd read 10
disk_rd lseek 1
disk_rd open 1
disk_rd close 1
disk_wrt write 10
disk_wrt creat 1
disk_wrt unlink 1
disk_wrt close 1
disk_cp read 10
disk_cp write 10
disk_cp open 1
disk_cp creat 1
disk_cp lseek 1
disk_cp unlink 1
disk_cp close 2
sync_disk_rw write 10
sync_disk_rw lseek 5
sync_disk_rw creat 1
sync_disk_rw open 1
sync_disk_rw close 2
sync_disk_rw unlink 1
sync_disk_wrt write 5
sync_disk_wrt creat 1
sync_disk_wrt unlink 1
sync_disk_wrt close 1
sync_disk_cp read 5
sync_disk_cp write 5
sync_disk_cp open 1
sync_disk_cp creat 1
sync_disk_cp lseek 1
sync_disk_cp unlink 1
sync_disk_cp close 2
'

# What the C library, the heap and the sanitizers may add to any kind.
allowed='brk mmap munmap mremap mprotect madvise getrandom futex rt_sigprocmask'

# Sections 5.8 to 5.10: the calls in order.
order_of() {
	case $1 in
	creat-clo) repeat 1000 creat close && echo unlink ;;
	link_test) echo creat $(repeat 7 link) $(repeat 63 unlink link) $(repeat 8 unlink) close ;;
	tcp_test)
		echo socket bind getsockname setsockopt getsockopt listen socket setsockopt connect \
			accept getsockname $(repeat 89 write read) close close close
		;;
	udp_test)
		echo socket bind getsockname socket bind getsockname setsockopt connect \
			$(repeat 99 write read) close close
		;;
	disk_rr)
		echo creat $(repeat 10 write) close open:r unlink $(repeat 10 lseek read) close
		;;
	disk_rw)
		echo creat $(repeat 10 write) close open:w unlink $(repeat 10 lseek write) close
		;;
	disk_rd) echo open:r lseek $(repeat 10 read) close ;;
	disk_wrt) echo creat unlink $(repeat 10 write) close ;;
	disk_cp) echo open:r creat unlink lseek $(repeat 10 read write) close close ;;
	sync_disk_rw)
		echo creat $(repeat 5 write) close open:w+sync $(repeat 5 lseek write) unlink close
		;;
	sync_disk_wrt) echo creat+sync $(repeat 5 write) unlink close ;;
	sync_disk_cp)
		echo open:r creat+sync lseek $(repeat 5 read write) unlink close close
		;;
	esac
}

# The trace between the marks: one line "family result arguments" a call.
calls_of() {
	awk '
	{ sub(/^\[pid +[0-9]+\] /, ""); sub(/^[0-9]+ +/, "") }
	/^close\(-11\)/ { inside = 1; next }
	/^close\(-12\)/ { inside = 0 }
	!inside || !/^[a-z0-9_]+\(/ { next }
	{
		call = $0; sub(/\(.*/, "", call)
		result = $0; sub(/.* = /, "", result); sub(/ .*/, "", result)
		creates = call == "creat" || /O_CREAT/
		if (call ~ /^(creat|open|openat|openat2)$/) {
			mode = /O_RDWR/ ? ":rw" : /O_WRONLY/ ? ":w" : ":r"
			call = (creates ? "creat" : "open" mode) (/O_SYNC/ ? "+sync" : "")
		} else if (call ~ /^(stat|lstat|fstat|stat64|lstat64|fstat64|newfstatat|fstatat64|statx)$/)
			call = "stat"
		else if (call ~ /^(unlink|link)at$/ || call == "accept4" || call == "_llseek")
			call = call == "accept4" ? "accept" : call == "_llseek" ? "lseek" : \
				substr(call, 1, length(call) - 2)
		else if (call ~ /^getdents/)
			call = "getdents"
		print call, result, $0
	}' "$1"
}

# trace KIND: run one job under strace; its calls go to KIND.calls
trace() {
	mkdir "$1.dir"
	check "$1 runs" strace -f -s 0 -o "$1.trace" "$runkind" "$1" "$1.dir" 10
	calls_of "$1.trace" >"$1.calls"
}

# check_counts KIND [CALL...]: the calls of the specification, no other but the allowed ones and CALLs
check_counts() {
	local kind=$1 found wanted
	shift
	found=$(awk -v allowed="$allowed $*" '
		BEGIN { n = split(allowed, a, " "); for (i = 1; i <= n; i++) skip[a[i]] = 1 }
		{ sub(/[:+].*/, "", $1) }
		!($1 in skip) { count[$1]++ }
		END { for (c in count) print c, count[c] }' "$kind.calls" | sort)
	wanted=$(awk -v kind="$kind" '$1 == kind { print $2, $3 }' <<<"$counts" | sort)
	equal "$kind: number of each call" "${found//$'\n'/, }" "${wanted//$'\n'/, }"
}

check_order() {
	local found wanted
	found=$(awk -v allowed="$allowed" '
		BEGIN { n = split(allowed, a, " "); for (i = 1; i <= n; i++) skip[a[i]] = 1 }
		!($1 in skip) { print $1 }' "$1.calls")
	wanted=$(order_of "$1")
	equal "$1: order of the calls" "${found//$'\n'/ }" "$(printf '%s' "$wanted" | xargs)"
}

# check_blocks KIND BLOCKS: transfers of 1,024 bytes, at whole blocks of a file of so many
check_blocks() {
	local wrong
	wrong=$(awk -v blocks="$2" '
		($1 == "read" || $1 == "write") && $2 != 1024 { print }
		$1 == "lseek" && ($2 % 1024 != 0 || $2 < 0 || $2 >= 1024 * blocks) { print }
		' "$1.calls")
	equal "$1: whole blocks inside the file" "$wrong" ""
}

# check_bytes KIND BYTES: bytes each way, cursor at 0
check_bytes() {
	local found
	found=$(awk '$1 == "read" { r += $2 } $1 == "write" { w += $2 } END { print w, r }' \
		"$1.calls")
	equal "$1: bytes written and read" "$found" "$2 $2"
}

for kind in creat-clo link_test tcp_test udp_test disk_rr disk_rw disk_rd disk_wrt disk_cp \
	sync_disk_rw sync_disk_wrt sync_disk_cp; do
	trace $kind
	check_counts $kind
	check_order $kind
	case $kind in
	sync_*) check_blocks $kind 5 ;;
	disk_*) check_blocks $kind 10 ;;
	tcp_test) check_bytes $kind 28480 ;;
	udp_test) check_bytes $kind 30592 ;;
	esac
done
for kind in disk_src signal_test; do
	trace $kind
	check_counts $kind
done

# Section 5.5: 10,000 readdir calls, each pass ending in one that finds the end and is rewound.
trace dir_rtns_1
entries=$(($(find /bin/ -mindepth 1 -maxdepth 1 -printf x | wc -c) + 2))
counts="dir_rtns_1 open 1
	dir_rtns_1 close 1
	dir_rtns_1 lseek $((10000 / (entries + 1)))"
check_counts dir_rtns_1 getdents stat

finish
