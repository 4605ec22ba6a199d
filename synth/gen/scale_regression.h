// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling by regression: each statistic x of a pulse train as a power of the number of nodes, ln x = a + b ln n by least squares
// over models of different n, and the value at another n with its prediction interval: Student's, with k - 2 degrees of freedom
// for k models, of half-width t s sqrt(1 + 1/k + (ln n - mean)^2/S). Two models give no interval.
//
// Known value: exact powers are given back, with intervals of no width.
#ifndef GEN_SCALE_REGRESSION_H
#define GEN_SCALE_REGRESSION_H

#include <stddef.h>

#include "gen/families/pulse_train.h"
#include "trace/status.h"

#define SCALE_MODELS_MAX 64u

// A predicted statistic.
struct scale_prediction {
	double value, low, high; // the ends are NaN where there is no interval
	double power;		 // b
};

// From count pairs (nodes, value), all above 0, of two node counts or more. NaN where a value is not above 0.
struct scale_prediction scale_predict(const double *nodes, const double *values, size_t count, double at_nodes, double level);

// The model for nodes from those at other counts. What is no statistic (floors, headers, shares, sizes that are empirical) is
// that of the model with the nearest node count; where a value is 0, so is the statistic. notes get the intervals. TR_ERROR:
// fewer than two node counts, a part that stands in some models only, or memory. *out is to be freed by pulse_model_clear.
enum tr_status scale_by_regression(const struct pulse_model *models, size_t count, uint64_t nodes, double level,
				   struct pulse_model *out, struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES],
				   struct tr_error *err);

#endif
