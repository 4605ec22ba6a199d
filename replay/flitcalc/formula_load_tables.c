// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <math.h>

#include "table/table_rows.h"
#include "tool/offered_load.h"

#define DIGITS 8

// A load that its matrix has, or is scaled to: the share that a mean host sends of the usual rate.
struct loads {
	double shares[FORMULA_LOADS_MAX];
	uint32_t count;
	double own;	 // that of the matrix in its period; 0: it has none
	double link_bps; // the usual rate
};

static enum tr_status formula_load_tables_add_share(void *context, char *text, struct tr_error *err)
{
	struct loads *loads = context;
	struct tr_load load;

	if (loads->count == FORMULA_LOADS_MAX)
		return tr_fail(err, "--load: more than %u loads", FORMULA_LOADS_MAX);
	if (tr_load_parse(text, &load, err) != TR_OK)
		return TR_ERROR;
	if (load.unit == TR_LOAD_MULTIPLE && !(loads->own > 0))
		return tr_fail(err,
			       "--load %s: the time in which the traffic was sent is unknown; for "
			       "a matrix, give --duration",
			       text);
	if (load.unit != TR_LOAD_MULTIPLE && loads->own > 0)
		return tr_fail(err, "--duration has no effect with --load %s", text);
	return tr_load_share(&load, loads->own, loads->link_bps, &loads->shares[loads->count++],
			     err);
}

// Those asked for; else that of the matrix in its period; else up to where the first link is full,
// which is the last.
static enum tr_status formula_load_tables_find_loads(const struct loaded_network *loaded,
						     const struct net_flows *flows,
						     struct loads *loads, struct tr_error *err)
{
	static const double usual[] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, 1};
	const struct load_request *request = loaded->request;
	const double full = loaded_full(loaded, flows, NET_LINKS_ALL, NULL);

	*loads = (struct loads){.link_bps = 8 * loaded->terms.usual_Bps};
	if (request->period_s.num > 0)
		loads->own = (double)flows->offered / num_value(request->period_s) /
			     loaded->graph.hosts / loaded->terms.usual_Bps;
	for (size_t i = 0; i < request->loads.count; i++)
		if (opt_each_item(request->loads.words[i], formula_load_tables_add_share, loads,
				  err) != TR_OK)
			return TR_ERROR;
	if (loads->count == 0 && loads->own > 0)
		loads->shares[loads->count++] = loads->own;
	for (size_t i = 0; loads->count == i && i < sizeof(usual) / sizeof(*usual); i++)
		loads->shares[loads->count++] = usual[i] * full;
	return TR_OK;
}

// NULL: none.
static const char *formula_load_tables_link(const struct loaded_network *loaded, uint32_t link,
					    char name[NET_LINK_NAME_MAX])
{
	return link == NET_NOBODY ? NULL
				  : net_link_name(loaded->network->setup.topology, link, name,
						  NET_LINK_NAME_MAX);
}

TABLE_ROW(loaded_traffic, (count, hosts), (count, switches), (count, cables), (count, pairs),
	  (real, mean_hops, DIGITS), (count, longest_hops), (real, weighted_hops, DIGITS),
	  (real, locality, DIGITS), (real, bound_MBps, DIGITS), (real, bound_load, DIGITS),
	  (text, fullest_link), (real, full_load, DIGITS), (text, fullest_trunk),
	  (real, trunk_full_load, DIGITS));

static struct table *formula_load_tables_traffic_table(const struct loaded_network *loaded,
						       const struct net_flows *flows)
{
	struct table *table = table_of("traffic", NULL, loaded_traffic_fields);
	const double bound_Bps = net_flows_bound(flows, loaded->terms.rates_Bps);
	char link_name[NET_LINK_NAME_MAX], trunk_name[NET_LINK_NAME_MAX];
	uint32_t link, trunk;
	const double full = loaded_full(loaded, flows, NET_LINKS_ALL, &link);
	const double trunk_full = loaded_full(loaded, flows, NET_LINKS_TRUNK, &trunk);

	TABLE_PUT(table, loaded_traffic, .hosts = loaded->graph.hosts,
		  .switches = net_graph_switches(&loaded->graph), .cables = loaded->trunks / 2,
		  .pairs = loaded->lengths.pairs,
		  .mean_hops = (double)loaded->lengths.hops / (double)loaded->lengths.pairs,
		  .longest_hops = loaded->lengths.longest,
		  .weighted_hops = net_flows_mean_route(flows),
		  .locality = net_flows_locality(flows), .bound_MBps = bound_Bps / 1e6,
		  .bound_load = bound_Bps / loaded->graph.hosts / loaded->terms.usual_Bps,
		  .fullest_link = formula_load_tables_link(loaded, link, link_name),
		  .full_load = full,
		  .fullest_trunk = formula_load_tables_link(loaded, trunk, trunk_name),
		  .trunk_full_load = trunk_full);
	return table;
}

TABLE_ROW(load_delays, (real, load, DIGITS), (real, offered_MBps, DIGITS),
	  (real, local_MBps, DIGITS), (real, hops_MBps, DIGITS),
	  (real, fullest_utilisation, DIGITS), (real, mean_utilisation, DIGITS),
	  (real, saf_3_6_us, DIGITS), (real, saf_3_10_us, DIGITS), (real, vct_3_11_us, DIGITS),
	  (real, vct_3_12_us, DIGITS), (real, cut_through, DIGITS));
TABLE_ROW(load_adaptive, (real, cut_through_3_13, DIGITS), (real, vct_adaptive_us, DIGITS));
TABLE_ROW(load_state, (text, state));

