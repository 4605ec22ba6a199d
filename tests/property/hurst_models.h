// SPDX-License-Identifier: GPL-3.0-or-later
// Series of which it is known whether they are long-range dependent, and with which H.
#ifndef TESTS_HURST_MODELS_H
#define TESTS_HURST_MODELS_H

#include <stddef.h>

#include "trace/random.h"

struct hurst_source;

struct hurst_model {
	const char *name;
	double truth;	// H; 0.5 where the dependence is short, or there is none
	double h, mean; // parameters of draw; mean is that of counts a bin
	void (*draw)(struct hurst_source *source, struct tr_random *random, double *x, size_t n);
	double (*covariance)(double parameter, double k); // of the Gaussian noise that draw needs; NULL for none
	int series; // of 10,000 points in the table, and none of other lengths; 0: as many as it has room for
};

#define HURST_MODELS 42
extern const struct hurst_model hurst_models[HURST_MODELS];

// Places in the list.
enum { HURST_FARIMA = 5, HURST_AR1_STRONG = 7, HURST_MMPP = 8, HURST_SHIFT = 9 };

// Series of n points of a model. Ends the program where memory ends.
struct hurst_source *hurst_source_open(const struct hurst_model *model, size_t n);

void hurst_source_draw(struct hurst_source *source, struct tr_random *random, double *x);

void hurst_source_close(struct hurst_source *source);

#endif
