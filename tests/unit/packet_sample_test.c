// SPDX-License-Identifier: GPL-3.0-or-later
// Packets in memory: order, bounds, node numbering, halves; and the pulse train's likelihood
// compared with Poisson's; predictions of runs.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gen/families/family.h"
#include "gen/fit/counted_sample.h"
#include "gen/fit/doubt.h"
#include "model_run.h"

static struct tr_packet packet(int64_t ticks, uint32_t src, uint32_t dst, uint32_t payload)
{
	return (struct tr_packet){.time_ticks = ticks,
				  .src = src,
				  .dst = dst,
				  .payload_bytes = payload,
				  .wire_bytes = payload + 58};
}

static void add(struct packet_sample *sample, int64_t ticks, uint32_t src, uint32_t payload)
{
	struct tr_packet one = packet(ticks, src, 1 - src % 2, payload);
	struct tr_error err = {""};

	assert_int_equal(packet_sample_add(sample, &one, &err), TR_OK);
}

static void times_rise_and_numbers_are_bounded(void **state)
{
	struct packet_sample sample = {.most = 2, .ticks_per_s = 1e9};
	struct tr_packet earlier = packet(4, 0, 1, 100), later = packet(9, 0, 1, 100);
	struct tr_error err = {""};

	(void)state;
	add(&sample, 5, 0, 100);
	assert_int_equal(packet_sample_add(&sample, &earlier, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "goes back"));
	add(&sample, 9, 0, 100);
	assert_int_equal(packet_sample_add(&sample, &later, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "flitcut"));
	assert_int_equal(sample.count, 2);
	packet_sample_clear(&sample);
}

static void controllers_come_first_and_the_silent_are_no_nodes(void **state)
{
	const enum tr_role roles[] = {TR_ROLE_WORKER, TR_ROLE_WORKER, TR_ROLE_CONTROLLER,
				      TR_ROLE_WORKER};
	struct packet_sample sample = {.ticks_per_s = 1e9};
	struct tr_error err = {""};

	(void)state;
	add(&sample, 1, 0, 86);
	add(&sample, 2, 2, 87);
	add(&sample, 3, 3, 0);
	assert_int_equal(packet_sample_settle(&sample, roles, 4, &err), TR_OK);
	assert_int_equal(sample.people.senders, 3);
	assert_int_equal(sample.people.controllers, 1);
	assert_int_equal(sample.people.number[2], 0);
	assert_int_equal(sample.people.number[0], 1);
	assert_int_equal(sample.people.number[3], 2);
	assert_true(sample.people.number[1] == UINT32_MAX);
	assert_int_equal(sample.class[0], TR_CLASS_OVERHEAD);
	assert_int_equal(sample.class[1], TR_CLASS_DATA);
	assert_int_equal(sample.unclassed, 3);
	packet_sample_clear(&sample);
}

static void halves_share_no_packet(void **state)
{
	struct packet_sample sample = {.ticks_per_s = 1e9}, first, second;
	int64_t middle;

	(void)state;
	for (int i = 0; i < 10000; i++)
		add(&sample, i / 3, (uint32_t)i % 2, 100);
	middle = packet_sample_middle(&sample);
	first = packet_sample_part(&sample, sample.begin_ticks, middle);
	second = packet_sample_part(&sample, middle, sample.end_ticks);
	assert_int_equal(first.count + second.count, 10000);
	assert_true(first.ticks[first.count - 1] < middle);
	assert_int_equal(second.ticks[0], middle);
	assert_int_equal(first.end_ticks, second.begin_ticks);
	packet_sample_clear(&sample);
}

// A train of single packets is a Poisson process: n ln r - r T for each source, with r per tick.
static void single_pulses_are_poisson(void **state)
{
	static const char text[] =
		"flitline-model 1\nfamily pulse-train\nnodes 2\nmtu 1500 B\n[worker data]\nsilence "
		"0.000001 s\n"
		"pulses 1\ninter-pulse 0 s\nsize-mean 1000 B\nsize-variance 0 B^2\n";
	const enum tr_role roles[] = {TR_ROLE_WORKER, TR_ROLE_WORKER};
	struct packet_sample sample = {.ticks_per_s = 1e9};
	struct fit_options options = {.by = FIT_BY_ROLE};
	struct model model = {.name = NULL};
	struct tr_error err = {""};
	double got;

	(void)state;
	for (int i = 0; i < 100; i++)
		add(&sample, 17 * i * i + 5, (uint32_t)i % 2, 1000);
	sample.begin_ticks = 0;
	assert_int_equal(packet_sample_settle(&sample, roles, 2, &err), TR_OK);
	model_of_text(&model, text);
	assert_int_equal(pulse_train_family.fit->log_likelihood(&pulse_train_family, &model,
								&sample, &options, &got, &err),
			 TR_OK);
	assert_true(fabs(got - (100 * log(1e-3) - 2e-3 * (double)sample.end_ticks)) < 1e-6);
	model_clear(&model);
	packet_sample_clear(&sample);
}

