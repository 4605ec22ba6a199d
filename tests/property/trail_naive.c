// SPDX-License-Identifier: GPL-3.0-or-later
#include "trail_naive.h"

#include <string.h>

#define POSITIONS_MAX 160u
#define NO_WAY UINT32_MAX

// What a search may use.
struct rules {
	const struct net_strand *strand;
	uint32_t to;
	uint32_t avoid[2];
	bool steps_only;
};

static bool is_avoided(const struct rules *rules, uint32_t at)
{
	return at == rules->avoid[0] || at == rules->avoid[1];
}

// Fewest links from a position to the destination, by trying hop after hop all that is reached.
static uint32_t search(const struct rules *rules, uint32_t position)
{
	const struct net_strand *strand = rules->strand;
	bool reached[POSITIONS_MAX] = {false};

	if (strand->at[position] == rules->to)
		return 0;
	if (is_avoided(rules, strand->at[position]))
		return NO_WAY;
	reached[position] = true;
	for (uint32_t hop = 1; hop <= strand->steps + 1; hop++) {
		bool next[POSITIONS_MAX] = {false};

		for (uint32_t here = 0; here <= strand->steps; here++)
			for (uint32_t leave = here; reached[here] && leave <= strand->steps;
			     leave++) {
				if (strand->at[leave] != strand->at[here])
					continue;
				if (leave < strand->steps &&
				    !is_avoided(rules, strand->at[leave + 1]))
					next[leave + 1] = true;
				for (uint32_t i = 0;
				     i < strand->shortcut_count && !rules->steps_only; i++) {
					const struct net_shortcut *shortcut = &strand->shortcuts[i];

					if (shortcut->from == leave &&
					    !is_avoided(rules, strand->at[shortcut->to]) &&
					    ((shortcut->types & NET_FREE) ||
					     strand->at[shortcut->to] == rules->to))
						next[shortcut->to] = true;
				}
			}
		for (uint32_t here = 0; here <= strand->steps; here++)
			if (next[here] && strand->at[here] == rules->to)
				return hop;
		memcpy(reached, next, sizeof(reached));
	}
	return NO_WAY;
}

static uint32_t port_of(const struct net_graph *graph, uint32_t at, uint32_t link)
{
	uint32_t port = 0;

	while (net_graph_peer(graph, at + graph->hosts, port)->node == NET_NOBODY ||
	       net_graph_peer(graph, at + graph->hosts, port)->link != link)
		port++;
	return port;
}

struct listing {
	const struct net_graph *graph;
	struct naive_way *ways;
	uint32_t count;
	uint32_t at;
	uint32_t from; // the switch by which the worm came; NET_NOBODY for hosts
	uint32_t to;
};

static void add(struct listing *listing, const struct net_strand *strand, uint32_t index,
		uint32_t position, uint32_t link, uint32_t landing, bool escape, bool of_hosts)
{
	struct rules rules = {strand, listing->to, {listing->at, listing->from}, false};
	uint32_t length = search(&rules, landing);

	if (length == NO_WAY && escape) {
		rules.avoid[1] = NET_NOBODY;
		length = search(&rules, landing);
	}
	if (length != NO_WAY)
		listing->ways[listing->count++] = (struct naive_way){
			length + 1, index,    position, port_of(listing->graph, listing->at, link),
			escape,	    of_hosts, false};
}

static uint32_t find_escape(const struct net_strand *strand, uint32_t landing, uint32_t to)
{
	const struct rules rules = {strand, to, {NET_NOBODY, NET_NOBODY}, true};
	uint32_t best = NO_WAY;
	uint32_t found = NO_WAY;

	for (uint32_t leave = landing; leave < strand->steps; leave++) {
		const uint32_t length = strand->at[leave] == strand->at[landing]
						? search(&rules, leave + 1)
						: NO_WAY;

		if (length == NO_WAY || length > best)
			continue;
		best = length;
		found = leave;
	}
	return found;
}

// Lists the ways of a worm that has come to a position.
static void list_from(struct listing *listing, const struct net_strand *strand, uint32_t index,
		      uint32_t landing)
{
	const uint32_t escape = find_escape(strand, landing, listing->to);

	for (uint32_t leave = landing; leave <= strand->steps; leave++) {
		if (strand->at[leave] != listing->at)
			continue;
		if (leave < strand->steps)
			add(listing, strand, index, leave, strand->links[leave], leave + 1,
			    leave == escape && listing->from != NET_NOBODY, false);
		for (uint32_t i = 0; i < strand->shortcut_count; i++) {
			const struct net_shortcut *shortcut = &strand->shortcuts[i];
			const bool of_all = (shortcut->types & NET_FREE) ||
					    strand->at[shortcut->to] == listing->to;

			if (shortcut->from == leave && (of_all || (listing->from == NET_NOBODY &&
								   (shortcut->types & NET_SOURCE))))
				add(listing, strand, index, leave, shortcut->link, shortcut->to,
				    false, !of_all);
		}
	}
}

