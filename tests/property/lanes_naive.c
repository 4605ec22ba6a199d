// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of networks with lanes (flit-fabric(5)) as a plain loop over all packets and lanes,
// cycle by cycle.
#include "lanes_naive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "net/lanes/lanes_run.h"
#include "net/routes/choices.h"

#define BEHIND 100000 // all numbers in a cyclic order

void naive_tell(struct world *w, struct packet *p, enum tr_delivery_status status,
		enum tr_drop_reason reason)
{
	struct tr_delivery delivery;

	p->state = OVER;
	p->worm.route_count = p->worm.route ? p->worm.route_count : (uint32_t)p->hops;
	net_worm_delivery(&p->worm, status, reason, w->now, &delivery);
	w->setup->results.done(w->setup->results.context, &p->worm, &delivery, NULL);
}

// A packet's header goes to a spot.
static void push(struct world *w, struct packet *p, struct spot *spot)
{
	spot->queue[spot->end++] = (int)(p - w->packets);
	p->at[++p->head] = spot;
	p->queue[p->head] = NONE;
	p->state = COMES;
}

// Flits that come by a lane, or room that comes back.
static void arrive(struct world *w, struct spot *lane, bool flits)
{
	int *what = flits ? &lane->come[w->cycle & 15] : &lane->back[w->cycle & 15];

	if (flits && *what > 0)
		w->packets[*what / HOPS].came[*what % HOPS]++;
	lane->room += flits ? 0 : *what;
	w->under_way -= flits ? *what > 0 : *what;
	*what = 0;
}

// A packet's flit leaves a spot.
static void leave(struct world *w, struct packet *p, int k)
{
	const bool direct = w->params->is.direct;

	if (++p->sent[k + 1] == p->flits)
		naive_drop(p->at[k], (int)(p - w->packets));
	if (k == 0)
		return;
	p->at[k]->room += direct;
	p->at[k]->back[(w->cycle + (int64_t)w->params->pipeline.credit) & 15] += !direct;
	w->under_way += !direct;
}

// A packet that is first in its spot, and whose header has come, acts.
static void lead(struct world *w, struct packet *p)
{
	const struct lanes_pipeline *pipeline = &w->params->pipeline;
	const struct spot *spot = p->at[p->head];
	const bool inside = w->params->is.inside &&
			    spot->node == net_graph_peer(&w->graph, p->worm.destination, 0)->node &&
			    (!p->worm.route || (uint32_t)p->hops + 1 == p->worm.route_count);

	if (p->came[p->head] == 0)
		return;
	if (p->queue[p->head] == NONE)
		p->queue[p->head] = naive_queue(w, p);
	if (naive_first(w, p) != p)
		return;
	p->hops += inside;
	if (inside || (spot->at_host && p->head > 0)) {
		p->state = HOME;
	} else if (w->params->switching != LANES_STORE || p->came[p->head] == p->flits) {
		p->state = ASKS;
		p->asked = w->cycle;
		if (!spot->at_host)
			p->asked += (int64_t)pipeline->routing +
				    (w->divided
					     ? (int64_t)(pipeline->allocation + pipeline->header) -
						       1
					     : 0);
	}
}

// A packet's host takes a flit. At the end of a circuit all of it becomes free, and its links
// cannot be used in this cycle.
static void sink(struct world *w, struct packet *p, int64_t head_ticks)
{
	if (p->sent[p->head + 1] == (w->circuits ? p->flits : p->came[p->head]))
		return;
	if (p->sent[p->head + 1] == 0)
		p->worm.head_ticks = head_ticks;
	if (!w->circuits) {
		leave(w, p, p->head);
		return;
	}
	if (++p->sent[p->head + 1] < p->flits)
		return;
	naive_drop(p->at[0], (int)(p - w->packets));
	for (int k = 1; k <= p->head; k++) {
		naive_drop(p->at[k], (int)(p - w->packets));
		p->at[k]->holder = NULL;
		w->clear[p->at[k]->link / w->each] = w->cycle + 1;
		w->totals->own[LANES_FLIT_HOPS] += (uint64_t)p->flits;
	}
}

struct spot *naive_free_place(struct world *w, const struct packet *p)
{
	const uint64_t sends = w->params->sends, classes = w->params->classes;
	struct spot *first = &w->spots[(uint64_t)w->lane_count +
				       (p->worm.source * classes + (uint64_t)p->class) * sends];

