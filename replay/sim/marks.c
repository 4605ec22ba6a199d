// SPDX-License-Identifier: GPL-3.0-or-later
#include "sim/marks.h"

#define MARKS_BITS 6u // log2 of those of a word

static uint64_t bit_of(uint32_t number)
{
	return UINT64_C(1) << (number & ((1u << MARKS_BITS) - 1));
}

void sim_marks_layout(struct sim_marks *marks, struct sim_arena *arena, uint32_t end)
{
	*marks = (struct sim_marks){.count = 0};
	for (uint32_t level = 0; level < SIM_MARKS_LEVELS && (end > 1 || level == 0); level++) {
		end = (end >> MARKS_BITS) + 1;
		marks->levels[level] = sim_arena_take(arena, end, sizeof(**marks->levels));
	}
}

void sim_marks_add(struct sim_marks *marks, uint32_t number)
{
	uint64_t before = 0;

	for (uint32_t level = 0; before == 0 && level < SIM_MARKS_LEVELS && marks->levels[level];
	     level++) {
		uint64_t *word = &marks->levels[level][number >> MARKS_BITS];

		before = *word;
		*word |= bit_of(number);
		marks->count += level == 0 && *word != before;
		number >>= MARKS_BITS;
	}
}

void sim_marks_remove(struct sim_marks *marks, uint32_t number)
{
	uint64_t left = 0;

	marks->count--;
	for (uint32_t level = 0; left == 0 && level < SIM_MARKS_LEVELS && marks->levels[level];
	     level++) {
		left = marks->levels[level][number >> MARKS_BITS] &= ~bit_of(number);
		number >>= MARKS_BITS;
	}
}

// The least number below a bit of a level, which is set.
static uint32_t least_below(const struct sim_marks *marks, uint32_t level, uint32_t number)
{
	while (level-- > 0)
		number = number << MARKS_BITS |
			 (uint32_t)__builtin_ctzll(marks->levels[level][number]);
	return number;
}

uint32_t sim_marks_next(const struct sim_marks *marks, uint32_t number)
{
	for (uint32_t level = 0;
	     marks->count > 0 && level < SIM_MARKS_LEVELS && marks->levels[level]; level++) {
		const uint64_t rest = marks->levels[level][number >> MARKS_BITS] >>
				      (number & ((1u << MARKS_BITS) - 1));

		if (rest != 0)
			return least_below(marks, level, number + (uint32_t)__builtin_ctzll(rest));
		number = (number >> MARKS_BITS) + 1;
	}
	return SIM_NO_MARK;
}
