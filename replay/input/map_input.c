// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/map_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "input/closed_map.h"
#include "input/matrix_input.h"
#include "input/network_input.h"
#include "table/keys.h"
#include "table/table_rows.h"

struct least_params {
	char net[KEY_TEXT_BYTES];
	char matrix[KEY_TEXT_BYTES];
	uint64_t seed;
	uint64_t tries;
};

static const struct least_params usual = {.tries = 20000};
static const struct key keys[] = {
	{"net", KEY_TEXT, offsetof(struct least_params, net), NULL, NULL, "virtual network"},
	{"matrix", KEY_TEXT, offsetof(struct least_params, matrix), NULL, NULL, "traffic matrix"},
	{"seed", KEY_COUNT, offsetof(struct least_params, seed), NULL, NULL, "seed of the search"},
	{"tries", KEY_COUNT, offsetof(struct least_params, tries), NULL, NULL,
	 "exchanges that the search tries"},
	{.type = KEY_END},
};

static bool map_input_fail(struct tool *tool, const char *text)
{
	tool_error(tool, "--map least: %s", text);
	return false;
}

static bool read_params(struct tool *tool, const struct map_request *request,
			struct least_params *params)
{
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	const struct key_kind kind = {"least", "flitsim(1)", keys, none, &usual};
	struct keys_given given = {0};
	struct tr_error err;

	*params = usual;
	if (keys_read(&kind, keys_behind_name(request->text), params, &given, &err) != TR_OK)
		return map_input_fail(tool, err.text);
	if (!request->routes && !request->ways)
		return map_input_fail(tool,
				      "this kind of network has no links that could be loaded");
	if (*params->net != '\0' && *params->matrix != '\0')
		return map_input_fail(tool, "expected net or matrix, found both");
	if (*params->net == '\0' && *params->matrix == '\0' && !request->pattern)
		return map_input_fail(
			tool, "the traffic of the nodes is known only after it was sent; give it: "
			      "least:net=ring:8, or least:matrix=FILE as flitstat prints it");
	return true;
}

// A node for each switch, which must have the host of its number, and an edge for each cable, from
// its first end.
static bool add_cables(struct tool *tool, const struct net_topology *virtual,
		       struct place_pattern *pattern)
{
	struct tr_error err;

	pattern->nodes = virtual->hosts;
	for (size_t i = 0; i < virtual->cable_count; i++) {
		const struct net_end *ends = virtual->cables[i].ends;

		if (ends[0].node < virtual->hosts ? ends[1].node != ends[0].node + virtual->hosts
						  : ends[1].node < virtual->hosts)
			return map_input_fail(
				tool, "net: expected one host on each switch, that of its number");
		if (ends[0].node >= virtual->hosts &&
		    place_pattern_add(pattern, ends[0].node - virtual->hosts,
				      ends[1].node - virtual->hosts, 1, &err) != TR_OK)
			return map_input_fail(tool, err.text);
	}
	if (virtual->switches != virtual->hosts)
		return map_input_fail(tool,
				      "net: expected one host on each switch, that of its number");
	return true;
}

static bool read_virtual(struct tool *tool, const char *text, struct place_pattern *pattern)
{
	struct net_topology virtual;
	const bool read = topology_input_open_single(tool, text, &virtual) &&
			  add_cables(tool, &virtual, pattern);

	net_topology_clear(&virtual);
	return read;
}

static bool read_matrix(struct tool *tool, const struct map_request *request, const char *path,
			struct place_pattern *pattern)
{
	const struct matrix_request matrix = {path, "ids", request->ignore_unmapped};
	const uint32_t hosts = request->topology->hosts;
	struct tr_error err;
	double *weights;
	bool read = matrix_input_open(tool, &matrix, request->topology, &weights);

	pattern->nodes = hosts;
	for (size_t i = 0; read && i < (size_t)hosts * hosts; i++)
		if (weights[i] > 0 &&
		    place_pattern_add(pattern, (uint32_t)(i / hosts), (uint32_t)(i % hosts),
				      weights[i], &err) != TR_OK)
			read = map_input_fail(tool, err.text);
	free(weights);
	return read;
}

static void set_form(struct placement *placement, const struct closed_map *form,
		     const struct map_grid *from, const struct map_grid *to)
{
	for (uint32_t node = 0; node < placement->pattern->nodes; node++)
		placement->host_of[node] = form ? form->host(from, to, node) : node;
}

// The virtual grids whose closed forms the search may start from: a ring, and a torus of the
// network's sizes.
static void find_starts(const struct map_grid *to, struct map_grid starts[2])
{
	starts[0] = (struct map_grid){
		.count = 1, .closed = true, .sizes = {(uint32_t)map_grid_nodes(to)}};
	starts[1] = *to;
	starts[1].closed = true;
	starts[1].cube = false;
}

// Searches from the best of the nodes' numbers and the forms that a grid has.
static void map_input_search(struct placement *placement, const char *network,
			     const struct least_params *params, struct map_result *result)
{
	struct map_grid to, starts[2];
	const struct closed_map *best = NULL;
	const struct map_grid *from = NULL;
	struct place_cost least = placement_cost(placement);

	if (map_grid_read(&to, network) && map_grid_nodes(&to) == placement->pattern->nodes) {
		find_starts(&to, starts);
		for (int i = 0; i < 2; i++) {
			const struct closed_map *form = closed_map_find(&starts[i], &to);
			struct place_cost cost;

			if (!form)
				continue;
			set_form(placement, form, &starts[i], &to);
			cost = placement_cost(placement);
			if (!place_cost_less(&cost, &least))
				continue;
			least = cost;
			best = form;
			from = &starts[i];
		}
	}
	set_form(placement, best, from, &to);
	result->how = "search";
	result->cost = placement_climb(placement, params->seed, params->tries);
}

