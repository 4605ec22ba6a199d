// SPDX-License-Identifier: GPL-3.0-or-later
// The logscale diagram, the octave from which on it is a line, and the estimators that fit it.
#include "stat/hurst/logscale.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <gsl/gsl_sf_psi.h>
#include <math.h>

#include "stat/hurst/estimators.h"
#include "stat/spectra/wavelet.h"

// ---- the onset of scaling
// Veitch, Abry and Taqqu, On the automatic selection of the onset of scaling, Fractals 11 (2003)
// 377-390, as their published program (newchoosej1, method 6) does it: in the octaves over which
// the probability does not fall, after the last one at which it grows by a factor of 10.
//
// Differences: if the fit from there on is still rejected at 5 %, takes the next octave from which
// on it is not; the rule alone stops too early if probabilities grow in small steps, or fall at
// once, and intervals are then meaningless. And one octave more: a bend too slight to detect still
// biases the slope by its error (an autoregressive series of .6 and 8192 points: 28 of 100
// intervals contain H without it, 90 with it).

#define LEAST 1e-10 // smaller probabilities count as this
#define FACTOR 10
#define CONTRADICTED 0.05

size_t onset_of_scaling(const double *probability, size_t count)
{
	size_t onset = 0;

	for (size_t i = 0; i + 1 < count; i++) {
		const double now = fmax(probability[i], LEAST),
			     next = fmax(probability[i + 1], LEAST);

		if (next < now)
			break;
		if (next >= FACTOR * now)
			onset = i + 1;
	}
	for (size_t i = onset; i < count; i++)
		if (probability[i] >= CONTRADICTED)
			return i + 1 < count ? i + 1 : i;
	return onset;
}

// ---- the logscale diagram
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE
// Transactions on Information Theory 45 (1999) 878-897. Known values: the table in
// tests/property/stat_hurst_test.c.

#define DETAILS_MIN 8
#define FIT_MIN 0.01
#define OCTAVES_MIN 3
#define OCTAVES_GOOD 5

static size_t logscale_workspace(size_t n)
{
	return n / 2;
}

struct octave_line {
	double slope;
	double intercept;
	double slope_se;
	double intercept_se;
	double covariance;  // of slope and intercept
	double probability; // of a worse fit; NaN below three octaves
};

// The weighted line through points first to last.
static struct octave_line logscale_line(const struct estimate_point *points, size_t first,
					size_t last)
{
	double s0 = 0, s1 = 0, s2 = 0, y0 = 0, y1 = 0, chi = 0;
	struct octave_line fit;

	for (size_t j = first; j <= last; j++) {
		const double weight = 1 / (points[j].se * points[j].se), x = points[j].x;

		s0 += weight;
		s1 += weight * x;
		s2 += weight * x * x;
		y0 += weight * points[j].y;
		y1 += weight * x * points[j].y;
	}
	fit.slope = (s0 * y1 - s1 * y0) / (s0 * s2 - s1 * s1);
	fit.intercept = (y0 - fit.slope * s1) / s0;
	fit.slope_se = sqrt(s0 / (s0 * s2 - s1 * s1));
	fit.intercept_se = sqrt(s2 / (s0 * s2 - s1 * s1));
	fit.covariance = -s1 / (s0 * s2 - s1 * s1);
	for (size_t j = first; j <= last; j++) {
		const double off = points[j].y - fit.intercept - fit.slope * points[j].x;

		chi += off * off / (points[j].se * points[j].se);
	}
	fit.probability = last - first >= 2
				  ? gsl_sf_gamma_inc_Q((double)(last - first - 1) / 2, chi / 2)
				  : NAN;
	return fit;
}

// Adds the point of the next octave: log2 of a mean of count squares, without the bias of the
// logarithm, and its standard error, for independent Gaussian details.
static void add_octave(struct estimate *out, double energy, size_t count)
{
	struct estimate_point *point = &out->points[out->point_count++];
	const double half = (double)count / 2;

	point->x = (double)out->point_count;
	point->scale = ldexp(1, (int)out->point_count);
	point->blocks = count;
	point->y = log2(energy) - (gsl_sf_psi(half) / M_LN2 - log2(half));
	point->se = sqrt(gsl_sf_psi_1(half)) / M_LN2;
}

// The first octave of the fit, none before least.
static size_t logscale_choose_first(struct estimate *out, size_t least, size_t last)
{
	const size_t most = last + 1 >= least + OCTAVES_GOOD ? last + 1 - OCTAVES_GOOD : least;
	size_t chosen = least;
	double best = -1;

	for (size_t first = least; first <= most; first++) {
		const double probability = logscale_line(out->points, first, last).probability;

		if (probability > FIT_MIN)
			return first;
		if (probability > best) {
			best = probability;
			chosen = first;
		}
	}
	estimate_warn(out, "no range of octaves lies on a line: the interval is unreliable");
	return chosen;
}

enum tr_status logscale_range(const size_t *details, size_t octaves,
			      const struct estimate_options *options, size_t least, size_t *first,
			      size_t *last, struct tr_error *err)
{
	size_t end = 0;

	while (end < octaves && details[end] >= DETAILS_MIN)
		end++;
	if (options->scale_max > 0)
		end = (size_t)fmin((double)end, fmax(0, round(log2(options->scale_max))));
	*first = options->scale_min > 0 ? (size_t)fmax(0, round(log2(options->scale_min)) - 1)
					: least;
	if (end < *first + OCTAVES_MIN)
		return tr_fail(err, "a fit needs %d octaves with %d details", OCTAVES_MIN,
			       DETAILS_MIN);
	*last = end - 1;
	return TR_OK;
}

