// SPDX-License-Identifier: GPL-3.0-or-later
// Messages under way in one direction: begun by a header, complete when all their bytes have come.
#include "packet/headers.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

#define ALIKE_MIN 3u	      // messages in turn, by which what follows is told
#define ALIKE_BYTES_MIN 1000u // of these: others are a multiple once in so many times

static void remove_message(struct pk_reader *reader, uint32_t message)
{
	reader->count--;
	memmove(&reader->unfinished[message], &reader->unfinished[message + 1],
		(reader->count - message) * sizeof(*reader->unfinished));
}

static void header_messages_put_message(struct pk_reader *reader, uint32_t message)
{
	reader->found->message(reader->context, reader, &reader->unfinished[message].record);
	remove_message(reader, message);
}

uint32_t pk_reader_begin(struct pk_reader *reader, const struct tr_message *message,
			 bool size_known)
{
	struct pk_unfinished *added;

	if (reader->count == PK_UNFINISHED_MAX) { // the oldest will not end
		reader->unfinished[0].record.flags |= TR_MESSAGE_PARTLY;
		header_messages_put_message(reader, 0);
	}
	if (!GROW(reader->unfinished, reader->capacity, reader->count)) {
		reader->found->failed = true;
		return PK_NO_MESSAGE;
	}
	reader->begins = true;
	added = &reader->unfinished[reader->count];
	*added = (struct pk_unfinished){.record = *message,
					.left_bytes = size_known ? message->size_bytes : 0,
					.size_known = size_known};
	added->losses = reader->losses;
	added->losses_back = reader->other->losses;
	added->record.id = reader->found->begun++;
	added->record.begin_ticks = reader->begin_ns;
	added->record.end_ticks = reader->end_ns;
	return reader->count++;
}

// Ends messages of unknown size whose data came before those of message, and returns its new
// number. Some of their data may have been missed.
static uint32_t end_earlier(struct pk_reader *reader, uint32_t message)
{
	for (uint32_t i = 0; i < reader->count; i++) {
		struct pk_unfinished *earlier = &reader->unfinished[i];

		if (i == message || earlier->size_known || !earlier->record.size_bytes)
			continue;
		if (earlier->losses != reader->losses)
			earlier->record.flags |= TR_MESSAGE_PARTLY;
		header_messages_put_message(reader, i);
		message -= i < message;
		i--;
	}
	return message;
}

void pk_reader_body(struct pk_reader *reader, uint64_t bytes, uint32_t message)
{
	reader->body_bytes = bytes;
	reader->body_left = bytes;
	reader->body_message = message < reader->count && bytes ? end_earlier(reader, message)
								: message;
	reader->partly = false;
}

static uint64_t done_bytes(const struct pk_unfinished *message)
{
	return message->record.size_bytes - message->left_bytes;
}

static bool has_key(const struct pk_unfinished *message, enum pk_key by, uint64_t key)
{
	switch (by) {
	case PK_BY_REQUEST: return message->request == key;
	case PK_BY_REPLY: return message->reply == key;
	case PK_BY_ADDRESS:
		if (!message->size_known)
			return message->address &&
			       key - message->address == message->record.size_bytes;
		return message->address && key - message->address < message->record.size_bytes;
	}
	return false;
}

// Where the message has this key, whose value was not known.
static uint64_t *header_messages_key_of(struct pk_unfinished *message, enum pk_key by)
{
	return by == PK_BY_REQUEST ? &message->request
	       : by == PK_BY_REPLY ? &message->reply
				   : &message->address;
}

static bool header_messages_has_room(const struct pk_unfinished *message, uint64_t bytes)
{
	return !message->size_known || bytes <= message->left_bytes;
}

// Whether data without a known key may be the message's: after the receiver's answer, or where that
// may have been missed, or if they are all of it.
static bool may_take(const struct pk_reader *reader, const struct pk_unfinished *message,
		     enum pk_key by, uint64_t bytes)
{
	if (*header_messages_key_of((struct pk_unfinished *)message, by) ||
	    !(message->record.flags & TR_MESSAGE_RENDEZVOUS))
		return false;
	if (message->granted || message->losses_back != reader->other->losses)
		return header_messages_has_room(message, bytes);
	return message->size_known && bytes == message->left_bytes;
}

