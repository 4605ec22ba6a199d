// SPDX-License-Identifier: GPL-3.0-or-later
// The arbitrary pulse train (Yates 1997): replays a series of packets, or those of deliveries: cut,
// stretched, shifted, with nodes renumbered.
#ifndef GEN_ARBITRARY_H
#define GEN_ARBITRARY_H

#include <stdbool.h>

#include "gen/families/family.h"
#include "stream/reader.h"
#include "value/num.h"

// Node from of the trace is node to of the output.
struct arbitrary_pair {
	uint32_t from, to;
};

// A packet at time t of the trace, from <= t < to, leaves at shift + floor(t * stretch). All times
// are ticks of the trace. Stretch 1, shift 0 and no bounds change nothing.
struct arbitrary_settings {
	int64_t from_ticks, to_ticks; // INT64_MIN and INT64_MAX for all
	struct num_ratio stretch;     // > 0
	int64_t shift_ticks;
	const struct arbitrary_pair
		*pairs; // lent for the generator's life; other nodes keep their number
	size_t pair_count;
	bool renumber; // ids from first_id on; otherwise those of the trace
	uint64_t first_id;
};

// A generator of the packets of in, which is lent and must be sorted packets, or deliveries. It
// ends with the trace and leaves in there; the reader knows whether that was a clean end. next
// fails where a time does not fit or two nodes would become one. TR_ERROR if out of memory.
enum tr_status arbitrary_open(struct generator *out, struct tr_reader *in,
			      const struct arbitrary_settings *settings, struct tr_error *err);

// The output's number of a node of the trace; unknown ids are unchanged.
uint32_t arbitrary_node(const struct arbitrary_settings *settings, uint32_t node);

// Reads "0=3,3=0" into pairs[0 .. *count - 1], at most max of them. TR_ERROR: malformed, too many,
// or a node twice on the left. A node that is only on the right is rejected when it occurs in the
// trace (3=0 would swap, 3=3 merge).
enum tr_status arbitrary_parse_map(const char *text, struct arbitrary_pair *pairs, size_t max,
				   size_t *count, struct tr_error *err);

#endif
