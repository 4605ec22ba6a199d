// SPDX-License-Identifier: GPL-3.0-or-later
// An output file, written under a temporary name beside its own and renamed when whole, so that a
// failure leaves the old file. A link stays a link: its target is replaced, keeping its mode and,
// where possible, its owner; but root follows none that another user put into a folder
// (file/foreign_folder.h).
#ifndef FILE_OUTFILE_H
#define FILE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "file/files.h"
#include "value/status.h"

struct tr_outfile;

struct tr_outfile_options {
	const struct tr_files
		*files; // what must not be overwritten; NULL: unknown. Lent until the open returns
	bool another;	// an output beside those among files, so it must not be one of them
	// Readers can tell a cut one from a whole one: a file that does not exist is written under
	// its own name, and stays there, unless it is empty.
	bool grows;
	bool sync;     // fsync before the close
	bool in_place; // overwrite an existing file at once, for want of the right to replace it at
		       // the close
	bool keep; // keep the part after a failure, under another name if the file existed
};

// Opens path ("-" has no special meaning) for writing. Pipes, devices and files in /dev and /proc
// are opened directly. If the folder cannot be written but the file can, it is overwritten in place
// (see tr_outfile_is_exposed). TR_ERROR: *out is NULL and err names the path.
enum tr_status tr_outfile_open(struct tr_outfile **out, const char *path,
			       const struct tr_outfile_options *options, struct tr_error *err);

// The descriptor; the outfile closes it.
int tr_outfile_descriptor(const struct tr_outfile *file);

// A stream over the descriptor, made at the first call; the outfile closes it. NULL: out of memory.
FILE *tr_outfile_stream(struct tr_outfile *file);

// Whether an existing file is overwritten in place because its folder cannot be written.
bool tr_outfile_is_exposed(const struct tr_outfile *file);

// Where the part of a failed output is kept (options.keep): lent until the close. NULL: under its
// own name, or nowhere.
const char *tr_outfile_part(const struct tr_outfile *file);

// Flushes and closes, checked. If whole and nothing failed, the file takes its name. Else it is
// removed unless the options keep it; one overwritten in place is emptied. Frees the outfile in any
// case; NULL is accepted. TR_ERROR with err (may be NULL) if anything failed.
enum tr_status tr_outfile_close(struct tr_outfile *file, bool whole, struct tr_error *err);

// Removes the unfinished files of this process, except those to be kept; for signal handlers.
void tr_outfile_remove_all(void);

// ---- what an output's name promises: .pcap is a capture, .gz is packed by gzip

enum tr_out_form {
	TR_OUT_STREAM, // may be called .zst, and is packed then
	TR_OUT_PCAP,   // never packed
};

// TR_ERROR if path has the ending of another form; err names the path and how to get that form.
enum tr_status tr_out_name_check(const char *path, enum tr_out_form form, struct tr_error *err);

#endif
