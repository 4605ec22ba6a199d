// SPDX-License-Identifier: GPL-3.0-or-later
// Hosking, Fractional differencing, Biometrika 68 (1981) 165-176: f(l) = s^2 / 2 pi |2
// sin(l/2)|^(-2d) |theta(e^il)|^2 / |phi(e^il)|^2; the order by Schwarz, Estimating the dimension
// of a model, Annals of Statistics 6 (1978) 461-464, as Beran, Bhansali and Ocker, On unified model
// selection for stationary and nonstationary short- and long-memory autoregressive processes,
// Biometrika 85 (1998) 921-934, use it. Polynomials of degree 2 are held stationary, or invertible,
// by their partial coefficients (Barndorff-Nielsen and Schou 1973).
#include "stat/hurst/estimators.h"

#include <math.h>
#include <string.h>

#include "stat/counts/widest.h"
#include "stat/spectra/spectral_fit.h"

#define DEGREE_MAX 2
#define D_MIN (-0.49)
#define D_MAX 0.99
#define PARTIAL_MAX 0.995
#define LEVEL 1 // places in theta: d, log level, partial coefficients of phi, of theta
#define FIRST 2

struct farima_shape {
	size_t p, q;
	double cosine[SPECTRAL_CELLS_MAX], log_sine[SPECTRAL_CELLS_MAX]; // log(2 sin(l/2))
};

// 1 + a z + b z^2 from partial coefficients; those beyond the degree are 0.
struct polynomial {
	double partial[DEGREE_MAX];
	double a, b;
};

static struct polynomial polynomial_of(const double *partial, size_t degree)
{
	struct polynomial out = {
		.partial = {degree > 0 ? partial[0] : 0, degree > 1 ? partial[1] : 0}};

	out.a = out.partial[0] * (1 + out.partial[1]);
	out.b = out.partial[1];
	return out;
}

// Its squared modulus on the unit circle, and the derivatives by each partial coefficient.
static double size_at(const struct polynomial *polynomial, double cosine, double slopes[DEGREE_MAX])
{
	const double a = polynomial->a, b = polynomial->b, second = 2 * cosine * cosine - 1;
	const double by_a = 2 * a + 2 * (1 + b) * cosine,
		     by_b = 2 * b + 2 * a * cosine + 2 * second;

	slopes[0] = by_a * (1 + b);
	slopes[1] = by_a * polynomial->partial[0] + by_b;
	return 1 + a * a + b * b + 2 * a * (1 + b) * cosine + 2 * b * second;
}

// Fills size[count], and the derivatives of sign times its logarithm by the coefficients that the
// degree has.
static WIDEST void add_polynomial(const double *partial, size_t degree, double sign,
				  const double *cosine, size_t count, double *restrict size,
				  double *restrict slopes)
{
	const struct polynomial polynomial = polynomial_of(partial, degree);

	for (size_t i = 0; i < count; i++) {
		double by[DEGREE_MAX];

		size[i] = size_at(&polynomial, cosine[i], by);
		if (degree > 0)
			slopes[i] = sign * by[0] / size[i];
		if (degree > 1)
			slopes[count + i] = sign * by[1] / size[i];
	}
}

static void farima_evaluate(const void *context, const struct spectral_cells *cells,
			    const double *theta, double *log_density, double *slopes)
{
	const struct farima_shape *shape = context;
	const size_t count = cells->count;
	double above[SPECTRAL_CELLS_MAX], below[SPECTRAL_CELLS_MAX];

	add_polynomial(theta + FIRST, shape->p, -1, shape->cosine, count, below,
		       slopes + FIRST * count);
	add_polynomial(theta + FIRST + shape->p, shape->q, 1, shape->cosine, count, above,
		       slopes + (FIRST + shape->p) * count);
	for (size_t i = 0; i < count; i++)
		above[i] /= below[i];
	for (size_t i = 0; i < count; i++) {
		log_density[i] = theta[LEVEL] - 2 * theta[0] * shape->log_sine[i] + log(above[i]);
		slopes[i] = -2 * shape->log_sine[i];
		slopes[LEVEL * count + i] = 1;
	}
}

static void make_model(const struct farima_shape *shape, double log_mean,
		       struct spectral_model *model)
{
	static const double first[SPECTRAL_STARTS_MAX] = {0, -0.5, 0.5, -0.9};

	memset(model, 0, sizeof(*model));
	model->parameters = FIRST + shape->p + shape->q;
	model->low[0] = D_MIN;
	model->high[0] = D_MAX;
	model->low[LEVEL] = log_mean - 30;
	model->high[LEVEL] = log_mean + 30;
	for (size_t k = FIRST; k < model->parameters; k++) {
		model->low[k] = -PARTIAL_MAX;
		model->high[k] = PARTIAL_MAX;
	}
	model->starts = shape->p + shape->q > 0 ? SPECTRAL_STARTS_MAX : 1;
	for (size_t s = 0; s < model->starts; s++) {
		model->start[s][LEVEL] = log_mean;
		if (shape->p > 0)
			model->start[s][FIRST] = first[s];
		if (shape->q > 0)
			model->start[s][FIRST + shape->p] = shape->p > 0 ? -0.3 * (s == 3)
									 : first[s];
	}
	model->evaluate = farima_evaluate;
	model->context = shape;
}

