// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitroute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "net/engine.h"
#include "net/routes/route_path.h"
#include "net/routes/routes_forms.h"
#include "table/table_rows.h"
#include "value/memstream.h"

// A name for a cell: lent from out.
static const char *route_tables_node(const struct route_view *view, uint32_t node,
				     char out[NET_NAME_MAX + 1])
{
	return net_topology_name(view->topology, node, out, NET_NAME_MAX + 1);
}

const char *route_channel_name(const struct route_view *view, uint32_t link, uint32_t lane,
			       char *out, size_t out_bytes)
{
	net_link_name(view->topology, link, out, out_bytes);
	if (lane > 0)
		snprintf(out + strlen(out), out_bytes - strlen(out), "/%u", lane);
	return out;
}

bool route_deadlocks(const struct route_view *view)
{
	if (view->routes->choices)
		return net_immunity_deadlocks(view->immunity, view->routes->choices);
	return view->cycle->count > 0;
}

// Whether both ends of a link are switches.
static bool is_trunk(const struct route_view *view, uint32_t link)
{
	const struct net_cable *cable = &view->topology->cables[link / 2];

	return cable->ends[0].node >= view->topology->hosts &&
	       cable->ends[1].node >= view->topology->hosts;
}

// Coefficient of variation of the loads of links between switches (standard deviation over mean);
// NaN if there are none.
static double trunk_variation(const struct route_view *view)
{
	double sum = 0;
	double squares = 0;
	double mean;
	uint32_t count = 0;

	for (uint32_t link = 0; link < view->loads->count; link++) {
		if (!is_trunk(view, link))
			continue;
		sum += view->loads->links[link];
		count++;
	}
	mean = sum / count;
	for (uint32_t link = 0; link < view->loads->count; link++)
		if (is_trunk(view, link))
			squares += (view->loads->links[link] - mean) *
				   (view->loads->links[link] - mean);
	return count > 0 && sum > 0 ? sqrt(squares / count) / mean : NAN;
}

static uint32_t route_tables_longest(const struct net_loads *loads)
{
	uint32_t length = loads->longest;

	while (length > 0 && loads->lengths[length] == 0)
		length--;
	return length;
}

TABLE_ROW(route_sums, (count, hosts), (count, switches), (count, cables), (count, pairs),
	  (count, pairs_without_route), (real, mean_switches, 6), (count, longest_switches),
	  (text, fullest_link), (real, fullest_load, 10), (real, trunk_load_cv, 4),
	  (real, saturation, 6), (real, saturation_MBps, 6), (count, dependencies),
	  (text, route_deadlock));

struct table *route_summary_table(const struct route_view *view)
{
	struct table *table = table_of("routes", "routes", route_sums_fields);
	const struct net_loads *loads = view->loads;
	uint32_t fullest = 0;
	const double saturation = net_loads_saturation(loads, view->topology->hosts, view->rates,
						       &fullest);
	const bool any = saturation > 0;
	char name[NET_LINK_NAME_MAX];

	TABLE_PUT(table, route_sums, .hosts = net_host_count(view->topology),
		  .switches = view->topology->switches, .cables = view->topology->cable_count,
		  .pairs = loads->pairs, .pairs_without_route = loads->missing,
		  .mean_switches = loads->switches / (double)loads->pairs,
		  .longest_switches = route_tables_longest(loads),
		  .fullest_link = any ? net_link_name(view->topology, fullest, name, sizeof(name))
				      : NULL,
		  .fullest_load = any ? loads->links[fullest] : NAN,
		  .trunk_load_cv = trunk_variation(view), .saturation = any ? saturation : NAN,
		  .saturation_MBps = any ? saturation * view->link_rate_bps / 8e6 : NAN,
		  .dependencies = view->routes->choices ? view->immunity->dependencies
							: view->cycle->dependencies,
		  .route_deadlock = route_deadlocks(view) ? "possible" : "no");
	if (net_has_adapters(view->topology))
		table_note(table, "pairs are of the %u ports of hosts", view->topology->hosts);
	return table;
}

