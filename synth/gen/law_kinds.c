// SPDX-License-Identifier: GPL-3.0-or-later
// The laws. A value observed at a random time has the density x f(x) / mean, which is again a known
// law for each of these (Patil and Rao, Weighted distributions and size-biased sampling, Biometrics
// 34 (1978) 179-189); its residual is a uniform fraction of it.
#include <gsl/gsl_sf_gamma.h>
#include <math.h>

#include "gen/law.h"
#include "gen/powers.h"

#define NEAR 1e-5 // relative: rounding error of a text
#define HALF_LOG_2PI 0.91893853320467274178

static double exponential_draw(const struct law_plan *plan, const struct draw_tables *tables,
			       struct tr_random *random)
{
	return plan->mean * draw_exponential(tables, random);
}

static double exponential_variation(const struct law_plan *plan)
{
	(void)plan;
	return 1;
}

static double law_kinds_exponential_log_density(const struct law_plan *plan, double x)
{
	return -x / plan->mean - log(plan->mean);
}

static double exponential_survival(const struct law_plan *plan, double x)
{
	return exp(-x / plan->mean);
}

// Density of a point mass.
static double point_log_density(double place, double x)
{
	const double half = fmax(1, NEAR * place);

	return fabs(x - place) <= half ? -log(2 * half) : -INFINITY;
}

static double constant_draw(const struct law_plan *plan, const struct draw_tables *tables,
			    struct tr_random *random)
{
	(void)tables;
	(void)random;
	return plan->mean;
}

static double constant_rest(const struct law_plan *plan, const struct draw_tables *tables,
			    struct tr_random *random)
{
	(void)tables;
	return plan->mean * tr_random_unit(random);
}

static double constant_variation(const struct law_plan *plan)
{
	(void)plan;
	return 0;
}

static double constant_log_density(const struct law_plan *plan, double x)
{
	return point_log_density(plan->mean, x);
}

static double constant_survival(const struct law_plan *plan, double x)
{
	return x < plan->mean;
}

static double constant_excess(const struct law_plan *plan, double x)
{
	return fmax(0, plan->mean - x);
}

static double uniform_draw(const struct law_plan *plan, const struct draw_tables *tables,
			   struct tr_random *random)
{
	(void)tables;
	return 2 * plan->mean * tr_random_unit(random);
}

static double uniform_rest(const struct law_plan *plan, const struct draw_tables *tables,
			   struct tr_random *random)
{
	(void)tables;
	const double met = 2 * plan->mean * sqrt(tr_random_unit(random));

	return met * tr_random_unit(random);
}

static double uniform_variation(const struct law_plan *plan)
{
	(void)plan;
	return 1.0 / 3;
}

static double uniform_log_density(const struct law_plan *plan, double x)
{
	return x <= 2 * plan->mean * (1 + NEAR) ? -log(2 * plan->mean) : -INFINITY;
}

static double uniform_survival(const struct law_plan *plan, double x)
{
	return fmax(0, 1 - x / (2 * plan->mean));
}

// scale: the least value.
static void pareto_settle(struct law_plan *plan)
{
	plan->scale = plan->mean * (plan->shape - 1) / plan->shape;
}

static double pareto_draw(const struct law_plan *plan, const struct draw_tables *tables,
			  struct tr_random *random)
{
	(void)tables;
	return plan->scale * powers_of(tr_random_unit(random), -1 / plan->shape);
}

// Below the least whole value the density is constant, with probability 1 - 1 / shape.
static double pareto_rest(const struct law_plan *plan, const struct draw_tables *tables,
			  struct tr_random *random)
{
	const double u = tr_random_unit(random);

	(void)tables;
	if (u < 1 - 1 / plan->shape)
		return plan->mean * u;
	return plan->scale * powers_of(plan->shape * (1 - u), -1 / (plan->shape - 1));
}

static double pareto_variation(const struct law_plan *plan)
{
	return plan->shape > 2 ? 1 / (plan->shape * (plan->shape - 2)) : INFINITY;
}

static double law_kinds_pareto_log_density(const struct law_plan *plan, double x)
{
	if (x < plan->scale * (1 - NEAR))
		return -INFINITY;
	return log(plan->shape / plan->scale) - (plan->shape + 1) * log(x / plan->scale);
}

static double pareto_survival(const struct law_plan *plan, double x)
{
	return x < plan->scale ? 1 : pow(plan->scale / x, plan->shape);
}

static double pareto_excess(const struct law_plan *plan, double x)
{
	return x < plan->scale ? plan->mean - x : x * pareto_survival(plan, x) / (plan->shape - 1);
}

// scale: the survival is (1 + x / scale)^-shape.
static void lomax_settle(struct law_plan *plan)
{
	plan->scale = plan->mean * (plan->shape - 1);
}

