// SPDX-License-Identifier: GPL-3.0-or-later
// Times that a capture shows, and the law that stands for them.
#ifndef GEN_FAMILIES_PROGRAM_VALUES_H
#define GEN_FAMILIES_PROGRAM_VALUES_H

#include <stddef.h>

#include "gen/law.h"
#include "value/status.h"

// Times in ticks. Zero is empty; the owner frees ticks.
struct program_values {
	double *ticks;
	size_t count, capacity;
};

enum tr_status program_values_add(struct program_values *values, double ticks, struct tr_error *err);

struct program_moments {
	double mean, variation; // variance over squared mean
};

// 0 without values.
struct program_moments program_values_moments(const struct program_values *values);

// The same without times that are far beyond what is usual: requests and grants that are others' small packets. Sorts them.
struct program_moments program_values_usual(struct program_values *values);

// The law by its two first moments: constant, gamma, or lognormal where that would pile up at 0.
void program_law_set(struct law *law, double variation);

#endif
