// SPDX-License-Identifier: GPL-3.0-or-later
// GM route files, as written by Myricom's simple_routes: "HOSTS ROUTES" (largest number of routes
// per pair), then for each source a line "NAME" (LINES BYTES) and LINES lines "NAME" D,D,... with
// the port differences at each switch. BYTES is the length of all these routes, plus one for each.
// Of several routes of a pair the first is used.
#include "net/routes/routes_forms.h"

#include <stdlib.h>
#include <string.h>

#include "net/routes/routes.h"
#include "net/routes/routes_reading.h"
#include "value/num.h"

bool net_gm_delta(uint8_t byte, int *delta)
{
	if ((byte & 0xc0u) != 0x80u || byte == 0xa0u)
		return false;
	*delta = (byte & 0x3f) - ((byte & 0x20) != 0 ? 64 : 0);
	return true;
}

void net_gm_deltas(const struct net_graph *graph, uint32_t source, const uint16_t *ports,
		   uint32_t count, int *deltas)
{
	const struct net_peer *at = net_graph_peer(graph, source, 0);

	for (uint32_t i = 0; i < count; i++) {
		deltas[i] = (int)net_step_port(ports[i]) - (int)at->port;
		at = net_graph_peer(graph, at->node, net_step_port(ports[i]));
	}
}

// The quoted name at the begin of the line; *rest is the text after the blank that follows.
static enum tr_status gm_routes_read_name(const struct net_routes_reading *reading, char *line,
					  char **name, char **rest, struct tr_error *err)
{
	char *end = line[0] == '"' ? strchr(line + 1, '"') : NULL;

	if (!end || end[1] != ' ')
		return net_reading_fail(reading, err, "expected a name in quotes and a blank");
	*end = '\0';
	*name = line + 1;
	*rest = end + 2;
	return TR_OK;
}

// Two numbers separated by a blank.
static bool read_two(char *text, uint64_t *first, uint64_t *second)
{
	char *blank = strchr(text, ' ');

	if (!blank)
		return false;
	*blank = '\0';
	return num_parse_count(text, 0, UINT32_MAX, first, NULL) == TR_OK &&
	       num_parse_count(blank + 1, 0, UINT32_MAX, second, NULL) == TR_OK;
}

// Converts the differences of a line to ports.
static enum tr_status read_deltas(struct net_routes_reading *reading, uint32_t source, char *text,
				  struct tr_error *err)
{
	const struct net_graph *graph = &reading->graph;
	const struct net_peer *at = net_graph_peer(graph, source, 0);

	for (reading->count = 0; text; reading->count++) {
		const char *word = strsep(&text, ",");
		int64_t delta;
		int64_t port;

		if (num_parse_signed(word, -NET_GM_DELTA_MAX, NET_GM_DELTA_MAX, &delta, NULL) !=
		    TR_OK)
			return net_reading_fail(
				reading, err, "expected differences of -%d .. %d, found \"%.40s\"",
				NET_GM_DELTA_MAX, NET_GM_DELTA_MAX, word);
		if (reading->count == NET_ROUTE_TEXT_MAX)
			return net_reading_fail(reading, err, "more than %u switches",
						NET_ROUTE_TEXT_MAX);
		if (!net_graph_is_switch(graph, at->node))
			return net_reading_fail(reading, err, "the route goes on beyond a host");
		port = (int64_t)at->port + delta;
		if (port < 0 || port >= net_graph_ports(graph, at->node))
			return net_reading_fail(reading, err,
						"the route leaves switch %u by port %lld",
						at->node - graph->hosts, (long long)port);
		reading->ports[reading->count] = (uint16_t)port;
		at = net_graph_peer(graph, at->node, (uint32_t)port);
	}
	return TR_OK;
}

static enum tr_status next_full_line(struct net_routes_reading *reading, char **line,
				     struct tr_error *err)
{
	enum tr_status status;

	do
		status = net_reading_line(reading, line, err);
	while (status == TR_OK && **line == '\0');
	return status;
}

static enum tr_status gm_routes_read_route(struct net_routes_reading *reading, uint32_t source,
					   uint64_t *bytes, struct tr_error *err)
{
	char *line;
	char *name = NULL;
	uint32_t destination;
	enum tr_status status = next_full_line(reading, &line, err);

	if (status == TR_END)
		return net_reading_fail(reading, err, "the file ends within a host's routes");
	if (status != TR_OK || gm_routes_read_name(reading, line, &name, &line, err) != TR_OK ||
	    net_reading_host(reading, name, &destination, err) != TR_OK ||
	    read_deltas(reading, source, line, err) != TR_OK)
		return TR_ERROR;
	*bytes += reading->count + 1;
	if (net_route_table_has(reading->routes, source, destination))
		return TR_OK;
	return net_reading_put(reading, source, destination, err);
}

