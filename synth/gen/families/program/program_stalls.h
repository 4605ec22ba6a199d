// SPDX-License-Identifier: GPL-3.0-or-later
// Stalls inside messages: a sender whose window is full waits until its receiver has taken what was
// sent. At the begin of a message, and after each stall, as many bytes as the window takes go
// without; of the gaps after them each has a stall with the same chance.
#ifndef GEN_FAMILIES_PROGRAM_STALLS_H
#define GEN_FAMILIES_PROGRAM_STALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "gen/families/program/program_model.h"

#define PROGRAM_PLACES 64u

// Stalls of all messages of a model. Zero has none.
struct program_stalls {
	uint64_t chance;       // of 2^64
	uint64_t free_packets; // at the begin and after each stall, between which there is none
	int64_t mean_ticks, usual_ticks; // of a stall; of a gap, on average
};

// The stalls of a flow, in ticks.
struct program_stalls program_stalls_make(const struct program_flow *flow, double ticks_per_s);

// A place in a message: by how much its packet (from 0) is later than without stalls. seed: of the
// message.
struct program_late {
	uint64_t seed, packet, stalled; // stalled: the packet before which the last stall was
	int64_t ticks;
};

// Moves on to the packet, which is none before the present one, and returns the ticks there.
int64_t program_late_at(struct program_late *late, const struct program_stalls *stalls,
			uint64_t packet);

// How often messages stall after so many full packets since they began or had stalled. Zero is a
// valid empty one.
struct program_stall_counts {
	uint64_t gaps[PROGRAM_PLACES],
		stalls[PROGRAM_PLACES]; // by these packets; the last one has all beyond
};

// Counts a gap after so many full packets, and whether it was a stall.
void program_stall_note(struct program_stall_counts *counts, uint64_t packets_before, bool stall);

// Sets the flow's share of stalls and the bytes before one: the most likely ones.
void program_stalls_fit(struct program_flow *flow, const struct program_stall_counts *counts);

#endif
