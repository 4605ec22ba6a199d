// SPDX-License-Identifier: GPL-3.0-or-later
// Rejected route files and GM maps, and routes that a format cannot represent.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "net/routes/routes_forms.h"
#include "net/routings/routing.h"
#include "net/topology/topology_text.h"

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

static void what_is_wrong_is_told_with_its_line(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} files[] = {
		{"", "file:1: expected routes (\"flitline-routes 2\", a GM route file, a Yates "
		     "table or blocks)"},
		{"flitline-routes 3\n", "file:1: expected version 1 or 2, found \"3\""},
		{"flitline-routes 1\nroute host0 host1 1\n",
		 "file:2: expected hosts, found \"route\""},
		{"flitline-routes 1\nhosts 3\n", "file:2: routes for 3 hosts; the network has 2"},
		{"flitline-routes 1\nhosts 2\nroute host0 host7 1\n",
		 "file:3: the network has no host \"host7\""},
		{"flitline-routes 1\nhosts 2\nroute host0 host1 0\n",
		 "file:3: host 0 to host 1: the route leads to host 0"},
		{"flitline-routes 1\nhosts 2\nroute host0 host1 9\n",
		 "file:3: host 0 to host 1: the route leaves switch 0 by a port without a cable"},
		{"flitline-routes 1\nhosts 2\nroute host0 host1 1 1\n",
		 "file:3: host 0 to host 1: the route goes on beyond host 1"},
		{"flitline-routes 1\nhosts 2\nroute host0 host1\n",
		 "file:3: host 0 to host 1: the route ends at switch 0"},
		{"flitline-routes 1\nhosts 2\nroute host0 host1 1\nroute host0 host1 1\n",
		 "file:4: a second route from host 0 to host 1"},
		{"flitline-routes 1\nhosts 2\nroute host0 host1 1\n",
		 "file:3: the file ends before its \"end\""},
		{"flitline-routes 1\nhosts 2\nend\nend\n",
		 "file:4: expected nothing after \"end\""},
		{"2 1\n\"host0\" (1 2)\n\"host1\" 5\n",
		 "file:3: the route leaves switch 0 by port 5"},
		{"2 1\n\"host0\" (1 2)\n\"host1\" 1\n", "file:3: routes of 1 hosts; expected 2"},
		{"2 1\n\"host0\" (1 3)\n\"host1\" 1\n",
		 "file:3: the routes of a source have 2 bytes; expected 3"},
		{"2 1\n\"host0\" (1 2)\n\"host1\" 40\n",
		 "file:3: expected differences of -31 .. 31, found \"40\""},
		{"2 1\n\"host0\" (2 2)\n\"host1\" 1\n",
		 "file:3: the file ends within a host's routes"},
		{"-99 0\n", "file:1: 2 columns, 3 hosts and switches"},
		{"-99 20 0\n21 -99 0\n", "file:2: 2 rows, 3 hosts and switches"},
		{"-99 20 0\n27 -99 0\n-99 -99 -99\n",
		 "file:2: column 0: node 2 has no cable on port 7"},
		{"-99 20 0\n11 -99 0\n-99 -99 -99\n", "file:2: column 0: 11 names no switch"},
		{"-99 20 0\n21 -99 0\n-99 0 -99\n", "file:3: column 1: expected -99, found 0"},
		{"-99 20 0\n20 -99 0\n-99 -99 -99\n",
		 "file:2: host 0 to host 1: the route leads to host 0"},
	};
	struct net_topology topology;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "switch:2", NULL), TR_OK);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		struct net_routes routes;
		struct tr_error err = {""};

		assert_int_equal(read_text(&routes, &topology, files[i].text, &err), TR_ERROR);
		assert_string_equal(err.text, files[i].why);
		assert_null(routes.state);
	}
	net_topology_clear(&topology);
}

// Of version 2: lanes and choices, over a ring of four switches with a host each on port 0, the
// next switch on port 1.
#define RING "flitline-routes 2\nhosts 4\n"