static void map_input_place(struct placement *placement, const struct map_request *request,
			    const struct least_params *params, struct map_result *result)
{
	struct map_grid from, to;
	const struct closed_map *form = NULL;

	if (map_grid_read(&from, params->net) && map_grid_read(&to, request->network) &&
	    map_grid_nodes(&to) == request->topology->hosts)
		form = closed_map_find(&from, &to);
	result->bound = placement_bound(placement);
	if (!form) {
		map_input_search(placement, request->network, params, result);
		return;
	}
	set_form(placement, form, &from, &to);
	result->how = form->name;
	result->cost = placement_cost(placement);
}

static bool place_pattern(struct tool *tool, const struct map_request *request,
			  const struct least_params *params, const struct place_pattern *pattern,
			  struct node_map *map, struct map_result *result)
{
	struct placement placement = {0};
	struct net_routes ways = {0};
	struct tr_error err;
	const bool opened = (request->routes || request->ways(&ways, request->params,
							      request->topology, &err) == TR_OK) &&
			    placement_open(&placement, pattern, request->topology,
					   request->routes ? request->routes : &ways,
					   &err) == TR_OK;

	if (opened) {
		map_input_place(&placement, request, params, result);
		map->of_id = placement.host_of;
		map->of_id_count = pattern->nodes;
		placement.host_of = NULL;
	}
	placement_close(&placement);
	net_routes_clear(&ways);
	return (opened && net_names_open(&map->names, request->topology, &err) == TR_OK) ||
	       map_input_fail(tool, err.text);
}

static bool open_least(struct tool *tool, const struct map_request *request, struct node_map *map,
		       struct map_result *result)
{
	struct place_pattern own = {0};
	struct least_params params;
	bool done = read_params(tool, request, &params);

	if (done && *params.net != '\0')
		done = read_virtual(tool, params.net, &own);
	else if (done && *params.matrix != '\0')
		done = read_matrix(tool, request, params.matrix, &own);
	done = done && place_pattern(tool, request, &params,
				     own.nodes > 0 ? &own : request->pattern, map, result);
	place_pattern_clear(&own);
	return done;
}

// Hosts are dealt to the jobs in turn, as long as one has nodes left.
static bool open_round_robin(struct tool *tool, const struct map_request *request,
			     struct node_map *map)
{
	const uint32_t *first = request->job_first;
	struct tr_error err;

	if (!first) {
		tool_error(tool, "--map round-robin deals hosts to the jobs of several --program");
		return false;
	}
	map->of_id_count = first[request->jobs];
	map->of_id = calloc((size_t)map->of_id_count + 1, sizeof(*map->of_id));
	if (!map->of_id) {
		tool_no_memory(tool, "the map");
		return false;
	}
	for (uint32_t host = 0, turn = 0; host < map->of_id_count; turn++)
		for (uint32_t job = 0; job < request->jobs; job++)
			if (turn < first[job + 1] - first[job])
				map->of_id[first[job] + turn] = host++;
	if (net_names_open(&map->names, request->topology, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
}

const struct opt_choice map_input_words[] = {
	{"ids", 0, "by the number in a node's name (host7, 7), else by the node's own number"},
	{"roles", 0, "the same, without the nodes that have no role"},
	{"names", 0, "a node is the host whose name is its address"},
	{"random", 0, NODE_MAP_RANDOM},
	{"round-robin", 0, "hosts go to the jobs of several programs in turn"},
	{"least", 0,
	 "least[:KEYS]: nodes that exchange traffic near each other, with the lowest load found "
	 "for the fullest cable"},
	{NULL, 0},
};

bool map_input_open(struct tool *tool, const struct map_request *request, struct node_map *map,
		    struct map_result *result)
{
	struct tr_error err;
	char words[64];

	*map = (struct node_map){0};
	*result = (struct map_result){0};
	if (node_map_is_word(request->text, "least"))
		return open_least(tool, request, map, result);
	if (strcmp(request->text, "round-robin") == 0)
		return open_round_robin(tool, request, map);
	if (node_map_is_file(request->text) && access(request->text, F_OK) != 0) {
		tool_error(tool, "map \"%s\": neither one of %s nor a file", request->text,
			   opt_words(map_input_words, words, sizeof(words)));
		return false;
	}
	if (node_map_is_file(request->text) && !tool_reads(tool, request->text))
		return false;
	if (node_map_open(map, request->text, request->topology, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
}

TABLE_ROW(mapped, (text, how), (real, fullest_cable, 12), (real, bound, 12), (count, longest),
	  (real, cables, 12));

struct table *map_result_table(const struct map_result *result)
{
	struct table *table = table_of("map", "Hosts of the nodes", mapped_fields);

	TABLE_PUT(table, mapped, .how = result->how, .fullest_cable = result->cost.load,
		  .bound = result->bound > 0 ? result->bound : NAN,
		  .longest = result->cost.dilation, .cables = result->cost.hops);
	table_note(table, "fullest_cable: the most traffic on a cable between switches, both "
			  "directions together, in edges of net or bytes; bound: no map has less; "
			  "longest: longest route, in cables; cables: of all routes");
	return table;
}
