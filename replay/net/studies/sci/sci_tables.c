// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/sci_tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "net/studies/sci/formulas.h"
#include "net/studies/sci/rings.h"
#include "table/table_rows.h"

#define DIGITS 9
#define SYSTEM_DIMENSIONS 5u // columns of the table of systems

static const uint32_t usual_size_B = SCI_PACKET_B;

// Destinations that are alike for a source: by links there and back, and rings.
struct sci_tables_distance {
	uint32_t hops;
	uint32_t back;
	uint32_t rings;
	uint64_t pairs;
	uint32_t along[NET_DIMENSIONS_MAX];  // of one of them
	uint32_t around[NET_DIMENSIONS_MAX]; // there and back
};

static int by_distance(const void *a, const void *b)
{
	const struct sci_tables_distance *left = a, *right = b;

	if (left->rings != right->rings)
		return left->rings < right->rings ? -1 : 1;
	if (left->hops != right->hops)
		return left->hops < right->hops ? -1 : 1;
	return left->back < right->back ? -1 : left->back > right->back;
}

// From node 0; all nodes see the same.
static struct sci_tables_distance sci_tables_distance_to(const struct sci_rings *rings,
							 uint32_t node)
{
	struct sci_tables_distance distance = {.pairs = rings->nodes};

	for (uint32_t d = 0; d < rings->dimensions; d++) {
		const uint32_t onward = sci_rings_hops(rings, 0, node, d),
			       back = rings->sizes[d] - onward;
		const uint32_t hops = rings->both && back < onward ? back : onward;

		distance.along[d] = hops;
		distance.around[d] = rings->both ? 2 * hops : rings->sizes[d];
		distance.hops += hops;
		distance.back += hops > 0 ? distance.around[d] - hops : 0;
		distance.rings += hops > 0;
	}
	return distance;
}

// The caller frees *distances, one for each kind of destination.
static enum tr_status sci_tables_find_distances(const struct sci_rings *rings,
						struct sci_tables_distance **distances,
						uint32_t *count, struct tr_error *err)
{
	struct sci_tables_distance *all = calloc(rings->nodes, sizeof(*all));

	*distances = all;
	*count = 0;
	if (!all)
		return tr_no_memory(err, "the distances");
	for (uint32_t node = 1; node < rings->nodes; node++)
		all[node - 1] = sci_tables_distance_to(rings, node);
	qsort(all, rings->nodes - 1, sizeof(*all), by_distance);
	for (uint32_t i = 0; i + 1 < rings->nodes; i++) {
		if (*count > 0 && by_distance(&all[*count - 1], &all[i]) == 0)
			all[*count - 1].pairs += all[i].pairs;
		else
			all[(*count)++] = all[i];
	}
	return TR_OK;
}

TABLE_ROW(sci_distance, (count, size_B), (count, rings), (count, hops), (count, response_hops),
	  (count, pairs), (real, request_ns, DIGITS), (real, response_ns, DIGITS),
	  (real, transaction_ns, DIGITS));

static struct table *distances_table(bool both)
{
	struct table *table = table_of("distances", "Latency of a message in an empty network",
				       sci_distance_fields);

	table_note(table, "request: eq. 8, response: %s, transaction: eq. 1 of Gonzalez (2000)",
		   both ? "eq. 8 of the shorter ways back" : "eq. 9");
	return table;
}

static void sci_tables_put_distances(struct table *table, const struct sci_rings *rings,
				     const struct sci_params *params, uint32_t size_B,
				     const struct sci_tables_distance *distances, uint32_t count)
{
	const struct sci_costs costs = sci_costs_of(params, size_B);

	for (uint32_t i = 0; i < count; i++) {
		const struct sci_tables_distance *distance = &distances[i];
		const double request_ns = sci_latency_ns(
			&costs, sci_request(distance->along, rings->dimensions));
		const double response_ns = sci_latency_ns(
			&costs, sci_response(distance->along, distance->around, rings->dimensions));

		TABLE_PUT(table, sci_distance, .size_B = size_B, .rings = distance->rings,
			  .hops = distance->hops, .response_hops = distance->back,
			  .pairs = distance->pairs, .request_ns = request_ns,
			  .response_ns = response_ns, .transaction_ns = request_ns + response_ns);
	}
}

TABLE_ROW(sci_average, (count, size_B), (count, nodes), (count, dimensions),
	  (real, propagations, DIGITS), (real, forwardings, DIGITS), (real, switchings, DIGITS),
	  (real, mean_ns, DIGITS), (real, multi_unicast_us, DIGITS));

static struct table *averages_table(bool both)
{
	struct table *table = table_of("averages", "Averages over all destinations",
				       sci_average_fields);

	table_note(table, "mean: %s, of a request; that of a response is the same",
		   both ? "of eq. 8" : "eq. 17");
	table_note(table, "multi_unicast: to all destinations, one after the other: nodes - 1 "
			  "times the mean");
	return table;
}

// By the shorter ways.
static struct sci_steps mean_of_distances(const struct sci_tables_distance *distances,
					  uint32_t count)
{
	double pairs = 0, hops = 0, rings = 0;

	for (uint32_t i = 0; i < count; i++) {
		pairs += (double)distances[i].pairs;
		hops += (double)(distances[i].pairs * distances[i].hops);
		rings += (double)(distances[i].pairs * distances[i].rings);
	}
	return (struct sci_steps){hops / pairs, (hops - rings) / pairs, rings / pairs - 1};
}

