// SPDX-License-Identifier: GPL-3.0-or-later
// Packets in memory: order, bounds, who is numbered how, halves; and the pulse train's likelihood against Poisson's.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "gen/fit/family.h"
#include "model_run.h"

static struct tr_packet packet(int64_t ticks, uint32_t src, uint32_t dst, uint32_t payload)
{
	return (struct tr_packet){.time_ticks = ticks, .src = src, .dst = dst, .payload_bytes = payload,
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
	assert_non_null(strstr(err.text, "steps back"));
	add(&sample, 9, 0, 100);
	assert_int_equal(packet_sample_add(&sample, &later, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "flitcut"));
	assert_int_equal(sample.count, 2);
	packet_sample_clear(&sample);
}

static void controllers_come_first_and_the_silent_are_no_nodes(void **state)
{
	const enum tr_role roles[] = {TR_ROLE_WORKER, TR_ROLE_WORKER, TR_ROLE_CONTROLLER, TR_ROLE_WORKER};
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
	static const char text[] = "flitline-model 1\nfamily pulse-train\nnodes 2\nmtu 1500 B\n[worker data]\nsilence 0.000001 s\n"
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
	assert_int_equal(pulse_family.log_likelihood(&pulse_family, &model, &sample, &options, &got, &err), TR_OK);
	assert_true(fabs(got - (100 * log(1e-3) - 2e-3 * (double)sample.end_ticks)) < 1e-6);
	model_clear(&model);
	packet_sample_clear(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_rise_and_numbers_are_bounded),
		cmocka_unit_test(controllers_come_first_and_the_silent_are_no_nodes),
		cmocka_unit_test(halves_share_no_packet),
		cmocka_unit_test(single_pulses_are_poisson),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
