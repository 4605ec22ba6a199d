// SPDX-License-Identifier: GPL-3.0-or-later
// Packets and bytes per bin, for packets in any order: pages of bins, made where a packet falls.
// Memory: 16 bytes a bin in pages of BINS_PAGE, and 24 bytes a page; silence between pages costs
// nothing.
#ifndef STAT_BINS_H
#define STAT_BINS_H

#include <stddef.h>
#include <stdint.h>

#include "stat/binner.h"
#include "trace/status.h"

#define BINS_PAGE 1024

// Bins that are worth their work in a series of so many packets: with more than 16 a packet nearly all are empty. Short
// series cost nothing either way.
#define BINS_CHEAP 16384
#define BINS_A_PACKET 16

static inline uint64_t bins_worth(uint64_t packets)
{
	const uint64_t worth = packets > UINT64_MAX / BINS_A_PACKET ? UINT64_MAX : BINS_A_PACKET * packets;

	return worth > BINS_CHEAP ? worth : BINS_CHEAP;
}

// A series for the estimators has bins of 10 ms, or of 1 ms or else 0.1 ms where that leaves fewer than BINS_SERIES_MIN;
// neighbours are joined while there are more than BINS_SERIES_MAX.
#define BINS_SERIES_MIN 1000
#define BINS_SERIES_MAX ((uint64_t)1 << 20)

struct bin {
	uint64_t count;
	uint64_t size_bytes;
};

struct bins_page {
	int64_t number; // floor(index / BINS_PAGE) of its bins
	struct bin *bins;
};

// Zero is a valid empty one with no bound.
struct bins {
	uint64_t max_bins;	 // bins in memory at most; 0 for no bound
	struct bins_page *pages; // rising by number
	size_t page_count, page_capacity;
	size_t recent; // page used last
};

// Makes the page for a bin. TR_ERROR (with the bins as they were) beyond max_bins or without
// memory.
enum tr_status bins_reserve(struct bins *bins, int64_t index, struct tr_error *err);

// Adds to a bin whose page is there.
void bins_add(struct bins *bins, const struct bin_run *run);

// Both; a bin_sink whose context is the struct bins.
enum tr_status bins_take(void *bins, const struct bin_run *run, struct tr_error *err);

// Adds all bins of from, which must be on the same grid. TR_ERROR as bins_reserve; into then holds
// a part.
enum tr_status bins_merge(struct bins *into, const struct bins *from, struct tr_error *err);

// Gives every bin that is not empty to sink, in rising order, and stops where it fails.
enum tr_status bins_visit(const struct bins *bins, bin_sink *sink, void *context, struct tr_error *err);

// Frees the pages; the struct is empty afterwards and keeps its bound.
void bins_clear(struct bins *bins);

#endif
