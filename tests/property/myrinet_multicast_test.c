// SPDX-License-Identifier: GPL-3.0-or-later
// Multicast by switches in random trees. FLIT_LONG=1 tries many more.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "net/myrinet/formula.h"
#include "net/topology/topology_build.h"
#include "replay_bed.h"
#include "value/random.h"

#define SWITCHES_MAX 6u
#define HOSTS_MAX 12u
#define STEP 225 // ticks of a route character
#define LINK 1200

static unsigned rounds(void)
{
	return getenv("FLIT_LONG") ? 3000 : 100;
}

static uint64_t below(struct tr_random *random, uint64_t n)
{
	return tr_random_below(random, n);
}

// Each switch after the first hangs from an earlier one; each has one or two hosts.
static void draw_tree(struct bed *bed, struct tr_random *random)
{
	const uint32_t switches = 1 + (uint32_t)below(random, SWITCHES_MAX);
	const uint32_t hosts = switches + 1 + (uint32_t)below(random, switches);
	uint32_t used[SWITCHES_MAX] = {0};
	struct net_builder builder;

	net_topology_clear(&bed->topology);
	net_routes_clear(&bed->routes);
	assert_int_equal(net_build_open(&builder, &bed->topology,
					(struct net_size){hosts, switches, HOSTS_MAX + SWITCHES_MAX,
							  hosts + switches, false},
					NULL),
			 TR_OK);
	for (uint32_t i = 1; i < switches; i++) {
		const uint32_t above = (uint32_t)below(random, i);

		net_build_cable(&builder, above, used[above]++, i, used[i]++);
	}
	for (uint32_t i = 0; i < hosts; i++)
		net_build_host(&builder, i, i % switches, used[i % switches]++);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
}

static void draw_params(struct bed *bed, struct tr_random *random)
{
	struct myr_params *params = &bed->params;

	params->format.gap_after = below(random, 2);
	params->format.no_final = below(random, 2);
	params->format.crc = below(random, 2);
	params->crossbar.first_come = below(random, 2);
	params->crossbar.conversion_s.num = below(random, 3) ? 100 : 0;
	params->multicast.by_switch = true;
}

// Little room in queues and adapters, and slower cables.
static void draw_room(struct bed *bed, struct tr_random *random)
{
	struct myr_adapter_params *adapter = &bed->params.adapter;

	adapter->queue_worms = 1 + below(random, 3);
	adapter->when_full = below(random, 2) ? MYR_FULL_DROPS : MYR_FULL_WAITS;
	adapter->sram_B = below(random, 2) ? 262144 : 3000;
	adapter->receive_reserve_B = 1500;
	for (size_t i = 0; i < bed->topology.cable_count; i++)
		if (below(random, 3) == 0)
			bed->topology.cables[i].rate_bps = (struct num_ratio){
				1280000000, 1 + (int64_t)below(random, 3)};
}

static void open_random(struct bed *bed, struct tr_random *random, unsigned round)
{
	char name[32];

	snprintf(name, sizeof(name), "tree%u", round);
	tr_random_open(random, 1996, name);
	bed_open(bed, "direct");
	draw_tree(bed, random);
	draw_params(bed, random);
}

// A packet from one host to some others, in random order; returns their number.
static uint32_t offer_group(struct bed *bed, struct tr_random *random, int64_t ticks,
			    uint32_t size_bytes)
{
	const uint32_t hosts = bed->topology.hosts, source = (uint32_t)below(random, hosts);
	const uint32_t count = 1 + (uint32_t)below(random, hosts - 1);
	uint32_t all[HOSTS_MAX];

	for (uint32_t i = 0; i < hosts; i++)
		all[i] = i;
	tr_random_shuffle(random, all, hosts);
	for (uint32_t i = 0, taken = 0; taken < count; i++) {
		if (all[i] == source)
			continue;
		bed_offer(bed, ticks, source, all[i], size_bytes);
		taken++;
	}
	return count;
}

