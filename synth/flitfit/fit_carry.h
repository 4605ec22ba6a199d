// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of a trace or a model carried over a network by flitsim, and how long they take.
#ifndef SYNTH_FIT_CARRY_H
#define SYNTH_FIT_CARRY_H

#include "flitfit.h"

// The results of one run of flitsim.
struct fit_carried {
	double mean_us, low_us, high_us, p99_us;
	double whole_s; // until the last delivery; where packets were dropped, as long as all would
			// take
};

// The place of each node of a generator or of the trace, by id; ids from count on are their own.
// Nodes are written by their places, with the names of the trace, by which flitsim makes them hosts
// as it does those of the trace. fit_places_clear frees it.
struct fit_places {
	uint32_t *of;
	uint32_t count;
	uint32_t *id; // in the trace, of the node at a place
	uint32_t nodes;
	const struct tr_names *names; // of the trace; lent
};

// Frees what it holds; it is empty then.
void fit_places_clear(struct fit_places *places);

// Carries the packets over the network of the request, speed times as fast as they were (INFINITY:
// at once). TR_ERROR: flitsim cannot; err says why.
enum tr_status fit_carry(const struct fit_request *request, const struct packet_sample *packets,
			 const struct fit_places *places, double speed, struct fit_carried *out,
			 struct tr_error *err);

#endif