// Packets of bins stand in them, rising, with the bytes of the bin.
static void counts_become_packets(void **state)
{
	const struct tr_series bins[] = {
		{.start_ticks = 100, .width_ticks = 50, .count = 7, .size_bytes = 1003},
		{.start_ticks = 150, .width_ticks = 50},
		{.start_ticks = 200, .width_ticks = 50, .count = 2, .size_bytes = 80}};
	const struct tr_series wider = {.start_ticks = 250, .width_ticks = 60, .count = 1};
	struct packet_sample sample = {.ticks_per_s = 1e3};
	struct tr_random random;
	struct tr_error err;
	uint64_t bytes = 0;

	(void)state;
	tr_random_open(&random, 1, "counts");
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(counted_sample_add(&sample, &bins[i], &random, &err), TR_OK);
	assert_int_equal(sample.count, 9);
	assert_int_equal(sample.begin_ticks, 100);
	assert_int_equal(sample.end_ticks, 250);
	for (size_t i = 0; i < 9; i++) {
		assert_in_range(sample.ticks[i], i < 7 ? 100 : 200, i < 7 ? 149 : 249);
		assert_int_equal(sample.src[i] + sample.dst[i], 1);
		bytes += i < 7 ? sample.payload_B[i] : 0;
	}
	assert_int_equal(bytes, 1003);
	assert_int_equal(sample.wire_B[8], 40);
	assert_int_equal(counted_sample_add(&sample, &wider, &random, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "several widths"));
	assert_int_equal(counted_sample_add(&sample, &bins[2], &random, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "overlap"));
	packet_sample_clear(&sample);
}

// What is blurred keeps the packets and bytes of each bin and nothing else: places in a bin are
// uniform, whatever they were.
static void blurring_keeps_bins_alone(void **state)
{
	struct packet_sample sample = {.ticks_per_s = 1e9};
	double sum = 0, squares = 0;
	size_t n = 0;

	(void)state;
	for (int64_t bin = 0; bin < 2000; bin++)
		for (int64_t i = 0; i <= bin % 5; i++, n++)
			add(&sample, bin * 1000 + i, 0, (uint32_t)(100 + i));
	sample.begin_ticks = 0;
	counted_sample_blur(&sample, 1000, 1);
	for (size_t i = 0, bin = 0; i < n; i += bin % 5 + 1, bin++) {
		uint64_t bytes = 0;

		for (size_t k = i; k <= i + bin % 5; k++) {
			const double share = ((double)sample.ticks[k] - 1000.0 * (double)bin) /
					     1000;

			assert_int_equal(sample.ticks[k] / 1000, bin);
			assert_true(k == i || sample.ticks[k] >= sample.ticks[k - 1]);
			bytes += sample.payload_B[k];
			sum += share;
			squares += share * share;
		}
		assert_int_equal(bytes, 100 * (bin % 5 + 1) + bin % 5 * (bin % 5 + 1) / 2);
	}
	// Of 6000 uniform shares the mean deviates by .0037, the mean square by .0038.
	assert_true(fabs(sum / (double)n - 0.5) < 0.015 &&
		    fabs(squares / (double)n - 1.0 / 3) < 0.016);
	packet_sample_clear(&sample);
}

// A node that alone sends is the controller, and the one that it sends to a worker.
static void a_lone_sender_has_a_silent_node_beside_it(void **state)
{
	const enum tr_role roles[] = {TR_ROLE_UNKNOWN, TR_ROLE_UNKNOWN, TR_ROLE_UNKNOWN};
	struct packet_sample sample = {.ticks_per_s = 1e9};
	struct tr_error err = {""};

	(void)state;
	add(&sample, 1, 2, 100);
	assert_int_equal(packet_sample_settle(&sample, roles, 3, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "a single packet"));
	packet_sample_clear(&sample);
	sample = (struct packet_sample){.ticks_per_s = 1e9};
	add(&sample, 1, 2, 100);
	add(&sample, 5, 2, 100);
	assert_int_equal(packet_sample_settle(&sample, roles, 3, &err), TR_OK);
	assert_true(sample.people.lone && sample.people.senders == 2 &&
		    sample.people.controllers == 1);
	assert_int_equal(sample.people.number[2], 0);
	assert_int_equal(sample.people.number[1], 1);
	assert_true(sample.people.number[0] == UINT32_MAX);
	packet_sample_clear(&sample);
}

// A text may say nothing of the wire: it carries the payload at least.
static void the_wire_carries_the_payload(void **state)
{
	const struct tr_packet said = {.payload_bytes = 100, .wire_bytes = 158},
			       silent = {.payload_bytes = 100};
	struct packet_sample sample = {.ticks_per_s = 1e9};
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(packet_sample_add(&sample, &said, &err), TR_OK);
	assert_int_equal(packet_sample_add(&sample, &silent, &err), TR_OK);
	assert_int_equal(sample.wire_B[0], 158);
	assert_int_equal(sample.wire_B[1], 100);
	packet_sample_clear(&sample);
}

static void equal_runs_predict_what_they_are(void **state)
{
	double runs[20];

	(void)state;
	for (unsigned r = 0; r < 20; r++)
		runs[r] = 17268;
	for (unsigned count = 1; count <= 20; count++) {
		const struct fit_prediction made = fit_predict(runs, count, 1);

		assert_true(made.low == 17268 && made.mean == 17268 && made.high == 17268);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_rise_and_numbers_are_bounded),
		cmocka_unit_test(counts_become_packets),
		cmocka_unit_test(blurring_keeps_bins_alone),
		cmocka_unit_test(a_lone_sender_has_a_silent_node_beside_it),
		cmocka_unit_test(the_wire_carries_the_payload),
		cmocka_unit_test(controllers_come_first_and_the_silent_are_no_nodes),
		cmocka_unit_test(halves_share_no_packet),
		cmocka_unit_test(single_pulses_are_poisson),
		cmocka_unit_test(equal_runs_predict_what_they_are),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
