#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the documents say of the kinds is what the program knows of them.
. "$(dirname "$0")/lib.sh"
doc=$LOADMIX_SRC/docs/jobs.md

"$LOADMIX" list --markdown >table
sed -n '/^<!-- table -->$/,/^<!-- end of table -->$/p' "$doc" | sed '1d;$d' >documented
check "docs/jobs.md holds the table that 'make docs' writes" diff documented table
missing=$(sed -n 's/^| \([a-z][a-z0-9_-]*\) |.*/\1/p' table | grep -v '^kind$' | while read -r kind; do
	sed '/^<!-- table -->$/,/^<!-- end of table -->$/d' "$doc" | grep -qwF -e "$kind" || echo "$kind"
done)
equal "every kind has its notes" "$missing" ""
options=$({ "$LOADMIX" run --help; "$LOADMIX" single --help; "$LOADMIX" show --help; "$LOADMIX" list --help; "$LOADMIX" report --help; "$LOADMIX" plot --help; } |
	grep -oE -e '--[a-z][a-z-]+' | sort -u)
check "the commands tell their options" test "$(wc -w <<<"$options")" -ge 20
for option in $options; do
	grep -qF -e "${option//-/\\-}" "$LOADMIX_SRC/docs/loadmix.1" || not_ok "$option is not in the man page"
done
ok "options of the man page were looked at"
finish
