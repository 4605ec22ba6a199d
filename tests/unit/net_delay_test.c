// SPDX-License-Identifier: GPL-3.0-or-later
// Qiao (1997), equations 3.1 to 3.13 and 5.1, by hand on two to five switches, and what holds
// between them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net_flows_bed.h"

#include "net/routes/delay.h"

#define LINKS_MAX 64u
#define EXACT 1e-12

static const struct flows_edge line[] = {{0, 1}, {1, 2}};

static void add(struct flows_bed *bed, uint32_t source, uint32_t destination, uint64_t amount)
{
	assert_int_equal(net_flows_add(&bed->flows, source, destination, amount, NULL), TR_OK);
}

// Packets of 10 B with headers of 2 B, amounts in B/s, links of this rate.
static struct net_load load_of(const struct flows_bed *bed, double *rates, double rate)
{
	for (uint32_t i = 0; i < bed->graph.links; i++)
		rates[i] = rate;
	return (struct net_load){.flows = &bed->flows,
				 .rates_Bps = rates,
				 .unit_Bps = 1,
				 .mean_B = 10,
				 .header_B = 2};
}

// Equations 3.3, 3.4, 3.6 and 3.11 on two switches with two hosts each, 10 packets a second.
static void two_switches_by_hand(void **state)
{
	static const uint32_t hosts[] = {2, 2};
	double rates[LINKS_MAX];
	struct net_delay delay;
	struct net_load load;
	struct flows_bed bed;

	(void)state;
	flows_bed_open(&bed, line, 1, hosts, 2);
	add(&bed, 0, 1, 20);
	add(&bed, 0, 2, 30);
	add(&bed, 2, 1, 10);
	add(&bed, 3, 0, 40);
	load = load_of(&bed, rates, 100);
	net_delay_find(&load, &delay);
	assert_near(net_delay_channel_s(30, 100, 10), 1. / 7, EXACT);
	assert_near(delay.trunk_s, (30. / 70 + 50. / 50) / 10, EXACT);
	assert_near(delay.last_s, (30. / 70 + 30. / 70 + 40. / 60) / 10, EXACT);
	assert_near(net_delay_saf_s(&delay), 31. / 105, EXACT);
	assert_near(delay.trunk_saved_s, 0, EXACT); // each trunk is a first hop
	assert_near(delay.last_saved_s, 0.8 * (.7 * .1 + .7 * .3 + .6 * .4) / 10, EXACT);
	assert_near(net_delay_vct_s(&delay), 31. / 105 - 0.0416, EXACT);
	assert_near(delay.first_s, 0.1, EXACT);
	assert_near(delay.mean_utilisation, 0.4, EXACT);
	assert_near(delay.fullest, 0.5, EXACT);
	assert_int_equal(delay.fullest_link,
			 flows_bed_last(&bed, 0) ^ 1); // 50 as on the trunk, and before it
	assert_int_equal(delay.full, 0);
	flows_bed_close(&bed);
}

// Three switches in a row, the second cable slower; 3.1 and 3.2 agree.
static void three_switches_by_hand(void **state)
{
	static const uint32_t hosts[] = {1, 1, 1};
	double rates[LINKS_MAX];
	struct net_delay delay;
	struct net_load load;
	struct flows_bed bed;
	double from_0, from_1;

	(void)state;
	flows_bed_open(&bed, line, 2, hosts, 3);
	add(&bed, 0, 2, 40);
	add(&bed, 1, 2, 20);
	load = load_of(&bed, rates, 100);
	rates[flows_bed_trunk(&bed, 1, 2)] = 80;
	net_delay_find(&load, &delay);
	assert_near(delay.trunk_s, (40. / 60 + 60. / 20) / 6, EXACT);
	assert_near(delay.last_s, (60. / 40) / 6, EXACT);
	assert_near(delay.trunk_saved_s, 0.8 * (.25 * 40 / 80) / 6, EXACT);
	assert_near(delay.last_saved_s, 0.8 * (.4 * .6) / 6, EXACT);
	assert_near(net_delay_vct_s(&delay), 0.81244444444444444, EXACT);
	assert_near(delay.cut_through, 0.25, EXACT);
	assert_int_equal(net_flows_follow(&bed.flows, 0, 2, NULL), TR_OK);
	from_0 = net_delay_path_s(&load, &bed.flows.path);
	assert_near(from_0, 10. / 60 + 10. / 20 + 10. / 40, EXACT);
	assert_int_equal(net_flows_follow(&bed.flows, 1, 2, NULL), TR_OK);
	from_1 = net_delay_path_s(&load, &bed.flows.path);
	assert_near(from_1, 10. / 20 + 10. / 40, EXACT);
	assert_near((4 * from_0 + 2 * from_1) / 6, net_delay_saf_s(&delay), EXACT);
	flows_bed_close(&bed);
}

