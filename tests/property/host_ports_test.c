// SPDX-License-Identifier: GPL-3.0-or-later
// Ports that rules choose, on random hosts of planes and of one network: they are joined, those of
// the rule where these are, and turns are equal. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "net/host_ports.h"
#include "net/routings/routing.h"
#include "net/topology/adapters.h"
#include "value/random.h"

#define PORTS_MAX 4u
#define PACKETS 400u

static uint32_t below(struct tr_random *random, uint64_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

// Hosts of 1 to PORTS_MAX ports, port p of each on switch p; with joined, switches in a line.
static void draw(struct net_topology *topology, struct tr_random *random, bool joined)
{
	const uint32_t hosts = 2 + below(random, 6);
	struct tr_error err;

	*topology = (struct net_topology){.switches = PORTS_MAX};
	assert_int_equal(net_adapters_add(topology, 1, PORTS_MAX, &err), TR_OK);
	for (uint32_t i = 1; i < hosts; i++)
		assert_int_equal(net_adapters_add(topology, 1, 1 + below(random, PORTS_MAX), &err),
				 TR_OK);
	topology->ports = calloc(PORTS_MAX, sizeof(*topology->ports));
	topology->cables = calloc(topology->hosts + PORTS_MAX, sizeof(*topology->cables));
	assert_true(topology->ports && topology->cables);
	for (uint32_t i = 0; i < PORTS_MAX; i++)
		topology->ports[i] = hosts + 2;
	for (uint32_t i = 0; i < topology->hosts; i++) {
		const uint32_t host = net_host_of(topology, i);
		const uint32_t port = i - net_host_first(topology, host);

		topology->cables[topology->cable_count++] = (struct net_cable){
			.ends = {{i, 0}, {topology->hosts + port, host}}};
	}
	for (uint32_t i = 0; joined && i + 1 < PORTS_MAX; i++)
		topology->cables[topology->cable_count++] = (struct net_cable){
			.ends = {{topology->hosts + i, hosts},
				 {topology->hosts + i + 1, hosts + 1}}};
}

static uint32_t port_of(const struct net_topology *topology, uint32_t adapter)
{
	return adapter - net_host_first(topology, net_host_of(topology, adapter));
}

static void choices_are_joined(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "host-ports");
	for (unsigned round = 0; round < (getenv("FLIT_LONG") ? 3000u : 100u); round++) {
		const bool joined = below(&random, 2);
		const struct net_port_rule rule = {
			.choice = (enum net_port_choice)below(&random, NET_PORT_EACH),
			.port = below(&random, PORTS_MAX)};
		uint32_t turns[8] = {0}; // of packets, by host
		uint64_t others = 0;
		struct net_topology topology;
		struct net_routes routes;
		struct net_host_ports ports;
		struct tr_error err;
		uint16_t list[8];

		draw(&topology, &random, joined);
		assert_int_equal(net_routing_make(&routes, &topology, "updown", &err), TR_OK);
		assert_int_equal(net_host_ports_open(&ports, &topology, &routes, rule, &err),
				 TR_OK);
		for (unsigned i = 0; i < PACKETS; i++) {
			const uint32_t hosts = net_host_count(&topology);
			const uint32_t from = below(&random, hosts), to = below(&random, hosts);
			const uint32_t p = net_host_ports(&topology, from),
				       q = net_host_ports(&topology, to), most = p > q ? p : q;
			struct net_offer offer = {.source = from, .destination = to};
			uint64_t number = UINT64_MAX;

			net_host_ports_choose(&ports, &offer);
			assert_int_equal(net_host_of(&topology, offer.source), from);
			assert_int_equal(net_host_of(&topology, offer.destination), to);
			assert_true(offer.source == offer.destination ||
				    net_routes_get(&routes, offer.source, offer.destination,
						   list) != NET_NO_ROUTE);
			if (rule.choice == NET_PORT_DESTINATION)
				number = to;
			else if (rule.choice == NET_PORT_FIXED)
				number = rule.port;
			else if (rule.choice != NET_PORT_FLOW)
				number = turns[from]++;
			if (number == UINT64_MAX)
				continue;
			number %= most;
			// Ports of one number are in one plane.
			if (joined || number % p == number % q) {
				assert_int_equal(port_of(&topology, offer.source), number % p);
				assert_int_equal(port_of(&topology, offer.destination), number % q);
			} else {
				others++;
			}
		}
		net_host_ports_settle(&ports);
		if (rule.choice != NET_PORT_FLOW)
			assert_int_equal(ports.others, others);
		net_host_ports_close(&ports);
		net_routes_clear(&routes);
		net_topology_clear(&topology);
	}
}

// Traffic that offers a packet again after it was given back, and what was offered.
struct again {
	unsigned offers;
	bool given_back;
};

static enum tr_status again_next(void *context, struct net_offer *offer, struct tr_error *err)
{
	struct again *again = context;

	(void)err;
	*offer = (struct net_offer){.source = 0, .destination = 1};
	again->offers++;
	again->given_back = false;
	return TR_OK;
}

static void again_give_back(void *context, const struct net_offer *offer)
{
	(void)offer;
	((struct again *)context)->given_back = true;
}

static void an_offer_given_back_takes_no_turn(void **state)
{
	const struct net_port_rule rule = {.choice = NET_PORT_PACKET};
	struct again again = {0};
	struct net_traffic traffic = {
		.next = again_next, .give_back = again_give_back, .context = &again};
	struct net_topology topology;
	struct net_routes routes;
	struct net_host_ports ports;
	struct net_offer offer;
	struct tr_error err;

	(void)state;
	assert_int_equal(net_topology_make(&topology, "switch:2,planes=3", &err), TR_OK);
	assert_int_equal(net_routing_make(&routes, &topology, "updown", &err), TR_OK);
	assert_int_equal(net_host_ports_open(&ports, &topology, &routes, rule, &err), TR_OK);
	net_host_ports_join(&ports, &traffic);
	for (uint32_t taken = 0; taken < 7; taken++) {
		for (uint32_t back = 0; back < taken % 3; back++) {
			assert_int_equal(traffic.next(traffic.context, &offer, &err), TR_OK);
			assert_int_equal(offer.source, taken % 3);
			traffic.give_back(traffic.context, &offer);
			assert_true(again.given_back);
		}
		assert_int_equal(traffic.next(traffic.context, &offer, &err), TR_OK);
		assert_int_equal(offer.source, taken % 3);
		assert_int_equal(offer.destination, 3 + taken % 3);
	}
	net_host_ports_close(&ports);
	net_routes_clear(&routes);
	net_topology_clear(&topology);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_are_joined),
		cmocka_unit_test(an_offer_given_back_takes_no_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
