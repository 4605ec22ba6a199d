// SPDX-License-Identifier: GPL-3.0-or-later
// flitroute: routes for a network, by a rule or from a file; their loads, and whether worms on them
// can deadlock.
#include <stdlib.h>
#include <string.h>

#include "flitroute.h"
#include "input/matrix_input.h"
#include "input/network_input.h"
#include "input/node_map.h"
#include "net/topology/adapters.h"
#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"
#include "net/topology/topology_text.h"

// Formats of --output besides text.
enum { FORMAT_GM = TABLE_WORDS + 1, FORMAT_YATES, FORMAT_MAP };

static const struct opt_choice format_words[] = {
	TABLE_FORMAT_WORDS,
	{"gm", FORMAT_GM, "a route file of GM"},
	{"yates", FORMAT_YATES, "a table as in Yates (1997)"},
	{"gm-map", FORMAT_MAP, "the network as a map of GM, instead of routes"},
	{NULL, 0},
};

struct flitroute_request {
	const char *network;
	const char *output; // NULL: none
	const char *matrix; // NULL: uniform traffic
	const char *map;
	bool ignore_unmapped;
	struct num_ratio link_rate_bps;
	struct opt_list pairs;
	struct opt_list switches; // whose tables are printed
	bool lengths;
	bool loads;
	struct table_style style;
};

// State of the program.
struct flitroute_work {
	struct tool *tool;
	const struct flitroute_request *request;
	struct net_topology topology;
	struct net_names names;
	struct net_graph graph;
	struct net_routes routes;
	struct net_waits *waits;
	struct net_cycle cycle;
	struct net_immunity immunity;
	struct net_loads loads;
	double *weights;
	double *rates;
};

static enum tr_status flitroute_open_network(struct flitroute_work *work, struct tr_error *err)
{
	if (!topology_input_open(work->tool, work->request->network, &work->topology))
		return TR_ERROR;
	if (net_graph_open(&work->graph, &work->topology, err) != TR_OK ||
	    net_names_open(&work->names, &work->topology, err) != TR_OK)
		return tr_fail_in(err, "%s", work->request->network);
	return TR_OK;
}

static const char *flitroute_routes_text(const struct flitroute_work *work)
{
	return tool_operand_count(work->tool) > 0 ? tool_operand(work->tool, 0) : "updown";
}

static bool flitroute_open_routes(struct flitroute_work *work)
{
	return routes_input_open(work->tool, flitroute_routes_text(work), &work->topology,
				 &work->routes);
}

static bool flitroute_open_matrix(struct flitroute_work *work)
{
	const struct matrix_request matrix = {work->request->matrix, work->request->map,
					      work->request->ignore_unmapped};

	return !matrix.path ||
	       matrix_input_open(work->tool, &matrix, &work->topology, &work->weights);
}

// Rates of the links relative to the default one.
static enum tr_status open_rates(struct flitroute_work *work, struct tr_error *err)
{
	const double usual = num_value(work->request->link_rate_bps);

	if (!(usual > 0))
		return tr_fail(err, "--link-rate: expected a rate above zero");
	work->rates = calloc((size_t)work->graph.links + 1, sizeof(*work->rates));
	if (!work->rates)
		return tr_no_memory(err, "the links' rates");
	for (uint32_t link = 0; link < work->graph.links; link++) {
		const struct num_ratio own = work->topology.cables[link / 2].rate_bps;

		work->rates[link] = own.den != 0 ? num_value(own) / usual : 1;
	}
	return TR_OK;
}

// Checks the combination of options.
static enum tr_status flitroute_check_request(const struct flitroute_work *work,
					      struct tr_error *err)
{
	const struct flitroute_request *request = work->request;
	const int format = request->style.format;

	if (tool_operand_count(work->tool) > 1)
		return tr_fail(err, "expected one rule or file of routes");
	if (format > TABLE_WORDS && !request->output)
		return tr_fail(err, "--format %s is a format of routes and needs --output",
			       format_words[format - 1].word);
	if (format > TABLE_TEXT && format < TABLE_WORDS && request->output &&
	    strcmp(request->output, "-") == 0)
		return tr_fail(
			err,
			"--output - writes routes as text, gm or yates, or the map, and no table");
	return TR_OK;
}

// Takes each route in as load and, of lists, as dependencies, so that each is worked out once.
static enum tr_status take_route(void *context, uint32_t source, uint32_t destination,
				 const struct net_path *path, struct tr_error *err)
{
	struct flitroute_work *work = context;

	if (destination == (source != 0 ? 0 : 1))
		tool_progress_part(work->tool, (double)source / work->topology.hosts,
				   "host %u of %u", source, work->topology.hosts);
	if (net_loads_take(&work->loads, source, destination, path, err) != TR_OK)
		return TR_ERROR;
	return !work->waits ? TR_OK : net_waits_take(work->waits, source, destination, path, err);
}

// The same of routes that spread packets, of all ways of each pair.
static enum tr_status flitroute_take_step(void *context, const struct net_spread_step *step,
					  struct tr_error *err)
{
	struct flitroute_work *work = context;

