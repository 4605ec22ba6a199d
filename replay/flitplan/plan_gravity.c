// SPDX-License-Identifier: GPL-3.0-or-later
// The gravity model, in which what a port sends goes to the others in proportion to what they
// receive (Zhang, Roughan, Duffield and Greenberg 2003), for ports that send themselves nothing:
// x[i][j] = a[i] b[j] for i != j. The factors are found by fitting rows and columns in turn (Deming
// and Stephan 1940).
#include <math.h>

#include "plan_rates.h"

#define FITS_MAX 10000u

double plan_gravity_sum(const double *values, uint32_t count)
{
	double sum = 0;

	for (uint32_t i = 0; i < count; i++)
		sum += values[i];
	return sum;
}

double plan_gravity_fit(const double *sent, const double *received, uint32_t ports, double *a,
			double *b)
{
	const double total = plan_gravity_sum(sent, ports);
	uint32_t fits = FITS_MAX;
	double worst = 1;

	for (uint32_t i = 0; i < ports; i++)
		if (sent[i] + received[i] > total * (1 + 1e-9))
			fits = 1;
	for (uint32_t j = 0; j < ports; j++)
		b[j] = received[j];
	for (uint32_t fit = 0; fit < fits && worst > 1e-9; fit++) {
		double all = plan_gravity_sum(b, ports);

		for (uint32_t i = 0; i < ports; i++)
			a[i] = all - b[i] > 0 ? sent[i] / (all - b[i]) : 0;
		all = plan_gravity_sum(a, ports);
		worst = 0;
		for (uint32_t j = 0; j < ports; j++) {
			const double others = all - a[j];

			if (received[j] > 0)
				worst = fmax(worst, fabs(b[j] * others / received[j] - 1));
			if (worst > 1e-9 && fit + 1 < fits)
				b[j] = others > 0 ? received[j] / others : 0;
		}
	}
	return worst;
}
