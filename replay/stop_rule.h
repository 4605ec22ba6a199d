// SPDX-License-Identifier: GPL-3.0-or-later
// When a run is over before its traffic is: at a simulated time, after so many worms or bytes of
// data, or when a mean is known well enough.
#ifndef REPLAY_STOP_RULE_H
#define REPLAY_STOP_RULE_H

#include "run_mean.h"

#define STOP_LEAST_SAMPLES 1000u // before a mean is looked at

enum stop_cause { STOP_NONE, STOP_TIME, STOP_WORMS, STOP_BYTES, STOP_MEAN };

struct stop_rule {
	uint64_t worms_left; // delivered; UINT64_MAX: no bound
	uint64_t bytes_left; // of them, all but overhead
	struct run_mean mean; // percent 0: none
	bool settles; // of the mean, what comes before the steady part does not count
	double level; // of the mean's interval
	uint64_t next_look; // at so many of its samples
	enum stop_cause cause;
};

// No bound, no mean.
void stop_rule_start(struct stop_rule *rule);

// Counts what became of a worm; TR_END where that is enough (rule->cause then says why). measured:
// whether the worm counts for the mean.
//
// The mean is looked at when it has 1,000 samples and then each time they have grown by a tenth; it
// is known well enough when half the width of its interval is at most its percent of it, the batches
// do not correlate, and (where it settles) the steady part has begun.
enum tr_status stop_rule_add(struct stop_rule *rule, const struct outcome *outcome, bool measured);

#endif
