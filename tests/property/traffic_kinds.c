// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic_kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fgn.h"
#include "stat/surrogate_series.h"

enum family { POISSON, BATCH, AR1, MMPP, SHIFT, TREND, SINE, PROGRAM, NOISE, FARIMA, RATE, ON_OFF };

static const struct {
	enum family family;
	double parameter; // phi, the bins of a state, H, d
	double mean;
	bool period;
} kinds[] = {
	{POISSON, 0, 0.5, false}, {POISSON, 0, 5, false}, {POISSON, 0, 500, false}, {BATCH, 0, 5, false},
	{AR1, 0.6, 0, false},	  {AR1, 0.9, 0, false},	  {AR1, 0.99, 0, false},    {MMPP, 10, 5, false},
	{MMPP, 100, 5, false},	  {MMPP, 1000, 5, false}, {SHIFT, 0, 5, false},	    {TREND, 0, 5, false},
	{SINE, 0, 5, false},	  {PROGRAM, 0, 5, false}, {RATE, 0.6, 5, false},    {RATE, 0.7, 5, false},
	{RATE, 0.8, 5, false},	  {RATE, 0.9, 5, false},  {RATE, 0.8, 0.5, false},  {RATE, 0.8, 50, false},
	{RATE, 0.8, 500, false},  {RATE, 0.8, 5, true},	  {NOISE, 0.8, 0, false},   {FARIMA, 0.3, 0, false},
	{ON_OFF, 1.4, 5, false},
};

const struct traffic_kind traffic_kinds[] = {
	{"poisson .5", "Poisson packets", false, 0, 0.5},
	{"poisson 5", "Poisson packets", false, 0, 5},
	{"poisson 500", "Poisson packets", false, 0, 500},
	{"batch poisson", "batches at Poisson times, geometric with mean 5", false, 0, 5},
	{"ar1 .6", "a Gaussian AR(1)", false, 0, 0},
	{"ar1 .9", "a Gaussian AR(1)", false, 0, 0},
	{"ar1 .99", "a Gaussian AR(1)", false, 0, 0},
	{"mmpp 10", "Poisson packets of two rates, 2 and 8, each for 10 bins on average", false, 0, 5},
	{"mmpp 100", "the same, each for 100 bins", false, 0, 5},
	{"mmpp 1000", "the same, each for 1,000 bins", false, 0, 5},
	{"level shift", "Poisson packets whose rate goes from 5 to 7 somewhere in the middle", false, 0, 5},
	{"trend", "Poisson packets whose rate grows from 4 to 6", false, 0, 5},
	{"sine", "Poisson packets whose rate swings by a half, 8 to 512 bins a period", false, 0, 5},
	{"program", "cycles of 16 to 256 bins, each 5 % unlike the one before, a fifth of it busy", false, 0, 5},
	{"lrd .6", "Poisson packets of a long-range dependent rate", true, 0.6, 5},
	{"lrd .7", "the same", true, 0.7, 5},
	{"lrd .8", "the same", true, 0.8, 5},
	{"lrd .9", "the same", true, 0.9, 5},
	{"lrd .8 mean .5", "the same", true, 0.8, 0.5},
	{"lrd .8 mean 50", "the same", true, 0.8, 50},
	{"lrd .8 mean 500", "the same", true, 0.8, 500},
	{"lrd .8 period", "the same, with a sine on top", true, 0.8, 5},
	{"fgn .8", "fractional Gaussian noise", true, 0.8, 0},
	{"farima .3", "fractionally integrated noise", true, 0.8, 0},
	{"on-off", "64 sources, on and off for Pareto times of index 1.4, each sending Poisson packets", true, 0.8, 5},
	{NULL, NULL, false, 0, 0},
};

#define SPREAD 0.5 // standard deviation of a long-range dependent rate over its mean
#define SOURCES 64

struct traffic_maker {
	size_t kind, n;
	struct fgn *noise;
	double *rate;
	struct tr_random random;
};

static double unit(struct traffic_maker *maker)
{
	return tr_random_unit(&maker->random);
}

static double exponential(struct traffic_maker *maker, double mean)
{
	return -mean * log(unit(maker));
}

// Beran 1994, equation 2.45, with variance 1.
static double farima_covariance(double d, double k)
{
	return exp(lgamma(k + d) - lgamma(k + 1 - d) + lgamma(1 - d) - lgamma(d));
}

static double ar1_covariance(double phi, double k)
{
	return pow(phi, k);
}

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

struct traffic_maker *traffic_maker_open(size_t kind, size_t n)
{
	struct traffic_maker *maker = must(calloc(1, sizeof(*maker)));

	maker->kind = kind;
	maker->n = n;
	maker->rate = must(malloc(n * sizeof(*maker->rate)));
	switch (kinds[kind].family) {
	case AR1: maker->noise = fgn_open_by(n, ar1_covariance, kinds[kind].parameter); break;
	case FARIMA: maker->noise = fgn_open_by(n, farima_covariance, kinds[kind].parameter); break;
	case NOISE:
	case RATE: maker->noise = fgn_open(n, kinds[kind].parameter); break;
	default: break;
	}
	return maker;
}

