// SPDX-License-Identifier: GPL-3.0-or-later
// Packets of a pair of points around a step of one of their clocks: between which of them it is.
//
// In the order in which the point captured them, packets before the step and those after it keep to
// an offset each. Reading on, the first packet that contradicts those before it is after the step;
// reading back, likewise. That is what is sure, whatever packets wait. Between those two the step
// is likely where packets waited least, against lines through the packets before and after: the
// drift that is allowed between packets is a hundred times what clocks drift, and would hide the
// step.
#ifndef POINTS_STEP_PLACE_H
#define POINTS_STEP_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A packet, whose stamps are less the steps known.
struct step_packet {
	uint64_t number;  // of its frame at the point
	int64_t at_ns;	  // by the first point's clock
	int64_t apart_ns; // the second's stamp less the first's
	double passed_ns; // since the first of these packets
	bool forward;	  // the first point sent it
};

struct step_packets {
	struct step_packet *packets;
	size_t count;
	unsigned side;	// 1: the point is the second of the pair
	double room_ns; // by which differences may be wrong
};

// What packets say of the offset of the second clock from the first, less a base.
struct step_bounds {
	double lo, hi;
};

// lo: above all differences of packets back, hi: below those of packets there.
struct step_line {
	struct step_bounds bounds; // where passed_ns is at_ns
	double slope, at_ns;
};

// Packets first <= i < last_end know of one step only, which is behind the packet last and not
// behind the packet next.
struct step_place {
	size_t begin, end;
	size_t last, next;
	struct step_line lines[2]; // before the step, and after it
	double change_ns;	   // of the offset
};

// All offsets.
struct step_bounds step_bounds_any(void);

// Takes a packet, whose difference is apart_ns, seen so long ago that clocks may have drifted by
// drift_ns.
void step_bounds_take(struct step_bounds *bounds, bool forward, double apart_ns, double drift_ns);

// Whether no offset is within the bounds, even if they are wider by room_ns.
bool step_bounds_contradict(const struct step_bounds *bounds, double room_ns);

// The time between two packets by the point whose clock shows less of it, as a step back would.
double step_time_between(const struct step_packet *a, const struct step_packet *b);

// Puts packets in the order of the point.
void step_packets_sort(struct step_packets *packets);

// Finds between which packets a step must be; false if they show none that could be of this point
// alone.
bool step_place_search(const struct step_packets *packets, struct step_place *place);

// With last and next known, finds begin, end, lines and the change. False if memory ran out.
bool step_place_measure(const struct step_packets *packets, struct step_place *place);

// Where the step likely is: before one of the packets *first <= i < *end, of those from last + 1 to
// next. Returns by how much packets are further off than they need be, there at the least: by how
// much they waited, more where none can be.
double step_place_likely(const struct step_packets *packets, const struct step_place *place,
			 size_t *first, size_t *end);

#endif
