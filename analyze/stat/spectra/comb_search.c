// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/spectral_lines.h"

#include <math.h>

#include "stat/intervals/beta_gamma.h"
#include "stat/spectra/fourier.h"

// ---- correlation of ordinates
// For independent deviations whose variance at time t is e(t) the transforms at frequencies k
// ordinates apart have the covariance sum of e(t) exp(-2 pi i k t / n), so that their powers are
// correlated by |that / sum of e(t)|^2 (Isserlis; Brillinger, Time Series (1981), with the
// cumulants left in). e(t) is estimated from squared differences of neighbours, which are
// insensitive to slow changes of the mean, over 1024 blocks.

#define BLOCKS (2 * ORDINATE_LAGS)
#define NOISE 3.0 // n times the correlation of evenly spread Gaussian differences

static void fill_energies(const double *x, size_t n, double *energies, size_t blocks)
{
	for (size_t b = 0; b < blocks; b++) {
		const size_t begin = b * (n - 1) / blocks, end = (b + 1) * (n - 1) / blocks;

		energies[b] = 0;
		for (size_t i = begin; i < end; i++)
			energies[b] += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
	}
}

static void fill_correlation(struct ordinate_correlation *out, const fftw_complex *pairs, size_t n)
{
	const double all = pairs[0][0] * pairs[0][0];

	out->at[0] = 1;
	out->sum[0] = out->moment[0] = 0;
	for (size_t k = 1; k < out->lags; k++) {
		const double power = pairs[k][0] * pairs[k][0] + pairs[k][1] * pairs[k][1];

		out->at[k] = all > 0 ? fmax(0, power / all - NOISE / (double)n) : 0;
		out->sum[k] = out->sum[k - 1] + out->at[k];
		out->moment[k] = out->moment[k - 1] + (double)k * out->at[k];
	}
	out->far = (out->sum[out->lags - 1] - out->sum[3 * out->lags / 4 - 1]) /
		   (double)(out->lags - 3 * out->lags / 4);
}

enum tr_status ordinate_correlation_make(struct ordinate_correlation *out, const double *x,
					 size_t n, struct tr_error *err)
{
	const size_t blocks = n / 4 < BLOCKS ? n / 8 * 2 : BLOCKS;
	double room[BLOCKS + 2];
	fftw_complex *pairs = (fftw_complex *)(void *)room;

	fill_energies(x, n, room, blocks);
	if (fourier_transform(room, blocks, err) != TR_OK)
		return TR_ERROR;
	out->lags = blocks / 2;
	fill_correlation(out, pairs, n);
	return TR_OK;
}

double ordinate_correlation_at(const struct ordinate_correlation *correlation, double lag)
{
	return lag < (double)correlation->lags - 0.5 ? correlation->at[(size_t)(lag + 0.5)]
						     : correlation->far;
}

double ordinate_inflation(const struct ordinate_correlation *correlation, double width)
{
	const double inside = fmin(floor(width) - 1, (double)correlation->lags - 1);
	double beyond;
	size_t k;

	if (!(inside >= 1))
		return 1;
	k = (size_t)inside;
	beyond = fmax(0, width - 1 - inside);
	return fmin(width, 1 + 2 * (correlation->sum[k] - correlation->moment[k] / width) +
				   correlation->far * beyond * beyond / width);
}

// ---- combs
// A strictly periodic signal has lines one ordinate wide; jitter of the share s per cycle, which
// adds up, widens line h to h^2 2 pi s^2 of the first one's frequency (half-power width of a
// Lorentzian whose phase walks). So windows of 1, 2, 4, ... ordinates up to an eighth of the
// frequency are summed over 1, 2, 4 and 8 harmonics (incoherent harmonic sums: Ransom, Eikenberry
// and Middleditch, Astron. J. 124 (2002) 1788-1809). A sum of W ratios is judged by Fisher's law F
// of 2 W and 2 M degrees of freedom, M the ordinates behind the levels, both reduced if ordinates
// are correlated; the smallest p times the number of sums tried (Bonferroni) is the level of the
// family.

