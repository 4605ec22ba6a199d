// SPDX-License-Identifier: GPL-3.0-or-later
// Which shortcuts lose a type, so that no worms wait for one another in a cycle: adaptive-trails.md
// has why.
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/reach.h"
#include "net/studies/trails/strand.h"

// The position from which a worm at a switch leaves along the strand for a destination, no shortcut
// taken, if it is at this position or a later one; of several shortest walks the one that leaves
// last. NET_NOBODY where there is none.
static uint32_t escape_from(const struct net_strand *strand, uint32_t position,
			    uint32_t destination)
{
	const uint32_t at = strand->at[position];
	uint32_t best = NET_APART;
	uint32_t found = NET_NOBODY;

	for (uint32_t visit = strand->visit_of[position]; visit < strand->first[at + 1]; visit++) {
		const uint32_t leaves = strand->visits[visit];
		uint32_t walk;

		if (leaves == strand->steps)
			continue;
		walk = strand->walks[((size_t)leaves + 1) * strand->switches + destination];
		if (walk == NET_APART || walk > best)
			continue;
		best = walk;
		found = leaves;
	}
	return found;
}

// Wants the switches to which a single link leads from visits of a switch at this position or
// later, but before the other.
static uint32_t want_next(struct net_reach *reach, const struct net_shortcut *shortcut,
			  uint32_t landing)
{
	const struct net_strand *strand = reach->strand;
	const uint32_t begin = strand->at[shortcut->from];
	const uint32_t end = strand->at[shortcut->to];
	uint32_t count = 0;

	memset(reach->want, 0, strand->switches);
	for (uint32_t visit = strand->visit_of[landing]; strand->visits[visit] < shortcut->to;
	     visit++) {
		const uint32_t position = strand->visits[visit];
		const uint32_t next = strand->at[position + 1];

		count += reach->want[next] = next != begin;
		for (uint32_t i = strand->shortcut_first[position];
		     i < strand->shortcut_first[position + 1]; i++) {
			const uint32_t to = strand->at[strand->shortcuts[i].to];

			count += reach->want[to] = to != begin && to != end;
		}
	}
	return count;
}

// Whether goes_back finds at once that it holds: for a switch that is a single link away.
static bool goes_back_at_once(struct net_reach *reach, const struct net_shortcut *shortcut)
{
	const struct net_strand *strand = reach->strand;
	const uint32_t landing = strand->step_of[shortcut->link] + 1;
	bool found = false;

	if (want_next(reach, shortcut, landing) > 0)
		net_reach_search(reach,
				 &(struct net_reach_from){shortcut->to,
							  NET_NOBODY,
							  {strand->at[shortcut->from], NET_NOBODY},
							  1});
	else
		memset(reach->hops, 0xff, strand->switches * sizeof(*reach->hops));
	for (uint32_t to = 0; to < strand->switches && !found; to++)
		found = reach->want[to] && reach->hops[to] != NET_APART;
	memset(reach->want, 1, strand->switches);
	return found;
}

// Whether a worm that comes over the shortcut, and may as well have come over the strand's own step
// of the same link, could go back into the part of the strand between the two.
static bool goes_back(struct net_reach *reach, const struct net_shortcut *shortcut)
{
	const struct net_strand *strand = reach->strand;
	const uint32_t begin = strand->at[shortcut->from];
	const uint32_t end = strand->at[shortcut->to];
	const uint32_t landing = strand->step_of[shortcut->link] + 1;
	bool found = false;

	if (goes_back_at_once(reach, shortcut))
		return true;
	net_reach_search(reach, &(struct net_reach_from){
					shortcut->to, NET_NOBODY, {begin, NET_NOBODY}, NET_NOBODY});
	for (uint32_t to = 0; to < strand->switches; to++)
		reach->want[to] = to != begin && to != end && reach->hops[to] != NET_APART;
	for (uint32_t to = 0; to < strand->switches && !found; to++)
		found = reach->want[to] && escape_from(strand, landing, to) < shortcut->to;
	if (!found) {
		net_reach_search(reach, &(struct net_reach_from){
						landing, shortcut->to, {begin, NET_NOBODY}, 1});
		for (uint32_t to = 0; to < strand->switches && !found; to++)
			found = reach->want[to] && reach->hops[to] != NET_APART;
	}
	memset(reach->want, 1, strand->switches);
	return found;
}

