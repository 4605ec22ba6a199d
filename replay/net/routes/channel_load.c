// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/channel_load.h"

#include <math.h>
#include <stdlib.h>

static double weight_of(const struct net_loads *loads, uint32_t source, uint32_t destination)
{
	return !loads->weights ? 1 : loads->weights[(size_t)source * loads->hosts + destination];
}

static void count_pair(struct net_loads *loads, double weight, uint32_t switches)
{
	loads->offered += weight;
	loads->pairs++;
	loads->switches += switches;
	loads->lengths[switches]++;
}

enum tr_status net_loads_take(void *context, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err)
{
	struct net_loads *loads = context;
	const double weight = weight_of(loads, source, destination);

	(void)err;
	for (uint32_t i = 0; i < path->count; i++)
		loads->links[path->links[i]] += weight;
	count_pair(loads, weight, path->count - 1);
	return TR_OK;
}

enum tr_status net_loads_take_step(void *context, const struct net_spread_step *step,
				   struct tr_error *err)
{
	struct net_loads *loads = context;

	(void)err;
	loads->links[step->link] += step->amount;
	loads->lengths[step->switches] += step->pairs;
	loads->switches += step->pairs * step->switches;
	if (step->before != NET_NOBODY)
		return TR_OK;
	loads->offered += step->amount;
	loads->pairs++;
	if (step->last == step->link)
		loads->lengths[0]++;
	else
		loads->links[step->last] += step->amount;
	return TR_OK;
}

#define LOAD_STEPS 1048576.0 // in a unit of load

void net_loads_round(struct net_loads *loads)
{
	for (uint32_t i = 0; i < loads->count; i++)
		loads->links[i] = nearbyint(loads->links[i] * LOAD_STEPS) / LOAD_STEPS;
	for (uint32_t i = 0; i <= loads->longest; i++)
		loads->lengths[i] = nearbyint(loads->lengths[i] * LOAD_STEPS) / LOAD_STEPS;
	loads->switches = nearbyint(loads->switches * LOAD_STEPS) / LOAD_STEPS;
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
	if (!routes->spread)
		return net_paths_visit(graph, routes, &loads->missing, net_loads_take, loads, err);
	if (net_spread_visit(graph, routes, demand.weights, &loads->missing, net_loads_take_step,
			     loads, err) != TR_OK)
		return TR_ERROR;
	net_loads_round(loads);
	return TR_OK;
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
