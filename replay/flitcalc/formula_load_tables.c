// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitcalc.h"

#include <math.h>

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
		return tr_fail(err, "--load %s: nothing says in which time the traffic was sent: --duration does, of a matrix",
			       text);
	if (load.unit != TR_LOAD_MULTIPLE && loads->own > 0)
		return tr_fail(err, "--duration has no effect with --load %s", text);
	return tr_load_share(&load, loads->own, loads->link_bps, &loads->shares[loads->count++], err);
}

// Those asked for; else that of the matrix in its period; else up to where the first link is full, which is the last.
static enum tr_status formula_load_tables_find_loads(const struct loaded_network *loaded, const struct net_flows *flows,
						     struct loads *loads, struct tr_error *err)
{
	static const double usual[] = {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, 1};
	const struct load_request *request = loaded->request;
	const double full = loaded_full(loaded, flows, NET_LINKS_ALL, NULL);

	*loads = (struct loads){.link_bps = 8 * loaded->terms.usual_Bps};
	if (request->period_s.num > 0)
		loads->own = (double)flows->offered / num_value(request->period_s) / loaded->graph.hosts /
			     loaded->terms.usual_Bps;
	for (size_t i = 0; i < request->loads.count; i++)
		if (opt_each_item(request->loads.words[i], formula_load_tables_add_share, loads, err) != TR_OK)
			return TR_ERROR;
	if (loads->count == 0 && loads->own > 0)
		loads->shares[loads->count++] = loads->own;
	for (size_t i = 0; loads->count == i && i < sizeof(usual) / sizeof(*usual); i++)
		loads->shares[loads->count++] = usual[i] * full;
	return TR_OK;
}

static void formula_load_tables_put_link(struct table *table, const struct loaded_network *loaded, uint32_t link)
{
	char name[NET_LINK_NAME_MAX];

	if (link == NET_NOBODY)
		table_none(table);
	else
		table_text(table, net_link_name(loaded->network->setup.topology, link, name, sizeof(name)));
}

static struct table *formula_load_tables_traffic_table(const struct loaded_network *loaded, const struct net_flows *flows)
{
	struct table *table = table_new("traffic", NULL);
	const double bound_Bps = net_flows_bound(flows, loaded->terms.rates_Bps);
	static const unsigned roles[] = {NET_LINKS_ALL, NET_LINKS_TRUNK};

	table_columns(table, "hosts switches cables pairs mean_hops longest_hops weighted_hops locality bound_MBps bound_load "
			     "fullest_link full_load fullest_trunk trunk_full_load");
	table_count(table, loaded->graph.hosts);
	table_count(table, net_graph_switches(&loaded->graph));
	table_count(table, loaded->trunks / 2);
	table_count(table, loaded->lengths.pairs);
	table_real(table, (double)loaded->lengths.hops / (double)loaded->lengths.pairs, DIGITS);
	table_count(table, loaded->lengths.longest);
	table_real(table, net_flows_mean_route(flows), DIGITS);
	table_real(table, net_flows_locality(flows), DIGITS);
	table_real(table, bound_Bps / 1e6, DIGITS);
	table_real(table, bound_Bps / loaded->graph.hosts / loaded->terms.usual_Bps, DIGITS);
	for (unsigned i = 0; i < 2; i++) {
		uint32_t fullest;
		const double full = loaded_full(loaded, flows, roles[i], &fullest);

		formula_load_tables_put_link(table, loaded, fullest);
		table_real(table, full, DIGITS);
	}
	return table;
}

static void put_load(struct table *table, const struct load_point *point, bool adaptive)
{
	const struct net_flows *flows = point->load.flows;
	const double MBps = point->load.unit_Bps / 1e6;

	table_real(table, point->share, DIGITS);
	table_real(table, (double)flows->offered * MBps, DIGITS);
	table_real(table, (double)flows->local * MBps, DIGITS);
	table_real(table, (double)flows->hops * MBps, DIGITS);
	table_real(table, point->delay.fullest, DIGITS);
	table_real(table, point->delay.mean_utilisation, DIGITS);
	table_real(table, 1e6 * net_delay_saf_s(&point->delay), DIGITS);
	table_real(table, 1e6 * point->even_saf_s, DIGITS);
	table_real(table, 1e6 * net_delay_vct_s(&point->delay), DIGITS);
	table_real(table, 1e6 * point->even_vct_s, DIGITS);
	table_real(table, point->delay.cut_through, DIGITS);
	if (adaptive) {
		table_real(table, point->delay.adaptive, DIGITS);
		table_real(table, 1e6 * point->adaptive_vct_s, DIGITS);
	}
	table_text(table, point->delay.full > 0 ? "overload" : "ok");
}

