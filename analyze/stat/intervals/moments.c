// SPDX-License-Identifier: GPL-3.0-or-later
// Known answer: NIST StRD NumAcc3 and NumAcc4 (variance 0.01 beside a mean of 10^6 and 10^7).
#include "stat/intervals/moments.h"

#include <math.h>

void moments_add_repeated(struct moments *moments, int64_t value, uint64_t count)
{
	const __int128 wide = value;

	if (count == 0)
		return;
	if (moments->n == 0 || value < moments->min)
		moments->min = value;
	if (moments->n == 0 || value > moments->max)
		moments->max = value;
	moments->n += count;
	moments->sum += wide * (__int128)count;
	moments->sum_squares += (unsigned __int128)(wide * wide) * count;
}

void moments_add_words(struct moments *moments, const uint64_t *words, size_t step, size_t count)
{
	struct moments sum = {.n = count, .min = (int64_t)*words, .max = (int64_t)*words};

	for (size_t i = 0; i < count; i++) {
		const int64_t value = (int64_t)words[i * step];

		sum.min = value < sum.min ? value : sum.min;
		sum.max = value > sum.max ? value : sum.max;
		sum.sum += value;
		sum.sum_squares += (unsigned __int128)((__int128)value * value);
	}
	moments_merge(moments, &sum);
}

void moments_merge(struct moments *into, const struct moments *from)
{
	if (from->n == 0)
		return;
	if (into->n == 0 || from->min < into->min)
		into->min = from->min;
	if (into->n == 0 || from->max > into->max)
		into->max = from->max;
	into->n += from->n;
	into->sum += from->sum;
	into->sum_squares += from->sum_squares;
}

void moments_remove(struct moments *from, const struct moments *part)
{
	from->n -= part->n;
	from->sum -= part->sum;
	from->sum_squares -= part->sum_squares;
}

double moments_mean(const struct moments *moments)
{
	const __int128 n = moments->n;

	if (n == 0)
		return NAN;
	return (double)(moments->sum / n) + (double)(moments->sum % n) / (double)n;
}

// Integer nearest to sum / n, halves away from zero.
static __int128 nearest_mean(__int128 sum, __int128 n)
{
	const __int128 half = n / 2;

	return sum >= 0 ? (sum + half) / n : -((-sum + half) / n);
}

// With q the integer nearest to the mean and r = sum - n q: the deviations from q are integers
// whose squares sum to S = sum_squares - q (sum + r), and S >= |r| >= 2 r^2 / n, so that S - r^2 /
// n loses at most one bit. Unsigned, since the products may be beyond 2^127 and S is not.
double moments_deviations(const struct moments *moments)
{
	const __int128 n = moments->n;
	unsigned __int128 squares;
	__int128 q, r;

	if (n == 0)
		return 0;
	q = nearest_mean(moments->sum, n);
	r = moments->sum - q * n;
	squares = moments->sum_squares -
		  (unsigned __int128)q * (unsigned __int128)(moments->sum + r);
	return (double)squares - (double)r * ((double)r / (double)n);
}

double moments_variance(const struct moments *moments)
{
	if (moments->n < 2)
		return NAN;
	return moments_deviations(moments) / (double)(moments->n - 1);
}

double moments_sd(const struct moments *moments)
{
	return sqrt(moments_variance(moments));
}
