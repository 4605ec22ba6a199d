// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "report/carried.h"
#include "report/timeline.h"
#include "value/random.h"

#define VALUES 5000

struct sample_row {
	int64_t step;
	uint64_t value;
};

// Ascending steps of up to reach, starting below 0.
static void make(struct sample_row *samples, size_t count, uint64_t reach, struct tr_random *random)
{
	int64_t step = -(int64_t)tr_random_below(random, 1000);

	for (size_t i = 0; i < count; i++) {
		samples[i] = (struct sample_row){step, tr_random_below(random, 100)};
		step += (int64_t)tr_random_below(random, reach);
	}
}

// What a column must hold, from all samples.
static struct timeline_column plain(const struct sample_row *samples, size_t count, int64_t from,
				    int64_t width)
{
	struct timeline_column column = {.n = 0};

	for (size_t i = 0; i < count; i++) {
		if (samples[i].step < from || samples[i].step >= from + width)
			continue;
		column.min = column.n == 0 || samples[i].value < column.min ? samples[i].value
									    : column.min;
		column.max = column.n == 0 || samples[i].value > column.max ? samples[i].value
									    : column.max;
		column.sum += samples[i].value;
		column.n++;
	}
	return column;
}

static void check(const struct timeline *timeline, const struct sample_row *samples, size_t count)
{
	int64_t width = (int64_t)1 << timeline->shift;
	uint64_t steps = 0, values = 0;

	for (size_t i = 0; i < timeline->used; i++) {
		struct timeline_column expected = plain(samples, count, timeline_step(timeline, i),
							width);
		const struct timeline_column *found = &timeline->columns[i];

		assert_int_equal(timeline_step(timeline, i) % width, 0);
		assert_true(found->n == expected.n && found->sum == expected.sum);
		if (found->n > 0)
			assert_true(found->min == expected.min && found->max == expected.max);
		steps += timeline_steps(timeline, i);
		values += found->n;
	}
	assert_int_equal(values, count);
	assert_int_equal(steps, samples[count - 1].step - samples[0].step + 1);
	assert_true(timeline->shift == 0 || timeline->used > TIMELINE_COLUMNS / 2);
}

// Against sorting every value into its column one by one, at every doubling.
static void columns_hold_what_falls_into_them(void **state)
{
	static const uint64_t reaches[] = {1, 2, 3, 50, 100000};
	struct sample_row *samples = calloc(VALUES, sizeof(*samples));
	struct tr_random random;

	(void)state;
	tr_random_open(&random, 1, "timeline");
	for (size_t r = 0; r < sizeof(reaches) / sizeof(*reaches); r++) {
		struct timeline timeline = {.shift = 0};

		make(samples, VALUES, reaches[r], &random);
		for (size_t i = 0; i < VALUES; i++) {
			timeline_add(&timeline, samples[i].step, samples[i].value);
			if (i % 499 == 0)
				check(&timeline, samples, i + 1);
		}
		check(&timeline, samples, VALUES);
	}
	free(samples);
}

static void steps_back_count_as_the_last_one(void **state)
{
	struct timeline timeline = {.shift = 0};

	(void)state;
	timeline_add(&timeline, 10, 1);
	timeline_add(&timeline, 7, 5);
	timeline_add(&timeline, INT64_MIN, 6);
	assert_int_equal(timeline.used, 1);
	assert_int_equal(timeline.columns[0].n, 3);
	assert_int_equal(timeline.columns[0].max, 6);
	timeline_add(&timeline, INT64_MAX, 7);
	assert_true(timeline.used <= TIMELINE_COLUMNS);
}

// Sums over all links and columns are those of the samples, whatever was joined.
static void links_keep_their_sums(void **state)
{
	struct tr_random random;
	struct link_map *map;
	struct tr_error err;
	int64_t busy[3] = {0}, all = 0, columns = 0;
	uint32_t peak = 0;

	(void)state;
	tr_random_open(&random, 1, "links");
	assert_int_equal(link_map_open(&map, "x", 1000, &err), TR_OK);
	for (int64_t i = 0; i < 3000; i++) {
		struct tr_link sample = {
			.start_ticks = i / 3 * 100 - 5000,
			.width_ticks = 100,
			.link = (uint32_t)(i % 3),
			.busy_ticks = (int64_t)tr_random_below(&random, 101),
			.occupancy_peak = (uint32_t)tr_random_below(&random, 80),
		};

		assert_int_equal(link_map_add(map, &sample, &err), TR_OK);
		busy[i % 3] += sample.busy_ticks;
		all += sample.busy_ticks;
		peak = sample.occupancy_peak > peak ? sample.occupancy_peak : peak;
	}
	for (uint32_t link = 0; link < 3; link++)
		assert_int_equal(map->rows[link]->all.busy_ticks, busy[link]);
	for (uint32_t link = 0; link < 3; link++)
		for (size_t i = 0; i < map->used; i++)
			columns += map->rows[link]->columns[i].busy_ticks;
	assert_int_equal(columns, all);
	assert_int_equal(link_map_total(map).busy_ticks, all);
	assert_int_equal(link_map_total(map).occupancy_peak, peak);
	assert_int_equal(map->shift, 3); // 1000 intervals in 125 of 128 columns
	assert_true(link_map_width(map) == 0.8);
	link_map_close(map);
}

// A sample of several intervals is in the columns as these would be one by one.
static void joined_intervals_are_spread(void **state)
{
	struct link_map *whole, *parts;
	struct tr_error err;
	int64_t at = 0;

	(void)state;
	assert_int_equal(link_map_open(&whole, "x", 1000, &err), TR_OK);
	assert_int_equal(link_map_open(&parts, "x", 1000, &err), TR_OK);
	for (int64_t i = 0; i < 60; i++) {
		const int64_t count = 1 + i * i % 17;
		struct tr_link sample = {.start_ticks = at,
					 .width_ticks = 100 * count,
					 .busy_ticks = 7 * i * count,
					 .characters = 3 * (uint64_t)(i * count),
					 .occupancy_area = (uint64_t)(i * count),
					 .occupancy_peak = (uint32_t)i};

		assert_int_equal(link_map_add(whole, &sample, &err), TR_OK);
		sample.width_ticks = 100;
		sample.busy_ticks /= count;
		sample.characters /= (uint64_t)count;
		sample.occupancy_area /= (uint64_t)count;
		for (int64_t k = 0; k < count; k++, sample.start_ticks += 100)
			assert_int_equal(link_map_add(parts, &sample, &err), TR_OK);
		at = sample.start_ticks;
	}
	assert_int_equal(whole->used, parts->used);
	assert_int_equal(whole->shift, parts->shift);
	assert_memory_equal(whole->rows[0], parts->rows[0], sizeof(*whole->rows[0]));
	link_map_close(whole);
	link_map_close(parts);
}

static void links_beyond_the_bound_are_counted(void **state)
{
	const struct tr_link sample = {.width_ticks = 1, .link = LINK_MAP_LINKS};
	struct link_map *map;
	struct tr_error err;

	(void)state;
	assert_int_equal(link_map_open(&map, "x", 1, &err), TR_OK);
	assert_int_equal(link_map_add(map, &sample, &err), TR_OK);
	assert_int_equal(map->left_out, 1);
	assert_int_equal(map->row_count, 0);
	link_map_close(map);
	link_map_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(columns_hold_what_falls_into_them),
		cmocka_unit_test(steps_back_count_as_the_last_one),
		cmocka_unit_test(links_keep_their_sums),
		cmocka_unit_test(joined_intervals_are_spread),
		cmocka_unit_test(links_beyond_the_bound_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
