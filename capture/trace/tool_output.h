// SPDX-License-Identifier: GPL-3.0-or-later
// The outputs of a program: opened, closed and checked in one place.
#ifndef TRACE_TOOL_OUTPUT_H
#define TRACE_TOOL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "trace/writer.h"

struct tool;

// What outputs must not overwrite: the files of the operands and options, and the inputs opened so far. For outputs that
// are opened beside the tool's own. Lent.
const struct tr_files *tool_files(const struct tool *tool);

// Warns where the file is overwritten in place (see tr_outfile_is_exposed).
void tool_tell_exposed(struct tool *tool, const char *path, bool exposed);

// The output stream at path ("-" and NULL: standard output, refused where it is a terminal), with the
// provenance of this program, its options and the inputs opened so far. One at a time. NULL after a
// failure. The tool owns and closes it: with the clean end only where nothing failed.
struct tr_writer *tool_output(struct tool *tool, const char *path, const struct tr_header *header,
			      const struct tr_writer_options *options);

// Ends a stream that the program opened beside that one: with the clean end trailer where nothing failed. Tells what went
// wrong, but not that nobody reads the output any more, which only sets status 2. Frees writer.
void tool_close_writer(struct tool *tool, struct tr_writer *writer, const struct tr_trailer *trailer);

// Ends the output stream now, as tool_finish would; then another may be begun.
void tool_end_output(struct tool *tool);

// What to say in the output's trailer beside the count; the tool adds the losses of its inputs itself.
void tool_set_lost(struct tool *tool, uint64_t lost);

// Says in the output's trailer that it was made from a damaged input, where the tool cannot know.
void tool_set_damaged(struct tool *tool);

// Standard output for tables; the line of progress is cleared, where one is on the same terminal. Lent.
FILE *tool_stdout(struct tool *tool);

// A text output at path ("-" and NULL: standard output). Once a program; the tool closes and checks it. A file takes its
// name at the end, where nothing failed.
FILE *tool_text_output(struct tool *tool, const char *path);

// The same for a text with names of others in it, which a terminal is to show and not to obey (tr_printable_stream); not for
// tables, which see to it themselves.
FILE *tool_printable_output(struct tool *tool, const char *path);

// The provenance that outputs of this program carry: lines, lent until the next input is opened.
const char *tool_provenance(struct tool *tool);

// Closes them, remembering what fails; for tool_finish.
void tool_close_outputs(struct tool *tool);

#endif
