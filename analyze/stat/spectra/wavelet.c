// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/wavelet.h"

#include <gsl/gsl_wavelet.h>
#include <math.h>

// ---- the transform
// Mallat's pyramid with Daubechies' filters, which GSL tabulates.

#define VANISHING 3

enum tr_status wavelet_make(struct wavelet *wavelet, unsigned vanishing, struct tr_error *err)
{
	const gsl_wavelet_type *type = vanishing == 1 ? gsl_wavelet_haar : gsl_wavelet_daubechies;
	const double *low, *high, *low_back, *high_back;
	size_t offset;

	// Uses GSL's tables directly: gsl_wavelet_alloc would only put them into a struct, and
	// might fail.
	if (vanishing < 1 || vanishing > WAVELET_VANISHING_MAX ||
	    type->init(&low, &high, &low_back, &high_back, &wavelet->taps, &offset,
		       2 * (size_t)vanishing) != 0)
		return tr_fail(err, "no wavelet has %u vanishing moments", vanishing);
	for (size_t i = 0; i < wavelet->taps; i++) {
		wavelet->low[i] = low[i];
		wavelet->high[i] = high[i];
	}
	return TR_OK;
}

enum tr_status wavelet_choose(struct wavelet *wavelet, unsigned vanishing, struct tr_error *err)
{
	return wavelet_make(wavelet, vanishing > 0 ? vanishing : VANISHING, err);
}

enum tr_status wavelet_start(struct wavelet *wavelet, unsigned vanishing, const double *x, size_t n,
			     double *approximation, struct tr_error *err)
{
	for (size_t i = 0; i < n; i++)
		approximation[i] = x[i] - x[0];
	return wavelet_choose(wavelet, vanishing, err);
}

// One octave up, of a minus level; up may be a. Returns the sum of the squared details.
static double wavelet_step_up(const struct wavelet *wavelet, const double *a, double level,
			      size_t count, double *up)
{
	double energy = 0;

	for (size_t k = 0; k < count; k++) {
		double low = 0, high = 0;

		for (size_t i = 0; i < wavelet->taps; i++) {
			const double value = a[2 * k + i] - level;

			low += wavelet->low[i] * value;
			high += wavelet->high[i] * value;
		}
		up[k] = low;
		energy += high * high;
	}
	return energy;
}

size_t wavelet_step(const struct wavelet *wavelet, double *approximation, size_t n, double *details)
{
	const size_t count = (n - wavelet->taps) / 2 + 1;

	for (size_t k = 0; k < count; k++) {
		double low = 0, high = 0;

		for (size_t i = 0; i < wavelet->taps; i++) {
			low += wavelet->low[i] * approximation[2 * k + i];
			high += wavelet->high[i] * approximation[2 * k + i];
		}
		approximation[k] = low;
		details[k] = high;
	}
	return count;
}

size_t wavelet_energies(const struct wavelet *wavelet, const double *x, size_t n, double *room,
			double energy[WAVELET_OCTAVES_MAX], size_t count[WAVELET_OCTAVES_MAX])
{
	size_t octaves = 0;

	while (n >= wavelet->taps && octaves < WAVELET_OCTAVES_MAX) {
		n = (n - wavelet->taps) / 2 + 1;
		energy[octaves] = wavelet_step_up(wavelet, octaves == 0 ? x : room,
						  octaves == 0 ? x[0] : 0, n, room) /
				  (double)n;
		count[octaves++] = n;
	}
	return octaves;
}

size_t wavelet_undisturbed_octave(size_t n)
{
	return n >= (size_t)1 << 22 ? 6 : n >= (size_t)1 << 18 ? 5 : 4;
}

size_t wavelet_first_octave(size_t n)
{
	return (size_t)fmax(4, 0.35 * log2((double)n));
}

// ---- a power law
// Veitch and Abry, A wavelet-based joint estimator of the parameters of long-range dependence, IEEE
// Transactions on Information Theory 45 (1999) 878-897: C(alpha, psi). The transform is the product
// of its filters' (Daubechies, Ten Lectures on Wavelets, 1992). Known answers: 1 at alpha = 0, and
// Haar's closed form, in tests/unit/stat_spectral_fit_test.c.

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
		const double part = squared_transform(wavelet, frequency) *
				    exp2(octave * (1 - alpha));

		sum += part;
		by_alpha -= part * octave;
	}
	*slope = by_alpha / sum;
	return 2 * sum * M_LN2 / STEPS;
}
