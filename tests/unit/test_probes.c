/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts about machines that are made up: directories with their own /proc, /sys and /etc. What a
 * fact must be is what the made-up file says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <loadmix/plan.h>

#include "probes/disks.h"
#include "probes/mounts.h"
#include "probes/probes.h"
#include "probes/readfile.h"
#include "probes/tally.h"

#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* --- machines ------------------------------------------------------------------------------ */

static char root[PATH_MAX / 4]; /* of the test that runs */

static int make_root(void **state)
{
	const char *tmp = getenv("TMPDIR");
	char path[PATH_MAX / 4];

	(void)state;
	snprintf(path, sizeof(path), "%s/loadmix-unit.XXXXXX", tmp ? tmp : "/tmp");
	return mkdtemp(path) && realpath(path, root) ? 0 : -1;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

static int drop_root(void **state)
{
	(void)state;
	return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* The path below root, its directories made. */
static const char *place(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", root, name);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0777);
		*at = '/';
	}
	return path;
}

static void put(const char *name, const char *text)
{
	FILE *f = fopen(place(name), "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
}

__attribute__((format(printf, 2, 3))) static void putf(const char *text, const char *fmt, ...)
{
	char name[PATH_MAX / 4];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(name, sizeof(name), fmt, ap);
	va_end(ap);
	put(name, text);
}

static void link_to(const char *name, const char *target)
{
	assert_int_equal(symlink(target, place(name)), 0);
}

/* --- facts --------------------------------------------------------------------------------- */

static const struct lm_fact *fact(const struct lm_facts *f, const char *key)
{
	const struct lm_fact *found = NULL;

	for (size_t i = 0; i < f->count; i++)
		if (strcmp(f->items[i].key, key) == 0) {
			assert_null(found); /* each key once */
			found = &f->items[i];
		}
	if (!found)
		fail_msg("there is no fact %s", key);
	return found;
}

static void is_text(const struct lm_facts *f, const char *key, const char *want)
{
	const struct lm_fact *is = fact(f, key);

	if (is->type != LM_FACT_TEXT)
		fail_msg("%s is no text", key);
	assert_string_equal(is->text, want);
}

static void is_number(const struct lm_facts *f, const char *key, double want)
{
	const struct lm_fact *is = fact(f, key);

	if (is->type != LM_FACT_NUMBER)
		fail_msg("%s is no number", key);
	if (is->number != want)
		fail_msg("%s is %.17g, not %.17g", key, is->number, want);
}

static void is_null(const struct lm_facts *f, const char *key)
{
	if (fact(f, key)->type != LM_FACT_NULL)
		fail_msg("%s is not null", key);
}

static void all_null(struct lm_facts *f, size_t least)
{
	assert_true(f->count >= least);
	for (size_t i = 0; i < f->count; i++)
		is_null(f, f->items[i].key);
	lm_facts_free(f);
}

/* --- reading ------------------------------------------------------------------------------- */

static void test_files(void **state)
{
	char buf[8], line[] = "always [madvise] never", plain[] = "none";
	int64_t n;

	(void)state;
	put("/a", "text \n\n");
	put("/long", "0123456789\n");
	put("/n", "-17\n");
	put("/empty", "\n");
	assert_int_equal(lm_read_text(buf, sizeof(buf), root, "/%s", "a"), 0);
	assert_string_equal(buf, "text");
	assert_int_equal(lm_read_text(buf, sizeof(buf), root, "/long"), 0);
	assert_string_equal(buf, "0123456");
	assert_int_equal(lm_read_text(buf, sizeof(buf), root, "/empty"), 0);
	assert_string_equal(buf, "");
	assert_int_equal(lm_read_text(buf, sizeof(buf), root, "/none"), -1);
	assert_int_equal(lm_read_text(buf, sizeof(buf), root, "/"), -1); /* a directory */
	assert_int_equal(lm_read_number(&n, root, "/n"), 0);
	assert_int_equal(n, -17);
	assert_int_equal(lm_read_number(&n, root, "/a"), -1);
	assert_int_equal(lm_read_number(&n, root, "/empty"), -1);
	assert_string_equal(lm_bracketed(line), "madvise");
	assert_string_equal(lm_bracketed(plain), "none");
}

static void test_lines(void **state)
{
	struct lm_file_lines lines;
	const char *line;
	FILE *f = fopen(place("/lines"), "w");

	(void)state;
	assert_non_null(f);
	for (int i = 0; i < LM_PROC_LINE_MAX + 5; i++)
		putc('x', f);
	fputs("\nkey\t: value\nlast=1", f);
	assert_int_equal(fclose(f), 0);
	lm_file_lines_open(&lines, root, "/lines");
	line = lm_file_lines_next(&lines); /* cut, and its rest is no line of its own */
	assert_non_null(line);
	assert_int_equal(strlen(line), LM_PROC_LINE_MAX - 1);
	line = lm_file_lines_next(&lines);
	assert_non_null(line);
	assert_string_equal(lm_line_value(line, "key"), "value");
	assert_null(lm_line_value(line, "ke"));
	assert_null(lm_line_value(line, "keys"));
	line = lm_file_lines_next(&lines);
	assert_non_null(line);
	assert_string_equal(lm_line_value(line, "last"), "1");
	assert_null(lm_file_lines_next(&lines));
	lm_file_lines_close(&lines);
	lm_file_lines_open(&lines, root, "/nowhere");
	assert_null(lm_file_lines_next(&lines));
	lm_file_lines_close(&lines);
}

static void test_list(void **state)
{
	static const unsigned want[] = { 0, 1, 2, 8, 10, 11 };
	struct lm_list list = { .at = "0-2,8,10-11" };
	struct lm_list none = { .at = "" }, wrong = { .at = "5-3" };
	unsigned n;

	(void)state;
	for (size_t i = 0; i < COUNT(want); i++) {
		assert_true(lm_list_next(&list, &n));
		assert_int_equal(n, want[i]);
	}
	assert_false(lm_list_next(&list, &n));
	assert_false(lm_list_next(&list, &n));
	assert_false(lm_list_next(&none, &n));
	assert_false(lm_list_next(&wrong, &n));
}

static void test_tally(void **state)
{
	struct lm_tally tally = { 0 }, one = { 0 };
	struct lm_facts f = { 0 };
	char text[16];

	(void)state;
	lm_tally_text(&tally, "empty", &f);
	lm_tally_add(&one, "7");
	lm_tally_add(&one, "7");
	lm_tally_text(&one, "same", &f);
	lm_tally_number(&one, "number", &f);
	lm_tally_add(&one, "8");
	lm_tally_number(&one, "differ", &f);
	for (int i = 0; i < LM_TALLY_VALUES + 3; i++) {
		snprintf(text, sizeof(text), "v%d", i);
		lm_tally_add(&tally, text);
	}
	lm_tally_text(&tally, "many", &f);
	is_null(&f, "empty");
	is_text(&f, "same", "7");
	is_number(&f, "number", 7);
	is_null(&f, "differ");
	is_text(&f, "many",
		"v0 (1), v1 (1), v2 (1), v3 (1), v4 (1), v5 (1), v6 (1), v7 (1), v8 (1), v9 (1), "
		"v10 (1), v11 (1), v12 (1), v13 (1), v14 (1), v15 (1), others (3)");
	lm_facts_free(&f);
}

/* --- processors ---------------------------------------------------------------------------- */

#define CPUS "/sys/devices/system/cpu"

static void put_cpu(unsigned cpu, const char *package, const char *siblings)
{
	putf(package, CPUS "/cpu%u/topology/physical_package_id", cpu);
	putf(siblings, CPUS "/cpu%u/topology/thread_siblings_list", cpu);
}

/* Two sockets with two threads a core, half of them off line; governors differ. */
static void test_two_sockets(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/cpuinfo", "processor\t: 0\nmodel name\t: Fast 9000 @ 3.00GHz\n"
			     "microcode\t: 0xd0003\nflags\t\t: fpu vme\n\n"
			     "processor\t: 1\nmodel name\t: Fast 9000 @ 3.00GHz\n"
			     "microcode\t: 0xd0004\nflags\t\t: fpu vme\n");
	put(CPUS "/online", "0-3\n");
	put(CPUS "/present", "0-7\n");
	put(CPUS "/isolated", "\n");
	put(CPUS "/smt/control", "on\n");
	put(CPUS "/intel_pstate/no_turbo", "1\n");
	put(CPUS "/vulnerabilities/meltdown", "Mitigation: PTI\n");
	put(CPUS "/vulnerabilities/l1tf", "Not affected\n");
	put_cpu(0, "0\n", "0,2\n");
	put_cpu(1, "1\n", "1,3\n");
	put_cpu(2, "0\n", "0,2\n");
	put_cpu(3, "1\n", "1,3\n");
	for (unsigned cpu = 0; cpu < 4; cpu++) {
		putf(cpu < 3 ? "performance\n" : "powersave\n",
		     CPUS "/cpu%u/cpufreq/scaling_governor", cpu);
		putf("intel_pstate\n", CPUS "/cpu%u/cpufreq/scaling_driver", cpu);
		putf(cpu ? "800000\n" : "1200000\n", CPUS "/cpu%u/cpufreq/scaling_min_freq", cpu);
		putf(cpu ? "3000000\n" : "3400000\n", CPUS "/cpu%u/cpufreq/scaling_max_freq", cpu);
	}
	/* of a processor that is off line */
	put(CPUS "/cpu4/cpufreq/scaling_governor", "ondemand\n");
	assert_int_equal(lm_processor_facts(root, &f), 0);
	is_text(&f, "cpu.model", "Fast 9000 @ 3.00GHz");
	is_text(&f, "cpu.microcode", "0xd0003 (1), 0xd0004 (1)");
	is_number(&f, "cpu.sockets", 2);
	is_number(&f, "cpu.cores", 2);
	is_number(&f, "cpu.online", 4);
	is_number(&f, "cpu.threads", 8);
	is_text(&f, "cpu.online_list", "0-3");
	is_text(&f, "cpu.isolated_list", "");
	is_text(&f, "cpu.smt", "on");
	is_text(&f, "cpu.governor", "performance (3), powersave (1)");
	is_text(&f, "cpu.frequency_driver", "intel_pstate");
	is_null(&f, "cpu.energy_preference");
	is_number(&f, "cpu.frequency_min_khz", 800000);
	is_number(&f, "cpu.frequency_max_khz", 3400000);
	is_text(&f, "cpu.boost", "off");
	is_number(&f, "cpu.vulnerabilities", 2);
	is_text(&f, "mitigations.l1tf", "Not affected");
	is_text(&f, "mitigations.meltdown", "Mitigation: PTI");
	lm_facts_free(&f);
}

/* arm64: models have numbers, there are no sockets, and core numbers are used twice. */
static void test_big_little(void **state)
{
	static const char *const siblings[] = { "0\n", "1\n", "2\n", "3\n", "4\n", "5\n" };
	char info[1024] = "";
	struct lm_facts f = { 0 };

	(void)state;
	for (unsigned cpu = 0; cpu < 6; cpu++) {
		snprintf(info + strlen(info), sizeof(info) - strlen(info),
			 "processor\t: %u\nBogoMIPS\t: 48.00\nCPU implementer\t: 0x41\n"
			 "CPU architecture: 8\nCPU part\t: %s\n\n",
			 cpu, cpu < 4 ? "0xd03" : "0xd09");
		put_cpu(cpu, "-1\n", siblings[cpu]);
		putf(cpu % 4 ? "1\n" : "0\n", CPUS "/cpu%u/topology/core_id", cpu);
		putf("schedutil\n", CPUS "/cpu%u/cpufreq/scaling_governor", cpu);
	}
	put("/proc/cpuinfo", info);
	put(CPUS "/online", "0-5\n");
	put(CPUS "/present", "0-5\n");
	put(CPUS "/cpufreq/boost", "1\n");
	assert_int_equal(lm_processor_facts(root, &f), 0);
	is_text(&f, "cpu.model",
		"implementer 0x41 part 0xd03 (4), implementer 0x41 part 0xd09 (2)");
	is_null(&f, "cpu.sockets");
	is_number(&f, "cpu.cores", 6);
	is_number(&f, "cpu.online", 6);
	is_text(&f, "cpu.governor", "schedutil");
	is_text(&f, "cpu.boost", "on");
	is_null(&f, "cpu.microcode");
	is_null(&f, "cpu.smt");
	is_null(&f, "cpu.vulnerabilities");
	lm_facts_free(&f);
}

static const char *hypervisor_of(const char *signature, char *buf, size_t size)
{
	struct lm_facts f = { 0 };
	const struct lm_fact *is;

	assert_int_equal(lm_virtual_facts(root, signature, &f), 0);
	is = fact(&f, "virtual.hypervisor");
	snprintf(buf, size, "%s", is->type == LM_FACT_TEXT ? is->text : "null");
	lm_facts_free(&f);
	return buf;
}

static void test_virtual(void **state)
{
	char buf[64];
	struct lm_facts f = { 0 };

	(void)state;
	assert_string_equal(hypervisor_of("", buf, sizeof(buf)), "null"); /* arm64, say */
	put("/proc/cpuinfo", "flags\t\t: fpu hypervisor lahf_lm\n");
	assert_string_equal(hypervisor_of(NULL, buf, sizeof(buf)), "unknown");
	put("/sys/class/dmi/id/sys_vendor", "QEMU\n");
	put("/sys/class/dmi/id/product_name", "Standard PC (Q35 + ICH9, 2009)\n");
	assert_string_equal(hypervisor_of("", buf, sizeof(buf)), "qemu");
	assert_string_equal(hypervisor_of("KVMKVMKVM", buf, sizeof(buf)), "kvm");
	put("/sys/class/dmi/id/sys_vendor", "Amazon EC2\n");
	assert_string_equal(hypervisor_of("", buf, sizeof(buf)), "amazon");
	put("/proc/cpuinfo", "flags\t\t: fpu lahf_lm\n"); /* a whole machine of the same maker */
	assert_string_equal(hypervisor_of("", buf, sizeof(buf)), "none");
	put("/.dockerenv", "");
	assert_int_equal(lm_virtual_facts(root, "", &f), 0);
	is_text(&f, "virtual.container", "docker");
	lm_facts_free(&f);
	put("/run/systemd/container", "lxc\n");
	assert_int_equal(lm_virtual_facts(root, "", &f), 0);
	is_text(&f, "virtual.container", "lxc");
	lm_facts_free(&f);
}

/* --- memory, system, load, power ------------------------------------------------------------- */

static void test_memory(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/meminfo", "MemTotal:       16315452 kB\nMemFree:         1 kB\n"
			     "MemAvailable:   15000000 kB\nSwapTotal:             0 kB\n"
			     "HugePages_Total:      12\nHugepagesize:       2048 kB\n");
	put("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
	put("/proc/sys/vm/swappiness", "60\n");
	put("/sys/devices/system/node/online", "0,2\n");
	put("/sys/devices/system/node/node0/meminfo",
	    "Node 0 MemTotal:       8000000 kB\nNode 0 MemFree:        1 kB\n");
	put("/sys/devices/system/node/node2/meminfo", "Node 2 MemTotal:       8315452 kB\n");
	put("/sys/devices/system/node/node0/cpulist", "0-3,8-11\n");
	put("/sys/devices/system/node/node2/cpulist", "4-7\n");
	assert_int_equal(lm_memory_facts(root, &f), 0);
	is_number(&f, "memory.total_kib", 16315452);
	is_number(&f, "memory.available_kib", 15000000);
	is_number(&f, "memory.swap_total_kib", 0);
	is_null(&f, "memory.swap_free_kib");
	is_number(&f, "memory.huge_pages", 12);
	is_number(&f, "memory.huge_page_kib", 2048);
	is_text(&f, "memory.transparent_huge_pages", "madvise");
	is_number(&f, "memory.swappiness", 60);
	is_null(&f, "memory.zswap");
	is_number(&f, "numa.nodes", 2);
	is_text(&f, "numa.memory_kib", "8000000; 8315452");
	is_text(&f, "numa.cpu_lists", "0-3,8-11; 4-7");
	is_null(&f, "numa.balancing");
	lm_facts_free(&f);
}

static void test_system(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/cmdline", "ro quiet mitigations=off\n");
	put("/etc/os-release",
	    "NAME=\"X\"\nPRETTY_NAME=\"X Linux 9 (nine)\"\nVERSION_ID='9'\nID=x\n");
	put("/bin/a", "");
	assert_int_equal(lm_system_facts(root, &f), 0);
	is_text(&f, "kernel.command_line", "ro quiet mitigations=off");
	is_text(&f, "os.name", "X Linux 9 (nine)");
	is_text(&f, "os.id", "x");
	is_text(&f, "os.version", "9");
	is_number(&f, "bin.entries", 3); /* with . and .. */
	is_null(&f, "kernel.clock_source");
	lm_facts_free(&f);
	assert_int_equal(remove(place("/etc/os-release")), 0);
	put("/usr/lib/os-release", "PRETTY_NAME=Other\n");
	assert_int_equal(lm_system_facts(root, &f), 0);
	is_text(&f, "os.name", "Other");
	is_null(&f, "os.id");
	lm_facts_free(&f);
}

static void test_load(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/loadavg", "0.05 12.50 3.00 3/97 8071\n");
	put("/proc/uptime", "61.07 120.00\n");
	put("/proc/stat", "cpu  1 2 3\nprocs_running 3\nprocs_blocked 4\n");
	assert_int_equal(lm_load_facts(root, &f), 0);
	is_number(&f, "load.average_1min", 0.05);
	is_number(&f, "load.average_5min", 12.5);
	is_number(&f, "load.uptime_s", 61.07);
	is_number(&f, "load.running", 2); /* one of the three is this program */
	is_number(&f, "load.blocked", 4);
	lm_facts_free(&f);
}

static void power_is(const char *want)
{
	struct lm_facts f = { 0 };

	assert_int_equal(lm_power_facts(root, &f), 0);
	if (want)
		is_text(&f, "power.source", want);
	else
		is_null(&f, "power.source");
	lm_facts_free(&f);
}

#define SUPPLY "/sys/class/power_supply"

static void test_power(void **state)
{
	(void)state;
	power_is(NULL);
	put(SUPPLY "/hid-mouse/type", "Battery\n");
	put(SUPPLY "/hid-mouse/scope", "Device\n");
	put(SUPPLY "/hid-mouse/status", "Discharging\n");
	power_is(NULL);
	put(SUPPLY "/BAT0/type", "Battery\n");
	put(SUPPLY "/BAT0/status", "Discharging\n");
	put(SUPPLY "/AC/type", "Mains\n");
	put(SUPPLY "/AC/online", "0\n");
	power_is("battery");
	put(SUPPLY "/AC/online", "1\n"); /* weak, the battery helps */
	power_is("mains");
	put(SUPPLY "/AC/online", "0\n");
	put(SUPPLY "/BAT0/status", "Full\n");
	power_is("mains");
}

/* --- control groups -------------------------------------------------------------------------- */

#define CG "/sys/fs/cgroup"

static void test_cgroup2(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/self/cgroup", "0::/a/b\n");
	put("/proc/self/mountinfo", "31 23 0:28 / " CG " rw - cgroup2 cgroup2 rw\n");
	put(CG "/a/b/cpu.max", "max 100000\n");
	put(CG "/a/cpu.max", "150000 100000\n");
	put(CG "/a/b/memory.max", "2147483648\n");
	put(CG "/a/memory.max", "1073741824\n");
	put(CG "/a/b/memory.high", "max\n");
	put(CG "/a/b/pids.max", "500\n");
	put(CG "/a/pids.max", "max\n");
	put(CG "/a/b/io.max", "8:16 rbps=2097152 wbps=max\n8:0 rbps=max wbps=1\n");
	put(CG "/a/io.max", "9:0 riops=5\n");
	assert_int_equal(lm_cgroup_facts(root, &f), 0);
	is_number(&f, "cgroup.version", 2);
	is_text(&f, "cgroup.path", "/a/b");
	is_number(&f, "cgroup.cpu_max_cpus", 1.5);
	is_number(&f, "cgroup.memory_max_kib", 1048576);
	is_text(&f, "cgroup.memory_high_kib", "unlimited");
	is_null(&f, "cgroup.swap_max_kib");
	is_number(&f, "cgroup.pids_max", 500);
	is_text(&f, "cgroup.io_max",
		"8:16 rbps=2097152 wbps=max; 8:0 rbps=max wbps=1; 9:0 riops=5");
	lm_facts_free(&f);
}

/* A container sees its own group as the root of what is mounted. */
static void test_cgroup_container(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/self/cgroup", "0::/docker/abc/x\n");
	put("/proc/self/mountinfo", "31 23 0:28 /docker/abc " CG " ro - cgroup2 cgroup rw\n");
	put(CG "/x/pids.max", "max\n");
	put(CG "/pids.max", "7\n");
	assert_int_equal(lm_cgroup_facts(root, &f), 0);
	is_number(&f, "cgroup.pids_max", 7);
	is_null(&f, "cgroup.io_max");
	lm_facts_free(&f);
	/* a name space whose root is elsewhere */
	put("/proc/self/cgroup", "0::/../../other\n");
	put("/proc/self/mountinfo", "31 23 0:28 / " CG " ro - cgroup2 cgroup rw\n");
	assert_int_equal(lm_cgroup_facts(root, &f), 0);
	is_number(&f, "cgroup.pids_max", 7);
	lm_facts_free(&f);
}

static void test_cgroup1(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put("/proc/self/cgroup",
	    "9:blkio:/g\n8:memory:/g/h\n7:pids:/\n4:cpu,cpuacct:/g\n1:name=systemd:/s\n0::/u\n");
	put("/proc/self/mountinfo",
	    "41 31 0:38 / " CG "/unified rw - cgroup2 cgroup2 rw\n"
	    "32 31 0:29 / " CG "/cpuset rw - cgroup cgroup rw,cpuset\n"
	    "33 31 0:30 / " CG "/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
	    "34 31 0:31 / " CG "/memory rw - cgroup cgroup rw,memory\n"
	    "35 31 0:32 / " CG "/pids rw - cgroup cgroup rw,pids\n"
	    "36 31 0:33 / " CG "/blkio rw - cgroup cgroup rw,blkio\n");
	put(CG "/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
	put(CG "/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
	put(CG "/cpu,cpuacct/g/cpu.cfs_quota_us", "50000\n");
	put(CG "/cpu,cpuacct/g/cpu.cfs_period_us", "100000\n");
	put(CG "/memory/memory.limit_in_bytes", "9223372036854771712\n");
	put(CG "/memory/g/memory.limit_in_bytes", "4194304\n");
	put(CG "/memory/g/h/memory.limit_in_bytes", "9223372036854771712\n");
	put(CG "/memory/memory.soft_limit_in_bytes", "9223372036854771712\n");
	put(CG "/blkio/g/blkio.throttle.read_bps_device", "8:0 1048576\n");
	put(CG "/blkio/g/blkio.throttle.write_bps_device", "");
	assert_int_equal(lm_cgroup_facts(root, &f), 0);
	is_number(&f, "cgroup.version", 1);
	is_text(&f, "cgroup.path", "/g/h");
	is_number(&f, "cgroup.cpu_max_cpus", 0.5);
	is_number(&f, "cgroup.memory_max_kib", 4096);
	is_text(&f, "cgroup.memory_high_kib", "unlimited");
	is_null(&f, "cgroup.pids_max"); /* the root has no such file */
	is_text(&f, "cgroup.io_max", "read_bps 8:0 1048576");
	lm_facts_free(&f);
}

/* --- mounts -------------------------------------------------------------------------------- */

static void mount_is(const char *path, unsigned major, unsigned minor, const char *point,
		     const char *source)
{
	struct lm_mount m;
	char *line = lm_mount_find(root, path, major, minor, &m);

	assert_non_null(line);
	assert_string_equal(m.point, point);
	assert_string_equal(m.source, source);
	free(line);
}

static void test_mounts(void **state)
{
	struct lm_mount m;

	(void)state;
	assert_null(lm_mount_find(root, "/x", 8, 1, &m));
	put("/proc/self/mountinfo",
	    "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
	    "nonsense\n"
	    "30 22 8:2 / /mnt rw master:1 propagate_from:2 - xfs /dev/sda2 rw\n"
	    "31 22 8:1 /srv /mnt/bind rw,noatime - ext4 /dev/sda1 rw,data=ordered\n"
	    "32 22 8:3 / /with\\040space\\134 rw - ext4 /dev/disk\\040a rw\n"
	    "33 22 0:40 /@home /home rw shared:9 - btrfs /dev/sdb1 rw,subvol=/@home\n"
	    "34 22 0:50 / /over rw - tmpfs first rw\n"
	    "35 34 0:51 / /over rw - tmpfs second rw\n"
	    "36 22 0:52 / /none rw - tmpfs  rw,size=1k\n");
	mount_is("/etc", 8, 1, "/", "/dev/sda1");
	mount_is("/mnt/x", 8, 2, "/mnt", "/dev/sda2");
	mount_is("/mntx", 8, 1, "/", "/dev/sda1"); /* not below /mnt */
	mount_is("/mnt/bind/x", 8, 1, "/mnt/bind", "/dev/sda1");
	mount_is("/with space\\/x", 8, 3, "/with space\\", "/dev/disk a");
	mount_is("/home/me/subvolume", 0, 77, "/home", "/dev/sdb1");
	mount_is("/over/x", 0, 51, "/over", "second");
	mount_is("/over/x", 0, 50, "/over", "first");
	mount_is("/over/x", 0, 99, "/over", "second");
	mount_is("/none", 0, 52, "/none", "");
}

/* --- disks --------------------------------------------------------------------------------- */

#define DEV "/sys/devices"

/* A disk, with its number and a partition. */
static void put_disk(const char *name, const char *number, const char *partition_number,
		     const char *scheduler, const char *rotational)
{
	char path[256], target[256];

	snprintf(path, sizeof(path), DEV "/pci/%s", name);
	putf(scheduler, "%s/queue/scheduler", path);
	putf(rotational, "%s/queue/rotational", path);
	putf(rotational[0] == '1' ? "512\n" : "4096\n", "%s/queue/logical_block_size", path);
	putf("1\n", "%s/%s1/partition", path, name);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", number);
	snprintf(target, sizeof(target), "../../devices/pci/%s", name);
	link_to(path, target);
	snprintf(path, sizeof(path), "/sys/class/block/%s", name);
	link_to(path, target);
	snprintf(path, sizeof(path), "/sys/dev/block/%s", partition_number);
	snprintf(target, sizeof(target), "../../devices/pci/%s/%s1", name, name);
	link_to(path, target);
	snprintf(path, sizeof(path), "/sys/class/block/%s1", name);
	link_to(path, target);
}

static void disks_are(unsigned major, unsigned minor, const char *source, const char *want)
{
	struct lm_disks disks;
	char names[256] = "";

	lm_disks_find(root, major, minor, source, &disks);
	for (size_t i = 0; i < disks.count; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? " " : "",
			 strrchr(disks.paths[i], '/') + 1);
	lm_disks_free(&disks);
	assert_string_equal(names, want);
}

static void put_stack(void)
{
	put_disk("sda", "8:0", "8:1", "none [mq-deadline]\n", "1\n");
	put_disk("sdb", "8:16", "8:17", "[none] mq-deadline\n", "0\n");
	/* a volume on a mirror of two partitions */
	put(DEV "/virtual/block/md0/size", "1\n");
	link_to(DEV "/virtual/block/md0/slaves/sdb1", "../../../../pci/sdb/sdb1");
	link_to(DEV "/virtual/block/md0/slaves/sda1", "../../../../pci/sda/sda1");
	link_to(DEV "/virtual/block/dm-0/slaves/md0", "../../md0");
	link_to("/sys/dev/block/253:0", "../../devices/virtual/block/dm-0");
	link_to("/sys/class/block/dm-0", "../../devices/virtual/block/dm-0");
	put("/dev/dm-0", "");
	put("/dev/sdb1", "");
	link_to("/dev/mapper/vg-lv", "../dm-0");
}

static void test_disks(void **state)
{
	(void)state;
	put_stack();
	disks_are(8, 0, "", "sda");
	disks_are(8, 1, "", "sda");
	disks_are(253, 0, "/dev/mapper/vg-lv", "sda sdb");
	disks_are(0, 40, "/dev/sdb1", "sdb"); /* btrfs */
	disks_are(0, 40, "/dev/mapper/vg-lv", "sda sdb");
	disks_are(0, 41, "tmpfs", "");
	disks_are(0, 42, "/dev/root", "");
	disks_are(0, 43, "server:/export", "");
	/* a loop of devices ends */
	link_to(DEV "/virtual/block/dm-9/slaves/dm-9", "../../dm-9");
	link_to("/sys/dev/block/253:9", "../../devices/virtual/block/dm-9");
	disks_are(253, 9, "", "");
}

/* --- directories --------------------------------------------------------------------------- */

/* Facts of the made-up root itself: its true device number, made-up mounts and disks. */
static void describe_root(const char *device, struct lm_facts *f)
{
	const char *dirs[] = { root, "/nonexistent/directory" };
	struct lm_plan plan = { .dirs = dirs, .dir_count = 2 };
	char line[PATH_MAX];
	struct stat st;

	assert_int_equal(stat(root, &st), 0);
	snprintf(line, sizeof(line), "22 1 %u:%u /sub / rw,noatime - ext4 %s rw,data=ordered\n",
		 major(st.st_dev), minor(st.st_dev), device);
	put("/proc/self/mountinfo", line);
	assert_int_equal(lm_directory_facts(root, &plan, f), 0);
}

static void test_directories(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	put_stack();
	describe_root("/dev/mapper/vg-lv", &f);
	is_text(&f, "directory_1.path", root);
	is_text(&f, "directory_1.device", "/dev/mapper/vg-lv");
	is_text(&f, "directory_1.file_system", "ext4");
	is_text(&f, "directory_1.mount_point", "/");
	is_text(&f, "directory_1.mount_root", "/sub");
	is_text(&f, "directory_1.mount_options", "rw,noatime");
	is_text(&f, "directory_1.file_system_options", "rw,data=ordered");
	is_text(&f, "directory_1.disk", "sda, sdb");
	is_null(&f, "directory_1.rotational"); /* one is, one is not */
	is_null(&f, "directory_1.sector_bytes");
	is_text(&f, "directory_1.scheduler", "mq-deadline (1), none (1)");
	is_null(&f, "directory_1.disk_model");
	assert_int_equal(fact(&f, "directory_1.free_kib")->type, LM_FACT_NUMBER);
	assert_true(fact(&f, "directory_1.size_kib")->number >=
		    fact(&f, "directory_1.free_kib")->number);
	is_text(&f, "directory_2.path", "/nonexistent/directory");
	is_null(&f, "directory_2.device");
	is_null(&f, "directory_2.size_kib");
	is_null(&f, "directory_2.disk");
	lm_facts_free(&f);
	describe_root("/dev/sdb1", &f);
	is_text(&f, "directory_1.disk", "sdb");
	is_number(&f, "directory_1.rotational", 0);
	is_number(&f, "directory_1.sector_bytes", 4096);
	is_text(&f, "directory_1.scheduler", "none");
	lm_facts_free(&f);
}

/* --- nothing there ------------------------------------------------------------------------- */

static void test_nothing(void **state)
{
	struct lm_facts f = { 0 };

	(void)state;
	assert_int_equal(lm_processor_facts(root, &f), 0);
	all_null(&f, 15);
	assert_int_equal(lm_memory_facts(root, &f), 0);
	all_null(&f, 15);
	assert_int_equal(lm_cgroup_facts(root, &f), 0);
	all_null(&f, 8);
	assert_int_equal(lm_load_facts(root, &f), 0);
	all_null(&f, 5);
	assert_int_equal(lm_virtual_facts(root, NULL, &f), 0);
	all_null(&f, 2);
	assert_int_equal(lm_system_facts(root, &f), 0);
	is_null(&f, "kernel.command_line");
	is_null(&f, "os.name");
	is_null(&f, "bin.entries");
	lm_facts_free(&f);
	assert_int_equal(lm_limit_facts(root, &f), 0);
	is_null(&f, "process.cpu_list");
	is_null(&f, "limits.pid_max");
	lm_facts_free(&f);
}

/* --- this machine ---------------------------------------------------------------------------- */

/* Whatever it is: every key is "group.name" and stands once. */
static void test_here(void **state)
{
	const char *dirs[] = { "/", "/tmp" };
	struct lm_plan plan = { .dirs = dirs, .dir_count = 2 };
	struct lm_facts f = { 0 };
	struct lm_error err = { 0 };

	(void)state;
	assert_int_equal(lm_probes_check(&err), 0);
	assert_int_equal(lm_probes_describe(&plan, &f, &err), 0);
	assert_true(f.count > 80);
	for (size_t i = 0; i < f.count; i++) {
		const char *key = f.items[i].key, *dot = strchr(key, '.');

		assert_ptr_equal(fact(&f, key), &f.items[i]);
		assert_true(dot && dot > key && dot[1]);
	}
	lm_facts_free(&f);
}

#define MACHINE(test) cmocka_unit_test_setup_teardown(test, make_root, drop_root)

int main(void)
{
	const struct CMUnitTest tests[] = {
		MACHINE(test_files),
		MACHINE(test_lines),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_tally),
		MACHINE(test_two_sockets),
		MACHINE(test_big_little),
		MACHINE(test_virtual),
		MACHINE(test_memory),
		MACHINE(test_system),
		MACHINE(test_load),
		MACHINE(test_power),
		MACHINE(test_cgroup2),
		MACHINE(test_cgroup_container),
		MACHINE(test_cgroup1),
		MACHINE(test_mounts),
		MACHINE(test_disks),
		MACHINE(test_directories),
		MACHINE(test_nothing),
		cmocka_unit_test(test_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
