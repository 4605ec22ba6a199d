// SPDX-License-Identifier: GPL-3.0-or-later
// One way of spreading a two-dimensional transform over processes, the program around it.
#ifndef FFT_ALGORITHM_H
#define FFT_ALGORITHM_H

#include <fftw3.h>
#include <stdbool.h>

#include "job.h"

struct algorithm {
	const char *name;
	// Can an image of n x n points be spread over procs processes? Otherwise `needs` says what
	// must hold.
	bool (*fits)(int n, int procs);
	const char *needs;
	// Plans and buffers of one process. NULL: no memory. The job must live until close.
	void *(*open)(const struct job *job);
	// The forward transform, unnormalised, of n*n points in row order. Every process calls it;
	// image (read) and result (written whole) are looked at on the controller, rank 0, only.
	void (*forward)(void *state, const fftwf_complex *image, fftwf_complex *result);
	void (*close)(void *state);
};

// The program around an algorithm: options, repetitions, checks. Returns its exit status:
// 0 done, 1 a result differs from the serial transform, 2 could not.
int algorithm_main(int argc, char **argv, const struct algorithm *algorithm);

// Floating point operations of a complex transform of so many points in all, as they are
// counted by convention: 5 points log2(length) for one-dimensional transforms of that length.
double phase_flops(double points, double length);

#endif
