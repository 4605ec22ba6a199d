// SPDX-License-Identifier: GPL-3.0-or-later
// Any values in partials with a right checksum: refused with a message, or added and joined without
// error, within their bounds. Any bytes instead of a partial are refused.
#include <stdlib.h>
#include <string.h>

#include "stat/bursts/burstiness.h"
#include "stat/bursts/traffic.h"
#include "stat/counts/bins.h"
#include "stat/counts/partial.h"
#include "stat/intervals/numeric_errors.h"
#include "value/little_endian.h"
#include "value/xxh3.h"

#define BEGIN PARTIAL_MAGIC PARTIAL_VERSION "\nfuzz 1\n--none\n"
#define BINS_MAX (64 * BINS_PAGE)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tr_source *source_of(const void *bytes, size_t size)
{
	struct tr_source *source;

	if (tr_source_open_memory(&source, bytes, size, "fuzz", NULL) != TR_OK)
		abort();
	return source;
}

// A partial with these values.
static struct tr_source *partial_of(const uint8_t *data, size_t size)
{
	const size_t begin = strlen(BEGIN);
	uint8_t *bytes = malloc(begin + size + 8);
	struct tr_source *source;

	if (!bytes)
		abort();
	memcpy(bytes, BEGIN, begin);
	memcpy(bytes + begin, data, size);
	tr_set_u64(bytes + begin + size, XXH3_64bits(bytes, begin + size));
	source = source_of(bytes, begin + size + 8);
	free(bytes);
	return source;
}

static struct partial *open(struct tr_source *source)
{
	struct partial *partial;

	if (partial_open(&partial, source, NULL, "fuzz 1", "--none", NULL) != TR_OK)
		abort();
	return partial;
}

static bool finish(struct partial *partial)
{
	struct tr_error err = {0};
	const enum tr_status status = partial_finish(partial, &err);

	if (status != TR_OK && err.text[0] == '\0')
		abort();
	partial_close(partial);
	return status == TR_OK;
}

static void read_bins(const uint8_t *data, size_t size)
{
	struct bins bins = {.max_bins = BINS_MAX}, twice = {.max_bins = BINS_MAX};
	struct tr_source *source = partial_of(data, size);
	struct partial *partial = open(source);

	bins_exchange(&bins, partial);
	if (finish(partial))
		(void)bins_merge(&twice, &bins, NULL);
	bins_clear(&twice);
	bins_clear(&bins);
	tr_source_close(source);
}

// Joined with itself, later, and looked at.
static void join(const struct traffic_settings *settings, const struct traffic *part)
{
	struct traffic *whole = calloc(1, sizeof(*whole));
	uint32_t *ids = malloc((part->node_count + 1) * sizeof(*ids));

	if (!whole || !ids)
		abort();
	for (size_t i = 0; i < part->node_count; i++)
		ids[i] = (uint32_t)(part->node_count - 1 - i);
	traffic_open(whole, settings);
	if (traffic_join(whole, part, ids, NULL) == TR_OK &&
	    traffic_join(whole, part, ids, NULL) == TR_OK) {
		traffic_shift(whole, INT64_C(1) << 61);
		traffic_finish(whole);
		(void)traffic_burst_gap(whole, TRAFFIC_ALL, BURST_GAP_FOUND);
		(void)traffic_burst_gap(whole, TRAFFIC_STREAMS, BURST_GAP_THESIS);
		for (uint32_t i = 0; traffic_next(whole, &i); i++)
			for (enum tr_class class = 0; class < TRAFFIC_CLASSES; class ++)
				for (size_t w = 0;
				     traffic_stream(whole, i, class) && w < settings->gaps.count;
				     w++)
					(void)burst_get(traffic_stream(whole, i, class), w);
		(void)quantile_get(&whole->kinds[TRAFFIC_CLASSES].gaps, 0.5);
	}
	traffic_close(whole);
	free(whole);
	free(ids);
}

static void read_traffic(const uint8_t *data, size_t size)
{
	static const struct traffic_settings settings = {
		.gaps = {.count = 3, .ticks = {10, 200, 3000}},
		.max_streams = 64,
		.max_pairs = 64,
		.over_time = true};
	struct traffic *part = calloc(1, sizeof(*part));
	struct tr_source *source = partial_of(data, size);
	struct partial *partial = open(source);

	if (!part)
		abort();
	traffic_open(part, &settings);
	traffic_exchange(part, partial);
	if (finish(partial))
		join(&settings, part);
	traffic_close(part);
	free(part);
	tr_source_close(source);
}

static void read_bursts(const uint8_t *data, size_t size)
{
	static const struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = 1000000000};
	static const struct burstiness_settings settings = {
		.header = &header,
		.width_ticks = 3000,
		.segments = 64,
		.histograms = true,
		.lags = {2, {1, 5}},
		.thresholds = {.count = 7,
			       .ticks = {1250, 2500, 5000, 10000, 20000, 40000, 80000},
			       .shown = 3}};
	struct tr_source *source = partial_of(data, size);
	struct partial *partial = open(source);
	struct burstiness *part[2];

	for (int i = 0; i < 2; i++) {
		part[i] = calloc(1, sizeof(*part[i]));
		if (!part[i] || burstiness_open(part[i], &settings, NULL) != TR_OK)
			abort();
	}
	burstiness_exchange(part[0], partial);
	if (finish(partial)) {
		burstiness_shift(part[0], INT64_C(1) << 61);
		burstiness_join(part[1], part[0]);
		burstiness_join(part[1], part[0]);
		for (size_t i = 0; i < burstiness_window_count(part[1]); i++)
			(void)burstiness_window(part[1], i, 0.95);
		for (size_t k = 0; k < settings.thresholds.count; k++)
			(void)nested_bursts_get(&part[1]->bursts, k);
		(void)lagged_memory(&part[1]->gaps);
		(void)lagged_autocorrelation(&part[1]->sizes, 1);
	}
	for (int i = 0; i < 2; i++) {
		burstiness_close(part[i]);
		free(part[i]);
	}
	tr_source_close(source);
}

static void read_any(const uint8_t *data, size_t size)
{
	struct tr_source *source = source_of(data, size);
	struct partial *partial;
	struct tr_error err = {0};

	if (partial_open(&partial, source, NULL, "fuzz 1", "--none", &err) == TR_OK)
		(void)finish(partial);
	else if (err.text[0] == '\0')
		abort();
	tr_source_close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	numeric_errors_give_nan();
	switch (data[0] % 4) {
	case 0: read_bins(data + 1, size - 1); break;
	case 1: read_traffic(data + 1, size - 1); break;
	case 2: read_any(data + 1, size - 1); break;
	default: read_bursts(data + 1, size - 1);
	}
	return 0;
}
