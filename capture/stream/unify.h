// SPDX-License-Identifier: GPL-3.0-or-later
// Combines several streams: the ids and times of each input become the output's. Nodes are the same
// if their addresses are, flows if their ends, protocol and ports are, links if their texts are.
// Ids of one input stay distinct, and keep their numbers where these are free, so that a single
// input is unchanged.
#ifndef STREAM_UNIFY_H
#define STREAM_UNIFY_H

#include <stdbool.h>
#include <stdint.h>

#include "stream/header.h"
#include "stream/name_index.h"
#include "stream/record.h"
#include "value/status.h"

struct tr_unify;
struct tr_unify_input;

// Takes the output's name entries, each lent for the call.
struct tr_name_sink {
	enum tr_status (*put)(void *context, const struct tr_name *name, struct tr_error *err);
	void *context;
};

// Makes the output's side: streams of header's kind, in its ticks, from its origin. Memory: the
// output's name tables; for each name of each input 8 bytes, for each flow 16 more.
enum tr_status tr_unify_open(struct tr_unify **out, const struct tr_header *header,
			     struct tr_name_sink sink, struct tr_error *err);

// Before names of inputs: links whose pauses the inputs have are different ones, with numbers of
// their own; else those with equal numbers are the same, as in parts of a capture.
void tr_unify_keep_links_apart(struct tr_unify *unify);

// Adds an input; *input is freed with the unify. round: round times to the output's ticks. TR_ERROR
// if the kinds or the origins do not agree.
enum tr_status tr_unify_add(struct tr_unify *unify, const struct tr_header *header, bool round,
			    struct tr_unify_input **input, struct tr_error *err);

// Takes a name entry of an input and passes the output's on; the reader's hook, with the input as
// context. Counters are summed over the inputs (first_...: their minimum; last_...: their maximum);
// a known role is not made unknown by another input. Notes are indented by two levels.
enum tr_status tr_unify_name(void *input, const struct tr_name *name, struct tr_error *err);

// Converts a record to the output's: lent until the next call with this input, or record itself if
// unchanged. TR_ERROR: a time is not whole or does not fit.
enum tr_status tr_unify_record(struct tr_unify_input *input, const union tr_record *record,
			       const union tr_record **out, struct tr_error *err);

// A time of the input in the output's ticks, rounded down where it is not whole; INT64_MIN and
// INT64_MAX where it does not fit.
int64_t tr_unify_time(const struct tr_unify_input *input, int64_t ticks);

// Whether the input has the output's ticks and origin.
bool tr_unify_same_clock(const struct tr_unify_input *input);

// Index of the output's names so far; a name is entered before the sink gets it.
const struct tr_name_index *tr_unify_index(const struct tr_unify *unify);

// Frees it and its inputs; NULL is accepted.
void tr_unify_close(struct tr_unify *unify);

// ---- converting times to the ticks and origin of another stream

// Made by tr_rebase_make; read only afterwards.
struct tr_rebase {
	const struct tr_kind_info *kind;
	uint64_t from; // ticks per second
	uint64_t to;
	int64_t offset_ticks; // of from's origin after to's, in to's ticks
	bool round;	      // round to the nearest tick
	bool same;	      // nothing changes
};

// Conversion from the ticks and origin of one header to those of another. TR_ERROR if the kinds
// differ, the difference of the origins is not whole in to's ticks (without round) or does not fit.
enum tr_status tr_rebase_make(struct tr_rebase *rebase, const struct tr_header *from,
			      const struct tr_header *to, bool round, struct tr_error *err);

// The time in the other's ticks. TR_ERROR where it is not whole (without round) or does not fit.
enum tr_status tr_rebase_time(const struct tr_rebase *rebase, int64_t ticks, int64_t *out,
			      struct tr_error *err);

// Converts all times, spans and areas of a record in place; the -1 of a time not reached stays.
// TR_ERROR as above, with the record partly changed.
enum tr_status tr_rebase_record(const struct tr_rebase *rebase, void *record, struct tr_error *err);

#endif
