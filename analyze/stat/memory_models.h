// SPDX-License-Identifier: GPL-3.0-or-later
// Whether short or long memory explains a spectrum better: Whittle's likelihood (Whittle 1953) of two mixtures of AR(1)
// spectra (Box and Jenkins 1976) and fractional noise (Granger and Joyeux 1980).
#ifndef STAT_MEMORY_MODELS_H
#define STAT_MEMORY_MODELS_H

#include <stdbool.h>

#include "stat/banded_spectrum.h"

// Two spectra of six parameters each, fitted by Whittle's likelihood:
//     short   white noise + two relaxations, a (1 - p^2) / (1 - 2 p cos l + p^2) with p = exp(-1 / t)
//     long    white noise + one relaxation + a power law, that of fractional noise of H in (.5, 1)
// Independent arrivals add white noise to counts. A relaxation is the spectrum of an AR(1), of a rate that jumps
// between two values, and, for times t beyond the series, of a level shift or a trend.
struct memory_models {
	double evidence;   // log-likelihood of long less that of short, over the dispersion
	double dispersion; // of the better one, at least 1
	double h;	   // of long, with its standard error
	double h_se;
	double noise;	  // share of the white noise of long in the variance
	double law;	  // share of its power law
	double crossover; // period in points above which the power law is the largest part of long; NaN if nowhere
	double power; // probability of finding long memory of H .8 in such a series, as strong as the series allows or as all
		      // else at a sixteenth of it; assumes a normal evidence with twice its mean as variance
	size_t relaxations; // of short that are needed: dropping the others makes it less than e^3 times less likely
	double times[2];    // their times in points, ascending
	bool falls;    // power falling towards low frequencies, as |l|^(1 - 2H) with H below .5, is e^3 times as likely as both
	double hidden; // least loss of log-likelihood of short (or of the falling power), over the dispersion, when adding a
		       // power law (H of .6 to .9) as strong as all else at a sixteenth of the series
};

// What excludes long memory: hidden at least this, so that the power law is e^3.5 times less likely.
#define MEMORY_EXCLUDED 3.5

struct memory_exclusion {
	double power; // probability that hidden is MEMORY_EXCLUDED or more in such a series, which has no power law
	double longer; // how many times as long a series of the same short spectrum must be for power_wanted; INFINITY: more than 2^20
};

// Looks at the lowest `last` Fourier frequencies: what the series can tell apart (no more than it has events). fitted: of these bands.
void memory_exclusion_find(const struct banded_spectrum *bands, const struct memory_models *fitted, double last,
			   double power_wanted, struct memory_exclusion *out);

// The evidence that decides: the long spectrum is e^2 times as likely as the short one.
#define MEMORY_EVIDENCE 2.0

void memory_models_fit(const struct banded_spectrum *bands, struct memory_models *out);

#endif
