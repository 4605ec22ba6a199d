// SPDX-License-Identifier: GPL-3.0-or-later
// Whittle's likelihood of a spectrum with a few parameters.
#include "stat/spectra/spectral_fit.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sf_gamma.h>
#include <math.h>
#include <string.h>

#include "stat/counts/widest.h"
#include "stat/spectra/cholesky.h"

// ---- cells
// Pooling neighbouring frequencies: Robinson, Log-periodogram regression of time series with long
// range dependence, Annals of Statistics 23 (1995) 1048-1072; here only where the density is flat
// over a pool. Sums of a gamma variable are gamma, so Whittle's likelihood keeps its form. Known
// answer: tests/unit/stat_spectral_fit_test.c.

#define SINGLE 256
#define GROUPS 128 // from one frequency to e times it
#define POOL_RATIO 1.19

void spectral_cells_make(struct spectral_cells *cells, const struct spectrum *spectrum,
			 struct band band, const bool *skip)
{
	size_t j = band.first;

	cells->count = 0;
	cells->pool = POOL_RATIO;
	while (j <= band.last && cells->count < SPECTRAL_CELLS_MAX) {
		const size_t width = j < SINGLE ? 1 : 1 + j / GROUPS;
		const size_t end = j + width <= band.last + 1 ? j + width : band.last + 1;
		double sum = 0, shape = 0;

		for (size_t i = j; i < end; i++)
			if (!skip || !skip[i]) {
				sum += spectrum->power[i];
				shape++;
			}
		if (shape > 0) {
			cells->x[cells->count] = (spectrum_frequency(spectrum, j) +
						  spectrum_frequency(spectrum, end - 1)) /
						 2;
			cells->shape[cells->count] = shape;
			cells->sum[cells->count++] = sum;
		}
		j = end;
	}
}

enum tr_status spectral_cells_estimate(const struct series_parts *series,
				       const struct estimate_options *options,
				       spectral_cells_fitter *fit, double *work,
				       struct estimate *out, struct tr_error *err)
{
	struct spectral_cells cells;
	struct band band;

	if (band_choose(&band, series->spectrum, (double)series->n, options, out, err) != TR_OK)
		return TR_ERROR;
	spectral_cells_make(&cells, series->spectrum, band, NULL);
	fit(&cells, series->n, options->level, work, out);
	spectrum_plot(series->spectrum, band, out);
	return TR_OK;
}

double spectral_cells_fit(const struct spectral_cells *cells, const double *log_density,
			  size_t parameters)
{
	double deviance = 0;
	size_t pools = 0;

	for (size_t i = 0; i < cells->count;) {
		const double end = cells->x[i] * cells->pool;
		double sum = 0, shape = 0, ratio;

		for (; i < cells->count && (cells->x[i] <= end || shape < 2); i++) {
			sum += cells->sum[i] * exp(-log_density[i]);
			shape += cells->shape[i];
		}
		ratio = sum / shape;
		// Over its mean the deviance of one gamma variable is nearly chi-square with one
		// degree of freedom.
		deviance += 2 * shape * (ratio - 1 - log(ratio)) / (1 + 1 / (6 * shape));
		pools++;
	}
	return pools > parameters
		       ? gsl_sf_gamma_inc_Q((double)(pools - parameters) / 2, deviance / 2)
		       : NAN;
}

// ---- the likelihood
// Whittle, Estimation and information in stationary time series, Arkiv foer Matematik 2 (1953)
// 423-434; scoring steps damped as Levenberg and Marquardt do. Known answers:
// tests/unit/stat_spectral_fit_test.c.

#define STEPS_MAX 60
#define ENOUGH 1e-7 // of the logarithm of the likelihood
#define DAMPING_MAX 1e9
#define GRID 32
#define FRESH 4 // grid points from one fresh start to the next
#define HALVINGS 20
#define UNSEEN 0.3 // width of an interval around d = 0 that is uninformative on memory

size_t spectral_fit_workspace(size_t n)
{
	(void)n;
	return SPECTRAL_FIT_WORKSPACE;
}

struct spectral_fit_place {
	double misfit;
	double theta[SPECTRAL_PARAMETERS_MAX];
};

// over[count]: what each cell holds, over its density.
static double misfit_of(const struct spectral_cells *cells, const double *log_density, double *over)
{
	double sum = 0;

	for (size_t i = 0; i < cells->count; i++) {
		over[i] = cells->sum[i] * exp(-log_density[i]);
		sum += cells->shape[i] * log_density[i] + over[i];
	}
	return sum;
}

