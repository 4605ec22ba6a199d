// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/drive_links.h"

#include "net/drive/drive.h"
#include "value/cache.h"

#define BYTES_MOST (INT32_MAX - 65536u) // leaves room for what the kind sends around a packet

enum links_event { LINKS_LEFT, LINKS_WHOLE, LINKS_START };

void net_links_layout(struct net_drive *drive)
{
	const uint32_t count = drive->graph.links;
	struct net_links *links = &drive->links;

	links->lives = sim_arena_take(&drive->arena, drive->pool.capacity, sizeof(*links->lives));
	links->links = sim_arena_fill(&drive->arena, count, sizeof(*links->links));
	agenda_layout(&links->agenda, &drive->arena, 3 * (size_t)count); // one of each event
	if (drive->setup->sampling.width_ticks != 0)
		links->meters = sim_arena_take(&drive->arena, count, sizeof(*links->meters));
	net_priorities_layout(drive);
}

enum tr_status net_links_open(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	const struct net_cables *cables = (const void *)((const char *)setup->params +
							 drive->rules->links->cables);

	for (uint32_t i = 0; drive->links.queues && i < drive->graph.links * NET_LINK_PRIORITIES;
	     i++)
		drive->links.queues[i].held_ticks = INT64_MIN;
	if (drive->rules->links->cut != 0)
		drive->links.cut_B = *(const uint64_t *)((const char *)setup->params +
							 drive->rules->links->cut);
	for (uint32_t i = 0; i < drive->graph.links; i++) {
		const struct net_cable *cable = &setup->topology->cables[i / 2];
		struct net_link *link = &drive->links.links[i];

		*link = (struct net_link){.from = cable->ends[i % 2],
					  .to = cable->ends[1 - i % 2],
					  .leaving = NET_NO_WORM,
					  .free_ticks = INT64_MIN};
		if (net_cables_times(cables, drive->rules->name, cable, setup->ticks_per_s,
				     &link->times, drive->err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// Something of the link is about to change.
static inline void links_settle(struct net_drive *drive, uint32_t number)
{
	if (drive->links.meters)
		net_links_settle(drive, number);
}

// ---- queues

static uint32_t links_bytes(const struct net_drive *drive, uint32_t worm)
{
	const struct net_link_rules *rules = drive->rules->links;
	const uint32_t size_bytes = drive->pool.worms[worm].size_bytes;

	return (size_bytes > rules->payload_min_B ? size_bytes : rules->payload_min_B) +
	       rules->around_B;
}

static void links_expect(struct net_drive *drive, int64_t ticks, enum links_event event,
			 uint32_t link)
{
	const struct entry entry = {.time_ticks = ticks,
				    .order = (uint64_t)event << 32 | link,
				    .what = event,
				    .about = link};

	agenda_push(&drive->links.agenda, &entry);
}

// The queue of a link in which a worm waits.
static inline struct net_worm_list *links_queue_of(const struct net_drive *drive, uint32_t number,
						   uint32_t worm)
{
	if (!drive->links.queues)
		return &drive->links.links[number].queue;
	return &net_link_queue(&drive->links, number, drive->links.lives[worm].priority)->waiting;
}

// Schedules the start of the queue's first.
static void links_expect_start(struct net_drive *drive, uint32_t number)
{
	struct net_link *link = &drive->links.links[number];
	int64_t ticks;

	if (drive->links.queues) {
		net_priorities_plan(drive, number);
		return;
	}
	if (link->starts || link->queue.count == 0)
		return;
	ticks = drive->links.lives[link->queue.first].at_ticks;
	link->starts = true;
	links_expect(drive, ticks > link->free_ticks ? ticks : link->free_ticks, LINKS_START,
		     number);
}

static void links_grow(struct net_drive *drive, uint32_t number, uint32_t worm)
{
	const uint32_t bytes = links_bytes(drive, worm);

	links_settle(drive, number);
	drive->links.links[number].queue_B += bytes;
	if (drive->links.queues)
		net_link_queue(&drive->links, number, drive->links.lives[worm].priority)->bytes +=
			bytes;
	if (drive->links.meters)
		net_links_peak(&drive->links, number);
}

// The bytes of a worm are no longer in the queue.
static void links_shrink(struct net_drive *drive, uint32_t number, uint32_t worm, uint32_t bytes)
{
	struct net_link *link = &drive->links.links[number];
	const struct net_link_rules *rules = drive->rules->links;

	links_settle(drive, number);
	link->queue_B -= bytes;
	if (drive->links.queues)
		net_link_queue(&drive->links, number, drive->links.lives[worm].priority)->bytes -=
			bytes;
	if (link->from.node >= drive->graph.hosts && rules->leave)
		rules->leave(drive, number, worm, bytes);
}

void net_links_part(struct net_drive *drive, uint32_t number)
{
	struct net_link *link = &drive->links.links[number];

	links_shrink(drive, number, link->leaving, link->leaving_B);
	net_drive_ends(drive, number, link->leaving);
	link->leaving = NET_NO_WORM;
}

static void links_lose(struct net_drive *drive, uint32_t worm)
{
	if (drive->links.cut_B != 0)
		net_links_cease(drive, worm);
	drive->pool.worms[worm].route_count = drive->links.lives[worm].hops;
	drive->pool.worms[worm].head_ticks = -1;
	net_drive_lose(drive, worm);
}

void net_links_queue(struct net_drive *drive, uint32_t number, uint32_t worm, int64_t at_ticks)
{
	links_grow(drive, number, worm);
	if (drive->links.links[number].from.node >= drive->graph.hosts)
		net_drive_asks(drive, number, worm, at_ticks);
	drive->links.lives[worm].at_ticks = at_ticks;
	net_worm_append(&drive->pool, links_queue_of(drive, number, worm), worm);
	links_expect_start(drive, number);
}

void net_links_hold(struct net_drive *drive, uint32_t number, uint32_t worm,
		    struct net_worm_list *list)
{
	drive->links.held++;
	drive->links.lives[worm].place = NET_LINK_HELD;
	net_drive_asks(drive, number, worm, drive->now_ticks);
	links_grow(drive, number, worm);
	net_worm_append(&drive->pool, list, worm);
}

void net_links_release(struct net_drive *drive, uint32_t number, struct net_worm_list *list)
{
	const uint32_t worm = net_worm_first(&drive->pool, list);
	struct net_link_life *life = &drive->links.lives[worm];
	const bool forlorn = life->place == NET_LINK_FORLORN;

	drive->links.held--;
	life->place = NET_LINK_QUEUED;
	if (forlorn || net_drive_is_late(drive, worm)) {
		links_shrink(drive, number, worm, links_bytes(drive, worm));
		links_lose(drive, worm);
		return;
	}
	life->at_ticks = drive->now_ticks;
	net_worm_append(&drive->pool, links_queue_of(drive, number, worm), worm);
	links_expect_start(drive, number);
}

void net_links_drop(struct net_drive *drive, uint32_t number, uint32_t worm)
{
	if (drive->links.cut_B != 0)
		net_links_cease(drive, worm);
	drive->pool.worms[worm].route_count = drive->links.lives[worm].hops;
	if (drive->setup->results.link_drops)
		drive->setup->results.link_drops[number]++;
	net_drive_drop(drive, worm, TR_DROP_BUFFER);
}

void net_links_enter(void *run, uint32_t number)
{
	struct net_drive *drive = run;
	const struct net_worm *worm = &drive->pool.worms[number];

	if (worm->size_bytes > BYTES_MOST)
		net_drive_fail(drive, "%s: a packet has 2 GiB or more", drive->rules->name);
	drive->links.lives[number] = (struct net_link_life){.place = NET_LINK_QUEUED};
	if (drive->links.queues)
		drive->links.lives[number].priority = drive->rules->links->priorities->of(drive,
											  number);
	net_links_queue(drive, net_graph_peer(&drive->graph, worm->source, 0)->link, number,
			drive->now_ticks);
}

// ---- on a link

// Prefetches what the start of the queue's next will read.
static inline void links_fetch_next(const struct net_drive *drive,
				    const struct net_worm_list *queue)
{
	const struct net_worm *worm = &drive->pool.worms[queue->first];

	cache_fetch(worm);
	cache_fetch((const char *)worm + 64);
}

int64_t net_links_occupy(struct net_drive *drive, uint32_t number, uint32_t bytes)
{
	const struct net_link_rules *rules = drive->rules->links;
	struct net_link *link = &drive->links.links[number];
	const int64_t left_ticks = drive->now_ticks +
				   (rules->lead_B + bytes) * link->times.byte_ticks;

	links_settle(drive, number);
	link->free_ticks = left_ticks + rules->gap_B * link->times.byte_ticks;
	if (drive->links.meters)
		drive->links.meters[number].sample.characters += rules->lead_B + bytes +
								 rules->gap_B;
	return left_ticks;
}

void net_links_send(struct net_drive *drive, uint32_t number, struct net_worm_list *queue)
{
	struct net_link *link = &drive->links.links[number];
	const uint32_t first = queue->first;
	struct net_worm *worm = &drive->pool.worms[first];
	struct net_link_life *life = &drive->links.lives[first];
	const uint32_t bytes = links_bytes(drive, first);
	const int64_t left_ticks = net_links_occupy(drive, number, bytes);

	(void)net_worm_first(&drive->pool, queue);
	if (queue->count > 0)
		links_fetch_next(drive, queue);
	if (worm->injected_ticks < 0)
		worm->started_ticks = worm->injected_ticks = drive->now_ticks;
	if (link->to.node < drive->graph.hosts)
		worm->head_ticks = drive->now_ticks + link->times.propagation_ticks;
	link->leaving_B = bytes;
	life->place = NET_LINK_FLYING;
	life->mark = net_drive_link_mark(drive, number);
	link->leaving = first;
	link->leaving_mark = life->mark;
	life->at_ticks = left_ticks + link->times.propagation_ticks;
	if (drive->links.cut_B != 0 && link->to.node >= drive->graph.hosts)
		life->at_ticks -= net_links_cut_ticks(
			drive, number, first, net_links_onwards(drive, first, link->to.node));
	net_drive_begins(drive, number, first);
	net_drive_passes(drive, number, first);
	net_drive_see(drive, drive->now_ticks, NET_SEEN_BEGIN, number, first);
	net_drive_see(drive, left_ticks, NET_SEEN_END, number, first);
	links_expect(drive, left_ticks, LINKS_LEFT, number);
	if (link->flying.count == 0)
		links_expect(drive, life->at_ticks, LINKS_WHOLE, number);
	net_worm_append(&drive->pool, &link->flying, first);
	links_expect_start(drive, number);
}

static void links_start(struct net_drive *drive, uint32_t number)
{
	struct net_worm_list *queue = &drive->links.links[number].queue;

	drive->links.links[number].starts = false;
	if (queue->count == 0) // it was lost
		return;
	if (drive->links.lives[queue->first].at_ticks > drive->now_ticks)
		links_expect_start(drive, number); // so was the one before it
	else
		net_links_send(drive, number, queue);
}

static void links_leave(struct net_drive *drive, uint32_t number)
{
	const struct net_link *link = &drive->links.links[number];
	const uint32_t worm = link->leaving;

	if (link->queue.count > 1) // by now the first is there, and says which follows
		cache_fetch(&drive->links.lives[drive->pool.worms[link->queue.first].next]);
	if (worm != NET_NO_WORM) {
		if (drive->links.cut_B != 0 &&
		    net_drive_link_lost(drive, number, link->leaving_mark))
			drive->links.lives[worm].comes |= NET_LINK_TORN;
		net_links_part(drive, number);
	}
	if (link->from.node < drive->graph.hosts)
		net_drive_left(drive, link->from.node, drive->now_ticks);
}

// A switch takes a packet in.
static void links_store(struct net_drive *drive, uint32_t number, uint32_t in, uint32_t node)
{
	const struct net_worm *worm = &drive->pool.worms[number];
	const uint32_t out = net_links_onwards(drive, number, node);

	drive->links.lives[number].place = NET_LINK_QUEUED;
	drive->links.lives[number].hops++;
	if (out == UINT32_MAX)
		net_drive_fail(drive, "the route from host %u to host %u has no cable at switch %u",
			       worm->source, worm->destination, node - drive->graph.hosts);
	else
		drive->rules->links->store(drive, number, in, out);
}

// A packet is whole at a host.
static void links_deliver(struct net_drive *drive, uint32_t number, uint32_t host)
{
	const struct net_worm *worm = &drive->pool.worms[number];

	if (worm->destination == host)
		net_drive_deliver(drive, number);
	else
		net_drive_fail(drive, "the route from host %u to host %u leads to host %u",
			       worm->source, worm->destination, host);
}

static void links_arrive(struct net_drive *drive, uint32_t number)
{
	struct net_link *link = &drive->links.links[number];
	const uint32_t worm = net_worm_first(&drive->pool, &link->flying);
	struct net_link_life *life = &drive->links.lives[worm];

	if (link->flying.count > 0)
		links_expect(drive, drive->links.lives[link->flying.first].at_ticks, LINKS_WHOLE,
			     number);
	if (life->comes == NET_LINK_TORN || net_drive_link_lost(drive, number, life->mark) ||
	    net_drive_is_late(drive, worm) ||
	    ((life->comes & NET_LINK_CUTS) == 0 && net_drive_doom(drive, worm) != TR_DROP_NONE)) {
		net_drive_see(drive, drive->now_ticks, NET_SEEN_LOST, number, worm);
		links_lose(drive, worm);
	} else if (link->to.node < drive->graph.hosts) {
		links_deliver(drive, worm, link->to.node);
	} else {
		if (drive->faults.ages && (life->comes & NET_LINK_CUTS) == 0)
			net_drive_redirect(drive, worm, life->hops, link->to.node);
		life->comes &= NET_LINK_TORN;
		links_store(drive, worm, number, link->to.node);
	}
}

// ---- losses

// A packet in the queue of an output is lost.
static void links_lose_queued(struct net_drive *drive, uint32_t number, uint32_t worm)
{
	const struct net_link *link = &drive->links.links[number];

	links_settle(drive, number);
	net_worm_remove(&drive->pool, links_queue_of(drive, number, worm), worm);
	if (drive->links.cut_B != 0)
		net_links_cease(drive, worm); // also where its end has not left this link
	links_shrink(drive, number, worm, links_bytes(drive, worm));
	links_lose(drive, worm);
	if (link->from.node < drive->graph.hosts)
		net_drive_left(drive, link->from.node, drive->now_ticks);
}

// A packet on a link goes to its end, and is lost there.
void net_links_expire(void *run, const uint32_t *worms, uint32_t count)
{
	struct net_drive *drive = run;

	for (uint32_t i = 0; i < count; i++)
		if (drive->links.lives[worms[i]].place == NET_LINK_QUEUED)
			links_lose_queued(drive, net_links_of_worm(drive, worms[i]), worms[i]);
}

// All that waits at an output is lost.
static void links_lose_all(struct net_drive *drive, uint32_t number)
{
	const struct net_worm_list *queue = &drive->links.links[number].queue;

	for (uint32_t i = 0; i < (drive->links.queues ? NET_LINK_PRIORITIES : 1); i++) {
		if (drive->links.queues)
			queue = &net_link_queue(&drive->links, number, i)->waiting;
		while (queue->count > 0)
			links_lose_queued(drive, number, queue->first);
	}
}

// A host that dies loses what waits in it.
void net_links_fault(void *run, uint32_t cable)
{
	struct net_drive *drive = run;

	for (uint32_t i = 2 * cable; i < 2 * cable + 2 && drive->faults.cables[cable] > 0; i++) {
		const struct net_link *link = &drive->links.links[i];

		if (link->from.node < drive->graph.hosts &&
		    net_drive_host_is_dead(drive, link->from.node))
			links_lose_all(drive, i);
	}
}

// A switch that dies loses what waits in it; what it holds is lost once it is released.
void net_links_die(void *run, uint32_t at)
{
	struct net_drive *drive = run;
	const uint32_t node = drive->graph.hosts + at;

	for (uint32_t port = 0; port < net_graph_ports(&drive->graph, node); port++) {
		const struct net_peer *peer = net_graph_peer(&drive->graph, node, port);

		if (peer->node != NET_NOBODY)
			links_lose_all(drive, peer->link);
	}
	for (uint32_t i = 0; i < drive->pool.fresh && drive->links.held > 0; i++)
		if (drive->pool.worms[i].size_bytes > 0 &&
		    drive->links.lives[i].place == NET_LINK_HELD &&
		    drive->links.links[net_links_of_worm(drive, i)].from.node == node)
			drive->links.lives[i].place = NET_LINK_FORLORN;
}

// ---- time

static void links_happen(struct net_drive *drive, const struct entry *entry)
{
	switch ((enum links_event)entry->what) {
	case LINKS_LEFT: links_leave(drive, entry->about); break;
	case LINKS_WHOLE: links_arrive(drive, entry->about); break;
	case LINKS_START: links_start(drive, entry->about); break;
	}
}

// The events of this tick up to this one.
static void links_until(struct net_drive *drive, enum links_event last)
{
	const struct agenda *agenda = &drive->links.agenda;
	struct entry entry;

	while (drive->status == TR_OK && agenda->count > 0 &&
	       agenda->entries[0].time_ticks == drive->now_ticks &&
	       agenda->entries[0].what <= last) {
		agenda_pop(&drive->links.agenda, &entry);
		drive->totals->events++;
		links_happen(drive, &entry);
	}
}

void net_links_arrive(void *run)
{
	links_until(run, LINKS_WHOLE);
}

void net_links_move(void *run)
{
	struct net_drive *drive = run;

	if (drive->links.queues) // whose starts are timers
		net_priorities_start(drive);
	else
		links_until(drive, LINKS_START);
}

int64_t net_links_next_ticks(void *run)
{
	struct net_drive *drive = run;
	const struct agenda *agenda = &drive->links.agenda;
	const int64_t next = agenda->count > 0 ? agenda->entries[0].time_ticks : INT64_MAX;

	return drive->links.queues ? net_priorities_next(drive, next) : next;
}

enum tr_status net_links_complete(struct net_rules *rules, const struct net_setup *setup,
				  struct tr_error *err)
{
	rules->enter = rules->enter ? rules->enter : net_links_enter;
	rules->arrive = rules->arrive ? rules->arrive : net_links_arrive;
	rules->move = rules->move ? rules->move : net_links_move;
	rules->next_ticks = rules->next_ticks ? rules->next_ticks : net_links_next_ticks;
	rules->sample = rules->sample ? rules->sample : net_links_sample;
	rules->fault = rules->fault ? rules->fault : net_links_fault;
	rules->die = rules->die ? rules->die : net_links_die;
	rules->expire = rules->expire ? rules->expire : net_links_expire;
	return net_setup_needs_lists(setup, rules->name, err);
}
