// SPDX-License-Identifier: GPL-3.0-or-later
#include "input/matrix_input.h"

#include <stdlib.h>
#include <string.h>

#include "net/topology/adapters.h"
#include "stream/lines.h"
#include "value/num.h"

#define COLUMNS_MAX 64u

struct matrix_input_matrix_reading {
	const struct matrix_nodes *nodes;
	struct tr_lines lines;
	double *weights;
	double skipped;
	char **name_of; // by host: the name that stands for it; NULL: none yet
	uint32_t hosts;
	const char *separator;
	size_t source, destination, bytes; // columns
	bool found;
};

static enum tr_status matrix_input_fail(const struct matrix_input_matrix_reading *reading,
					struct tr_error *err, const char *what, const char *text)
{
	return tr_fail(err, "%s:%llu: %s \"%.100s\"", tr_source_name(reading->lines.source),
		       (unsigned long long)reading->lines.number, what, text);
}

static size_t matrix_input_split(char *line, const char *separator, char *words[COLUMNS_MAX])
{
	size_t count = 0;

	while (line && count < COLUMNS_MAX)
		words[count++] = strsep(&line, separator);
	return !line ? count : 0;
}

// Whether these words are the table's header; stores its columns.
static bool matrix_input_is_heading(struct matrix_input_matrix_reading *reading,
				    char *words[COLUMNS_MAX], size_t count)
{
	unsigned met = 0;

	for (size_t i = 0; i < count; i++) {
		if (strcmp(words[i], "src") == 0) {
			reading->source = i;
			met |= 1;
		} else if (strcmp(words[i], "dst") == 0) {
			reading->destination = i;
			met |= 2;
		} else if (strcmp(words[i], "bytes") == 0) {
			reading->bytes = i;
			met |= 4;
		}
	}
	return met == 7;
}

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
		return tr_lines_fail(&reading->lines, err,
				     "%.100s is host %u by its name, the hosts of the network are "
				     "0 to %u; give a larger network, "
				     "or --map FILE with a line \"NODE HOST\" for each node",
				     name, number, reading->hosts - 1);
	if (map->line_count > 0 || node_map_number(reading->nodes->names, name, &number))
		return matrix_input_fail(reading, err, "no host of the network:", name);
	return tr_lines_fail(&reading->lines, err,
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
	return tr_lines_fail(&reading->lines, err,
			     "%.100s and %.100s are both host %u; give --map FILE with a line "
			     "\"NODE HOST\" for each node",
			     *taken, name, host);
}

static enum tr_status matrix_input_read_row(struct matrix_input_matrix_reading *reading, char *line,
					    struct tr_error *err)
{
	char *words[COLUMNS_MAX];
	size_t count = matrix_input_split(line, reading->separator, words);
	uint32_t source;
	uint32_t destination;
	uint64_t bytes;

	if (count <= reading->source || count <= reading->destination || count <= reading->bytes)
		return matrix_input_fail(reading, err, "expected more columns after",
					 count > 0 ? words[0] : "");
	if (num_parse_count(words[reading->bytes], 0, UINT64_MAX, &bytes, NULL) != TR_OK)
		return matrix_input_fail(reading, err, "expected a number of bytes, found",
					 words[reading->bytes]);
	if (matrix_input_find_host(reading, words[reading->source], &source) &&
	    matrix_input_find_host(reading, words[reading->destination], &destination)) {
		reading->weights[(size_t)source * reading->hosts + destination] += (double)bytes;
		return matrix_input_take_name(reading, words[reading->source], source, err) == TR_OK
			       ? matrix_input_take_name(reading, words[reading->destination],
							destination, err)
			       : TR_ERROR;
	}
	reading->skipped += (double)bytes;
	if (reading->nodes->ignore_unmapped)
		return TR_OK;
	return refuse_node(reading,
			   matrix_input_find_host(reading, words[reading->source], &source)
				   ? words[reading->destination]
				   : words[reading->source],
			   err);
}

static enum tr_status matrix_input_read_lines(struct matrix_input_matrix_reading *reading,
					      struct tr_error *err)
{
	enum tr_status status;
	char *words[COLUMNS_MAX];
	char *line;

	while ((status = tr_lines_next(&reading->lines, &line, err)) == TR_OK) {
		if (reading->found && (*line == '\0' || *line == '#'))
			return TR_OK;
		if (reading->found) {
			if (matrix_input_read_row(reading, line, err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		reading->separator = strchr(line, '\t') ? "\t" : ",";
		reading->found = matrix_input_is_heading(
			reading, words, matrix_input_split(line, reading->separator, words));
	}
	if (status == TR_END && !reading->found)
		return tr_fail(err, "%s: no table with the columns src, dst and bytes",
			       tr_source_name(reading->lines.source));
	return status == TR_END ? TR_OK : TR_ERROR;
}

enum tr_status matrix_input_read(double **weights, double *skipped,
				 const struct matrix_nodes *nodes, struct tr_source *source,
				 struct tr_error *err)
{
	struct matrix_input_matrix_reading reading = {.nodes = nodes,
						      .lines = {.source = source},
						      .hosts = nodes->names->topology->hosts};
	enum tr_status status;

	*weights = reading.weights = calloc((size_t)reading.hosts * reading.hosts,
					    sizeof(*reading.weights));
	reading.name_of = calloc((size_t)reading.hosts + 1, sizeof(*reading.name_of));
	if (!reading.weights || !reading.name_of) {
		free(reading.name_of);
		return tr_no_memory(err, "the traffic of %u hosts", reading.hosts);
	}
	status = matrix_input_read_lines(&reading, err);
	for (uint32_t host = 0; host < reading.hosts; host++)
		free(reading.name_of[host]);
	free(reading.name_of);
	*skipped = reading.skipped;
	tr_lines_clear(&reading.lines);
	return status;
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
