// SPDX-License-Identifier: GPL-3.0-or-later
// Routes and maps as files: what Myricom's own tool wrote (../shared/data/myrinet-routes, where it
// is present), the tables that Yates (1997) prints, and round trips.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "net/routes/channel_load.h"
#include "net/routes/deadlock.h"
#include "net/routes/route_path.h"
#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"
#include "net/topology/topology_text.h"

#define ORACLE "../shared/data/myrinet-routes/"

static enum tr_status read_topology(struct net_topology *topology, const char *path)
{
	struct tr_source *source;
	enum tr_status status;

	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	status = net_topology_read(topology, source, NULL);
	tr_source_close(source);
	return status;
}

static enum tr_status read_text(struct net_routes *routes, const struct net_topology *topology,
				const char *text, struct tr_error *err)
{
	struct tr_source *source;
	enum tr_status status;

	assert_int_equal(tr_source_open_memory(&source, text, strlen(text), "file", err), TR_OK);
	status = net_routes_read(routes, topology, source, err);
	tr_source_close(source);
	return status;
}

static char *write_text(const struct net_routes *routes, const struct net_topology *topology,
			enum net_routes_form_name form)
{
	char *text;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	assert_int_equal(net_routes_write(routes, topology, form, "made\nby hand", out, NULL),
			 TR_OK);
	assert_int_equal(fclose(out), 0);
	return text;
}

// The switches' places in a breadth-first search from the map's first switch, ports in order.
static void number(const struct net_graph *graph, int *rank)
{
	uint32_t *queue = calloc(graph->nodes, sizeof(*queue));
	int met = 1;

	for (uint32_t i = 0; i < graph->nodes; i++)
		rank[i] = -1;
	queue[0] = graph->hosts;
	rank[graph->hosts] = 0;
	for (int i = 0; i < met; i++)
		for (uint32_t port = 0; port < net_graph_ports(graph, queue[i]); port++) {
			uint32_t node = net_graph_peer(graph, queue[i], port)->node;

			if (!net_graph_is_switch(graph, node) || rank[node] >= 0)
				continue;
			rank[node] = met;
			queue[met++] = node;
		}
	free(queue);
}

static void check_legal(const struct net_graph *graph, const int *rank, uint32_t source,
			const uint16_t *ports, uint32_t count)
{
	uint32_t at = net_graph_peer(graph, source, 0)->node;
	bool descended = false;

	for (uint32_t i = 0; i + 1 < count; i++) {
		uint32_t next = net_graph_peer(graph, at, ports[i])->node;

		assert_false(descended && rank[next] < rank[at]);
		descended = rank[next] > rank[at];
		at = next;
	}
}

// Pairs of which the tool's route is longer than ours; none may be shorter or break the rule.
static unsigned compare(const struct net_graph *graph, const struct net_routes *theirs,
			const struct net_routes *ours)
{
	uint16_t *ports = calloc(theirs->longest + ours->longest, sizeof(*ports));
	int *rank = calloc(graph->nodes, sizeof(*rank));
	unsigned longer = 0;

	number(graph, rank);
	for (uint32_t from = 0; from < graph->hosts; from++)
		for (uint32_t to = 0; to < graph->hosts; to++) {
			uint32_t least = net_routes_get(ours, from, to, ports);
			uint32_t count = net_routes_get(theirs, from, to, ports);

			assert_true(count != NET_NO_ROUTE && count >= least);
			longer += count > least;
			check_legal(graph, rank, from, ports, count);
		}
	free(ports);
	free(rank);
	return longer;
}

// What channel-load-bounds.csv says of a map's routes; 0 where it says nothing.
struct bounds {
	const char *map;
	unsigned longer; // pairs whose route is not a shortest legal one: the tool's ties at work
	double mean;
	double fullest;
	double saturation;
};

