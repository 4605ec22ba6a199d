// SPDX-License-Identifier: GPL-3.0-or-later
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE Transactions on Information
// Theory 45 (1999) 878-897: C(alpha, psi). The transform is the product of its filters' (Daubechies, Ten Lectures on Wavelets,
// 1992, equation 5.1.18). Known answers: 1 at alpha = 0, and Haar's closed form, in tests/unit/stat_spectral_fit_test.c.
#include "stat/wavelet_constant.h"

#include <math.h>

#define LOW (-14) // log2 of the frequencies integrated over
#define HIGH 8
#define STEPS 128 // an octave

// Squared gain of a filter at a frequency in cycles per tap.
static double gain(const double *taps, size_t count, double frequency)
{
	double even = 0, odd = 0;

	for (size_t i = 0; i < count; i++) {
		even += taps[i] * cos(2 * M_PI * frequency * (double)i);
		odd += taps[i] * sin(2 * M_PI * frequency * (double)i);
	}
	return (even * even + odd * odd) / 2;
}

static double squared_transform(const struct wavelet *wavelet, double frequency)
{
	double product = gain(wavelet->high, wavelet->taps, frequency / 2);

	for (double f = frequency / 4; f > frequency / 4 * 0x1p-24 && f > 0x1p-16; f /= 2)
		product *= gain(wavelet->low, wavelet->taps, f);
	return product;
}

double wavelet_constant(const struct wavelet *wavelet, double alpha, double *slope)
{
	double sum = 0, by_alpha = 0;

	for (int i = LOW * STEPS; i <= HIGH * STEPS; i++) {
		const double octave = (double)i / STEPS, frequency = exp2(octave);
		const double part = squared_transform(wavelet, frequency) * exp2(octave * (1 - alpha));

		sum += part;
		by_alpha -= part * octave;
	}
	*slope = by_alpha / sum;
	return 2 * sum * M_LN2 / STEPS;
}
