// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "packet/identity.h"
#include "points/resent.h"
#include "points/waiting.h"

#define NONE UINT32_MAX
#define FIRST_CAPACITY 1024u
#define ALIKE_MAX 64u // sightings of one identity that are told apart
#define SLACK_NS 1000 // of the comparison of corrected times, beyond the claimed error

enum join_state {
	OPEN,	   // not joined
	SEEN_SENT, // received; a packet with this identity, sent at sent_ns, was joined to another
		   // sighting
	JOINED,
};

struct sighting {
	struct tr_packet record;
	uint64_t identity;
	int64_t sent_ns;
	uint32_t next; // of those with the same low bits of the identity, an earlier one
	uint16_t from, to;
	bool received; // else sent
	uint8_t state; // enum state
};

struct pt_join {
	const struct pt_clocks *clocks;
	uint32_t points;
	int64_t longest_ns;
	size_t max;
	pt_give *give;
	void *context;
	struct sighting *sightings; // capacity of them
	uint32_t *first;	    // capacity: the latest by low bits of the identity
	uint32_t free;		    // the first of those not used, chained; NONE
	struct pt_queue queue;	    // of those used
	size_t capacity;
	int64_t given_ns;
	struct pt_way *ways; // points * points
	struct pt_beside beside;
	struct pt_resent resent;
};

struct pt_join *pt_join_new(const struct pt_clocks *clocks, size_t points, int64_t longest_ns,
			    size_t max, pt_give *give, void *context)
{
	struct pt_join *join = calloc(1, sizeof(*join));

	if (!join)
		return NULL;
	*join = (struct pt_join){.clocks = clocks,
				 .points = (uint32_t)points,
				 .longest_ns = longest_ns,
				 .max = max,
				 .give = give,
				 .context = context,
				 .given_ns = INT64_MIN,
				 .free = NONE};
	join->ways = calloc(points * points, sizeof(*join->ways));
	if (!join->ways) {
		free(join);
		return NULL;
	}
	for (size_t i = 0; i < points * points; i++)
		join->ways[i].last_arrived_ns = INT64_MIN;
	return join;
}

static struct pt_way *way_of(struct pt_join *join, const struct sighting *sighting)
{
	return &join->ways[(size_t)sighting->from * join->points + sighting->to];
}

// ---- sightings by identity

static uint32_t *chain_of(struct pt_join *join, uint64_t identity)
{
	return &join->first[identity & (join->capacity - 1)];
}

static void chain(struct pt_join *join, uint32_t place)
{
	uint32_t *first = chain_of(join, join->sightings[place].identity);

	join->sightings[place].next = *first;
	*first = place;
}

static void unchain(struct pt_join *join, uint32_t place)
{
	uint32_t *link = chain_of(join, join->sightings[place].identity);

	while (*link != place)
		link = &join->sightings[*link].next;
	*link = join->sightings[place].next;
}

// The same packet as like, from place on; NONE if there is none.
static uint32_t alike(const struct pt_join *join, uint32_t place, const struct sighting *like)
{
	while (place != NONE) {
		const struct sighting *sighting = &join->sightings[place];

		if (sighting->identity == like->identity && sighting->from == like->from &&
		    sighting->to == like->to)
			break;
		place = sighting->next;
	}
	return place;
}

// Moves the chains to twice as many places: each becomes two, in its order.
static void split_chains(struct pt_join *join, uint32_t *first)
{
	for (size_t i = 0; i < join->capacity; i++) {
		uint32_t *ends[2] = {&first[i], &first[join->capacity + i]};

		for (uint32_t place = join->first[i]; place != NONE;
		     place = join->sightings[place].next) {
			const bool high = (join->sightings[place].identity & join->capacity) != 0;

			*ends[high] = place;
			ends[high] = &join->sightings[place].next;
		}
		*ends[0] = *ends[1] = NONE;
	}
}

static bool join_grow(struct pt_join *join)
{
	const size_t more = join->capacity ? 2 * join->capacity : FIRST_CAPACITY;
	struct sighting *sightings = realloc(join->sightings, more * sizeof(*sightings));
	uint32_t *first;

	if (sightings)
		join->sightings = sightings;
	first = calloc(more, sizeof(*first));
	if (!sightings || !first) {
		free(first);
		return false;
	}
	if (join->capacity)
		split_chains(join, first);
	else
		memset(first, 0xff, more * sizeof(*first));
	free(join->first);
	join->first = first;
	for (size_t i = more; i-- > join->capacity;) {
		sightings[i].next = join->free;
		join->free = (uint32_t)i;
	}
	join->capacity = more;
	return true;
}

// ---- joining

static int64_t slack_ns(const struct pt_join *join, const struct sighting *sighting)
{
	const double wrong_ns = 2 * pt_clocks_error(join->clocks, sighting->from, sighting->to) +
				pt_clocks_unsure(join->clocks, sighting->from, sighting->to);

	return SLACK_NS + (int64_t)fmin(wrong_ns, (double)join->longest_ns);
}

