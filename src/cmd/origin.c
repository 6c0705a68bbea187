/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/origin.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "jobs/jobs.h"

#define DIGEST_ROOM 32

/* The hash of Fowler, Noll and Vo, 64 bits, 1a: it tells one file from another that was made by
 * chance; nobody is to be kept from forging it. */
#define FNV_START UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

static uint64_t add_bytes(uint64_t hash, const unsigned char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		hash = (hash ^ bytes[i]) * FNV_PRIME;
	return hash;
}

/* "" when the file cannot be read: a script may be executable alone. */
static void digest_file(const char *path, char digest[DIGEST_ROOM])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t hash = FNV_START;
	unsigned char bytes[4096];
	ssize_t n = -1;

	while (fd >= 0 && (n = read(fd, bytes, sizeof(bytes))) > 0)
		hash = add_bytes(hash, bytes, (size_t)n);
	if (fd >= 0)
		close(fd);
	digest[0] = '\0';
	if (n == 0)
		snprintf(digest, DIGEST_ROOM, "fnv1a:%016" PRIx64, hash);
}

/* The shared object that a kind is in; NULL: this program, or it was made of a workfile's line. */
static const char *object_of(const struct lm_job *job)
{
	Dl_info own, its;

	if (!dladdr(lm_jobs, &own) || !dladdr(job, &its) || its.dli_fbase == own.dli_fbase)
		return NULL;
	return its.dli_fname;
}

int lm_origins_note(struct lm_mix *mix, struct lm_error *err)
{
	for (size_t i = 0; i < mix->count; i++) {
		struct lm_mix_entry *entry = &mix->entries[i];
		const char *path = object_of(entry->job);
		char digest[DIGEST_ROOM];

		if (!path)
			path = lm_shell_script(entry->job);
		if (!path)
			continue;
		digest_file(path, digest);
		entry->file = strdup(path);
		entry->digest = strdup(digest);
		if (!entry->file || !entry->digest)
			return lm_error_sys(err, "the mix");
	}
	return 0;
}
