// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of one role and class: what pulse_fit.c asks of the estimators of times and of sizes.
#ifndef GEN_PART_FIT_H
#define GEN_PART_FIT_H

#include "gen/pulse_fit.h"
#include "gen/pulse_tally.h"
#include "stat/burst.h"

// One role and class at work; nothing here is owned.
struct part_fit {
	const struct pulse_fit_options *options;
	const struct pulse_tally *tally;
	const struct burst_statistics *bursts; // by the window; NULL without one
	int64_t window_ticks;
	struct pulse_part *part;   // where the parameters go
	struct pulse_notes *notes; // and what is to say of them
};

// Silence, pulses and inter-pulse time. duration_s is that of the trace.
enum tr_status part_fit_times(const struct part_fit *fit, double duration_s, struct tr_error *err);

// The sizes, of which the largest of all is mtu_B. The part may own bins afterwards.
enum tr_status part_fit_sizes(const struct part_fit *fit, double mtu_B, struct tr_error *err);

// Notes the interval of a statistic (enum pulse_statistic) in its base unit; none where an end is
// not finite.
void part_fit_say(const struct part_fit *fit, int which, double low, double high);

#endif
