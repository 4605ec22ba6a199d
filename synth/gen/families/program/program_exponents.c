// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_exponents.h"

#include <math.h>

#include "gen/powers.h"

#define EXPONENT_MAX 4.0
#define INDEPENDENT 1e-9 // least determinant, of squared logarithms

double program_power_of(const struct program_power *power, uint32_t nodes, double problem)
{
	double value = power->a;

	if (power->p_exponent != 0)
		value *= powers_of(nodes, power->p_exponent);
	if (power->n_exponent != 0)
		value *= powers_of(problem, power->n_exponent);
	return value;
}

uint64_t program_phase_bytes(const struct program_model *model, const struct program_phase *phase,
			     uint32_t nodes)
{
	const double bytes = program_power_of(&phase->bytes, nodes, model->problem);

	return bytes < 0x1p62 ? (uint64_t)(bytes + 0.5) : UINT64_C(1) << 62;
}

// Means, then sums of squares and products of deviations from them: p, N and the value.
struct program_exponents_sums {
	double mean_p, mean_n, mean_v, pp, nn, pn, pv, nv;
	size_t count;
};

static struct program_exponents_sums program_exponents_add_up(const struct program_points *points)
{
	struct program_exponents_sums sums = {.count = 0};

	for (size_t i = 0; i < points->count; i++) {
		if (!(points->values[i] > 0))
			continue;
		sums.count++;
		sums.mean_p += (points->log_nodes[i] - sums.mean_p) / (double)sums.count;
		sums.mean_n += (points->log_problems[i] - sums.mean_n) / (double)sums.count;
		sums.mean_v += (log(points->values[i]) - sums.mean_v) / (double)sums.count;
	}
	for (size_t i = 0; i < points->count; i++) {
		const double p = points->log_nodes[i] - sums.mean_p,
			     n = points->log_problems[i] - sums.mean_n;

		if (!(points->values[i] > 0))
			continue;
		sums.pp += p * p;
		sums.nn += n * n;
		sums.pn += p * n;
		sums.pv += p * (log(points->values[i]) - sums.mean_v);
		sums.nv += n * (log(points->values[i]) - sums.mean_v);
	}
	return sums;
}

static double bounded(double exponent)
{
	return fmin(fmax(exponent, -EXPONENT_MAX), EXPONENT_MAX);
}

size_t program_exponents_fit(const struct program_points *points, struct program_power *out)
{
	const struct program_exponents_sums sums = program_exponents_add_up(points);
	const double determinant = sums.pp * sums.nn - sums.pn * sums.pn;

	*out = (struct program_power){.a = 0};
	if (determinant > INDEPENDENT) {
		out->p_exponent = bounded((sums.pv * sums.nn - sums.nv * sums.pn) / determinant);
		out->n_exponent = bounded((sums.nv * sums.pp - sums.pv * sums.pn) / determinant);
	} else if (sums.pp > INDEPENDENT) {
		out->p_exponent = bounded(sums.pv / sums.pp);
	} else if (sums.nn > INDEPENDENT) {
		out->n_exponent = bounded(sums.nv / sums.nn);
	}
	return sums.count;
}
