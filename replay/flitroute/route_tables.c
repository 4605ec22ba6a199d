// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitroute.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/engine.h"
#include "net/routes/route_path.h"
#include "net/routes/routes_forms.h"
#include "value/memstream.h"

static void columns(struct table *table, const char *const *keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		table_column(table, keys[i]);
}

#define COLUMNS(table, keys) columns(table, keys, sizeof(keys) / sizeof(*(keys)))

static void route_tables_put_node(struct table *table, const struct route_view *view, uint32_t node)
{
	char name[NET_NAME_MAX + 1];

	table_text(table, net_topology_name(view->topology, node, name, sizeof(name)));
}

static void route_tables_put_link(struct table *table, const struct route_view *view, uint32_t link)
{
	char name[NET_LINK_NAME_MAX];

	table_text(table, net_link_name(view->topology, link, name, sizeof(name)));
}

const char *route_channel_name(const struct route_view *view, uint32_t link, uint32_t lane, char *out, size_t out_bytes)
{
	net_link_name(view->topology, link, out, out_bytes);
	if (lane > 0)
		snprintf(out + strlen(out), out_bytes - strlen(out), "/%u", lane);
	return out;
}

static void put_channel(struct table *table, const struct route_view *view, uint32_t link, uint32_t lane)
{
	char name[ROUTE_CHANNEL_NAME_MAX];

	table_text(table, route_channel_name(view, link, lane, name, sizeof(name)));
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

	return cable->ends[0].node >= view->topology->hosts && cable->ends[1].node >= view->topology->hosts;
}

// Coefficient of variation of the loads of links between switches (standard deviation over mean); NaN if there are none.
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
			squares += (view->loads->links[link] - mean) * (view->loads->links[link] - mean);
	return count > 0 && sum > 0 ? sqrt(squares / count) / mean : NAN;
}

static uint32_t route_tables_longest(const struct net_loads *loads)
{
	uint32_t length = loads->longest;

	while (length > 0 && loads->lengths[length] == 0)
		length--;
	return length;
}

struct table *route_summary_table(const struct route_view *view)
{
	static const char *const keys[] = {
		"hosts",	 "switches",	     "cables",	     "pairs",	      "pairs_without_route",
		"mean_switches", "longest_switches", "fullest_link", "fullest_load",  "trunk_load_cv",
		"saturation",	 "saturation_MBps",  "dependencies", "route_deadlock"};
	struct table *table = table_new("routes", "routes");
	const struct net_loads *loads = view->loads;
	uint32_t fullest = 0;
	double saturation = net_loads_saturation(loads, view->topology->hosts, view->rates, &fullest);

	COLUMNS(table, keys);
	table_count(table, view->topology->hosts);
	table_count(table, view->topology->switches);
	table_count(table, view->topology->cable_count);
	table_count(table, loads->pairs);
	table_count(table, loads->missing);
	table_real(table, (double)loads->switches / (double)loads->pairs, 6);
	table_count(table, route_tables_longest(loads));
	if (saturation > 0) {
		route_tables_put_link(table, view, fullest);
		table_real(table, loads->links[fullest], 10);
	} else {
		table_none(table);
		table_none(table);
	}
	table_real(table, trunk_variation(view), 4);
	table_real(table, saturation > 0 ? saturation : NAN, 6);
	table_real(table, saturation > 0 ? saturation * view->link_rate_bps / 8e6 : NAN, 6);
	table_count(table, view->routes->choices ? view->immunity->dependencies : view->cycle->dependencies);
	table_text(table, route_deadlocks(view) ? "possible" : "no");
	return table;
}

struct table *route_lengths_table(const struct route_view *view)
{
	static const char *const keys[] = {"switches", "pairs", "share"};
	struct table *table = table_new("lengths", "Route lengths");

	COLUMNS(table, keys);
	for (uint32_t i = 0; i <= route_tables_longest(view->loads); i++) {
		if (view->loads->lengths[i] == 0)
			continue;
		table_count(table, i);
		table_count(table, view->loads->lengths[i]);
		table_real(table, (double)view->loads->lengths[i] / (double)view->loads->pairs, 6);
	}
	return table;
}

struct table *route_loads_table(const struct route_view *view)
{
	static const char *const keys[] = {"link", "load", "share", "full_at"};
	struct table *table = table_new("loads", "Link loads");
	const double mean = view->loads->offered / view->topology->hosts;

