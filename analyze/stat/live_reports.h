// SPDX-License-Identifier: GPL-3.0-or-later
// Reports that come every so often while packets arrive (--every).
#ifndef STAT_LIVE_REPORTS_H
#define STAT_LIVE_REPORTS_H

#include <stdint.h>

#include "trace/status.h"

#define LIVE_REPORTS_SILENT_MAX 1000000 // without a packet between them

// Time goes from the next report that is due to now, period > 0 apart, all in one unit. TR_ERROR if more reports than
// LIVE_REPORTS_SILENT_MAX are due, as where one time is years from the others.
enum tr_status live_reports_check(int64_t due, int64_t now, int64_t period, struct tr_error *err);

#endif
