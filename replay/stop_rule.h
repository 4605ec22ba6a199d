// SPDX-License-Identifier: GPL-3.0-or-later
// When a run is over before its traffic is: at a simulated time, after so many worms or bytes of data, or when a mean is
// known well enough; at the first of several, or when all of them hold.
#ifndef REPLAY_STOP_RULE_H
#define REPLAY_STOP_RULE_H

#include "run_mean.h"

#define STOP_LEAST_SAMPLES 1000u // before a mean is looked at

enum stop_cause { STOP_NONE, STOP_TIME, STOP_WORMS, STOP_BYTES, STOP_MEAN, STOP_CAUSES };

struct stop_rule {
	uint64_t worms_left;  // delivered; UINT64_MAX: no bound
	uint64_t bytes_left;  // of them, all but overhead
	struct run_mean mean; // percent 0: none
	bool settles;	      // of the mean, what comes before the steady part does not count
	double level;	      // of the mean's interval
	uint64_t next_look;   // at so many of its samples
	bool mean_known;      // at the last of these
	bool all;	      // every bound that is set must hold
	bool has_time;
	struct num_ratio time_s; // the run is cut here by whoever runs it
	enum stop_cause cause;
};

// No bound, no mean.
void stop_rule_start(struct stop_rule *rule);

// Reads conditions with "or" between them, or with "and": "worms 31000", "bytes 8MB", "workload rc:256" (stat/workload.h, of a
// node a host), "latency 1%" (run_mean_parse), "time 10ms", which has no "and". Their blanks may be "=". Each at most once. TR_ERROR where text is
// none of these.
enum tr_status stop_rule_read(struct stop_rule *rule, const char *text, uint32_t hosts, struct tr_error *err);

// Counts what became of a worm; TR_END where that is enough (rule->cause then says why). measured:
// whether the worm counts for the mean.
//
// The mean is looked at when it has 1,000 samples and then each time they have grown by a tenth; it
// is known well enough when half the width of its interval is at most its percent of it, the batches
// do not correlate, and (where it settles) the steady part has begun.
enum tr_status stop_rule_add(struct stop_rule *rule, const struct outcome *outcome, bool measured);

#endif
