// SPDX-License-Identifier: GPL-3.0-or-later
#include "ethernet_naive.h"

#include <stdlib.h>
#include <string.h>

#define LINKS_MAX 64u
#define NONE UINT32_MAX
#define PRIORITIES 8u
#define NOTES_MAX 4096u

// What a pause frame says, once it has an effect.
struct note {
	int64_t effect_ticks;
	uint32_t link;
	bool told[PRIORITIES], on[PRIORITIES];
};

// Where a packet is: on its way-th link, in the queue, on the cable, or at its end.
struct place {
	uint32_t links[8];
	uint32_t link_count, way;
	bool queued;
	int64_t ready_ticks;
	uint32_t turn;	     // in the queue
	int64_t whole_ticks; // on the cable; cutting through, when its head has come
};

struct naive {
	struct naive_case *run;
	struct place *places;
	int64_t now;
	uint32_t turns;
	int64_t busy_until[LINKS_MAX]; // the gap is over
	int64_t left_ticks[LINKS_MAX]; // of the frame being sent; afterwards its room is free
	uint32_t sending[LINKS_MAX];
	uint32_t waiting[LINKS_MAX]; // packets in the queue of a link
	bool asked[LINKS_MAX][PRIORITIES];
	bool due[LINKS_MAX];
	int64_t renew_ticks[LINKS_MAX];
	int64_t held_until[LINKS_MAX][PRIORITIES];
	bool due_of[LINKS_MAX][PRIORITIES];
	struct note notes[NOTES_MAX];
	uint32_t note_count;
	int64_t moved_ticks; // something moved last
};

static uint32_t frame_B(const struct naive_packet *packet)
{
	return packet->size_bytes + 18 > 64 ? packet->size_bytes + 18 : 64;
}

static uint32_t link_from(const struct net_topology *topology, uint32_t node, uint32_t port)
{
	for (uint32_t link = 0; link < 2 * topology->cable_count; link++) {
		const struct net_end *end = &topology->cables[link / 2].ends[link % 2];

		if (end->node == node && end->port == port)
			return link;
	}
	abort();
}

static uint32_t node_behind(const struct net_topology *topology, uint32_t link)
{
	return topology->cables[link / 2].ends[1 - link % 2].node;
}

static void find_way(const struct naive_case *run, const struct naive_packet *packet,
		     struct place *place)
{
	uint16_t ports[8];
	const uint32_t count = net_routes_get(run->routes, packet->source, packet->destination,
					      ports);

	place->links[0] = link_from(run->topology, packet->source, 0);
	for (uint32_t i = 0; i < count; i++)
		place->links[i + 1] = link_from(
			run->topology, node_behind(run->topology, place->links[i]), ports[i]);
	place->link_count = count + 1;
}

// Bytes in the queue of a link; of all links of a node where link is NONE.
static uint64_t held_B(const struct naive *naive, uint32_t node, uint32_t link)
{
	const struct net_topology *topology = naive->run->topology;
	uint64_t sum = 0;

	for (uint32_t i = 0; i < naive->run->count; i++) {
		const struct place *place = &naive->places[i];
		const uint32_t on = place->links[place->way];

		if (place->queued &&
		    (link == NONE ? topology->cables[on / 2].ends[on % 2].node == node
				  : on == link))
			sum += frame_B(&naive->run->packets[i]);
	}
	for (uint32_t on = 0; on < 2 * topology->cable_count; on++)
		if (naive->sending[on] != NONE &&
		    (link == NONE ? topology->cables[on / 2].ends[on % 2].node == node
				  : on == link))
			sum += frame_B(&naive->run->packets[naive->sending[on]]);
	return sum;
}

static uint32_t cables_at(const struct net_topology *topology, uint32_t node)
{
	uint32_t count = 0;

	for (size_t i = 0; i < topology->cable_count; i++)
		count += topology->cables[i].ends[0].node == node ||
			 topology->cables[i].ends[1].node == node;
	return count;
}

static bool is_taken(const struct naive *naive, uint32_t node, uint32_t link, uint32_t bytes)
{
	const struct ethernet_params *params = &naive->run->params;
	const double room = (double)params->buffer_B - (double)held_B(naive, node, NONE);
	const double queue = (double)held_B(naive, node, link);

	if (params->buffer_B == 0)
		return true;
	if (bytes > room)
		return false;
	if (params->share == ETHERNET_ALL)
		return true;
	if (params->share == ETHERNET_PORT)
		return queue + bytes <=
		       (double)(params->buffer_B / cables_at(naive->run->topology, node));
	return queue * (double)params->alpha.den <
	       room * (double)params->alpha.num; // small integers: exact
}

static void put_in_queue(struct naive *naive, uint32_t number, int64_t ready_ticks)
{
	naive->places[number].queued = true;
	naive->places[number].ready_ticks = ready_ticks;
	naive->places[number].turn = naive->turns++;
	naive->waiting[naive->places[number].links[naive->places[number].way]]++;
}

