// SPDX-License-Identifier: GPL-3.0-or-later
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#include "gen/clipped_normal.h"
#include "gen/part_fit.h"
#include "gen/size_gather.h"
#include "gen/sizes.h"

#define NEAR 0.02	   // distance of distributions that is no matter
#define SIGNIFICANT 1.9495 // sqrt(n) times the distance, 1 in 1000 under the fitted distribution

static void sample_moments(const struct part_fit *fit, const struct tally_value *sizes, size_t count)
{
	double n = (double)fit->tally->sizes.count, mean = 0, second = 0, fourth = 0;
	double z = gsl_cdf_ugaussian_Pinv(0.5 + fit->options->level / 2);

	for (size_t i = 0; i < count; i++)
		mean += sizes[i].count * sizes[i].value / n;
	for (size_t i = 0; i < count; i++) {
		double square = (sizes[i].value - mean) * (sizes[i].value - mean);

		second += sizes[i].count * square;
		fourth += sizes[i].count * square * square;
	}
	double variance = n > 1 ? second / (n - 1) : 0;
	double mean_half = z * sqrt(variance / n);
	double variance_half = z * sqrt(fmax(fourth / n - variance * variance, 0) / n);

	fit->part->size_mean_B = mean;
	fit->part->size_variance_B2 = variance;
	fit->part->size_floor_B = count ? (double)sizes[0].low : 0;
	if (n > 1) {
		part_fit_say(fit, PULSE_SIZE_MEAN, mean - mean_half, mean + mean_half);
		part_fit_say(fit, PULSE_SIZE_VARIANCE, fmax(variance - variance_half, 0), variance + variance_half);
	}
}

static void take_normal(const struct part_fit *fit, const struct size_fit *normal)
{
	char mean[MODEL_NUMBER_BYTES], variance[MODEL_NUMBER_BYTES];
	struct pulse_part *part = fit->part;

	snprintf(fit->notes->sizes, PULSE_NOTE_BYTES,
		 "distance %.2g; after clipping the mean is %s, the "
		 "variance %s",
		 normal->distance, model_format(MODEL_SIZE, model_settle(MODEL_SIZE, part->size_mean_B, 4), mean),
		 model_format(MODEL_VARIANCE, model_settle(MODEL_VARIANCE, part->size_variance_B2, 4), variance));
	part->size_mean_B = normal->mean_B.value;
	part->size_variance_B2 = normal->variance_B2.value;
	part_fit_say(fit, PULSE_SIZE_MEAN, normal->mean_B.low, normal->mean_B.high);
	part_fit_say(fit, PULSE_SIZE_VARIANCE, normal->variance_B2.low, normal->variance_B2.high);
}

static enum tr_status take_empirical(const struct part_fit *fit, const struct tally_value *sizes, size_t count,
				     struct tr_error *err)
{
	struct pulse_part *part = fit->part;

	if (size_gather(sizes, count, fit->tally->sizes.count, &part->bins, &part->bin_count, err) != TR_OK)
		return TR_ERROR;
	part->sizes = PULSE_EMPIRICAL;
	snprintf(fit->notes->sizes, PULSE_NOTE_BYTES, "%zu bins%s", part->bin_count,
		 fit->options->sizes == PULSE_SIZES_EMPIRICAL ? "" : "; no clipped normal fits");
	return TR_OK;
}

// Whether a generator can draw from it: a sample that falls off from its floor as an exponential does has a best normal whose
// mean lies far below, of which almost nothing reaches the floor.
static bool can_be_drawn(const struct size_fit *normal, const struct tally_value *sizes, double mtu_B)
{
	struct sizes drawn;
	struct tr_error why;

	return sizes_normal(&drawn, normal->mean_B.value, normal->variance_B2.value, (double)sizes[0].low, mtu_B, &why) ==
	       TR_OK;
}

static bool near_enough(const struct part_fit *fit, const struct size_fit *normal)
{
	double n = (double)fit->tally->sizes.count;

	return normal->distance < NEAR || sqrt(n) * normal->distance < SIGNIFICANT;
}

enum tr_status part_fit_sizes(const struct part_fit *fit, double mtu_B, struct tr_error *err)
{
	struct tally_value *sizes;
	struct size_fit normal;
	size_t count;

	if (tally_values(&fit->tally->sizes, &sizes, &count, err) != TR_OK)
		return TR_ERROR;
	enum tr_status status = TR_OK;
	int choice = fit->options->sizes;
	bool fits = choice != PULSE_SIZES_EMPIRICAL && clipped_normal_fit(sizes, count, mtu_B, fit->options->level, &normal) &&
		    can_be_drawn(&normal, sizes, mtu_B);

	sample_moments(fit, sizes, count);
	if (count == 1 && choice == PULSE_SIZES_AUTO)
		snprintf(fit->notes->sizes, PULSE_NOTE_BYTES, "all are alike");
	else if (fits && (choice == PULSE_SIZES_NORMAL || near_enough(fit, &normal)))
		take_normal(fit, &normal);
	else if (choice == PULSE_SIZES_NORMAL)
		snprintf(fit->notes->sizes, PULSE_NOTE_BYTES, "mean and variance of the sample, as no clipped normal fits");
	else
		status = take_empirical(fit, sizes, count, err);
	free(sizes);
	return status;
}
