// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/axis_tics.h"

#include <math.h>
#include <stdio.h>

#define TICS_MAX 7
#define TIME_TICS_MAX 5 // their labels are longer

// Writes the label of 10^exponent.
typedef void labeller(int exponent, char *out, size_t out_bytes);

static void label_plain(int exponent, char *out, size_t out_bytes)
{
	static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
	unsigned size = (unsigned)(exponent < 0 ? -exponent : exponent);

	if (exponent >= -3 && exponent <= 4)
		(void)snprintf(out, out_bytes, "%g", pow(10, exponent));
	else
		(void)snprintf(out, out_bytes, "10%s%s%s", exponent < 0 ? "⁻" : "",
			       size > 9 ? raised[size / 10 % 10] : "", raised[size % 10]);
}

static void label_time(int exponent, char *out, size_t out_bytes)
{
	// From the exponent, since 10^-9 is no double.
	static const char *const units[] = {"ns", "µs", "ms", "s"};
	int unit = exponent < -9 ? 0 : exponent >= 0 ? 3 : (exponent + 9) / 3;

	(void)snprintf(out, out_bytes, "%g %s", pow(10, exponent - (unit * 3 - 9)), units[unit]);
}

static void label_size(int exponent, char *out, size_t out_bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
	int unit = exponent < 0 ? 0 : exponent >= 12 ? 4 : exponent / 3;

	(void)snprintf(out, out_bytes, "%g %s", pow(10, exponent - unit * 3), units[unit]);
}

static void add_tics(struct figure *figure, struct axis *axis, double lo, double hi, int most,
		     labeller *label)
{
	int first = (int)floor(log10(lo) + 1e-9), last = (int)ceil(log10(hi) - 1e-9);
	int step = (int)(log10(hi / lo) / most) + 1;
	char text[32];

	axis->log = true;
	axis->lo = lo;
	axis->hi = hi;
	if (hi / lo < 10) {
		axis->lo = pow(10, first);
		axis->hi = pow(10, last > first ? last : first + 1);
	}
	for (int exponent = first; exponent <= last + 1; exponent++) {
		double at = pow(10, exponent);

		if (exponent % step != 0 || at < axis->lo * (1 - 1e-9) || at > axis->hi * (1 + 1e-9))
			continue;
		label(exponent, text, sizeof text);
		figure_tic(figure, axis, at, text);
	}
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
