// SPDX-License-Identifier: GPL-3.0-or-later
// Gonzalez (2000), equations 1 to 17, by hand with the components of Table 1 (p. 28): 7, 60 and 670
// ns, and an overhead of 2085 ns at 64 B; 335 ns is the enhanced switching of section 6.2.
// Crossovers, ranges and ratios of Table 2 (p. 36) and section 6.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "net/studies/sci/formulas.h"
#include "net/studies/sci/rings.h"

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

static struct sci_costs current(void)
{
	return sci_costs_of(&sci_params_usual, 64);
}

static struct sci_costs enhanced(void)
{
	struct sci_params params = sci_params_usual;

	params.switching_s = (struct num_ratio){335, 1000000000};
	return sci_costs_of(&params, 64);
}

// Sums of whole nanoseconds: exact.
static void latencies_of_pairs(void **state)
{
	static const struct {
		uint32_t dimensions, size, hops[3];
		double request_ns, response_ns;
	} rows[] = {
		{1, 2, {1}, 4177, 4177},       {1, 4, {2}, 4244, 4244},
		{1, 6, {3}, 4311, 4311},       {1, 8, {4}, 4378, 4378},
		{2, 3, {0, 1}, 4177, 4244},    {2, 3, {1, 0}, 4177, 4244},
		{2, 3, {0, 2}, 4244, 4177},    {2, 3, {2, 0}, 4244, 4177},
		{2, 3, {1, 1}, 4854, 4988},    {2, 3, {1, 2}, 4921, 4921},
		{2, 3, {2, 1}, 4921, 4921},    {2, 3, {2, 2}, 4988, 4854},
		{3, 4, {2, 1, 3}, 5732, 5732},
	};
	const struct sci_costs costs = current();

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		const uint32_t sizes[] = {rows[i].size, rows[i].size, rows[i].size};

		assert_true(sci_latency_ns(&costs, sci_request(rows[i].hops, rows[i].dimensions)) ==
			    rows[i].request_ns);
		assert_true(sci_latency_ns(&costs,
					   sci_response(rows[i].hops, sizes, rows[i].dimensions)) ==
			    rows[i].response_ns);
	}
}

static const struct average {
	uint32_t dimensions, size;
	double propagations, switchings, forwardings; // to four decimals
	double ns, enhanced_ns;			      // to two
} averages[] = {
	{1, 9, 4.5, 0, 3.5, 4411.50, 4411.50},
	{1, 20, 10, 0, 9, 4780.00, 4780.00},
	{1, 100, 50, 0, 49, 7460.00, 7460.00},
	{1, 1000, 500, 0, 499, 37610.00, 37610.00},
	{2, 2, 1.3333, .3333, 0, 4402.67, 4291.00},
	{2, 3, 2.25, .5, .75, 4565.75, 4398.25},
	{2, 4, 3.2, .6, 1.6, 4690.40, 4489.40},
	{2, 5, 4.1667, .6667, 2.5, 4795.83, 4572.50},
	{2, 10, 9.0909, .8182, 7.2727, 5218.18, 4944.09},
	{2, 31, 30.0313, .9375, 28.0938, 6693.97, 6379.91},
	{3, 3, 3.1154, 1.0769, 1.0385, 4975.65, 4614.88},
	{3, 6, 7.5349, 1.5116, 5.0233, 5536.93, 5030.53},
	{3, 10, 13.5135, 1.7027, 10.8108, 6054.05, 5483.65},
	{4, 2, 2.1333, 1.1333, 0, 4944.27, 4564.60},
	{4, 4, 6.0235, 2.0118, 3.0118, 5740.75, 5066.81},
	{4, 5, 8.0128, 2.2051, 4.8077, 5991.99, 5253.27},
};

static void latencies_on_average(void **state)
{
	const struct sci_costs now = current(), then = enhanced();

	(void)state;
	for (size_t i = 0; i < sizeof(averages) / sizeof(*averages); i++) {
		const struct average *row = &averages[i];
		const double n = row->size, sizes[] = {n, n, n, n};
		const struct sci_steps steps = sci_mean(sizes, row->dimensions);
		const struct sci_steps equal = sci_mean_equal(pow(n, row->dimensions),
							      row->dimensions);

		assert_near(steps.propagations, row->propagations, 5.01e-5);
		assert_near(steps.switchings, row->switchings, 5.01e-5);
		assert_near(steps.forwardings, row->forwardings, 5.01e-5);
		assert_near(sci_latency_ns(&now, steps), row->ns, .01);
		assert_near(sci_latency_ns(&then, steps), row->enhanced_ns, .01);
		assert_near(equal.propagations, steps.propagations, 1e-9 * n);
		assert_near(equal.switchings, steps.switchings, 1e-9);
	}
}

