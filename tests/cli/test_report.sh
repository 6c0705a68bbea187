#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Pages and pictures of results: whole, harmless, without anything from elsewhere; and what is left
# when gnuplot is missing, fails or hangs.
. "$(dirname "$0")/lib.sh"
unset LOADMIX_GNUPLOT NO_COLOR
if ! command -v gnuplot >/dev/null; then
	echo "skip - all of it: gnuplot is missing"
	exit 77
fi
mkdir d made

# --- a gnuplot that hangs: it takes its time, so it goes first -------------------------------------
posted=$LOADMIX_SRC/tests/data/posted/fserver.txt
printf '#!/bin/sh\nsleep 1000 & exec sleep 1000\n' >hang
printf '#!/bin/sh\necho "it went wrong" >&2\nexit 7\n' >fail
printf '#!/bin/sh\nexec cat >/dev/null\n' >mute
chmod +x hang fail mute
MARK=hang$$ LOADMIX_GNUPLOT=./hang "$LOADMIX" report "$posted" -o made/hang.html >hang.out 2>hang.err &
hanging=$!

# --- results -------------------------------------------------------------------------------------
odd_labels=("<b>&\"';\$(x)\\{" '5.10.0-rc1+ "quoted"' 'größe 日本語' "$(printf 'x%.0s' {1..300})"
	"\`touch gotcha\` 100% %d ''")
printf "5 signal_test\n" >mix
for i in "${!odd_labels[@]}"; do
	"$LOADMIX" run ./mix --jobs 5 --tasks 1,2,4 --repeat 3 --no-sync --dir d --label "${odd_labels[i]}" \
		--output "odd$i.jsonl" >/dev/null 2>&1
done
printf '1 odd_wrong\n' >bad
"$ODD" run ./bad --jobs 1 --tasks 1,2 --dir d --label bad --output bad.jsonl >/dev/null 2>&1

# big LABEL: 50 loads of 3 repeats, of the lines that a real run wrote
big() {
	jq -c --arg name "$1" --argjson slow "$2" 'if .type == "run" then .label = $name
		elif .type == "step" then . as $step | range(3) as $r | range(1; 51) as $t |
			$step | .tasks = $t | .iteration = $r + 1 | .index = $r * 50 + $t |
			.jobs_per_min = 100 * $t * $slow * (1 + $r / 100) | .jobs_done = 5 * $t |
			.kinds[0] |= (.jobs *= $t | .operations *= $t | .elapsed_s *= $t) |
			.real_s = .jobs_done * 60 / .jobs_per_min | .jobs_per_min_task = .jobs_per_min / $t |
			.jobs_per_s_task = .jobs_per_min_task / 60
		else empty end' template
}
sed -n '1,2p' odd0.jsonl >template
for i in 1 2 3 4 5 6 7 8; do big "kernel-6.$i.0" "1.$i" >"big$i.jsonl"; done

# --- the page ------------------------------------------------------------------------------------
# whole FILE TEXT: a page without scripts and references to elsewhere, valid if tidy can tell
whole() {
	equal "$2: nothing from elsewhere" \
		"$(grep -oiE 'https?:|src=|@import|<script|<link|url\([^#]' "$1" | sort -u)" ""
	equal "$2: it is whole" "$(tail -n 1 "$1")" "</html>"
	equal "$2: ids are unique" "$(grep -oE ' id=["'"'"'][^"'"'"']*' "$1" | sort | uniq -d)" ""
	if command -v tidy >/dev/null; then
		equal "$2: valid" "$(tidy -qe "$1" 2>&1 | head -n 5)" ""
	else
		skip "$2: valid: tidy is missing"
	fi
}
charts() { grep -c '<svg role="img"' "$1"; }

