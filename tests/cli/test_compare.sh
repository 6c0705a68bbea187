#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Results side by side: real runs of a kind that was made slower, posted tables, the gate, bisection.
. "$(dirname "$0")/lib.sh"
mkdir d

# --- a kind that is slower on one side ----------------------------------------------------------
# twin MICROSECONDS: a plug-in whose kind sleeps so long
twin() {
	cat >twin.c <<C
#include <loadmix/job.h>
#include <unistd.h>
static enum lm_outcome twin(struct lm_job_ctx *ctx)
{
	(void)ctx;
	usleep($1);
	return LM_JOB_OK;
}
static const struct lm_job jobs[] = {
	{ .name = "twin", .unit = "Sleeps", .class = LM_CLASS_PROCESS, .factor = 1, .run = twin },
	{ 0 },
};
extern const struct lm_plugin loadmix_plugin;
const struct lm_plugin loadmix_plugin = { LM_JOB_ABI, jobs };
C
	"${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -shared -fPIC -I"$LOADMIX_SRC/include" -o "twin$1.so" twin.c
}
printf '10 twin\n10 pipe_cpy\n10 udp_test\n' >mix
# calm FILE: what else ran on the machine is not what is tested
calm() { sed -i '1s/"warnings":\[[^]]*\]/"warnings":[]/' "$1"; }
# measure NAME MICROSECONDS REPEATS OPTION...
measure() {
	local name=$1 us=$2 repeats=$3
	shift 3
	"$LOADMIX" run ./mix --plugin "./twin$us.so" --jobs 30 --tasks 1,2 --repeat "$repeats" --dir d \
		--no-sync --output "$name.jsonl" "$@" >/dev/null 2>&1 && calm "$name.jsonl"
}
check "a plug-in that sleeps" twin 20000
check "its slower twin" twin 100000
# a machine that stands still for seconds makes noise in which nothing can be told: then measure again
for _ in 1 2 3; do
	rm -f base.jsonl slow.jsonl same.jsonl
	check "five repeats of the base" measure base 20000 5 --label base
	check "five repeats with the slower twin" measure slow 100000 5 --label slow
	check "five more of the base" measure same 20000 5 --label same
	"$LOADMIX" compare base.jsonl slow.jsonl --format json | jq -e '[.comparisons[0].loads[].figures |
		.jobs_per_min, .real_s | .significant] | all' >/dev/null && break
done

run 0 "compare" "$LOADMIX" compare base.jsonl slow.jsonl
holds "jobs/min is significantly worse" "$(cat out)" '^ +2 +jobs/min .* -[0-9.]+ % .*WORSE$'
holds "blame names the twin" "$(cat out)" '^Which jobs, at 1 task: \+[0-9.e+]+ s of \+[0-9.e+]+ s a task in twin[, ]'
holds "the command repeats it" "$(cat out)" '^# again: loadmix compare base.jsonl slow.jsonl$'
# fnv1a FILE: the hash as its authors define it
fnv1a() {
	python3 -c 'import sys
h = 0xcbf29ce484222325
for byte in open(sys.argv[1], "rb").read():
    h = ((h ^ byte) * 0x100000001b3) % 2**64
print("fnv1a:%016x" % h)' "$1"
}
holds "another plug-in is suspicious" "$(cat out)" "^  ! mix\\.twin\\.digest: $(fnv1a twin20000.so) -> $(fnv1a twin100000.so)$"
holds "more than where it was" "$(cat out)" "^  \\(expected\\) mix\\.twin\\.file: $T/twin20000\\.so -> $T/twin100000\\.so$"
equal "the same one is not told of" "$("$LOADMIX" compare base.jsonl same.jsonl | grep -c 'mix\.twin')" 0
run 0 "as JSON" "$LOADMIX" compare base.jsonl slow.jsonl --format json
equal "the twin makes most of the change at every load" \
	"$(jq -c '[.comparisons[0].loads[].blame.kinds[0].kind]' out)" '["twin","twin"]'
equal "the shares add up" \
	"$(jq -c '[.comparisons[0].loads[].blame | [.kinds[].share_percent] | add | . > 99.999 and . < 100.001]' out)" \
	'[true,true]'
# 10 of 30 jobs sleep 80 ms longer: 800 ms a task at least
equal "the change is what the sleep is longer" \
	"$(jq -c '[.comparisons[0].loads[].blame.kinds[0].change_s > 0.6]' out)" '[true,true]'