enum tr_status net_strand_remove_free(struct net_strand *strand, const struct net_graph *graph,
				      struct tr_error *err)
{
	struct net_reach reach;
	enum tr_status status = net_reach_open(&reach, strand, graph, err);
	bool changed = status == TR_OK;

	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < strand->shortcut_count; i++) {
			struct net_shortcut *shortcut = &strand->shortcuts[i];

			if ((shortcut->types & NET_FREE) == 0 || !goes_back(&reach, shortcut))
				continue;
			shortcut->types &= (uint8_t)~NET_FREE;
			shortcut->removed |= NET_FREE;
			net_reach_drop_free(&reach, i);
			changed = true;
		}
	}
	net_reach_close(&reach);
	return status;
}

// Whether a worm that has come over the shortcut may go on, and not back at once.
static bool shortcut_removal_goes_on(struct net_reach *reach, const struct net_shortcut *shortcut)
{
	const struct net_strand *strand = reach->strand;

	net_reach_search(reach, &(struct net_reach_from){shortcut->to,
							 NET_NOBODY,
							 {strand->at[shortcut->from], NET_NOBODY},
							 1});
	for (uint32_t to = 0; to < strand->switches; to++)
		if (reach->hops[to] != NET_APART && reach->hops[to] != 0)
			return true;
	return false;
}

// Of a link: the last position of the strand from which a worm that is to go on may take it, as the
// strand's step or by a shortcut of the free type. The caller frees it; NULL, which err explains,
// where memory runs out.
static uint32_t *find_last_uses(const struct net_strand *strand, const struct net_graph *graph,
				struct tr_error *err)
{
	uint32_t *last = malloc((graph->links + (size_t)1) * sizeof(*last));
	struct net_reach reach;
	enum tr_status status = net_reach_open(&reach, strand, graph, err);

	if (!last)
		status = tr_no_memory(err, "the shortcuts");
	if (status == TR_OK)
		memcpy(last, strand->step_of, graph->links * sizeof(*last));
	for (uint32_t i = 0; i < strand->shortcut_count && status == TR_OK;
	     i++) // by their positions, ascending
		if ((strand->shortcuts[i].types & NET_FREE) &&
		    shortcut_removal_goes_on(&reach, &strand->shortcuts[i]))
			last[strand->shortcuts[i].link] = strand->shortcuts[i].from;
	net_reach_close(&reach);
	if (status == TR_OK)
		return last;
	free(last);
	return NULL;
}

// Of the shortcuts of the first strand that end at a position or before, the last use in the second
// of one of their links, and one more; 0 for none. latest has room for all positions and is 0.
static void find_latest(uint32_t *latest, const struct net_strand *first,
			const uint32_t *second_uses)
{
	for (uint32_t i = 0; i < first->shortcut_count; i++) {
		const struct net_shortcut *shortcut = &first->shortcuts[i];

		if ((shortcut->types & NET_SOURCE) &&
		    second_uses[shortcut->link] + 1 > latest[shortcut->to])
			latest[shortcut->to] = second_uses[shortcut->link] + 1;
	}
	for (uint32_t i = 1; i <= first->steps; i++)
		if (latest[i - 1] > latest[i])
			latest[i] = latest[i - 1];
}

enum tr_status net_strands_remove_source(const struct net_strand *first, struct net_strand *second,
					 const struct net_graph *graph, struct tr_error *err)
{
	uint32_t *first_uses = find_last_uses(first, graph, err);
	uint32_t *second_uses = first_uses ? find_last_uses(second, graph, err) : NULL;
	uint32_t *latest = calloc((size_t)first->steps + 1, sizeof(*latest));
	enum tr_status status = second_uses ? TR_OK : TR_ERROR;

	if (status == TR_OK && !latest)
		status = tr_no_memory(err, "the shortcuts");
	if (status == TR_OK)
		find_latest(latest, first, second_uses);
	for (uint32_t i = 0; i < second->shortcut_count && status == TR_OK; i++) {
		struct net_shortcut *shortcut = &second->shortcuts[i];

		if ((shortcut->types & NET_SOURCE) == 0 ||
		    latest[first_uses[shortcut->link]] <= shortcut->to)
			continue;
		shortcut->types &= (uint8_t)~NET_SOURCE;
		shortcut->removed |= NET_SOURCE;
	}
	free(latest);
	free(first_uses);
	free(second_uses);
	return status;
}
