// SPDX-License-Identifier: GPL-3.0-or-later
// Trace streams put together byte by byte from the tables of flit-trace(5), without the library: the second
// opinion that its writer is compared with, and the way to make streams that it would never write.
#ifndef TESTS_HAND_MADE_H
#define TESTS_HAND_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAND_MADE_MAX 262144u

// A stream that grows. begin is where the last header or chunk begins.
struct hand_made {
	uint8_t at[HAND_MADE_MAX];
	size_t count;
	size_t begin;
	bool in_chunk; // begin is a chunk's
};

// The least significant bytes of value, first byte first.
void hand_put(struct hand_made *made, unsigned bytes, uint64_t value);

// Text, with zeros up to the next multiple of 8 of the stream.
void hand_put_text(struct hand_made *made, const char *text);

// The 64 bytes of a header with its provenance.
struct hand_header {
	unsigned major, minor, kind, record_bytes;
	uint64_t ticks_per_s;
	int64_t origin_s;
	uint32_t origin_ns;
	uint32_t flags;
	const char *provenance;
};

// Starts the stream anew.
void hand_header(struct hand_made *made, const struct hand_header *header);

// Begins a chunk, whose payload is then put; hand_chunk_end fills in its sizes and checksum.
void hand_chunk(struct hand_made *made, char type, uint32_t count, int64_t time_ticks);
void hand_chunk_end(struct hand_made *made);

// Makes the checksum of the last header or chunk hold again after its bytes were changed.
void hand_reseal(struct hand_made *made);

// One entry of a names chunk.
struct hand_entry {
	unsigned kind, role_or_protocol;
	uint32_t id, src, dst;
	unsigned src_port, dst_port;
	uint64_t value;
	const char *text;
};

void hand_entry(struct hand_made *made, const struct hand_entry *entry);

// A whole packet record of 40 bytes.
void hand_packet(struct hand_made *made, int64_t time_ticks, uint64_t id, uint32_t flow, uint32_t src, uint32_t dst,
		 uint32_t payload_bytes, uint32_t wire_bytes, unsigned flags, unsigned class);

// The trailer's chunk.
void hand_trailer(struct hand_made *made, int64_t time_ticks, uint64_t records, uint64_t lost, uint32_t flags);

#endif
