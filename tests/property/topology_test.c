// SPDX-License-Identifier: GPL-3.0-or-later
// Random topologies: their text restores them, a truncated text is rejected, and their counts agree
// with a plain search. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/topology/adapters.h"
#include "net/topology/topology_facts.h"
#include "net/topology/topology_text.h"
#include "value/random.h"

#define NODES_MAX 120u
#define FAR UINT32_MAX

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 5000 : 150;
}

static uint32_t below(struct tr_random *random, uint64_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

// A name that no other node has, of any bytes that a name may have.
static char *draw_name(struct tr_random *random, uint32_t node)
{
	char text[NET_NAME_MAX + 1];
	size_t length = below(random, 30);

	for (size_t i = 0; i < length; i++) {
		text[i] = (char)('!' + below(random, 127 - '!'));
		if (text[i] == '#' || text[i] == '.')
			text[i] = (char)0xc3;
	}
	(void)snprintf(text + length, sizeof(text) - length, "/%u", node);
	return strdup(text);
}

static void decorate(struct net_topology *topology, struct tr_random *random)
{
	const uint32_t nodes = topology->hosts + topology->switches;

	if (below(random, 2)) {
		topology->names = calloc(nodes, sizeof(*topology->names));
		assert_non_null(topology->names);
		for (uint32_t i = 0; i < nodes; i++)
			if (below(random, 2))
				topology->names[i] = draw_name(random, i);
	}
	if (below(random, 2)) {
		topology->places = calloc(topology->switches, sizeof(*topology->places));
		assert_non_null(topology->places);
		for (uint32_t i = 0; i < topology->switches; i++)
			topology->places[i] = (struct net_place){
				(int32_t)below(random, 2000) - 1000,
				(int32_t)below(random, 2000) - 1000};
	}
	for (size_t i = 0; i < topology->cable_count; i++) {
		if (below(random, 3) == 0)
			num_ratio_make(below(random, 1000), 1 + below(random, 9),
				       &topology->cables[i].length_m);
		if (below(random, 3) == 0)
			num_ratio_make(1 + below(random, 2000000000), 1 + below(random, 3),
				       &topology->cables[i].rate_bps);
	}
}

static void draw(struct net_topology *topology, struct tr_random *random)
{
	const uint32_t ports = 2 + below(random, 9);
	struct tr_error err;
	char text[100];

	do {
		(void)snprintf(text, sizeof(text), "random-irregular:%u,ports=%u,hosts=%u,seed=%u",
			       1 + below(random, 20), ports,
			       1 + below(random, ports - 1 < 4 ? ports - 1 : 4),
			       below(random, 1000000));
	} while (net_topology_make(topology, text, &err) != TR_OK);
	assert_int_equal(net_topology_check(topology, &err), TR_OK);
	assert_true(topology->hosts + topology->switches <= NODES_MAX);
}

// Makes neighbours ports of one host, here and there.
static void gather(struct net_topology *topology, struct tr_random *random)
{
	const uint32_t all = topology->hosts, most = 1 + below(random, 4);
	struct tr_error err;

	topology->hosts = 0;
	while (topology->hosts < all) {
		const uint32_t left = all - topology->hosts;
		const uint32_t ports = 1 + below(random, left < most ? left : most);
		const uint32_t hosts = 1 + below(random, left / ports);

		assert_int_equal(net_adapters_add(topology, hosts, ports, &err), TR_OK);
	}
	for (uint32_t i = 0; topology->names && i < all; i++)
		if (i != net_host_first(topology, net_host_of(topology, i))) {
			free(topology->names[i]);
			topology->names[i] = NULL;
		}
}

static char *write_text(const struct net_topology *topology, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	struct tr_error err;

	assert_non_null(out);
	assert_int_equal(net_topology_write(topology, "made by\na test", out, &err), TR_OK);
	assert_int_equal(fclose(out), 0);
	return text;
}

static enum tr_status read_text(struct net_topology *topology, const char *text, size_t bytes)
{
	struct tr_source *source;
	enum tr_status status;
	struct tr_error err;

	assert_int_equal(tr_source_open_memory(&source, text, bytes, "memory", &err), TR_OK);
	status = net_topology_read(topology, source, &err);
	tr_source_close(source);
	return status;
}

static void compare_names(const struct net_topology *one, const struct net_topology *other)
{
	for (uint32_t i = 0; i < one->hosts + one->switches; i++) {
		char a[NET_NAME_MAX + 16];
		char b[NET_NAME_MAX + 16];

		assert_string_equal(net_topology_name(one, i, a, sizeof(a)),
				    net_topology_name(other, i, b, sizeof(b)));
	}
}

static void compare(const struct net_topology *one, const struct net_topology *other)
{
	assert_int_equal(one->hosts, other->hosts);
	assert_int_equal(one->switches, other->switches);
	assert_int_equal(one->cable_count, other->cable_count);
	assert_memory_equal(one->ports, other->ports, one->switches * sizeof(*one->ports));
	assert_memory_equal(one->cables, other->cables, one->cable_count * sizeof(*one->cables));
	assert_int_equal(one->places == NULL, other->places == NULL);
	if (one->places)
		assert_memory_equal(one->places, other->places,
				    one->switches * sizeof(*one->places));
	assert_int_equal(net_host_count(one), net_host_count(other));
	for (uint32_t i = 0; i < net_host_count(one); i++)
		assert_int_equal(net_host_ports(one, i), net_host_ports(other, i));
	for (uint32_t i = 0; i < one->hosts; i++)
		assert_int_equal(net_host_of(one, i), net_host_of(other, i));
	compare_names(one, other);
}

static void a_text_gives_the_topology_back(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "topology/text");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_topology one;
		struct net_topology other;
		size_t bytes;
		char *text;

		draw(&one, &random);
		decorate(&one, &random);
		gather(&one, &random);
		text = write_text(&one, &bytes);
		assert_int_equal(read_text(&other, text, bytes), TR_OK);
		compare(&one, &other);
		net_topology_clear(&other);
		// Only the last newline may be missing.
		assert_int_equal(read_text(&other, text, below(&random, bytes - 1)), TR_ERROR);
		assert_null(other.cables);
		free(text);
		net_topology_clear(&one);
	}
}

