// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/tie.h"

#include <stdlib.h>

#include "trace/random.h"

enum tr_status net_ties_open(struct net_ties *ties, const struct net_graph *graph,
			     const struct net_routing_choices *choices, struct tr_error *err)
{
	struct tr_random random;

	tr_random_open(&random, choices->seed, "routes");
	*ties = (struct net_ties){.tie = choices->tie, .key = {random.key[0], random.key[1]}};
	ties->place = calloc((size_t)graph->hosts + 1, sizeof(*ties->place));
	ties->share = calloc((size_t)net_graph_switches(graph) + 1, sizeof(*ties->share));
	if (ties->place == NULL || ties->share == NULL)
		return tr_fail(err, "no memory for routes");
	for (uint32_t host = 0; host < graph->hosts; host++) {
		uint32_t node = net_graph_peer(graph, host, 0)->node;

		if (net_graph_is_switch(graph, node))
			ties->place[host] = ties->share[node - graph->hosts]++;
	}
	return TR_OK;
}

void net_ties_close(struct net_ties *ties)
{
	free(ties->place);
	free(ties->share);
	*ties = (struct net_ties){0};
}

void net_choice_start(struct net_choice *choice, const struct net_ties *ties, uint32_t source,
		      uint32_t destination, uint32_t home)
{
	*choice = (struct net_choice){.ties = ties, .source = source, .destination = destination,
				      .home = home, .digits = destination};
}

// The hosts of the first switch in equal parts, in their order; later the same hosts in turns.
static uint32_t by_source(const struct net_choice *choice, uint32_t count)
{
	uint64_t place = choice->ties->place[choice->source];

	if (choice->began)
		return (uint32_t)(place % count);
	return (uint32_t)((2 * place + 1) * count / (2 * (uint64_t)choice->ties->share[choice->home]));
}

// The destination's digits, smallest first, in the bases that the switches give, so that in a tree
// the destinations of one branch are shared out on each level anew.
static uint32_t by_destination(struct net_choice *choice, uint32_t count)
{
	uint32_t chosen = choice->digits % count;

	choice->digits /= count;
	return chosen;
}

static uint32_t by_hash(const struct net_choice *choice, uint32_t where, uint32_t count)
{
	const uint32_t counter[4] = {choice->source, choice->destination, where, 0};
	uint32_t block[4];

	tr_random_block(counter, choice->ties->key, block);
	return (uint32_t)((uint64_t)block[0] * count >> 32);
}

uint32_t net_choice_make(struct net_choice *choice, uint32_t where, uint32_t count)
{
	uint32_t chosen = 0;

	if (count == 1)
		return 0;
	switch (choice->ties->tie) {
	case NET_TIE_HASH: chosen = by_hash(choice, where, count); break;
	case NET_TIE_DESTINATION: chosen = by_destination(choice, count); break;
	case NET_TIE_SOURCE: chosen = by_source(choice, count); break;
	case NET_TIE_LOWEST:
	case NET_TIE_LOAD: break;
	}
	choice->began = true;
	return chosen;
}