static const struct {
	const char *text;
	const char *why;
} wrong_choices[] = {
	{"flitline-routes 1\nhosts 4\nlanes 2\n", "file:3: expected route or end, found \"lanes\""},
	{"flitline-routes 1\nhosts 4\nroute host0 host1 1 0 lane 0\n",
	 "file:3: port: 'lane' is not a whole number from 0 to 1023"},
	{"flitline-routes 2\nlanes 2\n", "file:2: expected hosts, found \"lanes\""},
	{RING "lanes 0\n",
	 "file:3: expected \"lanes N\", N up to 64, once, before routes and choices"},
	{RING "lanes 65\n",
	 "file:3: expected \"lanes N\", N up to 64, once, before routes and choices"},
	{RING "lanes 2\nlanes 2\n",
	 "file:4: expected \"lanes N\", N up to 64, once, before routes and choices"},
	{RING "route host0 host1 1 0\nlanes 2\n",
	 "file:4: expected \"lanes N\", N up to 64, once, before routes and choices"},
	{RING "lanes 2\nroute host0 host1 1 0 lane 2\n",
	 "file:4: expected \"lane N\" at the end, N below 2, that of lanes"},
	{RING "route host0 host1 1 0 lane 1\n",
	 "file:3: expected \"lane N\" at the end, N below 1, that of lanes"},
	{RING "lanes 2\nroute host0 host1 1 0 lane 1 1\n",
	 "file:4: expected \"lane N\" at the end, N below 2, that of lanes"},
	{RING "buffers full\n",
	 "file:3: expected \"buffers empty\" or \"buffers any\", once, before choices"},
	{RING "choice switch0 host switch1 1\nbuffers any\n",
	 "file:4: expected \"buffers empty\" or \"buffers any\", once, before choices"},
	{RING "choice switch0 host switch1 1\nroute host0 host1 1 0\n",
	 "file:4: a route in a file of choices"},
	{RING "route host0 host1 1 0\nchoice switch0 host switch1 1\n",
	 "file:4: a choice in a file of lists"},
	{RING "choice switch0 host\n",
	 "file:3: expected \"choice SWITCH IN DESTINATION OPTION...\""},
	{RING "choice switch0 host switch1\n",
	 "file:3: expected \"choice SWITCH IN DESTINATION OPTION...\""},
	{RING "choice switch9 host switch1 1\n", "file:3: the network has no switch \"switch9\""},
	{RING "choice switch0 host host1 1\n", "file:3: the network has no switch \"host1\""},
	{RING "choice switch0 hosts switch1 1\n",
	 "file:3: expected host or PORT[.LANE] as the input, found \"hosts\""},
	{RING "choice switch0 0 switch1 1\n",
	 "file:3: port 0 of switch 0 has no cable to a switch"},
	{RING "choice switch0 7 switch1 1\n",
	 "file:3: port 7 of switch 0 has no cable to a switch"},
	{RING "choice switch0 2.1 switch1 1\n", "file:3: lane 1; the routes have 1"},
	{RING "choice switch0 host switch0 1\n",
	 "file:3: a choice of switch 0 for worms that have come to it"},
	{RING "choice switch0 host switch1 1!!\n",
	 "file:3: expected PORT[.LANE][!] as an option, found \"1!!\""},
	{RING "choice switch0 host switch1 !\n",
	 "file:3: expected PORT[.LANE][!] as an option, found \"!\""},
	{RING "choice switch0 host switch1 1.\n",
	 "file:3: expected PORT[.LANE][!] as an option, found \"1.\""},
	{RING "choice switch0 host switch1 1.1\n", "file:3: lane 1; the routes have 1"},
	{RING "choice switch0 host switch1 0\n", "file:3: port 0 of switch 0 leads to no switch"},
	{RING "choice switch0 host switch1 1 2 1!\n", "file:3: port 1 twice"},
	{RING "choice switch0 host,2,host switch1 1\n",
	 "file:3: a second choice of switch 0 for this input and switch 1"},
	{RING "choice switch0 host switch1 1\n", "file:3: the file ends before its \"end\""},
	{RING "choice switch0 host switch2 1\nend\n",
	 "file: switch 1 has no option for a worm to switch 2 that comes from switch 0"},
	{RING "choice switch0 host switch2 1\nchoice switch1 2 switch2 2\nchoice switch0 1 "
	      "switch2 1\nend\n",
	 "file: the best options to switch 2 lead in a cycle through switch 1"},
};

static void what_is_wrong_with_choices_is_told_with_its_line(void **state)
{
	struct net_topology topology;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "ring:4", NULL), TR_OK);
	for (size_t i = 0; i < sizeof(wrong_choices) / sizeof(*wrong_choices); i++) {
		struct net_routes routes;
		struct tr_error err = {""};

		assert_int_equal(read_text(&routes, &topology, wrong_choices[i].text, &err),
				 TR_ERROR);
		assert_string_equal(err.text, wrong_choices[i].why);
		assert_null(routes.state);
		assert_null(routes.choices);
	}
	net_topology_clear(&topology);
}

