// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic_kinds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fgn.h"
#include "stat/spectra/surrogate_series.h"
#include "traffic_sources.h"

#define SPREAD 0.5 // standard deviation of a long-range dependent rate over its mean
#define WARM 2000  // points that a filter is left

#define TIMES(...) \
	.times = (const double[]) \
	{ \
		__VA_ARGS__, 0 \
	}
#define PARETO(index, least, many) .parameter = (index), .bins = (least), .number = (many)
#define SESSIONS(...) .family = TRAFFIC_SESSIONS, PARETO(__VA_ARGS__)
#define SOURCES(...) .family = TRAFFIC_SOURCES, PARETO(__VA_ARGS__)
#define STATES(...) .family = TRAFFIC_STATES, TIMES(__VA_ARGS__)
#define AR1(phi) .family = TRAFFIC_AR1, .parameter = (phi)
#define RATE(h) .family = TRAFFIC_RATE, .parameter = (h)
#define NOISE(h) .family = TRAFFIC_NOISE, .parameter = (h)
#define CASCADE(h) .family = TRAFFIC_CASCADE, .parameter = (h)
#define FARIMA(d) .family = TRAFFIC_FARIMA, .parameter = (d)
#define HELD_BACK .held_back = true

// clang-format off
const struct traffic_kind traffic_kinds[] = {
	{"poisson .5", "Poisson packets", 0, .5, TRAFFIC_POISSON},
	{"poisson 5", "Poisson packets", 0, 5, TRAFFIC_POISSON},
	{"poisson 500", "Poisson packets", 0, 500, TRAFFIC_POISSON},
	{"poisson 20", "Poisson packets", 0, 20, TRAFFIC_POISSON, HELD_BACK},
	{"batch poisson", "batches at Poisson times, geometric with mean 5", 0, 5, TRAFFIC_BATCHES},
	{"ar1 .6", "a Gaussian AR(1)", 0, 0, AR1(.6)},
	{"ar1 .9", "a Gaussian AR(1)", 0, 0, AR1(.9)},
	{"ar1 .99", "a Gaussian AR(1)", 0, 0, AR1(.99)},
	{"ar1 .96", "a Gaussian AR(1)", 0, 0, AR1(.96), HELD_BACK},
	{"mmpp 10", "Poisson packets of two rates, 2 and 8, each for 10 bins on average",
	 0, 5, STATES(10)},
	{"mmpp 30", "the same, each for 30 bins", 0, 5, STATES(30)},
	{"mmpp 100", "the same, each for 100 bins", 0, 5, STATES(100)},
	{"mmpp 300", "the same, each for 300 bins", 0, 5, STATES(300)},
	{"mmpp 1000", "the same, each for 1,000 bins", 0, 5, STATES(1000)},
	{"mmpp 4", "the same, 8 and 32, each for 4 bins", 0, 20, STATES(4), HELD_BACK},
	{"states 2 20 200", "Poisson packets of a sum of three two-state rates",
	 0, 5, STATES(2, 20, 200)},
	{"states 1 30 1000", "the same", 0, 5, STATES(1, 30, 1000)},
	{"states 10 100 1000", "the same", 0, 50, STATES(10, 100, 1000)},
	{"states 5 to 5000", "the same of four, a decade apart", 0, 50, STATES(5, 50, 500, 5000)},
	{"states 1 to 1000", "the same of seven, half a decade apart",
	 0, 50, STATES(1, 3.16, 10, 31.6, 100, 316, 1000)},
	{"states 6 90", "the same of two", 0, 20, STATES(6, 90), HELD_BACK},
	{"states 4 50 700", "the same of three", 0, 15, STATES(4, 50, 700), HELD_BACK},
	{"states 3 12 50 200", "the same of four", 0, 30, STATES(3, 12, 50, 200), HELD_BACK},
	{"states 5 40 300", "the same of three", 0, 40, STATES(5, 40, 300), HELD_BACK},
	{"states 2 to 2000", "the same of four, a decade apart",
	 0, 20, STATES(2, 20, 200, 2000), HELD_BACK},
	{"states 3 to 3000", "the same of seven, half a decade apart",
	 0, 30, STATES(3, 9.5, 30, 95, 300, 950, 3000), HELD_BACK},
	{"sessions 10", "exponential sessions of 10 bins, 20 at a time", 0, 0, SESSIONS(0, 10, 20)},
	{"sessions 200", "Poisson packets of exponential sessions of 200 bins, 20 at a time",
	 0, 50, SESSIONS(0, 200, 20)},
	{"sessions 35", "the same, of 35 bins, 8 at a time", 0, 10, SESSIONS(0, 35, 8), HELD_BACK},
	{"sources 30", "5 sources, on and off for exponential times of 30 bins",
	 0, 50, SOURCES(0, 30, 5)},
	{"sources 80", "30 such sources, of 80 bins", 0, 0, SOURCES(0, 80, 30), HELD_BACK},
	{"level shift", "Poisson packets whose rate goes from 5 to 7 somewhere in the middle",
	 0, 5, TRAFFIC_SHIFT},
	{"trend", "Poisson packets whose rate grows from 4 to 6", 0, 5, TRAFFIC_TREND},
	{"sine", "Poisson packets whose rate swings by a half, 8 to 512 bins a period",
	 0, 5, TRAFFIC_SINE},
	{"program", "cycles of 16 to 256 bins, each 5 % unlike the one before, a fifth of it busy",
	 0, 5, TRAFFIC_PROGRAM},
	{"lrd .6", "Poisson packets of a long-range dependent rate", .6, 5, RATE(.6)},
	{"lrd .7", "the same", .7, 5, RATE(.7)},
	{"lrd .8", "the same", .8, 5, RATE(.8)},
	{"lrd .9", "the same", .9, 5, RATE(.9)},
	{"lrd .85 mean 20", "the same", .85, 20, RATE(.85), HELD_BACK},
	{"lrd .8 mean .5", "the same", .8, .5, RATE(.8)},
	{"lrd .8 mean 50", "the same", .8, 50, RATE(.8)},
	{"lrd .8 mean 500", "the same", .8, 500, RATE(.8)},
	{"lrd .8 period", "the same, with a sine on top", .8, 5, RATE(.8), .besides = BESIDES_SINE},
	{"lrd .8 days", "the same, with six cycles", .8, 5, RATE(.8), .besides = BESIDES_DAYS},
	{"lrd .8 gaps", "the same, a tenth lost in gaps of 40 bins",
	 .8, 5, RATE(.8), .besides = BESIDES_GAPS},
	{"lrd .8 shift", "the same, with a shift of 60 % in the middle",
	 .8, 5, RATE(.8), .besides = BESIDES_SHIFT},
	{"lrd .8 mmpp 300", "the same, and a rate of two states of 300 bins",
	 .8, 5, RATE(.8), .besides = BESIDES_STATES, TIMES(300)},
	{"lrd .75 mmpp 30", "the same, of 30 bins",
	 .75, 5, RATE(.75), .besides = BESIDES_STATES, TIMES(30)},
	{"lrd .7 mmpp 100", "the same, of 100 bins",
	 .7, 10, RATE(.7), .besides = BESIDES_STATES, TIMES(100), HELD_BACK},
	{"lrd .75 days", "a rate with six cycles",
	 .75, 20, RATE(.75), .besides = BESIDES_DAYS, HELD_BACK},
	{"lrd .8 trend", "the same, with a trend of 60 %",
	 .8, 5, RATE(.8), .besides = BESIDES_TREND},
	{"lrd .7 trend", "a rate with a trend",
	 .7, 20, RATE(.7), .besides = BESIDES_TREND, HELD_BACK},
	{"lrd .75 shift", "a rate with a shift",
	 .75, 50, RATE(.75), .besides = BESIDES_SHIFT, HELD_BACK},
	{"lrd .85 shift", "a rate with a shift",
	 .85, 10, RATE(.85), .besides = BESIDES_SHIFT, HELD_BACK},
	{"lrd .7 gaps", "a rate with gaps", .7, 20, RATE(.7), .besides = BESIDES_GAPS, HELD_BACK},
	{"fgn .8", "fractional Gaussian noise", .8, 0, NOISE(.8)},
	{"fgn .7", "fractional Gaussian noise", .7, 0, NOISE(.7), HELD_BACK},
	{"fgn .75 trend", "the same with a trend of two standard deviations",
	 .75, 0, NOISE(.75), .besides = BESIDES_TREND, HELD_BACK},
	{"farima .3", "fractionally integrated noise", .8, 0, FARIMA(.3)},
	{"farima 1 .3 1", "the same, filtered by an ARMA(1, 1) of .9 and .4",
	 .8, 0, FARIMA(.3), .ar = .9, .ma = .4},
	{"farima .2 ar", "the same with d .2, filtered by an AR(1) of .7",
	 .7, 0, FARIMA(.2), .ar = .7},
	{"farima .35 ar", "the same with d .35, filtered by an AR(1) of .5",
	 .85, 0, FARIMA(.35), .ar = .5, HELD_BACK},
	{"cascade .8", "Poisson packets of a random binary cascade", .8, 5, CASCADE(.8)},
	{"cascade .9", "the same", .9, 50, CASCADE(.9), HELD_BACK},
	{"sessions 1.6 1", "Pareto sessions of index 1.6, the shortest of 1 bin, 20 at a time",
	 .7, 0, SESSIONS(1.6, 1, 20)},
	{"sessions 1.6 10", "the same, of 10 bins", .7, 0, SESSIONS(1.6, 10, 20)},
	{"sessions 1.6 50", "Poisson packets of the same, of 50 bins",
	 .7, 50, SESSIONS(1.6, 50, 20)},
	{"sessions 1.2 1", "index 1.2, of 1 bin", .9, 0, SESSIONS(1.2, 1, 20)},
	{"sessions 1.2 10", "Poisson packets of the same, of 10 bins",
	 .9, 50, SESSIONS(1.2, 10, 20)},
	{"sessions 1.4 20", "Poisson packets of index 1.4, of 20 bins, 5 at a time",
	 .8, 5, SESSIONS(1.4, 20, 5)},
	{"sessions 1.5 5", "index 1.5, of 5 bins, 40 at a time",
	 .75, 0, SESSIONS(1.5, 5, 40), HELD_BACK},
	{"sessions 1.7 30", "Poisson packets of index 1.7, of 30 bins, 10 at a time",
	 .65, 20, SESSIONS(1.7, 30, 10), HELD_BACK},
	{"sessions 1.3 100", "index 1.3, of 100 bins, 10 at a time",
	 .85, 0, SESSIONS(1.3, 100, 10)},
	{"transfers 1.3 1", "index 1.3, of 1 bin, 20 at a time at speeds of 1/3 to 3",
	 .85, 0, SESSIONS(1.3, 1, 20), .spread = 3},
	{"transfers 1.3 10", "the same, of 10 bins, Poisson packets",
	 .85, 50, SESSIONS(1.3, 10, 20), .spread = 3},
	{"transfers 1.5 3", "index 1.5, of 3 bins, 10 at a time at speeds of 1/5 to 5",
	 .75, 20, SESSIONS(1.5, 3, 10), .spread = 5, HELD_BACK},
	{"on-off", "64 sources, on and off for Pareto times of index 1.4 of 1 bin and more",
	 .8, 5, SOURCES(1.4, 1, 64)},
	{"on-off 5 1.4", "5 such sources, of 10 bins and more", .8, 50, SOURCES(1.4, 10, 5)},
	{"on-off 50 1.4", "50 such sources, of 10 bins and more", .8, 0, SOURCES(1.4, 10, 50)},
	{"on-off 50 1.7", "50 such sources of index 1.7, of 1 bin and more",
	 .65, 0, SOURCES(1.7, 1, 50)},
	{"on-off 50 1.7 10", "the same, of 10 bins and more", .65, 0, SOURCES(1.7, 10, 50)},
	{"on-off 20 1.2", "20 sources of index 1.2, of 3 bins and more",
	 .9, 50, SOURCES(1.2, 3, 20)},
	{"on-off 10 1.3", "10 sources of index 1.3, of 5 bins and more",
	 .85, 20, SOURCES(1.3, 5, 10), HELD_BACK},
	{"on-off 100 1.6", "100 sources of index 1.6, of 2 bins and more",
	 .7, 0, SOURCES(1.6, 2, 100), HELD_BACK},
	{NULL},
};
// clang-format on

