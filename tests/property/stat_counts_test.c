// SPDX-License-Identifier: GPL-3.0-or-later
// Counting at many widths compared with plain counting, on random packets, widths, origins and
// splits.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stat/counts/bins.h"
#include "stat/counts/scales.h"
#include "stat/counts/variance_slope.h"
#include "stream/record.h"
#include "value/random.h"

#define PACKETS_MAX 400
#define SIZE_OFFSET offsetof(struct tr_packet, payload_bytes)

struct sample {
	struct tr_packet packet[PACKETS_MAX];
	size_t count;
	struct tr_header header;
	int64_t base_ticks;
	int64_t factor[4];
};

static size_t rounds(void)
{
	return getenv("FLIT_LONG") ? 20000 : 300;
}

static struct sample make_sample(struct tr_random *random)
{
	struct sample s = {.header = {.kind = TR_PACKET, .ticks_per_s = 1000000000}};
	int64_t now = (int64_t)tr_random_below(random, 2000) - 1000;
	const uint64_t spread = 1 + tr_random_below(random, 400);

	s.count = 1 + tr_random_below(random, PACKETS_MAX);
	s.header.origin_s = (int64_t)tr_random_below(random, 4) - 2;
	s.header.origin_ns = (uint32_t)tr_random_below(random, 1000000000);
	s.base_ticks = 1 + (int64_t)tr_random_below(random, 100);
	for (int i = 0; i < 4; i++)
		s.factor[i] = 1 + (int64_t)tr_random_below(random, i == 0 ? 3 : 30);
	for (size_t i = 0; i < s.count; i++) {
		now += (int64_t)tr_random_below(random, spread);
		if (tr_random_below(random, 50) == 0)
			now += (int64_t)tr_random_below(random, 100000);
		s.packet[i].time_ticks = now;
		s.packet[i].payload_bytes = tr_random_u32(random) >> tr_random_below(random, 32);
	}
	return s;
}

static int64_t plain_floor(__int128 a, int64_t b)
{
	__int128 q = a / b;

	while (q * b > a)
		q--;
	return (int64_t)q;
}

static int64_t plain_index(const struct sample *s, size_t i, int64_t width)
{
	return plain_floor((__int128)s->header.origin_s * 1000000000 + s->header.origin_ns +
				   s->packet[i].time_ticks,
			   width);
}

struct plain {
	struct scale_moments complete;
	struct scale_moments edges;
	struct value_counts counts; // of the complete bins
};

// Bins from the first to the last, by walking over the packets.
static struct plain plain_moments(const struct sample *s, int64_t width)
{
	const int64_t first = plain_index(s, 0, width), last = plain_index(s, s->count - 1, width);
	struct plain m;
	size_t i = 0;

	memset(&m, 0, sizeof(m));
	for (int64_t index = first; index <= last; index++) {
		struct scale_moments *into = index == first || index == last ? &m.edges
									     : &m.complete;
		int64_t count = 0, size = 0;

		for (; i < s->count && plain_index(s, i, width) == index; i++) {
			count++;
			size += s->packet[i].payload_bytes;
		}
		moments_add(&into->count, count);
		moments_add(&into->size_bytes, size);
		if (into == &m.complete && count > 0)
			assert_int_equal(value_counts_add(&m.counts, (uint64_t)count, 1, NULL),
					 TR_OK);
	}
	return m;
}

static enum tr_status put(struct binner *binner, const struct sample *s, size_t from, size_t to)
{
	return binner_add(binner, &s->packet[from], sizeof(s->packet[0]), SIZE_OFFSET, to - from,
			  NULL);
}

static void check_moments(const struct scale_moments *found, const struct scale_moments *expected)
{
	assert_memory_equal(&found->count, &expected->count, sizeof(found->count));
	assert_memory_equal(&found->size_bytes, &expected->size_bytes, sizeof(found->count));
}

// Every value as often.
static void check_values(const struct value_counts *found, const struct value_counts *expected)
{
	unsigned thousandths[100];
	uint64_t x[100], y[100];

	for (unsigned i = 0; i < 100; i++)
		thousandths[i] = 10 * (i + 1);
	assert_int_equal(value_counts_percentiles(found, thousandths, 100, x, NULL), TR_OK);
	assert_int_equal(value_counts_percentiles(expected, thousandths, 100, y, NULL), TR_OK);
	assert_memory_equal(x, y, sizeof(x));
	assert_int_equal(found->n, expected->n);
	assert_int_equal(found->used, expected->used);
}

