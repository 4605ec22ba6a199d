// SPDX-License-Identifier: GPL-3.0-or-later
#include "points/join.h"

#include <math.h>
#include <stdlib.h>

#include "points/join_candidates.h"
#include "points/resent.h"
#include "points/waiting.h"

#define ALIKE_MAX 64u // sightings of one end of a packet that are told apart
#define AHEAD 8u      // settlements for which what they read is fetched
#define SLACK_NS 1000 // of the comparison of corrected times, beyond the claimed error

struct pt_join {
	const struct pt_clocks *clocks;
	uint32_t points;
	int64_t longest_ns;
	pt_give *give;
	void *context;
	struct pt_candidates candidates;
	struct pt_queue queue; // of them
	uint64_t now_id;       // above those of all candidates
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
				 .give = give,
				 .context = context,
				 .candidates = {.max = max > 0 ? max : 1},
				 .given_ns = INT64_MIN};
	join->ways = calloc(points * points, sizeof(*join->ways));
	if (!join->ways) {
		free(join);
		return NULL;
	}
	for (size_t i = 0; i < points * points; i++)
		join->ways[i].last_arrived_ns = INT64_MIN;
	return join;
}

static struct pt_way *way_of(const struct pt_join *join, const struct pt_packet *packet)
{
	return &join->ways[(size_t)packet->from * join->points + packet->to];
}

static struct pt_candidate *candidate_at(const struct pt_join *join, uint32_t place)
{
	return &join->candidates.sightings[place];
}

static int64_t time_of_candidate(const struct pt_join *join, uint32_t place)
{
	return candidate_at(join, place)->record.time_ticks;
}

// ---- joining

static int64_t slack_ns(const struct pt_join *join, const struct pt_packet *packet)
{
	const double wrong_ns = 2 * pt_clocks_error(join->clocks, packet->from, packet->to) +
				pt_clocks_unsure(join->clocks, packet->from, packet->to);

	return SLACK_NS + (int64_t)fmin(wrong_ns, (double)join->longest_ns);
}

static void join_two(struct pt_join *join, const struct pt_packet *packet, uint32_t sent_place,
		     uint32_t received_place)
{
	const struct pt_candidate *sent = candidate_at(join, sent_place);
	struct pt_candidate *received = candidate_at(join, received_place);

	pt_candidates_join(&join->candidates, sent_place);
	pt_candidates_join(&join->candidates, received_place);
	received->sent_ns = sent->record.time_ticks;
	received->record.flags |= sent->record.flags & TR_FLAG_RESENT;
	if (received->sent_ns > received->record.time_ticks) {
		received->sent_ns = received->record.time_ticks;
		way_of(join, packet)->early++;
	}
}

// The last of the open sightings of an end of a packet that are told apart, PT_NONE if there are
// none, and how many they are.
static uint32_t last_told_apart(const struct pt_join *join, const struct pt_packet *packet,
				enum pt_end end, unsigned *count)
{
	uint32_t last = PT_NONE;

	*count = 0;
	for (uint32_t at = packet->open[end].first; at != PT_NONE && *count < ALIKE_MAX;
	     at = candidate_at(join, at)->after) {
		last = at;
		++*count;
	}
	return last;
}

// Which of the packet was received of the earliest, sent; PT_NONE if it was lost. None that waits
// is earlier.
static uint32_t arrival_of(const struct pt_join *join, const struct pt_packet *packet,
			   uint32_t earliest)
{
	unsigned sent_count, received_count;
	uint32_t received = last_told_apart(join, packet, PT_RECEIVED, &received_count);
	uint32_t sent = last_told_apart(join, packet, PT_SENT, &sent_count);

	if (received_count >= sent_count)
		return packet->open[PT_RECEIVED].first;
	for (; received != PT_NONE; received = candidate_at(join, received)->before) {
		const int64_t limit_ns = time_of_candidate(join, received) + slack_ns(join, packet);

		while (sent != PT_NONE && time_of_candidate(join, sent) > limit_ns)
			sent = candidate_at(join, sent)->before;
		if (sent == PT_NONE)
			return PT_NONE;
		if (sent == earliest)
			return received;
		sent = candidate_at(join, sent)->before;
	}
	return PT_NONE;
}

