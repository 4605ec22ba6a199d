// SPDX-License-Identifier: GPL-3.0-or-later
// A lone worm: published throughputs of Yates, AFIT/GCS/ENG/97D-20 (1997), and values of its
// fixed-cost model (T = size / 44 MiB/s + size x 6 2/3 ns + 0.2 us + size / 66 MiB/s over one
// switch, 54 ns over none) at other sizes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "fabric_bed.h"
#include "net/myrinet/formula.h"
#include "replay_bed.h"
#include "value/ticks.h"

// Latency of one worm from host 0 to host 1.
static int64_t alone(struct bed *bed, uint32_t size_bytes)
{
	bed->offer_count = 0;
	bed_offer(bed, 1000, 0, 1, size_bytes);
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
	assert_int_equal(bed->totals.delivered, 1);
	return bed_latency(bed, 0);
}

static double throughput_MBps(struct bed *bed, uint32_t size_bytes)
{
	return size_bytes / tr_ticks_seconds(alone(bed, size_bytes), bed->ticks_per_s) / 1e6;
}

struct row {
	uint32_t size_bytes;
	double MBps;
	double within;
};

static void check_rows(const char *network, const struct row *rows, size_t count)
{
	struct bed bed;

	bed_open(&bed, network);
	for (size_t i = 0; i < count; i++)
		if (fabs(throughput_MBps(&bed, rows[i].size_bytes) - rows[i].MBps) > rows[i].within)
			fail_msg("%s, %u B: %f MB/s, published %f", network, rows[i].size_bytes,
				 throughput_MBps(&bed, rows[i].size_bytes), rows[i].MBps);
	bed_close(&bed);
}

// The tolerance is half of the last digit, plus the rounding of the fixed part to 0.2 us.
static void one_switch_gives_the_published_throughputs(void **state)
{
	static const struct row rows[] = {
		{40, 20.93, .015},	 {70, 21.91, .01},	{100, 22.33, .01},
		{256, 22.95, .006},	 {512, 23.16, .006},	{1024, 23.26, .006},
		{2048, 23.32, .006},	 {4096, 23.343, .0006}, {8192, 23.356, .0006},
		{7612, 23.35522, .0006},
	};

	(void)state;
	check_rows("switch:8", rows, sizeof(rows) / sizeof(*rows));
}

static void a_direct_link_gives_the_published_throughputs(void **state)
{
	static const struct row rows[] = {
		{70, 22.95, .011},
		{256, 23.26, .006},
		{1024, 23.34, .006},
		{8192, 23.366, .0006},
	};

	(void)state;
	check_rows("direct", rows, sizeof(rows) / sizeof(*rows));
}

// SBus, PCI_33 and PCI_66; printed 23.355, 33.26 and 44.32. With 0.2 us whatever the adapter the
// model gives these values; with three slots of 15 ns the fixed part is 25 ns longer, 0.003 MB/s
// less.
static void pci_adapters_give_the_published_throughputs(void **state)
{
	static const struct {
		const char *preset;
		double MBps;
	} rows[] = {{"sbus", 23.356}, {"pci33", 33.266}, {"pci66", 44.325}};
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	for (size_t i = 0; i < 3; i++) {
		set_preset(&bed.params, rows[i].preset);
		assert_true(fabs(throughput_MBps(&bed, 8192) - rows[i].MBps) < .004);
	}
	bed_close(&bed);
}

// Validation 1 and 2: the simulation equals the sum of the terms, to the tick, at every size, and F
// is what the model says.
static void the_sum_is_exact(void **state)
{
	static const struct {
		const char *network;
		uint32_t switches;
		int64_t fixed_ticks;
	} rows[] = {
		{"direct", 0, 3 * 240 + 1200},
		{"switch:8", 1, 3 * 240 + 2 * 1200 + 225 + 225 + 3600}, // 199.17 ns
	};
	struct myr_formula formula;
	struct myr_times times;
	struct bed bed;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		bed_open(&bed, rows[i].network);
		assert_int_equal(myr_times_make(&times, &bed.params, bed.ticks_per_s, NULL), TR_OK);
		for (uint32_t size = 1; size <= 8192; size += 1 + size / 7) {
			int64_t data = sim_pace_ticks(&times.dma_in, size) +
				       sim_pace_ticks(&times.dma_out, size) + size * 240;

			myr_formula(&times, 1200, rows[i].switches, size, &formula);
			assert_int_equal(formula.sum_ticks, data + rows[i].fixed_ticks);
			assert_int_equal(alone(&bed, size), formula.sum_ticks);
		}
		bed_close(&bed);
	}
}

// The operating system's time is a part of each worm's, one worm after another: with 110 us a worm
// of 8192 B comes to 17.8 MB/s (Yates 1997: the highest bandwidth measured over MPI, from which the
// 110 us were worked out).
static void software_comes_before_each_transfer(void **state)
{
	struct bed bed;
	int64_t without;

	(void)state;
	bed_open(&bed, "direct");
	without = alone(&bed, 8192);
	bed.params.adapter.software_s = (struct num_ratio){110, 1000000};
	assert_int_equal(alone(&bed, 8192), without + 110 * 36000);
	assert_true(fabs(throughput_MBps(&bed, 8192) - 17.8) < .05);
	bed_close(&bed);
	bed_open(&bed, "direct");
	bed.params.adapter.software_s = (struct num_ratio){110, 1000000};
	for (int i = 0; i < 3; i++)
		bed_offer(&bed, 0, 0, 1, 8);
	assert_int_equal(bed_run(&bed, "reference"), TR_OK);
	for (uint64_t i = 1; i < 3;
	     i++) // a transfer into the adapter of 8 B at 44 MiB/s takes 6242 ticks
		assert_in_range(bed_delivery(&bed, i)->started_ticks -
					bed_delivery(&bed, i - 1)->started_ticks,
				110 * 36000 + 6242, 110 * 36000 + 6244);
	bed_close(&bed);
}

