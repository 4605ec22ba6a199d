// SPDX-License-Identifier: GPL-3.0-or-later
// The part of each axis that a plot shows, where its maker did not say.
#ifndef REPORT_EXTENT_H
#define REPORT_EXTENT_H

#include "page/figure.h"

// Gives each bound of the plot's axes that is NaN a value from the data: a little room around them; 0 as it is
// where the data begin there; on logarithmic axes what is not positive is left out. Never an empty range.
void extent_settle(struct plot *plot);

#endif
