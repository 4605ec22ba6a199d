// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/extent.h"

#include <math.h>

#define ROOM 0.04 // of the range, beyond the data

struct extent {
	double lo, hi; // lo > hi: nothing yet
};

static void include(struct extent *extent, double value, bool log)
{
	if (log && !(value > 0))
		return;
	extent->lo = fmin(extent->lo, value);
	extent->hi = fmax(extent->hi, value);
}

// A row's values on each axis; the last two only where the style has them.
static void include_row(const struct plot *plot, enum curve_style style, const double *row, struct extent *x, struct extent *y)
{
	include(x, row[0], plot->x.log);
	switch (style) {
	case CURVE_BARS:
		include(x, row[0] + row[1], plot->x.log);
		include(y, 0, plot->y.log);
		include(y, row[2], plot->y.log);
		break;
	case CURVE_CELLS:
		include(x, row[0] - 0.5, plot->x.log);
		include(x, row[0] + 0.5, plot->x.log);
		include(y, row[1] - 0.5, plot->y.log);
		include(y, row[1] + 0.5, plot->y.log);
		break;
	default:
		for (size_t i = 1; i < curve_columns(style); i++)
			include(y, row[i], plot->y.log);
		break;
	}
}

// Whether the ends could be taken for the same in the digits that are written.
static bool is_narrow(const struct axis *axis)
{
	return fabs(axis->hi - axis->lo) <= 1e-6 * fmax(fabs(axis->lo), fabs(axis->hi));
}

// Room for both ends of a linear axis.
static void settle_linear(struct axis *axis, double lo, double hi, bool tight)
{
	double room = lo == hi ? fmax(fabs(lo) * 0.1, 0.5) : tight ? 0 : (hi - lo) * ROOM;

	if (!isfinite(axis->lo))
		axis->lo = lo >= 0 && lo <= room ? 0 : lo - room;
	if (!isfinite(axis->hi))
		axis->hi = hi + room;
	if (is_narrow(axis))
		axis->hi = axis->lo + fmax(fabs(axis->lo) * 0.1, 1);
}

static void settle_log(struct axis *axis, double lo, double hi)
{
	double room = lo == hi ? 2 : pow(hi / lo, ROOM);

	if (!(axis->lo > 0) || !isfinite(axis->lo))
		axis->lo = lo / room;
	if (!(axis->hi > 0) || !isfinite(axis->hi))
		axis->hi = hi * room;
	if (is_narrow(axis))
		axis->hi = axis->lo * 10;
}

static void settle(struct axis *axis, struct extent extent, bool tight)
{
	double lo = isfinite(axis->lo) ? axis->lo : extent.lo;
	double hi = isfinite(axis->hi) ? axis->hi : extent.hi;

	if (!isfinite(lo)) // no data
		lo = axis->log ? hi / 10 : isfinite(hi) ? hi - 1 : 0;
	if (!isfinite(lo) || (axis->log && !(lo > 0)))
		lo = 1;
	if (!isfinite(hi) || (hi < lo && !isfinite(axis->lo)))
		hi = axis->log ? lo * 10 : lo + 1;
	if (axis->log)
		settle_log(axis, lo, hi);
	else
		settle_linear(axis, lo, hi, tight);
}

void extent_settle(struct plot *plot)
{
	struct extent x = {INFINITY, -INFINITY}, y = x;
	bool cells = false;

	for (size_t i = 0; i < plot->curve_count; i++) {
		const struct curve *curve = &plot->curves[i];
		size_t columns = curve_columns(curve->style);

		cells = cells || curve->style == CURVE_CELLS;
		for (size_t row = 0; row < curve->count; row++)
			include_row(plot, curve->style, &curve->values[row * columns], &x, &y);
	}
	settle(&plot->x, x, cells);
	settle(&plot->y, y, cells);
}
