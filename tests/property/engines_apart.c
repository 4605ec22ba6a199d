// SPDX-License-Identifier: GPL-3.0-or-later
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engines_compare.h"

struct message {
	enum engines_verdict verdict;
	struct engines_story story;
};

static _Noreturn void child(const struct engines_case *item, const char *first, const char *second,
			    unsigned limit_s, int out)
{
	const struct itimerval limit = {.it_value.tv_sec = (time_t)limit_s};
	static const int deadly[] = {SIGVTALRM, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
	struct message message;

	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++)
		signal(deadly[i], SIG_DFL);	 // cmocka has its own
	setitimer(ITIMER_VIRTUAL, &limit, NULL); // its own time: others may be busy
	message.verdict = engines_compare(item, first, second, &message.story);
	_exit(write(out, &message, sizeof(message)) == (ssize_t)sizeof(message) ? 0 : 3);
}

static bool receive(int in, struct message *message)
{
	size_t have = 0;
	ssize_t got;

	while (have < sizeof(*message) &&
	       (got = read(in, (char *)message + have, sizeof(*message) - have)) > 0)
		have += (size_t)got;
	return have == sizeof(*message);
}

enum engines_verdict engines_compare_apart(const struct engines_case *item, const char *first,
					   const char *second, unsigned limit_s,
					   struct engines_story *story)
{
	struct message message;
	int status = 0;
	int ends[2];
	pid_t pid;

	fflush(NULL);
	if (pipe(ends) != 0 || (pid = fork()) < 0)
		abort();
	if (pid == 0)
		child(item, first, second, limit_s, ends[1]);
	close(ends[1]);
	if (!receive(ends[0], &message)) {
		message = (struct message){.verdict = ENGINES_DIFFER};
		waitpid(pid, &status, 0);
		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGVTALRM)
			snprintf(message.story.why, sizeof(message.story.why), ENGINES_ENDLESS);
		else
			snprintf(message.story.why, sizeof(message.story.why),
				 "a run ends with %s %d", WIFSIGNALED(status) ? "signal" : "status",
				 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	} else {
		waitpid(pid, &status, 0);
	}
	close(ends[0]);
	*story = message.story;
	return message.verdict;
}