run 0 "the plug-ins differ and are told" "$LOADMIX" compare base.jsonl slow.jsonl
run 0 "blame can be left out" "$LOADMIX" compare base.jsonl slow.jsonl --blame=never
equal "left out" "$(grep -c 'Which jobs' out)" 0
run 0 "blame can be asked for" "$LOADMIX" compare base.jsonl same.jsonl --blame=always
equal "at both loads" "$(grep -c 'Which jobs' out)" 2
run 0 "sets of files" "$LOADMIX" compare A=base.jsonl,same.jsonl B=slow.jsonl --format json
equal "repeats are pooled" "$(jq -c '[.comparisons[0].loads[].figures.jobs_per_min | .base.n, .new.n]' out)" '[10,5,10,5]'
equal "under the label given" "$(jq -r '.comparisons[0].base' out)" A
run 0 "three sets" "$LOADMIX" compare base.jsonl same.jsonl slow.jsonl --format csv
equal "each against the base" "$(cut -d, -f2,3 out | sort -u | tr '\n' ' ')" "base,new base,same base,slow "
run 0 "minimum, average, maximum" "$LOADMIX" compare base.jsonl slow.jsonl --stats minmax --figure real
holds "as a row a side" "$(cat out)" '^ +1 +real +base +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +5$'
holds "with the change below" "$(cat out)" '^ +1 +real +[0-9.]+ +5 +[0-9.]+ +5 .*WORSE$'
run 0 "posted" "$LOADMIX" compare base.jsonl slow.jsonl --format posted
holds "the command repeats it" "$(cat out)" '^# again: loadmix compare base.jsonl slow.jsonl --format posted$'
holds "posted rows" "$(cat out)" '^slow +2 +[0-9.]+ +[0-9.]+ +[0-9.]+$'
run 0 "robot" "$LOADMIX" compare base.jsonl slow.jsonl --format robot
holds "robot rows" "$(cat out)" ' -[0-9.]+% .* jobs_per_min$'
run 0 "markdown" "$LOADMIX" compare base.jsonl slow.jsonl --format markdown
holds "markdown rows" "$(cat out)" '^\| 2 \| jobs/min \| .*\*\*-[0-9.]+ %\*\* \|.* worse \|$'

# --- figures that are known ----------------------------------------------------------------------
# step INDEX TASKS JOBS_PER_MIN TWIN USER OTHER: a valid step of 100 s, in which the kind twin took TWIN s,
# USER of them user time, and the kind other took OTHER s
step() {
	jq -cn --argjson i "$1" --argjson tasks "$2" --argjson rate "$3" --argjson twin "$4" --argjson user "$5" \
		--argjson other "$6" 'def kind(name; s; user): { kind: name, unit: "x", jobs: $tasks, operations: $tasks, elapsed_s: s,
			user_s: user, system_s: 0, min_s: s, median_s: s, p99_s: s, max_s: s };
		{ type: "step", index: $i, iteration: 1, ended: null, tasks: $tasks, valid: true, jobs_per_task: null,
		jobs_done: null, file_kib: null, deadline_s: null, jobs_per_min: $rate, real_s: null, cpu_s: null,
		jti: null, user_s: null, system_s: null, jobs_per_min_task: null, jobs_per_s_task: null,
		stddev_s: null, files_s: null, ready_s: null, outside_s: null, problem_total: 0, problems: [],
		kinds: [kind("twin"; $twin; $user), kind("other"; $other; 0)], system: {} }'
}
# known LABEL JOBS_PER_TASK PLAN: the line that begins a run
known() {
	jq -cn --arg l "$1" --argjson jobs "$2" --argjson plan "$3" '{ type: "run", schema: 1, loadmix: "0",
		format: "known", "label": $l, workload: "mix", machine: null, version: null, started: null,
		jobs_per_task: $jobs, plan: $plan, mix: null, environment: {} }'
}
# ends: the line that ends a run
ends() {
	jq -cn '{ type: "end", ended: null, steps: 5, invalid: 0, peak_jobs_per_min: 1, peak_tasks: 1, complete: true,
		stopped: null, sweeps: [] }'
}
# five NAME LABEL TWIN USER OTHER RATE...: a journal of five repeats at 1 task
five() {
	local name=$1 label=$2 twin=$3 user=$4 other=$5 i=0 rate
	shift 5
	known "$label" 101 null >"$name.jsonl"
	for rate; do
		i=$((i + 1))
		step $i 1 "$rate" "$twin" "$user" "$other"
	done >>"$name.jsonl"
	ends >>"$name.jsonl"
}
five k100 k100 1 0.5 2 98 99 100 101 102
five k103 k103 5 0.5 2.5 101 102 103 104 105
five k96 k96 5 6.5 2.5 94 95 96 97 98
# variance 2.5 on either side: standard error 1, t 3 at 8 degrees of freedom, of which tables have p 0.0171;
# (2.306 + 0.889) * 1 is what can be seen. 1 s became 5 s of waiting, of 4.5 s more in all: 88.9 %
run 0 "known figures" "$LOADMIX" compare k100.jsonl k103.jsonl --blame
holds "an interval, p and what can be seen" "$(cat out)" \
	'^ +1 +jobs/min +100\.00 +5 +103\.00 +5 +\+3\.0 % +\+0\.[67] \.\. \+5\.[34] % +0\.0171 +3\.2 %$'
holds "blame in a sentence" "$(cat out)" '^Which jobs, at 1 task: \+4 s of \+4\.5 s a task in twin, all of it waiting\.$'
holds "and its share" "$(cat out)" '^ +88\.9 % +\+4\.000 +\+0\.000 +\+0\.000 +\+4\.000 .* twin$'
# user +6 s, waiting -2 s: the waiting is not all of it, and the user time is more than all
run 0 "parts of unlike signs" "$LOADMIX" compare k100.jsonl k96.jsonl
holds "are each told" "$(cat out)" 'in twin \(user \+6 s, system \+0 s, waiting -2 s\)\.$'
# t -4, beyond what can be seen
holds "a loss is marked" "$(cat out)" '^ +1 +jobs/min .* -4\.0 % .* 3\.2 %  WORSE$'
run 1 "the gate of 3 % fails" "$LOADMIX" gate k100.jsonl k96.jsonl --fail-above 3%
holds "and names the workload" "$(cat out)" '^ +1 tasks? +jobs/min +WORSE: -4\.0 %, .*\[mix\]$'
run 0 "that of 5 % does not" "$LOADMIX" gate k100.jsonl k96.jsonl --fail-above 5%

