// SPDX-License-Identifier: GPL-3.0-or-later
// A file that is written beside the name asked for and takes that name when it is whole, so that a failure leaves what was
// there before. A link stays a link: what it stands for is replaced, with its mode and, where possible, its owner.
#ifndef TRACE_OUTFILE_H
#define TRACE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "trace/files.h"
#include "trace/status.h"

struct tr_outfile;

struct tr_outfile_options {
	const struct tr_files *files; // what must not be overwritten; NULL: not known. Lent until the open returns
	bool another;		      // besides the outputs among files, so not one of them
	// Readers can tell a cut one from a whole one: a file that does not exist is written under its own name, and stays there,
	// unless it is empty.
	bool grows;
	bool sync;     // on the disk before the close says that it is whole
	bool in_place; // an existing file is overwritten at once, by who may not replace it at the close
	bool keep;     // what was written stays where it fails, under a name of its own where the file existed
};

// Opens path ("-" is not known here) for writing. Pipes, devices and what lies in /dev and /proc are opened as they are. Where
// the folder cannot be written but the file can, it is overwritten in place (see tr_outfile_is_exposed).
// TR_ERROR: *out is NULL and err names the path.
enum tr_status tr_outfile_open(struct tr_outfile **out, const char *path, const struct tr_outfile_options *options,
			       struct tr_error *err);

// The descriptor; the outfile closes it.
int tr_outfile_descriptor(const struct tr_outfile *file);

// A stream over the descriptor, made at the first call; the outfile closes it. NULL: out of memory.
FILE *tr_outfile_stream(struct tr_outfile *file);

// Whether an existing file is overwritten in place, since its folder cannot be written.
bool tr_outfile_is_exposed(const struct tr_outfile *file);

// Where a failed output's part stays (options.keep): lent until the close. NULL: under its own name, or nowhere.
const char *tr_outfile_part(const struct tr_outfile *file);

// Flushes and closes, checked. whole and no failure so far: the file takes its name. Else nothing is left of it, but where
// options say so; what was overwritten in place is emptied. Frees the outfile in any case; NULL is accepted. TR_ERROR with
// err (may be NULL) where anything failed.
enum tr_status tr_outfile_close(struct tr_outfile *file, bool whole, struct tr_error *err);

// Removes the unfinished files of this process, but those to be kept; for signal handlers.
void tr_outfile_remove_all(void);

// ---- what the name of an output promises: a file called .pcap is a capture, one called .gz is packed by gzip

enum tr_out_form {
	TR_OUT_STREAM, // may be called .zst, and is packed then
	TR_OUT_PCAP,   // never packed
};

// TR_ERROR where path ends as files of another form do; err names the path and how to get that form.
enum tr_status tr_out_name_check(const char *path, enum tr_out_form form, struct tr_error *err);

#endif
