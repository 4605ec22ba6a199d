// SPDX-License-Identifier: GPL-3.0-or-later
// Fox and Taqqu, Large-sample properties of parameter estimates for strongly dependent stationary
// Gaussian time series, Annals of Statistics 14 (1986) 517-532, for FARIMA(1, d, 1); to filter so
// before a test of low frequencies: Qu, Journal of Business and Economic Statistics 29 (2011)
// 423-438. Known value: see tests/unit/stat_stationarity_test.c.
#include "stat/tests/short_memory.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdbool.h>

#include "stat/hurst/power_law.h"
#include "stat/spectra/spectrum.h"

#define FIRST_POWER 0.5
#define GROUPS_MAX 2048
#define STEP 0.3
#define SIZE 1e-4
#define STEPS_MAX 200
#define PENALTY \
	3 // times Schwarz's: fractional Gaussian noise is not FARIMA, but should pass for it

struct fit {
	const double *power; // of count groups of neighbouring frequencies
	const double *log_shape;
	const double *turn; // 2 cos of their frequencies
	double *flat;	    // room: power without the short memory
	double *room;
	size_t count;
	double points;
	double bound; // of ar and ma
	bool ar, ma;  // which are free
	double d;     // of the last evaluation
};

size_t short_memory_workspace(size_t n)
{
	return spectrum_workspace(n) + 5 * GROUPS_MAX;
}

// Whittle's objective for given ar and ma.
static double short_memory_objective(struct fit *fit, double ar, double ma)
{
	struct power_law law;
	double logs = 0;

	for (size_t j = 0; j < fit->count; j++) {
		const double shape = (1 + ma * fit->turn[j] + ma * ma) /
				     (1 - ar * fit->turn[j] + ar * ar);

		fit->flat[j] = fit->power[j] / shape;
		logs += log(shape);
	}
	law = power_law_fit(fit->flat, fit->log_shape, fit->count, fit->room);
	fit->d = law.d;
	return log(law.level) - 2 * law.d * law.centre + logs / (double)fit->count;
}

static double short_memory_value_at(const gsl_vector *v, void *context)
{
	struct fit *fit = context;
	const double ar = fit->ar ? fit->bound * tanh(gsl_vector_get(v, 0)) : 0;
	const double ma = fit->ma ? fit->bound * tanh(gsl_vector_get(v, v->size - 1)) : 0;

	return short_memory_objective(fit, ar, ma);
}

// Minimises over the free ones by the Nelder-Mead simplex from ar on. TR_ERROR if out of memory.
static enum tr_status search(struct fit *fit, double ar, struct short_memory *out, double *least,
			     struct tr_error *err)
{
	const size_t count = (size_t)fit->ar + (size_t)fit->ma;
	gsl_multimin_function function = {short_memory_value_at, count, fit};
	gsl_multimin_fminimizer *simplex = gsl_multimin_fminimizer_alloc(
		gsl_multimin_fminimizer_nmsimplex2, count);
	gsl_vector *begin = gsl_vector_calloc(count), *steps = gsl_vector_alloc(count);
	enum tr_status status = TR_OK;

	if (!simplex || !begin || !steps) {
		status = tr_no_memory(err, "a fit of short memory");
	} else {
		gsl_vector_set_all(steps, STEP);
		gsl_vector_set(begin, 0, fit->ar ? atanh(ar) : 0);
		gsl_multimin_fminimizer_set(simplex, &function, begin, steps);
		for (int i = 0; i < STEPS_MAX && gsl_multimin_fminimizer_size(simplex) > SIZE; i++)
			gsl_multimin_fminimizer_iterate(simplex);
		*least = short_memory_value_at(simplex->x, fit);
		out->ar = fit->ar ? fit->bound * tanh(gsl_vector_get(simplex->x, 0)) : 0;
		out->ma = fit->ma ? fit->bound * tanh(gsl_vector_get(simplex->x, count - 1)) : 0;
		out->d = fit->d;
	}
	if (simplex)
		gsl_multimin_fminimizer_free(simplex);
	gsl_vector_free(begin);
	gsl_vector_free(steps);
	return status;
}

// Of the four models the one with the smallest criterion; the likelihood has several maxima, so
// some start at several points.
static enum tr_status short_memory_choose(struct fit *fit, struct short_memory *out,
					  struct tr_error *err)
{
	static const struct {
		bool ar, ma;
		double begin;
	} runs[] = {{true, false, 0},
		    {true, false, 0.9},
		    {false, true, 0},
		    {true, true, 0},
		    {true, true, 0.9}};
	double best = fit->points * short_memory_objective(fit, 0, 0);

	*out = (struct short_memory){0, 0, fit->d};
	for (size_t i = 0; i < sizeof(runs) / sizeof(*runs); i++) {
		struct short_memory found;
		double least = INFINITY, criterion;

		fit->ar = runs[i].ar;
		fit->ma = runs[i].ma;
		if (search(fit, runs[i].begin, &found, &least, err) != TR_OK)
			return TR_ERROR;
		criterion = fit->points * least + PENALTY * (fit->ar + fit->ma) * log(fit->points);
		if (!(criterion < best)) // also if it is NaN
			continue;
		best = criterion;
		*out = found;
	}
	return TR_OK;
}

// Means of the power over groups of neighbouring frequencies, at most GROUPS_MAX groups.
static void group(const struct spectrum *spectrum, size_t first, double *power, double *log_shape,
		  double *turn, struct fit *fit)
{
	const size_t size = (spectrum->count - first) / GROUPS_MAX + 1;

	fit->count = (spectrum->count - first + 1) / size;
	fit->points = 2 * (double)(fit->count * size);
	for (size_t j = 0; j < fit->count; j++) {
		const size_t begin = first + j * size;
		const double middle = M_PI * (double)(2 * begin + size - 1) / (double)spectrum->n;

		power[j] = 0;
		for (size_t i = 0; i < size; i++)
			power[j] += spectrum->power[begin + i] / (double)size;
		log_shape[j] = log(2 * sin(middle / 2));
		turn[j] = 2 * cos(middle);
	}
}

enum tr_status short_memory_fit(const double *x, size_t n, double knees, double *workspace,
				struct short_memory *out, struct tr_error *err)
{
	double *power = workspace + spectrum_workspace(n), *log_shape = power + GROUPS_MAX;
	double *turn = log_shape + GROUPS_MAX;
	struct fit fit = {.power = power,
			  .log_shape = log_shape,
			  .turn = turn,
			  .flat = turn + GROUPS_MAX,
			  .room = turn + (size_t)2 * GROUPS_MAX};
	struct spectrum spectrum;

	if (spectrum_make(x, n, workspace, &spectrum, err) != TR_OK)
		return TR_ERROR;
	fit.bound = fmax(0.1, 1 - knees * 2 * M_PI / pow((double)n, 1 - FIRST_POWER));
	group(&spectrum, (size_t)floor(pow((double)n, FIRST_POWER)), power, log_shape, turn, &fit);
	return short_memory_choose(&fit, out, err);
}

void short_memory_remove(const struct short_memory *memory, const double *x, size_t n, double *y)
{
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		y[i] = i == 0 ? (x[0] - mean) * (1 - memory->ar) / (1 + memory->ma)
			      : x[i] - mean - memory->ar * (x[i - 1] - mean) -
					memory->ma * y[i - 1];
}
