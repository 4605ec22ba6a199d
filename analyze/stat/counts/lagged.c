// SPDX-License-Identifier: GPL-3.0-or-later
// Known answer: the values 1, 2, ..., n have an autocorrelation of 1 - 3/n at lag 1
// and a memory of 1.
#include "stat/counts/lagged.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static enum tr_status lagged_allocate(struct lagged *lagged, struct tr_error *err)
{
	lagged->first = calloc(lagged->longest, sizeof(*lagged->first));
	lagged->buffer = malloc((lagged->longest + LAGGED_CHUNK) * sizeof(*lagged->buffer));
	lagged->narrow = malloc((lagged->longest + LAGGED_CHUNK) * sizeof(*lagged->narrow));
	if (!lagged->first || !lagged->buffer || !lagged->narrow)
		return tr_no_memory(err, "lags of up to %zu", lagged->longest);
	return TR_OK;
}

enum tr_status lagged_open(struct lagged *lagged, const struct lags *lags, struct tr_error *err)
{
	memset(lagged, 0, sizeof(*lagged));
	lagged->lags = lags;
	lagged->longest = 1;
	for (size_t i = 0; i < lags->count; i++)
		if (lags->lag[i] > lagged->longest)
			lagged->longest = lags->lag[i];
	return lagged_allocate(lagged, err);
}

enum tr_status lagged_copy(struct lagged *to, const struct lagged *from, struct tr_error *err)
{
	*to = *from;
	if (lagged_allocate(to, err) != TR_OK)
		return TR_ERROR;
	memcpy(to->first, from->first, from->longest * sizeof(*to->first));
	memcpy(to->buffer, from->buffer, from->filled * sizeof(*to->buffer));
	return TR_OK;
}

// Below it the sum of a chunk's products fits 64 bits.
#define NARROW (INT64_C(1) << 28)

static_assert(LAGGED_CHUNK <= 1 << 8, "the products of a chunk of narrow values fit");

// Sum of x(i) y(i).
static __int128 wide_products(const int64_t *x, const int64_t *y, size_t n)
{
	__int128 sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (__int128)x[i] * y[i];
	return sum;
}

static uint64_t narrow_products(const uint32_t *x, const uint32_t *y, size_t n)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (uint64_t)x[i] * y[i];
	return sum;
}

// Products of the buffered values with those a lag before; is_narrow: narrow has the buffer's
// values.
static __int128 products(const struct lagged *lagged, size_t lag, bool is_narrow)
{
	const size_t from = lagged->kept < lag ? lag : lagged->kept;
	const size_t n = lagged->filled - from;

	if (from >= lagged->filled)
		return 0;
	if (is_narrow)
		return narrow_products(lagged->narrow + from, lagged->narrow + from - lag, n);
	return wide_products(lagged->buffer + from, lagged->buffer + from - lag, n);
}

// Whether all values of the buffer are below NARROW; copies them to narrow then.
static bool narrow_buffer(struct lagged *lagged)
{
	int64_t any = 0;

	for (size_t i = 0; i < lagged->filled; i++)
		any |= lagged->buffer[i];
	if (any >= NARROW)
		return false;
	for (size_t i = 0; i < lagged->filled; i++)
		lagged->narrow[i] = (uint32_t)lagged->buffer[i];
	return true;
}

// Adds the buffered values.
static void add_moments(struct lagged *lagged, bool is_narrow)
{
	const uint32_t *x = lagged->narrow + lagged->kept;
	const size_t n = lagged->filled - lagged->kept;
	int32_t min = NARROW - 1, max = 0;
	int64_t sum = 0;

	for (size_t i = lagged->kept; i < lagged->filled && !is_narrow; i++)
		moments_add(&lagged->moments, lagged->buffer[i]);
	if (!is_narrow)
		return;
	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		min = (int32_t)x[i] < min ? (int32_t)x[i] : min;
		max = (int32_t)x[i] > max ? (int32_t)x[i] : max;
	}
	moments_merge(
		&lagged->moments,
		&(struct moments){n, min, max, sum, (unsigned __int128)products(lagged, 0, true)});
}

void lagged_flush(struct lagged *lagged)
{
	const uint64_t before = lagged->moments.n;
	const bool is_narrow = narrow_buffer(lagged);
	size_t keep;

	add_moments(lagged, is_narrow);
	lagged->neighbours += products(lagged, 1, is_narrow);
	for (size_t i = 0; i < lagged->lags->count; i++)
		lagged->products[i] += products(lagged, lagged->lags->lag[i], is_narrow);
	for (uint64_t i = before; i < lagged->longest && i < lagged->moments.n; i++)
		lagged->first[i] = lagged->buffer[lagged->kept + (i - before)];
	keep = lagged->filled < lagged->longest ? lagged->filled : lagged->longest;
	memmove(lagged->buffer, lagged->buffer + lagged->filled - keep,
		keep * sizeof(*lagged->buffer));
	lagged->kept = lagged->filled = keep;
}

void lagged_add_all(struct lagged *lagged, const int64_t *values, size_t count)
{
	while (count > 0) {
		const size_t room = lagged->longest + LAGGED_CHUNK - lagged->filled;
		const size_t some = count < room ? count : room;

		memcpy(lagged->buffer + lagged->filled, values, some * sizeof(*values));
		lagged->filled += some;
		values += some;
		count -= some;
		if (some == room)
			lagged_flush(lagged);
	}
}

// ---- parts of a series

// How many of the first values are kept.
static size_t first_count(const struct lagged *lagged)
{
	return lagged->moments.n < lagged->longest ? (size_t)lagged->moments.n : lagged->longest;
}

