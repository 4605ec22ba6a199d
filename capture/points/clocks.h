// SPDX-License-Identifier: GPL-3.0-or-later
// The clocks of the points of a measurement, and which point each node is at, from a first reading
// of all captures.
//
// Clocks are set to that of the first point, through others where that leaves the smaller error.
//
// Memory: 48 bytes a packet seen and 56 a pair of points that saw it, of at most PT_SAMPLES_MAX
// sightings; when there are more, every second identity is left out, at all points alike (Duffield,
// Grossglauser: Trajectory sampling for direct traffic observation, SIGCOMM 2000), as often as
// necessary. Also 4 bytes for each node and point.
#ifndef POINTS_CLOCKS_H
#define POINTS_CLOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "points/places.h"
#include "points/shared.h"
#include "points/steps.h"
#include "value/status.h"

#define PT_POINTS_MAX 256u
#define PT_SAMPLES_MAX (1u << 21)
#define PT_SAMPLE_BYTES 136u // for each sample, at most, and for what is made of it

// Times are ns since 1970, before 2116.
#define PT_TIME_END_NS (INT64_C(1) << 62)

// What is known of the clock of a point, against that of the first.
struct pt_clock {
	int64_t offset_ns; // when its own capture began
	double drift_ppm;  // then
	double error_ns;   // half the interval claimed for the offset
	double bound_ns;   // half the interval without an assumption on delays
	size_t steps;	   // how often it was set
	uint32_t via;	   // the point that it was compared with; itself for the first point
	size_t lines;	   // that it took
	bool claimed;	   // else error_ns is only the bound
};

struct pt_clocks;

// For points that see packets of nodes 0, 1, ...; samples_max bounds the sightings kept. NULL if
// out of memory.
struct pt_clocks *pt_clocks_new(size_t points, size_t samples_max);

// Takes a sighting, with 0 <= time_ns < PT_TIME_END_NS; those of a point in order of their numbers.
void pt_clocks_add(struct pt_clocks *clocks, const struct pt_sighting *sighting);

// The next sightings of a point are of another file. Of a point whose files overlap no steps are
// found.
void pt_clocks_next_file(struct pt_clocks *clocks, uint32_t point);

// Finds nodes and clocks; to be called once. names are of the points, for messages. TR_ERROR: a
// point has no packet in common with the others, or the comparison of two failed, or memory ran
// out.
enum tr_status pt_clocks_settle(struct pt_clocks *clocks, const char *const *names,
				struct tr_error *err);

// ---- once settled

// The point of a node, or PT_NOWHERE.
uint32_t pt_clocks_point_of(const struct pt_clocks *clocks, uint32_t node);

// The steps found.
const struct pt_steps *pt_clocks_steps(const struct pt_clocks *clocks);

// A point's time, less its steps, by the clock of the first point.
int64_t pt_clocks_correct(const struct pt_clocks *clocks, uint32_t point, int64_t time_ns);

// What was found of a point's clock.
struct pt_clock pt_clocks_of(const struct pt_clocks *clocks, uint32_t point);

// The error claimed for the difference of two points' corrected times.
double pt_clocks_error(const struct pt_clocks *clocks, uint32_t a, uint32_t b);

// By how much the difference may be wrong beyond that for the packets beside a step of either clock
// that is too small to tell for sure between which packets it was.
double pt_clocks_unsure(const struct pt_clocks *clocks, uint32_t a, uint32_t b);

// The corrected times of the first and last packet of a point.
void pt_clocks_span(const struct pt_clocks *clocks, uint32_t point, int64_t *begin_ns,
		    int64_t *end_ns);

// NULL is accepted.
void pt_clocks_free(struct pt_clocks *clocks);

#endif
