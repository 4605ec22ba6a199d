// SPDX-License-Identifier: GPL-3.0-or-later
#include "foreign/match.h"

#include <stdlib.h>
#include <string.h>

#include "value/grow.h"
#include "value/hash.h"
#include "value/order.h"

// Messages of one communicator, source, destination and tag that no receive has, in order: chained
// by their links.
struct queue {
	uint64_t key[2];
	uint32_t first, last;
};

struct queues {
	struct queue *items;
	uint32_t count, capacity;
	struct tr_hash index;
};

static void match_make_key(uint64_t key[2], uint32_t source, uint32_t destination,
			   uint32_t communicator, int32_t tag)
{
	key[0] = (uint64_t)source << 32 | destination;
	key[1] = (uint64_t)communicator << 32 | (uint32_t)tag;
}

static uint32_t match_id_of(const struct events *events, uint32_t rank, const struct event *event)
{
	return event_communicator_of(events, rank, event)->id;
}

static struct queue *match_find(const struct queues *queues, const uint64_t key[2], uint64_t hash)
{
	uint32_t at = tr_hash_first(hash);
	uint32_t place;

	while ((place = tr_hash_next(&queues->index, hash, &at)) != TR_HASH_NONE)
		if (memcmp(queues->items[place].key, key, sizeof(queues->items[place].key)) == 0)
			return &queues->items[place];
	return NULL;
}

static struct queue *find_or_make(struct queues *queues, const uint64_t key[2])
{
	struct queue *queue;
	uint64_t hash;

	if (!tr_hash_reserve(&queues->index))
		return NULL;
	if (!GROW(queues->items, queues->capacity, queues->count))
		return NULL;
	hash = tr_hash_words(&queues->index, key, 2);
	queue = match_find(queues, key, hash);
	if (queue)
		return queue;
	queue = &queues->items[queues->count];
	*queue = (struct queue){
		.key = {key[0], key[1]}, .first = EVENT_NOBODY, .last = EVENT_NOBODY};
	tr_hash_add(&queues->index, hash, queues->count++);
	return queue;
}

static bool queue_sends(struct events *events, struct queues *queues)
{
	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		struct event_rank *own = &events->by_rank[rank];

		for (uint32_t i = 0; i < own->count; i++) {
			struct queue *queue;
			uint64_t key[2];

			if (!event_is_send(&own->events[i]))
				continue;
			match_make_key(key, rank, own->events[i].peer,
				       match_id_of(events, rank, &own->events[i]),
				       own->events[i].tag);
			queue = find_or_make(queues, key);
			if (!queue)
				return false;
			if (queue->first == EVENT_NOBODY)
				queue->first = i;
			else
				own->events[queue->last].link = i;
			queue->last = i;
		}
	}
	return true;
}

static bool is_open(const struct event *recv)
{
	return event_is_recv(recv) && (recv->peer == EVENT_ANY || recv->tag == EVENT_ANY_TAG);
}

static void match_named(struct events *events, const struct queues *queues,
			struct match_counts *counts)
{
	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		struct event_rank *own = &events->by_rank[rank];

		for (uint32_t i = 0; i < own->count; i++) {
			struct event *recv = &own->events[i];
			struct queue *queue;
			struct event *send;
			uint64_t key[2];

			if (!event_is_recv(recv) || is_open(recv))
				continue;
			match_make_key(key, recv->peer, rank, match_id_of(events, rank, recv),
				       recv->tag);
			queue = match_find(queues, key, tr_hash_words(&queues->index, key, 2));
			if (!queue || queue->first == EVENT_NOBODY) {
				counts->unsent++;
				continue;
			}
			send = &events->by_rank[recv->peer].events[queue->first];
			recv->link = queue->first;
			queue->first = send->link;
			send->link = i;
			counts->messages++;
		}
	}
}

// ---- receives whose message is not known

struct left {
	uint32_t rank; // that sent
	uint32_t event;
	uint32_t next; // of the same destination and communicator, not taken
};

struct remains {
	struct left *items;
	size_t count;
	const struct events *events;
};

// Takes what the queues still hold; its links become EVENT_NOBODY.
static bool match_collect(struct events *events, const struct queues *queues,
			  struct remains *remains)
{
	size_t room = 0;

	for (uint32_t q = 0; q < queues->count; q++)
		for (uint32_t i = queues->items[q].first; i != EVENT_NOBODY; room++)
			i = events->by_rank[queues->items[q].key[0] >> 32].events[i].link;
	*remains = (struct remains){.items = reallocarray(NULL, room + 1, sizeof(*remains->items)),
				    .events = events};
	for (uint32_t q = 0; remains->items && q < queues->count; q++) {
		uint32_t rank = (uint32_t)(queues->items[q].key[0] >> 32);

		for (uint32_t i = queues->items[q].first, next; i != EVENT_NOBODY; i = next) {
			next = events->by_rank[rank].events[i].link;
			events->by_rank[rank].events[i].link = EVENT_NOBODY;
			remains->items[remains->count++] = (struct left){.rank = rank, .event = i};
		}
	}
	return remains->items;
}

static const struct event *sent(const struct events *events, const struct left *left)
{
	return &events->by_rank[left->rank].events[left->event];
}

