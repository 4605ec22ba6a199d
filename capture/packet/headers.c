// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/headers.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define SURE 2u

static const struct pk_transport *const transports[] = {
#define ROW(name) &pk_transport_##name,
	PK_TRANSPORTS(ROW)
#undef ROW
};
#define TRANSPORT_COUNT (sizeof(transports) / sizeof(transports[0]))

// ---- following the direction

static struct pk_length *length_of(struct pk_found *found, uint64_t bytes)
{
	unsigned at = 0;

	while (at + 1 < PK_LENGTHS && bytes >> at > 1)
		at++;
	return &found->lengths[at];
}

// A stretch of bytes that was passed over ends.
static void end_stretch(struct pk_reader *reader)
{
	if (reader->transport && reader->transport->numbers)
		return;
	length_of(reader->found, reader->passed_bytes)->passed_bytes += reader->passed_bytes;
	reader->passed_bytes = 0;
}

double pk_found_unseen(const struct pk_found *found)
{
	double unseen = (double)found->unseen, messages = 0, bytes = 0;

	// As many in what came last as in what numbers tell of.
	if (found->numbered_bytes > 0)
		unseen += (double)(found->unseen + found->rebuilt) * (double)found->late_bytes /
			  (double)found->numbered_bytes;
	// Without numbers as many as in as many bytes of what was read and is not longer.
	for (unsigned i = 0; i < PK_LENGTHS; i++) {
		messages += (double)found->lengths[i].messages;
		bytes += (double)found->lengths[i].read_bytes;
		if (bytes > 0)
			unseen += (double)found->lengths[i].passed_bytes * messages / bytes;
	}
	return unseen;
}

// Bytes are passed over; notes when they came.
static void headers_pass(struct pk_reader *reader, uint64_t bytes, int64_t sent_ns, int64_t time_ns)
{
	reader->passed_bytes += bytes;
	if (!bytes || !reader->transport->numbers || reader->passed_count == PK_PASSED_MAX)
		return;
	if (!GROW(reader->passed, reader->passed_capacity, reader->passed_count)) {
		reader->found->failed = true;
		return;
	}
	reader->passed[reader->passed_count++] = (struct pk_passed){reader->passed_bytes, sent_ns,
								    time_ns};
}

static void lose_step(struct pk_reader *reader)
{
	reader->step = PK_SEEKING;
	headers_pass(reader, reader->have_bytes, reader->begin_ns, reader->end_ns);
	pk_reader_miss(reader);
	for (uint32_t i = 0; i < reader->count;
	     i++) // their bytes may be among those that are skipped
		reader->unfinished[i].granted = 0;
}

// The header, and what follows it, are over.
static void end_body(struct pk_reader *reader)
{
	struct pk_length *length = length_of(reader->found,
					     reader->have_bytes + reader->body_bytes);

	length->read_bytes += reader->have_bytes + reader->body_bytes;
	length->messages += reader->begins;
	reader->begins = false;
	reader->step = PK_HEADER;
	reader->have_bytes = 0;
	reader->known_bytes = 0;
	pk_reader_credit(reader);
}

// Moves count bytes on in the piece.
static void headers_advance(struct pk_piece *piece, uint32_t count)
{
	const uint32_t known = count < piece->known_bytes ? count : piece->known_bytes;

	piece->data = piece->data ? piece->data + known : NULL;
	piece->known_bytes -= known;
	piece->bytes -= count;
	if (count)
		piece->starts = false;
}

// Adds bytes to the header, up to size_bytes of them. Returns whether it has so many.
static bool headers_gather(struct pk_reader *reader, struct pk_piece *piece, size_t size_bytes)
{
	size_t wanted = size_bytes - reader->have_bytes;
	size_t known;

	if (wanted > piece->bytes)
		wanted = piece->bytes;
	known = wanted < piece->known_bytes ? wanted : piece->known_bytes;
	if (!reader->header)
		reader->header = malloc(PK_HEADER_BYTES);
	if (!reader->header) {
		reader->found->failed = true;
		headers_advance(piece, piece->bytes);
		return false;
	}
	if (!reader->have_bytes) {
		reader->begin_ns = piece->sent_ns;
		reader->end_ns = piece->time_ns;
		memset(reader->header, 0, PK_HEADER_BYTES);
	}
	if (wanted && piece->time_ns > reader->end_ns)
		reader->end_ns = piece->time_ns;
	if (reader->known_bytes == reader->have_bytes && known) {
		memcpy(reader->header + reader->have_bytes, piece->data, known);
		reader->known_bytes += (uint32_t)known;
	}
	reader->have_bytes += (uint32_t)wanted;
	headers_advance(piece, (uint32_t)wanted);
	return reader->have_bytes >= size_bytes;
}

// Takes bytes of a header. The reader is out of step if its length cannot be told.
static void take_header(struct pk_reader *reader, struct pk_piece *piece)
{
	const struct pk_transport *transport = reader->transport;
	size_t size_bytes;

	if (reader->have_bytes < transport->prefix_bytes &&
	    !headers_gather(reader, piece, transport->prefix_bytes) &&
	    reader->known_bytes == reader->have_bytes)
		return;
	size_bytes = reader->known_bytes < transport->prefix_bytes
			     ? 0
			     : transport->header_bytes(reader);
	if (size_bytes < transport->prefix_bytes || size_bytes > PK_HEADER_BYTES) {
		lose_step(reader);
		return;
	}
	if (!headers_gather(reader, piece, size_bytes))
		return;
	pk_reader_body(reader, 0, PK_NO_MESSAGE);
	if (!transport->take(reader))
		lose_step(reader);
	else if (reader->body_left)
		reader->step = PK_BODY;
	else
		end_body(reader);
}