static void join_two(struct pt_join *join, struct sighting *sent, struct sighting *received)
{
	sent->state = JOINED;
	received->state = JOINED;
	received->sent_ns = sent->record.time_ticks;
	received->record.flags |= sent->record.flags & TR_FLAG_RESENT;
	if (received->sent_ns > received->record.time_ticks) {
		received->sent_ns = received->record.time_ticks;
		way_of(join, sent)->early++;
	}
}

// The open sightings of a packet, the latest first.
struct join_group {
	struct sighting *sent[ALIKE_MAX], *received[ALIKE_MAX];
	size_t sent_count, received_count;
};

static void join_gather(struct pt_join *join, const struct sighting *like, struct join_group *group)
{
	uint32_t place = *chain_of(join, like->identity);

	group->sent_count = group->received_count = 0;
	while ((place = alike(join, place, like)) != NONE) {
		struct sighting *sighting = &join->sightings[place];

		place = sighting->next;
		if (sighting->state == JOINED)
			continue;
		if (sighting->received && group->received_count < ALIKE_MAX)
			group->received[group->received_count++] = sighting;
		else if (!sighting->received && group->sent_count < ALIKE_MAX)
			group->sent[group->sent_count++] = sighting;
	}
}

// Which of the group was received of the earliest sent; NULL if it was lost.
static struct sighting *arrival_of(const struct join_group *group, const struct sighting *sent,
				   int64_t slack)
{
	size_t next = 0;

	if (group->received_count >= group->sent_count) {
		for (size_t i = group->received_count; i-- > 0;)
			if (group->received[i]->record.time_ticks >=
			    sent->record.time_ticks - slack)
				return group->received[i];
		return NULL;
	}
	for (size_t i = 0; i < group->received_count; i++) {
		while (next < group->sent_count &&
		       group->sent[next]->record.time_ticks >
			       group->received[i]->record.time_ticks + slack)
			next++;
		if (next == group->sent_count)
			return NULL;
		if (group->sent[next++] == sent)
			return group->received[i];
	}
	return NULL;
}

static enum tr_status join_give(struct pt_join *join, const struct sighting *sighting,
				struct tr_delivery *delivery, struct tr_error *err)
{
	delivery->packet = sighting->record;
	if (delivery->packet.time_ticks < join->given_ns)
		delivery->packet.time_ticks = join->given_ns;
	join->given_ns = delivery->packet.time_ticks;
	delivery->injected_ticks = delivery->created_ticks;
	delivery->started_ticks = -1;
	delivery->head_ticks = -1;
	return join->give(join->context, delivery, err);
}

// Whether the receiver would have seen a packet that reached it.
static bool is_lost(const struct pt_join *join, const struct sighting *sent,
		    const struct pt_way *way)
{
	int64_t begin_ns, end_ns;

	pt_clocks_span(join->clocks, sent->to, &begin_ns, &end_ns);
	return sent->record.time_ticks >= begin_ns &&
	       (sent->record.time_ticks <= end_ns - join->longest_ns ||
		way->last_arrived_ns > sent->record.time_ticks);
}

static enum tr_status settle_sent(struct pt_join *join, struct sighting *sent, struct tr_error *err)
{
	struct pt_way *way = way_of(join, sent);
	struct tr_delivery delivery = {.created_ticks = sent->record.time_ticks};
	struct sighting *arrival = NULL;
	struct join_group group;

	way->sent++;
	way->resent += (sent->record.flags & TR_FLAG_RESENT) != 0;
	if (sent->state == JOINED)
		return TR_OK;
	join_gather(join, sent, &group);
	arrival = arrival_of(&group, sent, slack_ns(join, sent));
	for (size_t i = 0; i < group.received_count; i++) {
		group.received[i]->state = SEEN_SENT;
		group.received[i]->sent_ns = sent->record.time_ticks;
	}
	if (arrival) {
		join_two(join, sent, arrival);
		return TR_OK;
	}
	if (is_lost(join, sent, way)) {
		way->lost++;
		delivery.status = TR_DROPPED;
		delivery.reason = TR_DROP_LOST;
	} else {
		way->undecided++;
		delivery.status = TR_IN_FLIGHT;
	}
	return join_give(join, sent, &delivery, err);
}

static void count_delay(struct pt_way *way, int64_t delay_ns)
{
	if (!way->delivered || delay_ns < way->delay_min_ns)
		way->delay_min_ns = delay_ns;
	if (!way->delivered || delay_ns > way->delay_max_ns)
		way->delay_max_ns = delay_ns;
	way->delay_sum_ns += delay_ns;
	way->delivered++;
}

// By clocks that are a little off, the packet may be sent only now.
static void find_sent(struct pt_join *join, struct sighting *received)
{
	struct join_group group;

	join_gather(join, received, &group);
	for (size_t i = group.sent_count; i-- > 0 && received->state != JOINED;)
		if (group.sent[i]->record.time_ticks <=
		    received->record.time_ticks + slack_ns(join, received))
			join_two(join, group.sent[i], received);
}