#define COMB_KINDS 4 // 1, 2, 4 and 8 harmonics
#define HARMONICS_MAX 8
#define WIDTHS_MAX 48 // 2, 4, 8, ...
#define STRETCH 1024
#define NARROWEST 8.0	// a tooth is at most its frequency over this wide
#define LOOK_LOG_P -8.0 // combs above are not examined
#define LN_SQRT_2PI 0.91893853320467274178
#define FRINGE 2.5 // a smaller mean ratio may be the crest of a fringe

// First and last ordinate of tooth h >= 1; *first > *last if it is beyond the spectrum.
static void comb_tooth(const struct comb *comb, unsigned h, size_t count, size_t *first,
		       size_t *last)
{
	const double centre = comb->frequency * h, half = comb->width > 1 ? comb->width * h / 2 : 0;

	*first = (size_t)fmax(1, half > 0 ? ceil(centre - half) : floor(centre + 0.5));
	*last = half > 0 ? (size_t)(centre + half) : *first;
	if (*last > count)
		*first = *last + 1;
}

static double comb_search_between(const struct ordinates *ordinates, size_t first, size_t last)
{
	return ordinates->sums[last] - ordinates->sums[first - 1];
}

// ln P(F > ratio) of 2 w and 2 m degrees of freedom.
static double log_tail(double ratio, double w, double m)
{
	const double whole = m + w * ratio;

	return log_incomplete_beta(m, w, m / whole, w * ratio / whole);
}

// The variance inflation for evenly spaced teeth.
static double teeth_inflation(const struct ordinate_correlation *correlation, double spacing,
			      unsigned teeth)
{
	double inflation = 1;

	for (unsigned i = 1; i < teeth; i++)
		inflation += 2 * (1 - (double)i / teeth) *
			     ordinate_correlation_at(correlation, i * spacing);
	return inflation;
}

// Statistics of the teeth taken from a comb.
struct teeth {
	double ratio; // mean over the level
	double w, m;  // pairs of degrees of freedom of the ratio and of the level
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
		sum += comb_search_between(ordinates, first, last);
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

void comb_decide(struct comb *comb, const struct ordinates *ordinates,
		 bool (*take)(unsigned h, unsigned k), unsigned k)
{
	const struct teeth teeth = teeth_of(comb, ordinates, take, k);

	comb->ratio = teeth.ratio;
	comb->log_p = teeth.ratio > 1 ? log_tail(teeth.ratio, teeth.w, teeth.m) : 0;
}

// Mean power of ordinates first to last; 0 if there are none.
static double mean_power(const struct ordinates *ordinates, double first, double last)
{
	const double low = fmax(1, ceil(first)), high = fmin(floor(last), (double)ordinates->count);

	if (low > high)
		return 0;
	return (ordinates->power_sums[(size_t)high] - ordinates->power_sums[(size_t)low - 1]) /
	       (high - low + 1);
}

// How far the teeth exceed the octaves on both sides: the geometric mean of two arithmetic means is
// the level at a tooth for any power of the frequency, and the fringes of bursts, which are sines
// over the frequency, reach 2 above it.
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
		above += mean_power(ordinates, (double)first, (double)last) / level *
			 (double)(last - first + 1);
		width += (double)(last - first + 1);
	}
	return above / width;
}

// The same by the higher of two levels: the local one, which is too low between the zeros that a
// step or a train of fixed length puts into a spectrum, and the one of the octaves. It decides
// whether the teeth are higher than a fringe.
static void judge_above_fringes(struct comb *comb, const struct ordinates *ordinates)
{
	const struct teeth teeth = teeth_of(comb, ordinates, NULL, 0);

	comb->ratio = fmin(teeth.ratio, contrast(comb, ordinates));
	comb->log_p = comb->ratio > FRINGE ? log_tail(comb->ratio / FRINGE, teeth.w, teeth.m) : 0;
}

