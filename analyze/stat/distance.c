// SPDX-License-Identifier: GPL-3.0-or-later
// Anderson-Darling: Scholz and Stephens, K-sample Anderson-Darling tests, J. Am. Statist. Ass. 82 (1987) 918-924, equation 6 for two
// samples, which allows for ties: with n and m values, N = n + m, l_j of them equal to the j-th different one, B_j up to it, and d_j
// the difference of the shares up to it, it is n m times the sum over all but the last of l_j d_j^2 / (B_j (N - B_j)).
#include "stat/distance.h"

#include <math.h>

// Values in other units are the same where they differ by rounding alone.
#define ROUNDING (1 + 1e-12)

struct distance_walk distance_walk_start(double n, double m)
{
	return (struct distance_walk){.n = n, .m = m};
}

void distance_walk_add(struct distance_walk *walk, double x, double a, double b)
{
	const double before = fabs(walk->below_a / walk->n - walk->below_b / walk->m);
	double apart, upto;

	if (walk->below_a + walk->below_b > 0)
		walk->sum.emd += before * (x - walk->x);
	walk->x = x;
	walk->below_a += a;
	walk->below_b += b;
	upto = walk->below_a + walk->below_b;
	apart = fabs(walk->below_a / walk->n - walk->below_b / walk->m);
	walk->sum.ks = fmax(walk->sum.ks, apart);
	if (upto < walk->n + walk->m)
		walk->sum.ad += walk->n * walk->m * (a + b) * apart * apart / (upto * (walk->n + walk->m - upto));
}

// One histogram, value by value.
struct cursor {
	struct quantile_walk walk;
	double unit;
	double x;     // the next value; INFINITY after the last
	double times; // how often it is there
	double upto;  // values up to it
};

static void step(struct cursor *cursor)
{
	const double n = (double)cursor->walk.of->n, before = cursor->upto;
	double share;

	cursor->times = 0;
	cursor->x = INFINITY;
	if (before >= n)
		return;
	cursor->x = cursor->unit * (double)quantile_walk_to(&cursor->walk, (before + 0.5) / n, &share);
	cursor->upto = (double)cursor->walk.below;
	cursor->times = cursor->upto - before;
}

// How often a value is there; the cursor is then at the next one.
static double take(struct cursor *cursor, double x)
{
	const double times = cursor->times;

	if (!(cursor->x <= x * ROUNDING))
		return 0;
	step(cursor);
	return times;
}

struct distance distance_between(const struct quantile *a, double a_unit, const struct quantile *b, double b_unit)
{
	struct cursor one = {.walk = {.of = a}, .unit = a_unit}, two = {.walk = {.of = b}, .unit = b_unit};
	struct distance_walk walk = distance_walk_start((double)a->n, (double)b->n);

	if (a->n == 0 || b->n == 0)
		return (struct distance){NAN, NAN, NAN};
	step(&one);
	step(&two);
	while (isfinite(one.x) || isfinite(two.x)) {
		const double x = fmin(one.x, two.x), times = take(&one, x);

		distance_walk_add(&walk, x, times, take(&two, x));
	}
	return walk.sum;
}