static void headers_take_body(struct pk_reader *reader, struct pk_piece *piece)
{
	const uint32_t count = reader->body_left < piece->bytes ? (uint32_t)reader->body_left
								: piece->bytes;

	if (piece->time_ns > reader->end_ns)
		reader->end_ns = piece->time_ns;
	reader->partly |= piece->missing;
	reader->body_left -= count;
	headers_advance(piece, count);
	if (!reader->body_left)
		end_body(reader);
}

static void adopt(struct pk_reader *reader, const struct pk_transport *transport)
{
	reader->transport = transport;
	end_stretch(reader);
	reader->step = PK_HEADER;
	reader->have_bytes = 0;
	reader->known_bytes = 0;
}

// Whether a piece begins with a header of the transport, or of one not yet known.
static bool headers_recognise(struct pk_reader *reader, const struct pk_piece *piece)
{
	for (size_t i = 0; i < TRANSPORT_COUNT && piece->starts; i++) {
		const struct pk_transport *transport = transports[i];
		unsigned score;

		if (reader->transport && reader->transport != transport)
			continue;
		score = transport->recognise(piece->data, piece->known_bytes, piece->bytes);
		if (!score)
			continue;
		if (!reader->transport && reader->other->transport != transport) {
			score += reader->suspect == i + 1 ? reader->evidence : 0;
			reader->suspect = (uint8_t)(i + 1);
			reader->evidence = (uint8_t)(score < SURE ? score : SURE);
			if (score < SURE)
				return false;
		}
		adopt(reader, transport);
		return true;
	}
	return false;
}

static bool consume(struct pk_reader *reader, struct pk_piece *piece)
{
	while (piece->bytes) {
		if (reader->step == PK_SEEKING && !headers_recognise(reader, piece)) {
			if (reader->transport)
				headers_pass(reader, piece->bytes, piece->sent_ns, piece->time_ns);
			return reader->transport;
		}
		if (reader->step == PK_BODY)
			headers_take_body(reader, piece);
		else
			take_header(reader, piece);
	}
	return true;
}

// The handshake that the bytes are: its length, 0 for none, -1 where more bytes are needed to tell.
static int match_opening(struct pk_reader *reader, const uint8_t *bytes, size_t known_bytes)
{
	int length = 0;

	for (size_t i = 0; i < TRANSPORT_COUNT && length <= 0; i++) {
		const int its = transports[i]->opening(bytes, known_bytes, reader->rank);

		if (its > 0)
			reader->transport = transports[i];
		length = its ? its : length;
	}
	return length;
}

// Settles how the direction begins, with a handshake of length bytes or none, and consumes the
// bytes.
static bool open_with(struct pk_reader *reader, struct pk_piece *piece, int length)
{
	const struct pk_transport *transport = length > 0 ? reader->transport
							  : reader->other->transport;

	reader->step = PK_SEEKING;
	reader->opened = true;
	if (transport)
		adopt(reader, transport);
	headers_advance(piece, (uint32_t)length);
	return consume(reader, piece);
}

// The begin of a direction. A handshake may come in several pieces, which are gathered.
static bool take_opening(struct pk_reader *reader, struct pk_piece *piece)
{
	uint8_t bytes[PK_HEADER_BYTES];
	struct pk_piece gathered = {.data = bytes, .starts = true};
	int length;

	if (!reader->have_bytes) {
		length = match_opening(reader, piece->data, piece->known_bytes);
		if (length >= 0 || piece->known_bytes < piece->bytes)
			return open_with(reader, piece, length < 0 ? 0 : length);
	}
	(void)headers_gather(reader, piece, PK_HEADER_BYTES);
	if (!reader->header)
		return true;
	length = match_opening(reader, reader->header, reader->known_bytes);
	if (length < 0 && reader->known_bytes == reader->have_bytes)
		return true;
	gathered.time_ns = reader->end_ns;
	gathered.sent_ns = reader->begin_ns;
	gathered.bytes = (uint32_t)reader->have_bytes;
	gathered.known_bytes = (uint32_t)reader->known_bytes;
	memcpy(bytes, reader->header, sizeof(bytes));
	(void)open_with(reader, &gathered, length < 0 ? 0 : length);
	return consume(reader, piece);
}

bool pk_reader_take(struct pk_reader *reader, const struct pk_piece *taken)
{
	struct pk_piece piece = *taken;

	return reader->step == PK_OPENING ? take_opening(reader, &piece) : consume(reader, &piece);
}

void pk_reader_finish(struct pk_reader *reader)
{
	end_stretch(reader);
	pk_reader_late(reader);
	reader->found->late_bytes += reader->passed_bytes;
	reader->passed_bytes = 0;
	if (reader->step == PK_BODY) {
		reader->partly = true;
		reader->body_bytes -= reader->body_left;
		pk_reader_credit(reader);
	}
	pk_reader_give_up(reader);
	pk_reader_clear(reader);
}

void pk_reader_clear(struct pk_reader *reader)
{
	free(reader->header);
	free(reader->contexts);
	free(reader->unfinished);
	free(reader->passed);
	reader->header = NULL;
	reader->passed = NULL;
	reader->passed_count = reader->passed_capacity = 0;
	reader->contexts = NULL;
	reader->unfinished = NULL;
	reader->have_bytes = reader->known_bytes = 0;
	reader->count = reader->capacity = 0;
}

size_t pk_reader_held_bytes(const struct pk_reader *reader)
{
	return (reader->header ? PK_HEADER_BYTES : 0) +
	       (reader->contexts ? PK_CONTEXTS * sizeof(*reader->contexts) : 0) +
	       reader->capacity * sizeof(*reader->unfinished) +
	       reader->passed_capacity * sizeof(*reader->passed);
}