// Sets the estimate to the line through octaves first to last, counted from 0; how: the interval's
// name.
static struct octave_line logscale_set(struct estimate *out, size_t n, size_t first, size_t last,
				       double level, const char *how)
{
	const struct octave_line fit = logscale_line(out->points, first, last);

	for (size_t j = first; j <= last; j++)
		out->points[j].fitted = true;
	out->scale_min = out->points[first].scale;
	out->scale_max = out->points[last].scale;
	out->slope = fit.slope;
	out->intercept = fit.intercept;
	out->fit = fit.probability;
	out->h = (1 + fit.slope) / 2;
	estimate_warn_of_weakness(out, n, last - first + 1);
	estimate_normal_interval(out, fit.slope_se / 2, level, how);
	return fit;
}

// The steps of logscale_fit. First, points without the bias of the logarithm, with the standard
// errors of independent Gaussian details; *octaves becomes the number of those below the first
// without energy. TR_ERROR for a constant series.
static enum tr_status logscale_points(const double *energy, const size_t *details, size_t *octaves,
				      struct estimate *out, struct tr_error *err)
{
	const size_t all = *octaves;

	estimate_clear(out);
	for (size_t j = 0; j < all; j++)
		add_octave(out, energy[j], details[j]);
	for (*octaves = 0; *octaves < all && isfinite(out->points[*octaves].y);)
		++*octaves;
	return all > 0 && energy[0] > 0 ? TR_OK : tr_fail(err, "the series is constant");
}

enum tr_status logscale_fit(const double *energy, const size_t *details, size_t octaves, size_t n,
			    size_t first_min, const struct estimate_options *options,
			    struct estimate *out, struct tr_error *err)
{
	size_t first, last;

	if (logscale_points(energy, details, &octaves, out, err) != TR_OK ||
	    logscale_range(details, octaves, options, first_min - 1, &first, &last, err) != TR_OK)
		return TR_ERROR;
	if (!(options->scale_min > 0))
		first = logscale_choose_first(out, first, last);
	(void)logscale_set(out, n, first, last, options->level,
			   "weighted fit, for independent Gaussian details");
	return TR_OK;
}

// By a wavelet with vanishing moments; 0: the default.
static enum tr_status logscale_diagram(const double *x, size_t n, unsigned vanishing,
				       size_t first_min, const struct estimate_options *options,
				       double *room, struct estimate *out, struct tr_error *err)
{
	double energy[WAVELET_OCTAVES_MAX];
	size_t details[WAVELET_OCTAVES_MAX];
	struct wavelet wavelet;
	size_t octaves;

	if (wavelet_choose(&wavelet, vanishing, err) != TR_OK)
		return TR_ERROR;
	octaves = wavelet_energies(&wavelet, x, n, room, energy, details);
	return logscale_fit(energy, details, octaves, n, first_min, options, out, err);
}

static enum tr_status run_haar(const struct series_parts *series,
			       const struct estimate_options *options, double *room,
			       struct estimate *out, struct tr_error *err)
{
	return logscale_diagram(series->x, series->n, 1, LOGSCALE_HAAR_FIRST, options, room, out,
				err);
}

static enum tr_status run_daubechies(const struct series_parts *series,
				     const struct estimate_options *options, double *room,
				     struct estimate *out, struct tr_error *err)
{
	return logscale_diagram(series->x, series->n, options->vanishing,
				wavelet_undisturbed_octave(series->n), options, room, out, err);
}

const struct estimator logscale_haar = {
	.name = "haar",
	.title = "logscale diagram, Haar",
	.paper = "Veitch, Abry 1999",
	.equation = "log2 mean d(j,k)^2 = (2H - 1) j + c, d(j,k): Haar coefficients of octave j",
	.x_label = "octave",
	.y_label = "log2 mean squared detail",
	.n_min = 128,
	.workspace = logscale_workspace,
	.run = run_haar,
};

const struct estimator logscale_daubechies = {
	.name = "wavelet",
	.title = "logscale diagram, Daubechies",
	.paper = "Veitch, Abry 1999",
	.equation =
		"log2 mean d(j,k)^2 = (2H - 1) j + c, d(j,k): Daubechies coefficients of octave j",
	.x_label = "octave",
	.y_label = "log2 mean squared detail",
	.n_min = 1024,
	.workspace = logscale_workspace,
	.run = run_daubechies,
};

// ---- slope and level together
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE
// Transactions on Information Theory 45 (1999) 878-897: alpha and c_f, of the density c_f
// |nu|^-alpha; j1 by Veitch, Abry and Taqqu 2003 (above).

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
static void set_density(const struct wavelet *wavelet, const struct octave_line *line, double level,
			struct estimate *out)
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

static enum tr_status logscale_run(const struct series_parts *series,
				   const struct estimate_options *options, double *room,
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
	    logscale_range(details, octaves, options, wavelet_first_octave(n) - 1, &first, &last,
			   err) != TR_OK)
		return TR_ERROR;
	if (!(options->scale_min > 0))
		first = onset(out, first, last);
	line = logscale_set(out, n, first, last, options->level,
			    "weighted fit from the octave where scaling begins");
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
	.workspace = logscale_workspace,
	.run = logscale_run,
};
