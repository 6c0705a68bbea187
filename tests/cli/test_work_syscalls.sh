#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The work of the ipc, heap, process, shell, file-name and disk kinds, counted from outside: the system
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
# timeout. rt_sigaction: one more than AIM7, the handler is put back. disk_rewrt, disk_coldrd, disk_rndrd
# and disk_rndwrt are ours: docs/jobs.md.
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
page_test brk 1702
brk_test brk 17002
shared_memory getpid 1
shared_memory shmget 1
shared_memory semget 1
shared_memory shmat 1
shared_memory shmctl 1
shared_memory semctl 2
shared_memory semop 400
shared_memory shmdt 1
stream_pipe socketpair 1
stream_pipe write 99
stream_pipe read 99
stream_pipe close 2
dgram_pipe socketpair 1
dgram_pipe write 99
dgram_pipe read 99
dgram_pipe close 2
pipe_cpy pipe 1
pipe_cpy write 99
pipe_cpy read 99
pipe_cpy close 2
fifo_test unlink 2
fifo_test mkfifo 1
fifo_test open 2
fifo_test write 99
fifo_test read 99
fifo_test close 2
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
sync_disk_update write 15
sync_disk_update lseek 5
sync_disk_update read 5
sync_disk_update creat 1
sync_disk_update open 1
sync_disk_update close 2
sync_disk_update unlink 1
disk_rewrt write 10
disk_rewrt lseek 1
disk_rewrt open 1
disk_rewrt close 1
disk_coldrd fdatasync 1
disk_coldrd fadvise64 1
disk_coldrd mincore 1
disk_coldrd read 10
disk_coldrd lseek 1
disk_coldrd open 1
disk_coldrd close 1
disk_rndrd read 10
disk_rndrd lseek 10
disk_rndrd open 1
disk_rndrd close 1
disk_rndwrt write 10
disk_rndwrt lseek 10
disk_rndwrt open 1
disk_rndwrt close 1
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
	shared_memory)
		echo getpid shmget semget shmat shmctl semctl $(repeat 400 semop) shmdt semctl
		;;
	stream_pipe | dgram_pipe) echo socketpair $(repeat 99 write read) close close ;;
	pipe_cpy) echo pipe $(repeat 99 write read) close close ;;
	fifo_test)
		echo unlink mkfifo open:r open:rw $(repeat 99 write read) close close unlink
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
	sync_disk_update)
		echo creat $(repeat 10 write) close open:rw+sync $(repeat 5 lseek read write) \
			unlink close
		;;
	disk_rewrt) echo open:w lseek $(repeat 10 write) close ;;
	disk_coldrd) echo open:r fdatasync fadvise64 mincore lseek $(repeat 10 read) close ;;
	disk_rndrd) echo open:r $(repeat 10 lseek read) close ;;
	disk_rndwrt) echo open:w $(repeat 10 lseek write) close ;;
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
			call = (creates ? "creat" : "open" mode) (/O_SYNC/ ? "+sync" : "") \
				(/O_DIRECT/ ? "+direct" : "")
		} else if (call ~ /^(stat|lstat|fstat|stat64|lstat64|fstat64|newfstatat|fstatat64|statx)$/)
			call = "stat"
		else if (call ~ /^(unlink|link)at$/ || call == "accept4" || call == "_llseek")
			call = call == "accept4" ? "accept" : call == "_llseek" ? "lseek" : \
				substr(call, 1, length(call) - 2)
		else if (call ~ /^getdents/)
			call = "getdents"
		else if (call ~ /^mknod/ && /S_IFIFO/)
			call = "mkfifo"
		else if (call ~ /^(pipe2|semtimedop)$/)
			call = call == "pipe2" ? "pipe" : "semop"
		else if (call == "io_uring_enter")
			call = /^[a-z_]+\([0-9]+, 1,/ ? "submit" : "futex" # waiting is no work
		print call, result, $0
	}' "$1"
}

