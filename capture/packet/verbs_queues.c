// SPDX-License-Identifier: GPL-3.0-or-later
// The directions of queue pairs, by number and by nodes, within a bound of memory.
#include <stdlib.h>

#include "packet/queue_pair.h"
#include "value/grow.h"
#include "value/order.h"

#define BLOCKS_BYTES 160u // what a direction takes beside its struct, in tables and blocks

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

struct pk_queue *pk_queue_peer(const struct pk_verbs *verbs, const struct pk_queue *queue)
{
	struct pk_queue *peer = queue->peer < verbs->count ? verbs->queues[queue->peer] : NULL;

	return peer && peer->flow == queue->peer_flow ? peer : NULL;
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

struct pk_queue *pk_verbs_add(struct pk_verbs *verbs, const struct tr_packet *record,
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
		.peer = PK_NO_QUEUE,
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

	for (uint32_t i = 0; i < requests->read_count; i++) {
		verbs->held_bytes -= requests->reads[i].seen_room;
		free(requests->reads[i].seen);
	}
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

void pk_verbs_make_room(struct pk_verbs *verbs)
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

void pk_verbs_release(struct pk_verbs *verbs)
{
	for (uint32_t i = 0; i < verbs->count; i++) {
		const struct pk_queue *queue = verbs->queues[i];

		if (queue && queue->requests.opening.held.open &&
		    queue->requests.opening.held_from + PK_VERBS_HELD_MAX <= verbs->taken)
			pk_queue_release(verbs, verbs->queues[i]);
	}
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
