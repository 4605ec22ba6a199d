// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/trails/candidates.h"

#include <stdlib.h>
#include <string.h>

void net_candidates_close(struct net_candidates *candidates)
{
	for (uint32_t i = 0; i < NET_STRANDS_MAX; i++)
		net_reach_close(&candidates->reach[i]);
	free(candidates->tried);
	free(candidates->port_of);
	free(candidates->list);
	free(candidates->last_steps);
	free(candidates->own);
	free(candidates->lengths);
	free(candidates->avoiding);
	free(candidates->passed);
	free(candidates->escapes);
	free(candidates->between);
	free(candidates->changed);
	*candidates = (struct net_candidates){0};
}

// The most that a switch has of something in all strands.
struct most {
	size_t visits;
	size_t ways; // candidates or last steps
};

static struct most count_most(const struct net_candidates *candidates)
{
	struct most most = {1, 1};

	for (uint32_t at = 0; at < net_graph_switches(candidates->graph); at++) {
		struct most here = {0, 0};

		for (uint32_t i = 0; i < candidates->strand_count; i++) {
			const struct net_strand *strand = &candidates->strands[i];

			for (uint32_t visit = strand->first[at]; visit < strand->first[at + 1];
			     visit++) {
				const uint32_t position = strand->visits[visit];

				here.visits++;
				here.ways++;
				if (strand->shortcut_count > 0)
					here.ways += strand->shortcut_first[position + 1] -
						     strand->shortcut_first[position];
			}
		}
		most.visits = here.visits > most.visits ? here.visits : most.visits;
		most.ways = here.ways > most.ways ? here.ways : most.ways;
	}
	return most;
}

// The most candidates of a switch: its steps, what is free, and of the source type one for each
// link.
static size_t count_candidates(const struct net_candidates *candidates)
{
	size_t most = 1;

	for (uint32_t at = 0; at < net_graph_switches(candidates->graph); at++) {
		size_t here = 2 * (size_t)net_graph_ports(candidates->graph,
							  at + candidates->graph->hosts);

		for (uint32_t i = 0; i < candidates->strand_count; i++) {
			const struct net_strand *strand = &candidates->strands[i];

			for (uint32_t visit = strand->first[at]; visit < strand->first[at + 1];
			     visit++) {
				const uint32_t position = strand->visits[visit];

				for (uint32_t s = strand->shortcut_count > 0
							  ? strand->shortcut_first[position]
							  : 0;
				     strand->shortcut_count > 0 &&
				     s < strand->shortcut_first[position + 1];
				     s++)
					here += (strand->shortcuts[s].types & NET_FREE) != 0;
			}
		}
		most = here > most ? here : most;
	}
	return most;
}

static void candidates_list_ports(struct net_candidates *candidates)
{
	const struct net_graph *graph = candidates->graph;

	for (uint32_t node = graph->hosts; node < graph->nodes; node++)
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++)
			if (net_graph_peer(graph, node, port)->node != NET_NOBODY)
				candidates->port_of[net_graph_peer(graph, node, port)->link] =
					(uint16_t)port;
}

static enum tr_status candidates_take_memory(struct net_candidates *candidates, bool between,
					     struct tr_error *err)
{
	const size_t switches = net_graph_switches(candidates->graph);
	const struct most most = count_most(candidates);
	const size_t columns = count_candidates(candidates);

	candidates->room = most.ways;
	candidates->tried = calloc(candidates->graph->links + (size_t)1, 1);
	candidates->port_of = calloc(candidates->graph->links + (size_t)1,
				     sizeof(*candidates->port_of));
	candidates->list = calloc(most.ways, sizeof(*candidates->list));
	candidates->last_steps = calloc(most.ways, sizeof(*candidates->last_steps));
	candidates->own = calloc(most.visits, sizeof(*candidates->own));
	candidates->lengths = calloc(switches * columns, sizeof(*candidates->lengths));
	candidates->avoiding = calloc(switches * columns, sizeof(*candidates->avoiding));
	candidates->passed = calloc(switches * columns, sizeof(*candidates->passed));
	candidates->changed = calloc(switches * columns, sizeof(*candidates->changed));
	candidates->escapes = calloc(switches * most.visits, sizeof(*candidates->escapes));
	candidates->between = between ? calloc(switches * most.visits, sizeof(*candidates->between))
				      : NULL;
	if (!candidates->tried || !candidates->port_of || !candidates->list ||
	    !candidates->last_steps || !candidates->own || !candidates->lengths ||
	    !candidates->avoiding || !candidates->passed || !candidates->changed ||
	    !candidates->escapes || (between && !candidates->between))
		return tr_no_memory(err, "the options of routes");
	candidates_list_ports(candidates);
	return TR_OK;
}

