// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/pulse_train/pulse_part.h"

#include <float.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

#define EM_STEPS 60
#define NEWTON_STEPS 200
#define WORTH 3.0  // two exponentials must be e^3 = 20 times as likely as one
#define MIN_GAPS 8 // below, two exponentials are indistinguishable from one

// The parameters that Newton's method moves: log S, log d, logit q.
struct gap_mixture_point {
	double at[3];
};

struct gap_mixture_slope {
	double log_likelihood;
	double gradient[3];
	double hessian[3][3];
};

static struct gap_mixture_point gap_mixture_point_of(double s, double d, double q)
{
	return (struct gap_mixture_point){{log(s), log(d), log(q / (1 - q))}};
}

static double share_of(const struct gap_mixture_point *p)
{
	return 1 / (1 + exp(-p->at[2]));
}

// Adds weight times log f, with its derivatives, of f = q g1 + (1-q) g2, where g, g1' and g1'' are
// the two components and their derivatives by the logarithm of the mean.
static void add_term(struct gap_mixture_slope *slope, double weight, double q, const double g[2],
		     const double g1[2], const double g2[2])
{
	double f = fmax(q * g[0] + (1 - q) * g[1], DBL_MIN);
	double dq = q * (1 - q), part[2] = {q, 1 - q};
	double first[3] = {part[0] * g1[0] / f, part[1] * g1[1] / f, dq * (g[0] - g[1]) / f};
	double second[3][3] = {
		{part[0] * g2[0] / f, 0, dq * g1[0] / f},
		{0, part[1] * g2[1] / f, -dq * g1[1] / f},
		{dq * g1[0] / f, -dq * g1[1] / f, dq * (1 - 2 * q) * (g[0] - g[1]) / f}};

	slope->log_likelihood += weight * log(f);
	for (int i = 0; i < 3; i++) {
		slope->gradient[i] += weight * first[i];
		for (int j = 0; j < 3; j++)
			slope->hessian[i][j] += weight * (second[i][j] - first[i] * first[j]);
	}
}

// Log-likelihood and its derivatives. A complete gap x counts exp(-x/m)/m, an open one exp(-x/m).
static struct gap_mixture_slope gap_mixture_slope_at(const struct gap_sample *sample,
						     const struct gap_mixture_point *p)
{
	double mean[2] = {exp(p->at[0]), exp(p->at[1])}, q = share_of(p);
	struct gap_mixture_slope slope = {0};

	for (size_t i = 0; i < sample->count + sample->open_count; i++) {
		bool open = i >= sample->count;
		const struct tally_value *v = open ? &sample->open[i - sample->count]
						   : &sample->gaps[i];
		double g[2], g1[2], g2[2];

		for (int k = 0; k < 2; k++) {
			double z = v->value / mean[k], r = open ? z : z - 1;

			g[k] = open ? exp(-z) : exp(-z) / mean[k];
			g1[k] = g[k] * r;
			g2[k] = g[k] * (r * r - z);
		}
		add_term(&slope, v->count, q, g, g1, g2);
	}
	return slope;
}

// One step of EM. An open gap's expected length is its observed length plus a mean.
static struct gap_mixture_point em_step(const struct gap_sample *sample,
					const struct gap_mixture_point *p)
{
	double mean[2] = {exp(p->at[0]), exp(p->at[1])}, q = share_of(p);
	double weight[2] = {0}, sum[2] = {0};

	for (size_t i = 0; i < sample->count + sample->open_count; i++) {
		bool open = i >= sample->count;
		const struct tally_value *v = open ? &sample->open[i - sample->count]
						   : &sample->gaps[i];
		double long_part = q * exp(-v->value / mean[0]) / (open ? 1 : mean[0]);
		double short_part = (1 - q) * exp(-v->value / mean[1]) / (open ? 1 : mean[1]);
		double r[2] = {long_part / fmax(long_part + short_part, DBL_MIN), 0};

		r[1] = 1 - r[0];
		for (int k = 0; k < 2; k++) {
			weight[k] += v->count * r[k];
			sum[k] += v->count * r[k] * (v->value + (open ? mean[k] : 0));
		}
	}
	if (!(weight[0] > 0 && weight[1] > 0 && sum[0] > 0 && sum[1] > 0))
		return *p;
	return gap_mixture_point_of(sum[0] / weight[0], sum[1] / weight[1],
				    weight[0] / (weight[0] + weight[1]));
}