// ---- the search
// The frequencies tried for one width and number of harmonics: from, from + step, ...
struct comb_search_range {
	double from, step;
	size_t count;
};

static struct comb_search_range range_of(const struct ordinates *ordinates, double w,
					 unsigned harmonics)
{
	const bool narrow = !(w > 1);
	const double step = narrow ? 1.0 / harmonics : w / 2;
	const double from = narrow ? COMB_CYCLES_MIN
				   : fmax(COMB_CYCLES_MIN, w * fmax(NARROWEST, 2 * harmonics));
	const double to = ((double)ordinates->count - 1) / harmonics - w / 2;

	return (struct comb_search_range){from, step,
					  (size_t)fmax(0, floor((to - from) / step) + 1)};
}

// The least sum over ordinates of this width worth examining.
static double least_sum(double width)
{
	return FRINGE * (width + 3 * sqrt(width) + 3);
}

// A lower bound of ln P(F > ratio) with 2 w and any other degrees of freedom, ratio > 1: the first
// term of a gamma law's tail.
static double least_log_tail(double ratio, double w)
{
	return (w - 1) * log(ratio) - w * (ratio - 1) - 0.5 * log(w) - LN_SQRT_2PI - 1 / (12 * w);
}

// Examines a comb whose teeth sum up to sum over ordinates; few can beat the lowest log_p so far.
static void look(struct comb *best, double *lowest, struct comb comb,
		 const struct ordinates *ordinates, double sum, double width)
{
	if (least_log_tail(sum / width / FRINGE, width) > *lowest)
		return;
	comb.seen_log_p = COMB_SEEN_LOG_P;
	judge_above_fringes(&comb, ordinates);
	if (comb.log_p < fmin(best->log_p, LOOK_LOG_P))
		*best = comb;
	*lowest = fmin(*lowest, comb.log_p);
}

// Ordinate of tooth h of narrow comb i, whose frequency is COMB_CYCLES_MIN + i / harmonics.
static size_t narrow_tooth(size_t i, size_t h, size_t harmonics)
{
	return COMB_CYCLES_MIN * h + (h * i + harmonics / 2) / harmonics;
}

// The first narrow comb from i to end - 1 whose tooth h is that high; end if none.
static size_t next_high(const struct ordinates *ordinates, size_t i, size_t end, size_t h,
			size_t harmonics, double high)
{
	const size_t last = narrow_tooth(end - 1, h, harmonics);
	size_t j = narrow_tooth(i, h, harmonics);

	if (ordinates->ratio[j] >= high)
		return i;
	do {
		if (++j > last)
			return end;
	} while (ordinates->ratio[j] < high);
	return (harmonics * (j - COMB_CYCLES_MIN * h) - harmonics / 2 + h - 1) / h;
}

// Combs of teeth one ordinate wide: sums only those with a tooth as high as the mean of a comb
// worth examining. Returns the number of all combs.
static double scan_narrow(const struct ordinates *ordinates, size_t harmonics, struct comb *best,
			  double *lowest)
{
	const struct comb_search_range range = range_of(ordinates, 1, (unsigned)harmonics);
	const double least = least_sum((double)harmonics),
		     high = 0.999999 * least / (double)harmonics;
	size_t next[HARMONICS_MAX] = {0};

	for (size_t i = 0; i < range.count; i++) {
		size_t nearest = range.count;
		double sum = 0;

		for (size_t h = 1; h <= harmonics; h++) {
			if (next[h - 1] <= i)
				next[h - 1] = next_high(ordinates, i, range.count, h, harmonics,
							high);
			nearest = next[h - 1] < nearest ? next[h - 1] : nearest;
		}
		i = nearest;
		for (size_t h = 1; i < range.count && h <= harmonics; h++)
			sum += ordinates->ratio[narrow_tooth(i, h, harmonics)];
		if (sum >= least)
			look(best, lowest,
			     (struct comb){.frequency = range.from + (double)i * range.step,
					   .width = 1,
					   .harmonics = (unsigned)harmonics},
			     ordinates, sum, (double)harmonics);
	}
	return (double)range.count;
}