// A row of switches: host 0 - switch 0 - ... - switch k-1 - host 1; ports 0 and 1.
static void open_row(struct bed *bed, uint32_t switches)
{
	bed_open(bed, "direct");
	bed->topology.switches = switches;
	bed->topology.cable_count = switches + 1;
	bed->topology.ports = realloc(bed->topology.ports, switches * sizeof(*bed->topology.ports));
	bed->topology.cables = realloc(bed->topology.cables,
				       (switches + 1) * sizeof(*bed->topology.cables));
	assert_true(bed->topology.ports != NULL && bed->topology.cables != NULL);
	for (uint32_t i = 0; i <= switches; i++) {
		struct net_end from = {i == 0 ? 0 : 1 + i, i == 0 ? 0 : 1};
		struct net_end to = {i == switches ? 1 : 2 + i, 0};

		bed->topology.cables[i] = (struct net_cable){.ends = {from, to}};
	}
	for (uint32_t i = 0; i < switches; i++)
		bed->topology.ports[i] = 2;
	net_routes_clear(&bed->routes);
	assert_int_equal(net_routes_shortest(&bed->routes, &bed->topology, NULL), TR_OK);
}

// Each further switch costs 145.83 ns (the model: .1458 us).
static void each_switch_costs_the_same(void **state)
{
	static const uint32_t sizes[] = {1, 40, 1000, 8192};
	struct myr_formula formula;
	struct myr_times times;
	struct bed bed;

	(void)state;
	for (uint32_t switches = 1; switches <= 9; switches++) {
		open_row(&bed, switches);
		assert_int_equal(myr_times_make(&times, &bed.params, bed.ticks_per_s, NULL), TR_OK);
		for (size_t i = 0; i < 4; i++) {
			myr_formula(&times, 1200, switches, sizes[i], &formula);
			assert_int_equal(alone(&bed, sizes[i]), formula.sum_ticks);
			assert_int_equal(bed_delivery(&bed, 0)->hops, switches);
			formula.sum_ticks -= (switches - INT64_C(1)) * 5250; // 145.83 ns
			assert_int_equal(formula.sum_ticks,
					 sim_pace_ticks(&times.dma_in, sizes[i]) +
						 sim_pace_ticks(&times.dma_out, sizes[i]) +
						 sizes[i] * 240 + 7170);
		}
		bed_close(&bed);
	}
}

// Times of the parts of one worm of one byte, counted by hand from the rules.
static void the_stations_of_a_worm_are_where_the_rules_put_them(void **state)
{
	const struct tr_delivery *delivery;
	struct bed bed;
	int64_t dma_in;

	(void)state;
	bed_open(&bed, "switch:8");
	alone(&bed, 1);
	delivery = bed_delivery(&bed, 0);
	dma_in = 780; // floor(36e9 / (44 x 2^20))
	assert_int_equal(delivery->created_ticks, 1000);
	assert_int_equal(delivery->started_ticks, 1000);
	assert_int_equal(delivery->injected_ticks, 1000 + dma_in + 240);
	// route made (225), link (1200), assignment (225): a new GAP at once, link (1200)
	assert_int_equal(delivery->head_ticks, delivery->injected_ticks + 225 + 1200 + 225 + 1200);
	assert_int_equal(delivery->hops, 1);
	bed_close(&bed);
}

// RCB_Trace_One_File: data and overhead together gave "21 MB/s" as a mean over worms, "over 2 MB/s
// less" than data alone. With the 71.34 % of overhead worms of that capture this needs overhead
// worms of 28 to 36 B; data worms of 8192 B.
static void data_and_overhead_together_give_21(void **state)
{
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	for (uint32_t overhead_B = 28; overhead_B <= 36; overhead_B += 4) {
		double mean = .7134 * throughput_MBps(&bed, overhead_B) +
			      .2866 * throughput_MBps(&bed, 8192);

		assert_true(fabs(mean - 21) <= .6);
		assert_true(throughput_MBps(&bed, 8192) - mean > 1.8);
	}
	// The overhead's own throughput at 28 B, from the same place.
	assert_true(fabs(throughput_MBps(&bed, 28) - 20.05) < .02);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_switch_gives_the_published_throughputs),
		cmocka_unit_test(a_direct_link_gives_the_published_throughputs),
		cmocka_unit_test(pci_adapters_give_the_published_throughputs),
		cmocka_unit_test(the_sum_is_exact),
		cmocka_unit_test(the_stations_of_a_worm_are_where_the_rules_put_them),
		cmocka_unit_test(software_comes_before_each_transfer),
		cmocka_unit_test(each_switch_costs_the_same),
		cmocka_unit_test(data_and_overhead_together_give_21),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
