// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/periods.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>

#include "stat/intervals/ranks.h"
#include "stat/intervals/verdict.h"
#include "stat/spectra/spectral_lines.h"

// ---- Fisher's g
// R. A. Fisher, Tests of significance in harmonic analysis, Proc. R. Soc. A 125 (1929) 54-59:
// P(g > x) = sum over k >= 1, k x < 1, of (-1)^(k-1) C(q, k) (1 - k x)^(q-1).
// Known values: the 5 % points .68377 of q = 5, .44495 of 10 and .13135 of 50 of his table.

// Beyond this many expected exceedances one is certain to 1e-8, and the alternating sum loses its
// digits.
#define CERTAIN 20.0L

double fisher_g_p(double g, size_t q)
{
	const long double share = g, points = (long double)q;
	long double log_ways = 0, sum = 0;

	if (!(g > 0) || points * expl((points - 1) * log1pl(-fminl(share, 1))) > CERTAIN)
		return 1;
	for (size_t k = 1; k <= q && (long double)k * share < 1; k++) {
		long double term;

		log_ways += logl((points - (long double)k + 1) / (long double)k);
		term = expl(log_ways + (points - 1) * log1pl(-(long double)k * share));
		sum += k % 2 ? term : -term;
		if (term < 1e-12L * sum && (long double)k > CERTAIN)
			break;
	}
	return (double)fminl(fmaxl(sum, 0), 1);
}

struct fisher_g fisher_g_test(double *ordinates, size_t q, double level, size_t lines_max)
{
	struct fisher_g test = {.g = NAN, .p = NAN};
	double sum = 0;

	for (size_t i = 0; i < q; i++)
		sum += ordinates[i];
	for (size_t left = q; left > 1 && sum > 0; left--) {
		size_t largest = 0;
		double p;

		for (size_t i = 1; i < q; i++)
			if (ordinates[i] > ordinates[largest])
				largest = i;
		p = fisher_g_p(ordinates[largest] / sum, left);
		if (left == q) {
			test.g = ordinates[largest] / sum;
			test.p = p;
			test.largest = largest;
		}
		if (!(p <= level) || test.lines == lines_max)
			break;
		test.lines++;
		sum -= ordinates[largest];
		ordinates[largest] = 0;
	}
	return test;
}

// ---- the search
// Two tests at half the level each: Fisher's g over the spectrum divided by its smooth level, and
// the search for combs. Each find is removed from the ratios, and the search is repeated until
// nothing is significant.

#define LEVELS 512 // samples of the smooth spectrum
#define LOW_RATIO 4
#define WEAK_LOG_P -1.6 // ln .2: a tooth of a comb without teeth that are significant alone
#define RATIO_MAX 1e6
#define SMALL 0.004 // five terms of a series are exact to 1e-12
#define SLOW 4096

struct periods_search {
	struct ordinates ordinates;
	double *ratio, *sums, *power_sums;
	const struct spectrum *spectrum;
	double confidence;
};

size_t periods_workspace(size_t n)
{
	return 3 * (n / 2 + 1);
}

size_t periods_series_workspace(size_t n)
{
	return spectrum_workspace(n) + periods_workspace(n);
}

// Power over the mean of the neighbouring ordinates, and their number.
static double near_ratio(const struct spectrum *spectrum, size_t j, double *support)
{
	double sum = 0;

	*support = 0;
	for (size_t d = PERIODS_NEAR_FIRST; d <= PERIODS_NEAR_LAST; d++) {
		if (j > d) {
			sum += spectrum->power[j - d];
			++*support;
		}
		if (j + d <= spectrum->count) {
			sum += spectrum->power[j + d];
			++*support;
		}
	}
	return sum > 0 ? spectrum->power[j] / sum * *support : RATIO_MAX;
}

// Exponential if ratio has Fisher's law F of 2 and 2 m degrees of freedom. Avoids slow logarithms.
static double as_exponential(double ratio, double m)
{
	const double t = ratio / m;

	return t < SMALL ? ratio * (1 - t * (1.0 / 2 - t * (1.0 / 3 - t * (1.0 / 4 - t / 5))))
			 : m * log1p(t);
}

