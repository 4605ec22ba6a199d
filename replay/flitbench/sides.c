// SPDX-License-Identifier: GPL-3.0-or-later
// The two sides of a run. The timing side gives orders, each of which the other acknowledges before
// it is carried out, so both agree on the test, the size and the number of exchanges, and begin
// together.
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "value/little_endian.h"

#define ORDER_BYTES 32u		  // the last is the mark
#define MAGIC 0x31686362746c66ull // "fltbch1"
#define EXCHANGES_MAX ((uint64_t)1 << 40)
#define SYNC_FIRST 5u // exchanges of the smallest message at the start, and before each point
#define SYNC_POINT 100u

// ---- tests

// One way: messages in one direction, of which the last is answered by one of the same size.
static enum tr_status one_way_time(struct channel *channel, size_t bytes, uint64_t exchanges,
				   struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint64_t i = 1; i < exchanges && status == TR_OK; i++)
		status = channel_send_unmarked(channel, bytes, err);
	if (status == TR_OK)
		status = channel_send(channel, bytes, err);
	return status == TR_OK ? channel_await(channel, bytes, err) : status;
}

static enum tr_status one_way_answer(struct channel *channel, size_t bytes, uint64_t exchanges,
				     struct tr_error *err)
{
	enum tr_status status = TR_OK;

	if (!channel->transport->overwrites)
		for (uint64_t i = 1; i < exchanges && status == TR_OK; i++)
			status = channel_await_unmarked(channel, bytes, err);
	if (status == TR_OK)
		status = channel_await(channel, bytes, err);
	return status == TR_OK ? channel_send(channel, bytes, err) : status;
}

