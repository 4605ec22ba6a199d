// SPDX-License-Identifier: GPL-3.0-or-later
// What the estimates of one stream say in the report's first paragraph.
#ifndef REPORT_HURST_WORDS_H
#define REPORT_HURST_WORDS_H

#include <stddef.h>

#include "report/hurst.h"

#define HURST_WORDS 768

// Writes sentences to text; returns their length, 0 where there is nothing to tell. The slope of the variance-time plot is
// given as a slope: it makes no H, since the plot bends wherever short scales differ from long ones. Of the estimators only
// what their intervals bear out is said: that all hold 0.5 or all exclude it, or that some contradict one another; where they
// straddle, nothing.
size_t hurst_say(const struct hurst *hurst, char *text, size_t bytes);

#endif
