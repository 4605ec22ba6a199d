// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of an estimator of long-range dependence: each is declared in estimators.h, and has a
// row in estimator.c. estimation.h runs them.
#ifndef STAT_ESTIMATOR_H
#define STAT_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "value/status.h"

#define ESTIMATE_POINTS_MAX 256
#define ESTIMATE_WARNINGS_MAX 6

// What a user may set. Zero means the estimator's default, stated in its file.
struct estimate_options {
	double scale_min; // scales of the fit, in samples
	double scale_max;
	size_t scales;	    // how many, at most ESTIMATE_POINTS_MAX
	double level;	    // of the interval, in (0, 1)
	unsigned vanishing; // vanishing moments of a wavelet, at most 10
	bool of_bytes;	    // the series holds sums of sizes, and not counts of packets
};

// One point of the estimator's plot.
struct estimate_point {
	double scale;  // in samples (for estimators by frequency: in radians)
	size_t blocks; // that were averaged
	double x, y;   // as plotted and fitted
	double se;     // of y; 0 if unknown
	bool fitted;
};

// The density near frequency 0, level times nu^-alpha with nu in cycles per point, with the joint
// normal errors of alpha and log2 level. NaN if an estimator does not give it.
struct estimate_density {
	double alpha, alpha_se;
	double level;
	double level_lo, level_hi; // interval of level alone
	double log2_level_se;
	double correlation; // of alpha and log2 level
};

struct estimate {
	double h;	      // as the method defines it; NaN if it gives none
	double h_corrected;   // h without the method's bias; NaN if the bias is unknown
	double se;	      // standard error of h; NaN if unknown
	double lo, hi;	      // interval for the true H; NaN if there is none
	const char *interval; // how it was obtained, or why there is none
	double fit;	      // probability of a worse fit if the model is true; NaN if not tested
	double slope;	      // of the fitted line
	double intercept;
	double scale_min, scale_max; // of the points fitted
	size_t point_count;
	struct estimate_point points[ESTIMATE_POINTS_MAX];
	struct estimate_density density;
	size_t warning_count;
	const char *warnings[ESTIMATE_WARNINGS_MAX]; // static text
};

struct spectrum;
struct detrended;

// Data derived from a series for several estimators, made once.
enum series_part {
	PART_PROFILE = 1,
	PART_SPECTRUM = 2,
	PART_DETRENDED = 4,
};

// A series and the parts listed in an estimator's needs; the others are NULL.
struct series_parts {
	const double *x;
	size_t n;
	const double *profile; // profile[i], 0 <= i <= n: sum of the deviations of the first i
			       // points from the mean
	const struct spectrum *spectrum;   // spectrum.h
	const struct detrended *detrended; // the profile's last n sums: detrended.h
};

struct estimator {
	const char *name; // on the command line
	const char *title;
	const char *paper; // where it is defined: authors and year
	// For the report: X are the n points, X^(m) the means of blocks of m, Y the partial sums of
	// X - mean X, I(f) the periodogram at frequency f in radians per point, and B shifts by a
	// point. NULL: the report shows the axes instead.
	const char *equation;
	const char *x_label, *y_label;
	size_t n_min;	  // shortest series it takes
	bool counts_only; // accepts only whole numbers of packets
	unsigned needs;	  // enum series_part, added up
	// Doubles that run needs as workspace for n points; NULL: none.
	size_t (*workspace)(size_t n);
	// Estimates from a series of increments, not sums, n >= n_min; not constant if it needs any
	// part. TR_ERROR if no estimate is possible (scales that do not fit); out is then
	// undefined. Several run at once, so it must not plan FFTW transforms. Called by
	// estimation.h.
	enum tr_status (*run)(const struct series_parts *series,
			      const struct estimate_options *options, double *workspace,
			      struct estimate *out, struct tr_error *err);
};

// All of them, ended by NULL.
extern const struct estimator *const estimators[];

// The one with this name, NULL if there is none.
const struct estimator *estimator_find(const char *name);

// For estimators. Makes out empty: NaN everywhere, no points, no warnings.
void estimate_clear(struct estimate *out);

// Adds a warning unless there are too many. text must be static.
void estimate_warn(struct estimate *out, const char *text);

// Fills scales[] with at most count different whole numbers from min to max, evenly spaced in
// logarithm. Returns their number.
size_t estimate_scales(double min, double max, size_t count, size_t *scales);

// Sets se, lo, hi and interval around h for a normal error, cut at 0 as no H is negative, and
// h_corrected to h: the method has no known bias.
void estimate_normal_interval(struct estimate *out, double se, double level, const char *how);

// Adds the warnings common to all estimators (few points, short series, less than a decade).
void estimate_warn_of_weakness(struct estimate *out, size_t n, size_t fitted);

// Fits a line to the points marked fitted, sets slope, intercept and the range of scales, and warns
// of weakness. TR_ERROR below two points.
enum tr_status estimate_fit(struct estimate *out, size_t n, struct tr_error *err);

#endif
