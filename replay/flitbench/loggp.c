// SPDX-License-Identifier: GPL-3.0-or-later
// D. Culler and others: LogP, Towards a realistic model of parallel computation, PPoPP 1993. A. Alexandrov and others: LogGP,
// Incorporating long messages into the LogP model, SPAA 1995. T. Kielmann, H. Bal, K. Verstoep: Fast measurement of LogP
// parameters for message passing platforms, IPDPS workshops 2000: the time of a send is that of the call, the time of a receive
// that of the call when the message has already come.
#include <math.h>

#include "bench.h"

#define PAUSE_TRIPS 6 // trips of a message that are waited before it is received: three ping-pongs
#define PAUSE_NS_MIN 20000
#define DIGITS 6

static double least(double a, double b)
{
	return a < b ? a : b;
}

// One repeat of one size.
static enum tr_status time_size(struct channel *channel, struct bench_setup setup, struct loggp_size *size, struct tr_error *err)
{
	static const enum bench_test_code order[] = {BENCH_PING_PONG, BENCH_OVERHEAD, BENCH_ONE_WAY};
	struct bench_sample sample;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		double time_us;

		setup.test = &bench_tests[order[i]];
		if (bench_time_point(channel, &setup, size->bytes, &sample, err) != TR_OK)
			return TR_ERROR;
		time_us = bench_latency_us(setup.test, &sample);
		if (order[i] == BENCH_PING_PONG) {
			size->trip_us = least(size->trip_us, time_us);
			channel->pause_ns = (int64_t)(1000 * PAUSE_TRIPS * time_us);
			if (channel->pause_ns < PAUSE_NS_MIN)
				channel->pause_ns = PAUSE_NS_MIN;
		} else if (order[i] == BENCH_ONE_WAY) {
			size->gap_us = least(size->gap_us, time_us);
		} else {
			size->send_us = least(size->send_us, (double)channel->send_ns / (double)sample.exchanges / 1e3);
			size->receive_us = least(size->receive_us, (double)channel->receive_ns / (double)sample.exchanges / 1e3);
		}
	}
	return TR_OK;
}

// The slope in nanoseconds a byte of a line through (bytes, microseconds), or 0.
static double slope_ns(const struct loggp *loggp, double (*value)(const struct loggp_size *size))
{
	double x = 0, y = 0, xx = 0, xy = 0;
	const double n = (double)loggp->sizes;

	for (size_t i = 0; i < loggp->sizes; i++) {
		x += (double)loggp->list[i].bytes / n;
		y += value(&loggp->list[i]) / n;
	}
	for (size_t i = 0; i < loggp->sizes; i++) {
		const double dx = (double)loggp->list[i].bytes - x;

		xx += dx * dx;
		xy += dx * (value(&loggp->list[i]) - y);
	}
	return xx > 0 && xy > 0 ? 1000 * xy / xx : 0;
}

static double overhead_of(const struct loggp_size *size)
{
	return (size->send_us + size->receive_us) / 2;
}

static double gap_of(const struct loggp_size *size)
{
	return size->gap_us;
}

enum tr_status bench_loggp(struct channel *channel, const struct bench_setup *setup, struct loggp *loggp, struct tr_error *err)
{
	for (size_t i = 0; i < loggp->sizes; i++)
		loggp->list[i] = (struct loggp_size){loggp->list[i].bytes, INFINITY, INFINITY, INFINITY, INFINITY};
	if (bench_begin(channel, err) != TR_OK)
		return TR_ERROR;
	for (uint64_t repeat = 0; repeat < setup->repeats; repeat++)
		for (size_t i = 0; i < loggp->sizes; i++)
			if (time_size(channel, *setup, &loggp->list[i], err) != TR_OK)
				return TR_ERROR;
	loggp->overhead_us = overhead_of(&loggp->list[0]);
	loggp->latency_us = fmax(0, loggp->list[0].trip_us - 2 * loggp->overhead_us);
	loggp->gap_us = loggp->list[0].gap_us;
	loggp->byte_overhead_ns = slope_ns(loggp, overhead_of);
	loggp->byte_gap_ns = slope_ns(loggp, gap_of);
	return bench_end(channel, err);
}

struct table *bench_loggp_table(const struct loggp *loggp, const char *over)
{
	struct table *table = table_new("loggp", "Overheads and gaps by size of message");

	table_columns(table, "over size_B trip_us send_us receive_us gap_us");
	for (size_t i = 0; i < loggp->sizes; i++) {
		const struct loggp_size *size = &loggp->list[i];

		table_text(table, over);
		table_count(table, size->bytes);
		table_real(table, size->trip_us, DIGITS);
		table_real(table, size->send_us, DIGITS);
		table_real(table, size->receive_us, DIGITS);
		table_real(table, size->gap_us, DIGITS);
	}
	table_note(table, "flitsim --fabric ideal:latency=%.0fns --loggops o=%.0fns,O=%.4fns,g=%.0fns,G=%.4fns", 1e3 * loggp->latency_us,
		   1e3 * loggp->overhead_us, loggp->byte_overhead_ns, 1e3 * loggp->gap_us, loggp->byte_gap_ns);
	return table;
}
