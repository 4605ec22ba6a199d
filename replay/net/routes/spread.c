// SPDX-License-Identifier: GPL-3.0-or-later
// All ways of a pair pass as many switches, so they are followed link by link in layers, each link
// of a layer once.
#include "net/routes/spread.h"

#include <stdlib.h>

// A link of a layer.
struct spread_link {
	uint32_t link;
	uint32_t place; // behind it
	double share;
};

struct spread_layer {
	struct spread_link *links;
	uint32_t count;
};

struct spread_visit {
	const struct net_graph *graph;
	const struct net_routes *routes;
	struct spread_layer now, next;
	uint64_t *layer_of; // of each link: the number of the layer that it was last in, from 1
	uint32_t *index_of; // and its index there
	uint64_t layers;    // so far
	uint32_t depth;	    // of the pair's layers
	enum tr_status (*visit)(void *context, const struct net_spread_step *step,
				struct tr_error *err);
	void *context;
};

static enum tr_status open_layers(struct spread_visit *visit, struct tr_error *err)
{
	const size_t links = (size_t)visit->graph->links + 1;

	visit->now.links = calloc(links, sizeof(*visit->now.links));
	visit->next.links = calloc(links, sizeof(*visit->next.links));
	visit->layer_of = calloc(links, sizeof(*visit->layer_of));
	visit->index_of = calloc(links, sizeof(*visit->index_of));
	return visit->now.links && visit->next.links && visit->layer_of && visit->index_of
		       ? TR_OK
		       : tr_no_memory(err, "the ways of packets");
}

static void close_layers(struct spread_visit *visit)
{
	free(visit->now.links);
	free(visit->next.links);
	free(visit->layer_of);
	free(visit->index_of);
}

static void add_to_layer(struct spread_visit *visit, const struct net_branch *branch, double share)
{
	struct spread_layer *next = &visit->next;

	if (visit->layer_of[branch->link] != visit->layers) {
		visit->layer_of[branch->link] = visit->layers;
		visit->index_of[branch->link] = next->count;
		next->links[next->count++] = (struct spread_link){branch->link, branch->next, 0};
	}
	next->links[visit->index_of[branch->link]].share += share;
}

// The steps from the links of a layer to those of the next, which is empty after the last.
static enum tr_status step_on(struct spread_visit *visit, struct net_spread_step *step,
			      struct tr_error *err)
{
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const struct spread_layer layer = visit->next;
	struct net_branch branches[NET_PORTS_MAX];
	enum tr_status status = TR_OK;

	visit->next = (struct spread_layer){visit->now.links, 0};
	visit->now = layer;
	visit->layers++;
	visit->depth++;
	for (uint32_t i = 0; i < layer.count && status == TR_OK; i++) {
		const struct spread_link *from = &layer.links[i];
		const uint32_t count = ways->branches(visit->routes->state, from->place,
						      step->destination, branches);

		step->before = from->link;
		step->share = count > 0 ? from->share / count : from->share;
		for (uint32_t k = 0; k < count && status == TR_OK; k++) {
			add_to_layer(visit, &branches[k], step->share);
			step->link = branches[k].link;
			status = visit->visit(visit->context, step, err);
		}
		if (count > 0)
			continue;
		// A host's cable has a link each way.
		step->link = net_graph_peer(visit->graph, step->destination, 0)->link ^ 1u;
		step->ends = i == 0;
		step->switches = visit->depth;
		status = visit->visit(visit->context, step, err);
	}
	return status;
}

// TR_END: the pair has no route.
static enum tr_status spread_pair(struct spread_visit *visit, uint32_t source, uint32_t destination,
				  struct tr_error *err)
{
	const struct net_peer *own = net_graph_peer(visit->graph, source, 0);
	const struct net_routes_ways *ways = visit->routes->form->ways;
	const uint32_t start = ways->start(visit->routes->state, source, destination);
	struct net_spread_step step = {.source = source,
				       .destination = destination,
				       .before = NET_NOBODY,
				       .link = own->link,
				       .share = 1,
				       .ends = own->node == destination};
	enum tr_status status;

	if (start == NET_NO_ROUTE && !step.ends)
		return TR_END;
	status = visit->visit(visit->context, &step, err);
	if (step.ends)
		return status;
	visit->layers++;
	visit->depth = 0;
	visit->next.count = 0;
	add_to_layer(visit, &(struct net_branch){.link = own->link, .next = start}, 1);
	while (visit->next.count > 0 && status == TR_OK)
		status = step_on(visit, &step, err);
	return status;
}

enum tr_status net_spread_visit(const struct net_graph *graph, const struct net_routes *routes,
				uint64_t *missing,
				enum tr_status (*visit)(void *context,
							const struct net_spread_step *step,
							struct tr_error *err),
				void *context, struct tr_error *err)
{
	struct spread_visit ways = {
		.graph = graph, .routes = routes, .visit = visit, .context = context};
	enum tr_status status = open_layers(&ways, err);

	for (uint32_t from = 0; from < routes->hosts && status != TR_ERROR; from++)
		for (uint32_t to = 0; to < routes->hosts && status != TR_ERROR; to++) {
			if (from == to)
				continue;
			status = spread_pair(&ways, from, to, err);
			if (status == TR_END && missing)
				(*missing)++;
		}
	close_layers(&ways);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}
