// SPDX-License-Identifier: GPL-3.0-or-later
// Condensed sums, and a condensed band of a periodogram.
#include "stat/spectra/condensed.h"

#include <math.h>

#include "stat/counts/widest.h"

// ---- long sums
// Trefethen, Approximation Theory and Approximation Practice, SIAM 2013. The interpolant's
// coefficients are sums over the nodes, so its sum with the values is one over their Chebyshev
// moments.

#define CHUNK 1024

// Half an octave, cut at the ends.
struct condensed_stretch {
	size_t first, last;
	bool single; // its places are all its points
};

// The stretch that begins at first.
static struct condensed_stretch stretch_from(size_t first, size_t last)
{
	size_t octave = CONDENSED_SINGLE, end;

	if (first < CONDENSED_SINGLE) {
		end = CONDENSED_SINGLE;
	} else {
		while (2 * octave <= first)
			octave *= 2;
		end = first < octave + octave / 2 ? octave + octave / 2 : 2 * octave;
	}
	end = end - 1 < last ? end - 1 : last;
	return (struct condensed_stretch){
		first, end, first < CONDENSED_SINGLE || end - first < CONDENSED_DEGREE};
}

static double node(int q)
{
	return cos(M_PI * (q + 0.5) / CONDENSED_DEGREE);
}

void condensed_places_make(struct condensed_places *places, size_t first, size_t last)
{
	places->first = first;
	places->last = last;
	places->count = 0;
	while (first <= last) {
		const struct condensed_stretch stretch = stretch_from(first, last);
		const double middle = 0.5 * (double)(stretch.first + stretch.last);
		const double half = 0.5 * (double)(stretch.last - stretch.first);

		for (size_t j = stretch.first; stretch.single && j <= stretch.last; j++)
			places->at[places->count++] = (double)j;
		for (int q = 0; !stretch.single && q < CONDENSED_DEGREE; q++)
			places->at[places->count++] = middle + half * node(q);
		first = stretch.last + 1;
	}
}

// Fetches count values, starting skip after the first.
static void fetch(const struct condensed_values *values, size_t skip, size_t count, double *out)
{
	const double *from = values->base ? values->base + (ptrdiff_t)skip * values->stride : NULL;
	const ptrdiff_t stride = values->stride;

	for (ptrdiff_t i = 0; i < (ptrdiff_t)count; i++)
		out[i] = !from		       ? 1
			 : values->differenced ? from[i * stride] - from[(i + 1) * stride]
					       : from[i * stride] - values->level;
	for (size_t i = 0; values->squared && i < count; i++)
		out[i] *= out[i];
}

// Adds the moments of LANES x rows values at x[] by Chebyshev's polynomials.
WIDEST static void add_moments(const double *values, const double *x, size_t rows,
			       double moments[CONDENSED_DEGREE][LANES])
{
	for (size_t r = 0; r < rows; r++) {
		const double *v = values + r * LANES, *at = x + r * LANES;
		double before[LANES], own[LANES];

		for (int l = 0; l < LANES; l++) {
			before[l] = 1;
			own[l] = at[l];
			moments[0][l] += v[l];
			moments[1][l] += v[l] * at[l];
		}
		for (int k = 2; k < CONDENSED_DEGREE; k++)
			for (int l = 0; l < LANES; l++) {
				const double next = 2 * at[l] * own[l] - before[l];

				before[l] = own[l];
				own[l] = next;
				moments[k][l] += v[l] * next;
			}
	}
}

