/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The stored result: JSON lines, each on the disk before the next step begins (docs/formats.md). */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "formats/append.h"
#include "formats/formats.h"
#include "formats/journal.h"
#include "formats/journal_json.h"

struct journal {
	int fd; /* -1 until the run begins */
	char *path;
	unsigned lines;
	bool created;                /* by us, and not something like /dev/null */
	const struct lm_run *before; /* what is gone on with, NULL: nothing */
	const char *again;           /* of that, what was taken back */
	char *tail;                  /* what stood behind its last step, NULL: not looked at */
	size_t tail_size;
};

/* Takes line over. */
static int append(struct journal *j, json_t *line, struct lm_error *err)
{
	size_t length;
	char *s = lm_journal_dump(line, &length);
	int rc;

	if (!s)
		return lm_error_set(err, LM_ERR_SYSTEM, "a line of journal '%s' cannot be made",
				    j->path);
	rc = lm_store(j->fd, s, length);
	free(s);
	if (rc < 0)
		return lm_error_sys(err, "cannot write journal '%s'", j->path);
	j->lines++;
	return 0;
}

static int refuse_existing(const char *path, struct lm_error *err)
{
	return lm_error_set(err, LM_ERR_INPUT,
			    "journal '%s' exists already and is left alone: give another name "
			    "or move it away",
			    path);
}

/* /dev/null is for who wants no journal. */
static bool is_device(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISCHR(st.st_mode);
}

/* 0 when nobody else writes the file, as far as the file system can tell; else who does, -1 when
 * that is not known. Unlike flock(), such a lock is not held by the processes that we fork. */
static int lock(int fd)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	if (fcntl(fd, F_SETLK, &whole) == 0 || (errno != EACCES && errno != EAGAIN))
		return 0;
	whole.l_type = F_WRLCK;
	if (fcntl(fd, F_GETLK, &whole) < 0 || whole.l_type == F_UNLCK || whole.l_pid <= 0)
		return -1;
	return (int)whole.l_pid;
}

static int create(struct journal *j, struct lm_error *err)
{
	if (is_device(j->path)) {
		j->fd = open(j->path, O_WRONLY | O_CLOEXEC);
		return j->fd < 0 ? lm_error_sys(err, "cannot write '%s'", j->path) : 0;
	}
	j->fd = open(j->path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
	j->created = j->fd >= 0;
	if (j->fd >= 0) {
		lock(j->fd); /* so that nobody goes on with it meanwhile */
		if (lm_store_name(j->path) == 0)
			return 0;
		return lm_error_sys(err, "cannot put the name of journal '%s' on the disk",
				    j->path);
	}
	if (errno == EEXIST)
		return refuse_existing(j->path, err);
	return lm_error_sys(err, "cannot create journal '%s' (choose another place)", j->path);
}

static int journal_begin(void *state, const struct lm_plan *plan,
			 const struct lm_facts *environment, struct lm_error *err)
{
	if (create(state, err) < 0)
		return -1;
	return append(state, lm_journal_run_line(plan, environment), err);
}

static int journal_step(void *state, const struct lm_record *record, struct lm_error *err)
{
	return append(state, lm_journal_step_line(record, false), err);
}

static int journal_end(void *state, const struct lm_summary *s, struct lm_error *err)
{
	char now[32];

	lm_now_text(now, sizeof(now));
	return append(state, lm_journal_end_line(s, now), err);
}

static void journal_close(void *state)
{
	struct journal *j = state;

	/* a run that could not begin has no result */
	if (j->tail && j->lines < 2 && ftruncate(j->fd, j->before->body_bytes) == 0)
		lm_store(j->fd, j->tail, j->tail_size);
	if (j->fd >= 0)
		close(j->fd);
	if (j->created && j->lines < 2)
		unlink(j->path);
	free(j->tail);
	free(j->path);
	free(j);
}

static int journal_open(const char *path, struct lm_sink *out, struct lm_error *err)
{
	struct journal *j;
	struct stat st;

	if (lstat(path, &st) == 0 && !is_device(path))
		return refuse_existing(path, err);
	j = calloc(1, sizeof(*j));
	if (!j || !(j->path = strdup(path))) {
		free(j);
		return lm_error_sys(err, "journal '%s'", path);
	}
	j->fd = -1;
	*out = (struct lm_sink){ .state = j,
				 .begin = journal_begin,
				 .step = journal_step,
				 .end = journal_end,
				 .close = journal_close };
	return 0;
}

const struct lm_format lm_format_journal = {
	.name = "journal",
	.summary = "JSON lines, the stored result; every step is on the disk when it ends",
	.open = journal_open,
};

/* --- going on with one that was broken off ------------------------------------------------- */

static int open_regular(const char *path, struct lm_error *err)
{
	int fd = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd < 0)
		return lm_error_at(err, path, 0, 0, "cannot be opened to go on with it: %s",
				   strerror(errno));
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	close(fd);
	return lm_error_at(err, path, 0, 0, "is no regular file: expected a journal to go on with");
}

int lm_journal_lock(const char *path, struct lm_error *err)
{
	int fd = open_regular(path, err), owner;
	char who[32] = "another process";

	if (fd < 0)
		return -1;
	owner = lock(fd);
	if (owner == 0)
		return fd;
	close(fd);
	if (owner > 0)
		snprintf(who, sizeof(who), "process %d", owner);
	return lm_error_at(err, path, 0, 0,
			   "%s is writing this journal: wait for its end, or end it", who);
}

int lm_journal_byte(void *state)
{
	struct lm_journal_input *in = state;
	ssize_t n;

	if (in->next == in->size) {
		in->at += (long)in->size;
		n = pread(in->fd, in->buf, sizeof(in->buf), in->at);
		in->next = 0;
		in->size = n > 0 ? (size_t)n : 0;
		if (n <= 0)
			return n < 0 ? -2 : -1;
	}
	return in->buf[in->next++];
}

/* The end of the run so far, or half a line: it is cut off, and comes back when nothing begins. */
static int keep_tail(struct journal *j)
{
	off_t size = lseek(j->fd, 0, SEEK_END);

	errno = ESTALE; /* somebody has cut it since it was read */
	if (size < j->before->body_bytes)
		return -1;
	j->tail_size = (size_t)(size - j->before->body_bytes);
	j->tail = malloc(j->tail_size + 1);
	if (j->tail &&
	    pread(j->fd, j->tail, j->tail_size, j->before->body_bytes) == (ssize_t)j->tail_size)
		return 0;
	free(j->tail);
	j->tail = NULL;
	return -1;
}

static int continue_begin(void *state, const struct lm_plan *plan,
			  const struct lm_facts *environment, struct lm_error *err)
{
	struct journal *j = state;

	(void)plan;
	if (keep_tail(j) < 0 || ftruncate(j->fd, j->before->body_bytes) < 0)
		return lm_error_sys(err, "cannot cut journal '%s' back to its last step", j->path);
	return append(j, lm_journal_resume_line(j->before, j->again, environment), err);
}

int lm_journal_continue(int fd, const char *path, const struct lm_run *run, const char *again,
			struct lm_sink *out, struct lm_error *err)
{
	struct journal *j = calloc(1, sizeof(*j));

	if (!j || !(j->path = strdup(path))) {
		free(j);
		close(fd);
		return lm_error_sys(err, "journal '%s'", path);
	}
	j->fd = fd;
	j->before = run;
	j->again = again;
	*out = (struct lm_sink){ .state = j,
				 .begin = continue_begin,
				 .step = journal_step,
				 .end = journal_end,
				 .close = journal_close };
	return 0;
}