	for (uint64_t i = 0; i < sends; i++)
		if (!naive_front(w, first + i))
			return first + i;
	return NULL;
}

static void load(struct world *w, struct packet *p)
{
	struct spot *place = naive_free_place(w, p);

	if (!place)
		return;
	push(w, p, place);
	p->came[0] = p->flits;
	p->moved = w->cycle;
	p->worm.started_ticks = w->now;
	lead(w, p);
}

static void give_route(struct world *w, struct packet *p)
{
	const struct net_routes *routes = w->setup->routes;

	if (routes->choices)
		return;
	p->worm.route = p->ports;
	p->worm.route_count = net_routes_get_way(
		routes, p->worm.source, p->worm.destination,
		routes->spread == NET_SPREAD_PACKET ? w->sent[p->worm.source]++ : 0, p->ports);
}

// The lane of the other direction where both share one, else itself.
struct spot *naive_other(struct world *w, struct spot *lane)
{
	return w->each == 1 ? lane : lane->link % 2 == 0 ? lane + w->lanes : lane - w->lanes;
}

// The next lane of a group that a packet could be given over a link.
struct spot *naive_free_lane(struct world *w, const struct packet *p, int link, int group)
{
	const int room = w->empty				  ? (int)w->params->buffer_flits
			 : lanes_kinds[w->params->switching].fits ? p->flits
								  : w->divided;

	for (int i = 1; i <= w->lanes; i++) {
		struct spot *lane = &w->spots[link * w->lanes + (w->given[group] + i) % w->lanes],
			    *other = naive_other(w, lane);

		if (lane->group == group && !lane->holder && !other->holder && lane->room >= room &&
		    other->room >= room)
			return lane;
	}
	return NULL;
}

// A packet that asks does so for the best of its options of which a lane is free.
static void ask(struct world *w, struct packet *p)
{
	p->group = NONE;
	if (naive_asks(w, p) && p->asked == w->cycle)
		naive_find_options(w, p);
	for (int i = 0; naive_asks(w, p) && i < p->options && p->group == NONE; i++) {
		p->link = p->links[i];
		p->group = naive_free_lane(w, p, p->link, p->groups[i]) ? p->groups[i] : NONE;
		p->turn = p->at[p->head]->turn +
			  (w->each == 2 && p->link % 2 != 0 ? BEHIND / 2 : 0);
	}
}

// The lowest goes first: of a packet that asked then, with a number in a cyclic order of which the
// last was served last.
int64_t naive_rank(const struct world *w, enum lanes_order order, const struct packet *p,
		   int64_t asked, int number, int last)
{
	const int64_t cyclic = number + (number <= last ? BEHIND : 0);

	if (order == LANES_ROUND_ROBIN || order >= LANES_ISLIP)
		return cyclic;
	if (order == LANES_PRIORITY)
		asked = 8 - p->priority;
	return ((order == LANES_AGE ? 0 : asked) * CASE_PACKETS + (p - w->packets)) * 2 * BEHIND +
	       cyclic;
}

void naive_give(struct world *w, struct packet *p, struct spot *lane, int group)
{
	const struct lanes_pipeline *pipeline = &w->params->pipeline;

	w->given[group] = (int)(lane - w->spots) % w->lanes;
	lane->holder = p;
	lane->k = p->head;
	lane->asked = p->asked;
	p->lane = lane;
	p->state = HAS_LANE;
	p->moved = w->cycle;
	p->may = w->cycle + (lane->from_host || w->divided
				     ? 0
				     : (int64_t)(pipeline->allocation + pipeline->header) - 1);
}

// The first of those that ask for lanes of a group gets one.
static void give(struct world *w, int group)
{
	struct packet *best = NULL;
	struct spot *lane;
	int64_t least = INT64_MAX;

	for (struct packet *p = w->packets; p < w->end; p++) {
		const int64_t own = naive_rank(w, w->params->lane_order, p, p->asked, p->turn,
					       w->served[group]);

		if (p->group != group || own >= least)
			continue;
		best = p;
		least = own;
	}
	lane = naive_free_lane(w, best, best->link, group);
	best->group = NONE;
	if (!lane)
		return;
	w->served[group] = best->turn;
	naive_give(w, best, lane, group);
}

