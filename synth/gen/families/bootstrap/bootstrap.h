// SPDX-License-Identifier: GPL-3.0-or-later
// A trace cut into blocks that are repeated in random order, which keeps all dependence within a
// block. The parameters of the family "bootstrap" (man/flit-model.5).
#ifndef GEN_FAMILIES_BOOTSTRAP_H
#define GEN_FAMILIES_BOOTSTRAP_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "stream/names.h"
#include "stream/record.h"
#include "text/model.h"
#include "value/status.h"

// Zero is empty; bootstrap_model_clear frees it.
struct bootstrap_model {
	char *trace; // its file, relative to the model's folder, else to the current one
	char *found; // whichever of the two exists; in a model that was made here NULL: the current
		     // folder
	bool aside; // without the packets of discovery (stat/nodes/discovery.h), and the nodes that
		    // are in no others
	uint64_t digest; // of the file's bytes (tr_reader_digest); 0: any will do
	double from_s,
		to_s; // part of the trace to use, on its own clock: [from, to); to 0: up to its end
	double duration_s;    // 0: the trace's
	double block_s;	      // length of a block, which may begin at any time; 0: episodes
	double episode_gap_s; // a longer silence of the whole network separates episodes; 0: blocks
};

// Adds the parameters to the text.
void bootstrap_model_put(struct model *model, const struct bootstrap_model *bootstrap);

// Frees what it holds; it is empty then.
void bootstrap_model_clear(struct bootstrap_model *bootstrap);

// ---- A trace in memory to draw from: its packets with their times from the first one on, and its
// nodes. Memory: 40 bytes a packet (up to 80 while reading), and the names.

#define BOOTSTRAP_PACKETS_MAX 20000000u

// Zero is empty; bootstrap_trace_clear frees it.
struct bootstrap_trace {
	struct tr_packet *packets; // times ascend from 0, in ticks of the caller's clock; ids and
				   // flows are unused
	size_t count;		   // 2 or more
	int64_t circle_ticks;	   // period if the trace is repeated: the last time plus a mean gap
	struct tr_node *nodes;	   // addresses are owned
	uint32_t node_count;
};

// Reads the chosen part of the model's file. TR_ERROR: no trace of packets in order of time,
// damage, fewer than 2 packets or more than BOOTSTRAP_PACKETS_MAX, a duration of zero or too long
// for the clock, no memory; *out is empty then.
enum tr_status bootstrap_trace_read(struct bootstrap_trace *out,
				    const struct bootstrap_model *model, uint64_t ticks_per_s,
				    struct tr_error *err);

// Frees what it holds; it is empty then.
void bootstrap_trace_clear(struct bootstrap_trace *trace);

extern const struct family_fit bootstrap_fit; // of bootstrap_fit.c

#endif
