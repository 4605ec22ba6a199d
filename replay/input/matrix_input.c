// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/matrix_input.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "stream/named_columns.h"
#include "value/num.h"

struct matrix_input_matrix_reading {
	const struct matrix_nodes *nodes;
	struct tr_named_columns table; // src, dst, bytes
	double *weights;
	double skipped;
	char **name_of; // by host: the name that stands for it; NULL: none yet
	uint32_t hosts;
};

static bool matrix_input_find_host(const struct matrix_input_matrix_reading *reading,
				   const char *name, uint32_t *host)
{
	const struct node_map *map = reading->nodes->map;
	uint32_t number;

	for (uint32_t i = 0; map->by_address && i < map->line_count; i++)
		if (strcmp(map->lines[i].address, name) == 0) {
			*host = map->lines[i].host;
			return true;
		}
	if (map->by_address && !map->by_name)
		return false;
	if (map->by_name)
		return net_names_find(reading->nodes->names, name, host) && *host < reading->hosts;
	if (!node_map_number(reading->nodes->names, name, &number) || number >= reading->hosts)
		return false;
	*host = map->of_id ? map->of_id[number] : number;
	return true;
}

// Of an address, the message says how a map makes it a host.
static enum tr_status refuse_node(const struct matrix_input_matrix_reading *reading,
				  const char *name, struct tr_error *err)
{
	const struct node_map *map = reading->nodes->map;
	uint32_t number;

	if (!map->by_address && node_map_number(reading->nodes->names, name, &number))
		return tr_lines_fail(&reading->table.lines, err,
				     "%.100s is host %u by its name, the hosts of the network are "
				     "0 to %u; give a larger network, "
				     "or --map FILE with a line \"NODE HOST\" for each node",
				     name, number, reading->hosts - 1);
	if (map->line_count > 0 || node_map_number(reading->nodes->names, name, &number))
		return tr_lines_fail(&reading->table.lines, err,
				     "no host of the network: \"%.100s\"", name);
	return tr_lines_fail(&reading->table.lines, err,
			     "no host of the network: \"%.100s\"; give --map FILE with a line "
			     "\"%.100s HOST\" for each node",
			     name, name);
}

// A host is one node: two names of it are refused.
static enum tr_status matrix_input_take_name(struct matrix_input_matrix_reading *reading,
					     const char *name, uint32_t host, struct tr_error *err)
{
	char **taken = &reading->name_of[host];

	if (!*taken)
		*taken = strdup(name);
	if (!*taken)
		return tr_no_memory(err, "the names of hosts");
	if (strcmp(*taken, name) == 0)
		return TR_OK;
	return tr_lines_fail(&reading->table.lines, err,
			     "%.100s and %.100s are both host %u; give --map FILE with a line "
			     "\"NODE HOST\" for each node",
			     *taken, name, host);
}

static enum tr_status matrix_input_add(struct matrix_input_matrix_reading *reading,
				       char *cells[TR_NAMED_MAX], struct tr_error *err)
{
	uint32_t ends[2];
	uint64_t bytes;

	if (num_parse_count(cells[2], 0, UINT64_MAX, &bytes, NULL) != TR_OK)
		return tr_lines_fail(&reading->table.lines, err,
				     "expected a number of bytes, found \"%.100s\"", cells[2]);
	for (int i = 0; i < 2; i++)
		if (!matrix_input_find_host(reading, cells[i], &ends[i])) {
			reading->skipped += (double)bytes;
			return reading->nodes->ignore_unmapped
				       ? TR_OK
				       : refuse_node(reading, cells[i], err);
		}
	reading->weights[(size_t)ends[0] * reading->hosts + ends[1]] += (double)bytes;
	return matrix_input_take_name(reading, cells[0], ends[0], err) == TR_OK
		       ? matrix_input_take_name(reading, cells[1], ends[1], err)
		       : TR_ERROR;
}

enum tr_status matrix_input_read(double **weights, double *skipped,
				 const struct matrix_nodes *nodes, struct tr_source *source,
				 struct tr_error *err)
{
	struct matrix_input_matrix_reading reading = {
		.nodes = nodes,
		.table = {.lines.source = source, .names = {"src", "dst", "bytes"}},
		.hosts = nodes->names->topology->hosts};
	char *cells[TR_NAMED_MAX];
	enum tr_status status;

	*weights = reading.weights = calloc((size_t)reading.hosts * reading.hosts,
					    sizeof(*reading.weights));
	reading.name_of = calloc((size_t)reading.hosts + 1, sizeof(*reading.name_of));
	if (!reading.weights || !reading.name_of) {
		free(reading.name_of);
		return tr_no_memory(err, "the traffic of %u hosts", reading.hosts);
	}
	while ((status = tr_named_columns_next(&reading.table, cells, err)) == TR_OK &&
	       (status = matrix_input_add(&reading, cells, err)) == TR_OK)
		continue;
	for (uint32_t host = 0; host < reading.hosts; host++)
		free(reading.name_of[host]);
	free(reading.name_of);
	*skipped = reading.skipped;
	tr_lines_clear(&reading.table.lines);
	return status == TR_END ? TR_OK : TR_ERROR;
}

bool matrix_input_open(struct tool *tool, const struct matrix_request *request,
		       const struct net_topology *topology, double **weights)
{
	struct node_map map = {0};
	struct net_names names = {0};
	const struct matrix_nodes nodes = {&names, &map, request->ignore_unmapped};
	struct tr_error err = {""};
	struct tr_source *source = NULL;
	enum tr_status status = TR_ERROR;
	double skipped = 0;

	*weights = NULL;
	if (net_has_adapters(topology)) {
		tool_error(tool,
			   "%s: a traffic matrix is between hosts with one port, not with several",
			   request->path);
		return false;
	}
	if (node_map_is_file(request->map) && !tool_reads(tool, request->map))
		return false;
	if (node_map_open(&map, request->map, topology, &err) == TR_OK &&
	    net_names_open(&names, topology, &err) == TR_OK &&
	    (source = tool_open_source(tool, request->path)) != NULL)
		status = matrix_input_read(weights, &skipped, &nodes, source, &err);
	if (*err.text != '\0')
		tool_error(tool, "%s", err.text);
	if (status == TR_OK && skipped > 0)
		tool_warn(tool, "%s: ignored %.0f bytes of nodes outside the network",
			  request->path, skipped);
	tr_source_close(source);
	net_names_close(&names);
	node_map_close(&map);
	return status == TR_OK;
}
