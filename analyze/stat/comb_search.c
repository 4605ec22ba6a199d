// SPDX-License-Identifier: GPL-3.0-or-later
// A strictly periodic signal has lines one ordinate wide; jitter of the share s per cycle, which adds up, widens line h to
// h^2 2 pi s^2 of the first one's frequency (half-power width of a Lorentzian whose phase walks). So windows of 1, 2, 4, ...
// ordinates up to an eighth of the frequency are summed over 1, 2, 4 and 8 harmonics (incoherent harmonic sums: Ransom,
// Eikenberry and Middleditch, Astron. J. 124 (2002) 1788-1809, section 3). A sum of W ratios is judged by Fisher's law F of
// 2 W and 2 M degrees of freedom, M the ordinates behind the levels, both reduced where ordinates are correlated; the least
// p times the number of sums tried (Bonferroni) is the level of the family.
#include "stat/comb_search.h"

#include <math.h>

#include "stat/beta.h"
#include "stat/spectral_level.h"

#define HARMONICS_MAX 8
#define NARROWEST 8.0   // a tooth is at most this part of its frequency wide
#define LOOK_LOG_P -8.0 // no comb above is looked at
#define FRINGE 2.5      // a mean ratio below may be the crest of a fringe

void comb_tooth(const struct comb *comb, unsigned h, size_t count, size_t *first, size_t *last)
{
	const double centre = comb->frequency * h, half = comb->width > 1 ? comb->width * h / 2 : 0;

	*first = (size_t)fmax(1, half > 0 ? ceil(centre - half) : floor(centre + 0.5));
	*last = half > 0 ? (size_t)(centre + half) : *first;
	if (*last > count)
		*first = *last + 1;
}

static double between(const struct ordinates *ordinates, size_t first, size_t last)
{
	return ordinates->sums[last] - ordinates->sums[first - 1];
}

// ln P(F > ratio) of 2 w and 2 m degrees of freedom.
static double log_tail(double ratio, double w, double m)
{
	const double whole = m + w * ratio;

	return log_incomplete_beta(m, w, m / whole, w * ratio / whole);
}

// Of as many teeth spaced evenly.
static double teeth_inflation(const struct ordinate_correlation *correlation, double spacing, unsigned teeth)
{
	double inflation = 1;

	for (unsigned i = 1; i < teeth; i++)
		inflation += 2 * (1 - (double)i / teeth) * ordinate_correlation_at(correlation, i * spacing);
	return inflation;
}

// What is known of the teeth of a comb that are taken.
struct teeth {
	double ratio;  // mean over the level
	double w, m;   // pairs of degrees of freedom of the ratio and of the level
	unsigned count;
};

static struct teeth teeth_of(const struct comb *comb, const struct ordinates *ordinates,
			     bool (*take)(unsigned h, unsigned k), unsigned k)
{
	const struct ordinate_correlation *correlation = ordinates->correlation;
	double sum = 0, width = 0, noise = 0, inflation = 0;
	struct teeth teeth = {0};

	for (unsigned h = 1; h <= comb->harmonics; h++) {
		size_t first, last;
		double w, support;

		comb_tooth(comb, h, ordinates->count, &first, &last);
		if (first > last || (take && !take(h, k)))
			continue;
		w = (double)(last - first + 1);
		support = spectral_level_support((first + last) / 2, ordinates->count);
		sum += between(ordinates, first, last);
		width += w;
		noise += w * w * ordinate_inflation(correlation, support) / support;
		inflation += w * ordinate_inflation(correlation, w);
		teeth.count++;
	}
	if (teeth.count == 0)
		return teeth;
	inflation *= teeth_inflation(correlation, comb->frequency, teeth.count) / width;
	teeth.ratio = sum / width;
	teeth.w = fmax(width / inflation, 1);
	teeth.m = width * width / noise;
	return teeth;
}

void comb_judge(struct comb *comb, const struct ordinates *ordinates, bool (*take)(unsigned h, unsigned k), unsigned k)
{
	const struct teeth teeth = teeth_of(comb, ordinates, take, k);

	comb->ratio = teeth.ratio;
	comb->log_p = teeth.ratio > 1 ? log_tail(teeth.ratio, teeth.w, teeth.m) : 0;
}

