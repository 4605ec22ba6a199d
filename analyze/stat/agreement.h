// SPDX-License-Identifier: GPL-3.0-or-later
// What it means where estimators of long-range dependence disagree on one series: each sees something that others do not
// (Karagiannis, Molle and Faloutsos 2004).
#ifndef STAT_AGREEMENT_H
#define STAT_AGREEMENT_H

#include <stddef.h>

#include "stat/estimator.h"

#define AGREEMENT_FINDINGS_MAX 3
#define AGREEMENT_ESTIMATES_MAX 32

// What is kept of the estimates that tell something about one another. Zero is no valid one.
struct agreement {
	double whittle_fit;
	double aggvar, aggvar_se;
	double gph, gph_se;
	double lw, lw_se;
	double wavelet, wavelet_se;
	size_t count; // of h and se: of the methods that claim to be unbiased without a model of the whole spectrum
	double h[AGREEMENT_ESTIMATES_MAX], se[AGREEMENT_ESTIMATES_MAX];
};

void agreement_open(struct agreement *agreement);

// Adds an estimate over the estimator's own scales; those that tell nothing are ignored.
void agreement_add(struct agreement *agreement, const struct estimator *estimator, const struct estimate *estimate);

// Fills findings with sentences (static text) on what the estimates say together; returns how many. None: nothing
// speaks against long-range dependence, or its absence, as estimated. On exact fractional Gaussian noise of 10,000
// points, H from 0.5 to 0.9, at most 2 of 100 series have a finding (tests/property/stat_agreement_test.c).
size_t agreement_findings(const struct agreement *agreement, const char *findings[AGREEMENT_FINDINGS_MAX]);

#endif