# noise of 15.8 %: standard error 10, so changes below 32 % are hidden. 5 % need 2 * 15.8^2 * 7.85 / 25 = 157
# repeats by the normal distribution, and one more or two by Student's
five far far 1 0.5 2 148 149 150 151 152
for form in text markdown; do
	run 0 "t = 50 of 8 degrees, as $form" "$LOADMIX" compare k100.jsonl far.jsonl --format $form --figure jobs_per_min
	holds "a p that no four decimals show" "$(cat out)" '\+50\.0 %.* <0\.0001 '
done
five loud loud 1 0.5 2 80 90 100 110 120
run 0 "much noise on both sides" "$LOADMIX" compare L=loud.jsonl N=loud.jsonl
holds "repeats that would do" "$(cat out)" \
	'^At 1 task changes of jobs/min below 3[12]\.[0-9] % are hidden: with 15[789] repeats on either side 5 % would be seen\.$'

# a load where one side is valid and the other INVALID is told once
{ sed '$d' k100.jsonl && step 6 2 100 1 0 2 && ends; } >more.jsonl
{
	sed '$d' k96.jsonl && step 6 2 100 1 0 2 | jq -c '.valid = false | .problem_total = 1 | .problems = ["lost"]'
	ends
} >died.jsonl
run 125 "a load that the new side did not survive" "$LOADMIX" gate more.jsonl died.jsonl --fail-above 5%
equal "is told once" "$(grep '^ *2 tasks' out)" "     2 tasks  cannot tell: every step of the new side is INVALID [mix]"

# --- doubts in every form -------------------------------------------------------------------------
five half half 1 0.5 2 98 99 100 101 102
sed '$d; s/"jobs_per_task":101/"jobs_per_task":50/' half.jsonl >half2.jsonl
step 6 1 77 1 0 2 | jq -c '.valid = false | .problem_total = 1 | .problems = ["lost"]' >>half2.jsonl
step 7 2 77 1 0 2 >>half2.jsonl
ends >>half2.jsonl
for form in text markdown robot posted json csv; do
	run 0 "other work as $form" "$LOADMIX" compare k100.jsonl half2.jsonl --format $form
	sed 's,[\],,g' out >plain
	if [ $form = csv ]; then
		equal "a column for it" "$(head -1 out | cut -d, -f25-27)" kind,jobs_differ,doubts
		equal "which says so" "$(sed -n 2p out | cut -d, -f24-26)" "1,,yes"
	else
		holds "the work as $form" "$(cat plain)" 'The work differs: 101 jobs per task in the base, 50 in the new\.'
		holds "what is left out as $form" "$(cat plain)" 'At 1 task INVALID steps are left out: 0 of the base, 1 of the new\.'
		holds "loads of one side as $form" "$(cat plain)" 'Only the new side has a valid step at 2 tasks\.'
	fi
done
run 0 "as JSON" "$LOADMIX" compare k100.jsonl half2.jsonl --format json
holds "the verdict says so" "$(jq -r .verdict out)" 'The work differs: 101 jobs per task'
equal "doubts are a list" "$(jq '.comparisons[0].doubts | length' out)" 3
run 125 "the gate cannot tell" "$LOADMIX" gate k100.jsonl half2.jsonl --fail-above 50%
holds "because of the work" "$(cat out)" '^cannot tell: The work differs: 101 jobs per task in the base, 50 in the new'
run 0 "a report" "$LOADMIX" report k100.jsonl half2.jsonl --output other.html
holds "has it, too" "$(cat other.html)" '<li>The work differs: 101 jobs per task in the base, 50 in the new'

# jobs per task that rounded rows leave open are no difference: 100 jobs in 2.345 s and 2.3 s
row() {
	printf 'Benchmark\tVersion\tMachine\tRun Date\nAIM Multiuser Benchmark - Suite VII\t"1.1"\t%s\t%s\n\nTasks\tJobs/Min\tJTI\tReal\tCPU\tJobs/sec/task\n1\t%s\t\t100\t%s\t1.1\t%s\n\n' "$@"
}
row old "Jun  1 07:17:24 2007" 2558.6 2.3 42.6439 >short1.ss
row new "Jun  1 08:17:24 2007" 2608.7 2.3 43.4783 >short2.ss
run 0 "short rows" "$LOADMIX" compare short1.ss short2.ss
equal "are not taken for other work" "$(grep -c 'work differs' out)" 0
run 0 "nor is a guess written down" "$LOADMIX" convert short1.ss --to journal
equal "as told" "$(jq -c .jobs_per_task out | tr '\n' ' ')" "null null null "