static void run(struct bed *bed)
{
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
}

static int64_t alone_ticks(const struct myr_times *times, const struct tr_delivery *delivery)
{
	struct myr_formula formula;

	myr_formula(times, LINK, delivery->hops, delivery->packet.payload_bytes, &formula);
	return formula.sum_ticks;
}

// A lone group: each host gets its packet once, at the time of a unicast with as many route
// characters as the longest route of the group has.
static void a_lone_group_comes_as_unicasts_do(void **state)
{
	struct tr_random random;
	struct myr_times times;
	struct bed bed;
	uint32_t count, longest = 0;

	(void)state;
	for (unsigned round = 0; round < rounds(); round++) {
		open_random(&bed, &random, round);
		count = offer_group(&bed, &random, 0, 1 + (uint32_t)below(&random, 3000));
		assert_int_equal(myr_times_make(&times, &bed.params, bed.ticks_per_s, NULL), TR_OK);
		run(&bed);
		assert_int_equal(bed.totals.delivered, count);
		assert_int_equal(bed.delivery_count, count);
		assert_int_equal(bed.totals.own[MYR_COPIES], count - 1);
		longest = 0;
		for (uint64_t id = 0; id < count; id++)
			if (bed_delivery(&bed, id)->hops > longest)
				longest = bed_delivery(&bed, id)->hops;
		for (uint64_t id = 0; id < count; id++) {
			const struct tr_delivery *delivery = bed_delivery(&bed, id);

			assert_int_equal(delivery->packet.dst, bed.offers[id].packet.dst);
			assert_int_equal(bed_latency(&bed, id),
					 alone_ticks(&times, delivery) +
						 (longest - delivery->hops) * STEP);
		}
		bed_close(&bed);
	}
}

// Each packet is delivered once, or dropped before a full queue, or left in a deadlock; with any
// order of what happens in a phase of a tick likewise.
static void no_packet_is_lost_and_no_order_counts(void **state)
{
	unsigned deadlocks = 0;
	struct tr_delivery *deliveries;
	struct tr_random random;
	struct net_totals totals;
	struct bed bed;
	size_t count;

	(void)state;
	for (unsigned round = 0; round < rounds(); round++) {
		int64_t ticks = 0;

		open_random(&bed, &random, round);
		draw_room(&bed, &random);
		for (uint64_t groups = 1 + below(&random, 12); groups > 0; groups--) {
			offer_group(&bed, &random, ticks,
				    1 + (uint32_t)below(&random, round % 2 ? 40 : 1000));
			ticks += (int64_t)below(&random, round % 4 < 2 ? 4000 : 200000);
		}
		run(&bed);
		assert_int_equal(bed.totals.delivered + bed.totals.dropped + bed.totals.in_flight,
				 bed.offer_count);
		assert_int_equal(bed.totals.in_flight > 0, bed.totals.deadlocked);
		for (uint64_t id = 0; id < bed.offer_count; id++)
			assert_int_equal(bed_delivery(&bed, id)->packet.dst,
					 bed.offers[id].packet.dst);
		deadlocks += bed.totals.deadlocked;
		count = bed.delivery_count;
		totals = bed.totals;
		deliveries = malloc(count * sizeof(*deliveries));
		assert_non_null(deliveries);
		memcpy(deliveries, bed.deliveries, count * sizeof(*deliveries));
		bed.shuffle = 1 + below(&random, 1000);
		run(&bed);
		assert_int_equal(bed.delivery_count, count);
		assert_memory_equal(bed.deliveries, deliveries, count * sizeof(*deliveries));
		assert_memory_equal(&bed.totals, &totals, sizeof(totals));
		free(deliveries);
		bed_close(&bed);
	}
	print_message("%u of %u deadlocked\n", deadlocks, rounds());
	assert_in_range(deadlocks, 1, rounds() - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lone_group_comes_as_unicasts_do),
		cmocka_unit_test(no_packet_is_lost_and_no_order_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
