// SPDX-License-Identifier: GPL-3.0-or-later
// Hosking, Fractional differencing, Biometrika 68 (1981) 165-176; by transforms of twice the
// length:
// Jensen and Nielsen, A fast fractional difference algorithm, Journal of Time Series Analysis 35
// (2014) 428-436.
#include "fractional_difference.h"

#include <fftw3.h>
#include <stdbool.h>
#include <stdlib.h>

struct fractional_difference {
	size_t n;
	size_t length;	   // of the transforms
	double *series;	   // transformed
	double *filter;	   // the same room for the coefficients
	fftw_plan forward; // of filter, in place
	fftw_plan back;
};

static size_t transform_length(size_t n)
{
	size_t length = 2;

	while (length < 2 * n)
		length *= 2;
	return length;
}

size_t fractional_difference_workspace(size_t n)
{
	return 2 * (transform_length(n) + 2);
}

static bool make_plans(struct fractional_difference *own)
{
	fftw_complex *filter = (fftw_complex *)(void *)own->filter;

	own->forward = fftw_plan_dft_r2c_1d((int)own->length, own->filter, filter,
					    FFTW_ESTIMATE | FFTW_UNALIGNED);
	own->back = fftw_plan_dft_c2r_1d((int)own->length, filter, own->filter,
					 FFTW_ESTIMATE | FFTW_UNALIGNED);
	return own->forward && own->back;
}

enum tr_status fractional_difference_open(struct fractional_difference **out, const double *x,
					  size_t n, double level, double *workspace,
					  struct tr_error *err)
{
	struct fractional_difference *own = calloc(1, sizeof(*own));

	if (!own)
		return tr_no_memory(err, "differences of %zu points", n);
	own->n = n;
	own->length = transform_length(n);
	own->series = workspace;
	own->filter = workspace + own->length + 2;
	if (!make_plans(own)) {
		fractional_difference_close(own);
		return tr_fail(err, "no Fourier transform for %zu points", n);
	}
	for (size_t i = 0; i < own->length; i++)
		own->series[i] = i < n ? x[i] - level : 0;
	fftw_execute_dft_r2c(own->forward, own->series, (fftw_complex *)(void *)own->series);
	*out = own;
	return TR_OK;
}

void fractional_difference_make(const struct fractional_difference *own, double d, double shift,
				double *y)
{
	const double scale = 1 / (double)own->length;
	double *filter = own->filter, sum = 0, coefficient = 1;

	filter[0] = 1;
	for (size_t k = 1; k < own->length; k++)
		filter[k] = k < own->n ? filter[k - 1] * ((double)k - 1 - d) / (double)k : 0;
	fftw_execute(own->forward);
	for (size_t k = 0; k <= own->length; k += 2) {
		const double real = filter[k], imaginary = filter[k + 1];

		filter[k] = scale * (real * own->series[k] - imaginary * own->series[k + 1]);
		filter[k + 1] = scale * (real * own->series[k + 1] + imaginary * own->series[k]);
	}
	fftw_execute(own->back);
	for (size_t t = 0; t < own->n; t++) {
		sum += coefficient;
		y[t] = filter[t] + shift * sum;
		coefficient *= ((double)t - d) / (double)(t + 1);
	}
}

void fractional_difference_close(struct fractional_difference *own)
{
	if (!own)
		return;
	if (own->forward)
		fftw_destroy_plan(own->forward);
	if (own->back)
		fftw_destroy_plan(own->back);
	free(own);
}