static double best_misfit(const struct spectral_model *model, const struct spectral_cells *cells,
			  double *work)
{
	double best = INFINITY;

	for (size_t s = 0; s < model->starts; s++)
		for (int long_memory = 0; long_memory < 2; long_memory++) {
			double theta[SPECTRAL_PARAMETERS_MAX];

			memcpy(theta, model->start[s], sizeof(theta));
			theta[0] = long_memory ? 0.3 : 0;
			best = fmin(best, spectral_fit_from(model, cells, false, theta, work));
		}
	return best;
}

// The best fit of each order, and the choice from them.
struct orders {
	double misfit[DEGREE_MAX + 1][DEGREE_MAX + 1];
	double least; // Akaike's criterion over 2
	size_t p, q;  // of the least Bayesian criterion
};

static double parameters_of(size_t p, size_t q)
{
	return (double)(FIRST + p + q);
}

static void try_orders(struct farima_shape *shape, const struct spectral_cells *cells,
		       double log_mean, size_t n, double *work, struct orders *orders)
{
	double best = INFINITY;

	orders->least = INFINITY;
	for (shape->p = 0; shape->p <= DEGREE_MAX; shape->p++)
		for (shape->q = 0; shape->q <= DEGREE_MAX; shape->q++) {
			struct spectral_model model;
			double misfit, bayes;

			make_model(shape, log_mean, &model);
			misfit = orders->misfit[shape->p][shape->q] = best_misfit(&model, cells,
										  work);
			bayes = misfit + parameters_of(shape->p, shape->q) * log((double)n) / 2;
			orders->least = fmin(orders->least,
					     misfit + parameters_of(shape->p, shape->q));
			if (bayes < best) {
				best = bayes;
				orders->p = shape->p;
				orders->q = shape->q;
			}
		}
}

// Widens fit's interval by the d of other orders that fit nearly as well: log-likelihood minus 1
// per parameter within reach of the best.
static void farima_widen(struct farima_shape *shape, const struct spectral_cells *cells,
			 double log_mean, const struct orders *orders, double reach, double *work,
			 struct spectral_fit *fit)
{
	for (shape->p = 0; shape->p <= DEGREE_MAX; shape->p++)
		for (shape->q = 0; shape->q <= DEGREE_MAX; shape->q++) {
			const double left = reach + orders->least -
					    orders->misfit[shape->p][shape->q] -
					    parameters_of(shape->p, shape->q);
			struct spectral_model model;

			// That of the chosen order, with no more reach than fit has, is within
			// fit's interval.
			if (!(left > 0) || (shape->p == orders->p && shape->q == orders->q))
				continue;
			make_model(shape, log_mean, &model);
			spectral_fit_widen(&model, cells, left, work, fit);
		}
}

static void farima_fit_cells(const struct spectral_cells *cells, size_t n, double level,
			     double *work, struct estimate *out)
{
	double sum = 0, count = 0, log_mean;
	struct spectral_model model;
	struct spectral_fit fit;
	struct orders orders = {.p = 0, .q = 0};
	struct farima_shape shape;

	for (size_t i = 0; i < cells->count; i++) {
		shape.cosine[i] = cos(cells->x[i]);
		shape.log_sine[i] = log(2 * sin(cells->x[i] / 2));
		sum += cells->sum[i];
		count += cells->shape[i];
	}
	log_mean = log(sum / count);
	try_orders(&shape, cells, log_mean, n, work, &orders);
	shape.p = orders.p;
	shape.q = orders.q;
	make_model(&shape, log_mean, &model);
	spectral_fit_make(&model, cells, spectral_fit_reach(level), work, &fit);
	farima_widen(&shape, cells, log_mean, &orders, spectral_fit_reach(level), work, &fit);
	spectral_fit_tell(&fit, out);
	out->interval = "profile of the likelihood, over all orders that fit nearly as well";
	out->intercept = fit.theta[LEVEL] / M_LN10;
}

static enum tr_status run_farima(const struct series_parts *series,
				 const struct estimate_options *options, double *work,
				 struct estimate *out, struct tr_error *err)
{
	return spectral_cells_estimate(series, options, farima_fit_cells, work, out, err);
}

const struct estimator farima = {
	.name = "farima",
	.title = "Whittle, FARIMA(p, d, q)",
	.paper = "Hosking 1981; Beran, Bhansali, Ocker 1998",
	SPECTRUM_ESTIMATOR,
	.n_min = 1024,
	.workspace = spectral_fit_workspace,
	.run = run_farima,
};
