#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Results in another form: nothing is lost without a word, and what is read again is what was written.
. "$(dirname "$0")/lib.sh"

lm_convert() { "$LOADMIX" convert "$@"; }
# steps_of FIELDS FILE: the label and these fields of each step of a journal
steps_of() {
	jq -r -n "foreach inputs as \$l (\"\"; if \$l.type == \"run\" then \$l.label else . end;
		. as \$name | \$l | select(.type == \"step\") | [\$name, $1] | @tsv)" "$2"
}
figures='.tasks, .jobs_per_min, .real_s, .cpu_s'

# --- labels and rows through suite7.ss ----------------------------------------------------------
cat >odd.csv <<'E'
label,tasks,jobs_per_min,real,cpu
2.5.69,4,120.9,200.5,32.8
2.5.69,32,130.5,1485.7,250
"2.6.0, with ""commas"" and quotes",4,121.5,199.5,33
two words,4,118.5,204.5,30.5
a | bar,4,110.5,219.5,
Tasks,4,111.5,217.5,31
E
# rows_survive NAME FILE: FILE has a row a line below its head
rows_survive() {
	lm_convert "$2" --to suite7 >"$1.ss" && lm_convert "$1.ss" --to journal >"$1.jsonl"
	lm_convert "$2" --to journal >"$1.direct.jsonl"
	equal "$1: every row and label" "$(steps_of "$figures" "$1.jsonl")" "$(steps_of "$figures" "$1.direct.jsonl")"
	equal "$1: as many as there are" "$(grep -c '"type":"step"' "$1.jsonl")" "$(($(wc -l <"$2") - 1))"
	equal "$1: no version is made up of a label" \
		"$(jq -c 'select(.type=="run") | [.version, .machine == .label]' "$1.jsonl" | sort -u)" '[null,true]'
}
rows_survive odd odd.csv
holds "what is not told is a dash" "$(cat odd.ss)" $'^-\t"-"\t2.5.69\t-$'
equal "a label with commas" "$(jq -r 'select(.type=="run").label' odd.jsonl | sed -n 2p)" '2.6.0, with "commas" and quotes'
tr '\t' ' ' <odd.ss >blanks.ss
equal "also when tabs have become blanks" "$(lm_convert blanks.ss --to journal | jq -r 'select(.type=="run").label')" \
	"$(jq -r 'select(.type=="run").label' odd.jsonl)"
handed=${LOADMIX_SHARED:-$LOADMIX_SRC/../shared}/data/handed
for seed in dbase fserver shared; do
	if [ -r "$handed/seed-$seed.tsv" ]; then
		rows_survive "$seed" "$handed/seed-$seed.tsv"
		equal "$seed: the figures of the file" "$(steps_of "$figures" "$seed.jsonl" | sort)" \
			"$(awk -F'\t' 'NR > 1 { print $1 "\t" $2 + 0 "\t" $3 + 0 "\t" $4 + 0 "\t" $5 + 0 }' "$handed/seed-$seed.tsv" | sort)"
	else
		skip "seed-$seed.tsv is not here"
	fi
done

# --- what a form cannot hold --------------------------------------------------------------------
cat >part.csv <<'E'
label,tasks,jobs_per_min,real_s,jti,user_s,valid
k,1,100.5,60.5,99,,yes
k,2,150.5,80.5,98,,no
k,3,,,97,5,yes
k,4,,,,6,yes
E
run 0 "to suite7" "$LOADMIX" convert part.csv --to suite7
holds "an INVALID step is told" "$(cat err)" '^loadmix: warning: 1 INVALID step is left out: suite7 has no mark'
holds "so is one without a column" "$(cat err)" '^loadmix: warning: 1 step is left out: suite7 has no column'
equal "the others are there" "$(grep -c '^[13]	' out)$(grep -c '^[24]	' out)" 20
run 0 "to posted" "$LOADMIX" convert part.csv --to posted
holds "INVALID there" "$(cat err)" '1 INVALID step is left out: posted'
holds "two without a column" "$(cat err)" '2 steps are left out: posted has no column'
run 0 "to csv" "$LOADMIX" convert part.csv --to csv
equal "leaves nothing out" "$(wc -l <out)$(cat err)" 5

# --- runs of our own ----------------------------------------------------------------------------
mkdir d
printf '10 add_int\n10 pipe_cpy\n' >mix
check "a run" "$LOADMIX" run ./mix --jobs 20 --tasks 1,2 --repeat 2 --dir d --output r.jsonl
"$LOADMIX" run ./mix --jobs 20 --tasks 1,3 --dir d --output q.jsonl >table 2>/dev/null
check "a run in single mode" "$LOADMIX" single add_int pipe_cpy --period 0.05 --dir d --output s.jsonl
for form in suite7 posted; do
	run 2 "single mode to $form" "$LOADMIX" convert s.jsonl --to $form
	holds "is refused" "$(cat err)" "^loadmix: s.jsonl:1: is of 'loadmix single', and .* no place for the names of kinds"
	equal "with nothing written" "$(cat out)" ""
done
equal "csv names the kinds" "$(lm_convert s.jsonl --to csv | sed 's/.*,//' | tr '\n' ' ')" "kind add_int pipe_cpy "
equal "a block an iteration" "$(lm_convert r.jsonl --to suite7 | grep -c ^Benchmark)" 2
started=$(jq -r 'select(.type=="run").started' r.jsonl)
for zone in XXX-5:30 XXX4 UTC; do
	equal "local time in $zone" "$(TZ=$zone "$LOADMIX" convert r.jsonl --to suite7 | sed -n 2p | cut -f4)" \
		"$(TZ=$zone LC_ALL=C date -d "$started" '+%b %e %H:%M:%S %Y')"
done

# --- JSON has what the journal has --------------------------------------------------------------
for file in r s; do
	lm_convert $file.jsonl --to json >$file.json
	equal "$file: every field of every step" "$(jq -cS '.[0].steps[] | del(.line)' $file.json)" \
		"$(jq -cS 'select(.type=="step") | del(.type)' $file.jsonl)"
	equal "$file: plan, mix, warnings and environment" "$(jq -cS '.[0] | [.plan, .mix, .warnings, .environment]' $file.json)" \
		"$(jq -cS 'select(.type=="run") | [.plan, .mix, .warnings, .environment]' $file.jsonl)"
done
check "where it was found" jq -e '.[0] | .source == "r.jsonl" and .line == 1 and .steps[1].line == 3 and .complete' r.json

# --- labels of journals -------------------------------------------------------------------------
equal "a journal stays as it is" "$(lm_convert r.jsonl --to journal)" "$(cat r.jsonl)"
lm_convert 'New "one"=r.jsonl' --to journal >named.jsonl
equal "LABEL=FILE is its label" "$(jq -r 'select(.type=="run").label' named.jsonl)" 'New "one"'
equal "and nothing else changes" "$(jq -cS 'if .type=="run" then .label="" else . end' named.jsonl)" "$(jq -cS . r.jsonl)"
lm_convert A=r.jsonl B=q.jsonl --label B --label A --to journal >named.jsonl
equal "also in another order" "$(jq -r 'select(.type=="run").label' named.jsonl | tr '\n' ' ')" "B A "
lm_convert P=part.csv --to journal >p.jsonl
equal "and of a run from elsewhere" "$(lm_convert Q=p.jsonl --to journal | jq -r 'select(.type=="run").label')" Q

# --- csv, read again ----------------------------------------------------------------------------
again='.index, .iteration, .tasks, .jobs_per_task, .jobs_per_min, .real_s, .cpu_s, .jti, .user_s, .system_s,
	.jobs_per_min_task, .jobs_per_s_task, .stddev_s, .valid, .ended'
lm_convert R=r.jsonl,q.jsonl --to journal >two.jsonl
lm_convert two.jsonl --to csv >two.csv
run 0 "csv to journal" "$LOADMIX" convert two.csv --to journal --output back.jsonl
equal "no note" "$(cat err)" ""
equal "every step with its figures" "$(steps_of "$again" back.jsonl)" "$(steps_of "$again" two.jsonl)"
equal "two runs of one label stay two" \
	"$(jq -c 'select(.type=="run") | [.label, .workload, .started, .jobs_per_task]' back.jsonl)" \
	"$(jq -c 'select(.type=="run") | [.label, .plan.workload, .started, .jobs_per_task]' two.jsonl)"
equal "no column is left over" "$(jq -c 'select(.type=="step").system' back.jsonl | sort -u)" '{}'
run 0 "the table" "$LOADMIX" convert table --to journal
rows='select(.type=="step") | [.tasks, .jti, (.jobs_per_min*100|round), (.real_s*100|round)] | @tsv'
equal "has its rows" "$(jq -r "$rows" out)" "$(jq -r "$rows" q.jsonl)"
for form in csv markdown; do
	"$LOADMIX" compare A=r.jsonl B=q.jsonl --format $form >study 2>/dev/null
	check "a comparison as $form" test -s study
	run 2 "is no result" "$LOADMIX" convert study --to journal
done

# --- AIM7's delay -------------------------------------------------------------------------------
# taken FILE: real of its first step, once the delay was asked to be taken out
taken() { lm_convert "$1" --aim7-delay --to journal 2>err | jq 'select(.type=="step").real_s' | sed -n 1p; }
equal "taken out of AIM7's" "$(taken odd.ss)" 190.5
for form in journal suite7 posted csv; do
	lm_convert odd.ss --aim7-delay --to $form >once 2>/dev/null
	equal "once, by way of $form" "$(taken once)" 190.5
done
lm_convert odd.ss --aim7-delay --to journal >once
equal "the journal says so" "$(jq 'select(.type=="run").environment == {posted: {aim7_delay_taken_s: 10}}' once | sort -u)" true
taken once >/dev/null
holds "and whoever asks again is told" "$(cat err)" '^once:1: AIM7.s delay was taken out of this run before'
for form in suite7 posted csv; do
	lm_convert q.jsonl --to $form >ours
	lm_convert ours --to journal >ours.jsonl
	equal "$form of ours has none" "$(taken ours)" "$(jq 'select(.type=="step").real_s' ours.jsonl | sed -n 1p)"
done
run 0 "with and without it" "$LOADMIX" convert odd.ss q.jsonl --to posted
holds "in one table is told" "$(cat err)" "some of these times have AIM7's 10 idle seconds"


# --- a workload of one's own ---------------------------------------------------------------------
printf 'ourmix workload\nkernel Tasks Jobs/Min Real CPU\nk1 32 477.6 398.0 149.3\n' >own.txt
run 0 "a workload of one's own" "$LOADMIX" convert own.txt --to posted --output own2.txt
run 0 "read again" "$LOADMIX" convert own2.txt --to csv
equal "is the same" "$(sed -n 2p out | cut -d, -f2,3)" "k1,ourmix"

# --- tables that headings tell apart -------------------------------------------------------------
for fs in ext3 xfs; do
	printf 'On %s:\nkernel Tasks Jobs/Min Real CPU\n' $fs
	[ $fs = ext3 ] && printf '2.5.69 4 1000.0 24.0 40.1\n2.5.70 4 1200.0 20.0 40.1\n\n'
	[ $fs = xfs ] && printf '2.5.69 4 1200.0 20.0 20.1\n2.5.70 4 1000.0 24.0 20.1\n'
done >apart.txt
run 0 "two headings" "$LOADMIX" convert apart.txt --to csv
equal "are a workload each" "$(sed 1d out | cut -d, -f2,3,9 | tr '\n' ' ')" \
	"2.5.69,On ext3,1000 2.5.69,On xfs,1200 2.5.70,On ext3,1200 2.5.70,On xfs,1000 "
lm_convert apart.txt --to posted >apart2.txt
equal "also read again" "$(lm_convert apart2.txt --to csv)" "$(cat out)"
"$LOADMIX" compare apart.txt >study 2>/dev/null
equal "and compared with their like" "$(grep -c -e 'jobs/min .* +20.0 %' -e 'jobs/min .* -16.7 %' study)" 2

# --- what is told is no good result ----------------------------------------------------------------
{
	printf 'kernel Tasks Jobs/Min Real CPU\n'
	for i in 1 2 3 4 5; do printf '2.5.69 my patch 4 100%d 24 3\n2.5.70 my patch 4 100%d 24 3\n' $i $i; done
} >sound.txt
"$LOADMIX" gate sound.txt --fail-above 5% >/dev/null 2>&1
equal "whole tables are good" $? 0
for row in '2.5.70 my patch 4 2O00 23 39' '2.5.70 my patch 4 INVALID' '2.5.70 my patch 4 100 24' \
	'Tasks Jobs/Min Real Jobs/Min Real'; do
	{
		cat sound.txt
		echo "$row"
	} >unsound.txt
	"$LOADMIX" gate unsound.txt --fail-above 5% >/dev/null 2>err
	equal "with '$row' it cannot be told" $? 125
	holds "and the line is named" "$(cat err)" '^unsound.txt:12: '
done

# --- what is easily lost --------------------------------------------------------------------------------
# reads TEXT TABLE ROWS [NOTES]: of the table come these rows, "label|workload|tasks jobs/min;", and notes on these lines
reads() {
	printf "$2" >table
	"$LOADMIX" convert table --to journal >out 2>err
	equal "$1: what is read" "$(jq -rn 'foreach inputs as $l (null; if $l.type == "run" then $l else . end; . as $r | $l |
		select(.type == "step") | "\($r.label)|\($r.workload // "")|\(.tasks) \(.jobs_per_min + 0);")' out | tr -d '\n')" "$3"
	equal "$1: lines that are told" "$(grep -oE '^table:[0-9]+' err | cut -d: -f2 | tr '\n' ' ')" "${4-}"
}
head='kernel Tasks Jobs/Min Real CPU\n'
reads "a damaged number behind a kernel of several words" \
	"${head}2.5.69 my patch 8 2O00 23 39\n2.5.69 my patch 16 3000 23 39\n" '2.5.69 my patch||16 3000;' '2 '
