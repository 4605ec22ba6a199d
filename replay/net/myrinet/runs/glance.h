// SPDX-License-Identifier: GPL-3.0-or-later
// What can be said of a buffer at a glance, without a walk through all its runs.
#ifndef NET_MYRINET_RUNS_GLANCE_H
#define NET_MYRINET_RUNS_GLANCE_H

#include "net/myrinet/runs/crossing.h"
#include "net/myrinet/runs/state.h"

enum run_glance {
	RUN_GLANCE_NEVER, // not by what is known
	RUN_GLANCE_AT,    // *out is it
	RUN_GLANCE_LOOK,  // only the runs can tell
};

// Whether nothing that is known makes the buffer as full as level; false where that is not sure.
bool run_glance_below(const struct run_link *link, uint32_t level);

// The same of the time from when the buffer was settled until now.
bool run_glance_stayed_below(const struct run_net *runs, const struct run_link *link,
			     uint32_t level);

// The next arrival after this tick that leaves level or more; the next take from this tick on that
// leaves level or less.
enum run_glance run_glance_rise(const struct run_net *runs, const struct run_link *link,
				uint32_t level, struct run_crossing *out);
enum run_glance run_glance_fall(const struct run_net *runs, const struct run_link *link,
				uint32_t level, struct run_crossing *out);

#endif
