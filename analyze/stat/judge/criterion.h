// SPDX-License-Identifier: GPL-3.0-or-later
// Criteria for comparing traffic: each turns packets into a curve of numbers, and measures the
// distance of two curves. A new one is a file that fills in a struct judge_criterion, and one line
// of the table in panel.c.
#ifndef STAT_JUDGE_CRITERION_H
#define STAT_JUDGE_CRITERION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/nodes/packet_sample.h"

#define JUDGE_LEVELS_MIN 5u
#define JUDGE_LEVELS_MAX 20u
#define JUDGE_COARSEST 4u // the widest bins are 2^4
#define JUDGE_PACKETS_MIN 64u

// The bins and the server with which all traffic compared with one sample is measured: the sample's
// time is cut into 2^levels bins, about one packet in each; wider bins are pairs of narrower ones.
struct judge_scales {
	unsigned levels;	 // of the finest bins
	double seconds;		 // the whole time
	double packets;		 // of the sample
	double gap_s;		 // its mean gap
	double wire_Bps, wire_B; // its mean load, and the mean size of a packet on the wire
	double receiver_Bps;	 // the load to the node that takes most
};

// TR_ERROR: fewer than JUDGE_PACKETS_MIN packets, no time, or out of memory.
enum tr_status judge_scales_of(const struct packet_sample *sample, struct judge_scales *out,
			       struct tr_error *err);

// One more than the largest node that sends or takes a packet, and the place of a node in tables of
// nodes + 1: nodes beyond the bound of the trace's names share the last.
size_t judge_nodes(const struct packet_sample *sample);

// The place of a node in tables of nodes + 1.
static inline size_t judge_node(uint32_t node, size_t nodes)
{
	return node < nodes ? node : nodes;
}

// Seconds of a bin of the level (2^level bins).
double judge_width(const struct judge_scales *scales, unsigned level);

// Counts the packets in 2^levels bins of the sample's own time.
void judge_count(const struct judge_scales *scales, const struct packet_sample *sample,
		 uint32_t *counts);

// Sum of the bin of the level: joins 2^(levels - level) of the finest.
uint64_t judge_sum(const struct judge_scales *scales, const uint32_t *counts, unsigned level,
		   size_t bin);

#define JUDGE_WORDS_BYTES 120u

// The traffic to measure. Everything compared uses the same scales.
struct judge_view {
	const struct judge_scales *scales;
	const struct packet_sample *packets;
	const uint32_t *counts; // packets in each of the finest bins
};

// The distance of one curve from another, and where they differ most.
struct judge_distance {
	double value;
	double at;   // a width or gap in s, a utilisation, a size in B; as words says
	bool above;  // the second curve lies above the first there
	double most; // how far apart they are there
};

// A picture of a curve.
#define JUDGE_POINTS 256u
struct judge_plot {
	char title[80];
	const char *x_label, *y_label; // static
	bool x_log, y_log;
	bool x_times; // x is in s
	size_t count;
	double x[JUDGE_POINTS], y[JUDGE_POINTS]; // above 0 where the axis is logarithmic
};

struct judge_criterion {
	const char *name;  // of its column, with the unit
	const char *title; // for people: "dispersion of counts"
	double least;	   // the yardstick is never below it
	// How many numbers the curve has.
	size_t (*length)(const struct judge_scales *scales);
	// Fills in the curve. TR_ERROR if out of memory.
	enum tr_status (*measure)(const struct judge_view *view, double *curve,
				  struct tr_error *err);
	struct judge_distance (*distance)(const struct judge_scales *scales, const double *of_data,
					  const double *of_model);
	// Describes the distance: "too little dispersion at 50 ms".
	void (*tell)(const struct judge_distance *distance, char out[JUDGE_WORDS_BYTES]);
	// Fills in picture number 0, 1, ...; false if the criterion has no more.
	bool (*draw)(const struct judge_scales *scales, const double *curve, unsigned number,
		     struct judge_plot *out);
};

extern const struct judge_criterion judge_marginals, judge_dispersion, judge_logscale,
	judge_autocorrelation, judge_gaps, judge_sizes, judge_queue, judge_destinations,
	judge_receivers;

// An initial distance: value 0 and no place yet.
struct judge_distance judge_same(void);

// Keeps the place where the curves differ most: adds a place where they differ by apart, positive
// if the model's lies above the data's. Of equal ones the first is kept.
void judge_keep_most(struct judge_distance *distance, double at, double apart);

// log2 of the model's value over the data's, after adding floor (above 0) to both (0 or more).
double judge_octaves(double of_data, double of_model, double floor);

// The root mean square of the octaves between count values (1 or more); at: the index (0, 1, ...)
// of the largest.
struct judge_distance judge_octaves_apart(const double *of_data, const double *of_model,
					  size_t count, double floor);

// Adds a point unless it is not finite, not above 0 on a logarithmic axis, or the picture is full.
void judge_plot_add(struct judge_plot *plot, double x, double y);

// A time for people, "51.2 ms". Returns out.
const char *judge_time(double seconds, char out[24]);

#endif
