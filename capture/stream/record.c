// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/record.h"

#include <string.h>

#define FIELD(type, member, name, kind, meaning, what) \
	{ \
		name, offsetof(struct type, member), kind, meaning, what \
	}
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

// The packet's rows, which a delivery has too.
#define PACKET_FIELDS \
	FIELD(tr_packet, time_ticks, "time", TR_I64, TR_TIME, \
	      "when it was sent or captured; of a delivery when it arrived or was dropped"), \
		FIELD(tr_packet, id, "id", TR_U64, TR_PLAIN, "number of the packet"), \
		FIELD(tr_packet, flow, "flow", TR_U32, TR_FLOW_ID, \
		      "protocol, addresses and ports"), \
		FIELD(tr_packet, src, "src", TR_U32, TR_NODE_ID, "sender"), \
		FIELD(tr_packet, dst, "dst", TR_U32, TR_NODE_ID, "receiver"), \
		FIELD(tr_packet, payload_bytes, "payload", TR_U32, TR_BYTES, \
		      "bytes above TCP and UDP"), \
		FIELD(tr_packet, wire_bytes, "wire", TR_U32, TR_BYTES, "bytes on the wire"), \
		FIELD(tr_packet, flags, "flags", TR_U16, TR_FLAG_BITS, \
		      "setup, resent and the like, joined by +"), \
		FIELD(tr_packet, class, "class", TR_U8, TR_CLASS_CODE, "data or overhead"), \
		FIELD(tr_packet, opcode, "opcode", TR_U8, TR_PLAIN, "operation of InfiniBand")

static const struct tr_field packet_fields[] = {PACKET_FIELDS};

static const struct tr_field delivery_fields[] = {
	PACKET_FIELDS,
	FIELD(tr_delivery, created_ticks, "created", TR_I64, TR_TIME,
	      "when it entered the queue of its source"),
	FIELD(tr_delivery, started_ticks, "started", TR_I64, TR_TIME,
	      "when the adapter of its source began to fetch it"),
	FIELD(tr_delivery, injected_ticks, "injected", TR_I64, TR_TIME,
	      "when its first character left on the first link"),
	FIELD(tr_delivery, head_ticks, "head", TR_I64, TR_TIME,
	      "when its first character reached the adapter of its destination"),
	FIELD(tr_delivery, status, "status", TR_U8, TR_STATUS_CODE,
	      "delivered, dropped or in_flight"),
	FIELD(tr_delivery, reason, "reason", TR_U8, TR_REASON_CODE, "why it was dropped"),
	FIELD(tr_delivery, hops, "hops", TR_U16, TR_PLAIN, "switches on its route"),
	FIELD(tr_delivery, reserved, "reserved2", TR_U32, TR_PLAIN, "unused"),
};

static const struct tr_field message_fields[] = {
	FIELD(tr_message, begin_ticks, "time", TR_I64, TR_TIME, "when it began"),
	FIELD(tr_message, end_ticks, "end", TR_I64, TR_TIME, "when it ended"),
	FIELD(tr_message, id, "id", TR_U64, TR_PLAIN, "number of the message"),
	FIELD(tr_message, size_bytes, "size", TR_U64, TR_BYTES, "its bytes"),
	FIELD(tr_message, src, "src", TR_U32, TR_NODE_ID, "node that sends it"),
	FIELD(tr_message, dst, "dst", TR_U32, TR_NODE_ID, "node that receives it"),
	FIELD(tr_message, tag, "tag", TR_I32, TR_PLAIN, "tag of MPI"),
	FIELD(tr_message, communicator, "communicator", TR_U32, TR_PLAIN,
	      "number of its communicator"),
	FIELD(tr_message, operation, "operation", TR_U16, TR_OPERATION_CODE, "call that sent it"),
	FIELD(tr_message, flags, "flags", TR_U16, TR_MESSAGE_FLAG_BITS,
	      "eager, rendezvous and the like, joined by +"),
	FIELD(tr_message, reserved, "reserved", TR_U32, TR_PLAIN, "unused"),
	FIELD(tr_message, src_rank, "src_rank", TR_U32, TR_RANK, "rank that sends it"),
	FIELD(tr_message, dst_rank, "dst_rank", TR_U32, TR_RANK, "rank that receives it"),
};

static const struct tr_field series_fields[] = {
	FIELD(tr_series, start_ticks, "time", TR_I64, TR_TIME, "when the bin begins"),
	FIELD(tr_series, width_ticks, "width", TR_I64, TR_SPAN, "width of the bin"),
	FIELD(tr_series, count, "count", TR_U64, TR_PLAIN, "packets in it"),
	FIELD(tr_series, size_bytes, "bytes", TR_U64, TR_BYTES, "bytes in it"),
	FIELD(tr_series, node, "node", TR_U32, TR_NODE_ID, "of this node; - of all"),
	FIELD(tr_series, class, "class", TR_U8, TR_CLASS_CODE, "of this class; none of all"),
	FIELD(tr_series, reserved[0], "reserved", TR_U8, TR_PLAIN, "unused"),
	FIELD(tr_series, reserved[1], "reserved2", TR_U8, TR_PLAIN, "unused"),
	FIELD(tr_series, reserved[2], "reserved3", TR_U8, TR_PLAIN, "unused"),
};

