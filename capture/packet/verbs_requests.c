// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of the requests of a direction, in the order of their numbers.
#include <stdlib.h>
#include <string.h>

#include "packet/queue_pair.h"
#include "value/grow.h"

// Numbers before a direction's first packet that are waited for, and packets that wait for them:
// what is sent again may begin before what was captured first.
#define STARTING 64u
#define UNRELIABLE_WAITING_MAX 256u // packets that a later one overtook come soon, or never

// ---- messages

void pk_verb_message_add(struct pk_verb_message *message, const struct pk_verb *verb)
{
	if (!message->open)
		*message = (struct pk_verb_message){
			.begin_ns = verb->time_ns,
			.end_ns = verb->time_ns,
			.frame = verb->frame,
			.length_bytes = verb->length_bytes,
			.has_length = verb->has_length,
			.operation = verb->operation,
			.open = true,
		};
	if (verb->time_ns < message->begin_ns)
		message->begin_ns = verb->time_ns;
	if (verb->time_ns > message->end_ns)
		message->end_ns = verb->time_ns;
	if (verb->frame < message->frame)
		message->frame = verb->frame;
	message->bytes += verb->payload_bytes;
	message->immediate = verb->immediate;
	message->partly |= verb->cut;
	message->next = (verb->psn + 1) & PK_PSN_MASK;
}

void pk_verb_message_end(struct pk_verbs *verbs, const struct pk_queue *queue,
			 struct pk_verb_message *message)
{
	const bool backwards = message->backwards;
	const bool whole = !message->has_length || message->bytes == message->length_bytes;
	const struct tr_message record = {
		.begin_ticks = message->begin_ns,
		.end_ticks = message->end_ns,
		.id = message->frame,
		.size_bytes = whole ? message->bytes : message->length_bytes,
		.src = backwards ? queue->dst : queue->src,
		.dst = backwards ? queue->src : queue->dst,
		.tag = (int32_t)message->immediate,
		.communicator = backwards ? message->back_pair : queue->queue_pair,
		.operation = message->operation,
		.flags = message->partly || !whole ? TR_MESSAGE_PARTLY : 0,
		.src_rank = TR_RANK_NONE,
		.dst_rank = TR_RANK_NONE,
	};

	if (message->open) {
		verbs->counts.messages++;
		verbs->message(verbs->context, &record);
	}
	message->open = false;
}

static void verbs_give_up_message(struct pk_verbs *verbs, struct pk_queue *queue)
{
	queue->requests.message.partly = true;
	pk_verb_message_end(verbs, queue, &queue->requests.message);
}

// ---- numbers that reads take

uint32_t pk_verb_numbers(uint32_t length_bytes, uint32_t mtu_bytes)
{
	return length_bytes ? (length_bytes - 1) / mtu_bytes + 1 : 1;
}

// Whether the next request may have this number, after a read of which it is not known how many it
// takes. If so, that is known then.
static bool verbs_fits_open_end(struct pk_queue *queue, uint32_t psn)
{
	struct pk_verb_requests *requests = &queue->requests;
	struct pk_verb_read *read = pk_queue_read(queue, requests->read_psn);
	const uint32_t numbers = (psn - requests->read_psn) & PK_PSN_MASK;
	uint32_t fitting = 0, mtu_bytes = 0;

	if (!read || !read->message.has_length || read->numbers) { // cut off, or ended
		requests->open_end = false;
		return true;
	}
	for (uint32_t mtu = PK_MTU_LEAST_BYTES; mtu <= PK_MTU_MOST_BYTES; mtu *= 2) {
		if (pk_verb_numbers(read->message.length_bytes, mtu) != numbers)
			continue;
		mtu_bytes = mtu;
		fitting++;
	}
	if (!fitting)
		return false;
	requests->open_end = false;
	read->numbers = numbers;
	if (fitting == 1)
		pk_queue_learn_mtu(queue, mtu_bytes);
	return true;
}

void pk_queue_learn_numbers(struct pk_queue *queue, struct pk_verb_read *read, uint32_t numbers)
{
	struct pk_verb_requests *requests = &queue->requests;

	read->numbers = numbers;
	if (requests->open_end && requests->read_psn == read->psn) {
		requests->open_end = false;
		requests->next = (read->psn + numbers) & PK_PSN_MASK;
	}
	for (uint32_t i = 0; i < requests->count; i++)
		if (requests->waiting[i].psn == read->psn)
			requests->waiting[i].numbers = numbers;
}

