// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/sci_tables.h"

#include <math.h>
#include <stdlib.h>

#include "net/studies/sci/components.h"
#include "table/table_rows.h"

#define DIGITS 9
#define USUAL_NODES 1000 // to which the thesis extrapolates
#define PERCENT_MOST 5	 // of deviation there

// Whether a row is the first of its size.
static bool components_tables_is_first(const struct sci_ping_pongs *pongs, uint32_t index)
{
	for (uint32_t i = 0; i < index; i++)
		if (pongs->rows[i].size_B == pongs->rows[index].size_B)
			return false;
	return true;
}

TABLE_ROW(sci_component, (count, size_B), (real, overhead_ns, DIGITS),
	  (real, forwarding_ns, DIGITS), (real, switching_ns, DIGITS),
	  (real, switching_exact_ns, DIGITS));

static struct table *components_table(const struct sci_ping_pongs *pongs, double propagation_ns)
{
	struct table *table = table_of("components", "Components by message size",
				       sci_component_fields);

	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_point at = sci_components_at(pongs, pongs->rows[i].size_B,
							      propagation_ns);

		if (!components_tables_is_first(pongs, i))
			continue;
		TABLE_PUT(table, sci_component, .size_B = pongs->rows[i].size_B,
			  .overhead_ns = at.overhead_ns, .forwarding_ns = at.forwarding_ns,
			  .switching_ns = at.switching_ns, .switching_exact_ns = at.exact_ns);
	}
	table_note(
		table,
		"Gonzalez (2000): overhead eq. 18, forwarding eq. 19, switching eq. 20 as printed");
	table_note(table, "switching_exact: for a straight path with 2 hops there and 1 back, as "
			  "on a ring of three");
	return table;
}

TABLE_ROW(sci_estimates, (text, component), (text, method), (real, estimate_ns, DIGITS),
	  (real, percent_error_ns, DIGITS), (real, noise_gain, DIGITS));

static void put_estimate(struct table *table, const char *component, const char *method,
			 struct sci_estimate estimate)
{
	TABLE_PUT(table, sci_estimates, .component = component, .method = method,
		  .estimate_ns = estimate.value, .percent_error_ns = estimate.percent_ns,
		  .noise_gain = 100 * estimate.percent_ns / fabs(estimate.value));
}

static struct table *estimates_table(const struct sci_ping_pongs *pongs, double propagation_ns)
{
	struct table *table = table_of("estimates", "Components over all message sizes",
				       sci_estimates_fields);
	struct sci_components all;

	sci_components_find(&all, pongs, propagation_ns);
	put_estimate(table, "propagation", "given", (struct sci_estimate){propagation_ns, 0});
	put_estimate(table, "forwarding", "mean", all.forwarding);
	put_estimate(table, "switching", "mean", all.switching);
	put_estimate(table, "switching", "exact", all.switching_exact);
	put_estimate(table, "overhead", "ends", all.overhead);
	put_estimate(table, "overhead-byte", "ends", all.slope);
	put_estimate(table, "overhead", "least-squares", all.fitted);
	put_estimate(table, "overhead-byte", "least-squares", all.fitted_slope);
	if (all.most_B > 0)
		table_note(table,
			   "overhead: of %u B; overhead-byte: of each byte from there to %u B",
			   all.least_B, all.most_B);
	table_note(table, "percent_error: standard error if each time has an independent one of 1 "
			  "%%; noise_gain: its share of "
			  "the estimate, as a multiple of that 1 %%");
	return table;
}

TABLE_ROW(sci_validation, (count, size_B), (count, nodes), (count, hops), (real, model_ns, DIGITS),
	  (real, measured_ns, DIGITS), (real, deviation_ns, DIGITS),
	  (real, deviation_percent, DIGITS));

static struct table *validation_table(const struct sci_ping_pongs *pongs,
				      const struct sci_params *params)
{
	struct table *table = table_of("validation",
				       "Ping-pong latency of rings, by the model and measured",
				       sci_validation_fields);

	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];
		const struct sci_costs costs = sci_costs_of(params, row->size_B);
		const double model_ns = sci_ring_ns(&costs, row->hops);

		if (row->torus)
			continue;
		TABLE_PUT(table, sci_validation, .size_B = row->size_B,
			  .nodes = 2 * (uint64_t)row->hops, .hops = row->hops, .model_ns = model_ns,
			  .measured_ns = row->ns, .deviation_ns = row->ns - model_ns,
			  .deviation_percent = 100 * (row->ns - model_ns) / model_ns);
	}
	table_note(table, "model: eqs. 21 to 25, with the components of --fabric");
	return table;
}

// Whether any size has been measured on two rings.
static bool has_trend(const struct sci_ping_pongs *pongs, const struct sci_params *params)
{
	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_costs costs = sci_costs_of(params, pongs->rows[i].size_B);

		if (sci_trend_find(pongs, &costs, pongs->rows[i].size_B, USUAL_NODES).rings > 1)
			return true;
	}
	return false;
}

TABLE_ROW(sci_trend, (count, size_B), (count, rings), (real, slope_ns, DIGITS),
	  (real, nodes, DIGITS), (real, model_ns, DIGITS), (real, deviation_ns, DIGITS),
	  (real, deviation_percent, DIGITS), (yes, within));

static struct table *extrapolation_table(const struct sci_ping_pongs *pongs,
					 const struct sci_params *params, double nodes)
{
	struct table *table = table_of(
		"extrapolation", "Deviation of larger rings, on a straight line", sci_trend_fields);

	for (uint32_t i = 0; i < pongs->count; i++) {
		const uint32_t size_B = pongs->rows[i].size_B;
		const struct sci_costs costs = sci_costs_of(params, size_B);
		const struct sci_trend trend = sci_trend_find(pongs, &costs, size_B, nodes);
		const double percent = 100 * trend.deviation_ns / trend.model_ns;

		if (!components_tables_is_first(pongs, i) || trend.rings < 2)
			continue;
		TABLE_PUT(table, sci_trend, .size_B = size_B, .rings = trend.rings,
			  .slope_ns = trend.slope_ns, .nodes = nodes, .model_ns = trend.model_ns,
			  .deviation_ns = trend.deviation_ns, .deviation_percent = percent,
			  .within = fabs(percent) <= PERCENT_MOST);
	}
	table_note(table, "within: at most %d %%", PERCENT_MOST);
	return table;
}

static double most_nodes(const struct net_tables_request *request)
{
	double most = request->span_count > 0 ? 0 : USUAL_NODES;

	for (uint32_t i = 0; i < request->span_count; i++)
		most = fmax(most, (double)request->spans[i].to);
	return most;
}

enum tr_status sci_components_tables(const struct net_tables_request *request,
				     struct table **tables, size_t *count, struct tr_error *err)
{
	const struct sci_params *params = request->setup->params;
	const double propagation_ns = sci_costs_of(params, SCI_PACKET_B).propagation_ns;
	struct sci_ping_pongs *pongs = calloc(1, sizeof(*pongs));
	enum tr_status status = pongs ? TR_OK : tr_no_memory(err, "the measured times");

	for (uint32_t i = 0; status == TR_OK && i < request->measured_count; i++)
		status = sci_ping_pongs_read(pongs, request->measured[i], err);
	if (status == TR_OK) {
		tables[0] = components_table(pongs, propagation_ns);
		tables[1] = estimates_table(pongs, propagation_ns);
		tables[2] = validation_table(pongs, params);
		*count = 3;
		if (has_trend(pongs, params))
			tables[(*count)++] = extrapolation_table(pongs, params,
								 most_nodes(request));
	}
	free(pongs);
	return status;
}
