// SPDX-License-Identifier: GPL-3.0-or-later
// Rates of traffic as its sources make them, from their definitions: states, sessions, sources that
// switch, cascades.
#ifndef TESTS_TRAFFIC_SOURCES_H
#define TESTS_TRAFFIC_SOURCES_H

#include <stddef.h>

#include "value/random.h"

// A rate per bin: how much falls into each of n bins. lent.
struct traffic_rate {
	double *at;
	size_t n;
	struct tr_random *random;
};

// Adds amount a bin from time begin to end, both in bins.
void rate_add(const struct traffic_rate *rate, double begin, double end, double amount);

// Adds a two-state rate, low or high for exponential times of this mean, in bins, each state half
// of the time.
void rate_add_states(const struct traffic_rate *rate, double mean_bins, double low, double high);

// Durations: Pareto of an index above 1 and a least value in bins, or, with index 0, exponential
// with this mean.
struct traffic_duration {
	double index, bins;
};

// Adds sessions that begin at Poisson times and last so long (M/G/infinity; Cox 1984), active of
// them in the mean, in equilibrium. Each adds amount a bin; if spread is above 1, at a speed
// log-uniform from 1/spread to spread, so that what is drawn is its size (Crovella and Bestavros
// 1997).
void rate_add_sessions(const struct traffic_rate *rate, struct traffic_duration duration,
		       double active, double amount, double spread);

// Adds a source that is on and off in turn for such times (Willinger et al. 1997), in equilibrium;
// on, it adds amount a bin.
void rate_add_switch(const struct traffic_rate *rate, struct traffic_duration duration,
		     double amount);

// Multiplies by a random binary cascade of mean 1 (Mandelbrot 1974): each half of an interval gets
// 1 + s or 1 - s of its share, by lot; with s^2 = 2^(2 - 2 H) - 1 its covariance falls as the power
// 2 H - 2 of the lag.
void rate_multiply_cascade(const struct traffic_rate *rate, double h);

#endif