// Combs of teeth 2 half wide and wider: tooth h of comb g spans h half (g - 1) to h half (g + 1).
// Those of 1, 2, 4, ... harmonics are summed on the way.
struct wide_scan {
	size_t half, next;
	size_t begin[COMB_KINDS], end[COMB_KINDS]; // of g
	double width[COMB_KINDS], least[COMB_KINDS];
	struct comb best[COMB_KINDS];
};

// Returns the number of combs.
static double open_wide(struct wide_scan *scan, const struct ordinates *ordinates, size_t half)
{
	double tried = 0;

	scan->half = half;
	for (size_t k = 0; k < COMB_KINDS; k++) {
		const struct comb_search_range range = range_of(ordinates, 2 * (double)half,
								1u << k);
		const double harmonics = (double)(1u << k);

		scan->begin[k] = (size_t)range.from / half;
		scan->end[k] = scan->begin[k] + range.count;
		scan->width[k] = harmonics * ((double)half * (harmonics + 1) + 1);
		scan->least[k] = least_sum(scan->width[k]);
		scan->best[k] = (struct comb){0};
		tried += (double)range.count;
	}
	scan->next = scan->begin[0];
	return tried;
}

// Moves on to combs of a frequency.
static void scan_wide(struct wide_scan *scan, const struct ordinates *ordinates, size_t frequency,
		      double *lowest)
{
	const double *sums = ordinates->sums;
	const size_t half = scan->half, stop = frequency / half + 1,
		     end = stop < scan->end[0] ? stop : scan->end[0];

	for (size_t g = scan->next; g < end; g++) {
		const size_t first = half * (g - 1), last = half * (g + 1);
		double sum = 0;

		for (size_t k = 0, h = 1; k < COMB_KINDS && g < scan->end[k]; k++) {
			for (; h <= (size_t)1 << k; h++)
				sum += sums[h * last] - sums[h * first - 1];
			if (sum >= scan->least[k] && g >= scan->begin[k])
				look(&scan->best[k], lowest,
				     (struct comb){.frequency = (double)(g * half),
						   .width = 2 * (double)half,
						   .harmonics = 1u << k},
				     ordinates, sum, scan->width[k]);
		}
	}
	scan->next = end > scan->next ? end : scan->next;
}

// Of equal ones keeps the first: the narrowest teeth, the fewest harmonics, the lowest frequency.
static void keep_best(struct comb *best, const struct wide_scan *scan)
{
	for (size_t k = 0; k < COMB_KINDS; k++)
		if (scan->best[k].log_p < best->log_p)
			*best = scan->best[k];
}

struct comb comb_search(const struct ordinates *ordinates, double *p)
{
	struct wide_scan scans[WIDTHS_MAX];
	struct comb best = {0};
	double tried = 0, lowest = LOOK_LOG_P;
	size_t widths = 0;

	for (size_t harmonics = 1; harmonics <= HARMONICS_MAX; harmonics *= 2)
		tried += scan_narrow(ordinates, harmonics, &best, &lowest);
	for (size_t half = 1;
	     2 * (double)half * NARROWEST < (double)ordinates->count && widths < WIDTHS_MAX;
	     half *= 2)
		tried += open_wide(&scans[widths++], ordinates, half);
	// All widths for a stretch of frequencies, which fits the cache.
	for (size_t frequency = 0; frequency < ordinates->count; frequency += STRETCH)
		for (size_t i = 0; i < widths; i++)
			scan_wide(&scans[i], ordinates, frequency + STRETCH - 1, &lowest);
	for (size_t i = 0; i < widths; i++)
		keep_best(&best, &scans[i]);
	*p = best.harmonics > 0 ? fmin(1, tried * exp(best.log_p)) : 1;
	return best;
}
