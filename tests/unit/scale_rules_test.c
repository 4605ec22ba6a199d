// SPDX-License-Identifier: GPL-3.0-or-later
// Scaling by an algorithm's formulas and by regression.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "gen/scale_rules.h"
#include "stat/intervals/workload.h"

// What all nodes send is what equations 3.4 and 3.5 say.
static void volumes_are_the_equations(void **state)
{
	static const char *const works[] = {"rc:256", "vr:256", "rc:1024", "vr:1024"};

	(void)state;
	for (size_t w = 0; w < 4; w++)
		for (uint32_t nodes = 2; nodes <= 256; nodes *= 2) {
			struct fft_volume controller, worker;
			struct fft_workload work;
			struct tr_error err = {""};
			uint64_t total;

			assert_int_equal(fft_workload_get(works[w], &work, &err), TR_OK);
			assert_int_equal(
				fft_volume_of(&work, PULSE_CONTROLLER, nodes, &controller, &err),
				TR_OK);
			assert_int_equal(fft_volume_of(&work, PULSE_WORKER, nodes, &worker, &err),
					 TR_OK);
			assert_int_equal(workload_bytes(works[w], nodes, &total, &err), TR_OK);
			assert_true(fft_volume_bytes(&controller) +
					    (nodes - 1) * fft_volume_bytes(&worker) ==
				    (double)total);
		}
}

// Of 4 nodes in rc:256, chunks are 131,072 B and blocks 32,768 B: with packets of 8 KiB a worker
// sends 16 + 3 x 4 packets.
static void packets_are_counted_by_message(void **state)
{
	struct fft_workload work;
	struct fft_volume worker;
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(fft_workload_get("rc:256", &work, &err), TR_OK);
	assert_int_equal(fft_volume_of(&work, PULSE_WORKER, 4, &worker, &err), TR_OK);
	assert_true(fft_volume_packets(&worker, 8192) == 28);
	assert_true(fft_volume_packets(&worker, 8000) == 17 + 3 * 5);
	assert_int_equal(fft_volume_of(&work, PULSE_WORKER, 3, &worker, &err), TR_ERROR);
	assert_int_equal(fft_volume_of(&work, PULSE_WORKER, 512, &worker, &err), TR_ERROR);
	assert_int_equal(fft_workload_get("xx:256", &work, &err), TR_ERROR);
}

static struct pulse_model train(uint64_t nodes, double pulses, double silence_s)
{
	struct pulse_model model = {.nodes = nodes, .duration_s = 1, .mtu_B = 8192};
	struct pulse_part part = pulse_part_default(PULSE_DATA);

	part.present = true;
	part.pulses = pulses;
	part.silence_s = silence_s;
	part.inter_pulse_s = 0.01;
	part.size_mean_B = 8000;
	part.size_variance_B2 = 0;
	model.part[PULSE_WORKER][PULSE_DATA] = part;
	return model;
}

// From 4 to 16 nodes of rc:256 a worker's packets go from 28 to 4 + 15 x 1 = 19, of 2 phases at
// both.
static void pulses_follow_the_packets(void **state)
{
	const struct pulse_model at_4 = train(4, 14, 1);
	const struct pulse_part *part;
	struct fft_workload work;
	struct pulse_model out;
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(fft_workload_get("rc:256", &work, &err), TR_OK);
	assert_int_equal(scale_by_formula(&at_4, &work, 16, &out, &err), TR_OK);
	part = &out.part[PULSE_WORKER][PULSE_DATA];
	assert_int_equal(out.nodes, 16);
	assert_true(fabs(part->pulses - 14.0 * 19 / 28) < 1e-8);
	assert_true(part->silence_s == 1);
	// 4 packets of 8 KiB, and 15 of 8 x 16 x 16 = 2,048 B.
	assert_int_equal(part->bin_count, 2);
	assert_int_equal(part->bins[0].low_B, 8192);
	assert_int_equal(part->bins[0].count, 4);
	assert_int_equal(part->bins[1].low_B, 2048);
	assert_int_equal(part->bins[1].count, 15);
	pulse_model_clear(&out);
	assert_int_equal(scale_by_formula(&at_4, &work, 4, &out, &err), TR_OK);
	assert_true(out.part[PULSE_WORKER][PULSE_DATA].pulses == 14);
	pulse_model_clear(&out);
}

static void exact_powers_come_back(void **state)
{
	const struct pulse_model models[] = {train(2, 40, 1), train(4, 20, 2), train(8, 10, 4)};
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES] = {0};
	struct pulse_model out;
	struct tr_error err = {""};

	(void)state;
	assert_int_equal(scale_by_regression(models, 3, 16, 0.99, &out, notes, &err), TR_OK);
	assert_true(fabs(out.part[PULSE_WORKER][PULSE_DATA].pulses - 5) < 1e-8);
	assert_true(fabs(out.part[PULSE_WORKER][PULSE_DATA].silence_s - 8) < 1e-8);
	assert_true(out.part[PULSE_WORKER][PULSE_DATA].size_variance_B2 == 0);
	assert_non_null(strstr(notes[PULSE_WORKER][PULSE_DATA].statistic[PULSE_PULSES],
			       "nodes^-1, from 3 models; within a factor of 1 at 99 %"));
	pulse_model_clear(&out);
	assert_int_equal(scale_by_regression(models, 1, 16, 0.99, &out, notes, &err), TR_ERROR);
}

// Three points at ln n = 0, 1, 2 (times ln 2) with residues 1, -2, 1 (times a): s^2 = 6 a^2/1, and
// at the mean of x the half-width is t s sqrt(4/3).
static void intervals_are_students(void **state)
{
	const double nodes[] = {1, 2, 4}, a = 0.01, values[] = {exp(a), exp(-2 * a), exp(a)};
	struct scale_prediction got = scale_predict(nodes, values, 3, 2, 0.95);

	(void)state;
	assert_true(fabs(got.value - 1) < 1e-12 && fabs(got.power) < 1e-12);
	assert_true(fabs(log(got.high) - 12.7062047 * a * sqrt(6) * sqrt(4.0 / 3)) < 1e-8);
	assert_true(fabs(log(got.low) + log(got.high)) < 1e-12);
	assert_true(isnan(scale_predict(nodes, values, 2, 2, 0.95).low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(volumes_are_the_equations),
		cmocka_unit_test(packets_are_counted_by_message),
		cmocka_unit_test(pulses_follow_the_packets),
		cmocka_unit_test(exact_powers_come_back),
		cmocka_unit_test(intervals_are_students),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
