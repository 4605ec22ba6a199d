// SPDX-License-Identifier: GPL-3.0-or-later
// Offset and drift of one clock against another, from packets that both stamped, in both
// directions: the two-way minimum.
//
// A packet's stamps differ by the offset plus its delay one way, and by the offset less its delay
// the other way. So a line offset(t) must lie below all differences of the one and above all of the
// other, and the packets that waited least bound it best: the convex hulls of the two sets (Moon,
// Skelly, Towsley: Estimation and removal of clock skew from network delay measurements, INFOCOM
// 1999; Zhang, Liu, Xia: Clock synchronization algorithms for network measurements, INFOCOM 2002).
// Half the gap between the hulls is the delay if the least delay is the same both ways, which is
// what is assumed; it is assumed of packets of one size, as links take longer for larger ones.
//
// The error that is claimed: let R be the least sum of a delay there and one back. The widest gap
// that a line leaves exceeds R by what even the fastest packets waited, for which the smallest of
// the differences give an upper confidence limit (gap.c). Every line that leaves a gap of R less
// this is possible; the claimed interval at a time is the range of all of them. It is meant to hold
// in 95 of 100 cases. The bound holds without the assumption, as long as delays are positive: it is
// the range of all lines between the hulls.
//
// Where lines of two parts of the time, extended, leave each other's bound, a clock may have
// stepped by less than its packets can show; the error and the bound then reach from the one line
// to the other.
#ifndef POINTS_TWO_WAY_H
#define POINTS_TWO_WAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

// A packet that two points stamped.
struct two_way_sample {
	int64_t at_ns;	  // by the first point's clock
	int64_t apart_ns; // the second's stamp less the first's
	uint32_t wire_bytes;
	uint32_t forward; // 1: the first point sent it, 0: the second
};

// The offset of the second clock from the first while the first shows begin_ns <= t < end_ns:
// base_ns + at_begin_ns + (at_end_ns - at_begin_ns) (t - from_ns) / (to_ns - from_ns), all of it by
// the first clock.
struct two_way_line {
	int64_t begin_ns, end_ns;
	int64_t from_ns, to_ns; // of the range that it was fitted for; from < to
	int64_t base_ns;
	double at_begin_ns, at_end_ns;
	double error_ns;     // half the claimed interval, the larger of both ends
	double bound_ns;     // half the range of all lines between the hulls, likewise
	double gap_ns;	     // the least delay there and back, with what the fastest packets waited
	double waited_ns;    // the confidence limit of the latter
	uint64_t packets[2]; // that it is from: back, forward
	uint32_t wire_bytes; // of these; 0: of several sizes, so only the bound is claimed
};

#define TWO_WAY_LINES_MAX 512u

// What is common to the samples.
struct two_way_options {
	int64_t first_unit_ns; // stamps of the first point are whole multiples of this; 1 or more
	int64_t second_unit_ns;
	int64_t begin_ns, end_ns; // of the first clock, about: where the lines must hold, with
				  // packets or without
	const int64_t *cuts_ns;	  // of the first clock, rising: where a clock stepped, so that no
				  // line goes on; the step is taken out about
	size_t cut_count;
};

// Fits lines to samples, which are in order of at_ns and are sorted anew; one line unless halves of
// the time show that their clocks did not keep to one; then others join them.
// lines[TWO_WAY_LINES_MAX] are in order of time; *count is their number. TR_ERROR: there are no
// packets in one of the directions (err says which), no line lies between the two, or memory ran
// out.
enum tr_status two_way_fit(struct two_way_sample *samples, size_t sample_count,
			   const struct two_way_options *options, struct two_way_line *lines,
			   size_t *count, struct tr_error *err);

// The line of a time of the first clock.
const struct two_way_line *two_way_at(const struct two_way_line *lines, size_t count,
				      int64_t first_ns);

// The second clock's time at a time of the first, and the reverse.
int64_t two_way_to_second(const struct two_way_line *line, int64_t first_ns);
int64_t two_way_to_first(const struct two_way_line *lines, size_t count, int64_t second_ns);

// By how much faster the second clock is, in parts per million.
double two_way_drift_ppm(const struct two_way_line *line);

#endif
