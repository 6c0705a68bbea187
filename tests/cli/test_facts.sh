#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The environment in the journal: what other programs tell of this machine, and what docs/formats.md
# promises. The warnings before a run.
. "$(dirname "$0")/lib.sh"

# fact KEY [FILE]: as text, "null" when it is null or missing
fact() { jq -r "select(.type==\"run\").environment.$1" "${2:-j.jsonl}"; }

# or_null VALUE: what the journal has for a file that is not there
or_null() { if [ -n "$1" ]; then printf '%s' "$1"; else echo null; fi; }

# content FILE: of a file, null when it cannot be read
content() { if [ -r "$1" ]; then sed 's/ *$//' "$1"; else echo null; fi; }

mkdir one two
printf '1 null\n' >w
run 0 "a run in two directories" "$ODD" run ./w --tasks 1 --jobs 1 --dir one --dir two --output j.jsonl

equal "host.name" "$(fact host.name)" "$(uname -n)"
equal "host.machine" "$(fact host.machine)" "$(uname -m)"
equal "kernel.release" "$(fact kernel.release)" "$(uname -r)"
equal "kernel.version" "$(fact kernel.version)" "$(uname -v)"
equal "kernel.command_line" "$(fact kernel.command_line)" "$(content /proc/cmdline)"
# shellcheck disable=SC1091
equal "os.name" "$(fact os.name)" "$(. /etc/os-release 2>/dev/null && or_null "$PRETTY_NAME")"
equal "bin.entries" "$(fact bin.entries)" "$(find /bin/ -mindepth 1 -maxdepth 1 -printf x | wc -c | awk '{ print $1 + 2 }')"
equal "cpu.online" "$(fact cpu.online)" "$(getconf _NPROCESSORS_ONLN)"
cpu=/sys/devices/system/cpu
equal "cpu.online_list" "$(fact cpu.online_list)" "$(content $cpu/online)"
equal "cpu.smt" "$(fact cpu.smt)" "$(content $cpu/smt/control)"
equal "mitigations" "$(jq -r 'select(.type=="run").environment.mitigations // {} | to_entries[] | "\(.key) \(.value)"' j.jsonl)" \
	"$(for f in "$cpu"/vulnerabilities/*; do [ -e "$f" ] && echo "${f##*/} $(cat "$f")"; done | LC_ALL=C sort)"
if command -v lscpu >/dev/null && [ -e $cpu/online ]; then
	seen=$(LC_ALL=C lscpu -p=CPU,CORE,SOCKET | grep -v '^#')
	equal "cpu.cores" "$(fact cpu.cores)" "$(cut -d, -f2 <<<"$seen" | sort -u | wc -l)"
else
	skip "cpu.cores: lscpu or /sys is missing"
fi
equal "memory.total_kib" "$(fact memory.total_kib)" "$(awk '$1 == "MemTotal:" { print $2 }' /proc/meminfo)"
equal "memory.huge_page_kib" "$(fact memory.huge_page_kib)" \
	"$(or_null "$(awk '$1 == "Hugepagesize:" { print $2 }' /proc/meminfo)")"
equal "limits.open_files" "$(fact limits.open_files)" "$(ulimit -S -n)"
equal "limits.stack_kib" "$(fact limits.stack_kib)" "$(ulimit -S -s)"
equal "limits.pid_max" "$(fact limits.pid_max)" "$(content /proc/sys/kernel/pid_max)"
equal "process.user_id" "$(fact process.user_id)" "$(id -u)"
equal "process.nice" "$(fact process.nice)" "$(nice)"
equal "build.version" "loadmix $(fact build.version)" "$("$LOADMIX" --version | head -n 1)"
flags() { sed -n "s/^$1 = *//p" "$LOADMIX_BUILD/Makefile" | sed "s/'//g; s/ *$//"; }
equal "build.flags are those of configure" "$(fact build.flags)" "$(echo "$(flags CPPFLAGS) $(flags CFLAGS)" | sed 's/^ //')"
equal "directory_2.path" "$(fact directory_2.path)" "$T/two"
if command -v findmnt >/dev/null; then
	equal "file system and mount point" "$(fact directory_1.file_system) $(fact directory_1.mount_point)" \
		"$(findmnt -n -o FSTYPE,TARGET -T one | tail -n 1 | xargs)"
else
	skip "file system: findmnt is missing"
fi
equal "directory_1.size_kib" "$(fact directory_1.size_kib | cut -d. -f1)" \
	"$(stat -f -c '%S %b' one | awk '{ printf "%d", $1 * $2 / 1024 }')"

# each fact in the journal is in the document, and the other way round
jq -r 'select(.type=="run").environment | to_entries[] | .key as $g | .value | keys[] | "\($g).\(.)"' j.jsonl |
	sed -E 's/^directory_[0-9]+/directory_N/; s/^mitigations\..*/mitigations.NAME/' | sort -u >have
sed -n '/^### Environment$/,/^### Warnings$/p' "$LOADMIX_SRC/docs/formats.md" | grep '^| `' | cut -d'|' -f2 |
	grep -oE '[a-zN_]+\.[a-zA-Z0-9_]+' | sort -u >documented
if [ ! -e $cpu/vulnerabilities ]; then echo mitigations.NAME >>have; fi
check "there are many facts" test "$(wc -l <documented)" -gt 80
equal "each fact in the journal is documented" "$(sort -u have | comm -23 - documented)" ""
equal "each documented fact is in the journal" "$(sort -u have | comm -13 - documented)" ""

# as an ordinary user
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)
chmod 755 .
if [ "$(id -u)" = 0 ] && "${nobody[@]}" test -x "$ODD" 2>/dev/null; then
	mkdir -m 777 theirs
	chmod 644 w
	run 0 "a run of an ordinary user" "${nobody[@]}" \
		"$ODD" run ./w --tasks 1 --jobs 1 --dir theirs --output theirs/k.jsonl
	equal "knows the same facts" "$(jq -c 'select(.type=="run").environment | del(.directory_1, .directory_2) |
		[paths] | length' theirs/k.jsonl)" \
		"$(jq -c 'select(.type=="run").environment | del(.directory_1, .directory_2) | [paths] | length' j.jsonl)"
