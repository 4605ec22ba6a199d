// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routings/tie.h"

#include <stdlib.h>

#include "trace/philox.h"
#include "trace/random.h"

enum tr_status net_ties_open(struct net_ties *ties, const struct net_graph *graph, const struct net_routing_choices *choices,
			     struct tr_error *err)
{
	struct tr_random random;

	tr_random_open(&random, choices->seed, "routes");
	*ties = (struct net_ties){.tie = choices->tie, .key = {random.key[0], random.key[1]}};
	ties->place = calloc((size_t)graph->hosts + 1, sizeof(*ties->place));
	ties->share = calloc((size_t)net_graph_switches(graph) + 1, sizeof(*ties->share));
	if (!ties->place || !ties->share)
		return tr_no_memory(err, "routes");
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

void net_choice_start(struct net_choice *choice, const struct net_ties *ties, uint32_t source, uint32_t destination,
		      uint32_t home)
{
	*choice = (struct net_choice){.ties = ties,
				      .source = source,
				      .destination = destination,
				      .home = home,
				      .digits = ties->tie == NET_TIE_SOURCE ? home : destination};
}

// Index of the branch that has so many before it in the order of cables.
static uint32_t in_order_of_cables(const struct net_branch *branches, uint32_t count, uint64_t place)
{
	uint32_t chosen = 0;

	for (; chosen < count; chosen++) {
		uint64_t before = 0;

		for (uint32_t i = 0; i < count; i++)
			before += branches[i].link < branches[chosen].link;
		if (before == place)
			break;
	}
	return chosen;
}

// The next digit, in the base that the switch gives. So in a tree the hosts of one branch are shared out
// on each level anew.
static uint32_t next_digit(struct net_choice *choice, uint32_t count)
{
	uint32_t digit = choice->digits % count;

	choice->digits /= count;
	return digit;
}

// The hosts of the first switch in equal parts, in their order; later the first switches in turns. Cables
// and not ports are shared out, so that both ends of a bundle number it alike.
static uint32_t by_source(struct net_choice *choice, const struct net_branch *branches, uint32_t count)
{
	uint64_t place = choice->ties->place[choice->source];
	uint64_t share = choice->ties->share[choice->home];

	return in_order_of_cables(branches, count,
				  choice->began ? next_digit(choice, count) : (2 * place + 1) * count / (2 * share));
}

static uint32_t by_hash(const struct net_choice *choice, uint32_t where, uint32_t count)
{
	const uint32_t counter[4] = {choice->source, choice->destination, where, 0};
	uint32_t block[4];

	philox_block(counter, choice->ties->key, block);
	return (uint32_t)((uint64_t)block[0] * count >> 32);
}

uint32_t net_choice_make(struct net_choice *choice, uint32_t where, const struct net_branch *branches, uint32_t count)
{
	uint32_t chosen = 0;

	if (count == 1)
		return 0;
	switch (choice->ties->tie) {
	case NET_TIE_HASH: chosen = by_hash(choice, where, count); break;
	case NET_TIE_DESTINATION: chosen = next_digit(choice, count); break;
	case NET_TIE_SOURCE: chosen = by_source(choice, branches, count); break;
	case NET_TIE_LOWEST:
	case NET_TIE_LOAD:
	case NET_TIE_DEFAULT: break;
	}
	choice->began = true;
	return chosen;
}
