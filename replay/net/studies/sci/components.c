// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/sci/components.h"

#include <math.h>

static const struct sci_ping_pong one_hop = {.hops = 1}, four_hops = {.hops = 4};
static const struct sci_ping_pong straight = {.torus = true, .hops = 2},
				  turning = {.torus = true, .hops = 3, .switches = 1};

// Adds weight times a measured time.
static void components_add(struct sci_estimate *sum, double weight, double ns)
{
	sum->value += weight * ns;
	sum->percent_ns = hypot(sum->percent_ns, .01 * weight * ns);
}

static double components_time_of(const struct sci_ping_pongs *pongs, struct sci_ping_pong path,
				 uint32_t size_B)
{
	const struct sci_ping_pong *row;

	path.size_B = size_B;
	row = sci_ping_pongs_find(pongs, path);
	return row ? row->ns : NAN;
}

// The mean over all sizes that have both times of (second - first) / divisor, less a constant.
static struct sci_estimate components_difference(const struct sci_ping_pongs *pongs,
						 struct sci_ping_pong first,
						 struct sci_ping_pong second, double divisor,
						 double less_ns)
{
	struct sci_estimate sum = {0};
	uint32_t count = 0;

	for (uint32_t i = 0; i < pongs->count; i++) {
		const double first_ns = components_time_of(pongs, first, pongs->rows[i].size_B),
			     second_ns = pongs->rows[i].ns;

		second.size_B = pongs->rows[i].size_B;
		if (sci_ping_pongs_find(pongs, second) != &pongs->rows[i] || isnan(first_ns))
			continue;
		components_add(&sum, 1 / divisor, second_ns);
		components_add(&sum, -1 / divisor, first_ns);
		count++;
	}
	return (struct sci_estimate){sum.value / count - less_ns, sum.percent_ns / count};
}

static bool is_one_hop(const struct sci_ping_pong *row)
{
	return !row->torus && row->hops == 1;
}

static void find_line(struct sci_components *components, const struct sci_ping_pongs *pongs,
		      double propagation_ns)
{
	const double least = components->least_B;
	double count = 0, mean = 0, square = 0;

	for (uint32_t i = 0; i < pongs->count; i++)
		if (is_one_hop(&pongs->rows[i])) {
			count++;
			mean += pongs->rows[i].size_B - least;
		}
	mean /= count;
	for (uint32_t i = 0; i < pongs->count; i++)
		if (is_one_hop(&pongs->rows[i]))
			square += pow(pongs->rows[i].size_B - least - mean, 2);
	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];
		const double slope = (row->size_B - least - mean) / square;

		if (!is_one_hop(row))
			continue;
		components_add(&components->fitted_slope, slope / 2, row->ns);
		components_add(&components->fitted, (1 / count - mean * slope) / 2, row->ns);
	}
	components->fitted.value = count > 0 ? components->fitted.value - propagation_ns / 2 : NAN;
}

void sci_components_find(struct sci_components *components, const struct sci_ping_pongs *pongs,
			 double propagation_ns)
{
	double forwarding_ns, first_ns, last_ns, span_B;

	*components = (struct sci_components){.least_B = UINT32_MAX};
	for (uint32_t i = 0; i < pongs->count; i++)
		if (is_one_hop(&pongs->rows[i])) {
			const uint32_t size_B = pongs->rows[i].size_B;

			components->least_B = size_B < components->least_B ? size_B
									   : components->least_B;
			components->most_B = size_B > components->most_B ? size_B
									 : components->most_B;
		}
	first_ns = components_time_of(pongs, one_hop, components->least_B);
	last_ns = components_time_of(pongs, one_hop, components->most_B);
	span_B = (double)components->most_B - components->least_B;
	components->overhead.value = -propagation_ns / 2;
	components_add(&components->overhead, .5, first_ns);
	components_add(&components->slope, .5 / span_B, last_ns);
	components_add(&components->slope, -.5 / span_B, first_ns);
	find_line(components, pongs, propagation_ns);
	components->forwarding = components_difference(pongs, one_hop, four_hops, 3,
						       propagation_ns);
	forwarding_ns = components->forwarding.value;
	components->switching = components_difference(pongs, straight, turning, 1, propagation_ns);
	components->switching_exact = components_difference(
		pongs, straight, turning, 1, 1.5 * propagation_ns + .5 * forwarding_ns);
	components->switching_exact.percent_ns = hypot(components->switching_exact.percent_ns,
						       .5 * components->forwarding.percent_ns);
}

struct sci_point sci_components_at(const struct sci_ping_pongs *pongs, uint32_t size_B,
				   double propagation_ns)
{
	const double one_ns = components_time_of(pongs, one_hop, size_B),
		     four_ns = components_time_of(pongs, four_hops, size_B);
	const double turn_ns = components_time_of(pongs, turning, size_B) -
			       components_time_of(pongs, straight, size_B);
	const double forwarding_ns = (four_ns - one_ns) / 3 - propagation_ns;

	return (struct sci_point){(one_ns - propagation_ns) / 2, forwarding_ns,
				  turn_ns - propagation_ns,
				  turn_ns - 1.5 * propagation_ns - .5 * forwarding_ns};
}

double sci_ring_ns(const struct sci_costs *costs, uint32_t hops)
{
	return sci_latency_ns(costs, sci_request(&hops, 1));
}

struct sci_trend sci_trend_find(const struct sci_ping_pongs *pongs, const struct sci_costs *costs,
				uint32_t size_B, double nodes)
{
	struct sci_trend trend = {0};
	double x = 0, y = 0, xx = 0, xy = 0;

	for (uint32_t i = 0; i < pongs->count; i++) {
		const struct sci_ping_pong *row = &pongs->rows[i];
		const double at = 2. * row->hops,
			     deviation_ns = row->ns - sci_ring_ns(costs, row->hops);

		if (row->torus || row->size_B != size_B)
			continue;
		trend.rings++;
		x += at;
		y += deviation_ns;
		xx += at * at;
		xy += at * deviation_ns;
	}
	trend.slope_ns = (trend.rings * xy - x * y) / (trend.rings * xx - x * x);
	trend.deviation_ns = y / trend.rings + trend.slope_ns * (nodes - x / trend.rings);
	trend.model_ns = sci_latency_ns(costs, (struct sci_steps){nodes / 2, nodes / 2 - 1, 0});
	return trend;
}