# three repeats that differ in the last digit printed, as they are and with AIM7's delay taken out
for i in 1 2 3; do
	row old "Jun  $i 07:17:24 2007" 174.7 242.9 2.9117 >>grain1.ss
	row new "Jul  $i 07:17:24 2007" 174.6 242.9 2.9100 >>grain2.ss
done
run 0 "the last digit" "$LOADMIX" compare grain1.ss grain2.ss --figure all
equal "is no change" "$(grep -cE 'WORSE|BETTER| 0\.0000 ' out)" 0
run 0 "without the delay" "$LOADMIX" compare grain1.ss grain2.ss --figure all --aim7-delay
equal "it is none either" "$(grep -cE 'WORSE|BETTER| 0\.0000 ' out)" 0

# --- which runs are repeats -----------------------------------------------------------------------
five b1 X 1 0.5 2 98 99 100
five n1 X 1 0.5 2 88 89 90
five m1 Y 1 0.5 2 78 79 80
run 0 "files of one label" "$LOADMIX" compare b1.jsonl n1.jsonl m1.jsonl --format json
equal "are not pooled" "$(jq -c '[.comparisons[] | .base, .new, .loads[0].figures.jobs_per_min.base.n]' out)" \
	'["X (b1.jsonl)","X (n1.jsonl)",3,"X (b1.jsonl)","Y",3]'
cat b1.jsonl m1.jsonl >base2.jsonl
cat n1.jsonl m1.jsonl >new2.jsonl
run 255 "both labels in both files" "$LOADMIX" gate base2.jsonl new2.jsonl --fail-above 5%
holds "are not for the gate to sort out" "$(cat err)" 'are of 4 labels'
run 1 "but for --label" "$LOADMIX" gate base2.jsonl new2.jsonl --fail-above 5% --label 'X (base2.jsonl)' \
	--label 'X (new2.jsonl)'
holds "it is the files that are compared" "$(cat out)" 'WORSE: -10\.1 %'
run 0 "one file twice" "$LOADMIX" compare b1.jsonl b1.jsonl --format csv
holds "has two names" "$(cat out)" '^mix,X \(b1\.jsonl\),"X \(b1\.jsonl, 2\)",'
sed 's/"workload":"mix"/"workload":"other"/; s/"label":"Y"/"label":"X"/' m1.jsonl >o1.jsonl
sed 's/"label":"X"/"label":"Z"/' n1.jsonl >z1.jsonl
run 0 "other workloads" "$LOADMIX" compare b1.jsonl o1.jsonl z1.jsonl
holds "stand beside each other" "$(cat out)" '^Only the base has other\.$'
holds "under their label" "$(cat out)" '^mix: X -> Z'
# tables that name no workload are called after their files
table() { printf 'kernel\ttasks\tjobs_per_min\treal\tcpu\n2.5.69\t4\t%s\t200.5\t32.8\n2.5.70\t4\t%s\t306.9\t34.2\n' "$1" "$2"; }
table 120.9 79.0 >t-fserver.tsv
table 477.6 611.1 >t-dbase.tsv
run 0 "two tables of kernels" "$LOADMIX" compare t-fserver.tsv t-dbase.tsv --format csv --figure jobs_per_min
equal "are two workloads" "$(tail -n +2 out | cut -d, -f1-3,7 | tr '\n' ' ')" \
	"t-fserver,2.5.69,2.5.70,120.9 t-dbase,2.5.69,2.5.70,477.6 "
run 0 "one table alone" "$LOADMIX" compare t-fserver.tsv --format csv --figure jobs_per_min
equal "has none" "$(sed -n 2p out | cut -d, -f1)" ""

# a run that is read twice is one run
sed 's/"started":null/"started":"2026-01-02T03:04:05Z"/' b1.jsonl >once.jsonl
run 0 "a conversion" "$LOADMIX" convert once.jsonl --to suite7 --output once.ss
run 0 "the same run three times" "$LOADMIX" compare A=once.jsonl,once.jsonl,once.ss B=n1.jsonl --format json
equal "is there once" "$(jq .comparisons[0].loads[0].figures.jobs_per_min.base.n out)" 3
holds "which is told" "$(cat err)" '^once\.jsonl:1: the same run as once\.jsonl:1: left out$'

# a mail that quotes a table and shows it again, without a date
table=$'kernel Tasks Jobs/Min Real CPU\nold 4 120.9 200.5 32.8\nnew 4 79.0 306.9 34.2\n'
printf 'You wrote:\n%s\n\nThe same here:\n\n%s' "> ${table//$'\n'/$'\n> '}" "$table" >mail.txt
run 0 "a table quoted and shown again" "$LOADMIX" compare mail.txt
holds "is no repeat" "$(cat out)" '^Single runs: whether a change is more than noise cannot be told'
holds "which is told, too" "$(cat err)" '^mail\.txt:9: the same run as mail\.txt:2: left out$'

# single runs beside repeats, and a base of nothing
printf 'label,tasks,jobs_per_min\na,1,100.5\na,1,100.7\nb,1,100.6\nb,1,100.8\na,2,150\nb,2,75\n' >mixed.csv
run 0 "repeats at one load only" "$LOADMIX" compare mixed.csv
holds "the verdict is on repeats" "$(cat out)" \
	'^No significant change of jobs/min in 1 comparison\. The largest is b at 1 task: .* 1 more is of single runs'
