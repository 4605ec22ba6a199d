// SPDX-License-Identifier: GPL-3.0-or-later
// Series cut into parts, for tests of what joins them.
#ifndef PARTS_H
#define PARTS_H

#include <stddef.h>

#include "value/random.h"

// Cuts [0, count) into 1 to 4 parts, some of them empty: writes their ends; returns their number.
static inline size_t cut(struct tr_random *random, size_t count, size_t ends[4])
{
	const size_t parts = 1 + tr_random_below(random, 4);
	size_t at = 0;

	for (size_t p = 0; p < parts; p++)
		ends[p] = at = p + 1 == parts ? count
					      : at + tr_random_below(random, count - at + 1);
	return parts;
}

#endif
