// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/rectified_normal.h"

#include <math.h>

// Means over deviations of the normal law, from the least (a few in 1e16 are above 0) to one that has nothing below 0.
#define LEAST (-8.0)
#define MOST 9.0
#define HALVINGS 60

// Mean of what is left of a normal law of this mean and deviation 1; *square: that of its square.
static double moments(double mean, double *square)
{
	const double density = exp(-0.5 * mean * mean) / sqrt(2 * M_PI), above = 0.5 * erfc(-mean / M_SQRT2);

	*square = (mean * mean + 1) * above + mean * density;
	return mean * above + density;
}

struct rectified_normal rectified_normal_of(double mean, double deviation)
{
	double low = LEAST, high = MOST, left, square;

	if (!(deviation * MOST > mean))
		return (struct rectified_normal){mean, deviation, 0};
	for (int i = 0; i < HALVINGS; i++) { // what is left varies the more, the lower the mean
		const double middle = (low + high) / 2;

		left = moments(middle, &square);
		if (square / (left * left) - 1 > deviation / mean * (deviation / mean))
			low = middle;
		else
			high = middle;
	}
	left = moments(low, &square);
	return (struct rectified_normal){low * mean / left, mean / left, 0.5 * erfc(low / M_SQRT2)};
}
