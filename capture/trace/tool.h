// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of every program: options, inputs, one loop, a report, a status. Only tool_start may exit.
#ifndef TRACE_TOOL_H
#define TRACE_TOOL_H

#include <stdbool.h>

#include "trace/opt.h"
#include "trace/tool_input.h"
#include "trace/tool_message.h"
#include "trace/tool_output.h"

struct tool;

// What a program says of itself. Its rows come before the common ones (-h -V -q --keep-going).
struct tool_spec {
	const char *name;
	const char *synopsis; // after the name: "[-b time] [file ...]"
	const char *summary;  // one sentence
	const struct opt *opts;
	// See opt_set.hint; NULL for none.
	const char *(*hint)(const char *name, char *out, size_t out_bytes);
};

// Parses argv, prints help, version or a completion script where asked, and exits with status 2 on
// misuse, 0 after help. So it does where an option's file that is read would be overwritten, or two outputs go to one
// file. Ignores SIGPIPE and SIGXFSZ; a signal that ends the program removes its unfinished outputs. Never
// returns NULL.
struct tool *tool_start(int argc, char **argv, const struct tool_spec *spec);

// Whether the option with this long name was given on the command line.
bool tool_option_given(const struct tool *tool, const char *name);

// Reports each of the options (long names, then NULL) that was given although it has no effect on an input of this kind ("a
// text"); false then. Where there are several operands it may be for another of them.
bool tool_input_takes(struct tool *tool, const char *input, const char *kind, const char *const *options);

// Closes everything, checks standard output, frees the tool and returns the worst status seen.
int tool_finish(struct tool *tool, enum tool_status status);

#endif
