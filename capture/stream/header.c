// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream/header.h"

#include <string.h>

#include "value/little_endian.h"
#include "value/ticks.h"
#include "value/xxh3.h"

#define FLAG_UNSORTED 1u
#define TRAILER_LOST_KNOWN 1u
#define TRAILER_DAMAGED 2u
#define HEADER_HASHED_BYTES 56u
#define CHUNK_HASHED_BYTES 24u

// XXH3 of the payload, seeded with the XXH3 of the header bytes before the checksum field.
static uint64_t checksum_over(const uint8_t *head, size_t head_bytes, const uint8_t *payload,
			      size_t payload_bytes)
{
	return XXH3_64bits_withSeed(payload, payload_bytes, XXH3_64bits(head, head_bytes));
}

void tr_header_encode(const struct tr_header *header, const char *provenance,
		      size_t provenance_bytes, uint8_t *out)
{
	memset(out, 0, TR_HEADER_BYTES);
	memcpy(out, TR_MAGIC, TR_MAGIC_BYTES);
	tr_set_u16(out + 8, TR_VERSION_MAJOR);
	tr_set_u16(out + 10, TR_VERSION_MINOR);
	tr_set_u16(out + 12, (uint16_t)header->kind);
	tr_set_u16(out + 14, (uint16_t)header->record_bytes);
	tr_set_u64(out + 16, header->ticks_per_s);
	tr_set_u64(out + 24, (uint64_t)header->origin_s);
	tr_set_u32(out + 32, header->origin_ns);
	tr_set_u32(out + 36, header->unsorted ? FLAG_UNSORTED : 0);
	tr_set_u32(out + 40, (uint32_t)provenance_bytes);
	tr_set_u64(out + 56, checksum_over(out, HEADER_HASHED_BYTES, (const uint8_t *)provenance,
					   provenance_bytes));
}

enum tr_status tr_header_check(const struct tr_header *header, struct tr_error *err)
{
	if (header->kind == 0 || header->kind > UINT16_MAX)
		return tr_fail(err, "offset 12: record kind %u", header->kind);
	if (header->record_bytes < 8 || header->record_bytes > TR_RECORD_BYTES_MAX ||
	    header->record_bytes % 8)
		return tr_fail(err, "offset 14: record size %u; expected a multiple of 8 up to %u",
			       header->record_bytes, TR_RECORD_BYTES_MAX);
	if (header->ticks_per_s == 0 || header->ticks_per_s > TR_TICKS_PER_S_MAX)
		return tr_fail(err, "offset 16: %llu ticks per second; expected 1 to 2^62",
			       (unsigned long long)header->ticks_per_s);
	if (header->origin_ns >= 1000000000u)
		return tr_fail(err, "offset 32: %u nanoseconds; expected less than 1000000000",
			       header->origin_ns);
	return TR_OK;
}

enum tr_status tr_header_decode(const uint8_t *in, struct tr_header *header,
				size_t *provenance_bytes, struct tr_error *err)
{
	if (memcmp(in, TR_MAGIC, TR_MAGIC_BYTES) != 0)
		return tr_fail(err, "offset 0: not a flitline trace stream");
	*header = (struct tr_header){
		.minor = tr_get_u16(in + 10),
		.kind = tr_get_u16(in + 12),
		.record_bytes = tr_get_u16(in + 14),
		.ticks_per_s = tr_get_u64(in + 16),
		.origin_s = (int64_t)tr_get_u64(in + 24),
		.origin_ns = tr_get_u32(in + 32),
		.unsorted = tr_get_u32(in + 36) & FLAG_UNSORTED,
	};
	*provenance_bytes = tr_get_u32(in + 40);
	if (tr_get_u16(in + 8) != TR_VERSION_MAJOR)
		return tr_fail(err, "offset 8: version %u; this program reads version %u",
			       tr_get_u16(in + 8), TR_VERSION_MAJOR);
	if (tr_header_check(header, err) != TR_OK)
		return TR_ERROR;
	if (*provenance_bytes > TR_PROVENANCE_MAX)
		return tr_fail(err, "offset 40: %zu bytes of provenance; expected at most %u",
			       *provenance_bytes, TR_PROVENANCE_MAX);
	return TR_OK;
}

