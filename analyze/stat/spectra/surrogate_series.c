// SPDX-License-Identifier: GPL-3.0-or-later
// Random series to compare with a measured one.
#include "stat/spectra/surrogate_series.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

#include "stat/spectra/fourier.h"

// ---- shuffles
// External and internal shuffling: Erramilli, Narayan and Willinger, Experimental queueing analysis
// with long-range dependent packet traffic, IEEE/ACM Transactions on Networking 4 (1996) 209-223.
// Orders: Fisher and Yates, as Durstenfeld has it, Communications of the ACM 7 (1964) 420.

static void swap(double *a, double *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const double kept = a[i];

		a[i] = b[i];
		b[i] = kept;
	}
}

// Puts count items of size doubles in random order.
static void shuffle_items(double *y, size_t count, size_t size, struct tr_random *random)
{
	for (size_t i = count; i > 1; i--) {
		const size_t other = (size_t)tr_random_below(random, i);

		if (other != i - 1)
			swap(y + other * size, y + (i - 1) * size, size);
	}
}

void shuffle_all(const double *x, size_t n, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	shuffle_items(y, n, 1, random);
}

void shuffle_external(const double *x, size_t n, size_t block, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	shuffle_items(y, n / block, block, random);
}

void shuffle_internal(const double *x, size_t n, size_t block, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	for (size_t begin = 0; begin < n; begin += block)
		shuffle_items(y + begin, n - begin < block ? n - begin : block, 1, random);
}

// ---- phases
// Theiler, Eubank, Longtin, Galdrikian and Farmer, Testing for nonlinearity in time series: the
// method of surrogate data, Physica D 58 (1992) 77-94.

size_t phase_surrogate_workspace(size_t n)
{
	return fourier_workspace(n);
}

static void turn(fftw_complex pair, double angle)
{
	const double real = pair[0], imaginary = pair[1];

	pair[0] = real * cos(angle) - imaginary * sin(angle);
	pair[1] = real * sin(angle) + imaginary * cos(angle);
}

static void turn_all(fftw_complex *pairs, size_t n, void *random)
{
	for (size_t j = 1; j <= (n - 1) / 2; j++)
		turn(pairs[j], 2 * M_PI * tr_random_unit(random));
}

enum tr_status phase_surrogate(const double *x, size_t n, struct tr_random *random,
			       double *workspace, double *y, struct tr_error *err)
{
	return fourier_filter(x, n, turn_all, random, workspace, y, err);
}

// ---- Poisson counts
// GSL's generator (Ahrens and Dieter, Computing 12 (1974) 223-246) over a named stream. Known
// values: mean and variance, in tests/unit/stat_poisson_draw_test.c.

static unsigned long get(void *random)
{
	return tr_random_u32(random);
}

static double get_unit(void *random)
{
	return tr_random_unit(random);
}

static void surrogate_series_set(void *random, unsigned long seed)
{
	(void)random;
	(void)seed;
}

void poisson_draw(double mean, struct tr_random *random, double *counts, size_t n)
{
	static const gsl_rng_type type = {.name = "named stream",
					  .max = UINT32_MAX,
					  .size = sizeof(*random),
					  .set = surrogate_series_set,
					  .get = get,
					  .get_double = get_unit};
	const gsl_rng source = {&type, random};

	for (size_t i = 0; i < n; i++)
		counts[i] = gsl_ran_poisson(&source, mean);
}