// Fills ordinates with variables that are exponential if the spectrum is smooth over their
// neighbours; returns their number. A wider level would not do for a line: the ordinates of a step
// alternate with 0. The small ones, of which only the sum counts, are computed roughly to save
// time, as their support changes slowly.
static size_t fill_exponential(const struct periods_search *search, double *ordinates)
{
	const size_t count = search->spectrum->count;
	size_t q = 0;

	for (size_t begin = COMB_CYCLES_MIN, end; begin <= count; begin = end) {
		const double usual = spectral_level_support(begin, count);

		end = begin + 1 + begin / SLOW;
		for (size_t j = begin; j < end && j <= count; j++) {
			double support = usual, ratio = search->ratio[j];

			if (ratio > LOW_RATIO)
				ratio = near_ratio(search->spectrum, j, &support);
			ordinates[q++] = as_exponential(ratio, support);
		}
	}
	return q;
}

// Samples the smooth spectrum evenly for its median, and along the logarithm of the frequency for
// its highest.
static void sample_level(const struct periods_search *search, double all, struct periods *out)
{
	const size_t count = search->spectrum->count;
	double levels[LEVELS];
	size_t taken = 0;

	for (size_t i = 0; i < LEVELS; i++) {
		const double part = ((double)i + 0.5) / LEVELS;
		const size_t even = COMB_CYCLES_MIN +
				    (size_t)(part * (double)(count - COMB_CYCLES_MIN));
		const size_t low = (size_t)(COMB_CYCLES_MIN *
					    pow((double)count / COMB_CYCLES_MIN, part));

		if (search->ratio[even] > 0)
			levels[taken++] = search->spectrum->power[even] / search->ratio[even] / all;
		if (search->ratio[low] > 0)
			out->most_level = fmax(out->most_level, search->spectrum->power[low] /
									search->ratio[low] / all);
	}
	rising_sort(levels, taken);
	out->usual_level = taken > 0 ? levels[taken / 2] : 0;
	out->most_level = fmax(out->most_level, taken > 0 ? levels[taken - 1] : 0);
}

static void periods_add_up(struct periods_search *search)
{
	search->sums[0] = 0;
	for (size_t j = 1; j <= search->spectrum->count; j++)
		search->sums[j] = search->sums[j - 1] + search->ratio[j];
}

// Hides a tooth that is not seen alone, which the next search could find beside others.
static void hide(struct periods_search *search, const struct comb *comb, unsigned h)
{
	const double half = fmax(1, fmin(comb->width * h, comb->frequency) / 2);
	const double centre = comb_teeth_place(comb, h, &search->ordinates);
	const size_t last = (size_t)fmin(centre + half, (double)search->spectrum->count);

	for (size_t j = (size_t)fmax(1, ceil(centre - half)); j <= last; j++)
		search->ratio[j] = fmin(search->ratio[j], 1);
}

// Adds the power of the lines above the level, and takes them out of the ratios.
static double periods_take_out(struct periods_search *search, const struct comb *comb)
{
	const unsigned teeth = comb_teeth_count(comb, &search->ordinates);
	double power = 0;

	for (unsigned h = 1; h <= teeth; h++) {
		size_t first, last;
		double above = 0;

		if (!comb_teeth_extent(comb, h, &search->ordinates, &first, &last)) {
			hide(search, comb, h);
			continue;
		}
		for (size_t j = first; j <= last; j++) {
			above += search->ratio[j] > 0
					 ? search->spectrum->power[j] * (1 - 1 / search->ratio[j])
					 : 0;
			search->ratio[j] = fmin(search->ratio[j], 1);
		}
		power += fmax(above, 0);
	}
	return power;
}

// False if no line of it is seen, so that it cannot be removed.
static bool add_period(struct periods_search *search, struct comb comb, double p, double all,
		       struct periods *out)
{
	const double n = (double)search->spectrum->n;
	struct period *period = &out->found[out->count];
	struct comb_shape shape = comb_teeth_refine(&comb, &search->ordinates);
	double error;