static void list(struct listing *listing, const struct net_trail_plan *plan, uint32_t link)
{
	for (uint32_t index = 0; index < plan->strand_count; index++) {
		const struct net_strand *strand = &plan->strands[index];

		if (link == NET_NOBODY) {
			list_from(listing, strand, index,
				  strand->visits[strand->first[listing->at]]);
			continue;
		}
		if (strand->step_of[link] != NET_NOBODY)
			list_from(listing, strand, index, strand->step_of[link] + 1);
		for (uint32_t i = 0; i < strand->shortcut_count; i++)
			if (strand->shortcuts[i].link == link &&
			    (strand->shortcuts[i].types & (NET_FREE | NET_SOURCE)))
				list_from(listing, strand, index, strand->shortcuts[i].to);
	}
}

static bool is_between(const struct net_strand *strand, uint32_t to, uint32_t begin, uint32_t end)
{
	for (uint32_t position = begin; position < end; position++)
		if (strand->at[position] == to)
			return true;
	return false;
}

static void drop_dual(struct listing *listing, const struct net_trail_plan *plan)
{
	for (uint32_t i = 0; i < listing->count; i++)
		for (uint32_t j = 0; j < listing->count; j++) {
			struct naive_way *early = &listing->ways[i];
			const struct naive_way *late = &listing->ways[j];

			if (!early->of_hosts && !late->of_hosts && early->strand == late->strand &&
			    early->position < late->position && late->length < early->length &&
			    !is_between(&plan->strands[early->strand], listing->to, early->position,
					late->position))
				early->dropped = true;
		}
}

static bool comes_before(const struct naive_way *a, const struct naive_way *b)
{
	if (a->length != b->length)
		return a->length < b->length;
	if (a->strand != b->strand)
		return a->strand < b->strand;
	return a->position != b->position ? a->position < b->position : a->port < b->port;
}

// One way for each port; an escape stays though it be dropped.
static void merge(struct listing *listing)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < listing->count; i++) {
		const struct naive_way way = listing->ways[i];
		uint32_t same = 0;

		if (way.dropped && !way.escape)
			continue;
		while (same < kept && listing->ways[same].port != way.port)
			same++;
		if (same == kept) {
			listing->ways[kept++] = way;
			continue;
		}
		if (comes_before(&way, &listing->ways[same])) {
			const bool escape = listing->ways[same].escape;

			listing->ways[same] = way;
			listing->ways[same].escape |= escape;
		}
		listing->ways[same].escape |= way.escape;
	}
	listing->count = kept;
	for (uint32_t i = 0; i < kept; i++)
		for (uint32_t j = i + 1; j < kept; j++)
			if (comes_before(&listing->ways[j], &listing->ways[i])) {
				const struct naive_way way = listing->ways[i];

				listing->ways[i] = listing->ways[j];
				listing->ways[j] = way;
			}
}

uint32_t naive_options(struct naive_way out[NAIVE_WAYS_MAX], const struct net_graph *graph,
		       const struct net_trail_plan *plan, struct net_trail_pruning pruning,
		       uint32_t at, uint32_t link, uint32_t to)
{
	struct listing listing = {
		.graph = graph, .ways = out, .at = at, .from = NET_NOBODY, .to = to};
	uint32_t kept = 0;

	for (uint32_t port = 0;
	     link != NET_NOBODY && port < net_graph_ports(graph, at + graph->hosts); port++) {
		const struct net_peer *peer = net_graph_peer(graph, at + graph->hosts, port);

		if (peer->node != NET_NOBODY && (peer->link ^ 1u) == link)
			listing.from = peer->node - graph->hosts;
	}
	if (to == at || to == listing.from)
		return 0;
	list(&listing, plan, link);
	if (pruning.dual)
		drop_dual(&listing, plan);
	merge(&listing);
	for (uint32_t i = 0; i < listing.count; i++) {
		const bool hosts = link == NET_NOBODY;
		const uint32_t shortest = out[0].length;

		if (hosts)
			out[i].escape = i == 0;
		if (out[i].escape || !((pruning.twice && out[i].length > 2 * shortest) ||
				       (pruning.source && hosts && out[i].length >= 2 * shortest)))
			out[kept++] = out[i];
	}
	return kept;
}
