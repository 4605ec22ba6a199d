// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/banded_spectrum.h"

#include <math.h>

#define SINGLE 16
#define WIDTH 1.0594630943592953 // 2^(1/12)
#define BANDS_MIN 16

static void add_band(struct banded_spectrum *bands, const struct spectrum *spectrum, size_t begin, size_t end, const bool *skip)
{
	double power = 0, logs = 0, ordinates = 0;

	for (size_t j = begin; j < end; j++) {
		if (skip && skip[j])
			continue;
		power += spectrum->power[j];
		ordinates++;
		logs += log((double)j);
	}
	if (ordinates == 0)
		return;
	bands->logarithm[bands->count] = log(2 * M_PI / (double)spectrum->n) + logs / ordinates;
	bands->frequency[bands->count] = exp(bands->logarithm[bands->count]);
	bands->cosine[bands->count] = cos(bands->frequency[bands->count]);
	bands->power[bands->count] = power / ordinates;
	bands->ordinates[bands->count++] = ordinates;
}

bool banded_spectrum_make(struct banded_spectrum *bands, const struct spectrum *spectrum, size_t first, size_t last,
			  const bool *skip)
{
	double power = 0, ordinates = 0;

	bands->n = spectrum->n;
	bands->count = 0;
	for (size_t begin = first, end; begin <= last && bands->count < BANDS_MAX; begin = end) {
		end = begin < SINGLE ? begin + 1 : (size_t)ceil((double)begin * WIDTH);
		add_band(bands, spectrum, begin, end <= last ? end : last + 1, skip);
	}
	for (size_t b = 0; b < bands->count; b++) {
		power += bands->power[b] * bands->ordinates[b];
		ordinates += bands->ordinates[b];
	}
	if (bands->count < BANDS_MIN || !(power > 0))
		return false;
	for (size_t b = 0; b < bands->count; b++)
		bands->power[b] *= ordinates / power;
	return true;
}
