// SPDX-License-Identifier: GPL-3.0-or-later
// Parametric bootstrap of fitted values: the fitted process is simulated as often and as long as
// the sample, and fitted again (Efron and Tibshirani, An introduction to the bootstrap, 1993).
#ifndef GEN_ARRIVALS_REPLICAS_H
#define GEN_ARRIVALS_REPLICAS_H

#include <stdbool.h>

#include "gen/families/family.h"

#define REPLICAS 20u
#define REPLICAS_PACKETS_MAX 500000u // of one replica; a larger sample has no intervals
#define REPLICAS_VALUES_MAX 40u

// Writes the logarithms of the values that need intervals to out; returns how many. NAN: none for
// this one.
typedef unsigned replicas_values(const void *parameters, double out[REPLICAS_VALUES_MAX]);

// Confidence intervals, at the sample's level and as logarithms, of the values that
// family->arrival_fit->fit found in the sample: Student's interval with the scatter of the replicas
// that have the same number of values; NAN where not known. family->arrival_fit->fit is called with
// level 0, for which it gives no intervals. TR_ERROR if out of memory.
enum tr_status replicas_intervals(const struct family *family, const void *parameters,
				  const struct arrival_sample *sample, replicas_values *values,
				  double (*ends)[2], struct tr_error *err);

#endif
