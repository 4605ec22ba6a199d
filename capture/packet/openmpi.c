// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI over TCP: the point-to-point layer ob1 over the byte transfer layer tcp. As of versions
// 1.6 to 5.0, from opal/mca/btl/tcp/btl_tcp_hdr.h, btl_tcp.c and btl_tcp_endpoint.h,
// opal/mca/btl/btl.h and ompi/mca/pml/ob1/pml_ob1_hdr.h.
//
// A direction begins with the sender's name and the magic text (from version 3 on; before, with the
// name alone). Then each header of 8 bytes says what follows it:
//
//   0  u8   tag: ob1's are those of enum type below
//   1  u8   1 a header of ob1 and its data; 2 data into the receiver's memory; 4 the connection
//           ends
//   2  u16  number of segments (type 2)
//   4  u32  bytes that follow
//
// Types 1: ob1's header begins with the tag again. Its offsets from the header's begin, for a
// message: 10 u16 communicator, 12 u32 rank of the source in it, 16 i32 tag, 20 u16 sequence number
// among the communicator's messages to this rank; a request also has 24 u64 size, 32 u64 the
// request's name. Type 2: 16 bytes a segment: address, length.
//
// Numbers have the sender's byte order, or network order if the two hosts differ. A build for
// heterogeneous hosts has 2 more bytes in the header of an eager message, which then count as the
// message's, since the stream does not show the kind of build.
#include "packet/checked_bytes.h"
#include "packet/headers.h"

#define PREFIX_BYTES 8u
#define HANDSHAKE_BYTES 24u
#define MAGIC_OFFSET 8u
#define MATCH_BYTES (PREFIX_BYTES + 14u)
#define REQUEST_BYTES (PREFIX_BYTES + 32u)
#define REQUEST_KNOWN_BYTES 30u // up to the size's lower 6 bytes
#define FRAGMENT_BYTES (PREFIX_BYTES + 32u)
#define GRANT_BYTES (PREFIX_BYTES + 56u)
#define SEGMENT_BYTES 16u
#define SEGMENTS_MAX 4u
#define FOLLOWING_MAX (1u << 30) // larger is no header
#define TAG_BTL 0x20

enum { SEND = 1, PUT = 2, FIN = 4 };

enum openmpi_type {
	MATCH = 0x41,
	REQUEST = 0x42,
	REQUEST_GET = 0x43,
	ACKNOWLEDGEMENT = 0x44,
	REFUSAL = 0x45,
	FRAGMENT = 0x46,
	GET = 0x47,
	GRANT = 0x48, // "put"
	FINISHED = 0x49,
	FIRST_IN_COMMUNICATOR =
		0x4a, // from version 5 on: then a message's or request's header follows
};

#define COMMUNICATOR_BYTES 32u // of the header of FIRST_IN_COMMUNICATOR

// Bytes of ob1's headers, and whether data can follow.
static const struct {
	uint8_t header_bytes;
	bool data;
} types[] = {
	[MATCH - MATCH] = {14, true},
	[REQUEST - MATCH] = {32, true},
	[REQUEST_GET - MATCH] = {48, true},
	[ACKNOWLEDGEMENT - MATCH] = {40, false},
	[REFUSAL - MATCH] = {0, true},
	[FRAGMENT - MATCH] = {32, true},
	[GET - MATCH] = {0, true},
	[GRANT - MATCH] = {56, true},
	[FINISHED - MATCH] = {24, false},
	[FIRST_IN_COMMUNICATOR - MATCH] = {COMMUNICATOR_BYTES + 14, true},
};

static bool is_ob1(uint8_t tag)
{
	return tag >= MATCH && tag <= FIRST_IN_COMMUNICATOR;
}

static bool openmpi_prefix_fits(const uint8_t *header, bool big_endian)
{
	const uint8_t tag = header[0];
	const uint32_t count = pk_u16(header + 2, big_endian),
		       bytes = pk_u32(header + 4, big_endian);

	switch (header[1]) {
	case SEND:
		if (count != 0 || bytes > FOLLOWING_MAX || tag < 0x10)
			return false;
		return !is_ob1(tag) || bytes == types[tag - MATCH].header_bytes ||
		       (types[tag - MATCH].data && bytes > types[tag - MATCH].header_bytes);
	case PUT:
		return count >= 1 && count <= SEGMENTS_MAX && bytes <= FOLLOWING_MAX &&
		       tag <= TAG_BTL;
	case FIN: return count == 0 && bytes == 0;
	default: return false;
	}
}