// The message that was answered first of those that may take the data, else the oldest.
static uint32_t first_granted(const struct pk_reader *reader, enum pk_key by, uint64_t bytes)
{
	uint32_t best = PK_NO_MESSAGE;
	uint64_t best_order = UINT64_MAX;

	for (uint32_t i = 0; i < reader->count; i++) {
		const struct pk_unfinished *message = &reader->unfinished[i];
		const uint64_t order = message->granted ? message->granted : UINT64_MAX;

		if (may_take(reader, message, by, bytes) &&
		    (best == PK_NO_MESSAGE || order < best_order)) {
			best = i;
			best_order = order;
		}
	}
	return best;
}

uint32_t pk_reader_find(struct pk_reader *reader, enum pk_key by, uint64_t key, uint64_t bytes)
{
	uint32_t message;

	for (uint32_t i = 0; i < reader->count && key; i++)
		if (has_key(&reader->unfinished[i], by, key) &&
		    header_messages_has_room(&reader->unfinished[i], bytes))
			return i;
	message = first_granted(reader, by, bytes);
	if (message != PK_NO_MESSAGE && key)
		*header_messages_key_of(&reader->unfinished[message], by) =
			by == PK_BY_ADDRESS ? key - done_bytes(&reader->unfinished[message]) : key;
	return message;
}

void pk_reader_grant(struct pk_reader *reader, uint64_t request, uint64_t reply, uint64_t address)
{
	struct pk_unfinished *message = NULL;

	for (uint32_t i = 0; i < reader->count && request; i++)
		if (reader->unfinished[i].request == request)
			message = &reader->unfinished[i];
	for (uint32_t i = 0; i < reader->count && !message;
	     i++) // the first whose request's name was cut off
		if (!reader->unfinished[i].request &&
		    reader->unfinished[i].record.flags & TR_MESSAGE_RENDEZVOUS)
			message = &reader->unfinished[i];
	if (!message)
		return;
	message->request = request ? request : message->request;
	message->reply = reply ? reply : message->reply;
	message->address = address ? address : message->address;
	message->granted = message->granted ? message->granted : ++reader->grants;
}

void pk_reader_conclude(struct pk_reader *reader, uint64_t reply, uint64_t size_bytes)
{
	for (uint32_t i = 0; i < reader->count; i++) {
		struct pk_unfinished *message = &reader->unfinished[i];
		struct tr_message *record = &message->record;
		const bool whole = !message->size_known && record->size_bytes >= size_bytes;
		const bool unanswered = !message->reply && !message->size_known &&
					record->size_bytes;

		if (!reply || (message->reply != reply && !unanswered) ||
		    (message->size_known && message->losses == reader->losses))
			continue;
		if (!message->size_known && record->size_bytes < size_bytes)
			record->size_bytes = size_bytes;
		if (!whole) {
			record->flags |= TR_MESSAGE_PARTLY;
			record->end_ticks = reader->end_ns;
		}
		header_messages_put_message(reader, i);
		return;
	}
}

static const struct pk_passed *header_messages_passed_at(const struct pk_reader *reader,
							 uint64_t bytes)
{
	const struct pk_passed *at = reader->passed;

	while (at->end_bytes <= bytes)
		at++;
	return at;
}

// Whether count messages like this one, with a header each, are just what was passed over; if so,
// finds them.
static bool header_messages_rebuild(struct pk_reader *reader, const struct tr_message *like,
				    uint32_t count, uint32_t header_bytes)
{
	const uint64_t each_bytes = like->size_bytes + header_bytes;
	struct tr_message message = *like;

	if (!(like->flags & TR_MESSAGE_EAGER) || reader->passed_bytes % count != 0 ||
	    reader->passed_bytes / count != each_bytes || !reader->passed_count ||
	    reader->passed[reader->passed_count - 1].end_bytes < reader->passed_bytes)
		return false;
	message.flags |= TR_MESSAGE_PARTLY;
	for (uint32_t i = 0; i < count; i++) {
		message.id = reader->found->begun++;
		message.begin_ticks = header_messages_passed_at(reader, i * each_bytes)->sent_ns;
		message.end_ticks =
			header_messages_passed_at(reader, (i + 1) * each_bytes - 1)->time_ns;
		reader->found->message(reader->context, reader, &message);
	}
	return true;
}