void pk_queue_learn_mtu(struct pk_queue *queue, uint32_t mtu_bytes)
{
	struct pk_verb_requests *requests = &queue->requests;

	if (requests->mtu_bytes == mtu_bytes || mtu_bytes < PK_MTU_LEAST_BYTES ||
	    mtu_bytes > PK_MTU_MOST_BYTES)
		return;
	requests->mtu_bytes = mtu_bytes;
	for (uint32_t i = 0; i < requests->read_count; i++) {
		struct pk_verb_read *read = &requests->reads[i];

		if (!read->numbers && read->message.has_length)
			pk_queue_learn_numbers(
				queue, read,
				pk_verb_numbers(read->message.length_bytes, mtu_bytes));
	}
}

// ---- requests in order

// Adds the packet to its message.
static void verbs_add_packet(struct pk_verbs *verbs, struct pk_queue *queue,
			     const struct pk_verb *verb)
{
	struct pk_verb_message *message = &queue->requests.message;
	const bool begins = pk_verb_begins(verb);
	bool unseen;

	if (message->open && (begins || message->operation != verb->operation))
		verbs_give_up_message(verbs, queue); // its end was not seen
	unseen = !begins && !message->open;
	verbs->counts.starts += begins;
	verbs->counts.unseen += unseen;
	if (verb->part == PK_VERB_ASKS)
		return;
	pk_verb_message_add(message, verb);
	message->partly |= unseen;
	if (verb->part >= PK_VERB_LAST)
		pk_verb_message_end(verbs, queue, message);
}

// Counts a message that ends with this number.
static void verbs_count_end(struct pk_verb_opening *opening, uint32_t psn)
{
	if (!opening->settled)
		opening->ended[opening->ends++ % PK_VERB_ENDS] = psn;
}

// Takes the packet whose number is next.
static void verbs_take_next(struct pk_verbs *verbs, struct pk_queue *queue,
			    const struct pk_verb *verb)
{
	struct pk_verb_requests *requests = &queue->requests;
	struct pk_verb_opening *opening = &requests->opening;
	struct pk_verb_read *first = requests->starting ? pk_queue_read(queue, verb->psn) : NULL;

	if (first)
		first->first = first->message.operation == TR_OP_READ;
	if (requests->starting && !opening->held.open && !(first && first->first))
		opening->settled = true;
	if (verb->part >= PK_VERB_LAST)
		verbs_count_end(opening, verb->psn);
	requests->starting = false;
	verbs->counts.numbers++;
	requests->open_end = false;
	requests->next = (verb->psn + 1) & PK_PSN_MASK;
	if (verb->part == PK_VERB_FIRST || verb->part == PK_VERB_MIDDLE)
		pk_queue_learn_mtu(queue, verb->payload_bytes);
	verbs_add_packet(verbs, queue, verb);
	if (verb->part == PK_VERB_ASKS) {
		requests->open_end = !verb->numbers;
		requests->read_psn = verb->psn;
		requests->next = (verb->psn + (verb->numbers
						       ? verb->numbers
						       : pk_verb_numbers(verb->length_bytes,
									 PK_MTU_MOST_BYTES))) &
				 PK_PSN_MASK;
	}
}

// Takes packets that wait, as far as they are in order.
static void verbs_drain(struct pk_verbs *verbs, struct pk_queue *queue)
{
	struct pk_verb_requests *requests = &queue->requests;
	uint32_t done = 0;

	for (; done < requests->count; done++) {
		const struct pk_verb *verb = &requests->waiting[done];
		const int32_t after = pk_psn_after(verb->psn, requests->next);

		if (after < 0) // it is among the numbers of a read
			verbs->counts.resent++;
		else if (after == 0 ||
			 (requests->open_end && verbs_fits_open_end(queue, verb->psn)))
			verbs_take_next(verbs, queue, verb);
		else
			break;
	}
	requests->count -= done;
	if (requests->count && done) {
		memmove(requests->waiting, requests->waiting + done,
			requests->count * sizeof(*requests->waiting));
	} else if (done) {
		verbs->held_bytes -= requests->capacity * sizeof(*requests->waiting);
		free(requests->waiting);
		requests->waiting = NULL;
		requests->capacity = 0;
	}
}

// Whether the message under way has the missing numbers before verb, and it: if they are so many
// packets of it as its length says; or one, since a message that ends and one that begins are two.
static bool verbs_spans(const struct pk_queue *queue, uint32_t missing, const struct pk_verb *verb)
{
	const struct pk_verb_message *message = &queue->requests.message;
	const uint64_t bytes = message->bytes + (uint64_t)missing * queue->requests.mtu_bytes +
			       verb->payload_bytes;

	if (!message->open || message->operation != verb->operation || pk_verb_begins(verb))
		return false;
	if (!message->has_length)
		return missing == 1;
	return verb->part == PK_VERB_LAST ? bytes == message->length_bytes
					  : bytes < message->length_bytes;
}

