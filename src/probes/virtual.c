/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether the machine is a virtual one, and whether this is a container. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#endif

#include "probes/probes.h"
#include "probes/readfile.h"

/* --- hypervisor ---------------------------------------------------------------------------- */

static const struct {
	const char *sign, *name; /* what begins with the sign is of that name */
} signs[] = {
	/* of the processor */
	{ "KVMKVMKVM", "kvm" },
	{ "Linux KVM Hv", "kvm" },
	{ "Microsoft Hv", "microsoft" },
	{ "VMwareVMware", "vmware" },
	{ "XenVMMXenVMM", "xen" },
	{ "TCGTCGTCGTCG", "qemu" },
	{ "bhyve bhyve", "bhyve" },
	{ "VBoxVBoxVBox", "virtualbox" },
	{ "ACRNACRNACRN", "acrn" },
	/* of firmware */
	{ "KVM", "kvm" },
	{ "Amazon EC2", "amazon" },
	{ "QEMU", "qemu" },
	{ "linux,dummy-virt", "qemu" },
	{ "VMware", "vmware" },
	{ "VirtualBox", "virtualbox" },
	{ "innotek GmbH", "virtualbox" },
	{ "Xen", "xen" },
	{ "xen", "xen" },
	{ "Bochs", "bochs" },
	{ "Parallels", "parallels" },
	{ "BHYVE", "bhyve" },
	{ "Google Compute Engine", "google" },
	{ "OpenStack", "openstack" },
};

/* Where firmware tells; a real machine's has its maker's name there, so only known names count. */
static const char *const firmware[] = {
	"/sys/hypervisor/type",
	"/sys/class/dmi/id/product_name",
	"/sys/class/dmi/id/sys_vendor",
	"/sys/class/dmi/id/bios_vendor",
	"/proc/device-tree/hypervisor/compatible",
	"/proc/device-tree/compatible",
};

static const char *name_of(const char *sign)
{
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (!strncmp(sign, signs[i].sign, strlen(signs[i].sign)))
			return signs[i].name;
	return NULL;
}

/* What x86 processors tell: 1 there is one, 0 there is none, -1 they do not tell. */
static int hypervisor_flag(const char *root)
{
	struct lm_file_lines lines;
	const char *flags = NULL;
	char *line;
	int found;

	lm_file_lines_open(&lines, root, "/proc/cpuinfo");
	while (!flags && (line = lm_file_lines_next(&lines)))
		flags = lm_line_value(line, "flags");
	found = flags ? strstr(flags, " hypervisor") != NULL : -1;
	lm_file_lines_close(&lines);
	return found;
}

/* The flag comes first: a cloud's machines without a hypervisor have its name in their firmware,
 * too.
 */
static const char *hypervisor(const char *root, const char *signature)
{
	const char *name = signature ? name_of(signature) : NULL;
	int flag = hypervisor_flag(root);
	char text[256];

	if (flag == 0)
		return "none";
	for (size_t i = 0; !name && i < sizeof(firmware) / sizeof(*firmware); i++)
		if (lm_read_text(text, sizeof(text), root, "%s", firmware[i]) == 0)
			name = name_of(text);
	return name ? name : flag > 0 ? "unknown" : NULL;
}

/* --- container ----------------------------------------------------------------------------- */

static bool exists(const char *root, const char *name)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s%s", root, name);
	return access(path, F_OK) == 0;
}

static const char *container(const char *root, char *buf, size_t size)
{
	if (lm_read_text(buf, size, root, "/run/systemd/container") == 0 && *buf)
		return buf;
	if (exists(root, "/.dockerenv"))
		return "docker";
	if (exists(root, "/run/.containerenv"))
		return "podman";
	return NULL;
}

/* --- facts --------------------------------------------------------------------------------- */

int lm_virtual_facts(const char *root, const char *signature, struct lm_facts *out)
{
	char text[128];

	return lm_facts_text(out, "virtual.hypervisor", hypervisor(root, signature)) |
	       lm_facts_text(out, "virtual.container", container(root, text, sizeof(text)));
}

/* The hypervisor's own name for itself, "" where there is none. */
static void read_signature(char signature[13])
{
	unsigned r[4] = { 0 };

	memset(signature, 0, 13);
#if defined(__x86_64__) || defined(__i386__)
	if (!__get_cpuid(1, &r[0], &r[1], &r[2], &r[3]) || !(r[2] & 1u << 31))
		return;
	__cpuid(0x40000000, r[0], r[1], r[2], r[3]);
#endif
	memcpy(signature, &r[1], 12);
}

static int describe(const struct lm_plan *plan, struct lm_facts *out)
{
	char signature[13];

	(void)plan;
	read_signature(signature);
	return lm_virtual_facts("", signature, out);
}

const struct lm_probe lm_probe_virtual = { .name = "virtual", .describe = describe };
