// SPDX-License-Identifier: GPL-3.0-or-later
// In two steps. The log periodogram is fitted by a line in log frequency over two octaves around
// each ordinate (Moulines and Soulier, Ann. Statist. 27 (1999) 1415-1439, take the same regression
// for long memory), which follows any power of the frequency without bias; ordinates far above the
// line are left out of a second and third fit. Then the mean of the ordinates over that line on
// both sides, cut at CUT, corrects it: a mean, as the cell-averaging detectors of radar take it
// (Finn and Johnson, RCA Review 29 (1968) 414-464), so that the ratio of an ordinate to it has
// Fisher's law F of 2 and 2 m degrees of freedom. A geometric mean alone would not do: the spectrum
// of a step is 0 at every other ordinate. The level is worked out once a cell: one ordinate up to
// FINE, a FINE-th of the frequency beyond, where all windows are thousands of cells wide and the
// level of any power of the frequency is straight from one cell to the next to 1e-7. A cell's
// logarithms are that of a product.
#include "stat/spectra/spectral_lines.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

#define FINE 4096
#define REACH 2.0 // the fit: from j / REACH to j * REACH
#define REACH_MIN 16
#define CUT 6.0
#define LOG_MEAN 0.57721566490153286 // minus the mean of the logarithm of an exponential variable
#define LOG_MEAN_BELOW_CUT \
	0.58346316	// likewise of one below CUT: (gamma + E1(6) + ln 6 e^-6) / (1 - e^-6)
#define FLOOR 1e-5	// no ordinate counts as less, relative to the level
#define LEAST 1e-14	// nor relative to the mean of all
#define FACTORS 16	// of a product: LEAST^16 is a normal number
#define MEAN_LEAST 1e-4 // below it sums have lost their digits
#define SIDE 1.5	// the mean: from j / SIDE to j / GUARD and from j * GUARD to j * SIDE
#define GUARD 1.1
#define SIDE_MIN 12
#define GUARD_MIN 2

// ---- cells and windows
// Ordinates first to end - 1; number is 1 for the first cell.
struct spectral_level_cell {
	size_t number, first, end;
};

static struct spectral_level_cell cell_at(size_t number, size_t first, size_t count)
{
	const size_t end = first + (first < FINE ? 1 : first / FINE);

	return (struct spectral_level_cell){number, first, end <= count ? end : count + 1};
}

// Its first ordinate is beyond count after the last one.
static struct spectral_level_cell cell_after(struct spectral_level_cell cell, size_t count)
{
	return cell_at(cell.number + 1, cell.end, count);
}

static double centre_of(struct spectral_level_cell cell)
{
	return 0.5 * (double)(cell.first + cell.end - 1);
}

static size_t middle_of(struct spectral_level_cell cell)
{
	return (cell.first + cell.end - 1) / 2;
}

struct spectral_level_window {
	size_t first, end;
};

static struct spectral_level_window fit_window(size_t j, size_t count)
{
	const double below = fmin((double)j / REACH, (double)j - REACH_MIN);
	const double above = fmax((double)j * REACH, (double)j + REACH_MIN);

	return (struct spectral_level_window){(size_t)fmax(1, below),
					      (size_t)fmin(above, (double)count) + 1};
}

static struct spectral_level_window lower_side(size_t j)
{
	const double end = fmin((double)j / GUARD, (double)j - GUARD_MIN);
	const double first = fmin((double)j / SIDE, end - SIDE_MIN);

	if (end < 1)
		return (struct spectral_level_window){1, 1};
	return (struct spectral_level_window){(size_t)fmax(1, first), (size_t)end + 1};
}

static struct spectral_level_window upper_side(size_t j, size_t count)
{
	const double first = ceil(fmax((double)j * GUARD, (double)j + GUARD_MIN));
	const double last = fmax((double)j * SIDE, first + SIDE_MIN);
	const double end = fmin(last, (double)count) + 1;

	return (struct spectral_level_window){(size_t)fmin(first, (double)count + 1),
					      (size_t)fmax(end, fmin(first, (double)count + 1))};
}

double spectral_level_support(size_t j, size_t count)
{
	const struct spectral_level_window lower = lower_side(j), upper = upper_side(j, count);

	return (double)(lower.end - lower.first + (upper.end - upper.first));
}

// ---- the fit
// The fitted data: the power over its mean, by cells.
struct whitening {
	const double *power;
	size_t count;
	double mean;
	double *level; // [number of cells + 1] over the mean; logarithms until the fit is done
	double *kept, *height; // [likewise] ordinates of a cell that are fitted, and the sum of
			       // their logarithms
};

// Sums up a cell. before: there is an earlier fit, and ordinates far above it are left out.
static void weigh(struct whitening *w, struct spectral_level_cell cell, bool before)
{
	const double unit = before ? w->level[cell.number] : 0,
		     scale = 1 / (w->mean * fmax(exp(unit), LEAST));
	const double floor = before ? FLOOR : LEAST, bias = before ? LOG_MEAN_BELOW_CUT : LOG_MEAN;

	double kept = 0, logs = 0;

	for (size_t begin = cell.first; begin < cell.end; begin += FACTORS) {
		const size_t end = begin + FACTORS < cell.end ? begin + FACTORS : cell.end;
		double product = 1;

		for (size_t j = begin; j < end; j++) {
			const double power = w->power[j] * scale,
				     counted = power > floor ? power : floor;

			if (before && counted > CUT)
				continue;
			product *= counted;
			kept++;
		}
		logs += log(product);
	}
	w->kept[cell.number] = kept;
	w->height[cell.number] = logs + kept * (unit + bias);
}

