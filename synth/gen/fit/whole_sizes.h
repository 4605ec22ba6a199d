// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes of all packets of a sample, for families that tell no nodes and classes apart.
#ifndef GEN_WHOLE_SIZES_H
#define GEN_WHOLE_SIZES_H

#include "gen/fit/packet_sample.h"
#include "gen/size_bins.h"

// Empirical bins, which the caller frees, and the mean bytes on the wire beside the payload, whole. TR_ERROR without memory.
enum tr_status whole_sizes(const struct packet_sample *sample, struct size_bin **bins, size_t *count, double *header_B,
			   struct tr_error *err);

#endif
