// SPDX-License-Identifier: GPL-3.0-or-later
// Empirical sizes from a trace's: bins of single frequent sizes, and of ranges of rarer ones.
#ifndef GEN_SIZE_GATHER_H
#define GEN_SIZE_GATHER_H

#include <stddef.h>

#include "gen/sizes.h"
#include "gen/tally.h"
#include "trace/status.h"

// Sizes of less than 1/64 of the packets share bins where there are more than 64 of them. sizes are rising, of packets in all.
// *bins is to be freed by the caller; NULL after a failure.
enum tr_status size_gather(const struct tally_value *sizes, size_t count, uint64_t packets, struct size_bin **bins,
			   size_t *bin_count, struct tr_error *err);

#endif