// Whether messages up to the last one are of one size, and so long that others hardly are as many
// bytes by chance.
static bool header_messages_are_alike(const struct pk_context *at)
{
	return at->alike >= ALIKE_MIN && at->last.size_bytes >= ALIKE_BYTES_MIN;
}

static struct pk_context *header_messages_context(struct pk_reader *reader, uint32_t context)
{
	if (!reader->contexts)
		reader->contexts = calloc(PK_CONTEXTS, sizeof(*reader->contexts));
	reader->found->failed |= !reader->contexts;
	for (unsigned i = 0; i < PK_CONTEXTS && reader->contexts; i++)
		if (!reader->contexts[i].used || reader->contexts[i].number == context)
			return &reader->contexts[i];
	return NULL;
}

void pk_reader_sequence(struct pk_reader *reader, const struct tr_message *message,
			uint16_t sequence, uint32_t header_bytes)
{
	struct pk_context *at = header_messages_context(reader, message->communicator);

	if (!at)
		return;
	if (at->used ? at->losses != reader->losses
		     : reader->opened && reader->losses) { // numbers begin at 1
		uint32_t between = (uint16_t)(sequence - at->sequence - 1);

		between = between < 0x8000 ? between : 0;
		between -= between < reader->untold ? between : reader->untold;
		if (between > 0 && at->used &&
		    (at->last.size_bytes == message->size_bytes || header_messages_are_alike(at)) &&
		    header_messages_rebuild(reader, &at->last, between, header_bytes))
			reader->found->rebuilt += between;
		else
			reader->found->unseen += between;
	}
	*at = (struct pk_context){
		.losses = reader->losses,
		.last = *message,
		.alike = at->used && at->last.size_bytes == message->size_bytes ? at->alike + 1 : 1,
		.header_bytes = header_bytes,
		.number = message->communicator,
		.sequence = sequence,
		.used = true};
	reader->found->numbered_bytes += reader->passed_bytes;
	reader->passed_bytes = reader->passed_count = reader->untold = 0;
}

void pk_reader_late(struct pk_reader *reader)
{
	for (unsigned i = 0; i < PK_CONTEXTS && reader->contexts; i++) {
		const struct pk_context *at = &reader->contexts[i];
		const uint64_t count = header_messages_are_alike(at)
					       ? reader->passed_bytes /
							 (at->last.size_bytes + at->header_bytes)
					       : 0;

		if (count > 0 && count < PK_UNFINISHED_MAX &&
		    header_messages_rebuild(reader, &at->last, (uint32_t)count, at->header_bytes))
			reader->passed_bytes = 0;
	}
}

struct tr_message pk_reader_untold(struct pk_reader *reader, uint64_t size_bytes)
{
	struct tr_message message = {.src_rank = PK_NO_RANK};

	for (unsigned i = 0; i < PK_CONTEXTS && reader->contexts; i++)
		if (reader->contexts[i].used && reader->contexts[i].last.id >= message.id)
			message = reader->contexts[i].last;
	message.size_bytes = size_bytes;
	message.operation = TR_OP_SEND;
	message.flags = TR_MESSAGE_EAGER | TR_MESSAGE_PARTLY;
	reader->untold++;
	return message;
}

void pk_reader_miss(struct pk_reader *reader)
{
	reader->losses++;
	reader->found->losses++;
}

void pk_reader_credit(struct pk_reader *reader)
{
	const uint32_t number = reader->body_message;
	struct pk_unfinished *message;

	if (number >= reader->count)
		return;
	message = &reader->unfinished[number];
	if (reader->end_ns > message->record.end_ticks)
		message->record.end_ticks = reader->end_ns;
	if (reader->partly)
		message->record.flags |= TR_MESSAGE_PARTLY;
	if (!message->size_known) {
		message->record.size_bytes += reader->body_bytes;
		return;
	}
	message->left_bytes -= reader->body_bytes < message->left_bytes ? reader->body_bytes
									: message->left_bytes;
	if (!message->left_bytes)
		header_messages_put_message(reader, number);
}

void pk_reader_give_up(struct pk_reader *reader)
{
	while (reader->count) {
		reader->unfinished[0].record.flags |= TR_MESSAGE_PARTLY;
		header_messages_put_message(reader, 0);
	}
}
