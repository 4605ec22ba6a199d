// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE Transactions on Information
// Theory 45 (1999) 878-897: alpha and c_f, of the density c_f |nu|^-alpha; j1 by Veitch, Abry and Taqqu 2003 (onset_of_scaling.c).
#include "stat/logscale_joint.h"

#include <math.h>

#include "stat/logscale.h"
#include "stat/normal.h"
#include "stat/onset_of_scaling.h"
#include "stat/wavelet.h"
#include "stat/wavelet_constant.h"

#define DETAILS_MIN 8
#define OCTAVES_MIN 3
#define OCTAVES_GOOD 5
#define VANISHING 3

// Octaves to fit, counted from 0. False where there are too few.
static bool choose_range(const struct estimate *out, size_t n, const struct estimate_options *options, size_t *first, size_t *last)
{
	const size_t least = wavelet_first_octave(n) - 1;
	double probability[WAVELET_OCTAVES_MAX];
	size_t end = 0, count = 0;

	while (end < out->point_count && out->points[end].blocks >= DETAILS_MIN && isfinite(out->points[end].y))
		end++;
	if (options->scale_max > 0)
		end = (size_t)fmin((double)end, fmax(0, round(log2(options->scale_max))));
	*first = options->scale_min > 0 ? (size_t)fmax(0, round(log2(options->scale_min)) - 1) : least;
	if (end < *first + OCTAVES_MIN)
		return false;
	*last = end - 1;
	for (size_t j = *first; j + OCTAVES_GOOD <= end; j++)
		probability[count++] = logscale_line(out->points, j, *last).probability;
	if (!(options->scale_min > 0) && count > 0)
		*first += onset_of_scaling(probability, count);
	return true;
}

// log2 level is the intercept without log2 of the wavelet's constant, which depends on alpha too.
static void set_density(const struct wavelet *wavelet, const struct octave_line *line, double level, struct estimate *out)
{
	const double z = normal_quantile(0.5 + 0.5 * level);
	const double alpha = fmin(1.9, fmax(-0.9, line->slope));
	struct estimate_density *density = &out->density;
	double bend, log2_level, variance, covariance;

	log2_level = line->intercept - log2(wavelet_constant(wavelet, alpha, &bend));
	variance = line->intercept_se * line->intercept_se - 2 * bend * line->covariance +
		   bend * bend * line->slope_se * line->slope_se;
	covariance = line->covariance - bend * line->slope_se * line->slope_se;
	density->alpha = line->slope;
	density->alpha_se = line->slope_se;
	density->log2_level_se = sqrt(variance);
	density->correlation = covariance / (line->slope_se * density->log2_level_se);
	density->level = exp2(log2_level);
	density->level_lo = exp2(log2_level - z * density->log2_level_se);
	density->level_hi = exp2(log2_level + z * density->log2_level_se);
}

static size_t workspace(size_t n)
{
	return n / 2;
}

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *room, struct estimate *out,
			  struct tr_error *err)
{
	const size_t n = series->n;
	double energy[WAVELET_OCTAVES_MAX];
	size_t details[WAVELET_OCTAVES_MAX], octaves, first, last;
	struct octave_line line;
	struct wavelet wavelet;

	estimate_clear(out);
	if (wavelet_make(&wavelet, options->vanishing > 0 ? options->vanishing : VANISHING, err) != TR_OK)
		return TR_ERROR;
	octaves = wavelet_energies(&wavelet, series->x, n, room, energy, details);
	for (size_t j = 0; j < octaves; j++)
		logscale_add_octave(out, energy[j], details[j]);
	if (octaves == 0 || !(energy[0] > 0))
		return tr_fail(err, "the series is constant");
	if (!choose_range(out, n, options, &first, &last))
		return tr_fail(err, "a fit needs %d octaves with %d details", OCTAVES_MIN, DETAILS_MIN);
	line = logscale_line(out->points, first, last);
	for (size_t j = first; j <= last; j++)
		out->points[j].fitted = true;
	out->scale_min = out->points[first].scale;
	out->scale_max = out->points[last].scale;
	out->slope = line.slope;
	out->intercept = line.intercept;
	out->fit = line.probability;
	out->h = (1 + line.slope) / 2;
	estimate_warn_of_weakness(out, n, last - first + 1);
	estimate_normal_interval(out, line.slope_se / 2, options->level, "weighted fit from the octave where scaling begins");
	set_density(&wavelet, &line, options->level, out);
	return TR_OK;
}

const struct estimator logscale_joint = {
	.name = "joint",
	.title = "logscale diagram, joint with its level",
	.paper = "Veitch, Abry 1999; Veitch, Abry, Taqqu 2003",
	.x_label = "octave",
	.y_label = "log2 mean squared detail",
	.n_min = 1024,
	.workspace = workspace,
	.run = run,
};