bool naive_can_send(const struct world *w, const struct spot *lane)
{
	const struct packet *p = lane->holder;

	if (!p || lane->room == 0)
		return false;
	if (p->state == HAS_LANE && p->lane == lane)
		return p->may <= w->cycle;
	return !w->circuits && p->sent[lane->k + 1] < p->came[lane->k];
}

void naive_send(struct world *w, struct spot *lane)
{
	struct packet *p = lane->holder;
	int64_t *clear = &w->clear[lane->link / w->each];
	const int64_t leaves = *clear > w->cycle ? *clear : w->cycle;

	*clear = leaves + 1;
	lane->went = w->cycle;
	lane->come[(leaves + lane->delay) & 15] = (int)(p - w->packets) * HOPS + lane->k + 1;
	w->under_way++;
	w->totals->own[LANES_FLIT_HOPS]++;
	p->moved = w->cycle;
	if (p->state == HAS_LANE && p->lane == lane) {
		push(w, p, lane);
		if (lane->k == 0)
			p->worm.injected_ticks = w->now;
	}
	if (w->circuits)
		return;
	lane->room--;
	if (p->sent[lane->k + 1] + 1 == p->flits)
		lane->holder = NULL;
	leave(w, p, lane->k);
}

static void open_lane(struct world *w, int number, const struct net_cable *cable)
{
	const struct net_choices *choices = w->setup->routes->choices;
	const struct lanes_pipeline *pipeline = &w->params->pipeline;
	const int link = number / w->lanes, lane = number % w->lanes;
	const struct net_end *from = &cable->ends[link % 2], *to = &cable->ends[1 - link % 2];
	const int classes = naive_classes_of(w), messages = (int)w->params->classes;
	const bool from_host = from->node < w->graph.hosts, at_host = to->node < w->graph.hosts;
	const int class = from_host || at_host ? lane * messages / w->lanes * classes
					       : lane * (classes * messages) / w->lanes;

	w->spots[number] = (struct spot){
		.node = to->node,
		.turn = (int)to->port * w->lanes + lane,
		.at_host = at_host,
		.from_host = from_host,
		.link = link,
		.group = link / w->each * (int)CASE_LANES + class,
		.room = (int)w->params->buffer_flits,
		.port = (int)from->port,
		.went = INT64_MIN,
		.delay = (int)(pipeline->link +
			       (from_host ? 0 : pipeline->arbitration + pipeline->traversal)),
		.input = from_host ? to->node - w->graph.hosts : 0,
	};
	if (choices && !from_host && !at_host)
		w->spots[number].input = net_choices_input(choices, (uint32_t)link,
							   (uint32_t)(class % classes));
}

static void open_world(struct world *w)
{
	const uint32_t sends = (uint32_t)(w->params->sends * w->params->classes);

	w->lanes = (int)w->params->lanes;
	w->each = w->params->is.shared ? 2 : 1;
	w->lane_count = (int)w->graph.links * w->lanes;
	for (int i = 0; i < w->lane_count; i++)
		open_lane(w, i, &w->setup->topology->cables[i / w->lanes / 2]);
	for (uint32_t i = 0; i < w->graph.hosts * sends; i++) {
		const uint32_t end = net_graph_peer(&w->graph, i / sends, 0)->node;

		w->spots[(uint32_t)w->lane_count + i] = (struct spot){
			.node = w->params->is.inside ? end : i / sends,
			.input = end - w->graph.hosts,
			.turn = BEHIND / 4 + (int)i,
			.at_host = !w->params->is.inside};
	}
	for (uint32_t i = 0; i < LANES; i++) {
		w->served[i] = BEHIND;
		w->given[i] = w->lanes - 1;
	}
	for (uint32_t i = 0; i < INPUTS; i++) {
		w->accepted[i] = BEHIND;
		w->turn[i] = w->lanes - 1;
		w->taken[i] = INT64_MIN;
	}
	for (uint32_t i = 0; i < CASE_LINKS; i++) {
		w->last[i] = BEHIND;
		w->clear[i] = INT64_MIN;
	}
}

