// SPDX-License-Identifier: GPL-3.0-or-later
// Ethernet by known answers: times and drops worked out by hand from the rules in flit-fabric(5),
// at 8 ns a byte.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/ethernet/ethernet_params.h"
#include "net/fabric.h"

#define BYTE 8
#define PACKETS_MAX 64u
#define LINKS_MAX 16u

struct bed {
	struct net_topology topology;
	struct net_routes routes;
	struct ethernet_params params;
	struct net_offer offers[PACKETS_MAX];
	uint32_t count, next;
	struct net_worm worms[PACKETS_MAX]; // as they ended
	struct tr_delivery ends[PACKETS_MAX];
	uint64_t drops[LINKS_MAX];
	struct net_totals totals;
	struct net_sampling sampling;
	struct tr_link samples[256];
	uint32_t sample_count;
};

static void open_bed(struct bed *bed, const char *network, const char *keys)
{
	struct fabric fabric = {0};
	char text[200];

	*bed = (struct bed){.count = 0};
	assert_int_equal(net_topology_make(&bed->topology, network, NULL), TR_OK);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
	snprintf(text, sizeof(text), "ethernet:%s", keys);
	assert_int_equal(fabric_read(&fabric, text, NULL), TR_OK);
	memcpy(&bed->params, fabric.params, sizeof(bed->params));
	fabric_close(&fabric);
}

static void close_bed(struct bed *bed)
{
	net_routes_clear(&bed->routes);
	net_topology_clear(&bed->topology);
}

static void offer(struct bed *bed, int64_t time_ns, uint32_t source, uint32_t destination,
		  uint32_t size_bytes)
{
	assert_true(bed->count < PACKETS_MAX);
	bed->offers[bed->count] = (struct net_offer){
		.packet = {.time_ticks = time_ns, .id = bed->count},
		.source = source,
		.destination = destination,
		.size_bytes = size_bytes};
	bed->count++;
}

static enum tr_status next(void *context, struct net_offer *out, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	if (bed->next == bed->count)
		return TR_END;
	*out = bed->offers[bed->next++];
	return TR_OK;
}

static enum tr_status done(void *context, const struct net_worm *worm,
			   const struct tr_delivery *delivery, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	bed->worms[worm->packet.id] = *worm;
	bed->ends[worm->packet.id] = *delivery;
	return TR_OK;
}

static enum tr_status sample(void *context, const struct tr_link *link, struct tr_error *err)
{
	struct bed *bed = context;

	(void)err;
	assert_true(bed->sample_count < sizeof(bed->samples) / sizeof(*bed->samples));
	bed->samples[bed->sample_count++] = *link;
	return TR_OK;
}

static enum tr_status try_run(struct bed *bed, const struct net_engine *engine,
			      struct tr_error *err)
{
	const struct net_setup setup = {.topology = &bed->topology,
					.routes = &bed->routes,
					.params = &bed->params,
					.ticks_per_s = 1000000000,
					.traffic = {.next = next, .context = bed},
					.results = {.done = done,
						    .sample = sample,
						    .link_drops = bed->drops,
						    .context = bed},
					.sampling = bed->sampling};

	bed->next = 0;
	return engine->run(&setup, &bed->totals, err);
}

// With both engines, which give the same.
static void run(struct bed *bed)
{
	struct bed other = *bed;
	struct tr_error err = {.text = ""};

	if (try_run(bed, &ethernet_frames, &err) != TR_OK ||
	    try_run(&other, &ethernet_departures, &err) != TR_OK)
		fail_msg("%s", err.text);
	assert_memory_equal(bed->ends, other.ends, sizeof(bed->ends));
	assert_memory_equal(bed->drops, other.drops, sizeof(bed->drops));
	assert_memory_equal(bed->samples, other.samples, sizeof(bed->samples));
}

static int64_t end_of(const struct bed *bed, uint32_t packet)
{
	return bed->ends[packet].status == TR_DELIVERED ? bed->ends[packet].packet.time_ticks : -1;
}

// Every tick of one frame through one switch: preamble 8 B, header 14 B, 100 B, check sequence 4 B
// on each of two cables of 25 ns, and 1000 ns in the switch. The gap behind the frame delays nobody
// here.
static void test_one_frame(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "switch:2", "");
	offer(&bed, 7, 0, 1, 100);
	run(&bed);
	assert_int_equal(bed.worms[0].created_ticks, 7);
	assert_int_equal(bed.worms[0].injected_ticks, 7);
	assert_int_equal(bed.worms[0].head_ticks, 7 + 126 * BYTE + 25 + 1000 + 25);
	assert_int_equal(end_of(&bed, 0), 7 + 2 * (126 * BYTE + 25) + 1000);
	assert_int_equal(bed.ends[0].hops, 1);
	assert_int_equal(bed.totals.own[ETHERNET_BUFFER_PEAK], 118);
	close_bed(&bed);
}

// Less than 46 B are padded to them.
static void test_least_frame(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "switch:2", "latency=0s,propagation=0s");
	offer(&bed, 0, 0, 1, 1);
	offer(&bed, 0, 1, 0, 46);
	run(&bed);
	assert_int_equal(end_of(&bed, 0), 2 * 72 * BYTE);
	assert_int_equal(end_of(&bed, 1), 2 * 72 * BYTE); // full duplex
	close_bed(&bed);
}