static enum tr_status read_source(struct net_routes_reading *reading, char *line,
				  struct tr_error *err)
{
	uint64_t lines, bytes;
	uint64_t found = 0;
	uint32_t source;
	char *name = NULL;
	size_t last;

	if (gm_routes_read_name(reading, line, &name, &line, err) != TR_OK ||
	    net_reading_host(reading, name, &source, err) != TR_OK)
		return TR_ERROR;
	last = strlen(line);
	if (last < 2 || line[0] != '(' || line[last - 1] != ')')
		return net_reading_fail(reading, err, "expected (LINES BYTES) after the source");
	line[last - 1] = '\0';
	if (!read_two(line + 1, &lines, &bytes))
		return net_reading_fail(reading, err, "expected (LINES BYTES) after the source");
	for (uint64_t i = 0; i < lines; i++)
		if (gm_routes_read_route(reading, source, &found, err) != TR_OK)
			return TR_ERROR;
	if (found != bytes)
		return net_reading_fail(reading, err,
					"the routes of a source have %llu bytes; expected %llu",
					(unsigned long long)found, (unsigned long long)bytes);
	return TR_OK;
}

enum tr_status net_gm_routes_read(struct net_routes_reading *reading, struct tr_error *err)
{
	uint64_t hosts = 0, most, found = 0;
	char *line;
	enum tr_status status = net_reading_line(reading, &line, err);

	if (status == TR_OK && (!read_two(line, &hosts, &most) || hosts == 0))
		status = net_reading_fail(reading, err, "expected \"HOSTS ROUTES\"");
	while (status == TR_OK && (status = next_full_line(reading, &line, err)) == TR_OK) {
		status = read_source(reading, line, err);
		found++;
	}
	if (status == TR_END && found != hosts)
		return net_reading_fail(reading, err, "routes of %llu hosts; expected %llu",
					(unsigned long long)found, (unsigned long long)hosts);
	return status == TR_END ? TR_OK : status;
}

// State of writing one source's routes: to the file, or only counting.
struct writing_source {
	struct net_routes_writing *writing;
	int *deltas;
	uint32_t source;
	uint64_t lines;
	uint64_t bytes;
};

static enum tr_status write_route(struct writing_source *of, uint32_t destination, uint32_t count,
				  struct tr_error *err)
{
	struct net_routes_writing *writing = of->writing;
	char name[NET_NAME_MAX + 1];

	net_gm_deltas(&writing->graph, of->source, writing->ports, count, of->deltas);
	fprintf(writing->out, "\"%s\" ",
		net_topology_name(writing->topology, destination, name, sizeof(name)));
	for (uint32_t i = 0; i < count; i++) {
		if (abs(of->deltas[i]) > NET_GM_DELTA_MAX)
			return tr_fail(err,
				       "host %u to host %u: a difference of ports of %d; a "
				       "route byte has -%d .. %d",
				       of->source, destination, of->deltas[i], NET_GM_DELTA_MAX,
				       NET_GM_DELTA_MAX);
		fprintf(writing->out, "%s%d", i > 0 ? "," : "", of->deltas[i]);
	}
	fputc('\n', writing->out);
	return TR_OK;
}

// One pass over a source's routes: counts them, or writes them.
static enum tr_status gm_routes_pass(struct writing_source *of, bool write, struct tr_error *err)
{
	struct net_routes_writing *writing = of->writing;
	const struct net_routes *routes = writing->routes;

	for (uint32_t to = 0; to < routes->hosts; to++) {
		uint32_t count = net_routes_get(routes, of->source, to, writing->ports);

		if (count == NET_NO_ROUTE)
			continue;
		if (count == 0)
			return tr_fail(err,
				       "a GM route passes a switch; host %u to host %u has none",
				       of->source, to);
		of->lines++;
		of->bytes += count + 1;
		if (write && write_route(of, to, count, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status net_gm_routes_write(struct net_routes_writing *writing, struct tr_error *err)
{
	int *deltas = calloc((size_t)writing->routes->longest + 1, sizeof(*deltas));
	enum tr_status status = TR_OK;
	char name[NET_NAME_MAX + 1];

	if (!deltas)
		return tr_no_memory(err, "routes");
	fprintf(writing->out, "%u 1\n", writing->routes->hosts);
	for (uint32_t from = 0; from < writing->routes->hosts && status == TR_OK; from++) {
		struct writing_source of = {writing, deltas, from, 0, 0};

		status = gm_routes_pass(&of, false, err);
		if (status != TR_OK)
			break;
		fprintf(writing->out, "\"%s\" (%llu %llu)\n",
			net_topology_name(writing->topology, from, name, sizeof(name)),
			(unsigned long long)of.lines, (unsigned long long)of.bytes);
		status = gm_routes_pass(&of, true, err);
	}
	free(deltas);
	return status;
}