	COLUMNS(table, keys);
	for (uint32_t link = 0; link < view->loads->count; link++) {
		const double load = view->loads->links[link];

		route_tables_put_link(table, view, link);
		table_real(table, load, 10);
		table_real(table, load / view->loads->offered, 6);
		table_real(table, load > 0 ? mean * view->rates[link] / load : NAN, 6);
	}
	return table;
}

struct table *route_cycle_table(const struct route_view *view)
{
	static const char *const keys[] = {"step", "link", "held_from", "held_to"};
	struct table *table = table_new("cycle", "Cycle of links with possible deadlock");

	COLUMNS(table, keys);
	for (uint32_t i = 0; i < view->cycle->count; i++) {
		const struct net_cycle_step *step = &view->cycle->steps[i];

		table_count(table, i + 1);
		put_channel(table, view, step->link, step->lane);
		route_tables_put_node(table, view, step->source);
		route_tables_put_node(table, view, step->destination);
	}
	return table;
}

struct table *route_pairs_table(void)
{
	static const char *const keys[] = {"source", "destination", "switches", "flits", "bytes", "links"};
	struct table *table = table_new("pairs", "Routes of single pairs");

	COLUMNS(table, keys);
	return table;
}

// The ports and, as in the model's worms, the destination: "5,7,10".
static void put_flits(FILE *out, const uint16_t *ports, uint32_t count, uint32_t destination)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(out, "%u,", ports[i]);
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

// The lane is that of lists; only links between switches have lanes.
static void put_links(FILE *out, const struct route_view *view, const struct net_path *path, uint32_t lane)
{
	char name[ROUTE_CHANNEL_NAME_MAX];

	for (uint32_t i = 0; i < path->count; i++) {
		const uint32_t own = is_trunk(view, path->links[i]) ? lane : 0;

		fprintf(out, "%s%s", i > 0 ? " " : "", route_channel_name(view, path->links[i], own, name, sizeof(name)));
	}
}

// Data of a row.
struct route_tables_pair {
	uint16_t *ports;
	int *deltas;
	struct net_path path;
	uint32_t count;
	uint32_t destination;
	uint32_t lane;
};

// One text cell; false where memory ends.
static bool put_cell(struct table *table, const struct route_view *view, const struct route_tables_pair *pair, int column)
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
		put_links(out, view, &pair->path, pair->lane);
	const bool whole = tr_memstream_close(out);

	if (whole)
		table_text(table, text);
	free(text);
	return whole;
}

static enum tr_status route_tables_fill(struct table *table, const struct route_view *view, struct route_tables_pair *pair,
					uint32_t source, uint32_t destination, struct tr_error *err)
{
	char text[120];

	if (!pair->ports || !pair->deltas || !pair->path.links)
		return tr_no_memory(err, "a route");
	route_tables_put_node(table, view, source);
	route_tables_put_node(table, view, destination);
	pair->count = net_routes_get(view->routes, source, destination, pair->ports);
	pair->destination = destination;
	pair->lane = net_routes_lane(view->routes, source, destination);
	if (pair->count == NET_NO_ROUTE) {
		for (int i = 0; i < 4; i++)
			table_none(table);
		return TR_OK;
	}
	if (!net_path_follow(&pair->path, view->graph, source, destination, pair->ports, pair->count))
		return tr_fail(err, "%s", net_path_fault_text(&pair->path, view->graph, text, sizeof(text)));
	net_gm_deltas(view->graph, source, pair->ports, pair->count, pair->deltas);
	table_count(table, pair->count);
	for (int column = 0; column < 3; column++)
		if (!put_cell(table, view, pair, column))
			return tr_no_memory(err, "a route");
	return TR_OK;
}

enum tr_status route_pairs_add(struct table *table, const struct route_view *view, uint32_t source, uint32_t destination,
			       struct tr_error *err)
{
	struct route_tables_pair pair = {
		.ports = calloc(view->routes->longest, sizeof(*pair.ports)),
		.deltas = calloc(view->routes->longest, sizeof(*pair.deltas)),
		.path.links = calloc((size_t)view->routes->longest + 1, sizeof(uint32_t)),
	};
	enum tr_status status = route_tables_fill(table, view, &pair, source, destination, err);

	free(pair.ports);
	free(pair.deltas);
	free(pair.path.links);
	return status;
}
