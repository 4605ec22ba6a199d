// SPDX-License-Identifier: GPL-3.0-or-later
// A trace in memory, to be drawn from: its packets with their times from the first one on, and who is who.
// Memory: 40 bytes a packet (up to 80 while it is read), and the names.
#ifndef GEN_BOOTSTRAP_TRACE_H
#define GEN_BOOTSTRAP_TRACE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/bootstrap_model.h"
#include "trace/names.h"
#include "trace/record.h"
#include "trace/status.h"

#define BOOTSTRAP_PACKETS_MAX 20000000u

// Zero is empty; bootstrap_trace_clear frees it.
struct bootstrap_trace {
	struct tr_packet *packets; // times rise from 0, in ticks of the caller's clock; ids and flows mean nothing
	size_t count;		   // 2 or more
	int64_t circle_ticks;	   // from the first packet to where it would come again: the last time and a mean gap
	struct tr_node *nodes;	   // addresses are owned
	uint32_t node_count;
};

// Reads the model's file, as far as it counts. TR_ERROR: it is no trace of packets in order of time, is damaged, has fewer than 2 packets or more
// than BOOTSTRAP_PACKETS_MAX, lasts no time or too long for the clock, memory ends; *out is empty then.
enum tr_status bootstrap_trace_read(struct bootstrap_trace *out, const struct bootstrap_model *model, uint64_t ticks_per_s,
				    struct tr_error *err);

void bootstrap_trace_clear(struct bootstrap_trace *trace);

#endif
