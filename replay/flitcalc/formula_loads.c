// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <math.h>
#include <stdlib.h>

// Of the network, what does not depend on the traffic.
static enum tr_status find_facts(struct loaded_network *loaded, struct tr_error *err)
{
	const struct net_setup *setup = &loaded->network->setup;
	const struct net_topology *topology = setup->topology;

	if (loaded->network->fabric->kind->load_terms(setup->params, topology, &loaded->terms,
						      err) != TR_OK)
		return TR_ERROR;
	loaded->even = true;
	for (size_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];

		loaded->even = loaded->even &&
			       loaded->terms.rates_Bps[2 * i] == loaded->terms.rates_Bps[0];
		if (cable->ends[0].node >= topology->hosts &&
		    cable->ends[1].node >= topology->hosts)
			loaded->trunks += 2;
	}
	return net_route_lengths_find(&loaded->lengths, &loaded->graph, setup->routes,
				      loaded->request->selves, err);
}

enum tr_status loaded_network_open(struct loaded_network *loaded,
				   const struct formula_request *network,
				   const struct load_request *request, struct tr_error *err)
{
	const struct net_fabric *kind = network->fabric->kind;
	const double mean_B = num_value(request->mean_B);

	*loaded = (struct loaded_network){.network = network, .request = request};
	if (!kind->load_terms)
		return tr_fail(err, "%s has no formulas for a load", kind->name);
	if (net_graph_open(&loaded->graph, network->setup.topology, err) != TR_OK)
		return TR_ERROR;
	loaded->terms.rates_Bps = calloc((size_t)loaded->graph.links + 1,
					 sizeof(*loaded->terms.rates_Bps));
	if (!loaded->terms.rates_Bps)
		return tr_no_memory(err, "the links' rates");
	if (find_facts(loaded, err) != TR_OK)
		return TR_ERROR;
	if (mean_B > 0 && mean_B >= loaded->terms.header_B)
		return TR_OK;
	return tr_fail(err, "--mean-size: expected the header's %.0f B or more",
		       loaded->terms.header_B);
}

void loaded_network_close(struct loaded_network *loaded)
{
	net_graph_close(&loaded->graph);
	free(loaded->terms.rates_Bps);
	*loaded = (struct loaded_network){0};
}

// Whole amounts of weights, which are bytes.
static uint64_t *amounts(const double *weights, size_t count)
{
	uint64_t *matrix = calloc(count + 1, sizeof(*matrix));

	for (size_t i = 0; matrix && i < count; i++)
		matrix[i] = weights[i] < 0x1p64 ? (uint64_t)weights[i]
						: UINT64_MAX; // which no sum holds
	return matrix;
}

enum tr_status loaded_flows(const struct loaded_network *loaded, const double *weights,
			    struct net_flows *flows, struct tr_error *err)
{
	const struct net_routes *routes = loaded->network->setup.routes;
	enum tr_status status = net_flows_open(flows, &loaded->graph, routes, err);
	uint64_t *matrix = weights ? amounts(weights, (size_t)routes->hosts * routes->hosts) : NULL;

	if (status == TR_OK && weights && !matrix)
		status = tr_no_memory(err, "the traffic of %u hosts", routes->hosts);
	if (status == TR_OK)
		status = net_flows_add_matrix(flows, matrix, err);
	if (status == TR_OK && !weights && loaded->request->selves)
		status = net_flows_add_selves(flows, err);
	if (status == TR_OK && flows->offered == 0)
		status = tr_fail(err, "no host of the network sends anything to another");
	free(matrix);
	return status;
}

// Equations 3.8 to 3.10 and 3.12.
static void find_even(const struct loaded_network *loaded, const struct net_flows *flows,
		      struct load_point *point)
{
	const struct net_even_load even = {
		.rate_Bps = loaded->terms.rates_Bps[0],
		.hosts = loaded->graph.hosts,
		.cables = loaded->trunks / 2.,
		.packets_per_s = (double)flows->offered * point->load.unit_Bps /
				 point->load.mean_B / loaded->graph.hosts,
		.mean_B = point->load.mean_B,
		.header_B = point->load.header_B,
		.mean_route = (double)loaded->lengths.hops / (double)loaded->lengths.pairs,
		.from_elsewhere = 1 - net_flows_locality(flows),
	};

	point->even_saf_s = net_even_saf_s(&even);
	if (even.mean_route < 1)
		return;
	point->even_vct_s = net_even_vct_s(&even, 1 - net_even_trunk_utilisation(&even));
	point->adaptive_vct_s = net_even_vct_s(&even, point->delay.adaptive);
}

void load_point_find(const struct loaded_network *loaded, const struct net_flows *flows,
		     double unit_Bps, double mean_B, bool uniform, struct load_point *point)
{
	*point = (struct load_point){
		.load = {.flows = flows,
			 .rates_Bps = loaded->terms.rates_Bps,
			 .unit_Bps = unit_Bps,
			 .mean_B = mean_B},
		.share = (double)flows->offered * unit_Bps / loaded->graph.hosts /
			 loaded->terms.usual_Bps,
		.even_saf_s = NAN,
		.even_vct_s = NAN,
		.adaptive_vct_s = NAN,
	};
	point->load.header_B = fmin(loaded->terms.header_B, mean_B);
	net_delay_find(&point->load, &point->delay);
	if (uniform && loaded->even)
		find_even(loaded, flows, point);
}

double loaded_full(const struct loaded_network *loaded, const struct net_flows *flows,
		   unsigned roles, uint32_t *fullest)
{
	// Of one unit a second.
	const double most = net_flows_fullest(flows, loaded->terms.rates_Bps, roles, fullest);

	return (double)flows->offered / most / loaded->graph.hosts / loaded->terms.usual_Bps;
}
