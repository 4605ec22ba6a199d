// SPDX-License-Identifier: GPL-3.0-or-later
// A worm at a switch may wait, as it were, for any later visit of it, so of two arrivals at a
// switch the one at the earlier position leads wherever the other does. The search goes hop by hop
// and keeps of each switch the earliest visit reached so far; a later hop that comes to an earlier
// visit adds the visits in between, so that each is gone on from once.
//
// By a shortcut of the destination type a worm gets from v at some position to its neighbour w
// exactly if w is visited later in the strand: of the last visit of v before such a visit of w the
// drawing rule has one, or the strand's own step. So the neighbours of a switch are sorted by their
// last visits, and those that an earlier arrival adds are the next of this order.
#include "net/studies/trails/reach.h"

#include <stdlib.h>
#include <string.h>

// Visits from first up to end, of a switch that was reached at this hop.
struct reach_arrivals {
	uint32_t at;
	uint32_t first;
	uint32_t end;
	uint32_t latest; // of all arrivals in this hop
	uint64_t passed; // by those that arrive at first
	uint64_t common; // by all that arrive, at latest or before
};

// A switch looks at each neighbour once in a search, one that is not reached at all of them at each
// hop. Measured.
#define PENDING_GAIN 8u

struct net_reach_memory {
	uint32_t *to_visit; // of a visit: where its step leads; NET_NOBODY of the strand's last
	uint32_t *to_switch;
	uint32_t *free_first; // of a visit: its shortcuts of the free type in frees; visits + 1
	uint32_t *frees;      // the visits at their ends; NET_NOBODY where the type was taken
	uint32_t *free_of;    // of a shortcut: its place in frees
	uint32_t *near_first; // of a switch: its neighbours in near, the one visited last first;
			      // switches + 1
	uint32_t *near;
	uint32_t *last;	    // of a switch: the position of its last visit
	uint32_t *later;    // of a position: switches visited after it
	uint32_t *earliest; // of a switch: the first visit reached; the end of its visits for none,
			    // 0 where it is avoided
	uint32_t *near_met; // of a switch: neighbours reached by shortcuts of the destination type
	uint32_t *pending;  // switches that are wanted; those reached since are dropped by and by
	uint32_t pending_count;
	bool is_listed;	     // pending is
	uint32_t blocked[3]; // switches at which no worm may be
	uint32_t *slot;	     // of a switch: its place in the next arrivals
	uint32_t *slot_hop;  // if this is the hop
	struct reach_arrivals *now;
	struct reach_arrivals *next;
	uint32_t next_count;
	uint32_t hop;
	uint32_t left; // switches that are wanted and not reached
};

void net_reach_close(struct net_reach *reach)
{
	struct net_reach_memory *memory = reach->memory;

	free(reach->hops);
	free(reach->passed);
	free(reach->mark);
	free(reach->want);
	if (memory) {
		uint32_t *arrays[] = {memory->to_visit, memory->to_switch, memory->free_first,
				      memory->frees,	memory->free_of,   memory->near_first,
				      memory->near,	memory->last,	   memory->earliest,
				      memory->near_met, memory->slot,	   memory->slot_hop,
				      memory->later,	memory->pending};

		for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++)
			free(arrays[i]);
		free(memory->now);
		free(memory->next);
		free(memory);
	}
	*reach = (struct net_reach){0};
}

static enum tr_status reach_take_memory(struct net_reach *reach, const struct net_graph *graph,
					struct tr_error *err)
{
	const struct net_strand *strand = reach->strand;
	const size_t switches = strand->switches + (size_t)2;
	const size_t visits = strand->steps + (size_t)2;
	struct net_reach_memory *memory = calloc(1, sizeof(*memory));

	reach->memory = memory;
	reach->hops = calloc(switches, sizeof(*reach->hops));
	reach->passed = calloc(switches, sizeof(*reach->passed));
	reach->mark = calloc(switches, sizeof(*reach->mark));
	reach->want = malloc(switches);
	if (!memory || !reach->hops || !reach->passed || !reach->mark || !reach->want)
		return tr_no_memory(err, "the search of a trail");
	memset(reach->want, 1, switches);
	memory->now = calloc(switches, sizeof(*memory->now));
	memory->next = calloc(switches, sizeof(*memory->next));
	{
		const struct {
			uint32_t **array;
			size_t room;
		} arrays[] = {{&memory->to_visit, visits},
			      {&memory->to_switch, visits},
			      {&memory->free_first, visits},
			      {&memory->frees, strand->shortcut_count + (size_t)1},
			      {&memory->free_of, strand->shortcut_count + (size_t)1},
			      {&memory->near_first, switches},
			      {&memory->near, graph->links + (size_t)1},
			      {&memory->last, switches},
			      {&memory->earliest, switches},
			      {&memory->near_met, switches},
			      {&memory->slot, switches},
			      {&memory->slot_hop, switches},
			      {&memory->later, visits},
			      {&memory->pending, switches}};

		for (size_t i = 0; i < sizeof(arrays) / sizeof(*arrays); i++) {
			*arrays[i].array = calloc(arrays[i].room, sizeof(uint32_t));
			if (!*arrays[i].array)
				return tr_no_memory(err, "the search of a trail");
		}
	}
	return memory->now && memory->next ? TR_OK : tr_no_memory(err, "the search of a trail");
}

