// SPDX-License-Identifier: GPL-3.0-or-later
#include "known_truths.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fgn.h"

static double uniform(struct tr_random *random)
{
	return 1 - tr_random_unit(random);
}

static double exponential(struct tr_random *random, double mean)
{
	return -mean * log(uniform(random));
}

static double pareto(struct tr_random *random, double mean, double shape)
{
	return mean * (shape - 1) / shape * pow(uniform(random), -1 / shape);
}

static size_t put(double *times_s, size_t count, double time_s, double length_s)
{
	if (time_s >= 0 && time_s < length_s && count < KNOWN_PACKETS_MAX)
		times_s[count++] = time_s;
	return count;
}

static size_t draw_poisson(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;

	for (double now = exponential(random, 0.02); now < length_s;
	     now += exponential(random, 0.02))
		count = put(times_s, count, now, length_s);
	return count;
}

static size_t draw_batches(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;

	for (double now = exponential(random, 0.02); now < length_s;
	     now += exponential(random, 0.02))
		for (unsigned left = 1 + (unsigned)(9 * tr_random_unit(random)); left > 0; left--)
			count = put(times_s, count, now, length_s);
	return count;
}

// Lognormal gaps by Box and Muller, starting long before time 0.
static size_t draw_renewal(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;
	double now = -10;

	while (now < length_s) {
		const double z = sqrt(-2 * log(uniform(random))) * cos(2 * M_PI * uniform(random));

		now += 0.01 * exp(1.2 * z - 0.72);
		count = put(times_s, count, now, length_s);
	}
	return count;
}

static size_t draw_modulated(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;
	bool fast = false;

	for (double begin = -5; begin < length_s; fast = !fast) {
		const double end = begin + exponential(random, fast ? 0.1 : 0.4);

		for (double now = begin + exponential(random, fast ? 1.0 / 200 : 1.0 / 20);
		     now < end; now += exponential(random, fast ? 1.0 / 200 : 1.0 / 20))
			count = put(times_s, count, now, length_s);
		begin = end;
	}
	return count;
}

// Short and long gaps by turns but for one in twenty.
static size_t draw_turns(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;
	bool fast = false;

	for (double now = -5; now < length_s; fast = tr_random_unit(random) < 0.05 ? fast : !fast) {
		now += exponential(random, fast ? 1.0 / 200 : 1.0 / 20);
		count = put(times_s, count, now, length_s);
	}
	return count;
}

// Ten sources on and off.
static size_t draw_on_off(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;

	for (int source = 0; source < 10; source++) {
		double now = -100 * uniform(random);

		while (now < length_s) {
			const double end = now + pareto(random, 0.1, 1.5);

			for (; now < end && now < length_s; now += 0.01)
				count = put(times_s, count, now, length_s);
			now = end + pareto(random, 0.4, 1.5);
		}
	}
	return count;
}

static size_t draw_sessions(struct tr_random *random, double length_s, double *times_s)
{
	size_t count = 0;

	for (double begin = -100; begin < length_s; begin += exponential(random, 0.05)) {
		const double end = begin + pareto(random, 0.2, 1.5);

		for (double now = begin + exponential(random, 0.005); now < end;
		     now += exponential(random, 0.005))
			count = put(times_s, count, now, length_s);
	}
	return count;
}

// A packet early or late by up to 2 ms in periods between 20 and 40 ms, each node's own.
static size_t draw_period(struct tr_random *random, double length_s, double *times_s)
{
	const double period = 0.02 * (1 + tr_random_unit(random)),
		     phase = period * tr_random_unit(random);
	size_t count = 0;

	for (size_t i = 0; (double)i * period < length_s; i++)
		count = put(times_s, count,
			    phase + (double)i * period + 0.004 * (tr_random_unit(random) - 0.5),
			    length_s);
	return count;
}

// A Poisson number of packets in each 20 ms, whose mean is exp of fractional Gaussian noise.
static size_t draw_long_memory(struct tr_random *random, double length_s, double *times_s)
{
	const size_t bins = (size_t)(length_s / 0.02);
	double *noise = calloc(bins, sizeof(*noise));
	struct fgn *fgn = fgn_open(bins, 0.85);
	size_t count = 0;

	fgn_draw(fgn, random, noise);
	for (size_t i = 0; i < bins; i++) {
		const double least = exp(-4 * exp(0.7 * noise[i] - 0.245));

		for (double product = uniform(random); product > least; product *= uniform(random))
			count = put(times_s, count, 0.02 * ((double)i + tr_random_unit(random)),
				    length_s);
	}
	fgn_close(fgn);
	free(noise);
	return count;
}

const struct known_truth known_truths[KNOWN_TRUTHS] = {
	{"poisson", "poisson", 100, draw_poisson},
	{"batch-poisson", "batch-poisson", 20, draw_batches},
	{"renewal", "renewal", 100, draw_renewal},
	// Two states whose moves send nothing are a Markovian arrival process.
	{"mmpp", "mmpp map map-moments", 200, draw_modulated},
	// Exponential gaps of which the packet before chooses are Erlang branches of one phase.
	{"map", "map er-hmm map-moments", 200, draw_turns},
	{"on-off", "on-off", 60, draw_on_off},
	// Chains of many states, a cascade and a rate with long memory come as near over the scales
	// that a trace has.
	{"m-g-infinity", "m-g-infinity mmpp map cascade fractional-rate", 20, draw_sessions},
	{"fractional-rate", "fractional-rate m-g-infinity cascade", 100, draw_long_memory},
	{"periodic", "periodic", 60, draw_period},
};
