// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting a linked list by merging runs of doubling lengths, from the bottom up.
#include "program/state.h"

#define RUNS_MAX 32

// Two sorted lists as one.
static uint32_t merge(uint32_t *next, uint32_t a, uint32_t b)
{
	uint32_t first = NOTHING;
	uint32_t *end = &first;

	while (a != NOTHING && b != NOTHING) {
		uint32_t *least = a < b ? &a : &b;

		*end = *least;
		end = &next[*least];
		*least = *end;
	}
	*end = a != NOTHING ? a : b;
	return first;
}

uint32_t order_sort(uint32_t *next, uint32_t first)
{
	uint32_t runs[RUNS_MAX]; // of 2^i operations, or none
	uint32_t sorted = NOTHING;

	for (int i = 0; i < RUNS_MAX; i++)
		runs[i] = NOTHING;
	while (first != NOTHING) {
		uint32_t run = first;
		int i = 0;

		first = next[run];
		next[run] = NOTHING;
		for (; runs[i] != NOTHING; i++) {
			run = merge(next, runs[i], run);
			runs[i] = NOTHING;
		}
		runs[i] = run;
	}
	for (int i = 0; i < RUNS_MAX; i++)
		sorted = merge(next, runs[i], sorted);
	return sorted;
}
