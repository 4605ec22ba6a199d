// SPDX-License-Identifier: GPL-3.0-or-later
// Which of two comes first, for qsort, searches, and comparisons by several members in turn: below
// zero the first, above zero the second, zero neither.
#ifndef VALUE_ORDER_H
#define VALUE_ORDER_H

#include <stdint.h>

#define ORDER(a, b) (((a) > (b)) - ((a) < (b)))

// In a comparison: returns the order of two values that differ.
#define ORDER_BY(a, b) \
	do { \
		if ((a) != (b)) \
			return (a) < (b) ? -1 : 1; \
	} while (0)

// Rising numbers.
static inline int order_u32(const void *a, const void *b)
{
	return ORDER(*(const uint32_t *)a, *(const uint32_t *)b);
}

// Likewise.
static inline int order_u64(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

// Likewise.
static inline int order_i64(const void *a, const void *b)
{
	return ORDER(*(const int64_t *)a, *(const int64_t *)b);
}

// Likewise.
static inline int order_double(const void *a, const void *b)
{
	return ORDER(*(const double *)a, *(const double *)b);
}

#endif