struct traffic_maker {
	const struct traffic_kind *kind;
	size_t n;
	struct fgn *noise;
	double *room; // what the noise is drawn into
	struct traffic_rate rate;
	struct tr_random random;
};

static double unit(struct traffic_maker *maker)
{
	return tr_random_unit(&maker->random);
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
	const double parameter = traffic_kinds[kind].parameter;

	maker->kind = &traffic_kinds[kind];
	maker->n = n;
	maker->room = must(malloc((n + WARM) * sizeof(*maker->room)));
	maker->rate = (struct traffic_rate){must(malloc(n * sizeof(*maker->rate.at))), n,
					    &maker->random};
	switch (maker->kind->family) {
	case TRAFFIC_AR1: maker->noise = fgn_open_by(n, ar1_covariance, parameter); break;
	case TRAFFIC_FARIMA:
		maker->noise = fgn_open_by(maker->kind->ar > 0 ? n + WARM : n, farima_covariance,
					   parameter);
		break;
	case TRAFFIC_NOISE:
	case TRAFFIC_RATE: maker->noise = fgn_open(n, parameter); break;
	default: break;
	}
	return maker;
}

void traffic_maker_close(struct traffic_maker *maker)
{
	if (maker->noise)
		fgn_close(maker->noise);
	free(maker->rate.at);
	free(maker->room);
	free(maker);
}