run 0 "a report of odd labels" "$LOADMIX" report odd?.jsonl -o made/odd.html
equal "says nothing" "$(cat out err)" ""
whole made/odd.html "odd labels"
equal "a picture for each figure and one of the kinds" "$(charts made/odd.html)" 6
equal "each says in words what it shows" "$(grep -c '<desc id=' made/odd.html)" 6
equal "each has its table" "$(grep -c '<figure role="group"' made/odd.html)" 6
check "markup in a label is text" grep -qF '&lt;b&gt;&amp;&quot;&#39;;$(x)\{' made/odd.html
check "in the legend, too" grep -qF "<text>&lt;b>&amp;\"';\$(x)\\{</text>" made/odd.html
equal "nowhere is it markup" "$(grep -cF '<b>&' made/odd.html)" 0
check "quotes" grep -qF '5.10.0-rc1+ &quot;quoted&quot;' made/odd.html
check "quotes in the legend" grep -qF '<text>5.10.0-rc1+ "quoted"</text>' made/odd.html
check "UTF-8" grep -qF '<text>größe 日本語</text>' made/odd.html
check "300 characters in full" grep -qE 'x{300}' made/odd.html
check "and shortened in the legend" grep -qE '<text>x{10,60}\.\.\.x{5,40}</text>' made/odd.html
check "percent signs and back quotes in the legend" grep -qF "\`touch gotcha\` 100% %d ''</text>" made/odd.html
check "no command was run" test ! -e gotcha
holds "what repeats it" "$(cat made/odd.html)" '^<pre>loadmix report odd0\.jsonl .* -o made/odd\.html</pre>$'
holds "what ran it" "$(cat made/odd.html)" '^<pre>loadmix run ./mix --jobs 5 --tasks 1,2,4 --repeat 3'
holds "dates" "$(grep -m 1 'class="date"' made/odd.html)" 'class="date">20[0-9-]+T[0-9:]+Z'

start=$(date +%s%N)
run 0 "a report of 8 labels and 50 loads" "$LOADMIX" report big?.jsonl -o made/big.html
equal "50 loads in every table of a chart" "$(grep -cE '^<tr><th scope="row">50</th><td>[0-9.]+ \(' made/big.html)" 5
took=$((($(date +%s%N) - start) / 1000000))
check "made within 10 s (took $took ms)" test "$took" -lt 10000
check "smaller than 1 MB" test "$(stat -c %s made/big.html)" -lt 1000000
whole made/big.html "big"

run 0 "a single posted table" "$LOADMIX" report "$posted" --label 2.5.69 -o made/one.html
whole made/one.html "one set"
holds "tells that nothing is compared" "$(cat made/one.html)" 'nothing is compared'
# 120.9, 174.7 and 234.3 jobs/min with 4, 8 and 32 tasks were posted
holds "and its peak" "$(cat made/one.html)" 'fserver: at most 234\.30 jobs/min, with 32 tasks'
holds "what is not told is said" "$(cat made/one.html)" 'No result tells JTI'
run 0 "a comparison of posted tables" "$LOADMIX" report "$posted" --label 2.5.69 --label 2.5.70 -o made/posted.html
whole made/posted.html "posted"
holds "the change as in the comparison" "$(cat made/posted.html)" \
	'>4</th><td class="text">jobs/min</td><td>120\.90 \(1\)</td><td>79\.00 \(1\)</td><td>-34\.7 %</td>'
run 0 "INVALID steps alone" "$LOADMIX" report bad.jsonl -o made/bad.html
whole made/bad.html "INVALID"
holds "are marked" "$(cat made/bad.html)" '<text>INVALID steps, without a figure</text>'
holds "and have no figure" "$(cat made/bad.html)" '<td> ?1 INVALID</td>'
run 0 "sets that have nothing in common" "$LOADMIX" report A=odd0.jsonl B="$posted" -o made/apart.html
holds "are shown, and it is told" "$(cat made/apart.html)" 'Not compared: .*no workload in common'
if [ -d "${LOADMIX_SHARED:-}/data/handed" ]; then
	for m in fserver dbase shared; do
		run 0 "all kernels of $m" "$LOADMIX" report "$LOADMIX_SHARED/data/handed/seed-$m.tsv" -o "made/$m.html"
		whole "made/$m.html" "$m"
	done
fi

# --- paper ---------------------------------------------------------------------------------------
run 0 "five panels on a page" "$LOADMIX" report odd?.jsonl -o made/x.ps
holds "PostScript" "$(head -n 1 made/x.ps)" '^%!PS'
equal "one page" "$(grep -ac '^%%Page: ' made/x.ps)" 1

