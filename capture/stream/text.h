// SPDX-License-Identifier: GPL-3.0-or-later
// The text form of a stream: one line a record, fields separated by tabs, and lines that begin with
// "!" for everything else; records and names survive a round trip. Lines that begin with "#" are
// comments. Described in flitcut(1).
#ifndef STREAM_TEXT_H
#define STREAM_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "file/source.h"
#include "stream/header.h"
#include "stream/name_index.h"
#include "stream/record.h"
#include "value/status.h"

#define TR_TEXT_MAGIC "!flitline-text"
#define TR_TEXT_VERSION "1"
#define TR_TEXT_FIELDS_MAX 32u

// ---- the fields of records as text and back, exactly

// Room for any field's text.
#define TR_FIELD_TEXT_BYTES 640u

// What the numbers of a stream mean.
struct tr_field_context {
	const struct tr_kind_info *kind;
	uint64_t ticks_per_s;
	const struct tr_name_index *index; // of the names so far
};

// The field's heading: its name and unit ("time_s", "payload_B"). Times are in "_ticks" where 18
// decimals of a second cannot tell two ticks apart (more than 10^18 a second). Returns out (>= 32
// bytes).
const char *tr_field_heading(const struct tr_field_context *context, const struct tr_field *field,
			     char *out, size_t out_bytes);

// The field of this name or heading, NULL if the kind has none.
const struct tr_field *tr_field_find(const struct tr_field_context *context, const char *name);

// The field of a record as text: seconds, addresses, "src>dst/tcp/sport-dport", words. "-" is a
// time that was not reached, or no flow; "@5" an id without a unique name (none, one that another
// id has, or one that looks like something else). Returns out (>= TR_FIELD_TEXT_BYTES).
const char *tr_field_format(const struct tr_field_context *context, const struct tr_field *field,
			    const void *record, char *out, size_t out_bytes);

// Reads such a text into the record. TR_ERROR, with the record unchanged, if it is malformed, has
// an unknown name or does not fit.
enum tr_status tr_field_parse(const struct tr_field_context *context, const struct tr_field *field,
			      const char *text, void *record, struct tr_error *err);

// Whether this is a time that was not reached: the -1 of a delivery's later times.
bool tr_field_missing(const struct tr_field_context *context, const struct tr_field *field,
		      const void *record);

// Whether the text of the field is a JSON number when tr_field_missing does not hold.
bool tr_field_is_number(const struct tr_field *field);

// Whether the field is zero in nearly all records: a reserved one, or the opcode. It becomes a
// column of the text only when used.
bool tr_field_is_rare(const struct tr_field *field);

// The text of a node as in a record's field, and the id of a text; for other lines of the text
// form.
const char *tr_node_format(const struct tr_name_index *index, uint32_t node, char *out,
			   size_t out_bytes);
bool tr_node_parse(const struct tr_name_index *index, const char *text, uint32_t *node);

// ---- writing

struct tr_text_writer;

// Writes the first lines: what the stream is and how it was made (provenance may be NULL). index is
// of the stream's names and must hold each name before tr_text_put_name writes it. fields (count of
// them) are the columns; count 0: all of the kind, rare ones (tr_field_is_rare) from the first
// record that uses one. out and index are lent.
enum tr_status tr_text_writer_open(struct tr_text_writer **writer, FILE *out,
				   const struct tr_header *header, const char *provenance,
				   const struct tr_field *const *fields, size_t count,
				   const struct tr_name_index *index, struct tr_error *err);

// Writes a name as one line, a note as one per line. Failures show in out (ferror).
void tr_text_put_name(struct tr_text_writer *writer, const struct tr_name *name);

// Writes a record, in the host's byte order.
void tr_text_put(struct tr_text_writer *writer, const void *record);

// Writes the last lines: loss and the clean end. trailer NULL: leaves the text without an end.
// Frees the writer; NULL is accepted. out stays open.
void tr_text_writer_close(struct tr_text_writer *writer, const struct tr_trailer *trailer);

// ---- reading

struct tr_text_reader;

// The content of a line: one of the two, the other NULL. Lent until the next call.
struct tr_text_item {
	const struct tr_name *name;
	const union tr_record *record;
};

// Reads the first lines from source, which is lent. TR_ERROR names the line, what was expected and
// found.
enum tr_status tr_text_reader_open(struct tr_text_reader **reader, struct tr_source *source,
				   struct tr_error *err);

// The header of the stream; lent.
const struct tr_header *tr_text_header(const struct tr_text_reader *reader);

// How the stream was made, from the first lines: zero-terminated lines, lent.
const char *tr_text_provenance(const struct tr_text_reader *reader);

// The next name or record. Columns missing in the text are zero, or "nobody" for ids. TR_END after
// the clean end; TR_ERROR for a malformed line or a text without its end.
enum tr_status tr_text_next(struct tr_text_reader *reader, struct tr_text_item *item,
			    struct tr_error *err);

// Loss and damage; valid after TR_END.
const struct tr_trailer *tr_text_trailer(const struct tr_text_reader *reader);

// Frees the reader, not the source; NULL is accepted.
void tr_text_reader_close(struct tr_text_reader *reader);

#endif