static void list_steps(struct net_reach *reach)
{
	const struct net_strand *strand = reach->strand;
	struct net_reach_memory *memory = reach->memory;
	uint32_t frees = 0;

	for (uint32_t visit = 0; visit <= strand->steps; visit++) {
		const uint32_t position = strand->visits[visit];

		memory->to_visit[visit] = position < strand->steps ? strand->visit_of[position + 1]
								   : NET_NOBODY;
		memory->to_switch[visit] = position < strand->steps ? strand->at[position + 1] : 0;
		memory->free_first[visit] = frees;
		for (uint32_t i = strand->shortcut_count > 0 ? strand->shortcut_first[position] : 0;
		     strand->shortcut_count > 0 && i < strand->shortcut_first[position + 1]; i++)
			if (strand->shortcuts[i].types & NET_FREE) {
				memory->free_of[i] = frees;
				memory->frees[frees++] = strand->visit_of[strand->shortcuts[i].to];
			}
	}
	memory->free_first[strand->steps + 1] = frees;
}

// Puts a neighbour among those of its switch, from first on, in order.
static void put_near(struct net_reach_memory *memory, uint32_t first, uint32_t *end,
		     uint32_t neighbour)
{
	uint32_t place = *end;

	for (uint32_t i = first; i < *end; i++)
		if (memory->near[i] == neighbour)
			return;
	for (; place > first && memory->last[memory->near[place - 1]] < memory->last[neighbour];
	     place--)
		memory->near[place] = memory->near[place - 1];
	memory->near[place] = neighbour;
	++*end;
}

static void list_neighbours(struct net_reach *reach, const struct net_graph *graph)
{
	const struct net_strand *strand = reach->strand;
	struct net_reach_memory *memory = reach->memory;
	uint32_t end = 0;

	for (uint32_t at = 0; at < strand->switches; at++)
		memory->last[at] = strand->visits[strand->first[at + 1] - 1];
	for (uint32_t position = strand->steps; position > 0; position--)
		memory->later[position - 1] = memory->later[position] +
					      (memory->last[strand->at[position]] == position);
	for (uint32_t at = 0; at < strand->switches; at++) {
		memory->near_first[at] = end;
		for (uint32_t port = 0;
		     strand->shortcut_count > 0 && port < net_graph_ports(graph, at + graph->hosts);
		     port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (net_trail_is_edge(graph, at, peer))
				put_near(memory, memory->near_first[at], &end,
					 peer->node - graph->hosts);
		}
	}
	memory->near_first[strand->switches] = end;
}

enum tr_status net_reach_open(struct net_reach *reach, const struct net_strand *strand,
			      const struct net_graph *graph, struct tr_error *err)
{
	*reach = (struct net_reach){.strand = strand};
	if (reach_take_memory(reach, graph, err) != TR_OK)
		return TR_ERROR;
	list_steps(reach);
	list_neighbours(reach, graph);
	return TR_OK;
}

void net_reach_drop_free(struct net_reach *reach, uint32_t shortcut)
{
	reach->memory->frees[reach->memory->free_of[shortcut]] = NET_NOBODY;
}

static inline void reach_meet(struct net_reach *reach, uint32_t at, uint64_t passed)
{
	if (reach->hops[at] != NET_APART) {
		if (reach->hops[at] == reach->memory->hop)
			reach->passed[at] &= passed;
		return;
	}
	reach->hops[at] = (uint16_t)reach->memory->hop;
	reach->passed[at] = passed;
	reach->memory->left -= reach->memory->left > 0 && reach->want[at];
}

// Comes to a switch that was reached in the same hop, at an earlier visit.
static void arrive_later(struct net_reach *reach, uint32_t at, uint32_t visit, uint64_t passed)
{
	struct reach_arrivals *arrivals = &reach->memory->next[reach->memory->slot[at]];

	if (reach->hops[at] == reach->memory->hop)
		reach->passed[at] &= passed;
	if (visit >= arrivals->end)
		return;
	arrivals->common &= passed | reach->mark[at];
	if (visit > arrivals->latest)
		arrivals->latest = visit;
}

