// SPDX-License-Identifier: GPL-3.0-or-later
// What a change of a link's runs means for everything behind it.
#ifndef NET_MYRINET_RUNS_CHANGE_H
#define NET_MYRINET_RUNS_CHANGE_H

#include "net/myrinet/runs/state.h"

enum run_change {
	RUN_MORE,  // characters behind those that were known
	RUN_LATER, // or fewer
	RUN_OTHER,
};

// What planning anew changed of a link whose characters went up to number end, and whose worm's last one was held at
// held_ticks (< 0: not yet).
enum run_change run_change_of(const struct run_link *link, uint32_t end, int64_t held_ticks);

// The starts of the link's characters from number index on are others now, or there are more or
// fewer of them. Hands it on down the worm as far as it makes a difference.
void run_changed(struct run_net *runs, struct run_link *link, uint32_t index,
		 enum run_change change);

// The link goes on and has nothing to send.
void run_changed_not(struct run_net *runs, struct run_link *link);

// What is known of the link's last character has changed, or that something waits for it.
void run_changed_sent(struct run_net *runs, struct run_link *link);

// Handler of RUN_DRY: what the link has planned from that character on is taken back.
void run_changed_dry(struct run_net *runs, struct run_link *link);

#endif
