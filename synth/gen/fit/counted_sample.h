// SPDX-License-Identifier: GPL-3.0-or-later
// A sample of packets made from counts: only the packets and bytes of each bin are known. So the
// packets lie at random in the bin, like those of a Poisson process given their number, each with
// the bin's mean size; simulated packets are blurred the same way before a comparison.
#ifndef GEN_COUNTED_SAMPLE_H
#define GEN_COUNTED_SAMPLE_H

#include "stat/nodes/packet_sample.h"
#include "value/random.h"

// Adds a bin's packets, of class data unless stated. Two nodes send alternately to each other, as
// the senders are not known. The caller owns random. TR_ERROR: the bin begins before the end of the
// previous one or has another width (a series of several widths, classes or nodes), there are more
// than most packets, memory runs out.
enum tr_status counted_sample_add(struct packet_sample *sample, const struct tr_series *bin,
				  struct tr_random *random, struct tr_error *err);

// Moves the packets of each bin of bin_ticks, from begin on, to random times in it, in their order,
// with the bin's mean size.
void counted_sample_blur(struct packet_sample *sample, int64_t bin_ticks, uint64_t seed);

#endif