bool tr_header_verify(const uint8_t *in, const uint8_t *provenance, size_t provenance_bytes)
{
	return checksum_over(in, HEADER_HASHED_BYTES, provenance, provenance_bytes) ==
	       tr_get_u64(in + 56);
}

void tr_chunk_encode(const struct tr_chunk *chunk, const uint8_t *payload, uint8_t *out)
{
	out[0] = chunk->type;
	out[1] = chunk->compressed;
	tr_set_u16(out + 2, 0);
	tr_set_u32(out + 4, chunk->stored_bytes);
	tr_set_u32(out + 8, chunk->raw_bytes);
	tr_set_u32(out + 12, chunk->count);
	tr_set_u64(out + 16, (uint64_t)chunk->time_ticks);
	tr_set_u64(out + 24, checksum_over(out, CHUNK_HASHED_BYTES, payload, chunk->stored_bytes));
}

enum tr_status tr_chunk_decode(const uint8_t *in, struct tr_chunk *chunk, struct tr_error *err)
{
	*chunk = (struct tr_chunk){
		.type = in[0],
		.compressed = in[1],
		.stored_bytes = tr_get_u32(in + 4),
		.raw_bytes = tr_get_u32(in + 8),
		.count = tr_get_u32(in + 12),
		.time_ticks = (int64_t)tr_get_u64(in + 16),
		.checksum = tr_get_u64(in + 24),
	};
	if (chunk->type != TR_CHUNK_RECORDS && chunk->type != TR_CHUNK_NAMES &&
	    chunk->type != TR_CHUNK_TRAILER)
		return tr_fail(err, "chunk of unknown type 0x%02x", chunk->type);
	if (in[1] > 1 || tr_get_u16(in + 2) != 0)
		return tr_fail(err, "chunk with unknown compression %u", in[1]);
	if (chunk->raw_bytes > TR_BLOCK_MAX || chunk->stored_bytes > TR_BLOCK_MAX ||
	    (!chunk->compressed && chunk->raw_bytes != chunk->stored_bytes))
		return tr_fail(err, "chunk of %u bytes stored as %u; expected at most %u",
			       chunk->raw_bytes, chunk->stored_bytes, TR_BLOCK_MAX);
	return TR_OK;
}

bool tr_chunk_verify(const uint8_t *in, const uint8_t *payload, const struct tr_chunk *chunk)
{
	return checksum_over(in, CHUNK_HASHED_BYTES, payload, chunk->stored_bytes) ==
	       chunk->checksum;
}

void tr_trailer_encode(const struct tr_trailer *trailer, uint8_t *out)
{
	memset(out, 0, TR_TRAILER_BYTES);
	tr_set_u64(out, trailer->records);
	tr_set_u64(out + 8, trailer->lost);
	tr_set_u32(out + 16, (trailer->lost_known ? TRAILER_LOST_KNOWN : 0) |
				     (trailer->damaged ? TRAILER_DAMAGED : 0));
}

void tr_trailer_decode(const uint8_t *in, struct tr_trailer *trailer)
{
	uint32_t flags = tr_get_u32(in + 16);

	*trailer = (struct tr_trailer){
		.records = tr_get_u64(in),
		.lost = tr_get_u64(in + 8),
		.lost_known = flags & TRAILER_LOST_KNOWN,
		.damaged = flags & TRAILER_DAMAGED,
	};
}

bool tr_padding_is_zero(const uint8_t *data, size_t size_bytes)
{
	for (size_t i = size_bytes; i < tr_padded(size_bytes); i++)
		if (data[i] != 0)
			return false;
	return true;
}
