// SPDX-License-Identifier: GPL-3.0-or-later
// The next packets of all sources, generated in batches: generation runs in its own loops, and
// taking a packet is a copy. The traffic does not depend on it, because each source has its own
// random streams.
#ifndef GEN_AHEAD_H
#define GEN_AHEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "gen/loser_tree.h"
#include "stream/record.h"

#define AHEAD_PLACE_BITS 5u
#define AHEAD_PACKETS (1u << AHEAD_PLACE_BITS) // of each source per batch
#define AHEAD_SOURCE_BYTES \
	(AHEAD_PACKETS * 16u + 16u + \
	 AGENDA_SOURCE_BYTES) // of memory for each source, at most; many_nodes: 128 more

// AHEAD_PACKETS of a source, or of all sources side by side.
struct ahead_columns {
	int64_t *ticks; // 0 or later, ascending; any value from the end on
	uint32_t *payload_B, *dst;
	uint32_t *src; // NULL: a source sends from one node
};

// Generates the source's next packets in place of the last ones, in time order.
typedef void (*ahead_make)(void *train, size_t source, const struct ahead_columns *out);

struct ahead {
	struct ahead_columns all;
	struct ahead_sender *senders; // of each source
	struct agenda agenda;
	uint64_t packets; // taken so far: the next id
};

// Makes room for the sources, with all numbers 0; many_nodes: each packet has its own src. Returns
// false if out of memory; close it all the same.
bool ahead_open(struct ahead *ahead, size_t sources, bool many_nodes);

// Sets the properties common to all packets of the source.
void ahead_set_sender(struct ahead *ahead, size_t source, uint32_t src, uint32_t header_B,
		      enum tr_class class);

// Where the source's packets are stored. The caller generates the first ones.
struct ahead_columns ahead_of(const struct ahead *ahead, size_t source);

// Begins with the first packets of the sources 0 .. count - 1; the others are left out. Returns
// false if out of memory.
bool ahead_begin(struct ahead *ahead, size_t count);

// Takes up to max packets before end_ticks, ordered by time and, within a tick, by source. Returns
// how many.
size_t ahead_take(struct ahead *ahead, ahead_make make, void *train, int64_t end_ticks,
		  struct tr_packet *packets, size_t max);

// Frees it; a zero one is accepted.
void ahead_close(struct ahead *ahead);

#endif
