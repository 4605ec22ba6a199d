// SPDX-License-Identifier: GPL-3.0-or-later
// Qu, A test against spurious long memory, Journal of Business and Economic Statistics 29 (2011)
// 423-438: its quantiles are 1.118, 1.252 and 1.517 at 10, 5 and 1 % for a trimming of .02, 1.022,
// 1.155 and 1.426 for .05. The other quantiles of the tables below come from 100,000 draws of the
// limit's form with 2000 frequencies, raised by the 1 % by which its published ones lie above.
// Known value: see tests/unit/stat_stationarity_test.c.
#include "stat/tests/stationarity.h"

#include <math.h>

#include "stat/hurst/power_law.h"
#include "stat/intervals/verdict.h"
#include "stat/spectra/spectrum.h"

#define BANDWIDTH 0.7
#define MANY 500
#define FREQUENCIES_MIN 30
#define PEAK_FIRST 10

static const double quantiles_02[TABLED_LAW_LEVELS] = {0.730, 0.915, 1.118, 1.252,
						       1.37,  1.517, 1.62,  1.85};
static const double quantiles_05[TABLED_LAW_LEVELS] = {0.659, 0.835, 1.022, 1.155,
						       1.28,  1.426, 1.53,  1.75};

size_t spurious_memory_workspace(size_t n)
{
	return spectrum_workspace(n) + 2 * (n / 2 + 1);
}

// The partial sum of the score that is greatest in size, from frequency first on. Below 0 where the
// lowest frequencies have more power than the law gives them.
static double greatest_score(const double *power, const double *log_frequency, size_t count,
			     size_t first, const struct power_law *law)
{
	const double centre = law->centre;
	double sum = 0, squares = 0, greatest = 0;

	for (size_t j = 0; j < count; j++) {
		const double weight = log_frequency[j] - centre;

		sum += weight * (power[j] / (law->level * exp(-2 * law->d * log_frequency[j])) - 1);
		squares += weight * weight;
		if (j + 1 >= first)
			greatest = fabs(sum) > fabs(greatest) ? sum : greatest;
	}
	return greatest / sqrt(squares);
}

// The highest peak over the fitted power; the ratio is exponential if there is no period.
static void spurious_memory_find_period(const double *power, const double *log_frequency,
					size_t count, const struct power_law *law,
					struct spurious_memory *out)
{
	double highest = 0;

	for (size_t j = PEAK_FIRST; j < count; j++) {
		const double ratio = power[j] / (law->level * exp(-2 * law->d * log_frequency[j]));

		if (ratio <= highest)
			continue;
		highest = ratio;
		out->period = 2 * M_PI / exp(log_frequency[j]);
	}
	out->p_period = -expm1((double)(count - PEAK_FIRST) * log1p(-exp(-highest)));
}

static size_t choose_count(size_t n, double period_min)
{
	const double most = period_min > 0 ? (double)n / period_min : (double)n;

	return (size_t)fmax(FREQUENCIES_MIN, floor(fmin(pow((double)n, BANDWIDTH), most)));
}

enum tr_status spurious_memory_test(const double *x, size_t n, double period_min, double *workspace,
				    struct spurious_memory *out, struct tr_error *err)
{
	double *log_frequency = workspace + spectrum_workspace(n),
	       *room = log_frequency + n / 2 + 1;
	const double *quantiles = n < MANY ? quantiles_05 : quantiles_02;
	struct spectrum spectrum;
	struct power_law law;
	double score;
	size_t count;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	count = choose_count(n, period_min);
	law = power_law_fit_band(&spectrum, (struct band){1, count}, log_frequency, room);
	out->frequencies = count;
	out->trimming = n < MANY ? 0.05 : 0.02;
	out->h = law.d + 0.5;
	score = greatest_score(spectrum.power + 1, log_frequency, count,
			       (size_t)ceil(out->trimming * (double)count), &law);
	out->statistic = fabs(score);
	out->excess = score < 0;
	out->threshold = quantiles[3];
	out->p = tabled_law_p(quantiles, out->statistic);
	spurious_memory_find_period(spectrum.power + 1, log_frequency, count, &law, out);
	return TR_OK;
}