static void check_oracle(const struct bounds *bounds)
{
	struct net_topology topology;
	struct net_routes theirs, ours;
	struct net_graph graph;
	struct net_loads loads;
	struct net_cycle cycle;
	struct tr_source *source;
	uint32_t fullest = 0;
	char path[200];

	snprintf(path, sizeof(path), ORACLE "%s.map", bounds->map);
	assert_int_equal(read_topology(&topology, path), TR_OK);
	assert_int_equal(net_graph_open(&graph, &topology, NULL), TR_OK);
	snprintf(path, sizeof(path), ORACLE "%s.routes", bounds->map);
	assert_int_equal(tr_source_open(&source, path, NULL), TR_OK);
	assert_int_equal(net_routes_read(&theirs, &topology, source, NULL), TR_OK);
	tr_source_close(source);
	assert_int_equal(net_routing_make(&ours, &topology, "updown", NULL), TR_OK);
	assert_int_equal(compare(&graph, &theirs, &ours), bounds->longer);
	assert_int_equal(net_deadlock_find(&cycle, &graph, &theirs, NULL), TR_OK);
	assert_int_equal(cycle.count, 0);
	assert_int_equal(net_loads_find(&loads, &graph, &theirs, (struct net_demand){NULL}, NULL),
			 TR_OK);
	if (bounds->mean > 0) {
		double saturation = net_loads_saturation(&loads, graph.hosts, NULL, &fullest);

		assert_true(fabs(loads.switches / (double)loads.pairs - bounds->mean) < 5e-5);
		assert_true(loads.links[fullest] == bounds->fullest);
		assert_true(fabs(saturation - bounds->saturation) < 5e-5);
	}
	net_loads_clear(&loads);
	net_cycle_clear(&cycle);
	net_routes_clear(&theirs);
	net_routes_clear(&ours);
	net_graph_close(&graph);
	net_topology_clear(&topology);
}

static void routes_of_the_vendor_are_ours(void **state)
{
	static const struct bounds maps[] = {
		{.map = "tinyplant"},
		{"iceberg", 0, 2.2903, 256, 0.1211},
		{"irr8_1", 0, 2.3226, 76, 0.4079},
		{"irr16_1", 0, 3.0000, 344, 0.1831},
		{"irr32_1", 16, 3.8932, 1460, 0.0870},
	};

	(void)state;
	if (access(ORACLE "README.md", R_OK) != 0) {
		print_message("skipped: " ORACLE " is not here\n");
		skip();
	}
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++)
		check_oracle(&maps[i]);
}

// Their files come out of our writer as they are.
static void files_of_the_vendor_come_back(void **state)
{
	static char theirs[400000];
	struct net_topology topology;
	struct net_routes routes;
	char *ours;
	FILE *file;
	size_t bytes;

	(void)state;
	if (access(ORACLE "README.md", R_OK) != 0) {
		print_message("skipped: " ORACLE " is not here\n");
		skip();
	}
	assert_int_equal(read_topology(&topology, ORACLE "irr32_1.map"), TR_OK);
	file = fopen(ORACLE "irr32_1.routes", "r");
	assert_non_null(file);
	bytes = fread(theirs, 1, sizeof(theirs) - 1, file);
	fclose(file);
	theirs[bytes] = '\0';
	assert_int_equal(read_text(&routes, &topology, theirs, NULL), TR_OK);
	ours = write_text(&routes, &topology, NET_ROUTES_GM);
	assert_string_equal(ours, theirs);
	free(ours);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

static void route_bytes(void **state)
{
	int delta = 99;

	(void)state;
	assert_int_equal(net_gm_byte(0), 0x80);
	assert_int_equal(net_gm_byte(15), 0x8f);
	assert_int_equal(net_gm_byte(-1), 0xbf);
	assert_int_equal(net_gm_byte(-15), 0xb1);
	for (int d = -NET_GM_DELTA_MAX; d <= NET_GM_DELTA_MAX; d++) {
		assert_true(net_gm_delta(net_gm_byte(d), &delta));
		assert_int_equal(delta, d);
	}
	assert_false(net_gm_delta(0x40, &delta));
	assert_false(net_gm_delta(0xc0, &delta));
	assert_false(net_gm_delta(0xa0, &delta));
}

// One row of figure C-1; -1 where it cannot be read.
struct row {
	unsigned destination;
	int entries[19];
};

// Figure C-1: the legible rows.
static const struct row figure_c_1[] = {
	{4,
	 {164, 164, 164, 164, -99, 175, 175, 175, 175, 175, 175, 186, 186, 187, 187, 187, 0, -1,
	  -1}},
	{5,
	 {165, 165, 165, 165, 165, -99, 174, 174, 174, 174, 174, 185, 185, 185, 185, 185, 174, 0,
	  -1}},
	{12,
	 {167, 167, 166, 166, 166, 176, 176, 176, 176, 176, 176, 180, -99, 180, 180, 180, 180, 180,
	  0}},
	{13,
	 {167, 167, 166, 166, 166, 176, 176, 176, 176, 176, 176, 181, 181, -99, 181, 181, 181, 181,
	  0}},
	{14,
	 {167, 167, 166, 166, 166, 176, 176, 176, 176, 176, 176, 182, 182, 182, -99, 182, 182, 182,
	  0}},
	{15,
	 {167, 167, 166, 166, 166, 176, 176, 176, 176, 176, 176, 183, 183, 183, 183, -99, 183, 183,
	  0}},
	{16,
	 {-99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99, -99,
	  -99}},
};

static void figure_c_1_comes_out(void **state)
{
	struct net_topology topology;
	struct net_routes routes;
	int table[19][19];
	char *text;
	char *at;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "triangle16", NULL), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, "shortest:tie=source", NULL), TR_OK);
	text = at = write_text(&routes, &topology, NET_ROUTES_YATES);
	for (unsigned i = 0; i < 19 * 19; i++)
		table[i / 19][i % 19] = (int)strtol(at, &at, 10);
	assert_string_equal(at, "\n");
	for (size_t i = 0; i < sizeof(figure_c_1) / sizeof(*figure_c_1); i++)
		for (unsigned c = 0; c < 19; c++)
			if (figure_c_1[i].entries[c] != -1)
				assert_int_equal(table[figure_c_1[i].destination][c],
						 figure_c_1[i].entries[c]);
	free(text);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

