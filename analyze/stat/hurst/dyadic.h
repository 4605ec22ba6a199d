// SPDX-License-Identifier: GPL-3.0-or-later
// Counts at all dyadic scales at once, in one pass, and estimates from them at any time.
#ifndef STAT_DYADIC_H
#define STAT_DYADIC_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/counts/bins.h"
#include "stat/hurst/estimator.h"
#include "stat/intervals/moments.h"
#include "value/status.h"

// ---- Counts at all dyadic scales at once, of any length, in one pass: sums, squares, extremes and
// Haar's details of windows of 2^j bins of the finest grid. Windows are anchored at multiples of
// their width as the bins are. The work is O(1) amortised a bin and O(log n) for n empty bins in a
// row.
//
// The bins of the first and the last packet were observed only in part: they are left out, as are
// windows not wholly between them.

#define DYADIC_LEVELS 62
#define DYADIC_TOTAL_MAX ((uint64_t)1 << 62)

struct dyadic_level {
	struct moments windows;	   // sums over whole windows of 2^j bins
	unsigned __int128 details; // sum of (left - right)^2 over pairs of neighbours that form a
				   // whole window of the next level
	int64_t left; // sum of the window before the open one, if that is the right one of a pair
};

// Zero is a valid empty one. Allocates nothing.
struct dyadic {
	bool of_bytes; // sums are bytes, not packets; set before the first run
	bool started;
	uint64_t total;	     // of all bins, at most DYADIC_TOTAL_MAX
	struct bin_run open; // the bin that may still grow
	int64_t cut;	     // the bin of the first packet
	unsigned levels;     // that have a whole window
	struct dyadic_level level[DYADIC_LEVELS];
};

// Adds a run of the finest grid; a bin_sink whose context is the struct dyadic. TR_ERROR if it is
// earlier than the last one, or the total exceeds DYADIC_TOTAL_MAX.
enum tr_status dyadic_take(void *dyadic, const struct bin_run *run, struct tr_error *err);

// Time has reached bin index without packets: the bins before it are whole.
void dyadic_pass(struct dyadic *dyadic, int64_t index);

// Pairs of neighbours of a level that form a whole window of the next one.
uint64_t dyadic_pairs(const struct dyadic *dyadic, unsigned level);

// ---- Estimates from the sums over dyadic windows, at any time (Veitch and Abry 1999; Taqqu,
// Teverovsky and Willinger 1995).

// The estimators that need only these sums. Each is that of its name, except that windows lie on
// multiples of their width and block lengths are powers of two.
struct dyadic_estimator {
	const struct estimator *like; // its name, title, paper and labels
	enum tr_status (*run)(const struct dyadic *dyadic, const struct estimate_options *options,
			      struct estimate *out, struct tr_error *err);
};

#define DYADIC_ESTIMATORS 2
extern const struct dyadic_estimator dyadic_estimators[DYADIC_ESTIMATORS];

// The one that corresponds to an estimator; NULL if there is none.
const struct dyadic_estimator *dyadic_estimator_find(const struct estimator *like);

// Index of dispersion of the sums over whole windows of a level: sample variance over mean. NaN
// below two windows, or if all are empty.
double dyadic_dispersion(const struct dyadic *dyadic, unsigned level);

#endif