printf 'label,tasks,jobs_per_min\na,1,0\na,1,0\nb,1,100.6\nb,1,100.8\n' >zero.csv
run 0 "a base of 0" "$LOADMIX" compare zero.csv
holds "has no change in percent" "$(cat out)" "^The base's jobs/min is 0: there is no change in percent\\.$"

# --- the work ---
# A workfile that was edited keeps its name, and may have as many jobs as before.
work() {
	printf '%s\n' "${@:2}" >work.mix
	"$LOADMIX" run ./work.mix --jobs 20 --tasks 1 --repeat 2 --dir d --no-sync --label "$1" \
		--output "$1.jsonl" >/dev/null 2>&1 && calm "$1.jsonl"
}
check "a mix" work w1 'FILESIZE: 100k' '10 pipe_cpy' '10 disk_rr'
check "as many jobs of another kind" work w2 'FILESIZE: 100k' '10 pipe_cpy' '10 disk_rw'
check "the same with larger files" work w3 'FILESIZE: 200k' '10 pipe_cpy' '10 disk_rr'
check "another order of the lines" work w4 'FILESIZE: 100k' '10 disk_rr' '10 pipe_cpy'
run 0 "another kind" "$LOADMIX" compare w1.jsonl w2.jsonl --blame=always
holds "is other work" "$(cat out)" '^The work differs: the jobs of a task are of other kinds'
equal "and both mixes are told" "$(grep -E '^  ! mix\.' out)" $'  ! mix.disk_rr: 10 -> 0\n  ! mix.disk_rw: 0 -> 10'
holds "no job has no median" "$(cat out)" ' - +[0-9.]+ +- +[0-9.]+  disk_rw$'
run 125 "of which no gate tells" "$LOADMIX" gate w1.jsonl w2.jsonl --fail-above 90%
run 0 "larger files" "$LOADMIX" compare w1.jsonl w3.jsonl
holds "are other work, too" "$(cat out)" '^The work differs: .* files of another size'
run 125 "to the gate as well" "$LOADMIX" gate w1.jsonl w3.jsonl --fail-above 90%
check "a command" work w5 'COMMAND: work sleep 0.01' '10 work' '10 add_int'
check "another command of that name" work w6 'COMMAND: work sleep 0.02' '10 work' '10 add_int'
check "the first one again" work w7 'COMMAND: work sleep 0.01' '10 work' '10 add_int'
run 0 "another command" "$LOADMIX" compare w5.jsonl w6.jsonl
holds "is other work" "$(cat out)" '^The work differs: the jobs of a task are of other kinds or commands'
equal "and both are told" "$(grep -E '^  ! mix\.' out)" '  ! mix.work.command: sleep 0.01 -> sleep 0.02'
run 125 "no gate tells of it" "$LOADMIX" gate w5.jsonl w6.jsonl --fail-above 5%
holds "and says why" "$(cat out)" '^cannot tell: The work differs'
run 0 "the same command" "$LOADMIX" compare w5.jsonl w7.jsonl
equal "is no other work" "$(grep -cE 'The work differs|mix\.' out)" 0
run 0 "another order" "$LOADMIX" compare w1.jsonl w4.jsonl
equal "is no other work" "$(grep -cE 'The work differs|mix\.' out)" 0

# --- what was asked for ---
# asked FILTER: w1.jsonl with another plan
asked() { jq -c "if .type == \"run\" then .plan$1 else . end" w1.jsonl >asked.jsonl; }
for plan in '.semantics = "reaim"' '.start_delay = true' '.cpus = "0"' '.seed = 7' '.order = "shuffle"' '.sync = true'; do
	key=$(echo "$plan" | cut -d' ' -f1)
	asked "$plan"
	run 125 "no gate tells of another $key" "$LOADMIX" gate w1.jsonl asked.jsonl --fail-above 90%
	holds "it says why" "$(cat out)" "^cannot tell: The runs were not asked for the same: plan\\$key is .* in the base, .* in the new\\.$"
	for form in text robot posted markdown json csv; do
		holds "another $key as $form" "$("$LOADMIX" compare w1.jsonl asked.jsonl --format $form | tr -d '\\')" \
			"The runs were not asked for the same: plan\\$key is "
	done
done
asked '.max_tasks = 100'
equal "a limit that no sweep came to is none of these" \
	"$("$LOADMIX" gate w1.jsonl asked.jsonl --fail-above 90% | grep -c 'not asked')" 0
sed '2a{"type":"resume","began":"2026-01-02T03:04:05Z","loadmix":"0","after":1,"was":{"kernel.release":"6.1-a"},"now":{"kernel.release":"6.2-b"}}' \
	w1.jsonl >two.jsonl
run 125 "no gate tells of a run of two kernels" "$LOADMIX" gate w1.jsonl two.jsonl --fail-above 90%
holds "it says why" "$(cat out)" '^cannot tell: A run of the new side was resumed under another kernel, 6\.2-b: '
run 125 "on either side" "$LOADMIX" gate two.jsonl w1.jsonl --fail-above 90%
for form in text robot posted markdown json csv; do
	holds "two kernels as $form" "$("$LOADMIX" compare w1.jsonl two.jsonl --format $form)" \
		'A run of the new side was resumed under another kernel, 6\.2-b'