// The worked examples of section 6.3: ports from host 0 to host 10.
static void worked_examples_come_out(void **state)
{
	static const struct {
		const char *network;
		uint32_t count;
		uint16_t ports[3];
	} examples[] = {
		{"triangle16", 2, {5, 7}}, {"yates16a", 3, {6, 6, 2}}, {"yates16b", 2, {6, 2}}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct net_topology topology;
		struct net_routes routes;
		uint16_t ports[8];
		char *text;

		assert_int_equal(net_topology_make(&topology, examples[i].network, NULL), TR_OK);
		assert_int_equal(net_routing_make(&routes, &topology, "updown", NULL), TR_OK);
		text = write_text(&routes, &topology, NET_ROUTES_YATES);
		net_routes_clear(&routes);
		assert_int_equal(read_text(&routes, &topology, text, NULL), TR_OK);
		assert_int_equal(net_routes_get(&routes, 0, 10, ports), examples[i].count);
		assert_memory_equal(ports, examples[i].ports, 2 * examples[i].count);
		free(text);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
}

static void every_form_gives_routes_back(void **state)
{
	static const char *const networks[] = {"switch:5", "yates32", "mesh:3x3", "triangle18"};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (int form = NET_ROUTES_TEXT; form <= NET_ROUTES_YATES; form++) {
			struct net_topology topology;
			struct net_routes routes, back;
			char *first, *second;

			assert_int_equal(net_topology_make(&topology, networks[i], NULL), TR_OK);
			assert_int_equal(
				net_routing_make(&routes, &topology, "shortest:tie=lowest", NULL),
				TR_OK);
			first = write_text(&routes, &topology, (enum net_routes_form_name)form);
			assert_int_equal(read_text(&back, &topology, first, NULL), TR_OK);
			second = write_text(&back, &topology, (enum net_routes_form_name)form);
			assert_string_equal(first, second);
			free(first);
			free(second);
			net_routes_clear(&routes);
			net_routes_clear(&back);
			net_topology_clear(&topology);
		}
}

static void a_map_gives_the_network_back(void **state)
{
	static const char *const networks[] = {"yates128", "torus:3x3,hosts=2", "direct",
					       "random-irregular:12"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct net_topology topology, back;
		struct net_graph one, other;
		struct tr_source *source;
		char *text;
		size_t bytes;
		FILE *out = open_memstream(&text, &bytes);

		assert_int_equal(net_topology_make(&topology, networks[i], NULL), TR_OK);
		assert_int_equal(net_gm_map_write(&topology, out, NULL), TR_OK);
		assert_int_equal(fclose(out), 0);
		assert_int_equal(tr_source_open_memory(&source, text, bytes, "map", NULL), TR_OK);
		assert_int_equal(net_topology_read(&back, source, NULL), TR_OK);
		assert_int_equal(net_graph_open(&one, &topology, NULL), TR_OK);
		assert_int_equal(net_graph_open(&other, &back, NULL), TR_OK);
		assert_int_equal(one.nodes, other.nodes);
		assert_int_equal(one.links, other.links);
		for (size_t p = 0; p < one.first[one.nodes]; p++) {
			assert_int_equal(one.peers[p].node, other.peers[p].node);
			assert_int_equal(one.peers[p].port, other.peers[p].port);
		}
		tr_source_close(source);
		free(text);
		net_graph_close(&one);
		net_graph_close(&other);
		net_topology_clear(&topology);
		net_topology_clear(&back);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_of_the_vendor_are_ours),
		cmocka_unit_test(files_of_the_vendor_come_back),
		cmocka_unit_test(route_bytes),
		cmocka_unit_test(figure_c_1_comes_out),
		cmocka_unit_test(worked_examples_come_out),
		cmocka_unit_test(every_form_gives_routes_back),
		cmocka_unit_test(a_map_gives_the_network_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
