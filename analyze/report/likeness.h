// SPDX-License-Identifier: GPL-3.0-or-later
// How like a trace the traffic of the models is, by the criteria of the choice among families (stat/judge). The whole trace is
// held against one run of each model; the yardstick is how far the trace's halves are from each other.
#ifndef REPORT_LIKENESS_H
#define REPORT_LIKENESS_H

#include <stdbool.h>

#include "stat/judge/panel.h"
#include "trace/header.h"

#define LIKENESS_PACKETS 2000000u // of a trace; longer ones are not compared

// What is kept of one stream for it: packets until they are measured, then curves. 25 bytes a packet, then up to 10.
struct likeness {
	struct packet_sample packets;
	bool too_many;
	double *curve[JUDGE_CRITERIA]; // NULL: not measured
	struct judge_distance distance[JUDGE_CRITERIA];
	double score;
};

// What all are held against. Zero is valid: nothing.
struct likeness_measure {
	struct judge_panel panel;
	bool open;
};

enum tr_status likeness_new(struct likeness **out, const struct tr_header *header, struct tr_error *err);

// Adds count packets, stride_bytes apart. Beyond LIKENESS_PACKETS all are forgotten.
enum tr_status likeness_add(struct likeness *likeness, const void *records, size_t stride_bytes, size_t count,
			    struct tr_error *err);

// Takes the trace for the data. Where it has too few packets, or too many, the measure stays closed. TR_ERROR: memory.
enum tr_status likeness_open(struct likeness_measure *measure, struct likeness *trace, struct tr_error *err);

// Measures the model's packets, which ran for seconds from tick 0 on, and forgets them.
enum tr_status likeness_mark(struct likeness_measure *measure, struct likeness *model, int64_t end_ticks, struct tr_error *err);

// NULL is accepted.
void likeness_free(struct likeness *likeness);

void likeness_close(struct likeness_measure *measure);

#endif
