// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan_rates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stream/names.h"
#include "stream/reader.h"
#include "value/grow.h"
#include "value/memstream.h"
#include "value/order.h"
#include "value/ticks.h"

enum tr_status plan_rate_parse(const char *text, struct plan_rate *rate, struct tr_error *err)
{
	const char *colon = strchr(text, ':');
	char share[32];

	*rate = (struct plan_rate){.given = true};
	if (strcmp(text, "mean") == 0)
		return TR_OK;
	(void)snprintf(share, sizeof(share), "%.*s", colon ? (int)(colon - text) : 0, text);
	if (strcmp(share, "peak") == 0)
		rate->share = 1;
	else if (*share != '\0' && share[strlen(share) - 1] == '%') {
		share[strlen(share) - 1] = '\0';
		if (num_parse_real(share, &rate->share, err) != TR_OK || !(rate->share > 0) ||
		    !(rate->share <= 100))
			rate->share = 0;
		rate->share /= 100;
	}
	if (rate->share == 0)
		return tr_fail(err,
			       "--rate: expected mean, peak:TIME or 95%%:TIME, found \"%.60s\"",
			       text);
	if (num_parse(colon + 1, NUM_TIME, &rate->width_s, err) != TR_OK)
		return tr_fail_in(err, "--rate");
	return rate->width_s.num > 0 ? TR_OK : tr_fail(err, "--rate: expected a time above zero");
}

static int compare_points(const void *left, const void *right)
{
	const struct plan_point *a = left, *b = right;

	ORDER_BY(a->key, b->key);
	return ORDER(a->interval, b->interval);
}

void plan_series_merge(struct plan_series *series)
{
	uint32_t kept = 0;

	if (series->count == 0)
		return;
	qsort(series->points, series->count, sizeof(*series->points), compare_points);
	for (uint32_t i = 1; i < series->count; i++) {
		if (compare_points(&series->points[kept], &series->points[i]) != 0) {
			series->points[++kept] = series->points[i];
			continue;
		}
		series->points[kept].bytes += series->points[i].bytes;
		series->points[kept].covered += series->points[i].covered;
	}
	series->count = kept + 1;
}

enum tr_status plan_series_add(struct plan_series *series, const struct plan_point *point,
			       struct tr_error *err)
{
	struct plan_point *last = series->count > 0 ? &series->points[series->count - 1] : NULL;

	if (last && compare_points(last, point) == 0) {
		last->bytes += point->bytes;
		last->covered += point->covered;
		return TR_OK;
	}
	if (series->count == series->room) {
		plan_series_merge(series);
		if (series->count >= series->room / 2 &&
		    !GROW(series->points, series->room, series->room))
			return tr_no_memory(err, "rates of intervals");
	}
	series->points[series->count++] = *point;
	return TR_OK;
}

void plan_series_close(struct plan_series *series)
{
	free(series->points);
	*series = (struct plan_series){NULL, 0, 0};
}

static int compare_point_bytes(const void *left, const void *right)
{
	const struct plan_point *a = left, *b = right;

	return ORDER(a->bytes, b->bytes);
}

double plan_rate_quantile(struct plan_point *points, uint32_t count, uint64_t zeros, double share)
{
	double all = (double)zeros, rank;
	uint32_t at = 0;

	for (uint32_t i = 0; i < count; i++)
		all += (double)points[i].more + 1;
	rank = ceil(share * all * (1 - 1e-12)) - (double)zeros; // 0.95 of 20 is the 19th
	if (count == 0 || rank <= 0)
		return 0;
	qsort(points, count, sizeof(*points), compare_point_bytes);
	for (; at + 1 < count && rank > (double)points[at].more + 1; at++)
		rank -= (double)points[at].more + 1;
	return points[at].bytes;
}

// ---- a trace

struct plan_rates_trace {
	struct plan_series series;
	int64_t width_ticks, begin_ticks; // of the first interval; 0: mean
	int64_t first_ticks, last_ticks;
	bool any;
};

static enum tr_status plan_rates_take(struct plan_rates_trace *trace, struct tr_reader *in,
				      struct tr_error *err)
{
	const union tr_record *record;
	enum tr_status status;

	while ((status = tr_next(in, &record)) == TR_OK) {
		const struct tr_packet *packet = &record->packet;
		const int64_t since = packet->time_ticks - trace->begin_ticks;
		const int64_t interval = trace->width_ticks == 0 ? 0
					 : since >= 0		 ? since / trace->width_ticks
						      : -((-since - 1) / trace->width_ticks) - 1;
		const struct plan_point point = {(uint64_t)packet->src << 32 | packet->dst,
						 interval, packet->payload_bytes, 0};

		if (!trace->any || packet->time_ticks < trace->first_ticks)
			trace->first_ticks = packet->time_ticks;
		if (!trace->any || packet->time_ticks > trace->last_ticks)
			trace->last_ticks = packet->time_ticks;
		trace->any = true;
		if (packet->src != packet->dst &&
		    plan_series_add(&trace->series, &point, err) != TR_OK)
			return TR_ERROR;
	}
	plan_series_merge(&trace->series);
	return status == TR_END ? TR_OK : tr_fail(err, "%s", tr_reader_error(in));
}

