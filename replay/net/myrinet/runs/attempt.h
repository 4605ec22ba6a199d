// SPDX-License-Identifier: GPL-3.0-or-later
// When a sender that is stopped first wanted to go on: from then on its link is blocked. The
// reference engine knows it by an event that comes to nothing; here it is worked out, from what was
// known when that event was set.
#ifndef NET_MYRINET_RUNS_ATTEMPT_H
#define NET_MYRINET_RUNS_ATTEMPT_H

#include "net/myrinet/runs/state.h"

// Notes the attempt that is pending at now_ticks for the link's next character, number index, if its
// event has been set by then; what is held from held_from_ticks on is not held yet. To be called
// before each control character that goes on the link, and when it is stopped.
void run_attempt_note(const struct run_net *runs, struct run_link *link, uint32_t index,
		      int64_t now_ticks, int64_t held_from_ticks);

// The attempt of a link that is stopped; RUN_NEVER where none was set up to now_ticks.
int64_t run_attempt_ticks(const struct run_net *runs, struct run_link *link, int64_t now_ticks);

// The last attempt of a link that is stopped for good, its first having been noted: each later
// arrival at the input makes another, at the end of a control character that then is under way.
int64_t run_attempt_last(const struct run_link *link);

#endif
