#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An installation finds its workloads, also after it was moved.
. "$(dirname "$0")/lib.sh"
unset LOADMIX_DATA
check "make install" make -s -C "$LOADMIX_BUILD" install DESTDIR="$T/root"
prefix=$(find root -path '*/bin/loadmix' -printf '%h\n' | sed 's|/bin$||')
mv "$prefix" moved
cd / || exit 99
run_in_t() { (cd "$T" && "$@" >out 2>err); }
check "it shows a bundled workload" run_in_t "$T/moved/bin/loadmix" show fserver
holds "from its own share directory" "$(cat "$T/out")" "^workfile .*moved/.*share/loadmix/workloads/workfile.fserver$"
check "the plug-in header is installed" test -e "$T/moved/include/loadmix/job.h"
pc=$(find "$T/moved" -name loadmix.pc)
check "a pkg-config file names the header's folder" grep -q '^Cflags: -I\${includedir}$' "${pc:-/nonexistent}"
check "the man page is installed" test -e "$T/moved/share/man/man1/loadmix.1"
check "reaim and its man page are installed" test -x "$T/moved/bin/reaim" -a -e "$T/moved/share/man/man1/reaim.1"
if command -v man >/dev/null && command -v groff >/dev/null; then
	equal "the man page is clean" "$(groff -man -ww -z "$T/moved/share/man/man1/loadmix.1" 2>&1)" ""
else
	skip "the man page is clean: groff is missing"
fi
finish
