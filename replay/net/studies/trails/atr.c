// SPDX-License-Identifier: GPL-3.0-or-later
// Adaptive-trail routing (W. Qiao and L. M. Ni, Adaptive routing in irregular networks using
// cut-through switches, ICPP 1996; Qiao 1997, section 4.4): along an Eulerian trail or back along
// it, with shortcuts. net/studies/trails/adaptive-trails.md has it in full.
#include "net/routes/choices.h"
#include "net/routings/routing.h"
#include "net/studies/trails/trail_plan.h"

struct atr_params {
	struct net_trail_params trail;
};

static const struct key keys[] = {
	NET_TRAIL_KEYS(struct atr_params, NULL),
	{"free-rule", KEY_FLAG, offsetof(struct atr_params, trail.free_rule), "no|yes", NULL,
	 "remove shortcuts of the free type that can close a cycle; off is for study"},
	{"source-rule", KEY_FLAG, offsetof(struct atr_params, trail.source_rule), "no|yes", NULL,
	 "remove shortcuts of the source type that can close a cycle; off is for study"},
	{.type = KEY_END},
};

static const struct atr_params usual = {NET_TRAIL_USUAL};

static enum tr_status make_routes(struct net_routes *routes, const struct net_graph *graph,
				  const struct atr_params *params, struct tr_error *err)
{
	const struct net_trail_style style = {true, !params->trail.free_rule,
					      !params->trail.source_rule};
	const struct net_trail_pruning pruning = {params->trail.dual, params->trail.twice,
						  params->trail.source};
	struct net_choices *choices = NULL;
	struct net_trail_plan plan;
	enum tr_status status = net_trail_plan_open(&plan, graph, &params->trail, style, err);

	if (status == TR_OK)
		choices = net_choices_open(graph, 1, err);
	if (!choices)
		status = TR_ERROR;
	if (status == TR_OK)
		status = net_trail_choices_fill(choices, plan.strands, plan.strand_count, pruning,
						err);
	net_trail_plan_close(&plan);
	if (status == TR_OK) {
		net_choices_need_empty(choices, true);
		return net_choices_routes(routes, choices, err);
	}
	net_choices_close(choices);
	return TR_ERROR;
}

static enum tr_status atr_make(struct net_routes *routes, const struct net_topology *topology,
			       const void *params, struct tr_error *err)
{
	struct net_graph graph;
	enum tr_status status = net_graph_open(&graph, topology, err);

	*routes = (struct net_routes){0};
	if (status == TR_OK)
		status = make_routes(routes, &graph, params, err);
	net_graph_close(&graph);
	return status;
}

const struct net_routing net_routing_atr = {
	.name = "atr",
	.summary = "adaptive-trail: along an Eulerian trail or back, with shortcuts; no deadlock",
	.keys = keys,
	.params_bytes = sizeof(usual),
	.usual = &usual,
	.make = atr_make,
};
