// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/formulas.h"

#include <math.h>

#define NODES_LEAST 1.5
#define NODES_MOST 1e15

static double nanoseconds(struct num_ratio time_s)
{
	return (double)((__int128)time_s.num * 1000000000) / (double)time_s.den;
}

struct sci_costs sci_costs_of(const struct sci_params *params, double size_B)
{
	const double beyond_B = fmax(size_B - SCI_PACKET_B, 0);

	return (struct sci_costs){
		nanoseconds(params->propagation_s), nanoseconds(params->forwarding_s),
		nanoseconds(params->switching_s),
		nanoseconds(params->overhead_s) + nanoseconds(params->overhead_B_s) * beyond_B};
}

// What propagations and rings make of the rest: each node passed forwards or switches.
static struct sci_steps steps_of(double propagations, double rings)
{
	return (struct sci_steps){propagations, propagations - rings, rings - 1};
}

struct sci_steps sci_request(const uint32_t *hops, uint32_t dimensions)
{
	double sum = 0, rings = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		sum += hops[d];
		rings += hops[d] > 0;
	}
	return steps_of(sum, rings);
}

struct sci_steps sci_response(const uint32_t *hops, const uint32_t *sizes, uint32_t dimensions)
{
	double sum = 0, rings = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		sum += hops[d] > 0 ? sizes[d] - hops[d] : 0;
		rings += hops[d] > 0;
	}
	return steps_of(sum, rings);
}

// Of the N - 1 destinations N (1 - 1/n) differ along a dimension of n, and are n/2 links away along
// it on average.
struct sci_steps sci_mean(const double *sizes, uint32_t dimensions)
{
	double nodes = 1, hops = 0, rings = 0;

	for (uint32_t d = 0; d < dimensions; d++) {
		nodes *= sizes[d];
		hops += (sizes[d] - 1) / 2;
		rings += (sizes[d] - 1) / sizes[d];
	}
	return steps_of(hops * nodes / (nodes - 1), rings * nodes / (nodes - 1));
}

struct sci_steps sci_mean_equal(double nodes, uint32_t dimensions)
{
	double sizes[SCI_DIMENSIONS_MOST];

	for (uint32_t d = 0; d < dimensions; d++)
		sizes[d] = pow(nodes, 1. / dimensions);
	return sci_mean(sizes, dimensions);
}

double sci_latency_ns(const struct sci_costs *costs, struct sci_steps steps)
{
	return 2 * costs->overhead_ns + steps.propagations * costs->propagation_ns +
	       steps.forwardings * costs->forwarding_ns + steps.switchings * costs->switching_ns;
}

// How much one more dimension saves. Without overheads, which are the same in both.
static double saved_ns(const struct sci_costs *costs, double nodes, uint32_t dimensions)
{
	const struct sci_costs bare = {costs->propagation_ns, costs->forwarding_ns,
				       costs->switching_ns, 0};

	return sci_latency_ns(&bare, sci_mean_equal(nodes, dimensions)) -
	       sci_latency_ns(&bare, sci_mean_equal(nodes, dimensions + 1));
}

double sci_crossover(const struct sci_costs *costs, uint32_t dimensions)
{
	double low = NODES_LEAST, high = NODES_LEAST;

	if (saved_ns(costs, low, dimensions) > 0)
		return NAN;
	while (high < NODES_MOST && saved_ns(costs, high, dimensions) <= 0)
		high *= 2;
	if (high >= NODES_MOST)
		return NAN;
	for (int i = 0; i < 100; i++) {
		const double middle = (low + high) / 2;

		*(saved_ns(costs, middle, dimensions) > 0 ? &high : &low) = middle;
	}
	return high;
}

uint64_t sci_first_better(const struct sci_costs *costs, uint32_t dimensions)
{
	const double at = sci_crossover(costs, dimensions);

	return isnan(at) ? 0 : (uint64_t)floor(at) + 1;
}

uint32_t sci_best(const struct sci_costs *costs, double nodes)
{
	double least_ns = INFINITY;
	uint32_t best = 1;

	for (uint32_t d = 1; d <= SCI_DIMENSIONS_MOST && ldexp(1, (int)d) <= nodes; d++) {
		const double mean_ns = sci_latency_ns(costs, sci_mean_equal(nodes, d));

		if (mean_ns < least_ns) {
			least_ns = mean_ns;
			best = d;
		}
	}
	return best;
}
