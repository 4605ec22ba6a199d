// SPDX-License-Identifier: GPL-3.0-or-later
#include "quantiles.h"

#include <math.h>

// Values below 512 have a bin each; octave k above has 512 bins 2^k wide.
static uint32_t bin_of(uint64_t value)
{
	unsigned octave;

	if (value < QUANTILES_OCTAVE)
		return (uint32_t)value;
	octave = 63u - (unsigned)__builtin_clzll(value) - 9;
	return QUANTILES_OCTAVE * (octave + 1) + (uint32_t)((value >> octave) - QUANTILES_OCTAVE);
}

static int64_t middle_of(uint32_t bin)
{
	unsigned octave;
	uint64_t low;

	if (bin < QUANTILES_OCTAVE)
		return bin;
	octave = bin / QUANTILES_OCTAVE - 1;
	low = (uint64_t)(bin % QUANTILES_OCTAVE + QUANTILES_OCTAVE) << octave;
	return (int64_t)(low + ((uint64_t)1 << octave) / 2);
}

void quantiles_add(struct quantiles *quantiles, int64_t value)
{
	if (quantiles->n == 0 || value < quantiles->min)
		quantiles->min = value;
	if (quantiles->n == 0 || value > quantiles->max)
		quantiles->max = value;
	quantiles->n++;
	quantiles->bins[bin_of((uint64_t)value)]++;
}

int64_t quantiles_get(const struct quantiles *quantiles, double p)
{
	double rank = ceil(p * (double)quantiles->n);
	uint64_t want = rank < 1 ? 1 : (uint64_t)rank;
	uint64_t seen = 0;
	uint32_t bin = 0;
	int64_t value;

	if (quantiles->n == 0)
		return -1;
	while (bin < QUANTILES_BINS - 1 && seen + quantiles->bins[bin] < want)
		seen += quantiles->bins[bin++];
	value = middle_of(bin);
	if (value < quantiles->min)
		return quantiles->min;
	return value > quantiles->max ? quantiles->max : value;
}
