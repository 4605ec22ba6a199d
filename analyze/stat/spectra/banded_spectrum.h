// SPDX-License-Identifier: GPL-3.0-or-later
// The periodogram in bands, and Whittle's likelihood of a spectrum by them.
#ifndef STAT_BANDED_SPECTRUM_H
#define STAT_BANDED_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectra/spectrum.h"

// ---- The periodogram in bands of neighbouring frequencies, for fits that need few numbers of a
// long series.

#define BANDS_MAX 384
#define BANDS_SINGLE 16		       // frequencies that are each a band
#define BANDS_WIDTH 1.0594630943592953 // of the others: 2^(1/12)

// Band b: the mean power of ordinates[b] Fourier frequencies around frequency[b] (radians per
// point, their geometric mean), ascending. The scale of power is free: the mean over all ordinates
// is 1.
struct banded_spectrum {
	size_t n; // points of the series
	size_t count;
	double frequency[BANDS_MAX];
	double cosine[BANDS_MAX]; // of frequency[b], and its logarithm
	double logarithm[BANDS_MAX];
	double power[BANDS_MAX];
	double ordinates[BANDS_MAX];
};

// Takes the frequencies first to last (1 <= first <= last <= spectrum->count): the lowest 16 each
// by itself, the others in bands of 1/12 octave. Leaves out each j with skip[j] unless skip is
// NULL. False if fewer than 16 bands are left, or no power.
bool banded_spectrum_make(struct banded_spectrum *bands, const struct spectrum *spectrum,
			  size_t first, size_t last, const bool *skip);

// The bands of a series of n points, whole, up to the frequency last, without powers. False if they
// are too few.
bool banded_spectrum_lay(struct banded_spectrum *bands, double n, double last);

// ---- Whittle's likelihood of a parametric spectrum, and where it is largest.

#define BANDED_PARAMETERS_MAX 8

// A spectrum with free parameters, each within its bounds.
struct banded_model {
	size_t parameters;
	double low[BANDED_PARAMETERS_MAX], high[BANDED_PARAMETERS_MAX];
	// Fills out[bands->count] with the spectrum, above 0.
	void (*spectrum)(const void *context, const double *parameters,
			 const struct banded_spectrum *bands, double *out);
	const void *context;
};

// Log-likelihood of the spectrum values[bands->count] (Whittle 1953): minus the sum over the
// ordinates of log f + I / f.
double spectral_likelihood(const struct banded_spectrum *bands, const double *values);

// Half the deviance over its expectation if the spectrum is right, allowing for the parameters:
// near 1 for a spectrum that fits a Gaussian series, larger otherwise.
double spectral_dispersion(const struct banded_spectrum *bands, const double *values,
			   size_t parameters);

// Climbs from parameters[] (within the bounds) to a maximum of the likelihood by Fisher's scoring
// with Levenberg-Marquardt damping. Returns the log-likelihood there, and the parameters.
// information, unless NULL, gets the expected information, parameters x parameters by rows.
double spectral_climb(const struct banded_model *model, const struct banded_spectrum *bands,
		      double *parameters, double *information);

// The variance of the last parameter, from the information of all that are not at a bound, which it
// changes: the last of its inverse's diagonal, by eliminating the others. Infinite where it has
// none.
double spectral_last_variance(const struct banded_model *model, const double *parameters,
			      double *information);

#endif
