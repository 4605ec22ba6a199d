// SPDX-License-Identifier: GPL-3.0-or-later
// Stationary series of known mean and known dependence, drawn from their definitions: values, gaps
// between packets, waiting times.
#ifndef TESTS_DEPENDENT_SERIES_H
#define TESTS_DEPENDENT_SERIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "fgn.h"
#include "value/random.h"

struct dependent_kind;

// Room for one series, and what draws it.
struct dependent_maker {
	const struct dependent_kind *kind;
	size_t n;
	double *x; // the series last drawn
	double *gaps;
	struct fgn *noise;
	double *rate; // per bin, of a rate that is long-range dependent
	size_t bins;
	struct tr_random random;
};

struct dependent_kind {
	const char *name;
	void (*draw)(struct dependent_maker *maker, double *x, size_t n);
	double mean;
	double h;	// of long memory; 0: none
	double a, b, c; // of the kind
	double load; // of a queue: its service times are exponential with this mean, gaps have mean
		     // 1
	size_t cycle;	// samples of both states; 0: none
	bool held_back; // no constant of the rule was chosen by it
};

// Ended by a NULL name.
extern const struct dependent_kind dependent_kinds[];

// Without memory the program ends.
void dependent_maker_open(struct dependent_maker *maker, const struct dependent_kind *kind,
			  size_t n);

// Draws series number; deterministic for a kind, n and number.
void dependent_draw(struct dependent_maker *maker, uint64_t number);

void dependent_maker_close(struct dependent_maker *maker);

#endif