# trace KIND [OPTIONS [FILE_KIB [TIMES]]]: run one job under strace; its calls go to KIND.calls
trace() {
	mkdir -p "$1.dir"
	check "$1 runs${2:+, $2}" strace -f -s 0 -o "$1.trace" "$runkind" "$1" "$1.dir" \
		"${3:-10}" "${4:-1}" ${2:-}
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

# check_order KIND [CALL...]: these in this order, or those of order_of
check_order() {
	local found wanted
	found=$(awk -v allowed="$allowed" '
		BEGIN { n = split(allowed, a, " "); for (i = 1; i <= n; i++) skip[a[i]] = 1 }
		!($1 in skip) { print $1 }' "$1.calls")
	wanted=${*:2}
	[ $# -gt 1 ] || wanted=$(order_of "$1")
	equal "$1: order of the calls" "${found//$'\n'/ }" "$(printf '%s' "$wanted" | xargs)"
}

# check_blocks KIND BLOCKS [SIZE]: transfers of SIZE (1,024) bytes, at whole blocks of a file of so many
check_blocks() {
	local wrong
	wrong=$(awk -v blocks="$2" -v size="${3:-1024}" '
		($1 == "read" || $1 == "write") && $2 != size { print }
		$1 == "lseek" && ($2 % size != 0 || $2 < 0 || $2 >= size * blocks) { print }
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
	sync_disk_rw sync_disk_wrt sync_disk_cp sync_disk_update; do
	trace $kind
	check_counts $kind
	check_order $kind
	case $kind in
	sync_disk_update | disk_*) check_blocks $kind 10 ;;
	sync_*) check_blocks $kind 5 ;;
	tcp_test) check_bytes $kind 28480 ;;
	udp_test) check_bytes $kind 30592 ;;
	esac
done
# Our own have the same work whatever the semantics, and none of re-aim-7's system-wide sync
for kind in disk_rewrt disk_coldrd disk_rndrd disk_rndwrt; do
	mkdir -p $kind.dir
	if "$runkind" $kind $kind.dir 10 0 2>&1 | grep 'is unsupported' >unsupported; then
		skip "$(cat unsupported)"
		continue
	fi
	for options in "" reaim; do
		trace $kind "$options"
		check_counts $kind
		check_order $kind
		check_blocks $kind 10
	done
done
# Sections 5.8 and 9. shared_memory: one getpid more than AIM7, for the key, which is the process id.
for kind in stream_pipe dgram_pipe pipe_cpy fifo_test shared_memory; do
	trace $kind
	check_counts $kind
	check_order $kind
	[ $kind = shared_memory ] || check_bytes $kind 30592
done

# re-aim-7's table of 37 sizes: bytes of 89 and 99 messages, cursor at 0
for row in tcp_test:60944 udp_test:68832 stream_pipe:68832 dgram_pipe:68832 pipe_cpy:68832 fifo_test:68832; do
	kind=${row%:*}
	trace $kind reaim
	check_counts $kind
	check_order $kind
	check_bytes $kind "${row#*:}"
done

# Section 5.6: every change of the break is told, so what the heap itself may do does not hide in it
usual=$allowed
allowed=${allowed/brk /}
for kind in page_test brk_test; do
	trace $kind
	check_counts $kind
done
allowed=$usual

# check_processes KIND LEAST MOST EXECS WAITS: processes made by all, programs loaded, and waits of the
# task itself. AIM7 waits until it has no child left, which is a second wait for each; here it is for
# the very process.
check_processes() {
	local forks execs waits
	trace "$1"
	read -r forks execs waits < <(awk '
	!task { task = $1 } # the first line is of the task
	/close\(-11\)/ { inside = 1 }
	/close\(-12\)/ { inside = 0 }
	inside && $2 ~ /^(clone|clone3|fork|vfork)\(/ { forks++ }
	inside && / = 0$/ && ($2 ~ /^execve\(/ || /execve resumed/) { execs++ }
	inside && $1 == task && $2 ~ /^(wait4|waitid|waitpid)\(/ { waits++ }
	END { print forks + 0, execs + 0, waits + 0 }' "$1.trace")
	check "$1: $2 to $3 processes ($forks)" test "$forks" -ge "$2" -a "$forks" -le "$3"
	equal "$1: programs loaded, waits" "$execs $waits" "$4 $5"
}
export LOADMIX_DATA=$LOADMIX_SRC
check_processes fork_test 100 100 0 100
check_processes exec_test 5 5 5 5
for kind in shell_rtns_1 shell_rtns_2 shell_rtns_3; do
	# 4 processes, the wrapper among them; a shell that executes its last command saves one or two
	check_processes $kind 2 4 3 1
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

# Sections 5.10 and 6: the order of the calls that re-aim-7's semantics ask for. The system-wide sync
# is switched off by nosync, and belongs to these semantics alone.
reaim_order() {
	case $1 in
	disk_rr)
		echo creat $(repeat 10 write) close sync open:r $(repeat 10 lseek read) unlink close sync
		;;
	disk_rw)
		echo creat $(repeat 10 write) close sync open:w $(repeat 10 lseek write) unlink close sync
		;;
	disk_rd)
		echo creat $(repeat 10 write) close sync open:r lseek $(repeat 10 read) close unlink sync
		;;
	disk_wrt) echo creat sync $(repeat 10 write) unlink close sync ;;
	disk_cp)
		echo sync open:r creat sync lseek $(repeat 10 read write) unlink close close unlink sync
		;;
	sync_disk_rw)
		echo creat $(repeat 5 write) close open:w+sync $(repeat 5 lseek write) close unlink
		;;
	sync_disk_wrt) echo creat+sync $(repeat 5 write) close unlink ;;
	sync_disk_cp)
		echo open:r creat+sync lseek $(repeat 5 read write) close close unlink
		;;
	sync_disk_update)
		echo creat $(repeat 10 write) close open:rw+sync $(repeat 5 lseek read write) \
			close unlink
		;;
	disk_brr)
		echo creat $(repeat 10 write) close open:r $(repeat 10 lseek read) unlink close
		;;
	disk_brw)
		echo creat $(repeat 10 write) close open:w $(repeat 10 lseek write) unlink close
		;;
	disk_brd) echo open:r lseek $(repeat 10 read) close ;;
	disk_bwrt) echo creat $(repeat 10 write) unlink close ;;
	disk_bcp)
		echo open:r creat lseek $(repeat 10 read write) unlink close close unlink
		;;
	disk_dio_rr)
		echo creat $(repeat 10 write) close sync open:r+direct $(repeat 10 lseek read) \
			unlink close sync
		;;
	disk_dio_rw)
		echo creat $(repeat 10 write) close sync open:w+direct $(repeat 10 lseek write) \
			unlink close sync
		;;
	disk_dio_rd) echo open:r+direct lseek $(repeat 10 read) close sync ;;
	disk_dio_wrt) echo creat+direct sync $(repeat 10 write) close unlink sync ;;
	disk_dio_cp)
		echo open:r+direct creat+direct sync lseek $(repeat 10 read write) unlink \
			close close sync
		;;
	disk_aio_rr | disk_aio_rw | disk_aiodio_rr | disk_aiodio_rw)
		local mode=open:r direct=
		[ $1 = ${1%_rw} ] || mode=open:w
		[ $1 = ${1/dio/} ] || direct=+direct
		echo creat $(repeat 10 write) close sync $mode$direct io_uring_setup \
			$(repeat 10 submit) close close unlink sync
		;;
	esac
}

