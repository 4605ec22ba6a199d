// SPDX-License-Identifier: GPL-3.0-or-later
// The state of a run at a moment, as words: for traffic that looks for states that come again.
// Times are relative to now, packets have the names that the traffic gives them, and what no longer
// has an effect is left out; so where two states have the same words, what follows is the same but
// for the time, and for what the names stand for.
#ifndef NET_VIEW_H
#define NET_VIEW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/grow.h"

struct net_totals;

// Zero is a valid one of no run. The traffic sets the first two; the run sets the next, before it
// asks for the first offer.
struct net_view {
	uint64_t (*name)(const void *context, uint64_t packet); // of a packet under way, by the id
								// of its offer
	const void *context;
	void (*write)(struct net_view *view); // appends the run's words; the traffic calls it while
					      // it is asked for an offer. NULL: it cannot
	void *run;
	const uint32_t *alive; // packets under way: the run has words only where there are none;
			       // NULL: at any time
	bool busy;	       // set by write, where it has none
	struct net_totals *totals; // of the run so far
	uint32_t peaks; // bits of those of totals.own that are the most of something, not a count
	int64_t now_ticks; // of the words
	uint64_t *words;   // those written; freed by the traffic
	size_t count;
	size_t room;
	bool failed; // memory ran out
};

// Appends a word.
static inline void net_view_put(struct net_view *view, uint64_t word)
{
	if (GROW(view->words, view->room, view->count))
		view->words[view->count++] = word;
	else
		view->failed = true;
}

// Appends a time, relative to now.
static inline void net_view_time(struct net_view *view, int64_t ticks)
{
	net_view_put(view, (uint64_t)(ticks - view->now_ticks));
}

// Appends a time from 0 on, or -1: there is none.
static inline void net_view_stamp(struct net_view *view, int64_t ticks)
{
	net_view_put(view, ticks < 0 ? (uint64_t)INT64_MIN : (uint64_t)(ticks - view->now_ticks));
}

// Appends a time that has an effect only if it is to come.
static inline void net_view_future(struct net_view *view, int64_t ticks)
{
	net_view_put(view, ticks > view->now_ticks ? (uint64_t)(ticks - view->now_ticks) : 0);
}

#endif