done
"$LOADMIX" convert base.jsonl --to suite7 >ours.ss 2>err
sed 's/"loadmix [^"]*"/"1.1"/' ours.ss >aim.ss
run 125 "no gate tells of AIM7's times beside ours" "$LOADMIX" gate ours.ss aim.ss --fail-above 90%
holds "it says why" "$(cat out)" "^cannot tell: Some of these times have AIM7's 10 idle seconds in them"
run 0 "which is a doubt" "$LOADMIX" compare aim.ss ours.ss
holds "that a comparison tells" "$(cat out)" "^Some of these times have AIM7's 10 idle seconds in them and some have not: see --aim7-delay"
equal "of one sort there is none" "$("$LOADMIX" compare A=aim.ss B=aim.ss | grep -c 'idle seconds')" 0
cp same.jsonl copy.jsonl
run 125 "a run beside itself tells nothing" "$LOADMIX" gate same.jsonl copy.jsonl --fail-above 90%
holds "it says why" "$(cat out)" '^cannot tell: The run in copy\.jsonl stands on both sides\.$'
run 0 "which a comparison tells, too" "$LOADMIX" compare same.jsonl copy.jsonl
holds "with its name" "$(cat out)" '^The run in copy\.jsonl stands on both sides\.$'
run 0 "the summary of a run of two kernels" "$LOADMIX" summary two.jsonl
holds "tells it" "$(cat out)" '^# two\.jsonl: the run was resumed under another kernel, 6\.2-b$'

# --- kinds alone -----------------------------------------------------------------------------------
# alone NAME LABEL TWIN PIPE: each kind a step of its own
alone() {
	known "$2" null '{"period_s":2}'
	step 1 1 "$3" 1 0.5 2 | jq -c '.kinds |= .[:1]'
	step 2 1 "$4" 1 0.5 2 | jq -c '.kinds |= .[1:]'
}
alone s1 s1 100.5 9000.5 >s1.jsonl
alone s2 s2 50.5 9100.5 >s2.jsonl
for form in text markdown robot; do
	run 0 "single mode as $form" "$LOADMIX" compare s1.jsonl s2.jsonl --format $form
	holds "names the kind as $form" "$(cat out)" 'mix, twin'
done
holds "which the verdict does, too" "$("$LOADMIX" compare s1.jsonl s2.jsonl)" 'mix, twin, s2 at 1 task: jobs/min -49\.8 %'
run 0 "single mode as csv" "$LOADMIX" compare s1.jsonl s2.jsonl --format csv --figure jobs_per_min
equal "has a kind in each row" "$(tail -n +2 out | cut -d, -f25 | tr '\n' ' ')" "twin other "
alone s3 'héé ü' 50.5 9100.5 >s3.jsonl
run 0 "a label of other letters" "$LOADMIX" compare s1.jsonl s3.jsonl --format posted
equal "keeps the columns" "$(sed 's/héé ü/five_/' out | grep -E '^(s1|five_)' | awk '{ print length($0) }' | sort -u)" 64
run 0 "single mode as posted" "$LOADMIX" compare s1.jsonl s2.jsonl --format posted
equal "kinds are not averaged" "$(grep -cE '^s[12] +1 +(100\.5|50\.5|9000\.5|9100\.5) ' out)" 4
holds "a block a kind" "$(cat out)" '^mix, other workload$'
holds "repeats of kinds are files" "$("$LOADMIX" compare s1.jsonl s2.jsonl)" '^Single runs: .* LABEL=FILE,FILE\.$'
run 125 "the gate of kinds" "$LOADMIX" gate s1.jsonl s2.jsonl --fail-above 5%
holds "names them" "$(cat out)" 'cannot tell: .*\[mix, other\]$'
run 0 "a summary of kinds" "$LOADMIX" summary s1.jsonl
holds "has no sweep" "$(cat out)" '^# s1\.jsonl:1: each kind was run alone'
equal "and no figures" "$(grep -c '^s1 ' out)" 0

# --- the gate ------------------------------------------------------------------------------------
run 1 "the gate fails" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above 20%
holds "and says where" "$(cat out)" '^ +1 tasks? +jobs/min +WORSE: -[0-9.]+ %'
run 0 "a gain passes" "$LOADMIX" gate slow.jsonl base.jsonl --fail-above 20%
holds "and is told loudly" "$(cat out)" 'BETTER.*by more than 20 %'
run 125 "single runs cannot be told" "$LOADMIX" gate "$LOADMIX_SRC/tests/data/posted/fserver.txt" --label 2.5.69 \
	--label 2.5.70 --fail-above 5%
