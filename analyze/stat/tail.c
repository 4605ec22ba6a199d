// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/tail.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

struct tail tail_of_share(const double *rising, size_t n, double share)
{
	struct tail tail = {rising, n, 0};
	size_t positive = 0;

	while (positive < n && rising[n - positive - 1] > 0)
		positive++;
	if (positive < 2)
		return tail;
	tail.k = (size_t)fmax(1, floor(share * (double)positive));
	if (tail.k >= positive)
		tail.k = positive - 1;
	return tail;
}

struct tail_index tail_index_make(double index, double se, double level)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);

	return (struct tail_index){index, se, index - z * se, index + z * se};
}
