// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "stream/unify.h"

static struct tr_header header(uint64_t ticks_per_s, int64_t origin_s, uint32_t origin_ns)
{
	return (struct tr_header){.kind = TR_DELIVERY,
				  .ticks_per_s = ticks_per_s,
				  .origin_s = origin_s,
				  .origin_ns = origin_ns};
}

static void nanoseconds_to_model_ticks(void **state)
{
	struct tr_header from = header(1000000000, 100, 500000000);
	struct tr_header to = header(36000000000, 100, 0);
	struct tr_rebase rebase;
	int64_t ticks;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, NULL), TR_OK);
	assert_int_equal(tr_rebase_time(&rebase, 1, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 18000000036);
	assert_int_equal(tr_rebase_time(&rebase, -1000000000, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, -18000000000);
	assert_int_equal(tr_rebase_time(&rebase, INT64_MAX, &ticks, NULL), TR_ERROR);
}

static void back_only_where_whole(void **state)
{
	struct tr_header from = header(36000000000, 0, 0);
	struct tr_header to = header(1000000000, 0, 0);
	struct tr_rebase exact, rounding;
	struct tr_error err = {""};
	int64_t ticks;

	(void)state;
	assert_int_equal(tr_rebase_make(&exact, &from, &to, false, NULL), TR_OK);
	assert_int_equal(tr_rebase_make(&rounding, &from, &to, true, NULL), TR_OK);
	assert_int_equal(tr_rebase_time(&exact, 72, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, 2);
	assert_int_equal(tr_rebase_time(&exact, 225, &ticks, &err), TR_ERROR);
	assert_string_equal(
		err.text, "0.00000000625 s is not whole, or beyond the longest time, at 1000000000 "
			  "ticks per second");
	assert_int_equal(tr_rebase_time(&rounding, 225, &ticks, NULL), TR_OK); // 6.25 ns
	assert_int_equal(ticks, 6);
	assert_int_equal(tr_rebase_time(&rounding, 234, &ticks, NULL), TR_OK); // 6.5 ns
	assert_int_equal(ticks, 7);
	assert_int_equal(tr_rebase_time(&rounding, -234, &ticks, NULL), TR_OK);
	assert_int_equal(ticks, -6);
}

static void origins_must_be_whole_ticks_apart(void **state)
{
	struct tr_header from = header(1000, 0, 500000);
	struct tr_header to = header(1000, 0, 0);
	struct tr_header far = header(1, INT64_MAX, 0);
	struct tr_rebase rebase;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, NULL), TR_ERROR);
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, true, NULL), TR_OK);
	assert_int_equal(rebase.offset_ticks, 1); // half a millisecond, up
	assert_int_equal(tr_rebase_make(&rebase, &far, &to, true, NULL), TR_ERROR);
}

static void records_change_in_all_their_times(void **state)
{
	struct tr_header from = header(2, 5, 0);
	struct tr_header to = header(6, 4, 0);
	union tr_record record = {
		.delivery = {.packet = {.time_ticks = 10, .id = 10, .payload_bytes = 10},
			     .created_ticks = 1,
			     .started_ticks = -1,
			     .injected_ticks = 3,
			     .head_ticks = -3}};
	struct tr_rebase rebase;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, NULL), TR_OK);
	assert_int_equal(tr_rebase_record(&rebase, &record, NULL), TR_OK);
	assert_int_equal(record.delivery.packet.time_ticks, 36);
	assert_int_equal(record.delivery.packet.id, 10);
	assert_int_equal(record.delivery.packet.payload_bytes, 10);
	assert_int_equal(record.delivery.created_ticks, 9);
	assert_int_equal(record.delivery.started_ticks, -1); // did not come
	assert_int_equal(record.delivery.injected_ticks, 15);
	assert_int_equal(record.delivery.head_ticks, -3);
}

// A valid time must not become the one that means "not yet".
static void no_time_becomes_missing(void **state)
{
	struct tr_header from = header(1, 0, 0);
	struct tr_header to = header(1, 3, 0);
	union tr_record record = {.delivery = {.created_ticks = 2}};
	struct tr_rebase rebase;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, NULL), TR_OK);
	assert_int_equal(tr_rebase_record(&rebase, &record, NULL), TR_ERROR);
}

static void link_samples_scale_their_areas(void **state)
{
	struct tr_header from = {.kind = TR_LINK, .ticks_per_s = 2, .origin_s = 1};
	struct tr_header to = {.kind = TR_LINK, .ticks_per_s = 4};
	union tr_record record = {.link = {.start_ticks = 1,
					   .width_ticks = 2,
					   .busy_ticks = 3,
					   .characters = 4,
					   .occupancy_area = UINT64_MAX / 2,
					   .occupancy_peak = 5}};
	struct tr_rebase rebase;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, NULL), TR_OK);
	assert_int_equal(tr_rebase_record(&rebase, &record, NULL), TR_OK);
	assert_int_equal(record.link.start_ticks, 6);
	assert_int_equal(record.link.width_ticks, 4);
	assert_int_equal(record.link.busy_ticks, 6);
	assert_int_equal(record.link.characters, 4);
	assert_true(record.link.occupancy_area == UINT64_MAX - 1);
	assert_int_equal(record.link.occupancy_peak, 5);
	assert_int_equal(tr_rebase_record(&rebase, &record, NULL),
			 TR_ERROR); // twice that does not fit
}

static void kinds_must_agree(void **state)
{
	struct tr_header from = {.kind = TR_LINK, .ticks_per_s = 2};
	struct tr_header to = header(2, 0, 0);
	struct tr_error err = {""};
	struct tr_rebase rebase;

	(void)state;
	assert_int_equal(tr_rebase_make(&rebase, &from, &to, false, &err), TR_ERROR);
	assert_string_equal(err.text, "link records; the others are delivery records");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nanoseconds_to_model_ticks),
		cmocka_unit_test(back_only_where_whole),
		cmocka_unit_test(origins_must_be_whole_ticks_apart),
		cmocka_unit_test(records_change_in_all_their_times),
		cmocka_unit_test(no_time_becomes_missing),
		cmocka_unit_test(link_samples_scale_their_areas),
		cmocka_unit_test(kinds_must_agree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
