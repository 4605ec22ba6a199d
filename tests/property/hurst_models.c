// SPDX-License-Identifier: GPL-3.0-or-later
#include "hurst_models.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fgn.h"
#include "stat/spectra/surrogate_series.h"

struct hurst_source {
	const struct hurst_model *model;
	struct fgn *noise; // NULL where the model needs none
	size_t n;
};

// Beran 1994, equation 2.45, with variance 1.
static double farima_covariance(double d, double k)
{
	return exp(lgamma(k + d) - lgamma(k + 1 - d) + lgamma(1 - d) - lgamma(d));
}

static double ar1_covariance(double phi, double k)
{
	return pow(phi, k);
}

static void draw_noise(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	(void)n;
	fgn_draw(source->noise, random, x);
}

// Counts of Poisson traffic whose rate is 2 or 20 a bin, for mean bins on average.
static void draw_mmpp(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	static const double rates[] = {2, 20};
	int state = 0;

	for (size_t i = 0; i < n; i++) {
		state ^= tr_random_unit(random) < 1 / source->model->mean;
		poisson_draw(rates[state], random, &x[i], 1);
	}
}

// White noise whose level moves by its deviation in the middle.
static void draw_shift(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	fgn_draw(source->noise, random, x);
	for (size_t i = n / 2; i < n; i++)
		x[i] += 1;
}

static void count_each(double *rates, size_t n, struct tr_random *random)
{
	for (size_t i = 0; i < n; i++)
		if (rates[i] > 0)
			poisson_draw(rates[i], random, &rates[i], 1);
}

static void draw_poisson(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	poisson_draw(source->model->mean, random, x, n);
}

// Trains of a geometric number of packets, 4 on average, at Poisson times.
static void draw_batches(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		double trains;

		poisson_draw(source->model->mean / 4, random, &trains, 1);
		x[i] = 0;
		for (; trains > 0; trains--)
			x[i] += 1 + floor(log(tr_random_unit(random)) / log(0.75));
	}
}

// Poisson packets whose rate is the exponential of half of Gaussian noise.
static void draw_rate(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	fgn_draw(source->noise, random, x);
	for (size_t i = 0; i < n; i++)
		x[i] = source->model->mean * exp(0.5 * x[i] - 0.125);
	count_each(x, n, random);
}

// Adds a session at rate 1 from begin to end, in bins.
static void add_session(double *x, size_t n, double begin, double end)
{
	end = fmin(end, (double)n);
	for (size_t i = (size_t)begin; i < n && (double)i < end; i++)
		x[i] += fmin(end, (double)i + 1) - fmax(begin, (double)i);
}

// Poisson packets of sessions that come as a Poisson process and last Pareto times of index 3 - 2H
// and at least 5 bins; 10 at a time on average, from their stationary law on (Cox 1984).
static void draw_sessions(struct hurst_source *source, struct tr_random *random, double *x,
			  size_t n)
{
	const double index = 3 - 2 * source->model->h, least = 5, at_a_time = 10;
	const double duration = least * index / (index - 1);
	double at = 0, there;

	memset(x, 0, n * sizeof(*x));
	poisson_draw(at_a_time, random, &there, 1);
	for (; there > 0; there--) {
		// What is left of a duration has the density P(D > t) / E(D).
		const double u = tr_random_unit(random), short_share = least / duration;

		add_session(x, n, 0,
			    u < short_share
				    ? u * duration
				    : least * pow((1 - u) / (1 - short_share), -1 / (index - 1)));
	}
	while ((at -= log(tr_random_unit(random)) * duration / at_a_time) < (double)n)
		add_session(x, n, at, at + least * pow(tr_random_unit(random), -1 / index));
	for (size_t i = 0; i < n; i++)
		x[i] *= source->model->mean / at_a_time;
	count_each(x, n, random);
}

// Poisson packets of 20 sources that are on and off for Pareto times of index 3 - 2H and at least 5
// bins.
static void draw_on_off(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	const double index = 3 - 2 * source->model->h, least = 5;

	memset(x, 0, n * sizeof(*x));
	for (int s = 0; s < 20; s++) {
		bool on = tr_random_unit(random) < 0.5;
		// A whole period that began before, so that all do not begin together.
		double at = -tr_random_unit(random) * least *
			    pow(tr_random_unit(random), -1 / (index - 1));

		while (at < (double)n) {
			const double end = at + least * pow(tr_random_unit(random), -1 / index);

			if (on && end > 0)
				add_session(x, n, fmax(at, 0), end);
			at = end;
			on = !on;
		}
	}
	for (size_t i = 0; i < n; i++)
		x[i] *= source->model->mean / 10;
	count_each(x, n, random);
}

