// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/distance.h"

#include <math.h>

// One histogram, value by value.
struct cursor {
	struct quantile_walk walk;
	double unit;
	double x;       // the next value; INFINITY after the last
	double share;   // up to x, once it is passed
	double passed;  // up to what was passed
};

static void step(struct cursor *cursor)
{
	const double n = (double)cursor->walk.of->n;

	cursor->passed = cursor->share;
	cursor->x = INFINITY;
	if (cursor->passed * n > n - 0.5)
		return;
	cursor->x = cursor->unit * (double)quantile_walk_to(&cursor->walk, cursor->passed + 0.5 / n, &cursor->share);
}

struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b, double b_unit)
{
	struct cursor one = {.walk = {.of = a}, .unit = a_unit}, two = {.walk = {.of = b}, .unit = b_unit};
	struct distance out = {0, 0};

	if (a->n == 0 || b->n == 0)
		return (struct distance){NAN, NAN};
	step(&one);
	step(&two);
	while (isfinite(one.x) || isfinite(two.x)) {
		const double x = fmin(one.x, two.x);
		double apart, next;

		if (one.x == x)
			step(&one);
		if (two.x == x)
			step(&two);
		apart = fabs(one.passed - two.passed);
		next = fmin(one.x, two.x);
		out.ks = fmax(out.ks, apart);
		if (isfinite(next))
			out.emd += apart * (next - x);
	}
	return out;
}
