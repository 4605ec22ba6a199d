// SPDX-License-Identifier: GPL-3.0-or-later
// MPICH's ch4:ucx over UCX's transport tcp. As of UCX 1.8 to 1.19, from src/uct/tcp/tcp.h,
// src/ucp/core/ucp_types.h, src/ucp/tag/eager.h and src/ucp/rndv/rndv.h; and of MPICH 3.4 to 4.2,
// src/mpid/ch4/netmod/ucx/ucx_types.h.
//
// The side that connects begins with a magic number of 8 bytes. Then each active message has a u8
// id and a u32 length of what follows it; the numbers are little-endian (UCX runs on no other
// hosts). Of those that carry MPI's messages, the offsets after these 5 bytes are:
//
//   eager, whole          0 tag; then the data
//   eager, first          0 tag, 8 size of the message, 16 its name; data
//   eager, next           0 name, 8 offset; data
//   request (RTS)         0 tag, 16 the request's name, 24 address, 32 size
//   answer (RTR)          0 the request's name, 8 the answer's, 16 address, 24 size, 32 offset
//   data of an answer     0 the answer's name, 8 offset; data
//   data into memory      0 address, 8 length, 16 sequence number; the data come after the active
//                         message
//   end of such (ATP)     0 the answer's name, 8 status (1 byte), 9 size (from version 1.12 on)
//
// MPICH's tag of 64 bits: context (16), rank of the source in it (16), MPI's tag (32).
#include "packet/checked_bytes.h"
#include "packet/headers.h"

#define PREFIX_BYTES 5u
#define MAGIC UINT64_C(0xcafebabe12345678)
#define MAGIC_BYTES 8u
#define LENGTH_MAX (1u << 30) // larger is no header
#define FRAME_MAX \
	65536u // of an active message that is recognised; UCX_TCP_TX_SEG_SIZE is 8 KiB by default
#define SIZE_OFFSET (PREFIX_BYTES + 32u)
#define SIZE_KNOWN_BYTES 5u // its lower bytes
#define ADDRESS_END (PREFIX_BYTES + 24u)
#define OFFSET_END (PREFIX_BYTES + 40u)

enum id {
	WIREUP = 1,
	EAGER_ONLY = 2,
	EAGER_FIRST = 3,
	EAGER_NEXT = 4,
	EAGER_SYNC_ONLY = 6,
	EAGER_SYNC_FIRST = 7,
	EAGER_SYNC_END = 8,
	REQUEST = 9,
	ANSWER = 11,
	ANSWER_DATA = 12,
	MEMORY_END = 16,
	LAST_OF_UCP = 31,
	CONNECT = 32,
	MEMORY_DATA = 33,
	MEMORY_DATA_END = 34,
	KEEPALIVE = 35,
};

// Bytes after the prefix that are a header's, and whether more can follow.
struct ucx_shape {
	uint8_t header_bytes;
	bool data;
};

static struct ucx_shape shape_of(uint8_t id)
{
	switch (id) {
	case EAGER_ONLY: return (struct ucx_shape){8, true};
	case EAGER_FIRST: return (struct ucx_shape){24, true};
	case EAGER_NEXT: return (struct ucx_shape){16, true};
	case EAGER_SYNC_ONLY: return (struct ucx_shape){24, true};
	case EAGER_SYNC_FIRST: return (struct ucx_shape){40, true};
	case REQUEST: return (struct ucx_shape){40, true};
	case ANSWER: return (struct ucx_shape){40, true};
	case ANSWER_DATA: return (struct ucx_shape){16, true};
	case MEMORY_END: return (struct ucx_shape){9, true}; // 17 from version 1.12 on
	case MEMORY_DATA: return (struct ucx_shape){20, false};
	case MEMORY_DATA_END: return (struct ucx_shape){4, false};
	default: return (struct ucx_shape){0, true};
	}
}

static bool ucx_prefix_fits(const uint8_t *header)
{
	const struct ucx_shape shape = shape_of(header[0]);
	const uint32_t length = pk_le32(header + 1);

	return header[0] >= WIREUP && header[0] <= KEEPALIVE && length <= LENGTH_MAX &&
	       (length == shape.header_bytes || (shape.data && length > shape.header_bytes));
}