static enum tr_status settle_received(struct pt_join *join, struct sighting *received,
				      struct tr_error *err)
{
	struct pt_way *way = way_of(join, received);
	struct tr_delivery delivery = {.status = TR_DELIVERED, .created_ticks = -1};

	if (received->state != JOINED)
		find_sent(join, received);
	if (received->state == JOINED) {
		count_delay(way, received->record.time_ticks - received->sent_ns);
		delivery.created_ticks = received->sent_ns;
	} else if (received->state == SEEN_SENT) {
		way->duplicates++;
		received->record.flags |= TR_FLAG_DUPLICATE;
		delivery.created_ticks = received->sent_ns < received->record.time_ticks
						 ? received->sent_ns
						 : received->record.time_ticks;
	} else {
		way->unsent++;
	}
	return join_give(join, received, &delivery, err);
}

// Settles the earliest.
static enum tr_status join_settle(struct pt_join *join, struct tr_error *err)
{
	const uint32_t place = pt_queue_first(&join->queue)->place;
	struct sighting *sighting = &join->sightings[place];
	const enum tr_status status = sighting->received ? settle_received(join, sighting, err)
							 : settle_sent(join, sighting, err);

	unchain(join, place);
	sighting->next = join->free;
	join->free = place;
	pt_queue_drop(&join->queue);
	return status;
}

// ---- taking packets

// Sets the ends of a way; false, and counted, if the point is none of them.
static bool find_way(struct pt_join *join, uint32_t point, struct sighting *sighting)
{
	const uint32_t from = pt_clocks_point_of(join->clocks, sighting->record.src);
	const uint32_t to = pt_clocks_point_of(join->clocks, sighting->record.dst);

	if (from == PT_NOWHERE || to == PT_NOWHERE)
		join->beside.elsewhere++;
	else if (from == to)
		join->beside.within++;
	else if (point != from && point != to)
		join->beside.between++;
	else {
		sighting->from = (uint16_t)from;
		sighting->to = (uint16_t)to;
		sighting->received = point == to;
		return true;
	}
	return false;
}

// A packet that was both sent and received: those sent before it would have come, too, but for a
// longer delay.
static void note_arrival(struct pt_join *join, const struct sighting *sighting)
{
	struct pt_way *way = way_of(join, sighting);
	uint32_t place = *chain_of(join, sighting->identity);

	for (unsigned i = 0; i < ALIKE_MAX && (place = alike(join, place, sighting)) != NONE; i++) {
		const struct sighting *other = &join->sightings[place];
		const struct sighting *sent = sighting->received ? other : sighting;

		if (other->received != sighting->received &&
		    sent->record.time_ticks > way->last_arrived_ns)
			way->last_arrived_ns = sent->record.time_ticks;
		place = other->next;
	}
}

enum tr_status pt_join_add(struct pt_join *join, uint32_t point, const struct pk_packet *packet,
			   const struct tr_packet *record, struct tr_error *err)
{
	struct sighting sighting = {.record = *record, .identity = pk_identity(packet)};
	const int64_t now_ns = record->time_ticks;
	uint32_t place;

	if (!find_way(join, point, &sighting))
		return TR_OK;
	while (pt_queue_count(&join->queue)) {
		const int64_t first_ns = pt_queue_first(&join->queue)->time_ns;

		if (first_ns >= now_ns - join->longest_ns) {
			if (pt_queue_count(&join->queue) < join->max)
				break;
			join->beside.hurried++;
		}
		if (join_settle(join, err) != TR_OK)
			return TR_ERROR;
	}
	if (join->free == NONE && !join_grow(join))
		return tr_no_memory(err, "the packets within the longest delay");
	join->beside.late += now_ns < join->given_ns;
	sighting.record.flags &= (uint16_t)~TR_FLAG_RESENT;
	if (!sighting.received && pt_resent_take(&join->resent, record->flow, packet))
		sighting.record.flags |= TR_FLAG_RESENT;
	if (join->resent.failed)
		return tr_no_memory(err, "the sequence numbers of flows");
	note_arrival(join, &sighting);
	place = join->free;
	join->free = join->sightings[place].next;
	join->sightings[place] = sighting;
	chain(join, place);
	return pt_queue_put(&join->queue, (struct pt_waiting){now_ns, place})
		       ? TR_OK
		       : tr_no_memory(err, "the packets within the longest delay");
}

enum tr_status pt_join_finish(struct pt_join *join, struct tr_error *err)
{
	while (pt_queue_count(&join->queue))
		if (join_settle(join, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

const struct pt_way *pt_join_way(const struct pt_join *join, uint32_t from, uint32_t to)
{
	return &join->ways[(size_t)from * join->points + to];
}

struct pt_beside pt_join_beside(const struct pt_join *join)
{
	return join->beside;
}

void pt_join_free(struct pt_join *join)
{
	if (!join)
		return;
	pt_resent_clear(&join->resent);
	free(join->sightings);
	free(join->first);
	pt_queue_close(&join->queue);
	free(join->ways);
	free(join);
}
