// SPDX-License-Identifier: GPL-3.0-or-later
// Number, mean, variance and range of integers, exactly: the sums are 128-bit integers, so that any
// order and any split of the values gives the same bytes. Only the results are doubles.
#ifndef STAT_MOMENTS_H
#define STAT_MOMENTS_H

#include <stddef.h>
#include <stdint.h>

// Zero is a valid empty one. The sum of the squares must stay below 2^127: true for packet sizes or
// gaps whose total fits an int64_t.
struct moments {
	uint64_t n;
	int64_t min; // min and max are undefined while n is 0
	int64_t max;
	__int128 sum;
	unsigned __int128 sum_squares;
};

// Adds value, or count values that are all equal (count may be 0), or all 0 (it may not).
static inline void moments_add(struct moments *moments, int64_t value)
{
	if (moments->n == 0)
		moments->min = moments->max = value;
	moments->min = value < moments->min ? value : moments->min;
	moments->max = value > moments->max ? value : moments->max;
	moments->n++;
	moments->sum += value;
	moments->sum_squares += (unsigned __int128)((__int128)value * value);
}
void moments_add_repeated(struct moments *moments, int64_t value, uint64_t count);
static inline void moments_add_zeros(struct moments *moments, uint64_t count)
{
	if (moments->n == 0)
		moments->min = moments->max = 0;
	moments->min = moments->min < 0 ? moments->min : 0;
	moments->max = moments->max > 0 ? moments->max : 0;
	moments->n += count;
}

// Adds count values, each step words after the one before; count > 0. Several times as fast as one
// by one.
void moments_add_words(struct moments *moments, const uint64_t *words, size_t step, size_t count);

// Adds all values of from, as if added one by one.
void moments_merge(struct moments *into, const struct moments *from);

// Removes what was merged before; the range is unchanged.
void moments_remove(struct moments *from, const struct moments *part);

// Arithmetic mean in the values' unit; NaN for none.
double moments_mean(const struct moments *moments);

// Sum of the squared deviations from the mean, without cancellation; 0 for none.
double moments_deviations(const struct moments *moments);

// Sample variance (divisor n - 1) in the square of the unit; NaN below two values.
double moments_variance(const struct moments *moments);

// Square root of the variance.
double moments_sd(const struct moments *moments);

#endif
