// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic of flitbench on recorded timestamps, its sizes, its rule of accuracy, and messages
// between two sides.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "flitbench/bench.h"

static void elapsed_borrows_a_second(void **state)
{
	(void)state;
	assert_int_equal(
		channel_elapsed_ns((struct timespec){3, 999999000}, (struct timespec){5, 1000}),
		1000002000);
	assert_int_equal(channel_elapsed_ns((struct timespec){7, 200}, (struct timespec){7, 900}),
			 700);
	assert_int_equal(
		channel_elapsed_ns((struct timespec){7, 999999999}, (struct timespec){8, 0}), 1);
}

// 1000 exchanges recorded from 12.999 s to 13.019 s: 20 us each way or, as a round trip, 10 us; of
// 1000 bytes 50 and 100 MB/s.
static void latency_of_each_test(void **state)
{
	const struct bench_sample sample = {channel_elapsed_ns((struct timespec){12, 999000000},
							       (struct timespec){13, 19000000}),
					    1000};
	const double one_way = bench_latency_us(&bench_tests[BENCH_ONE_WAY], &sample);
	const double ping_pong = bench_latency_us(&bench_tests[BENCH_PING_PONG], &sample);

	(void)state;
	assert_true(one_way == 20);
	assert_true(ping_pong == 10);
	assert_true(bench_rate_MBps(1000, one_way) == 50);
	assert_true(bench_rate_MBps(1000, ping_pong) == 100);
	assert_true(bench_rate_MBps(0, one_way) == 0);
	assert_true(isnan(bench_rate_MBps(1, 0)));
}

// (max - min) against 5 % and 10 % of the minimum; 12 ms are above the 10000 us at which the
// listings' minimum starts.
static void accuracy_by_the_minimum(void **state)
{
	const double values[] = {12800, 12000, 12400};
	const struct bench_summary at_5 = bench_summarize(values, 3, 0.05),
				   at_10 = bench_summarize(values, 3, 0.10);

	(void)state;
	assert_true(at_5.max == 12800 && at_5.min == 12000 && at_5.mean == 12400);
	assert_true(fabs(at_5.spread - 1.0 / 15) < 1e-15);
	assert_false(at_5.accurate);
	assert_true(at_10.accurate);
	assert_true(bench_summarize(values, 1, 0).accurate);
}

static void check_sizes(uint64_t max_bytes, uint64_t step_bytes, uint64_t bytes_min,
			const uint64_t *expected, size_t count)
{
	const struct bench_setup setup = {.max_bytes = max_bytes, .step_bytes = step_bytes};
	uint64_t bytes[64];

	assert_int_equal(bench_sizes(&setup, bytes_min, NULL), count);
	assert_int_equal(bench_sizes(&setup, bytes_min, bytes), count);
	assert_memory_equal(bytes, expected, count * sizeof(*expected));
}

// Those of the listings have 33 sizes: 1, 2048 .. 65536 and 0, 8192 .. 262144. Resolution 0 gives
// powers of two.
static void sizes_of_the_listings(void **state)
{
	const struct bench_setup scibench = {.max_bytes = 65536, .step_bytes = 2048},
				 most = {.max_bytes = 65536, .step_bytes = 1};
	const struct bench_setup mpibench = {.max_bytes = 262144, .step_bytes = 8192};

	(void)state;
	assert_int_equal(bench_sizes(&scibench, 1, NULL), 33);
	assert_int_equal(bench_sizes(&mpibench, 0, NULL), 33);
	assert_int_equal(bench_sizes(&most, 1, NULL), BENCH_SIZES_MAX);
	assert_true(bench_sizes(&most, 0, NULL) > BENCH_SIZES_MAX);
	check_sizes(200, 64, 1, (const uint64_t[]){1, 64, 128, 192}, 4);
	check_sizes(192, 64, 0, (const uint64_t[]){0, 64, 128, 192}, 4);
	check_sizes(9, 0, 0, (const uint64_t[]){0, 1, 2, 4, 8}, 5);
	check_sizes(8, 0, 1, (const uint64_t[]){1, 2, 4, 8}, 4);
	check_sizes(3, 1, 1, (const uint64_t[]){1, 2, 3}, 3);
	check_sizes(1, 64, 1, (const uint64_t[]){1}, 1);
}

// ---- two sides

static void no_progress(void *context, size_t repeat)
{
	(void)context;
	(void)repeat;
}