static double lomax_draw(const struct law_plan *plan, const struct draw_tables *tables,
			 struct tr_random *random)
{
	(void)tables;
	return plan->scale * (powers_of(tr_random_unit(random), -1 / plan->shape) - 1);
}

// Likewise with the shape less 1.
static double lomax_rest(const struct law_plan *plan, const struct draw_tables *tables,
			 struct tr_random *random)
{
	(void)tables;
	return plan->scale * (powers_of(tr_random_unit(random), -1 / (plan->shape - 1)) - 1);
}

static double lomax_variation(const struct law_plan *plan)
{
	return plan->shape > 2 ? plan->shape / (plan->shape - 2) : INFINITY;
}

static double lomax_log_density(const struct law_plan *plan, double x)
{
	return log(plan->shape / plan->scale) - (plan->shape + 1) * log1p(x / plan->scale);
}

static double lomax_survival(const struct law_plan *plan, double x)
{
	return pow(1 + x / plan->scale, -plan->shape);
}

static double lomax_excess(const struct law_plan *plan, double x)
{
	return plan->mean * pow(1 + x / plan->scale, 1 - plan->shape);
}

// scale: mean of the logarithm.
static void lognormal_settle(struct law_plan *plan)
{
	plan->scale = log(plan->mean) - plan->shape * plan->shape / 2;
}

static double lognormal_draw(const struct law_plan *plan, const struct draw_tables *tables,
			     struct tr_random *random)
{
	return powers_exp(plan->scale + plan->shape * draw_normal(tables, random));
}

static double lognormal_rest(const struct law_plan *plan, const struct draw_tables *tables,
			     struct tr_random *random)
{
	const double met = powers_exp(plan->scale +
				      plan->shape * (plan->shape + draw_normal(tables, random)));

	return met * tr_random_unit(random);
}

static double lognormal_variation(const struct law_plan *plan)
{
	return expm1(plan->shape * plan->shape);
}

static double law_kinds_lognormal_log_density(const struct law_plan *plan, double x)
{
	const double z = (log(x) - plan->scale) / plan->shape;

	return x > 0 ? -z * z / 2 - HALF_LOG_2PI - log(plan->shape * x) : -INFINITY;
}

static double lognormal_survival(const struct law_plan *plan, double x)
{
	return x > 0 ? 0.5 * erfc((log(x) - plan->scale) / (plan->shape * M_SQRT2)) : 1;
}

static void weibull_settle(struct law_plan *plan)
{
	plan->scale = plan->mean / exp(lgamma(1 + 1 / plan->shape));
}

static double weibull_draw(const struct law_plan *plan, const struct draw_tables *tables,
			   struct tr_random *random)
{
	return plan->scale * powers_of(draw_exponential(tables, random), 1 / plan->shape);
}

static double weibull_rest(const struct law_plan *plan, const struct draw_tables *tables,
			   struct tr_random *random)
{
	const double met = plan->scale * powers_of(draw_gamma(tables, 1 + 1 / plan->shape, random),
						   1 / plan->shape);

	return met * tr_random_unit(random);
}

static double weibull_variation(const struct law_plan *plan)
{
	return expm1(lgamma(1 + 2 / plan->shape) - 2 * lgamma(1 + 1 / plan->shape));
}

static double law_kinds_weibull_log_density(const struct law_plan *plan, double x)
{
	if (!(x > 0))
		return plan->shape == 1	 ? -log(plan->scale)
		       : plan->shape < 1 ? INFINITY
					 : -INFINITY;
	return log(plan->shape / plan->scale) + (plan->shape - 1) * log(x / plan->scale) -
	       pow(x / plan->scale, plan->shape);
}

static double weibull_survival(const struct law_plan *plan, double x)
{
	return exp(-pow(x / plan->scale, plan->shape));
}

// other: logarithm of the density's constant.
static void gamma_settle(struct law_plan *plan)
{
	plan->scale = plan->mean / plan->shape;
	plan->other = -lgamma(plan->shape) - log(plan->scale);
}

static double gamma_draw(const struct law_plan *plan, const struct draw_tables *tables,
			 struct tr_random *random)
{
	return plan->scale * draw_gamma(tables, plan->shape, random);
}

static double gamma_rest(const struct law_plan *plan, const struct draw_tables *tables,
			 struct tr_random *random)
{
	const double met = plan->scale * draw_gamma(tables, plan->shape + 1, random);

	return met * tr_random_unit(random);
}

static double gamma_variation(const struct law_plan *plan)
{
	return 1 / plan->shape;
}

static double gamma_log_density(const struct law_plan *plan, double x)
{
	const double y = x / plan->scale;

	if (!(x > 0))
		return plan->shape == 1 ? plan->other : plan->shape < 1 ? INFINITY : -INFINITY;
	return plan->other + (plan->shape - 1) * log(y) - y;
}