static void check_scales(const struct sample *s, struct scales *scales)
{
	for (size_t i = 0; i < 4; i++) {
		struct plain expected = plain_moments(s, s->base_ticks * s->factor[i]);
		const struct scale_moments complete = scales_get(scales, i);
		const struct scale_moments edges = scales_edges(scales, i);

		check_moments(&complete, &expected.complete);
		check_moments(&edges, &expected.edges);
		assert_true(complete.count.sum + edges.count.sum == (__int128)s->count);
		if (scales->values)
			check_values(&scales->values->widths[i].count, &expected.counts);
		value_counts_clear(&expected.counts);
	}
}

static void every_width_equals_the_plain_count(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 3, "scales");
	for (size_t round = 0; round < rounds(); round++) {
		const struct sample s = make_sample(&random);
		const size_t cut = tr_random_below(&random, s.count + 1);
		struct bin_values values = {0};
		struct scales scales;
		struct binner binner;
		struct bin_grid grid;

		assert_int_equal(bin_grid_set(&grid, s.base_ticks, &s.header, 0, NULL), TR_OK);
		assert_int_equal(scales_open(&scales, s.factor, 4, NULL), TR_OK);
		scales.values = &values;
		binner_open(&binner, &grid, scales_take, &scales);
		assert_int_equal(put(&binner, &s, 0, cut), TR_OK);
		if (round % 2)
			assert_int_equal(binner_flush(&binner, NULL), TR_OK);
		assert_int_equal(put(&binner, &s, cut, s.count), TR_OK);
		assert_int_equal(binner_flush(&binner, NULL), TR_OK);
		assert_int_equal(scales_finish(&scales, NULL), TR_OK);
		check_scales(&s, &scales);
		scales_close(&scales);
		bin_values_clear(&values);
	}
}

static void shuffle(struct tr_random *random, struct sample *s)
{
	for (size_t i = s->count; i > 1; i--) {
		const size_t j = tr_random_below(random, i);
		const struct tr_packet swap = s->packet[i - 1];

		s->packet[i - 1] = s->packet[j];
		s->packet[j] = swap;
	}
}

// Packets in any order, in two stores that are merged, then the widths.
static void any_order_and_merge_give_the_same_bytes(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 4, "bins");
	for (size_t round = 0; round < rounds(); round++) {
		const struct sample s = make_sample(&random);
		struct sample mixed = s;
		const size_t cut = tr_random_below(&random, s.count + 1);
		struct bins part[2] = {0};
		struct scales scales;
		struct bin_grid grid;

		shuffle(&random, &mixed);
		assert_int_equal(bin_grid_set(&grid, s.base_ticks, &s.header, 0, NULL), TR_OK);
		assert_int_equal(scales_open(&scales, s.factor, 4, NULL), TR_OK);
		for (size_t i = 0; i < 2; i++) {
			struct binner binner;

			binner_open(&binner, &grid, bins_take, &part[i]);
			assert_int_equal(put(&binner, &mixed, i ? cut : 0, i ? s.count : cut),
					 TR_OK);
			assert_int_equal(binner_flush(&binner, NULL), TR_OK);
		}
		assert_int_equal(bins_merge(&part[0], &part[1], NULL), TR_OK);
		assert_int_equal(bins_visit(&part[0], scales_take, &scales, NULL), TR_OK);
		assert_int_equal(scales_finish(&scales, NULL), TR_OK);
		check_scales(&s, &scales);
		scales_close(&scales);
		bins_clear(&part[0]);
		bins_clear(&part[1]);
	}
}

// The same packets told from another origin lie in the same bins.
static void the_origin_of_a_file_does_not_matter(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 5, "origin");
	for (size_t round = 0; round < rounds(); round++) {
		const struct sample s = make_sample(&random);
		const int64_t shift = (int64_t)tr_random_below(&random, 5);
		struct tr_header other = s.header;
		struct bin_grid a, b;

		other.origin_s -= shift;
		assert_int_equal(bin_grid_set(&a, s.base_ticks, &s.header, 0, NULL), TR_OK);
		assert_int_equal(bin_grid_set(&b, s.base_ticks, &other, 0, NULL), TR_OK);
		for (size_t i = 0; i < s.count; i++) {
			const int64_t t = s.packet[i].time_ticks;
			int64_t index, shifted;

			assert_int_equal(bin_grid_index(&a, t, &index, NULL), TR_OK);
			assert_int_equal(bin_grid_index(&b, t + shift * 1000000000, &shifted, NULL),
					 TR_OK);
			assert_int_equal(index, shifted);
			assert_int_equal(index, plain_index(&s, i, s.base_ticks));
			assert_true(bin_grid_start(&a, index) <= t);
			assert_true(bin_grid_start(&a, index + 1) > t);
		}
	}
}

