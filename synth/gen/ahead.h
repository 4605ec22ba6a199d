// SPDX-License-Identifier: GPL-3.0-or-later
// The next packets of a source, made many at a time: what makes them then runs in loops of its own, and taking one is a copy.
// Nothing of this is seen in the traffic, because each source draws from random streams of its own.
#ifndef GEN_AHEAD_H
#define GEN_AHEAD_H

#include <stddef.h>
#include <stdint.h>

#include "gen/agenda.h"
#include "gen/source.h"
#include "trace/record.h"

#define AHEAD_PACKETS 32u

// The maker fills the columns; packets are taken up to AHEAD_PACKETS. The first member of a source.
struct ahead {
	unsigned at; // the next packet
	uint32_t header_B;
	uint8_t class; // enum tr_class
	int64_t ticks[AHEAD_PACKETS];
	uint32_t payload_B[AHEAD_PACKETS];
	uint32_t src[AHEAD_PACKETS], dst[AHEAD_PACKETS];
};

// Sources side by side, stride bytes apart.
struct ahead_sources {
	void *sources;
	size_t stride;
	int64_t end_ticks; // packets before this time
	// Makes the source's next packets, rising in time and not before those it made last; times from end_ticks on may be any.
	void (*make)(void *train, void *source);
	void *train;
};

// Who sends all packets of the source.
void ahead_set_sender(struct ahead *ahead, uint32_t src, uint32_t header_B, uint8_t class);

// Takes up to max packets of all sources in the agenda's order, with ids from *id on. Returns how many; *id is advanced.
size_t ahead_merge(const struct ahead_sources *all, struct agenda *agenda, uint64_t *id, struct tr_packet *packets, size_t max);

#endif