static void put_average(struct table *table, const struct sci_rings *rings,
			const struct sci_params *params, uint32_t size_B,
			const struct sci_tables_distance *distances, uint32_t count)
{
	const struct sci_costs costs = sci_costs_of(params, size_B);
	double sizes[NET_DIMENSIONS_MAX];
	struct sci_steps steps;

	for (uint32_t d = 0; d < rings->dimensions; d++)
		sizes[d] = rings->sizes[d];
	steps = rings->both ? mean_of_distances(distances, count)
			    : sci_mean(sizes, rings->dimensions);
	TABLE_PUT(table, sci_average, .size_B = size_B, .nodes = rings->nodes,
		  .dimensions = rings->dimensions, .propagations = steps.propagations,
		  .forwardings = steps.forwardings, .switchings = steps.switchings,
		  .mean_ns = sci_latency_ns(&costs, steps),
		  .multi_unicast_us = (rings->nodes - 1) * sci_latency_ns(&costs, steps) / 1000);
}

TABLE_ROW(sci_crossing, (count, dimensions), (count, more), (real, nodes, DIGITS),
	  (some, first_better));

static struct table *crossovers_table(const struct sci_params *params)
{
	const struct sci_costs costs = sci_costs_of(params, usual_size_B);
	struct table *table = table_of("crossovers",
				       "Where one more dimension becomes better on average",
				       sci_crossing_fields);

	for (uint32_t d = 1; d < SYSTEM_DIMENSIONS; d++) {
		const uint64_t first = sci_first_better(&costs, d);

		TABLE_PUT(table, sci_crossing, .dimensions = d, .more = d + 1,
			  .nodes = sci_crossover(&costs, d),
			  .first_better = first > 0 ? (int64_t)first : -1);
	}
	table_note(table, "for equal dimensions of any size, whole or not; the same for average "
			  "latency and multi-unicast");
	return table;
}

TABLE_ROW(sci_system, (count, nodes), (count, best), (real, mean_ns, DIGITS),
	  (real, multi_unicast_us, DIGITS), (real, mean_1d_ns, DIGITS), (real, mean_2d_ns, DIGITS),
	  (real, mean_3d_ns, DIGITS), (real, mean_4d_ns, DIGITS), (real, mean_5d_ns, DIGITS));

static void put_system(struct table *table, const struct sci_costs *costs, uint64_t nodes)
{
	const uint32_t best = sci_best(costs, (double)nodes);
	const double mean_ns = sci_latency_ns(costs, sci_mean_equal((double)nodes, best));
	double means_ns[SYSTEM_DIMENSIONS];

	for (uint32_t d = 1; d <= SYSTEM_DIMENSIONS; d++)
		means_ns[d - 1] = nodes >> d > 0
					  ? sci_latency_ns(costs, sci_mean_equal((double)nodes, d))
					  : NAN;
	TABLE_PUT(table, sci_system, .nodes = nodes, .best = best, .mean_ns = mean_ns,
		  .multi_unicast_us = (double)(nodes - 1) * mean_ns / 1000,
		  .mean_1d_ns = means_ns[0], .mean_2d_ns = means_ns[1], .mean_3d_ns = means_ns[2],
		  .mean_4d_ns = means_ns[3], .mean_5d_ns = means_ns[4]);
}

static struct table *systems_table(const struct net_tables_request *request,
				   const struct sci_params *params, uint32_t size_B)
{
	const struct sci_costs costs = sci_costs_of(params, size_B);
	struct table *table = table_of("systems", "Average latency of systems of other sizes",
				       sci_system_fields);

	for (uint32_t i = 0; i < request->span_count; i++)
		for (uint64_t nodes = request->spans[i].from; nodes <= request->spans[i].to;
		     nodes++)
			put_system(table, &costs, nodes);
	table_note(table,
		   "messages of %u B; best: the number of dimensions with the least mean, of those "
		   "with at least two nodes",
		   size_B);
	return table;
}

static enum tr_status network_tables(const struct net_tables_request *request,
				     struct table **tables, size_t *count, struct tr_error *err)
{
	const struct sci_params *params = request->setup->params;
	const uint32_t *sizes_B = request->size_count > 0 ? request->sizes_B : &usual_size_B;
	const uint32_t size_count = request->size_count > 0 ? request->size_count : 1;
	struct sci_tables_distance *distances;
	uint32_t distance_count;
	struct sci_rings rings;

	if (params->reads > 0 || params->pci_bps.num > 0 || params->blink_bps.num > 0)
		return tr_fail(err, "sci: reads, pci, blink: the formulas have none of these; "
				    "flitsim(1) does");
	if (params->both && request->span_count > 0)
		return tr_fail(err, "sci: --nodes: not with directions=both: its formula is of "
				    "rings of any size, whole or not; give networks one by one");
	if (sci_rings_open(&rings, request->setup->topology, err) != TR_OK)
		return TR_ERROR;
	rings.both = params->both;
	if (rings.nodes < 2)
		return tr_fail(err, "sci: the formulas are of two nodes or more");
	if (sci_tables_find_distances(&rings, &distances, &distance_count, err) != TR_OK)
		return TR_ERROR;
	tables[0] = distances_table(rings.both);
	tables[1] = averages_table(rings.both);
	for (uint32_t i = 0; i < size_count; i++) {
		sci_tables_put_distances(tables[0], &rings, params, sizes_B[i], distances,
					 distance_count);
		put_average(tables[1], &rings, params, sizes_B[i], distances, distance_count);
	}
	*count = 2;
	if (!rings.both)
		tables[(*count)++] = crossovers_table(params);
	if (request->span_count > 0)
		tables[(*count)++] = systems_table(request, params, sizes_B[0]);
	free(distances);
	return TR_OK;
}

enum tr_status sci_tables(const struct net_tables_request *request, struct table **tables,
			  size_t *count, struct tr_error *err)
{
	*count = 0;
	return request->measured_count > 0 ? sci_components_tables(request, tables, count, err)
					   : network_tables(request, tables, count, err);
}
