// SPDX-License-Identifier: GPL-3.0-or-later
// Sorting packets: compared with a stable sort, and the fate of those that come too late.
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "packet/reorder.h"
#include "value/random.h"

#define PACKETS 200000u
#define WINDOW_NS 1000000

struct given {
	struct tr_packet *packets;
	size_t count;
};

static enum tr_status keep(void *context, struct tr_packet *records, size_t count)
{
	struct given *given = context;

	memcpy(given->packets + given->count, records, count * sizeof(*records));
	given->count += count;
	return TR_OK;
}

static enum tr_status add(struct pk_order *order, int64_t time_ns, uint64_t id, struct given *given,
			  struct tr_error *err)
{
	*pk_order_place(order) = (struct tr_packet){.time_ticks = time_ns, .id = id};
	if (pk_order_add(order, err) != TR_OK)
		return TR_ERROR;
	if (order->count < order->due)
		return TR_OK;
	return pk_order_release(order, PK_RELEASE_SETTLED, keep, given, err);
}

static struct given given_new(void)
{
	struct given given = {malloc((PACKETS + PK_ORDER_HOLD) * sizeof(struct tr_packet)), 0};

	assert_non_null(given.packets);
	return given;
}

// In order, and those of one time as they came.
static void assert_sorted(const struct given *given)
{
	for (size_t i = 1; i < given->count; i++) {
		const struct tr_packet *a = &given->packets[i - 1], *b = &given->packets[i];

		assert_true(a->time_ticks < b->time_ticks ||
			    (a->time_ticks == b->time_ticks && a->id < b->id));
	}
}

// Steps back of up to the window anywhere.
static void test_within_window(void **state)
{
	struct given given = given_new();
	struct tr_random random;
	struct pk_order order;
	struct tr_error err;
	int64_t newest = INT64_MIN, time_ns = 1000000000;
	uint64_t late = 0;

	(void)state;
	tr_random_open(&random, 1, "order");
	assert_int_equal(pk_order_open(&order, WINDOW_NS, PK_STRAGGLER_REFUSE, SIZE_MAX, &err),
			 TR_OK);
	for (uint64_t id = 0; id < PACKETS; id++) {
		int64_t stamp;

		time_ns += (int64_t)tr_random_below(&random, 3000);
		stamp = time_ns - (int64_t)(tr_random_below(&random, 10)
						    ? 0
						    : tr_random_below(&random, WINDOW_NS));
		late += stamp < newest;
		if (stamp > newest)
			newest = stamp;
		assert_int_equal(add(&order, stamp, id, &given, &err), TR_OK);
	}
	assert_int_equal(pk_order_release(&order, PK_RELEASE_ALL, keep, &given, &err), TR_OK);
	assert_int_equal(given.count, PACKETS);
	assert_int_equal(order.late, late);
	assert_true(late > PACKETS / 20 && order.step_max_ns < WINDOW_NS && !order.clamped);
	assert_sorted(&given);
	pk_order_close(&order);
	free(given.packets);
}

// The first packets are put in order whatever their stamps are.
static void test_small_capture(void **state)
{
	struct given given = given_new();
	struct pk_order order;
	struct tr_error err;

	(void)state;
	assert_int_equal(pk_order_open(&order, 0, PK_STRAGGLER_REFUSE, SIZE_MAX, &err), TR_OK);
	for (uint64_t id = 0; id + 1 < PK_ORDER_HOLD; id++)
		assert_int_equal(
			add(&order, 5000000000000 - (int64_t)id * 1000000, id, &given, &err),
			TR_OK);
	assert_int_equal(given.count, 0);
	assert_int_equal(pk_order_release(&order, PK_RELEASE_ALL, keep, &given, &err), TR_OK);
	assert_int_equal(given.count, PK_ORDER_HOLD - 1);
	assert_sorted(&given);
	pk_order_close(&order);
	free(given.packets);
}

// A window that holds far more packets than were gathered at first.
static void test_wide_window(void **state)
{
	struct given given = given_new();
	struct pk_order order;
	struct tr_error err;

	(void)state;
	assert_int_equal(
		pk_order_open(&order, (int64_t)PACKETS * 10, PK_STRAGGLER_REFUSE, SIZE_MAX, &err),
		TR_OK);
	for (uint64_t id = 0; id < PACKETS; id++)
		assert_int_equal(add(&order, (int64_t)(id ^ 1023) * 10, id, &given, &err), TR_OK);
	assert_int_equal(given.count, 0);
	assert_int_equal(pk_order_release(&order, PK_RELEASE_ALL, keep, &given, &err), TR_OK);
	assert_int_equal(given.count, PACKETS);
	assert_sorted(&given);
	pk_order_close(&order);
	free(given.packets);
}

