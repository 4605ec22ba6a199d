// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as packets in order of time, of any distance, between a few nodes: counted and analysed
// without harm, and no packet is lost.
#include <stdlib.h>
#include <string.h>

#include "stat/binner.h"
#include "stat/bins.h"
#include "stat/scales.h"
#include "stat/traffic.h"
#include "stat/variance_slope.h"

#define PACKET_BYTES 15

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
	struct tr_packet *packets = calloc(count + 1, sizeof *packets);

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
	(void)binner_add(&stored, packets, sizeof *packets, offsetof(struct tr_packet, payload_bytes), n,
			 NULL);
	if (binner_add(&direct, packets, sizeof *packets, offsetof(struct tr_packet, payload_bytes), n,
		       NULL) == TR_OK) {
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
		.windows = {4, {1, 50, 1000, INT64_MAX / 2}}, .max_streams = 12, .max_pairs = 20};
	static const uint8_t roles[64];
	struct traffic traffic;
	struct window_curve curve;
	size_t added = 0, chosen;

	traffic_open(&traffic, &settings);
	while (added < n && traffic_reserve(&traffic, &packets[added], NULL) == TR_OK)
		traffic_add(&traffic, &packets[added++]);
	if (traffic.kinds[TRAFFIC_CLASSES].packets != added)
		abort();
	traffic_curve(&traffic, &curve);
	(void)window_search(&curve, &settings.windows, &chosen);
	(void)role_find(&traffic.roles);
	for (size_t i = 0; i < settings.windows.count; i++)
		(void)traffic_bursts(&traffic, roles, TR_ROLE_UNKNOWN, TR_CLASS_DATA, i);
	matrix_sort(&traffic.matrix);
	traffic_close(&traffic);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const size_t n = size / PACKET_BYTES;
	struct tr_packet *packets = packets_of(data, n);

	count(packets, n, 1);
	count(packets, n, 1000000007);
	analyse(packets, n);
	free(packets);
	return 0;
}
