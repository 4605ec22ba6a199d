// SPDX-License-Identifier: GPL-3.0-or-later
// A damaged archive can keep libotf2 busy for minutes, or make it take all memory: so a child
// process reads it, limited to as much of both as an archive of its size needs, and passes the
// events through a pipe.
#include <dirent.h>
#include <fcntl.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "foreign/events_pipe.h"
#include "foreign/otf2_archive.h"

// Per archive, per byte of it (an event of two bytes is 48 in memory, and 72 while its array
// grows), and per file of it (libotf2 takes a chunk of at most 16 MiB for each).
#define MEMORY_B ((uint64_t)256 << 20)
#define MEMORY_PER_BYTE 64u
#define MEMORY_PER_FILE ((uint64_t)20 << 20)
// A second of processor time for this many bytes, plus a constant.
#define BYTES_PER_S ((uint64_t)1 << 20)
#define TIME_S 3u

// Sanitizers map more than any limit.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define IS_SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || \
	__has_feature(thread_sanitizer)
#define IS_SANITIZED true
#endif
#endif
#ifndef IS_SANITIZED
#define IS_SANITIZED false
#endif

struct otf2_limits {
	uint64_t memory_B, time_s;
};

// Adds up the regular files in a folder, and in the folders in it to this depth.
static void add_files(const char *folder, unsigned depth, uint64_t *bytes, uint64_t *files)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;

	while (dir && (entry = readdir(dir)) != NULL) {
		char *path = NULL;
		struct stat status;

		if (*entry->d_name == '.' || asprintf(&path, "%s/%s", folder, entry->d_name) < 0)
			continue;
		if (stat(path, &status) == 0 && S_ISREG(status.st_mode)) {
			*bytes += (uint64_t)status.st_size;
			*files += 1;
		} else if (depth > 0 && S_ISDIR(status.st_mode)) {
			add_files(path, depth - 1, bytes, files);
		}
		free(path);
	}
	if (dir)
		closedir(dir);
}

// The archive is NAME.otf2, NAME.def and the folder NAME, which may have folders.
static struct otf2_limits find_limits(const char *path)
{
	const size_t length = strlen(path);
	const char *end = length > 5 && strcmp(path + length - 5, ".otf2") == 0 ? path + length - 5
										: path + length;
	uint64_t bytes = 0, files = 2;
	char *name = NULL;
	struct stat status;

	if (stat(path, &status) == 0)
		bytes += (uint64_t)status.st_size;
	if (asprintf(&name, "%.*s.def", (int)(end - path), path) >= 0) {
		if (stat(name, &status) == 0)
			bytes += (uint64_t)status.st_size;
		name[end - path] = '\0';
		add_files(name, 1, &bytes, &files);
		free(name);
	}
	return (struct otf2_limits){.memory_B = MEMORY_B + bytes * MEMORY_PER_BYTE +
						files * MEMORY_PER_FILE,
				    .time_s = TIME_S + bytes / BYTES_PER_S};
}

// What this process has mapped already.
static uint64_t mapped_B(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;
	char line[128]; // whose first number it is

	if (file) {
		if (fgets(line, sizeof(line), file))
			pages = strtoul(line, NULL, 10);
		(void)fclose(file);
	}
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

// A limit that is lower already stays.
static void limit(int resource, uint64_t most)
{
	struct rlimit rlimit;

	if (getrlimit((__rlimit_resource_t)resource, &rlimit) != 0 ||
	    (rlimit.rlim_cur != RLIM_INFINITY && rlimit.rlim_cur <= most))
		return;
	rlimit.rlim_cur = most;
	(void)setrlimit((__rlimit_resource_t)resource, &rlimit);
}

static void take_limits(const struct otf2_limits *limits)
{
	const struct rlimit none = {0, 0};

	(void)setrlimit(RLIMIT_CORE, &none);
	limit(RLIMIT_CPU, limits->time_s);
	if (!IS_SANITIZED)
		limit(RLIMIT_AS, mapped_B() + limits->memory_B);
}

struct otf2_answer {
	bool good, no_memory;
	struct tr_error err;
};

// Does not return. What the program had in its buffers stays the parent's to write.
static void be_child(const char *path, const struct otf2_limits *limits, int fd)
{
	struct otf2_answer answer = {.good = false};
	struct events events = {0};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	take_limits(limits);
	answer.good = otf2_read(path, &events, &answer.no_memory, &answer.err) == TR_OK;
	if (events_pipe_put(fd, &answer, sizeof(answer)) && answer.good)
		(void)events_send(&events, fd);
	_exit(0);
}

static enum tr_status fail_memory(const char *path, const struct otf2_limits *limits,
				  struct tr_error *err)
{
	return tr_fail(err,
		       "%s: damaged: reading it takes more than %" PRIu64
		       " MiB, which no archive of its size needs",
		       path, limits->memory_B >> 20);
}

// How a child ended that gave no answer.
static enum tr_status fail_ended(const char *path, const struct otf2_limits *limits, int ended,
				 struct tr_error *err)
{
	const int number = WIFSIGNALED(ended) ? WTERMSIG(ended) : 0;

	if (number == SIGXCPU)
		return tr_fail(err,
			       "%s: damaged: reading it takes more than %" PRIu64
			       " s, which no archive of its size needs",
			       path, limits->time_s);
	return tr_fail(err, "%s: damaged: libotf2 ended with signal %d", path, number);
}

static enum tr_status read_child(const char *path, const struct otf2_limits *limits,
				 struct events *events, int fd, pid_t child, struct tr_error *err)
{
	struct otf2_answer answer = {.good = false};
	const bool answered = events_pipe_get(fd, &answer, sizeof(answer));
	enum tr_status status = TR_ERROR;
	int ended = 0;

	if (answered && answer.good)
		status = events_receive(events, fd, err);
	else if (answered && answer.no_memory)
		status = fail_memory(path, limits, err);
	else if (answered)
		*err = answer.err;
	(void)close(fd);
	while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
		;
	if (!answered || (status != TR_OK && WIFSIGNALED(ended)))
		return fail_ended(path, limits, ended, err);
	return status;
}

static enum tr_status otf2_child_read_trace(const struct foreign_input *input,
					    struct events *events, struct tr_error *err)
{
	struct otf2_limits limits;
	int fds[2];
	pid_t child;

	*events = (struct events){0};
	if (input->count != 1 || strcmp(input->paths[0], "-") == 0)
		return tr_fail(err, "expected one archive of OTF2, by its file that ends in .otf2");
	limits = find_limits(input->paths[0]);
	if (pipe2(fds, O_CLOEXEC) != 0)
		return tr_fail(err, "%s: %s", input->paths[0], strerror(errno));
	child = fork();
	if (child == 0) {
		(void)close(fds[0]);
		be_child(input->paths[0], &limits, fds[1]);
	}
	(void)close(fds[1]);
	if (child > 0)
		return read_child(input->paths[0], &limits, events, fds[0], child, err);
	(void)close(fds[0]);
	return tr_fail(err, "%s: %s", input->paths[0], strerror(errno));
}

// The anchor file: the kind and byte order of its buffer, and the name.
static bool otf2_child_claims(struct tr_source *source)
{
	const uint8_t *data;
	size_t got;

	return tr_source_peek(source, 6, &data, &got, NULL) == TR_OK &&
	       memcmp(data + 2, "OTF2", 4) == 0;
}

const struct foreign_format foreign_otf2 = {"otf2", "OTF2: the archive's file that ends in .otf2",
					    otf2_child_claims, otf2_child_read_trace};
