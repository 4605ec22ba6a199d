// SPDX-License-Identifier: GPL-3.0-or-later
// The statistic is that of the frequencies of the lower half, each standing for two; its normal limit calls 5 of 1000 such
// series of 512 points one in a thousand, so its law is that of exponential ratios.
#include "stat/whittle_fit.h"

#include "stat/greenwood.h"

double whittle_fit(const struct condensed_spectrum *band, const double *shape)
{
	double sum = 0, squares = 0;

	for (size_t q = 0; q < band->count; q++) {
		sum += band->power[q] / shape[q];
		squares += band->squares[q] / (shape[q] * shape[q]);
	}
	return greenwood_p(squares / (sum * sum), (double)band->frequencies);
}
