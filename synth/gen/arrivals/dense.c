// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/arrivals/dense.h"

#include <math.h>
#include <string.h>

void dense_multiply(unsigned n, const double *a, const double *b, double *out)
{
	memset(out, 0, sizeof(*out) * n * n);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < n; k++)
			for (unsigned j = 0; j < n; j++)
				out[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void swap_rows(unsigned n, double *a, unsigned i, unsigned j)
{
	for (unsigned k = 0; k < n && i != j; k++) {
		const double kept = a[i * n + k];

		a[i * n + k] = a[j * n + k];
		a[j * n + k] = kept;
	}
}

bool dense_invert(unsigned n, double *a, double *work)
{
	memset(work, 0, sizeof(*work) * n * n);
	for (unsigned i = 0; i < n; i++)
		work[i * n + i] = 1;
	for (unsigned c = 0; c < n; c++) {
		unsigned pivot = c;

		for (unsigned i = c + 1; i < n; i++)
			if (fabs(a[i * n + c]) > fabs(a[pivot * n + c]))
				pivot = i;
		if (!(fabs(a[pivot * n + c]) > 0))
			return false;
		swap_rows(n, a, c, pivot);
		swap_rows(n, work, c, pivot);
		const double scale = 1 / a[c * n + c];

		for (unsigned k = 0; k < n; k++) {
			a[c * n + k] *= scale;
			work[c * n + k] *= scale;
		}
		for (unsigned i = 0; i < n; i++) {
			const double by = a[i * n + c];

			for (unsigned k = 0; k < n && i != c; k++) {
				a[i * n + k] -= by * a[c * n + k];
				work[i * n + k] -= by * work[c * n + k];
			}
		}
	}
	memcpy(a, work, sizeof(*a) * n * n);
	return true;
}

void dense_stationary(unsigned n, double *q, double *row)
{
	double sum = 0;

	for (unsigned k = n; k-- > 1;) {
		double leaves = 0;

		for (unsigned j = 0; j < k; j++)
			leaves += q[k * n + j];
		for (unsigned i = 0; i < k; i++)
			q[i * n + k] /= leaves;
		for (unsigned i = 0; i < k; i++)
			for (unsigned j = 0; j < k; j++)
				if (i != j)
					q[i * n + j] += q[i * n + k] * q[k * n + j];
	}
	for (unsigned k = 0; k < n; k++) {
		row[k] = k == 0;
		for (unsigned i = 0; i < k; i++)
			row[k] += row[i] * q[i * n + k];
		sum += row[k];
	}
	for (unsigned k = 0; k < n; k++)
		row[k] /= sum;
}

double dense_fastest(unsigned n, const double *a)
{
	double most = 0;

	for (unsigned i = 0; i < n; i++)
		most = fmax(most, -a[i * n + i]);
	return most;
}

void dense_exponential(unsigned n, const double *a, double t_s, double *out, double *work)
{
	const double fastest = dense_fastest(n, a);
	double *term = work, *next = work + n * n;
	int squarings = 0;

	while (ldexp(fastest * t_s, -squarings) > 0.5)
		squarings++;
	const double step_s = ldexp(t_s, -squarings), stay = exp(-fastest * step_s);

	for (unsigned i = 0; i < n * n; i++)
		out[i] = term[i] = i % (n + 1) == 0 ? stay : 0;
	for (int k = 1; k <= 20; k++) {
		dense_multiply(n, term, a, next);
		for (unsigned i = 0; i < n * n; i++) {
			term[i] = (next[i] + fastest * term[i]) * step_s / k;
			out[i] += term[i];
		}
	}
	for (; squarings > 0; squarings--) {
		dense_multiply(n, out, out, next);
		memcpy(out, next, sizeof(*out) * n * n);
	}
}
