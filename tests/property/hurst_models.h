// SPDX-License-Identifier: GPL-3.0-or-later
// Series with known H, or known not to be long-range dependent.
#ifndef TESTS_HURST_MODELS_H
#define TESTS_HURST_MODELS_H

#include <stddef.h>

#include "value/random.h"

struct hurst_source;

struct hurst_model {
	const char *name;
	double truth;	// H; 0.5 for short-range or no dependence
	double h, mean; // parameters of draw; mean: counts per bin
	void (*draw)(struct hurst_source *source, struct tr_random *random, double *x, size_t n);
	double (*covariance)(double parameter, double k); // of draw's Gaussian noise; NULL for none
	int series; // number of series of 10,000 points in the table, with no other lengths; 0: as
		    // many as fit
};

#define HURST_MODELS 42
extern const struct hurst_model hurst_models[HURST_MODELS];

// Indices in the list.
enum { HURST_FARIMA = 5, HURST_AR1_STRONG = 7, HURST_MMPP = 8, HURST_SHIFT = 9 };

// Series of n points of a model. Without memory the program ends.
struct hurst_source *hurst_source_open(const struct hurst_model *model, size_t n);

void hurst_source_draw(struct hurst_source *source, struct tr_random *random, double *x);

void hurst_source_close(struct hurst_source *source);

#endif
