// SPDX-License-Identifier: GPL-3.0-or-later
// What flitcount prints.
#ifndef ANALYZE_COUNT_REPORT_H
#define ANALYZE_COUNT_REPORT_H

#include <stdio.h>

#include "stat/scales.h"
#include "stat/widths.h"
#include "trace/status.h"
#include "trace/table.h"

// Prints the table of the widths and that of the variance-time slopes, with intervals at level
// (0..1).
enum tr_status count_report(const struct scales *scales, const struct widths *widths, double level,
			    struct table_style style, FILE *out, struct tr_error *err);

#endif