// Poisson packets whose rate moves at 5 places to another, up to half as much more or less.
static void draw_levels(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	for (size_t part = 0; part < 6; part++) {
		const double rate = source->model->mean * (0.5 + tr_random_unit(random));

		poisson_draw(rate, random, x + part * n / 6, (part + 1) * n / 6 - part * n / 6);
	}
}

// A rate that grows to the threefold.
static void draw_trend(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = source->model->mean * (0.5 + (double)i / (double)n);
	count_each(x, n, random);
}

// A rate that goes up and down by half, each 100 bins.
static void draw_sine(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = source->model->mean * (1 + 0.5 * sin(2 * M_PI * (double)i / 100));
	count_each(x, n, random);
}

// A parallel program: in each step it computes for 40 bins, with a deviation of 2, and then sends
// for 10.
static void draw_program(struct hurst_source *source, struct tr_random *random, double *x, size_t n)
{
	double at = 50 * tr_random_unit(random);

	memset(x, 0, n * sizeof(*x));
	while (at < (double)n) {
		add_session(x, n, at, at + 10);
		at += 10 + fmax(1, 40 + 2 * gsl_cdf_ugaussian_Pinv(tr_random_unit(random)));
	}
	for (size_t i = 0; i < n; i++)
		x[i] *= source->model->mean * 5;
	count_each(x, n, random);
}

#define FGN(h) \
	{ \
		"fgn " #h, h, h, 0, draw_noise, fgn_covariance, 0 \
	}
#define RATE(h, mean, series) \
	{ \
		"rate " #h " mean " #mean, h, h, mean, draw_rate, fgn_covariance, series \
	}
#define SESSIONS(h, mean, series) \
	{ \
		"sessions " #h " mean " #mean, h, h, mean, draw_sessions, NULL, series \
	}

const struct hurst_model hurst_models[HURST_MODELS] = {
	FGN(.5),
	FGN(.6),
	FGN(.7),
	FGN(.8),
	FGN(.9),
	{"farima d .3", .8, .3, 0, draw_noise, farima_covariance, 0},
	{"ar1 .5", .5, .5, 0, draw_noise, ar1_covariance, 0},
	{"ar1 .9", .5, .9, 0, draw_noise, ar1_covariance, 0},
	{"mmpp", .5, 0, 50, draw_mmpp, NULL, 0},
	{"shift", .5, .5, 0, draw_shift, fgn_covariance, 0},
	{"ar1 .6", .5, .6, 0, draw_noise, ar1_covariance, 100},
	{"mmpp 10", .5, 0, 10, draw_mmpp, NULL, 100},
	{"mmpp 1000", .5, 0, 1000, draw_mmpp, NULL, 100},
	{"poisson 0.5", .5, 0, .5, draw_poisson, NULL, 100},
	{"poisson 5", .5, 0, 5, draw_poisson, NULL, 100},
	{"poisson 500", .5, 0, 500, draw_poisson, NULL, 100},
	{"batches 5", .5, 0, 5, draw_batches, NULL, 100},
	RATE(.6, 0.5, 100),
	RATE(.6, 5, 100),
	RATE(.6, 50, 100),
	RATE(.6, 500, 100),
	RATE(.7, 0.5, 100),
	RATE(.7, 5, 100),
	RATE(.7, 50, 100),
	RATE(.7, 500, 100),
	RATE(.8, 0.5, 100),
	RATE(.8, 5, 100),
	RATE(.8, 50, 100),
	RATE(.8, 500, 100),
	RATE(.9, 0.5, 100),
	RATE(.9, 5, 100),
	RATE(.9, 50, 100),
	RATE(.9, 500, 100),
	SESSIONS(.6, 5, 100),
	SESSIONS(.7, 5, 100),
	SESSIONS(.8, 5, 100),
	SESSIONS(.9, 5, 100),
	{"on-off .8 mean 5", .8, .8, 5, draw_on_off, NULL, 100},
	{"level shifts", .5, 0, 5, draw_levels, NULL, 100},
	{"trend", .5, 0, 5, draw_trend, NULL, 100},
	{"sine", .5, 0, 5, draw_sine, NULL, 100},
	{"program", .5, 0, 5, draw_program, NULL, 100},
};

struct hurst_source *hurst_source_open(const struct hurst_model *model, size_t n)
{
	struct hurst_source *source = calloc(1, sizeof(*source));

	if (!source)
		abort();
	source->model = model;
	source->n = n;
	if (model->covariance)
		source->noise = fgn_open_by(n, model->covariance, model->h);
	return source;
}

void hurst_source_draw(struct hurst_source *source, struct tr_random *random, double *x)
{
	source->model->draw(source, random, x, source->n);
}

void hurst_source_close(struct hurst_source *source)
{
	if (source->noise)
		fgn_close(source->noise);
	free(source);
}
