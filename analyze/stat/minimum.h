// SPDX-License-Identifier: GPL-3.0-or-later
// The least of a function of one variable.
#ifndef STAT_MINIMUM_H
#define STAT_MINIMUM_H

// Room for the state of GSL's method on the stack, so that no search fails for want of memory; GSL uses six of these, and
// tests/unit/stat_minimum_test.c sees when that changes.
#define MINIMUM_STATE_DOUBLES 64

typedef double minimum_function(const void *context, double x);

// The x in [low, high] with the least value of a function that falls to it and rises from it, to
// within precision (Brent 1973, by GSL). An end where it lies there.
double minimum_find(minimum_function *function, const void *context, double low, double high, double precision);

#endif