// Goes on after the numbers missing before the first packet that waits.
static void verbs_pass_gap(struct pk_verbs *verbs, struct pk_queue *queue)
{
	struct pk_verb_requests *requests = &queue->requests;
	const struct pk_verb *verb = &requests->waiting[0];
	const uint32_t missing = (uint32_t)pk_psn_after(verb->psn, requests->next);

	if (!requests->starting) {
		verbs->counts.lost += missing;
		if (pk_verb_end_before(verb, requests->next) && !requests->open_end)
			verbs_count_end(&requests->opening, requests->next);
		if (verbs_spans(queue, missing, verb)) {
			requests->message.bytes += (uint64_t)missing * requests->mtu_bytes;
			requests->message.partly = true;
		} else if (requests->message.open) {
			verbs_give_up_message(verbs, queue);
		} else if (pk_verb_begins(verb)) {
			verbs->counts.unseen++;
		}
	}
	requests->open_end = false;
	requests->next = verb->psn;
	verbs_drain(verbs, queue);
}

// Whether a packet waits with this number, or a read with it among its own; *at: where it belongs.
static bool verbs_waits(const struct pk_verb_requests *requests, uint32_t psn, uint32_t *at)
{
	uint32_t place = requests->count;
	int32_t before;

	while (place && pk_psn_after(requests->waiting[place - 1].psn, psn) > 0)
		place--;
	*at = place;
	before = place ? pk_psn_after(psn, requests->waiting[place - 1].psn) : INT32_MAX;
	return before == 0 || (place && before < (int32_t)requests->waiting[place - 1].numbers);
}

static void verbs_wait(struct pk_verbs *verbs, struct pk_queue *queue, uint32_t at,
		       const struct pk_verb *verb)
{
	struct pk_verb_requests *requests = &queue->requests;
	const uint32_t before = requests->capacity;
	const uint32_t most = verb->retried ? PK_VERBS_WAITING_MAX : UNRELIABLE_WAITING_MAX;

	if (!GROW(requests->waiting, requests->capacity, requests->count)) {
		verbs->failed = true;
		return;
	}
	verbs->held_bytes += (requests->capacity - before) * sizeof(*requests->waiting);
	memmove(requests->waiting + at + 1, requests->waiting + at,
		(requests->count - at) * sizeof(*requests->waiting));
	requests->waiting[at] = *verb;
	requests->count++;
	verbs_drain(verbs, queue);
	while (requests->count >= (requests->starting ? STARTING : most))
		verbs_pass_gap(verbs, queue);
}

void pk_queue_end(struct pk_verbs *verbs, struct pk_queue *queue)
{
	struct pk_verb_requests *requests = &queue->requests;

	while (requests->count)
		verbs_pass_gap(verbs, queue);
	verbs_give_up_message(verbs, queue);
	while (requests->read_count)
		pk_queue_end_read(verbs, queue);
	pk_queue_release(verbs, queue);
	requests->begun = false;
	requests->mtu_bytes = 0;
	queue->responses.message.partly = true;
	pk_verb_message_end(verbs, queue, &queue->responses.message);
}

void pk_queue_request(struct pk_verbs *verbs, struct pk_queue *queue, struct pk_verb *verb)
{
	struct pk_verb_requests *requests = &queue->requests;
	const uint32_t from = requests->count ? requests->waiting[requests->count - 1].psn
					      : requests->next;
	int32_t after = pk_psn_after(verb->psn, requests->next);
	uint32_t at;

	if (requests->begun && (pk_psn_after(verb->psn, from) > PK_PSN_STEP_MAX ||
				(after < -PK_PSN_STEP_MAX && !pk_queue_read(queue, verb->psn))))
		pk_queue_end(verbs, queue);
	if (!requests->begun) {
		requests->next = (verb->psn - STARTING) & PK_PSN_MASK;
		requests->begun = requests->starting = true;
		requests->open_end = false;
		requests->opening = (struct pk_verb_opening){.ends = 0};
		after = (int32_t)STARTING;
	}
	if (after < 0 || verbs_waits(requests, verb->psn, &at)) {
		verbs->counts.resent++;
		return;
	}
	verbs->counts.cut += verb->cut;
	if (verb->part == PK_VERB_ASKS)
		verb->numbers = pk_queue_ask(verbs, queue, verb);
	if (!requests->count &&
	    (after == 0 || (requests->open_end && verbs_fits_open_end(queue, verb->psn))))
		verbs_take_next(verbs, queue, verb);
	else
		verbs_wait(verbs, queue, at, verb);
}
