// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of fractional noise to counts by Whittle's likelihood (Beran 1992): noise_counts.h.
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/noise_counts/noise_counts.h"
#include "gen/size_bins.h"
#include "stat/hurst/estimation.h"
#include "stat/hurst/estimators.h"
#include "stat/intervals/interval.h"

#define PACKETS_LEAST 8.0 // per bin, on average
#define BINS_LEAST 256.0
#define BINS_MOST 0x1p20
#define SUITS 0.05
#define DIGITS 6

struct noise_fit_series {
	double *counts;
	size_t bins;
	double mean, variance;
};

static double first_bin(const struct arrival_times *times, double bin_ticks)
{
	return ceil((double)times->begin_ticks / bin_ticks);
}

static size_t whole_bins(const struct arrival_times *times, double bin_ticks)
{
	return (size_t)fmax(
		floor((double)times->end_ticks / bin_ticks) - first_bin(times, bin_ticks), 0);
}

static void noise_fit_count_bins(const struct arrival_times *times, double bin_ticks,
				 struct noise_fit_series *series)
{
	const double first = first_bin(times, bin_ticks);
	double sum = 0, squares = 0;

	for (size_t i = 0; i < series->bins; i++)
		series->counts[i] = 0;
	for (size_t i = 0; i < times->count; i++) {
		const double bin = floor((double)times->ticks[i] / bin_ticks) - first;

		if (bin >= 0 && bin < (double)series->bins)
			series->counts[(size_t)bin]++;
	}
	for (size_t i = 0; i < series->bins; i++)
		sum += series->counts[i];
	series->mean = sum / (double)series->bins;
	for (size_t i = 0; i < series->bins; i++)
		squares += pow(series->counts[i] - series->mean, 2);
	series->variance = squares / (double)(series->bins - 1);
}

// Fits one bin width. TR_END: no noise is visible at it. TR_ERROR if out of memory.
static enum tr_status fit_width(const struct arrival_times *times, double bin_ticks,
				double ticks_per_s, double level, struct noise_fit_series *series,
				struct noise_model *out, struct noise_fitted *found,
				struct tr_error *err)
{
	const struct estimate_options options = {.level = level};
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2), n = (double)series->bins;
	struct estimate estimate;
	struct tr_error why;

	noise_fit_count_bins(times, bin_ticks, series);
	if (series->bins < whittle_fgn.n_min || !(series->variance > 0))
		return TR_END;
	if (estimation_make(&whittle_fgn, series->counts, series->bins, &options, &estimate,
			    &why) != TR_OK)
		return why.breakdown ? tr_fail_for(err, &why, "%s", why.text) : TR_END;
	if (isnan(estimate.h))
		return TR_END;
	const double hurst = fmin(fmax(estimate.h, NOISE_FIT_HURST_LEAST), NOISE_FIT_HURST_MOST),
		     shrunk = pow(n, 2 * hurst - 2);
	const double variance = series->variance / (1 - shrunk), off = z * sqrt(variance * shrunk);

	out->bin_s = bin_ticks / ticks_per_s;
	out->packets = model_settle(MODEL_REAL, series->mean, DIGITS);
	out->dispersion = model_settle(MODEL_REAL, variance / series->mean, DIGITS);
	out->hurst = model_settle(MODEL_REAL, hurst, DIGITS);
	out->law = FRACTIONAL_GAUSSIAN;
	*found = (struct noise_fitted){
		{series->mean - off, series->mean + off}, {estimate.lo, estimate.hi}, estimate.fit};
	return TR_OK;
}

// 1, 2, 5, 10, ... times a power of ten.
static double next_width(double width_s)
{
	const double decade = pow(10, floor(log10(width_s) + 1e-9));
	const double digit = round(width_s / decade);

	return digit < 2 ? 2 * decade : digit < 5 ? 5 * decade : 10 * decade;
}

static double first_width(double least_s)
{
	double width_s = pow(10, floor(log10(least_s)));

	while (width_s < least_s * (1 - 1e-9))
		width_s = next_width(width_s);
	return width_s;
}

