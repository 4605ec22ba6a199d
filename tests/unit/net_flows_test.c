// SPDX-License-Identifier: GPL-3.0-or-later
// Flows by hand on two and three switches, and the bounds of Qiao (1997), section 5.2, for the
// networks of its chapters 4 and 5.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "net_flows_bed.h"

#include "net/routes/choices.h"
#include "value/random.h"

#define LINKS_MAX 512u
#define EXACT 1e-12

static const struct flows_edge line[] = {{0, 1}, {1, 2}, {2, 3}};

static void add(struct flows_bed *bed, uint32_t source, uint32_t destination, uint64_t amount)
{
	assert_int_equal(net_flows_add(&bed->flows, source, destination, amount, NULL), TR_OK);
}

// Two switches with two hosts each.
static void flows_add_up(void **state)
{
	static const uint32_t hosts[] = {2, 2};
	double rates[LINKS_MAX];
	struct flows_bed bed;
	uint32_t fullest;

	(void)state;
	flows_bed_open(&bed, line, 1, hosts, 2);
	add(&bed, 0, 1, 20);
	add(&bed, 0, 2, 30);
	add(&bed, 2, 1, 10);
	add(&bed, 3, 0, 40);
	assert_int_equal(bed.flows.links[flows_bed_trunk(&bed, 0, 1)], 30);
	assert_int_equal(bed.flows.links[flows_bed_trunk(&bed, 1, 0)], 50);
	assert_int_equal(bed.flows.links[flows_bed_last(&bed, 0)], 40);
	assert_int_equal(bed.flows.links[flows_bed_last(&bed, 1)], 30);
	assert_int_equal(bed.flows.links[flows_bed_last(&bed, 2)], 30);
	assert_int_equal(bed.flows.links[flows_bed_last(&bed, 3)], 0);
	assert_int_equal(bed.flows.later[flows_bed_trunk(&bed, 1, 0)], 0);
	assert_int_equal(bed.flows.later[flows_bed_last(&bed, 1)], 10);
	assert_int_equal(bed.flows.offered, 100);
	assert_int_equal(bed.flows.local, 20);
	assert_int_equal(bed.flows.hops, 80);
	assert_int_equal(bed.flows.between[0], 20);
	assert_int_equal(bed.flows.between[1], 30);
	assert_int_equal(bed.flows.between[2], 50);
	assert_int_equal(bed.flows.between[3], 0);
	assert_near(net_flows_mean_route(&bed.flows), 0.8, EXACT);
	assert_near(net_flows_locality(&bed.flows), 0.2, EXACT);
	for (uint32_t i = 0; i < bed.graph.links; i++)
		rates[i] = 100;
	assert_near(net_flows_bound(&bed.flows, rates), 250, EXACT);
	assert_near(net_flows_fullest(&bed.flows, rates, NET_LINKS_ALL, &fullest), 0.5, EXACT);
	assert_int_equal(bed.flows.links[fullest], 50);
	assert_int_equal(fullest,
			 flows_bed_last(&bed, 0) ^
				 1); // host 0 sends as much as the trunk from 1 to 0 carries
	assert_near(net_flows_fullest(&bed.flows, rates, NET_LINKS_TRUNK, &fullest), 0.5, EXACT);
	assert_int_equal(fullest, flows_bed_trunk(&bed, 1, 0));
	rates[flows_bed_trunk(&bed, 0, 1)] = 40;
	assert_near(net_flows_fullest(&bed.flows, rates, NET_LINKS_ALL, &fullest), 0.75, EXACT);
	assert_int_equal(fullest, flows_bed_trunk(&bed, 0, 1));
	flows_bed_close(&bed);
}

static void lengths_count_pairs(void **state)
{
	static const uint32_t hosts[] = {2, 1, 1};
	struct net_route_lengths lengths;
	struct flows_bed bed;

	(void)state;
	flows_bed_open(&bed, line, 2, hosts, 3);
	assert_int_equal(net_route_lengths_find(&lengths, &bed.graph, &bed.routes, false, NULL),
			 TR_OK);
	assert_int_equal(lengths.pairs, 12);
	assert_int_equal(
		lengths.hops,
		2 * (2 * 1 + 2 * 2 + 1)); // both ways: from the two hosts, and between the others
	assert_int_equal(lengths.longest, 2);
	assert_int_equal(net_route_lengths_find(&lengths, &bed.graph, &bed.routes, true, NULL),
			 TR_OK);
	assert_int_equal(lengths.pairs, 16);
	assert_int_equal(net_flows_add_matrix(&bed.flows, NULL, NULL), TR_OK);
	assert_int_equal(bed.flows.offered, 12);
	assert_int_equal(bed.flows.hops, 14);
	assert_int_equal(net_flows_add_selves(&bed.flows, NULL), TR_OK);
	assert_int_equal(bed.flows.offered, 16);
	assert_int_equal(bed.flows.local, 2 + 4);
	assert_int_equal(bed.flows.hops, 14);
	assert_int_equal(bed.flows.links[flows_bed_last(&bed, 3)], 4);
	flows_bed_close(&bed);
}

