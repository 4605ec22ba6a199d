// SPDX-License-Identifier: GPL-3.0-or-later
// The periodogram, I(l_j) = |sum of x_t exp(-i t l_j)|^2 / (2 pi n), and helpers of estimators that
// use its low frequencies.
#ifndef STAT_SPECTRUM_H
#define STAT_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/hurst/estimator.h"
#include "value/status.h"

// power[j], 0 < j <= count: |sum of x_t exp(-i t l)|^2 / (2 pi n) at the Fourier frequency
// l = 2 pi j / n; count = (n - 1) / 2, so neither 0 nor pi.
struct spectrum {
	const double *power; // in the workspace, or in the spectrum's own memory
	size_t count;
	size_t n;
	// Of spectrum_open: low[2 j] + i low[2 j + 1] is the sum itself, j <= low_count; else NULL.
	double *low;
	size_t low_count;
	struct estimate_point *plot; // of spectrum_open: the points for spectrum_plot; else NULL
	size_t plot_count;
	double *own; // memory behind power that spectrum_close frees; else NULL
};

// Doubles of workspace for n points.
size_t spectrum_workspace(size_t n);

// Whether a series is constant.
bool series_is_constant(const double *x, size_t n);

// TR_ERROR for a constant series, or if out of memory.
enum tr_status spectrum_make(const double *x, size_t n, double *workspace, struct spectrum *out,
			     struct tr_error *err);

// The same in its own memory, n / 2 doubles when done, and with the sums of its low_count lowest
// frequencies (or all, if fewer); freed with spectrum_close. NULL where spectrum_make has TR_ERROR.
struct spectrum *spectrum_open(const double *x, size_t n, size_t low_count, struct tr_error *err);
void spectrum_close(struct spectrum *spectrum);

// In radians per point.
double spectrum_frequency(const struct spectrum *spectrum, size_t j);

// Frequencies first to last of a fit.
struct band {
	size_t first;
	size_t last;
};

// Clears out, and takes the frequencies from 1 to the estimator's bandwidth, or those whose periods
// are between the scales that options give. TR_ERROR below 4.
enum tr_status band_choose(struct band *band, const struct spectrum *spectrum, double bandwidth,
			   const struct estimate_options *options, struct estimate *out,
			   struct tr_error *err);

// Fills out's points for a plot: log10 power over log10 frequency, each point the mean over
// neighbouring frequencies. Sets the scales to the band's periods, and adds the warnings common to
// all estimators.
void spectrum_plot(const struct spectrum *spectrum, struct band band, struct estimate *out);

// For the row of each estimator that calls it.
#define SPECTRUM_ESTIMATOR \
	.x_label = "log10 frequency (radians per point)", .y_label = "log10 power", \
	.needs = PART_SPECTRUM

#endif