run 125 "nor can a file that is not there" "$LOADMIX" gate base.jsonl none.jsonl --fail-above 5%
holds "which is named" "$(cat err)" 'none.jsonl'
run 255 "wrong usage stops a bisection" "$LOADMIX" gate base.jsonl slow.jsonl
holds "and teaches" "$(cat err)" 'fail-above'
run 255 "so does a wrong limit" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above lots
run 255 "a limit that nothing can pass" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above 100%
run 1 "which seconds can" "$LOADMIX" gate base.jsonl slow.jsonl --fail-above 100% --figure real_s
run 255 "a set without files" "$LOADMIX" gate A= B=slow.jsonl --fail-above 5%
holds "is told" "$(cat err)" "'A=' names no file"
run 2 "files of a set without a name" "$LOADMIX" compare base.jsonl,same.jsonl slow.jsonl
holds "are told how" "$(cat err)" 'LABEL=base\.jsonl,same\.jsonl$'
run 2 "a label twice" "$LOADMIX" compare base.jsonl slow.jsonl --label base --label base
holds "is told" "$(cat err)" "^loadmix: --label: 'base' is given twice$"
run 255 "one set alone" "$LOADMIX" gate A=base.jsonl --fail-above 5%
if [ -e /dev/full ]; then
	"$LOADMIX" gate base.jsonl same.jsonl --fail-above 50% >/dev/full 2>err
	equal "a verdict that nobody gets stops a bisection" $? 255
fi
# as a network's file system does whose quota is used up
if strace -o trace -P "$T/full" -e inject=close:error=EDQUOT true >full 2>/dev/null; then
	ASAN_OPTIONS=detect_leaks=0 strace -o trace -P "$T/full" -e inject=close:error=EDQUOT "$LOADMIX" gate base.jsonl same.jsonl --fail-above 50% >full 2>err
	equal "so does one that is lost when its file is closed" $? 255
else
	skip "a verdict that is lost when its file is closed: strace cannot inject"
fi
grep -v '"type":"end"' same.jsonl >broken.jsonl
run 125 "a run that was broken off" "$LOADMIX" gate base.jsonl broken.jsonl --fail-above 50%
holds "is told" "$(cat out)" 'the run in broken.jsonl was not completed'
head -n 3 same.jsonl | head -c -20 >torn.jsonl
run 0 "a torn line" "$LOADMIX" summary torn.jsonl
equal "is told" "$(cat err)" 'torn.jsonl: the last line is torn and not used'
sed '3s/"tasks":[0-9]*/"tasks":-1/' same.jsonl >odd.jsonl
run 125 "a step that cannot be read" "$LOADMIX" gate base.jsonl odd.jsonl --fail-above 50%
printf '1 odd_fail\n' >bad
"$ODD" run ./bad --jobs 1 --tasks 1 --dir d --output invalid.jsonl >/dev/null 2>&1
run 125 "an INVALID step cannot be told" "$LOADMIX" gate invalid.jsonl N=invalid.jsonl --fail-above 5%

sed '1s/"warnings":\[\]/"warnings":["the machine is not idle: 5 other tasks running"]/' base.jsonl >busy.jsonl
run 125 "other load on one side cannot be told from a change" "$LOADMIX" gate busy.jsonl slow.jsonl --fail-above 20%
holds "is told" "$(cat out)" '^cannot tell: the machine was not idle before the base'
run 0 "compare tells of it" "$LOADMIX" compare busy.jsonl slow.jsonl
holds "among the doubts" "$(cat out)" '^The run of the base began with a warning: the machine is not idle: 5 other tasks running\.$'
"$LOADMIX_SRC/docs/examples/bisect.sh" base.jsonl 5% >out 2>err
equal "bisect.sh without a try ends the bisection" $? 255

# --- bisection -----------------------------------------------------------------------------------
if command -v git >/dev/null; then
	export GIT_CONFIG_NOSYSTEM=1 HOME=$T GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t \
		GIT_COMMITTER_EMAIL=t@t
	mkdir repo && cd repo && git init -q -b main .
	for n in 1 2 3 4 5 6 7 8; do
		[ $n -ge 5 ] && us=100000 || us=20000
		[ $n = 3 ] && us=broken
		echo $us >nap && echo $n >number && git add . && git commit -q -m "kernel $n"
	done
	# the try runs in the repository: the commit is what its file says
	cat >../try <<S
#!/bin/sh
us=\$(cat nap)
[ "\$us" != broken ] || exit 1
"$LOADMIX" run "$T/mix" --plugin "$T/twin\$us.so" --jobs 30 --tasks 1 --repeat 5 --dir "$T/d" --no-sync \\
	--output "\$JOURNAL" >/dev/null 2>&1 || exit 1
sed -i '1s/"warnings":\[[^]]*\]/"warnings":[]/' "\$JOURNAL"
S
	chmod +x ../try
	JOURNAL=$T/good.jsonl
	export JOURNAL LOADMIX
	git checkout -q HEAD~7 && ../try
	git checkout -q main
	git bisect start HEAD HEAD~7 >/dev/null 2>&1
	run 0 "git bisect run" git bisect run "$LOADMIX_SRC/docs/examples/bisect.sh" "$T/good.jsonl" 50% ../try
	equal "the fifth kernel is found" "$(git show -s --format=%s refs/bisect/bad)" "kernel 5"
	fifth=$(echo "$T/good.jsonl.$(git rev-parse --short refs/bisect/bad)".*)
	run 1 "its journal stays" "$LOADMIX" gate "$T/good.jsonl" "NEW=$fifth/new.jsonl" --fail-above 50%
	equal "each directory has one" "$(ls -d "$T"/good.jsonl.*/ | wc -l)" "$(ls "$T"/good.jsonl.*/new.jsonl | wc -l)"
	cd ..
else
	skip "bisection: git is missing"
fi

