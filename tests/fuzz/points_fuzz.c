// SPDX-License-Identifier: GPL-3.0-or-later
// Frames of any bytes as three points saw them, at any times: clocks and join. Each is a byte for
// the point (its low bits) and for what the time is (the high bit: as the last one's with 2 bytes
// added, else 8 bytes of their own), a byte for the length, and the bytes.
#include <stdlib.h>
#include <string.h>

#include "packet/identity.h"
#include "packet/nodes.h"
#include "points/clocks.h"
#include "points/join.h"

#define POINTS 3
#define SAMPLES 64
#define WAITING 16
#define LONGEST_NS 1000000
#define BEYOND_BYTES 1500u // of each frame were not captured

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

struct reading {
	struct pk_bytes bytes;
	int64_t time_ns;
	uint64_t number;
	uint64_t given; // packets sent, by what was given
	int64_t last_ns;
};

struct seen {
	struct pk_packet packet;
	uint32_t point, bytes;
	int64_t time_ns;
};

// false at the end. Frames that cannot be decoded are skipped.
static bool next_frame(struct reading *reading, struct seen *seen)
{
	const struct pk_link link = pk_link_of(PK_LINK_ETHERNET, false);

	for (;;) {
		const uint8_t *head = pk_take(&reading->bytes, 2), *time, *bytes;
		struct pk_frame frame = {.link = &link};

		if (!head || !(time = pk_take(&reading->bytes, head[0] & 128 ? 2 : 8)))
			return false;
		reading->time_ns = head[0] & 128 ? reading->time_ns + pk_be16(time)
						 : (int64_t)(pk_u64(time, 1) >> 2);
		if (reading->time_ns >= PT_TIME_END_NS)
			reading->time_ns = 0;
		bytes = pk_take(&reading->bytes, head[1]);
		if (!bytes)
			return false;
		frame.data = bytes;
		frame.captured_bytes = head[1];
		frame.wire_bytes = head[1] + BEYOND_BYTES;
		if (pk_decode(&frame, false, &seen->packet) != PK_DECODED)
			continue;
		seen->point = (head[0] & 127) % POINTS;
		seen->time_ns = reading->time_ns;
		seen->bytes = frame.wire_bytes;
		return true;
	}
}

static enum tr_status give(void *context, struct tr_delivery *delivery, struct tr_error *err)
{
	struct reading *reading = context;

	(void)err;
	if (delivery->packet.time_ticks < reading->last_ns)
		abort();
	reading->last_ns = delivery->packet.time_ticks;
	if (delivery->status != TR_DELIVERED)
		reading->given++;
	else if (delivery->created_ticks > delivery->packet.time_ticks)
		abort();
	else if (delivery->created_ticks != -1 && !(delivery->packet.flags & TR_FLAG_DUPLICATE))
		reading->given++;
	return TR_OK;
}

static void join_all(const struct pt_clocks *clocks, struct pk_flows *flows, const uint8_t *data,
		     size_t size_bytes)
{
	struct reading reading = {.bytes = {data, size_bytes}, .last_ns = INT64_MIN};
	struct pt_join *join = pt_join_new(clocks, POINTS, LONGEST_NS, WAITING, give, &reading);
	struct tr_error err = {.text = ""};
	uint64_t sent = 0;
	struct seen seen;

	if (!join)
		abort();
	while (next_frame(&reading, &seen)) {
		const struct pk_ids ids = pk_flows_find(flows, &seen.packet.flow);
		const struct tr_packet record = {
			.time_ticks = pt_clocks_correct(clocks, seen.point, seen.time_ns),
			.id = reading.number++,
			.flow = ids.flow,
			.src = ids.src,
			.dst = ids.dst};

		if (record.time_ticks < 0) // flitcap leaves it out
			continue;
		if (pt_join_add(join, seen.point, &seen.packet, pk_identity(&seen.packet), &record,
				&err) != TR_OK)
			abort();
	}
	if (pt_join_finish(join, &err) != TR_OK)
		abort();
	for (uint32_t from = 0; from < POINTS; from++)
		for (uint32_t to = 0; to < POINTS; to++)
			sent += pt_join_way(join, from, to)->sent;
	if (sent != reading.given)
		abort();
	pt_join_free(join);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	static const char *const names[POINTS] = {"a", "b", "c"};
	struct reading reading = {.bytes = {data, size_bytes}};
	struct pk_nodes *nodes = pk_nodes_new(16, PK_NODES_BY_ADDRESS);
	struct pk_flows *flows = nodes ? pk_flows_new(32, nodes) : NULL;
	struct pt_clocks *clocks = pt_clocks_new(POINTS, SAMPLES);
	struct tr_error err = {.text = ""};
	struct seen seen;

	if (!flows || !clocks)
		abort();
	while (next_frame(&reading, &seen)) {
		const struct pk_ids ids = pk_flows_find(flows, &seen.packet.flow);
		const struct pt_sighting sighting = {.identity = pk_identity(&seen.packet),
						     .time_ns = seen.time_ns,
						     .src = ids.src,
						     .dst = ids.dst,
						     .wire_bytes = seen.bytes,
						     .point = seen.point};

		pt_clocks_add(clocks, &sighting);
	}
	if (pt_clocks_settle(clocks, names, &err) == TR_OK)
		join_all(clocks, flows, data, size_bytes);
	else if (!err.text[0])
		abort();
	pt_clocks_free(clocks);
	pk_flows_free(flows);
	pk_nodes_free(nodes);
	return 0;
}
