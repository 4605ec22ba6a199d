// SPDX-License-Identifier: GPL-3.0-or-later
// Series with and without a period, for tests.
#ifndef TESTS_PERIOD_SERIES_H
#define TESTS_PERIOD_SERIES_H

#include <stddef.h>
#include <stdint.h>

// Irregular counts per bin without a period. Ended by NULL.
extern const char *const aperiodic_names[];

// Fills x[n] with series number of a kind; deterministic.
void aperiodic_draw(size_t kind, uint64_t number, double *x, size_t n);

// A parallel program: in each cycle it sends for a share of the period; the length of a cycle
// varies by the jitter, which also shifts all later cycles.
struct program_kind {
	const char *name;
	double period;	     // bins
	double jitter;	     // standard deviation of a cycle, in periods
	double duty;	     // share of the period in which it sends
	double burst;	     // packets per cycle, on average
	double background;   // packets per bin from others, 0: none
	double background_h; // Hurst parameter of their rate; 0.5: Poisson traffic
};

void program_draw(const struct program_kind *kind, uint64_t number, double *x, size_t n);

#endif