# --- posted figures ------------------------------------------------------------------------------
# what was posted in 2003 for 2.5.69 and 2.5.70, and the changes worked out by hand
posted=$LOADMIX_SRC/tests/data/posted
run 0 "a posted table" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69 --label 2.5.70
holds "jobs/min at 4 tasks" "$(cat out)" '^ +4 +jobs/min +120\.90 +1 +79\.00 +1 +-34\.7 % +- +- +-$'
holds "real at 4 tasks" "$(cat out)" '^ +4 +real +200\.50 +1 +306\.90 +1 +\+53\.1 %'
holds "jobs/min at 32 tasks" "$(cat out)" '^ +32 +jobs/min .* \+2\.3 %'
holds "no significance is claimed" "$(cat out)" '^Single runs: nothing can be said about noise'
equal "no row is marked" "$(grep -cE 'WORSE|BETTER' out)" 0
run 2 "a label that is not there" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69 --label 2.6
holds "the labels there are" "$(cat err)" "there is no '2.6' in the results, which are of: 2.5.69, 2.5.70"
run 2 "one label alone" "$LOADMIX" compare "$posted/fserver.txt" --label 2.5.69
holds "is nothing to compare" "$(cat err)" 'nothing to compare'

# every row of the seed comparison, with its label, from a table to a journal and back
if [ -n "${LOADMIX_SHARED:-}" ] && [ -d "$LOADMIX_SHARED/data/handed" ]; then
	rows=0
	for seed in "$LOADMIX_SHARED"/data/handed/seed-*.tsv; do
		run 0 "a seed table" "$LOADMIX" convert "$seed" --to journal
		mv out seed.jsonl
		run 0 "and back" "$LOADMIX" convert seed.jsonl --to posted
		equal "every row survives in $(basename "$seed")" \
			"$(awk '$2 ~ /^[0-9]+$/ { print $1, $2, $3, $4, $5 }' out | sort)" \
			"$(awk 'NR > 1 { print $1, $2, $3, $4, $5 }' "$seed" | sort)"
		rows=$((rows + $(awk '$2 ~ /^[0-9]+$/' out | wc -l)))
	done
	equal "which are as many as were posted" $rows 58
	run 0 "three seed tables" "$LOADMIX" compare "$LOADMIX_SHARED"/data/handed/seed-*.tsv --format json
	equal "are three workloads" "$(jq -r '[.comparisons[].workload] | unique | join(" ")' out)" \
		"seed-dbase seed-fserver seed-shared"
	equal "under their kernels" "$(jq -r '[.comparisons[].base] | unique | join(" ")' out)" 2.5.69
else
	skip "seed tables: no shared data"
fi

# --- convert -------------------------------------------------------------------------------------
run 0 "posted to journal" "$LOADMIX" convert "$posted/fserver.txt" --to journal --output p.jsonl
check "every line is JSON" jq -e . p.jsonl
run 0 "and back" "$LOADMIX" convert p.jsonl --to posted
equal "every row survives" "$(awk '$2 ~ /^[0-9]+$/ { $1 = $1; print }' out | sort)" \
	"$(awk '$2 ~ /^[0-9]+$/ { $1 = $1; print }' "$posted/fserver.txt" | sort)"
run 0 "to csv" "$LOADMIX" convert base.jsonl --to csv
equal "a line a step" "$(wc -l <out)" 11
run 0 "to suite7" "$LOADMIX" convert base.jsonl --to suite7 --output b.ss
run 0 "suite7 to journal" "$LOADMIX" convert b.ss --to journal
equal "loads survive" "$(jq -c 'select(.type=="step").tasks' out | tr '\n' ' ')" "1 2 1 2 1 2 1 2 1 2 "
run 0 "to json" "$LOADMIX" convert base.jsonl --to json
equal "with all that was read" "$(jq -c '[length, (.[0].steps | length), .[0].steps[0].kinds[0].kind]' out)" '[1,10,"twin"]'
echo old >there
run 2 "what exists is left alone" "$LOADMIX" convert base.jsonl --to csv --output there
equal "untouched" "$(cat there)" old
run 3 "a place that cannot be written" "$LOADMIX" convert base.jsonl --to csv --output /nowhere/x
run 3 "a full device" "$LOADMIX" convert base.jsonl --to csv --output /dev/full
run 2 "no form" "$LOADMIX" convert base.jsonl
run 2 "a wrong form" "$LOADMIX" convert base.jsonl --to xml

# --- summary -------------------------------------------------------------------------------------
# AIM7's documented example: peak 338.0, minimum JTI 80, crossover 276.3, sustained 283.6
run 0 "summary of suite7.ss" "$LOADMIX" summary "$LOADMIX_SRC/tests/data/posted/example.ss"
holds "to the digit" "$(cat out)" '^boxA +[^ ]+ +1 +6 +338\.0 +61 +80 +276\.3 +283\.6$'
run 0 "summary of a journal" "$LOADMIX" summary base.jsonl
equal "a line a sweep" "$(grep -c '^base ' out)" 5
equal "the command repeats it" "$(tail -n 1 out)" "# again: loadmix summary base.jsonl"
run 2 "summary of nothing" "$LOADMIX" summary
run 2 "summary of no result" "$LOADMIX" summary mix
finish
