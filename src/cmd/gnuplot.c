/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/patience.h"
#include "base/text.h"

#define MOST_SECONDS 30
#define MOST_OUTPUT  ((size_t)256 << 20)

extern char **environ;

/* Ours and its end of a stream; -1: closed. */
struct pipe_ends {
	int ours, its;
};

/* A gnuplot that runs. */
struct process {
	pid_t pid;
	struct pipe_ends in, out, err;
	int signals;
	sigset_t mask; /* as it was before */
	size_t fed;    /* of the script */
	size_t said;
	int status;
};

/* --- the script ------------------------------------------------------------------------------- */

int lm_gnuplot_open(struct lm_gnuplot *g, struct lm_error *err)
{
	*g = (struct lm_gnuplot){ 0 };
	g->script = open_memstream(&g->script_text, &g->script_size);
	return g->script ? 0 : lm_error_sys(err, "a script for gnuplot");
}

void lm_gnuplot_close(struct lm_gnuplot *g)
{
	if (g->script)
		fclose(g->script);
	free(g->script_text);
	free(g->output);
	*g = (struct lm_gnuplot){ 0 };
}

/* --- start ------------------------------------------------------------------------------------ */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static int open_pipe(struct pipe_ends *ends, bool to_it)
{
	int fds[2];

	if (pipe2(fds, O_CLOEXEC) < 0)
		return -1;
	ends->ours = fds[to_it];
	ends->its = fds[!to_it];
	return fcntl(ends->ours, F_SETFL, O_NONBLOCK);
}

static int open_pipes(struct process *p)
{
	if (open_pipe(&p->in, true) < 0 || open_pipe(&p->out, false) < 0)
		return -1;
	return open_pipe(&p->err, false);
}

static void close_pipes(struct process *p)
{
	struct pipe_ends *all[] = { &p->in, &p->out, &p->err };

	for (size_t i = 0; i < 3; i++) {
		close_fd(&all[i]->ours);
		close_fd(&all[i]->its);
	}
	close_fd(&p->signals);
}

/* While it runs, signals are read: it must not outlive us. */
static int hold_signals(struct process *p)
{
	sigset_t set;

	lm_stop_signals(&set);
	sigprocmask(SIG_BLOCK, &set, &p->mask);
	p->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return p->signals < 0 ? -1 : 0;
}

