// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a trace stream. Memory: one block of records, one of names, one compressed.
#ifndef TRACE_WRITER_H
#define TRACE_WRITER_H

#include "trace/header.h"
#include "trace/names.h"
#include "trace/outfile.h"
#include "trace/record.h"
#include "trace/status.h"

struct tr_writer;

struct tr_writer_options {
	bool compress;		      // its blocks by zstd, level 3; without effect where the whole is one frame
	bool flush_each;	      // a chunk for each record (-U)
	bool sync;		      // on the disk before the close says that it is whole
	struct tr_outfile *file;      // opened before, by the path; the writer closes it in any case. NULL: it is opened here
	bool keep;		      // see tr_outfile_options
	const struct tr_files *files; // what must not be overwritten; NULL: not known. Lent until the open returns
};

// Opens path for writing ("-" is standard output) and writes the header. A file that does not exist is written in place: a
// stream without its end is known as cut. One that does is replaced at the close, where trailer says that it is whole.
// provenance may be NULL; what
// is longer than the bound is cut at a line's end and says so. options may be NULL.
// A path that ends in ".zst" is written as one zstd frame, which every reader takes; one that ends as files of another form do
// (out_name.h) is an error.
// TR_END: path is a pipe that nobody reads any more. Then and on TR_ERROR *out is NULL and err says why.
enum tr_status tr_writer_open(struct tr_writer **out, const char *path, const struct tr_header *header, const char *provenance,
			      const struct tr_writer_options *options, struct tr_error *err);

// Copies one record (the kind's size). TR_ERROR: a sorted stream would step back, an id has no
// name (both are found when the block is sent, which may be at a later call), or writing failed; the
// writer then refuses everything, tr_writer_error() says why.
enum tr_status tr_put(struct tr_writer *writer, const void *record);

// As tr_put, for count records side by side.
enum tr_status tr_put_many(struct tr_writer *writer, const void *records, size_t count);

// Sends an entry ahead of the records that are put after it; text is copied. A name that would say what
// was said before is not sent.
enum tr_status tr_put_name(struct tr_writer *writer, const struct tr_name *name);

// Conveniences over tr_put_name; address and key are zero-terminated.
enum tr_status tr_put_node(struct tr_writer *writer, uint32_t id, const char *address, enum tr_role role);
enum tr_status tr_put_counter(struct tr_writer *writer, const char *key, uint64_t value);
enum tr_status tr_put_note(struct tr_writer *writer, const char *lines);

// Sends what is held as a chunk; with nothing held and time_ticks beyond what was sent, an empty one. In
// both cases the stream is then complete up to time_ticks (pass INT64_MIN for "up to the last
// record").
enum tr_status tr_writer_flush(struct tr_writer *writer, int64_t time_ticks);

// As tr_writer_flush, but only when a second has passed since the last chunk, and never where the output is a regular
// file: the bytes of a file do not depend on how fast it was made.
enum tr_status tr_writer_flush_when_due(struct tr_writer *writer, int64_t time_ticks);

const struct tr_header *tr_writer_header(const struct tr_writer *writer);
const struct tr_names *tr_writer_names(const struct tr_writer *writer);
uint64_t tr_writer_records(const struct tr_writer *writer);
const char *tr_writer_error(const struct tr_writer *writer);

// Whether an existing file is overwritten in place; where a failed output's part stays (see outfile.h).
bool tr_writer_is_exposed(const struct tr_writer *writer);
const char *tr_writer_part(const struct tr_writer *writer);

// Sends the rest, then the clean end with trailer (records is filled in); NULL for trailer leaves the
// stream without a clean end, for an output that must not be taken for whole. Frees the writer in any
// case; NULL writer is accepted. With err, where anything, closing included, failed: TR_END where it was that nobody reads
// the output any more (EPIPE), TR_ERROR else.
enum tr_status tr_writer_close(struct tr_writer *writer, const struct tr_trailer *trailer, struct tr_error *err);

#endif
