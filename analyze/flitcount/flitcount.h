// SPDX-License-Identifier: GPL-3.0-or-later
// What the files of flitcount share: the tables of what was counted.
#ifndef FLITCOUNT_FLITCOUNT_H
#define FLITCOUNT_FLITCOUNT_H

#include <stdio.h>

#include "stat/scales.h"
#include "stat/widths.h"
#include "trace/status.h"
#include "trace/table.h"

// Prints the tables of the widths, of the percentiles of rates and of the variance-time slopes, these with intervals at level
// (0..1). The scales keep values; the empty bins are added to them.
enum tr_status count_report(const struct scales *scales, const struct widths *widths, double level, struct table_style style,
			    FILE *out, struct tr_error *err);

#endif