// Length of a header's part after its prefix.
static uint32_t header_length(const uint8_t *header)
{
	return header[0] == MEMORY_END && pk_le32(header + 1) == 17
		       ? 17
		       : shape_of(header[0]).header_bytes;
}

// Whether a header that begins a segment goes on as it says: it ends with the segment, another
// header comes, or the rest lies beyond.
static bool goes_on(const uint8_t *bytes, size_t known_bytes, uint32_t segment_bytes)
{
	const uint32_t whole = PREFIX_BYTES + pk_le32(bytes + 1);

	if (whole >= segment_bytes)
		return whole == segment_bytes || whole <= PREFIX_BYTES + FRAME_MAX;
	return known_bytes < whole + PREFIX_BYTES || ucx_prefix_fits(bytes + whole);
}

// Ids are small numbers, so data may look like them: sure is what has a length of its own or fills
// the segment.
static unsigned ucx_recognise(const uint8_t *bytes, size_t known_bytes, uint32_t segment_bytes)
{
	uint32_t length;

	if (known_bytes < PREFIX_BYTES || !ucx_prefix_fits(bytes) ||
	    !goes_on(bytes, known_bytes, segment_bytes))
		return 0;
	length = pk_le32(bytes + 1);
	switch (bytes[0]) {
	case MEMORY_DATA:
		return known_bytes >= PREFIX_BYTES + 16 && pk_u64(bytes + 13, false) <= LENGTH_MAX
			       ? 2
			       : 0;
	case REQUEST:
	case ANSWER: return length <= 255 ? 2 : 0;
	case MEMORY_END: return length == 9 || length == 17 ? 2 : 0;
	case MEMORY_DATA_END: return 2;
	case EAGER_ONLY:
	case EAGER_FIRST:
	case EAGER_NEXT:
	case ANSWER_DATA:
		return length + PREFIX_BYTES == segment_bytes ? 2 : length <= FRAME_MAX ? 1 : 0;
	default: return length && length + PREFIX_BYTES == segment_bytes ? 1 : 0;
	}
}

static int ucx_opening(const uint8_t *bytes, size_t known_bytes, uint32_t *rank)
{
	(void)rank;
	for (size_t i = 0; i < known_bytes && i < MAGIC_BYTES; i++)
		if (bytes[i] != (uint8_t)(MAGIC >> 8 * i))
			return 0;
	return known_bytes < MAGIC_BYTES ? -1 : (int)MAGIC_BYTES;
}

static size_t ucx_header_bytes(struct pk_reader *reader)
{
	if (!ucx_prefix_fits(reader->header))
		return 0;
	return PREFIX_BYTES + header_length(reader->header);
}

// Takes an eager message, of which the header gives the tag and, in the first of several, the size
// and name.
static void take_eager(struct pk_reader *reader, uint32_t data_bytes, bool several)
{
	const uint8_t *header = reader->header + PREFIX_BYTES;
	const uint64_t tag = pk_u64(header, false);
	const uint32_t context = (uint32_t)(tag >> 48);
	const struct tr_message message = {
		.size_bytes = several ? pk_u64(header + 8, false) : data_bytes,
		.tag = (int32_t)(uint32_t)tag,
		.communicator = context,
		.operation = TR_OP_SEND,
		.flags = TR_MESSAGE_EAGER,
		.src_rank = context <= 1 ? (uint32_t)(tag >> 32) & 0xffff : PK_NO_RANK,
	};
	uint32_t number;

	if (reader->known_bytes < PREFIX_BYTES + (several ? 24u : 8u)) {
		pk_reader_miss(reader);
		reader->found->unseen++;
		return;
	}
	if (message.src_rank != PK_NO_RANK && *reader->rank == PK_NO_RANK)
		*reader->rank = message.src_rank;
	number = pk_reader_begin(reader, &message, true);
	if (number != PK_NO_MESSAGE && several)
		reader->unfinished[number].request = pk_u64(header + 16, false);
	pk_reader_body(reader, data_bytes, number);
}

