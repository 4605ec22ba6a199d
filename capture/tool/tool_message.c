// SPDX-License-Identifier: GPL-3.0-or-later
// Messages on standard error: errors, progress (on a terminal while running, anywhere on SIGUSR1 or
// SIGINFO); and the handling of signals and aborting libraries, which end the program and remove
// its unfinished outputs.
#include "tool/tool.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tool/tool_state.h"
#include "value/printable.h"

#define LINE_BYTES 256
#define PERIOD_MS \
	200 // between progress lines of a loop, and before the first, so that short runs show none
#define PACE_MS 500 // after which a pace is known
#define LEFT_S_MAX 1e8
#define PART_BYTES 48

// The only mutable globals here, since a signal handler can reach nothing else: the last progress
// line, in the buffer that is not written next, and when the program began.
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
	// Keeps a library's message before its abort in the buffer, so that end_aborted's is the
	// only line.
	(void)setvbuf(stderr, NULL, _IOFBF, BUFSIZ);
}

// ---- progress

static int64_t ms_between(const struct timespec *from, const struct timespec *to)
{
	return (int64_t)(to->tv_sec - from->tv_sec) * 1000 +
	       (to->tv_nsec - from->tv_nsec) / 1000000;
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

static void tool_message_answer(int signal)
{
	const char *line = told.lines[told.current];
	const size_t bytes = strlen(line);
	char text[LINE_BYTES + 48];
	struct timespec now;

	(void)signal;
	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	memcpy(text, line, bytes);
	(void)!write(STDERR_FILENO, text,
		     bytes + write_elapsed(ms_between(&told.begin, &now) / 1000, text + bytes));
}

void tool_answer_progress(struct tool *tool)
{
	struct sigaction action = {.sa_handler = tool_message_answer, .sa_flags = SA_RESTART};

	(void)clock_gettime(CLOCK_MONOTONIC, &told.begin);
	(void)snprintf(told.lines[0], LINE_BYTES, "%s: starting", tool->name);
	(void)sigaction(SIGUSR1, &action, NULL);
#ifdef SIGINFO
	(void)sigaction(SIGINFO, &action, NULL);
#endif
}

// end follows the text, which is cut before it.
static __attribute__((format(printf, 2, 0))) void tell(struct tool *tool, const char *format,
						       va_list args, const char *end)
{
	char *line = told.lines[1 - told.current], text[LINE_BYTES];
	const size_t used = (size_t)snprintf(line, LINE_BYTES, "%.40s: ", tool->name);

	(void)vsnprintf(text, sizeof(text), format, args);
	tr_format_text(line + used, LINE_BYTES - used - strlen(end), text);
	memcpy(line + strlen(line), end, strlen(end) + 1);
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

static int64_t tool_message_now_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return ms_between(&told.begin, &now);
}

// Whether the line shown last has stood for its time.
static bool tool_message_is_due(struct tool *tool, int64_t at_ms)
{
	if (at_ms - tool->progress_ms < PERIOD_MS)
		return false;
	tool->progress_ms = at_ms;
	return true;
}

// How long the rest takes; 0: not known.
static double seconds_left(struct tool_pace *pace, double part, int64_t at_ms)
{
	if (!pace->any || part < pace->part)
		*pace = (struct tool_pace){part, part, at_ms, at_ms, true};
	if (part > pace->part) {
		pace->part = part;
		pace->part_ms = at_ms;
	}
	if (!(pace->part > pace->begin) || pace->part_ms - pace->begin_ms < PACE_MS)
		return 0;
	return ((1 - pace->part) * (double)(pace->part_ms - pace->begin_ms) /
			(pace->part - pace->begin) -
		(double)(at_ms - pace->part_ms)) /
	       1000;
}

// ", 45 %, 12 s left"
static void format_part(char out[PART_BYTES], double part, double left_s)
{
	static const struct {
		double seconds;
		const char *unit;
	} units[] = {{86400, "days"}, {3600, "h"}, {60, "min"}, {1, "s"}};
	size_t unit = 0;

	while (left_s < 2 * units[unit].seconds && units[unit].seconds > 1)
		unit++;
	if (left_s >= 0.5 && left_s < LEFT_S_MAX)
		(void)snprintf(out, PART_BYTES, ", %.0f %%, %.0f %s left", 100 * part,
			       left_s / units[unit].seconds, units[unit].unit);
	else
		(void)snprintf(out, PART_BYTES, ", %.0f %%", 100 * part);
}

void tool_progress(struct tool *tool, const char *format, ...)
{
	va_list args;

	if (!tool_message_is_due(tool, tool_message_now_ms()))
		return;
	va_start(args, format);
	tell(tool, format, args, "");
	va_end(args);
}

static __attribute__((format(printf, 4, 0))) void tell_part(struct tool *tool, double part,
							    bool at_once, const char *format,
							    va_list args)
{
	const int64_t at_ms = tool_message_now_ms();
	const double done = part < 1 ? part : 1; // a file may grow
	const double left_s = done < 0 ? 0 : seconds_left(&tool->pace, done, at_ms);
	char end[PART_BYTES] = "";

	if (!tool_message_is_due(tool, at_ms) && !at_once)
		return;
	if (done >= 0)
		format_part(end, done, left_s);
	tell(tool, format, args, end);
}

void tool_progress_part(struct tool *tool, double part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell_part(tool, part, false, format, args);
	va_end(args);
}

void tool_progress_input(struct tool *tool, const struct tr_reader *in, const char *format, ...)
{
	const uint64_t size = tr_reader_size(in);
	va_list args;

	if (tool->in.shown == in)
		tool->in.shown = NULL;
	va_start(args, format);
	tell_part(tool, size > 0 ? (double)tr_reader_taken(in) / (double)size : -1, false, format,
		  args);
	va_end(args);
}

void tool_stage_part(struct tool *tool, double part, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell_part(tool, part, true, format, args);
	va_end(args);
}

void tool_stage(struct tool *tool, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	tell(tool, format, args, "");
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

static __attribute__((format(printf, 2, 0))) void print_message(struct tool *tool,
								const char *format, va_list args)
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

void tool_relay(struct tool *tool, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(tool, format, args);
	va_end(args);
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
