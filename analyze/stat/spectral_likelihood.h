// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a parametric spectrum, and where it is largest.
#ifndef STAT_SPECTRAL_LIKELIHOOD_H
#define STAT_SPECTRAL_LIKELIHOOD_H

#include <stddef.h>

#include "stat/banded_spectrum.h"

#define BANDED_PARAMETERS_MAX 8

// A spectrum with free parameters, each within its bounds.
struct banded_model {
	size_t parameters;
	double low[BANDED_PARAMETERS_MAX], high[BANDED_PARAMETERS_MAX];
	// Fills out[bands->count] with the spectrum, above 0.
	void (*spectrum)(const void *context, const double *parameters, const struct banded_spectrum *bands, double *out);
	const void *context;
};

// Log-likelihood of the spectrum values[bands->count] (Whittle 1953): minus the sum over the ordinates of log f + I / f.
double spectral_likelihood(const struct banded_spectrum *bands, const double *values);

// Half the deviance over what it is expected to be when the spectrum is right, less the parameters: near 1 for a
// spectrum that fits a Gaussian series, larger otherwise.
double spectral_dispersion(const struct banded_spectrum *bands, const double *values, size_t parameters);

// Climbs from parameters[] (within the bounds) to a maximum of the likelihood by Fisher's scoring, damped as Levenberg
// and Marquardt do. Returns the log-likelihood there, and the parameters. information, where it is not NULL, gets the
// expected information, parameters x parameters by rows.
double spectral_climb(const struct banded_model *model, const struct banded_spectrum *bands, double *parameters,
		      double *information);

#endif
