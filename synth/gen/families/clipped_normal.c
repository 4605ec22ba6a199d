// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/pulse_train/pulse_part.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#define STEPS 200

// Sufficient statistics of the sample.
struct clipped_normal_sums {
	double n, free;	     // values, and those of them below the largest
	double sum, squares; // of these, relative to shift
	double shift;
	double floor_B, cut_B;
};

// Log-likelihood and derivatives by the mean m and l = log deviation.
struct bend {
	double value, m, l, mm, ml, ll;
};

static struct clipped_normal_sums clipped_normal_sum_up(const struct tally_value *sizes,
							size_t count, double mtu_B)
{
	struct clipped_normal_sums s = {
		.shift = sizes[0].value, .floor_B = sizes[0].value, .cut_B = mtu_B - 0.5};

	for (size_t i = 0; i < count; i++) {
		double x = sizes[i].value - s.shift;

		s.n += sizes[i].count;
		if (sizes[i].value > s.cut_B)
			continue;
		s.free += sizes[i].count;
		s.sum += sizes[i].count * x;
		s.squares += sizes[i].count * x * x;
	}
	return s;
}

// Adds weight times log of the upper tail beyond edge.
static void add_tail(struct bend *b, double weight, double edge, double mean, double deviation)
{
	double t = (edge - mean) / deviation;
	double q = 0.5 * erfc(t / M_SQRT2);
	double h = exp(-0.5 * t * t) / sqrt(2 * M_PI) / q, curve = -h * (h - t);

	b->value += weight * log(q);
	b->m += weight * h / deviation;
	b->l += weight * h * t;
	b->mm += weight * curve / (deviation * deviation);
	b->ml += weight * (curve * t - h) / deviation;
	b->ll += weight * (curve * t * t - h * t);
}

static struct bend bend_at(const struct clipped_normal_sums *s, double mean, double log_deviation)
{
	double deviation = exp(log_deviation), v = deviation * deviation, m = mean - s->shift;
	double first = s->sum - s->free * m;
	double second = s->squares - 2 * m * s->sum + s->free * m * m;
	struct bend b = {
		.value = -s->free * log_deviation - second / (2 * v),
		.m = first / v,
		.l = second / v - s->free,
		.mm = -s->free / v,
		.ml = -2 * first / v,
		.ll = -2 * second / v,
	};

	if (s->n > s->free)
		add_tail(&b, s->n - s->free, s->cut_B, mean, deviation);
	add_tail(&b, -s->n, s->floor_B, mean, deviation);
	return b;
}

// Climbs to the maximum; false if none is in reach.
static bool clipped_normal_climb(const struct clipped_normal_sums *s, double *mean,
				 double *log_deviation, struct bend *top)
{
	struct bend here = bend_at(s, *mean, *log_deviation);
	double ridge = 0;

	for (int step = 0; step < STEPS; step++) {
		double a = -here.mm * (1 + ridge), c = -here.ll + ridge * fabs(here.ll),
		       b = -here.ml, det = a * c - b * b;
		double dm = (c * here.m - b * here.l) / det, dl = (a * here.l - b * here.m) / det;
		struct bend there = {.value = -INFINITY};

		if (a > 0 && det > 0 && fabs(dl) < 2) {
			if (dm * here.m + dl * here.l < 1e-9) {
				*top = here;
				return ridge < 1;
			}
			there = bend_at(s, *mean + dm, *log_deviation + dl);
		}
		if (!(there.value > here.value)) {
			ridge = ridge > 0 ? 4 * ridge : 1e-3;
			if (ridge > 1e9)
				return false;
			continue;
		}
		*mean += dm;
		*log_deviation += dl;
		here = there;
		ridge = ridge > 1e-6 ? ridge / 8 : 0;
	}
	return false;
}

static double clipped_normal_distance(const struct tally_value *sizes, size_t count,
				      const struct clipped_normal_sums *s, double mean,
				      double deviation)
{
	double below_floor = gsl_cdf_ugaussian_P((s->floor_B - mean) / deviation), seen = 0,
	       worst = 0;

	for (size_t i = 0; i < count; i++) {
		double edge = (double)sizes[i].high + 0.5; // whole bytes up to here
		double f = edge > s->cut_B ? 1
					   : (gsl_cdf_ugaussian_P((edge - mean) / deviation) -
					      below_floor) /
						     (1 - below_floor);

		if (i > 0) { // just below the value
			double low = (double)sizes[i].low - 0.5;
			double g = (gsl_cdf_ugaussian_P((low - mean) / deviation) - below_floor) /
				   (1 - below_floor);

			worst = fmax(worst, fabs(g - seen / s->n));
		}
		seen += sizes[i].count;
		worst = fmax(worst, fabs(f - seen / s->n));
	}
	return worst;
}

bool clipped_normal_fit(const struct tally_value *sizes, size_t count, double mtu_B, double level,
			struct size_fit *out)
{
	if (count < 2)
		return false;
	struct clipped_normal_sums s = clipped_normal_sum_up(sizes, count, mtu_B);

	if (s.free < 2)
		return false;
	double m = s.sum / s.free, mean = s.shift + m;
	double log_deviation = 0.5 * log(fmax(s.squares / s.free - m * m, 0.25));
	struct bend top;

	if (!clipped_normal_climb(&s, &mean, &log_deviation, &top))
		return false;
	double z = gsl_cdf_ugaussian_Pinv(0.5 + level / 2), det = top.mm * top.ll - top.ml * top.ml;
	double mean_half = z * sqrt(-top.ll / det), log_half = 2 * z * sqrt(-top.mm / det);
	double variance = exp(2 * log_deviation);

	out->mean_B = (struct size_parameter){mean, mean - mean_half, mean + mean_half};
	out->variance_B2 = (struct size_parameter){variance, variance * exp(-log_half),
						   variance * exp(log_half)};
	out->distance = clipped_normal_distance(sizes, count, &s, mean, sqrt(variance));
	return isfinite(mean_half) && isfinite(log_half) && isfinite(out->distance);
}
