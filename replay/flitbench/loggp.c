// SPDX-License-Identifier: GPL-3.0-or-later
// D. Culler and others: LogP, Towards a realistic model of parallel computation, PPoPP 1993. A.
// Alexandrov and others: LogGP, Incorporating long messages into the LogP model, SPAA 1995. T.
// Kielmann, H. Bal, K. Verstoep: Fast measurement of LogP parameters for message passing platforms,
// IPDPS workshops 2000: the time of a send is that of the call, the time of a receive that of the
// call when the message has already come. H. Theil: A rank-invariant method of linear and
// polynomial regression analysis, Proc. Kon. Ned. Akad. v. Wetensch. A 53, 1950.
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "table/table_rows.h"
#include "value/order.h"

#define PAUSE_TRIPS 6 // trips of a message that are waited before it is received: three ping-pongs
#define PAUSE_NS_MIN 20000
#define LATENCY_US_MIN .001 // flitsim takes none of 0
#define DIGITS 6

static double loggp_least(double a, double b)
{
	return a < b ? a : b;
}

// One repeat of one size.
static enum tr_status time_size(struct channel *channel, struct bench_setup setup,
				struct loggp_size *size, struct tr_error *err)
{
	static const enum bench_test_code order[] = {BENCH_PING_PONG, BENCH_OVERHEAD,
						     BENCH_ONE_WAY};
	struct bench_sample sample;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++) {
		double time_us;

		setup.test = &bench_tests[order[i]];
		if (bench_time_point(channel, &setup, size->bytes, &sample, err) != TR_OK)
			return TR_ERROR;
		time_us = bench_latency_us(setup.test, &sample);
		if (order[i] == BENCH_PING_PONG) {
			size->trip_us = loggp_least(size->trip_us, time_us);
			channel->pause_ns = (int64_t)(1000 * PAUSE_TRIPS * time_us);
			if (channel->pause_ns < PAUSE_NS_MIN)
				channel->pause_ns = PAUSE_NS_MIN;
		} else if (order[i] == BENCH_ONE_WAY) {
			size->gap_us = loggp_least(size->gap_us, time_us);
		} else {
			size->send_us = loggp_least(size->send_us,
						    (double)channel->send_ns /
							    (double)sample.exchanges / 1e3);
			size->receive_us = loggp_least(size->receive_us,
						       (double)channel->receive_ns /
							       (double)sample.exchanges / 1e3);
		}
	}
	return TR_OK;
}

// The slope in nanoseconds a byte of a line through (bytes, microseconds): the median of those
// between each size of the smaller half and its counterpart in the larger one (Theil 1950,
// incomplete method), which some disturbed sizes do not change. 0 if it is negative or there is one
// size. slopes has room for half of the sizes.
static double slope_ns(const struct loggp *loggp, double (*value)(const struct loggp_size *size),
		       double *slopes)
{
	const size_t half = loggp->sizes / 2, away = loggp->sizes - half;
	double median;

	if (half == 0)
		return 0;
	for (size_t i = 0; i < half; i++) {
		const struct loggp_size *small = &loggp->list[i], *large = &loggp->list[i + away];

		slopes[i] = 1000 * (value(large) - value(small)) /
			    (double)(large->bytes - small->bytes);
	}
	qsort(slopes, half, sizeof(*slopes), order_double);
	median = (slopes[(half - 1) / 2] + slopes[half / 2]) / 2;
	return median > 0 ? median : 0;
}

// The least of all sizes: a larger message costs no less than a smaller one, so what exceeds it at
// small sizes is disturbance.
static double loggp_least_of(const struct loggp *loggp,
			     double (*value)(const struct loggp_size *size))
{
	double found = value(&loggp->list[0]);

	for (size_t i = 1; i < loggp->sizes; i++)
		found = loggp_least(found, value(&loggp->list[i]));
	return found;
}

static double overhead_of(const struct loggp_size *size)
{
	return (size->send_us + size->receive_us) / 2;
}

static double gap_of(const struct loggp_size *size)
{
	return size->gap_us;
}

static double trip_of(const struct loggp_size *size)
{
	return size->trip_us;
}

static enum tr_status loggp_fit(struct loggp *loggp, struct tr_error *err)
{
	double *slopes = calloc(loggp->sizes, sizeof(*slopes));

	if (!slopes)
		return tr_no_memory(err, "%zu sizes", loggp->sizes);
	loggp->overhead_us = loggp_least_of(loggp, overhead_of);
	loggp->latency_us = fmax(LATENCY_US_MIN,
				 loggp_least_of(loggp, trip_of) - 2 * loggp->overhead_us);
	loggp->gap_us = loggp_least_of(loggp, gap_of);
	loggp->byte_overhead_ns = slope_ns(loggp, overhead_of, slopes);
	loggp->byte_gap_ns = slope_ns(loggp, gap_of, slopes);
	free(slopes);
	return TR_OK;
}

enum tr_status bench_loggp(struct channel *channel, const struct bench_setup *setup,
			   struct loggp *loggp, void (*progress)(void *context, size_t repeat),
			   void *context, struct tr_error *err)
{
	for (size_t i = 0; i < loggp->sizes; i++)
		loggp->list[i] = (struct loggp_size){loggp->list[i].bytes, INFINITY, INFINITY,
						     INFINITY, INFINITY};
	if (bench_begin(channel, err) != TR_OK)
		return TR_ERROR;
	for (uint64_t repeat = 0; repeat < setup->repeats; repeat++) {
		progress(context, repeat);
		for (size_t i = 0; i < loggp->sizes; i++)
			if (time_size(channel, *setup, &loggp->list[i], err) != TR_OK)
				return TR_ERROR;
	}
	return bench_end(channel, err) == TR_OK ? loggp_fit(loggp, err) : TR_ERROR;
}

TABLE_VIEW(loggp, struct loggp_size, (count, bytes, 0, "size_B"), (real, trip_us, DIGITS),
	   (real, send_us, DIGITS), (real, receive_us, DIGITS), (real, gap_us, DIGITS));

struct table *bench_loggp_table(const struct loggp *loggp, const char *over)
{
	struct table *table = table_new("loggp", "Overheads and gaps by size of message");

	table_column(table, "over");
	table_heads(table, loggp_fields);
	for (size_t i = 0; i < loggp->sizes; i++) {
		table_text(table, over);
		table_row(table, loggp_fields, &loggp->list[i]);
	}
	table_note(table,
		   "flitsim --fabric ideal:latency=%.0fns --loggops "
		   "o=%.0fns,O=%.4fns,g=%.0fns,G=%.4fns",
		   1e3 * loggp->latency_us, 1e3 * loggp->overhead_us, loggp->byte_overhead_ns,
		   1e3 * loggp->gap_us, loggp->byte_gap_ns);
	return table;
}
