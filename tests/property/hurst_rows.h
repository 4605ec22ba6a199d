// SPDX-License-Identifier: GPL-3.0-or-later
// Bias, error and coverage of every estimator on series whose H is known, and on series that only look as if they had one.
#ifndef TESTS_HURST_ROWS_H
#define TESTS_HURST_ROWS_H

#include <stddef.h>

#include "hurst_models.h"
#include "stat/estimator.h"

#define HURST_LENGTHS 3

struct hurst_row {
	const struct estimator *estimator;
	int series;  // that gave an estimate; where it is 0 the table has no row
	double mean; // of H without the method's known bias
	double sd;
	double rmse; // around the true H
	double held; // share of the intervals of 95 % that hold it; NaN where there are none
};

extern const size_t hurst_lengths[HURST_LENGTHS];

// Series of a model and a length that an estimator has in the table: fewer for the slow ones, and for models of counts.
int hurst_series(const struct estimator *estimator, size_t model, size_t length);

// Calls tell for each of the first count series of the model with the estimates of all estimators, in their order; one that
// gave none, or has no more series in the table, is cleared.
void hurst_each(size_t model, size_t length, int count, void (*tell)(void *context, const struct estimate *estimates),
		void *context);

// Fills a row for each estimator, in their order, from the first count series of the model. Returns how many rows.
size_t hurst_rows(size_t model, size_t length, int count, struct hurst_row *rows);

#endif
