// SPDX-License-Identifier: GPL-3.0-or-later
#include "page/axis_tics.h"

#include <math.h>
#include <stdio.h>

#define TICS_MAX 7
#define TIME_TICS_MAX 5 // their labels are longer

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
			       exponent < 0 ? "⁻" : "", size > 9 ? raised[size / 10 % 10] : "", raised[size % 10]);
}

static void label_time(int times, int exponent, char *out, size_t out_bytes)
{
	// From the exponent, since 10^-9 is no double.
	static const char *const units[] = {"ns", "µs", "ms", "s"};
	int unit = exponent < -9 ? 0 : exponent >= 0 ? 3 : (exponent + 9) / 3;

	(void)snprintf(out, out_bytes, "%g %s", times * pow(10, exponent - (unit * 3 - 9)), units[unit]);
}

static void label_size(int times, int exponent, char *out, size_t out_bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	int unit = exponent < 0 ? 0 : exponent >= 12 ? 4 : exponent / 3;

	(void)snprintf(out, out_bytes, "%g %s", times * pow(10, exponent - unit * 3), units[unit]);
}

// Where the axis reaches so far.
static void add_tic(struct figure *figure, struct axis *axis, int times, int exponent, labeller *label)
{
	const double at = times * pow(10, exponent);
	char text[32];

	if (at < axis->lo * (1 - 1e-9) || at > axis->hi * (1 + 1e-9))
		return;
	label(times, exponent, text, sizeof(text));
	figure_tic(figure, axis, at, text);
}

static void add_tics(struct figure *figure, struct axis *axis, double lo, double hi, int most, labeller *label)
{
	int first = (int)floor(log10(lo) + 1e-9), last = (int)ceil(log10(hi) - 1e-9);
	int step = (int)(log10(hi / lo) / most) + 1;
	static const int within[] = {1, 2, 5}; // a decade
	bool few;

	axis->log = true;
	axis->lo = lo;
	axis->hi = hi;
	if (hi / lo < 10) {
		axis->lo = pow(10, first);
		axis->hi = pow(10, last > first ? last : first + 1);
	}
	// Where the ends of fewer than two decades are on the axis: 2 and 5 of each, too.
	few = (int)floor(log10(axis->hi) + 1e-9) - (int)ceil(log10(axis->lo) - 1e-9) < 1;
	for (int exponent = first; exponent <= last + 1; exponent++)
		for (size_t i = 0; i < (few ? 3 : 1) && exponent % step == 0; i++)
			add_tic(figure, axis, within[i], exponent, label);
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
