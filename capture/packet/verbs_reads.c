// SPDX-License-Identifier: GPL-3.0-or-later
// Requests that are answered, reads and atomic operations, and the responses to them.
#include <stdlib.h>
#include <string.h>

#include "packet/queue_pair.h"
#include "value/grow.h"

#define CANDIDATES_MAX 1024u // directions that are looked at for the request of a response

static uint32_t verbs_numbers_most(const struct pk_verb_read *read)
{
	return read->numbers	  ? read->numbers
	       : read->has_length ? pk_verb_numbers(read->length_bytes, PK_MTU_LEAST_BYTES)
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

static void verbs_remove_read(struct pk_verbs *verbs, struct pk_queue *queue,
			      struct pk_verb_read *read)
{
	struct pk_verb_requests *requests = &queue->requests;
	const size_t at = (size_t)(read - requests->reads);

	verbs->held_bytes -= read->seen_room;
	free(read->seen);
	requests->read_count--;
	memmove(read, read + 1, (requests->read_count - at) * sizeof(*read));
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
	struct pk_queue *asker = pk_queue_peer(verbs, queue);
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
	const uint32_t taken_bytes = of->length_bytes - read->length_bytes;

	return at && at < verbs_numbers_most(of) && read->length_bytes < of->length_bytes &&
	       taken_bytes % at == 0 && verbs_is_mtu(taken_bytes / at);
}

// Passes on the message of a request that queue sent.
static void verbs_end_read(struct pk_verbs *verbs, struct pk_queue *queue,
			   struct pk_verb_read *read)
{
	const struct pk_queue *peer = pk_queue_peer(verbs, queue);
	struct pk_verb_opening *opening = &queue->requests.opening;
	const struct pk_verb_read *before = queue->requests.reads;
	struct pk_verb_message message = {
		.begin_ns = read->begin_ns,
		.end_ns = read->end_ns,
		.bytes = read->bytes,
		.length_bytes = read->length_bytes,
		.has_length = read->has_length,
		.back_pair = peer ? peer->queue_pair : 0,
		.operation = read->operation,
		.backwards = read->operation == TR_OP_READ,
		.partly = read->partly,
		.open = read->operation != TR_OP_OTHER,
	};

	for (; before < read; before++)
		message.partly |= verbs_may_be_rest(read, before);
	if (message.backwards && verbs_is_first(&queue->requests, read)) {
		pk_queue_release(verbs, queue); // which was not the first
		opening->held = message;
		opening->held_from = verbs->taken;
		message.open = false;
		if (opening->settled)
			pk_queue_release(verbs, queue);
	}
	verbs_remove_read(verbs, queue, read);
	pk_verb_message_end(verbs, queue, &message);
}

void pk_queue_end_read(struct pk_verbs *verbs, struct pk_queue *queue)
{
	queue->requests.reads[0].partly = true;
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
	       (read->operation == TR_OP_READ || pk_psn_after(read->psn, highest) <= -PK_WINDOW ||
		pk_window_has(&responses->window, read->psn));
}

uint32_t pk_queue_ask(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb)
{
	struct pk_verb_requests *requests = &queue->requests;
	const bool reads = verb->operation == TR_OP_READ;
	const uint32_t before = requests->read_capacity;
	const struct pk_queue *peer = pk_queue_peer(verbs, queue);
	struct pk_verb_read read = {
		.begin_ns = verb->time_ns,
		.end_ns = verb->time_ns,
		.bytes = verb->operation == TR_OP_WRITE ? verb->payload_bytes : 0, // atomic write
		.psn = verb->psn,
		.numbers = 1,
		.length_bytes = reads ? verb->length_bytes : verb->payload_bytes,
		.has_length = verb->operation == TR_OP_ATOMIC || verb->has_length,
		.operation = verb->operation,
		.partly = verb->cut,
	};
	uint32_t at;

	if (requests->read_count == PK_VERBS_READS_MAX) // the oldest will not be answered
		pk_queue_end_read(verbs, queue);
	if (!GROW(requests->reads, requests->read_capacity, requests->read_count)) {
		verbs->failed = true;
		return 1;
	}
	verbs->held_bytes += (requests->read_capacity - before) * sizeof(*requests->reads);
	read.partly |= peer && verbs_was_answered(&peer->responses, &read);
	if (reads && !verb->has_length)
		read.numbers = 0;
	else if (reads && verb->length_bytes > PK_MTU_LEAST_BYTES)
		read.numbers = requests->mtu_bytes
				       ? pk_verb_numbers(verb->length_bytes, requests->mtu_bytes)
				       : 0;
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
	const uint64_t size = verb->payload_bytes, length = read->length_bytes;

	if ((read->operation == TR_OP_ATOMIC) != (verb->operation == TR_OP_ATOMIC))
		return false;
	if (read->operation != TR_OP_READ && read->operation != TR_OP_ATOMIC)
		return verb->part == PK_VERB_ONLY && !size;
	if (!read->has_length)
		return at == 0;
	if (verb->part == PK_VERB_FIRST || verb->part == PK_VERB_MIDDLE)
		return verbs_is_mtu(size) && (at + 1) * size < length;
	if (at == 0)
		return size == length;
	return size <= length && (length - size) % at == 0 && verbs_is_mtu((length - size) / at) &&
	       size <= (length - size) / at;
}

// Finds the other direction of a queue pair by a response. Sets doubtful if there are several.
static struct pk_queue *verbs_find_peer(struct pk_verbs *verbs, struct pk_queue *queue,
					const struct pk_verb *verb)
{
	struct pk_queue *found = NULL;
	uint32_t looked = 0;

	queue->responses.doubtful = false;
	for (uint32_t number = pk_verbs_between(verbs, queue->dst, queue->src);
	     number != PK_NO_QUEUE; number = verbs->queues[number]->next_alike) {
		struct pk_queue *other = verbs->queues[number];
		const struct pk_queue *peer = pk_queue_peer(verbs, other);
		struct pk_verb_read *read;

		if (other == queue || (peer && peer != queue))
			continue;
		if (looked++ == CANDIDATES_MAX) {
			queue->responses.doubtful = true;
			return NULL;
		}
		read = pk_queue_read(other, verb->psn);
		if (!read || !verbs_may_answer(read, verb))
			continue;
		if (found) {
			queue->responses.doubtful = true;
			return NULL;
		}
		found = other;
	}
	if (found) {
		struct pk_queue *former = pk_queue_peer(verbs, queue);
		struct pk_verb_requests *requests = &found->requests;

		for (uint32_t i = 0; i < requests->read_count; i++)
			requests->reads[i].partly |= verbs_was_answered(&queue->responses,
									&requests->reads[i]);
		if (former)
			former->peer = PK_NO_QUEUE;
		found->peer = queue->number;
		found->peer_flow = queue->flow;
		queue->peer = found->number;
		queue->peer_flow = found->flow;
	}
	return found;
}

// ---- responses

// Notes the response at this place; false if it was seen before.
static bool verbs_note_seen(struct pk_verbs *verbs, struct pk_verb_read *read, uint32_t at)
{
	const uint32_t before = read->seen_room;

	if (!read->seen && at < read->seen_to)
		return false;
	if (!read->seen && at == read->seen_to) {
		read->seen_to++;
		read->seen_count++;
		return true;
	}
	if (!GROW_ZEROED(read->seen, read->seen_room, at / 8)) {
		verbs->failed = true;
		return false;
	}
	verbs->held_bytes += read->seen_room - before;
	for (; !before && read->seen_to; read->seen_to--)
		read->seen[(read->seen_to - 1) / 8] |= (uint8_t)(1u << (read->seen_to - 1) % 8);
	if (read->seen[at / 8] >> at % 8 & 1)
		return false;
	read->seen[at / 8] |= (uint8_t)(1u << at % 8);
	read->seen_count++;
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
	if (!verbs_note_seen(verbs, read, at)) {
		verbs->counts.resent++;
		return;
	}
	verbs->counts.numbers++;
	if (verb->time_ns < read->begin_ns)
		read->begin_ns = verb->time_ns;
	if (verb->time_ns > read->end_ns)
		read->end_ns = verb->time_ns;
	read->bytes += verb->payload_bytes;
	if (read->numbers && read->seen_count >= read->numbers)
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

// Whether the response that begins a request goes on where one without a request stopped: then the
// request asked again for the rest of it.
static bool verbs_goes_on(const struct pk_queue *queue, const struct pk_verb_read *read,
			  const struct pk_verb *verb)
{
	return queue->responses.message.open && queue->responses.message.next == verb->psn &&
	       read->psn == verb->psn;
}

// Reads up to this number may have had responses that were not taken.
static void verbs_drop(struct pk_verb_responses *responses, uint32_t psn)
{
	if (!responses->dropped || !verbs_is_until(psn, responses->dropped_psn))
		responses->dropped_psn = psn;
	responses->dropped = true;
}

void pk_queue_answer(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb)
{
	struct pk_verb_responses *responses = &queue->responses;
	struct pk_queue *asker = pk_queue_peer(verbs, queue);
	struct pk_verb_read *read = asker ? pk_queue_read(asker, verb->psn) : NULL;
	const bool fresh = !responses->window.next ||
			   !verbs_is_until(verb->psn, responses->window.next - 1);

	if (!read && (fresh || !asker)) {
		asker = verbs_find_peer(verbs, queue, verb);
		read = asker ? pk_queue_read(asker, verb->psn) : NULL;
	}
	if (fresh || pk_psn_after(verb->psn, responses->window.next - 1) > -PK_WINDOW)
		pk_window_add(&responses->window, verb->psn);
	if (!read && !fresh) {
		verbs->counts.resent++;
		if (!asker)
			verbs_drop(responses, verb->psn);
		return;
	}
	if (read) {
		if (responses->ended && (responses->ended & PK_PSN_MASK) == read->psn &&
		    verbs_is_first(&asker->requests, read))
			asker->requests.opening.settled = true; // it is no rest
		read->partly |= verbs_goes_on(queue, read, verb) ||
				(responses->dropped &&
				 verbs_is_until(read->psn, responses->dropped_psn));
		responses->doubtful = false;
		verbs_credit_read(verbs, asker, read, verb);
	} else if (responses->doubtful) {
		verbs->counts.ambiguous++;
		verbs_drop(responses, verb->psn);
	} else {
		verbs_take_loose(verbs, queue, verb);
	}
}
