// SPDX-License-Identifier: GPL-3.0-or-later
// Series with and without a period, for tests.
#ifndef TESTS_PERIOD_SERIES_H
#define TESTS_PERIOD_SERIES_H

#include <stddef.h>
#include <stdint.h>

// Counts per bin that look restless but do not repeat. The last has no name.
extern const char *const aperiodic_names[];

// Fills x[n] with series number of a kind, the same each time.
void aperiodic_draw(size_t kind, uint64_t number, double *x, size_t n);

// A parallel program: in each cycle it sends for a share of the period; the length of a cycle varies by the jitter, and the
// cycles that follow begin as much later.
struct program_kind {
	const char *name;
	double period;	     // bins
	double jitter;	     // standard deviation of a cycle, in periods
	double duty;	     // share of the period in which it sends
	double burst;	     // packets a cycle on average
	double background;   // packets a bin that others send, 0: none
	double background_h; // Hurst parameter of their rate; 0.5: Poisson traffic
};

void program_draw(const struct program_kind *kind, uint64_t number, double *x, size_t n);

#endif