reads "a row that is short" "${head}2.5.69 my patch 4 100 24 3\n2.5.69 my patch 8 100 24\n" '2.5.69 my patch||4 100;' '3 '
reads "rows without figures" "${head}2.5.69 4 100 24 3\n2.5.70 8 INVALID\n2.5.69 32 failed\n2.5.70 4 110 24 3\n" \
	'2.5.69||4 100;2.5.70||4 110;' '3 4 '
reads "the same without kernels" 'Tasks Jobs/Min JTI Real\n4 100 90 24\n8 INVALID\n16 oops\n32 300 90 24\n' \
	'table||4 100;table||32 300;' '3 4 '
reads "prose below rows" "${head}2.5.69 4 100 24 3\nwhich is as fast as it was\n" '2.5.69||4 100;'
reads "labels that were wrapped" \
	"${head}2.5.71 with a long\nname 8 1000.5 24.0 40.1\n2.5.72 with a long\nname 8 2000.5 12.0 40.1\n" \
	'2.5.71 with a long name||8 1000.5;2.5.72 with a long name||8 2000.5;'
reads "a row behind its label" "${head}2.5.71-rc1-with-a-name\n8 1000.5 24.0 40.1\n" '2.5.71-rc1-with-a-name||8 1000.5;'
reads "a caption that is no label" "${head}2.5.69 4 100 24 3\n2.5.70 is this:\n2.5.70 4 110 24 3\n" \
	'2.5.69||4 100;2.5.70||4 110;'
