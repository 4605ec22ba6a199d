// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that are answered, reads and atomic operations, and the responses to them.
#include <stdlib.h>
#include <string.h>

#include "packet/queue_pair.h"
#include "value/grow.h"

#define CANDIDATES_MAX 1024u // directions that are looked at for the request of a response

static uint32_t verbs_numbers_most(const struct pk_verb_read *read)
{
	return read->numbers ? read->numbers
	       : read->message.has_length
		       ? pk_verb_numbers(read->message.length_bytes, PK_MTU_LEAST_BYTES)
		       : PK_PSN_STEP_MAX;
}

struct pk_verb_read *pk_queue_read(struct pk_queue *queue, uint32_t psn)
{
	struct pk_verb_requests *requests = &queue->requests;
	struct pk_verb_read *found = NULL;

	for (uint32_t i = 0; i < requests->read_count; i++) {
		struct pk_verb_read *read = &requests->reads[i];
		const int32_t after = pk_psn_after(psn, read->psn);

		if (after < 0)
			break;
		if ((uint32_t)after < verbs_numbers_most(read))
			found = read;
	}
	return found;
}

// Whether a read is the first of its direction.
static bool verbs_is_first(const struct pk_verb_requests *requests, const struct pk_verb_read *read)
{
	return read->first ||
	       (requests->starting && requests->count && requests->waiting[0].psn == read->psn);
}

void pk_queue_release(struct pk_verbs *verbs, struct pk_queue *queue)
{
	struct pk_verb_opening *opening = &queue->requests.opening;

	opening->held.partly |= !opening->settled;
	verbs->counts.first += opening->held.open && opening->counted;
	pk_verb_message_end(verbs, queue, &opening->held);
}

void pk_queue_hear(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb)
{
	struct pk_queue *asker = queue->peer;
	struct pk_verb_requests *requests = asker ? &asker->requests : NULL;
	struct pk_verb_opening *opening = asker ? &requests->opening : NULL;
	uint32_t later = 0, ends, next;

	if (verb->part >= PK_VERB_LAST)
		queue->responses.ended = verb->psn + 1;
	if (!asker || opening->settled)
		return;
	while (later < opening->ends && later < PK_VERB_ENDS &&
	       pk_psn_after(opening->ended[(opening->ends - later - 1) % PK_VERB_ENDS], verb->psn) >
		       0)
		later++;
	if (later == PK_VERB_ENDS) // there were more
		return;
	ends = opening->ends - later;
	next = requests->count && (requests->starting || requests->open_end)
		       ? requests->waiting[0].psn
		       : requests->next;
	for (uint32_t i = 0; i < requests->count; i++) {
		const struct pk_verb *waiting = &requests->waiting[i];

		if (pk_psn_after(verb->psn, waiting->psn) < 0)
			break;
		ends += waiting->part >= PK_VERB_LAST;
		ends += pk_verb_end_before(waiting, next) ? 1 : 0;
		next = waiting->psn +
		       (waiting->part != PK_VERB_ASKS ? 1
			: waiting->numbers	      ? waiting->numbers
			: waiting->has_length
				? pk_verb_numbers(waiting->length_bytes, PK_MTU_LEAST_BYTES)
				: PK_PSN_STEP_MAX);
	}
	opening->settled = opening->counted = ends && verb->completed == ends;
	if (opening->settled)
		pk_queue_release(verbs, asker);
}

static bool verbs_is_mtu(uint64_t bytes)
{
	return bytes >= PK_MTU_LEAST_BYTES && bytes <= PK_MTU_MOST_BYTES && !(bytes & (bytes - 1));
}

// Whether a read may be a request for the rest of one before it.
static bool verbs_may_be_rest(const struct pk_verb_read *read, const struct pk_verb_read *of)
{
	const uint32_t at = (uint32_t)pk_psn_after(read->psn, of->psn);
	const uint32_t whole_bytes = of->message.length_bytes;
	const uint32_t taken_bytes = whole_bytes - read->message.length_bytes;

	return at && at < verbs_numbers_most(of) && taken_bytes && taken_bytes <= whole_bytes &&
	       taken_bytes % at == 0 && verbs_is_mtu(taken_bytes / at);
}

