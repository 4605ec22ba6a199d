// SPDX-License-Identifier: GPL-3.0-or-later
// Route files in every format, GM maps, rules and traffic matrices, from any bytes. The first byte
// chooses: m a map, r the name of a rule, t a matrix, a digit the network of a route file. Rejected
// ones give a message and leave nothing; accepted routes lead to their destination, and are
// reproduced when written and read again.
#include <stdlib.h>
#include <string.h>

#include "input/matrix_input.h"
#include "net/routes/deadlock.h"
#include "net/routes/immunity.h"
#include "net/routes/route_path.h"
#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"
#include "net/topology/topology_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static const char *const networks[] = {"direct", "switch:2", "ring:4", "triangle16"};

static enum tr_status visited(void *context, uint32_t source, uint32_t destination,
			      const struct net_path *path, struct tr_error *err)
{
	(void)context;
	(void)err;
	promise(source != destination && path->fault == NET_PATH_SOUND &&
		path->node == destination);
	return TR_OK;
}

static void check_deadlock(const struct net_graph *graph, const struct net_routes *routes)
{
	struct net_immunity immunity;
	struct net_cycle cycle;
	struct tr_error err = {""};

	promise(net_deadlock_find(&cycle, graph, routes, &err) == TR_OK);
	net_cycle_clear(&cycle);
	if (!routes->choices)
		return;
	promise(net_immunity_find(&immunity, routes->choices, &err) == TR_OK);
	promise((immunity.channel == NET_NOBODY) == (immunity.immune == immunity.channels));
	promise((immunity.channel == NET_NOBODY) == (immunity.stuck_count == 0));
	net_immunity_clear(&immunity);
}

static void follow(const struct net_topology *topology, const struct net_routes *routes)
{
	struct net_graph graph;
	struct tr_error err = {""};

	promise(net_graph_open(&graph, topology, &err) == TR_OK);
	promise(net_paths_visit(&graph, routes, NULL, visited, NULL, &err) == TR_OK);
	check_deadlock(&graph, routes);
	net_graph_close(&graph);
}

static enum tr_status read_routes(struct net_routes *routes, const struct net_topology *topology,
				  const void *data, size_t size_bytes, struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	status = net_routes_read(routes, topology, source, err);
	tr_source_close(source);
	return status;
}

// Routes in a form, to be freed; NULL where the form cannot say them.
static char *write_routes(const struct net_routes *routes, const struct net_topology *topology,
			  enum net_routes_form_name form, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);
	struct tr_error err = {""};
	enum tr_status status;

	promise(out);
	status = net_routes_write(routes, topology, form, NULL, out, &err);
	promise(fclose(out) == 0);
	promise(status == TR_OK || *err.text != '\0');
	if (status == TR_OK)
		return text;
	free(text);
	return NULL;
}

static void write_and_read(const struct net_routes *routes, const struct net_topology *topology,
			   enum net_routes_form_name form)
{
	struct net_routes again;
	struct tr_error err = {""};
	size_t one_bytes, other_bytes;
	char *one = write_routes(routes, topology, form, &one_bytes);
	char *other;

	if (!one)
		return;
	promise(read_routes(&again, topology, one, one_bytes, &err) == TR_OK);
	other = write_routes(&again, topology, form, &other_bytes);
	promise(other && one_bytes == other_bytes && memcmp(one, other, one_bytes) == 0);
	net_routes_clear(&again);
	free(one);
	free(other);
}

static void try_routes(const char *network, const uint8_t *data, size_t size_bytes)
{
	struct net_topology topology;
	struct net_routes routes;
	struct tr_error err = {""};

	promise(net_topology_make(&topology, network, &err) == TR_OK);
	if (read_routes(&routes, &topology, data, size_bytes, &err) == TR_OK) {
		follow(&topology, &routes);
		write_and_read(&routes, &topology, NET_ROUTES_TEXT);
		write_and_read(&routes, &topology, NET_ROUTES_YATES);
	} else {
		promise(*err.text != '\0' && !routes.state);
	}
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static enum tr_status read_map(struct net_topology *topology, const void *data, size_t size_bytes,
			       struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", err) == TR_OK);
	status = net_gm_map_read(topology, source, err);
	tr_source_close(source);
	return status;
}

static char *write_map(const struct net_topology *topology, size_t *size_bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, size_bytes);
	struct tr_error err = {""};

	promise(out && net_gm_map_write(topology, out, &err) == TR_OK);
	promise(fclose(out) == 0);
	return text;
}

static void try_map(const uint8_t *data, size_t size_bytes)
{
	struct net_topology topology, again;
	struct tr_error err = {""};
	size_t one_bytes, other_bytes;
	char *one, *other;

	if (read_map(&topology, data, size_bytes, &err) != TR_OK) {
		promise(*err.text != '\0' && !topology.cables && !topology.names);
		return;
	}
	promise(net_topology_check(&topology, &err) == TR_OK);
	one = write_map(&topology, &one_bytes);
	promise(read_map(&again, one, one_bytes, &err) == TR_OK);
	other = write_map(&again, &other_bytes);
	promise(one_bytes == other_bytes && memcmp(one, other, one_bytes) == 0);
	net_topology_clear(&topology);
	net_topology_clear(&again);
	free(one);
	free(other);
}

static void try_rule(const uint8_t *data, size_t size_bytes)
{
	char *text = strndup((const char *)data, size_bytes);

	promise(text);
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct net_topology topology;
		struct net_routes routes;
		struct tr_error err = {""};

		promise(net_topology_make(&topology, networks[i], &err) == TR_OK);
		if (net_routing_make(&routes, &topology, text, &err) == TR_OK)
			follow(&topology, &routes);
		else
			promise(*err.text != '\0' && !routes.state);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
	free(text);
}

static void try_matrix(const uint8_t *data, size_t size_bytes)
{
	struct net_topology topology;
	struct net_names names;
	struct node_map map = {0};
	const struct matrix_nodes nodes = {&names, &map, size_bytes % 2 != 0};
	struct tr_source *source;
	struct tr_error err = {""};
	double *weights;
	double skipped;

	promise(net_topology_make(&topology, "switch:4", &err) == TR_OK);
	promise(net_names_open(&names, &topology, &err) == TR_OK);
	promise(tr_source_open_memory(&source, data, size_bytes, "fuzz", &err) == TR_OK);
	if (matrix_input_read(&weights, &skipped, &nodes, source, &err) != TR_OK)
		promise(*err.text != '\0');
	else
		for (unsigned i = 0; i < 16; i++)
			promise(weights[i] >= 0 && skipped >= 0);
	free(weights);
	tr_source_close(source);
	net_names_close(&names);
	net_topology_clear(&topology);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	if (size_bytes < 2)
		return 0;
	if (data[0] == 'm')
		try_map(data + 1, size_bytes - 1);
	else if (data[0] == 't')
		try_matrix(data + 1, size_bytes - 1);
	else if (data[0] == 'r')
		try_rule(data + 1, size_bytes - 1);
	else if (data[0] >= '0' && data[0] <= '3')
		try_routes(networks[data[0] - '0'], data + 1, size_bytes - 1);
	return 0;
}