// Whether the segments' lengths make up the bytes of a PUT.
static bool segments_fit(const uint8_t *header, bool big_endian)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < pk_u16(header + 2, big_endian); i++)
		sum += pk_u64(header + PREFIX_BYTES + i * SEGMENT_BYTES + 8, big_endian);
	return sum == pk_u32(header + 4, big_endian) && sum;
}

static unsigned recognise_in(const uint8_t *bytes, size_t known_bytes, uint32_t segment_bytes,
			     bool big_endian)
{
	if (!openmpi_prefix_fits(bytes, big_endian))
		return 0;
	if (bytes[1] == SEND)
		return is_ob1(bytes[0]) && known_bytes > PREFIX_BYTES &&
				       bytes[PREFIX_BYTES] == bytes[0]
			       ? 2
			       : 0;
	if (bytes[1] == PUT) {
		if (known_bytes < PREFIX_BYTES + pk_u16(bytes + 2, big_endian) * SEGMENT_BYTES)
			return 0;
		return segments_fit(bytes, big_endian) ? 2 : 0;
	}
	return segment_bytes == PREFIX_BYTES ? 1 : 0;
}

static unsigned openmpi_recognise(const uint8_t *bytes, size_t known_bytes, uint32_t segment_bytes)
{
	unsigned little, big;

	if (known_bytes < PREFIX_BYTES)
		return 0;
	little = recognise_in(bytes, known_bytes, segment_bytes, false);
	big = recognise_in(bytes, known_bytes, segment_bytes, true);
	return big > little ? big : little;
}

// The name is job and rank, 4 bytes each: in the sender's order, or network order if the two hosts
// differ. Ranks are small.
static int openmpi_opening(const uint8_t *bytes, size_t known_bytes, uint32_t *rank)
{
	static const char magic[] = "OPAL-TCP-BTL"; // the bytes after its end are any

	for (size_t i = MAGIC_OFFSET; i < known_bytes && i < MAGIC_OFFSET + sizeof(magic); i++)
		if (bytes[i] != (uint8_t)magic[i - MAGIC_OFFSET])
			return 0;
	if (known_bytes < HANDSHAKE_BYTES)
		return -1;
	*rank = pk_be32(bytes + 4) < pk_le32(bytes + 4) ? pk_be32(bytes + 4) : pk_le32(bytes + 4);
	return HANDSHAKE_BYTES;
}

// The byte order in which the header fits; of both, that in which less follows it.
static bool is_big_endian(const uint8_t *header)
{
	return openmpi_prefix_fits(header, true) &&
	       (!openmpi_prefix_fits(header, false) || pk_be32(header + 4) < pk_le32(header + 4));
}

static size_t openmpi_header_bytes(struct pk_reader *reader)
{
	const uint8_t *header = reader->header;
	size_t bytes;

	if (!reader->ordered)
		reader->big_endian = is_big_endian(header);
	reader->ordered = true;

	if (!openmpi_prefix_fits(header, reader->big_endian))
		return 0;
	if (header[1] == PUT)
		return PREFIX_BYTES + pk_u16(header + 2, reader->big_endian) * SEGMENT_BYTES;
	if (header[1] == FIN || !is_ob1(header[0]))
		return PREFIX_BYTES;
	bytes = types[header[0] - MATCH].header_bytes;
	if (header[0] == FIRST_IN_COMMUNICATOR &&
	    pk_u32(header + 4, reader->big_endian) >=
		    COMMUNICATOR_BYTES + REQUEST_BYTES - PREFIX_BYTES)
		bytes = COMMUNICATOR_BYTES + REQUEST_BYTES - PREFIX_BYTES;
	return PREFIX_BYTES + bytes;
}

// Takes a message's header of which known_bytes are known: offsets are as above. bytes: all that
// ob1 sends with it from offset 8 on; body_bytes of them are still to come.
static void openmpi_take_message(struct pk_reader *reader, const uint8_t *header,
				 size_t known_bytes, uint32_t bytes, uint32_t body_bytes)
{
	const bool big = reader->big_endian;
	const bool asks = header[known_bytes > PREFIX_BYTES ? PREFIX_BYTES : 0] == REQUEST;
	const uint16_t context = pk_u16(header + 10, big);
	const uint32_t data_bytes = bytes - ((asks ? REQUEST_BYTES : MATCH_BYTES) - PREFIX_BYTES);
	struct tr_message message = {
		.size_bytes = asks ? pk_u64(header + 24, big) : data_bytes,
		.tag = (int32_t)pk_u32(header + 16, big),
		.communicator = context,
		.operation = TR_OP_SEND,
		.flags = asks ? TR_MESSAGE_RENDEZVOUS : TR_MESSAGE_EAGER,
		.src_rank = context == 0 ? pk_u32(header + 12, big) : PK_NO_RANK,
	};
	uint32_t number;

	if (known_bytes < (asks ? REQUEST_KNOWN_BYTES : MATCH_BYTES)) {
		pk_reader_miss(reader);
		if (asks)
			return;
		message = pk_reader_untold(reader, data_bytes);
	} else {
		pk_reader_sequence(reader, &message, pk_u16(header + 20, big), MATCH_BYTES);
		if (context == 0 && *reader->rank == PK_NO_RANK)
			*reader->rank = message.src_rank;
	}
	number = pk_reader_begin(reader, &message, true);
	if (number == PK_NO_MESSAGE)
		return;
	if (asks && known_bytes >= REQUEST_BYTES)
		reader->unfinished[number].request = pk_u64(header + 32, big);
	if (!asks)
		reader->unfinished[number].left_bytes = body_bytes;
	if (body_bytes || !message.size_bytes || !asks)
		pk_reader_body(reader, body_bytes, number);
}

