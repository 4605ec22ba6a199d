// SPDX-License-Identifier: GPL-3.0-or-later
// The starts of a worm's characters on a link, as far ahead as what is to be sent is known.
#ifndef NET_MYRINET_RUNS_PLAN_H
#define NET_MYRINET_RUNS_PLAN_H

#include "net/myrinet/runs/follow.h"
#include "net/myrinet/runs/state.h"

// The link's next characters are those of a worm, whose base is found here; the first can start at
// ready_ticks.
void run_plan_begin(struct run_net *runs, struct run_link *link, struct run_segment worm,
		    int64_t ready_ticks);

// Appends to the link's runs what is known and not in them.
void run_plan_extend(struct run_net *runs, struct run_link *link);

// Removes what would start at ticks or later, and what would be held at held_from_ticks or later, and
// plans it anew where the link is not stopped. Returns the number of the first character that may be
// another now.
uint32_t run_plan_again(struct run_net *runs, struct run_link *link, int64_t ticks,
			int64_t held_from_ticks);

// Removes what would start at ticks or later, from when on the link is stopped. Returns the number of
// the first character that is not planned any more.
uint32_t run_plan_stop(struct run_link *link, int64_t ticks);

// When character index of a host's worm is made, the one before it being known.
int64_t run_plan_made_ticks(const struct run_net *runs, const struct run_link *link,
			    uint32_t index);

// The link's character index, which is planned for ticks, is not known to be there by then.
void run_plan_doubt(struct run_net *runs, struct run_link *link, uint32_t index, int64_t ticks);

// All that the link has planned is there in time.
static inline void run_plan_trust(struct run_link *link)
{
	link->sender.dry.doubted = false;
	run_timer_clear(&link->sender.dry.timer);
}

// A character, or the first of some of which the last can leave its input at last_ticks, does so
// ticks after it could, the others no later after they could.
void run_plan_note_late(const struct run_net *runs, struct run_sender *sender, int64_t ticks,
			int64_t last_ticks);

// Removes the characters from index on.
void run_plan_cut(struct run_link *link, uint32_t index);

// Number of the first of list's characters from index on, and before end, that leaves before it can:
// its arrival, start on the link at number + offset and delay_ticks later, is not known or too late.
// The end of both where there is none. *most_ticks is raised to the longest that one of those before
// it leaves after it could.
uint32_t run_plan_first_late(const struct run_list *list, uint32_t index, uint32_t end,
			     const struct run_list *supply, uint32_t offset, int64_t delay_ticks,
			     int64_t *most_ticks);

// The part of supply's run with character index, up to end, as it is ready delay_ticks later.
struct run_supply run_plan_supply(const struct run_list *supply, uint32_t index, uint32_t end,
				  int64_t delay_ticks);

#endif