TABLE_ROW(route_length, (count, switches), (real, pairs, 10), (real, share, 6));

struct table *route_lengths_table(const struct route_view *view)
{
	const struct net_loads *loads = view->loads;
	struct table *table = table_of("lengths", "Route lengths", route_length_fields);

	for (uint32_t i = 0; i <= route_tables_longest(loads); i++)
		if (loads->lengths[i] > 0)
			TABLE_PUT(table, route_length, .switches = i,
				  .pairs = round(1e3 * loads->lengths[i]) / 1e3,
				  .share = loads->lengths[i] / (double)loads->pairs);
	return table;
}

TABLE_ROW(route_load, (text, link), (real, load, 10), (real, share, 6), (real, full_at, 6));

struct table *route_loads_table(const struct route_view *view)
{
	struct table *table = table_of("loads", "Link loads", route_load_fields);
	const double mean = view->loads->offered / view->topology->hosts;
	char name[NET_LINK_NAME_MAX];

	for (uint32_t link = 0; link < view->loads->count; link++) {
		const double load = view->loads->links[link];

		TABLE_PUT(table, route_load,
			  .link = net_link_name(view->topology, link, name, sizeof(name)),
			  .load = load, .share = load / view->loads->offered,
			  .full_at = load > 0 ? mean * view->rates[link] / load : NAN);
	}
	return table;
}

TABLE_ROW(route_cycle, (count, step), (text, link), (text, held_from), (text, held_to));

struct table *route_cycle_table(const struct route_view *view)
{
	struct table *table = table_of("cycle", "Cycle of links with possible deadlock",
				       route_cycle_fields);
	char channel[ROUTE_CHANNEL_NAME_MAX], from[NET_NAME_MAX + 1], to[NET_NAME_MAX + 1];

	for (uint32_t i = 0; i < view->cycle->count; i++) {
		const struct net_cycle_step *step = &view->cycle->steps[i];

		TABLE_PUT(table, route_cycle, .step = i + 1,
			  .link = route_channel_name(view, step->link, step->lane, channel,
						     sizeof(channel)),
			  .held_from = route_tables_node(view, step->source, from),
			  .held_to = route_tables_node(view, step->destination, to));
	}
	return table;
}

TABLE_ROW(route_lanes, (count, lanes), (count, least_lanes));

struct table *route_lanes_table(const struct route_view *view, uint32_t least)
{
	struct table *table = table_of("lanes",
				       "Lanes of the rule: of these routes, and the least "
				       "without a cycle",
				       route_lanes_fields);

	TABLE_PUT(table, route_lanes, .lanes = net_routes_list_lanes(view->routes),
		  .least_lanes = least);
	return table;
}

TABLE_ROW(route_ends, (text, source), (text, destination));
TABLE_ROW(route_pair, (some, switches), (text, flits), (text, bytes), (text, links));

struct table *route_pairs_table(void)
{
	struct table *table = table_of("pairs", "Routes of single pairs", route_ends_fields);

	table_heads(table, route_pair_fields);
	return table;
}

// The ports and, as in the model's worms, the destination: "5,7,10".
static void put_flits(FILE *out, const uint16_t *ports, uint32_t count, uint32_t destination)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%u,", net_step_port(ports[i]));
	fprintf(out, "%u", destination);
}

// The route bytes of the hardware; "-" for a port difference without one.
static void route_tables_put_bytes(FILE *out, const int *deltas, uint32_t count)
{
	bool sayable = count > 0;

	for (uint32_t i = 0; i < count; i++)
		sayable = sayable && abs(deltas[i]) <= NET_GM_DELTA_MAX;
	for (uint32_t i = 0; sayable && i < count; i++)
		fprintf(out, "%s%02x", i > 0 ? " " : "", net_gm_byte(deltas[i]));
	if (!sayable)
		fputc('-', out);
}

