// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/banded_spectrum.h"

#include <gsl/gsl_sf_psi.h>
#include <math.h>
#include <string.h>

#include "stat/spectra/cholesky.h"

#define BANDS_MIN BANDS_SINGLE

static void banded_spectrum_add_band(struct banded_spectrum *bands, const struct spectrum *spectrum,
				     size_t begin, size_t end, const bool *skip)
{
	double power = 0, logs = 0, ordinates = 0;

	for (size_t j = begin; j < end; j++) {
		if (skip && skip[j])
			continue;
		power += spectrum->power[j];
		ordinates++;
		logs += log((double)j);
	}
	if (ordinates == 0)
		return;
	bands->logarithm[bands->count] = log(2 * M_PI / (double)spectrum->n) + logs / ordinates;
	bands->frequency[bands->count] = exp(bands->logarithm[bands->count]);
	bands->cosine[bands->count] = cos(bands->frequency[bands->count]);
	bands->power[bands->count] = power / ordinates;
	bands->ordinates[bands->count++] = ordinates;
}

bool banded_spectrum_make(struct banded_spectrum *bands, const struct spectrum *spectrum,
			  size_t first, size_t last, const bool *skip)
{
	double power = 0, ordinates = 0;

	bands->n = spectrum->n;
	bands->count = 0;
	for (size_t begin = first, end; begin <= last && bands->count < BANDS_MAX; begin = end) {
		end = begin < BANDS_SINGLE ? begin + 1 : (size_t)ceil((double)begin * BANDS_WIDTH);
		banded_spectrum_add_band(bands, spectrum, begin, end <= last ? end : last + 1,
					 skip);
	}
	for (size_t b = 0; b < bands->count; b++) {
		power += bands->power[b] * bands->ordinates[b];
		ordinates += bands->ordinates[b];
	}
	if (bands->count < BANDS_MIN || !(power > 0))
		return false;
	for (size_t b = 0; b < bands->count; b++)
		bands->power[b] *= ordinates / power;
	return true;
}

bool banded_spectrum_lay(struct banded_spectrum *bands, double n, double last)
{
	double begin = 1;

	*bands = (struct banded_spectrum){.n = (size_t)n};
	while (begin <= last && bands->count < BANDS_MAX) {
		const double end = fmin(begin < BANDS_SINGLE ? begin + 1
							     : ceil(begin * BANDS_WIDTH),
					floor(last) + 1);

		bands->frequency[bands->count] = 2 * M_PI / n * sqrt(begin * (end - 1));
		bands->logarithm[bands->count] = log(bands->frequency[bands->count]);
		bands->cosine[bands->count] = cos(bands->frequency[bands->count]);
		bands->ordinates[bands->count++] = end - begin;
		begin = end;
	}
	return bands->count >= BANDS_SINGLE;
}

// ---- the likelihood
// Whittle, Estimation and information in stationary time series, Arkiv foer Matematik 2 (1953)
// 423-434. The mean of n ordinates of a periodogram is, for many points, f times a gamma variable
// of shape n and mean 1.

#define P BANDED_PARAMETERS_MAX
#define STEPS_MAX 60
#define STEP 1e-5 // of a parameter, for its derivative
#define ENOUGH 1e-4
#define DAMPING_MAX 1e8

double spectral_likelihood(const struct banded_spectrum *bands, const double *values)
{
	double sum = 0;

	for (size_t b = 0; b < bands->count; b++)
		sum -= bands->ordinates[b] * (log(values[b]) + bands->power[b] / values[b]);
	return sum;
}

double spectral_dispersion(const struct banded_spectrum *bands, const double *values,
			   size_t parameters)
{
	double deviance = 0, expected = 0;

	for (size_t b = 0; b < bands->count; b++) {
		const double n = bands->ordinates[b],
			     ratio = fmax(bands->power[b] / values[b], 1e-300);

		deviance += n * (ratio - 1 - log(ratio));
		expected += n * (log(n) - gsl_sf_psi(n));
	}
	return deviance / (expected * (1 - (double)parameters / (double)bands->count));
}

