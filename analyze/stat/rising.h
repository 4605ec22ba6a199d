// SPDX-License-Identifier: GPL-3.0-or-later
// Values in rising order.
#ifndef STAT_RISING_H
#define STAT_RISING_H

#include <stddef.h>

// Sorts x[n] in place. No NaN.
void rising_sort(double *x, size_t n);

#endif
