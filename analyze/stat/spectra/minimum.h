// SPDX-License-Identifier: GPL-3.0-or-later
// Minimises a function of one variable.
#ifndef STAT_MINIMUM_H
#define STAT_MINIMUM_H

// Keeps the state of GSL's method on the stack, so that no search fails for lack of memory; GSL
// uses six doubles, and tests/unit/stat_minimum_test.c detects a change.
#define MINIMUM_STATE_DOUBLES 64

typedef double minimum_function(const void *context, double x);

// The x in [low, high], to within precision, that minimises a function with one minimum (Brent
// 1973, by GSL). May be an end.
double minimum_find(minimum_function *function, const void *context, double low, double high,
		    double precision);

#endif