static void wrong_maps_are_told_with_their_line(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} maps[] = {
		{"1 1\ns 8 \"a\"\n1\n0 h - \"b\" 1\n", "map:4: expected a port of the node"},
		{"1 1\ns 8 \"a\"\n1\n8 h - \"b\" 0\n", "map:4: expected a port of the node"},
		{"1 1\ns 8 \"a\"\n2\n0 h - \"b\" 0\n", "map:4: the file ends within a node"},
		{"1 1\ns 8 \"a\"\n9\n", "map:3: expected the number of cables, at most one a port"},
		{"2 1\ns 8 \"a\"\n1\n0 h - \"b\" 0\n", "map:1: wrong number of hosts or switches"},
		{"1 1\ns 8 \"a\"\n1\n0 h - \"b\" 0\ns 8 \"a\"\n0\n", "map:5: duplicate node"},
		{"1 1\ns 8 \"a\"\n1\n0 h - \"a\" 0\n",
		 "map:4: the node has different properties than before"},
		{"1 1\ns 8 \"a\"\n2\n0 h - \"b\" 0\n0 h - \"b\" 0\n",
		 "map:5: the port has another cable too"},
		{"1 2\ns 8 \"a\"\n2\n0 h - \"b\" 0\n1 s 8 \"c\" 2\n\ns 8 \"c\"\n1\n2 s 8 \"a\" 3\n",
		 "map:5: the cable's other end contradicts this"},
		{"1 2\ns 8 \"a\"\n2\n0 h - \"b\" 0\n1 s 8 \"c\" 2\n\ns 8 \"c\"\n0\n",
		 "map:5: the cable is missing at its other end"},
		{"1 2\ns 8 \"a\"\n2\n0 h - \"b\" 0\n1 s 8 \"c\" 2\n",
		 "map:5: a switch has no part of its own"},
		{"1 1\ns 8 \"a b\"\n1\n0 h - \"b\" 0\n",
		 "map:2: a name must not contain a blank, control character or '#'"},
		{"1 1\ns 8 \"a\n1\n", "map:2: expected s PORTS \"NAME\" or h - \"NAME\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		struct net_topology topology;
		struct tr_source *source;
		struct tr_error err = {""};

		assert_int_equal(tr_source_open_memory(&source, maps[i].text, strlen(maps[i].text),
						       "map", NULL),
				 TR_OK);
		assert_int_equal(net_topology_read(&topology, source, &err), TR_ERROR);
		assert_string_equal(err.text, maps[i].why);
		assert_null(topology.cables);
		tr_source_close(source);
	}
}

// A Yates table has one next switch for each destination; routes that part at a switch do not fit.
static void what_a_form_cannot_say_is_refused(void **state)
{
	struct net_topology topology;
	struct net_routes routes;
	struct tr_error err = {""};
	FILE *out = fopen("/dev/null", "w");

	(void)state;
	assert_int_equal(net_topology_make(&topology, "fattree:2,4", NULL), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, "nca:tie=hash", NULL), TR_OK);
	assert_int_equal(net_routes_write(&routes, &topology, NET_ROUTES_YATES, NULL, out, &err),
			 TR_ERROR);
	assert_non_null(strstr(err.text, "in two ways"));
	net_routes_clear(&routes);
	net_topology_clear(&topology);
	assert_int_equal(net_topology_make(&topology, "switch:40", NULL), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, "shortest", NULL), TR_OK);
	assert_int_equal(net_routes_write(&routes, &topology, NET_ROUTES_GM, NULL, out, &err),
			 TR_ERROR);
	assert_string_equal(err.text,
			    "host 0 to host 32: a difference of ports of 32; a route byte "
			    "has -31 .. 31");
	assert_int_equal(net_routes_write(&routes, &topology, NET_ROUTES_YATES, NULL, out, &err),
			 TR_ERROR);
	assert_string_equal(err.text, "a Yates table supports ports 0 to 9, not 10");
	net_routes_clear(&routes);
	net_topology_clear(&topology);
	fclose(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_wrong_is_told_with_its_line),
		cmocka_unit_test(what_is_wrong_with_choices_is_told_with_its_line),
		cmocka_unit_test(wrong_maps_are_told_with_their_line),
		cmocka_unit_test(what_a_form_cannot_say_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