static double gamma_survival(const struct law_plan *plan, double x)
{
	return gsl_sf_gamma_inc_Q(plan->shape, x / plan->scale);
}

static double empirical_draw(const struct law_plan *plan, const struct draw_tables *tables,
			     struct tr_random *random)
{
	const struct law_bin *bin = &plan->bins[alias_draw(&plan->choice, random)];

	(void)tables;
	if (bin->low == bin->high)
		return bin->low;
	return bin->low + (bin->high - bin->low) * tr_random_unit(random);
}

static double empirical_rest(const struct law_plan *plan, const struct draw_tables *tables,
			     struct tr_random *random)
{
	const struct law_bin *bin = &plan->bins[alias_draw(&plan->met, random)];
	const double low = bin->low * bin->low, high = bin->high * bin->high;

	(void)tables;
	const double met = sqrt(low + (high - low) * tr_random_unit(random));

	return met * tr_random_unit(random);
}

static double empirical_variation(const struct law_plan *plan)
{
	double squares = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const struct law_bin *bin = &plan->bins[i];

		squares += bin->count *
			   (bin->low * bin->low + bin->low * bin->high + bin->high * bin->high) / 3;
	}
	return squares / (plan->mean * plan->mean) - 1;
}

static double empirical_log_density(const struct law_plan *plan, double x)
{
	double density = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const struct law_bin *bin = &plan->bins[i];
		const double width = bin->high - bin->low;

		if (width < 1)
			density += bin->count *
				   exp(point_log_density((bin->low + bin->high) / 2, x));
		else
			density += x >= bin->low && x < bin->high ? bin->count / width : 0;
	}
	return log(density);
}

static double empirical_survival(const struct law_plan *plan, double x)
{
	double above = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const struct law_bin *bin = &plan->bins[i];

		if (x < bin->low)
			above += bin->count;
		else if (x < bin->high)
			above += bin->count * (bin->high - x) / (bin->high - bin->low);
	}
	return fmin(above, 1);
}

static double empirical_excess(const struct law_plan *plan, double x)
{
	double sum = 0;

	for (size_t i = 0; i < plan->bin_count; i++) {
		const struct law_bin *bin = &plan->bins[i];
		const double above = bin->high - x;

		if (x <= bin->low)
			sum += bin->count * ((bin->low + bin->high) / 2 - x);
		else if (above > 0)
			sum += bin->count * above * above / (bin->high - bin->low) / 2;
	}
	return sum;
}

const struct law_kind law_kinds[LAWS] = {
	[LAW_EXPONENTIAL] = {"exponential", "exponential", 0, 0, NULL, exponential_draw,
			     exponential_draw, exponential_variation,
			     law_kinds_exponential_log_density, exponential_survival, NULL},
	[LAW_CONSTANT] = {"constant", "constant", 0, 0, NULL, constant_draw, constant_rest,
			  constant_variation, constant_log_density, constant_survival,
			  constant_excess},
	[LAW_UNIFORM] = {"uniform", "uniform", 0, 0, NULL, uniform_draw, uniform_rest,
			 uniform_variation, uniform_log_density, uniform_survival, NULL},
	[LAW_PARETO] = {"pareto", "Pareto with shape", 1.01, 100, pareto_settle, pareto_draw,
			pareto_rest, pareto_variation, law_kinds_pareto_log_density,
			pareto_survival, pareto_excess},
	[LAW_LOGNORMAL] = {"lognormal", "lognormal with shape", 0.001, 10, lognormal_settle,
			   lognormal_draw, lognormal_rest, lognormal_variation,
			   law_kinds_lognormal_log_density, lognormal_survival, NULL},
	[LAW_WEIBULL] = {"weibull", "Weibull with shape", 0.05, 100, weibull_settle, weibull_draw,
			 weibull_rest, weibull_variation, law_kinds_weibull_log_density,
			 weibull_survival, NULL},
	[LAW_GAMMA] = {"gamma", "gamma with shape", 0.01, 10000, gamma_settle, gamma_draw,
		       gamma_rest, gamma_variation, gamma_log_density, gamma_survival, NULL},
	[LAW_LOMAX] = {"lomax", "Lomax with shape", 1.01, 100, lomax_settle, lomax_draw, lomax_rest,
		       lomax_variation, lomax_log_density, lomax_survival, lomax_excess},
	[LAW_EMPIRICAL] = {"empirical", "empirical", 0, 0, NULL, empirical_draw, empirical_rest,
			   empirical_variation, empirical_log_density, empirical_survival,
			   empirical_excess},
	[LAW_GEOMETRIC] = {"geometric", "geometric", 0, 0, NULL, NULL, NULL, NULL, NULL, NULL,
			   NULL},
};
