// SPDX-License-Identifier: GPL-3.0-or-later
// How far fitted values scatter: the process that was fitted is made again as often and as long as the sample, and fitted again
// (parametric bootstrap; Efron and Tibshirani, An introduction to the bootstrap, 1993).
#ifndef GEN_ARRIVALS_REPLICAS_H
#define GEN_ARRIVALS_REPLICAS_H

#include <stdbool.h>

#include "gen/families/family.h"

#define REPLICAS 20u
#define REPLICAS_PACKETS_MAX 500000u // of one; a larger sample has no intervals
#define REPLICAS_VALUES_MAX 40u

// The values of parameters that intervals are wanted for, in logarithms, to out; how many. NAN: not to be told.
typedef unsigned replicas_values(const void *parameters, double out[REPLICAS_VALUES_MAX]);

// Low and high ends at the sample's level of the values of parameters that family->arrival_fit->fit found from the sample, as logarithms:
// Student's interval around the value with the scatter of the replicas' values, of those replicas that have so many; NAN where
// not known. family->arrival_fit->fit is called with level 0, for which it gives no intervals. TR_ERROR without memory.
enum tr_status replicas_intervals(const struct family *family, const void *parameters, const struct arrival_sample *sample,
				  replicas_values *values, double (*ends)[2], struct tr_error *err);

#endif