static struct channel prepared(const struct transport *transport, int64_t timeout_ns)
{
	struct channel channel = {.transport = transport, .room = 100, .timeout_ns = timeout_ns};
	struct tr_error err;

	assert_int_equal(transport->prepare(&channel, &err), TR_OK);
	channel_set_deadline(&channel);
	return channel;
}

// Sizes of 1 to 100 bytes go both ways, and both sides find the bytes that the other sent
// (channel_verify).
static void check_exchange(const struct transport *transport, enum bench_test_code test)
{
	const struct bench_setup setup = {.test = &bench_tests[test],
					  .max_bytes = 100,
					  .step_bytes = 33,
					  .repeats = 2,
					  .point_ns = 1000};
	struct channel channel = prepared(transport, 20000000000);
	struct bench_results results = {0};
	struct tr_error err = {""};
	const pid_t child = fork();
	int how;

	if (child == 0) {
		const bool well = transport->join(&channel, CHANNEL_ANSWERS, &err) == TR_OK &&
				  bench_answer(&channel, &err) == TR_OK;

		_exit(well ? 0 : 1);
	}
	assert_true(child > 0);
	assert_int_equal(transport->join(&channel, CHANNEL_TIMES, &err), TR_OK);
	assert_int_equal(bench_time(&channel, &setup, &results, no_progress, NULL, &err), TR_OK);
	assert_int_equal(waitpid(child, &how, 0), child);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
	assert_int_equal(results.sizes, 4);
	for (size_t i = 0; i < 8; i++) {
		assert_true(results.samples[i].exchanges >= 10 &&
			    results.samples[i].elapsed_ns > 0);
		assert_true(results.latency_us[i] ==
			    bench_latency_us(&bench_tests[test], &results.samples[i]));
	}
	bench_results_clear(&results);
	channel_close(&channel);
}

static void exchanges_arrive(void **state)
{
	(void)state;
	for (int test = 0; test < BENCH_TESTS; test++) {
		check_exchange(&transport_shm, (enum bench_test_code)test);
		check_exchange(&transport_tcp, (enum bench_test_code)test);
	}
}

// Waiting ends, at the deadline or when the partner has gone.
static void waiting_is_bounded(void **state)
{
	struct channel channel = prepared(&transport_shm, 50000000);
	struct tr_error err;
	pid_t child;

	(void)state;
	assert_int_equal(transport_shm.join(&channel, CHANNEL_TIMES, &err), TR_OK);
	assert_int_equal(channel_await(&channel, 1, &err), TR_ERROR);
	assert_string_equal(err.text, "shm: no answer within 0.05 s (--timeout)");
	child = fork();
	if (child == 0)
		_exit(1);
	channel.partner = child;
	channel.timeout_ns = 60000000000;
	channel_set_deadline(&channel);
	assert_int_equal(channel_await(&channel, 1, &err), TR_ERROR);
	assert_string_equal(err.text, "shm: the answering process has ended");
	assert_int_equal(waitpid(child, NULL, 0), child);
	channel_close(&channel);
}

// A changed byte is found, and messages longer than agreed are refused.
static void damage_is_found(void **state)
{
	struct channel channel = {.transport = &transport_tcp, .room = 64};
	struct tr_error err;

	(void)state;
	assert_int_equal(channel_own_buffers(&channel, &err), TR_OK);
	channel_fill(&channel, 64, 9);
	memcpy(channel.in_end - 64, channel.out_end - 64, 64);
	assert_int_equal(channel_verify(&channel, 64, 9, &err), TR_OK);
	assert_int_equal(channel_verify(&channel, 64, 10, &err), TR_ERROR);
	channel.in_end[-64] ^= 1;
	assert_int_equal(channel_verify(&channel, 64, 9, &err), TR_ERROR);
	assert_non_null(strstr(err.text, "byte 0 of a message of 64 bytes"));
	assert_int_equal(channel_grow(&channel, CHANNEL_BYTES_MAX + 1, &err), TR_ERROR);
	assert_int_equal(channel_grow(&channel, 1000, &err), TR_OK);
	assert_int_equal(channel.room, 1000);
	channel_close(&channel);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(elapsed_borrows_a_second), cmocka_unit_test(latency_of_each_test),
		cmocka_unit_test(accuracy_by_the_minimum),  cmocka_unit_test(sizes_of_the_listings),
		cmocka_unit_test(exchanges_arrive),	    cmocka_unit_test(waiting_is_bounded),
		cmocka_unit_test(damage_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