// Solves (ridge - H) x = gradient by Cholesky's method; false where the matrix is not positive
// definite.
static bool gap_mixture_solve(const double hessian[3][3], double ridge, const double right[3],
			      double out[3])
{
	double l[3][3], y[3];

	for (int i = 0; i < 3; i++)
		for (int j = 0; j <= i; j++) {
			double sum = -hessian[i][j] + (i == j ? ridge : 0);

			for (int k = 0; k < j; k++)
				sum -= l[i][k] * l[j][k];
			if (i == j && !(sum > 0))
				return false;
			l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
		}
	for (int i = 0; i < 3; i++) {
		y[i] = right[i];
		for (int k = 0; k < i; k++)
			y[i] -= l[i][k] * y[k];
		y[i] /= l[i][i];
	}
	for (int i = 2; i >= 0; i--) {
		out[i] = y[i];
		for (int k = i + 1; k < 3; k++)
			out[i] -= l[k][i] * out[k];
		out[i] /= l[i][i];
	}
	return true;
}

// Newton's method with a ridge (Levenberg 1944) from p to the maximum nearby.
static struct gap_mixture_slope gap_mixture_climb(const struct gap_sample *sample,
						  struct gap_mixture_point *p)
{
	struct gap_mixture_slope here = gap_mixture_slope_at(sample, p);
	double ridge = 0, scale = 0;

	for (int i = 0; i < 3; i++)
		scale += fabs(here.hessian[i][i]);
	for (int step = 0; step < NEWTON_STEPS; step++) {
		double move[3], gain = 0;
		struct gap_mixture_point next = *p;

		if (ridge > 1e12 * scale)
			break;
		if (!gap_mixture_solve(here.hessian, ridge, here.gradient, move)) {
			ridge = ridge > 0 ? 4 * ridge : 1e-6 * scale;
			continue;
		}
		for (int i = 0; i < 3; i++) {
			next.at[i] += move[i];
			gain += move[i] * here.gradient[i];
		}
		if (gain < 1e-10)
			break;
		struct gap_mixture_slope there = gap_mixture_slope_at(sample, &next);

		if (!(there.log_likelihood > here.log_likelihood)) {
			ridge = ridge > 0 ? 4 * ridge : 1e-6 * scale;
			continue;
		}
		here = there;
		*p = next;
		ridge = ridge > 1e-12 * scale ? ridge / 8 : 0;
	}
	return here;
}

// The best of the splits "gaps above an edge are silences", an edge for each factor of two.
static struct gap_mixture_point gap_mixture_start(const struct gap_sample *sample)
{
	struct gap_mixture_point best = {{0}};
	double best_likelihood = -INFINITY, edge = sample->gaps[0].value;

	for (; edge < sample->gaps[sample->count - 1].value; edge *= 2) {
		double count[2] = {0}, sum[2] = {0};

		for (size_t i = 0; i < sample->count; i++) {
			const struct tally_value *v = &sample->gaps[i];
			int k = v->value <= edge;

			count[k] += v->count;
			sum[k] += v->count * v->value;
		}
		if (count[0] == 0 || count[1] == 0)
			continue;
		struct gap_mixture_point p = gap_mixture_point_of(
			sum[0] / count[0], sum[1] / count[1], count[0] / (count[0] + count[1]));
		double likelihood = gap_mixture_slope_at(sample, &p).log_likelihood;

		if (likelihood > best_likelihood) {
			best_likelihood = likelihood;
			best = p;
		}
	}
	return best;
}

