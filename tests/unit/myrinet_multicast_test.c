// SPDX-License-Identifier: GPL-3.0-or-later
// Multicast by switches: times counted by hand, as in myrinet_switch_test.c. 225 ticks are 6.25 ns,
// 240 are 6 2/3 ns, 1200 a 6 m cable; a switch's path takes 225, its conversion 3600.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "net/myrinet/characters.h"
#include "replay_bed.h"

#define LINK 1200
#define STEP 225
#define FLIT 240
#define CONVERSION 3600
#define SIZE 500
// GAP, final and trailer; two cables; assignment and path
#define ONE_SWITCH (3 * FLIT + 2 * LINK + 2 * STEP + CONVERSION)
// a route character, a cable, and the path
#define NEXT_SWITCH (STEP + LINK + STEP + CONVERSION)

static void open(struct bed *bed, const char *network)
{
	bed_open(bed, network);
	bed->params.multicast.by_switch = true;
	bed->params.adapter.dma_in_bps = bed->params.adapter.dma_out_bps = (struct num_ratio){0, 1};
}

static void offer(struct bed *bed, int64_t ticks, uint32_t source, const char *destinations)
{
	for (; *destinations; destinations++)
		bed_offer(bed, ticks, source, (uint32_t)(*destinations - '0'), SIZE);
}

static void run(struct bed *bed, uint64_t copies)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.delivered, bed->offer_count);
	assert_int_equal(bed->totals.own[MYR_COPIES], copies);
}

static void each_receives_at_the_time_of_a_lone_worm(void **state)
{
	struct bed bed;

	(void)state;
	open(&bed, "switch:8");
	offer(&bed, 1000, 0, "372");
	run(&bed, 2);
	for (uint64_t id = 0; id < 3; id++)
		assert_int_equal(bed_latency(&bed, id), SIZE * FLIT + ONE_SWITCH);
	bed_close(&bed);
}

// Hosts 0 to 3 are at the first switch. The header is that of the longest route, so the near hosts
// wait for one character more.
static void over_two_switches_the_longest_route_counts(void **state)
{
	static const char *const orders[] = {"1562", "5126", "6215"};
	struct bed bed;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		open(&bed, "line:2,hosts=4");
		offer(&bed, 0, 0, orders[i]);
		run(&bed, 3);
		for (uint64_t id = 0; id < 4; id++) {
			const bool near = bed_delivery(&bed, id)->packet.dst < 4;

			assert_int_equal(bed_latency(&bed, id),
					 SIZE * FLIT + ONE_SWITCH + (near ? STEP : NEXT_SWITCH));
			assert_int_equal(bed_delivery(&bed, id)->hops, near ? 1 : 2);
		}
		bed_close(&bed);
	}
}

// 5 comes before 0 in the order. Nothing goes to 1 before the trailer to 2 has left, and an
// assignment.
static void all_wait_for_the_last_port(void **state)
{
	struct bed bed;

	(void)state;
	open(&bed, "switch:8");
	bed_offer(&bed, 0, 5, 2, 4000);
	offer(&bed, 0, 0, "12");
	run(&bed, 1);
	assert_int_equal(bed_latency(&bed, 0), 4000 * FLIT + ONE_SWITCH);
	for (uint64_t id = 1; id < 3; id++)
		assert_int_equal(bed_delivery(&bed, id)->head_ticks, bed_latency(&bed, 0) + STEP);
	assert_int_equal(bed_latency(&bed, 1), bed_latency(&bed, 2));
	bed_close(&bed);
}

// Host 2 has memory for one worm, and takes 10 us to store the first; the copy for host 1 waits
// with the one for host 2.
static void a_stop_of_one_holds_all(void **state)
{
	const int64_t begin = 200000;
	struct bed bed;

	(void)state;
	open(&bed, "switch:8");
	bed.params.adapter.sram_B = SIZE + bed.params.adapter.header_B;
	bed.params.adapter.dma_out_bps = (struct num_ratio){500 * 8 * 100000, 1}; // 10 us
	offer(&bed, 0, 5, "2");
	offer(&bed, begin, 0, "1");
	run(&bed, 0);
	assert_int_equal(bed_latency(&bed, 1), SIZE * FLIT + ONE_SWITCH + 360000);
	offer(&bed, begin, 0, "2");
	run(&bed, 1);
	assert_int_equal(bed_delivery(&bed, 0)->packet.time_ticks,
			 SIZE * FLIT + ONE_SWITCH + 360000);
	assert_int_equal(bed_delivery(&bed, 1)->head_ticks,
			 begin + FLIT + STEP + LINK + STEP + LINK);
	assert_true(bed_delivery(&bed, 1)->packet.time_ticks - 360000 >
		    bed_delivery(&bed, 0)->packet.time_ticks);
	bed_close(&bed);
}