// Whatever is added and removed, the sums are those of what is left.
static void removing_leaves_nothing(void **state)
{
	static const uint32_t hosts[] = {3, 2, 2, 3, 2, 3};
	static const uint32_t steps[] = {1, 2};
	struct tr_random random;
	struct flows_bed bed, fresh;
	uint64_t left[225] = {0};

	(void)state;
	tr_random_open(&random, 17, "removing");
	flows_bed_circulant(&bed, 6, steps, 2, hosts);
	flows_bed_circulant(&fresh, 6, steps, 2, hosts);
	for (unsigned i = 0; i < 5000; i++) {
		const uint32_t pair = (uint32_t)tr_random_below(&random, 225);
		const uint64_t amount = tr_random_below(&random, UINT64_C(1) << 40);

		if (tr_random_below(&random, 2) == 0) {
			add(&bed, pair / 15, pair % 15, amount);
			left[pair] += amount;
		} else {
			assert_int_equal(net_flows_remove(&bed.flows, pair / 15, pair % 15,
							  left[pair], NULL),
					 TR_OK);
			left[pair] = 0;
		}
	}
	assert_int_equal(net_flows_add_matrix(&fresh.flows, left, NULL), TR_OK);
	assert_memory_equal(bed.flows.links, fresh.flows.links,
			    bed.graph.links * sizeof(*bed.flows.links));
	assert_memory_equal(bed.flows.later, fresh.flows.later,
			    bed.graph.links * sizeof(*bed.flows.later));
	assert_memory_equal(bed.flows.between, fresh.flows.between,
			    36 * sizeof(*bed.flows.between));
	assert_memory_equal(bed.flows.options, fresh.flows.options, sizeof(bed.flows.options));
	assert_int_equal(bed.flows.offered, fresh.flows.offered);
	assert_int_equal(bed.flows.local, fresh.flows.local);
	assert_int_equal(bed.flows.hops, fresh.flows.hops);
	flows_bed_close(&bed);
	flows_bed_close(&fresh);
}

// From switch 0 over 1, which has two ways on to 4: what arrives at 1 has two options, at 2 one.
static void choices_give_options(void **state)
{
	static const struct flows_edge edges[] = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}};
	static const uint32_t hosts[] = {1, 0, 0, 0, 1};
	const struct net_option one[] = {{.port = 1}}, two[] = {{.port = 1}, {.port = 2}};
	struct net_routes routes = {0};
	struct net_choices *choices;
	struct net_flows flows;
	struct flows_bed bed;

	(void)state;
	flows_bed_open(&bed, edges, 5, hosts, 5);
	choices = net_choices_open(&bed.graph, 1, NULL);
	assert_non_null(choices);
	assert_int_equal(net_choices_put(choices, 0, 4, one, 1, NULL), TR_OK);
	assert_int_equal(net_choices_put(choices,
					 net_choices_input(choices, flows_bed_trunk(&bed, 0, 1), 0),
					 4, two, 2, NULL),
			 TR_OK);
	assert_int_equal(net_choices_put(choices,
					 net_choices_input(choices, flows_bed_trunk(&bed, 1, 2), 0),
					 4, one, 1, NULL),
			 TR_OK);
	assert_int_equal(net_choices_routes(&routes, choices, NULL), TR_OK);
	assert_int_equal(net_flows_open(&flows, &bed.graph, &routes, NULL), TR_OK);
	assert_int_equal(net_flows_add(&flows, 0, 1, 7, NULL), TR_OK);
	assert_int_equal(flows.options[1], 7);
	assert_int_equal(flows.options[2], 7);
	assert_int_equal(flows.hops, 21);
	net_flows_clear(&flows);
	net_routes_clear(&routes);
	flows_bed_close(&bed);
}

