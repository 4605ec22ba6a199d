// SPDX-License-Identifier: GPL-3.0-or-later
#include "hand_made.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#define HEADER 64u
#define CHUNK 32u

void hand_put(struct hand_made *made, unsigned bytes, uint64_t value)
{
	if (made->count + bytes > HAND_MADE_MAX)
		abort();
	for (unsigned i = 0; i < bytes; i++)
		made->at[made->count++] = (uint8_t)(value >> (8 * i));
}

static void pad(struct hand_made *made)
{
	while (made->count % 8)
		hand_put(made, 1, 0);
}

void hand_put_text(struct hand_made *made, const char *text)
{
	for (; *text; text++)
		hand_put(made, 1, (uint8_t)*text);
	pad(made);
}

static void put_at(struct hand_made *made, size_t offset, unsigned bytes, uint64_t value)
{
	size_t count = made->count;

	made->count = made->begin + offset;
	hand_put(made, bytes, value);
	made->count = count;
}

static uint32_t u32_at(const struct hand_made *made, size_t offset)
{
	const uint8_t *at = made->at + made->begin + offset;

	return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

// XXH3-64 over the payload, seeded with XXH3-64 of the bytes before the checksum.
static void seal(struct hand_made *made, size_t head_bytes, size_t field, size_t payload_bytes)
{
	const uint8_t *head = made->at + made->begin;

	put_at(made, field, 8,
	       XXH3_64bits_withSeed(head + head_bytes, payload_bytes, XXH3_64bits(head, field)));
}

void hand_reseal(struct hand_made *made)
{
	if (made->in_chunk)
		seal(made, CHUNK, 24, u32_at(made, 4));
	else
		seal(made, HEADER, 56, u32_at(made, 40));
}

void hand_header(struct hand_made *made, const struct hand_header *header)
{
	made->count = made->begin = 0;
	made->in_chunk = false;
	hand_put(made, 8, 0x0a1a0a0d544c4689u); // 89 'F' 'L' 'T' 0d 0a 1a 0a
	hand_put(made, 2, header->major);
	hand_put(made, 2, header->minor);
	hand_put(made, 2, header->kind);
	hand_put(made, 2, header->record_bytes);
	hand_put(made, 8, header->ticks_per_s);
	hand_put(made, 8, (uint64_t)header->origin_s);
	hand_put(made, 4, header->origin_ns);
	hand_put(made, 4, header->flags);
	hand_put(made, 4, strlen(header->provenance));
	hand_put(made, 4, 0);
	hand_put(made, 8, 0);
	hand_put(made, 8, 0);
	hand_put_text(made, header->provenance);
	hand_reseal(made);
}

void hand_chunk(struct hand_made *made, char type, uint32_t count, int64_t time_ticks)
{
	made->begin = made->count;
	made->in_chunk = true;
	hand_put(made, 1, (uint8_t)type);
	hand_put(made, 3, 0);
	hand_put(made, 4, 0);
	hand_put(made, 4, 0);
	hand_put(made, 4, count);
	hand_put(made, 8, (uint64_t)time_ticks);
	hand_put(made, 8, 0);
}

void hand_chunk_end(struct hand_made *made)
{
	size_t payload_bytes = made->count - made->begin - CHUNK;

	pad(made);
	put_at(made, 4, 4, payload_bytes);
	put_at(made, 8, 4, payload_bytes);
	hand_reseal(made);
}

void hand_entry(struct hand_made *made, const struct hand_entry *entry)
{
	hand_put(made, 1, entry->kind);
	hand_put(made, 1, entry->role_or_protocol);
	hand_put(made, 2, strlen(entry->text));
	hand_put(made, 4, entry->id);
	hand_put(made, 4, entry->src);
	hand_put(made, 4, entry->dst);
	hand_put(made, 2, entry->src_port);
	hand_put(made, 2, entry->dst_port);
	hand_put(made, 4, 0);
	hand_put(made, 8, entry->value);
	hand_put_text(made, entry->text);
}

void hand_packet(struct hand_made *made, int64_t time_ticks, uint64_t id, uint32_t flow,
		 uint32_t src, uint32_t dst, uint32_t payload_bytes, uint32_t wire_bytes,
		 unsigned flags, unsigned class)
{
	hand_put(made, 8, (uint64_t)time_ticks);
	hand_put(made, 8, id);
	hand_put(made, 4, flow);
	hand_put(made, 4, src);
	hand_put(made, 4, dst);
	hand_put(made, 4, payload_bytes);
	hand_put(made, 4, wire_bytes);
	hand_put(made, 2, flags);
	hand_put(made, 1, class);
	hand_put(made, 1, 0);
}

void hand_trailer(struct hand_made *made, int64_t time_ticks, uint64_t records, uint64_t lost,
		  uint32_t flags)
{
	hand_chunk(made, 'T', 0, time_ticks);
	hand_put(made, 8, records);
	hand_put(made, 8, lost);
	hand_put(made, 4, flags);
	hand_put(made, 4, 0);
	hand_put(made, 8, 0);
	hand_chunk_end(made);
}
