// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of packets made of counts: of each bin the number of its packets and their bytes are known, and nothing below it. So
// its packets stand at random in the bin, as those of a Poisson process given their number, each with the bin's mean size; and
// what is held against such a sample is made as blind as it is.
#ifndef GEN_COUNTED_SAMPLE_H
#define GEN_COUNTED_SAMPLE_H

#include "stat/packet_sample.h"
#include "trace/random.h"

// Adds a bin's packets, of class data unless it says otherwise. Two nodes send in turn, each to the other: who sends is not
// known. random is the caller's. TR_ERROR: the bin begins before the end of the one before it or has another width (a series
// of several widths, classes or nodes), there are more packets than most, memory ends.
enum tr_status counted_sample_add(struct packet_sample *sample, const struct tr_series *bin, struct tr_random *random,
				  struct tr_error *err);

// Gives the packets of each bin of bin_ticks from begin on times at random in it, in their order, and the bin's mean size.
void counted_sample_blur(struct packet_sample *sample, int64_t bin_ticks, uint64_t seed);

#endif
