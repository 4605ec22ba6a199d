// SPDX-License-Identifier: GPL-3.0-or-later
// Link samples: times counted by hand, and sums that do not depend on the interval.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "replay_bed.h"

static void run(struct bed *bed, int64_t width_ticks, int64_t start_ticks)
{
	bed->sampling = (struct net_sampling){width_ticks, start_ticks};
	if (bed_run(bed, "reference") != TR_OK)
		fail_msg("%s", bed->err.text);
}

struct sums {
	int64_t busy, stop, port, memory;
	uint64_t characters, area, peak;
};

// Over all intervals, of one link.
static struct sums sum(const struct bed *bed, uint32_t link)
{
	struct sums sums = {0};

	for (size_t i = 0; i < bed->sample_count; i++) {
		const struct tr_link *sample = &bed->samples[i];

		if (sample->link != link)
			continue;
		sums.busy += sample->busy_ticks;
		sums.stop += sample->blocked_stop_ticks;
		sums.port += sample->blocked_port_ticks;
		sums.memory += sample->blocked_memory_ticks;
		sums.characters += sample->characters;
		sums.area += sample->occupancy_area;
		if (sample->occupancy_peak > sums.peak)
			sums.peak = sample->occupancy_peak;
	}
	return sums;
}

// Host 0's worm of 100 B: GAP, route, final, data, trailer on its link; all but the route on the
// next.
static void a_lone_worm_is_counted(void **state)
{
	struct sums in, out;
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 1, 100);
	run(&bed, INT64_C(3600000000), 0);
	in = sum(&bed, 0);
	out = sum(&bed, 3);
	assert_int_equal(in.characters, 104);
	assert_int_equal(in.busy, 104 * 225);
	assert_int_equal(in.stop + in.port + in.memory, 0);
	assert_int_equal(out.characters, 103);
	// Final, data and trailer stay in the switch's buffer for the 225 of the path, as does the
	// new GAP; the old one for the 225 in which the route character comes behind it.
	assert_int_equal(in.area, 103 * 225 + 225);
	assert_int_equal(in.peak, 1);
	assert_int_equal(out.area,
			 240); // the GAP waits for the final character, which took a flit time
	assert_int_equal(sum(&bed, 2).characters, 0);
	bed_close(&bed);
}

// Worm 1 waits for worm 0's output from its request to the choice.
static void waiting_for_a_port_is_counted(void **state)
{
	struct bed bed;
	int64_t trailer;

	(void)state;
	bed_open(&bed, "switch:8");
	bed_offer(&bed, 0, 0, 3, 30); // too short to fill a buffer
	bed_offer(&bed, 0, 1, 3, 30);
	run(&bed, INT64_C(3600000000), 0);
	// Both ask in one tick. 0 is chosen then: granted after 225. Its trailer, made 32 x 240
	// after its route character came, crosses in 225 and is held for 3600.
	trailer = 32 * 240 + 225 + 3600;
	assert_int_equal(sum(&bed, 0).port, 0);
	assert_int_equal(sum(&bed, 2).port, trailer);
	assert_int_equal(sum(&bed, 2).stop, 0);
	assert_int_equal(sum(&bed, 2).peak, 33); // with the GAP
	bed_close(&bed);
}

static void sums_do_not_depend_on_the_interval(void **state)
{
	static const int64_t widths[] = {INT64_C(3600000000), 1000003, 36001, 7919};
	static const int64_t starts[] = {0, -5, 123456789, 17};
	struct sums want[16];
	struct bed bed;

	(void)state;
	bed_open(&bed, "switch:8");
	bed.params.adapter.sram_B = 3 * (8192 + 82);
	bed.params.adapter.dma_out_bps = (struct num_ratio){80000000, 1};
	for (uint32_t i = 0; i < 12; i++)
		bed_offer(&bed, 7 + i * 1000, i % 5, 5 + i % 2, 6000 + i);
	for (size_t k = 0; k < 4; k++) {
		run(&bed, widths[k], starts[k]);
		for (size_t i = 0; i < bed.sample_count; i++) {
			const struct tr_link *sample = &bed.samples[i];

			assert_int_equal((sample->start_ticks - starts[k]) % widths[k], 0);
			assert_true(sample->busy_ticks >= 0 && sample->busy_ticks <= widths[k]);
			assert_true(sample->occupancy_peak <= 80);
			assert_int_equal(sample->link, i % 16);
		}
		for (uint32_t link = 0; link < 16; link++) {
			struct sums got = sum(&bed, link);

			if (k == 0)
				want[link] = got;
			assert_memory_equal(&got, &want[link], sizeof(got));
		}
	}
	for (uint32_t link = 1; link < 16; link++) {
		want[0].port += want[link].port;
		want[0].stop += want[link].stop;
		want[0].memory += want[link].memory;
	}
	assert_true(want[0].port > 0 && want[0].stop > 0 && want[0].memory > 0);
	bed_close(&bed);
}

// The record of what happened does not depend on whether anybody looks.
static void looking_changes_nothing(void **state)
{
	struct bed bed;
	int64_t end;

	(void)state;
	bed_open(&bed, "switch:8");
	for (uint32_t i = 0; i < 8; i++)
		bed_offer(&bed, 0, i, (i + 3) % 8, 5000);
	run(&bed, 0, 0);
	assert_int_equal(bed.sample_count, 0);
	end = bed.totals.end_ticks;
	run(&bed, 12345, 0);
	assert_true(bed.sample_count > 0);
	assert_int_equal(bed.totals.end_ticks, end);
	bed_close(&bed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_lone_worm_is_counted),
		cmocka_unit_test(waiting_for_a_port_is_counted),
		cmocka_unit_test(sums_do_not_depend_on_the_interval),
		cmocka_unit_test(looking_changes_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