static void clear_rate(struct traffic_maker *maker, double value)
{
	for (size_t i = 0; i < maker->n; i++)
		maker->rate.at[i] = value;
}

// The rates swing by .9 of the mean together, equally in variance; a single one between .4 and 1.6
// of it.
static void draw_states(struct traffic_maker *maker, const double *times, double mean)
{
	size_t count = 0;

	while (times[count] > 0)
		count++;
	for (size_t i = 0; i < count; i++) {
		const double swing = count > 1 ? 0.9 / (double)count : 0.6;

		rate_add_states(&maker->rate, times[i], mean * (1 / (double)count - swing),
				mean * (1 / (double)count + swing));
	}
}

// Cycles that drift: each is as long as the period, give or take 5 %, and a fifth of it is busy.
static void draw_program(struct traffic_maker *maker, double mean)
{
	const double period = 16 * exp(unit(maker) * log(16));
	double time = -unit(maker) * period;

	while (time < (double)maker->n) {
		const double next = time + period * (1 + 0.05 * sqrt(3) * (2 * unit(maker) - 1));

		rate_add(&maker->rate, time, time + 0.2 * period, 5 * mean);
		time = next;
	}
}

static void swing(struct traffic_maker *maker, double period)
{
	const double phase = unit(maker) * 2 * M_PI;

	for (size_t i = 0; i < maker->n; i++)
		maker->rate.at[i] *= 1 + 0.5 * sin(2 * M_PI * (double)i / period + phase);
}