fi

# without /sys
if unshare -m true 2>/dev/null; then
	cat >bare <<'B'
mount -t tmpfs none /sys && exec "$@"
B
	run 0 "a run without /sys" unshare -m bash bare \
		"$ODD" run ./w --tasks 1 --jobs 1 --dir one --output bare.jsonl
	equal "has nothing to say of it" "$(for key in cpu.online_list cpu.sockets cpu.governor numa.nodes cpu.smt \
		directory_1.disk; do fact $key bare.jsonl; done | sort -u)" null
	equal "and knows the rest" "$(fact cpu.online bare.jsonl)" "$(fact cpu.online)"
else
	skip "without /sys: mounts cannot be unshared here"
fi

# --- warnings --------------------------------------------------------------------------------

printf 'FILESIZE: 16K\n1 disk_rd\n' >disk
shm=$(mktemp -d /dev/shm/loadmix-test.XXXXXX 2>/dev/null)
if [ -n "$shm" ] && [ "$(stat -f -c %T "$shm")" = tmpfs ]; then
	trap 'rm -rf "$T" "$shm"' EXIT
	run 0 "disk kinds on tmpfs" "$LOADMIX" run ./disk --tasks 1 --jobs 1 --dir "$shm" --output tmpfs.jsonl
	holds "are warned of" "$(cat err)" "^loadmix: warning: $shm is on tmpfs.* disk_rd"
	equal "the journal has the warnings" "$(jq -r 'select(.type=="run").warnings[]' tmpfs.jsonl)" \
		"$(sed -n 's/^loadmix: warning: //p' err)"
	run 0 "other kinds there" "$ODD" run ./w --tasks 1 --jobs 1 --dir "$shm" --output other.jsonl
	equal "are not" "$(grep -c tmpfs err)" 0
	run 0 "single mode there" "$LOADMIX" single disk_rd --period 0.01 --dir "$shm" --output single.jsonl
	holds "warns too" "$(cat err)" "^loadmix: warning: $shm is on tmpfs"
	check "and keeps it" jq -e -s '.[0].warnings | any(contains("tmpfs"))' single.jsonl
	run 0 "a plan" "$LOADMIX" run ./disk --tasks 1 --jobs 1 --dir "$shm" --dry-run
	holds "warns too" "$(cat err)" "^loadmix: warning: $shm is on tmpfs"
else
	skip "disk kinds on tmpfs: /dev/shm is none"
fi
equal "warnings are an array" "$(jq -r 'select(.type=="run").warnings | type' j.jsonl)" array

# one look at the machine is what is warned of and what is stored
if command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null; then
	export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0" # it cannot work under strace
	run 0 "a run" strace -o run.trace "$ODD" run ./w --tasks 1,2 --jobs 1 --output look.jsonl
	equal "looks once" "$(grep -c '"/proc/uptime"' run.trace)" 1
	run 0 "single mode with three kinds" strace -o single.trace "$ODD" single null odd_nap odd_a \
		--period 0.01 --output looks.jsonl
	equal "looks once" "$(grep -c '"/proc/uptime"' single.trace)" 1
else
	skip "how often the machine is looked at: strace is missing or not permitted"
fi

# a task that runs all the time: more than one reading of a busy machine is needed
(while :; do :; done) &
busy=$!
for try in 1 2 3 4 5; do
	"$ODD" run ./w --tasks 1 --jobs 1 --output "busy.$try.jsonl" >out 2>err
	grep -q 'not idle' err && break
done
kill $busy
wait $busy 2>/dev/null
holds "a busy machine" "$(cat err)" '^loadmix: warning: the machine is not idle: [1-9][0-9]* other tasks? running'
check "warnings and environment tell the same" jq -e -s 'map(select(.type=="run")) | all(
	([.warnings[] | capture("not idle: (?<n>[0-9]+) other tasks? running, (?<b>[0-9]+) ") |
		{ running: (.n | tonumber), blocked: (.b | tonumber) }][0] // { running: 0, blocked: 0 })
	== (.environment.load | { running, blocked }))' busy.*.jsonl
finish
