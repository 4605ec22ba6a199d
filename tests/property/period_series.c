// SPDX-License-Identifier: GPL-3.0-or-later
#include "period_series.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fgn.h"
#include "stat/spectra/surrogate_series.h"

enum {
	FGN6,
	FGN9,
	AR1_6,
	AR1_9,
	AR1_99,
	POISSON_5,
	POISSON_RARE,
	BATCH,
	PARETO,
	MMPP_10,
	MMPP_100,
	MMPP_1000,
	LRD_RATE,
	ON_OFF,
	STEP,
	BUMP,
	TREND,
	TWO_BURSTS,
	TRAINS,
	KINDS
};

const char *const aperiodic_names[] = {
	[FGN6] = "fgn .6",
	[FGN9] = "fgn .9",
	[AR1_6] = "ar1 .6",
	[AR1_9] = "ar1 .9",
	[AR1_99] = "ar1 .99",
	[POISSON_5] = "poisson 5",
	[POISSON_RARE] = "poisson .05",
	[BATCH] = "batch poisson",
	[PARETO] = "pareto 1.2",
	[MMPP_10] = "mmpp 10",
	[MMPP_100] = "mmpp 100",
	[MMPP_1000] = "mmpp 1000",
	[LRD_RATE] = "lrd rate .8",
	[ON_OFF] = "pareto on-off",
	[STEP] = "step",
	[BUMP] = "bump",
	[TREND] = "trend",
	[TWO_BURSTS] = "two bursts",
	[TRAINS] = "trains",
	[KINDS] = NULL,
};

static double exponential(struct tr_random *random, double mean)
{
	return -mean * log(tr_random_unit(random));
}

static double normal(struct tr_random *random)
{
	return sqrt(-2 * log(tr_random_unit(random))) * cos(2 * M_PI * tr_random_unit(random));
}

static void draw_fgn(double h, struct tr_random *random, double *x, size_t n)
{
	struct fgn *noise = fgn_open(n, h);

	fgn_draw(noise, random, x);
	fgn_close(noise);
}

static void draw_ar1(double phi, struct tr_random *random, double *x, size_t n)
{
	double value = normal(random) / sqrt(1 - phi * phi);

	for (size_t i = 0; i < n; i++)
		x[i] = value = phi * value + normal(random);
}

// Rates to counts.
static void count_up(struct tr_random *random, double *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (x[i] > 0)
			poisson_draw(x[i], random, &x[i], 1);
		else
			x[i] = 0;
}

// Of a rate of 2 or 20 that changes after so many bins on average.
static void draw_mmpp(double bins, struct tr_random *random, double *x, size_t n)
{
	bool high = tr_random_unit(random) < 0.5;

	for (size_t i = 0; i < n; i++) {
		high ^= tr_random_unit(random) < 1 / bins;
		x[i] = high ? 20 : 2;
	}
	count_up(random, x, n);
}

static void add_pulse(double *x, size_t n, double begin, double end, double height)
{
	for (size_t i = (size_t)fmax(0, begin); i < n && (double)i < end; i++)
		x[i] += height;
}

// 16 sources that are on and off for Pareto times of index 1.4.
static void draw_on_off(struct tr_random *random, double *x, size_t n)
{
	for (int source = 0; source < 16; source++)
		for (double t = -1000; t < (double)n;) {
			const double on = 10 * pow(tr_random_unit(random), -1 / 1.4);

			add_pulse(x, n, fmax(t, 0), t + on, 1);
			t += on + 10 * pow(tr_random_unit(random), -1 / 1.4);
		}
	count_up(random, x, n);
}

// Trains of 20 packets in 20 bins, silences exponential.
static void draw_trains(struct tr_random *random, double *x, size_t n)
{
	for (double t = exponential(random, 100); t < (double)n; t += 20 + exponential(random, 100))
		add_pulse(x, n, t, t + 20, 1);
}

static void draw_level(size_t kind, struct tr_random *random, double *x, size_t n)
{
	const double points = (double)n, at = (0.2 + 0.6 * tr_random_unit(random)) * points;

	for (size_t i = 0; i < n; i++)
		x[i] = kind == TREND ? 5 + 20 * (double)i / points : 5;
	if (kind == STEP)
		add_pulse(x, n, tr_random_unit(random) < 0.5 ? points / 2 : at, points, 20);
	if (kind == BUMP)
		add_pulse(x, n, at, at + points / 20, 20);
	if (kind == TWO_BURSTS) {
		add_pulse(x, n, at, at + 20, 500);
		add_pulse(x, n, at + points / 50, at + points / 50 + 20, 500);
	}
	count_up(random, x, n);
}

static void draw_batches(struct tr_random *random, double *x, size_t n)
{
	poisson_draw(0.5, random, x, n);
	for (size_t i = 0; i < n; i++)
		for (int batches = (int)x[i]; batches > 0; batches--)
			x[i] += floor(exponential(random, 10));
}

void aperiodic_draw(size_t kind, uint64_t number, double *x, size_t n)
{
	struct tr_random random;

	tr_random_open(&random, number, aperiodic_names[kind]);
	memset(x, 0, n * sizeof(*x));
	switch (kind) {
	case FGN6: draw_fgn(.6, &random, x, n); break;
	case FGN9: draw_fgn(.9, &random, x, n); break;
	case AR1_6: draw_ar1(.6, &random, x, n); break;
	case AR1_9: draw_ar1(.9, &random, x, n); break;
	case AR1_99: draw_ar1(.99, &random, x, n); break;
	case POISSON_5: poisson_draw(5, &random, x, n); break;
	case POISSON_RARE: poisson_draw(.05, &random, x, n); break;
	case BATCH: draw_batches(&random, x, n); break;
	case MMPP_10: draw_mmpp(10, &random, x, n); break;
	case MMPP_100: draw_mmpp(100, &random, x, n); break;
	case MMPP_1000: draw_mmpp(1000, &random, x, n); break;
	case ON_OFF: draw_on_off(&random, x, n); break;
	case TRAINS: draw_trains(&random, x, n); break;
	case PARETO:
		for (size_t i = 0; i < n; i++)
			x[i] = pow(tr_random_unit(&random), -1 / 1.2);
		break;
	case LRD_RATE:
		draw_fgn(.8, &random, x, n);
		for (size_t i = 0; i < n; i++)
			x[i] = 5 * (1 + x[i] / 2);
		count_up(&random, x, n);
		break;
	default: draw_level(kind, &random, x, n);
	}
}

void program_draw(const struct program_kind *kind, uint64_t number, double *x, size_t n)
{
	struct tr_random random;

	tr_random_open(&random, number, kind->name);
	memset(x, 0, n * sizeof(*x));
	if (kind->background_h > 0.5)
		draw_fgn(kind->background_h, &random, x, n);
	for (size_t i = 0; i < n; i++)
		x[i] = kind->background * (1 + x[i] / 2);
	count_up(&random, x, n);
	for (double t = kind->period * tr_random_unit(&random); t < (double)n;
	     t += kind->period * (1 + kind->jitter * normal(&random))) {
		double packets;

		poisson_draw(kind->burst, &random, &packets, 1);
		for (; packets > 0; packets--) {
			const double at = t + tr_random_unit(&random) * kind->duty * kind->period;

			if (at >= 0 && at < (double)n)
				x[(size_t)at]++;
		}
	}
}
