// SPDX-License-Identifier: GPL-3.0-or-later
// What a running program remembers; for the tool's own files only.
#ifndef TOOL_TOOL_STATE_H
#define TOOL_TOOL_STATE_H

#include "file/files.h"
#include "file/outfile.h"
#include "stream/provenance.h"
#include "stream/reader.h"
#include "stream/writer.h"
#include "table/opt.h"
#include "table/table.h"

struct tool_inputs {
	size_t next; // operand to open
	bool any;    // one was opened, so standard input is no longer the default
	struct tr_reader *current;
	const struct tr_reader *shown;	  // whose progress is shown: the one opened last
	struct tr_reader_hooks name_hook; // name and its context; the others are unused
	bool watches_times;
	struct table_style *odd_style; // gets odd; NULL: nothing does
	char *odd;		       // tool_watch_times: a line for each input
	uint64_t lost;
	bool lost_known;
	bool damaged;
};

struct tool_outputs {
	struct tr_writer *writer;
	const struct tr_reader *followed;
	const int64_t *promised; // where none is followed
	struct tr_outfile *text;
	FILE *printable;  // escapes text for a terminal
	bool stdout_used; // by a stream, whose close is checked
	bool go_on;	  // with the others where one fails
};

// How fast a part grew since it began to.
struct tool_pace {
	double begin, part; // 0 to 1
	int64_t begin_ms, part_ms;
	bool any;
};

struct tool {
	const char *name; // for messages
	char **operands;
	size_t operand_count;
	struct opt common[5];
	struct opt_set options;
	bool help;
	bool version;
	bool quiet;
	bool keep_going;
	bool failed; // beyond damage that --keep-going allows
	int worst;   // enum tool_status
	struct tool_inputs in;
	struct tool_outputs out;
	struct tr_files files;
	struct tr_provenance provenance;
	struct tr_error told; // the last error printed, so that a failed output is not reported
			      // again at its close
	bool progress_wanted;
	bool progress_shown;
	int64_t progress_ms;
	struct tool_pace pace;
};

// Installs the signal handlers, and keeps libraries from printing.
void tool_hold_signals(void);

// Makes SIGUSR1 print the progress instead of ending the program.
void tool_answer_progress(struct tool *tool);

// Clears the progress line on the terminal.
void tool_clear_progress(struct tool *tool);

// Closes the outputs, remembering what fails; for tool_finish.
void tool_close_outputs(struct tool *tool);

#endif
