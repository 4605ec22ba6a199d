// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/trails/strand.h"

#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/distances.h"

void net_strand_close(struct net_strand *strand)
{
	free(strand->at);
	free(strand->links);
	free(strand->first);
	free(strand->visits);
	free(strand->visit_of);
	free(strand->step_of);
	free(strand->shortcuts);
	free(strand->shortcut_first);
	free(strand->walks);
	*strand = (struct net_strand){0};
}

static enum tr_status strand_take_memory(struct net_strand *strand, const struct net_graph *graph,
					 struct tr_error *err)
{
	const size_t positions = (size_t)strand->steps + 1;

	if (strand->switches > NET_DISTANCE_SWITCHES_MAX)
		return tr_fail(err, "%u switches; at most %u", strand->switches,
			       NET_DISTANCE_SWITCHES_MAX);
	strand->at = calloc(positions, sizeof(*strand->at));
	strand->links = calloc(positions, sizeof(*strand->links));
	strand->first = calloc((size_t)strand->switches + 2, sizeof(*strand->first));
	strand->visits = calloc(positions, sizeof(*strand->visits));
	strand->visit_of = calloc(positions, sizeof(*strand->visit_of));
	strand->step_of = malloc((graph->links + (size_t)1) * sizeof(*strand->step_of));
	strand->walks = malloc(positions * strand->switches * sizeof(*strand->walks));
	if (!strand->at || !strand->links || !strand->first || !strand->visits ||
	    !strand->visit_of || !strand->step_of || !strand->walks)
		return tr_no_memory(err, "the trail");
	return TR_OK;
}

static void strand_lay_forward(struct net_strand *strand, const struct net_trail *trail)
{
	memcpy(strand->at, trail->at, (trail->steps + (size_t)1) * sizeof(*strand->at));
	memcpy(strand->links, trail->links, trail->steps * sizeof(*strand->links));
}

static void lay_backward(struct net_strand *strand, const struct net_trail *trail, uint32_t begin)
{
	for (uint32_t i = 0; i < trail->steps; i++) {
		strand->links[begin + i] = trail->links[trail->steps - 1 - i] ^ 1u;
		strand->at[begin + i] = trail->at[trail->steps - i];
	}
	strand->at[begin + trail->steps] = trail->at[0];
}

static void list_visits(struct net_strand *strand, const struct net_graph *graph)
{
	memset(strand->step_of, 0xff, graph->links * sizeof(*strand->step_of));
	for (uint32_t i = 0; i < strand->steps; i++)
		strand->step_of[strand->links[i]] = i;
	for (uint32_t i = 0; i <= strand->steps; i++)
		strand->first[strand->at[i] + 2]++;
	for (uint32_t i = 2; i < strand->switches + 2; i++)
		strand->first[i] += strand->first[i - 1];
	for (uint32_t i = 0; i <= strand->steps; i++) {
		const uint32_t visit = strand->first[strand->at[i] + 1]++;

		strand->visits[visit] = i;
		strand->visit_of[i] = visit;
	}
}

// From a position a worm takes the step there, or waits for the next visit of the switch: Qiao
// 1997, section 4.3.
static void measure_walks(struct net_strand *strand)
{
	const size_t switches = strand->switches;

	for (uint32_t position = strand->steps + 1; position-- > 0;) {
		uint16_t *walks = strand->walks + position * switches;
		const uint32_t at = strand->at[position];
		const uint32_t next = strand->visit_of[position] + 1;
		const uint16_t *step = position < strand->steps ? walks + switches : NULL;
		const uint16_t *wait = next < strand->first[at + 1]
					       ? strand->walks + strand->visits[next] * switches
					       : NULL;

		if (wait)
			memcpy(walks, wait, switches * sizeof(*walks));
		else
			memset(walks, 0xff, switches * sizeof(*walks));
		for (size_t to = 0; step && to < switches; to++)
			if (step[to] < walks[to] && step[to] + 1 < walks[to])
				walks[to] = (uint16_t)(step[to] + 1);
		walks[at] = 0;
	}
}

enum tr_status net_strand_open(struct net_strand *strand, const struct net_graph *graph,
			       const struct net_trail *trail, enum net_strand_form form,
			       struct tr_error *err)
{
	*strand = (struct net_strand){.switches = net_graph_switches(graph), .steps = trail->steps};
	if (form == NET_STRAND_BOTH)
		strand->steps *= 2;
	if (strand_take_memory(strand, graph, err) != TR_OK)
		return TR_ERROR;
	if (form != NET_STRAND_BACKWARD)
		strand_lay_forward(strand, trail);
	if (form != NET_STRAND_FORWARD)
		lay_backward(strand, trail, strand->steps - trail->steps);
	list_visits(strand, graph);
	measure_walks(strand);
	return TR_OK;
}

uint32_t net_strand_visit_from(const struct net_strand *strand, uint32_t at, uint32_t position)
{
	uint32_t low = strand->first[at];
	uint32_t high = strand->first[at + 1];

	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;

		if (strand->visits[middle] < position)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
