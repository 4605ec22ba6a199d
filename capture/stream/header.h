// SPDX-License-Identifier: GPL-3.0-or-later
// The stream's header, chunk header and trailer: the bytes of man/flit-trace.5, encoded and
// decoded here and nowhere else.
#ifndef STREAM_HEADER_H
#define STREAM_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "value/status.h"

#define TR_MAGIC \
	"\x89" \
	"FLT\r\n\x1a\n"
#define TR_MAGIC_BYTES 8u
#define TR_VERSION_MAJOR 1u
#define TR_VERSION_MINOR 0u
#define TR_HEADER_BYTES 64u
#define TR_CHUNK_HEADER_BYTES 32u
#define TR_TRAILER_BYTES 32u
#define TR_BLOCK_MAX 65536u	 // bytes of records, or of names, in one chunk before compression
#define TR_PROVENANCE_MAX 65536u // bytes of provenance in all
#define TR_RECORD_BYTES_MAX 4096u

// What a stream is. Zero ticks_per_s is not valid.
struct tr_header {
	unsigned kind;	       // enum tr_kind
	unsigned record_bytes; // on the stream; 0 when writing: the kind's own size
	uint64_t ticks_per_s;  // 1 .. 2^62
	int64_t origin_s;      // wall clock of tick 0: seconds since the Unix epoch
	uint32_t origin_ns;    // and nanoseconds, below 1e9
	bool unsorted;	       // records may step back in time
	unsigned minor;	       // version read; set by the reader
};

enum tr_chunk_type { TR_CHUNK_RECORDS = 'R', TR_CHUNK_NAMES = 'N', TR_CHUNK_TRAILER = 'T' };

struct tr_chunk {
	uint8_t type;	       // enum tr_chunk_type
	bool compressed;       // zstd
	uint32_t stored_bytes; // payload on the stream, without padding to 8
	uint32_t raw_bytes;    // payload before compression
	uint32_t count;	       // records or entries
	int64_t time_ticks;    // the stream is complete up to here
	uint64_t checksum;
};

// How a stream ended. lost counts frames that the capture could not keep.
struct tr_trailer {
	uint64_t records;
	uint64_t lost;
	bool lost_known;
	bool damaged; // made from a damaged input, used up to the damage
};

// Whether a stream may have this header, record_bytes included; TR_ERROR names the field's offset.
enum tr_status tr_header_check(const struct tr_header *header, struct tr_error *err);

// Fills out[TR_HEADER_BYTES] for a provenance of provenance_bytes bytes, checksum included.
void tr_header_encode(const struct tr_header *header, const char *provenance,
		      size_t provenance_bytes, uint8_t *out);

// Reads the 64 bytes at in. TR_ERROR with the field and what was found; *provenance_bytes bytes of
// provenance (padded to 8) follow. The checksum is tested by tr_header_verify.
enum tr_status tr_header_decode(const uint8_t *in, struct tr_header *header,
				size_t *provenance_bytes, struct tr_error *err);

// Whether the checksum in the 64 bytes at in is right for them and the provenance.
bool tr_header_verify(const uint8_t *in, const uint8_t *provenance, size_t provenance_bytes);

// Whether the padding after size_bytes bytes at data is zero.
bool tr_padding_is_zero(const uint8_t *data, size_t size_bytes);

// Fills out[TR_CHUNK_HEADER_BYTES], computing the checksum over it and payload (stored_bytes).
void tr_chunk_encode(const struct tr_chunk *chunk, const uint8_t *payload, uint8_t *out);

// Reads the 32 bytes at in; TR_ERROR where a field is outside its range.
enum tr_status tr_chunk_decode(const uint8_t *in, struct tr_chunk *chunk, struct tr_error *err);

// Whether the chunk's checksum is right for its header bytes at in and the payload.
bool tr_chunk_verify(const uint8_t *in, const uint8_t *payload, const struct tr_chunk *chunk);

// Fills out[TR_TRAILER_BYTES], and reads it back.
void tr_trailer_encode(const struct tr_trailer *trailer, uint8_t *out);
void tr_trailer_decode(const uint8_t *in, struct tr_trailer *trailer);

#endif