without_sync() { reaim_order $1 | tr ' ' '\n' | grep -vxF sync | xargs; }

# Direct kinds may need blocks of 4 KiB; then ten of them, as of the others.
check_disk() {
	local kind=$1 options=$2 wanted=$3
	case $kind in
	*dio*) trace $kind "$options block=4K" 40 ;;
	*) trace $kind "$options" ;;
	esac
	check_order $kind $wanted
	case $kind in
	*dio*) check_blocks $kind 10 4096 ;;
	sync_disk_update) check_blocks $kind 10 ;;
	sync_*) check_blocks $kind 5 ;;
	*) check_blocks $kind 10 ;;
	esac
}

for kind in disk_rr disk_rw disk_rd disk_wrt disk_cp sync_disk_rw sync_disk_wrt sync_disk_cp \
	sync_disk_update disk_brr disk_brw disk_brd disk_bwrt disk_bcp disk_dio_rr disk_dio_rw \
	disk_dio_rd disk_dio_wrt disk_dio_cp disk_aio_rr disk_aio_rw disk_aiodio_rr disk_aiodio_rw; do
	mkdir -p $kind.dir
	if "$runkind" $kind $kind.dir 40 0 block=4K 2>&1 | grep 'is unsupported' >unsupported; then
		skip "$(cat unsupported)"
		continue
	fi
	check_disk $kind reaim "$(reaim_order $kind)"
	check_disk $kind "reaim nosync" "$(without_sync $kind)"
	case $kind in
	*_b* | *dio* | *aio*) check_disk $kind "" "$(without_sync $kind)" ;;
	esac
