// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdarg.h>
#include <stdlib.h>

#include "net/ethernet/ethernet_run.h"

void ethernet_fail(struct ethernet_run *run, const char *format, ...)
{
	va_list args;

	if (run->status != TR_OK)
		return;
	va_start(args, format);
	run->status = tr_fail_with(run->err, format, args);
	va_end(args);
}

static void tell(struct ethernet_run *run, const struct net_worm *worm, enum tr_delivery_status status,
		 enum tr_drop_reason reason)
{
	struct tr_delivery delivery;

	net_worm_delivery(worm, status, reason, run->now_ticks, &delivery);
	if (run->status == TR_OK)
		run->status = net_intake_report(&run->intake, &run->setup->results, worm, &delivery, &run->enough, run->err);
}

void ethernet_read(struct ethernet_run *run)
{
	const struct net_offer *offer = &run->intake.offer;

	if (run->status == TR_OK && net_intake_ask(&run->intake, run->err) == TR_ERROR)
		run->status = TR_ERROR;
	if (run->status != TR_OK || !run->intake.offered)
		return;
	run->status = net_intake_check(&run->intake, run->graph.hosts, run->err);
	if (run->status == TR_OK && offer->refused == TR_DROP_NONE && !offer->wake && offer->size_bytes > run->params->mtu_B)
		ethernet_fail(run, "a packet of %u bytes is larger than the MTU of %llu; see the key mtu of ethernet",
			      offer->size_bytes, (unsigned long long)run->params->mtu_B);
}

static bool route(struct ethernet_run *run, uint32_t worm, const struct net_offer *offer)
{
	if (offer->route)
		return net_worm_set_route(&run->pool, worm, offer->route, offer->route_count);
	return net_worm_route(&run->pool, worm, run->setup->routes);
}

// The offer enters the queue of its source's adapter.
static void take_in(struct ethernet_run *run)
{
	const struct net_offer *offer = &run->intake.offer;
	const uint32_t number = net_intake_worm(&run->intake, &run->pool);

	if (number == NET_NO_WORM) {
		ethernet_fail(run, "more packets under way than the key worms of ethernet allows");
		return;
	}
	if (!route(run, number, offer)) {
		ethernet_fail(run, "host %u has no route to host %u", offer->source, offer->destination);
		return;
	}
	run->totals->offered++;
	run->pool.worms[number].created_ticks = run->now_ticks;
	run->lives[number] = (struct ethernet_life){.serial = run->serial++};
	ethernet_queue(run, net_graph_peer(&run->graph, offer->source, 0)->link, number, run->now_ticks);
}

static void refuse(struct ethernet_run *run)
{
	struct net_worm worm = net_worm_none;

	worm.packet = run->intake.offer.packet;
	run->totals->offered++;
	run->totals->dropped++;
	tell(run, &worm, TR_DROPPED, run->intake.offer.refused);
}

void ethernet_enter(struct ethernet_run *run)
{
	if (run->intake.told && run->setup->traffic.give_back)
		ethernet_read(run);
	while (run->status == TR_OK && net_intake_ready(&run->intake, run->now_ticks)) {
		if (run->intake.offer.refused != TR_DROP_NONE)
			refuse(run);
		else if (!run->intake.offer.wake)
			take_in(run);
		net_intake_take(&run->intake);
		ethernet_read(run);
	}
}

void ethernet_deliver(struct ethernet_run *run, uint32_t number, uint32_t host)
{
	struct net_worm *worm = &run->pool.worms[number];

	if (worm->destination != host) {
		ethernet_fail(run, "the route from host %u to host %u leads to host %u", worm->source, worm->destination, host);
		return;
	}
	worm->received_ticks = run->now_ticks;
	run->totals->delivered++;
	tell(run, worm, TR_DELIVERED, TR_DROP_NONE);
	net_worm_give_back(&run->pool, number);
}

void ethernet_drop(struct ethernet_run *run, uint32_t number, uint32_t link)
{
	struct net_worm *worm = &run->pool.worms[number];

	worm->route_count = run->lives[number].hops;
	run->totals->dropped++;
	if (run->setup->results.link_drops)
		run->setup->results.link_drops[link]++;
	tell(run, worm, TR_DROPPED, TR_DROP_BUFFER);
	net_worm_give_back(&run->pool, number);
}

static int by_serial(const void *a, const void *b, void *context)
{
	const struct ethernet_life *lives = context;
	const uint64_t left = lives[*(const uint32_t *)a].serial, right = lives[*(const uint32_t *)b].serial;

	return left < right ? -1 : left > right;
}

void ethernet_in_flight(struct ethernet_run *run)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < run->pool.fresh; i++)
		if (run->pool.worms[i].size_bytes > 0)
			run->alive[count++] = i;
	qsort_r(run->alive, count, sizeof(*run->alive), by_serial, run->lives);
	run->totals->in_flight = count;
	for (uint32_t i = 0; i < count; i++) {
		struct net_worm *worm = &run->pool.worms[run->alive[i]];

		if (worm->head_ticks > run->now_ticks)
			worm->head_ticks = -1;
		tell(run, worm, TR_IN_FLIGHT, TR_DROP_NONE);
	}
}
