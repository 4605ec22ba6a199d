// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of an estimator of long-range dependence: each is declared in estimators.h, and has a row in estimator.c.
// estimation.h runs them.
#ifndef STAT_ESTIMATOR_H
#define STAT_ESTIMATOR_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/status.h"

#define ESTIMATE_POINTS_MAX 256
#define ESTIMATE_WARNINGS_MAX 6

// What a user may set. Zero means the estimator's own choice, which its file states.
struct estimate_options {
	double scale_min; // scales of the fit, in samples
	double scale_max;
	size_t scales;	    // how many, at most ESTIMATE_POINTS_MAX
	double level;	    // of the interval, in (0, 1)
	unsigned vanishing; // moments that a wavelet does not see, at most 10
	bool of_bytes;	    // the series holds sums of sizes, and not counts of packets
};

// One point of the estimator's plot.
struct estimate_point {
	double scale;  // in samples (a frequency's estimator: in radians)
	size_t blocks; // that were averaged
	double x, y;   // as plotted and fitted
	double se;     // of y; 0 where it is not known
	bool fitted;
};

// The density near frequency 0, level times nu^-alpha with nu in cycles per point, and how well both are known together: alpha
// and log2 level are normal. NaN where an estimator does not tell.
struct estimate_density {
	double alpha, alpha_se;
	double level;
	double level_lo, level_hi; // interval of level alone
	double log2_level_se;
	double correlation; // of alpha and log2 level
};

struct estimate {
	double h;	      // as the method defines it; NaN where it gives none
	double h_corrected;   // h without the method's known bias; NaN where that is not known
	double se;	      // standard error of h; NaN where none is known
	double lo, hi;	      // interval for the true H; NaN where there is none
	const char *interval; // how it was obtained, or why there is none
	double fit;	      // probability of a worse fit if the model is true; NaN where that is not tested
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

// What several estimators read of a series: made once for all of them.
enum series_part {
	PART_PROFILE = 1,
	PART_SPECTRUM = 2,
	PART_DETRENDED = 4,
};

// A series and those parts that an estimator's needs names; the others are NULL.
struct series_parts {
	const double *x;
	size_t n;
	const double *profile;		   // profile[i], 0 <= i <= n: sum of the deviations of the first i points from the mean
	const struct spectrum *spectrum;   // spectrum.h
	const struct detrended *detrended; // the profile's last n sums: detrended.h
};

struct estimator {
	const char *name; // on the command line
	const char *title;
	const char *paper; // where it is defined: authors and year
	// For the report: X are the n points, X^(m) the means of blocks of m, Y the partial sums of X - mean X, I(f) the periodogram
	// at the frequency f, in radians per point, and B shifts by a point. NULL: the report has the axes.
	const char *equation;
	const char *x_label, *y_label;
	size_t n_min;	  // shortest series it takes
	bool counts_only; // it takes whole numbers of packets, and refuses anything else
	unsigned needs;	  // enum series_part, added up
	// Doubles that run needs as workspace for n points; NULL: none.
	size_t (*workspace)(size_t n);
	// Estimates from a series of increments, not sums, n >= n_min. A series of which it needs a part is not constant.
	// TR_ERROR where no estimate is possible (scales that do not fit); out is then undefined. Several run at once, so
	// it plans no FFTW transform. Called by estimation.h.
	enum tr_status (*run)(const struct series_parts *series, const struct estimate_options *options, double *workspace,
			      struct estimate *out, struct tr_error *err);
};

// All of them, ended by NULL.
extern const struct estimator *const estimators[];

// The one with this name, NULL where there is none.
const struct estimator *estimator_find(const char *name);

// For estimators. Makes out empty: NaN everywhere, no points, no warnings.
void estimate_clear(struct estimate *out);

// Adds a warning; beyond the bound it is left out. text must be static.
void estimate_warn(struct estimate *out, const char *text);

// Fills scales[] with at most count whole numbers from min to max, evenly spaced in their
// logarithm, each once. Returns how many.
size_t estimate_scales(double min, double max, size_t count, size_t *scales);

// Sets se, lo, hi and interval around h for an error that is normal, without what is below 0, where no H is, and h_corrected to h: the method
// has no bias that is known.
void estimate_normal_interval(struct estimate *out, double se, double level, const char *how);

// Warns of what concerns every estimator (few points, short series, less than a decade).
void estimate_warn_of_weakness(struct estimate *out, size_t n, size_t fitted);

// Fits a line to the points marked fitted, sets slope, intercept and the range of scales, and warns
// of weakness. TR_ERROR below two points.
enum tr_status estimate_fit(struct estimate *out, size_t n, struct tr_error *err);

#endif
