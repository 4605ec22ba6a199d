// SPDX-License-Identifier: GPL-3.0-or-later
// Which point each node is at, by votes of the packets that two points saw: a node is at the point
// that saw its packets before they reached the other end and after they came from there.
#ifndef POINTS_PLACES_H
#define POINTS_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "points/shared.h"
#include "points/steps.h"
#include "value/status.h"

#define PT_NOWHERE UINT32_MAX

// Zero is a valid empty one.
struct pt_places {
	uint32_t nodes, points;
	int32_t *votes; // by node and point
	uint32_t *at;	// by node: its point, or PT_NOWHERE
};

// Starts with all nodes nowhere. False if out of memory; pt_places_clear is then allowed.
bool pt_places_open(struct pt_places *places, uint32_t nodes, uint32_t points);

// A vote of each end of a packet: its source is at the first of the two points if it was seen there
// ahead of the second, its destination at the other one.
void pt_places_vote(struct pt_places *places, const struct pt_shared *packet, bool ahead);

// The votes of packets that are answered, whatever the clocks of their points: the differences of
// stamps there and back add up to a positive time only if the ends are named that way round. shared
// is as pt_sample_share gives it; unit_ns: of the stamps, by point. steps: NULL, or those that were
// taken out of the stamps, whose unsure packets do not vote.
void pt_places_vote_two_way(struct pt_places *places, const struct pt_shared *shared, size_t count,
			    const int64_t *unit_ns, const struct pt_steps *steps);

// Puts nodes that are nowhere yet at the point with most votes.
void pt_places_settle(struct pt_places *places);

// Puts nodes nowhere of which no packets with an answer say where they are.
void pt_places_forget_unsaid(struct pt_places *places, const struct pt_places *said);

// Why no packets of a pair of points say where their nodes are, where some are answered but there
// and back takes less than the units of the stamps, or than the clocks may drift until the answer.
// Returns whether *why says so. steps as above.
bool pt_places_explain(const struct pt_shared *pair, size_t count, const int64_t *unit_ns,
		       const struct pt_steps *steps, struct tr_error *why);

// Frees what is held.
void pt_places_clear(struct pt_places *places);

#endif