	if (step->before == NET_NOBODY && step->source == (step->destination != 0 ? 0 : 1))
		tool_progress_part(work->tool, (double)step->destination / work->topology.hosts,
				   "host %u of %u", step->destination, work->topology.hosts);
	(void)net_loads_take_step(&work->loads, step, err);
	return net_waits_take_step(work->waits, step, err);
}

static enum tr_status flitroute_take_routes(struct flitroute_work *work, struct tr_error *err)
{
	if (!work->routes.spread)
		return net_paths_visit(&work->graph, &work->routes, &work->loads.missing,
				       take_route, work, err);
	if (net_spread_visit(&work->graph, &work->routes, work->weights, &work->loads.missing,
			     flitroute_take_step, work, err) != TR_OK)
		return TR_ERROR;
	net_loads_round(&work->loads);
	return TR_OK;
}

static enum tr_status examine(struct flitroute_work *work, struct tr_error *err)
{
	const struct net_demand demand = {work->weights};

	if (!work->routes.choices &&
	    !(work->waits = net_waits_open(&work->graph, &work->routes, err)))
		return TR_ERROR;
	if (net_loads_open(&work->loads, &work->graph, &work->routes, demand, err) != TR_OK ||
	    flitroute_take_routes(work, err) != TR_OK)
		return TR_ERROR;
	if (work->routes.choices)
		return net_immunity_find(&work->immunity, work->routes.choices, err);
	return net_waits_search(work->waits, NULL, &work->cycle, err);
}

static enum tr_status find_pair(const struct flitroute_work *work, const char *text,
				uint32_t *source, uint32_t *destination, struct tr_error *err)
{
	char *words = strdup(text);
	char *rest = words;
	const char *first = words ? strsep(&rest, ",") : NULL;
	bool found = rest && net_names_find(&work->names, first, source) &&
		     net_names_find(&work->names, rest, destination) &&
		     *source < work->topology.hosts && *destination < work->topology.hosts;

	free(words);
	if (found)
		return TR_OK;
	return tr_fail(err, "--pair %s: expected two hosts of the network, as %s", text,
		       net_has_adapters(&work->topology) ? "host0.0,host10.0" : "host0,host10");
}

static struct route_view flitroute_view_of(const struct flitroute_work *work)
{
	return (struct route_view){&work->topology, &work->graph,
				   &work->routes,   &work->loads,
				   &work->cycle,    &work->immunity,
				   work->rates,	    num_value(work->request->link_rate_bps)};
}

// Tables to print; their number grows with the options.
struct tables {
	struct table **tables;
	size_t count;
};

static enum tr_status flitroute_add_pairs(const struct flitroute_work *work,
					  const struct route_view *view, struct tables *out,
					  struct tr_error *err)
{
	struct table *routes = out->tables[out->count++] = route_pairs_table();
	struct table *steps = !work->routes.choices
				      ? NULL
				      : (out->tables[out->count++] = choice_steps_table());
	uint32_t source;
	uint32_t destination;

	for (size_t i = 0; i < work->request->pairs.count; i++)
		if (find_pair(work, work->request->pairs.words[i], &source, &destination, err) !=
			    TR_OK ||
		    route_pairs_add(routes, view, source, destination, err) != TR_OK ||
		    (steps && choice_steps_add(steps, view, source, destination, err) != TR_OK))
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status flitroute_add_switches(const struct flitroute_work *work,
					     const struct route_view *view, struct tables *out,
					     struct tr_error *err)
{
	for (size_t i = 0; i < work->request->switches.count; i++) {
		const char *name = work->request->switches.words[i];
		uint32_t node;

		if (!net_names_find(&work->names, name, &node) || node < work->topology.hosts)
			return tr_fail(err,
				       "--switch %s: expected a switch of the network, as switch0",
				       name);
		if (choice_switch_table(view, node - work->topology.hosts, &out->tables[out->count],
					err) != TR_OK)
			return TR_ERROR;
		out->count++;
	}
	return TR_OK;
}

// The cycle of lists, and how many lanes would do where a rule says them.
static enum tr_status flitroute_add_cycle(const struct flitroute_work *work,
					  const struct route_view *view, struct tables *out,
					  struct tr_error *err)
{
	uint32_t least;

