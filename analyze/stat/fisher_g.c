// SPDX-License-Identifier: GPL-3.0-or-later
// R. A. Fisher, Tests of significance in harmonic analysis, Proc. R. Soc. A 125 (1929) 54-59:
// P(g > x) = sum over k >= 1, k x < 1, of (-1)^(k-1) C(q, k) (1 - k x)^(q-1).
// Known values: the 5 % points .68377 of q = 5, .44495 of 10 and .13135 of 50 of his table.
#include "stat/fisher_g.h"

#include <math.h>

// Beyond so many expected exceedances one is certain to 1e-8, and the alternating sum loses its digits.
#define CERTAIN 20.0L

double fisher_g_p(double g, size_t q)
{
	const long double share = g, points = (long double)q;
	long double log_ways = 0, sum = 0;

	if (!(g > 0) || points * expl((points - 1) * log1pl(-fminl(share, 1))) > CERTAIN)
		return 1;
	for (size_t k = 1; k <= q && (long double)k * share < 1; k++) {
		long double term;

		log_ways += logl((points - (long double)k + 1) / (long double)k);
		term = expl(log_ways + (points - 1) * log1pl(-(long double)k * share));
		sum += k % 2 ? term : -term;
		if (term < 1e-12L * sum && (long double)k > CERTAIN)
			break;
	}
	return (double)fminl(fmaxl(sum, 0), 1);
}

struct fisher_g fisher_g_test(double *ordinates, size_t q, double level, size_t lines_max)
{
	struct fisher_g test = {.g = NAN, .p = NAN};
	double sum = 0;

	for (size_t i = 0; i < q; i++)
		sum += ordinates[i];
	for (size_t left = q; left > 1 && sum > 0; left--) {
		size_t largest = 0;
		double p;

		for (size_t i = 1; i < q; i++)
			if (ordinates[i] > ordinates[largest])
				largest = i;
		p = fisher_g_p(ordinates[largest] / sum, left);
		if (left == q) {
			test.g = ordinates[largest] / sum;
			test.p = p;
			test.largest = largest;
		}
		if (!(p <= level) || test.lines == lines_max)
			break;
		test.lines++;
		sum -= ordinates[largest];
		ordinates[largest] = 0;
	}
	return test;
}
