// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>
#include <string.h>

#include "net/studies/trails/reach.h"
#include "net/studies/trails/trail_routes.h"

static void take_shorter(uint16_t *lengths, const uint16_t *hops, uint32_t more, uint32_t switches)
{
	for (uint32_t to = 0; to < switches; to++)
		if (hops[to] != NET_APART && hops[to] + more < lengths[to])
			lengths[to] = (uint16_t)(hops[to] + more);
}

// From a switch: along the strand from its first visit, and over the first shortcut of the source
// type on each link; tried has a byte for each link.
static void measure_from(struct net_reach *reach, unsigned char *tried, uint32_t at,
			 uint16_t *lengths)
{
	const struct net_strand *strand = reach->strand;
	const uint32_t first = strand->first[at];

	net_reach_search(reach, &(struct net_reach_from){strand->visits[first],
							 NET_NOBODY,
							 {NET_NOBODY, NET_NOBODY},
							 NET_NOBODY});
	take_shorter(lengths, reach->hops, 0, strand->switches);
	for (uint32_t visit = first; visit < strand->first[at + 1] && strand->shortcut_count > 0;
	     visit++) {
		const uint32_t position = strand->visits[visit];

		for (uint32_t i = strand->shortcut_first[position];
		     i < strand->shortcut_first[position + 1]; i++) {
			if ((strand->shortcuts[i].types & NET_SOURCE) == 0 ||
			    tried[strand->shortcuts[i].link])
				continue;
			tried[strand->shortcuts[i].link] = 1;
			net_reach_search(reach, &(struct net_reach_from){strand->shortcuts[i].to,
									 NET_NOBODY,
									 {at, NET_NOBODY},
									 NET_NOBODY});
			take_shorter(lengths, reach->hops, 1, strand->switches);
		}
	}
}

uint16_t *net_trail_lengths(const struct net_graph *graph, const struct net_strand *strands,
			    uint32_t count, struct tr_error *err)
{
	const size_t switches = net_graph_switches(graph);
	uint16_t *lengths = malloc((switches * switches + 1) * sizeof(*lengths));
	unsigned char *tried = malloc(graph->links + (size_t)1);
	enum tr_status status = lengths && tried ? TR_OK
						 : tr_no_memory(err, "the lengths of routes");

	if (status == TR_OK)
		memset(lengths, 0xff, switches * switches * sizeof(*lengths));
	for (uint32_t i = 0; i < count && status == TR_OK; i++) {
		struct net_reach reach;

		memset(tried, 0, graph->links);
		status = net_reach_open(&reach, &strands[i], graph, err);
		for (uint32_t at = 0; at < switches && status == TR_OK; at++)
			measure_from(&reach, tried, at, lengths + at * switches);
		net_reach_close(&reach);
	}
	free(tried);
	if (status == TR_OK)
		return lengths;
	free(lengths);
	return NULL;
}