// A packet to a host that the group has begins another; the next one belongs to that.
static void a_host_is_once_in_a_group(void **state)
{
	struct bed bed;

	(void)state;
	open(&bed, "switch:8");
	offer(&bed, 0, 0, "1123");
	run(&bed, 2);
	assert_int_equal(bed_latency(&bed, 0), SIZE * FLIT + ONE_SWITCH);
	assert_int_equal(bed_latency(&bed, 1), bed_latency(&bed, 3));
	assert_true(bed_latency(&bed, 1) > bed_latency(&bed, 0));
	bed_close(&bed);
}

// What was seen on one link.
struct seen {
	uint32_t counts[MYR_KINDS];
	uint32_t data_bytes;
	uint8_t data[SIZE];
	uint8_t register_before; // the CRC, without its character
	uint8_t crc;
};

static enum tr_status see(void *context, const struct net_character *character,
			  struct tr_error *err)
{
	struct seen *seen = (struct seen *)context + character->link;
	uint32_t kind = 0;

	(void)err;
	while (strcmp(myr_kind_name((enum myr_kind)kind), character->kind) != 0)
		kind++;
	seen->counts[kind]++;
	if (kind == MYR_DATA)
		seen->data[seen->data_bytes++] = character->byte;
	if (kind == MYR_CRC)
		seen->crc = character->byte;
	else if (kind >= MYR_ROUTE && kind <= MYR_DATA)
		seen->register_before = myr_crc8(seen->register_before,
						 kind == MYR_TYPE ? 0 : character->byte);
	return TR_OK;
}

// On the five links of the tree: one worm with one GAP, its own route and CRC, and the same data.
static void all_links_carry_the_same_data(void **state)
{
	static struct seen seen[18];
	const struct net_watch watch = {.see = see, .context = seen, .to_ticks = INT64_MAX};
	const struct seen *first = NULL;
	uint32_t used = 0, routes = 0;
	struct bed bed;

	(void)state;
	open(&bed, "line:2,hosts=4");
	bed.params.format.crc = true;
	bed.params.format.type_characters = 4;
	bed.watch = &watch;
	offer(&bed, 0, 0, "163");
	run(&bed, 2);
	assert_int_equal(2 * bed.topology.cable_count, 18);
	for (size_t i = 0; i < 18; i++) {
		if (seen[i].data_bytes == 0)
			continue;
		used++;
		first = first ? first : &seen[i];
		routes += seen[i].counts[MYR_ROUTE];
		assert_int_equal(seen[i].counts[MYR_GAP], 1);
		assert_int_equal(seen[i].counts[MYR_FINAL], 1);
		assert_int_equal(seen[i].counts[MYR_TRAILER], 1);
		assert_int_equal(seen[i].data_bytes, SIZE);
		assert_memory_equal(seen[i].data, first->data, SIZE);
		assert_int_equal(seen[i].crc, seen[i].register_before);
	}
	assert_int_equal(used, 5);
	assert_int_equal(routes, 2 + 1); // from the source; to the second switch
	bed_close(&bed);
}

static void the_local_engine_refuses(void **state)
{
	struct bed bed;

	(void)state;
	open(&bed, "switch:8");
	offer(&bed, 0, 0, "12");
	assert_int_equal(bed_run(&bed, "local"), TR_ERROR);
	assert_string_equal(bed.err.text, "the local engine makes no copies in switches");
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_receives_at_the_time_of_a_lone_worm),
		cmocka_unit_test(over_two_switches_the_longest_route_counts),
		cmocka_unit_test(all_wait_for_the_last_port),
		cmocka_unit_test(a_stop_of_one_holds_all),
		cmocka_unit_test(a_host_is_once_in_a_group),
		cmocka_unit_test(all_links_carry_the_same_data),
		cmocka_unit_test(the_local_engine_refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