// Passes on the message of a request that queue sent.
static void verbs_end_read(struct pk_verbs *verbs, struct pk_queue *queue,
			   const struct pk_verb_read *read)
{
	struct pk_verb_requests *requests = &queue->requests;
	struct pk_verb_opening *opening = &requests->opening;
	struct pk_verb_message message = read->message;
	const uint32_t at = (uint32_t)(read - requests->reads);

	message.backwards = message.operation == TR_OP_READ;
	message.back_pair = queue->peer ? queue->peer->queue_pair : 0;
	message.open = message.operation != TR_OP_OTHER;
	for (uint32_t i = 0; i < at; i++)
		message.partly |= verbs_may_be_rest(read, &requests->reads[i]);
	if (message.backwards && verbs_is_first(requests, read)) {
		pk_queue_release(verbs, queue); // which was not the first
		opening->held = message;
		opening->held_from = verbs->taken;
		message.open = false;
		if (opening->settled)
			pk_queue_release(verbs, queue);
	}
	requests->read_count--;
	memmove(requests->reads + at, requests->reads + at + 1,
		(requests->read_count - at) * sizeof(*read));
	pk_verb_message_end(verbs, queue, &message);
}

void pk_queue_end_read(struct pk_verbs *verbs, struct pk_queue *queue)
{
	queue->requests.reads[0].message.partly = true;
	verbs_end_read(verbs, queue, &queue->requests.reads[0]);
}

// Whether a number is not after another one of the same connection.
static bool verbs_is_until(uint32_t psn, uint32_t other)
{
	const int32_t after = pk_psn_after(psn, other);

	return after <= 0 && after >= -PK_PSN_STEP_MAX;
}

// Whether responses to a request came before it, so that it was sent before, not captured, and may
// now ask for a part; of a read this is not known if those to later ones did.
static bool verbs_was_answered(const struct pk_verb_responses *responses,
			       const struct pk_verb_read *read)
{
	const uint32_t highest = responses->window.next - 1;

	return responses->window.next && verbs_is_until(read->psn, highest) &&
	       (read->message.operation == TR_OP_READ ||
		pk_psn_after(read->psn, highest) <= -PK_WINDOW ||
		pk_window_has(&responses->window, read->psn));
}

uint32_t pk_queue_ask(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb)
{
	struct pk_verb_requests *requests = &queue->requests;
	const bool reads = verb->operation == TR_OP_READ;
	const uint32_t before = requests->read_capacity;
	struct pk_verb_read read = {.psn = verb->psn, .numbers = 1};
	uint32_t at;

	if (requests->read_count == PK_VERBS_READS_MAX) // the oldest will not be answered
		pk_queue_end_read(verbs, queue);
	if (!GROW(requests->reads, requests->read_capacity, requests->read_count)) {
		verbs->failed = true;
		return 1;
	}
	verbs->held_bytes += (requests->read_capacity - before) * sizeof(*requests->reads);
	pk_verb_message_add(&read.message, verb);
	if (!reads)
		read.message.length_bytes = verb->payload_bytes;
	else if (!verb->has_length ||
		 (verb->length_bytes > PK_MTU_LEAST_BYTES && !requests->mtu_bytes))
		read.numbers = 0;
	else if (verb->length_bytes > PK_MTU_LEAST_BYTES)
		read.numbers = pk_verb_numbers(verb->length_bytes, requests->mtu_bytes);
	if (verb->operation == TR_OP_ATOMIC) { // of its response
		read.message.has_length = true;
		read.message.bytes = 0;
	}
	read.message.partly |= queue->peer && verbs_was_answered(&queue->peer->responses, &read);
	for (at = requests->read_count;
	     at && pk_psn_after(requests->reads[at - 1].psn, verb->psn) > 0; at--)
		;
	memmove(requests->reads + at + 1, requests->reads + at,
		(requests->read_count - at) * sizeof(*requests->reads));
	requests->reads[at] = read;
	requests->read_count++;
	return read.numbers;
}

// ---- which requests responses answer

// Whether a response, whose number is among those of a request, has a size that its has.
static bool verbs_may_answer(const struct pk_verb_read *read, const struct pk_verb *verb)
{
	const uint64_t at = (uint64_t)pk_psn_after(verb->psn, read->psn);
	const uint64_t size = verb->payload_bytes, length = read->message.length_bytes;
	const uint16_t operation = read->message.operation;

	if ((operation == TR_OP_ATOMIC) != (verb->operation == TR_OP_ATOMIC))
		return false;
	if (operation != TR_OP_READ && operation != TR_OP_ATOMIC)
		return verb->part == PK_VERB_ONLY && !size;
	if (!read->message.has_length)
		return at == 0;
	if (verb->part == PK_VERB_FIRST || verb->part == PK_VERB_MIDDLE)
		return verbs_is_mtu(size) && (at + 1) * size < length;
	if (at == 0)
		return size == length;
	return size <= length && (length - size) % at == 0 && verbs_is_mtu((length - size) / at) &&
	       size <= (length - size) / at;
}

