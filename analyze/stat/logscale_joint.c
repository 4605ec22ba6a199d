// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE Transactions on Information
// Theory 45 (1999) 878-897: alpha and c_f, of the density c_f |nu|^-alpha; j1 by Veitch, Abry and Taqqu 2003 (onset_of_scaling.c).
#include "stat/logscale_joint.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "stat/logscale.h"
#include "stat/onset_of_scaling.h"
#include "stat/wavelet.h"
#include "stat/wavelet_constant.h"

#define OCTAVES_GOOD 5

// Where scaling begins, from first on.
static size_t onset(const struct estimate *out, size_t first, size_t last)
{
	double probability[WAVELET_OCTAVES_MAX];
	size_t count = 0;

	for (size_t j = first; j + OCTAVES_GOOD <= last + 1; j++)
		probability[count++] = logscale_line(out->points, j, last).probability;
	return count > 0 ? first + onset_of_scaling(probability, count) : first;
}

// log2 level is the intercept without log2 of the wavelet's constant, which depends on alpha too.
static void set_density(const struct wavelet *wavelet, const struct octave_line *line, double level, struct estimate *out)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);
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

static enum tr_status run(const struct series_parts *series, const struct estimate_options *options, double *room,
			  struct estimate *out, struct tr_error *err)
{
	const size_t n = series->n;
	double energy[WAVELET_OCTAVES_MAX];
	size_t details[WAVELET_OCTAVES_MAX], octaves, first, last;
	struct octave_line line;
	struct wavelet wavelet;

	if (wavelet_choose(&wavelet, options->vanishing, err) != TR_OK)
		return TR_ERROR;
	octaves = wavelet_energies(&wavelet, series->x, n, room, energy, details);
	if (logscale_points(energy, details, &octaves, out, err) != TR_OK ||
	    logscale_range(details, octaves, options, wavelet_first_octave(n) - 1, &first, &last, err) != TR_OK)
		return TR_ERROR;
	if (!(options->scale_min > 0))
		first = onset(out, first, last);
	line = logscale_set(out, n, first, last, options->level, "weighted fit from the octave where scaling begins");
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
