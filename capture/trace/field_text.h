// SPDX-License-Identifier: GPL-3.0-or-later
// The fields of records as text and back, each exactly.
#ifndef TRACE_FIELD_TEXT_H
#define TRACE_FIELD_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/name_index.h"
#include "trace/record.h"
#include "trace/status.h"

// Room for any field's text.
#define TR_FIELD_TEXT_BYTES 640u

// What the numbers of a stream stand for.
struct tr_field_context {
	const struct tr_kind_info *kind;
	uint64_t ticks_per_s;
	const struct tr_name_index *index; // of the names so far
};

// The field's heading: its name and unit ("time_s", "payload_B"). Times are in "_ticks" where 18 decimals of a
// second cannot tell two ticks apart (more than 10^18 a second). Returns out (>= 32 bytes).
const char *tr_field_heading(const struct tr_field_context *context, const struct tr_field *field, char *out, size_t out_bytes);

// The field of this name or heading, NULL where the kind has none.
const struct tr_field *tr_field_find(const struct tr_field_context *context, const char *name);

// The field of a record as text: seconds, addresses, "src>dst/tcp/sport-dport", words. "-" is a time that did
// not come or no flow; "@5" an id that its text would not tell (without a name, or a name that another id has
// or that looks like something else). Returns out (>= TR_FIELD_TEXT_BYTES).
const char *tr_field_format(const struct tr_field_context *context, const struct tr_field *field, const void *record, char *out,
			    size_t out_bytes);

// Reads such a text into the record. TR_ERROR where it is malformed, names nobody or does not fit; the record is
// then as it was.
enum tr_status tr_field_parse(const struct tr_field_context *context, const struct tr_field *field, const char *text,
			      void *record, struct tr_error *err);

// Whether this is a time that did not come: the -1 of a delivery's later times.
bool tr_field_missing(const struct tr_field_context *context, const struct tr_field *field, const void *record);

// Whether the text of the field is a JSON number when tr_field_missing does not hold.
bool tr_field_is_number(const struct tr_field *field);

// Whether the field is zero in nearly all records: one without a meaning yet, or the opcode. It is a column of the
// text only where it is used.
bool tr_field_is_rare(const struct tr_field *field);

// The text of a node as in a record's field, and the id of a text; for other lines of the text form.
const char *tr_node_format(const struct tr_name_index *index, uint32_t node, char *out, size_t out_bytes);
bool tr_node_parse(const struct tr_name_index *index, const char *text, uint32_t *node);

#endif
