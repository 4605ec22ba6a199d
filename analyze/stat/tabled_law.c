// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tabled_law.h"

#include <math.h>

#define P_MIN 1e-6

const double tabled_law_levels[TABLED_LAW_LEVELS] = {0.5, 0.25, 0.1, 0.05, 0.025, 0.01, 0.005, 0.001};

double tabled_law_p(const double quantiles[TABLED_LAW_LEVELS], double statistic)
{
	size_t i = 0;
	double share;

	if (isnan(statistic))
		return NAN;
	while (i + 2 < TABLED_LAW_LEVELS && quantiles[i + 1] < statistic)
		i++;
	share = (statistic - quantiles[i]) / (quantiles[i + 1] - quantiles[i]);
	return fmin(1, fmax(P_MIN, tabled_law_levels[i] * pow(tabled_law_levels[i + 1] / tabled_law_levels[i], share)));
}
