// SPDX-License-Identifier: GPL-3.0-or-later
// The fit: J. Beran, A goodness-of-fit test for time series with long range dependence, Journal of the Royal Statistical
// Society B 54 (1992) 749-760, theorem 2. The statistic is that of the frequencies of the lower half, each standing for two;
// its normal limit calls 5 of 1000 such series of 512 points one in a thousand, so its law is that of exponential ratios.
#include "stat/condensed_spectrum.h"

#include <math.h>

#include "stat/greenwood.h"

void condensed_spectrum_make(struct condensed_spectrum *out, const struct spectrum *spectrum, struct band band)
{
	struct condensed_values values = {.base = spectrum->power + band.first, .stride = 1};
	struct condensed_places places;

	condensed_places_make(&places, band.first, band.last);
	out->frequencies = band.last - band.first + 1;
	out->count = places.count;
	for (size_t q = 0; q < places.count; q++)
		out->frequency[q] = 2 * M_PI * places.at[q] / (double)spectrum->n;
	condensed_weights(&places, &values, out->power);
	values.squared = true;
	condensed_weights(&places, &values, out->squares);
	condensed_weights(&places, &(struct condensed_values){0}, out->counts);
}

double condensed_spectrum_fit(const struct condensed_spectrum *band, const double *shape)
{
	double sum = 0, squares = 0;

	for (size_t q = 0; q < band->count; q++) {
		sum += band->power[q] / shape[q];
		squares += band->squares[q] / (shape[q] * shape[q]);
	}
	return greenwood_p(squares / (sum * sum), (double)band->frequencies);
}