# --- one picture ---------------------------------------------------------------------------------
for form in svg png pdf ps; do
	run 0 "plot as $form" "$LOADMIX" plot odd?.jsonl --figure jti -o "made/p.$form"
done
equal "svg" "$(head -c 5 made/p.svg)" '<?xml'
equal "png" "$(head -c 4 made/p.png | tail -c 3)" PNG
equal "pdf" "$(head -c 5 made/p.pdf)" '%PDF-'
equal "ps" "$(head -c 4 made/p.ps)" '%!PS'
for style in lines points linespoints bars; do
	run 0 "style $style" "$LOADMIX" plot big1.jsonl odd1.jsonl --workload mix --style $style -o "made/$style.svg"
	equal "which gnuplot has nothing to say about" "$(cat err)" ""
done
run 0 "logarithmic axes and ranges" "$LOADMIX" plot big?.jsonl --log xy --xrange 2:40 --yrange 50: -o made/log.svg
run 0 "standard output" "$LOADMIX" plot odd0.jsonl -o - --format png
equal "as asked for" "$(head -c 4 out | tail -c 3)" PNG

run 2 "a wrong style" "$LOADMIX" plot odd0.jsonl --style wavy -o made/no.svg
holds "teaches" "$(cat err)" "--style: 'wavy' is no style: give linespoints, lines, points or bars"
run 0 "a range from 0 of loads far apart" "$LOADMIX" plot big?.jsonl --xrange 0:100 -o made/zero.svg
run 2 "a wrong range" "$LOADMIX" plot odd0.jsonl --xrange 5:3 -o made/no.svg
run 2 "a range that is none" "$LOADMIX" plot odd0.jsonl --yrange 5 -o made/no.svg
run 2 "wrong axes" "$LOADMIX" plot odd0.jsonl --log z -o made/no.svg
run 2 "a logarithmic axis from 0" "$LOADMIX" plot odd0.jsonl --log y --yrange 0:9 -o made/no.svg
run 2 "a wrong figure" "$LOADMIX" plot odd0.jsonl --figure speed -o made/no.svg
run 2 "bars on a logarithmic axis" "$LOADMIX" plot odd0.jsonl --style bars --log x -o made/no.svg
run 2 "an unknown form" "$LOADMIX" plot odd0.jsonl -o made/no.gif
run 2 "nowhere to go" "$LOADMIX" plot odd0.jsonl
run 2 "two places to go" "$LOADMIX" plot odd0.jsonl --term -o made/no.svg
run 2 "several workloads" "$LOADMIX" plot odd0.jsonl "$posted" -o made/no.svg
holds "are named" "$(cat err)" 'choose one with --workload: mix, fserver'
run 2 "a workload that is not there" "$LOADMIX" plot odd0.jsonl --workload dbase -o made/no.svg
run 2 "a figure that is not told" "$LOADMIX" plot "$posted" --figure jti -o made/no.svg
run 2 "a report without a place" "$LOADMIX" report odd0.jsonl
run 2 "a report of an unknown form" "$LOADMIX" report odd0.jsonl -o made/no.doc
equal "nothing was left" "$(ls made/no.* 2>/dev/null)" ""

# --- one picture of job kinds --------------------------------------------------------------------
printf '9 signal_test\n7 add_long\n4 add_int\n' >kinds.mix
for i in old new; do
	"$LOADMIX" run ./kinds.mix --jobs 40 --tasks 1,2 --repeat 2 --no-sync --dir d --label $i --output $i.jsonl >/dev/null 2>&1
