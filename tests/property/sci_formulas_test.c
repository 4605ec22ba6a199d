// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas of SCI networks against walks and enumeration, for every pair of small rings and
// tori.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "net/studies/sci/formulas.h"
#include "net/studies/sci/rings.h"

static void assert_near(double value, double expected, double tolerance)
{
	assert_true(fabs(value - expected) <= tolerance);
}

static const char *const networks[] = {
	"ring:2",      "ring:3",	"ring:7",	 "torus:2x2",	  "torus:3x3",
	"torus:4x4",   "torus:5x5",	"torus:2x2x2",	 "torus:3x3x3",	  "torus:4x4x4",
	"torus:5x5x5", "torus:2x2x2x2", "torus:3x3x3x3", "torus:4x4x4x4", "torus:5x5x5x5",
	"torus:2x5",   "torus:4x1x3",	"torus:2x3x4x5",
};

static void open_rings(const char *network, struct sci_rings *rings)
{
	struct net_topology topology = {0};
	struct tr_error err = {""};

	assert_int_equal(net_topology_make(&topology, network, &err), TR_OK);
	assert_int_equal(sci_rings_open(rings, &topology, &err), TR_OK);
	net_topology_clear(&topology);
}

// Link by link, along the dimensions that differ; the response takes them in reverse order.
static double walk_ns(const struct sci_rings *rings, const struct sci_costs *costs, uint32_t from,
		      uint32_t to, bool reverse)
{
	double ns = costs->overhead_ns;
	bool began = false;

	for (uint32_t i = 0; i < rings->dimensions; i++) {
		const uint32_t d = reverse ? rings->dimensions - 1 - i : i;

		if (sci_rings_hops(rings, from, to, d) == 0)
			continue;
		ns += began ? costs->switching_ns : 0;
		began = true;
		for (;;) {
			from = sci_rings_next(rings, from, d);
			ns += costs->propagation_ns;
			if (sci_rings_hops(rings, from, to, d) == 0)
				break;
			ns += costs->forwarding_ns;
		}
	}
	assert_int_equal(from, to);
	return ns + costs->overhead_ns;
}

// What the walks of all pairs come to: the closed forms of each, once round each active ring for
// both, and the means.
static void check_network(const struct sci_rings *rings)
{
	const struct sci_costs costs = sci_costs_of(&sci_params_usual, 64);
	double request_sum = 0, response_sum = 0, sizes[NET_DIMENSIONS_MAX];
	struct sci_steps mean;

	for (uint32_t to = 1; to < rings->nodes; to++) {
		const double request_ns = walk_ns(rings, &costs, 0, to, false),
			     response_ns = walk_ns(rings, &costs, to, 0, true);
		double active = 0, around_ns = 4 * costs.overhead_ns;
		uint32_t hops[NET_DIMENSIONS_MAX];

		for (uint32_t d = 0; d < rings->dimensions; d++) {
			hops[d] = sci_rings_hops(rings, 0, to, d);
			if (hops[d] == 0)
				continue;
			active++;
			around_ns += rings->sizes[d] * costs.propagation_ns +
				     (rings->sizes[d] - 2) * costs.forwarding_ns;
		}
		around_ns += 2 * (active - 1) * costs.switching_ns;
		assert_true(sci_latency_ns(&costs, sci_request(hops, rings->dimensions)) ==
			    request_ns);
		assert_true(sci_latency_ns(&costs, sci_response(hops, rings->sizes,
								rings->dimensions)) == response_ns);
		assert_true(request_ns + response_ns == around_ns);
		request_sum += request_ns;
		response_sum += response_ns;
	}
	for (uint32_t d = 0; d < rings->dimensions; d++)
		sizes[d] = rings->sizes[d];
	mean = sci_mean(sizes, rings->dimensions);
	assert_near(mean.propagations - mean.forwardings - mean.switchings, 1, 1e-9);
	// The sum over all destinations, multi-unicast, is nodes - 1 times the mean. Whole numbers
	// of ns, rounded once or twice.
	assert_near(sci_latency_ns(&costs, mean) * (rings->nodes - 1) / request_sum, 1, 1e-12);
	assert_near(response_sum / request_sum, 1, 1e-12);
}

static void walks_come_to_the_closed_forms(void **state)
{
	struct sci_rings rings;

	(void)state;
	for (size_t i = 0; i < sizeof(networks) / sizeof(*networks); i++) {
		open_rings(networks[i], &rings);
		check_network(&rings);
	}
}

// From any node the network looks the same.
static void all_sources_are_alike(void **state)
{
	const struct sci_costs costs = sci_costs_of(&sci_params_usual, 64);
	struct sci_rings rings;

	(void)state;
	open_rings("torus:2x3x4", &rings);
	for (uint32_t from = 0; from < rings.nodes; from++)
		for (uint32_t to = 0; to < rings.nodes; to++) {
			uint32_t hops[NET_DIMENSIONS_MAX];

			for (uint32_t d = 0; d < rings.dimensions; d++)
				hops[d] = sci_rings_hops(&rings, from, to, d);
			if (from != to)
				assert_true(sci_latency_ns(&costs,
							   sci_request(hops, rings.dimensions)) ==
					    walk_ns(&rings, &costs, from, to, false));
		}
}

// sci_first_better: one dimension more is better there and not one node before, for switching times
// from 100 ns to 2 us.
static void crossovers_are_where_the_means_meet(void **state)
{
	(void)state;
	for (int i = 0; i < 20; i++) {
		struct sci_costs costs = sci_costs_of(&sci_params_usual, 64);

		costs.switching_ns = 100 * (i + 1);
		for (uint32_t d = 1; d <= 3; d++) {
			const double first = (double)sci_first_better(&costs, d);

			if (first <= 2)
				continue;
			assert_true(sci_latency_ns(&costs, sci_mean_equal(first, d)) >
				    sci_latency_ns(&costs, sci_mean_equal(first, d + 1)));
			assert_true(sci_latency_ns(&costs, sci_mean_equal(first - 1, d)) <=
				    sci_latency_ns(&costs, sci_mean_equal(first - 1, d + 1)));
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(walks_come_to_the_closed_forms),
		cmocka_unit_test(all_sources_are_alike),
		cmocka_unit_test(crossovers_are_where_the_means_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
