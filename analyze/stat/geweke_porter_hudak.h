// SPDX-License-Identifier: GPL-3.0-or-later
// Hurst parameter by the regression of Geweke and Porter-Hudak.
#ifndef STAT_GEWEKE_PORTER_HUDAK_H
#define STAT_GEWEKE_PORTER_HUDAK_H

#include "stat/estimator.h"

// Log power on -2 log(2 sin(l / 2)) over the lowest m frequencies has the slope d = H - 1/2. Own
// choice: m = n^0.5, which is wide enough in its error for what dependence over short times there
// is.
extern const struct estimator geweke_porter_hudak;

#endif
