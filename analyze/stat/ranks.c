// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/ranks.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int rising(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

void rising_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), rising);
}

// ---- normal scores
// Van der Waerden, Order tests for the two-sample problem, Indagationes Mathematicae 14 (1952) 453-458. The scores of
// independent values, and of any increasing function of a Gaussian series, are those of a Gaussian series of the same order:
// the exponential of fractional Gaussian noise keeps its H.

// How many of sorted[n] are below value, or, if equal, not above it.
static size_t count_below(const double *sorted, size_t n, double value, bool equal)
{
	size_t low = 0, high = n;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (sorted[middle] < value || (equal && sorted[middle] <= value))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void normal_scores(const double *x, size_t n, double *workspace, double *y)
{
	memcpy(workspace, x, n * sizeof(*x));
	rising_sort(workspace, n);
	for (size_t i = 0; i < n; i++) {
		const double below = (double)count_below(workspace, n, x[i], false);
		const double not_above = (double)count_below(workspace, n, x[i], true);

		y[i] = gsl_cdf_ugaussian_Pinv((below + not_above) / (2 * (double)n));
	}
}

double kurtosis(const double *x, size_t n)
{
	double mean = 0, squares = 0, fourths = 0;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] - x[0]) / (double)n;
	for (size_t i = 0; i < n; i++) {
		const double square = (x[i] - x[0] - mean) * (x[i] - x[0] - mean);

		squares += square;
		fourths += square * square;
	}
	return squares > 0 ? (double)n * fourths / (squares * squares) : NAN;
}

const double *scores_if_heavy(const double *x, size_t n, double *workspace)
{
	if (!(kurtosis(x, n) > KURTOSIS_HEAVY))
		return x;
	normal_scores(x, n, workspace + n, workspace);
	return workspace;
}
