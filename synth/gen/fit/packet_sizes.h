// SPDX-License-Identifier: GPL-3.0-or-later
// What the packets of a sample, or some of them, are like in size.
#ifndef GEN_PACKET_SIZES_H
#define GEN_PACKET_SIZES_H

#include "stat/packet_sample.h"
#include "gen/size_bins.h"

// Of the count packets with the numbers which, or, where that is NULL, of the first count: empirical bins of the payload, which
// the caller frees, and the mean bytes on the wire beside it, whole, 0 to 65535. TR_ERROR without memory.
enum tr_status packet_sizes(const struct packet_sample *sample, const uint32_t *which, size_t count, struct size_bin **bins,
			    size_t *bin_count, double *header_B, struct tr_error *err);

#endif
