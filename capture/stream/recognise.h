// SPDX-License-Identifier: GPL-3.0-or-later
// Recognises a file by its first bytes, for hints when it was given to the wrong program.
#ifndef STREAM_RECOGNISE_H
#define STREAM_RECOGNISE_H

#include <stdbool.h>
#include <stddef.h>

#include "file/source.h"

#define TR_RECOGNISE_BYTES 64u	     // enough for every kind but ERF and lists of long names
#define TR_RECOGNISE_HINT_BYTES 512u // of a hint, with its end

// Writes to out what begins with the size_bytes bytes at data, and which command takes a file of
// this name: ": it is a pcap capture (flitcap -r NAME -w FILE.flt makes a trace of it)". "" if
// unknown. Returns out. unpacker: what made these bytes of the file's own ("gzip"), "" if nothing
// did.
const char *tr_recognise(const void *data, size_t size_bytes, const char *unpacker,
			 const char *name, char *out, size_t out_bytes);

// The same for the next bytes of a source, which stay unread.
const char *tr_recognise_source(struct tr_source *source, char *out, size_t out_bytes);

// The same for an input that should be a trace, which a table of numbers is not.
const char *tr_recognise_no_trace(struct tr_source *source, char *out, size_t out_bytes);

// The same where the source is of a format of others (a capture, or a trace of a parallel program)
// that this program does not read; else "". The same holds for files packed by gzip, xz, lz4 or
// bzip2: of a regular file the content is shown. tables: it reads any columns of a text. Waits for
// no more than the first line of a text of numbers. TR_ERROR: the source cannot be read; err says
// why, and a later call does not.
enum tr_status tr_recognise_foreign(struct tr_source *source, const char *program, bool tables,
				    char *out, size_t out_bytes, struct tr_error *err);

// Whether path is a regular file that begins as a capture does, compressed or not.
bool tr_is_capture_file(const char *path);

#endif
