// SPDX-License-Identifier: GPL-3.0-or-later
// One way of spreading a two-dimensional transform over processes, the program around it.
#ifndef FFT_ALGORITHM_H
#define FFT_ALGORITHM_H

#include <fftw3.h>
#include <stdbool.h>

#include "job.h"

#define ALGORITHM_SIZE "side of the square image, points"
#define ALGORITHM_N 256

struct algorithm {
	struct job_program program; // of size ALGORITHM_SIZE, n ALGORITHM_N; run: algorithm_run
	// The forward transform, unnormalised, of n*n points in row order. Every process calls it;
	// image (read) and result (written whole) are looked at on the controller, rank 0, only.
	void (*forward)(void *state, const fftwf_complex *image, fftwf_complex *result);
};

// The transforms of an algorithm, of which program is the first member, and their checks.
int algorithm_run(const struct job *job, const struct job_program *program, void *state);

// Floating point operations of a complex transform of so many points in all, as they are
// counted by convention: 5 points log2(length) for one-dimensional transforms of that length.
double phase_flops(double points, double length);

#endif
