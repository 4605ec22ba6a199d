// SPDX-License-Identifier: GPL-3.0-or-later
#include "image.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

double image_uniform(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	z ^= z >> 31;
	return ((double)(z >> 11) + 1) * 0x1p-53;
}

static float sample(uint64_t *state)
{
	return (float)((ceil(256 * image_uniform(state)) - 129) / 128);
}

void image_fill(fftwf_complex *image, int n, uint64_t seed)
{
	size_t points = (size_t)n * (size_t)n;

	for (size_t i = 0; i < points; i++) {
		image[i][0] = sample(&seed);
		image[i][1] = sample(&seed);
	}
}

static double square_sum(const fftwf_complex *a, const fftwf_complex *b, size_t points)
{
	double sum = 0;

	for (size_t i = 0; i < points; i++) {
		double re = (double)a[i][0] - (b ? (double)b[i][0] : 0);
		double im = (double)a[i][1] - (b ? (double)b[i][1] : 0);

		sum += re * re + im * im;
	}
	return sum;
}

double image_distance(const fftwf_complex *image, const fftwf_complex *result, int n)
{
	size_t points = (size_t)n * (size_t)n;
	fftwf_complex *serial = fftwf_alloc_complex(points);
	fftwf_plan plan;
	double distance;

	if (!serial)
		return -1;
	plan = fftwf_plan_dft_2d(n, n, serial, serial, FFTW_FORWARD, FFTW_ESTIMATE);
	memcpy(serial, image, points * sizeof(*serial));
	fftwf_execute(plan);
	distance = sqrt(square_sum(result, serial, points) / square_sum(serial, NULL, points));
	fftwf_destroy_plan(plan);
	fftwf_free(serial);
	return distance;
}

double image_tolerance(int n)
{
	return (double)FLT_EPSILON * 2 * log2(n);
}
