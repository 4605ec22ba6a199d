// SPDX-License-Identifier: GPL-3.0-or-later
// Counting concurrently with reading a stream equals counting at once, for batches of any size, and
// reports errors.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/stream_counts.h"
#include "value/random.h"

#define PACKETS 300000u

static const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000};
static struct tr_packet packets[PACKETS];

static void draw(struct tr_random *random)
{
	int64_t time = 0;

	tr_random_open(random, 1, "counting");
	for (size_t i = 0; i < PACKETS; i++) {
		time += (int64_t)(3000 * tr_random_unit(random));
		packets[i] = (struct tr_packet){.time_ticks = time,
						.payload_bytes = (uint32_t)(i % 1400)};
	}
}

static struct counts *open_counts(void)
{
	struct counts *counts = calloc(1, sizeof(*counts));

	assert_non_null(counts);
	assert_int_equal(counts_open(counts, &header, NULL), TR_OK);
	return counts;
}

static void batches_of_any_size_count_alike(void **state)
{
	struct counts *once = open_counts(), *beside = open_counts();
	struct counting counting;
	struct tr_random random;
	struct tr_error err;

	(void)state;
	draw(&random);
	assert_int_equal(counts_add(once, packets, sizeof(*packets), PACKETS, &err), TR_OK);
	counting_open(&counting, beside);
	for (size_t i = 0, some; i < PACKETS; i += some) {
		some = 1 + (size_t)(9000 * tr_random_unit(&random));
		some = some < PACKETS - i ? some : PACKETS - i;
		assert_int_equal(counting_add(&counting, &packets[i], sizeof(*packets), some, &err),
				 TR_OK);
	}
	assert_true(counting.begun);
	assert_int_equal(counting_end(&counting, &err), TR_OK);
	assert_int_equal(counting_end(&counting, &err), TR_OK);
	assert_int_equal(counts_finish(once, &err), TR_OK);
	assert_int_equal(counts_finish(beside, &err), TR_OK);
	assert_true(once->dyadic.total == PACKETS);
	assert_memory_equal(&once->dyadic, &beside->dyadic, sizeof(once->dyadic));
	assert_memory_equal(&once->zoom, &beside->zoom, sizeof(once->zoom));
	assert_memory_equal(once->timelines, beside->timelines, sizeof(once->timelines));
	for (size_t i = 0; i < COUNTS_SERIES; i++) {
		assert_int_equal(once->series[i].count, beside->series[i].count);
		assert_memory_equal(once->series[i].values, beside->series[i].values,
				    once->series[i].count * sizeof(double));
	}
	counts_close(once);
	counts_close(beside);
	free(once);
	free(beside);
}

static void a_step_back_is_told(void **state)
{
	struct counts *counts = open_counts();
	struct counting counting;
	struct tr_random random;
	struct tr_error err = {""};
	enum tr_status status = TR_OK;

	(void)state;
	draw(&random);
	packets[200000].time_ticks = 5;
	counting_open(&counting, counts);
	for (size_t i = 0; i < PACKETS && status == TR_OK; i += 1000)
		status = counting_add(&counting, &packets[i], sizeof(*packets), 1000, &err);
	if (status == TR_OK)
		status = counting_end(&counting, &err);
	else
		assert_int_equal(counting_end(&counting, &err), TR_ERROR);
	assert_int_equal(status, TR_ERROR);
	assert_true(err.text[0] != '\0');
	counts_close(counts);
	free(counts);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_of_any_size_count_alike),
		cmocka_unit_test(a_step_back_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