static void bad_flows_are_refused(void **state)
{
	static const uint32_t hosts[] = {1, 1};
	struct net_routes routes;
	struct net_flows flows;
	struct flows_bed bed;
	struct tr_error err;

	(void)state;
	flows_bed_open(&bed, line, 1, hosts, 2);
	assert_int_equal(net_route_table_open(&routes, 2, NULL), TR_OK);
	assert_int_equal(net_flows_open(&flows, &bed.graph, &routes, NULL), TR_OK);
	assert_int_equal(net_flows_add(&flows, 0, 1, 5, &err), TR_ERROR);
	assert_string_equal(err.text, "host 0 to host 1: there is no route");
	assert_int_equal(flows.offered, 0);
	net_flows_clear(&flows);
	net_routes_clear(&routes);
	add(&bed, 0, 0, UINT64_MAX / 4);
	assert_int_equal(net_flows_add(&bed.flows, 0, 0, UINT64_MAX / 2, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "host 0 to host 0: all flows together are above"));
	assert_int_equal(bed.flows.offered, UINT64_MAX / 4);
	flows_bed_close(&bed);
}

// Uniform traffic, also of a host to itself as in the means of table 4.4, and links of one byte per
// unit of time.
static void check_bound(struct flows_bed *bed, double bound)
{
	double rates[LINKS_MAX];

	for (uint32_t i = 0; i < bed->graph.links; i++)
		rates[i] = 1;
	assert_int_equal(net_flows_add_matrix(&bed->flows, NULL, NULL), TR_OK);
	assert_int_equal(net_flows_add_selves(&bed->flows, NULL), TR_OK);
	assert_near(net_flows_bound(&bed->flows, rates), bound, 0.05);
	flows_bed_close(bed);
}

static void bounds_are_those_of_the_thesis_networks(void **state)
{
	static const uint32_t a[] = {7, 8, 8, 8, 7, 8, 7, 7, 8, 7},
			      b[] = {7, 8, 7, 8, 8, 8, 7, 7, 8, 7},
			      c[] = {7, 8, 8, 7, 8, 7, 7, 8, 8, 7},
			      d[] = {3, 8, 8, 8, 8, 8, 8, 8, 8, 8},
			      e[] = {3, 9, 9, 8, 9, 9, 9, 8, 8, 3},
			      f[] = {8, 7, 8, 8, 8, 7, 7, 7, 8, 7},
			      twenty[] = {20, 20, 20, 20, 20, 20, 20, 20, 20, 20};
	static const uint32_t steps_a[] = {1, 4}, steps_c[] = {1, 2}, steps_bbd[] = {1, 2, 4};
	// Stand-ins for B and F, whose drawings are lost; D is one of many that fit.
	static const struct flows_edge edges_b[] = {
		{0, 1}, {0, 6}, {0, 7}, {0, 9}, {1, 2}, {1, 3}, {1, 7}, {2, 7}, {2, 8}, {2, 9},
		{3, 4}, {3, 6}, {3, 8}, {4, 5}, {4, 7}, {4, 8}, {5, 6}, {5, 8}, {5, 9}, {6, 9}};
	static const struct flows_edge edges_f[] = {
		{0, 2}, {0, 6}, {0, 7}, {0, 8}, {1, 3}, {1, 4}, {1, 8}, {1, 9}, {2, 3}, {2, 5},
		{2, 7}, {3, 4}, {3, 8}, {4, 5}, {4, 7}, {5, 6}, {5, 7}, {6, 8}, {6, 9}};
	static const struct flows_edge edges_d[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6},
						    {0, 7}, {0, 8}, {0, 9}, {1, 2}, {1, 3}, {1, 4},
						    {2, 3}, {2, 4}, {3, 4}, {5, 7}, {6, 8}, {7, 9}};
	static const struct flows_edge edges_e[] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6},
						    {0, 7}, {0, 8}, {0, 9}, {9, 1}, {9, 2}, {9, 3},
						    {9, 4}, {9, 5}, {9, 6}, {9, 7}, {9, 8}};
	struct flows_bed bed;

	(void)state;
	flows_bed_circulant(&bed, 10, steps_a, 2, a);
	check_bound(&bed, 28.6);
	flows_bed_open(&bed, edges_b, 20, b, 10);
	check_bound(&bed, 27.75); // 40 / 1.4414; with the mean of B itself, 1.442, it is 27.7
	flows_bed_circulant(&bed, 10, steps_c, 2, c);
	check_bound(&bed, 26.7);
	flows_bed_open(&bed, edges_d, 18, d, 10);
	check_bound(&bed, 23.8);
	flows_bed_open(&bed, edges_e, 17, e, 10);
	check_bound(&bed, 20.8);
	flows_bed_open(&bed, edges_f, 19, f, 10);
	check_bound(&bed, 26.1);
	flows_bed_circulant(&bed, 10, steps_bbd, 3, twenty);
	check_bound(&bed, 50);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(flows_add_up),
		cmocka_unit_test(lengths_count_pairs),
		cmocka_unit_test(removing_leaves_nothing),
		cmocka_unit_test(choices_give_options),
		cmocka_unit_test(bad_flows_are_refused),
		cmocka_unit_test(bounds_are_those_of_the_thesis_networks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
