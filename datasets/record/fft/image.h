// SPDX-License-Identifier: GPL-3.0-or-later
// The image that is transformed, and the judgement of the result.
#ifndef FFT_IMAGE_H
#define FFT_IMAGE_H

#include <fftw3.h>
#include <stdint.h>

// Fills n*n points with samples of 8 bits, k/128 for k uniform in -128 .. 127, a function of the
// seed alone.
void image_fill(fftwf_complex *image, int n, uint64_t seed);

// A number uniform in (0, 1]; *state steps on. SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
double image_uniform(uint64_t *state);

// The distance of result from the serial transform of image, both n*n points, relative to that
// transform: sqrt(sum |r - s|^2 / sum |s|^2). Negative: no memory.
double image_distance(const fftwf_complex *image, const fftwf_complex *result, int n);

// The largest distance that rounding explains in a single precision transform of n*n points:
// FLT_EPSILON log2(n*n). A single wrong point of average size gives 1/n.
double image_tolerance(int n);

#endif
