// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as the packets of queue pairs: numbers, lengths and operations lie, responses come
// without requests, and the bound of memory is small or none. Each packet of the input is 8 bytes:
// the direction, of 4 queue pairs; operation; number, of which some are near the last; payload;
// the length that it names, and how much of its headers was captured.
#include <stdlib.h>

#include "packet/checked_bytes.h"
#include "packet/verbs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes);

#define PACKET_BYTES 8u
#define HEADERS_BYTES 40u

static void promise(bool kept)
{
	if (!kept)
		abort();
}

static void take(void *context, const struct tr_message *message)
{
	promise(message->begin_ticks <= message->end_ticks && message->src < 2 &&
		message->dst == !message->src);
	++*(uint64_t *)context;
}

static void give(struct pk_verbs *verbs, uint32_t words[8], const uint8_t *data, int64_t time_ns)
{
	const uint32_t flow = data[0] & 7u;
	uint8_t *headers = calloc(1, HEADERS_BYTES);
	const struct tr_packet record = {
		.time_ticks = time_ns, .flow = flow, .src = flow & 1, .dst = !(flow & 1)};
	struct pk_packet packet = {
		.opcode = data[1],
		.sequence = (pk_be16(data + 2) - 32768u) & 0xffffffu,
		.payload_bytes = pk_be16(data + 4),
		.extended = headers,
		.extended_bytes = data[0] & 8 ? HEADERS_BYTES : data[7] % HEADERS_BYTES,
	};

	promise(headers);
	for (uint32_t i = 0; i < HEADERS_BYTES; i++) // sometimes of gigabytes
		headers[i] = i % 4 < 2 ? (data[0] & 16 ? 0x3f : 0) : data[6 + i % 2];
	(void)pk_verbs_take(verbs, data[0] & 128 ? NULL : &words[flow], &packet, &record);
	free(headers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size_bytes)
{
	uint64_t messages = 0;
	struct pk_verbs *verbs = pk_verbs_new(take, &messages,
					      size_bytes && data[0] & 1 ? 3000 : SIZE_MAX);
	uint32_t words[8] = {0};

	promise(verbs);
	for (size_t at = 1; at + PACKET_BYTES <= size_bytes; at += PACKET_BYTES)
		give(verbs, words, data + at, (int64_t)at);
	pk_verbs_finish(verbs);
	promise(!pk_verbs_failed(verbs) && pk_verbs_counts(verbs).messages == messages);
	pk_verbs_free(verbs);
	return 0;
}
