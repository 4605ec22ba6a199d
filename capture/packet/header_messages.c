// SPDX-License-Identifier: GPL-3.0-or-later
// Messages under way in one direction: begun by a header, complete when all their bytes have come.
#include "packet/headers.h"
#include "value/grow.h"

#include <stdlib.h>
#include <string.h>

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

void pk_reader_sequence(struct pk_reader *reader, uint32_t context, uint16_t sequence)
{
	struct pk_context *at = NULL;

	if (!reader->contexts)
		reader->contexts = calloc(PK_CONTEXTS, sizeof(*reader->contexts));
	reader->found->failed |= !reader->contexts;
	for (unsigned i = 0; i < PK_CONTEXTS && reader->contexts && !at; i++)
		if (!reader->contexts[i].used || reader->contexts[i].number == context)
			at = &reader->contexts[i];
	if (!at)
		return;
	if (at->used ? at->losses != reader->losses
		     : reader->opened && reader->losses) { // numbers begin at 1
		const uint16_t between = (uint16_t)(sequence - at->sequence - 1);

		reader->found->unseen += between < 0x8000 ? between : 0;
	}
	*at = (struct pk_context){reader->losses, context, sequence, true};
	reader->found->numbered_bytes += reader->passed_bytes;
	reader->passed_bytes = 0;
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
