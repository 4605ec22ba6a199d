// SPDX-License-Identifier: GPL-3.0-or-later
// External and internal shuffling: Erramilli, Narayan and Willinger, Experimental queueing analysis with long-range
// dependent packet traffic, IEEE/ACM Transactions on Networking 4 (1996) 209-223, section III. Orders: Fisher and
// Yates, as Durstenfeld has it, Communications of the ACM 7 (1964) 420.
#include "stat/shuffle.h"

#include <string.h>

static void swap(double *a, double *b, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const double kept = a[i];

		a[i] = b[i];
		b[i] = kept;
	}
}

// Puts count items of so many doubles in random order.
static void shuffle_items(double *y, size_t count, size_t size, struct tr_random *random)
{
	for (size_t i = count; i > 1; i--) {
		const size_t other = (size_t)tr_random_below(random, i);

		if (other != i - 1)
			swap(y + other * size, y + (i - 1) * size, size);
	}
}

void shuffle_all(const double *x, size_t n, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	shuffle_items(y, n, 1, random);
}

void shuffle_external(const double *x, size_t n, size_t block, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	shuffle_items(y, n / block, block, random);
}

void shuffle_internal(const double *x, size_t n, size_t block, struct tr_random *random, double *y)
{
	memcpy(y, x, n * sizeof(*x));
	for (size_t begin = 0; begin < n; begin += block)
		shuffle_items(y + begin, n - begin < block ? n - begin : block, 1, random);
}