static void put_load(struct table *table, const struct load_point *point, bool adaptive)
{
	const struct net_flows *flows = point->load.flows;
	const struct net_delay *delay = &point->delay;
	const double MBps = point->load.unit_Bps / 1e6;

	TABLE_PUT(
		table, load_delays, .load = point->share,
		.offered_MBps = (double)flows->offered * MBps,
		.local_MBps = (double)flows->local * MBps, .hops_MBps = (double)flows->hops * MBps,
		.fullest_utilisation = delay->fullest, .mean_utilisation = delay->mean_utilisation,
		.saf_3_6_us = 1e6 * net_delay_saf_s(delay), .saf_3_10_us = 1e6 * point->even_saf_s,
		.vct_3_11_us = 1e6 * net_delay_vct_s(delay), .vct_3_12_us = 1e6 * point->even_vct_s,
		.cut_through = delay->cut_through);
	if (adaptive)
		TABLE_PUT(table, load_adaptive, .cut_through_3_13 = delay->adaptive,
			  .vct_adaptive_us = 1e6 * point->adaptive_vct_s);
	TABLE_PUT(table, load_state, .state = delay->full > 0 ? "overload" : "ok");
}

static struct table *new_loads_table(const struct loaded_network *loaded, bool adaptive)
{
	struct table *table = table_of("loads", "Mean delay of packets at loads, by formula",
				       load_delays_fields);

	if (adaptive)
		table_heads(table, load_adaptive_fields);
	table_heads(table, load_state_fields);
	table_note(table, "packets of %g B on average, header %g B; from the first switch on",
		   num_value(loaded->request->mean_B), loaded->terms.header_B);
	table_note(table, "overload: a link is at or above its rate, so queues grow without bound");
	return table;
}

TABLE_ROW(loaded_link, (real, load, DIGITS), (text, link), (text, kind), (real, rate_MBps, DIGITS),
	  (real, flow_MBps, DIGITS), (real, utilisation, DIGITS), (real, transit_share, DIGITS),
	  (real, delay_us, DIGITS));

static void put_channels(struct table *table, const struct loaded_network *loaded,
			 const struct load_point *point)
{
	static const char *const kinds[] = {
		[NET_LINK_FIRST] = "first", [NET_LINK_TRUNK] = "trunk", [NET_LINK_LAST] = "last"};
	const struct net_flows *flows = point->load.flows;
	char name[NET_LINK_NAME_MAX];

	for (uint32_t link = 0; link < loaded->graph.links; link++) {
		const double rate_Bps = loaded->terms.rates_Bps[link];
		const double flow_Bps = (double)flows->links[link] * point->load.unit_Bps;

		TABLE_PUT(table, loaded_link, .load = point->share,
			  .link = formula_load_tables_link(loaded, link, name),
			  .kind = kinds[flows->roles[link]], .rate_MBps = rate_Bps / 1e6,
			  .flow_MBps = flow_Bps / 1e6, .utilisation = flow_Bps / rate_Bps,
			  .transit_share = (double)flows->later[link] / (double)flows->links[link],
			  .delay_us = 1e6 *
				      net_delay_channel_s(flow_Bps, rate_Bps, point->load.mean_B));
	}
}

TABLE_ROW(between_switches, (text, from), (text, to), (real, share, DIGITS));

static struct table *between_table(const struct loaded_network *loaded,
				   const struct net_flows *flows)
{
	const struct net_topology *topology = loaded->network->setup.topology;
	struct table *table = table_of("switches", "Traffic between switches",
				       between_switches_fields);
	const uint32_t switches = net_graph_switches(&loaded->graph), hosts = topology->hosts;
	char names[2][NET_NAME_MAX + 1];

	for (uint32_t from = 0; from < switches; from++)
		for (uint32_t to = 0; to < switches; to++) {
			const uint64_t amount = flows->between[(size_t)from * switches + to];

			if (amount > 0)
				TABLE_PUT(table, between_switches,
					  .from = net_topology_name(topology, hosts + from,
								    names[0], sizeof(names[0])),
					  .to = net_topology_name(topology, hosts + to, names[1],
								  sizeof(names[1])),
					  .share = (double)amount / (double)flows->offered);
		}
	return table;
}

// The tables that have rows of each load.
static enum tr_status put_loads(const struct loaded_network *loaded, const struct net_flows *flows,
				bool uniform, struct table *table, struct table *channels,
				struct tr_error *err)
{
	const bool adaptive = flows->routes->choices != NULL;
	const double mean_B = num_value(loaded->request->mean_B);
	struct loads loads;

	if (formula_load_tables_find_loads(loaded, flows, &loads, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < loads.count; i++) {
		const double offered_Bps = loads.shares[i] * loaded->graph.hosts *
					   loaded->terms.usual_Bps;
		struct load_point point;

		load_point_find(loaded, flows, offered_Bps / (double)flows->offered, mean_B,
				uniform, &point);
		put_load(table, &point, adaptive);
		if (channels)
			put_channels(channels, loaded, &point);
	}
	return TR_OK;
}

enum tr_status load_tables(const struct loaded_network *loaded, const double *weights,
			   struct table **tables, size_t *count, struct tr_error *err)
{
	struct table *channels = NULL;
	struct net_flows flows;
	enum tr_status status;

	*count = 0;
	status = loaded_flows(loaded, weights, &flows, err);
	if (status == TR_OK) {
		tables[(*count)++] = formula_load_tables_traffic_table(loaded, &flows);
		tables[(*count)++] = new_loads_table(loaded, flows.routes->choices != NULL);
		if (loaded->request->channels)
			tables[(*count)++] = channels = table_of("channels", "Links at loads",
								 loaded_link_fields);
		status = put_loads(loaded, &flows, !weights, tables[1], channels, err);
	}
	if (status == TR_OK && loaded->request->between)
		tables[(*count)++] = between_table(loaded, &flows);
	net_flows_clear(&flows);
	return status;
}
