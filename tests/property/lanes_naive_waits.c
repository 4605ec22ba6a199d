// SPDX-License-Identifier: GPL-3.0-or-later
// Deadlocks in the second engine of networks with lanes.
#include "lanes_naive.h"

static struct packet *occupant(struct world *w, const struct spot *lane)
{
	return lane->holder ? lane->holder : naive_any_front(w, lane);
}

// The n-th lane for which a packet waits, or in which it stands behind others, and who has it; NULL
// where there are no more.
static struct spot *find_wait(struct world *w, struct packet *p, int n, struct packet **who)
{
	struct spot *spot = p->state == HAS_LANE ? p->lane : p->at[p->head];

	*who = p->state == HAS_LANE ? naive_any_front(w, spot) : naive_first(w, p);
	if (p->state == HAS_LANE || *who != p)
		return n == 0 ? spot : NULL;
	for (int i = 0; i < p->options * w->lanes; i++) {
		spot = &w->spots[p->links[i / w->lanes] * w->lanes + i % w->lanes];
		if (spot->group != p->groups[i / w->lanes] || n-- > 0)
			continue;
		*who = occupant(w, spot) ? occupant(w, spot) : occupant(w, naive_other(w, spot));
		return spot;
	}
	return NULL;
}

// Whether the packet, first in its spot or not, can do nothing, and waits for those that are stuck.
static bool is_held(struct world *w, struct packet *p)
{
	const bool asks = naive_asks(w, p);
	struct packet *who;

	if (p->state == HAS_LANE && (p->may > w->cycle || naive_can_send(w, p->lane)))
		return false;
	if (p->state != HAS_LANE && !asks && naive_first(w, p) == p)
		return false;
	for (int i = 0; asks && i < p->options; i++)
		if (naive_free_lane(w, p, p->links[i], p->groups[i]))
			return false;
	for (int n = 0; find_wait(w, p, n, &who); n++)
		if (!who || !who->stuck)
			return false;
	return true;
}

// Marks packets that have stood still for so many cycles and wait only for one another. Returns
// their number.
static int find_stuck(struct world *w, int64_t still)
{
	int count = 0;

	for (struct packet *p = w->packets; p < w->end; p++) {
		p->stuck = p->state != WAITS && p->state < HOME && p->came[p->head] > 0 &&
			   w->cycle - p->moved >= still &&
			   (!naive_asks(w, p) || w->cycle - p->asked >= still);
		count += p->stuck;
	}
	for (bool changed = true; changed;) {
		changed = false;
		for (struct packet *p = w->packets; p < w->end; p++)
			if (p->stuck && !is_held(w, p)) {
				p->stuck = false;
				changed = true;
				count--;
			}
	}
	return count;
}

// Whether nothing can happen any more though packets are under way.
static bool rests(struct world *w)
{
	int inside = 0;

	for (struct packet *p = w->packets; p < w->end; p++) {
		if (p->state == WAITS && naive_free_place(w, p))
			return false;
		inside += p->state != WAITS && p->state != OVER;
	}
	for (int i = 0; i < w->lane_count; i++)
		if (naive_can_send(w, &w->spots[i]))
			return false;
	return w->under_way == 0 && inside > 0 && find_stuck(w, 0) == inside;
}

// Reports the cycle to which the waits of the oldest packet lead. Returns the youngest of it.
static struct packet *report(struct world *w)
{
	struct net_wait_step steps[CASE_PACKETS];
	struct net_wait_cycle cycle = {.ejected = w->params->is.eject};
	struct packet *way[CASE_PACKETS], *p = w->packets, *next;
	int64_t moved = INT64_MIN;
	int count = 0;

	while (!p->stuck)
		p++;
	for (struct packet *q = w->packets; q < w->end; q++)
		q->step = 0;
	for (; p->step == 0; p = next) {
		const struct spot *spot = find_wait(w, p, 0, &next);

		steps[count] = (struct net_wait_step){.packet = p->worm.packet.id,
						      .source = p->worm.source,
						      .destination = p->worm.destination,
						      .link = (uint32_t)spot->link,
						      .lane = (uint32_t)(spot - w->spots) %
							      (uint32_t)w->lanes,
						      .queued = naive_first(w, p) != p};
		way[count] = p;
		p->step = ++count;
	}
	cycle.steps = &steps[p->step - 1];
	cycle.count = (uint32_t)(count - p->step + 1);
	for (uint32_t i = 0; i < cycle.count; i++) {
		struct packet **at = &way[p->step - 1];

		moved = at[i]->moved > moved ? at[i]->moved : moved;
		cycle.youngest = at[i] > at[cycle.youngest] ? i : cycle.youngest;
	}
	cycle.clock_cycle = moved + 1;
	cycle.from_ticks = cycle.clock_cycle * w->cycle_ticks;
	w->setup->cycles.found(w->setup->cycles.context, &cycle);
	return way[(uint32_t)p->step - 1 + cycle.youngest];
}

// Takes a packet out of the network.
static void eject(struct world *w, struct packet *p)
{
	if (p->state == HAS_LANE)
		p->lane->holder = NULL;
	for (int k = 0; k <= p->head; k++) {
		struct spot *spot = p->at[k];

		if (spot->holder == p)
			spot->holder = NULL;
		if (p->sent[k + 1] == p->flits)
			continue;
		if (k > 0 && w->params->switching != LANES_CIRCUIT)
			spot->room += p->came[k] - p->sent[k + 1];
		naive_drop(spot, (int)(p - w->packets));
	}
	w->totals->dropped++;
	naive_tell(w, p, TR_DROPPED, TR_DROP_DEADLOCK);
}

bool naive_break_deadlocks(struct world *w)
{
	const int64_t search = (int64_t)w->params->search;

	while (rests(w) || (w->cycle % search == 0 && find_stuck(w, search) > 0)) {
		struct packet *youngest = report(w);

		if (!w->params->is.eject)
			return false;
		eject(w, youngest);
	}
	return true;
}