// Finds the other direction of a queue pair by a response. NULL: none, or *several may be it.
static struct pk_queue *verbs_find_peer(struct pk_verbs *verbs, struct pk_queue *queue,
					const struct pk_verb *verb, bool *several)
{
	struct pk_queue *found = NULL;
	uint32_t looked = 0;

	for (uint32_t number = pk_verbs_between(verbs, queue->dst, queue->src);
	     number != PK_NO_QUEUE; number = verbs->queues[number]->next_alike) {
		struct pk_queue *other = verbs->queues[number];
		struct pk_verb_read *read;

		if (other == queue || (other->peer && other->peer != queue))
			continue;
		read = pk_queue_read(other, verb->psn);
		*several = looked++ == CANDIDATES_MAX ||
			   (found && read && verbs_may_answer(read, verb));
		if (*several)
			return NULL;
		if (read && verbs_may_answer(read, verb))
			found = other;
	}
	if (found) {
		struct pk_verb_requests *requests = &found->requests;

		for (uint32_t i = 0; i < requests->read_count; i++)
			requests->reads[i].message.partly |= verbs_was_answered(
				&queue->responses, &requests->reads[i]);
		if (queue->peer)
			queue->peer->peer = NULL;
		found->peer = queue;
		queue->peer = found;
	}
	return found;
}

// ---- responses

// Notes the response at this place; false if it was seen before. Of those far beyond the first that
// is missing nothing is noted: the request is for all from that one on, if any.
static bool verbs_note_seen(struct pk_verb_read *read, uint32_t at)
{
	const uint32_t early = at - read->seen_to;

	if (at < read->seen_to || (early < 64 && read->early >> early & 1))
		return false;
	if (early < 64)
		read->early |= (uint64_t)1 << early;
	for (; read->early & 1; read->early >>= 1)
		read->seen_to++;
	return true;
}

// Gives a response to the request that asker sent.
static void verbs_credit_read(struct pk_verbs *verbs, struct pk_queue *asker,
			      struct pk_verb_read *read, const struct pk_verb *verb)
{
	const uint32_t at = (uint32_t)pk_psn_after(verb->psn, read->psn);

	if (verb->part == PK_VERB_FIRST || verb->part == PK_VERB_MIDDLE)
		pk_queue_learn_mtu(asker, verb->payload_bytes);
	else if (!read->numbers)
		pk_queue_learn_numbers(asker, read, at + 1);
	if (!verbs_note_seen(read, at)) {
		verbs->counts.resent++;
		return;
	}
	verbs->counts.numbers++;
	pk_verb_message_add(&read->message, verb);
	if (read->numbers && read->seen_to >= read->numbers)
		verbs_end_read(verbs, asker, read);
}

// A response whose request was not seen.
static void verbs_take_loose(struct pk_verbs *verbs, struct pk_queue *queue,
			     const struct pk_verb *verb)
{
	struct pk_verb_message *message = &queue->responses.message;

	if (message->open && message->next != verb->psn)
		pk_verb_message_end(verbs, queue, message);
	if (!message->open)
		verbs->counts.unseen++;
	if (verb->operation == TR_OP_ATOMIC)
		return;
	pk_verb_message_add(message, verb);
	message->partly = true;
	if (verb->part == PK_VERB_LAST || verb->part == PK_VERB_ONLY)
		pk_verb_message_end(verbs, queue, message);
}

void pk_queue_answer(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb)
{
	struct pk_verb_responses *responses = &queue->responses;
	struct pk_queue *asker = queue->peer;
	struct pk_verb_read *read = asker ? pk_queue_read(asker, verb->psn) : NULL;
	const bool fresh = !responses->window.next ||
			   !verbs_is_until(verb->psn, responses->window.next - 1);
	bool several = false;

	if (!read && (fresh || !asker)) {
		asker = verbs_find_peer(verbs, queue, verb, &several);
		read = asker ? pk_queue_read(asker, verb->psn) : NULL;
	}
	if (fresh || pk_psn_after(verb->psn, responses->window.next - 1) > -PK_WINDOW)
		pk_window_add(&responses->window, verb->psn);
	if (read) {
		if (responses->ended && (responses->ended & PK_PSN_MASK) == read->psn &&
		    verbs_is_first(&asker->requests, read))
			asker->requests.opening.settled = true; // it is no rest
		if (responses->message.open && responses->message.next == verb->psn &&
		    verb->psn == read->psn) // a rest of one whose request was not seen
			read->message.partly = true;
		verbs_credit_read(verbs, asker, read, verb);
	} else if (!fresh) {
		verbs->counts.resent++;
	} else if (several) {
		verbs->counts.ambiguous++;
	} else {
		verbs_take_loose(verbs, queue, verb);
	}
}
