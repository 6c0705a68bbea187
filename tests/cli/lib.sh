# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2034 # the tests use what is set here
# What the CLI tests share. Source it, call the functions, end with `finish`.
# Each test works in a fresh directory, $T, that is removed at the end; the programs are $LOADMIX,
# and $ODD, which knows empty kinds and kinds that go wrong.

: "${LOADMIX_BUILD:?is not set: run the tests with make check}"
: "${LOADMIX_SRC:?is not set: run the tests with make check}"
# nohup and the like ignore signals that the tests send
if [ -z "${LOADMIX_SIGNALS:-}" ] && env --default-signal=HUP true 2>/dev/null; then
	export LOADMIX_SIGNALS=default
	exec env --default-signal=HUP,INT,QUIT,TERM bash "$0" "$@"
fi
LOADMIX=$LOADMIX_BUILD/loadmix
ODD=$LOADMIX_BUILD/tests/support/loadmix_odd
export LOADMIX_DATA=$LOADMIX_SRC
unset LC_ALL LANG TZ
for tool in jq pgrep; do
	command -v $tool >/dev/null || {
		echo "skip - all of it: $tool is missing"
		exit 77
	}
done
T=$(mktemp -d "${TMPDIR:-/tmp}/loadmix-test.XXXXXX") || exit 99
trap 'chmod -R u+rwx "$T" 2>/dev/null; rm -rf "$T"' EXIT
cd "$T" || exit 99
failures=0

ok() { printf 'ok - %s\n' "$1"; }

not_ok() {
	printf 'not ok - %s\n' "$1"
	failures=$((failures + 1))
}

skip() { printf 'skip - %s\n' "$1"; }

# check TEXT COMMAND...: the command succeeds
check() {
	local text=$1
	shift
	if "$@" >"$T/.check" 2>&1; then ok "$text"; else
		not_ok "$text"
		sed 's/^/#   /' "$T/.check" | head -n 20
	fi
}

# equal TEXT GOT WANT
equal() {
	if [ "$2" = "$3" ]; then ok "$1"; else
		not_ok "$1"
		printf '#   got:  %s\n#   want: %s\n' "$2" "$3"
	fi
}

# holds TEXT HAYSTACK PATTERN: an extended regular expression matches some line
holds() {
	if grep -qE -e "$3" <<<"$2"; then ok "$1"; else
		not_ok "$1"
		printf '#   no line matches: %s\n' "$3"
		head -n 20 <<<"$2" | sed 's/^/#   /'
	fi
}

# run STATUS TEXT COMMAND...: it exits with STATUS; its streams are in ./out and ./err
run() {
	local want=$1 text=$2 got
	shift 2
	"$@" >out 2>err
	got=$?
	if [ "$got" = "$want" ]; then ok "$text"; else
		not_ok "$text (exit $got, want $want)"
		head -n 10 err | sed 's/^/#   /'
	fi
}

# await COMMAND...: until it succeeds, a minute at most; what is waited for must not end by itself
await() {
	for _ in $(seq 1200); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.05
	done
	not_ok "waited a minute in vain for: $*"
}

# hold TASK...: jobs of odd_held in these tasks wait until release
export ODD_HOLD=$T/hold
hold() {
	release
	for t in "$@"; do : >"$ODD_HOLD.$t"; done
}
release() { rm -f "$ODD_HOLD".*; }

# held TASK...: all of them wait
held() {
	for t in "$@"; do [ -e "$ODD_HOLD.$t.waits" ] || return; done
}

# nothing_left DIR TEXT: the directory is empty
nothing_left() {
	equal "$2" "$(ls -A -- "$1")" ""
}

# rows FILE: the rows of a table, without head and summary
rows() { grep -E '^ +[0-9]+ ' "$1"; }

# processes_of MARK: pids of live processes whose environment holds MARK=mark
processes_of() {
	grep -lzxF "MARK=$1" /proc/[0-9]*/environ 2>/dev/null | grep -oE '[0-9]+'
}

# steps FILTER FILE...: a jq filter over the array of step lines holds (is neither false nor null)
steps() { jq -e -s "map(select(.type==\"step\")) | $1" "${@:2}"; }

finish() { exit $((failures > 0)); }
