// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/intervals/mean_error.h"

#include <assert.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>

// Weights before the series is looked at.
#define STEEP .03	     // of spectra without a mean
#define WHITE .62	     // of flat ones among the others
#define RELAXED .06	     // of relaxations; the rest grows with H
#define H_MOST .97	     // of fractional noise
#define BEND 1.5	     // what a bend costs, the log of the range that a level may have
#define LEAST_FREQUENCIES 4u // below a bend

#define POWERS 10u // values of H above .5
#define STEEPS 4u
#define RELAXATIONS 8u
#define EDGES_MAX 20u

// Share of a floor, as of packets that are Poisson of a rate, in the variance of a value.
static const double floors[] = {0, .5, .8};
#define FLOORS (sizeof(floors) / sizeof(*floors))
#define SHAPES (1 + RELAXATIONS * FLOORS + POWERS * FLOORS + STEEPS)

// The low end of the spectrum, and where it may bend: up to frequency edges[i].
struct periodogram {
	size_t count; // of values
	double power[MEAN_ERROR_VALUES];
	double sines[MEAN_ERROR_VALUES]; // of half the frequency, squared
	size_t edge_count;
	size_t edges[EDGES_MAX];
	double above[EDGES_MAX]; // log likelihood of the frequencies above the edge, a level for
				 // each half octave
};

// A shape of the spectrum: at its edges the sum of power over level, and of log level.
struct mean_error_shape {
	double h; // 0: there is no mean
	double log_weight;
	double mean; // variance of the mean where that of a value is 1
	double scaled[EDGES_MAX], logs[EDGES_MAX];
};

// ---- the series