	if (shape.harmonics == 0) {
		comb.seen_log_p = WEAK_LOG_P;
		(void)comb_teeth_refine(&comb, &search->ordinates);
	}
	comb_teeth_settle(&comb, &search->ordinates);
	shape = comb_teeth_refine(&comb, &search->ordinates);
	if (shape.harmonics == 0)
		return false;
	error = gsl_cdf_tdist_Pinv(0.5 + 0.5 * search->confidence, shape.freedom) * shape.se;
	*period = (struct period){
		.points = n / comb.frequency,
		.lo = n / (comb.frequency + error),
		.hi = error < comb.frequency ? n / (comb.frequency - error) : INFINITY,
		.jitter = sqrt(shape.half_width / (M_PI * comb.frequency)),
		.p = p,
		.harmonics = shape.harmonics,
		.comb = comb,
	};
	period->share = periods_take_out(search, &comb) / all;
	out->share += period->share;
	out->count++;
	return true;
}

// The largest share first.
static void order(struct periods *out)
{
	for (size_t i = 1; i < out->count; i++)
		for (size_t k = i; k > 0 && out->found[k].share > out->found[k - 1].share; k--) {
			const struct period lesser = out->found[k - 1];

			out->found[k - 1] = out->found[k];
			out->found[k] = lesser;
		}
}

enum tr_status periods_find(const double *x, const struct spectrum *spectrum, double confidence,
			    double *workspace, struct periods *out, struct tr_error *err)
{
	struct ordinate_correlation correlation;
	struct periods_search search = {.ratio = workspace,
					.sums = workspace + spectrum->n / 2 + 1,
					.power_sums = workspace + 2 * (spectrum->n / 2 + 1),
					.spectrum = spectrum,
					.confidence = confidence};
	double all;
	size_t q;

	*out = (struct periods){.n = spectrum->n};
	if (ordinate_correlation_make(&correlation, x, spectrum->n, err) != TR_OK)
		return TR_ERROR;
	search.ordinates = (struct ordinates){search.ratio,    search.sums,  search.power_sums,
					      spectrum->count, &correlation, spectrum->n};
	spectral_level_ratio(spectrum->power, spectrum->count, search.ratio, search.sums,
			     search.power_sums);
	q = fill_exponential(&search, search.sums);
	out->g = fisher_g_test(search.sums, q, VERDICT_LEVEL / 2, PERIODS_MAX);
	search.power_sums[0] = 0;
	for (size_t j = 1; j <= spectrum->count; j++) {
		search.power_sums[j] = search.power_sums[j - 1] + spectrum->power[j];
		search.ratio[j] = fmin(search.ratio[j], RATIO_MAX);
	}
	all = search.power_sums[spectrum->count];
	out->ordinates = q;
	sample_level(&search, all, out);
	for (bool first = true; out->count < PERIODS_MAX; first = false) {
		struct comb best;
		double p;

		periods_add_up(&search);
		best = comb_search(&search.ordinates, &p);
		if (first)
			out->search_p = fmax(p, DBL_MIN); // 0: not searched
		if (p > VERDICT_LEVEL / 2 && first && out->g.p <= VERDICT_LEVEL / 2) {
			best = (struct comb){
				.frequency = (double)(out->g.largest + COMB_CYCLES_MIN),
				.width = 1,
				.harmonics = 1,
				.seen_log_p = COMB_SEEN_LOG_P};
			p = out->g.p;
		}
		if (p > VERDICT_LEVEL / 2 || !add_period(&search, best, p, all, out))
			break;
	}
	order(out);
	return TR_OK;
}

enum tr_status periods_find_in_series(const double *x, size_t n, double confidence,
				      double *workspace, struct periods *out, struct tr_error *err)
{
	struct spectrum spectrum;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	return periods_find(x, &spectrum, confidence, workspace + spectrum_workspace(n), out, err);
}

// ---- the power of the test
// A sine whose frequency lies d ordinates beside an ordinate raises it by sinc^2(d) of its power,
// and twice the ordinate over its level is chi-squared with 2 degrees of freedom and twice that as
// noncentrality (N. L. Johnson, S. Kotz and N. Balakrishnan, Continuous Univariate Distributions 2
// (1995), chapter 29): a sum over a Poisson number of central ones. The test divides by the mean of
// NEAR ordinates, which is gamma and which the sine's own leakage raises. Both ordinates next to
// the frequency may be found; all is averaged over d and that mean. Known value: without a sine one
// ordinate has the level of the test over their number.