static void crossovers(void **state)
{
	const struct sci_costs now = current(), then = enhanced();

	(void)state;
	assert_near(sci_crossover(&now, 1), 2 * 610. / 67, 1e-6); // 2 (l_s - l_f) / (l_p + l_f)
	assert_near(sci_crossover(&now, 2), 190.84, .005);
	assert_near(sci_crossover(&now, 3), 1832.6, .05);
	assert_near(sci_crossover(&then, 1), 2 * 275. / 67, 1e-6);
	assert_near(sci_crossover(&then, 2), 44.72, .005);
	assert_near(sci_crossover(&then, 3), 228.93, .005);
}

// Table 2, average latency: within a node below 100, 1.5 % above.
static void published_crossovers(void **state)
{
	static const double now[] = {18, 191, 1831}, then[] = {9, 45, 232};
	const struct sci_costs costs[] = {current(), enhanced()};

	(void)state;
	for (uint32_t d = 1; d <= 3; d++) {
		const double ours[] = {sci_crossover(&costs[0], d), sci_crossover(&costs[1], d)};
		const double theirs[] = {now[d - 1], then[d - 1]};

		for (int i = 0; i < 2; i++)
			assert_true(fabs(ours[i] - theirs[i]) <=
				    (theirs[i] < 100 ? 1 : .015 * theirs[i]));
	}
}

static void crossovers_do_not_depend_on_overheads(void **state)
{
	struct sci_costs costs = current();
	const double at = sci_crossover(&costs, 2);

	(void)state;
	costs.overhead_ns = 0;
	assert_true(sci_crossover(&costs, 2) == at);
	costs = sci_costs_of(&sci_params_usual, 512);
	assert_true(sci_crossover(&costs, 2) == at);
}

static void no_crossover_where_switching_is_cheap(void **state)
{
	struct sci_costs costs = current();

	(void)state;
	costs.switching_ns = costs.forwarding_ns;
	assert_true(isnan(sci_crossover(&costs, 1)));
	assert_int_equal(sci_first_better(&costs, 1), 0);
	assert_int_equal(sci_best(&costs, 3), 1);
	assert_int_equal(sci_best(&costs, 4), 2);
	assert_int_equal(sci_best(&costs, 255), 7);
}

// Ranges of the best number of dimensions: the first number of nodes of each.
static void the_best_topology(void **state)
{
	static const uint32_t now[] = {2, 19, 191, 1833, 17084}, then[] = {2, 9, 45, 229, 1148};
	const struct sci_costs costs[] = {current(), enhanced()};

	(void)state;
	for (uint32_t d = 1; d <= 4; d++) {
		const uint32_t first[] = {now[d], then[d]};

		for (int i = 0; i < 2; i++) {
			assert_int_equal(sci_first_better(&costs[i], d), first[i]);
			assert_int_equal(sci_best(&costs[i], first[i] - 1), d);
			assert_int_equal(sci_best(&costs[i], first[i]), d + 1);
		}
	}
}

// Section 6.2, p. 37: about 5 % at 100 nodes and 10 % at 1000, in one topology and with the best of
// each.
static void enhanced_switching_saves(void **state)
{
	const struct sci_costs now = current(), then = enhanced();
	static const struct {
		double nodes;
		uint32_t same;
		double same_percent, best_percent;
	} rows[] = {{100, 2, 5.25, 6.89}, {1000, 3, 9.42, 11.46}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		const double nodes = rows[i].nodes;
		const double same_ns = sci_latency_ns(&now, sci_mean_equal(nodes, rows[i].same));
		const double best_ns = sci_latency_ns(&now,
						      sci_mean_equal(nodes, sci_best(&now, nodes)));

		assert_near(100 * (1 - sci_latency_ns(&then, sci_mean_equal(nodes, rows[i].same)) /
					       same_ns),
			    rows[i].same_percent, .01);
		assert_near(
			100 * (1 - sci_latency_ns(&then,
						  sci_mean_equal(nodes, sci_best(&then, nodes))) /
					   best_ns),
			rows[i].best_percent, .01);
	}
}