// The sender's order of the receiver's answers: the memory that the message goes to, less its
// offset in the message.
static void take_grant(struct pk_reader *reader)
{
	const uint8_t *header = reader->header;
	const bool big = reader->big_endian;
	const uint64_t request = reader->known_bytes >= 24 ? pk_u64(header + 16, big) : 0;

	pk_reader_grant(reader->other, request,
			reader->known_bytes >= 32 ? pk_u64(header + 24, big) : 0,
			reader->known_bytes >= PREFIX_BYTES + 48u
				? pk_u64(header + 48, big) - pk_u64(header + 40, big)
				: 0);
}

static bool take_ob1(struct pk_reader *reader)
{
	const uint8_t *header = reader->header;
	const bool big = reader->big_endian;
	const uint32_t bytes = pk_u32(header + 4, big);
	const uint32_t body_bytes = bytes - (uint32_t)(reader->have_bytes - PREFIX_BYTES);

	if (reader->known_bytes > PREFIX_BYTES && header[PREFIX_BYTES] != header[0])
		return false;
	pk_reader_body(reader, body_bytes, PK_NO_MESSAGE);
	switch (header[0]) {
	case MATCH:
	case REQUEST:
		openmpi_take_message(reader, header, reader->known_bytes, bytes, body_bytes);
		break;
	case FIRST_IN_COMMUNICATOR:
		if (reader->known_bytes < COMMUNICATOR_BYTES + MATCH_BYTES)
			pk_reader_miss(reader);
		else
			openmpi_take_message(reader, header + COMMUNICATOR_BYTES,
					     reader->known_bytes - COMMUNICATOR_BYTES,
					     bytes - COMMUNICATOR_BYTES, body_bytes);
		break;
	case FRAGMENT:
		pk_reader_body(reader, body_bytes,
			       pk_reader_find(reader, PK_BY_REQUEST,
					      reader->known_bytes >= REQUEST_KNOWN_BYTES
						      ? pk_u64(header + 24, big)
						      : 0,
					      body_bytes));
		break;
	case GRANT: take_grant(reader); break;
	case FINISHED:
		pk_reader_conclude(reader, reader->known_bytes >= 32 ? pk_u64(header + 24, big) : 0,
				   0);
		break;
	case ACKNOWLEDGEMENT:
		pk_reader_grant(reader->other,
				reader->known_bytes >= 24 ? pk_u64(header + 16, big) : 0, 0, 0);
		break;
	default: break;
	}
	return true;
}

static bool openmpi_take(struct pk_reader *reader)
{
	const uint8_t *header = reader->header;
	const bool big = reader->big_endian;
	const uint32_t bytes = pk_u32(header + 4, big);

	if (header[1] == PUT) {
		if (reader->known_bytes < PREFIX_BYTES + SEGMENT_BYTES ||
		    (reader->known_bytes == reader->have_bytes && !segments_fit(header, big)))
			return false;
		pk_reader_body(reader, bytes,
			       pk_reader_find(reader, PK_BY_ADDRESS,
					      pk_u64(header + PREFIX_BYTES, big), bytes));
		return true;
	}
	if (header[1] == SEND && is_ob1(header[0]))
		return take_ob1(reader);
	pk_reader_body(reader, bytes, PK_NO_MESSAGE);
	return true;
}

const struct pk_transport pk_transport_openmpi = {
	.name = "Open MPI",
	.prefix_bytes = PREFIX_BYTES,
	.numbers = true,
	.recognise = openmpi_recognise,
	.opening = openmpi_opening,
	.header_bytes = openmpi_header_bytes,
	.take = openmpi_take,
};
