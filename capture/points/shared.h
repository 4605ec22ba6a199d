// SPDX-License-Identifier: GPL-3.0-or-later
// The packets that pairs of points have in common, found among sightings of which a bounded sample
// is kept.
#ifndef POINTS_SHARED_H
#define POINTS_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A packet as a point saw it.
struct pt_sighting {
	uint64_t identity;
	int64_t time_ns;
	uint32_t src, dst; // nodes
	uint32_t wire_bytes;
	uint32_t point;
	uint64_t number; // of the frame at its point
};

// A packet that two points saw.
struct pt_shared {
	uint32_t first, second; // points, first < second
	uint32_t src, dst;
	uint32_t wire_bytes;
	int64_t at_ns;	  // by the first point's clock
	int64_t apart_ns; // the second's stamp less the first's
	uint64_t number[2];
};

// Zero but for max, the largest number of sightings kept, is a valid empty one.
struct pt_sample {
	size_t max;
	struct pt_sighting *sightings;
	size_t count, capacity;
	unsigned level; // sightings are kept if so many low bits of the identity are 0
};

// Takes a sighting; beyond the bound every second identity is left out, at all points alike. false
// if out of memory.
bool pt_sample_add(struct pt_sample *sample, const struct pt_sighting *sighting);

// Finds the packets in common, by pair of points and the first one's numbers, and empties the
// sample. Identities that a point saw twice are left out, since which is which is open, as are
// those at more than 4 points, which are multicasts, and stamps 18 years apart. The caller frees
// *shared. false if out of memory.
bool pt_sample_share(struct pt_sample *sample, struct pt_shared **shared, size_t *count);

// The end of the packets of the same pair as the first.
size_t pt_shared_end(const struct pt_shared *shared, size_t count, size_t first);

// Frees what is held.
void pt_sample_clear(struct pt_sample *sample);

#endif
