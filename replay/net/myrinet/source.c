// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/source.h"

#include "net/myrinet/memory.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/sender.h"

// Whether the offer can be carried at all.
static bool sound(struct myr_network *net, const struct net_offer *offer)
{
	uint32_t hosts = net->setup->topology->hosts;

	if (offer->packet.time_ticks < net->intake.taken_ticks &&
	    net->setup->traffic.give_back == NULL)
		myr_fail(net, "the traffic steps back in time");
	else if (offer->refused != TR_DROP_NONE || offer->wake)
		return true;
	else if (offer->source >= hosts || offer->destination >= hosts)
		myr_fail(net, "a packet from host %u to host %u in a network of %u", offer->source,
			 offer->destination, hosts);
	else if (offer->size_bytes == 0)
		myr_fail(net, "a worm of no characters");
	else if (!myr_memory_fits(net, offer->size_bytes))
		myr_fail(net, "a worm of %u bytes never fits into the adapter memory",
			 offer->size_bytes);
	return net->status == TR_OK;
}

void myr_source_read(struct myr_network *net)
{
	enum tr_status status = net_intake_ask(&net->intake, net->err);

	if (status == TR_ERROR)
		net->status = TR_ERROR;
	else if (status == TR_OK)
		net->intake.offered = sound(net, &net->intake.offer);
}

void myr_source_expect(struct myr_network *net)
{
	int64_t at;

	if (net_intake_expect(&net->intake, net->events.now_ticks, &at))
		myr_push(net, at, MYR_SOURCE, 0, 0);
	if (net->intake.crowded)
		myr_fail(net, "the traffic has more packets to come than it said");
}

void myr_source_told(struct myr_network *net)
{
	if (net_intake_tell(&net->intake, net->events.now_ticks))
		myr_push(net, net->events.now_ticks, MYR_SOURCE, 0, 0);
}

static void fill(struct myr_network *net, struct net_worm *worm)
{
	const struct net_offer *offer = &net->intake.offer;

	worm->packet = offer->packet;
	worm->source = offer->source;
	worm->destination = offer->destination;
	worm->size_bytes = offer->size_bytes;
}

// The packet ends here.
static void drop(struct myr_network *net, enum tr_drop_reason reason)
{
	const struct net_worm worm = {.packet = net->intake.offer.packet,
				      .created_ticks = -1,
				      .started_ticks = -1,
				      .injected_ticks = -1,
				      .received_ticks = -1,
				      .head_ticks = -1};

	myr_outcome_dropped(net, &worm, reason);
}

// The packet as a worm with its route; NET_NO_WORM after a failure.
static uint32_t make_worm(struct myr_network *net)
{
	const struct net_offer *offer = &net->intake.offer;
	uint32_t worm = net_worm_take(&net->pool);

	if (worm == NET_NO_WORM) {
		myr_fail(net, "more worms under way than the run was sized for");
		return worm;
	}
	fill(net, myr_worm(net, worm));
	if (offer->route != NULL ?
		    net_worm_set_route(&net->pool, worm, offer->route, offer->route_count) :
		    net_worm_route(&net->pool, worm, net->setup->routes))
		return worm;
	myr_fail(net, "host %u has no route to host %u", offer->source, offer->destination);
	net_worm_give_back(&net->pool, worm);
	return NET_NO_WORM;
}

static void enter(struct myr_network *net, struct myr_host *host)
{
	uint32_t worm = make_worm(net);

	if (worm == NET_NO_WORM)
		return;
	myr_worm(net, worm)->created_ticks = net->events.now_ticks;
	myr_sender_queue(net, host, worm);
}

static void wait_outside(struct myr_network *net, struct myr_host *host)
{
	uint32_t worm;

	if (net->waiting == net->params->adapter.waiting_worms) {
		myr_fail(net, "%llu packets wait outside full queues, and host %u has one more: "
			 "more is offered than is carried", (unsigned long long)net->waiting,
			 host->number);
		return;
	}
	worm = make_worm(net);
	if (worm == NET_NO_WORM)
		return;
	net->waiting++;
	net_worm_append(&net->pool, &host->waiting, worm);
}

// The packet enters its source's queue, or not; false where all the traffic must wait for room.
static bool admit(struct myr_network *net)
{
	struct myr_host *host = net->parts.host_of[net->intake.offer.source];

	if (host->queue.count < net->params->adapter.queue_worms)
		enter(net, host);
	else if (net->params->adapter.when_full == MYR_FULL_DROPS)
		drop(net, TR_DROP_QUEUE);
	else if (net->params->adapter.when_full == MYR_FULL_WAITS)
		wait_outside(net, host);
	else
		return false;
	return true;
}

// The offer's time has come; false where it must wait for room.
static bool take(struct myr_network *net)
{
	const struct net_offer *offer = &net->intake.offer;

	if (offer->wake)
		return true;
	if (offer->refused != TR_DROP_NONE)
		drop(net, offer->refused);
	else if (net->parts.host_of[offer->source]->dead > 0)
		drop(net, TR_DROP_DEAD);
	else if (!admit(net))
		return false;
	net->totals.offered++;
	return true;
}

void myr_source_enter(struct myr_network *net)
{
	if (net_intake_look(&net->intake, net->events.now_ticks))
		myr_source_read(net);
	net->stalled = false;
	if (net_intake_ready(&net->intake, net->events.now_ticks)) {
		if (!take(net)) {
			net->stalled = true;
			return;
		}
		net_intake_take(&net->intake);
		myr_source_read(net);
	}
	myr_source_expect(net);
}

void myr_source_room(struct myr_network *net, struct myr_host *host)
{
	if (host->waiting.count > 0) {
		uint32_t worm = net_worm_first(&net->pool, &host->waiting);

		net->waiting--;
		myr_worm(net, worm)->created_ticks = net->events.now_ticks;
		myr_sender_append(net, host, worm);
	}
	if (!net->stalled || net->intake.offer.source != host->number)
		return;
	net->stalled = false;
	myr_push(net, net->events.now_ticks, MYR_SOURCE, 0, 0);
}
