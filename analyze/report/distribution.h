// SPDX-License-Identifier: GPL-3.0-or-later
// Distributions drawn from quantile histograms.
#ifndef REPORT_DISTRIBUTION_H
#define REPORT_DISTRIBUTION_H

#include "page/figure.h"
#include "stat/quantile.h"

// Adds to the newest curve (CURVE_LINE) the share of values up to x, as stairs at no more than about 500 places; x = value *
// unit, at least least (for logarithmic axes, where 0 has no place).
void distribution_below(struct figure *figure, const struct quantile *quantile, double unit, double least);

// Adds to the newest curve (CURVE_LINE) the share of values above x, as far as one value of them.
void distribution_above(struct figure *figure, const struct quantile *quantile, double unit, double least);

#endif