// Frames of one source follow at 1538 times of a byte, the gap included.
static void test_back_to_back(void **state)
{
	struct bed bed;

	(void)state;
	open_bed(&bed, "switch:2", "latency=0s,propagation=0s");
	for (uint32_t i = 0; i < 3; i++)
		offer(&bed, 0, 0, 1, 1500);
	run(&bed);
	for (uint32_t i = 0; i < 3; i++)
		assert_int_equal(end_of(&bed, i), (2 * 1526 + (int64_t)i * 1538) * BYTE);
	close_bed(&bed);
}

// Hosts 0 and 1 each send four frames of 1018 B to host 2, in pairs at one tick. Which are dropped,
// by the rules: pairs are whole at 1026, 2064, 3102, 4140 times of a byte, host 0's first; the
// output begins at 1026 and frees a frame's room 1026, 1038 later and so on: at 2052, 3090, 4128.
static void overflow(const char *keys, const char *fates, uint64_t peak)
{
	struct bed bed;

	open_bed(&bed, "switch:3", keys);
	for (uint32_t i = 0; i < 4; i++) {
		offer(&bed, 0, 0, 2, 1000);
		offer(&bed, 0, 1, 2, 1000);
	}
	run(&bed);
	for (uint32_t i = 0; i < 8; i++) {
		assert_int_equal(bed.ends[i].status, fates[i] == '+' ? TR_DELIVERED : TR_DROPPED);
		assert_int_equal(bed.ends[i].reason,
				 fates[i] == '+' ? TR_DROP_NONE : TR_DROP_BUFFER);
		assert_int_equal(bed.ends[i].hops, 1);
	}
	assert_int_equal(bed.totals.own[ETHERNET_BUFFER_PEAK], peak);
	assert_int_equal(bed.totals.delivered + bed.totals.dropped, 8);
	for (uint32_t link = 0; link < 6;
	     link++) // the output to host 2 is the second direction of its cable
		assert_int_equal(bed.drops[link],
				 bed.topology.cables[link / 2].ends[1 - link % 2].node == 2
					 ? bed.totals.dropped
					 : 0);
	close_bed(&bed);
}

static void test_overflow(void **state)
{
	(void)state;
	overflow("latency=0s,propagation=0s,share=all,buffer=2036B", "+++-+-+-",
		 2036); // two frames fit
	overflow("latency=0s,propagation=0s,share=all,buffer=1018B", "+-+-+-+-", 1018);
	overflow("latency=0s,propagation=0s,share=all,buffer=3054B", "+++++-+-", 3054);
	overflow("latency=0s,propagation=0s,share=all,buffer=1017B", "--------", 0);
	overflow("latency=0s,propagation=0s,share=all,buffer=0", "++++++++", 5090);
	overflow("latency=0s,propagation=0s,share=port,buffer=6108B", "+++-+-+-",
		 2036); // a third each
	// Taken while the queue is below what is free: at 0 and 1018 of 4072, not at 2036.
	overflow("latency=0s,propagation=0s,share=dynamic,buffer=4072B", "+++-+-+-", 2036);
	overflow("latency=0s,propagation=0s,share=dynamic,buffer=4073B", "+++++-+-", 3054);
	overflow("latency=0s,propagation=0s,share=dynamic,alpha=0.5,buffer=3054B", "+-+-+-+-",
		 1018); // 1018 of 2036
}

static void test_too_large(void **state)
{
	struct tr_error err = {.text = ""};
	struct bed bed;

	(void)state;
	open_bed(&bed, "switch:2", "");
	offer(&bed, 0, 0, 1, 1501);
	assert_int_equal(try_run(&bed, &ethernet_departures, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "larger than the MTU of 1500"));
	close_bed(&bed);
}

// Two frames from host 0, in intervals of 10 us: 2 x 1538 times of a byte on its link are 12,304
// and 12,304 ns.
static void test_samples(void **state)
{
	struct bed bed;
	int64_t busy[4] = {0};
	uint64_t area = 0, bytes[4] = {0};

	(void)state;
	open_bed(&bed, "switch:2", "latency=0s,propagation=0s");
	bed.sampling.width_ticks = 10000;
	offer(&bed, 0, 0, 1, 1500);
	offer(&bed, 0, 0, 1, 1500);
	run(&bed);
	for (uint32_t i = 0; i < bed.sample_count; i++) {
		const struct tr_link *link = &bed.samples[i];

		busy[link->link] += link->busy_ticks;
		bytes[link->link] += link->characters;
		if (bed.topology.cables[link->link / 2].ends[link->link % 2].node == 0) {
			area += link->occupancy_area;
			if (link->start_ticks == 10000)
				assert_int_equal(link->busy_ticks, 10000);
		}
	}
	assert_int_equal(bed.samples[0].start_ticks, 0);
	assert_int_equal(busy[0] + busy[2] + busy[1] + busy[3],
			 4 * 1538 * BYTE - 12 * BYTE); // it ends before the last gap
	assert_int_equal(bytes[0] + bytes[1] + bytes[2] + bytes[3], 4 * 1538);
	assert_int_equal(area, 1518ull * (1526 + 1538 + 1526) * BYTE); // the second waits for 1538
	close_bed(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_frame),    cmocka_unit_test(test_least_frame),
		cmocka_unit_test(test_back_to_back), cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_too_large),    cmocka_unit_test(test_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
