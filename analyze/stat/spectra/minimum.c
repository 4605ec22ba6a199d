// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/spectra/minimum.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_min.h>
#include <stdbool.h>

#define GRID 8
#define STEPS_MAX 100

struct minimum_call {
	minimum_function *function;
	const void *context;
};

static double minimum_value_at(double x, void *context)
{
	const struct minimum_call *call = context;

	return call->function(call->context, x);
}

// Brackets the minimum by a grid, until it is not at an end: values[0 .. 2] are then those of *low,
// the place between and *high. False if it stays at an end.
static bool bracket(const struct minimum_call *call, double *low, double *high, double precision,
		    double values[3], double *between)
{
	double grid[GRID + 1];

	while (*high - *low > precision) {
		const double step = (*high - *low) / GRID, begin = *low;
		int least = 0;

		for (int i = 0; i <= GRID; i++) {
			grid[i] = call->function(call->context, begin + i * step);
			if (grid[i] < grid[least])
				least = i;
		}
		*between = begin + least * step;
		*low = least > 0 ? *between - step : begin;
		*high = least < GRID ? *between + step : *between;
		if (least == 0 || least == GRID)
			continue;
		for (int i = 0; i < 3; i++)
			values[i] = grid[least - 1 + i];
		return true;
	}
	return false;
}

double minimum_find(minimum_function *function, const void *context, double low, double high,
		    double precision)
{
	struct minimum_call call = {function, context};
	gsl_function wrapped = {minimum_value_at, &call};
	double state[MINIMUM_STATE_DOUBLES];
	gsl_min_fminimizer search = {.type = gsl_min_fminimizer_brent, .state = state};
	double values[3], best = low;

	if (!bracket(&call, &low, &high, precision, values, &best))
		return best;
	gsl_min_fminimizer_set_with_values(&search, &wrapped, best, values[1], low, values[0], high,
					   values[2]);
	for (int i = 0; i < STEPS_MAX; i++) {
		gsl_min_fminimizer_iterate(&search);
		best = gsl_min_fminimizer_x_minimum(&search);
		if (gsl_min_test_interval(gsl_min_fminimizer_x_lower(&search),
					  gsl_min_fminimizer_x_upper(&search), precision,
					  0) == GSL_SUCCESS)
			break;
	}
	return best;
}
