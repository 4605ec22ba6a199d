// SPDX-License-Identifier: GPL-3.0-or-later
// Trace streams built byte by byte from the tables of flit-trace(5), without the library: an
// independent check of its writer, and a way to make streams that it would never write.
#ifndef TESTS_HAND_MADE_H
#define TESTS_HAND_MADE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HAND_MADE_MAX 262144u

// A growing stream. begin is the start of the last header or chunk.
struct hand_made {
	uint8_t at[HAND_MADE_MAX];
	size_t count;
	size_t begin;
	bool in_chunk; // begin is a chunk's
};

// Appends the least significant bytes of value, little-endian.
void hand_put(struct hand_made *made, unsigned bytes, uint64_t value);

// Appends text, padded with zeros to a multiple of 8 in the stream.
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

// Restarts the stream.
void hand_header(struct hand_made *made, const struct hand_header *header);

// Begins a chunk; then put its payload; hand_chunk_end fills in its sizes and checksum.
void hand_chunk(struct hand_made *made, char type, uint32_t count, int64_t time_ticks);
void hand_chunk_end(struct hand_made *made);

// Recomputes the checksum of the last header or chunk after its bytes were changed.
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
void hand_packet(struct hand_made *made, int64_t time_ticks, uint64_t id, uint32_t flow,
		 uint32_t src, uint32_t dst, uint32_t payload_bytes, uint32_t wire_bytes,
		 unsigned flags, unsigned class);

// The trailer's chunk.
void hand_trailer(struct hand_made *made, int64_t time_ticks, uint64_t records, uint64_t lost,
		  uint32_t flags);

#endif
