// SPDX-License-Identifier: GPL-3.0-or-later
// The directions of queue pairs, by number and by nodes, within a bound of memory; and what each
// packet is for its message.
#include "packet/verbs.h"

#include <stdlib.h>

#include "packet/checked_bytes.h"
#include "packet/queue_pair.h"
#include "value/grow.h"
#include "value/order.h"

#define BLOCKS_BYTES 160u // what a direction takes beside its struct, in tables and blocks
#define XRCETH_BYTES 4u
#define DETH_BYTES 8u
#define RETH_BYTES 16u
#define RETH_LENGTH 12u // where it has the length
#define IMMEDIATE_BYTES 4u
#define ATOMIC_BYTES 8u
#define MSN_MASK 0xffffffu // of an acknowledge extended header, which begins a response's

struct pk_verbs *pk_verbs_new(pk_verbs_message *message, void *context, size_t most_bytes)
{
	struct pk_verbs *verbs = calloc(1, sizeof(*verbs));

	if (verbs) {
		verbs->message = message;
		verbs->context = context;
		verbs->most_bytes = most_bytes;
	}
	return verbs;
}

static uint64_t verbs_hash_nodes(const struct pk_verbs *verbs, uint32_t src, uint32_t dst)
{
	const uint64_t nodes = (uint64_t)src << 32 | dst;

	return tr_hash_words(&verbs->nodes, &nodes, 1);
}

uint32_t pk_verbs_between(const struct pk_verbs *verbs, uint32_t src, uint32_t dst)
{
	const uint64_t value = verbs_hash_nodes(verbs, src, dst);
	uint32_t at = tr_hash_first(value), number;

	while ((number = tr_hash_next(&verbs->nodes, value, &at)) != TR_HASH_NONE)
		if (verbs->queues[number]->src == src && verbs->queues[number]->dst == dst)
			return number;
	return PK_NO_QUEUE;
}

// Enters a direction beside those with its nodes: after the first of them.
static bool verbs_enter(struct pk_verbs *verbs, struct pk_queue *queue)
{
	uint32_t first;

	if (!tr_hash_reserve(&verbs->nodes))
		return false;
	first = pk_verbs_between(verbs, queue->src, queue->dst);
	if (first == PK_NO_QUEUE) {
		queue->next_alike = PK_NO_QUEUE;
		tr_hash_add(&verbs->nodes, verbs_hash_nodes(verbs, queue->src, queue->dst),
			    queue->number);
	} else {
		queue->next_alike = verbs->queues[first]->next_alike;
		verbs->queues[first]->next_alike = queue->number;
	}
	return true;
}

// Adds the direction of a packet that has none. NULL if out of memory.
static struct pk_queue *verbs_add(struct pk_verbs *verbs, const struct tr_packet *record,
				  uint32_t queue_pair)
{
	struct pk_queue *queue;
	uint32_t number = verbs->first_free;

	while (number < verbs->count && verbs->queues[number])
		number++;
	if (!GROW_ZEROED(verbs->queues, verbs->capacity, number))
		return NULL;
	queue = calloc(1, sizeof(*queue));
	if (!queue)
		return NULL;
	*queue = (struct pk_queue){
		.flow = record->flow,
		.number = number,
		.src = record->src,
		.dst = record->dst,
		.queue_pair = queue_pair,
	};
	if (!verbs_enter(verbs, queue)) {
		free(queue);
		return NULL;
	}
	verbs->queues[number] = queue;
	verbs->count += number == verbs->count;
	verbs->first_free = number + 1;
	verbs->held_bytes += sizeof(*queue) + BLOCKS_BYTES;
	return queue;
}

static void verbs_free_queue(struct pk_verbs *verbs, struct pk_queue *queue)
{
	struct pk_verb_requests *requests = &queue->requests;

	if (queue->peer)
		queue->peer->peer = NULL;
	verbs->held_bytes -= sizeof(*queue) + BLOCKS_BYTES +
			     requests->capacity * sizeof(*requests->waiting) +
			     requests->read_capacity * sizeof(*requests->reads);
	free(requests->waiting);
	free(requests->reads);
	verbs->queues[queue->number] = NULL;
	free(queue);
}

static int verbs_by_use(const void *a, const void *b)
{
	const struct pk_queue *const *x = a, *const *y = b;

	return ORDER((*x)->used, (*y)->used);
}