void traffic_maker_close(struct traffic_maker *maker)
{
	if (maker->noise)
		fgn_close(maker->noise);
	free(maker->rate);
	free(maker);
}

// Adds amount a bin to the rate from time begin to end, both in bins.
static void add_rate(struct traffic_maker *maker, double begin, double end, double amount)
{
	end = fmin(end, (double)maker->n);
	begin = fmax(begin, 0);
	while (begin < end) {
		const size_t bin = (size_t)begin;
		const double next = fmin((double)bin + 1, end);

		if (bin >= maker->n)
			return;
		maker->rate[bin] += amount * (next - begin);
		begin = next;
	}
}

static void clear_rate(struct traffic_maker *maker, double value)
{
	for (size_t i = 0; i < maker->n; i++)
		maker->rate[i] = value;
}

// Two states, 2 and 8 packets a bin.
static void draw_states(struct traffic_maker *maker, double bins)
{
	double time = 0;
	bool high = unit(maker) < 0.5;

	clear_rate(maker, 0);
	while (time < (double)maker->n) {
		const double end = time + exponential(maker, bins);

		add_rate(maker, time, end, high ? 8 : 2);
		time = end;
		high = !high;
	}
}

// Cycles that drift: each is as long as the period, give or take 5 %, and a fifth of it is busy.
static void draw_program(struct traffic_maker *maker, double mean)
{
	const double period = 16 * exp(unit(maker) * log(16));
	double time = -unit(maker) * period;

	clear_rate(maker, 0);
	while (time < (double)maker->n) {
		const double next = time + period * (1 + 0.05 * sqrt(3) * (2 * unit(maker) - 1));

		add_rate(maker, time, time + 0.2 * period, 5 * mean);
		time = next;
	}
}

// The first time of a source is one of a stationary renewal process only where its mean is finite; a thousand bins are
// left to pass instead.
static void draw_sources(struct traffic_maker *maker, double index, double mean)
{
	clear_rate(maker, 0);
	for (int source = 0; source < SOURCES; source++) {
		double time = -1000 - 10 * unit(maker);
		bool on = unit(maker) < 0.5;

		while (time < (double)maker->n) {
			const double end = time + pow(unit(maker), -1 / index);

			if (on)
				add_rate(maker, time, end, 2 * mean / SOURCES);
			time = end;
			on = !on;
		}
	}
}

static void add_sine(struct traffic_maker *maker, double amount)
{
	const double period = 8 * exp(unit(maker) * log(64)), phase = unit(maker) * 2 * M_PI;

	for (size_t i = 0; i < maker->n; i++)
		maker->rate[i] *= 1 + amount * sin(2 * M_PI * (double)i / period + phase);
}

// A rate whose logarithm is fractional Gaussian noise.
static void draw_rate(struct traffic_maker *maker, double mean)
{
	const double sigma = sqrt(log(1 + SPREAD * SPREAD));

	fgn_draw(maker->noise, &maker->random, maker->rate);
	for (size_t i = 0; i < maker->n; i++)
		maker->rate[i] = mean * exp(sigma * maker->rate[i] - sigma * sigma / 2);
}

static void draw_batches(struct traffic_maker *maker, double *x)
{
	poisson_draw(1, &maker->random, x, maker->n);
	for (size_t i = 0; i < maker->n; i++) {
		double packets = 0;

		for (int b = 0; b < (int)x[i]; b++)
			packets += ceil(log(unit(maker)) / log(0.8));
		x[i] = packets;
	}
}

void traffic_draw(struct traffic_maker *maker, uint64_t number, double *x)
{
	const double mean = kinds[maker->kind].mean, parameter = kinds[maker->kind].parameter;
	const size_t n = maker->n;
	char name[96];
	size_t cut;

	(void)snprintf(name, sizeof(name), "%s/%zu", traffic_kinds[maker->kind].name, n);
	tr_random_open(&maker->random, number, name);
	clear_rate(maker, mean);
	switch (kinds[maker->kind].family) {
	case POISSON: break;
	case BATCH: draw_batches(maker, x); return;
	case AR1:
	case FARIMA:
	case NOISE: fgn_draw(maker->noise, &maker->random, x); return;
	case MMPP: draw_states(maker, parameter); break;
	case SHIFT:
		cut = (size_t)((0.2 + 0.6 * unit(maker)) * (double)n);
		for (size_t i = cut; i < n; i++)
			maker->rate[i] = 7;
		break;
	case TREND:
		for (size_t i = 0; i < n; i++)
			maker->rate[i] = 4 + 2 * (double)i / (double)n;
		break;
	case SINE: add_sine(maker, 0.5); break;
	case PROGRAM: draw_program(maker, mean); break;
	case RATE: draw_rate(maker, mean); break;
	case ON_OFF: draw_sources(maker, parameter, mean); break;
	}
	if (kinds[maker->kind].period)
		add_sine(maker, 0.5);
	for (size_t i = 0; i < n; i++) {
		x[i] = 0;
		if (maker->rate[i] > 0)
			poisson_draw(maker->rate[i], &maker->random, &x[i], 1);
	}
}
