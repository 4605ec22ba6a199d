// SPDX-License-Identifier: GPL-3.0-or-later
// Eight arrival processes made directly from their definitions, independently of the programs'
// generators.
#ifndef TESTS_KNOWN_TRUTHS_H
#define TESTS_KNOWN_TRUTHS_H

#include <stddef.h>
#include <stdint.h>

#include "value/random.h"

#define KNOWN_TRUTHS 9u

struct known_truth {
	const char *family;
	const char *firsts; // families that may be ranked first instead, as words
	double length_s;
	// Fills times_s with the packets of one node, in any order; returns how many, at most
	// KNOWN_PACKETS_MAX.
	size_t (*draw)(struct tr_random *random, double length_s, double *times_s);
};

#define KNOWN_PACKETS_MAX ((size_t)200000)

extern const struct known_truth known_truths[KNOWN_TRUTHS];

#endif
