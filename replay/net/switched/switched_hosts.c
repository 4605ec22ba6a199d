// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdarg.h>
#include <stdlib.h>

#include "net/switched/switched_run.h"

void switched_fail(struct switched_run *run, const char *format, ...)
{
	va_list args;

	if (run->status != TR_OK)
		return;
	va_start(args, format);
	run->status = tr_fail_with(run->err, format, args);
	va_end(args);
}

static void tell(struct switched_run *run, const struct net_worm *worm, enum tr_delivery_status status,
		 enum tr_drop_reason reason, int64_t ticks)
{
	struct tr_delivery delivery;

	net_worm_delivery(worm, status, reason, ticks, &delivery);
	if (run->status == TR_OK)
		run->status = net_intake_report(&run->intake, &run->setup->results, worm, &delivery, &run->enough, run->err);
}

// What the source sends next, where it sends nothing.
static void load(struct switched_run *run, struct switched_host *host)
{
	struct switched_output *out = &run->outputs[host->out * run->lanes];

	if (out->worm != NET_NO_WORM || host->queue.count == 0)
		return;
	out->worm = net_worm_first(&run->pool, &host->queue);
	out->feed = SWITCHED_FROM_HOST;
	out->size = run->pool.worms[out->worm].size_bytes;
	out->sent = 0;
	run->pool.worms[out->worm].started_ticks = run->now_ticks;
	switched_try(run, host->out);
}

static void generate(struct switched_run *run, struct switched_host *host, uint32_t worm)
{
	run->pool.worms[worm].created_ticks = run->now_ticks;
	run->lives[worm].serial = run->serial++;
	run->lives[worm].born = true;
	run->totals->offered++;
	net_worm_append(&run->pool, &host->queue, worm);
	load(run, host);
}

// Finite sources: the heap of those that think.

static bool is_before(const struct switched_run *run, uint32_t a, uint32_t b)
{
	const int64_t a_ticks = run->hosts[a].due_ticks, b_ticks = run->hosts[b].due_ticks;

	return a_ticks != b_ticks ? a_ticks < b_ticks : a < b;
}

static void add_source(struct switched_run *run, uint32_t host)
{
	uint32_t *heap = run->sources.items;
	uint32_t place = run->sources.count++;

	for (; place > 0 && is_before(run, host, heap[(place - 1) / 2]); place = (place - 1) / 2)
		heap[place] = heap[(place - 1) / 2];
	heap[place] = host;
}

