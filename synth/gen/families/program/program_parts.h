// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of a capture cut into parts. Parts are iterations if most of them have the same
// messages.
#ifndef GEN_FAMILIES_PROGRAM_PARTS_H
#define GEN_FAMILIES_PROGRAM_PARTS_H

#include "gen/families/program/program_fold.h"

#define PROGRAM_ITERATIONS_MIN 3u
#define PROGRAM_CONSISTENT \
	0.7 // least part of the iterations that have the usual messages, and of all messages in
	    // them
#define PROGRAM_SMALL_PART 0.01 // small messages of less than this part of all bytes are left out

// Messages first .. first + count - 1 of the sorted ones.
struct part {
	size_t first, count;
	bool usual;
};

struct folding {
	const struct program_trace *trace;
	const struct program_found **found; // kept, by begin; within a part by pair and begin
	size_t count;
	struct part *parts;
	size_t part_count, usual, usual_count; // the usual one; how many are as it is
	bool dealt;			       // to iterations, by periods or beats
	bool loose;			       // sizes vary
	bool whole;			       // no small messages are left out
	uint32_t doublings;		       // of periods
	struct program_fold *out;
};

// Takes all messages of the trace, except small ones if together they are negligible and it is not
// to be whole. TR_ERROR: no memory. Caller frees found and parts.
enum tr_status program_parts_choose(struct folding *folding, struct tr_error *err);

// Tries to cut at silences, the longest ones first. False: none make iterations. scratch has room
// for a number a message.
bool program_parts_at_silences(struct folding *folding, double *scratch);

// Tries to cut before the messages of one kind; the best begins iterations after the longest
// silences. False: none does.
bool program_parts_at_kinds(struct folding *folding);

// Tries to assign the messages to iterations by a kind of message that occurs once in each; sets
// dealt if one makes iterations. First tries kinds whose messages always have the same size, then
// sets loose. scratch has room for a number a message. TR_ERROR: no memory.
enum tr_status program_parts_at_beats(struct folding *folding, double *scratch,
				      struct tr_error *err);

// What comes before the first usual part and after the last one, as what starts and ends a program,
// does not count: it is left out.
void program_parts_drop_ends(struct folding *folding);

// Joins parts that periods have dealt, so that in each part each rank sends and receives in the
// same order. TR_ERROR: no memory.
enum tr_status program_parts_join_orders(struct folding *folding, struct tr_error *err);

// Finds the messages that most parts have. Whether enough do.
bool program_parts_compare(struct folding *folding);

// First packet of data of a part, and last one.
int64_t program_part_begin(const struct folding *folding, const struct part *part);
int64_t program_part_end(const struct folding *folding, const struct part *part);

// Whether two of the same ranks may be the same message of two iterations, or the same operation.
bool program_found_alike(const struct program_found *a, const struct program_found *b);

// Likewise; where the folding is loose their sizes may differ by a factor of two.
bool program_parts_alike(const struct folding *folding, const struct program_found *a,
			 const struct program_found *b);

// For qsort of pointers to messages of one trace: by rank of the sender, then of the receiver, then
// in time; of numbers, falling.
int program_found_by_pair(const void *a, const void *b);
int program_longer_first(const void *a, const void *b);

#endif