struct system {
	double slope[SPECTRAL_PARAMETERS_MAX];
	double information[SPECTRAL_PARAMETERS_MAX][SPECTRAL_PARAMETERS_MAX];
};

#define CHUNK 64
#define SIDE 4 // sums side by side in one register
#define SIDES ((SPECTRAL_PARAMETERS_MAX + SIDE - 1) / SIDE)

typedef double side __attribute__((vector_size(SIDE * sizeof(double))));

// Adds in the order of the cells; p is known to the compiler, which then keeps the sums in
// registers.
static inline __attribute__((always_inline)) void spectral_fit_add_products(
	const struct spectral_cells *cells, const double *over, const double *slopes,
	const size_t p, struct system *system)
{
	side rows[CHUNK][SIDES] = {{{0}}}, slope[SIDES] = {{0}},
	     sums[SPECTRAL_PARAMETERS_MAX][SIDES] = {{{0}}};

	for (size_t first = 0; first < cells->count; first += CHUNK) {
		const size_t left = cells->count - first, size = left < CHUNK ? left : CHUNK;

		for (size_t k = 0; k < p; k++)
			for (size_t i = 0; i < size; i++)
				rows[i][k / SIDE][k % SIDE] = slopes[k * cells->count + first + i];
		for (size_t i = 0; i < size; i++) {
			const double shape = cells->shape[first + i], off = shape - over[first + i];

			for (size_t s = 0; s * SIDE < p; s++)
				slope[s] += off * rows[i][s];
			for (size_t k = 0; k < p; k++)
				for (size_t s = 0; s <= k / SIDE; s++)
					sums[k][s] += shape * rows[i][k / SIDE][k % SIDE] *
						      rows[i][s];
		}
	}
	for (size_t k = 0; k < p; k++) {
		system->slope[k] = slope[k / SIDE][k % SIDE];
		for (size_t l = 0; l <= k; l++)
			system->information[k][l] = sums[k][l / SIDE][l % SIDE];
	}
}

static WIDEST void make_system(size_t p, const struct spectral_cells *cells, const double *over,
			       const double *slopes, struct system *system)
{
	switch (p) {
	case 2: spectral_fit_add_products(cells, over, slopes, 2, system); break;
	case 3: spectral_fit_add_products(cells, over, slopes, 3, system); break;
	case 4: spectral_fit_add_products(cells, over, slopes, 4, system); break;
	case 5: spectral_fit_add_products(cells, over, slopes, 5, system); break;
	case 6: spectral_fit_add_products(cells, over, slopes, 6, system); break;
	default: spectral_fit_add_products(cells, over, slopes, p, system);
	}
}

// Solves (information + damping) step = -slope for the parameters that are free; others stay.
static void spectral_fit_solve(const struct system *system, size_t p, const bool *held,
			       double damping, double *step)
{
	double factor[SPECTRAL_PARAMETERS_MAX][SPECTRAL_PARAMETERS_MAX];

	for (size_t k = 0; k < p; k++) {
		for (size_t l = 0; l <= k; l++)
			factor[k][l] = held[k] || held[l]
					       ? (k == l)
					       : system->information[k][l] *
								 (k == l ? 1 + damping : 1) +
							 (k == l ? 1e-9 : 0);
		step[k] = held[k] ? 0 : -system->slope[k];
	}
	cholesky_factor(factor[0], SPECTRAL_PARAMETERS_MAX, p, 1e-12);
	cholesky_forward(factor[0], SPECTRAL_PARAMETERS_MAX, p, step);
	cholesky_back(factor[0], SPECTRAL_PARAMETERS_MAX, p, step);
}

// One damped step from theta to next. A parameter at a bound that the slope pushes out stays.
static void step_from(const struct spectral_model *model, const struct system *system, bool fixed,
		      double damping, const double *theta, double *next)
{
	bool held[SPECTRAL_PARAMETERS_MAX];
	double step[SPECTRAL_PARAMETERS_MAX];

	for (size_t k = 0; k < model->parameters; k++)
		held[k] = (k == 0 && fixed) ||
			  (theta[k] <= model->low[k] && system->slope[k] > 0) ||
			  (theta[k] >= model->high[k] && system->slope[k] < 0);
	spectral_fit_solve(system, model->parameters, held, damping, step);
	for (size_t k = 0; k < model->parameters; k++)
		next[k] = held[k] ? theta[k]
				  : fmin(model->high[k], fmax(model->low[k], theta[k] + step[k]));
}