enum tr_status net_candidates_open(struct net_candidates *candidates, const struct net_graph *graph,
				   const struct net_strand *strands, uint32_t count, bool between,
				   struct tr_error *err)
{
	*candidates = (struct net_candidates){
		.graph = graph, .strands = strands, .strand_count = count};
	for (uint32_t i = 0; i < count; i++)
		if (net_reach_open(&candidates->reach[i], &strands[i], graph, err) != TR_OK)
			return TR_ERROR;
	return candidates_take_memory(candidates, between, err);
}

static void candidates_add(struct net_candidates *candidates, struct net_candidate candidate)
{
	candidate.port = candidates->port_of[candidate.link];
	candidate.visit = candidates->visit_count - 1;
	candidates->list[candidates->count++] = candidate;
}

// Adds what leaves from a position of a strand.
static void add_from(struct net_candidates *candidates, uint32_t index, uint32_t position)
{
	const struct net_strand *strand = &candidates->strands[index];
	const uint32_t own = candidates->count;

	candidates->own[candidates->visit_count++] = position < strand->steps ? own : NET_NOBODY;
	if (position < strand->steps)
		candidates_add(candidates,
			       (struct net_candidate){index, position, position + 1,
						      strand->links[position], 0, 0, false});
	if (strand->shortcut_count == 0)
		return;
	for (uint32_t i = strand->shortcut_first[position];
	     i < strand->shortcut_first[position + 1]; i++) {
		const struct net_shortcut *shortcut = &strand->shortcuts[i];

		candidates->last_steps[candidates->last_count++] = (struct net_last_step){
			index, position, strand->at[shortcut->to], candidates->visit_count - 1,
			candidates->port_of[shortcut->link]};
		if (shortcut->types & NET_FREE)
			candidates_add(candidates,
				       (struct net_candidate){index, position, shortcut->to,
							      shortcut->link, 0, 0, false});
		if ((shortcut->types & NET_SOURCE) == 0 || candidates->tried[shortcut->link])
			continue;
		candidates->tried[shortcut->link] = 1;
		candidates_add(candidates, (struct net_candidate){index, position, shortcut->to,
								  shortcut->link, 0, 0, true});
	}
}

static void candidates_list_ways(struct net_candidates *candidates, uint32_t at)
{
	const struct net_graph *graph = candidates->graph;

	candidates->at = at;
	candidates->count = candidates->last_count = candidates->visit_count = 0;
	for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++)
		if (net_graph_peer(graph, at + graph->hosts, port)->node != NET_NOBODY)
			candidates->tried[net_graph_peer(graph, at + graph->hosts, port)->link] = 0;
	for (uint32_t i = 0; i < candidates->strand_count; i++) {
		const struct net_strand *strand = &candidates->strands[i];

		candidates->first_visit[i] = candidates->visit_count;
		for (uint32_t visit = strand->first[at]; visit < strand->first[at + 1]; visit++)
			add_from(candidates, i, strand->visits[visit]);
	}
}

// Gives each neighbour a bit, from which the search says whether it passed there; neighbours may
// share one.
static void mark_neighbours(struct net_candidates *candidates, uint32_t at, bool marked)
{
	const struct net_graph *graph = candidates->graph;

	for (uint32_t i = 0; i < candidates->strand_count; i++)
		for (uint32_t port = 0; port < net_graph_ports(graph, at + graph->hosts); port++) {
			const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts,
								     port);

			if (net_trail_is_edge(graph, at, peer))
				candidates->reach[i].mark[peer->node - graph->hosts] =
					marked ? 1ull << (port % 64) : 0;
		}
}

static void candidates_measure(struct net_candidates *candidates)
{
	const size_t switches = net_graph_switches(candidates->graph);

	mark_neighbours(candidates, candidates->at, true);
	for (uint32_t c = 0; c < candidates->count; c++) {
		const struct net_candidate *candidate = &candidates->list[c];
		struct net_reach *reach = &candidates->reach[candidate->strand];
		uint16_t *length = candidates->lengths + c;

		net_reach_search(reach, &(struct net_reach_from){candidate->landing,
								 NET_NOBODY,
								 {candidates->at, NET_NOBODY},
								 NET_NOBODY});
		for (size_t to = 0; to < switches; to++, length += candidates->count)
			*length = reach->hops[to] == NET_APART ? NET_APART
							       : (uint16_t)(reach->hops[to] + 1);
		memcpy(candidates->passed + c * switches, reach->passed,
		       switches * sizeof(*candidates->passed));
	}
	mark_neighbours(candidates, candidates->at, false);
	memcpy(candidates->avoiding, candidates->lengths,
	       switches * candidates->count * sizeof(*candidates->avoiding));
	candidates->changed_count = 0;
}