#define OFFSETS 8 // d, evenly from 0 to a half
#define MEANS 16  // quantiles of the mean, by Wilson and Hilferty
#define NEAR (2.0 * (PERIODS_NEAR_LAST - PERIODS_NEAR_FIRST + 1))
#define TERMS_MAX 100000
#define STEPS 40

// P(X > 2 y), X noncentral chi-squared with 2 degrees of freedom and noncentrality 2 line.
static double noncentral_tail(double line, double y)
{
	double weight = exp(-line), weights = weight, term = exp(-y), tail = term,
	       sum = weight * tail;

	for (int k = 1; k < TERMS_MAX && (k <= line || weights < 1 - 1e-9); k++) {
		weight *= line / k;
		weights += weight;
		term *= y / k;
		tail += term;
		sum += weight * tail;
	}
	return sum + fmax(0, 1 - weights);
}

static double squared_sinc(double d)
{
	const double angle = M_PI * d;

	return d == 0 ? 1 : sin(angle) * sin(angle) / (angle * angle);
}

// The share of a sine's power that leaks into the ordinates for the level of the one d beside it.
static double leakage(double d)
{
	double sum = 0;

	for (int k = PERIODS_NEAR_FIRST; k <= PERIODS_NEAR_LAST; k++)
		sum += squared_sinc(k - d) + squared_sinc(k + d);
	return sum;
}

// The ordinate of mean 1 at which g of q has the level of the test.
static double critical(size_t q)
{
	double low = 0, high = 1;

	for (int step = 0; step < STEPS; step++) {
		const double g = (low + high) / 2;

		*(fisher_g_p(g, q) > VERDICT_LEVEL / 2 ? &low : &high) = g;
	}
	return high < 1 ? high / (1 - high) * ((double)q - 1) : INFINITY;
}

// Probability that a sine is found by Fisher's g: of any frequency between two ordinates, and of so
// high a power that at the frequency of an ordinate it raises that one by line >= 0 times the level
// beside it. ratio: the critical one to the mean of NEAR ordinates.
static double power_at(double line, double ratio)
{
	double sum = 0;

	for (int i = 0; i < OFFSETS; i++) {
		const double d = 0.5 * (i + 0.5) / OFFSETS;
		const double near = line * squared_sinc(d), far = line * squared_sinc(1 - d),
			     leaks = line * leakage(d) / NEAR;

		for (int m = 0; m < MEANS; m++) {
			const double z = gsl_cdf_ugaussian_Pinv((m + 0.5) / MEANS);
			const double level = pow(1 - 1 / (9 * NEAR) + z / (3 * sqrt(NEAR)), 3) +
					     leaks;

			sum += 1 - (1 - noncentral_tail(near, ratio * level)) *
					   (1 - noncentral_tail(far, ratio * level));
		}
	}
	return sum / (OFFSETS * MEANS);
}

static double critical_ratio(size_t q)
{
	return NEAR * expm1(critical(q) / NEAR);
}

struct period_least period_least(const struct periods *periods)
{
	const double ratio = critical_ratio(periods->ordinates);
	double low = 0, high = 1;

	while (high < 1e6 && power_at(high, ratio) < PERIOD_POWER)
		high *= 2;
	for (int step = 0; step < STEPS / 2; step++) {
		const double line = (low + high) / 2;

		*(power_at(line, ratio) < PERIOD_POWER ? &low : &high) = line;
	}
	return (struct period_least){
		.usual = high * periods->usual_level / (1 + high * periods->usual_level),
		.most = high * periods->most_level / (1 + high * periods->most_level)};
}

void period_say_none(char *text, size_t bytes, const struct periods *periods)
{
	const struct period_least least = period_least(periods);
	char strongest[64] = "";

	if (least.most > 2 * least.usual)
		(void)snprintf(strongest, sizeof(strongest),
			       " (%.2g %% at its strongest frequency)", 100 * least.most);
	(void)snprintf(text, bytes,
		       "no period with %d or more cycles found; a sine of %.2g %% of the variance "
		       "would be found in %.0f of 10 series%s",
		       COMB_CYCLES_MIN, 100 * least.usual, 10 * PERIOD_POWER, strongest);
}
