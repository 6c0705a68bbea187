/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Messages through System V shared memory, guarded by a semaphore.
 *
 * These objects outlive the process that made them. The segment is marked for removal as soon as it
 * is attached; for the rest, and for a kill between two calls, the engine knows the key before
 * there is anything. It is AIM7's, the process's number, but in a part of the number space where
 * other programs' are unlikely, and never one that is in use.
 */
#include <loadmix/job.h>

#include "jobs/jobs.h"
#include "jobs/messages.h"

#include <string.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

enum {
	ROUNDS = 100,
	AIM7_BYTES = 2048,
	REAIM_BYTES = 65536,
	KEY_BASE = 0x4c000000,
	KEY_STEP = 1 << 22, /* above any process number */
	KEYS = 4,           /* tried before giving up */
	MODE = 0600,
};

enum { NONE = -1 };

struct shared {
	unsigned char *memory;  /* NULL: not attached */
	int segment, semaphore; /* ids of what is still to be removed */
};

#define NOTHING ((struct shared){ .segment = NONE, .semaphore = NONE })

union semun {
	int val;
};

/* Through these pointers every copy is a call of the library, whatever is known of its size. */
static __typeof__(&memcpy) volatile const call_memcpy = memcpy;

static enum lm_outcome refused(struct lm_job_ctx *ctx, const struct shared *s, size_t bytes)
{
	if (s->segment < 0)
		return lm_job_fail(ctx,
				   "shmget of %zu bytes (limits: shmmni, shmall and shmmax in "
				   "/proc/sys/kernel)",
				   bytes);
	return lm_job_fail(ctx, "semget of one semaphore (limits: the second and the last number "
				"in /proc/sys/kernel/sem)");
}

static enum lm_outcome attach(struct lm_job_ctx *ctx, struct shared *s)
{
	void *memory = shmat(s->segment, NULL, 0);

	if (memory == (void *)-1)
		return lm_job_fail(ctx, "shmat");
	s->memory = memory;
	if (shmctl(s->segment, IPC_RMID, NULL) < 0)
		return lm_job_fail(ctx, "shmctl IPC_RMID");
	s->segment = NONE; /* it goes when it is detached */
	if (semctl(s->semaphore, 0, SETVAL, (union semun){ .val = 1 }) < 0)
		return lm_job_fail(ctx, "semctl SETVAL");
	return LM_JOB_OK;
}

/* Remove what there is; the outcome so far, or that of a call that failed. */
static enum lm_outcome drop(struct lm_job_ctx *ctx, struct shared *s, enum lm_outcome outcome)
{
	if (s->memory && shmdt(s->memory) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "shmdt");
	if (s->segment != NONE)
		shmctl(s->segment, IPC_RMID, NULL);
	if (s->semaphore != NONE && semctl(s->semaphore, 0, IPC_RMID) < 0 && outcome == LM_JOB_OK)
		outcome = lm_job_fail(ctx, "semctl IPC_RMID");
	*s = NOTHING;
	*ctx->ipc_key = 0;
	return outcome;
}

/* Both objects under a key that is noted first; false with errno: EEXIST when it is in use. */
static bool create(struct lm_job_ctx *ctx, struct shared *s, size_t bytes, key_t key)
{
	*ctx->ipc_key = key;
	s->segment = shmget(key, bytes, IPC_CREAT | IPC_EXCL | MODE);
	if (s->segment != NONE)
		s->semaphore = semget(key, 1, IPC_CREAT | IPC_EXCL | MODE);
	return s->semaphore != NONE;
}

static enum lm_outcome open_shared(struct lm_job_ctx *ctx, struct shared *s, size_t bytes)
{
	key_t key = KEY_BASE + getpid();
	int tried = 0;

	while (!create(ctx, s, bytes, key)) {
		if (errno != EEXIST || ++tried == KEYS)
			return refused(ctx, s, bytes);
		drop(ctx, s, LM_JOB_OK);
		key += KEY_STEP;
	}
	return attach(ctx, s);
}

/* Take (-1) or give (+1) the semaphore. Nobody else does, so it never has to be waited for. */
static enum lm_outcome change(struct lm_job_ctx *ctx, const struct shared *s, short by)
{
	struct sembuf operation = { .sem_op = by, .sem_flg = IPC_NOWAIT };

	if (semop(s->semaphore, &operation, 1) == 0)
		return LM_JOB_OK;
	if (errno == EAGAIN)
		return lm_job_wrong(ctx, "semop %+d: the semaphore is not free, but nobody has it",
				    by);
	return lm_job_fail(ctx, "semop %+d", by);
}

static enum lm_outcome copy(struct lm_job_ctx *ctx, const struct shared *s, void *to,
			    const void *from, size_t size)
{
	enum lm_outcome outcome = change(ctx, s, -1);

	if (outcome != LM_JOB_OK)
		return outcome;
	call_memcpy(to, from, size);
	return change(ctx, s, +1);
}

static enum lm_outcome pass_messages(struct lm_job_ctx *ctx, const struct shared *s)
{
	static unsigned char received[LM_LARGEST_MESSAGE];
	enum lm_outcome outcome = LM_JOB_OK;

	for (unsigned n = 0; n < ROUNDS && outcome == LM_JOB_OK; n++) {
		struct lm_message m = lm_message_next(ctx, n);

		outcome = copy(ctx, s, s->memory, m.bytes, m.size);
		if (outcome == LM_JOB_OK)
			outcome = copy(ctx, s, received, s->memory, m.size);
		if (outcome == LM_JOB_OK && memcmp(received, m.bytes, m.size) != 0)
			outcome = lm_job_wrong(ctx,
					       "shared memory: message %u of %zu bytes is "
					       "altered",
					       n, m.size);
	}
	return outcome;
}

static enum lm_outcome shared_memory(struct lm_job_ctx *ctx)
{
	struct shared s = NOTHING;
	size_t bytes = ctx->semantics == LM_SEMANTICS_REAIM ? REAIM_BYTES : AIM7_BYTES;
	enum lm_outcome outcome = open_shared(ctx, &s, bytes);

	if (outcome == LM_JOB_OK)
		outcome = pass_messages(ctx, &s);
	return drop(ctx, &s, outcome);
}

static enum lm_outcome shared_supported(const struct lm_job_ctx *ctx, char *why, size_t why_size)
{
	struct shminfo limits;

	(void)ctx;
	if (shmctl(0, IPC_INFO, (struct shmid_ds *)(void *)&limits) >= 0)
		return LM_JOB_OK;
	snprintf(why, why_size, "this kernel has no System V shared memory (%s)", strerror(errno));
	return LM_JOB_UNSUPPORTED;
}

const struct lm_job lm_jobs_shared_memory[] = {
	{
		.name = "shared_memory",
		.unit = "Shared Memory Operations",
		.class = LM_CLASS_IPC,
		.factor = 100,
		.flags = LM_JOB_DIR, /* not used: AIM7 once mapped a file, and still takes its turn
				      */
		.supported = shared_supported,
		.prepare = lm_messages_prepare,
		.run = shared_memory,
	},
	{ 0 },
};
