// SPDX-License-Identifier: GPL-3.0-or-later
// How much the ordinates of a periodogram depend on their neighbours, because the series' energy is not spread evenly over
// time: two bursts in a silence draw fringes over the spectrum that are no lines.
#ifndef STAT_ORDINATE_CORRELATION_H
#define STAT_ORDINATE_CORRELATION_H

#include <stddef.h>

#include "trace/status.h"

#define ORDINATE_LAGS 512

struct ordinate_correlation {
	size_t lags;
	double far; // correlation at lags and beyond
	double at[ORDINATE_LAGS];
	double sum[ORDINATE_LAGS], moment[ORDINATE_LAGS]; // of at[1 .. k], and of k at[k]
};

// Of the series x[n], n > 16. TR_ERROR without memory.
enum tr_status ordinate_correlation_make(struct ordinate_correlation *out, const double *x, size_t n, struct tr_error *err);

// Correlation of two ordinates lag apart, 0 .. 1.
double ordinate_correlation_at(const struct ordinate_correlation *correlation, double lag);

// By how much the variance of the mean of width neighbours is above that of independent ones, >= 1.
double ordinate_inflation(const struct ordinate_correlation *correlation, double width);

#endif
