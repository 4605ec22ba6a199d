// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as lines of a model: "bin 3520 x 1448 B", "bin 100 x 1 B .. 5 B".
#ifndef GEN_SIZE_BINS_H
#define GEN_SIZE_BINS_H

#include <stddef.h>

#include "gen/model.h"
#include "gen/sizes.h"

// The bins of a section ("" for the lines before the first), in their order, as an array that is
// the caller's; NULL and 0 where there is none. TR_ERROR with file and line, and nothing to free:
// a malformed bin, too many, no memory.
enum tr_status size_bins_get(const struct model *model, const char *section, struct size_bin **bins,
			     size_t *count, struct tr_error *err);

// The same of a section that must have sizes: bins, or "size 64 B", "size 64 B .. 1500 B" as one bin. TR_ERROR also where there
// is neither, or both.
enum tr_status size_bins_or_size(const struct model *model, const char *section, struct size_bin **bins, size_t *count,
				 struct tr_error *err);

// Adds the bins as lines.
void size_bins_put(struct model *model, const struct size_bin *bins, size_t count);

// Adds a single bin as a size, several as bins.
void size_bins_or_size_put(struct model *model, const struct size_bin *bins, size_t count);

// Mean and variance of sizes drawn from the bins, in B and B^2; 0 where they hold no packet.
double size_bins_mean_B(const struct size_bin *bins, size_t count);
double size_bins_variance_B2(const struct size_bin *bins, size_t count);

// Reads "1448 B" or "1 B .. 5 B" into a bin's bounds; its count stays.
enum tr_status size_bin_range(const char *text, struct size_bin *bin, struct tr_error *err);

#endif