// At all points of Table 2 the two topologies differ by less than 1 %, also at those of
// multi-unicast, which the sum over the destinations cannot give.
static void neighbours_are_close_at_the_published_points(void **state)
{
	static const double points[2][2][3] = {{{18, 191, 1831}, {20, 220, 2050}},
					       {{9, 45, 232}, {5, 9, 18}}};
	const struct sci_costs costs[] = {current(), enhanced()};

	(void)state;
	for (int system = 0; system < 2; system++)
		for (int use = 0; use < 2; use++)
			for (uint32_t d = 1; d <= 3; d++) {
				const double nodes = points[system][use][d - 1];
				const double less = sci_latency_ns(&costs[system],
								   sci_mean_equal(nodes, d));
				const double more = sci_latency_ns(&costs[system],
								   sci_mean_equal(nodes, d + 1));

				assert_true(fabs(more / less - 1) < .01);
				assert_true(use == 0 ||
					    fabs(more / less - 1) > .0025); // no crossover is there
			}
}

// Table 1 and Fig. 12: 2085 ns at 64 B, 7281.8 by the line at 512 B, 7268 measured; eq. 21 at eight
// sizes (Fig. 13).
static void overheads_and_validation_curve(void **state)
{
	static const double curve[] = {4311,	5795.8, 7280.6,	 8765.4,
				       10250.2, 11735,	13219.8, 14704.6};
	const uint32_t three = 3;

	(void)state;
	assert_true(sci_costs_of(&sci_params_usual, 64).overhead_ns == 2085);
	assert_true(sci_costs_of(&sci_params_usual, 1).overhead_ns == 2085);
	assert_near(sci_costs_of(&sci_params_usual, 512).overhead_ns, 7281.8, 1e-9);
	assert_near(100 * (7281.8 / 7268 - 1), .19, .005);
	assert_true(round(1 / (299792458. / 2) * 1e9) ==
		    current().propagation_ns); // a metre at half the speed of light
	for (int i = 0; i < 8; i++) {
		const struct sci_costs costs = sci_costs_of(&sci_params_usual, 64 * (i + 1));

		assert_near(sci_latency_ns(&costs, sci_request(&three, 1)), curve[i], 1e-9);
	}
}

static void rings_of(const char *network, struct sci_rings *rings)
{
	struct net_topology topology = {0};
	struct tr_error err = {""};

	assert_int_equal(net_topology_make(&topology, network, &err), TR_OK);
	assert_int_equal(sci_rings_open(rings, &topology, &err), TR_OK);
	net_topology_clear(&topology);
}

static void rings_of_networks(void **state)
{
	struct sci_rings rings;

	(void)state;
	rings_of("ring:5", &rings);
	assert_int_equal(rings.dimensions, 1);
	assert_int_equal(sci_rings_next(&rings, 4, 0), 0);
	assert_int_equal(sci_rings_hops(&rings, 3, 1, 0), 3);
	rings_of("torus:2x1x3", &rings);
	assert_int_equal(rings.dimensions, 2);
	assert_int_equal(rings.sizes[1], 3);
	assert_int_equal(sci_rings_next(&rings, 1, 0), 0);
	assert_int_equal(sci_rings_next(&rings, 4, 1), 0);
	assert_int_equal(sci_rings_hops(&rings, 5, 0, 0), 1);
	assert_int_equal(sci_rings_hops(&rings, 5, 0, 1), 1);
	rings_of("line:2", &rings); // the cable of two nodes is a ring
	assert_int_equal(rings.sizes[0], 2);
}

static void other_networks_have_none(void **state)
{
	static const char *const networks[] = {"switch:4",	    "mesh:3x3",	   "line:3",
					       "torus:3x3,hosts=2", "hypercube:2", "direct",
					       "fattree:4"};

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		struct net_topology topology = {0};
		struct sci_rings rings;
		struct tr_error err = {""};

		assert_int_equal(net_topology_make(&topology, networks[i], &err), TR_OK);
		assert_int_equal(sci_rings_open(&rings, &topology, &err), TR_ERROR);
		assert_non_null(strstr(err.text, "ring"));
		net_topology_clear(&topology);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(latencies_of_pairs),
		cmocka_unit_test(latencies_on_average),
		cmocka_unit_test(crossovers),
		cmocka_unit_test(published_crossovers),
		cmocka_unit_test(crossovers_do_not_depend_on_overheads),
		cmocka_unit_test(no_crossover_where_switching_is_cheap),
		cmocka_unit_test(the_best_topology),
		cmocka_unit_test(enhanced_switching_saves),
		cmocka_unit_test(neighbours_are_close_at_the_published_points),
		cmocka_unit_test(overheads_and_validation_curve),
		cmocka_unit_test(rings_of_networks),
		cmocka_unit_test(other_networks_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