// Of each visit and destination: where the strand itself leads to it soonest; of several such, from
// the last visit.
static void candidates_find_escapes(struct net_candidates *candidates)
{
	const size_t switches = net_graph_switches(candidates->graph);

	for (uint32_t i = 0; i < candidates->strand_count; i++) {
		const struct net_strand *strand = &candidates->strands[i];
		const uint32_t begin = strand->first[candidates->at];

		for (uint32_t visit = strand->first[candidates->at + 1]; visit-- > begin;) {
			const uint32_t place = candidates->first_visit[i] + visit - begin;
			const bool steps = strand->visits[visit] < strand->steps;
			const uint16_t *walks = steps ? strand->walks + (strand->visits[visit] +
									 (size_t)1) *
										switches
						      : NULL;
			const uint16_t *later =
				visit + 1 < strand->first[candidates->at + 1]
					? strand->walks +
						  (size_t)strand->visits[visit + 1] * switches
					: NULL;

			for (size_t to = 0; to < switches; to++) {
				uint32_t *escape = candidates->escapes +
						   to * candidates->visit_count + place;
				const uint32_t waits = later ? later[to] : NET_APART;

				if (walks && walks[to] != NET_APART && walks[to] + 1u < waits)
					*escape = candidates->own[place];
				else
					*escape = waits != NET_APART ? escape[1] : NET_NOBODY;
			}
		}
	}
}

// Of each visit and destination: how often the strand has been at the destination before.
static void candidates_count_between(struct net_candidates *candidates)
{
	for (uint32_t i = 0; i < candidates->strand_count; i++) {
		const struct net_strand *strand = &candidates->strands[i];
		const uint32_t begin = strand->first[candidates->at];

		for (uint32_t to = 0; to < strand->switches; to++) {
			uint32_t *between = candidates->between +
					    (size_t)to * candidates->visit_count +
					    candidates->first_visit[i];
			uint32_t met = strand->first[to];

			for (uint32_t visit = begin; visit < strand->first[candidates->at + 1];
			     visit++) {
				while (met < strand->first[to + 1] &&
				       strand->visits[met] < strand->visits[visit])
					met++;
				between[visit - begin] = met;
			}
		}
	}
}

void net_candidates_at(struct net_candidates *candidates, uint32_t at)
{
	candidates_list_ways(candidates, at);
	candidates_measure(candidates);
	candidates_find_escapes(candidates);
	if (candidates->between)
		candidates_count_between(candidates);
}

// Searches again where the way found passes the neighbour.
static void avoid(struct net_candidates *candidates, uint32_t c, uint32_t neighbour, uint64_t mark)
{
	const size_t switches = net_graph_switches(candidates->graph);
	const uint64_t *passed = candidates->passed + c * switches;
	struct net_reach *reach = &candidates->reach[candidates->list[c].strand];
	const size_t before = candidates->changed_count;
	uint32_t wanted = 0;

	for (uint32_t to = 0; to < switches; to++) {
		const size_t cell = to * (size_t)candidates->count + c;

		reach->want[to] = (passed[to] & mark) != 0 && to != neighbour &&
				  candidates->lengths[cell] != NET_APART;
		if (!reach->want[to])
			continue;
		wanted++;
		candidates->changed[candidates->changed_count++] = (uint32_t)cell;
	}
	if (wanted > 0)
		net_reach_search(reach, &(struct net_reach_from){candidates->list[c].landing,
								 NET_NOBODY,
								 {candidates->at, neighbour},
								 wanted});
	for (size_t i = before; i < candidates->changed_count; i++) {
		const uint16_t hops = reach->hops[candidates->changed[i] / candidates->count];

		candidates->avoiding[candidates->changed[i]] = hops == NET_APART
								       ? NET_APART
								       : (uint16_t)(hops + 1);
	}
	memset(reach->want, 1, switches);
}

void net_candidates_avoid(struct net_candidates *candidates, uint32_t neighbour,
			  const uint32_t landings[NET_STRANDS_MAX])
{
	const struct net_graph *graph = candidates->graph;
	uint64_t mark = 0;

	for (uint32_t port = 0; port < net_graph_ports(graph, candidates->at + graph->hosts);
	     port++)
		if (net_graph_peer(graph, candidates->at + graph->hosts, port)->node ==
		    neighbour + graph->hosts)
			mark = 1ull << (port % 64);
	while (candidates->changed_count > 0) {
		const uint32_t cell = candidates->changed[--candidates->changed_count];

		candidates->avoiding[cell] = candidates->lengths[cell];
	}
	for (uint32_t c = 0; c < candidates->count; c++) {
		const struct net_candidate *candidate = &candidates->list[c];

		if (!candidate->of_hosts && landings[candidate->strand] != NET_NOBODY &&
		    candidate->position >= landings[candidate->strand])
			avoid(candidates, c, neighbour, mark);
	}
}
