// SPDX-License-Identifier: GPL-3.0-or-later
// What of a run is measured: after its warm-up, and until its end.
#ifndef REPLAY_MEASUREMENT_H
#define REPLAY_MEASUREMENT_H

#include "sim_options.h"
#include "stop_rule.h"
#include "summary.h"
#include "warmup.h"

struct measurement {
	struct summary summary;
	struct warmup warmup;
	struct stop_rule stop;
	bool has_end;	   // the run is cut before end_ticks
	int64_t end_ticks; // in ticks of the trace's clock, as all times
};

// Starts a measurement, which must be zero, as the options say, of a network of this kind and so many hosts. TR_ERROR: an option is
// wrong, a time does not fit, or there is no temporary file. Close it in any case.
enum tr_status measurement_open(struct measurement *measurement, const struct sim_options *options,
				const struct net_fabric *kind, uint64_t ticks_per_s, uint32_t hosts, struct tr_error *err);

// Takes in what became of a worm; TR_END where that is enough.
enum tr_status measurement_take(struct measurement *measurement, const struct net_worm *worm,
				const struct tr_delivery *delivery, struct tr_error *err);

// After the run: settles what is measured and over which time.
enum tr_status measurement_finish(struct measurement *measurement, const struct net_totals *totals, struct tr_error *err);

// Whether the run ended before its traffic did, as it was told to.
bool measurement_cut(const struct measurement *measurement, const struct net_totals *totals);

// Most tables that may come before those of a measurement.
#define MEASUREMENT_BEFORE_MAX 7u

// Prints the tables: before_count others, no more than these, what was measured, and how the run went.
enum tr_status measurement_print(const struct measurement *measurement, const struct net_totals *totals,
				 struct table *const *before, size_t before_count, const struct sim_output_options *options,
				 FILE *out, struct tr_error *err);

void measurement_close(struct measurement *measurement);

#endif
