// SPDX-License-Identifier: GPL-3.0-or-later
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "flitroute.h"
#include "net/routes/choices.h"
#include "table/table_rows.h"
#include "value/memstream.h"

static void put_switch(struct table *table, const struct route_view *view, uint32_t at)
{
	char name[NET_NAME_MAX + 1];

	table_text(table, net_topology_name(view->topology, at + view->topology->hosts, name,
					    sizeof(name)));
}

// What an input is: a channel, or "hosts".
static const char *input_name(const struct route_view *view, uint32_t input, char *out,
			      size_t out_bytes)
{
	const struct net_input what = net_choices_what(view->routes->choices, input);

	return what.link == NET_NOBODY
		       ? "hosts"
		       : route_channel_name(view, what.link, what.lane, out, out_bytes);
}

static void put_input(struct table *table, const struct route_view *view, uint32_t input)
{
	char name[ROUTE_CHANNEL_NAME_MAX];

	table_text(table, input_name(view, input, name, sizeof(name)));
}

// The channel of an option, and ! for an escape.
static const char *option_name(const struct route_view *view, uint32_t at, struct net_option option,
			       char *out, size_t out_bytes)
{
	const struct net_peer *peer = net_graph_peer(view->graph, at + view->topology->hosts,
						     option.port);

	route_channel_name(view, peer->link, option.lane, out, out_bytes - 1);
	if (option.escape)
		snprintf(out + strlen(out), out_bytes - strlen(out), "!");
	return out;
}

// The options of an input for a destination, with a blank between two; none: "-".
static void put_options(struct table *table, const struct route_view *view, uint32_t input,
			uint32_t destination)
{
	const struct net_choices *choices = view->routes->choices;
	char name[ROUTE_CHANNEL_NAME_MAX + 1];
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, destination, &count);
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole = out != NULL;

	for (uint32_t i = 0; i < count && whole; i++)
		fprintf(out, "%s%s", i > 0 ? " " : "",
			option_name(view, net_choices_what(choices, input).at, options[i], name,
				    sizeof(name)));
	whole = whole && tr_memstream_close(out);
	table_text(table, whole && count > 0 ? text : NULL);
	free(text);
}

TABLE_ROW(choice_sums, (count, lanes), (text, buffers), (count, entries), (real, mean_options, 6),
	  (count, most_options), (count, states), (count, channels), (count, immune_channels));
TABLE_ROW(choice_hops, (real, mean_switch_hops, 6), (real, mean_host_hops, 6));

// Mean links by the best options over ordered pairs of different switches that have options, and of
// hosts, those of one switch and a host with itself counting 0.
static void choice_tables_put_distances(struct table *table, const struct route_view *view)
{
	const struct net_choices *choices = view->routes->choices;
	const uint32_t switches = view->topology->switches;
	const double hosts = view->topology->hosts;
	uint64_t *hosts_at = calloc((size_t)switches + 1, sizeof(*hosts_at));
	uint64_t of_switches = 0, of_hosts = 0, pairs = 0;

	for (uint32_t host = 0; hosts_at && host < view->topology->hosts; host++) {
		const uint32_t node = net_graph_peer(view->graph, host, 0)->node;

		if (net_graph_is_switch(view->graph, node))
			hosts_at[node - view->topology->hosts]++;
	}
	for (uint32_t from = 0; hosts_at && from < switches; from++)
		for (uint32_t to = 0; to < switches; to++) {
			const uint32_t hops = from == to ? NET_NO_ROUTE
							 : net_choices_hops(choices, from, to);

			if (hops == NET_NO_ROUTE)
				continue;
			pairs++;
			of_switches += hops;
			of_hosts += hops * hosts_at[from] * hosts_at[to];
		}
	TABLE_PUT(table, choice_hops, .mean_switch_hops = (double)of_switches / (double)pairs,
		  .mean_host_hops = pairs > 0 ? (double)of_hosts / (hosts * hosts) : NAN);
	free(hosts_at);
}

struct table *choice_summary_table(const struct route_view *view)
{
	const struct net_choices *choices = view->routes->choices;
	struct table *table = table_of("choices", "Routes with a choice", choice_sums_fields);
	uint64_t entries = 0, options = 0;
	uint32_t most = 0;

	table_heads(table, choice_hops_fields);
	for (uint32_t input = 0; input < net_choices_inputs(choices); input++)
		for (uint32_t to = 0; to < view->topology->switches; to++) {
			uint32_t count;

			if (net_choices_what(choices, input).at == to)
				continue;
			(void)net_choices_get(choices, input, to, &count);
			entries += count > 0;
			options += count;
			most = count > most ? count : most;
		}
	TABLE_PUT(table, choice_sums, .lanes = net_choices_lanes(choices),
		  .buffers = net_choices_empty_needed(choices) ? "empty" : "any",
		  .entries = entries, .mean_options = (double)options / (double)entries,
		  .most_options = most, .states = view->immunity->states,
		  .channels = view->immunity->channels, .immune_channels = view->immunity->immune);
	choice_tables_put_distances(table, view);
	table_note(table, "lengths, loads and pairs are those of the best options");
	return table;
}

