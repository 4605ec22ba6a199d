// SPDX-License-Identifier: GPL-3.0-or-later
// The two values of a point, or their sums over a window, and the squares of those.
#ifndef STAT_NESTED_VALUES_H
#define STAT_NESTED_VALUES_H

#include <stdint.h>

struct nested_values {
	uint64_t x;
	uint64_t y;
};

struct nested_squares {
	unsigned __int128 x;
	unsigned __int128 y;
};

static inline void nested_values_add(struct nested_values *into, const struct nested_values *from)
{
	into->x += from->x;
	into->y += from->y;
}

static inline void nested_values_raise(struct nested_values *peak, uint64_t x, uint64_t y)
{
	if (x > peak->x)
		peak->x = x;
	if (y > peak->y)
		peak->y = y;
}

static inline struct nested_squares nested_values_squares(const struct nested_values *sum)
{
	return (struct nested_squares){(unsigned __int128)sum->x * sum->x, (unsigned __int128)sum->y * sum->y};
}

#endif