// A ring of five switches with shortest routes: uniform traffic loads all trunks alike.
struct ring {
	struct flows_bed bed;
	double rates[LINKS_MAX];
	struct net_load load;
	struct net_even_load even;
};

static void open_ring(struct ring *ring, uint32_t hosts_each, bool selves)
{
	static const uint32_t steps[] = {1};
	const uint32_t hosts[] = {hosts_each, hosts_each, hosts_each, hosts_each, hosts_each};
	const struct net_flows *flows = &ring->bed.flows;
	struct net_route_lengths lengths;

	flows_bed_circulant(&ring->bed, 5, steps, 1, hosts);
	assert_int_equal(net_flows_add_matrix(&ring->bed.flows, NULL, NULL), TR_OK);
	if (selves)
		assert_int_equal(net_flows_add_selves(&ring->bed.flows, NULL), TR_OK);
	assert_int_equal(
		net_route_lengths_find(&lengths, &ring->bed.graph, &ring->bed.routes, selves, NULL),
		TR_OK);
	ring->load = load_of(&ring->bed, ring->rates, 20);
	ring->even = (struct net_even_load){.rate_Bps = 20,
					    .hosts = 5. * hosts_each,
					    .cables = 5,
					    .mean_B = 10,
					    .header_B = 2,
					    .mean_route = (double)lengths.hops /
							  (double)lengths.pairs,
					    .from_elsewhere = 1 - net_flows_locality(flows)};
}

// Each host sends so many bytes a second.
static void set_ring(struct ring *ring, double host_Bps)
{
	ring->load.unit_Bps = host_Bps * ring->even.hosts / (double)ring->bed.flows.offered;
	ring->even.packets_per_s = host_Bps / ring->load.mean_B;
	ring->even.header_B = ring->load.header_B;
}

// One host on each switch: p = 3/2, rho = 8 * 1.5 * 5 / (2 * 5 * 20) = 0.3, xi = 0.4.
static void even_loads_by_hand(void **state)
{
	struct ring ring;

	(void)state;
	open_ring(&ring, 1, false);
	set_ring(&ring, 8);
	assert_near(ring.even.mean_route, 1.5, EXACT);
	assert_near(net_even_trunk_utilisation(&ring.even), 0.3, EXACT);
	assert_near(net_even_last_utilisation(&ring.even), 0.4, EXACT);
	assert_near(net_even_saf_s(&ring.even), 15. / 14 + 10. / 12, EXACT);
	assert_near(net_even_vct_s(&ring.even, 0.7), 15. / 14 + 10. / 12 - .7 * .5 * .4 - .6 * .4,
		    EXACT);
	flows_bed_close(&ring.bed);
}

