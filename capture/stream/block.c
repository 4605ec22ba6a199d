// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/block.h"

#include <string.h>

// Ids grow from 0, so one comparison tests an id: id + 1 wraps to 0 for "nobody".
static bool node_ok(const struct tr_names *names, uint32_t node)
{
	return node + 1u <= names->node_count;
}

static bool flow_ok(const struct tr_names *names, uint32_t flow)
{
	return flow + 1u <= names->flow_count;
}

static bool packet_ok(const struct tr_names *names, const void *record)
{
	const struct tr_packet *packet = record;

	return node_ok(names, packet->src) && node_ok(names, packet->dst) &&
	       flow_ok(names, packet->flow);
}

static bool message_ok(const struct tr_names *names, const void *record)
{
	const struct tr_message *message = record;

	return node_ok(names, message->src) && node_ok(names, message->dst);
}

static bool series_ok(const struct tr_names *names, const void *record)
{
	return node_ok(names, ((const struct tr_series *)record)->node);
}

static bool link_ok(const struct tr_names *names, const void *record)
{
	return ((const struct tr_link *)record)->link < names->link_count;
}

static enum tr_status block_fail(const struct tr_names *names, const void *record, int64_t before,
				 bool unsorted, struct tr_error *err)
{
	int64_t time_ticks;

	memcpy(&time_ticks, record, sizeof(time_ticks));
	if (!unsorted && time_ticks < before)
		return tr_fail(err, "record goes back in time from tick %lld to %lld",
			       (long long)before, (long long)time_ticks);
	return tr_fail(err,
		       "record names a node, flow or link that has no name "
		       "(%u nodes, %u flows, %u links are known)",
		       names->node_count, names->flow_count, names->link_count);
}

// The loop is inlined for each kind, so that the test of a record is a few comparisons.
static inline __attribute__((always_inline)) enum tr_status check_all(
	const void *records, size_t record_bytes, size_t count, bool unsorted,
	const struct tr_names *names, int64_t *time_ticks, size_t *bad, struct tr_error *err,
	bool (*ok)(const struct tr_names *, const void *))
{
	const uint8_t *record = records;
	int64_t before = *time_ticks;

	for (size_t i = 0; i < count; i++, record += record_bytes) {
		int64_t now = *(const int64_t *)(const void *)record;

		if ((now < before && !unsorted) || !ok(names, record)) {
			*bad = i;
			return block_fail(names, record, before, unsorted, err);
		}
		before = now;
	}
	*time_ticks = before;
	return TR_OK;
}

enum tr_status tr_block_check(const struct tr_kind_info *kind, const void *records,
			      size_t record_bytes, size_t count, bool unsorted,
			      const struct tr_names *names, int64_t *time_ticks, size_t *bad,
			      struct tr_error *err)
{
#define CHECK(ok) check_all(records, record_bytes, count, unsorted, names, time_ticks, bad, err, ok)
	switch (kind->kind) {
	case TR_PACKET:
	case TR_DELIVERY: return CHECK(packet_ok);
	case TR_MESSAGE: return CHECK(message_ok);
	case TR_SERIES: return CHECK(series_ok);
	case TR_LINK: return CHECK(link_ok);
	}
#undef CHECK
	return tr_fail(err, "record kind %u", (unsigned)kind->kind);
}