// Mean power of ordinates first to last; 0 where there are none.
static double mean_power(const struct ordinates *ordinates, double first, double last)
{
	const double low = fmax(1, ceil(first)), high = fmin(floor(last), (double)ordinates->count);

	if (low > high)
		return 0;
	return (ordinates->power_sums[(size_t)high] - ordinates->power_sums[(size_t)low - 1]) / (high - low + 1);
}

// How far the teeth stand above the octaves on both sides: the geometric mean of two arithmetic means is the level at a
// tooth for any power of the frequency, and the fringes of bursts, which are sines over the frequency, reach 2 above it.
static double contrast(const struct comb *comb, const struct ordinates *ordinates)
{
	double above = 0, width = 0;

	for (unsigned h = 1; h <= comb->harmonics; h++) {
		const double centre = comb->frequency * h;
		size_t first, last;
		double lower, upper, level;

		comb_tooth(comb, h, ordinates->count, &first, &last);
		lower = mean_power(ordinates, centre / 2, (double)first - 1);
		upper = mean_power(ordinates, (double)last + 1, centre * 2);
		level = upper > 0 ? sqrt(lower * upper) : lower;
		if (!(level > 0))
			return INFINITY;
		above += mean_power(ordinates, (double)first, (double)last) / level * (double)(last - first + 1);
		width += (double)(last - first + 1);
	}
	return above / width;
}

// The same by the higher of two levels: the local one, which is too low between the zeros that a step or a train of fixed
// length puts into a spectrum, and the one of the octaves. What is in question is whether the teeth are higher than a
// fringe.
static void judge_above_fringes(struct comb *comb, const struct ordinates *ordinates)
{
	const struct teeth teeth = teeth_of(comb, ordinates, NULL, 0);

	comb->ratio = fmin(teeth.ratio, contrast(comb, ordinates));
	comb->log_p = comb->ratio > FRINGE ? log_tail(comb->ratio / FRINGE, teeth.w, teeth.m) : 0;
}

// Sum over the teeth, and their width.
static double comb_sum(const struct comb *comb, const struct ordinates *ordinates, double *width)
{
	double sum = 0;

	*width = comb->width > 1 ? 0 : comb->harmonics;
	for (unsigned h = 1; h <= *width; h++) // the bulk of the time
		sum += ordinates->ratio[(size_t)(comb->frequency * h + 0.5)];
	for (unsigned h = 1; comb->width > 1 && h <= comb->harmonics; h++) {
		size_t first, last;

		comb_tooth(comb, h, ordinates->count, &first, &last);
		sum += between(ordinates, first, last);
		*width += (double)(last - first + 1);
	}
	return sum;
}

// Combs of one width and number of harmonics, over all frequencies. Returns how many there are.
static double scan(const struct ordinates *ordinates, double w, unsigned harmonics, struct comb *best)
{
	const bool narrow = !(w > 1);
	const double step = narrow ? 1.0 / harmonics : w / 2;
	const double from = narrow ? COMB_CYCLES_MIN : fmax(COMB_CYCLES_MIN, w * fmax(NARROWEST, 2 * harmonics));
	const double to = ((double)ordinates->count - 1) / harmonics - w / 2;
	const double steps = floor((to - from) / step) + 1;

	for (double i = 0; i < steps; i++) {
		struct comb comb = {.frequency = from + i * step, .width = w, .harmonics = harmonics,
				    .seen_log_p = COMB_SEEN_LOG_P};
		double width;
		const double sum = comb_sum(&comb, ordinates, &width);

		if (sum < FRINGE * (width + 3 * sqrt(width) + 3))
			continue;
		judge_above_fringes(&comb, ordinates);
		if (comb.log_p < fmin(best->log_p, LOOK_LOG_P))
			*best = comb;
	}
	return fmax(steps, 0);
}

struct comb comb_search(const struct ordinates *ordinates, double *p)
{
	struct comb best = {0};
	double tried = 0;

	for (double w = 1; w * NARROWEST < (double)ordinates->count; w *= 2)
		for (unsigned harmonics = 1; harmonics <= HARMONICS_MAX; harmonics *= 2)
			tried += scan(ordinates, w, harmonics, &best);
	*p = best.harmonics > 0 ? fmin(1, tried * exp(best.log_p)) : 1;
	return best;
}