// Only links between switches have lanes.
static void put_links(FILE *out, const struct route_view *view, const struct net_path *path)
{
	char name[ROUTE_CHANNEL_NAME_MAX];

	for (uint32_t i = 0; i < path->count; i++) {
		const uint32_t own = is_trunk(view, path->links[i]) ? net_path_lane(path, i) : 0;

		fprintf(out, "%s%s", i > 0 ? " " : "",
			route_channel_name(view, path->links[i], own, name, sizeof(name)));
	}
}

// Data of a row.
struct route_tables_pair {
	uint16_t *ports;
	int *deltas;
	struct net_path path;
	uint32_t count;
	uint32_t destination;
};

// One text cell; false where memory runs out.
static bool put_cell(struct table *table, const struct route_view *view,
		     const struct route_tables_pair *pair, int column)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return false;
	if (column == 0)
		put_flits(out, pair->ports, pair->count, pair->destination);
	else if (column == 1)
		route_tables_put_bytes(out, pair->deltas, pair->count);
	else
		put_links(out, view, &pair->path);
	const bool whole = tr_memstream_close(out);

	if (whole)
		table_text(table, text);
	free(text);
	return whole;
}

// The ports of a pair's route, or of its way n where several are listed.
static uint32_t route_tables_get(const struct net_routes *routes, uint32_t source,
				 uint32_t destination, uint32_t n, uint16_t *ports)
{
	if (routes->spread)
		return routes->form->ways->nth(routes->state, source, destination, n, ports);
	return n == 0 ? net_routes_get(routes, source, destination, ports) : NET_NO_ROUTE;
}

// TR_END behind the last way.
static enum tr_status route_tables_fill(struct table *table, const struct route_view *view,
					struct route_tables_pair *pair, uint32_t source, uint32_t n,
					struct tr_error *err)
{
	char text[120], from[NET_NAME_MAX + 1], to[NET_NAME_MAX + 1];

	if (!pair->ports || !pair->deltas || !pair->path.links)
		return tr_no_memory(err, "a route");
	pair->count = route_tables_get(view->routes, source, pair->destination, n, pair->ports);
	if (n > 0 && pair->count == NET_NO_ROUTE)
		return TR_END;
	TABLE_PUT(table, route_ends, .source = route_tables_node(view, source, from),
		  .destination = route_tables_node(view, pair->destination, to));
	if (pair->count == NET_NO_ROUTE) {
		TABLE_PUT(table, route_pair, .switches = -1);
		return TR_END;
	}
	if (!net_path_follow(&pair->path, view->graph, source, pair->destination, pair->ports,
			     pair->count))
		return tr_fail(err, "%s",
			       net_path_fault_text(&pair->path, view->graph, text, sizeof(text)));
	net_gm_deltas(view->graph, source, pair->ports, pair->count, pair->deltas);
	table_count(table, pair->count);
	for (int column = 0; column < 3; column++)
		if (!put_cell(table, view, pair, column))
			return tr_no_memory(err, "a route");
	return TR_OK;
}

enum tr_status route_pairs_add(struct table *table, const struct route_view *view, uint32_t source,
			       uint32_t destination, struct tr_error *err)
{
	struct route_tables_pair pair = {
		.ports = calloc(view->routes->longest, sizeof(*pair.ports)),
		.deltas = calloc(view->routes->longest, sizeof(*pair.deltas)),
		.path.links = calloc((size_t)view->routes->longest + 1, sizeof(uint32_t)),
	};
	const struct net_routes_ways *ways = view->routes->form->ways;
	enum tr_status status = ways && ways->nth
					? TR_OK
					: net_routes_need_one(view->routes, "--pair prints", err);

	pair.destination = destination;
	for (uint32_t n = 0; status == TR_OK; n++)
		status = route_tables_fill(table, view, &pair, source, n, err);
	free(pair.ports);
	free(pair.deltas);
	free(pair.path.links);
	return status == TR_ERROR ? TR_ERROR : TR_OK;
}