reads "tables side by side" 'Tasks Jobs/Min Real CPU Jobs/Min Real CPU\n4 100 24 3 110 22 3\n' '' '1 '
reads "kernels side by side" 'kernel Tasks Jobs/Min Real kernel Tasks Jobs/Min Real\n2.5.69 4 100 24 2.5.70 4 110 22\n' \
	'2.5.69||4 100;2.5.70||4 110;'
reads "headings that tell tables apart" \
	"On ext3:\n${head}a1 4 1000 24 40\nb1 4 1200 20 40\n\nOn xfs:\n${head}a1 4 1200 20 20\nb1 4 1000 24 20\n" \
	'a1|On ext3|4 1000;a1|On xfs|4 1200;b1|On ext3|4 1200;b1|On xfs|4 1000;'
reads "headings of other loads" "Few:\n${head}a1 4 1000 24 40\n\nMany:\n${head}a1 8 1200 20 20\n" 'a1||4 1000;a1||8 1200;'
reads "no headings: repeats" "${head}a1 4 1000 24 40\n\n${head}a1 4 1200 20 20\n" 'a1||4 1000;a1||4 1200;'
reads "workloads as headings" "dbase:\n${head}a1 4 1000 24 40\nAIM7 fserver:\n${head}a1 4 1200 20 20\n" \
	'a1|dbase|4 1000;a1|fserver|4 1200;'
