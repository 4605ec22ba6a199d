// SPDX-License-Identifier: GPL-3.0-or-later
// The table of the distances between the distributions of traces.
#ifndef ANALYZE_COMPARE_DISTANCES_H
#define ANALYZE_COMPARE_DISTANCES_H

#include "compare_report.h"

// All pairs of report->traces, of which there are two at least, by every quantity that both have. Sets report->differ where a pair
// differs and counts the pairs that could be tested. NULL without memory.
struct table *compare_distances(struct compare_report *report, struct tr_error *err);

#endif
