// SPDX-License-Identifier: GPL-3.0-or-later
// For independent deviations whose variance at time t is e(t) the transforms at frequencies k ordinates apart have the
// covariance sum of e(t) exp(-2 pi i k t / n), so that their powers are correlated by |that / sum of e(t)|^2 (Isserlis;
// Brillinger, Time Series (1981), theorem 4.3.1 with the cumulants left in). e(t) is taken from squared differences of
// neighbours, which a slow change of the mean does not enter, over 1024 blocks.
#include "stat/ordinate_correlation.h"

#include <math.h>

#include "stat/fourier.h"

#define BLOCKS (2 * ORDINATE_LAGS)
#define NOISE 3.0 // n times the correlation that evenly spread Gaussian differences show

static void fill_energies(const double *x, size_t n, double *energies, size_t blocks)
{
	for (size_t b = 0; b < blocks; b++) {
		const size_t begin = b * (n - 1) / blocks, end = (b + 1) * (n - 1) / blocks;

		energies[b] = 0;
		for (size_t i = begin; i < end; i++)
			energies[b] += (x[i + 1] - x[i]) * (x[i + 1] - x[i]);
	}
}

static void fill_correlation(struct ordinate_correlation *out, const fftw_complex *pairs, size_t n)
{
	const double all = pairs[0][0] * pairs[0][0];

	out->at[0] = 1;
	out->sum[0] = out->moment[0] = 0;
	for (size_t k = 1; k < out->lags; k++) {
		const double power = pairs[k][0] * pairs[k][0] + pairs[k][1] * pairs[k][1];

		out->at[k] = all > 0 ? fmax(0, power / all - NOISE / (double)n) : 0;
		out->sum[k] = out->sum[k - 1] + out->at[k];
		out->moment[k] = out->moment[k - 1] + (double)k * out->at[k];
	}
	out->far = (out->sum[out->lags - 1] - out->sum[3 * out->lags / 4 - 1]) / (double)(out->lags - 3 * out->lags / 4);
}

enum tr_status ordinate_correlation_make(struct ordinate_correlation *out, const double *x, size_t n, struct tr_error *err)
{
	const size_t blocks = n / 4 < BLOCKS ? n / 8 * 2 : BLOCKS;
	double room[BLOCKS + 2];
	fftw_complex *pairs = (fftw_complex *)(void *)room;

	fill_energies(x, n, room, blocks);
	if (fourier_transform(room, blocks, err) != TR_OK)
		return TR_ERROR;
	out->lags = blocks / 2;
	fill_correlation(out, pairs, n);
	return TR_OK;
}

double ordinate_correlation_at(const struct ordinate_correlation *correlation, double lag)
{
	return lag < (double)correlation->lags - 0.5 ? correlation->at[(size_t)(lag + 0.5)] : correlation->far;
}

double ordinate_inflation(const struct ordinate_correlation *correlation, double width)
{
	const double inside = fmin(floor(width) - 1, (double)correlation->lags - 1);
	double beyond;
	size_t k;

	if (!(inside >= 1))
		return 1;
	k = (size_t)inside;
	beyond = fmax(0, width - 1 - inside);
	return fmin(width, 1 + 2 * (correlation->sum[k] - correlation->moment[k] / width) +
				   correlation->far * beyond * beyond / width);
}
