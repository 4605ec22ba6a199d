// SPDX-License-Identifier: GPL-3.0-or-later
// What one node sent of one class, as the fit of a pulse train wants it; those of a role merge.
#ifndef GEN_PULSE_TALLY_H
#define GEN_PULSE_TALLY_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/tally.h"
#include "trace/record.h"

struct pulse_tally {
	struct tally gaps;  // ticks between packets
	struct tally open;  // ticks from the last packet to the trace's end
	struct tally sizes; // payload bytes
	struct tally to;    // destinations by node id
	uint64_t packets;
	unsigned __int128 header_bytes; // on the wire beside the payload
	int64_t last_ticks;		// valid where packets > 0
};

// An empty one.
struct pulse_tally pulse_tally_make(void);

// Adds a packet of the node; its time is not before the last one's.
void pulse_tally_add(struct pulse_tally *tally, const struct tr_packet *packet);

// The trace ends at end_ticks: notes the open gap. No more packets then.
void pulse_tally_end(struct pulse_tally *tally, int64_t end_ticks);

// Adds what another node of the role sent; both are ended.
void pulse_tally_merge(struct pulse_tally *into, const struct pulse_tally *from);

// Whether memory ended somewhere.
bool pulse_tally_failed(const struct pulse_tally *tally);

void pulse_tally_clear(struct pulse_tally *tally);

#endif
