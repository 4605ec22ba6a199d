// SPDX-License-Identifier: GPL-3.0-or-later
// Filters a series through its Fourier transform.
#ifndef STAT_FOURIER_H
#define STAT_FOURIER_H

#include <fftw3.h>
#include <stddef.h>

#include "value/status.h"

// Doubles of workspace for n points.
size_t fourier_workspace(size_t n);

// Transforms in place: the n doubles at x become n / 2 + 1 pairs.
enum tr_status fourier_transform(double *x, size_t n, struct tr_error *err);

// Changes the pairs 0 to n / 2 of the unscaled transform.
typedef void fourier_change(fftw_complex *pairs, size_t n, void *context);

// Fills y[n] with the series whose transform is that of x[n] after change. y may be x.
enum tr_status fourier_filter(const double *x, size_t n, fourier_change *change, void *context,
			      double *workspace, double *y, struct tr_error *err);

#endif