// Intervals begin at multiples of their width since the Unix epoch, as those of flitcount.
static enum tr_status plan_rates_set_grid(struct plan_rates_trace *trace,
					  const struct tr_header *header,
					  const struct plan_rate *rate, struct tr_error *err)
{
	__int128 origin;

	if (rate->share == 0)
		return TR_OK;
	if (tr_ticks_exact(rate->width_s, header->ticks_per_s, &trace->width_ticks, err) != TR_OK)
		return tr_fail_in(err, "--rate");
	origin = (__int128)header->origin_s * (int64_t)header->ticks_per_s +
		 (__int128)header->origin_ns * (int64_t)header->ticks_per_s / 1000000000;
	trace->begin_ticks = -(int64_t)(origin % trace->width_ticks);
	return TR_OK;
}

// Of each pair the quantile of its bytes in the whole intervals, count of them from first on.
static enum tr_status plan_rates_put_pairs(const struct plan_rates_trace *trace,
					   const struct tr_names *names, double share,
					   int64_t first, int64_t count, FILE *out,
					   struct tr_error *err)
{
	const struct plan_series *series = &trace->series;
	struct plan_point *whole = calloc((size_t)series->count + 1, sizeof(*whole));

	if (!whole)
		return tr_no_memory(err, "rates of intervals");
	(void)fprintf(out, "src\tdst\tbytes\n");
	for (uint32_t i = 0, next; i < series->count; i = next) {
		const uint64_t key = series->points[i].key;
		uint32_t found = 0;
		double bytes;

		for (next = i; next < series->count && series->points[next].key == key; next++)
			if (series->points[next].interval >= first &&
			    series->points[next].interval - first < count)
				whole[found++] = series->points[next];
		bytes = plan_rate_quantile(whole, found, (uint64_t)count - found, share);
		if (bytes > 0)
			(void)fprintf(out, "%s\t%s\t%.0f\n",
				      tr_names_node(names, (uint32_t)(key >> 32)),
				      tr_names_node(names, (uint32_t)key), bytes);
	}
	free(whole);
	return TR_OK;
}

static enum tr_status plan_rates_write(const struct plan_rates_trace *trace, struct tr_reader *in,
				       const struct plan_rate *rate, struct plan_pairs *pairs,
				       struct tr_error *err)
{
	const uint64_t ticks_per_s = tr_reader_header(in)->ticks_per_s;
	const int64_t width = trace->width_ticks, begin = trace->begin_ticks;
	int64_t first = 0, count = 1;
	enum tr_status status;
	FILE *out;

	if (rate->share > 0) { // those that lie within the trace
		first = (trace->first_ticks - begin) / width;
		while (begin + first * width < trace->first_ticks)
			first++;
		count = (trace->last_ticks - begin) / width - first;
	}
	if (!trace->any || count < 1 || trace->last_ticks <= trace->first_ticks)
		return tr_fail(err, "%s: its packets span no whole interval of --rate",
			       tr_reader_name(in));
	out = tr_memstream_open(&pairs->text, &pairs->bytes);
	if (!out)
		return tr_no_memory(err, "the pairs");
	status = plan_rates_put_pairs(trace, tr_reader_names(in),
				      rate->share == 0 ? 1 : rate->share, first, count, out, err);
	if (!tr_memstream_close(out) && status == TR_OK)
		status = tr_no_memory(err, "the pairs");
	pairs->seconds = rate->share > 0 ? num_value(rate->width_s)
					 : tr_ticks_seconds(trace->last_ticks - trace->first_ticks,
							    ticks_per_s);
	if (rate->share > 0)
		(void)snprintf(pairs->note, sizeof(pairs->note),
			       "traffic: of each pair the rate that %.4g %% of %lld intervals of "
			       "%.4g s are not above; the pairs need not have it at one time",
			       100 * rate->share, (long long)count, pairs->seconds);
	return status;
}

enum tr_status plan_rates_of_trace(struct tr_source *source, const struct plan_rate *rate,
				   struct plan_pairs *pairs, struct tr_error *err)
{
	struct plan_rates_trace trace = {.any = false};
	struct tr_reader *in;
	enum tr_status status;

	if (tr_reader_open(&in, source, NULL, NULL, err) != TR_OK)
		return TR_ERROR;
	status = tr_reader_header(in)->kind == TR_PACKET
			 ? plan_rates_set_grid(&trace, tr_reader_header(in), rate, err)
			 : tr_fail(err, "%s: expected a stream of packets", tr_reader_name(in));
	if (status == TR_OK)
		status = plan_rates_take(&trace, in, err);
	if (status == TR_OK)
		status = plan_rates_write(&trace, in, rate, pairs, err);
	plan_series_close(&trace.series);
	tr_reader_close(in);
	return status;
}
