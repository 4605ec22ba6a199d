// SPDX-License-Identifier: GPL-3.0-or-later
// The periodogram in bands of neighbouring frequencies, for fits that need few numbers of a long series.
#ifndef STAT_BANDED_SPECTRUM_H
#define STAT_BANDED_SPECTRUM_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/spectrum.h"

#define BANDS_MAX 384

// Band b: the mean power of ordinates[b] Fourier frequencies around frequency[b] (radians per point, their geometric
// mean), ascending. The scale of power is free: the mean over all ordinates is 1.
struct banded_spectrum {
	size_t n; // points of the series
	size_t count;
	double frequency[BANDS_MAX];
	double cosine[BANDS_MAX]; // of the frequency, and its logarithm
	double logarithm[BANDS_MAX];
	double power[BANDS_MAX];
	double ordinates[BANDS_MAX];
};

// Takes the frequencies first to last (1 <= first <= last <= spectrum->count): the lowest 16 each by itself, the others
// in bands of 1/12 octave. Leaves out those j with skip[j], where skip is not NULL. False where fewer than 16 bands
// are left, or no power.
bool banded_spectrum_make(struct banded_spectrum *bands, const struct spectrum *spectrum, size_t first, size_t last,
			  const bool *skip);

#endif