// Sums of a weighted regression of y on l.
struct spectral_level_sums {
	double w, l, ll, y, ly;
};

static void spectral_level_add(struct spectral_level_sums *sums, const struct whitening *w,
			       struct spectral_level_cell cell, double sign)
{
	const double l = log(centre_of(cell)), kept = sign * w->kept[cell.number],
		     y = sign * w->height[cell.number];

	sums->w += kept;
	sums->l += kept * l;
	sums->ll += kept * l * l;
	sums->y += y;
	sums->ly += l * y;
}

// The logarithm of the level.
static double spectral_level_value_at(const struct spectral_level_sums *sums, double centre,
				      double fallback)
{
	const double mean = sums->l / sums->w, spread = sums->ll - sums->l * mean;
	const double slope = spread > 1e-9 * sums->ll
				     ? (sums->ly - sums->l * sums->y / sums->w) / spread
				     : 0;

	return sums->w > 2 ? sums->y / sums->w + slope * (log(centre) - mean) : fallback;
}

static void spectral_level_fit(struct whitening *w, bool before)
{
	struct spectral_level_cell first = cell_at(1, 1, w->count), end = first;
	struct spectral_level_sums sums = {0};

	for (struct spectral_level_cell cell = first; cell.first <= w->count;
	     cell = cell_after(cell, w->count))
		weigh(w, cell, before);
	for (struct spectral_level_cell cell = first; cell.first <= w->count;
	     cell = cell_after(cell, w->count)) {
		const struct spectral_level_window window = fit_window(middle_of(cell), w->count);
		const double fallback = before ? w->level[cell.number] : 0;

		for (; end.first < window.end; end = cell_after(end, w->count))
			spectral_level_add(&sums, w, end, 1);
		for (; first.first < window.first; first = cell_after(first, w->count))
			spectral_level_add(&sums, w, first, -1);
		w->level[cell.number] = spectral_level_value_at(&sums, centre_of(cell), fallback);
	}
}

// ---- the mean beside an ordinate
// Fills heights with the cut sums over the fitted level, and converts the level from its logarithm.
static void cut(struct whitening *w)
{
	for (struct spectral_level_cell cell = cell_at(1, 1, w->count); cell.first <= w->count;
	     cell = cell_after(cell, w->count)) {
		const double level = fmax(exp(w->level[cell.number]), LEAST),
			     scale = 1 / (w->mean * level);
		const double floor = LEAST / level;
		double sum = 0;

		for (size_t j = cell.first; j < cell.end; j++) {
			const double power = w->power[j] * scale,
				     counted = power > floor ? power : floor;

			sum += counted < CUT ? counted : CUT;
		}
		w->level[cell.number] = level;
		w->height[cell.number] = sum;
	}
}

// Cells first to before end, with the sum and number of their ordinates. Neither end ever moves
// down.
struct spectral_level_side {
	struct spectral_level_cell first, end;
	double sum, ordinates;
};

static void slide(struct spectral_level_side *side, struct spectral_level_window window,
		  const struct whitening *w)
{
	for (; side->end.first < window.end; side->end = cell_after(side->end, w->count)) {
		side->sum += w->height[side->end.number];
		side->ordinates += (double)(side->end.end - side->end.first);
	}
	for (; side->first.first < window.first; side->first = cell_after(side->first, w->count)) {
		side->sum -= w->height[side->first.number];
		side->ordinates -= (double)(side->first.end - side->first.first);
	}
}

// Makes the level the factor for a power.
static void correct(struct whitening *w)
{
	const double cut_mean = 1 - exp(-CUT);
	const struct spectral_level_cell begin = cell_at(1, 1, w->count);
	struct spectral_level_side lower = {begin, begin, 0, 0}, upper = lower;

	for (struct spectral_level_cell cell = begin; cell.first <= w->count;
	     cell = cell_after(cell, w->count)) {
		double mean;

		slide(&lower, lower_side(middle_of(cell)), w);
		slide(&upper, upper_side(middle_of(cell), w->count), w);
		mean = (lower.sum + upper.sum) / (lower.ordinates + upper.ordinates) / cut_mean;
		w->level[cell.number] = 1 /
					(w->mean * w->level[cell.number] * fmax(mean, MEAN_LEAST));
	}
}

// From the centre of one cell to that of the next the level is a straight line.
static void divide(const struct whitening *w, double *ratio)
{
	struct spectral_level_cell cell = cell_at(1, 1, w->count);

	for (size_t j = 1; j <= w->count;) {
		const struct spectral_level_cell next = cell_after(cell, w->count);
		const bool is_last = next.first > w->count;
		const double here = w->level[cell.number], centre = centre_of(cell);
		const double rise = is_last ? 0
					    : (w->level[next.number] - here) /
						      (centre_of(next) - centre);
		const double end = is_last ? (double)w->count + 1 : centre_of(next);

		for (; (double)j < end; j++)
			ratio[j] = w->power[j] * (here + rise * ((double)j - centre));
		cell = next;
	}
}

void spectral_level_ratio(const double *power, size_t count, double *ratio, double *level,
			  double *logs)
{
	struct whitening w = {
		.power = power, .count = count, .level = level, .kept = ratio, .height = logs};

	for (size_t j = 1; j <= count; j++)
		w.mean += power[j];
	w.mean /= (double)count;
	if (!(w.mean * LEAST > DBL_MIN)) {
		for (size_t j = 1; j <= count; j++)
			ratio[j] = 0;
		return;
	}
	spectral_level_fit(&w, false);
	spectral_level_fit(&w, true);
	spectral_level_fit(&w, true);
	cut(&w);
	correct(&w);
	divide(&w, ratio);
}
