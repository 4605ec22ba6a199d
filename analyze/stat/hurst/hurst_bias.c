// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/hurst/hurst_bias.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

// The table's row for n points, interpolated between the neighbouring lengths.
struct hurst_bias_row {
	double mean[HURST_BIAS_H];
	double sd[HURST_BIAS_H];
};

static struct hurst_bias_row hurst_bias_row_of(const struct hurst_bias *bias, size_t n)
{
	const double log2_n = log2((double)n);
	int above = 1;
	double share;
	struct hurst_bias_row row;

	while (above < HURST_BIAS_N - 1 && hurst_bias_log2_n[above] < log2_n)
		above++;
	share = (log2_n - hurst_bias_log2_n[above - 1]) /
		(hurst_bias_log2_n[above] - hurst_bias_log2_n[above - 1]);
	share = fmin(1, share);
	for (int j = 0; j < HURST_BIAS_H; j++) {
		row.mean[j] = (1 - share) * bias->at[above - 1][j].mean +
			      share * bias->at[above][j].mean;
		row.sd[j] = pow(bias->at[above - 1][j].sd, 1 - share) *
			    pow(bias->at[above][j].sd, share);
	}
	return row;
}

// The H for which mean + z sd is the estimate, within 0..1; extrapolates the table linearly.
static double invert(const struct hurst_bias_row *row, double estimate, double z)
{
	int j = 1;
	double low, high, h;

	while (j < HURST_BIAS_H - 1 && row->mean[j] + z * row->sd[j] < estimate)
		j++;
	low = row->mean[j - 1] + z * row->sd[j - 1];
	high = row->mean[j] + z * row->sd[j];
	h = hurst_bias_h[j - 1] +
	    (hurst_bias_h[j] - hurst_bias_h[j - 1]) * (estimate - low) / (high - low);
	return fmax(0, fmin(1, h));
}

static double sd_at(const struct hurst_bias_row *row, double h)
{
	int j = 1;

	while (j < HURST_BIAS_H - 1 && hurst_bias_h[j] < h)
		j++;
	return row->sd[j - 1] + (row->sd[j] - row->sd[j - 1]) * (h - hurst_bias_h[j - 1]) /
					(hurst_bias_h[j] - hurst_bias_h[j - 1]);
}

void hurst_bias_interval(struct estimate *out, const struct hurst_bias *bias, size_t n,
			 const struct estimate_options *options)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * options->level);
	struct hurst_bias_row row;

	if (!bias) {
		out->interval = "none: there is no table of the method's bias";
		return;
	}
	if (options->scale_min > 0 || options->scale_max > 0 || options->scales > 0) {
		out->interval = "none: known only for the method's own scales";
		return;
	}
	if (log2((double)n) < hurst_bias_log2_n[0]) {
		out->interval = "none: the series is too short";
		return;
	}
	row = hurst_bias_row_of(bias, n);
	out->h_corrected = invert(&row, out->h, 0);
	out->se = sd_at(&row, out->h_corrected);
	out->lo = invert(&row, out->h, z);
	out->hi = invert(&row, out->h, -z);
	out->interval = "simulated on fractional Gaussian noise";
	if (out->lo == out->hi) {
		out->lo = out->hi = NAN;
		out->interval = "none: no fractional Gaussian noise yields this H";
	}
	if (log2((double)n) > hurst_bias_log2_n[HURST_BIAS_N - 1])
		estimate_warn(
			out,
			"the series is longer than the simulated ones: the interval is too wide");
}

enum tr_status hurst_bias_fit(struct estimate *out, double offset, double factor,
			      const struct hurst_bias *bias, size_t n,
			      const struct estimate_options *options, struct tr_error *err)
{
	if (estimate_fit(out, n, err) != TR_OK)
		return TR_ERROR;
	out->h = offset + factor * out->slope;
	hurst_bias_interval(out, bias, n, options);
	return TR_OK;
}
