// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/rising.h"

#include <stdlib.h>

static int rising(const void *a, const void *b)
{
	const double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

void rising_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), rising);
}