double spectral_fit_from(const struct spectral_model *model, const struct spectral_cells *cells,
			 bool fixed, double *theta, double *workspace)
{
	// Of one place: the logarithms of the densities, over, the slopes.
	const size_t count = cells->count, each = count * (model->parameters + 2);
	double *now = workspace, *then = workspace + each;
	double next[SPECTRAL_PARAMETERS_MAX], damping = 1e-3, misfit;
	struct system system;

	model->evaluate(model->context, cells, theta, now, now + 2 * count);
	misfit = misfit_of(cells, now, now + count);
	for (int i = 0; i < STEPS_MAX && damping < DAMPING_MAX; i++) {
		double tried, gain;

		make_system(model->parameters, cells, now + count, now + 2 * count, &system);
		for (;; damping *= 10) {
			step_from(model, &system, fixed, damping, theta, next);
			model->evaluate(model->context, cells, next, then, then + 2 * count);
			tried = misfit_of(cells, then, then + count);
			if (tried <= misfit || damping >= DAMPING_MAX)
				break;
		}
		if (!(tried <= misfit))
			break;
		gain = misfit - tried;
		misfit = tried;
		memcpy(theta, next, model->parameters * sizeof(*theta));
		now = then;
		then = now == workspace ? workspace + each : workspace;
		damping = fmax(damping / 10, 1e-6);
		if (gain < ENOUGH)
			break;
	}
	return misfit;
}

// The best fit at one d: from the starts, and from the fit at another d if there is one.
static struct spectral_fit_place best_at(const struct spectral_model *model,
					 const struct spectral_cells *cells, double d,
					 size_t starts, const struct spectral_fit_place *near,
					 double *workspace)
{
	struct spectral_fit_place best = {.misfit = INFINITY};

	for (size_t s = 0; s < starts + (near != NULL); s++) {
		struct spectral_fit_place place;

		memcpy(place.theta, s < starts ? model->start[s] : near->theta,
		       sizeof(place.theta));
		place.theta[0] = d;
		place.misfit = spectral_fit_from(model, cells, true, place.theta, workspace);
		if (place.misfit < best.misfit)
			best = place;
	}
	return best;
}

// The best fit at one d, starting from each of the fits near it.
static struct spectral_fit_place best_from(const struct spectral_model *model,
					   const struct spectral_cells *cells, double d,
					   const struct spectral_fit_place *near[], size_t count,
					   double *workspace)
{
	struct spectral_fit_place best = {.misfit = INFINITY};

	for (size_t i = 0; i < count; i++) {
		struct spectral_fit_place place = *near[i];

		place.theta[0] = d;
		place.misfit = spectral_fit_from(model, cells, true, place.theta, workspace);
		if (place.misfit < best.misfit)
			best = place;
	}
	return best;
}

// Between two places, of which the likelihood rejects the outer one, the d where rejection starts.
// The likelihood at one d may have several maxima in the other parameters: followed from the
// overall maximum alone, the profile would end with its valley.
static double edge_between(const struct spectral_model *model, const struct spectral_cells *cells,
			   const struct spectral_fit_place *best,
			   const struct spectral_fit_place *inner,
			   const struct spectral_fit_place *outer, double limit, double bound,
			   double *workspace)
{
	struct spectral_fit_place in = *inner, out = *outer;
	const bool lower = out.theta[0] < in.theta[0];

	for (int i = 0; i < HALVINGS && fabs(out.theta[0] - in.theta[0]) > 1e-4; i++) {
		const struct spectral_fit_place *near[] = {&in, &out, best};
		struct spectral_fit_place place;

		if (lower ? out.theta[0] >= bound : out.theta[0] <= bound)
			return in.theta[0];
		place = best_from(model, cells, (in.theta[0] + out.theta[0]) / 2, near, 3,
				  workspace);

		if (place.misfit <= limit)
			in = place;
		else
			out = place;
	}
	return (in.theta[0] + out.theta[0]) / 2;
}

