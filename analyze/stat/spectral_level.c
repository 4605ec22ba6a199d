// SPDX-License-Identifier: GPL-3.0-or-later
// In two steps. The log periodogram is fitted by a line in log frequency over two octaves around each ordinate
// (Moulines and Soulier, Ann. Statist. 27 (1999) 1415-1439, take the same regression for long memory), which follows any
// power of the frequency without bias; ordinates far above the line are left out of a second and third fit. Then the mean
// of the ordinates over that line on both sides, cut at CUT, corrects it: a mean, as the cell-averaging detectors of radar
// take it (Finn and Johnson, RCA Review 29 (1968) 414-464), so that the ratio of an ordinate to it has Fisher's law F of 2
// and 2 m degrees of freedom. A geometric mean alone would not do: the spectrum of a step is 0 at every other ordinate.
#include "stat/spectral_level.h"

#include <math.h>

#define REACH 2.0       // the fit: from j / REACH to j * REACH
#define REACH_MIN 16
#define CUT 6.0
#define LOG_MEAN 0.57721566490153286  // minus the mean of the logarithm of an exponential variable
#define LOG_MEAN_BELOW_CUT 0.58346316 // likewise of one that is below CUT: (gamma + E1(6) + ln 6 e^-6) / (1 - e^-6)
#define LOG_CUT 1.791759469228055
#define LOG_FLOOR -11.5 // no logarithm is less, relative to the level
#define MEAN_LEAST 1e-4 // where sums have lost their digits
#define SIDE 1.5        // the mean: from j / SIDE to j / GUARD and from j * GUARD to j * SIDE
#define GUARD 1.1
#define SIDE_MIN 12
#define GUARD_MIN 2

struct window {
	size_t first, end;
};

static struct window fit_window(size_t j, size_t count)
{
	const double below = fmin((double)j / REACH, (double)j - REACH_MIN);
	const double above = fmax((double)j * REACH, (double)j + REACH_MIN);

	return (struct window){(size_t)fmax(1, below), (size_t)fmin(above, (double)count) + 1};
}

// Sums of a weighted regression of y on l.
struct sums {
	double w, l, ll, y, ly;
};

// An ordinate's logarithm, and that of the fit before; without bounds in the first fit.
static void add(struct sums *sums, double log_power, double before, size_t j, double sign)
{
	const double l = log((double)j);
	double y = log_power + LOG_MEAN;

	if (isfinite(before)) {
		if (log_power > before + LOG_CUT)
			return;
		y = fmax(log_power, before + LOG_FLOOR) + LOG_MEAN_BELOW_CUT;
	}
	sums->w += sign;
	sums->l += sign * l;
	sums->ll += sign * l * l;
	sums->y += sign * y;
	sums->ly += sign * l * y;
}

// The logarithm of the level.
static double value_at(const struct sums *sums, size_t j, double fallback)
{
	const double mean = sums->l / sums->w, spread = sums->ll - sums->l * mean;
	const double slope = spread > 1e-9 * sums->ll ? (sums->ly - sums->l * sums->y / sums->w) / spread : 0;

	return sums->w > 2 ? sums->y / sums->w + slope * (log((double)j) - mean) : fallback;
}

static void fit(const double *logs, size_t count, const double *before, double *after)
{
	struct sums sums = {0};
	struct window now = {1, 1};

	for (size_t j = 1; j <= count; j++) {
		const struct window next = fit_window(j, count);

		for (; now.end < next.end; now.end++)
			add(&sums, logs[now.end], before ? before[now.end] : NAN, now.end, 1);
		for (; now.first < next.first; now.first++)
			add(&sums, logs[now.first], before ? before[now.first] : NAN, now.first, -1);
		after[j] = value_at(&sums, j, before ? before[j] : logs[j]);
	}
}

static struct window lower_side(size_t j)
{
	const double end = fmin((double)j / GUARD, (double)j - GUARD_MIN);
	const double first = fmin((double)j / SIDE, end - SIDE_MIN);

	if (end < 1)
		return (struct window){1, 1};
	return (struct window){(size_t)fmax(1, first), (size_t)end + 1};
}

static struct window upper_side(size_t j, size_t count)
{
	const double first = ceil(fmax((double)j * GUARD, (double)j + GUARD_MIN));
	const double last = fmax((double)j * SIDE, first + SIDE_MIN);
	const double end = fmin(last, (double)count) + 1;

	return (struct window){(size_t)fmin(first, (double)count + 1), (size_t)fmax(end, fmin(first, (double)count + 1))};
}

double spectral_level_support(size_t j, size_t count)
{
	const struct window lower = lower_side(j), upper = upper_side(j, count);

	return (double)(lower.end - lower.first + (upper.end - upper.first));
}

static double cut_ratio(const double *power, const double *level, size_t j)
{
	return fmin(power[j] / level[j], CUT);
}

// Moves a window of which sum is the sum of the cut ratios to where next stands.
static void slide(struct window *now, struct window next, const double *power, const double *level, double *sum)
{
	for (; now->end < next.end; now->end++)
		*sum += cut_ratio(power, level, now->end);
	for (; now->first < next.first; now->first++)
		*sum -= cut_ratio(power, level, now->first);
	for (; now->first > next.first; now->first--)
		*sum += cut_ratio(power, level, now->first - 1);
}

void spectral_level_ratio(const double *power, size_t count, double *ratio, double *level, double *logs)
{
	const double cut_mean = 1 - exp(-CUT);
	struct window lower = {1, 1}, upper = {1, 1};
	double below = 0, above = 0, least = 0;

	for (size_t j = 1; j <= count; j++)
		least += power[j] / (double)count;
	least *= 1e-14;
	if (!(least > 0)) {
		for (size_t j = 1; j <= count; j++)
			ratio[j] = 0;
		return;
	}
	for (size_t j = 1; j <= count; j++)
		logs[j] = log(fmax(power[j], least));
	fit(logs, count, NULL, level);
	fit(logs, count, level, ratio);
	fit(logs, count, ratio, level);
	for (size_t j = 1; j <= count; j++) {
		level[j] = fmax(exp(level[j]), least);
		logs[j] = fmax(power[j], least);
	}
	for (size_t j = 1; j <= count; j++) {
		double mean;

		slide(&lower, lower_side(j), logs, level, &below);
		slide(&upper, upper_side(j, count), logs, level, &above);
		mean = (below + above) / spectral_level_support(j, count) / cut_mean;
		ratio[j] = power[j] / (level[j] * fmax(mean, MEAN_LEAST));
	}
}
