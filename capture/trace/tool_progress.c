// SPDX-License-Identifier: GPL-3.0-or-later
// How far a program is: on a terminal as it runs, and wherever standard error goes when SIGUSR1 (or SIGINFO) asks.
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "trace/printable.h"
#include "trace/tool_state.h"

#define LINE_BYTES 256
#define PERIOD_MS 200 // between two lines that the same loop asks for, and before the first: what is over by then shows none

// A signal handler has no other way to what it prints, so this is the one thing here that changes outside a struct: the line
// of the last call, in the buffer that it does not write next, and when the program began.
static struct {
	char lines[2][LINE_BYTES];
	volatile sig_atomic_t current;
	struct timespec begin;
} told;

static int64_t ms_between(const struct timespec *from, const struct timespec *to)
{
	return (int64_t)(to->tv_sec - from->tv_sec) * 1000 + (to->tv_nsec - from->tv_nsec) / 1000000;
}

// " (after 12 s)" without stdio, which a handler may not use. Returns its length.
static size_t write_elapsed(int64_t seconds, char *out)
{
	char digits[24], *at = digits + sizeof digits;
	size_t count;

	do
		*--at = (char)('0' + seconds % 10);
	while (seconds /= 10);
	count = (size_t)(digits + sizeof digits - at);
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
	(void)snprintf(told.lines[0], LINE_BYTES, "%s: begins", tool->spec->name);
	(void)sigaction(SIGUSR1, &action, NULL);
#ifdef SIGINFO
	(void)sigaction(SIGINFO, &action, NULL);
#endif
}

static __attribute__((format(printf, 2, 0))) void tell(struct tool *tool, const char *format, va_list args)
{
	char *line = told.lines[1 - told.current], text[LINE_BYTES];
	const size_t used = (size_t)snprintf(line, LINE_BYTES, "%.40s: ", tool->spec->name);

	(void)vsnprintf(text, sizeof text, format, args);
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

FILE *tool_stdout(struct tool *tool)
{
	tool_clear_progress(tool);
	return stdout;
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
