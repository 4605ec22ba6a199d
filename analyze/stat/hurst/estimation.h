// SPDX-License-Identifier: GPL-3.0-or-later
// Runs estimators on one series: shared inputs are made once, and the estimators share the cores.
#ifndef STAT_ESTIMATION_H
#define STAT_ESTIMATION_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/hurst/estimator.h"
#include "value/status.h"

struct estimation {
	const struct estimator *estimator; // set by the caller
	bool made;			   // estimate is valid; else why has the reason
	struct estimate estimate;
	struct tr_error why;
};

struct spectrum;

// Called when each estimator starts, from any thread but one at a time. NULL: no call.
typedef void estimation_begins(void *context, const struct estimator *estimator);

// How many low-frequency sums a spectrum for estimators keeps.
size_t estimation_low_count(size_t n, const struct estimate_options *options);

// Runs count estimators on x[n], in one thread per core that the process may use, up to 4; the
// results do not depend on the number. spectrum: of x, from spectrum_open with estimation_low_count
// sums; NULL: made if needed. Holds 3.5 n doubles at most, on default scales. TR_ERROR if out of
// memory; some estimates may be valid even so.
enum tr_status estimations_make(const double *x, size_t n, const struct spectrum *spectrum,
				const struct estimate_options *options,
				struct estimation *estimations, size_t count,
				estimation_begins *begins, void *context, struct tr_error *err);

// Runs one. TR_ERROR if it gives no estimate, or out of memory; out is then undefined.
enum tr_status estimation_make(const struct estimator *estimator, const double *x, size_t n,
			       const struct estimate_options *options, struct estimate *out,
			       struct tr_error *err);

#endif
