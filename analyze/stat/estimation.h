// SPDX-License-Identifier: GPL-3.0-or-later
// Estimators at work on one series: what several of them read of it is made once, and they share the cores.
#ifndef STAT_ESTIMATION_H
#define STAT_ESTIMATION_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/estimator.h"
#include "trace/status.h"

struct estimation {
	const struct estimator *estimator; // set by the caller
	bool made;			   // estimate is there; else why says why it is not
	struct estimate estimate;
	struct tr_error why;
};

struct spectrum;

// Called as each estimator begins, from any thread but one at a time. NULL: no call.
typedef void estimation_begins(void *context, const struct estimator *estimator);

// Sums of lowest frequencies that a spectrum for estimators keeps.
size_t estimation_low_count(size_t n, const struct estimate_options *options);

// Runs count estimators over x[n], on as many threads as the process may use cores, up to 4: the results are the same on
// any number. spectrum: of x, by spectrum_open with estimation_low_count sums; NULL where it is not known, and then made
// if one needs it. Holds 3.5 n doubles at most, on default scales.
// TR_ERROR without memory; some may then be made all the same.
enum tr_status estimations_make(const double *x, size_t n, const struct spectrum *spectrum,
				const struct estimate_options *options, struct estimation *estimations, size_t count,
				estimation_begins *begins, void *context, struct tr_error *err);

// Runs one. TR_ERROR where it gives no estimate, or without memory; out is then undefined.
enum tr_status estimation_make(const struct estimator *estimator, const double *x, size_t n,
			       const struct estimate_options *options, struct estimate *out, struct tr_error *err);

#endif
