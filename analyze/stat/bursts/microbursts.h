// SPDX-License-Identifier: GPL-3.0-or-later
// The largest microbursts of a stream. A window of one width ends with each packet: it has the
// packets of (t - width, t]. A microburst begins with a window of more than twice the least that
// was left just before a packet since the burst before, and ends as soon as, a width or more after
// its largest window, less than half of that is left. It lasts from the first packet of the first
// window behind the last such low before the largest, to the last packet of the last window with at
// least half the largest (its full width at half maximum). So microbursts do not overlap, and
// depend neither on an origin nor on the order of packets at one time.
#ifndef STAT_MICROBURSTS_H
#define STAT_MICROBURSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/names.h"
#include "value/status.h"

#define MICROBURST_PAIRS 3	     // of nodes that are kept of each
#define MICROBURST_PACKETS (1 << 23) // of two widths, held at most

struct microburst_pair {
	uint32_t src, dst;
	uint64_t size_bytes;
};

struct microburst {
	int64_t begin_ticks, end_ticks; // its first and its last packet
	uint64_t packets, size_bytes;	// between them
	uint64_t largest_bytes;		// of its largest window, the first of several
	struct microburst_pair
		pairs[MICROBURST_PAIRS]; // with most bytes in that window, then by number
	uint32_t pair_count;		 // that have bytes in it
};

// Memory: 24 bytes a packet of two widths, with room for up to twice as many; 32 bytes a low that
// is below all later ones of its burst and above half of its largest window, likewise; 96 bytes a
// microburst that is kept.
struct microbursts;

// Keeps up to most microbursts (at least 1) of this width (above 0). NULL if out of memory.
struct microbursts *microbursts_new(int64_t width_ticks, size_t most);

// Adds a packet, not earlier than the one before. TR_END: not added, as it would be beyond
// MICROBURST_PACKETS; err then says so. TR_ERROR if out of memory.
enum tr_status microbursts_add(struct microbursts *bursts, int64_t time_ticks, uint32_t size_bytes,
			       uint32_t src, uint32_t dst, struct tr_error *err);

// Completes them; no more may be added. Those with the largest windows first, of equal ones the
// earlier; lent. TR_ERROR if out of memory.
enum tr_status microbursts_finish(struct microbursts *bursts, const struct microburst **list,
				  size_t *count, struct tr_error *err);

#define MICROBURST_TEXT 2048

// Its pairs in words: "a>b 62 %, c>d 20 %, 3 more", in text[MICROBURST_TEXT]. Returns text.
const char *microburst_say_pairs(const struct microburst *burst, const struct tr_names *names,
				 char *text);

// NULL is accepted.
void microbursts_free(struct microbursts *bursts);

#endif
