// SPDX-License-Identifier: GPL-3.0-or-later
// What a program says on standard error, and the status that follows from it. Only this file's code prints messages.
#ifndef TRACE_TOOL_MESSAGE_H
#define TRACE_TOOL_MESSAGE_H

#include <stdbool.h>

struct tool;

enum tool_status { TOOL_OK = 0, TOOL_NO = 1, TOOL_FAILED = 2 };

// Prints "name: ..." on standard error and remembers status 2.
void tool_error(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same where memory ended: "name: out of memory for" and what the format says.
void tool_no_memory(struct tool *tool, const char *what, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ...", with -q too, and remembers status 2 for a failure that the program goes on after: outputs are kept.
void tool_survived(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ...", with -q too, and remembers status 1: the answer is no, and this is why.
void tool_verdict(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ..." unless -q; the status stays.
void tool_warn(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Shows progress on standard error where it is a terminal, at most five times a second. SIGUSR1 prints the last of these
// lines wherever standard error goes.
void tool_progress(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same at once, before a step that may last.
void tool_stage(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Whether nothing has failed so far. With --keep-going, damage in an input does not count here (it does
// in the exit status).
bool tool_ok(const struct tool *tool);

bool tool_keep_going(const struct tool *tool);
bool tool_quiet(const struct tool *tool);

// For trace/tool alone.
// Sets up what signals do, and keeps libraries from printing.
void tool_hold_signals(void);

// Has SIGUSR1 print how far the program is, where it would end it.
void tool_answer_progress(struct tool *tool);

// Takes the line of progress off the terminal.
void tool_clear_progress(struct tool *tool);

#endif