// Squared cosine transforms at k half periods, none of them exactly 0. The cosines are even about
// the middle for even k, else odd.
static void transform(struct periodogram *out, const double *values, size_t count)
{
	double cosines[4 * MEAN_ERROR_VALUES], folded[2][MEAN_ERROR_VALUES], mean = 0, squares = 0;
	const size_t half = (count + 1) / 2;

	for (size_t i = 0; i < 4 * count; i++)
		cosines[i] = cos(M_PI * (double)i / (2 * (double)count));
	for (size_t i = 0; i < count; i++)
		mean += (values[i] - values[0]) / (double)count;
	mean += values[0];
	for (size_t i = 0; i < count; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	for (size_t i = 0; i < half; i++) {
		const double one = values[i] - mean,
			     other = 2 * i + 1 == count ? 0 : values[count - 1 - i] - mean;

		folded[0][i] = one + other;
		folded[1][i] = one - other;
	}
	out->count = count;
	for (size_t k = 1; k < count; k++) {
		double sum = 0;

		for (size_t i = 0, at = k; i < half; i++) {
			sum += folded[k % 2][i] * cosines[at];
			at += 2 * k;
			at -= at >= 4 * count ? 4 * count : 0;
		}
		out->sines[k] = pow(cosines[count - k], 2);
		out->power[k] = fmax(2 * sum * sum / (double)count,
				     1e-12 * squares / (double)count);
	}
}

// Log likelihood of one free level for count powers of this sum.
static double free_level(double count, double sum)
{
	return lgamma(count / 2) - count / 2 * log(sum / 2) - BEND;
}

// From the highest frequency down by half octaves.
static void half_octaves(struct periodogram *out)
{
	double edge = (double)(out->count - 1);
	size_t top = out->count - 1;
	double above = 0;

	out->edge_count = 0;
	do {
		const size_t next = (size_t)lround(edge);

		if (next < top) {
			double sum = 0;

			for (size_t k = next + 1; k <= top; k++)
				sum += out->power[k];
			above += free_level((double)(top - next), sum);
			top = next;
		}
		out->edges[out->edge_count] = top;
		out->above[out->edge_count++] = above;
		edge /= M_SQRT2;
	} while (lround(edge) >= LEAST_FREQUENCIES && out->edge_count < EDGES_MAX);
}

// ---- shapes

static double power_h(unsigned i)
{
	return .5 + (H_MOST - .5) * (i + 1) / POWERS;
}

// Adds x^(-2 h - 1) at each H, and the integral of this from x on at those where it is the end of
// the sum.
static void add_alias(double sums[POWERS], double x, bool end)
{
	const double ratio = pow(x, -2 * (power_h(1) - power_h(0)));
	double term = pow(x, -2);

	for (unsigned i = 0; i < POWERS; i++) {
		term *= ratio;
		sums[i] += end ? term * x / (4 * M_PI * power_h(i)) : term;
	}
}

// Spectra of fractional Gaussian noise of variance 1, times 2 pi (Beran 1994, section 2.3): a sum
// of aliases, whose tail is an integral.
static void noise_levels(double levels[POWERS][MEAN_ERROR_VALUES], const struct periodogram *of)
{
	double factors[POWERS];

	for (unsigned i = 0; i < POWERS; i++)
		factors[i] = tgamma(2 * power_h(i) + 1) * sin(M_PI * power_h(i)) * 4;
	for (size_t k = 1; k < of->count; k++) {
		const double w = M_PI * (double)k / (double)of->count;
		double sums[POWERS] = {0};

		for (int alias = -3; alias <= 3; alias++)
			add_alias(sums, fabs(w + 2 * M_PI * alias), false);
		add_alias(sums, 7 * M_PI + w, true);
		add_alias(sums, 7 * M_PI - w, true);
		for (unsigned i = 0; i < POWERS; i++)
			levels[i][k] = factors[i] * of->sines[k] * sums[i];
	}
}

// Adds up the shape whose levels are share levels[k] + 1 - share. Few levels at a time are
// multiplied before their logarithm.
static void add_shape(struct mean_error_shape *shape, const struct periodogram *of,
		      const double *levels, double share)
{
	size_t edge = of->edge_count;
	double scaled = 0, logs = 0, product = 1;

	for (size_t k = 1; k < of->count; k++) {
		const double level = share * levels[k] + 1 - share;

		scaled += of->power[k] / level;
		product *= level;
		if (k % 8 == 0 || k == of->edges[edge - 1]) {
			logs += log(product);
			product = 1;
		}
		if (k == of->edges[edge - 1]) {
			shape->scaled[--edge] = scaled;
			shape->logs[edge] = logs;
		}
	}
}

static void make_white(struct mean_error_shape *shape, const struct periodogram *of, double *levels)
{
	for (size_t k = 1; k < of->count; k++)
		levels[k] = 1;
	*shape = (struct mean_error_shape){
		.h = .5, .log_weight = log((1 - STEEP) * WHITE), .mean = 1 / (double)of->count};
	add_shape(shape, of, levels, 1);
}

// The spectrum of an AR(1) process that is half as high at k = 4, 8, 16, ... half periods.
static void make_relaxations(struct mean_error_shape shapes[FLOORS], const struct periodogram *of,
			     double *levels, unsigned i)
{
	const double n = (double)of->count,
		     half = pow(sin(fmin(M_PI * 4 * pow(2, i) / n, M_PI) / 2), 2);

	for (size_t k = 1; k < of->count; k++)
		levels[k] = 1 / (1 + of->sines[k] / half);
	for (size_t f = 0; f < FLOORS; f++) {
		shapes[f] = (struct mean_error_shape){
			.h = .5,
			.log_weight = log((1 - STEEP) * RELAXED / RELAXATIONS / FLOORS),
			.mean = 1 / n};
		add_shape(&shapes[f], of, levels, 1 - floors[f]);
	}
}

static void make_powers(struct mean_error_shape shapes[FLOORS], const struct periodogram *of,
			const double *levels, unsigned i)
{
	const double n = (double)of->count, h = power_h(i);
	const double weight = (1 - STEEP) * (1 - WHITE - RELAXED) * (2 * i + 1) /
			      (POWERS * POWERS) / FLOORS;

	for (size_t f = 0; f < FLOORS; f++) {
		shapes[f] = (struct mean_error_shape){.h = h,
						      .log_weight = log(weight),
						      .mean = (1 - floors[f]) * pow(n, 2 * h - 2) +
							      floors[f] / n};
		add_shape(&shapes[f], of, levels, 1 - floors[f]);
	}
}

// Powers -1.25 to -2 of the frequency; at -2 a random walk.
static void make_steep(struct mean_error_shape *shape, const struct periodogram *of, double *levels,
		       unsigned i)
{
	for (size_t k = 1; k < of->count; k++)
		levels[k] = pow(4 * of->sines[k], -(1 + (i + 1) / (double)STEEPS) / 2);
	*shape = (struct mean_error_shape){.log_weight = log(STEEP / STEEPS)};
	add_shape(shape, of, levels, 1);
}

static void make_shapes(struct mean_error_shape shapes[SHAPES], const struct periodogram *of)
{
	double levels[MEAN_ERROR_VALUES], noise[POWERS][MEAN_ERROR_VALUES];

	make_white(&shapes[0], of, levels);
	shapes++;
	for (unsigned i = 0; i < RELAXATIONS; i++, shapes += FLOORS)
		make_relaxations(shapes, of, levels, i);
	noise_levels(noise, of);
	for (unsigned i = 0; i < POWERS; i++, shapes += FLOORS)
		make_powers(shapes, of, noise[i], i);
	for (unsigned i = 0; i < STEEPS; i++)
		make_steep(shapes++, of, levels, i);
}

// ---- the mixture of Student's distributions

struct mean_error_part {
	double weight, se, freedom, h;
};

struct mean_error_mixture {
	size_t count;
	struct mean_error_part parts[SHAPES * EDGES_MAX];
	double weight; // of all parts
	double steep;  // weight of the spectra without a mean, over that of all
};

static double shape_likelihood(const struct mean_error_shape *shape, const struct periodogram *of,
			       size_t edge)
{
	return shape->log_weight + of->above[edge] +
	       free_level((double)of->edges[edge], shape->scaled[edge]) - shape->logs[edge] / 2;
}

// Parts of no weight are left out.
static void mean_error_mix(struct mean_error_mixture *out,
			   const struct mean_error_shape shapes[SHAPES],
			   const struct periodogram *of)
{
	double most = -INFINITY, steep = 0;

	for (size_t i = 0; i < SHAPES; i++)
		for (size_t edge = 0; edge < of->edge_count; edge++)
			most = fmax(most, shape_likelihood(&shapes[i], of, edge));
	out->count = 0;
	out->weight = 0;
	for (size_t i = 0; i < SHAPES; i++)
		for (size_t edge = 0; edge < of->edge_count; edge++) {
			const double weight = exp(shape_likelihood(&shapes[i], of, edge) - most);
			const double freedom = (double)of->edges[edge];

			if (weight < 1e-5)
				continue;
			if (shapes[i].h == 0) {
				steep += weight;
				continue;
			}
			out->weight += weight;
			out->parts[out->count++] = (struct mean_error_part){
				weight, sqrt(shapes[i].scaled[edge] / freedom * shapes[i].mean),
				freedom, shapes[i].h};
		}
	out->steep = steep / (steep + out->weight);
}

// x beyond which, on both sides, lies this share of all with a mean: by Newton's steps from 0,
// which end below x, since the share beyond is convex.
static double mixture_half_width(const struct mean_error_mixture *mixture, double share)
{
	double x = 0, step;

	do {
		double beyond = 0, density = 0;

		for (size_t i = 0; i < mixture->count; i++) {
			const struct mean_error_part *part = &mixture->parts[i];

			beyond += part->weight * 2 * gsl_cdf_tdist_Q(x / part->se, part->freedom);
			density += part->weight * 2 *
				   gsl_ran_tdist_pdf(x / part->se, part->freedom) / part->se;
		}
		step = (beyond - share * mixture->weight) / density;
		x += step;
	} while (step > 1e-9 * x);
	return x;
}

// Degrees of freedom of a Student's distribution whose deviation is as uncertain, by the variance
// of its logarithm.
static double mixture_freedom(const struct mean_error_mixture *mixture)
{
	double mean = 0, squares = 0, own = 0;

	for (size_t i = 0; i < mixture->count; i++) {
		const struct mean_error_part *part = &mixture->parts[i];
		const double x = log(part->se);

		mean += part->weight * x / mixture->weight;
		squares += part->weight * x * x / mixture->weight;
		own += part->weight / (2 * part->freedom) / mixture->weight;
	}
	return 1 / (2 * (fmax(squares - mean * mean, 0) + own));
}

static double h_of(const struct mean_error_mixture *mixture)
{
	double weight = 0, sum = 0;

	for (size_t i = 0; i < mixture->count; i++) {
		if (mixture->parts[i].h <= .5)
			continue;
		weight += mixture->parts[i].weight;
		sum += mixture->parts[i].weight * mixture->parts[i].h;
	}
	return weight > mixture->weight / 2 ? sum / weight : .5;
}

// That of a mean, from up to 16 means of neighbours.
static double skewness_of(const double *values, size_t count)
{
	const size_t blocks = count < 16 ? count : 16, width = count / blocks;
	double means[16], mean = 0, squares = 0, cubes = 0;

	for (size_t i = 0; i < blocks; i++) {
		means[i] = 0;
		for (size_t k = 0; k < width; k++)
			means[i] += values[i * width + k] / (double)width;
		mean += means[i] / (double)blocks;
	}
	for (size_t i = 0; i < blocks; i++) {
		squares += pow(means[i] - mean, 2) / (double)blocks;
		cubes += pow(means[i] - mean, 3) / (double)blocks;
	}
	return squares > 0 ? fmin(fmax(cubes / pow(squares, 1.5) / sqrt((double)blocks), 0), 1) : 0;
}

static bool all_equal(const double *values, size_t count)
{
	for (size_t i = 1; i < count; i++)
		if (values[i] != values[0])
			return false;
	return true;
}

struct mean_error mean_error_find(const double *values, size_t count, double level)
{
	struct mean_error out = {.se = NAN, .freedom = NAN, .h = .5, .longer = 4};
	struct mean_error_shape shapes[SHAPES];
	struct periodogram spectrum;
	struct mean_error_mixture mixture;
	double share;

	assert(count <= MEAN_ERROR_VALUES);
	if (count < 2)
		return out;
	if (all_equal(values, count))
		return (struct mean_error){.known = true, .freedom = (double)count - 1, .h = .5};
	transform(&spectrum, values, count);
	half_octaves(&spectrum);
	make_shapes(shapes, &spectrum);
	mean_error_mix(&mixture, shapes, &spectrum);
	out.skewness = skewness_of(values, count);
	out.h = h_of(&mixture);
	out.longer = mixture.steep > .5 ? 16 : 4;
	share = 1 - level - mixture.steep;
	out.known = share >= (1 - level) / 2;
	if (!out.known)
		return out;
	out.freedom = mixture_freedom(&mixture);
	out.se = mixture_half_width(&mixture, share) /
		 gsl_cdf_tdist_Pinv(.5 + .5 * level, out.freedom);
	return out;
}

struct interval mean_error_interval(double mean, const struct mean_error *error, double level,
				    double floor)
{
	const double half = error->known ? gsl_cdf_tdist_Pinv(.5 + .5 * level, error->freedom) *
						   error->se
					 : NAN;
	struct interval interval = {mean - half, mean + half};
	double stretched;

	if (!(mean > floor) || !(half > 0) || isinf(floor))
		return interval;
	interval.lo = interval_above(interval, floor).lo;
	stretched = half / (mean - floor) * (1 + .75 * error->skewness);
	interval.hi = floor + (mean - floor) * (stretched < 1 ? exp(stretched) : M_E * stretched);
	return interval;
}

struct sample mean_error_sample(double mean, const struct mean_error *error)
{
	const double n = error->freedom + 1;

	return (struct sample){.mean = mean, .sd = error->se * sqrt(n), .n = n};
}

double mean_error_needed(double mean, const struct mean_error *error, double level, double percent,
			 double n)
{
	const double wanted = percent / 100 * fabs(mean);

	if (!error->known)
		return n * error->longer;
	return n * pow(gsl_cdf_tdist_Pinv(.5 + .5 * level, error->freedom) * error->se / wanted,
		       1 / (1 - error->h));
}
