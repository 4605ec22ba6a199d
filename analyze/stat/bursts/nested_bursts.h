// SPDX-License-Identifier: GPL-3.0-or-later
// Bursts of a stream of packets by a list of burst gaps at once, the thresholds
// (stat/bursts/burst_gap.h): a burst (ON) ends where the next packet comes more than the threshold
// later, and the gap is silence (OFF). Bursts of a longer threshold consist of those of a shorter
// one, and most stay the same from one threshold to the next: each distinct burst is counted once,
// with the first and the last threshold by which it is one, at most two per packet. The work is
// O(1) amortised per packet, whatever the number of thresholds.
//
// ON is the time from a burst's first packet to its last, 0 for a single packet. The first and the
// last burst count, though packets before or after the trace may belong to them.
//
// Memory: 46 KiB, and 31 KiB for each threshold whose distributions are kept.
#ifndef STAT_NESTED_BURSTS_H
#define STAT_NESTED_BURSTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/bursts/burst_gap.h"
#include "stat/counts/partial.h"
#include "stat/intervals/moments.h"
#include "stat/intervals/quantile.h"
#include "value/status.h"

// The quantities of a burst.
enum burst_quantity { BURST_ON, BURST_PACKETS, BURST_BYTES, BURST_QUANTITIES };

// Ticks, packets, bytes.
struct burst_values {
	uint64_t of[BURST_QUANTITIES];
};

struct burst_open {
	struct burst_values sum; // BURST_ON: last - first
	int64_t first_ticks;
	unsigned joins; // threshold by which it joins the burst below it on the stack; UINT_MAX:
			// none
};

// Differences by threshold; but the bytes of bursts of one packet by the threshold by which they
// join others.
struct burst_histograms {
	struct log_histogram of[BURST_QUANTITIES];
	struct log_histogram singles;
};

// Bursts of one packet, and the squares of their bytes.
struct burst_singles {
	uint64_t n;
	unsigned __int128 squares;
};

// Of gaps, in ticks.
struct gap_sums {
	uint64_t n;
	uint64_t sum;
	unsigned __int128 sum_squares;
};

struct nested_bursts {
	const struct burst_gaps *thresholds; // lent
	uint64_t packets;
	uint64_t size_bytes;
	int64_t first_ticks, last_ticks;
	unsigned depth;
	struct burst_open stack[BURST_GAPS_MAX + 1];
	struct burst_singles
		singles[BURST_GAPS_MAX + 1]; // by the threshold by which they join others
	// Of longer bursts: differences by threshold of the sums of squares, and the largest of
	// those that begin there (of the bytes, also of a single packet).
	unsigned __int128 squares[BURST_GAPS_MAX + 1][BURST_QUANTITIES];
	struct burst_values peak[BURST_GAPS_MAX + 1];
	struct gap_sums gaps[BURST_GAPS_MAX + 1]; // by how many thresholds they exceed
	int64_t longest_ticks;			  // gap
	bool beyond;				  // a gap exceeded all thresholds
	bool finished;
	struct burst_values first[BURST_GAPS_MAX]; // burst by each threshold, once finished
	struct burst_values last[BURST_GAPS_MAX];
	struct burst_histograms *histograms;  // by threshold, or those of one
	struct log_histogram *gap_histograms; // gaps minus 1: up to the shown threshold, and beyond
};

// Makes an empty one; thresholds, complete, must outlive it. Without histograms there are no
// quantiles. TR_ERROR if out of memory; nested_bursts_close is then allowed.
enum tr_status nested_bursts_open(struct nested_bursts *bursts, const struct burst_gaps *thresholds,
				  bool with_histograms, struct tr_error *err);

// Adds a packet; times must not step back, and all of them span less than 2^63 ticks.
void nested_bursts_add(struct nested_bursts *bursts, int64_t time_ticks, uint64_t size_bytes);

// Adds several packets in order.
void nested_bursts_add_all(struct nested_bursts *bursts, const int64_t *times_ticks,
			   const int64_t *sizes_bytes, size_t count);

// Chooses the burst gap, from the packets so far.
struct burst_gap nested_bursts_choose(const struct nested_bursts *bursts, enum burst_gap_by by);

// Completes the open bursts. No more may be added.
void nested_bursts_finish(struct nested_bursts *bursts);

// Adds a later part of the stream, as if its packets had been added one by one: of the same
// thresholds, finished, as this one is, and beginning at the last packet so far, or after it.
void nested_bursts_join(struct nested_bursts *bursts, const struct nested_bursts *later);

// Makes all times of a finished one so much later; they must fit.
void nested_bursts_shift(struct nested_bursts *bursts, int64_t ticks);

// Writes a finished one to a partial, or reads it into an empty one that nested_bursts_open has
// made.
void nested_bursts_exchange(struct nested_bursts *bursts, struct partial *partial);

// Bursts by threshold k; after nested_bursts_finish. The moments have no range.
struct bursts_by {
	struct moments of[BURST_QUANTITIES]; // ON in ticks, packets, bytes
	struct burst_values max;
	struct moments off; // ticks
	int64_t off_max_ticks;
};
struct bursts_by nested_bursts_get(const struct nested_bursts *bursts, size_t k);

// Whether the distributions by every threshold are kept, if any are; else those by the given one.
static inline bool nested_bursts_keeps_all(const struct nested_bursts *bursts)
{
	return bursts->thresholds->shown == BURST_GAPS_MAX;
}

// Whether the distributions by threshold k are kept.
bool nested_bursts_has(const struct nested_bursts *bursts, size_t k);

// Histograms by threshold k if kept: of a quantity of the bursts, and of OFF minus one tick.
void nested_bursts_histogram(const struct nested_bursts *bursts, size_t k,
			     enum burst_quantity quantity, struct log_histogram *out);
void nested_bursts_off_histogram(const struct nested_bursts *bursts, size_t k,
				 struct log_histogram *out);

// Makes an independent copy; does not free the old content of to. TR_ERROR if out of memory; both
// may be closed.
enum tr_status nested_bursts_copy(struct nested_bursts *to, const struct nested_bursts *from,
				  struct tr_error *err);

// Frees what it holds; it is empty then.
void nested_bursts_close(struct nested_bursts *bursts);

#endif
