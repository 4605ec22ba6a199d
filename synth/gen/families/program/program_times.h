// SPDX-License-Identifier: GPL-3.0-or-later
// When the messages of a program begin and end, iteration by iteration: a max-plus recurrence over
// the messages and gates of its plan. A port sends or takes one message at a time, in the order in
// which they are ready.
#ifndef GEN_FAMILIES_PROGRAM_TIMES_H
#define GEN_FAMILIES_PROGRAM_TIMES_H

#include "gen/families/program/program_plan.h"

struct program_sent {
	int64_t request_ticks, grant_ticks; // of these packets; of a granted message only
	int64_t begin_ticks, end_ticks;	    // first and last packet
	uint64_t packets, stream_B;	    // with those of messages joined to it; 0 of such a one
	int64_t credit_ticks; // that its packets may be ahead of their pace from begin_ticks on
};

// Zero is a valid closed one.
struct program_times {
	struct program_plan plan;
	struct program_sent *sent; // by message: of the present iteration
	int64_t least_ticks;	   // no packet of a later iteration is before it
	struct program_run *run;   // state of the recurrence
};

// When packet i of the message passes, if there are no pairs. late: of the message, moved on to it.
int64_t program_times_packet(const struct program_plan *plan, const struct program_sent *sent,
			     struct program_late *late, uint64_t i);

// Plans the model for this many nodes; the model must outlive it. To be closed also after TR_ERROR.
enum tr_status program_times_open(struct program_times *times, const struct program_model *model,
				  uint32_t nodes, double ticks_per_s, uint64_t seed,
				  struct tr_error *err);

// Computes sent for the next iteration. TR_END: it is beyond the clock.
enum tr_status program_times_next(struct program_times *times);

// Frees what it holds; it is closed then.
void program_times_close(struct program_times *times);

#endif