static enum tr_status ping_pong_time(struct channel *channel, size_t bytes, uint64_t exchanges,
				     struct tr_error *err)
{
	for (uint64_t i = 0; i < exchanges; i++)
		if (channel_send(channel, bytes, err) != TR_OK ||
		    channel_await(channel, bytes, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

static enum tr_status ping_pong_answer(struct channel *channel, size_t bytes, uint64_t exchanges,
				       struct tr_error *err)
{
	for (uint64_t i = 0; i < exchanges; i++)
		if (channel_await(channel, bytes, err) != TR_OK ||
		    channel_send(channel, bytes, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// A ping-pong whose answer has come when it is asked for, so that the send and the receive take the
// time of this side only.
static enum tr_status overhead_time(struct channel *channel, size_t bytes, uint64_t exchanges,
				    struct tr_error *err)
{
	channel->send_ns = channel->receive_ns = 0;
	for (uint64_t i = 0; i < exchanges; i++) {
		const int64_t start_ns = channel_now_ns();
		int64_t sent_ns, came_ns;

		if (channel_send(channel, bytes, err) != TR_OK)
			return TR_ERROR;
		sent_ns = channel_now_ns();
		do
			came_ns = channel_now_ns();
		while (came_ns < sent_ns + channel->pause_ns);
		if (channel_await(channel, bytes, err) != TR_OK)
			return TR_ERROR;
		channel->receive_ns += channel_now_ns() - came_ns;
		channel->send_ns += sent_ns - start_ns;
	}
	return TR_OK;
}

const struct bench_test bench_tests[BENCH_TESTS] = {
	[BENCH_ONE_WAY] = {"one-way", 1, one_way_time, one_way_answer},
	[BENCH_PING_PONG] = {"ping-pong", 2, ping_pong_time, ping_pong_answer},
	[BENCH_OVERHEAD] = {"overhead", 2, overhead_time, ping_pong_answer},
};

// ---- orders

enum order_code { ORDER_START = 1, ORDER_RUN, ORDER_END };

struct sides_order {
	uint8_t code;	    // enum order_code
	uint8_t test;	    // enum bench_test_code
	uint64_t bytes;	    // of a message; of a start, of the longest
	uint64_t exchanges; // of a start, MAGIC
};

static enum tr_status send_order(struct channel *channel, const struct sides_order *order,
				 struct tr_error *err)
{
	uint8_t *at = channel->out_end - ORDER_BYTES;

	memset(at, 0, ORDER_BYTES);
	at[0] = order->code;
	at[1] = order->test;
	tr_set_u64(at + 8, order->bytes);
	tr_set_u64(at + 16, order->exchanges);
	return channel_send(channel, ORDER_BYTES, err);
}

static enum tr_status await_order(struct channel *channel, struct sides_order *order,
				  struct tr_error *err)
{
	const uint8_t *at = channel->in_end - ORDER_BYTES;

	if (channel_await(channel, ORDER_BYTES, err) != TR_OK)
		return TR_ERROR;
	*order = (struct sides_order){at[0], at[1], tr_get_u64(at + 8), tr_get_u64(at + 16)};
	return TR_OK;
}

// What an order may ask for.
static enum tr_status check_order(const struct channel *channel, const struct sides_order *order,
				  bool started, struct tr_error *err)
{
	const char *name = channel->transport->name;

	if (!started && (order->code != ORDER_START || order->exchanges != MAGIC))
		return tr_fail(err, "%s: the other side is not a flitbench of this version", name);
	if (started && order->code != ORDER_RUN && order->code != ORDER_END)
		return tr_fail(err, "%s: unknown command %u from the other side", name,
			       order->code);
	if (order->code != ORDER_RUN)
		return TR_OK;
	if (order->test >= BENCH_TESTS)
		return tr_fail(err, "%s: unknown test %u from the other side", name, order->test);
	if (order->bytes < channel->transport->bytes_min || order->bytes > channel->room ||
	    order->exchanges < 1 || order->exchanges > EXCHANGES_MAX)
		return tr_fail(err, "%s: the other side asks for %llu messages of %llu bytes", name,
			       (unsigned long long)order->exchanges,
			       (unsigned long long)order->bytes);
	return TR_OK;
}

// ---- the side that answers

enum tr_status bench_answer(struct channel *channel, struct tr_error *err)
{
	struct sides_order order = {0};
	bool started = false;

	do {
		channel_set_deadline(channel);
		if (await_order(channel, &order, err) != TR_OK ||
		    check_order(channel, &order, started, err) != TR_OK)
			return TR_ERROR;
		if (!started && channel_grow(channel, order.bytes, err) != TR_OK)
			return TR_ERROR;
		started = true;
		if (send_order(channel, &order, err) != TR_OK)
			return TR_ERROR;
		if (order.code != ORDER_RUN)
			continue;
		channel_fill(channel, order.bytes, order.exchanges);
		if (bench_tests[order.test].answer(channel, order.bytes, order.exchanges, err) !=
			    TR_OK ||
		    channel_verify(channel, order.bytes, order.exchanges, err) != TR_OK ||
		    ping_pong_answer(channel, channel->transport->bytes_min, 1, err) != TR_OK)
			return TR_ERROR;
	} while (order.code != ORDER_END);
	return TR_OK;
}

// ---- the side that times

static enum tr_status give_order(struct channel *channel, const struct sides_order *order,
				 struct tr_error *err)
{
	struct sides_order echo;

	channel_set_deadline(channel);
	if (send_order(channel, order, err) != TR_OK || await_order(channel, &echo, err) != TR_OK)
		return TR_ERROR;
	if (echo.code != order->code || echo.test != order->test || echo.bytes != order->bytes ||
	    echo.exchanges != order->exchanges)
		return tr_fail(err, "%s: the other side is not a flitbench of this version",
			       channel->transport->name);
	return TR_OK;
}

static enum tr_status sides_run(struct channel *channel, const struct bench_test *test,
				size_t bytes, struct bench_sample *sample, struct tr_error *err)
{
	const struct sides_order order = {ORDER_RUN, (uint8_t)(test - bench_tests), bytes,
					  sample->exchanges};
	struct timespec start, end;

	if (give_order(channel, &order, err) != TR_OK)
		return TR_ERROR;
	channel_fill(channel, bytes, sample->exchanges);
	(void)clock_gettime(CLOCK_MONOTONIC, &start);
	if (test->time(channel, bytes, sample->exchanges, err) != TR_OK)
		return TR_ERROR;
	(void)clock_gettime(CLOCK_MONOTONIC, &end);
	sample->elapsed_ns = channel_elapsed_ns(start, end);
	if (channel_verify(channel, bytes, sample->exchanges, err) != TR_OK)
		return TR_ERROR;
	// So that the next order does not overwrite a message that the other side still verifies.
	return ping_pong_time(channel, channel->transport->bytes_min, 1, err);
}

static enum tr_status synchronize(struct channel *channel, uint64_t exchanges, struct tr_error *err)
{
	struct bench_sample sample = {.exchanges = exchanges};

	return sides_run(channel, &bench_tests[BENCH_PING_PONG], channel->transport->bytes_min,
			 &sample, err);
}

// Ten times the exchanges that took more than a tenth of the time of a point.
enum tr_status bench_time_point(struct channel *channel, const struct bench_setup *setup,
				size_t bytes, struct bench_sample *sample, struct tr_error *err)
{
	struct bench_sample probe = {.exchanges = 1};

	if (sides_run(channel, setup->test, bytes, &probe, err) != TR_OK)
		return TR_ERROR;
	while (probe.elapsed_ns <= setup->point_ns / 10 && probe.exchanges < EXCHANGES_MAX / 20) {
		probe.exchanges *= 2;
		if (sides_run(channel, setup->test, bytes, &probe, err) != TR_OK)
			return TR_ERROR;
	}
	sample->exchanges = 10 * probe.exchanges;
	if (synchronize(channel, SYNC_POINT, err) != TR_OK)
		return TR_ERROR;
	return sides_run(channel, setup->test, bytes, sample, err);
}

size_t bench_sizes(const struct bench_setup *setup, uint64_t bytes_min, uint64_t *bytes)
{
	size_t count = 0;

	for (uint64_t size = bytes_min; size <= setup->max_bytes; count++) {
		if (count == BENCH_SIZES_MAX)
			return BENCH_SIZES_MAX + 1;
		if (bytes)
			bytes[count] = size;
		if (setup->step_bytes == 0)
			size = size == 0 ? 1 : 2 * size;
		else
			size = (size / setup->step_bytes + 1) * setup->step_bytes;
	}
	return count;
}

enum tr_status bench_begin(struct channel *channel, struct tr_error *err)
{
	const struct sides_order start = {ORDER_START, 0, channel->room, MAGIC};

	return give_order(channel, &start, err) == TR_OK ? synchronize(channel, SYNC_FIRST, err)
							 : TR_ERROR;
}

enum tr_status bench_end(struct channel *channel, struct tr_error *err)
{
	const struct sides_order end = {.code = ORDER_END};

	return give_order(channel, &end, err);
}

enum tr_status bench_time(struct channel *channel, const struct bench_setup *setup,
			  struct bench_results *results,
			  void (*progress)(void *context, size_t repeat), void *context,
			  struct tr_error *err)
{
	const size_t bytes_min = channel->transport->bytes_min,
		     sizes = bench_sizes(setup, bytes_min, NULL);

	if (bench_results_open(results, sizes, setup->repeats, true, err) != TR_OK)
		return TR_ERROR;
	results->test = setup->test->name;
	results->over = channel->transport->name;
	(void)bench_sizes(setup, bytes_min, results->bytes);
	if (bench_begin(channel, err) != TR_OK)
		return TR_ERROR;
	for (size_t repeat = 0; repeat < results->repeats; repeat++) {
		progress(context, repeat);
		for (size_t i = 0; i < sizes; i++) {
			const size_t at = i * results->repeats + repeat;

			if (bench_time_point(channel, setup, results->bytes[i],
					     &results->samples[at], err) != TR_OK)
				return TR_ERROR;
			results->latency_us[at] = bench_latency_us(setup->test,
								   &results->samples[at]);
		}
	}
	return bench_end(channel, err);
}
