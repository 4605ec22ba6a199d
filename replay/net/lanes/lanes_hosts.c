// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdarg.h>
#include <stdlib.h>

#include "net/lanes/lanes_run.h"

void lanes_fail(struct lanes_run *run, const char *format, ...)
{
	va_list args;

	if (run->status != TR_OK)
		return;
	va_start(args, format);
	run->status = tr_fail_with(run->err, format, args);
	va_end(args);
}

static void tell(struct lanes_run *run, const struct net_worm *worm, enum tr_delivery_status status, enum tr_drop_reason reason,
		 int64_t ticks)
{
	struct tr_delivery delivery;

	net_worm_delivery(worm, status, reason, ticks, &delivery);
	if (run->status == TR_OK)
		run->status = net_intake_report(&run->intake, &run->setup->results, worm, &delivery, &run->enough, run->err);
}

void lanes_read(struct lanes_run *run)
{
	const struct net_offer *offer = &run->intake.offer;

	if (run->status == TR_OK && net_intake_ask(&run->intake, run->err) == TR_ERROR)
		run->status = TR_ERROR;
	if (run->status != TR_OK || !run->intake.offered)
		return;
	run->status = net_intake_check(&run->intake, run->graph.hosts, run->err);
	if (run->status == TR_OK && offer->refused == TR_DROP_NONE && !offer->wake && run->kind->fits &&
	    lanes_flits(run->params, offer->size_bytes) > run->params->buffer_flits)
		lanes_fail(run,
			   "a packet of %u flits does not fit into a buffer of %llu, and is to be stored there; see the key "
			   "buffer of lanes",
			   lanes_flits(run->params, offer->size_bytes), (unsigned long long)run->params->buffer_flits);
}

static void refuse(struct lanes_run *run)
{
	struct net_worm worm = net_worm_none;

	worm.packet = run->intake.offer.packet;
	run->totals->offered++;
	run->totals->dropped++;
	tell(run, &worm, TR_DROPPED, run->intake.offer.refused, run->now_ticks);
}

// Gives the worm its list of ports, where it has none of its own; with a choice it gets none.
static bool route(struct lanes_run *run, uint32_t number)
{
	const struct net_routes *routes = run->setup->routes;
	const struct net_worm *worm = &run->pool.worms[number];
	const uint32_t from = net_graph_peer(&run->graph, worm->source, 0)->node;
	const uint32_t to = net_graph_peer(&run->graph, worm->destination, 0)->node;
	const uint32_t hosts = run->graph.hosts;
	uint32_t count = 1;

	if (worm->route)
		return true;
	if (!routes->choices) {
		run->lives[number].class = net_routes_lane(routes, worm->source, worm->destination);
		return net_worm_route(&run->pool, number, routes);
	}
	if (from < hosts || to < hosts)
		return from == worm->destination;
	if (from != to)
		net_choices_get(routes->choices, net_choices_host_input(from - hosts), to - hosts, &count);
	return count > 0;
}

static void want_load(struct lanes_run *run, uint32_t host)
{
	if (run->hosts[host].loads || run->hosts[host].queue.count == 0)
		return;
	run->hosts[host].loads = true;
	lanes_add(&run->loads, host);
}

static void take_in(struct lanes_run *run)
{
	const struct net_offer *offer = &run->intake.offer;
	const uint32_t number = net_intake_worm(&run->intake, &run->pool);

	if (number == NET_NO_WORM) {
		lanes_fail(run, "more packets under way than the key worms of lanes allows");
		return;
	}
	run->pool.worms[number].created_ticks = run->now_ticks;
	run->lives[number] = (struct lanes_life){.serial = run->serial++, .flits = lanes_flits(run->params, offer->size_bytes)};
	run->totals->offered++;
	if (offer->route && !net_worm_set_route(&run->pool, number, offer->route, offer->route_count))
		lanes_fail(run, "the route from host %u to host %u is too long", offer->source, offer->destination);
	net_worm_append(&run->pool, &run->hosts[offer->source].queue, number);
	want_load(run, offer->source);
}