done

# buffers KIND BYTES: five jobs with blocks of 64 KiB ask for so much memory, once
buffers() {
	trace $1 block=64K 4096 5
	equal "$1 block=64K: $2 bytes, once for five jobs" \
		"$(grep -c "^mmap .*(NULL, $2, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS" $1.calls)" 1
}
buffers disk_rw 65536
buffers disk_rewrt $((65536 + 2048)) # what the common file holds, from KiB to KiB
[ ! -e disk_aio_rr.calls ] || buffers disk_aio_rr $((32 * 65536)) # 32 in flight

# steady KIND: the calls of two more runs, "name count" a line: what the first run alone makes, such as
# the heap's growth, is no part of a kind's work
steady() {
	local times
	for times in 1 3; do
		TZ=UTC0 strace -f -s 0 -o "$1.$times" "$runkind" "$1" . 10 $times || return
		awk '
		{ sub(/^\[pid +[0-9]+\] /, ""); sub(/^[0-9]+ +/, "") }
		/^close\(-11\)/ { inside = 1; next }
		/^close\(-12\)/ { inside = 0 }
		inside && /^[a-z0-9_]+\(/ { sub(/\(.*/, ""); print }' "$1.$times" | sort | uniq -c >"$1.$times.count"
	done
	awk 'NR == FNR { first[$2] = $1; next } $1 != first[$2] { print $2, $1 - first[$2] }' "$1.1.count" "$1.3.count"
}

calls_of_others='mmap|munmap|brk' # memory that comes and goes in large pieces is mapped anew by the C library
if grep -q __asan_init "$runkind"; then calls_of_others+='|madvise|sigaltstack'; fi # the sanitizer's
for kind in add_int add_long add_short mul_int mul_long mul_short div_int div_long div_short add_double \
	add_float mul_double mul_float div_double div_float sieve fun_cal fun_cal1 fun_cal2 fun_cal15 \
	matrix_rtns array_rtns new_raph series_1 num_rtns_1 trig_rtns mem_rtns_1 mem_rtns_2 sort_rtns_1 \
	string_rtns ram_copy jmp_test; do
	equal "$kind asks the kernel for nothing" "$(steady $kind | grep -vE "^($calls_of_others) ")" ""
done
# ten iterations a run, two runs: one call each of these an iteration, and three files looked up
if "$runkind" misc_rtns_1 . 10 0 2>/dev/null; then
	steady misc_rtns_1 >misc
	for want in getuid:20 geteuid:20 getgid:20 getegid:20 getppid:20 getpid:20 uname:20 getcwd:20 ioctl:40; do
		equal "misc_rtns_1: ${want%:*}" "$(awk -v c="${want%:*}" '$1 == c { print $2 }' misc)" "${want#*:}"
	done
	check "misc_rtns_1: three look-ups in files" awk '$1 == "openat" && $2 >= 60 { found = 1 } END { exit !found }' misc
else
	skip "misc_rtns_1: no passwd or group entry, or no PATH"
fi

finish