struct table *choice_stuck_table(const struct route_view *view)
{
	const struct net_immunity *immunity = view->immunity;
	struct table *table = table_new("stuck", "Worms that may wait for ever");

	table_columns(table, "channel destination state options");
	for (uint32_t i = 0; i < immunity->stuck_count; i++) {
		put_input(table, view, immunity->channel);
		put_switch(table, view, immunity->destination);
		put_input(table, view, immunity->stuck[i]);
		put_options(table, view, immunity->stuck[i], immunity->destination);
	}
	return table;
}

struct table *choice_cycle_table(const struct route_view *view)
{
	struct table *table = table_new(
		"cycle",
		view->immunity->channel != NET_NOBODY
			? "Cycle of links with possible deadlock"
			: "Cycle of links with possible deadlock unless buffers are empty");

	table_columns(table, "step link held_to");
	for (uint32_t i = 0; i < view->immunity->cycle_count; i++) {
		table_count(table, i + 1);
		put_input(table, view, view->immunity->cycle[i].input);
		put_switch(table, view, view->immunity->cycle[i].destination);
	}
	return table;
}

struct table *choice_steps_table(void)
{
	struct table *table = table_new("steps", "Options on the routes of single pairs");

	table_columns(table, "source destination step switch incoming options");
	return table;
}

enum tr_status choice_steps_add(struct table *table, const struct route_view *view, uint32_t source,
				uint32_t destination, struct tr_error *err)
{
	const struct net_choices *choices = view->routes->choices;
	const uint32_t hosts = view->topology->hosts;
	const uint32_t from = net_graph_peer(view->graph, source, 0)->node;
	const uint32_t to = net_graph_peer(view->graph, destination, 0)->node;
	char name[NET_NAME_MAX + 1];
	uint32_t input;

	(void)err;
	if (from < hosts || to < hosts ||
	    net_choices_hops(choices, from - hosts, to - hosts) == NET_NO_ROUTE)
		return TR_OK;
	input = net_choices_host_input(from - hosts);
	for (uint32_t step = 1; net_choices_what(choices, input).at != to - hosts; step++) {
		uint32_t count;
		const struct net_option *best = net_choices_get(choices, input, to - hosts, &count);

		table_text(table, net_topology_name(view->topology, source, name, sizeof(name)));
		table_text(table,
			   net_topology_name(view->topology, destination, name, sizeof(name)));
		table_count(table, step);
		put_switch(table, view, net_choices_what(choices, input).at);
		put_input(table, view, input);
		put_options(table, view, input, to - hosts);
		input = net_choices_next(choices, net_choices_what(choices, input).at, *best);
	}
	return TR_OK;
}

// The inputs of a switch: hosts, then by port and lane. The caller frees *inputs; 0 where memory
// runs out.
static uint32_t list_inputs(const struct route_view *view, uint32_t at, uint32_t **inputs)
{
	const struct net_choices *choices = view->routes->choices;
	const uint32_t node = at + view->topology->hosts;
	uint32_t count = 0;

	*inputs = calloc(1 + (size_t)net_graph_ports(view->graph, node) *
					 net_choices_lanes(choices),
			 sizeof(**inputs));
	if (!*inputs)
		return 0;
	(*inputs)[count++] = net_choices_host_input(at);
	for (uint32_t port = 0; port < net_graph_ports(view->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(view->graph, node, port);

		for (uint32_t lane = 0; net_graph_is_switch(view->graph, peer->node) &&
					lane < net_choices_lanes(choices);
		     lane++)
			(*inputs)[count++] = net_choices_input(choices, peer->link ^ 1, lane);
	}
	return count;
}

// The names of the inputs from the first on that have its list of options.
static void put_incoming(struct table *table, const struct route_view *view, const uint32_t *inputs,
			 uint32_t count, uint32_t destination)
{
	const uint32_t list = net_choices_list(view->routes->choices, inputs[0], destination);
	char name[ROUTE_CHANNEL_NAME_MAX];
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);
	bool whole = out != NULL;

	for (uint32_t i = 0; whole && i < count; i++)
		if (net_choices_list(view->routes->choices, inputs[i], destination) == list)
			fprintf(out, "%s%s", i > 0 ? " " : "",
				input_name(view, inputs[i], name, sizeof(name)));
	whole = whole && tr_memstream_close(out);
	table_text(table, whole ? text : NULL);
	free(text);
}

static void choice_tables_put_row(struct table *table, const struct route_view *view,
				  uint32_t input, uint32_t destination, uint32_t most)
{
	const struct net_choices *choices = view->routes->choices;
	char name[ROUTE_CHANNEL_NAME_MAX + 1];
	uint32_t count;
	const struct net_option *options = net_choices_get(choices, input, destination, &count);

	for (uint32_t i = 0; i < most; i++)
		table_text(table, i < count ? option_name(view, net_choices_what(choices, input).at,
							  options[i], name, sizeof(name))
					    : NULL);
}

