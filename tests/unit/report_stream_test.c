// SPDX-License-Identifier: GPL-3.0-or-later
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "report/carried.h"
#include "report/drawing.h"
#include "report/stream.h"
#include "value/random.h"

#define PACKETS 20000

static const struct burst_gap_rule usual = {.by = BURST_GAP_FOUND};

static const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000, .origin_s = 17};

// Packets with exponential gaps of a mean of 300 us.
static struct tr_packet *poisson(size_t count)
{
	struct tr_packet *packets = calloc(count, sizeof(*packets));
	struct tr_random random;
	int64_t time_ticks = 123;

	tr_random_open(&random, 1, "poisson");
	for (size_t i = 0; i < count; i++) {
		packets[i] = (struct tr_packet){.time_ticks = time_ticks,
						.src = (uint32_t)i % 3,
						.dst = (uint32_t)(i + 1) % 3,
						.payload_bytes = (uint32_t)(i % 100),
						.class = (uint8_t)(i % 3)};
		time_ticks += (int64_t)(-300 * log(tr_random_unit(&random)));
	}
	return packets;
}

static struct stream *gather(const struct tr_packet *packets, size_t count)
{
	struct stream *stream;
	struct tr_error err;

	assert_int_equal(stream_open(&stream, "x", &header, &usual, &err), TR_OK);
	// In two parts: the place of the cut must not matter.
	assert_int_equal(stream_add(stream, packets, sizeof(*packets), count / 3, &err), TR_OK);
	assert_int_equal(
		stream_add(stream, packets + count / 3, sizeof(*packets), count - count / 3, &err),
		TR_OK);
	assert_int_equal(stream_finish(stream, NULL, 0.95, &err), TR_OK);
	return stream;
}

// Counts in [from, from + width) ticks since the epoch's raster of bins.
static double plain_count(const struct tr_packet *packets, size_t count, int64_t bin,
			  int64_t width_ticks)
{
	double found = 0;

	for (size_t i = 0; i < count; i++) {
		__int128 epoch = (__int128)header.origin_s * 1000000 + packets[i].time_ticks;

		found += epoch / width_ticks == bin;
	}
	return found;
}

static void series_are_counts_per_bin(void **state)
{
	struct tr_packet *packets = poisson(PACKETS);
	struct stream *stream = gather(packets, PACKETS);
	double width_s, sum = 0;
	size_t n;
	const double *series = counts_series(&stream->counts, &n, &width_s);

	(void)state;
	assert_non_null(series);
	// 6 s: the bins of 10 ms are too few, those of 1 ms are enough.
	assert_true(width_s == 1e-3 && n > 5000 && n < 7000);
	for (size_t i = 0; i < n; i++)
		sum += series[i];
	for (size_t i = 0; i < n; i += 501)
		assert_true(series[i] ==
			    plain_count(packets, PACKETS, 17000 + 1 + (int64_t)i, 1000));
	assert_true(sum < PACKETS && sum > PACKETS - 30); // all but the bins at the ends
	stream_close(stream);
	free(packets);
}

// Poisson traffic: H is 1/2 by every method, within its interval.
static void poisson_is_not_self_similar(void **state)
{
	struct tr_packet *packets = poisson(PACKETS);
	struct stream *stream = gather(packets, PACKETS);

	(void)state;
	assert_true(fabs(stream->hurst.slope.slope + 1) < 0.1);
	assert_true(stream->hurst.slope.lo < -1 && stream->hurst.slope.hi > -1);
	assert_true(stream->hurst.count >= 2);
	for (size_t i = 0; i < stream->hurst.count; i++)
		assert_true(fabs(hurst_best(&stream->hurst.estimates[i].estimate) - 0.5) < 0.15);
	stream_close(stream);
	free(packets);
}

static void sums_are_those_of_the_packets(void **state)
{
	struct tr_packet *packets = poisson(PACKETS);
	struct stream *stream = gather(packets, PACKETS);
	int64_t bytes = 0;

	(void)state;
	for (size_t i = 0; i < PACKETS; i++)
		bytes += packets[i].payload_bytes;
	assert_int_equal(stream_packets(stream), PACKETS);
	assert_true(stream->size_bytes[STREAM_ALL].sum == bytes);
	assert_int_equal(stream->size_bytes[TR_CLASS_DATA].n, PACKETS / 3 + 1);
	assert_int_equal(stream->gap_ticks.n, PACKETS - 1);
	assert_true(stream->gap_ticks.sum ==
		    packets[PACKETS - 1].time_ticks - packets[0].time_ticks);
	assert_true(fabs(stream_duration(stream) - (double)stream->gap_ticks.sum / 1e6) < 1e-9);
	stream_close(stream);
	free(packets);
}

// One sender more than are kept: it is counted as "other", and nothing is lost.
static void senders_beyond_the_bound_are_others(void **state)
{
	struct stream *stream;
	struct tr_error err;

	(void)state;
	assert_int_equal(stream_open(&stream, "x", &header, &usual, &err), TR_OK);
	for (uint32_t i = 0; i < STREAM_SENDERS + 5; i++) {
		struct tr_packet packet = {
			.time_ticks = i, .src = i, .dst = 0, .class = TR_CLASS_DATA};

		assert_int_equal(stream_add(stream, &packet, sizeof(packet), 1, &err), TR_OK);
	}
	assert_int_equal(stream_finish(stream, NULL, 0.95, &err), TR_OK);
	assert_int_equal(stream_packets(stream), STREAM_SENDERS + 5);
	assert_int_equal(stream->traffic.senders_unknown, 5);
	assert_int_equal(matrix_find(&stream->traffic.matrix, TR_NODE_OTHER, 0)->packets, 5);
	stream_close(stream);
}

