// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/intervals/ranks.h"
#include "value/order.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGIT_BITS 8
#define DIGITS (64 / DIGIT_BITS)
#define VALUES (1u << DIGIT_BITS)
#define RADIX_LEAST 256u // numbers: fewer are sorted by comparison

static unsigned digit_of(uint64_t x, unsigned digit)
{
	return (unsigned)(x >> (digit * DIGIT_BITS)) & (VALUES - 1);
}

// By each digit in turn, the last first; digits that are equal everywhere are skipped. room of n.
static void sort_by_digits(uint64_t *x, size_t n, uint64_t *room)
{
	size_t counts[DIGITS][VALUES] = {{0}};
	uint64_t *from = x, *to = room;

	for (size_t i = 0; i < n; i++)
		for (unsigned d = 0; d < DIGITS; d++)
			counts[d][digit_of(x[i], d)]++;
	for (unsigned d = 0; d < DIGITS; d++) {
		uint64_t *const sorted = to;

		if (counts[d][digit_of(x[0], d)] == n)
			continue;
		for (size_t v = 0, at = 0; v < VALUES; v++) {
			const size_t count = counts[d][v];

			counts[d][v] = at;
			at += count;
		}
		for (size_t i = 0; i < n; i++)
			sorted[counts[d][digit_of(from[i], d)]++] = from[i];
		to = from;
		from = sorted;
	}
	if (from != x)
		memcpy(x, from, n * sizeof(*x));
}

void rising_sort_whole(uint64_t *x, size_t n)
{
	uint64_t *room = n < RADIX_LEAST ? NULL : malloc(n * sizeof(*room));

	if (room)
		sort_by_digits(x, n, room);
	else if (n > 1)
		qsort(x, n, sizeof(*x), order_u64);
	free(room);
}

#define SIGN (UINT64_C(1) << 63)

// The bits of doubles as whole numbers in the same order: those below 0 are inverted, the others
// lie above them.
void rising_sort(double *x, size_t n)
{
	uint64_t *room = n < RADIX_LEAST ? NULL : malloc(2 * n * sizeof(*room));

	if (!room) {
		if (n > 1)
			qsort(x, n, sizeof(*x), order_double);
		return;
	}
	memcpy(room, x, n * sizeof(*x));
	for (size_t i = 0; i < n; i++)
		room[i] = room[i] & SIGN ? ~room[i] : room[i] | SIGN;
	sort_by_digits(room, n, room + n);
	for (size_t i = 0; i < n; i++)
		room[i] = room[i] & SIGN ? room[i] & ~SIGN : ~room[i];
	memcpy(x, room, n * sizeof(*x));
	free(room);
}

// ---- normal scores
// Van der Waerden, Order tests for the two-sample problem, Indagationes Mathematicae 14 (1952)
// 453-458. The scores of independent values, and of any increasing function of a Gaussian series,
// are those of a Gaussian series of the same order: the exponential of fractional Gaussian noise
// keeps its H.

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
