// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as packets in time order, at any distance, between a few nodes: counted and analysed
// without error, and no packet is lost.
#include <stdlib.h>
#include <string.h>

#include "stat/bursts/burstiness.h"
#include "stat/bursts/traffic.h"
#include "stat/counts/bins.h"
#include "stat/counts/scales.h"
#include "stat/counts/variance_slope.h"
#include "stat/intervals/numeric_errors.h"

#define PACKET_BYTES 15
#define PACKETS_MAX 24u // more show nothing that these do not, and take their time

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tr_packet packet_at(const uint8_t *data, int64_t before)
{
	struct tr_packet packet = {.flow = TR_FLOW_NONE};

	memcpy(&packet.time_ticks, data, 8);
	packet.time_ticks >>= data[8] % 64; // near ones too
	if (packet.time_ticks < before)
		packet.time_ticks = before;
	memcpy(&packet.payload_bytes, data + 9, 4);
	packet.src = data[13] == 255 ? TR_NODE_OTHER : data[13] % 8;
	packet.dst = data[13] / 8 % 8;
	packet.class = data[14];
	return packet;
}

static struct tr_packet *packets_of(const uint8_t *data, size_t count)
{
	struct tr_packet *packets = calloc(count + 1, sizeof(*packets));

	if (!packets)
		abort();
	for (size_t i = 0; i < count; i++)
		packets[i] = packet_at(data + i * PACKET_BYTES,
				       i ? packets[i - 1].time_ticks : INT64_MIN);
	return packets;
}

// The bins straight to the widths, or through the store: both refuse, or both hold every packet.
static void count(const struct tr_packet *packets, size_t n, int64_t width)
{
	static const int64_t factors[] = {1, 3, 12, 1000};
	const struct tr_header header = {.ticks_per_s = 1000, .origin_s = 1};
	struct bins bins = {.max_bins = 64 * BINS_PAGE};
	struct scales scales;
	struct binner direct, stored;
	struct bin_grid grid;

	if (bin_grid_set(&grid, width, &header, 0, NULL) != TR_OK ||
	    scales_open(&scales, factors, 4, NULL) != TR_OK)
		abort();
	binner_open(&direct, &grid, scales_take, &scales);
	binner_open(&stored, &grid, bins_take, &bins);
	(void)binner_add(&stored, packets, sizeof(*packets),
			 offsetof(struct tr_packet, payload_bytes), n, NULL);
	if (binner_add(&direct, packets, sizeof(*packets),
		       offsetof(struct tr_packet, payload_bytes), n, NULL) == TR_OK) {
		if (binner_flush(&direct, NULL) != TR_OK || scales_finish(&scales, NULL) != TR_OK)
			abort();
		for (size_t i = 0; i < 4 && n > 0; i++)
			if (scales_get(&scales, i).count.sum + scales_edges(&scales, i).count.sum !=
			    (__int128)n)
				abort();
		(void)variance_slope(&scales, SCALE_BYTES, 0.95);
	}
	bins_clear(&bins);
	scales_close(&scales);
}

static void analyse(const struct tr_packet *packets, size_t n)
{
	static const struct traffic_settings settings = {
		.gaps = {.count = 4, .ticks = {1, 50, 1000, INT64_MAX / 2}},
		.max_streams = 12,
		.max_pairs = 20};
	static const uint8_t roles[64];
	struct traffic traffic = {.settings = NULL};
	size_t added = 0;

	traffic_open(&traffic, &settings);
	while (added < n && traffic_reserve(&traffic, &packets[added], NULL) == TR_OK)
		traffic_add(&traffic, &packets[added++]);
	if (traffic.kinds[TRAFFIC_CLASSES].packets != added)
		abort();
	traffic_finish(&traffic);
	if (traffic.kinds[TRAFFIC_CLASSES].sizes.n != added)
		abort();
	(void)traffic_burst_gap(&traffic, TRAFFIC_STREAMS, BURST_GAP_FOUND);
	(void)traffic_burst_gap(&traffic, TRAFFIC_ALL, BURST_GAP_THESIS);
	(void)role_find(&traffic.roles);
	for (size_t i = 0; i < settings.gaps.count; i++)
		(void)traffic_bursts(&traffic, roles, TR_ROLE_UNKNOWN, TR_CLASS_DATA, i);
	matrix_sort(&traffic.matrix);
	traffic_close(&traffic);
}

// Whatever the scale, no packet is lost.
static void check_scales(const struct burstiness *b)
{
	for (size_t i = 0, count = burstiness_window_count(b); i < count; i++) {
		const struct window_counts window = burstiness_window(b, i, 0.95);

		if (window.packets.n > 0 && window.packets.mean * (double)window.packets.n >
						    (double)b->packets * (1 + 1e-9))
			abort();
	}
	for (size_t i = 0, count = burstiness_block_count(b); i < count; i++)
		(void)burstiness_block(b, i, 0.95);
	for (size_t k = 0; k < b->bursts.thresholds->count; k++) {
		const struct bursts_by by = nested_bursts_get(&b->bursts, k);

		if (by.of[BURST_PACKETS].sum != (__int128)b->packets ||
		    (b->packets > 0 && by.of[BURST_PACKETS].n != by.off.n + 1))
			abort();
	}
	(void)lagged_autocorrelation(&b->gaps, 0);
	(void)lagged_memory(&b->sizes);
}

static void burst(const struct tr_packet *packets, size_t n, bool given)
{
	const struct tr_header header = {.ticks_per_s = 1000, .origin_s = 1};
	struct burstiness_settings settings = {
		.header = &header,
		.width_ticks = 3,
		.segments = 8,
		.from_first = given,
		.histograms = true,
		.lags = {2, {1, 7}},
		.thresholds = {.count = 3, .ticks = {0, 50, INT64_MAX / 2}, .shown = 1}};
	enum tr_status status = TR_OK;
	struct burstiness b;

	if (given) {
		settings.windows = (struct burst_scales){2, {1, 1000}};
		settings.blocks = (struct burst_scales){2, {2, 5}};
	}
	if (burstiness_open(&b, &settings, NULL) != TR_OK)
		abort();
	for (size_t i = 0; i < n && status == TR_OK; i++)
		status = burstiness_add(&b, packets[i].time_ticks, packets[i].payload_bytes, NULL);
	if (status == TR_OK && burstiness_finish(&b, NULL) == TR_OK) {
		if (b.packets != n)
			abort();
		check_scales(&b);
	}
	burstiness_close(&b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t all = size / PACKET_BYTES, n = all < PACKETS_MAX ? all : PACKETS_MAX;
	struct tr_packet *packets = packets_of(data, n);

	numeric_errors_give_nan();
	count(packets, n, 1);
	count(packets, n, 1000000007);
	analyse(packets, n);
	burst(packets, n, false);
	burst(packets, n, true);
	free(packets);
	return 0;
}