reads "a kernel in two columns" 'kernel config Tasks Jobs/Min Real\n2.6.0 up 4 1000.5 24\n2.6.0 smp 4 2100.5 12\n' \
	'2.6.0 up||4 1000.5;2.6.0 smp||4 2100.5;'
reads "the same in Markdown" '| kernel | config | Tasks | Jobs/Min | Real |\n|---+---+---|\n| 6.1 | up | 4 | 1000.5 | 24 |\n| 6.1 | smp | 4 | 2100.5 | 12 |\n' \
	'6.1 up||4 1000.5;6.1 smp||4 2100.5;'
reads "bars without edges" 'Kernel | Tasks | Jobs/Min | Real\n-------+-------+----------+-----\n2.5.69 |     4 |    100.5 | 24.0\n2.5.70 |     4 |    110.5 | 24.0\n' \
	'2.5.69||4 100.5;2.5.70||4 110.5;'
reads "versions of one dot" 'version,tasks,jobs_per_min,real_s\n6.1,4,100,20\n6.6.3,4,110,20\n6.1,8,200,20\n' \
	'6.1||4 100;6.1||8 200;6.6.3||4 110;'
printf 'valid,tasks,jobs_per_min,real_s\nINVALID,4,100.1,20\nyes,8,200,20\n' >table
equal "INVALID in a column of its own" "$(lm_convert table --to journal | jq -c 'select(.type=="step") | [.tasks, .valid]' | tr '\n' ' ')" \
	'[4,false] [8,true] '
