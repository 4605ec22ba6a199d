// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/removal.h"

#include <stdarg.h>
#include <stdio.h>

#include "net/myrinet/crossbar.h"
#include "net/myrinet/link.h"
#include "net/myrinet/memory.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/sender.h"
#include "net/myrinet/source.h"
#include "net/myrinet/timeout.h"

// The link behind this one on the worm's way, which passes switch number *hop next; NULL at its end.
static struct myr_link *next_link(const struct myr_link *link, const struct net_worm *worm,
				  uint32_t *hop)
{
	uint32_t port;

	if (link->to != NULL || *hop == worm->route_count)
		return NULL;
	port = worm->route[(*hop)++];
	return port < link->input.crossbar->ports ? link->input.crossbar->out[port] : NULL;
}

static void forget(struct myr_network *net, struct myr_link *link, uint32_t worm)
{
	if (net->motion != NULL) {
		net->motion->forget(net, link, worm);
		return;
	}
	myr_link_forget(net, link, worm);
	if (link->from == NULL)
		myr_output_forget(net, link, worm);
	if (link->to == NULL)
		myr_input_forget(net, link, worm);
	else
		myr_receiver_forget(net, link->to, worm);
}

// What stood behind the worm goes on.
static void go_on(struct myr_network *net, struct myr_link *link)
{
	if (net->motion != NULL) {
		net->motion->go_on(net, link);
		return;
	}
	if (link->to == NULL) {
		myr_input_advance(net, link);
		return;
	}
	myr_receiver_wake(net, link->to);
	myr_memory_look(net, link->to);
}

static void for_each_link(struct myr_network *net, const struct net_worm *worm, uint32_t number,
			  bool forgets)
{
	struct myr_link *link = net->parts.host_of[worm->source]->out;

	for (uint32_t hop = 0; link != NULL; link = next_link(link, worm, &hop))
		if (forgets)
			forget(net, link, number);
		else
			go_on(net, link);
}

// Of a worm that has left its route: it may be on any link.
static void for_all_links(struct myr_network *net, uint32_t number, bool forgets)
{
	for (uint32_t i = 0; i < net->parts.link_count; i++)
		if (forgets)
			forget(net, net->parts.link_of[i], number);
		else
			go_on(net, net->parts.link_of[i]);
}

// Whether a worm other than this one has been in the network since the count began: it moves, or the
// timeout would have removed it.
static bool one_moves(const struct myr_network *net, uint32_t number)
{
	for (uint32_t i = 0; i < net->pool.fresh; i++) {
		const struct net_worm *worm = &net->pool.worms[i];

		if (i != number && worm->size_bytes > 0 && worm->injected_ticks >= 0 &&
		    worm->injected_ticks <= net->fruitless_ticks)
			return true;
	}
	return false;
}

// A worm is sent again. Where that was so MYR_LIVELOCK_RESENDS times a host without a delivery, and
// nothing on its way could be one, the run is cut.
static void count_fruitless(struct myr_network *net, uint32_t number)
{
	const int64_t now = net->events.now_ticks;

	if (net->fruitless++ == 0)
		net->fruitless_ticks = now;
	if (net->fruitless < (uint64_t)MYR_LIVELOCK_RESENDS * net->setup->topology->hosts)
		return;
	if (one_moves(net, number)) {
		net->fruitless = 0;
		return;
	}
	net->totals.livelocked = true;
	if (net->stop_ticks > now + 1)
		net->stop_ticks = now + 1;
}

static void requeue(struct myr_network *net, uint32_t number)
{
	struct net_worm *worm = myr_worm(net, number);

	worm->started_ticks = -1;
	worm->injected_ticks = -1;
	worm->head_ticks = -1;
	net->totals.resent++;
	count_fruitless(net, number);
	myr_sender_append(net, net->parts.host_of[worm->source], number);
}

// Where the worm is now that the network has none of it.
static void settle(struct myr_network *net, uint32_t number, enum tr_drop_reason reason)
{
	if (myr_life(net, number)->place == MYR_AT_HOST) {
		if (myr_life(net, number)->tail_out)
			myr_outcome_tail(net, number);
		return;
	}
	myr_timeout_safe(net, number);
	if (reason == TR_DROP_TIMEOUT && net->params->loss.resend &&
	    net->parts.host_of[myr_worm(net, number)->source]->dead == 0) {
		requeue(net, number);
		return;
	}
	myr_outcome_lost(net, number, reason);
}

// A reset flows back from the switch or host at which the head is, over each cable in its delay and a
// character's time. The source sends until then, though nothing comes of it.
static void send_back(struct myr_network *net, const struct net_worm *worm, uint32_t hops)
{
	struct myr_host *source = net->parts.host_of[worm->source];
	struct myr_link *link = source->out;
	int64_t ticks = 0;

	for (uint32_t hop = 0; link != NULL; link = next_link(link, worm, &hop)) {
		ticks += link->delay_ticks + link->character_ticks;
		if (hop + 1 == hops && (worm->head_ticks < 0 || worm->head_ticks > net->events.now_ticks))
			break;
	}
	source->returning++;
	myr_push(net, net->events.now_ticks + ticks, MYR_RETURNED, source->number, 0);
}

void myr_removal_returned(struct myr_network *net, struct myr_host *host)
{
	host->returning--;
	myr_sender_begin(net, host);
}

void myr_removal(struct myr_network *net, uint32_t number, enum tr_drop_reason reason)
{
	const struct net_worm worm = *myr_worm(net, number);
	struct myr_host *source = net->parts.host_of[worm.source];
	enum myr_place place = myr_life(net, number)->place;
	bool astray = myr_life(net, number)->astray;

	if (place == MYR_AT_DMA) {
		myr_timeout_safe(net, number);
		myr_life(net, number)->doomed = (uint8_t)reason;
		return;
	}
	if (reason == TR_DROP_TIMEOUT && net->params->loss.reset_travels && source->sender.worm == number)
		send_back(net, &worm, myr_life(net, number)->hops);
	myr_sender_forget(net, source, number);
	if (astray)
		for_all_links(net, number, true);
	else if (place >= MYR_AT_NETWORK)
		for_each_link(net, &worm, number, true);
	settle(net, number, reason);
	if (astray)
		for_all_links(net, number, false);
	else if (place >= MYR_AT_NETWORK)
		for_each_link(net, &worm, number, false);
	if (place == MYR_AT_SOURCE)
		myr_source_room(net, source);
	myr_sender_begin(net, source);
	myr_memory_look(net, source);
}

void myr_removal_misrouted(struct myr_network *net, uint32_t worm, const char *format, ...)
{
	char text[200];
	va_list args;

	bool damaged = myr_life(net, worm)->damaged;

	if ((damaged || net->params->loss.drop_misrouted) && net->motion == NULL) {
		myr_removal(net, worm, damaged ? TR_DROP_ERROR : TR_DROP_ROUTE);
		return;
	}
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	myr_fail(net, "%s", text);
}