// Score and information at a point: the derivatives of log f by differences.
static void derive(const struct banded_model *model, const struct banded_spectrum *bands,
		   const double *parameters, const double *values, double score[P],
		   double information[P][P])
{
	double slopes[P][BANDS_MAX];

	for (size_t i = 0; i < model->parameters; i++) {
		const double step = parameters[i] + STEP > model->high[i] ? -STEP : STEP;
		double moved[P];

		memcpy(moved, parameters, model->parameters * sizeof(*moved));
		moved[i] += step;
		model->spectrum(model->context, moved, bands, slopes[i]);
		score[i] = 0;
		for (size_t b = 0; b < bands->count; b++) {
			slopes[i][b] = log(slopes[i][b] / values[b]) / step;
			score[i] += bands->ordinates[b] * (bands->power[b] / values[b] - 1) *
				    slopes[i][b];
		}
		for (size_t j = 0; j <= i; j++) {
			double sum = 0;

			for (size_t b = 0; b < bands->count; b++)
				sum += bands->ordinates[b] * slopes[i][b] * slopes[j][b];
			information[i][j] = information[j][i] = sum;
		}
	}
}

// Solves (information + damping) step = score; parameters without effect on the spectrum, or pushed
// beyond a bound, stay.
static void banded_spectrum_solve(const struct banded_model *model, const double *parameters,
				  const double score[P], double information[P][P], double damping,
				  double step[P])
{
	const size_t n = model->parameters;
	double lower[P][P];

	for (size_t i = 0; i < n; i++) {
		const bool held = (parameters[i] <= model->low[i] && score[i] <= 0) ||
				  (parameters[i] >= model->high[i] && score[i] >= 0);

		memcpy(lower[i], information[i], sizeof(lower[i]));
		lower[i][i] += damping * (information[i][i] + 1e-3) + 1e-9 + (held ? 1e12 : 0);
	}
	memcpy(step, score, n * sizeof(*step));
	cholesky_factor(lower[0], P, n, 1e-12);
	cholesky_forward(lower[0], P, n, step);
	cholesky_back(lower[0], P, n, step);
}

static double banded_spectrum_value_at(const struct banded_model *model,
				       const struct banded_spectrum *bands,
				       const double *parameters, double *values)
{
	model->spectrum(model->context, parameters, bands, values);
	return spectral_likelihood(bands, values);
}

double spectral_climb(const struct banded_model *model, const struct banded_spectrum *bands,
		      double *parameters, double *information)
{
	double values[BANDS_MAX], score[P], matrix[P][P], step[P], damping = 1e-2;
	double best = banded_spectrum_value_at(model, bands, parameters, values);

	for (int steps = 0; steps < STEPS_MAX && damping < DAMPING_MAX; steps++) {
		double gain = 0;

		derive(model, bands, parameters, values, score, matrix);
		for (; damping < DAMPING_MAX; damping *= 8) {
			double tried[P], there[BANDS_MAX], likelihood;

			memcpy(tried, parameters, model->parameters * sizeof(*tried));
			banded_spectrum_solve(model, parameters, score, matrix, damping, step);
			for (size_t i = 0; i < model->parameters; i++)
				tried[i] = fmin(fmax(parameters[i] + step[i], model->low[i]),
						model->high[i]);
			likelihood = banded_spectrum_value_at(model, bands, tried, there);
			if (!(likelihood > best))
				continue;
			gain = likelihood - best;
			best = likelihood;
			memcpy(parameters, tried, model->parameters * sizeof(*tried));
			memcpy(values, there, sizeof(values));
			damping /= 8;
			break;
		}
		if (gain < ENOUGH)
			break;
	}
	if (information) {
		derive(model, bands, parameters, values, score, matrix);
		for (size_t i = 0; i < model->parameters; i++)
			for (size_t j = 0; j < model->parameters; j++)
				information[i * model->parameters + j] = matrix[i][j];
	}
	return best;
}

double spectral_last_variance(const struct banded_model *model, const double *v,
			      double *information)
{
	const size_t n = model->parameters;
	double own;

	for (size_t k = 0; k + 1 < n; k++) {
		const double pivot = information[k * n + k];

		if (v[k] <= model->low[k] + 1e-3 || v[k] >= model->high[k] - 1e-3 ||
		    !(pivot > 1e-6))
			continue;
		for (size_t i = k + 1; i < n; i++)
			for (size_t j = k + 1; j < n; j++)
				information[i * n + j] -= information[i * n + k] *
							  information[k * n + j] / pivot;
	}
	own = information[n * n - 1];
	return own > 0 ? 1 / own : INFINITY;
}
