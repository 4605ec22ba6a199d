// SPDX-License-Identifier: GPL-3.0-or-later
// Bisections by trying all halves: the sides of the switches go through a Gray code, in which one
// switch changes sides at a time, so that the cut and the balance of the hosts follow by one row of
// cables.
#include "flitnet.h"

#include <string.h>

#include "net/topology/graph.h"

struct sides {
	uint32_t count; // of switches
	uint32_t cables[BISECTION_EXACT_MAX][BISECTION_EXACT_MAX];
	int64_t hosts[BISECTION_EXACT_MAX];
	int64_t direct;			   // pairs of hosts on one cable
	int64_t side[BISECTION_EXACT_MAX]; // 1 or -1
	int64_t balance;		   // hosts on side 1 less those on the other
	uint32_t ones;			   // switches on side 1
	uint64_t cut;
};

static void open_sides(struct sides *sides, const struct net_graph *graph)
{
	*sides = (struct sides){.count = net_graph_switches(graph)};
	for (uint32_t i = 0; i < sides->count; i++) {
		const uint32_t node = graph->hosts + i;

		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			if (net_graph_is_switch(graph, peer) && peer != node)
				sides->cables[i][peer - graph->hosts]++;
			sides->hosts[i] += peer < graph->hosts;
		}
		sides->side[i] = 1;
		sides->balance += sides->hosts[i];
	}
	sides->ones = sides->count;
	for (uint32_t host = 0; host < graph->hosts; host++)
		sides->direct += net_graph_peer(graph, host, 0)->node < graph->hosts;
	sides->direct /= 2;
}

static void bisection_exact_change(struct sides *sides, uint32_t i)
{
	int64_t gained = 0;

	for (uint32_t j = 0; j < sides->count; j++)
		gained += sides->side[i] * sides->side[j] * (int64_t)sides->cables[i][j];
	sides->cut += (uint64_t)gained;
	sides->balance -= 2 * sides->side[i] * sides->hosts[i];
	sides->ones = sides->side[i] > 0 ? sides->ones - 1 : sides->ones + 1;
	sides->side[i] = -sides->side[i];
}

// Cables to cut for single hosts that change sides. Two hosts on one cable of their own go to
// either side for nothing.
static uint64_t cost_of_hosts(const struct sides *sides)
{
	const int64_t apart = sides->balance < 0 ? -sides->balance : sides->balance;
	const int64_t free_hosts = 2 * sides->direct;
	int64_t rest;

	if (apart >= free_hosts)
		return (uint64_t)(apart - free_hosts) / 2;
	rest = (apart + free_hosts) % 4;
	return (uint64_t)(rest < 4 - rest ? rest : 4 - rest) / 2;
}

static void bisection_exact_take(const struct sides *sides, struct bisection *found)
{
	const uint64_t by_hosts = sides->cut + cost_of_hosts(sides);

	if (by_hosts < found->hosts)
		found->hosts = by_hosts;
	if ((sides->ones == sides->count / 2 || sides->ones == sides->count - sides->count / 2) &&
	    sides->cut < found->switches)
		found->switches = sides->cut;
}

void bisection_try_all(const struct net_graph *graph, struct bisection *found)
{
	struct sides sides;

	open_sides(&sides, graph);
	*found = (struct bisection){.hosts = UINT64_MAX,
				    .switches = sides.count > 0 ? UINT64_MAX : 0};
	bisection_exact_take(&sides, found);
	// The last switch stays: halves that are exchanged are the same.
	for (uint64_t step = 1; sides.count > 1 && step < UINT64_C(1) << (sides.count - 1);
	     step++) {
		bisection_exact_change(&sides, (uint32_t)__builtin_ctzll(step));
		bisection_exact_take(&sides, found);
	}
	found->least_hosts = found->hosts;
	found->least_switches = found->switches;
}
