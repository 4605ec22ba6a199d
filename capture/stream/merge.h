// SPDX-License-Identifier: GPL-3.0-or-later
// Merges any number of sorted streams in one pass.
#ifndef STREAM_MERGE_H
#define STREAM_MERGE_H

#include <stdbool.h>
#include <stddef.h>

#include "stream/reader.h"
#include "stream/unify.h"

struct tr_merge;

struct tr_merge_options {
	bool round;	 // round times to the nearest tick instead of failing
	bool keep_going; // a damaged input ends at the damage
};

// The header of the merged stream: the inputs' kind, the earliest origin, and ticks in which every
// time of every input is whole: the least common multiple of their ticks per second and of those
// that the differences of the origins need; with round the finest of their ticks. TR_ERROR where
// the kinds differ, one is unsorted or the multiple is beyond 2^62.
enum tr_status tr_merge_header(struct tr_reader *const *inputs, size_t count, bool round,
			       struct tr_header *out, struct tr_error *err);

// Merges the inputs, lent until tr_merge_close, into a stream of that header. Takes their name
// hooks; names go to sink before the records that use them. Memory: a few words an input beside
// their readers, and tr_unify's tables.
enum tr_status tr_merge_open(struct tr_merge **out, struct tr_reader *const *inputs, size_t count,
			     const struct tr_header *header, struct tr_merge_options options,
			     struct tr_name_sink sink, struct tr_error *err);

// The next record, lent until the next call: in time order, equal times in the order of the inputs.
// TR_OK with *record NULL: nothing yet, but the merge is complete up to tr_merge_time. TR_END: all
// inputs have ended. TR_ERROR: an input failed (err is then empty: see tr_reader_error) or a time
// does not fit.
enum tr_status tr_merge_next(struct tr_merge *merge, const union tr_record **record,
			     struct tr_error *err);

// Time up to which the records returned so far are complete, in ticks of the merge.
int64_t tr_merge_time(const struct tr_merge *merge);

// Frees the merge, not the inputs; NULL is accepted.
void tr_merge_close(struct tr_merge *merge);

#endif