// Gives those up that were idle longest, an eighth of the bound.
static void verbs_make_room(struct pk_verbs *verbs)
{
	struct pk_queue **order = malloc(verbs->count * sizeof(struct pk_queue *));
	uint32_t count = 0;

	if (!order) {
		verbs->failed = true;
		return;
	}
	for (uint32_t i = 0; i < verbs->count; i++)
		if (verbs->queues[i])
			order[count++] = verbs->queues[i];
	qsort(order, count, sizeof(struct pk_queue *), verbs_by_use);
	for (uint32_t i = 0;
	     i + 1 < count && verbs->held_bytes > verbs->most_bytes - verbs->most_bytes / 8; i++) {
		pk_queue_end(verbs, order[i]);
		verbs_free_queue(verbs, order[i]);
		verbs->counts.given_up++;
	}
	free(order);
	verbs->first_free = 0;
	tr_hash_forget(&verbs->nodes);
	for (uint32_t i = 0; i < verbs->count; i++)
		if (verbs->queues[i])
			verbs->failed |= !verbs_enter(verbs, verbs->queues[i]);
}

// Passes on the reads that were held as long as may be.
static void verbs_release(struct pk_verbs *verbs)
{
	for (uint32_t i = 0; i < verbs->count; i++) {
		const struct pk_queue *queue = verbs->queues[i];

		if (queue && queue->requests.opening.held.open &&
		    queue->requests.opening.held_from + PK_VERBS_HELD_MAX <= verbs->taken)
			pk_queue_release(verbs, verbs->queues[i]);
	}
}

// ---- packets

enum { RELIABLE = 0, UNRELIABLE = 1, DATAGRAM = 3, CONGESTION = 4, EXTENDED = 5 };

enum { IMMEDIATE = 1, RETH = 2, RESPONSE = 4, ONE_NUMBER = 8 };

// By operation, the lower five bits of an opcode. Part PK_VERB_NONE: reserved, or no message.
static const struct {
	uint8_t part, has;
	uint16_t operation;
} operations[32] = {
	[0x00] = {PK_VERB_FIRST, 0, TR_OP_SEND},
	[0x01] = {PK_VERB_MIDDLE, 0, TR_OP_SEND},
	[0x02] = {PK_VERB_LAST, 0, TR_OP_SEND},
	[0x03] = {PK_VERB_LAST, IMMEDIATE, TR_OP_SEND},
	[0x04] = {PK_VERB_ONLY, 0, TR_OP_SEND},
	[0x05] = {PK_VERB_ONLY, IMMEDIATE, TR_OP_SEND},
	[0x06] = {PK_VERB_FIRST, RETH, TR_OP_WRITE},
	[0x07] = {PK_VERB_MIDDLE, 0, TR_OP_WRITE},
	[0x08] = {PK_VERB_LAST, 0, TR_OP_WRITE},
	[0x09] = {PK_VERB_LAST, IMMEDIATE, TR_OP_WRITE},
	[0x0a] = {PK_VERB_ONLY, RETH, TR_OP_WRITE},
	[0x0b] = {PK_VERB_ONLY, RETH | IMMEDIATE, TR_OP_WRITE},
	[0x0c] = {PK_VERB_ASKS, RETH, TR_OP_READ},
	[0x0d] = {PK_VERB_FIRST, RESPONSE, TR_OP_READ},
	[0x0e] = {PK_VERB_MIDDLE, RESPONSE, TR_OP_READ},
	[0x0f] = {PK_VERB_LAST, RESPONSE, TR_OP_READ},
	[0x10] = {PK_VERB_ONLY, RESPONSE, TR_OP_READ},
	[0x11] = {PK_VERB_ACKNOWLEDGES, RESPONSE, TR_OP_OTHER},
	[0x12] = {PK_VERB_ONLY, RESPONSE, TR_OP_ATOMIC},
	[0x13] = {PK_VERB_ASKS, ONE_NUMBER, TR_OP_ATOMIC},
	[0x14] = {PK_VERB_ASKS, ONE_NUMBER, TR_OP_ATOMIC},
	[0x16] = {PK_VERB_LAST, 0, TR_OP_SEND}, // with invalidate
	[0x17] = {PK_VERB_ONLY, 0, TR_OP_SEND},
	[0x1c] = {PK_VERB_ASKS, ONE_NUMBER, TR_OP_OTHER}, // flush
	[0x1d] = {PK_VERB_ASKS, ONE_NUMBER, TR_OP_WRITE}, // atomic write
};

// Each datagram is a message.
static void verbs_take_datagram(struct pk_verbs *verbs, struct pk_queue *queue,
				const struct pk_verb *verb)
{
	struct pk_verb_message message = {.open = false};

	if (pk_window_has(&queue->datagrams, verb->psn)) {
		verbs->counts.resent++;
		return;
	}
	pk_window_add(&queue->datagrams, verb->psn);
	verbs->counts.cut += verb->cut;
	verbs->counts.starts++;
	verbs->counts.numbers++;
	pk_verb_message_add(&message, verb);
	pk_verb_message_end(verbs, queue, &message);
}

static uint32_t be32_at(const struct pk_packet *packet, uint32_t at, bool *cut)
{
	if (at + 4 > packet->extended_bytes) {
		*cut = true;
		return 0;
	}
	return pk_be32(packet->extended + at);
}

