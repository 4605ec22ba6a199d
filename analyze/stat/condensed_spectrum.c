// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/condensed_spectrum.h"

#include <math.h>

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
