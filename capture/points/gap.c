// SPDX-License-Identifier: GPL-3.0-or-later
// How the limit of what even the fastest packets waited is found. The samples of a direction, less
// the line, are cut into pieces of time; the least of each piece are about independent. Near the
// least possible value e the number of values below e + x grows as x^SHAPE if so many independent
// queues must be nearly empty at once, and the SHAPE-th powers of the distances are then uniform.
// The smallest of n, less e, is a share u of the RANK-th smallest less e, where u^SHAPE exceeds 1 -
// a^(1 / (RANK - 1)) with probability a (Robson, Whitlock: Estimation of a truncation point,
// Biometrika 51, 1964, for RANK 2 and SHAPE 1: there the distance is below (1 - a) / a times that
// of the two smallest). If a share of the packets finds all queues empty, the smallest values are
// equal and the limit is 0, as it should be. SHAPE, RANK and LEVEL are choices, checked by
// tests/property/points_join_test.c.
#include "points/gap.h"
#include "value/order.h"

#include <math.h>
#include <stdlib.h>

#define PIECES_MAX 64u
#define PIECE_PACKETS 8u // at least, of each direction
#define RANK 10u
#define RANK_LEAST 4u // with fewer pieces nothing is claimed but the bound
#define SHAPE 2.0
#define LEVEL 0.0125 // of each direction: the two and what the halves decide make less than 0.05

static bool is_used(const struct gap_view *view, const struct two_way_sample *sample)
{
	return !view->wire_bytes || sample->wire_bytes == view->wire_bytes;
}

static struct gap_point gap_point_of(const struct gap_view *view,
				     const struct two_way_sample *sample)
{
	return (struct gap_point){(double)(sample->at_ns - view->origin_ns),
				  (double)(sample->apart_ns - view->base_ns)};
}

// ---- hulls: Andrew's monotone chain (Another efficient algorithm for convex hulls in two
// dimensions, IPL 9, 1979)

static double gap_turn(struct gap_point a, struct gap_point b, struct gap_point c)
{
	return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Adds a point, whose x is not below that of the last; sign 1 for a lower hull, -1 for an upper
// one.
static void hull_add(struct gap_point *hull, size_t *count, struct gap_point point, double sign)
{
	if (*count && hull[*count - 1].x == point.x) {
		if (sign * (hull[*count - 1].y - point.y) <= 0)
			return;
		--*count;
	}
	while (*count > 1 && sign * gap_turn(hull[*count - 2], hull[*count - 1], point) <= 0)
		--*count;
	hull[(*count)++] = point;
}

static void make_hulls(struct gap_view *view)
{
	for (int forward = 0; forward < 2; forward++)
		view->hull_count[forward] = view->packets[forward] = 0;
	for (size_t i = 0; i < view->count; i++) {
		const unsigned forward = view->samples[i].forward;

		if (!is_used(view, &view->samples[i]))
			continue;
		view->packets[forward]++;
		hull_add(view->hull[forward], &view->hull_count[forward],
			 gap_point_of(view, &view->samples[i]), forward ? 1 : -1);
	}
}

// The least y - slope (x - at) of the forward packets, or the largest of the others; *x is where.
static double support(const struct gap_view *view, unsigned forward, double slope, double at,
		      double *x)
{
	const struct gap_point *hull = view->hull[forward];
	const double sign = forward ? 1 : -1;
	double best = INFINITY;

	for (size_t i = 0; i < view->hull_count[forward]; i++) {
		const double value = sign * (hull[i].y - slope * (hull[i].x - at));

		if (value >= best)
			continue;
		best = value;
		*x = hull[i].x;
	}
	return sign * best;
}

static double gap_at(const struct gap_view *view, double slope, double *rise)
{
	double above = 0, below = 0;
	const double gap = support(view, 1, slope, 0, &above) - support(view, 0, slope, 0, &below);

	*rise = below - above;
	return gap;
}

// The last slope from one at which a condition holds towards another.
static double bisect(const struct gap_view *view, double from, double towards,
		     bool (*is)(const struct gap_view *view, double slope, double limit),
		     double limit)
{
	if (is(view, towards, limit))
		return towards;
	for (int i = 0; i < 100; i++) {
		const double middle = from + (towards - from) / 2;

		if (middle == from || middle == towards)
			break;
		if (is(view, middle, limit))
			from = middle;
		else
			towards = middle;
	}
	return from;
}

static bool is_rising(const struct gap_view *view, double slope, double limit)
{
	double rise;

	(void)limit;
	(void)gap_at(view, slope, &rise);
	return rise > 0;
}

static bool is_not_falling(const struct gap_view *view, double slope, double limit)
{
	double rise;

	(void)limit;
	(void)gap_at(view, slope, &rise);
	return rise >= 0;
}

static bool is_as_wide(const struct gap_view *view, double slope, double limit)
{
	double rise;

	return gap_at(view, slope, &rise) >= limit;
}

// The gap is concave in the slope: its widest is where it stops to rise, the middle of it if that
// is a range.
static void find_slope(const struct gap_view *view, struct gap_fit *fit)
{
	const double first = bisect(view, -GAP_DRIFT_MAX, GAP_DRIFT_MAX, is_rising, 0);
	const double last = bisect(view, first, GAP_DRIFT_MAX, is_not_falling, 0);
	double rise;

	fit->slope = first + (last - first) / 2;
	fit->gap_ns = gap_at(view, fit->slope, &rise);
}

// ---- what the fastest packets waited

// The limit for a direction; false if there are too few packets.
static bool limit_waits(const struct gap_view *view, unsigned forward, double slope,
			double *waited_ns)
{
	const double sign = forward ? 1 : -1;
	double least[PIECES_MAX], share;
	size_t pieces = view->packets[forward] / PIECE_PACKETS, rank, piece;
	uint64_t seen = 0; // times pieces, of a piece

	pieces = pieces > PIECES_MAX ? PIECES_MAX : pieces;
	rank = pieces < RANK ? pieces : RANK;
	if (rank < RANK_LEAST)
		return false;
	for (piece = 0; piece < pieces; piece++)
		least[piece] = INFINITY;
	piece = 0;
	for (size_t i = 0; i < view->count; i++) {
		struct gap_point point;
		double value;

		if (view->samples[i].forward != forward || !is_used(view, &view->samples[i]))
			continue;
		point = gap_point_of(view, &view->samples[i]);
		value = sign * (point.y - slope * point.x);
		if (value < least[piece])
			least[piece] = value;
		seen += pieces;
		if (seen >= view->packets[forward]) {
			seen -= view->packets[forward];
			piece++;
		}
	}
	qsort(least, pieces, sizeof(*least), order_double);
	share = pow(1 - pow(LEVEL, 1.0 / (double)(rank - 1)), 1 / SHAPE);
	*waited_ns = (least[rank - 1] - least[0]) * share / (1 - share);
	return true;
}

void gap_fit(struct gap_view *view, struct gap_fit *fit)
{
	double waited_ns[2];

	make_hulls(view);
	find_slope(view, fit);
	fit->claimed = limit_waits(view, 0, fit->slope, &waited_ns[0]) &&
		       limit_waits(view, 1, fit->slope, &waited_ns[1]);
	fit->waited_ns = fit->claimed ? waited_ns[0] + waited_ns[1] : 0;
}

double gap_reach(const struct gap_view *view, double from, double towards, double gap_ns)
{
	return bisect(view, from, towards, is_as_wide, gap_ns);
}

double gap_touch(const struct gap_view *view, unsigned forward, double slope, double x)
{
	double touched;

	return support(view, forward, slope, x, &touched);
}