"$LOADMIX" single pipe_cpy add_int --period 0.02 --output alone.jsonl >/dev/null 2>&1
lm_convert alone.jsonl --to csv >alone.csv
equal "a csv of kinds has them when it is read" "$(lm_convert alone.csv --to csv)" "$(cat alone.csv)"
equal "also by way of a journal" "$(lm_convert alone.csv --to journal | "$LOADMIX" convert - --to csv)" "$(cat alone.csv)"
run 2 "as posted" "$LOADMIX" convert alone.csv --to posted
holds "they have no place" "$(cat err)" "no place for the names of kinds"
equal "they are compared one by one" "$("$LOADMIX" compare A=alone.csv B=alone.jsonl | grep -cE '^single, (pipe_cpy|add_int): A -> B$')" 2

# --- labels that a form cannot hold ------------------------------------------------------------------
printf 'kernel Tasks Jobs/Min Real CPU\n2.5.69 4 120.9 200.5 30.1\n' >one
for label in 'run 4' '# x' INVALID; do
	run 0 "a label that is no word: $label" "$LOADMIX" convert "$label=one" --to posted
	holds "is told" "$(cat err)" "^loadmix: warning: the label '$label' cannot be read back from posted"
	run 0 "csv has it" "$LOADMIX" convert "$label=one" --to csv
	equal "and nothing to tell" "$(cat err)" ""
done
for form in posted suite7 csv journal; do
	run 0 "a label of three words as $form" "$LOADMIX" convert 'my own kernel=one' --to $form
	equal "is nothing to tell" "$(cat err)" ""
done
run 0 "json" "$LOADMIX" convert 'run 4=one' --to json
equal "has every label" "$(cat err) $(jq -r '.[0].label' out)" " run 4"
finish
