// SPDX-License-Identifier: GPL-3.0-or-later
// Series of packet counts with known memory, drawn by the tests' own generators.
#ifndef TESTS_TRAFFIC_KINDS_H
#define TESTS_TRAFFIC_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum traffic_family {
	TRAFFIC_POISSON,
	TRAFFIC_BATCHES,
	TRAFFIC_AR1,
	TRAFFIC_SHIFT,
	TRAFFIC_TREND,
	TRAFFIC_SINE,
	TRAFFIC_PROGRAM,
	TRAFFIC_NOISE,
	TRAFFIC_FARIMA,
	TRAFFIC_RATE,
	TRAFFIC_STATES,
	TRAFFIC_SESSIONS,
	TRAFFIC_SOURCES,
	TRAFFIC_CASCADE
};

// What is done to a rate besides: a sine on top; six cycles in the series; a rate of two states, of
// times; a rate that shifts, or grows in a line, by 60 % of its mean; gaps of 40 bins in which a
// tenth is lost.
enum traffic_besides {
	BESIDES_NOTHING,
	BESIDES_SINE,
	BESIDES_DAYS,
	BESIDES_STATES,
	BESIDES_SHIFT,
	BESIDES_TREND,
	BESIDES_GAPS
};

struct traffic_kind {
	const char *name;
	const char *what;
	double h;    // of the self-similar ones, 0: no long memory
	double mean; // packets per bin, Poisson of the rate; 0: no packets, the rate itself or the
		     // noise
	enum traffic_family family;
	double parameter; // phi, H or d; of durations the index of a Pareto law, 0: exponential
	double bins;	  // the shortest duration, or the mean one of exponential ones
	double number;	  // of sessions in the mean, or of sources
	double spread;	  // of the speeds of sessions, see rate_add_sessions; 0: all the same
	const double
		*times; // of each two-state rate of a sum, the mean bins of a state, ended by 0
	enum traffic_besides besides;
	double ar, ma;	// filter of fractionally integrated noise
	bool held_back; // no constant of a rule was chosen by it: it was written when they stood
};

// Ended by a NULL name: those without long memory first.
extern const struct traffic_kind traffic_kinds[];

// Makes series of n points of one kind. Without memory the program ends.
struct traffic_maker;
struct traffic_maker *traffic_maker_open(size_t kind, size_t n);

// Fills x[n] with the series of this number; deterministic for a kind, n and number.
void traffic_draw(struct traffic_maker *maker, uint64_t number, double *x);

void traffic_maker_close(struct traffic_maker *maker);

#endif