// Takes cables between switches away.
static void tear(struct net_topology *topology, struct tr_random *random)
{
	const uint32_t share = 1 + below(random, 4);
	size_t kept = 0;

	for (size_t i = 0; i < topology->cable_count; i++)
		if (topology->cables[i].ends[0].node < topology->hosts || below(random, share) > 0)
			topology->cables[kept++] = topology->cables[i];
	topology->cable_count = kept;
}

// Cables from node 0 of all, by going over all cables until nothing changes.
static void spread(const struct net_topology *topology, uint32_t source, uint32_t *distance)
{
	bool changed = true;

	memset(distance, 0xff, NODES_MAX * sizeof(*distance));
	distance[source] = 0;
	while (changed) {
		changed = false;
		for (size_t i = 0; i < 2 * topology->cable_count; i++) {
			const uint32_t from = topology->cables[i / 2].ends[i % 2].node;
			const uint32_t to = topology->cables[i / 2].ends[1 - i % 2].node;

			if (distance[from] == FAR || distance[from] + 1 >= distance[to])
				continue;
			distance[to] = distance[from] + 1;
			changed = true;
		}
	}
}

// Each name finds its node, and those of hosts with several ports find hosts.
static void names_are_found(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "topology/names");
	for (unsigned round = 0; round < rounds(); round++) {
		struct net_topology topology;
		struct net_names names;
		struct tr_error err;
		char text[NET_NAME_MAX + 16];
		uint32_t found;
		bool is_host;

		draw(&topology, &random);
		decorate(&topology, &random);
		gather(&topology, &random);
		assert_int_equal(net_names_open(&names, &topology, &err), TR_OK);
		for (uint32_t i = 0; i < topology.hosts + topology.switches; i++) {
			net_topology_name(&topology, i, text, sizeof(text));
			assert_true(net_names_find(&names, text, &found));
			assert_int_equal(found, i);
		}
		for (uint32_t i = 0; i < net_host_count(&topology); i++) {
			net_host_name(&topology, i, text, sizeof(text));
			assert_true(net_names_find_whole(&names, text, &is_host, &found));
			assert_true(is_host);
			assert_int_equal(found, i);
			assert_int_equal(net_names_find(&names, text, &found),
					 net_host_ports(&topology, i) == 1);
		}
		net_names_close(&names);
		net_topology_clear(&topology);
	}
}

static void hosts_apart_share_no_part(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 6, "topology/apart");
	for (unsigned round = 0; round < rounds(); round++) {
		uint64_t apart = 0;
		uint32_t distance[NODES_MAX], parts;
		struct net_topology topology;
		bool *joined;
		struct tr_error err;
		uint32_t hosts, *of;

		draw(&topology, &random);
		tear(&topology, &random);
		gather(&topology, &random);
		hosts = net_host_count(&topology);
		joined = calloc((size_t)hosts * hosts, sizeof(*joined));
		assert_non_null(joined);
		for (uint32_t i = 0; i < topology.hosts; i++) {
			spread(&topology, i, distance);
			for (uint32_t k = 0; k < topology.hosts; k++)
				if (distance[k] != FAR)
					joined[net_host_of(&topology, i) * hosts +
					       net_host_of(&topology, k)] = true;
		}
		for (uint32_t i = 0; i < hosts * hosts; i++)
			apart += !joined[i];
		of = net_parts_find(&topology, NULL, &parts, &err);
		assert_non_null(of);
		assert_int_equal(net_hosts_apart(&topology, of), apart);
		free(of);
		free(joined);
		net_topology_clear(&topology);
	}
}

static void facts_are_what_a_plain_search_finds(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 4, "topology/facts");
	for (unsigned round = 0; round < rounds(); round++) {
		uint64_t pairs[NODES_MAX] = {0};
		uint64_t apart = 0;
		uint32_t parts = 0;
		uint32_t distance[NODES_MAX];
		struct net_topology topology;
		struct net_facts facts;
		struct tr_error err;

		draw(&topology, &random);
		tear(&topology, &random);
		for (uint32_t node = 0; node < topology.hosts + topology.switches; node++) {
			uint32_t first = 0;

			spread(&topology, node, distance);
			while (distance[first] == FAR)
				first++;
			parts += first == node;
			for (uint32_t to = 0; node < topology.hosts && to < topology.hosts; to++) {
				if (distance[to] == FAR)
					apart++;
				else if (to != node)
					pairs[distance[to] - 1]++;
			}
		}
		assert_int_equal(net_facts_find(&facts, &topology, NULL, &err), TR_OK);
		assert_int_equal(facts.parts, parts);
		assert_int_equal(facts.pairs_apart, apart);
		for (uint32_t i = 0; i < NODES_MAX; i++)
			assert_int_equal(i <= facts.longest ? facts.pairs[i] : 0, pairs[i]);
		net_facts_clear(&facts);
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_text_gives_the_topology_back),
		cmocka_unit_test(names_are_found),
		cmocka_unit_test(hosts_apart_share_no_part),
		cmocka_unit_test(facts_are_what_a_plain_search_finds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
