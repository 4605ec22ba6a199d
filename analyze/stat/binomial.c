// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/binomial.h"

#include "stat/beta.h"

double binomial_cdf(uint64_t k, uint64_t n, double p)
{
	if (k >= n)
		return 1;
	return incomplete_beta((double)(n - k), (double)k + 1, 1 - p, p);
}