static uint32_t take_source(struct switched_run *run)
{
	uint32_t *heap = run->sources.items;
	const uint32_t first = heap[0];
	const uint32_t last = heap[--run->sources.count];
	uint32_t place = 0;
	uint32_t child;

	while ((child = 2 * place + 1) < run->sources.count) {
		if (child + 1 < run->sources.count && is_before(run, heap[child + 1], heap[child]))
			child++;
		if (!is_before(run, heap[child], last))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
}

// A source with nothing outstanding thinks of its next packet: from when the last had wholly left, as long as the traffic
// has between the two.
static void think(struct switched_run *run, uint32_t number)
{
	struct switched_host *host = &run->hosts[number];

	if (host->coming.count == 0) {
		run->needy++;
		return;
	}
	host->due_ticks = run->pool.worms[host->coming.first].packet.time_ticks;
	if (host->given_ticks != INT64_MIN)
		host->due_ticks += host->left_ticks - host->given_ticks;
	add_source(run, number);
}

void switched_left(struct switched_run *run, uint32_t number)
{
	struct switched_host *host = &run->hosts[number];

	if (run->params->finite) {
		host->outstanding = false;
		host->left_ticks = run->now_ticks;
		think(run, number);
	}
	load(run, host);
}

static void end_thinking(struct switched_run *run)
{
	struct switched_host *host = &run->hosts[take_source(run)];
	const uint32_t worm = net_worm_first(&run->pool, &host->coming);

	run->unborn--;
	host->given_ticks = run->pool.worms[worm].packet.time_ticks;
	host->outstanding = true;
	generate(run, host, worm);
}

void switched_read(struct switched_run *run)
{
	const struct net_offer *offer = &run->intake.offer;

	if (run->status == TR_OK && net_intake_ask(&run->intake, run->err) == TR_ERROR)
		run->status = TR_ERROR;
	if (run->status != TR_OK || !run->intake.offered)
		return;
	run->status = net_intake_check(&run->intake, run->graph.hosts, run->err);
	if (run->status == TR_OK && offer->refused == TR_DROP_NONE && !offer->wake &&
	    (run->params->switching != SWITCHED_WORMHOLE || run->grant == SWITCHED_GRANT_PACKET) &&
	    offer->size_bytes > run->params->buffer_B)
		switched_fail(run,
			      "a packet of %u bytes does not fit into an input's buffer of %llu, and is to be stored there; "
			      "see the key buffer of switched",
			      offer->size_bytes, (unsigned long long)run->params->buffer_B);
}

static void refuse(struct switched_run *run)
{
	struct net_worm worm = net_worm_none;

	worm.packet = run->intake.offer.packet;
	run->totals->offered++;
	run->totals->dropped++;
	tell(run, &worm, TR_DROPPED, run->intake.offer.refused, run->now_ticks);
}

// Gives the worm its list of ports; with a choice, and none of its own, it has none.
static bool route(struct switched_run *run, uint32_t worm, const struct net_offer *offer)
{
	const struct net_routes *routes = run->setup->routes;
	const uint32_t from = run->home[offer->source], to = run->home[offer->destination];
	uint32_t count = 1;

	if (offer->route)
		return net_worm_set_route(&run->pool, worm, offer->route, offer->route_count);
	if (!routes->choices)
		return net_worm_route(&run->pool, worm, routes);
	if (from == NET_NOBODY || to == NET_NOBODY)
		return net_graph_peer(&run->graph, offer->source, 0)->node == offer->destination;
	if (from != to)
		net_choices_get(routes->choices, net_choices_host_input(from), to, &count);
	return count > 0;
}

static void take_in(struct switched_run *run)
{
	const struct net_offer *offer = &run->intake.offer;
	struct switched_host *host = &run->hosts[offer->source];
	const uint32_t number = net_intake_worm(&run->intake, &run->pool);

	if (number == NET_NO_WORM) {
		switched_fail(run, "more packets under way than the key worms of switched allows");
		return;
	}
	run->lives[number] = (struct switched_life){0};
	if (!route(run, number, offer)) {
		switched_fail(run, "host %u has no route to host %u", offer->source, offer->destination);
	} else if (!run->params->finite) {
		generate(run, host, number);
	} else {
		run->unborn++;
		net_worm_append(&run->pool, &host->coming, number);
		if (host->coming.count == 1 && !host->outstanding) {
			run->needy--;
			think(run, offer->source);
		}
	}
}

// Whether the offer is to be read now.
static bool ready(const struct switched_run *run)
{
	return run->status == TR_OK && net_intake_ready(&run->intake, run->now_ticks) &&
	       (!run->params->finite || run->needy > 0);
}

void switched_enter(struct switched_run *run)
{
	if (run->intake.told && run->setup->traffic.give_back)
		switched_read(run);
	for (;;) {
		while (ready(run)) {
			if (run->intake.offer.refused != TR_DROP_NONE)
				refuse(run);
			else if (!run->intake.offer.wake)
				take_in(run);
			net_intake_take(&run->intake);
			switched_read(run);
		}
		if (run->status != TR_OK || run->sources.count == 0 ||
		    run->hosts[run->sources.items[0]].due_ticks > run->now_ticks)
			return;
		end_thinking(run);
	}
}

int64_t switched_next_entry(const struct switched_run *run)
{
	int64_t next = INT64_MAX;

	if (run->intake.offered && (!run->params->finite || run->needy > 0))
		next = run->intake.offer.packet.time_ticks;
	if (run->sources.count > 0 && run->hosts[run->sources.items[0]].due_ticks < next)
		next = run->hosts[run->sources.items[0]].due_ticks;
	return next;
}

static void set_hops(const struct switched_run *run, uint32_t number)
{
	if (!run->pool.worms[number].route)
		run->pool.worms[number].route_count = run->lives[number].hops;
}

static void deliver(struct switched_run *run, uint32_t number)
{
	struct net_worm *worm = &run->pool.worms[number];

	set_hops(run, number);
	worm->received_ticks = run->now_ticks;
	run->totals->delivered++;
	tell(run, worm, TR_DELIVERED, TR_DROP_NONE, run->now_ticks);
	net_worm_give_back(&run->pool, number);
}

void switched_deliver_all(struct switched_run *run)
{
	for (uint32_t i = 0; run->whole_count > 0; i++)
		for (; run->wholes[i] != 0; run->wholes[i] &= run->wholes[i] - 1, run->whole_count--)
			deliver(run, run->whole[64 * i + (uint32_t)__builtin_ctzll(run->wholes[i])]);
}

static int by_serial(const void *a, const void *b)
{
	const struct switched_alive *left = a, *right = b;

	return left->serial < right->serial ? -1 : left->serial > right->serial;
}

void switched_in_flight(struct switched_run *run)
{
	struct switched_alive *alive = run->alive;
	uint32_t count = 0;

	for (uint32_t i = 0; i < run->pool.fresh; i++)
		if (run->pool.worms[i].size_bytes > 0 && run->lives[i].born)
			alive[count++] = (struct switched_alive){run->lives[i].serial, i};
	qsort(alive, count, sizeof(*alive), by_serial);
	run->totals->in_flight = count;
	for (uint32_t i = 0; i < count; i++) {
		set_hops(run, alive[i].worm);
		tell(run, &run->pool.worms[alive[i].worm], TR_IN_FLIGHT, TR_DROP_NONE, run->totals->end_ticks);
	}
}
