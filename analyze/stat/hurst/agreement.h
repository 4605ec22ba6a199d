// SPDX-License-Identifier: GPL-3.0-or-later
// What disagreement between estimators of long-range dependence means, since each is sensitive to
// other effects (Karagiannis, Molle and Faloutsos 2004).
#ifndef STAT_AGREEMENT_H
#define STAT_AGREEMENT_H

#include <stddef.h>

#include "stat/hurst/estimator.h"

#define AGREEMENT_FINDINGS_MAX 3
#define AGREEMENT_ESTIMATES_MAX 32

// The estimates that tell something about one another. Zero is not valid.
struct agreement {
	double whittle_fit;
	double aggvar, aggvar_se;
	double gph, gph_se;
	double lw, lw_se;
	double wavelet, wavelet_se;
	size_t count; // of h and se: from methods that claim to be unbiased without a model of the
		      // whole spectrum
	double h[AGREEMENT_ESTIMATES_MAX], se[AGREEMENT_ESTIMATES_MAX];
};

// Starts without estimates: all are NaN.
void agreement_open(struct agreement *agreement);

// Adds an estimate over the estimator's default scales; ignores those that tell nothing.
void agreement_add(struct agreement *agreement, const struct estimator *estimator,
		   const struct estimate *estimate);

// Fills findings with sentences (static text) on the estimates together; returns their number.
// None: nothing speaks against long-range dependence, or its absence, as estimated. On exact
// fractional Gaussian noise of 10,000 points, H from 0.5 to 0.9, at most 2 of 100 series have a
// finding (tests/property/stat_agreement_test.c).
size_t agreement_findings(const struct agreement *agreement,
			  const char *findings[AGREEMENT_FINDINGS_MAX]);

#endif
