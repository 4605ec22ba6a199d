// SPDX-License-Identifier: GPL-3.0-or-later
#include "file/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define REMARK_BYTES 400
#define ENDED_MOST \
	2 // status of a program that ended by itself; a shell gives more for one that a signal
	  // ended

// The child's streams, open in this process; the child has only copies.
struct streams {
	int in;
	int out;    // -1: our standard error
	int remark; // its standard error; -1: ours
};

// Makes the failure a breakdown: it is ours, or the machine's, not the child's answer.
static enum tr_status broke_down(struct tr_error *err)
{
	if (err)
		err->breakdown = true;
	return TR_ERROR;
}

// Whether the child's own words are of a lack of resources.
static bool is_of_resources(const char *remark)
{
	static const int lacks[] = {ENOMEM, EAGAIN, EMFILE, ENFILE, ENOSPC, EDQUOT, EIO};

	if (strstr(remark, TR_OUT_OF_MEMORY))
		return true;
	for (size_t i = 0; i < sizeof(lacks) / sizeof(*lacks); i++)
		if (strstr(remark, strerror(lacks[i])))
			return true;
	return false;
}

static enum tr_status streams_open(struct streams *streams, const char *stdin_path,
				   const char *stdout_path, struct tr_error *err)
{
	const char *in_path = stdin_path ? stdin_path : "/dev/null";

	streams->out = streams->remark = -1;
	streams->in = open(in_path, O_RDONLY | O_CLOEXEC);
	if (streams->in < 0) {
		(void)tr_fail(err, "%s: %s", in_path, strerror(errno));
		return broke_down(err);
	}
	if (stdout_path)
		streams->out = open(stdout_path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (stdout_path && streams->out < 0) {
		(void)tr_fail(err, "%s: %s", stdout_path, strerror(errno));
		(void)close(streams->in);
		return broke_down(err);
	}
	streams->remark = memfd_create("remarks", MFD_CLOEXEC);
	return TR_OK;
}

// If the child was started (TR_OK), remark stays open.
static void streams_close(const struct streams *streams, enum tr_status started)
{
	(void)close(streams->in);
	if (streams->out >= 0)
		(void)close(streams->out);
	if (streams->remark >= 0 && started != TR_OK)
		(void)close(streams->remark);
}

// What a child takes over from us. The child, which shares our memory until it runs its program,
// leaves in failed why it does not.
struct spawning {
	const char *const *argv;
	const struct streams *streams;
	pid_t parent;
	volatile int failed;
};

static bool put_descriptor(int descriptor, int as)
{
	return descriptor == as ? fcntl(as, F_SETFD, 0) == 0 : dup2(descriptor, as) == as;
}

// In the child: only system calls. A signal that we catch has its default before any is let in.
static _Noreturn void child_begin(struct spawning *spawning)
{
	const struct streams *streams = spawning->streams;
	const struct sigaction standard = {.sa_handler = SIG_DFL};
	struct sigaction present;
	sigset_t none;

	for (int signal = 1; signal < NSIG; signal++)
		if (signal == SIGPIPE ||
		    (sigaction(signal, NULL, &present) == 0 && present.sa_handler != SIG_IGN))
			(void)sigaction(signal, &standard, NULL);
	(void)sigemptyset(&none);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != spawning->parent) // it ended before that
		_exit(127);
	if (put_descriptor(streams->in, STDIN_FILENO) &&
	    put_descriptor(streams->out < 0 ? STDERR_FILENO : streams->out, STDOUT_FILENO) &&
	    (streams->remark < 0 || put_descriptor(streams->remark, STDERR_FILENO)) &&
	    sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		(void)execvp(spawning->argv[0], (char *const *)spawning->argv);
	spawning->failed = errno;
	_exit(127);
}

// Starts the child, which a signal ends when we end, however we do; 0 or an error number. In it no
// signal is blocked.
static int spawn_start(pid_t *child, const char *const argv[], const struct streams *streams)
{
	struct spawning spawning = {.argv = argv, .streams = streams, .parent = getpid()};
	sigset_t all, before;
	int failed;

	(void)sigfillset(&all);
	failed = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (failed)
		return failed;
	*child = vfork();
	if (*child == 0)
		child_begin(&spawning);
	failed = *child < 0 ? errno : spawning.failed;
	if (*child > 0 && failed)
		(void)waitpid(*child, NULL, 0);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return failed;
}

bool tr_spawn_find(const char *name, int mode, char path[PATH_MAX])
{
	const char *folders = getenv("PATH");

	while (folders && *folders != '\0') {
		const int length = (int)strcspn(folders, ":");

		if (snprintf(path, PATH_MAX, "%.*s/%s", length, folders, name) < PATH_MAX &&
		    access(path, mode) == 0)
			return true;
		folders += length + (folders[length] == ':');
	}
	return false;
}

static enum tr_status start_child(struct tr_child *child, const char *const argv[],
				  const struct streams *streams, struct tr_error *err)
{
	int failed = spawn_start(&child->process, argv, streams);
	char path[PATH_MAX];

	child->program = argv[0];
	child->remark = streams->remark;
	// Also if PATH has a folder that this user must not search.
	if (failed == EACCES && !strchr(argv[0], '/') && !tr_spawn_find(argv[0], F_OK, path))
		failed = ENOENT;
	if (failed)
		(void)tr_fail(err, "cannot run %s: %s", child->program, strerror(failed));
	if (failed && failed != ENOENT)
		return broke_down(err);
	return failed == 0 ? TR_OK : failed == ENOENT ? TR_END : TR_ERROR;
}

// Makes the path of name in the folder of the running program; false: it is not known, or too long.
static bool make_path_beside(const char *name, char path[PATH_MAX])
{
	const ssize_t bytes = readlink("/proc/self/exe", path, PATH_MAX - 1);
	const char *slash;
	size_t used;

	path[bytes > 0 ? bytes : 0] = '\0';
	slash = strrchr(path, '/');
	if (!slash)
		return false;
	used = (size_t)(slash + 1 - path);
	return snprintf(path + used, PATH_MAX - used, "%s", name) < (int)(PATH_MAX - used);
}

const char *tr_spawn_beside(const char *name, char path[PATH_MAX])
{
	return make_path_beside(name, path) && access(path, X_OK) == 0 ? path : name;
}

enum tr_status tr_spawn_file_beside(const char *name, char path[PATH_MAX], struct tr_error *err)
{
	char relative[PATH_MAX];

	if (!make_path_beside(name, relative))
		return tr_fail(err, "%s: cannot find the folder of the running program", name);
	if (!realpath(relative, path) || access(path, R_OK) != 0)
		return tr_fail(err, "%s: %s", relative, strerror(errno));
	return TR_OK;
}

enum tr_status tr_spawn_start(struct tr_child *child, const char *const argv[], int in, int out,
			      int errors, struct tr_error *err)
{
	const struct streams streams = {.in = in, .out = out, .remark = errors};
	const enum tr_status status = start_child(child, argv, &streams, err);

	child->remark = -1;
	return status == TR_OK ? TR_OK : TR_ERROR;
}

enum tr_status tr_spawn_wait(const struct tr_child *child, int *exit_status, struct tr_error *err)
{
	int status;

	while (waitpid(child->process, &status, 0) < 0)
		if (errno != EINTR)
			return tr_fail(err, "%s: %s", child->program, strerror(errno));
	*exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	if (!WIFSIGNALED(status))
		return TR_OK;
	(void)tr_fail(err, "%s: ended by signal %d (%s)", child->program, WTERMSIG(status),
		      strsignal(WTERMSIG(status)));
	return broke_down(err);
}

// ": " and the first line of the child's standard error; empty if none.
static const char *first_remark(const struct tr_child *child, char text[REMARK_BYTES])
{
	const ssize_t got = child->remark < 0 ? 0
					      : pread(child->remark, text + 2, REMARK_BYTES - 3, 0);

	text[got > 0 ? got + 2 : 2] = '\0';
	text[2 + strcspn(text + 2, "\r\n")] = '\0';
	if (text[2] == '\0')
		return "";
	memcpy(text, ": ", 2);
	return text;
}

enum tr_status tr_spawn_end(struct tr_child *child, struct tr_error *err)
{
	char remark[REMARK_BYTES];
	int ended;
	enum tr_status status = tr_spawn_wait(child, &ended, err);

	if (status == TR_OK && ended != 0) {
		status = tr_fail(err, "%s: ended with status %d%s", child->program, ended,
				 first_remark(child, remark));
		if (ended > ENDED_MOST || is_of_resources(remark + 2))
			status = broke_down(err);
	}
	if (child->remark >= 0)
		(void)close(child->remark);
	return status;
}

enum tr_status tr_spawn(const char *const argv[], const char *stdin_path, const char *stdout_path,
			struct tr_error *err)
{
	struct streams streams;
	struct tr_child child;
	enum tr_status status;

	if (streams_open(&streams, stdin_path, stdout_path, err) != TR_OK)
		return TR_ERROR;
	status = start_child(&child, argv, &streams, err);
	streams_close(&streams, status);
	return status == TR_OK ? tr_spawn_end(&child, err) : status;
}

enum tr_status tr_spawn_read(struct tr_child *child, const char *const argv[],
			     const char *stdin_path, int *out, struct tr_error *err)
{
	struct streams streams;
	enum tr_status status;
	int ends[2];

	if (streams_open(&streams, stdin_path, NULL, err) != TR_OK)
		return TR_ERROR;
	if (pipe2(ends, O_CLOEXEC) != 0) {
		streams_close(&streams, TR_ERROR);
		(void)tr_fail(err, "a pipe: %s", strerror(errno));
		return broke_down(err);
	}
	streams.out = ends[1];
	*out = ends[0];
	status = start_child(child, argv, &streams, err);
	streams_close(&streams, status);
	if (status != TR_OK)
		(void)close(ends[0]);
	return status;
}

// ---- files in memory

enum tr_status tr_scratch_open(struct tr_scratch *scratch, const char *what, struct tr_error *err)
{
	const int fd = memfd_create("scratch", MFD_CLOEXEC);

	*scratch = (struct tr_scratch){.file = fd < 0 ? NULL : fdopen(fd, "w+")};
	if (!scratch->file) {
		if (fd >= 0)
			(void)close(fd);
		return tr_no_memory(err, "%s: %s", what, strerror(errno));
	}
	(void)snprintf(scratch->path, sizeof(scratch->path), "/proc/self/fd/%d", fd);
	return TR_OK;
}

enum tr_status tr_scratch_flush(struct tr_scratch *scratch, const char *what, struct tr_error *err)
{
	if (fflush(scratch->file) != 0 || ferror(scratch->file))
		return tr_no_memory(err, "%s: %s", what, strerror(errno));
	return TR_OK;
}

enum tr_status tr_scratch_take(struct tr_scratch *scratch, const char *what, char **text,
			       struct tr_error *err)
{
	long bytes;

	*text = NULL;
	if (fseek(scratch->file, 0, SEEK_END) != 0 || (bytes = ftell(scratch->file)) < 0 ||
	    fseek(scratch->file, 0, SEEK_SET) != 0)
		return tr_fail(err, "cannot read %s: %s", what, strerror(errno));
	*text = malloc((size_t)bytes + 1);
	if (!*text)
		return tr_no_memory(err, "%s: %ld bytes", what, bytes);
	(*text)[fread(*text, 1, (size_t)bytes, scratch->file)] = '\0';
	return TR_OK;
}

void tr_scratch_close(struct tr_scratch *scratch)
{
	if (scratch->file)
		(void)fclose(scratch->file);
	scratch->file = NULL;
}
