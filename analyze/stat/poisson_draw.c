// SPDX-License-Identifier: GPL-3.0-or-later
// GSL's generator (Ahrens and Dieter, Computing 12 (1974) 223-246) over a named stream. Known values: mean and
// variance, in tests/unit/stat_poisson_draw_test.c.
#include "stat/poisson_draw.h"

#include <gsl/gsl_randist.h>

static unsigned long get(void *random)
{
	return tr_random_u32(random);
}

static double get_unit(void *random)
{
	return tr_random_unit(random);
}

static void set(void *random, unsigned long seed)
{
	(void)random;
	(void)seed;
}

void poisson_draw(double mean, struct tr_random *random, double *counts, size_t n)
{
	static const gsl_rng_type type = {.name = "named stream",
					  .max = UINT32_MAX,
					  .size = sizeof(*random),
					  .set = set,
					  .get = get,
					  .get_double = get_unit};
	const gsl_rng source = {&type, random};

	for (size_t i = 0; i < n; i++)
		counts[i] = gsl_ran_poisson(&source, mean);
}
