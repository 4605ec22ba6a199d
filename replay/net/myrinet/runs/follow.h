// SPDX-License-Identifier: GPL-3.0-or-later
// Departures that follow arrivals: character k of a supply is ready at ready + k spacing, and leaves
// at the first tick at which it is ready and the one before it has left character_ticks ago:
//   leave(k) = max(ready(k), leave(k - 1) + character), leave(-1) + character = earliest.
// Over one supply these are at most two runs: a backlog that leaves back to back until it has caught
// up with the supply, then the supply itself.
#ifndef NET_MYRINET_RUNS_FOLLOW_H
#define NET_MYRINET_RUNS_FOLLOW_H

#include "net/myrinet/runs/list.h"

struct run_supply {
	int64_t ready_ticks;
	int64_t spacing_ticks;
	uint32_t count;
};

// How many characters of the supply leave back to back from earliest_ticks on, before one leaves in
// the tick in which it is ready; all where none does. spacing_ticks > character_ticks.
uint32_t run_backlog(const struct run_supply *supply, int64_t earliest_ticks,
		     int64_t character_ticks);

// Appends the supply's departures to the list (which has room for two runs). Returns the tick at
// which the next character could leave.
int64_t run_follow(struct run_list *list, const struct run_supply *supply, int64_t earliest_ticks,
		   int64_t character_ticks);

#endif
