#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A step of `git bisect run`: try this commit, compare it with a base.
#
#   loadmix run fserver --tasks 4 --repeat 5 --dir /scratch --output /tmp/good.jsonl   # at the good commit
#   git bisect start BAD GOOD
#   git bisect run ~/bisect.sh /tmp/good.jsonl 5% ~/try
#
# ~/try builds the commit, boots it on the test machine, and has it run the same `loadmix run ...
# --output "$JOURNAL"`; it fails when the commit does not build, boot or end its run. Such a commit is
# skipped (125), as is one whose figures are too noisy to tell; the limit is the second argument. What is
# wrong with the bisection itself ends it (255). FIGURE chooses the figure: FIGURE=cpu_s git bisect run ...
# The journals stay, each in a directory beside the base that is called after its commit: base and script
# are kept outside the repository that is bisected, since a checkout would change them.
set -u
if [ $# -lt 3 ]; then
	echo "usage: $0 BASE LIMIT TRY [ARGS...]" >&2
	exit 255
fi
base=$1 limit=$2
shift 2
if [ ! -r "$base" ] || ! command -v "$1" >/dev/null || ! command -v "${LOADMIX:-loadmix}" >/dev/null; then
	echo "$0: $base, $1 or ${LOADMIX:-loadmix} is not there" >&2
	exit 255
fi
dir=$(mktemp -d "$base.$(git rev-parse --short HEAD).XXXXXX") || exit 255
trap 'rmdir "$dir" 2>/dev/null' EXIT
JOURNAL=$dir/new.jsonl
export JOURNAL

"$@" || exit 125
"${LOADMIX:-loadmix}" gate "$base" "NEW=$JOURNAL" --fail-above "$limit" --figure "${FIGURE:-jobs_per_min}"
