// SPDX-License-Identifier: GPL-3.0-or-later
// Fisher's test of the largest ordinate of a periodogram.
#ifndef STAT_FISHER_G_H
#define STAT_FISHER_G_H

#include <stddef.h>

// Probability that the largest of q independent exponential variables is at least the share g of their sum, q > 0,
// 0 <= g <= 1: the exact level of Fisher's g for a white spectrum. Absolute error below 1e-8.
double fisher_g_p(double g, size_t q);

// Fisher's g of ordinates[q] >= 0 and how many lines it finds: while p <= level the largest ordinate is a line and is set
// to 0, and the test is repeated on the others.
struct fisher_g {
	double g, p;	// of the first, largest ordinate; NaN where all are 0
	size_t largest; // its index
	size_t lines;	// at most lines_max
};
struct fisher_g fisher_g_test(double *ordinates, size_t q, double level, size_t lines_max);

#endif