done
printf '#!/bin/sh\ntee drawn | gnuplot "$@"\n' >keep
chmod +x keep
# The order of the drawing: by the longest piece in any bar.
longest_first() {
	jq -s '[.[][]] | group_by(.name) | map(max_by(.s)) | sort_by(-.s) | map(.name)' <(seconds old.jsonl) <(seconds new.jsonl)
}
seconds() {
	jq -s '[.[] | select(.type == "step" and .tasks == 2 and .valid) | .tasks as $t | .kinds[] |
		{ name: .kind, s: (.elapsed_s / $t) }] | group_by(.name) |
		map({ name: .[0].name, s: (map(.s) | add / length) })' "$1"
}
# ends FILE: where the pieces of a bar end, in microseconds
ends() {
	seconds "$1" | jq -r --argjson order "$order" '. as $all |
		reduce $order[] as $n ([]; . + [((last // 0) + ($all[] | select(.name == $n) | .s))]) |
		.[] * 1e6 | round'
}
order=$(longest_first)
# drawn_ends COLUMN BAR: the same of the script that gnuplot was given
drawn_ends() {
	awk -v col="$1" -v bar="$2" '/^\$k/ { on = 1; next } /^EOD/ { on = 0 }
		on && NF > 1 && $2 == bar { at = $col } on && NF > 1 && $2 == bar && (NF > 2 || ++n % 2 == 0) { printf "%.0f\n", at * 1e6 }' drawn
}
for form in svg png pdf ps; do
	LOADMIX_GNUPLOT=./keep run 0 "kinds as $form" "$LOADMIX" plot old.jsonl new.jsonl --figure kinds --tasks 2 -o "made/k.$form"
	equal "says nothing" "$(cat err)" ""
	check "is drawn" test "$(stat -c %s made/k.$form)" -gt 1000
	equal "the pieces of the base end where they should" "$(drawn_ends 4 0)" "$(ends old.jsonl)"
	equal "those of the new set, too" "$(drawn_ends 4 1)" "$(ends new.jsonl)"
done
equal "three pieces a bar" "$(drawn_ends 4 0 | wc -l)" 3
check "the load is told" grep -qF 'kinds.mix: time of a task by job kind at 2 tasks' made/k.svg
widest() { wc -L <"$1"; }
# the blank part of a line is left out, and a chart has a margin
as_wide() { check "$1: $2 columns" test "$(widest "$3")" -le "$2" -a "$(widest "$3")" -gt $(($2 - 5)); }
LOADMIX_GNUPLOT=./keep run 0 "kinds in the terminal" "$LOADMIX" plot old.jsonl new.jsonl --figure kinds --tasks 2 --term
equal "rows end where they should" "$(drawn_ends 1 0)" "$(ends old.jsonl)"
as_wide "kinds" 80 out
for kind in signal_test add_long add_int; do
	check "$kind has a row of characters and is named" grep -qE "[#\$%]+$kind" out
done
run 0 "a load is chosen" "$LOADMIX" plot old.jsonl --figure kinds -o made/k1.svg
check "of a set alone the largest" grep -qF 'at 2 tasks' made/k1.svg
run 2 "a load that is not there" "$LOADMIX" plot old.jsonl --figure kinds --tasks 3 --term
holds "is told" "$(cat err)" 'no valid step of 3 tasks tells the time of job kinds'
run 2 "kinds that nobody tells" "$LOADMIX" plot "$posted" --figure kinds --term
run 2 "half a load" "$LOADMIX" plot old.jsonl --figure kinds --tasks 1.5 --term
run 2 "a load of a figure over tasks" "$LOADMIX" plot old.jsonl --tasks 2 --term
run 2 "kinds as lines" "$LOADMIX" plot old.jsonl --figure kinds --style lines --term
run 2 "kinds on a logarithmic axis" "$LOADMIX" plot old.jsonl --figure kinds --log x --term

# --- in the terminal -----------------------------------------------------------------------------
# on_terminal COLUMNS COMMAND: its output on a terminal of so many columns
on_terminal() {
	script -qec "stty cols $1 rows 40; $2" /dev/null </dev/null | tr -d '\r'
}
escapes() { grep -c $'[\x1b\x0c]' "$1"; }
export TERM=xterm
run 0 "plot in a pipe" "$LOADMIX" plot odd0.jsonl odd1.jsonl --term
as_wide "in a pipe" 80 out
equal "no blanks at the ends of lines" "$(grep -c ' $' out)" 0
equal "the last line is the command" "$(tail -n1 out)" "# again: loadmix plot odd0.jsonl odd1.jsonl --term"
equal "no escape sequences" "$(escapes out)" 0
holds "labels are there" "$(cat out)" '5\.10\.0-rc1\+ "quoted"'
if command -v script >/dev/null; then
	on_terminal 200 "TERM=dumb $LOADMIX plot odd0.jsonl --term" >dumb
	as_wide "TERM=dumb" 80 dumb
	equal "TERM=dumb: no escape sequences" "$(escapes dumb)" 0
	on_terminal 200 "$LOADMIX plot odd0.jsonl --term" >wide
	sed 's/\x1b\[[0-9;]*m//g' wide >wide.plain
	as_wide "a wide one" 200 wide.plain
	check "in colour" test "$(escapes wide)" -gt 0
	on_terminal 80 "NO_COLOR=1 $LOADMIX plot odd0.jsonl --term" >plain
	equal "NO_COLOR" "$(escapes plain)" 0
else
	skip "on a terminal: script is missing"
fi

# --- trouble -------------------------------------------------------------------------------------
# without TEXT PROGRAM PATTERN: what happens when LOADMIX_GNUPLOT is PROGRAM
without() {
	rm -f made/t.*
	LOADMIX_GNUPLOT=$2 run 3 "$1: a page" "$LOADMIX" report odd0.jsonl odd1.jsonl -o made/t.html
	holds "$1: is told" "$(cat err)" "$3"
	holds "$1: the page is there" "$(cat err)" "'made/t.html' has the tables, but no pictures"
	whole made/t.html "$1"
	holds "$1: the page tells it, too" "$(cat made/t.html)" 'There are no pictures'
	equal "$1: no pictures" "$(charts made/t.html)" 0
	equal "$1: all tables" "$(grep -c '<details open>' made/t.html)" 6
	LOADMIX_GNUPLOT=$2 run 3 "$1: PostScript" "$LOADMIX" report odd0.jsonl -o made/t.ps
	LOADMIX_GNUPLOT=$2 run 3 "$1: a plot" "$LOADMIX" plot odd0.jsonl -o made/t.svg
	holds "$1: a plot tells" "$(cat err)" "$3"
	LOADMIX_GNUPLOT=$2 run 3 "$1: in the terminal" "$LOADMIX" plot odd0.jsonl --term
	equal "$1: nothing else is left" "$(cd made && echo t.*)" t.html
}
without "gnuplot missing" nowhere/gnuplot "no program 'nowhere/gnuplot'.*gnuplot-nox"
without "gnuplot failing" ./fail 'gnuplot failed with status 7: it went wrong'
without "gnuplot mute" ./mute 'gnuplot drew nothing'

echo old >made/old.html
run 2 "what exists is left alone" "$LOADMIX" report odd0.jsonl -o made/old.html
equal "untouched" "$(cat made/old.html)" old
run 3 "a place that cannot be written" "$LOADMIX" report odd0.jsonl -o made/nowhere/x.html
run 3 "a full device" "$LOADMIX" report odd0.jsonl -o /dev/full
run 3 "a plot to a full device" "$LOADMIX" plot odd0.jsonl --format svg -o /dev/full
run 0 "standard output" "$LOADMIX" report odd0.jsonl -o -
cp out made/stdout.html
whole made/stdout.html "standard output"
"$LOADMIX" report odd0.jsonl -o - >/dev/full 2>err
equal "full standard output" $? 3
run 2 "results that cannot be read" "$LOADMIX" report none.jsonl -o made/none.html

MARK=kill$$ LOADMIX_GNUPLOT=./hang "$LOADMIX" report odd0.jsonl -o made/kill.html >/dev/null 2>&1 &
killed=$!
for _ in {1..100}; do
	[ "$(processes_of kill$$ | wc -l)" -ge 3 ] && break
	sleep 0.1
done
kill -TERM $killed
wait $killed
equal "a signal ends it" $? 143
equal "nothing runs on" "$(processes_of kill$$)" ""
check "no file is left" test ! -e made/kill.html

# --- in a browser --------------------------------------------------------------------------------
# A frame of each width; a script of ours looks into it. The page's own policy forbids all loading,
# so that any try is an error in the console.
frames() {
	local w
	for w in 1280 390; do
		printf '<iframe src="%s" width="%s" height="900" style="border:0"></iframe>\n' "$1" $w
	done
	cat <<'JS'
<pre id="got">nothing</pre>
<script>
onload = function () {
	var got = [];
	document.querySelectorAll('iframe').forEach(function (f) {
		var d = f.contentDocument, w = f.clientWidth, n = 0, bad = 0, touch = 0, small = 0;
		d.querySelectorAll('svg').forEach(function (s) {
			var b = s.getBoundingClientRect();
			n++;
			bad += b.left < 0 || b.right > w || b.width < 200;
			var boxes = [];
			s.querySelectorAll('text').forEach(function (t) {
				var r = t.getBoundingClientRect();
				if (t.textContent.trim() === '')
					return;
				small += parseFloat(getComputedStyle(t).fontSize) * t.getScreenCTM().a < 11 &&
					t.getScreenCTM().b === 0;
				boxes.forEach(function (o) {
					touch += r.left < o.right && o.left < r.right &&
						r.top + 2 < o.bottom && o.top + 2 < r.bottom;
				});
				boxes.push(r);
				bad += r.left < b.left - 1 || r.right > b.right + 1 || r.bottom > b.bottom + 1;
			});
		});
		got.push(w + ': ' + n + ' charts, ' + bad + ' outside, ' + touch + ' touch, ' +
			small + ' too small, page ' +
			(d.documentElement.scrollWidth <= w ? 'fits' : 'too wide'));
	});
	document.getElementById('got').textContent = got.join('; ');
};
</script>
JS
}
browser=$(command -v chromium || command -v chromium-browser || true)
browse() {
	HOME=$T timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage \
		--allow-file-access-from-files --enable-logging=stderr --user-data-dir="$T/profile" \
		--dump-dom "file://$T/made/frames.html" >dom 2>console
}
if [ -n "$browser" ] && frames posted.html >made/frames.html && browse; then
	printf '1 %s\n' signal_test add_long add_int add_short mul_long mul_int mul_short div_long div_int \
		shared_memory >many
	"$LOADMIX" run ./many --jobs 20 --tasks 1,2 --no-sync --dir d --output many.jsonl >/dev/null 2>&1
	"$LOADMIX" report A=many.jsonl B=many.jsonl -o made/many.html 2>err # a legend of two columns
	for page in odd:6 big:6 many:6 posted:4 bad:5; do
		frames "${page%:*}.html" >made/frames.html
		browse
		n=${page#*:}
		equal "${page%:*}: every chart is inside the page" "$(sed -n 's/.*<pre id="got">\([^<]*\)<.*/\1/p' dom)" \
			"1280: $n charts, 0 outside, 0 touch, 0 too small, page fits; 390: $n charts, 0 outside, 0 touch, 0 too small, page fits"
		equal "${page%:*}: nothing in the console" "$(grep -F 'CONSOLE' console)" ""
	done
else
	skip "in a browser: chromium is missing or does not run here"
fi

# --- a signal while gnuplot draws ----------------------------------------------------------------
printf '#!/bin/sh\n: >draws\nwhile [ ! -e go ]; do sleep 0.05; done\nexec gnuplot "$@"\n' >waits
chmod +x waits
LOADMIX_GNUPLOT=./waits env --ignore-signal=HUP "$LOADMIX" plot odd0.jsonl -o hup.svg >out 2>err &
pid=$!
await test -e draws
kill -HUP $pid
sleep 1
: >go
wait $pid
equal "a signal that the caller ignores does not end it" $? 0
check "the picture is there" test -s hup.svg
rm draws go
LOADMIX_GNUPLOT=./waits "$LOADMIX" plot odd0.jsonl -o term.svg >out 2>err &
pid=$!
await test -e draws
kill -TERM $pid
wait $pid
equal "one that he does not ignore ends it" $? 143
equal "and leaves no picture" "$(ls term.svg* 2>/dev/null)" ""

# --- the gnuplot that hangs ----------------------------------------------------------------------
wait $hanging
equal "a gnuplot that hangs is ended" $? 3
holds "and it is told" "$(cat hang.err)" 'gnuplot was not done after 30 s and was ended'
equal "nothing of it runs on" "$(processes_of hang$$)" ""
whole made/hang.html "gnuplot hanging"
finish