// A rate whose logarithm is fractional Gaussian noise.
static void draw_rate(struct traffic_maker *maker, double mean)
{
	const double sigma = sqrt(log(1 + SPREAD * SPREAD));

	fgn_draw(maker->noise, &maker->random, maker->rate.at);
	for (size_t i = 0; i < maker->n; i++)
		maker->rate.at[i] = mean * exp(sigma * maker->rate.at[i] - sigma * sigma / 2);
}

static void draw_filtered(struct traffic_maker *maker, double *x)
{
	const double ar = maker->kind->ar, ma = maker->kind->ma;
	double last = 0;

	fgn_draw(maker->noise, &maker->random, maker->room);
	for (size_t i = 1; i < maker->n + WARM; i++) {
		last = ar * last + maker->room[i] + ma * maker->room[i - 1];
		if (i >= WARM)
			x[i - WARM] = last;
	}
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

// From somewhere in the middle on the rate is times as high.
static void shift_rate(struct traffic_maker *maker, double times)
{
	const size_t cut = (size_t)((0.2 + 0.6 * unit(maker)) * (double)maker->n);

	for (size_t i = cut; i < maker->n; i++)
		maker->rate.at[i] *= times;
}

static void do_besides(struct traffic_maker *maker, double mean)
{
	const double n = (double)maker->n;

	switch (maker->kind->besides) {
	case BESIDES_NOTHING: break;
	case BESIDES_SINE: swing(maker, 8 * exp(unit(maker) * log(64))); break;
	case BESIDES_DAYS: swing(maker, n / 6); break;
	case BESIDES_STATES: rate_add_states(&maker->rate, maker->kind->times[0], 0, mean); break;
	case BESIDES_SHIFT: shift_rate(maker, 1.6); break;
	case BESIDES_TREND:
		for (size_t i = 0; i < maker->n; i++)
			maker->rate.at[i] *= 1 + 0.6 * (double)i / n;
		break;
	case BESIDES_GAPS:
		for (double lost = 0; lost < 0.1 * n; lost += 40) {
			const size_t begin = (size_t)(unit(maker) * (n - 40));

			for (size_t i = begin; i < begin + 40; i++)
				maker->rate.at[i] = 0;
		}
		break;
	}
}

// Fills the rate, or x with what is no rate; false then.
static bool draw_source(struct traffic_maker *maker, double *x)
{
	const struct traffic_kind *kind = maker->kind;
	const struct traffic_duration duration = {kind->parameter, kind->bins};
	const double mean = kind->mean > 0 ? kind->mean : kind->number;

	clear_rate(maker, 0);
	switch (kind->family) {
	case TRAFFIC_BATCHES: draw_batches(maker, x); return false;
	case TRAFFIC_FARIMA:
		if (kind->ar > 0)
			draw_filtered(maker, x);
		else
			fgn_draw(maker->noise, &maker->random, x);
		return false;
	case TRAFFIC_AR1:
	case TRAFFIC_NOISE:
		fgn_draw(maker->noise, &maker->random, x);
		for (size_t i = 0; i < maker->n && kind->besides == BESIDES_TREND; i++)
			x[i] += 2 * (double)i / (double)maker->n;
		return false;
	case TRAFFIC_POISSON:
	case TRAFFIC_SINE: clear_rate(maker, mean); break;
	case TRAFFIC_STATES: draw_states(maker, kind->times, mean); break;
	case TRAFFIC_SHIFT:
		clear_rate(maker, mean);
		shift_rate(maker, 1.4);
		break;
	case TRAFFIC_TREND:
		for (size_t i = 0; i < maker->n; i++)
			maker->rate.at[i] = 4 + 2 * (double)i / (double)maker->n;
		break;
	case TRAFFIC_PROGRAM: draw_program(maker, mean); break;
	case TRAFFIC_RATE: draw_rate(maker, mean); break;
	case TRAFFIC_SESSIONS:
		rate_add_sessions(&maker->rate, duration, kind->number, mean / kind->number,
				  kind->spread);
		break;
	case TRAFFIC_SOURCES:
		for (int i = 0; i < (int)kind->number; i++)
			rate_add_switch(&maker->rate, duration, 2 * mean / kind->number);
		break;
	case TRAFFIC_CASCADE:
		clear_rate(maker, mean);
		rate_multiply_cascade(&maker->rate, kind->parameter);
		break;
	}
	if (kind->family == TRAFFIC_SINE)
		swing(maker, 8 * exp(unit(maker) * log(64)));
	do_besides(maker, mean);
	return true;
}

void traffic_draw(struct traffic_maker *maker, uint64_t number, double *x)
{
	char name[96];

	(void)snprintf(name, sizeof(name), "%s/%zu", maker->kind->name, maker->n);
	tr_random_open(&maker->random, number, name);
	if (!draw_source(maker, x))
		return;
	for (size_t i = 0; i < maker->n; i++) {
		x[i] = maker->kind->mean > 0 ? 0 : maker->rate.at[i];
		if (maker->kind->mean > 0 && maker->rate.at[i] > 0)
			poisson_draw(maker->rate.at[i], &maker->random, &x[i], 1);
	}
}