// A tick of 3 / s holds none of the widths: nothing is counted, and all else is.
static void coarse_ticks_have_no_counts(void **state)
{
	const struct tr_header coarse = {.kind = TR_PACKET, .ticks_per_s = 3};
	const struct tr_packet packets[2] = {{.time_ticks = 0}, {.time_ticks = 30}};
	struct stream *stream;
	struct tr_error err;

	(void)state;
	assert_int_equal(stream_open(&stream, "x", &coarse, &usual, &err), TR_OK);
	assert_int_equal(stream_add(stream, packets, sizeof(*packets), 2, &err), TR_OK);
	assert_int_equal(stream_finish(stream, NULL, 0.95, &err), TR_OK);
	assert_false(stream->counts.open);
	assert_true(isnan(stream->hurst.slope.slope));
	assert_true(stream_duration(stream) == 10);
	stream_close(stream);
}

static struct tr_delivery delivery(int64_t at, uint8_t status, uint8_t reason)
{
	return (struct tr_delivery){.packet = {.time_ticks = at,
					       .payload_bytes = 1000,
					       .src = 1,
					       .dst = 2,
					       .class = TR_CLASS_DATA},
				    .created_ticks = at - 100,
				    .started_ticks = at - 80,
				    .injected_ticks = at - 50,
				    .head_ticks = at - 45,
				    .status = status,
				    .reason = reason};
}

// By hand: 1000 B in 80 us are 12.5 MB/s; latency is 100 us; stages 20, 30, 5 and 45 us.
static void deliveries_by_hand(void **state)
{
	const struct tr_delivery list[] = {
		delivery(1000, TR_DELIVERED, 0), delivery(2000, TR_DELIVERED, 0),
		delivery(3000, TR_DROPPED, TR_DROP_QUEUE), delivery(4000, TR_IN_FLIGHT, 0)};
	static const double stages[] = {20, 30, 5, 45};
	const struct carried_class *data;
	struct carried *carried;
	struct tr_error err;

	(void)state;
	assert_int_equal(carried_open(&carried, "x", &header, &err), TR_OK);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(carried_add(carried, &list[i], &err), TR_OK);
	data = &carried->classes[TR_CLASS_DATA];
	assert_int_equal(carried_delivered(carried), 2);
	assert_int_equal(carried_dropped(carried), 1);
	assert_int_equal(carried->dropped[TR_DROP_QUEUE], 1);
	assert_int_equal(carried->in_flight, 1);
	assert_true(batches_mean(&data->latency_ticks) == 100);
	assert_true(batches_mean(&data->speed_mBps) == 12.5e9);
	for (size_t i = 0; i < CARRIED_STAGES; i++)
		assert_true(moments_mean(&data->stage_ticks[i]) == stages[i]);
	assert_int_equal(matrix_find(&carried->pairs, 1, 2)->size_bytes, 2000);
	assert_int_equal(matrix_find(&carried->waits, 1, 2)->size_bytes, 200);
	assert_int_equal(matrix_find(&carried->losses, 1, 2)->packets, 1);
	carried_close(carried);
	carried_close(NULL);
}

static void pairs_and_nodes_by_size(void **state)
{
	struct matrix matrix = {.max_pairs = 0};
	const struct matrix_cell *pairs[3];
	uint32_t nodes[NODES_SHOWN];
	struct tr_error err;
	size_t all;

	(void)state;
	for (uint32_t i = 0; i < 100; i++) {
		assert_int_equal(matrix_reserve(&matrix, &err), TR_OK);
		matrix_add(&matrix, i, i + 1, 1, i % 50);
	}
	assert_int_equal(pairs_choose(&matrix, pairs, 3), 3);
	assert_true(pairs[0]->src == 49 && pairs[1]->src == 99 && pairs[2]->src == 48);
	assert_int_equal(nodes_choose(&matrix, nodes, &all), NODES_SHOWN);
	assert_int_equal(all, 101);
	for (size_t i = 1; i < NODES_SHOWN; i++)
		assert_true(nodes[i] > nodes[i - 1]);
	// Node i moves 2 (i mod 50) - 1 bytes: the largest are 26 to 49 and 76 to 99.
	assert_int_equal(nodes[0], 26);
	assert_int_equal(nodes[23], 49);
	assert_int_equal(nodes[24], 76);
	assert_int_equal(nodes[NODES_SHOWN - 1], 99);
	matrix_clear(&matrix);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(series_are_counts_per_bin),
		cmocka_unit_test(poisson_is_not_self_similar),
		cmocka_unit_test(sums_are_those_of_the_packets),
		cmocka_unit_test(senders_beyond_the_bound_are_others),
		cmocka_unit_test(coarse_ticks_have_no_counts),
		cmocka_unit_test(deliveries_by_hand),
		cmocka_unit_test(pairs_and_nodes_by_size),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
