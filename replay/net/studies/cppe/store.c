// SPDX-License-Identifier: GPL-3.0-or-later
// Packet Switch (Qu 2001, section 5.4): store and forward, with room for all packets in every
// processor. A link serves packets in the order of their arrival, and each takes its time on it.
//
// The rule as printed sends a packet whose arrival is "not less than" the time from which its link
// is free. A packet that came while the link was busy then waits for ever, and two that came to a
// free link at one time are both sent at that time. Here a packet is sent at the later of both
// times.
#include "net/studies/cppe/technique.h"

#include "value/heap.h"

uint32_t cppe_store_room(const struct cppe_run *cppe)
{
	return cppe->net.pool.capacity + (uint32_t)cppe->params->held_max;
}

void cppe_store_layout(struct cppe_run *cppe)
{
	struct cppe_store *store = &cppe->store;

	*store = (struct cppe_store){
		.spare = CPPE_NO_PACKET, .round_ticks = INT64_MIN, .next_round_ticks = INT64_MAX};
	store->free_ticks = sim_arena_take(&cppe->net.arena, cppe->net.graph.links,
					   sizeof(*store->free_ticks));
	store->packet_ticks = sim_arena_take(&cppe->net.arena, cppe->net.graph.links / 2,
					     sizeof(*store->packet_ticks));
	store->messages = sim_arena_take(&cppe->net.arena, cppe->net.pool.capacity,
					 sizeof(*store->messages));
	store->packets = sim_arena_take(&cppe->net.arena, cppe_store_room(cppe),
					sizeof(*store->packets));
}

enum tr_status cppe_store_open(struct cppe_run *cppe, struct tr_error *err)
{
	const struct net_setup *setup = cppe->net.setup;

	for (size_t i = 0; i < setup->topology->cable_count; i++)
		if (cppe_packet_ticks(cppe->params, &setup->topology->cables[i], setup->ticks_per_s,
				      &cppe->store.packet_ticks[i], err) != TR_OK)
			return TR_ERROR;
	for (uint32_t i = 0; i < cppe->net.graph.links; i++)
		cppe->store.free_ticks[i] = INT64_MIN;
	return TR_OK;
}

bool cppe_store_cut(struct cppe_run *cppe, uint32_t number, struct cppe_packet *packet)
{
	const struct net_worm *worm = &cppe->net.pool.worms[number];
	const uint32_t packets = cppe_packets(&cppe->times, worm->size_bytes);
	const int64_t ready_ticks = cppe->net.now_ticks + cppe_startup_ticks(&cppe->times, packets);

	if (cppe_hops(cppe) == 0) {
		cppe_send(cppe, number, ready_ticks, ready_ticks);
		return false;
	}
	cppe->store.messages[number] = (struct cppe_message){cppe->store.serial++, packets,
							     packets};
	*packet = (struct cppe_packet){
		.arrival_ticks = ready_ticks,
		.serial = cppe->store.messages[number].serial,
		.worm = number,
		.node = net_graph_peer(&cppe->net.graph, worm->source, 0)->node};
	return true;
}

static const struct net_peer *next_peer(const struct cppe_run *cppe,
					const struct cppe_packet *packet)
{
	return net_graph_peer(&cppe->net.graph, packet->node,
			      cppe->net.pool.worms[packet->worm].route[packet->hop]);
}

int64_t *cppe_store_free(const struct cppe_run *cppe, const struct cppe_packet *packet)
{
	const uint32_t link = next_peer(cppe, packet)->link;

	return &cppe->store.free_ticks[cppe->params->each ? link : link / 2];
}

bool cppe_store_has_more(const struct cppe_run *cppe, const struct cppe_packet *packet)
{
	return packet->hop == 0 && packet->index + 1 < cppe->store.messages[packet->worm].packets;
}

// Another packet is between processors; false after reporting that there are too many.
static bool store_hold(struct cppe_run *cppe)
{
	if (++cppe->store.held <= cppe->params->held_max)
		return true;
	net_drive_fail(&cppe->net,
		       "cppe: more packets between processors than the key held allows");
	return false;
}

static void store_discard(struct cppe_run *cppe, const struct cppe_packet *packet)
{
	struct cppe_message *message = &cppe->store.messages[packet->worm];

	if (packet->hop > 0)
		cppe->store.held--;
	else if (packet->index + 1 == message->packets)
		net_drive_left(&cppe->net, cppe->net.pool.worms[packet->worm].source,
			       cppe->net.now_ticks);
	if (--message->left == 0)
		net_drive_lose(&cppe->net, packet->worm);
}

bool cppe_store_forward(struct cppe_run *cppe, struct cppe_packet *packet)
{
	struct cppe_message *message = &cppe->store.messages[packet->worm];
	struct net_worm *worm = &cppe->net.pool.worms[packet->worm];
	const struct net_peer *peer = next_peer(cppe, packet);
	int64_t *free_ticks = cppe_store_free(cppe, packet);
	const int64_t start_ticks = packet->arrival_ticks > *free_ticks ? packet->arrival_ticks
									: *free_ticks;

	if (net_drive_is_late(&cppe->net, packet->worm)) {
		store_discard(cppe, packet);
		return false;
	}
	if (worm->injected_ticks < 0)
		worm->injected_ticks = start_ticks;
	*free_ticks = packet->arrival_ticks = start_ticks +
					      cppe->store.packet_ticks[peer->link / 2];
	if (packet->hop == 0 && packet->index + 1 == message->packets)
		net_drive_left(&cppe->net, worm->source, packet->arrival_ticks);
	packet->node = peer->node;
	packet->hop++;
	if (packet->hop + 1 < worm->route_count)
		return packet->hop > 1 || store_hold(cppe);
	if (packet->hop > 1)
		cppe->store.held--;
	if (packet->index == 0)
		worm->head_ticks = packet->arrival_ticks;
	if (--message->left == 0)
		cppe_send(cppe, packet->worm, worm->head_ticks,
			  packet->arrival_ticks > cppe->net.now_ticks ? packet->arrival_ticks
								      : cppe->net.now_ticks);
	return false;
}

bool cppe_store_before(const struct cppe_packet *a, const struct cppe_packet *b)
{
	if (a->arrival_ticks != b->arrival_ticks)
		return a->arrival_ticks < b->arrival_ticks;
	return a->serial != b->serial ? a->serial < b->serial : a->index < b->index;
}

// By events: packets in a heap, the next that arrives first.

HEAP(store, struct cppe_packet, cppe_store_before);

static void store_start(struct cppe_run *cppe, uint32_t number)
{
	struct cppe_packet packet;

	if (cppe_store_cut(cppe, number, &packet))
		store_put(cppe->store.packets, cppe->store.count++, packet);
}

static void store_advance(struct cppe_run *cppe)
{
	struct cppe_store *store = &cppe->store;

	while (store->count > 0 && store->packets[0].arrival_ticks <= cppe->net.now_ticks) {
		struct cppe_packet packet = store->packets[0];

		if (cppe_store_has_more(cppe, &packet))
			store->packets[0].index++; // still before all others
		else
			(void)store_take(store->packets, --store->count);
		if (cppe_store_forward(cppe, &packet))
			store_put(store->packets, store->count++, packet);
	}
}

static int64_t store_next_ticks(const struct cppe_run *cppe)
{
	return cppe->store.count > 0 ? cppe->store.packets[0].arrival_ticks : INT64_MAX;
}

const struct cppe_technique cppe_store = {.layout = cppe_store_layout,
					  .open = cppe_store_open,
					  .start = store_start,
					  .advance = store_advance,
					  .next_ticks = store_next_ticks};
