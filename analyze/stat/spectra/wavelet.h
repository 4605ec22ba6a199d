// SPDX-License-Identifier: GPL-3.0-or-later
// Discrete wavelet transform: the details of a series by octave, and their energy for a power law.
#ifndef STAT_WAVELET_H
#define STAT_WAVELET_H

#include <stdbool.h>
#include <stddef.h>

#include "value/status.h"

// ---- Mallat's pyramid (Mallat 1989) with the filters of Daubechies 1992, of a series of any
// length. No boundary extension: coefficients that would need points beyond the ends are left out.

#define WAVELET_VANISHING_MAX 10
#define WAVELET_OCTAVES_MAX 48
#define WAVELET_TAPS_MAX (2 * WAVELET_VANISHING_MAX)

struct wavelet {
	size_t taps;
	double low[WAVELET_TAPS_MAX];
	double high[WAVELET_TAPS_MAX];
};

// Daubechies' wavelet with this many vanishing moments, 1 (Haar's) to 10. TR_ERROR for others.
enum tr_status wavelet_make(struct wavelet *wavelet, unsigned vanishing, struct tr_error *err);

// The same; 0 vanishing moments: 3.
enum tr_status wavelet_choose(struct wavelet *wavelet, unsigned vanishing, struct tr_error *err);

// Chooses a wavelet, and fills approximation[n] with x less its first point, for wavelet_step.
enum tr_status wavelet_start(struct wavelet *wavelet, unsigned vanishing, const double *x, size_t n,
			     double *approximation, struct tr_error *err);

// One octave up: approximation[n], n >= wavelet->taps, becomes the next octave's, and details[] its
// details. Returns the number of each.
size_t wavelet_step(const struct wavelet *wavelet, double *approximation, size_t n,
		    double *details);

// energy[j - 1]: mean of the squared details of octave j, 1 <= j <= the returned number;
// count[j - 1]: how many there are, at least 1. room[n / 2] is workspace.
size_t wavelet_energies(const struct wavelet *wavelet, const double *x, size_t n, double *room,
			double energy[WAVELET_OCTAVES_MAX], size_t count[WAVELET_OCTAVES_MAX]);

// The octave, counted from 1, below which sampling of the series disturbs Daubechies' wavelets.
size_t wavelet_undisturbed_octave(size_t n);

// The octave, counted from 1, below which short dependence and sampling are assumed to dominate:
// its periods are as long as those of the lowest n^.65 frequencies.
size_t wavelet_first_octave(size_t n);

// ---- The wavelet energy of a power law (Veitch and Abry 1999).

// The integral over all frequencies u of |u|^-alpha |psi(u)|^2, psi the transform of the wavelet:
// the mean squared detail of octave j of a series of the density c |nu|^-alpha, nu in cycles per
// point, is c times it times 2^(j alpha). -1 < alpha < 2, relative error about 1e-4. *slope is the
// derivative of its binary logarithm by alpha.
double wavelet_constant(const struct wavelet *wavelet, double alpha, double *slope);

#endif
