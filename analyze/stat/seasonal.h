// SPDX-License-Identifier: GPL-3.0-or-later
// Seasonal adjustment: a series without its periods.
#ifndef STAT_SEASONAL_H
#define STAT_SEASONAL_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/periods.h"
#include "trace/status.h"

// Doubles of workspace for n points.
size_t seasonal_workspace(size_t n);

// Fills y[n] with x[n] less the lines of the periods that were found in it: each Fourier coefficient in a line whose power
// is above the level beside the line is brought down to it and keeps its phase; all others stay, among them all of periods
// longer than twice the longest that was found. y may be x. TR_ERROR without memory.
enum tr_status seasonal_take_out(const double *x, size_t n, const struct periods *periods, double *workspace, double *y,
				 struct tr_error *err);

// Sets marked[j], 1 <= j <= count, of the ordinates in the lines of the periods, and clears the others; workspace of
// seasonal_workspace(n). spectrum: of x[n]. TR_ERROR without memory.
enum tr_status seasonal_mark(const double *x, const struct spectrum *spectrum, const struct periods *periods, double *workspace,
			     bool *marked, struct tr_error *err);

#endif
