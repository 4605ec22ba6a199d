// SPDX-License-Identifier: GPL-3.0-or-later
// What becomes of a program, and of its unfinished outputs, when a signal or a library ends it.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "trace/tool_state.h"

static void end_by(int signal)
{
	tr_outfile_remove_all();
	(void)raise(signal); // held back until here, with its default since it was taken
}

static void write_text(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

// Some libraries (FFTW) know nothing but abort() where memory ends.
static void end_aborted(int signal)
{
	(void)signal;
	tr_outfile_remove_all();
	write_text(program_invocation_short_name);
	write_text(": a library gave up, most likely for want of memory\n");
	_exit(TOOL_FAILED);
}

// After an error was reported: it is the one line.
static void end_aborted_silently(int signal)
{
	(void)signal;
	tr_outfile_remove_all();
	_exit(TOOL_FAILED);
}

void tool_hold_no_second_line(void)
{
	const struct sigaction action = {.sa_handler = end_aborted_silently};

	(void)sigaction(SIGABRT, &action, NULL);
}

void tool_hold_signals(void)
{
	static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
	struct sigaction action = {.sa_handler = end_by, .sa_flags = (int)SA_RESETHAND};
	struct sigaction before;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN); // the write fails, and is reported
	for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(ending[i], &action, NULL);
	action.sa_handler = end_aborted;
	(void)sigaction(SIGABRT, &action, NULL);
	// What a library prints before it aborts stays in the buffer, and the one line of end_aborted is all.
	(void)setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
}