static int spawn(struct process *p, const char *program)
{
	char *argv[] = { (char *)(size_t)program, (char[]){ "-d" }, (char[]){ "-" }, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	sigset_t none;
	int rc;

	sigemptyset(&none);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, p->in.its, STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&files, p->out.its, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&files, p->err.its, STDERR_FILENO);
	posix_spawnattr_init(&how);
	posix_spawnattr_setflags(&how, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setsigmask(&how, &none);
	rc = posix_spawnp(&p->pid, program, &files, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	posix_spawn_file_actions_destroy(&files);
	close_fd(&p->in.its);
	close_fd(&p->out.its);
	close_fd(&p->err.its);
	errno = rc;
	return rc ? -1 : 0;
}

/* --- while it runs ---------------------------------------------------------------------------- */

static void feed(struct process *p, const struct lm_gnuplot *g)
{
	ssize_t n = write(p->in.ours, g->script_text + p->fed, g->script_size - p->fed);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		p->fed += (size_t)n;
	/* a reader that goes away says why by its exit */
	if (n < 0 || p->fed == g->script_size)
		close_fd(&p->in.ours);
}

/* Bytes read, 0 when there are none now; closes the stream at its end. */
static size_t take(int *fd, char *buf, size_t size)
{
	ssize_t n = *fd < 0 ? 0 : read(*fd, buf, size);

	if (*fd >= 0 && (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR)))
		close_fd(fd);
	return n > 0 ? (size_t)n : 0;
}

/* -1 when it does not fit. */
static int keep_output(struct process *p, struct lm_gnuplot *g)
{
	char buf[4096];
	size_t n;

	while ((n = take(&p->out.ours, buf, sizeof(buf))) > 0) {
		char *more = g->size + n <= MOST_OUTPUT ? realloc(g->output, g->size + n) : NULL;

		if (!more)
			return -1;
		g->output = more;
		memcpy(more + g->size, buf, n);
		g->size += n;
	}
	return 0;
}

/* The end of it: that is where gnuplot says what was wrong. */
static void keep_words(struct process *p, struct lm_gnuplot *g)
{
	char buf[256];
	size_t n;

	while ((n = take(&p->err.ours, buf, sizeof(buf))) > 0) {
		size_t room = sizeof(g->said) - 1 - p->said, cut = n > room ? n - room : 0;

		memmove(g->said, g->said + cut, p->said - cut);
		memcpy(g->said + p->said - cut, buf, n);
		p->said += n - cut;
	}
}

static int caught(const struct process *p)
{
	struct signalfd_siginfo info;

	return read(p->signals, &info, sizeof(info)) == sizeof(info) ? (int)info.ssi_signo : 0;
}

/* It has ended; it is a zombie still, so that its group's number is nobody else's. */
static bool has_ended(const struct process *p)
{
	siginfo_t info = { 0 };

	/* where our caller ignores SIGCHLD, it is gone as soon as it ends */
	if (waitid(P_PID, (id_t)p->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return errno == ECHILD;
	return info.si_pid == p->pid;
}

/* One turn of waiting. 0 to go on, 1 when it has ended, -1 with err. */
static int turn(struct process *p, struct lm_gnuplot *g, uint64_t until_ns, struct lm_error *err)
{
	struct pollfd fds[] = { { p->in.ours, POLLOUT, 0 },
				{ p->out.ours, POLLIN, 0 },
				{ p->err.ours, POLLIN, 0 },
				{ p->signals, POLLIN, 0 } };
	bool ended = has_ended(p);

	/* the end of a child is no event here: look at it every so often */
	if (!ended && poll(fds, 4, 20) < 0 && errno != EINTR)
		return lm_error_sys(err, "waiting for gnuplot");
	if (p->in.ours >= 0)
		feed(p, g);
	if (keep_output(p, g) < 0)
		return lm_error_set(err, LM_ERR_SYSTEM, "gnuplot's picture is too large");
	keep_words(p, g);
	g->signal = caught(p);
	if (g->signal)
		return lm_error_set(err, LM_ERR_SYSTEM, "ended by signal %d", g->signal);
	if (!ended && lm_now_ns() > until_ns)
		return lm_error_set(err, LM_ERR_SYSTEM,
				    "gnuplot was not done after %d s and was ended", MOST_SECONDS);
	return ended;
}

static void end(struct process *p)
{
	kill(-p->pid, SIGKILL);
	while (waitpid(p->pid, &p->status, 0) < 0 && errno == EINTR)
		;
}

/* --- what came of it -------------------------------------------------------------------------- */

static int no_gnuplot(const char *program, struct lm_error *err)
{
	if (errno != ENOENT)
		return lm_error_sys(err, "cannot run '%.200s'", program);
	return lm_error_set(err, LM_ERR_SYSTEM,
			    "there is no program '%.200s', which draws the pictures: install it "
			    "(Debian's package is gnuplot-nox), or name it by LOADMIX_GNUPLOT",
			    program);
}

/* Its last line that says something tells the error. */
static const char *last_words(const struct lm_gnuplot *g, char *buf, size_t size)
{
	size_t end_at = strlen(g->said), from;

	while (end_at && strchr(" \n\t", g->said[end_at - 1]))
		end_at--;
	from = end_at;
	while (from && g->said[from - 1] != '\n')
		from--;
	if (from == end_at)
		return "it does not say why";
	return lm_text_quote(g->said + from, end_at - from, 300, buf, size);
}

static int judge(const struct process *p, const struct lm_gnuplot *g, struct lm_error *err)
{
	char words[1300];

	const char *why = last_words(g, words, sizeof(words));

	if (WIFSIGNALED(p->status))
		return lm_error_set(err, LM_ERR_SYSTEM, "gnuplot was ended by signal %d: %s",
				    WTERMSIG(p->status), why);
	if (WEXITSTATUS(p->status))
		return lm_error_set(err, LM_ERR_SYSTEM, "gnuplot failed with status %d: %s",
				    WEXITSTATUS(p->status), why);
	if (g->size == 0)
		return lm_error_set(err, LM_ERR_SYSTEM, "gnuplot drew nothing: %s", why);
	return 0;
}

static int watch(struct process *p, struct lm_gnuplot *g, struct lm_error *err)
{
	uint64_t until_ns = lm_now_ns() + MOST_SECONDS * UINT64_C(1000000000);
	int rc = 0;

	while (rc == 0)
		rc = turn(p, g, until_ns, err);
	end(p);
	return rc < 0 ? -1 : judge(p, g, err);
}

int lm_gnuplot_run(struct lm_gnuplot *g, struct lm_error *err)
{
	const char *program = getenv("LOADMIX_GNUPLOT");
	struct process p = {
		.in = { -1, -1 }, .out = { -1, -1 }, .err = { -1, -1 }, .signals = -1
	};
	int rc = fclose(g->script);

	g->script = NULL;
	if (rc != 0)
		return lm_error_sys(err, "a script for gnuplot");
	if (!program || !*program)
		program = "gnuplot";
	rc = hold_signals(&p) < 0 || open_pipes(&p) < 0 ? lm_error_sys(err, "pipes to gnuplot") : 0;
	if (rc == 0 && spawn(&p, program) < 0)
		rc = no_gnuplot(program, err);
	else if (rc == 0)
		rc = watch(&p, g, err);
	close_pipes(&p);
	sigprocmask(SIG_SETMASK, &p.mask, NULL);
	return rc;
}