static void condense(const struct condensed_stretch *stretch, size_t skip,
		     const struct condensed_values *values, double *weights)
{
	const double middle = 0.5 * (double)(stretch->first + stretch->last);
	const double half = 0.5 * (double)(stretch->last - stretch->first);
	double moments[CONDENSED_DEGREE][LANES] = {{0}}, v[CHUNK], x[CHUNK];

	for (size_t j = stretch->first; j <= stretch->last; j += CHUNK) {
		const size_t left = stretch->last - j + 1, count = left < CHUNK ? left : CHUNK;
		const size_t rows = (count + LANES - 1) / LANES;

		fetch(values, skip + j - stretch->first, count, v);
		for (size_t i = 0; i < rows * LANES; i++) {
			x[i] = ((double)(j + i) - middle) / half;
			v[i] = i < count ? v[i] : 0;
		}
		add_moments(v, x, rows, moments);
	}
	for (int q = 0; q < CONDENSED_DEGREE; q++) {
		const double angle = M_PI * (q + 0.5) / CONDENSED_DEGREE;

		weights[q] = lanes_sum(moments[0]) / CONDENSED_DEGREE;
		for (int k = 1; k < CONDENSED_DEGREE; k++)
			weights[q] += 2 * lanes_sum(moments[k]) * cos(k * angle) / CONDENSED_DEGREE;
	}
}

void condensed_weights(const struct condensed_places *places, const struct condensed_values *values,
		       double *weights)
{
	for (size_t first = places->first; first <= places->last;) {
		const struct condensed_stretch stretch = stretch_from(first, places->last);
		const size_t count = stretch.last - stretch.first + 1;

		if (stretch.single)
			fetch(values, first - places->first, count, weights);
		else
			condense(&stretch, first - places->first, values, weights);
		weights += stretch.single ? count : CONDENSED_DEGREE;
		first = stretch.last + 1;
	}
}

// ---- Greenwood's statistic
// Greenwood, The statistical study of infectious diseases, Journal of the Royal Statistical Society
// 109 (1946) 85-110; its moments are those of Dirichlet's law (Moran, Journal of the Royal
// Statistical Society B 9 (1947) 92-98). The law is skewed even for thousands of values: in
// simulations a lognormal law with the same three moments is indistinguishable.

double greenwood_p(double g, double count)
{
	const double m = count, two = (m + 1) * (m + 2) * (m + 3);
	const double mean = 2 / (m + 1), second = (24 + 4 * (m - 1)) / two;
	const double third = (720 + 144 * (m - 1) + 8 * (m - 1) * (m - 2)) /
			     (two * (m + 4) * (m + 5));
	const double variance = second - mean * mean;
	const double skew = (third - 3 * mean * second + 2 * mean * mean * mean) /
			    pow(variance, 1.5);
	// exp(sigma^2) of the lognormal law with this skewness.
	const double root = cbrt(1 + skew * skew / 2 + skew * sqrt(1 + skew * skew / 4));
	const double spread = root + 1 / root - 1, sigma2 = log(spread);
	const double mu = -0.5 * log(spread * (spread - 1));
	const double y = (g - mean) / sqrt(variance) + exp(mu + sigma2 / 2);

	return y > 0 ? 0.5 * erfc((log(y) - mu) / sqrt(2 * sigma2)) : 1;
}

// ---- a band of a periodogram
// The fit: J. Beran, A goodness-of-fit test for time series with long range dependence, Journal of
// the Royal Statistical Society B 54 (1992) 749-760. The statistic is over the lower half of the
// frequencies, each counted twice; by its normal limit 5 of 1000 such series of 512 points would be
// one in a thousand, so the law of exponential ratios is used.

void condensed_spectrum_make(struct condensed_spectrum *out, const struct spectrum *spectrum,
			     struct band band)
{
	struct condensed_values values = {.base = spectrum->power + band.first, .stride = 1};
	struct condensed_places places;

	condensed_places_make(&places, band.first, band.last);
	out->frequencies = band.last - band.first + 1;
	out->count = places.count;
	for (size_t q = 0; q < places.count; q++)
		out->frequency[q] = 2 * M_PI * places.at[q] / (double)spectrum->n;
	condensed_weights(&places, &values, out->power);
	values.squared = true;
	condensed_weights(&places, &values, out->squares);
	condensed_weights(&places, &(struct condensed_values){0}, out->counts);
}

double condensed_spectrum_fit(const struct condensed_spectrum *band, const double *shape)
{
	double sum = 0, squares = 0;

	for (size_t q = 0; q < band->count; q++) {
		sum += band->power[q] / shape[q];
		squares += band->squares[q] / (shape[q] * shape[q]);
	}
	return greenwood_p(squares / (sum * sum), (double)band->frequencies);
}