void lanes_enter(struct lanes_run *run)
{
	if (run->intake.told && run->setup->traffic.give_back)
		lanes_read(run);
	while (run->status == TR_OK && net_intake_ready(&run->intake, run->now_ticks)) {
		if (run->intake.offer.refused != TR_DROP_NONE)
			refuse(run);
		else if (!run->intake.offer.wake)
			take_in(run);
		net_intake_take(&run->intake);
		lanes_read(run);
	}
}

static void load(struct lanes_run *run, uint32_t number)
{
	const uint32_t sends = (uint32_t)run->params->sends;
	struct lanes_host *host = &run->hosts[number];

	host->loads = false;
	for (uint32_t i = 0; i < sends && host->queue.count > 0; i++) {
		const uint32_t place = run->first_source + number * sends + i;
		struct lanes_slot *slot = &run->slots[place];

		if (slot->worm != NET_NO_WORM)
			continue;
		slot->worm = net_worm_first(&run->pool, &host->queue);
		slot->flits = slot->left = run->lives[slot->worm].flits;
		run->lives[slot->worm].moved = (uint32_t)run->cycle;
		run->pool.worms[slot->worm].started_ticks = run->now_ticks;
		if (!route(run, slot->worm)) {
			lanes_fail(run, "host %u has no route to host %u", run->pool.worms[slot->worm].source,
				   run->pool.worms[slot->worm].destination);
			return;
		}
		lanes_lead(run, place, 0);
	}
}

void lanes_load_all(struct lanes_run *run)
{
	lanes_shuffle(run, &run->loads);
	for (uint32_t i = 0; i < run->loads.count; i++)
		load(run, run->loads.items[i]);
	run->loads.count = 0;
}

void lanes_left(struct lanes_run *run, uint32_t slot)
{
	want_load(run, (slot - run->first_source) / (uint32_t)run->params->sends);
}

static void set_hops(const struct lanes_run *run, uint32_t number)
{
	if (!run->pool.worms[number].route)
		run->pool.worms[number].route_count = run->lives[number].hops;
}

void lanes_drop(struct lanes_run *run, uint32_t worm)
{
	set_hops(run, worm);
	run->totals->dropped++;
	tell(run, &run->pool.worms[worm], TR_DROPPED, TR_DROP_DEADLOCK, run->now_ticks);
	net_worm_give_back(&run->pool, worm);
}

static int by_serial(const void *a, const void *b)
{
	const struct lanes_alive *left = a, *right = b;

	return left->serial < right->serial ? -1 : left->serial > right->serial;
}

void lanes_reach(struct lanes_run *run, uint32_t worm)
{
	run->done[run->done_count++] = (struct lanes_alive){run->lives[worm].serial, worm};
}

// Few are delivered in a cycle, so they are inserted one by one.
static void sort_done(struct lanes_run *run)
{
	for (uint32_t i = 1; i < run->done_count; i++) {
		const struct lanes_alive done = run->done[i];
		uint32_t place = i;

		for (; place > 0 && run->done[place - 1].serial > done.serial; place--)
			run->done[place] = run->done[place - 1];
		run->done[place] = done;
	}
}

void lanes_deliver_all(struct lanes_run *run)
{
	sort_done(run);
	for (uint32_t i = 0; i < run->done_count; i++) {
		struct net_worm *worm = &run->pool.worms[run->done[i].worm];

		set_hops(run, run->done[i].worm);
		worm->received_ticks = run->now_ticks;
		run->totals->delivered++;
		tell(run, worm, TR_DELIVERED, TR_DROP_NONE, run->now_ticks);
		net_worm_give_back(&run->pool, run->done[i].worm);
	}
	run->done_count = 0;
}

void lanes_in_flight(struct lanes_run *run)
{
	struct lanes_alive *alive = run->alive;
	uint32_t count = 0;

	for (uint32_t i = 0; i < run->pool.fresh; i++)
		if (run->pool.worms[i].size_bytes > 0)
			alive[count++] = (struct lanes_alive){run->lives[i].serial, i};
	qsort(alive, count, sizeof(*alive), by_serial);
	run->totals->in_flight = count;
	for (uint32_t i = 0; i < count; i++) {
		set_hops(run, alive[i].worm);
		tell(run, &run->pool.worms[alive[i].worm], TR_IN_FLIGHT, TR_DROP_NONE, run->totals->end_ticks);
	}
}