static int by_destination(const void *a, const void *b, void *context)
{
	const struct left *x = a, *y = b;
	const struct event *p = sent(context, x), *q = sent(context, y);

	ORDER_BY(p->peer, q->peer);
	ORDER_BY(match_id_of(context, x->rank, p), match_id_of(context, y->rank, q));
	ORDER_BY(p->begin_ticks, q->begin_ticks);
	ORDER_BY(x->rank, y->rank);
	return ORDER(x->event, y->event);
}

static bool same_place(const struct remains *remains, size_t a, size_t b)
{
	const struct event *p = sent(remains->events, &remains->items[a]),
			   *q = sent(remains->events, &remains->items[b]);

	return p->peer == q->peer &&
	       match_id_of(remains->events, remains->items[a].rank, p) ==
		       match_id_of(remains->events, remains->items[b].rank, q);
}

// The first of the remains for this rank and communicator, remains.count if there are none.
static size_t first_for(const struct remains *remains, uint32_t rank, uint32_t communicator)
{
	size_t low = 0, high = remains->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct event *send = sent(remains->events, &remains->items[middle]);

		if (send->peer < rank ||
		    (send->peer == rank && match_id_of(remains->events, remains->items[middle].rank,
						       send) < communicator))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == remains->count)
		return low;
	const struct event *send = sent(remains->events, &remains->items[low]);

	if (send->peer == rank &&
	    match_id_of(remains->events, remains->items[low].rank, send) == communicator)
		return low;
	return remains->count;
}

// The place that leads to the likely message of a receive, NULL for none.
static uint32_t *likely(const struct remains *remains, uint32_t *from, const struct event *recv,
			int64_t end_ticks)
{
	uint32_t *late = NULL;
	unsigned looked = 0;

	for (uint32_t *at = from; *at != EVENT_NOBODY && looked < MATCH_LOOK_MAX;
	     at = &remains->items[*at].next, looked++) {
		const struct event *send = sent(remains->events, &remains->items[*at]);

		if ((recv->peer != EVENT_ANY && recv->peer != remains->items[*at].rank) ||
		    (recv->tag != EVENT_ANY_TAG && recv->tag != send->tag))
			continue;
		if (send->begin_ticks <= end_ticks)
			return at;
		if (!late)
			late = at;
	}
	return late;
}

static void match_open(struct events *events, struct remains *remains, uint32_t *heads,
		       int64_t *ends, struct match_counts *counts)
{
	for (uint32_t rank = 0; rank < events->ranks; rank++) {
		struct event_rank *own = &events->by_rank[rank];
		bool known = false;

		for (uint32_t i = 0; i < own->count; i++) {
			struct event *recv = &own->events[i];
			size_t first;
			uint32_t *at;

			if (!is_open(recv))
				continue;
			if (!known)
				events_ends(events, rank, ends);
			known = true;
			first = first_for(remains, rank, match_id_of(events, rank, recv));
			at = first < remains->count ? likely(remains, &heads[first], recv, ends[i])
						    : NULL;
			if (!at) {
				counts->unsent++;
				continue;
			}
			recv->peer = remains->items[*at].rank;
			recv->link = remains->items[*at].event;
			recv->guessed = true;
			events->by_rank[recv->peer].events[recv->link].link = i;
			events->by_rank[recv->peer].events[recv->link].guessed = true;
			*at = remains->items[*at].next;
			counts->messages++;
			counts->guessed++;
		}
	}
}

static bool guess(struct events *events, const struct queues *queues, struct match_counts *counts)
{
	struct remains remains;
	bool good = match_collect(events, queues, &remains);
	uint32_t *heads = reallocarray(NULL, remains.count + 1,
				       sizeof(*heads)); // of groups, by their first
	int64_t *ends = events_ends_room(events);

	good = good && heads && ends;
	if (good) {
		qsort_r(remains.items, remains.count, sizeof(*remains.items), by_destination,
			events);
		for (size_t i = 0; i < remains.count; i++) {
			bool last = i + 1 == remains.count || !same_place(&remains, i, i + 1);

			remains.items[i].next = last ? EVENT_NOBODY : (uint32_t)(i + 1);
			heads[i] = (uint32_t)i;
		}
		counts->unreceived = remains.count;
		match_open(events, &remains, heads, ends, counts);
		counts->unreceived -= counts->guessed;
	}
	free(remains.items);
	free(heads);
	free(ends);
	return good;
}

enum tr_status events_match(struct events *events, struct match_counts *counts,
			    struct tr_error *err)
{
	struct queues queues = {0};
	bool good;

	*counts = (struct match_counts){0};
	good = queue_sends(events, &queues);
	if (good) {
		match_named(events, &queues, counts);
		good = guess(events, &queues, counts);
	}
	free(queues.items);
	tr_hash_clear(&queues.index);
	return good ? TR_OK : tr_no_memory(err, "matching messages");
}

void events_ends(const struct events *events, uint32_t rank, int64_t *ends)
{
	const struct event_rank *own = &events->by_rank[rank];

	for (uint32_t i = 0; i < own->count; i++) {
		ends[i] = own->events[i].end_ticks;
		if (own->events[i].kind == EVENT_WAIT && ends[own->events[i].link] < ends[i])
			ends[own->events[i].link] = ends[i];
	}
}

int64_t *events_ends_room(const struct events *events)
{
	uint32_t most = 1;

	for (uint32_t rank = 0; rank < events->ranks; rank++)
		if (events->by_rank[rank].count > most)
			most = events->by_rank[rank].count;
	return reallocarray(NULL, most, sizeof(int64_t));
}