	out->tables[out->count++] = route_cycle_table(view);
	if (net_routing_least_lanes(&work->routes, &work->topology, flitroute_routes_text(work),
				    &least, err) != TR_OK)
		return TR_ERROR;
	if (least > 0)
		out->tables[out->count++] = route_lanes_table(view, least);
	return TR_OK;
}

static enum tr_status fill_tables(const struct flitroute_work *work, const struct route_view *view,
				  struct tables *out, struct tr_error *err)
{
	out->tables[out->count++] = route_summary_table(view);
	if (work->routes.choices)
		out->tables[out->count++] = choice_summary_table(view);
	if (work->request->lengths)
		out->tables[out->count++] = route_lengths_table(view);
	if (work->cycle.count > 0 && flitroute_add_cycle(work, view, out, err) != TR_OK)
		return TR_ERROR;
	if (work->routes.choices && work->immunity.channel != NET_NOBODY)
		out->tables[out->count++] = choice_stuck_table(view);
	if (work->routes.choices && work->immunity.cycle_count > 0 && route_deadlocks(view))
		out->tables[out->count++] = choice_cycle_table(view);
	if (work->request->loads)
		out->tables[out->count++] = route_loads_table(view);
	if (work->request->pairs.count > 0 && flitroute_add_pairs(work, view, out, err) != TR_OK)
		return TR_ERROR;
	return flitroute_add_switches(work, view, out, err);
}

#define TABLES_MAX 9u // without those of switches

static enum tr_status flitroute_print(const struct flitroute_work *work, struct tr_error *err)
{
	const struct flitroute_request *request = work->request;
	const struct route_view view = flitroute_view_of(work);
	struct tables out = {
		.tables = calloc(TABLES_MAX + request->switches.count, sizeof(*out.tables))};
	struct table_style style = request->style;
	enum tr_status status = out.tables ? fill_tables(work, &view, &out, err)
					   : tr_no_memory(err, "the tables");

	if (style.format > TABLE_WORDS)
		style.format = TABLE_AUTO;
	if (status == TR_OK)
		status = tables_print(out.tables, out.count, style, "flitroute",
				      tool_stdout(work->tool), err);
	for (size_t i = 0; i < out.count; i++)
		table_free(out.tables[i]);
	free(out.tables);
	return status;
}

static enum net_routes_form_name flitroute_form(const struct flitroute_request *request)
{
	switch (request->style.format) {
	case FORMAT_GM: return NET_ROUTES_GM;
	case FORMAT_YATES: return NET_ROUTES_YATES;
	default: return NET_ROUTES_TEXT;
	}
}

static enum tr_status flitroute_write_out(struct flitroute_work *work, struct tr_error *err)
{
	const struct flitroute_request *request = work->request;
	FILE *out = tool_printable_output(work->tool, request->output);

	if (!out)
		return TR_ERROR;
	if (request->style.format == FORMAT_MAP)
		return net_gm_map_write(&work->topology, out, err);
	return net_routes_write(&work->routes, &work->topology, flitroute_form(request),
				tool_provenance(work->tool), out, err);
}

static enum tr_status flitroute_run(struct flitroute_work *work, struct tr_error *err)
{
	const char *output = work->request->output;

	if (flitroute_check_request(work, err) != TR_OK ||
	    flitroute_open_network(work, err) != TR_OK || !flitroute_open_routes(work) ||
	    open_rates(work, err) != TR_OK || !flitroute_open_matrix(work) ||
	    examine(work, err) != TR_OK)
		return TR_ERROR;
	if (output && flitroute_write_out(work, err) != TR_OK)
		return TR_ERROR;
	return output && strcmp(output, "-") == 0 ? TR_OK : flitroute_print(work, err);
}

static void flitroute_close_work(struct flitroute_work *work)
{
	net_loads_clear(&work->loads);
	net_waits_close(work->waits);
	net_cycle_clear(&work->cycle);
	net_immunity_clear(&work->immunity);
	net_routes_clear(&work->routes);
	net_graph_close(&work->graph);
	net_names_close(&work->names);
	net_topology_clear(&work->topology);
	free(work->weights);
	free(work->rates);
}

int main(int argc, char **argv)
{
	struct flitroute_request request = {
		.network = "switch:8", .map = "ids", .link_rate_bps = {1280000000, 1}};
	const struct opt opts[] = {
		OPT_NETWORK('N', "net", &request.network),
		OPT_ALSO_OUTPUT(&request.output),
		OPT_LIST('p', "pair", "HOST,HOST", &request.pairs,
			 "print the route between two hosts"),
		OPT_LIST(0, "switch", "SWITCH", &request.switches,
			 "print where a switch sends worms"),
		OPT_FLAG(0, "lengths", &request.lengths, "print the distribution of route lengths"),
		OPT_LINK_LOADS(&request.loads),
		OPT_MATRIX(&request.matrix),
		OPT_MAP(&request.map, node_map_words),
		OPT_IGNORE_UNMAPPED(&request.ignore_unmapped),
		OPT_LINK_RATE(&request.link_rate_bps),
		TABLE_OPTIONS_WITH(&request.style, format_words),
		OPT_ONLY_WITH("map,ignore-unmapped", "matrix"),
		OPT_NOT_WITH("lengths,loads,pair,switch,table,json", "output=-"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitroute", "[-N NETWORK] [-o FILE] [option ...] [ROUTES]",
				       "Routes a network, and prints route lengths, link loads and "
				       "where worms can deadlock.",
				       opts, .operands = routes_input_list};
	struct flitroute_work work = {.request = &request};
	struct route_view view;
	enum tool_status status;
	struct tr_error err = {""};

	work.tool = tool_start(argc, argv, &spec);
	if (flitroute_run(&work, &err) != TR_OK && *err.text != '\0')
		tool_error(work.tool, "%s", err.text);
	view = flitroute_view_of(&work);
	status = work.routes.form && route_deadlocks(&view) ? TOOL_NO : TOOL_OK;
	flitroute_close_work(&work);
	return tool_finish(work.tool, status);
}
