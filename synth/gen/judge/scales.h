// SPDX-License-Identifier: GPL-3.0-or-later
// The bins and the server that all traffic compared with one sample is looked at by: the sample's time is cut into
// 2^levels bins, about one packet in each; wider bins are pairs of narrower ones.
#ifndef GEN_JUDGE_SCALES_H
#define GEN_JUDGE_SCALES_H

#include <stdint.h>

#include "gen/fit/packet_sample.h"

#define JUDGE_LEVELS_MIN 5u
#define JUDGE_LEVELS_MAX 20u
#define JUDGE_COARSEST 4u // the widest bins are 2^4
#define JUDGE_PACKETS_MIN 64u

struct judge_scales {
	unsigned levels;        // of the finest bins
	double seconds;         // the whole time
	double packets;         // of the sample
	double gap_s;           // its mean gap
	double wire_Bps, wire_B; // its mean load, and the mean size of a packet on the wire
};

// TR_ERROR: fewer than JUDGE_PACKETS_MIN packets, or no time.
enum tr_status judge_scales_of(const struct packet_sample *sample, struct judge_scales *out, struct tr_error *err);

// Seconds of a bin of the level (2^level bins).
double judge_width(const struct judge_scales *scales, unsigned level);

// Counts the packets in 2^levels bins of the sample's own time.
void judge_count(const struct judge_scales *scales, const struct packet_sample *sample, uint32_t *counts);

// Sum of the bin of the level: joins 2^(levels - level) of the finest.
uint64_t judge_sum(const struct judge_scales *scales, const uint32_t *counts, unsigned level, size_t bin);

#endif