static const struct tr_field link_fields[] = {
	FIELD(tr_link, start_ticks, "time", TR_I64, TR_TIME, "when the interval begins"),
	FIELD(tr_link, width_ticks, "width", TR_I64, TR_SPAN, "width of the interval"),
	FIELD(tr_link, busy_ticks, "busy", TR_I64, TR_SPAN, "time spent sending characters"),
	FIELD(tr_link, blocked_stop_ticks, "blocked_stop", TR_I64, TR_SPAN,
	      "time in which a worm waited after STOP"),
	FIELD(tr_link, blocked_port_ticks, "blocked_port", TR_I64, TR_SPAN,
	      "time in which a worm at the far end waited for a port"),
	FIELD(tr_link, blocked_memory_ticks, "blocked_memory", TR_I64, TR_SPAN,
	      "time in which a worm waited for memory of the adapter"),
	FIELD(tr_link, characters, "characters", TR_U64, TR_PLAIN, "characters sent"),
	FIELD(tr_link, occupancy_area, "occupancy_area", TR_U64, TR_AREA,
	      "characters in the far buffer times the time they were there"),
	FIELD(tr_link, link, "link", TR_U32, TR_LINK_ID, "the link"),
	FIELD(tr_link, occupancy_peak, "occupancy_peak", TR_U32, TR_PLAIN,
	      "most characters in the far buffer"),
};

#define KIND(number, name, type, fields) \
	{ \
		number, name, sizeof(struct type), COUNT(fields), fields \
	}

static const struct tr_kind_info kinds[] = {
	KIND(TR_PACKET, "packet", tr_packet, packet_fields),
	KIND(TR_DELIVERY, "delivery", tr_delivery, delivery_fields),
	KIND(TR_MESSAGE, "message", tr_message, message_fields),
	KIND(TR_SERIES, "series", tr_series, series_fields),
	KIND(TR_LINK, "link", tr_link, link_fields),
};

// The layouts of flit-trace(5): no holes, multiples of 8 bytes.
_Static_assert(sizeof(struct tr_packet) == 40, "packet record");
_Static_assert(sizeof(struct tr_delivery) == 80, "delivery record");
_Static_assert(sizeof(struct tr_message) == 64, "message record");
_Static_assert(sizeof(struct tr_series) == 40, "series record");
_Static_assert(sizeof(struct tr_link) == 72, "link record");
_Static_assert(offsetof(struct tr_packet, class) == 38, "packet record");
_Static_assert(offsetof(struct tr_delivery, status) == 72, "delivery record");
_Static_assert(offsetof(struct tr_message, operation) == 48, "message record");
_Static_assert(offsetof(struct tr_message, src_rank) == 56, "message record");
_Static_assert(offsetof(struct tr_series, class) == 36, "series record");
_Static_assert(offsetof(struct tr_link, link) == 64, "link record");

const struct tr_kind_info *tr_kind_find(unsigned kind)
{
	if (kind < 1 || kind > COUNT(kinds))
		return NULL;
	return &kinds[kind - 1];
}

bool tr_kind_has_packet(unsigned kind)
{
	return kind == TR_PACKET || kind == TR_DELIVERY;
}

unsigned tr_field_size(enum tr_field_type type)
{
	static const uint8_t sizes[] = {
		[TR_I64] = 8, [TR_U64] = 8, [TR_U32] = 4, [TR_I32] = 4, [TR_U16] = 2, [TR_U8] = 1,
	};

	return sizes[type];
}

bool tr_field_is_reserved(const struct tr_field *field)
{
	return !strncmp(field->name, "reserved", strlen("reserved"));
}

int64_t tr_field_get(const void *record, const struct tr_field *field)
{
	const uint8_t *at = (const uint8_t *)record + field->offset_bytes;
	int64_t i64;
	uint32_t u32;
	int32_t i32;
	uint16_t u16;

	switch ((enum tr_field_type)field->type) {
	case TR_I64:
	case TR_U64: memcpy(&i64, at, sizeof(i64)); return i64;
	case TR_U32: memcpy(&u32, at, sizeof(u32)); return u32;
	case TR_I32: memcpy(&i32, at, sizeof(i32)); return i32;
	case TR_U16: memcpy(&u16, at, sizeof(u16)); return u16;
	case TR_U8: return *at;
	}
	return 0;
}

bool tr_field_set(void *record, const struct tr_field *field, int64_t value)
{
	uint8_t *at = (uint8_t *)record + field->offset_bytes;
	uint32_t u32 = (uint32_t)value;
	uint16_t u16 = (uint16_t)value;

	switch ((enum tr_field_type)field->type) {
	case TR_I64:
	case TR_U64: memcpy(at, &value, sizeof(value)); return true;
	case TR_U32:
	case TR_I32:
		if (field->type == TR_U32 ? (value < 0 || value > UINT32_MAX)
					  : (value < INT32_MIN || value > INT32_MAX))
			return false;
		memcpy(at, &u32, sizeof(u32));
		return true;
	case TR_U16:
		if (value < 0 || value > UINT16_MAX)
			return false;
		memcpy(at, &u16, sizeof(u16));
		return true;
	case TR_U8:
		if (value < 0 || value > UINT8_MAX)
			return false;
		*at = (uint8_t)value;
		return true;
	}
	return false;
}

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
static void reverse(uint8_t *at, unsigned size_bytes)
{
	for (unsigned i = 0; i < size_bytes / 2; i++) {
		uint8_t kept = at[i];

		at[i] = at[size_bytes - 1 - i];
		at[size_bytes - 1 - i] = kept;
	}
}
#endif

void tr_records_swap(const struct tr_kind_info *kind, void *records, size_t record_bytes,
		     size_t count)
{
#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
	for (size_t r = 0; r < count; r++)
		for (unsigned f = 0; f < kind->field_count; f++)
			reverse((uint8_t *)records + r * record_bytes +
					kind->fields[f].offset_bytes,
				tr_field_size(kind->fields[f].type));
#else
	(void)kind, (void)records, (void)record_bytes, (void)count;
#endif
}