// Fits each d of the grid, upwards and then downwards from the fit above; places[GRID + 1]. Returns
// the best.
static struct spectral_fit_place spectral_fit_scan(const struct spectral_model *model,
						   const struct spectral_cells *cells,
						   struct spectral_fit_place *places,
						   double *workspace)
{
	const double from = model->low[0], step = (model->high[0] - from) / GRID;
	struct spectral_fit_place best = {.misfit = INFINITY};

	for (size_t i = 0; i <= GRID; i++)
		places[i] = best_at(model, cells, from + step * (double)i,
				    i % FRESH == 0 ? model->starts : 0,
				    i > 0 ? &places[i - 1] : NULL, workspace);
	for (size_t i = GRID; i-- > 0;) {
		struct spectral_fit_place place = places[i + 1];

		place.theta[0] = places[i].theta[0];
		place.misfit = spectral_fit_from(model, cells, true, place.theta, workspace);
		if (place.misfit < places[i].misfit)
			places[i] = place;
	}
	for (size_t i = 0; i <= GRID; i++) {
		struct spectral_fit_place place = places[i];

		// Each valley of the profile has its own bottom between grid points.
		if ((i > 0 && places[i - 1].misfit < place.misfit) ||
		    (i < GRID && places[i + 1].misfit < place.misfit))
			continue;
		place.misfit = spectral_fit_from(model, cells, false, place.theta, workspace);
		if (place.misfit < best.misfit)
			best = place;
	}
	return best;
}

// Widens lo..hi by the interval where the profile is within the limit.
static void widen_spectral_fit(const struct spectral_model *model,
			       const struct spectral_cells *cells,
			       const struct spectral_fit_place *places,
			       const struct spectral_fit_place *best, double limit,
			       double *workspace, double *lo, double *hi)
{
	const struct spectral_fit_place *inner;
	size_t first = 0, last = GRID;

	while (first < GRID && places[first].misfit > limit &&
	       places[first].theta[0] < best->theta[0])
		first++;
	while (last > 0 && places[last].misfit > limit && places[last].theta[0] > best->theta[0])
		last--;
	inner = places[first].theta[0] < best->theta[0] ? &places[first] : best;
	*lo = fmin(*lo, first == 0 ? places[0].theta[0]
				   : edge_between(model, cells, best, inner, &places[first - 1],
						  limit, *lo, workspace));
	inner = places[last].theta[0] > best->theta[0] ? &places[last] : best;
	*hi = fmax(*hi, last == GRID ? places[GRID].theta[0]
				     : edge_between(model, cells, best, inner, &places[last + 1],
						    limit, *hi, workspace));
}

void spectral_fit_make(const struct spectral_model *model, const struct spectral_cells *cells,
		       double reach, double *workspace, struct spectral_fit *out)
{
	struct spectral_fit_place places[GRID + 1];
	const struct spectral_fit_place best = spectral_fit_scan(model, cells, places, workspace);

	out->lo = INFINITY;
	out->hi = -INFINITY;
	widen_spectral_fit(model, cells, places, &best, best.misfit + reach, workspace, &out->lo,
			   &out->hi);
	memcpy(out->theta, best.theta, sizeof(out->theta));
	out->misfit = best.misfit;
	model->evaluate(model->context, cells, best.theta, workspace, workspace + cells->count);
	out->fit = spectral_cells_fit(cells, workspace, model->parameters);
}

void spectral_fit_widen(const struct spectral_model *model, const struct spectral_cells *cells,
			double reach, double *workspace, struct spectral_fit *fit)
{
	struct spectral_fit_place places[GRID + 1];
	const struct spectral_fit_place best = spectral_fit_scan(model, cells, places, workspace);

	widen_spectral_fit(model, cells, places, &best, best.misfit + reach, workspace, &fit->lo,
			   &fit->hi);
}

double spectral_fit_reach(double level)
{
	const double z = gsl_cdf_ugaussian_Pinv(0.5 + 0.5 * level);

	return z * z / 2;
}

void spectral_fit_tell(const struct spectral_fit *fit, struct estimate *out)
{
	const bool unseen = fit->lo <= 0 && fit->hi >= 0 && fit->hi - fit->lo > UNSEEN;

	out->h = 0.5 + fit->theta[0];
	out->h_corrected = unseen ? 0.5 : out->h;
	out->lo = 0.5 + fit->lo;
	out->hi = 0.5 + fit->hi;
	out->interval = "profile of the likelihood";
	out->slope = -2 * fit->theta[0];
	out->fit = fit->fit;
	if (unseen)
		estimate_warn(out, "no memory detected: H is .5, or that of a component too weak "
				   "to be detected");
}
