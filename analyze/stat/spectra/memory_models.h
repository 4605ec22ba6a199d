// SPDX-License-Identifier: GPL-3.0-or-later
// Whether memory that fades or memory that lasts explains a spectrum better: the likelihoods
// (Whittle 1953) of the spectra of memory_spectra.h.
#ifndef STAT_MEMORY_MODELS_H
#define STAT_MEMORY_MODELS_H

#include <stdbool.h>

#include "stat/spectra/banded_spectrum.h"
#include "stat/spectra/memory_spectra.h"

#define MEMORY_TIMES 3

// Four spectra, fitted by Whittle's likelihood:
//     short   white noise + two relaxations (6 parameters)
//     ladder  white noise + three relaxations (8): time constants that are spread over the scales
//             look like a power law between them
//     long    white noise + one relaxation + a power law of H in (.5, 1) from some time on (7)
//     fall    a power that falls towards low frequencies, as |l|^(1 - 2H) with H below .5 (2)
struct memory_models {
	double evidence;   // log-likelihood of long less that of short, over the dispersion
	double ladder;	   // the same less that of the ladder
	double mixture;	   // the same less that of any relaxations within the scales of the series
	double dispersion; // of the best of the four, at least 1
	double h;	   // of long, with its standard error
	double h_se;
	double crossover; // period in points above which the power law is the largest part of long;
			  // NaN if nowhere
	// The widest range of frequencies in radians per point at which the power law is four times
	// the relaxation or more and has not begun to fall as short sessions do: where an estimate
	// of H that knows nothing of those holds. NaN if nowhere.
	double law_first, law_last;
	// The same where a relaxation that is longer than the series does not count, for an
	// estimate of H beside a moving level.
	double moving_first, moving_last;
	size_t relaxations; // of the ladder that are needed: dropping the others makes it less than
			    // e^3 times less likely
	double times[MEMORY_TIMES];	  // their times in points, ascending
	bool falls;			  // fall is e^3 times as likely as the others
	struct memory_fit brief, lasting; // short and long themselves
	enum memory_law kind;		  // of long's power law
};

// The evidence that decides: the long spectrum is e^2 times as likely as the short one, and no less
// than e^.5 times as the ladder, which has a parameter more.
#define MEMORY_EVIDENCE 2.0
#define MEMORY_LADDER (-0.5)
// Relaxations with free weights may be e^(sqrt(points) / 128) times as likely: as many as fit best
// have more parameters, and a parametric law is not exact in long series.
#define MEMORY_MIXTURE_SHARE 128

// Fits all models to the bands, by their Whittle likelihoods, and compares them.
void memory_models_fit(const struct banded_spectrum *bands, struct memory_models *out);

// The probability of finding long memory of H .8 in such a series, fitted to these bands: as strong
// as the series allows, or as all else at a sixteenth of it and beginning where the short memory
// ends. Assumes a normal evidence with twice its mean as variance.
double memory_models_power(const struct banded_spectrum *bands, const struct memory_models *fitted);

// Fills out[bands->count] with the most likely spectrum whose power falls towards low frequencies.
// Returns its log-likelihood.
double memory_falling_fit(const struct banded_spectrum *bands, double *out);

#endif
