// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/figure.h"

#include <math.h>
#include <stdio.h>

// ---- the range of each axis, if not set

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

// A row's values on each axis; the last two only if the style has them.
static void include_row(const struct plot *plot, enum curve_style style, const double *row,
			struct extent *x, struct extent *y)
{
	include(x, row[0], plot->x.log);
	switch (style) {
	case CURVE_BARS:
		include(x, row[0] + row[1], plot->x.log);
		include(y, 0, plot->y.log);
		include(y, row[2], plot->y.log);
		break;
	case CURVE_ARROWS:
		include(x, row[2], plot->x.log);
		include(y, row[1], plot->y.log);
		include(y, row[3], plot->y.log);
		break;
	case CURVE_RANGES:
		include(x, row[2], plot->x.log);
		include(y, row[1], plot->y.log);
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

// Whether the ends might print as equal.
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

// ---- named places on logarithmic axes

#define TICS_MAX 7
#define TIME_TICS_MAX 5 // their labels are longer
#define MINOR_DECADES 8 // up to here there are minor tics

// Writes the label of times x 10^exponent; times is 1, 2 or 5.
typedef void labeller(int times, int exponent, char *out, size_t out_bytes);

static void label_plain(int times, int exponent, char *out, size_t out_bytes)
{
	static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);

	if (exponent >= -3 && exponent <= 4)
		(void)snprintf(out, out_bytes, "%g", times * pow(10, exponent));
	else
		(void)snprintf(out, out_bytes, "%s10%s%s%s",
			       times == 1   ? ""
			       : times == 2 ? "2·"
					    : "5·",
			       exponent < 0 ? "⁻" : "", size > 9 ? raised[size / 10 % 10] : "",
			       raised[size % 10]);
}

static void label_time(int times, int exponent, char *out, size_t out_bytes)
{
	// From the exponent, since 10^-9 is no double.
	static const char *const units[] = {"ns", "µs", "ms", "s"};
	int unit = exponent < -9 ? 0 : exponent >= 0 ? 3 : (exponent + 9) / 3;

	(void)snprintf(out, out_bytes, "%g %s", times * pow(10, exponent - (unit * 3 - 9)),
		       units[unit]);
}

static void label_size(int times, int exponent, char *out, size_t out_bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	int unit = exponent < 0 ? 0 : exponent >= 12 ? 4 : exponent / 3;

	(void)snprintf(out, out_bytes, "%g %s", times * pow(10, exponent - unit * 3), units[unit]);
}

// Adds a tic if it is on the axis; label: NULL for a minor one.
static void add_tic(struct figure *figure, struct axis *axis, int times, int exponent,
		    labeller *label)
{
	const double at = times * pow(10, exponent);
	char text[32];

	if (at < axis->lo * (1 - 1e-9) || at > axis->hi * (1 + 1e-9))
		return;
	if (label)
		label(times, exponent, text, sizeof(text));
	figure_tic(figure, axis, at, label ? text : NULL);
}

static void add_tics(struct figure *figure, struct axis *axis, double lo, double hi, int most,
		     labeller *label)
{
	int first = (int)floor(log10(lo) + 1e-9), last = (int)ceil(log10(hi) - 1e-9);
	int step = (int)(log10(hi / lo) / most) + 1;
	static const int within[] = {1, 2, 5}; // a decade
	bool few;

	axis->log = true;
	axis->lo = lo;
	axis->hi = hi;
	if (hi / lo < 10) {
		// gnuplot labels no end that is off by a rounding.
		axis->lo = pow(10, first) / 1.02;
		axis->hi = pow(10, last > first ? last : first + 1) * 1.02;
	}
	// If the axis has fewer than two decades: 2 and 5 of each, too.
	few = (int)floor(log10(axis->hi) + 1e-9) - (int)ceil(log10(axis->lo) - 1e-9) < 1;
	for (int exponent = first; exponent <= last + 1; exponent++)
		for (size_t i = 0; i < (few ? 3 : 1) && exponent % step == 0; i++)
			add_tic(figure, axis, within[i], exponent, label);
	for (int exponent = first - 1; exponent <= last && last - first <= MINOR_DECADES;
	     exponent++)
		for (int times = 2; times < 10; times++)
			if (!few || (times != 2 && times != 5))
				add_tic(figure, axis, times, exponent, NULL);
}

void axis_decades(struct figure *figure, struct axis *axis, double lo, double hi)
{
	add_tics(figure, axis, lo, hi, TICS_MAX, label_plain);
}

void axis_times(struct figure *figure, struct axis *axis, double lo_s, double hi_s)
{
	add_tics(figure, axis, lo_s, hi_s, TIME_TICS_MAX, label_time);
}

void axis_sizes(struct figure *figure, struct axis *axis, double lo_bytes, double hi_bytes)
{
	add_tics(figure, axis, lo_bytes, hi_bytes, TICS_MAX, label_size);
}

// ---- columns of time

void axis_columns(struct figure *figure, struct axis *axis, const struct axis_columns *columns,
		  int most)
{
	const double whole_s = columns->begin_s + (double)columns->count * columns->width_s;
	const double rough_s = whole_s / most, power_s = pow(10, floor(log10(rough_s)));
	const double times = ceil(rough_s / power_s - 1e-9), step_s = power_s * (times <= 2 ? times
										 : times <= 5 ? 5
											      : 10);
	char label[32];

	axis->lo = -0.5;
	axis->hi = (double)columns->count - 0.5;
	for (int i = 0; i <= (int)(whole_s / step_s + 1e-9); i++) {
		(void)snprintf(label, sizeof(label), "%g", i * step_s / columns->unit_s);
		figure_tic(figure, axis, (i * step_s - columns->begin_s) / columns->width_s - 0.5,
			   label);
	}
}
