// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the segments of a connection: sequence numbers, lengths and flags lie, segments
// overlap, wrap and repeat, and headers may say anything. Each segment of the input is 8 bytes and
// its payload: direction and flags; bytes of payload, and whether there was more; sequence number;
// acknowledgement; how much more. The first byte of the input says whether headers are read.
#include <stdlib.h>
#include <string.h>

#include "packet/checked_bytes.h"
#include "packet/tcp_messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

#define TCP_BYTES 20u

struct sums {
	uint64_t messages;
	uint64_t bytes; // of segments without headers
};

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static enum tr_status take_message(void *context, const struct tr_message *message, bool sorted,
				   struct tr_error *err)
{
	struct sums *sums = context;

	(void)err;
	promise(sorted && message->id == sums->messages++);
	promise(message->begin_ticks <= message->end_ticks && message->src < 2 &&
		message->dst == !message->src);
	return TR_OK;
}

static size_t take_segment(void *context, uint32_t connection, unsigned direction, int64_t time_ns,
			   uint32_t bytes)
{
	struct sums *sums = context;

	(void)time_ns;
	promise(connection == 0 && direction < 2); // of no bytes: an acknowledgement
	sums->bytes += bytes;
	return 0;
}

// One segment; returns how many bytes of the input it took.
static size_t give(struct pk_messages *messages, const struct pk_ids ids[2], const uint8_t *data,
		   size_t left, int64_t time_ns)
{
	const size_t payload = left < 8				     ? 0
			       : (size_t)(data[1] & 0x7f) < left - 8 ? (size_t)(data[1] & 0x7f)
								     : left - 8;
	uint8_t *header;
	struct pk_tcp tcp = {.time_ns = time_ns};

	if (left < 8)
		return left;
	header = calloc(1, TCP_BYTES + payload);
	promise(header);
	header[4] = data[6] & 0xc0;
	memcpy(header + 6, data + 2, 2);
	memcpy(header + 10, data + 4, 2);
	header[12] = TCP_BYTES / 4 << 4;
	header[13] = data[0] & 0x17;
	memcpy(header + TCP_BYTES, data + 8, payload);
	tcp.header = header;
	tcp.known_bytes = (uint32_t)(TCP_BYTES + payload);
	tcp.payload_bytes = (uint32_t)payload + (data[1] & 0x80 ? pk_le16(data + 6) : 0);
	tcp.ids = ids[data[0] >> 7];
	tcp.fragment = (data[0] & 0x60) == 0x60;
	pk_messages_take(messages, &tcp);
	free(header);
	return 8 + payload;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	struct pk_flow_key keys[2] = {
		{.src = {1}, .dst = {2}, .src_port = 1, .dst_port = 2, .protocol = 6, .family = 4},
		{.src = {2}, .dst = {1}, .src_port = 2, .dst_port = 1, .protocol = 6, .family = 4},
	};
	struct sums sums = {0};
	const struct pk_message_hooks hooks = {
		.message = take_message, .segment = take_segment, .context = &sums};
	struct pk_nodes *nodes = pk_nodes_new(4, PK_NODES_BY_ADDRESS);
	struct pk_flows *flows = pk_flows_new(4, nodes);
	struct pk_messages *messages = pk_messages_new(size_bytes == 0 || data[0] & 1, flows,
						       &hooks, PK_MESSAGES_KEPT, SIZE_MAX);
	const struct pk_ids ids[2] = {pk_flows_find(flows, &keys[0]),
				      pk_flows_find(flows, &keys[1])};
	struct pk_message_counts counts;
	struct tr_error err;
	int64_t time_ns = 0;

	for (size_t at = 1; at < size_bytes; time_ns += 100000)
		at += give(messages, ids, data + at, size_bytes - at, time_ns);
	promise(pk_messages_finish(messages, &err) == TR_OK);
	counts = pk_messages_counts(messages);
	promise(counts.by_headers + counts.by_rule == sums.messages);
	pk_messages_free(messages);
	pk_flows_free(flows);
	pk_nodes_free(nodes);
	return 0;
}
