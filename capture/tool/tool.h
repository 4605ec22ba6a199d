// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of every program: options, inputs, one loop, a report, a status. Only tool_start may
// exit.
#ifndef TOOL_TOOL_H
#define TOOL_TOOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "file/source.h"
#include "stream/reader.h"
#include "stream/writer.h"
#include "table/opt.h"
#include "table/opt_rows.h"

struct tool;

// ---- messages on standard error, and the exit status that follows from them

enum tool_status { TOOL_OK = 0, TOOL_NO = 1, TOOL_FAILED = 2 };

// Prints "name: ..." on standard error and remembers status 2.
void tool_error(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// The same for running out of memory: "name: out of memory for" and the formatted text.
void tool_no_memory(struct tool *tool, const char *what, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ...", even with -q, and remembers status 2 for a failure after which the program
// goes on and keeps outputs.
void tool_survived(struct tool *tool, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// Prints "name: ...", even with -q, and remembers status 1: the reason for the answer no.
void tool_verdict(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ..." unless -q; the status stays.
void tool_warn(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Prints "name: ..." even with -q; the status stays: what another program said, or was said of it.
void tool_relay(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));

// Shows progress on standard error where it is a terminal, at most five times a second. SIGUSR1
// prints the last of these lines wherever standard error goes.
void tool_progress(struct tool *tool, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

// The same with the part that is done, 0 to 1 (negative: not known), in percent, and the time that
// the rest will take at the pace since the first of these calls, or since the part last became
// smaller (a new input).
void tool_progress_part(struct tool *tool, double part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

// The same with the part of this input that was read; without it where the input's size is not
// known. From now on the tool does not show by itself how far the input is read.
void tool_progress_input(struct tool *tool, const struct tr_reader *in, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

// The same at once, before a step that may take long.
void tool_stage(struct tool *tool, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tool_stage_part(struct tool *tool, double part, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

// Whether nothing has failed so far. With --keep-going, damage in an input does not count (it does
// in the exit status).
bool tool_ok(const struct tool *tool);

// Whether --keep-going, and --quiet, were given.
bool tool_keep_going(const struct tool *tool);
bool tool_quiet(const struct tool *tool);

// ---- a program

// The description of a program. Its options come before the common ones (-h -V -q --keep-going).
struct tool_spec {
	const char *name;
	const char *synopsis; // after the name: "[-b time] [file ...]"
	const char *summary;  // one sentence
	const struct opt *opts;
	// See opt_set.hint; NULL for none.
	const char *(*hint)(const char *name, char *out, size_t out_bytes);
	bool command; // the operands are a program and its arguments: options end before them
	// Prints the words that operands may be, as a row's list does, for the one operand list;
	// NULL: they are files.
	enum tr_status (*operands)(struct table_style style, FILE *out, struct tr_error *err);
};

// Parses argv; prints help, version or a completion script if asked and exits with 0; exits with
// status 2 on misuse, also if an output would overwrite an option's input file, or two outputs go
// to one file. Ignores SIGPIPE and SIGXFSZ; a signal that ends the program removes its unfinished
// outputs. Never returns NULL.
struct tool *tool_start(int argc, char **argv, const struct tool_spec *spec);

// Whether the option with this long name was given on the command line.
bool tool_option_given(const struct tool *tool, const char *name);

// How many things of each_bytes the option --memory has room for. Returns false after an error that
// names the thing ("bin") where there is no room for least of them.
bool tool_memory_holds(struct tool *tool, struct num_ratio memory_B, uint64_t each_bytes,
		       uint64_t least, const char *thing, uint64_t *count);

// Reports each of the options (long names, then NULL) that was given but has no effect on an input
// of this kind ("a text"), and returns false then. With several operands it accepts all: they may
// be for another input.
bool tool_input_takes(struct tool *tool, const char *input, const char *kind,
		      const char *const *options);

// Closes everything, checks standard output, frees the tool and returns the worst status seen.
int tool_finish(struct tool *tool, enum tool_status status);

// ---- inputs: opened, closed and checked in one place, and recorded in the provenance of outputs

// The operands: argv without the options.
size_t tool_operand_count(const struct tool *tool);
const char *tool_operand(const struct tool *tool, size_t index);

// The next operand, or standard input if there is none, as a trace stream. Closes the previous one
// and remembers its failure. TR_OK: *in is open, the tool owns it. TR_END: no more inputs (a failed
// one ends the loop unless --keep-going is given).
enum tr_status tool_next_input(struct tool *tool, struct tr_reader **in);

// The same without closing the previous one, for programs that read several inputs at once; the
// caller closes each with tool_close_input.
enum tr_status tool_next_beside(struct tool *tool, struct tr_reader **in);

// The same for a program that reads the bytes itself. The caller closes *source.
enum tr_status tool_next_source(struct tool *tool, struct tr_source **source);

// Opens path ("-" and NULL: the standard input) as a trace outside the operand loop; the caller
// closes it with tool_close_input. NULL after a failure, which is printed and remembered.
struct tr_reader *tool_open_input(struct tool *tool, const char *path);

// As tool_open_input, for an already opened source (whose magic was checked).
struct tr_reader *tool_open_reader(struct tool *tool, struct tr_source *source);

// Closes a reader from tool_open_input or tool_open_reader, remembering how it ended; NULL is
// accepted.
void tool_close_input(struct tool *tool, struct tr_reader *in);

// Opens path ("-": standard input) outside the operand loop, for a program that reads its bytes
// itself, and adds it to the provenance. The caller closes it. NULL after a failure, which is
// printed and remembered.
struct tr_source *tool_open_source(struct tool *tool, const char *path);

// The same without unpacking (see tr_source_open_raw).
struct tr_source *tool_open_raw_source(struct tool *tool, const char *path);

// Remembers that such an input is damaged, as what describes: with --keep-going a warning and a
// mark in the output's trailer, else an error.
void tool_input_damaged(struct tool *tool, const char *what);

// Adds a file to read that neither operand nor option names; to be called before outputs are
// opened. false, with a printed and remembered error, if it is an output.
bool tool_reads(struct tool *tool, const char *path);

// The same for a file named in the file of (see tr_files_beside).
bool tool_reads_beside(struct tool *tool, const char *of, const char *path);

// Adds "--name=value", or "--name" for an empty value, to the options in the provenance, for an
// OPT_SILENT option whose meaning is known only when its file is read.
void tool_record_option(struct tool *tool, const char *name, const char *value);

// Adds "word rest" to the provenance: what an input that is not a stream says of itself.
void tool_record_line(struct tool *tool, const char *word, const char *rest);

// hook(context, name, err) is called for each name entry of the inputs opened from now on (see
// tr_reader_hooks); NULL for none.
void tool_on_name(struct tool *tool,
		  enum tr_status (*hook)(void *context, const struct tr_name *name,
					 struct tr_error *err),
		  void *context);

// Says of each input of packets, deliveries or messages that is opened from now on what is odd in
// its times (stream/odd_times.h), as a warning when its last record was read, so before the
// results, and in style->odd, which tables_print has in JSON; style is lent for the run, NULL: the
// warning alone.
void tool_watch_times(struct tool *tool, struct table_style *style);

// Says of a text, which is no stream, which of its columns were taken, as a warning, and likewise
// what is odd in its times; "": nothing.
void tool_tell_text(struct tool *tool, const char *name, const char *columns, const char *odd);

// Makes the output complete up to the same time as in, in the same ticks, so that an idle input
// still advances the output's clock. NULL stops it.
void tool_follow(struct tool *tool, const struct tr_reader *in);

// The same for a program that makes other records of its input: the output is complete up to the
// time at time_ticks, in ticks of the output, whenever a chunk of an input is done with. Lent until
// the output is closed; NULL stops it.
void tool_promise(struct tool *tool, const int64_t *time_ticks);

// ---- outputs: opened, closed and checked in one place

// What outputs must not overwrite: the files of the operands and options, and the inputs opened so
// far. For outputs not opened by the tool. Lent.
const struct tr_files *tool_files(const struct tool *tool);

// Warns if the file is overwritten in place (see tr_outfile_is_exposed).
void tool_tell_exposed(struct tool *tool, const char *path, bool exposed);

// The output stream at path ("-" and NULL: standard output, refused if it is a terminal), with the
// provenance of this program, its options and the inputs opened so far. One at a time. NULL after a
// failure. The tool owns and closes it, with the clean end only if nothing failed.
struct tr_writer *tool_output(struct tool *tool, const char *path, const struct tr_header *header,
			      const struct tr_writer_options *options);

// From now on the program goes on with its other outputs where one cannot be opened, written or
// closed: that is reported and sets status 2, but tool_ok does not show it.
void tool_go_on(struct tool *tool);

// Reports that an output failed: as tool_error, or as tool_survived after tool_go_on.
void tool_output_error(struct tool *tool, const char *text);

// Ends a stream that the program opened itself, with the clean end trailer if nothing failed.
// Reports errors, except that the output's reader has gone, which only sets status 2; false then.
// Frees writer.
bool tool_close_writer(struct tool *tool, struct tr_writer *writer,
		       const struct tr_trailer *trailer);

// Ends the output stream now, as tool_finish would; another may then be opened. False if the stream
// failed.
bool tool_end_output(struct tool *tool);

// Sets the loss in the output's trailer; the tool adds the losses of its inputs itself.
void tool_set_lost(struct tool *tool, uint64_t lost);

// Marks the output's trailer as made from a damaged input, if the tool cannot know.
void tool_set_damaged(struct tool *tool);

// Standard output for tables; clears a progress line on the same terminal. Lent.
FILE *tool_stdout(struct tool *tool);

// A text output at path ("-" and NULL: standard output), one per program; the tool closes and
// checks it. A file takes its name at the end, if nothing failed.
FILE *tool_text_output(struct tool *tool, const char *path);

// The same for a text with names from inputs, escaped for a terminal (tr_printable_stream); not for
// tables, which escape themselves.
FILE *tool_printable_output(struct tool *tool, const char *path);

// The provenance that outputs of this program carry: lines, lent until the next input is opened.
const char *tool_provenance(struct tool *tool);

#endif
