// SPDX-License-Identifier: GPL-3.0-or-later
// Index of a tail by the slope of the log-log complementary distribution.
#ifndef STAT_LOG_LOG_TAIL_H
#define STAT_LOG_LOG_TAIL_H

#include "stat/tail.h"

// Least squares of log(rank - 1/2) on log X over the k largest values: the ordinate of the plot with the
// shift that takes the bias of small samples away. The points depend on one another: the error is
// index sqrt(2 / k), not that of the regression. k >= 2.
struct tail_index log_log_tail(const struct tail *tail, double level);

#endif
