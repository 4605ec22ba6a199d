// SPDX-License-Identifier: GPL-3.0-or-later
#include "dependent_series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WARM 5000 // arrivals before a queue is looked at
#define SPREAD .5 // deviation of a long-range dependent rate over its mean

static double unit(struct dependent_maker *maker)
{
	return tr_random_unit(&maker->random);
}

static double exponential(struct dependent_maker *maker)
{
	return -log(unit(maker));
}

static double normal(struct dependent_maker *maker)
{
	return sqrt(2 * exponential(maker)) * cos(2 * M_PI * unit(maker));
}

// ---- values

static void draw_exponential(struct dependent_maker *maker, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = exponential(maker);
}

// Of index a, 1 and more.
static void draw_pareto(struct dependent_maker *maker, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = pow(unit(maker), -1 / maker->kind->a);
}

// AR(1) of coefficient a and variance 1.
static void draw_ar1(struct dependent_maker *maker, double *x, size_t n)
{
	const double a = maker->kind->a;

	for (size_t i = 0; i < n; i++)
		x[i] = i == 0 ? normal(maker) : a * x[i - 1] + sqrt(1 - a * a) * normal(maker);
}

static void draw_noise(struct dependent_maker *maker, double *x, size_t n)
{
	(void)n;
	fgn_draw(maker->noise, &maker->random, x);
}

// Of mean 10 and deviation b, Gaussian; or lognormal, its logarithm having mean 0 and deviation 1.
static void shift(struct dependent_maker *maker, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = maker->kind->b > 0 ? 10 + maker->kind->b * x[i] : exp(x[i]);
}

static void draw_shifted_ar1(struct dependent_maker *maker, double *x, size_t n)
{
	draw_ar1(maker, x, n);
	shift(maker, x, n);
}

static void draw_shifted_noise(struct dependent_maker *maker, double *x, size_t n)
{
	draw_noise(maker, x, n);
	shift(maker, x, n);
}

// ---- gaps

// Of Poisson packets at rate a or b, each for exponential times of mean c.
static void draw_mmpp(struct dependent_maker *maker, double *x, size_t n)
{
	const struct dependent_kind *kind = maker->kind;
	bool high = unit(maker) * (kind->a + kind->b) < kind->b;
	double left = kind->c * exponential(maker);

	for (size_t i = 0; i < n; i++) {
		double need = exponential(maker);

		x[i] = 0;
		for (; need > left * (high ? kind->b : kind->a); high = !high) {
			need -= left * (high ? kind->b : kind->a);
			x[i] += left;
			left = kind->c * exponential(maker);
		}
		x[i] += need / (high ? kind->b : kind->a);
		left -= need / (high ? kind->b : kind->a);
	}
}

// Of Poisson packets of a lognormal rate, fractional noise of H h, that changes after each time of
// 1; b in one on average.
static void draw_cox(struct dependent_maker *maker, double *x, size_t n)
{
	const double sigma = sqrt(log(1 + SPREAD * SPREAD));
	double at = 0;
	size_t bin = 0;

	fgn_draw(maker->noise, &maker->random, maker->rate);
	for (size_t i = 0; i < n; i++) {
		double need = exponential(maker), rate;

		x[i] = 0;
		for (;; bin = (bin + 1) % maker->bins, at = 0) {
			rate = maker->kind->b * exp(sigma * maker->rate[bin] - sigma * sigma / 2);
			if (need <= (1 - at) * rate)
				break;
			need -= (1 - at) * rate;
			x[i] += 1 - at;
		}
		at += need / rate;
		x[i] += need / rate;
	}
}

// ---- waiting times (Lindley 1952)

static void wait(struct dependent_maker *maker,
		 void (*draw)(struct dependent_maker *maker, double *x, size_t n), double *x,
		 size_t n)
{
	double waited = 0;

	draw(maker, maker->gaps, n + WARM);
	for (size_t i = 0; i < n + WARM; i++) {
		if (i >= WARM)
			x[i - WARM] = waited;
		waited = fmax(0, waited + maker->kind->load * exponential(maker) - maker->gaps[i]);
	}
}

static void wait_exponential(struct dependent_maker *maker, double *x, size_t n)
{
	wait(maker, draw_exponential, x, n);
}

static void wait_mmpp(struct dependent_maker *maker, double *x, size_t n)
{
	wait(maker, draw_mmpp, x, n);
}