static struct table *new_loads_table(const struct loaded_network *loaded, bool adaptive)
{
	struct table *table = table_new("loads", "Mean delay of packets at loads, by formula");

	table_columns(table, "load offered_MBps local_MBps hops_MBps fullest_utilisation mean_utilisation saf_3_6_us "
			     "saf_3_10_us vct_3_11_us vct_3_12_us cut_through");
	if (adaptive)
		table_columns(table, "cut_through_3_13 vct_adaptive_us");
	table_columns(table, "state");
	table_note(table, "packets of %g B on average, header %g B; from the first switch on",
		   num_value(loaded->request->mean_B), loaded->terms.header_B);
	table_note(table, "overload: a link is at or above its rate, so that queues grow without end");
	return table;
}

static struct table *new_channels_table(void)
{
	struct table *table = table_new("channels", "Links at loads");

	table_columns(table, "load link kind rate_MBps flow_MBps utilisation transit_share delay_us");
	return table;
}

static void put_channels(struct table *table, const struct loaded_network *loaded, const struct load_point *point)
{
	static const char *const kinds[] = {[NET_LINK_FIRST] = "first", [NET_LINK_TRUNK] = "trunk", [NET_LINK_LAST] = "last"};
	const struct net_flows *flows = point->load.flows;

	for (uint32_t link = 0; link < loaded->graph.links; link++) {
		const double rate_Bps = loaded->terms.rates_Bps[link];
		const double flow_Bps = (double)flows->links[link] * point->load.unit_Bps;

		table_real(table, point->share, DIGITS);
		formula_load_tables_put_link(table, loaded, link);
		table_text(table, kinds[flows->roles[link]]);
		table_real(table, rate_Bps / 1e6, DIGITS);
		table_real(table, flow_Bps / 1e6, DIGITS);
		table_real(table, flow_Bps / rate_Bps, DIGITS);
		table_real(table, (double)flows->later[link] / (double)flows->links[link], DIGITS);
		table_real(table, 1e6 * net_delay_channel_s(flow_Bps, rate_Bps, point->load.mean_B), DIGITS);
	}
}

static struct table *between_table(const struct loaded_network *loaded, const struct net_flows *flows)
{
	const struct net_topology *topology = loaded->network->setup.topology;
	struct table *table = table_new("switches", "Traffic between switches");
	const uint32_t switches = net_graph_switches(&loaded->graph);
	char name[NET_NAME_MAX + 1];

	table_columns(table, "from to share");
	for (uint32_t from = 0; from < switches; from++)
		for (uint32_t to = 0; to < switches; to++) {
			const uint64_t amount = flows->between[(size_t)from * switches + to];

			if (amount == 0)
				continue;
			table_text(table, net_topology_name(topology, topology->hosts + from, name, sizeof(name)));
			table_text(table, net_topology_name(topology, topology->hosts + to, name, sizeof(name)));
			table_real(table, (double)amount / (double)flows->offered, DIGITS);
		}
	return table;
}

// The tables that have rows of each load.
static enum tr_status put_loads(const struct loaded_network *loaded, const struct net_flows *flows, bool uniform,
				struct table *table, struct table *channels, struct tr_error *err)
{
	const bool adaptive = flows->routes->choices != NULL;
	const double mean_B = num_value(loaded->request->mean_B);
	struct loads loads;

	if (formula_load_tables_find_loads(loaded, flows, &loads, err) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < loads.count; i++) {
		const double offered_Bps = loads.shares[i] * loaded->graph.hosts * loaded->terms.usual_Bps;
		struct load_point point;

		load_point_find(loaded, flows, offered_Bps / (double)flows->offered, mean_B, uniform, &point);
		put_load(table, &point, adaptive);
		if (channels)
			put_channels(channels, loaded, &point);
	}
	return TR_OK;
}

enum tr_status load_tables(const struct loaded_network *loaded, const double *weights, struct table **tables, size_t *count,
			   struct tr_error *err)
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
			tables[(*count)++] = channels = new_channels_table();
		status = put_loads(loaded, &flows, !weights, tables[1], channels, err);
	}
	if (status == TR_OK && loaded->request->between)
		tables[(*count)++] = between_table(loaded, &flows);
	net_flows_clear(&flows);
	return status;
}
