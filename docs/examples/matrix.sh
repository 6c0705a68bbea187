#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Record sizes in the manner of iozone: KB/s of one file size for records from 4K to 16M.
# usage: matrix.sh DIRECTORY [FILESIZE [PERIOD]]          needs jq; LOADMIX names the program
#
# write         disk_wrt: a new file, record after record; its removal is in the time
# rewrite       disk_rewrt: a file that exists, record after record
# read          disk_coldrd: the file's pages are dropped from the page cache, then it is read from
#               the device. The drop is in the time, so the device is faster than this, the more
#               so the smaller the file. iozone reads a file that it has just written, from the page
#               cache, unless it remounts (-U). "-" where pages cannot be dropped, as on tmpfs
# reread        disk_rd: the file is in the page cache
# random read   disk_rndrd: the same, a record at a time from anywhere in the file
# random write  disk_rndwrt: rewrite, anywhere in the file
# Each figure is that of the median run of PERIOD seconds. Nothing but read waits for the device as
# long as the page cache has room: for figures of the device take a file larger than memory, or the
# kinds disk_dio_wrt and disk_dio_rd with the same parameter. FILESIZE is 16M at least.
set -eu
dir=$1 size=${2:-64M} period=${3:-2}
kinds='disk_wrt disk_rewrt disk_coldrd disk_rd disk_rndrd disk_rndwrt'
journal=$(mktemp -u "${TMPDIR:-/tmp}/matrix.XXXXXX")
trap 'rm -f "$journal"' EXIT
line='%10s %8s %9s %9s %9s %9s %9s %9s\n'

# shellcheck disable=SC2059 # the format is ours
row() { printf "$line" "$@"; }

row '' '' '' '' '' '' random random
row kB reclen write rewrite read reread read write
for block in 4K 8K 16K 32K 64K 128K 256K 512K 1M 2M 4M 8M 16M; do
	rm -f "$journal"
	set --
	for kind in $kinds; do set -- "$@" "$kind block=$block"; done
	"${LOADMIX:-loadmix}" single "$@" --dir "$dir" --filesize "$size" --period "$period" \
		--output "$journal" >/dev/null
	# a kind that is not supported here has no step
	figures=$(jq -s -r --arg kinds "$kinds" 'map(select(.type == "step"))
		| (map({ (.kinds[0].kind | split(" ")[0]): .kinds[0] }) | add) as $of
		| [.[0].file_kib, ($kinds | split(" ")[] | $of[.]
			| if . then .operations / .jobs / .median_s | floor else "-" end)]
		| map(tostring) | join(" ")' "$journal")
	# shellcheck disable=SC2086 # seven words
	set -- $figures
	kib=$1
	shift
	row "$kib" "$block" "$@"
done