// Sum of the products of a lag whose values are in different parts.
static __int128 products_across(const struct lagged *lagged, const struct lagged *later, size_t lag)
{
	const size_t ahead = first_count(later);
	unsigned __int128 sum = 0;

	for (size_t i = 0; i < lag && i < ahead; i++)
		if (lagged->filled + i >= lag)
			sum += (unsigned __int128)lagged->buffer[lagged->filled + i - lag] *
			       (unsigned __int128)later->first[i];
	return (__int128)sum;
}

static __int128 lagged_add_products(__int128 a, __int128 b, __int128 across)
{
	return (__int128)((unsigned __int128)a + (unsigned __int128)b + (unsigned __int128)across);
}

void lagged_join(struct lagged *lagged, const struct lagged *later)
{
	const size_t have = first_count(lagged), ahead = first_count(later);
	const size_t first = lagged->longest - have < ahead ? lagged->longest - have : ahead;
	const size_t kept = lagged->longest - later->filled < lagged->filled
				    ? lagged->longest - later->filled
				    : lagged->filled;

	for (size_t i = 0; i < lagged->lags->count; i++)
		lagged->products[i] = lagged_add_products(
			lagged->products[i], later->products[i],
			products_across(lagged, later, lagged->lags->lag[i]));
	lagged->neighbours = lagged_add_products(lagged->neighbours, later->neighbours,
						 products_across(lagged, later, 1));
	memcpy(lagged->first + have, later->first, first * sizeof(*lagged->first));
	memmove(lagged->buffer, lagged->buffer + lagged->filled - kept,
		kept * sizeof(*lagged->buffer));
	memcpy(lagged->buffer + kept, later->buffer, later->filled * sizeof(*lagged->buffer));
	lagged->kept = lagged->filled = kept + later->filled;
	moments_merge(&lagged->moments, &later->moments);
}

static void lagged_exchange_values(struct partial *partial, int64_t *values, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		partial_i64(partial, &values[i]);
		if (values[i] < 0)
			partial_refuse(partial, "a value below 0");
	}
}

void lagged_exchange(struct lagged *lagged, struct partial *partial)
{
	partial_moments(partial, &lagged->moments);
	for (size_t i = 0; i < lagged->lags->count; i++)
		partial_u128(partial, (unsigned __int128 *)&lagged->products[i]);
	partial_u128(partial, (unsigned __int128 *)&lagged->neighbours);
	lagged->kept = lagged->filled = first_count(lagged);
	lagged_exchange_values(partial, lagged->first, lagged->filled);
	lagged_exchange_values(partial, lagged->buffer, lagged->filled);
}

// The pairs of a lag: all values but the last ones, and all but the first ones.
struct lagged_pairs {
	struct moments left;
	struct moments right;
	__int128 products;
};

static struct lagged_pairs pairs_of(const struct lagged *lagged, size_t lag, __int128 sum)
{
	struct lagged_pairs pairs = {lagged->moments, lagged->moments, sum};

	for (size_t i = 0; i < lag; i++) {
		struct moments one = {0};

		moments_add(&one, lagged->buffer[lagged->filled - 1 - i]);
		moments_remove(&pairs.left, &one);
		one = (struct moments){0};
		moments_add(&one, lagged->first[i]);
		moments_remove(&pairs.right, &one);
	}
	return pairs;
}

// sum (x - a)(y - b) over the pairs, a and b the means of some values. The whole parts of a and b
// are subtracted in integers, which is exact (intermediate overflow cancels); the rest is below 1.
static double cross(const struct lagged_pairs *pairs, const struct moments *of_a,
		    const struct moments *of_b)
{
	const unsigned __int128 n = pairs->left.n;
	const unsigned __int128 p = (unsigned __int128)of_a->sum / of_a->n;
	const unsigned __int128 q = (unsigned __int128)of_b->sum / of_b->n;
	const unsigned __int128 left = (unsigned __int128)pairs->left.sum;
	const unsigned __int128 right = (unsigned __int128)pairs->right.sum;
	const double whole = (double)(__int128)((unsigned __int128)pairs->products - q * left -
						p * right + n * p * q);
	const double u = (double)(of_a->sum % of_a->n) / (double)of_a->n;
	const double v = (double)(of_b->sum % of_b->n) / (double)of_b->n;

	return whole - v * (double)(__int128)(left - n * p) -
	       u * (double)(__int128)(right - n * q) + (double)n * u * v;
}

double lagged_autocorrelation(const struct lagged *lagged, size_t i)
{
	const double deviations = moments_deviations(&lagged->moments);
	struct lagged_pairs pairs;

	if (lagged->moments.n <= lagged->lags->lag[i] || !(deviations > 0))
		return NAN;
	pairs = pairs_of(lagged, lagged->lags->lag[i], lagged->products[i]);
	return cross(&pairs, &lagged->moments, &lagged->moments) / deviations;
}

double lagged_memory(const struct lagged *lagged)
{
	struct lagged_pairs pairs;
	double left, right;

	if (lagged->moments.n < 3)
		return NAN;
	pairs = pairs_of(lagged, 1, lagged->neighbours);
	left = moments_deviations(&pairs.left);
	right = moments_deviations(&pairs.right);
	if (!(left > 0) || !(right > 0))
		return NAN;
	return cross(&pairs, &pairs.left, &pairs.right) / sqrt(left * right);
}

void lagged_close(struct lagged *lagged)
{
	free(lagged->first);
	free(lagged->buffer);
	free(lagged->narrow);
	memset(lagged, 0, sizeof(*lagged));
}