// False: it is of no message that is looked for.
static bool verbs_read_packet(const struct pk_packet *packet, const struct tr_packet *record,
			      struct pk_verb *verb)
{
	const unsigned service = packet->opcode >> 5, has = operations[packet->opcode & 31u].has;
	bool cut = false;
	uint32_t at = service == DATAGRAM			 ? DETH_BYTES
		      : service == EXTENDED && !(has & RESPONSE) ? XRCETH_BYTES
								 : 0;

	*verb = (struct pk_verb){
		.time_ns = record->time_ticks,
		.frame = record->id,
		.psn = packet->sequence,
		.payload_bytes = packet->payload_bytes,
		.operation = operations[packet->opcode & 31u].operation,
		.part = operations[packet->opcode & 31u].part,
		.numbers = has & ONE_NUMBER ? 1 : 0,
		.completed = UINT32_MAX,
		.answers = has & RESPONSE,
		.retried = service != UNRELIABLE,
	};
	if (has & RETH) {
		verb->length_bytes = be32_at(packet, at + RETH_LENGTH, &cut);
		verb->has_length = !cut;
		at += RETH_BYTES;
	}
	if (has & IMMEDIATE)
		verb->immediate = be32_at(packet, at, &cut);
	if (has & RESPONSE && verb->part != PK_VERB_MIDDLE && packet->extended_bytes >= 4)
		verb->completed = pk_be32(packet->extended) & MSN_MASK;
	if (verb->operation == TR_OP_ATOMIC)
		verb->payload_bytes = ATOMIC_BYTES;
	verb->cut = cut;
	switch (service) {
	case RELIABLE:
	case EXTENDED: return verb->part != PK_VERB_NONE;
	case UNRELIABLE:
		return verb->part >= PK_VERB_FIRST && verb->part <= PK_VERB_ONLY && !verb->answers;
	case DATAGRAM: return verb->part == PK_VERB_ONLY && verb->operation == TR_OP_SEND;
	default: return false;
	}
}

// The direction of a flow, whose word is word; NULL if out of memory.
static struct pk_queue *verbs_queue_of(struct pk_verbs *verbs, uint32_t *word,
				       const struct pk_packet *packet,
				       const struct tr_packet *record)
{
	struct pk_queue *queue = *word && *word <= verbs->count ? verbs->queues[*word - 1] : NULL;

	if (queue && queue->flow == record->flow)
		return queue;
	queue = verbs_add(verbs, record, packet->flow.dst_port);
	if (queue)
		*word = queue->number + 1;
	return queue;
}

uint32_t *pk_verbs_take(struct pk_verbs *verbs, uint32_t *word, const struct pk_packet *packet,
			const struct tr_packet *record)
{
	struct pk_queue *queue;
	struct pk_verb verb;
	const bool known = verbs_read_packet(packet, record, &verb);

	if (!known || !word)
		verbs->counts.left_out += packet->opcode >> 5 != CONGESTION;
	if (!word)
		return NULL;
	queue = verbs_queue_of(verbs, word, packet, record);
	if (!queue) {
		verbs->failed = true;
		return NULL;
	}
	queue->used = verbs->taken++;
	if (!(verbs->taken % PK_VERBS_HELD_MAX))
		verbs_release(verbs);
	if (!known)
		return queue->last;
	if (packet->opcode >> 5 == DATAGRAM)
		verbs_take_datagram(verbs, queue, &verb);
	else if (!verb.answers)
		pk_queue_request(verbs, queue, &verb);
	else if (verb.part != PK_VERB_ACKNOWLEDGES)
		pk_queue_answer(verbs, queue, &verb);
	if (verb.answers)
		pk_queue_hear(verbs, queue, &verb);
	if (verbs->held_bytes > verbs->most_bytes)
		verbs_make_room(verbs);
	return queue->last;
}

bool pk_verbs_failed(const struct pk_verbs *verbs)
{
	return verbs->failed;
}

void pk_verbs_finish(struct pk_verbs *verbs)
{
	for (uint32_t i = 0; i < verbs->count; i++)
		if (verbs->queues[i])
			pk_queue_end(verbs, verbs->queues[i]);
}

struct pk_verbs_counts pk_verbs_counts(const struct pk_verbs *verbs)
{
	return verbs->counts;
}

double pk_verbs_unseen(const struct pk_verbs_counts *counts)
{
	const double lost = counts->numbers ? (double)counts->lost * (double)counts->starts /
						      (double)counts->numbers
					    : 0;

	return lost > (double)counts->unseen ? lost : (double)counts->unseen;
}

void pk_verbs_free(struct pk_verbs *verbs)
{
	if (!verbs)
		return;
	for (uint32_t i = 0; i < verbs->count; i++)
		if (verbs->queues[i])
			verbs_free_queue(verbs, verbs->queues[i]);
	free(verbs->queues);
	tr_hash_clear(&verbs->nodes);
	free(verbs);
}
