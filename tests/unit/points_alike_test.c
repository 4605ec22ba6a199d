// SPDX-License-Identifier: GPL-3.0-or-later
// Packets that nothing tells apart, by the thousand within the longest delay: matched in order, in
// a time that is linear in their number.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "points/join.h"

#define ALIKE 100000u
#define APART_NS 5000
#define DELAY_NS 200000
#define LONGEST_NS 1000000000

struct taken {
	uint64_t others; // not delivered after just the delay
	uint64_t count;
};

static enum tr_status alike_take(void *context, struct tr_delivery *delivery, struct tr_error *err)
{
	struct taken *taken = context;

	(void)err;
	taken->count++;
	taken->others += delivery->status != TR_DELIVERED ||
			 delivery->packet.time_ticks - delivery->created_ticks != DELAY_NS;
	return TR_OK;
}

// Clocks of two points that agree, by packets both ways between the nodes 0 and 1.
static struct pt_clocks *open_clocks(void)
{
	static const char *const names[] = {"a", "b"};
	struct pt_clocks *clocks = pt_clocks_new(2, PT_SAMPLES_MAX);
	struct tr_error err = {.text = ""};

	assert_non_null(clocks);
	for (uint32_t point = 0; point < 2; point++)
		for (uint64_t i = 0; i < 1000; i++) {
			const uint32_t src = (uint32_t)(i % 2);

			pt_clocks_add(clocks, &(struct pt_sighting){
						      .identity = i * 0x9e3779b97f4a7c15u,
						      .time_ns = (int64_t)i * 10000000 +
								 (src != point ? DELAY_NS : 0),
						      .src = src,
						      .dst = !src,
						      .wire_bytes = 100,
						      .point = point,
						      .number = i,
					      });
		}
	assert_int_equal(pt_clocks_settle(clocks, names, &err), TR_OK);
	return clocks;
}

static void alike_add(struct pt_join *join, uint32_t point, int64_t time_ns, uint64_t id)
{
	const struct tr_packet record = {
		.time_ticks = time_ns, .id = id, .flow = TR_FLOW_NONE, .src = 0, .dst = 1};
	const struct pk_packet packet = {.payload_bytes = 1};
	struct tr_error err;

	assert_int_equal(pt_join_add(join, point, &packet, 77, &record, &err), TR_OK);
}

// All of them, of which every so many is lost; 0: none.
static struct pt_way join_alike(unsigned lost_every, struct taken *taken)
{
	struct pt_clocks *clocks = open_clocks();
	struct pt_join *join = pt_join_new(clocks, 2, LONGEST_NS, PT_WAITING_MAX, alike_take,
					   taken);
	const uint64_t between = DELAY_NS / APART_NS; // on the way at a time
	struct tr_error err;
	struct pt_way way;
	uint64_t id = 0;

	assert_non_null(join);
	for (uint64_t i = 0; i < ALIKE + between; i++) {
		const int64_t time_ns = 1000000000 + (int64_t)i * APART_NS;

		if (i >= between && (!lost_every || (i - between) % lost_every))
			alike_add(join, 1, time_ns, id++);
		if (i < ALIKE)
			alike_add(join, 0, time_ns, id++);
	}
	assert_int_equal(pt_join_finish(join, &err), TR_OK);
	way = *pt_join_way(join, 0, 1);
	pt_join_free(join);
	pt_clocks_free(clocks);
	return way;
}

static void thousands_alike_are_matched_in_order(void **state)
{
	struct taken taken = {0, 0};
	const struct pt_way way = join_alike(0, &taken);

	(void)state;
	assert_int_equal(way.delivered, ALIKE);
	assert_int_equal(way.sent, ALIKE);
	assert_int_equal(taken.count, ALIKE);
	assert_int_equal(taken.others, 0);
}

static void losses_among_thousands_alike_are_counted(void **state)
{
	struct taken taken = {0, 0};
	const struct pt_way way = join_alike(100, &taken);

	(void)state;
	assert_int_equal(way.lost, ALIKE / 100);
	assert_int_equal(way.delivered, ALIKE - ALIKE / 100);
	assert_int_equal(way.duplicates + way.unsent + way.undecided, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(thousands_alike_are_matched_in_order),
		cmocka_unit_test(losses_among_thousands_alike_are_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
