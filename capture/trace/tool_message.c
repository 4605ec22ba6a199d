// SPDX-License-Identifier: GPL-3.0-or-later
// Messages on standard error: errors, progress (on a terminal while running, anywhere on SIGUSR1 or SIGINFO); and the handling
// of signals and aborting libraries, which end the program and remove its unfinished outputs.
#include "trace/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/printable.h"
#include "trace/tool_state.h"

#define LINE_BYTES 256
#define PERIOD_MS 200 // between progress lines of a loop, and before the first, so that short runs show none

// The only mutable globals here, since a signal handler can reach nothing else: the last progress line, in the buffer that is
// not written next, and when the program began.
static struct {
	char lines[2][LINE_BYTES];
	volatile sig_atomic_t current;
	struct timespec begin;
} told;

// ---- signals

static void end_by(int signal)
{
	tr_outfile_remove_all();
	(void)raise(signal); // blocked until here, with its default action since it was caught
}

static void write_text(const char *text)
{
	(void)!write(STDERR_FILENO, text, strlen(text));
}

// Some libraries (FFTW) call abort() if out of memory.
static void end_aborted(int signal)
{
	(void)signal;
	tr_outfile_remove_all();
	write_text(program_invocation_short_name);
	write_text(": a library failed, most likely for lack of memory\n");
	_exit(TOOL_FAILED);
}

// After an error was reported, which stays the only line.
static void end_aborted_silently(int signal)
{
	(void)signal;
	tr_outfile_remove_all();
	_exit(TOOL_FAILED);
}

// After a reported error, a library that aborts ends the program without another line.
static void hold_no_second_line(void)
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
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigaction(ending[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
			(void)sigaction(ending[i], &action, NULL);
	action.sa_handler = end_aborted;
	(void)sigaction(SIGABRT, &action, NULL);
	// Keeps a library's message before its abort in the buffer, so that end_aborted's is the only line.
	(void)setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
}

// ---- progress

static int64_t ms_between(const struct timespec *from, const struct timespec *to)
{
	return (int64_t)(to->tv_sec - from->tv_sec) * 1000 + (to->tv_nsec - from->tv_nsec) / 1000000;
}

// " (after 12 s)" without stdio, which a handler may not use. Returns its length.
static size_t write_elapsed(int64_t seconds, char *out)
{
	char digits[24], *at = digits + sizeof(digits);
	size_t count;

	do
		*--at = (char)('0' + seconds % 10);
	while (seconds /= 10);
	count = (size_t)(digits + sizeof(digits) - at);
	memcpy(out, " (after ", 8);
	memcpy(out + 8, at, count);
	memcpy(out + 8 + count, " s)\n", 4);
	return 8 + count + 4;
}

static void answer(int signal)
{
	const char *line = told.lines[told.current];
	const size_t bytes = strlen(line);
	char text[LINE_BYTES + 48];
	struct timespec now;

	(void)signal;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	memcpy(text, line, bytes);
	(void)!write(STDERR_FILENO, text, bytes + write_elapsed(ms_between(&told.begin, &now) / 1000, text + bytes));
}

void tool_answer_progress(struct tool *tool)
{
	struct sigaction action = {.sa_handler = answer, .sa_flags = SA_RESTART};

	(void)clock_gettime(CLOCK_MONOTONIC, &told.begin);
	(void)snprintf(told.lines[0], LINE_BYTES, "%s: starting", tool->name);
	(void)sigaction(SIGUSR1, &action, NULL);
#ifdef SIGINFO
	(void)sigaction(SIGINFO, &action, NULL);
#endif
}

static __attribute__((format(printf, 2, 0))) void tell(struct tool *tool, const char *format, va_list args)
{
	char *line = told.lines[1 - told.current], text[LINE_BYTES];
	const size_t used = (size_t)snprintf(line, LINE_BYTES, "%.40s: ", tool->name);

	(void)vsnprintf(text, sizeof(text), format, args);
	tr_format_text(line + used, LINE_BYTES - used, text);
	told.current = 1 - told.current;
	if (tool->quiet || !tool->progress_wanted)
		return;
	tool->progress_shown = true;
	(void)fprintf(stderr, "\r\033[K%s", line);
	(void)fflush(stderr);
}

void tool_clear_progress(struct tool *tool)
{
	if (tool->progress_shown) {
		(void)fputs("\r\033[K", stderr);
		(void)fflush(stderr);
	}
	tool->progress_shown = false;
}

void tool_progress(struct tool *tool, const char *format, ...)
{
	struct timespec now;
	int64_t now_ms;
	va_list args;

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	now_ms = ms_between(&told.begin, &now);
	if (now_ms - tool->progress_ms < PERIOD_MS)
		return;
	tool->progress_ms = now_ms;
	va_start(args, format);
	tell(tool, format, args);
	va_end(args);
}

void tool_stage(struct tool *tool, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(tool, format, args);
	va_end(args);
}

// ---- messages

// Messages have file names and words from inputs, which must be escaped for the terminal.
static __attribute__((format(printf, 1, 0))) void print_words(const char *format, va_list args)
{
	char *text;

	if (vasprintf(&text, format, args) < 0) {
		(void)fputs(TR_OUT_OF_MEMORY, stderr);
		return;
	}
	(void)tr_print_text(stderr, text);
	free(text);
}

static __attribute__((format(printf, 2, 0))) void print_message(struct tool *tool, const char *format, va_list args)
{
	tool_clear_progress(tool);
	(void)fprintf(stderr, "%s: ", tool->name);
	print_words(format, args);
	(void)fputc('\n', stderr);
	(void)fflush(stderr);
}

void tool_error(struct tool *tool, const char *format, ...)
{
	va_list args;

	tool->worst = TOOL_FAILED;
	tool->failed = true;
	hold_no_second_line();
	va_start(args, format);
	(void)vsnprintf(tool->told.text, sizeof(tool->told.text), format, args);
	va_end(args);
	va_start(args, format);
	print_message(tool, format, args);
	va_end(args);
}

void tool_no_memory(struct tool *tool, const char *what, ...)
{
	char text[sizeof(tool->told.text)];
	va_list args;

	va_start(args, what);
	(void)vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	tool_error(tool, TR_OUT_OF_MEMORY " for %s", text);
}

void tool_survived(struct tool *tool, const char *format, ...)
{
	va_list args;

	tool->worst = TOOL_FAILED;
	va_start(args, format);
	print_message(tool, format, args);
	va_end(args);
}

void tool_verdict(struct tool *tool, const char *format, ...)
{
	va_list args;

	if (tool->worst < TOOL_NO)
		tool->worst = TOOL_NO;
	va_start(args, format);
	print_message(tool, format, args);
	va_end(args);
}

void tool_warn(struct tool *tool, const char *format, ...)
{
	va_list args;

	if (tool->quiet)
		return;
	va_start(args, format);
	print_message(tool, format, args);
	va_end(args);
}

bool tool_ok(const struct tool *tool)
{
	return !tool->failed;
}

bool tool_keep_going(const struct tool *tool)
{
	return tool->keep_going;
}

bool tool_quiet(const struct tool *tool)
{
	return tool->quiet;
}
