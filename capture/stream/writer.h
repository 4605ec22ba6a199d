// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a trace stream. Memory: one block of records, one of names, one compressed; and the names.
#ifndef STREAM_WRITER_H
#define STREAM_WRITER_H

#include "file/outfile.h"
#include "stream/header.h"
#include "stream/names.h"
#include "stream/record.h"
#include "value/status.h"

struct tr_writer;

struct tr_writer_options {
	bool compress;	 // blocks by zstd, level 3; no effect if the whole file is one frame
	bool flush_each; // a chunk for each record (-U)
	bool sync;	 // fsync before the close
	struct tr_outfile *
		file; // already opened at path; the writer closes it in any case. NULL: opened here
	bool keep;    // see tr_outfile_options
	bool another; // likewise
	bool flows_rise; // each flow is named once, after those of lower ids: their names are not
			 // held
	const struct tr_files
		*files; // what must not be overwritten; NULL: unknown. Lent until the open returns
};

// Opens path for writing ("-" is standard output) and writes the header. A new file is written in
// place: readers recognise a stream without its end as cut. An existing file is replaced at the
// close, if given a trailer. provenance may be NULL; beyond the bound it is cut at a line's end and
// says so. options may be NULL. A path that ends in ".zst" is written as one zstd frame, which
// every reader takes; the ending of another form (tr_out_name_check) is an error. TR_END: path is a
// pipe without a reader. Then and on TR_ERROR *out is NULL and err says why.
enum tr_status tr_writer_open(struct tr_writer **out, const char *path,
			      const struct tr_header *header, const char *provenance,
			      const struct tr_writer_options *options, struct tr_error *err);

// Copies one record (the kind's size). TR_ERROR: a sorted stream would step back, an id has no name
// (both are found when the block is sent, which may be at a later call), or writing failed; the
// writer then refuses everything, tr_writer_error() says why.
enum tr_status tr_put(struct tr_writer *writer, const void *record);

// As tr_put, for count contiguous records.
enum tr_status tr_put_many(struct tr_writer *writer, const void *records, size_t count);

// Sends an entry ahead of the records that are put after it; text is copied. Does not repeat an
// entry already sent.
enum tr_status tr_put_name(struct tr_writer *writer, const struct tr_name *name);

// Wrappers of tr_put_name; address and key are zero-terminated.
enum tr_status tr_put_node(struct tr_writer *writer, uint32_t id, const char *address,
			   enum tr_role role);
enum tr_status tr_put_counter(struct tr_writer *writer, const char *key, uint64_t value);
enum tr_status tr_put_note(struct tr_writer *writer, const char *lines);

// Sends the pending records as a chunk; if there are none and time_ticks is beyond what was sent,
// an empty one. The stream is then complete up to time_ticks (INT64_MIN: up to the last record).
enum tr_status tr_writer_flush(struct tr_writer *writer, int64_t time_ticks);

// As tr_writer_flush, but only when a second has passed since the last chunk or it is due now, and
// never to a regular file: the bytes of a file must not depend on how fast it was written.
enum tr_status tr_writer_flush_when_due(struct tr_writer *writer, int64_t time_ticks, bool now);

// Whether it writes to a regular file.
bool tr_writer_is_file(const struct tr_writer *writer);

// The header; the records put, sent or not; and why it failed, "" if it did not.
// Lent until the writer closes.
const struct tr_header *tr_writer_header(const struct tr_writer *writer);
uint64_t tr_writer_records(const struct tr_writer *writer);
const char *tr_writer_error(const struct tr_writer *writer);

// Whether an existing file is overwritten in place; where the part of a failed output is kept (see
// outfile.h).
bool tr_writer_is_exposed(const struct tr_writer *writer);
const char *tr_writer_part(const struct tr_writer *writer);

// Sends the rest, then the clean end with trailer (records is filled in); NULL for trailer leaves
// the stream without a clean end, for an output that must not be taken for whole. Frees the writer
// in any case; NULL writer is accepted. If anything failed, now or before: TR_END if nobody reads
// the output (EPIPE), else TR_ERROR, with err.
enum tr_status tr_writer_close(struct tr_writer *writer, const struct tr_trailer *trailer,
			       struct tr_error *err);

#endif