static void wait_cox(struct dependent_maker *maker, double *x, size_t n)
{
	wait(maker, draw_cox, x, n);
}

#define LOGNORMAL 1.6487212707001282 // mean of exp of a standard normal
#define HELD_BACK .held_back = true

// The means of queues by other arrivals are those of 120 million of them, to 1 %.
// clang-format off
const struct dependent_kind dependent_kinds[] = {
	{"exponential", draw_exponential, 1},
	{"Pareto 2.5", draw_pareto, 2.5 / 1.5, .a = 2.5},
	{"AR(1) .9", draw_shifted_ar1, 10, .a = .9, .b = 1},
	{"AR(1) .99", draw_shifted_ar1, 10, .a = .99, .b = 1},
	{"sizes AR(1) .9", draw_shifted_ar1, LOGNORMAL, .a = .9},
	{"gaps MMPP 10", draw_mmpp, .2, .a = 2, .b = 8, .c = 10},
	{"gaps MMPP 100", draw_mmpp, .2, .a = 2, .b = 8, .c = 100, .cycle = 1000},
	{"gaps H .8", draw_cox, .2, .8, .b = 5},
	{"noise H .8", draw_shifted_noise, 10, .8, .b = 1},
	{"noise H .9", draw_shifted_noise, 10, .9, .b = 1},
	{"queue .5", wait_exponential, .5, .load = .5},
	{"queue .8", wait_exponential, 3.2, .load = .8},
	{"queue .5 MMPP", wait_mmpp, 1.1885, .a = .4, .b = 1.6, .c = 20, .load = .5},
	{"queue .5 H .8", wait_cox, .807, .8, .b = 1, .load = .5},
	{"Pareto 3.5", draw_pareto, 3.5 / 2.5, .a = 3.5, HELD_BACK},
	{"AR(1) .5", draw_shifted_ar1, 10, .a = .5, .b = 1, HELD_BACK},
	{"AR(1) .97", draw_shifted_ar1, 10, .a = .97, .b = 1, HELD_BACK},
	{"sizes AR(1) .8", draw_shifted_ar1, LOGNORMAL, .a = .8, HELD_BACK},
	{"gaps MMPP 30", draw_mmpp, .4, .a = 1, .b = 4, .c = 30, HELD_BACK},
	{"gaps H .7", draw_cox, .05, .7, .b = 20, HELD_BACK},
	{"gaps H .85", draw_cox, .1, .85, .b = 10, HELD_BACK},
	{"noise H .6", draw_shifted_noise, 10, .6, .b = 1, HELD_BACK},
	{"noise H .7", draw_shifted_noise, 10, .7, .b = 1, HELD_BACK},
	{"sizes H .75", draw_shifted_noise, LOGNORMAL, .75, HELD_BACK},
	{"queue .65", wait_exponential, .65 * .65 / .35, .load = .65, HELD_BACK},
	{"queue .6 MMPP", wait_mmpp, 1.6722, .a = .5, .b = 1.5, .c = 10, .load = .6, HELD_BACK},
	{"queue .6 H .7", wait_cox, 1.283, .7, .b = 1, .load = .6, HELD_BACK},
	{NULL},
};
// clang-format on

static void *must(void *memory)
{
	if (!memory)
		abort();
	return memory;
}

void dependent_maker_open(struct dependent_maker *maker, const struct dependent_kind *kind,
			  size_t n)
{
	const bool rate = kind->draw == draw_cox || kind->draw == wait_cox;

	*maker = (struct dependent_maker){.kind = kind, .n = n};
	maker->x = must(malloc(n * sizeof(double)));
	maker->gaps = must(malloc((n + WARM) * sizeof(double)));
	maker->bins = rate ? (size_t)(2 * (double)(n + WARM) / kind->b) : n;
	maker->rate = must(malloc(maker->bins * sizeof(double)));
	if (kind->h > 0)
		maker->noise = fgn_open(maker->bins, kind->h);
}

void dependent_draw(struct dependent_maker *maker, uint64_t number)
{
	tr_random_open(&maker->random, number, maker->kind->name);
	maker->kind->draw(maker, maker->x, maker->n);
}

void dependent_maker_close(struct dependent_maker *maker)
{
	if (maker->noise)
		fgn_close(maker->noise);
	free(maker->rate);
	free(maker->gaps);
	free(maker->x);
}