// Takes a request, whose size may have been cut off: then it is that of the data that come.
static void take_request(struct pk_reader *reader)
{
	const uint8_t *header = reader->header + PREFIX_BYTES;
	const uint64_t tag = pk_u64(header, false);
	const uint32_t context = (uint32_t)(tag >> 48);
	const bool size_known = reader->known_bytes >= SIZE_OFFSET + SIZE_KNOWN_BYTES;
	const struct tr_message message = {
		.size_bytes = size_known ? pk_u64(header + 32, false) : 0,
		.tag = (int32_t)(uint32_t)tag,
		.communicator = context,
		.operation = TR_OP_SEND,
		.flags = TR_MESSAGE_RENDEZVOUS,
		.src_rank = context <= 1 ? (uint32_t)(tag >> 32) & 0xffff : PK_NO_RANK,
	};
	uint32_t number;

	if (reader->known_bytes < PREFIX_BYTES + 24) {
		pk_reader_miss(reader);
		reader->found->unseen++;
		return;
	}
	if (message.src_rank != PK_NO_RANK && *reader->rank == PK_NO_RANK)
		*reader->rank = message.src_rank;
	number = pk_reader_begin(reader, &message, size_known);
	if (number != PK_NO_MESSAGE)
		reader->unfinished[number].request = pk_u64(header + 16, false);
}

static void take_answer(struct pk_reader *reader)
{
	const uint8_t *header = reader->header + PREFIX_BYTES;
	const uint64_t offset = reader->known_bytes >= OFFSET_END ? pk_u64(header + 32, false) : 0;

	if (reader->known_bytes >= ADDRESS_END)
		pk_reader_grant(reader->other, pk_u64(header, false), pk_u64(header + 8, false),
				pk_u64(header + 16, false) - offset);
}

static void ucx_take_end(struct pk_reader *reader)
{
	const uint8_t *header = reader->header + PREFIX_BYTES;
	const bool size_known = pk_le32(reader->header + 1) == 17 &&
				reader->known_bytes >= PREFIX_BYTES + 17;

	if (reader->known_bytes >= PREFIX_BYTES + 8)
		pk_reader_conclude(reader, pk_u64(header, false),
				   size_known ? pk_u64(header + 9, false) : 0);
}

// Data into memory come after the active message.
static bool take_memory_data(struct pk_reader *reader)
{
	const uint8_t *header = reader->header + PREFIX_BYTES;
	const uint64_t bytes = pk_u64(header + 8, false);

	if (reader->known_bytes < PREFIX_BYTES + 16 || bytes > (uint64_t)LENGTH_MAX << 10)
		return false;
	pk_reader_body(reader, bytes,
		       pk_reader_find(reader, PK_BY_ADDRESS, pk_u64(header, false), bytes));
	return true;
}

static bool ucx_take(struct pk_reader *reader)
{
	const uint8_t *header = reader->header;
	const uint32_t data_bytes = pk_le32(header + 1) - header_length(header);
	const bool key_known = reader->known_bytes >= PREFIX_BYTES + 8;
	const uint64_t key = key_known ? pk_u64(header + PREFIX_BYTES, false) : 0;

	pk_reader_body(reader, data_bytes, PK_NO_MESSAGE);
	switch (header[0]) {
	case EAGER_ONLY:
	case EAGER_SYNC_ONLY: take_eager(reader, data_bytes, false); break;
	case EAGER_FIRST:
	case EAGER_SYNC_FIRST: take_eager(reader, data_bytes, true); break;
	case EAGER_NEXT:
		pk_reader_body(reader, data_bytes,
			       pk_reader_find(reader, PK_BY_REQUEST, key, data_bytes));
		break;
	case REQUEST: take_request(reader); break;
	case ANSWER: take_answer(reader); break;
	case ANSWER_DATA:
		pk_reader_body(reader, data_bytes,
			       pk_reader_find(reader, PK_BY_REPLY, key, data_bytes));
		break;
	case MEMORY_END: ucx_take_end(reader); break;
	case MEMORY_DATA: return take_memory_data(reader);
	default: break;
	}
	return true;
}

const struct pk_transport pk_transport_ucx = {
	.name = "UCX",
	.prefix_bytes = PREFIX_BYTES,
	.recognise = ucx_recognise,
	.opening = ucx_opening,
	.header_bytes = ucx_header_bytes,
	.take = ucx_take,
};
