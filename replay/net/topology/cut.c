// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/topology/cut.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef FLIT_METIS
#include <metis.h>
_Static_assert(sizeof(idx_t) == sizeof(int32_t), "METIS numbers nodes by 32 bits");
#endif

// Adds a cable of switch i to a neighbour, which is new or among those since first[i].
static void cut_add_neighbour(struct net_cut *cut, uint32_t i, int32_t neighbour)
{
	int32_t at = cut->first[i];

	while (at < cut->first[i + 1] && cut->neighbours[at] != neighbour)
		at++;
	if (at == cut->first[i + 1])
		cut->neighbours[cut->first[i + 1]++] = neighbour;
	cut->cables[at]++;
}

enum tr_status net_cut_open(struct net_cut *cut, const struct net_graph *graph,
			    struct tr_error *err)
{
	const uint32_t switches = net_graph_switches(graph);
	const size_t ports = graph->first[graph->nodes] + 1;

	*cut = (struct net_cut){.count = (int32_t)switches};
	cut->first = calloc((size_t)switches + 1, sizeof(int32_t));
	cut->hosts = calloc((size_t)switches + 1, sizeof(int32_t));
	cut->ones = calloc((size_t)switches + 1, sizeof(int32_t));
	cut->part = calloc((size_t)switches + 1, sizeof(int32_t));
	cut->neighbours = calloc(ports, sizeof(int32_t));
	cut->cables = calloc(ports, sizeof(int32_t));
	if (!cut->first || !cut->hosts || !cut->ones || !cut->part || !cut->neighbours ||
	    !cut->cables)
		return tr_no_memory(err, "a cut of the network");
	for (uint32_t i = 0; i < switches; i++) {
		const uint32_t node = graph->hosts + i;

		cut->first[i + 1] = cut->first[i];
		cut->ones[i] = 1;
		for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
			const uint32_t peer = net_graph_peer(graph, node, port)->node;

			if (net_graph_is_switch(graph, peer) && peer != node)
				cut_add_neighbour(cut, i, (int32_t)(peer - graph->hosts));
			else if (peer < graph->hosts)
				cut->hosts[i]++;
		}
	}
	return TR_OK;
}

#ifdef FLIT_METIS
// METIS takes SIGTERM and SIGABRT for its own errors while it runs, and jumps out of what it does:
// SIGTERM waits until then. It gives their actions back as ones that hold once.
static int cut_by_metis(struct net_cut *cut, idx_t parts, idx_t *weights, idx_t *options)
{
	idx_t constraints = 1, cables;
	struct sigaction on_term, on_abort;
	sigset_t held, before;
	int status;

	sigemptyset(&held);
	sigaddset(&held, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &held, &before);
	sigaction(SIGTERM, NULL, &on_term);
	sigaction(SIGABRT, NULL, &on_abort);
	status = METIS_PartGraphRecursive(&cut->count, &constraints, cut->first, cut->neighbours,
					  weights, NULL, cut->cables, &parts, NULL, NULL, options,
					  &cables, cut->part);
	sigaction(SIGTERM, &on_term, NULL);
	sigaction(SIGABRT, &on_abort, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return status;
}
#endif

enum tr_status net_cut_make(struct net_cut *cut, int32_t parts, int32_t *weights,
			    const struct net_cut_effort *effort, struct tr_error *err)
{
#ifdef FLIT_METIS
	idx_t options[METIS_NOPTIONS];

	(void)err;
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = effort->seed;
	options[METIS_OPTION_NCUTS] = effort->tries;
	options[METIS_OPTION_NITER] = effort->rounds;
	options[METIS_OPTION_UFACTOR] = effort->unbalanced;
	if (cut_by_metis(cut, parts, weights, options) != METIS_OK)
		memset(cut->part, 0, (size_t)cut->count * sizeof(*cut->part));
	return TR_OK;
#else
	(void)parts, (void)weights, (void)effort;
	return tr_fail(err, "no cut of %d switches: built without METIS", cut->count);
#endif
}

void net_cut_close(struct net_cut *cut)
{
	free(cut->first);
	free(cut->neighbours);
	free(cut->cables);
	free(cut->hosts);
	free(cut->ones);
	free(cut->part);
	*cut = (struct net_cut){0};
}