static void bins_from_the_first_packet_are_complete(void **state)
{
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 6, "segments");
	for (size_t round = 0; round < rounds() / 3; round++) {
		const struct sample s = make_sample(&random);
		struct scales scales;
		struct binner binner;
		struct bin_grid grid;

		assert_int_equal(bin_grid_set(&grid, s.base_ticks, &s.header,
					      epoch_ticks(&s.header, s.packet[0].time_ticks), NULL),
				 TR_OK);
		assert_int_equal(scales_open(&scales, s.factor, 4, NULL), TR_OK);
		scales.from_start = true;
		binner_open(&binner, &grid, scales_take, &scales);
		assert_int_equal(put(&binner, &s, 0, s.count), TR_OK);
		assert_int_equal(binner_flush(&binner, NULL), TR_OK);
		assert_int_equal(scales_finish(&scales, NULL), TR_OK);
		for (size_t i = 0; i < 4; i++) {
			const struct scale_moments whole = scales_get(&scales, i);
			const int64_t span = s.packet[s.count - 1].time_ticks -
					     s.packet[0].time_ticks;

			assert_int_equal(scales_first(&scales, i), 0);
			assert_int_equal(whole.count.n, span / (s.base_ticks * s.factor[i]));
			assert_int_equal(scales_edges(&scales, i).count.n, 1);
		}
		scales_close(&scales);
	}
}

static void a_step_back_is_refused(void **state)
{
	struct scales scales;
	struct tr_error err = {0};
	const int64_t factor = 2;

	(void)state;
	assert_int_equal(scales_open(&scales, &factor, 1, NULL), TR_OK);
	assert_int_equal(scales_take(&scales, &(struct bin_run){5, 1, 1}, &err), TR_OK);
	assert_int_equal(scales_take(&scales, &(struct bin_run){5, 1, 1}, &err), TR_OK);
	assert_int_equal(scales_take(&scales, &(struct bin_run){4, 1, 1}, &err), TR_ERROR);
	assert_string_equal(err.text, "the packets go back in time");
	scales_close(&scales);
}

static void the_bound_is_kept(void **state)
{
	struct bins bins = {.max_bins = 2 * BINS_PAGE};
	struct tr_error err = {0};

	(void)state;
	assert_int_equal(bins_take(&bins, &(struct bin_run){-1, 1, 7}, &err), TR_OK);
	assert_int_equal(bins_take(&bins, &(struct bin_run){INT64_C(1) << 60, 1, 7}, &err), TR_OK);
	assert_int_equal(bins_take(&bins, &(struct bin_run){0, 1, 7}, &err), TR_ERROR);
	assert_string_equal(
		err.text, "more than 2048 bins of 16 B are needed (--memory); use wider bins (-b)");
	assert_int_equal(bins_take(&bins, &(struct bin_run){-BINS_PAGE, 1, 7}, &err), TR_OK);
	bins_clear(&bins);
}

// Bernoulli bins are independent: slope -1, H one half, and the interval holds it.
static void independent_counts_have_slope_minus_one(void **state)
{
	const int64_t factor[] = {1, 2, 5, 10, 20, 50, 100};
	struct tr_random random;
	struct scales scales;
	struct variance_slope slope;

	(void)state;
	tr_random_open(&random, 7, "bernoulli");
	assert_int_equal(scales_open(&scales, factor, 7, NULL), TR_OK);
	for (int64_t i = 0; i < 100000; i++)
		if (tr_random_below(&random, 4) == 0)
			scales_take(&scales, &(struct bin_run){i, 1, 1}, NULL);
	assert_int_equal(scales_finish(&scales, NULL), TR_OK);
	slope = variance_slope(&scales, SCALE_COUNT, 0.95);
	assert_int_equal(slope.widths, 7);
	assert_true(slope.segments >= 32);
	assert_true(fabs(slope.slope + 1) < 0.05);
	assert_true(slope.lo < -1 && -1 < slope.hi);
	assert_true(slope.hi - slope.lo < 0.2);
	scales_close(&scales);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_width_equals_the_plain_count),
		cmocka_unit_test(any_order_and_merge_give_the_same_bytes),
		cmocka_unit_test(the_origin_of_a_file_does_not_matter),
		cmocka_unit_test(bins_from_the_first_packet_are_complete),
		cmocka_unit_test(a_step_back_is_refused),
		cmocka_unit_test(the_bound_is_kept),
		cmocka_unit_test(independent_counts_have_slope_minus_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
