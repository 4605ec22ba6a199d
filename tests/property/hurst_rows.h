// SPDX-License-Identifier: GPL-3.0-or-later
// Bias, error and coverage of every estimator on series with known H, and on series that only seem
// to have one.
#ifndef TESTS_HURST_ROWS_H
#define TESTS_HURST_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "hurst_models.h"
#include "stat/hurst/estimator.h"

#define HURST_LENGTHS 3

struct hurst_row {
	const struct estimator *estimator;
	int series;  // number that gave an estimate; if 0 the table has no row
	double mean; // of H without the method's known bias
	double sd;
	double rmse; // around the true H
	double held; // coverage of the 95 % intervals; NaN without intervals
};

extern const size_t hurst_lengths[HURST_LENGTHS];

// Number of series of a model and length for an estimator in the table: fewer for slow ones, and
// for models of counts.
int hurst_series(const struct estimator *estimator, size_t model, size_t length);

// Whether an estimator is one of the slower ones, which are made only if asked for.
bool hurst_slow(const struct estimator *estimator);

// Calls tell for each of the first count series of the model with the estimates of all estimators,
// in their order; an estimate that failed, is not in the table, or is slow unless slow is true, is
// cleared.
void hurst_each(size_t model, size_t length, int count, bool slow,
		void (*tell)(void *context, const struct estimate *estimates), void *context);

// Fills a row for each estimator, in their order, from the first count series of the model. Returns
// how many rows.
size_t hurst_rows(size_t model, size_t length, int count, bool slow, struct hurst_row *rows);

#endif
