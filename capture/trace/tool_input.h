// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of a program: opened, closed and checked in one place, and told in the provenance of its outputs.
#ifndef TRACE_TOOL_INPUT_H
#define TRACE_TOOL_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/reader.h"
#include "trace/source.h"

struct tool;

// The operands: argv without the options.
size_t tool_operand_count(const struct tool *tool);
const char *tool_operand(const struct tool *tool, size_t index);

// The next operand, or standard input where there is none, as a trace stream. Closes the one before and
// remembers its failure. TR_OK: *in is open, the tool owns it. TR_END: no more inputs (a failed one
// ends the loop only where --keep-going is absent).
enum tr_status tool_next_input(struct tool *tool, struct tr_reader **in);

// The same without closing the one before, for programs that read their inputs side by side; the caller
// closes each with tool_close_input.
enum tr_status tool_next_beside(struct tool *tool, struct tr_reader **in);

// The same for one whose bytes the program reads itself. The caller closes *source.
enum tr_status tool_next_source(struct tool *tool, struct tr_source **source);

// Opens path ("-" and NULL: the standard input) as a trace outside the operand loop; the caller closes it with
// tool_close_input. NULL after a failure, which is printed and remembered.
struct tr_reader *tool_open_input(struct tool *tool, const char *path);

// Takes an already opened source (whose magic was looked at) as a trace; else as tool_open_input.
struct tr_reader *tool_open_reader(struct tool *tool, struct tr_source *source);

// Closes a reader from tool_open_input or tool_open_reader, remembering how it ended; NULL is accepted.
void tool_close_input(struct tool *tool, struct tr_reader *in);

// Opens path ("-": standard input) outside the operand loop, for a program that reads its bytes itself, and
// adds it to the provenance. The caller closes it. NULL after a failure, which is printed and remembered.
struct tr_source *tool_open_source(struct tool *tool, const char *path);

// The same, but what is packed stays so (see tr_source_open_raw).
struct tr_source *tool_open_raw_source(struct tool *tool, const char *path);

// Remembers that such an input is damaged, as what says: with --keep-going a warning, and the output's
// trailer tells of it; else an error.
void tool_input_damaged(struct tool *tool, const char *what);

// Adds a file that will be read, though neither operand nor option names it; before outputs are opened. false where it is
// an output, which is printed and remembered.
bool tool_reads(struct tool *tool, const char *path);

// The same for a file that the file of names (see tr_files_beside).
bool tool_reads_beside(struct tool *tool, const char *of, const char *path);

// Adds "--name=value", or "--name" for an empty value, to the options in the provenance, for one that is OPT_SILENT because
// what it says is known only when its file is read.
void tool_record_option(struct tool *tool, const char *name, const char *value);

// hook(context, name, err) is called for each name entry of the inputs opened from now on (see
// tr_reader_hooks); NULL for none.
void tool_on_name(struct tool *tool, enum tr_status (*hook)(void *context, const struct tr_name *name, struct tr_error *err),
		  void *context);

// Says that the output is complete up to the time that in is, in the same ticks: a quiet input then still moves
// the output's clock. NULL ends it.
void tool_follow(struct tool *tool, const struct tr_reader *in);

#endif
