// SPDX-License-Identifier: GPL-3.0-or-later
// The logscale diagram of wavelets: log2 of the mean squared detail over the octave, whose slope is
// 2H - 1 (Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range
// dependence, IEEE Transactions on Information Theory 45, 1999).
#ifndef STAT_LOGSCALE_H
#define STAT_LOGSCALE_H

#include <stddef.h>

#include "stat/hurst/estimator.h"

// ---- The octave from which on a series scales, by the goodness of fit of each choice (Veitch,
// Abry and Taqqu 2003).

// probability[i] is that of a worse fit if the fit begins at the i-th octave allowed, count > 0.
// Returns the i to begin with.
size_t onset_of_scaling(const double *probability, size_t count);

// ---- The estimators logscale_haar and logscale_daubechies, and their steps (Veitch and Abry
// 1999).

// The least j1 of Haar's wavelet.
#define LOGSCALE_HAAR_FIRST 2

// The estimate from given energies: energy[j - 1] is the mean of details[j - 1] squared details of
// octave j, of a series of n points; j1 is at least first_min.
enum tr_status logscale_fit(const double *energy, const size_t *details, size_t octaves, size_t n,
			    size_t first_min, const struct estimate_options *options,
			    struct estimate *out, struct tr_error *err);

// The octaves to fit, counted from 0: from least on, or those that options give. TR_ERROR if there
// are too few.
enum tr_status logscale_range(const size_t *details, size_t octaves,
			      const struct estimate_options *options, size_t least, size_t *first,
			      size_t *last, struct tr_error *err);

#endif