// Comes to a visit of a switch in a hop.
static inline void reach_arrive(struct net_reach *reach, uint32_t at, uint32_t visit,
				uint64_t passed)
{
	struct net_reach_memory *memory = reach->memory;
	const uint32_t earliest = memory->earliest[at];
	struct reach_arrivals *arrivals;

	if (visit >= earliest) {
		if (memory->slot_hop[at] == memory->hop && earliest != 0)
			arrive_later(reach, at, visit, passed);
		return;
	}
	reach_meet(reach, at, passed);
	memory->earliest[at] = visit;
	if (memory->slot_hop[at] == memory->hop) {
		arrivals = &memory->next[memory->slot[at]];
	} else {
		memory->slot_hop[at] = memory->hop;
		memory->slot[at] = memory->next_count;
		arrivals = &memory->next[memory->next_count++];
		*arrivals = (struct reach_arrivals){
			.at = at, .end = earliest, .latest = visit, .common = UINT64_MAX};
	}
	arrivals->first = visit;
	arrivals->passed = passed | reach->mark[at];
	arrivals->common &= arrivals->passed;
}

static void reach_go_on(struct net_reach *reach, const struct reach_arrivals *arrivals)
{
	const struct net_reach_memory *memory = reach->memory;

	for (uint32_t visit = arrivals->first; visit < arrivals->end; visit++) {
		const uint64_t passed = visit < arrivals->latest ? arrivals->passed
								 : arrivals->common;

		if (memory->to_visit[visit] != NET_NOBODY)
			reach_arrive(reach, memory->to_switch[visit], memory->to_visit[visit],
				     passed);
		for (uint32_t i = memory->free_first[visit]; i < memory->free_first[visit + 1]; i++)
			if (memory->frees[i] != NET_NOBODY)
				reach_arrive(
					reach,
					reach->strand->at[reach->strand->visits[memory->frees[i]]],
					memory->frees[i], passed);
	}
}

// The last step of worms to neighbours.
static void end_at_neighbours(struct net_reach *reach, const struct reach_arrivals *arrivals)
{
	struct net_reach_memory *memory = reach->memory;
	const uint32_t position = reach->strand->visits[arrivals->first];
	const uint32_t latest = reach->strand->visits[arrivals->latest];
	const uint32_t end = memory->near_first[arrivals->at + 1];
	uint32_t i = memory->near_first[arrivals->at] + memory->near_met[arrivals->at];

	for (; i < end && memory->last[memory->near[i]] > position; i++)
		if (memory->earliest[memory->near[i]] != 0) // not to be avoided
			reach_meet(reach, memory->near[i],
				   memory->last[memory->near[i]] > latest ? arrivals->common
									  : arrivals->passed);
	memory->near_met[arrivals->at] = i - memory->near_first[arrivals->at];
}

static void list_pending(struct net_reach *reach)
{
	struct net_reach_memory *memory = reach->memory;

	memory->is_listed = true;
	memory->pending_count = 0;
	for (uint32_t at = 0; at < reach->strand->switches; at++)
		if (reach->hops[at] == NET_APART && reach->want[at] && memory->earliest[at] != 0)
			memory->pending[memory->pending_count++] = at;
}

// The same from the other end: whether a switch has a neighbour from which worms may end there. It
// has come to that in the hop before, else the switch would have been reached.
static bool end_from_neighbours(struct net_reach *reach, uint32_t at,
				const struct reach_arrivals *now)
{
	const struct net_reach_memory *memory = reach->memory;
	const uint32_t last = memory->last[at];
	bool found = false;

	for (uint32_t i = memory->near_first[at]; i < memory->near_first[at + 1]; i++) {
		const uint32_t near = memory->near[i];
		const uint32_t earliest = memory->earliest[near];
		const struct reach_arrivals *arrivals;

		if (near == memory->blocked[0] || near == memory->blocked[1] ||
		    near == memory->blocked[2] || earliest == reach->strand->first[near + 1] ||
		    reach->strand->visits[earliest] >= last)
			continue;
		arrivals = &now[memory->slot[near]];
		reach_meet(reach, at,
			   last > reach->strand->visits[arrivals->latest] ? arrivals->common
									  : arrivals->passed);
		found = true;
	}
	return found;
}

static void reach_end_pending(struct net_reach *reach, const struct reach_arrivals *now)
{
	struct net_reach_memory *memory = reach->memory;
	uint32_t kept = 0;

	if (!memory->is_listed)
		list_pending(reach);
	for (uint32_t i = 0; i < memory->pending_count; i++)
		if (reach->hops[memory->pending[i]] == NET_APART &&
		    !end_from_neighbours(reach, memory->pending[i], now))
			memory->pending[kept++] = memory->pending[i];
	memory->pending_count = kept;
}

