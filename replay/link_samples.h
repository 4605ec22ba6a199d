// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links on their way to a stream: intervals in a row in which every link did the same are
// written as one, so that a long silence or standstill costs one record a link.
#ifndef REPLAY_LINK_SAMPLES_H
#define REPLAY_LINK_SAMPLES_H

#include <stdint.h>

#include "trace/record.h"
#include "trace/status.h"
#include "trace/writer.h"

#define LINK_SAMPLES_MAX UINT64_C(100000000) // records of one run, 7.2 GB

// Zero is a valid empty one.
struct link_samples {
	struct tr_writer *out; // lent
	uint32_t links;
	uint32_t filled;      // of now
	int64_t width_ticks;  // of one interval
	uint64_t written;     // records
	int64_t count;	      // intervals that held stands for; 0: none is held
	struct tr_link *held; // of each link: one of these intervals, the first
	struct tr_link *now;  // the interval that comes in
};

// Samples of so many links in intervals of so many ticks, to be written to out, which is lent until
// the samples are closed. TR_ERROR where memory ends; close them in any case.
enum tr_status link_samples_open(struct link_samples *samples, struct tr_writer *out, uint32_t links, int64_t width_ticks,
				 struct tr_error *err);

// Takes the next sample, as net_results.sample gives them. TR_ERROR where writing fails or there are
// too many records.
enum tr_status link_samples_add(struct link_samples *samples, const struct tr_link *sample, struct tr_error *err);

// Writes what is held. TR_ERROR where that fails.
enum tr_status link_samples_end(struct link_samples *samples, struct tr_error *err);

void link_samples_close(struct link_samples *samples);

#endif