static void even_loads_make_sums_and_means_equal(void **state)
{
	struct net_delay delay;
	struct ring ring;

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		open_ring(&ring, 1 + i / 2, i % 2 == 1);
		for (double host_Bps = 1; host_Bps < 12; host_Bps += 2) {
			set_ring(&ring, host_Bps * 1.1 / (1 + i / 2));
			net_delay_find(&ring.load, &delay);
			assert_near(delay.mean_utilisation, net_even_trunk_utilisation(&ring.even),
				    EXACT);
			assert_near(delay.cut_through, 1 - delay.mean_utilisation, EXACT);
			assert_near(delay.adaptive, 1 - delay.mean_utilisation, EXACT);
			assert_near(net_delay_saf_s(&delay), net_even_saf_s(&ring.even), 1e-10);
			// 3.12 leaves out the chances that 3.11 has by p - theta and not p - 1.
			assert_near(net_even_vct_s(&ring.even, delay.cut_through) -
					    net_delay_vct_s(&delay),
				    delay.cut_through * (1 - ring.even.from_elsewhere) * 8 / 20,
				    1e-10);
		}
		flows_bed_close(&ring.bed);
	}
}

static void cut_through_ends_as_store_and_forward(void **state)
{
	struct net_delay delay;
	struct ring ring;

	(void)state;
	open_ring(&ring, 2, false);
	ring.load.header_B = 10; // the packet is all header
	set_ring(&ring, 5);
	net_delay_find(&ring.load, &delay);
	assert_true(net_delay_vct_s(&delay) == net_delay_saf_s(&delay));
	assert_near(net_even_vct_s(&ring.even, delay.cut_through), net_even_saf_s(&ring.even),
		    EXACT);
	ring.load.header_B = 2;
	set_ring(&ring, 15 * (1 - 1e-9)); // p = 4/3: trunks are full at 15 B/s from a host
	net_delay_find(&ring.load, &delay);
	assert_true(delay.trunk_saved_s < 1e-6 * delay.trunk_s);
	assert_near(net_delay_vct_s(&delay) / net_delay_saf_s(&delay), 1, 1e-6);
	flows_bed_close(&ring.bed);
}

static void full_channels_take_for_ever(void **state)
{
	struct net_delay delay;
	struct ring ring;

	(void)state;
	open_ring(&ring, 1, false);
	set_ring(&ring, 20); // each host fills its link, trunks are at 3/4
	net_delay_find(&ring.load, &delay);
	assert_true(isfinite(delay.trunk_s));
	assert_true(isinf(net_delay_saf_s(&delay)) && net_delay_saf_s(&delay) > 0);
	assert_true(isinf(net_delay_vct_s(&delay)) && net_delay_vct_s(&delay) > 0);
	assert_true(isinf(net_even_saf_s(&ring.even)));
	assert_int_equal(delay.full, 10); // to and from five hosts
	set_ring(&ring, 30);
	net_delay_find(&ring.load, &delay);
	assert_true(isinf(net_delay_vct_s(&delay)) && net_delay_vct_s(&delay) > 0);
	assert_true(isinf(net_even_vct_s(&ring.even, 0)) && net_even_vct_s(&ring.even, 0) > 0);
	assert_int_equal(delay.full, 20);
	flows_bed_close(&ring.bed);
}

// Half of the packets have one option and half two, at a utilisation of one half: 0.5 * 0.5 + 0.75
// * 0.5.
static void options_help_to_cut_through(void **state)
{
	const uint64_t both[NET_FLOWS_OPTIONS] = {0, 1, 1}, none[NET_FLOWS_OPTIONS] = {0};

	(void)state;
	assert_near(net_cut_through_adaptive(both, 0.5), 0.625, EXACT);
	assert_near(net_cut_through_adaptive(both, 0), 1, EXACT);
	assert_near(net_cut_through_adaptive(both, 1), 0, EXACT);
	assert_true(isnan(net_cut_through_adaptive(none, 0.5)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(two_switches_by_hand),
		cmocka_unit_test(three_switches_by_hand),
		cmocka_unit_test(even_loads_by_hand),
		cmocka_unit_test(even_loads_make_sums_and_means_equal),
		cmocka_unit_test(cut_through_ends_as_store_and_forward),
		cmocka_unit_test(full_channels_take_for_ever),
		cmocka_unit_test(options_help_to_cut_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
