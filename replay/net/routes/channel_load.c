// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/channel_load.h"

#include <stdlib.h>

enum tr_status net_loads_take(void *context, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err)
{
	struct net_loads *loads = context;
	double weight = !loads->weights
				? 1
				: loads->weights[(size_t)source * loads->hosts + destination];

	(void)err;
	for (uint32_t i = 0; i < path->count; i++)
		loads->links[path->links[i]] += weight;
	loads->offered += weight;
	loads->pairs++;
	loads->switches += path->count - 1;
	loads->lengths[path->count - 1]++;
	return TR_OK;
}

enum tr_status net_loads_open(struct net_loads *loads, const struct net_graph *graph,
			      const struct net_routes *routes, struct net_demand demand,
			      struct tr_error *err)
{
	*loads = (struct net_loads){.weights = demand.weights,
				    .hosts = routes->hosts,
				    .count = graph->links,
				    .longest = routes->longest};
	loads->links = calloc((size_t)loads->count + 1, sizeof(*loads->links));
	loads->lengths = calloc((size_t)loads->longest + 1, sizeof(*loads->lengths));
	return loads->links && loads->lengths ? TR_OK : tr_no_memory(err, "the channels' loads");
}

enum tr_status net_loads_find(struct net_loads *loads, const struct net_graph *graph,
			      const struct net_routes *routes, struct net_demand demand,
			      struct tr_error *err)
{
	if (net_loads_open(loads, graph, routes, demand, err) != TR_OK)
		return TR_ERROR;
	return net_paths_visit(graph, routes, &loads->missing, net_loads_take, loads, err);
}

double net_loads_saturation(const struct net_loads *loads, uint32_t hosts, const double *rates,
			    uint32_t *fullest)
{
	double most = 0;

	for (uint32_t link = 0; link < loads->count; link++) {
		double load = loads->links[link] / (rates ? rates[link] : 1);

		if (load <= most)
			continue;
		most = load;
		if (fullest)
			*fullest = link;
	}
	return most > 0 ? loads->offered / hosts / most : 0;
}

void net_loads_clear(struct net_loads *loads)
{
	free(loads->links);
	free(loads->lengths);
	*loads = (struct net_loads){0};
}