enum tr_status noise_fit(struct noise_model *out, const struct arrival_times *times,
			 double ticks_per_s, double level, struct noise_fitted *found,
			 struct tr_error *err)
{
	const double length_s = (double)(times->end_ticks - times->begin_ticks) / ticks_per_s;
	const double least_s = fmax(
		fmax(PACKETS_LEAST * length_s / (double)times->count, length_s / BINS_MOST),
		(double)times->bin_ticks / ticks_per_s);
	const size_t most = (size_t)fmax(length_s / least_s, 0);
	struct noise_fitted best = {.suits = -1}, here;
	struct noise_model trial = *out;
	enum tr_status status = TR_OK;
	struct noise_fit_series series;

	if (!((double)most >= BINS_LEAST))
		return tr_fail(err, "%zu packets are too few for noise: %.0f are needed",
			       times->count, PACKETS_LEAST * BINS_LEAST);
	series.counts = calloc(most, sizeof(*series.counts));
	if (!series.counts)
		return tr_no_memory(err, "%zu bins", most);
	for (double width_s = first_width(least_s);
	     status != TR_ERROR && best.suits < SUITS && length_s / width_s >= BINS_LEAST;
	     width_s = next_width(width_s)) {
		series.bins = whole_bins(times, width_s * ticks_per_s);
		status = fit_width(times, width_s * ticks_per_s, ticks_per_s, level, &series,
				   &trial, &here, err);
		if (status != TR_OK || !(here.suits > best.suits))
			continue;
		best = here;
		*out = trial;
	}
	free(series.counts);
	*found = best;
	if (status == TR_ERROR)
		return TR_ERROR;
	return best.suits >= 0 ? TR_OK : tr_fail(err, "no bin width gives counts like noise");
}

// ---- Fractional noise as a family: the counts of the whole network
// (gen/families/noise_counts/noise_counts.h), whatever the grouping.

static void noise_fit_put(struct model *text, const struct noise_model *noise,
			  const struct noise_fitted *found, double level)
{
	const struct interval packets = interval_above(
		(struct interval){found->packets[0], found->packets[1]}, 0);
	char of_packets[MODEL_INTERVAL_BYTES], of_hurst[MODEL_INTERVAL_BYTES];

	noise_model_put(
		text, noise, model_interval(MODEL_REAL, packets.lo, packets.hi, level, of_packets),
		model_interval(MODEL_REAL, found->hurst[0], found->hurst[1], level, of_hurst));
}

static enum tr_status noise_fit_family_fit(const struct family *family,
					   const struct packet_sample *sample,
					   const struct fit_options *options, struct model *text,
					   struct fit_notes *notes, struct tr_error *err)
{
	const struct arrival_times times = {sample->ticks, sample->count, sample->begin_ticks,
					    sample->end_ticks, sample->bin_ticks};
	struct noise_model noise = {.nodes = sample->people.senders,
				    .duration_s = packet_sample_seconds(sample)};
	struct noise_fitted found;
	enum tr_status status;

	(void)family;
	status = noise_fit(&noise, &times, sample->ticks_per_s, options->pulse.level, &found, err);
	if (status == TR_OK)
		status = packet_sizes(sample, NULL, sample->count, &noise.bins, &noise.bin_count,
				      &noise.header_B, err);
	if (status == TR_OK) {
		noise_fit_put(text, &noise, &found, options->pulse.level);
		notes->freedom = 3;
		if (noise.hurst <= NOISE_FIT_HURST_LEAST || noise.hurst >= NOISE_FIT_HURST_MOST)
			(void)snprintf(notes->bound, sizeof(notes->bound),
				       "hurst is at its bound, %g", noise.hurst);
		(void)snprintf(notes->method, sizeof(notes->method),
			       "H by Whittle's likelihood of the counts, the rest by moments; "
			       "p-value of the noise %.2g",
			       found.suits);
	}
	noise_model_clear(&noise);
	return status;
}

const struct family_fit noise_family_fit = {
	.by = FIT_BY_ANY,
	.always = "network",
	.fit = noise_fit_family_fit,
};