// Whether an input before this one has the same options, and a row for both.
static bool has_row(const struct net_choices *choices, const uint32_t *inputs, uint32_t place,
		    uint32_t destination)
{
	const uint32_t list = net_choices_list(choices, inputs[place], destination);

	for (uint32_t i = 0; i < place; i++)
		if (net_choices_list(choices, inputs[i], destination) == list)
			return true;
	return list == 0;
}

static uint32_t most_options(const struct route_view *view, const uint32_t *inputs, uint32_t count,
			     uint32_t at)
{
	uint32_t most = 1;

	for (uint32_t to = 0; to < view->topology->switches; to++)
		for (uint32_t i = 0; to != at && i < count; i++) {
			uint32_t options;

			(void)net_choices_get(view->routes->choices, inputs[i], to, &options);
			most = options > most ? options : most;
		}
	return most;
}

static struct table *switch_table(const struct route_view *view, uint32_t at)
{
	char name[NET_NAME_MAX + 1];
	char key[NET_NAME_MAX + 20];
	char title[NET_NAME_MAX + 20];
	uint32_t *inputs;
	const uint32_t count = list_inputs(view, at, &inputs);
	const uint32_t most = most_options(view, inputs, count, at);
	struct table *table;

	if (count == 0)
		return table_lost();
	net_topology_name(view->topology, at + view->topology->hosts, name, sizeof(name));
	snprintf(key, sizeof(key), "next_%s", name);
	snprintf(title, sizeof(title), "Next links from %s", name);
	table = table_new(key, title);
	table_columns(table, "destination incoming");
	for (uint32_t i = 1; i <= most; i++) {
		snprintf(title, sizeof(title), "out_%u", i);
		table_column(table, title);
	}
	for (uint32_t to = 0; to < view->topology->switches; to++)
		for (uint32_t i = 0; to != at && i < count; i++) {
			if (has_row(view->routes->choices, inputs, i, to))
				continue;
			put_switch(table, view, to);
			put_incoming(table, view, inputs + i, count - i, to);
			choice_tables_put_row(table, view, inputs[i], to, most);
		}
	free(inputs);
	return table;
}

// The steps at a switch of all routes that are lists, as choices.
struct gathering {
	const struct route_view *view;
	struct net_choices *choices;
	uint32_t at;
};

static enum tr_status gather_step(const struct gathering *gathering, uint32_t input,
				  uint32_t destination, struct net_option option,
				  struct tr_error *err)
{
	struct net_option options[NET_OPTIONS_MAX];
	uint32_t count;
	const struct net_option *known = net_choices_get(gathering->choices, input, destination,
							 &count);

	for (uint32_t i = 0; i < count; i++) {
		if (known[i].port == option.port && known[i].lane == option.lane)
			return TR_OK;
		options[i] = known[i];
	}
	if (count < NET_OPTIONS_MAX)
		options[count++] = option;
	return net_choices_put(gathering->choices, input, destination, options, count, err);
}

static enum tr_status gather_route(void *context, uint32_t source, uint32_t destination,
				   const struct net_path *path, struct tr_error *err)
{
	const struct gathering *gathering = context;
	const struct net_graph *graph = gathering->view->graph;
	const uint32_t node = gathering->at + graph->hosts;
	const uint32_t to = net_graph_peer(graph, destination, 0)->node;

	(void)source;
	for (uint32_t port = 0; port < net_graph_ports(graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(graph, node, port);

		for (uint32_t i = 1; net_graph_is_switch(graph, peer->node) && i < path->count;
		     i++) {
			uint32_t input;

			if (path->links[i] != peer->link)
				continue;
			input = i == 1 ? net_choices_host_input(gathering->at)
				       : net_choices_input(gathering->choices, path->links[i - 1],
							   net_path_lane(path, i - 1));
			if (gather_step(gathering, input, to - graph->hosts,
					(struct net_option){(uint16_t)port,
							    (uint8_t)net_path_lane(path, i), false},
					err) != TR_OK)
				return TR_ERROR;
		}
	}
	return TR_OK;
}

enum tr_status choice_switch_table(const struct route_view *view, uint32_t at, struct table **table,
				   struct tr_error *err)
{
	const uint32_t lanes = view->routes->lanes > 0 ? view->routes->lanes : 1;
	struct gathering gathering = {view, NULL, at};
	struct net_routes of_lists = {.hosts = view->topology->hosts};
	struct route_view other = *view;
	enum tr_status status;

	if (view->routes->choices) {
		*table = switch_table(view, at);
		return TR_OK;
	}
	if (net_routes_need_one(view->routes, "--switch prints", err) != TR_OK)
		return TR_ERROR;
	gathering.choices = net_choices_open(view->graph, lanes, err);
	status = !gathering.choices ? TR_ERROR
				    : net_paths_visit(view->graph, view->routes, NULL, gather_route,
						      &gathering, err);
	of_lists.choices = gathering.choices;
	other.routes = &of_lists;
	if (status == TR_OK)
		*table = switch_table(&other, at);
	net_choices_close(gathering.choices);
	return status;
}
