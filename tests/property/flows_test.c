// SPDX-License-Identifier: GPL-3.0-or-later
// Random traffic on random networks: flows against those that flitroute adds up, sums that must
// agree, and the mean of the pairs' delays against the sum over links. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>

#include "net/routes/channel_load.h"
#include "net/routes/delay.h"
#include "net/routings/routing.h"
#include "value/random.h"

#define HOSTS_MAX 64u
#define CLOSE 1e-9

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 5000 : 300;
}

// A network with routes, and what its hosts send.
struct example {
	struct net_topology topology;
	struct net_graph graph;
	struct net_routes routes;
	struct net_flows flows;
	uint64_t amounts[HOSTS_MAX * HOSTS_MAX];
	double weights[HOSTS_MAX * HOSTS_MAX];
	double *rates;
	struct net_load load;
};

static uint32_t below(struct tr_random *random, uint64_t n)
{
	return (uint32_t)tr_random_below(random, n);
}

static void open_network(struct example *example, struct tr_random *random)
{
	static const char *const rules[] = {"shortest:tie=hash", "updown", "updown:tie=hash"};
	const uint32_t switches = 2 + below(random, 15), hosts = 1 + below(random, 4);
	char text[100];

	(void)snprintf(text, sizeof(text), "random-irregular:%u,hosts=%u,seed=%u", switches, hosts,
		       below(random, 1u << 20));
	assert_int_equal(net_topology_make(&example->topology, text, NULL), TR_OK);
	assert_int_equal(net_graph_open(&example->graph, &example->topology, NULL), TR_OK);
	assert_int_equal(net_routing_make(&example->routes, &example->topology,
					  rules[below(random, 3)], NULL),
			 TR_OK);
	assert_int_equal(net_flows_open(&example->flows, &example->graph, &example->routes, NULL),
			 TR_OK);
}

static void draw_traffic(struct example *example, struct tr_random *random)
{
	const uint32_t hosts = example->graph.hosts;

	for (uint32_t i = 0; i < hosts * hosts; i++) {
		example->amounts[i] = i % (hosts + 1) != 0 && below(random, 3) == 0
					      ? below(random, 1000000)
					      : 0;
		example->weights[i] = (double)example->amounts[i];
	}
	example->amounts[1] = 5; // never nothing
	example->weights[1] = 5;
	assert_int_equal(net_flows_add_matrix(&example->flows, example->amounts, NULL), TR_OK);
	example->rates = calloc(example->graph.links, sizeof(*example->rates));
	assert_non_null(example->rates);
	for (uint32_t i = 0; i < example->graph.links; i++)
		example->rates[i] = 100. + below(random, 900);
	example->load = (struct net_load){.flows = &example->flows,
					  .rates_Bps = example->rates,
					  .mean_B = 100,
					  .header_B = below(random, 101)};
	example->load.unit_Bps = (1 + below(random, 99)) / 100. /
				 net_flows_fullest(&example->flows, example->rates, NET_LINKS_ALL,
						   NULL);
}

static void close_example(struct example *example)
{
	free(example->rates);
	net_flows_clear(&example->flows);
	net_routes_clear(&example->routes);
	net_graph_close(&example->graph);
	net_topology_clear(&example->topology);
}

static void check_sums(const struct example *example)
{
	const struct net_flows *flows = &example->flows;
	const uint32_t switches = net_graph_switches(&example->graph);
	uint64_t by_role[3] = {0}, later[3] = {0}, all = 0, own = 0, options = 0;
	struct net_loads loads;

	assert_int_equal(net_loads_find(&loads, &example->graph, &example->routes,
					(struct net_demand){example->weights}, NULL),
			 TR_OK);
	for (uint32_t link = 0; link < example->graph.links; link++) {
		assert_true((double)flows->links[link] == loads.links[link]);
		assert_true(flows->later[link] <= flows->links[link]);
		by_role[flows->roles[link]] += flows->links[link];
		later[flows->roles[link]] += flows->later[link];
	}
	assert_int_equal(by_role[NET_LINK_FIRST], flows->offered);
	assert_int_equal(by_role[NET_LINK_LAST], flows->offered);
	assert_int_equal(by_role[NET_LINK_TRUNK], flows->hops);
	assert_int_equal(later[NET_LINK_LAST], flows->offered - flows->local);
	assert_int_equal(later[NET_LINK_TRUNK], flows->hops - (flows->offered - flows->local));
	for (uint32_t i = 0; i < switches * switches; i++) {
		all += flows->between[i];
		own += i % (switches + 1) == 0 ? flows->between[i] : 0;
	}
	assert_int_equal(all, flows->offered);
	assert_int_equal(own, flows->local);
	for (unsigned i = 0; i < NET_FLOWS_OPTIONS; i++)
		options += flows->options[i];
	assert_int_equal(options, later[NET_LINK_TRUNK]);
	net_loads_clear(&loads);
}

// Equation 3.1 is 3.2; cutting through saves time, and nothing where the packet is its header.
static void check_delays(struct example *example)
{
	const uint32_t hosts = example->graph.hosts;
	struct net_delay delay, all_header;
	double sum_s = 0;

	net_delay_find(&example->load, &delay);
	for (uint32_t i = 0; i < hosts * hosts; i++) {
		if (example->amounts[i] == 0)
			continue;
		assert_int_equal(net_flows_follow(&example->flows, i / hosts, i % hosts, NULL),
				 TR_OK);
		sum_s += example->weights[i] *
			 net_delay_path_s(&example->load, &example->flows.path);
	}
	sum_s /= (double)example->flows.offered;
	assert_true(fabs(sum_s - net_delay_saf_s(&delay)) <= CLOSE * sum_s);
	assert_true(net_delay_vct_s(&delay) > 0 &&
		    net_delay_vct_s(&delay) <= net_delay_saf_s(&delay));
	example->load.header_B = example->load.mean_B;
	net_delay_find(&example->load, &all_header);
	assert_true(net_delay_vct_s(&all_header) == net_delay_saf_s(&delay));
}

static void flows_and_delays_agree(void **state)
{
	static struct example example;
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 17, "flows");
	for (unsigned i = 0; i < rounds(); i++) {
		open_network(&example, &random);
		draw_traffic(&example, &random);
		check_sums(&example);
		check_delays(&example);
		close_example(&example);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flows_and_delays_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