// Total observed length of gaps, complete or not.
static double seen(const struct gap_sample *sample)
{
	double sum = 0;

	for (size_t i = 0; i < sample->count; i++)
		sum += sample->gaps[i].count * sample->gaps[i].value;
	for (size_t i = 0; i < sample->open_count; i++)
		sum += sample->open[i].count * sample->open[i].value;
	return sum;
}

// One exponential for all gaps: its likelihood and interval (log scale, 1/sqrt(n)).
static void fit_single(const struct gap_sample *sample, double z, struct gap_fit *out)
{
	out->gaps = 0;
	for (size_t i = 0; i < sample->count; i++)
		out->gaps += sample->gaps[i].count;
	double mean = seen(sample) / out->gaps, factor = exp(z / sqrt(out->gaps));

	out->single = true;
	out->log_likelihood = -out->gaps * (log(mean) + 1);
	out->silence = (struct gap_parameter){mean, mean / factor, mean * factor};
	out->pulses = (struct gap_parameter){1, NAN, NAN};
	out->inter_pulse = (struct gap_parameter){0, NAN, NAN};
}

static void fit_pair(const struct gap_mixture_point *p, const struct gap_mixture_slope *slope,
		     double z, struct gap_fit *out)
{
	double half[3];

	for (int i = 0; i < 3; i++) {
		double unit[3] = {0}, column[3];

		unit[i] = 1;
		half[i] = gap_mixture_solve(slope->hessian, 0, unit, column) ? z * sqrt(column[i])
									     : NAN;
	}
	int s = p->at[0] > p->at[1] ? 0 : 1, d = 1 - s;
	double logit = s == 0 ? p->at[2] : -p->at[2];

	out->single = false;
	out->log_likelihood = slope->log_likelihood;
	out->silence = (struct gap_parameter){exp(p->at[s]), exp(p->at[s] - half[s]),
					      exp(p->at[s] + half[s])};
	out->inter_pulse = (struct gap_parameter){exp(p->at[d]), exp(p->at[d] - half[d]),
						  exp(p->at[d] + half[d])};
	out->pulses = (struct gap_parameter){1 + exp(-logit), 1 + exp(-logit - half[2]),
					     1 + exp(-logit + half[2])};
}

// Values of 0 would make the likelihood unbounded: on the clock they are up to half a unit.
static struct tally_value *positive(const struct gap_sample *sample, struct tr_error *err)
{
	struct tally_value *copy = calloc(sample->count, sizeof(*copy));

	if (!copy)
		tr_no_memory(err, "%zu gaps", sample->count);
	for (size_t i = 0; copy && i < sample->count; i++) {
		copy[i] = sample->gaps[i];
		copy[i].value = fmax(copy[i].value, 0.5);
	}
	return copy;
}

enum tr_status gap_mixture_fit(const struct gap_sample *sample, double level, struct gap_fit *out,
			       struct tr_error *err)
{
	double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2);

	if (sample->count == 0)
		return tr_fail(err, "no gap between packets");
	struct tally_value *gaps = positive(sample, err);

	if (!gaps)
		return TR_ERROR;
	struct gap_sample own = *sample;

	own.gaps = gaps;
	fit_single(&own, z, out);
	if (out->gaps >= MIN_GAPS && own.count > 2) {
		struct gap_mixture_point p = gap_mixture_start(&own);

		for (int i = 0; i < EM_STEPS; i++)
			p = em_step(&own, &p);
		struct gap_mixture_slope top = gap_mixture_climb(&own, &p);

		if (top.log_likelihood - out->log_likelihood > WORTH)
			fit_pair(&p, &top, z, out);
		// If only open gaps are long the likelihood grows with S without bound.
		if (!out->single && out->silence.value > seen(&own))
			out->silence = (struct gap_parameter){seen(&own), NAN, NAN};
	}
	free(gaps);
	return TR_OK;
}
