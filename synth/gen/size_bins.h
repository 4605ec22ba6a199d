// SPDX-License-Identifier: GPL-3.0-or-later
// Sizes as lines of a model: "size 64 B", "size normal 700 B 200 B from 40 B cut 1460 B"; "bin 3520
// x 1448 B", "bin 100 x 1 B .. 5 B", "bin 60 x exponential 300 B".
#ifndef GEN_SIZE_BINS_H
#define GEN_SIZE_BINS_H

#include <stddef.h>

#include "gen/size_draw.h"
#include "gen/tally.h"
#include "stat/nodes/packet_sample.h"
#include "text/model.h"
#include "value/status.h"

// The bins of a section ("" for the lines before the first), in their order, as an array owned by
// the caller; NULL and 0 if there are none. TR_ERROR with file and line, and nothing to free: a
// malformed bin, too many, no memory.
enum tr_status size_bins_get(const struct model *model, const char *section, struct size_bin **bins,
			     size_t *count, struct tr_error *err);

// The same for a section that must have sizes: bins, or a size as one bin. TR_ERROR also where
// there is neither, or both.
enum tr_status size_bins_or_size(const struct model *model, const char *section,
				 struct size_bin **bins, size_t *count, struct tr_error *err);

// Adds the bins as lines.
void size_bins_put(struct model *model, const struct size_bin *bins, size_t count);

// Adds a single bin as a size, several as bins.
void size_bins_or_size_put(struct model *model, const struct size_bin *bins, size_t count);

// Reads "1448 B", "1 B .. 5 B" or "pareto 500 B 1.5 from 40 B cut 8192 B" (from: 0 B, cut: 4 GiB -
// 1 B if not given) into a bin; its count stays.
enum tr_status size_bin_range(const char *text, struct size_bin *bin, struct tr_error *err);

// Formats the bin, in at most SIZE_TEXT_BYTES with its end. Returns out.
#define SIZE_TEXT_BYTES 160u
const char *size_bin_format(const struct size_bin *bin, char out[SIZE_TEXT_BYTES]);

// ---- Empirical sizes from those of a trace: single bins for frequent sizes, ranges for rarer
// ones.

// Sizes of less than 1/64 of the packets share bins if there are more than 64 sizes. sizes are
// ascending; packets is the total. The caller frees *bins; NULL after a failure.
enum tr_status size_gather(const struct tally_value *sizes, size_t count, uint64_t packets,
			   struct size_bin **bins, size_t *bin_count, struct tr_error *err);

// ---- Sizes of all or some packets of a sample.

// For the count packets whose indices are in which (NULL: the first count): empirical bins of the
// payload, which the caller frees, and the mean header bytes on the wire, whole, 0 to 65535.
// TR_ERROR if out of memory.
enum tr_status packet_sizes(const struct packet_sample *sample, const uint32_t *which, size_t count,
			    struct size_bin **bins, size_t *bin_count, double *header_B,
			    struct tr_error *err);

#endif
