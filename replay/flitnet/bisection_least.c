// SPDX-License-Identifier: GPL-3.0-or-later
// What a bisection has at least (F. T. Leighton, Introduction to parallel algorithms and
// architectures, 1992, section 1.9): let each two switches send one unit each way, shared out
// evenly over their shortest routes. Halves part floor(n / 2) ceil(n / 2) pairs, each of which
// crosses the cut, so if no cable carries more than L each way, at least that divided by L are cut.
// Of hosts the cables of single ones may be cut as well: a switches' cut that leaves a hosts on one
// side costs a (n - a) / L cables at least and then n / 2 - a hosts', which is least for a of n / 2
// or 0. Loads are sums over breadth-first searches (U. Brandes, A faster algorithm for betweenness
// centrality, Journal of Mathematical Sociology 25, 2001). Known values: k^(n-1) k / 2 for a
// hypercube, 2 k^(n-1) for a k-ary n-cube of even k > 2, S^2 / 4 for S switches all joined.
#include "flitnet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/cut.h"

#define WORK_MAX 1e9  // steps: switches times ends of cables
#define ROUNDING 1e-9 // more than sums of 10^9 terms lose

struct least_search {
	const struct net_cut *cut;
	int32_t *queue;
	int32_t *distance; // -1: not reached
	double *ways;	   // shortest routes from the source
	double *through;   // units that leave the source for a switch or switches behind it
	double *loads; // of a cable to a neighbour, by place in cut->neighbours, in that direction
};

// Shortest routes from a switch; returns how many switches are reached, nearest first in the queue.
static int32_t least_spread(struct least_search *search, int32_t from)
{
	const struct net_cut *cut = search->cut;
	int32_t tail = 1;

	for (int32_t i = 0; i < cut->count; i++) {
		search->distance[i] = -1;
		search->ways[i] = 0;
	}
	search->queue[0] = from;
	search->distance[from] = 0;
	search->ways[from] = 1;
	for (int32_t head = 0; head < tail; head++) {
		const int32_t i = search->queue[head];

		for (int32_t at = cut->first[i]; at < cut->first[i + 1]; at++) {
			const int32_t j = cut->neighbours[at];

			if (search->distance[j] < 0) {
				search->distance[j] = search->distance[i] + 1;
				search->queue[tail++] = j;
			}
			if (search->distance[j] == search->distance[i] + 1)
				search->ways[j] += search->ways[i] * cut->cables[at];
		}
	}
	return tail;
}

// Adds what a source sends, its weight times that of each switch reached.
static void least_load(struct least_search *search, const int32_t *weights, int32_t reached)
{
	const struct net_cut *cut = search->cut;

	for (int32_t i = 0; i < cut->count; i++)
		search->through[i] = (double)weights[search->queue[0]] * weights[i];
	for (int32_t tail = reached - 1; tail >= 0; tail--) {
		const int32_t i = search->queue[tail];

		for (int32_t at = cut->first[i]; at < cut->first[i + 1]; at++) {
			const int32_t j = cut->neighbours[at];
			double share;

			if (search->distance[j] != search->distance[i] - 1)
				continue;
			share = search->through[i] * search->ways[j] / search->ways[i];
			search->loads[at] += share;
			search->through[j] += share * cut->cables[at];
		}
	}
}

// The most that a cable carries in one direction, which is what it carries in the other; 0 where
// not all switches are joined, or there are too many routes to count.
static double least_fullest(struct least_search *search, const int32_t *weights)
{
	const struct net_cut *cut = search->cut;
	double fullest = 0;

	memset(search->loads, 0, (size_t)cut->first[cut->count] * sizeof(*search->loads));
	for (int32_t from = 0; from < cut->count; from++) {
		const int32_t reached = least_spread(search, from);

		if (reached < cut->count)
			return 0;
		least_load(search, weights, reached);
	}
	for (int32_t at = 0; at < cut->first[cut->count]; at++) {
		if (!isfinite(search->loads[at]))
			return 0;
		fullest = fmax(fullest, search->loads[at]);
	}
	return fullest;
}

// The least cables that part this many pairs.
static uint64_t least_cables(uint64_t number, double fullest)
{
	const double pairs = (double)(number / 2) * (double)(number - number / 2);

	return fullest > 0 ? (uint64_t)ceil(pairs / fullest * (1 - ROUNDING)) : 0;
}

enum tr_status bisection_find_least(const struct net_cut *cut, uint32_t hosts,
				    struct bisection *found, struct tr_error *err)
{
	const size_t room = (size_t)cut->count + 1;
	struct least_search search = {.cut = cut};
	uint64_t on_switches = 0;
	bool ready;

	if ((double)cut->count * cut->first[cut->count] > WORK_MAX)
		return TR_OK;
	for (int32_t i = 0; i < cut->count; i++)
		on_switches += (uint64_t)cut->hosts[i];
	search.queue = calloc(room, sizeof(*search.queue));
	search.distance = calloc(room, sizeof(*search.distance));
	search.ways = calloc(room, sizeof(*search.ways));
	search.through = calloc(room, sizeof(*search.through));
	search.loads = calloc((size_t)cut->first[cut->count] + 1, sizeof(*search.loads));
	ready = search.queue && search.distance && search.ways && search.through && search.loads;
	if (ready) {
		if (on_switches == hosts)
			found->least_hosts = least_cables(hosts,
							  least_fullest(&search, cut->hosts));
		if (found->least_hosts > hosts / 2)
			found->least_hosts = hosts / 2;
		found->least_switches = least_cables((uint64_t)cut->count,
						     least_fullest(&search, cut->ones));
	}
	free(search.queue);
	free(search.distance);
	free(search.ways);
	free(search.through);
	free(search.loads);
	return ready ? TR_OK : tr_no_memory(err, "bounds of a bisection");
}