// The first step, where the worm leaves before some position: of the shortcuts, those that begin
// before.
static void reach_end_before(struct net_reach *reach, const struct net_reach_from *from)
{
	const struct net_strand *strand = reach->strand;
	const uint32_t at = strand->at[from->position];

	for (uint32_t visit = strand->visit_of[from->position];
	     visit < strand->first[at + 1] && strand->visits[visit] < from->before; visit++) {
		const uint32_t position = strand->visits[visit];

		for (uint32_t i = strand->shortcut_first[position];
		     i < strand->shortcut_first[position + 1]; i++) {
			const uint32_t to = strand->at[strand->shortcuts[i].to];

			if (to != from->avoid[0] && to != from->avoid[1])
				reach_meet(reach, to, 0);
		}
	}
}

// The most switches that a search can reach, besides its start.
static uint32_t bound(const struct net_reach *reach, const struct net_reach_from *from)
{
	const struct net_reach_memory *memory = reach->memory;
	const uint32_t at = reach->strand->at[from->position];
	uint32_t count = memory->later[from->position] - (memory->last[at] > from->position);

	for (uint32_t i = 0; i < 2; i++)
		if (from->avoid[i] != NET_NOBODY && from->avoid[i] != at &&
		    (i == 0 || from->avoid[1] != from->avoid[0]))
			count -= memory->last[from->avoid[i]] > from->position;
	return count;
}

static void reach_start(struct net_reach *reach, const struct net_reach_from *from)
{
	const struct net_strand *strand = reach->strand;
	struct net_reach_memory *memory = reach->memory;
	const uint32_t at = strand->at[from->position];

	memset(reach->hops, 0xff, strand->switches * sizeof(*reach->hops));
	memset(memory->near_met, 0, strand->switches * sizeof(*memory->near_met));
	memset(memory->slot_hop, 0, strand->switches * sizeof(*memory->slot_hop));
	memcpy(memory->earliest, strand->first + 1, strand->switches * sizeof(*memory->earliest));
	memory->left = from->wanted == NET_NOBODY ? bound(reach, from) : from->wanted;
	memory->hop = 0;
	memory->is_listed = false;
	memory->blocked[0] = from->avoid[0];
	memory->blocked[1] = from->avoid[1];
	memory->blocked[2] = from->before != NET_NOBODY ? at : NET_NOBODY;
	memory->slot[at] = 0;
	memory->next_count = 0;
	for (uint32_t i = 0; i < 2; i++)
		if (from->avoid[i] != NET_NOBODY)
			memory->earliest[from->avoid[i]] = 0;
	if (memory->earliest[at] == 0)
		return;
	reach->hops[at] = 0;
	reach->passed[at] = 0;
	memory->earliest[at] = strand->visit_of[from->position];
	memory->next[memory->next_count++] = (struct reach_arrivals){
		.at = at,
		.first = strand->visit_of[from->position],
		.end = strand->first[at + 1],
		.latest = strand->visit_of[from->position],
		.passed = reach->mark[at],
		.common = reach->mark[at]};
	if (from->before != NET_NOBODY) {
		memory->next->end = net_strand_visit_from(strand, at, from->before);
		memory->earliest[at] = 0;
	}
}

// The last steps of worms by shortcuts of the destination type, from the side on which there is
// less to look at (Beamer, Asanovic and Patterson, Direction-optimizing breadth-first search, SC
// 2012).
static void end_all(struct net_reach *reach, const struct net_reach_from *from,
		    const struct reach_arrivals *now, uint32_t count)
{
	if (reach->memory->hop == 1 && from->before != NET_NOBODY)
		reach_end_before(reach, from);
	else if (count > PENDING_GAIN * reach->memory->left)
		reach_end_pending(reach, now);
	else
		for (uint32_t i = 0; i < count; i++)
			end_at_neighbours(reach, &now[i]);
}

void net_reach_search(struct net_reach *reach, const struct net_reach_from *from)
{
	struct net_reach_memory *memory = reach->memory;

	reach_start(reach, from);
	while (memory->next_count > 0 && memory->left > 0) {
		const uint32_t count = memory->next_count;
		struct reach_arrivals *now = memory->next;

		memory->next = memory->now;
		memory->now = now;
		memory->next_count = 0;
		memory->hop++;
		// Where there are shortcuts, they lead wherever steps do, so that these need not be
		// looked at in the last hop.
		if (reach->strand->shortcut_count > 0)
			end_all(reach, from, now, count);
		for (uint32_t i = 0; i < count && memory->left > 0; i++)
			reach_go_on(reach, &now[i]);
	}
}