// After the first release, a packet behind what was given out.
static void straggle(enum pk_straggler straggler, struct pk_order *order, struct given *given,
		     enum tr_status expected)
{
	struct tr_error err = {""};

	assert_int_equal(pk_order_open(order, WINDOW_NS, straggler, SIZE_MAX, &err), TR_OK);
	for (uint64_t id = 0; id < PK_ORDER_HOLD; id++)
		assert_int_equal(add(order, (int64_t)id * 1000, id, given, &err), TR_OK);
	assert_true(given->count > PK_ORDER_HOLD / 2);
	assert_int_equal(add(order, 500, PACKETS, given, &err), expected);
	assert_int_equal(strstr(err.text, "packet 200000 goes back in time by 0.0655345 s") != NULL,
			 expected == TR_ERROR);
	assert_int_equal(pk_order_release(order, PK_RELEASE_ALL, keep, given, &err), TR_OK);
}

static void test_stragglers(void **state)
{
	struct given given = given_new();
	struct pk_order order;

	(void)state;
	straggle(PK_STRAGGLER_REFUSE, &order, &given, TR_ERROR);
	assert_true(order.refused);
	pk_order_close(&order);
	given.count = 0;
	straggle(PK_STRAGGLER_CLAMP, &order, &given, TR_OK);
	assert_int_equal(order.clamped, 1);
	assert_int_equal(given.count, PK_ORDER_HOLD + 1);
	for (size_t i = 1; i < given.count; i++)
		assert_true(given.packets[i - 1].time_ticks <= given.packets[i].time_ticks);
	pk_order_close(&order);
	given.count = 0;
	straggle(PK_STRAGGLER_KEEP, &order, &given, TR_OK);
	assert_int_equal(given.packets[given.count - 1].time_ticks, 500);
	assert_int_equal(order.late, 1);
	pk_order_close(&order);
	free(given.packets);
}

static enum tr_status fail_at_once(void *context, struct tr_packet *records, size_t count)
{
	(void)records;
	(void)count;
	return tr_fail(context, "full");
}

static void test_failing_output(void **state)
{
	struct given given = given_new();
	struct pk_order order;
	struct tr_error err = {""}, why = {""};

	(void)state;
	assert_int_equal(pk_order_open(&order, 0, PK_STRAGGLER_REFUSE, SIZE_MAX, &err), TR_OK);
	assert_int_equal(add(&order, 1, 1, &given, &err), TR_OK);
	assert_int_equal(pk_order_release(&order, PK_RELEASE_ALL, fail_at_once, &why, &err),
			 TR_ERROR);
	assert_string_equal(why.text, "full");
	pk_order_close(&order);
	free(given.packets);
}

// Where the bound is reached the oldest half goes early, and a packet that comes too late for that
// gets the time of the last one.
static void test_bound(void **state)
{
	struct given given = given_new();
	struct pk_order order;
	struct tr_error err;

	(void)state;
	assert_int_equal(pk_order_open(&order, WINDOW_NS, PK_STRAGGLER_REFUSE, 100, &err), TR_OK);
	for (unsigned i = 0; i < 100; i++)
		assert_int_equal(add(&order, 1000 + i, i, &given, &err), TR_OK);
	assert_int_equal(given.count, 50);
	assert_int_equal(order.hurried, 50);
	assert_int_equal(add(&order, 1000, 100, &given, &err), TR_OK);
	assert_int_equal(order.clamped, 1);
	assert_int_equal(pk_order_release(&order, PK_RELEASE_ALL, keep, &given, &err), TR_OK);
	assert_int_equal(given.count, 101);
	assert_int_equal(given.packets[50].id, 100);
	assert_int_equal(given.packets[50].time_ticks, 1049);
	assert_int_equal(order.hurried, 50);
	pk_order_close(&order);
	free(given.packets);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_within_window),  cmocka_unit_test(test_small_capture),
		cmocka_unit_test(test_wide_window),    cmocka_unit_test(test_stragglers),
		cmocka_unit_test(test_failing_output), cmocka_unit_test(test_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