// Returns whether the run goes on.
static bool step(struct world *w)
{
	const uint64_t most = w->params->iterations == 0 ? UINT64_MAX : w->params->iterations;
	const bool quick = w->params->is.quick || !w->params->is.inside;

	w->now = w->cycle * w->cycle_ticks;
	for (struct spot *lane = w->spots; lane < w->spots + w->lane_count; lane++)
		arrive(w, lane, false);
	for (struct spot *lane = w->spots; lane < w->spots + w->lane_count; lane++)
		naive_detour_header(w, lane);
	for (struct spot *lane = w->spots; lane < w->spots + w->lane_count; lane++)
		arrive(w, lane, true);
	for (struct packet *p = w->packets; p < w->end; p++)
		if (p->state == COMES)
			lead(w, p);
	for (struct packet *p = w->packets; p < w->end; p++) {
		if (quick && p->state == HOME)
			sink(w, p, w->now);
		if (p->state != HOME || p->sent[p->head + 1] < p->flits)
			continue;
		w->totals->delivered++;
		naive_tell(w, p, TR_DELIVERED, TR_DROP_NONE);
	}
	for (; w->end < w->packets + w->count && w->end->worm.created_ticks <= w->now; w->end++) {
		give_route(w, w->end);
		w->totals->offered++;
	}
	for (struct packet *p = w->packets; p < w->end; p++)
		if (p->state == WAITS)
			load(w, p);
	for (struct packet *p = w->packets; p < w->end; p++)
		if (!quick && p->state == HOME)
			sink(w, p, w->now + w->cycle_ticks);
	for (struct packet *p = w->packets; p < w->end && w->setup->routes->chooser; p++)
		if (naive_asks(w, p) && p->asked == w->cycle && (!w->divided || p->head == 0))
			naive_detour(w, p);
	for (struct packet *p = w->packets; p < w->end; p++)
		ask(w, p);
	if (w->divided) {
		naive_match(w);
		return naive_break_deadlocks(w);
	}
	for (struct packet *p = w->packets; p < w->end; p++)
		while (p->group != NONE)
			give(w, p->group);
	for (uint64_t round = 1; round <= most && naive_move(w, round == 1); round++)
		continue;
	return naive_break_deadlocks(w);
}

// Of a text as "host3:2/host5:1".
static int host_priority(const char *text, uint32_t host)
{
	unsigned number, priority;

	for (; sscanf(text, "host%u:%u", &number, &priority) == 2; text++) {
		if (number == host)
			return (int)priority;
		text = strchr(text, '/');
		if (!text)
			break;
	}
	return 0;
}

static enum tr_status run(const struct net_setup *setup, struct net_totals *totals,
			  struct tr_error *err)
{
	const struct net_choices *choices = setup->routes->choices;
	const struct lanes_params *params = setup->params;
	struct world *w = calloc(1, sizeof(*w));
	struct net_offer offer;

	*totals = (struct net_totals){0};
	if (!w || net_graph_open(&w->graph, setup->topology, err) != TR_OK ||
	    lanes_cycle_ticks(params, setup->ticks_per_s, &w->cycle_ticks, err) != TR_OK)
		return TR_ERROR;
	w->setup = setup;
	w->params = params;
	w->totals = totals;
	w->end = w->packets;
	w->circuits = params->switching == LANES_CIRCUIT;
	w->divided = params->queues != LANES_FIFO;
	w->empty = params->is.empty || (params->switching == LANES_WORMHOLE && choices &&
					net_choices_empty_needed(choices));
	open_world(w);
	while (setup->traffic.next(setup->traffic.context, &offer, err) == TR_OK) {
		struct packet *p = &w->packets[w->count++];

		*p = (struct packet){.worm = net_worm_none,
				     .head = NONE,
				     .flits = (int)lanes_flits(params, offer.size_bytes)};
		p->worm.packet = offer.packet;
		p->worm.source = offer.source;
		p->worm.destination = offer.destination;
		p->worm.created_ticks = offer.packet.time_ticks;
		p->priority = host_priority(params->priority, offer.source);
		p->class = p->priority < (int)params->classes ? p->priority
							      : (int)params->classes - 1;
	}
	for (w->cycle = -100; step(w) && totals->delivered + totals->dropped < (uint64_t)w->count;
	     w->cycle++)
		continue;
	for (struct packet *p = w->packets; p < w->end; p++)
		if (p->state != OVER) {
			totals->in_flight++;
			if (p->worm.head_ticks > w->now)
				p->worm.head_ticks = -1;
			naive_tell(w, p, TR_IN_FLIGHT, TR_DROP_NONE);
		}
	totals->deadlocked = totals->in_flight > 0;
	net_graph_close(&w->graph);
	free(w);
	return TR_OK;
}

const struct net_engine lanes_naive = {.name = "naive", .run = run};
