// SPDX-License-Identifier: GPL-3.0-or-later
// Series of packet counts with known memory, drawn by the tests' own generators.
#ifndef TESTS_TRAFFIC_KINDS_H
#define TESTS_TRAFFIC_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traffic_kind {
	const char *name;
	const char *what;
	bool self_similar;
	double h;    // of the self-similar ones
	double mean; // packets per bin; 0: no counts
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
