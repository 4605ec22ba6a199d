// SPDX-License-Identifier: GPL-3.0-or-later
// Dekkers, Einmahl and de Haan, A moment estimator for the index of an extreme-value distribution, Annals of
// Statistics 17 (1989) 1833-1855, equation 1.7; variance by theorem 3.1.
#include "stat/moment_estimator.h"

#include <math.h>

static double variance(double g)
{
	const double one = 1 - g, two = 1 - 2 * g, three = 1 - 3 * g, four = 1 - 4 * g;

	if (g >= 0)
		return 1 + g * g;
	return one * one * two * (4 - 8 * two / three + (5 - 11 * g) * two / (three * four));
}

struct tail_index moment_estimator(const struct tail *tail, double level)
{
	const double count = (double)tail->k;
	double first = 0, second = 0, g;

	for (size_t i = 1; i <= tail->k; i++) {
		const double excess = log(tail_value(tail, i) / tail_threshold(tail));

		first += excess / count;
		second += excess * excess / count;
	}
	g = second > 0 ? first + 1 - 0.5 / (1 - first * first / second) : NAN;
	return tail_index_make(g, sqrt(variance(g) / count), level);
}

struct tail_index moment_estimator_index(const struct tail_index *g)
{
	if (!(g->index > 0))
		return (struct tail_index){NAN, NAN, g->hi > 0 ? 1 / g->hi : NAN, NAN};
	return (struct tail_index){1 / g->index, g->se / (g->index * g->index), 1 / g->hi, g->lo > 0 ? 1 / g->lo : INFINITY};
}
