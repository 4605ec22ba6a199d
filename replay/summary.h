// SPDX-License-Identifier: GPL-3.0-or-later
// What flitsim says of a run: per class, how fast worms were and how long they took, and what was
// lost.
#ifndef REPLAY_SUMMARY_H
#define REPLAY_SUMMARY_H

#include <stdint.h>
#include <stdio.h>

#include "net/fabric.h"
#include "outcome.h"
#include "stat/batches.h"
#include "stat/quantile.h"
#include "trace/table.h"

#define SUMMARY_CLASSES 4u // by enum tr_class, and all of them

struct summary_class {
	uint64_t worms;
	uint64_t size_bytes;
	struct batches latency_ticks;
	struct batches worm_mBps;	      // 1e-3 B/s: size / (delivered - start of the DMA)
	struct batches link_mBps;	      // size / (last character received - first one sent)
	struct quantile latency_distribution; // in ticks
};

struct summary {
	const struct net_column *own; // the counters of the network's kind; NULL: it has none
	uint64_t ticks_per_s;
	struct summary_class classes[SUMMARY_CLASSES];
	uint64_t dropped[TR_DROP_REASONS];
	uint64_t in_flight;
	uint64_t lagged; // worms that entered their queue later than they were meant to
	__int128 lag_ticks;
	int64_t lag_max_ticks;
	int64_t first_ticks; // of what was measured: the first worm's creation or the warm-up's end
	int64_t last_ticks;  // last delivery, or the run's end; both meaningless before a worm
};

// Enters what became of a worm in the books, in the order of time.
void summary_count(struct summary *summary, const struct outcome *outcome);

// Measures a delivered worm, in the order of time.
void summary_measure(struct summary *summary, const struct outcome *outcome);

// The tables, to be freed by the caller; returns how many they are. level (in percent) is that of the
// intervals.
#define SUMMARY_TABLES 4u
size_t summary_tables(const struct summary *summary, const struct net_totals *totals, int level_percent,
		      struct table *tables[SUMMARY_TABLES]);

#endif
