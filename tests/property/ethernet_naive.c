// SPDX-License-Identifier: GPL-3.0-or-later
#include "ethernet_naive.h"

#include <stdlib.h>
#include <string.h>

#define LINKS_MAX 64u
#define NONE UINT32_MAX

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
}

static void arrive(struct naive *naive, uint32_t number)
{
	struct naive_packet *packet = &naive->run->packets[number];
	struct place *place = &naive->places[number];
	const uint32_t node = node_behind(naive->run->topology, place->links[place->way]);

	place->whole_ticks = -1;
	if (++place->way == place->link_count) {
		packet->end_ticks = naive->now;
	} else if (is_taken(naive, node, place->links[place->way], frame_B(packet))) {
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

static void send_first(struct naive *naive, uint32_t link)
{
	const struct naive_case *run = naive->run;
	uint32_t first = NONE;

	for (uint32_t i = 0; i < run->count; i++)
		if (naive->places[i].queued &&
		    naive->places[i].links[naive->places[i].way] == link &&
		    (first == NONE || naive->places[i].turn < naive->places[first].turn))
			first = i;
	if (first == NONE || naive->places[first].ready_ticks > naive->now ||
	    naive->busy_until[link] > naive->now)
		return;
	naive->places[first].queued = false;
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

	for (uint32_t link = 0; link < links; link++)
		if (naive->sending[link] != NONE && naive->left_ticks[link] == naive->now)
			naive->sending[link] = NONE;
	for (uint32_t link = 0; link < links; link++)
		for (uint32_t i = 0; i < naive->run->count; i++)
			if (naive->places[i].whole_ticks == naive->now &&
			    naive->places[i].links[naive->places[i].way] == link) {
				arrive(naive, i);
				break;
			}
	for (uint32_t i = 0; i < naive->run->count; i++)
		if (naive->run->packets[i].time_ticks == naive->now)
			put_in_queue(naive, i, naive->now);
	for (uint32_t link = 0; link < links; link++)
		send_first(naive, link);
}

void naive_run(struct naive_case *run, int64_t ticks)
{
	struct naive naive = {.run = run, .places = calloc(run->count, sizeof(*naive.places))};

	if (!naive.places || 2 * run->topology->cable_count > LINKS_MAX)
		abort();
	memset(naive.sending, 0xff, sizeof(naive.sending));
	for (uint32_t i = 0; i < run->count; i++) {
		run->packets[i].end_ticks = run->packets[i].dropped_on = -1;
		naive.places[i].whole_ticks = -1;
		find_way(run, &run->packets[i], &naive.places[i]);
	}
	for (naive.now = 0; naive.now < ticks; naive.now++)
		tick(&naive);
	free(naive.places);
}
