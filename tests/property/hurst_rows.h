// SPDX-License-Identifier: GPL-3.0-or-later
// Bias, error and coverage of every estimator on series whose H is known, and on series that only look as if they had one.
#ifndef TESTS_HURST_ROWS_H
#define TESTS_HURST_ROWS_H

#include <stddef.h>

#include "stat/estimator.h"

#define HURST_MODELS 10
#define HURST_LENGTHS 3

struct hurst_row {
	const struct estimator *estimator;
	int series;  // that gave an estimate
	double mean; // of H without the method's known bias
	double sd;
	double rmse; // around the true H
	double held; // share of the intervals of 95 % that hold it; NaN where there are none
};

extern const char *const hurst_model_names[HURST_MODELS];
extern const double hurst_model_truth[HURST_MODELS]; // H; 0.5 where the dependence is short
extern const size_t hurst_lengths[HURST_LENGTHS];

// Places in the list of models.
enum { HURST_FARIMA = 5, HURST_AR1_STRONG = 7, HURST_MMPP = 8, HURST_SHIFT = 9 };

// Calls tell for each of the first count series of the model with the estimates of all estimators, in their order; one that
// gave none is cleared.
void hurst_each(size_t model, size_t length, int count,
		void (*tell)(void *context, const struct estimate *estimates), void *context);

// Fills a row for each estimator, in their order, from the first count series of the model. Returns how many rows.
size_t hurst_rows(size_t model, size_t length, int count, struct hurst_row *rows);

#endif
