// SPDX-License-Identifier: GPL-3.0-or-later
// Peng, Buldyrev, Havlin, Simons, Stanley and Goldberger, Mosaic organization of DNA nucleotides,
// Physical Review E 49 (1994) 1685-1689; orders and both ends: Kantelhardt, Koscielny-Bunde, Rego,
// Havlin and Bunde, Physica A 295 (2001) 441-454, equations 2 to 4. Known values: the table in
// tests/property/stat_hurst_test.c, where it is within .003 of H from .5 to .9.
#include "stat/detrended_fluctuation.h"

#include <math.h>

#include "stat/detrended.h"
#include "stat/hurst_bias.h"

// Mean squared residual over the blocks from the beginning, and from the end where those differ.
static double fluctuation(const struct detrended *profile, size_t n, size_t m, unsigned order)
{
	const size_t blocks = n / m, rest = n % m;
	double sum = 0;

	for (size_t i = 0; i < blocks; i++)
		sum += detrended_residual(profile, i * m, m, order);
	if (rest == 0)
		return sum / (double)blocks;
	for (size_t i = 0; i < blocks; i++)
		sum += detrended_residual(profile, rest + i * m, m, order);
	return sum / (double)(2 * blocks);
}

static const struct hurst_bias *const biases[] = {NULL, &detrended_fluctuation_1_bias, &detrended_fluctuation_2_bias,
						  &detrended_fluctuation_3_bias};

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, unsigned order,
			  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	size_t scales[ESTIMATE_POINTS_MAX];
	const size_t count = detrended_scales(options, n, 0, scales);

	estimate_clear(out);
	for (size_t i = 0; i < count; i++) {
		struct estimate_point *point = &out->points[out->point_count++];
		const double residual = scales[i] > order + 1 ? fluctuation(series->detrended, n, scales[i], order) : 0;

		point->scale = (double)scales[i];
		point->blocks = n / scales[i];
		point->x = log10(point->scale);
		point->y = 0.5 * log10(residual);
		point->fitted = residual > 0;
	}
	return hurst_bias_fit(out, 0, 1, biases[order], n, options, err);
}

static enum tr_status run_1(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return run(series, options, 1, out, err);
}

static enum tr_status run_2(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return run(series, options, 2, out, err);
}

static enum tr_status run_3(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			    struct estimate *out, struct tr_error *err)
{
	(void)workspace;
	return run(series, options, 3, out, err);
}

#define DETRENDED_FLUCTUATION(order, trend) \
	.name = "dfa" #order, .title = "detrended fluctuation analysis, order " #order, \
	.paper = "Peng et al. 1994; Kantelhardt et al. 2001, equations 2 to 4", \
	.equation = "F(m)^2 = mean over blocks of (Y - its " trend ")^2, F(m) ~ m^H", .x_label = "log10 block length", \
	.y_label = "log10 root mean squared residual", .n_min = 256, .needs = PART_DETRENDED, .run = run_##order

const struct estimator detrended_fluctuation_1 = {DETRENDED_FLUCTUATION(1, "line")};
const struct estimator detrended_fluctuation_2 = {DETRENDED_FLUCTUATION(2, "parabola")};
const struct estimator detrended_fluctuation_3 = {DETRENDED_FLUCTUATION(3, "cubic")};
