// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps between packets drawn at random from a stream of any length: each is as likely to be kept (Vitter, Random sampling
// with a reservoir, ACM Transactions on Mathematical Software 11 (1985) 37-57, algorithm R).
#ifndef REPORT_GAP_SAMPLE_H
#define REPORT_GAP_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/random.h"
#include "trace/status.h"

#define GAP_SAMPLE_MAX 65536u

// 8 bytes a gap kept.
struct gap_sample {
	struct tr_random random;
	uint64_t seen;
	double *gaps; // the first gap_sample_count(), in ticks
	size_t capacity;
};

// Starts an empty one that draws the same every time.
void gap_sample_open(struct gap_sample *sample);

// TR_ERROR without memory.
enum tr_status gap_sample_add(struct gap_sample *sample, double gap, struct tr_error *err);

size_t gap_sample_count(const struct gap_sample *sample);

void gap_sample_close(struct gap_sample *sample);

#endif