static enum tr_status join_give(struct pt_join *join, const struct pt_candidate *sighting,
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
static bool is_lost(const struct pt_join *join, const struct pt_packet *packet, int64_t sent_ns)
{
	int64_t begin_ns, end_ns;

	pt_clocks_span(join->clocks, packet->to, &begin_ns, &end_ns);
	return sent_ns >= begin_ns && (sent_ns <= end_ns - join->longest_ns ||
				       way_of(join, packet)->last_arrived_ns > sent_ns);
}

static enum tr_status settle_sent(struct pt_join *join, uint32_t place, struct tr_error *err)
{
	const struct pt_candidate *sent = candidate_at(join, place);
	struct pt_packet *packet = &join->candidates.packets[sent->packet];
	struct pt_way *way = way_of(join, packet);
	struct tr_delivery delivery = {.created_ticks = sent->record.time_ticks};
	uint32_t arrival;

	way->sent++;
	way->resent += (sent->record.flags & TR_FLAG_RESENT) != 0;
	if (sent->joined)
		return TR_OK;
	packet->settled_id = join->now_id;
	packet->settled_ns = sent->record.time_ticks;
	arrival = arrival_of(join, packet, place);
	if (arrival != PT_NONE) {
		join_two(join, packet, place, arrival);
		return TR_OK;
	}
	if (is_lost(join, packet, sent->record.time_ticks)) {
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
static void find_sent(struct pt_join *join, const struct pt_packet *packet, uint32_t received)
{
	const int64_t limit_ns = time_of_candidate(join, received) + slack_ns(join, packet);
	uint32_t sent = packet->open[PT_SENT].first;

	for (unsigned i = 0; sent != PT_NONE && i < ALIKE_MAX; i++) {
		if (time_of_candidate(join, sent) <= limit_ns) {
			join_two(join, packet, sent, received);
			return;
		}
		sent = candidate_at(join, sent)->after;
	}
}

static enum tr_status settle_received(struct pt_join *join, uint32_t place, struct tr_error *err)
{
	struct pt_candidate *received = candidate_at(join, place);
	const struct pt_packet *packet = &join->candidates.packets[received->packet];
	struct pt_way *way = way_of(join, packet);
	struct tr_delivery delivery = {.status = TR_DELIVERED, .created_ticks = -1};

	if (!received->joined)
		find_sent(join, packet, place);
	if (received->joined) {
		count_delay(way, received->record.time_ticks - received->sent_ns);
		delivery.created_ticks = received->sent_ns;
	} else if (received->record.id < packet->settled_id) {
		way->duplicates++;
		received->record.flags |= TR_FLAG_DUPLICATE;
		delivery.created_ticks = packet->settled_ns < received->record.time_ticks
						 ? packet->settled_ns
						 : received->record.time_ticks;
	} else {
		way->unsent++;
	}
	return join_give(join, received, &delivery, err);
}

// Settles the earliest.
static enum tr_status settle_first(struct pt_join *join, struct tr_error *err)
{
	const uint32_t place = pt_queue_first(&join->queue)->place;
	const enum tr_status status = candidate_at(join, place)->end == PT_RECEIVED
					      ? settle_received(join, place, err)
					      : settle_sent(join, place, err);

	pt_candidates_drop(&join->candidates, place);
	pt_queue_drop(&join->queue);
	return status;
}

static const struct pt_packet *packet_ahead(const struct pt_join *join, size_t behind)
{
	const uint32_t place = pt_queue_ahead(&join->queue, behind)->place;

	return &join->candidates.packets[candidate_at(join, place)->packet];
}

// Settles the earliest, and fetches in three steps what it will take to settle those behind it. (A
// function that only fetches has no effects for GCC 12, which drops its calls.)
static enum tr_status join_settle(struct pt_join *join, struct tr_error *err)
{
	const struct pt_waiting *ahead = pt_queue_ahead(&join->queue, 3 * AHEAD);

	if (ahead) {
		__builtin_prefetch(candidate_at(join, ahead->place));
		__builtin_prefetch(packet_ahead(join, 2 * AHEAD));
		__builtin_prefetch(
			pt_candidates_slot(&join->candidates, packet_ahead(join, AHEAD)->identity));
	}
	return settle_first(join, err);
}

// ---- taking packets

// The ends of a way; false, and counted, if the point is none of them.
static bool find_way(struct pt_join *join, uint32_t point, const struct tr_packet *record,
		     uint32_t *from, uint32_t *to)
{
	*from = pt_clocks_point_of(join->clocks, record->src);
	*to = pt_clocks_point_of(join->clocks, record->dst);
	if (*from == PT_NOWHERE || *to == PT_NOWHERE)
		join->beside.elsewhere++;
	else if (*from == *to)
		join->beside.within++;
	else if (point != *from && point != *to)
		join->beside.between++;
	else
		return true;
	return false;
}

// Settles what a packet of this time does not belong to any more.
static enum tr_status settle_before(struct pt_join *join, int64_t now_ns, struct tr_error *err)
{
	while (pt_queue_count(&join->queue)) {
		const int64_t first_ns = pt_queue_first(&join->queue)->time_ns;

		if (first_ns >= now_ns - join->longest_ns) {
			if (pt_queue_count(&join->queue) < join->candidates.max)
				break;
			join->beside.hurried++;
		}
		if (join_settle(join, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Where a packet was both sent and received, those sent before it would have come, too, but for a
// longer delay.
static void note_arrival(struct pt_join *join, uint32_t place)
{
	const struct pt_candidate *sighting = candidate_at(join, place);
	const struct pt_packet *packet = &join->candidates.packets[sighting->packet];
	const int64_t sent_ns = sighting->end == PT_RECEIVED ? packet->last_sent_ns
							     : sighting->record.time_ticks;
	struct pt_way *way = way_of(join, packet);

	if (packet->waiting[PT_SENT] && packet->waiting[PT_RECEIVED] &&
	    sent_ns > way->last_arrived_ns)
		way->last_arrived_ns = sent_ns;
}

void pt_join_expect(const struct pt_join *join, uint64_t identity)
{
	if (join->candidates.room)
		__builtin_prefetch(pt_candidates_slot(&join->candidates, identity));
}

enum tr_status pt_join_add(struct pt_join *join, uint32_t point, const struct pk_packet *packet,
			   uint64_t identity, const struct tr_packet *record, struct tr_error *err)
{
	struct tr_packet sighting = *record;
	uint32_t from, to, place;
	enum pt_end end;

	if (!find_way(join, point, record, &from, &to))
		return TR_OK;
	join->now_id = record->id;
	end = point == to ? PT_RECEIVED : PT_SENT;
	if (settle_before(join, record->time_ticks, err) != TR_OK)
		return TR_ERROR;
	if (!pt_candidates_reserve(&join->candidates))
		return tr_no_memory(err, "the packets within the longest delay");
	join->beside.late += record->time_ticks < join->given_ns;
	sighting.flags &= (uint16_t)~TR_FLAG_RESENT;
	if (end == PT_SENT && pt_resent_take(&join->resent, record->flow, packet))
		sighting.flags |= TR_FLAG_RESENT;
	if (join->resent.failed)
		return tr_no_memory(err, "the sequence numbers of flows");
	place = pt_candidates_add(&join->candidates, identity, (uint8_t)from, (uint8_t)to, end,
				  &sighting);
	note_arrival(join, place);
	return pt_queue_put(&join->queue, (struct pt_waiting){record->time_ticks, place})
		       ? TR_OK
		       : tr_no_memory(err, "the packets within the longest delay");
}

enum tr_status pt_join_finish(struct pt_join *join, struct tr_error *err)
{
	join->now_id = UINT64_MAX;
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
	pt_candidates_clear(&join->candidates);
	pt_queue_close(&join->queue);
	free(join->ways);
	free(join);
}