// Whether a packet has come by a link and is in the switch behind it, or is leaving that.
static bool naive_is_behind(const struct naive *naive, uint32_t number, uint32_t link)
{
	const struct place *place = &naive->places[number];

	for (uint32_t i = 1; i <= place->way && i < place->link_count; i++)
		if (place->links[i - 1] == link && ((i == place->way && place->queued) ||
						    naive->sending[place->links[i]] == number))
			return true;
	return false;
}

// Bytes of a priority in the switch behind a link that came by it.
static int64_t naive_came_B(const struct naive *naive, uint32_t link, uint32_t priority)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < naive->run->count; i++)
		if (naive->run->packets[i].priority == priority && naive_is_behind(naive, i, link))
			sum += frame_B(&naive->run->packets[i]);
	return sum;
}

// Each input looks at its counts.
static void naive_judge(struct naive *naive)
{
	const struct naive_pauses *pauses = &naive->run->pauses;

	for (uint32_t link = 0; link < 2 * naive->run->topology->cable_count; link++)
		for (uint32_t i = 0; i < PRIORITIES; i++) {
			const int64_t came_B = naive_came_B(naive, link, i);

			if (naive->asked[link][i] ? came_B > pauses->xon_B
						  : came_B <= pauses->xoff_B)
				continue;
			naive->asked[link][i] = !naive->asked[link][i];
			naive->due_of[link][i] = naive->due[link] = true;
		}
}

static void naive_hear(struct naive *naive)
{
	for (uint32_t i = 0; i < naive->note_count; i++) {
		const struct note *note = &naive->notes[i];

		if (note->effect_ticks != naive->now)
			continue;
		for (uint32_t k = 0; k < PRIORITIES; k++)
			if (note->told[k])
				naive->held_until[note->link][k] =
					note->on[k] ? naive->now + naive->run->pauses.quanta_ticks
						    : naive->now;
		naive->notes[i--] = naive->notes[--naive->note_count];
	}
	for (uint32_t link = 0; link < 2 * naive->run->topology->cable_count; link++)
		for (uint32_t k = 0; k < PRIORITIES; k++)
			if (naive->renew_ticks[link] == naive->now && naive->asked[link][k])
				naive->due_of[link][k] = naive->due[link] = true;
}

// A pause frame about a link begins on the other direction of its cable.
static void naive_say(struct naive *naive, uint32_t link)
{
	struct note *note = &naive->notes[naive->note_count++];
	bool any = false;

	if (naive->note_count > NOTES_MAX)
		abort();
	*note = (struct note){.effect_ticks = naive->now + 72 * naive->run->byte_ticks +
					      naive->run->propagation_ticks +
					      naive->run->pauses.response_ticks,
			      .link = link};
	for (uint32_t k = 0; k < PRIORITIES; k++) {
		note->on[k] = naive->asked[link][k];
		note->told[k] = note->on[k] || naive->due_of[link][k];
		naive->due_of[link][k] = false;
		any = any || note->on[k];
	}
	naive->due[link] = false;
	naive->renew_ticks[link] = any ? naive->now + naive->run->pauses.quanta_ticks / 2 : -1;
	naive->busy_until[link ^ 1] = naive->now + 84 * naive->run->byte_ticks;
}

// Whether a frame is taken with flow control.
static bool naive_is_taken_in(const struct naive *naive, uint32_t number, uint32_t in)
{
	const struct naive_packet *packet = &naive->run->packets[number];

	return naive_came_B(naive, in, packet->priority) + frame_B(packet) <=
	       naive->run->pauses.xoff_B + naive->run->pauses.headroom_B;
}

static void arrive(struct naive *naive, uint32_t number)
{
	struct naive_packet *packet = &naive->run->packets[number];
	struct place *place = &naive->places[number];
	const uint32_t node = node_behind(naive->run->topology, place->links[place->way]);

	place->whole_ticks = -1;
	naive->moved_ticks = naive->now;
	if (++place->way == place->link_count) {
		packet->end_ticks = naive->now;
	} else if (naive->run->pauses.on
			   ? naive_is_taken_in(naive, number, place->links[place->way - 1])
			   : is_taken(naive, node, place->links[place->way], frame_B(packet))) {
		put_in_queue(naive, number, naive->now + naive->run->latency_ticks);
	} else {
		packet->end_ticks = naive->now;
		packet->dropped_on = place->links[place->way];
		for (uint32_t link = 0; link < LINKS_MAX; link++) // what still sends it
			if (naive->sending[link] == number)
				naive->sending[link] = NONE;
	}
}

static int64_t byte_of(const struct naive_case *run, uint32_t link)
{
	const struct net_cable *cable = &run->topology->cables[link / 2];

	return cable->rate_bps.den == 0 ? run->byte_ticks : 8000000000 / cable->rate_bps.num;
}

// Bytes that the far end of the link waits for.
static int64_t bytes_until_taken(const struct naive_case *run, const struct place *place,
				 uint32_t link, uint32_t bytes)
{
	const uint64_t cut_B = run->params.cut_B;

	if (cut_B == 0 || cut_B > bytes || place->way + 1 == place->link_count ||
	    byte_of(run, place->links[place->way + 1]) < byte_of(run, link))
		return 8 + bytes;
	return 8 + (int64_t)cut_B;
}

