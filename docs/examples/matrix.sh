#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Record sizes in the manner of iozone: KB/s of one file size for records from 4K to 16M.
# usage: matrix.sh DIRECTORY [FILESIZE [PERIOD]]          needs jq; LOADMIX names the program
#
# write    disk_wrt: a new file, record after record
# read     disk_rd: a file that is in the page cache, so iozone's reread
# rndread  disk_rr writes its file first: the time of disk_wrt is taken off; "-" where the rest is
#          too small to tell from noise
# rndwrite disk_rw likewise, so the records of a file that exists are written again
# All go through the page cache. For figures of the device take a file larger than memory, or the
# kinds disk_dio_wrt and disk_dio_rd with the same parameter.
set -eu
dir=$1 size=${2:-64M} period=${3:-2}
journal=$(mktemp -u "${TMPDIR:-/tmp}/matrix.XXXXXX")
trap 'rm -f "$journal"' EXIT

printf '%10s %8s %10s %10s %10s %10s\n' KB reclen write read rndread rndwrite
for block in 4K 8K 16K 32K 64K 128K 256K 512K 1M 2M 4M 8M 16M; do
	rm -f "$journal"
	"${LOADMIX:-loadmix}" single "disk_wrt block=$block" "disk_rd block=$block" "disk_rr block=$block" \
		"disk_rw block=$block" --dir "$dir" --filesize "$size" --period "$period" \
		--output "$journal" >/dev/null
	jq -s -r --arg block "$block" 'map(select(.type == "step")) | .[0].file_kib as $kib
		| map(.kinds[0].median_s) as [$write, $read, $rr, $rw]
		| def rate($s; $of): if $s > 0.1 * $of then $kib / $s | floor else "-" end;
		[$kib, $block, rate($write; $write), rate($read; $read), rate($rr - $write; $rr),
			rate($rw - $write; $rw)] | @tsv' "$journal" |
		awk '{ printf "%10s %8s %10s %10s %10s %10s\n", $1, $2, $3, $4, $5, $6 }'
done
