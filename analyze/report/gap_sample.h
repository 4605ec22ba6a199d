// SPDX-License-Identifier: GPL-3.0-or-later
// Gaps between packets drawn at random from a stream of any length: each is as likely to be kept (Vitter, Random sampling
// with a reservoir, ACM Transactions on Mathematical Software 11 (1985) 37-57, algorithm R).
#ifndef REPORT_GAP_SAMPLE_H
#define REPORT_GAP_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/random.h"

#define GAP_SAMPLE_MAX 65536u

// 512 KiB.
struct gap_sample {
	struct tr_random random;
	uint64_t seen;
	double gaps[GAP_SAMPLE_MAX]; // the first gap_sample_count(), in ticks
};

// Begins with the same draws every time.
void gap_sample_open(struct gap_sample *sample);

void gap_sample_add(struct gap_sample *sample, double gap);

size_t gap_sample_count(const struct gap_sample *sample);

#endif
