// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a trace stream. Memory: the source's buffer, one block (64 KiB), the provenance (64 KiB)
// and the name tables, bounded by their limits.
#ifndef STREAM_READER_H
#define STREAM_READER_H

#include "file/source.h"
#include "stream/header.h"
#include "stream/names.h"
#include "stream/odd_times.h"
#include "stream/pauses.h"
#include "stream/record.h"
#include "value/status.h"

struct tr_reader;

// Called during reading; each may be NULL. name: an entry was read (lent until it returns; also
// entered in the reader's table, before the call). block: the next chunk is about to be read, so
// the caller is done with the records of the last, or a second passed without one; tr_reader_time()
// is the time up to which the stream is complete. ended: reading ended, by the clean end or a
// failure; called once, and the times of the records are tallied for it (tr_reader_odd).
struct tr_reader_hooks {
	enum tr_status (*name)(void *context, const struct tr_name *name, struct tr_error *err);
	void (*block)(void *context, const struct tr_reader *reader);
	void *context;
	void (*ended)(void *context, const struct tr_reader *reader);
};

// Reads the header from source and takes ownership of it (also on failure). limits and hooks may be
// NULL. On TR_ERROR *out is NULL and err names the input, the offset, what was expected and found.
enum tr_status tr_reader_open(struct tr_reader **out, struct tr_source *source,
			      const struct tr_names_limits *limits,
			      const struct tr_reader_hooks *hooks, struct tr_error *err);

// The next record, lent until the next call, in the host's byte order. Every node, flow and link
// id in it is below the table's count or one of the "nobody" ids; time does not step back unless
// the header says unsorted.
// TR_END: the clean end was read. TR_ERROR: damaged or cut; tr_reader_error() says where. Later
// calls return the same.
enum tr_status tr_next(struct tr_reader *reader, const union tr_record **record);

// As tr_next, for all records of a block at once: *count > 0 records, tr_reader_stride() bytes
// apart. Mixing the two calls is allowed.
enum tr_status tr_next_block(struct tr_reader *reader, const void **records, size_t *count);

// Bytes from one record to the next; at least the kind's size.
size_t tr_reader_stride(const struct tr_reader *reader);

// The header; and the names so far, which grow while records are read. Lent until the reader
// closes.
const struct tr_header *tr_reader_header(const struct tr_reader *reader);
const struct tr_names *tr_reader_names(const struct tr_reader *reader);

// The provenance text read so far: the header's and the notes'. Zero-terminated UTF-8 lines; lent.
const char *tr_reader_provenance(const struct tr_reader *reader);

// Whether the clean end was read.
bool tr_reader_ended(const struct tr_reader *reader);

// Valid after TR_END; all zero before.
const struct tr_trailer *tr_reader_trailer(const struct tr_reader *reader);

// Reads at most one chunk, and none while records of the last are left, so that a caller with
// several inputs sees the clock of one advance that has no records. *ready records are available
// without reading. TR_OK: go on, also if *ready is 0. TR_END, TR_ERROR as tr_next.
enum tr_status tr_advance(struct tr_reader *reader, size_t *ready);

// Replaces the hook for names by one with its own context; NULL for none.
void tr_reader_on_name(struct tr_reader *reader,
		       enum tr_status (*hook)(void *context, const struct tr_name *name,
					      struct tr_error *err),
		       void *context);

// Pauses are no traffic and are left out of the records returned, unless the caller says otherwise
// in this, before the first record.
struct tr_pauses *tr_reader_pauses(struct tr_reader *reader);

// Time up to which the records returned so far are complete, in ticks; INT64_MIN before the first
// chunk.
int64_t tr_reader_time(const struct tr_reader *reader);

// Whether the last chunk of records came through a pipe before it was full: its writer had no more
// then and passed on what it had, and so should the program that reads it.
bool tr_reader_is_live(const struct tr_reader *reader);

// Whether the next record is there without reading.
bool tr_reader_has_next(const struct tr_reader *reader);

// Writes what is odd in the times of the packets, deliveries or messages taken so far, where
// hooks.ended is given, into out[TR_ODD_TIMES_BYTES]; "" if nothing is, and for other records.
// Messages may step back: they come in the order of their ends. Returns out.
const char *tr_reader_odd(const struct tr_reader *reader, char *out);

// Records read so far, bytes of input consumed so far, and its name.
uint64_t tr_reader_records(const struct tr_reader *reader);
uint64_t tr_reader_offset(const struct tr_reader *reader);
uint64_t tr_reader_taken(const struct tr_reader *reader); // consumed of that size, approximately
uint64_t tr_reader_size(const struct tr_reader *reader);
const char *tr_reader_name(const struct tr_reader *reader);

// Digest of the bytes read so far: XXH3 over the checksums of the header and of every chunk.
uint64_t tr_reader_digest(const struct tr_reader *reader);

// The message of the failure, "" before one.
const char *tr_reader_error(const struct tr_reader *reader);

// Frees the reader and closes its source. NULL is accepted.
void tr_reader_close(struct tr_reader *reader);

#endif