// Whether a packet in the queue of a link is sent before another one.
static bool naive_is_before(const struct naive *naive, uint32_t a, uint32_t b)
{
	const struct naive_packet *packets = naive->run->packets;

	if (packets[a].priority != packets[b].priority)
		return packets[a].priority > packets[b].priority;
	return naive->places[a].turn < naive->places[b].turn;
}

static void send_first(struct naive *naive, uint32_t link)
{
	const struct naive_case *run = naive->run;
	uint32_t heads[PRIORITIES], first = NONE;

	if (naive->busy_until[link] > naive->now)
		return;
	if (naive->due[link ^ 1]) {
		naive_say(naive, link ^ 1);
		return;
	}
	if (naive->waiting[link] == 0)
		return;
	memset(heads, 0xff, sizeof(heads));
	for (uint32_t i = 0; i < run->count; i++) {
		uint32_t *head = &heads[run->packets[i].priority];

		if (naive->places[i].queued &&
		    naive->places[i].links[naive->places[i].way] == link &&
		    (*head == NONE || naive->places[i].turn < naive->places[*head].turn))
			*head = i;
	}
	for (uint32_t k = 0; k < PRIORITIES; k++)
		if (heads[k] != NONE && naive->places[heads[k]].ready_ticks <= naive->now &&
		    naive->held_until[link][k] <= naive->now &&
		    (first == NONE || naive_is_before(naive, heads[k], first)))
			first = heads[k];
	if (first == NONE)
		return;
	naive->moved_ticks = naive->now;
	naive->places[first].queued = false;
	naive->waiting[link]--;
	naive->sending[link] = first;
	naive->left_ticks[link] = naive->now +
				  (8 + frame_B(&run->packets[first])) * byte_of(run, link);
	naive->busy_until[link] = naive->left_ticks[link] + 12 * byte_of(run, link);
	naive->places[first].whole_ticks = naive->now + run->propagation_ticks +
					   bytes_until_taken(run, &naive->places[first], link,
							     frame_B(&run->packets[first])) *
						   byte_of(run, link);
}

static void tick(struct naive *naive)
{
	const uint32_t links = 2 * (uint32_t)naive->run->topology->cable_count;
	const bool pauses = naive->run->pauses.on;
	bool left = false, whole = false;

	if (pauses)
		naive_hear(naive);
	for (uint32_t i = 0; i < naive->run->count; i++)
		whole = whole || naive->places[i].whole_ticks == naive->now;
	for (uint32_t link = 0; link < links; link++)
		left = left ||
		       (naive->sending[link] != NONE && naive->left_ticks[link] == naive->now);
	for (uint32_t link = 0; link < links; link++)
		if (naive->sending[link] != NONE && naive->left_ticks[link] == naive->now)
			naive->sending[link] = NONE;
	if (pauses && left)
		naive_judge(naive);
	for (uint32_t link = 0; link < links && whole; link++)
		for (uint32_t i = 0; i < naive->run->count; i++)
			if (naive->places[i].whole_ticks == naive->now &&
			    naive->places[i].links[naive->places[i].way] == link) {
				arrive(naive, i);
				break;
			}
	if (pauses && naive->moved_ticks == naive->now)
		naive_judge(naive);
	for (uint32_t i = 0; i < naive->run->count; i++)
		if (naive->run->packets[i].time_ticks == naive->now)
			put_in_queue(naive, i, naive->now);
	for (uint32_t link = 0; link < links; link++)
		send_first(naive, link);
}

static bool naive_is_over(const struct naive *naive)
{
	for (uint32_t i = 0; i < naive->run->count; i++)
		if (naive->run->packets[i].end_ticks < 0)
			return false;
	return true;
}

void naive_run_on(struct naive_case *run, int64_t ticks, int64_t still_ticks)
{
	struct naive *naive = calloc(1, sizeof(*naive));

	if (!naive || 2 * run->topology->cable_count > LINKS_MAX)
		abort();
	*naive = (struct naive){.run = run, .places = calloc(run->count, sizeof(*naive->places))};
	if (!naive->places)
		abort();
	memset(naive->sending, 0xff, sizeof(naive->sending));
	memset(naive->renew_ticks, 0xff, sizeof(naive->renew_ticks));
	for (uint32_t i = 0; i < run->count; i++) {
		run->packets[i].end_ticks = run->packets[i].dropped_on = -1;
		naive->places[i].whole_ticks = -1;
		find_way(run, &run->packets[i], &naive->places[i]);
	}
	for (; naive->now < ticks || (still_ticks > 0 && !naive_is_over(naive) &&
				      naive->now < naive->moved_ticks + still_ticks);
	     naive->now++)
		tick(naive);
	for (uint32_t i = 0; i < run->count; i++) {
		const struct place *place = &naive->places[i];

		run->packets[i].stuck_on = place->queued ? (int64_t)place->links[place->way] : -1;
		run->packets[i].came_by = place->queued && place->way > 0
						  ? (int64_t)place->links[place->way - 1]
						  : -1;
	}
	free(naive->places);
	free(naive);
}

void naive_run(struct naive_case *run, int64_t ticks)
{
	naive_run_on(run, ticks, 0);
}
