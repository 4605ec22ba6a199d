// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/pairs.h"

#include <math.h>
#include <stdlib.h>

enum tr_status pairs_open(struct pairs *pairs, uint64_t nodes, struct tr_error *err)
{
	*pairs = (struct pairs){.nodes = (uint32_t)nodes};
	if (nodes > PAIRS_NODES_MAX)
		return tr_fail(err, "a table of all pairs has at most %u nodes, not %llu",
			       PAIRS_NODES_MAX, (unsigned long long)nodes);
	pairs->wire_Bps = calloc(nodes * nodes + 1, sizeof(*pairs->wire_Bps));
	pairs->classes = calloc(nodes + 1, sizeof(*pairs->classes));
	pairs->rates_bps = calloc(nodes + 1, sizeof(*pairs->rates_bps));
	pairs->servers = calloc(nodes + 1, sizeof(*pairs->servers));
	if (!pairs->wire_Bps || !pairs->classes || !pairs->rates_bps || !pairs->servers)
		return tr_no_memory(err, "the pairs of %llu nodes", (unsigned long long)nodes);
	for (uint64_t i = 0; i < nodes; i++)
		pairs->rates_bps[i] = NAN;
	return TR_OK;
}

void pairs_clear(struct pairs *pairs)
{
	free(pairs->wire_Bps);
	free(pairs->classes);
	free(pairs->rates_bps);
	free(pairs->servers);
	*pairs = (struct pairs){.nodes = 0};
}
