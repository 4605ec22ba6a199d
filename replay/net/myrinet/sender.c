// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/sender.h"

#include "net/myrinet/link.h"
#include "net/myrinet/memory.h"
#include "net/myrinet/source.h"

void myr_sender_queue(struct myr_network *net, struct myr_host *host, uint32_t worm)
{
	net_worm_append(&net->pool, &host->queue, worm);
	myr_sender_fetch(net, host);
}

void myr_sender_fetch(struct myr_network *net, struct myr_host *host)
{
	struct net_worm *worm;

	if (host->fetching != NET_NO_WORM || host->queue.count == 0 ||
	    !myr_memory_take_to_send(net, host, myr_worm(net, host->queue.first)->size_bytes))
		return;
	host->fetching = net_worm_first(&net->pool, &host->queue);
	worm = myr_worm(net, host->fetching);
	worm->started_ticks = net->events.now_ticks;
	myr_push(net, net->events.now_ticks + sim_pace_ticks(&net->times.dma_in, worm->size_bytes),
		 MYR_FETCHED, host->number, 0);
	myr_source_room(net, host);
}

// Starts the flitizing of the next worm in adapter memory.
static void begin(struct myr_network *net, struct myr_host *host)
{
	if (host->sender.worm != NET_NO_WORM || host->ready.count == 0)
		return;
	host->sender.worm = net_worm_first(&net->pool, &host->ready);
	host->sender.position = 0;
	host->sender.ready_ticks = net->events.now_ticks + net->times.flit_ticks;
	myr_sender_wake(net, host);
}

void myr_sender_fetched(struct myr_network *net, struct myr_host *host)
{
	net_worm_append(&net->pool, &host->ready, host->fetching);
	host->fetching = NET_NO_WORM;
	begin(net, host);
	myr_sender_fetch(net, host);
}

void myr_sender_wake(struct myr_network *net, struct myr_host *host)
{
	if (host->sender.worm != NET_NO_WORM)
		myr_link_send_at(net, host->out, host->sender.ready_ticks);
}

// Character number position of a worm: GAP, route characters, the final one, data, trailer.
static uint32_t character_at(const struct net_worm *worm, uint32_t number, uint32_t position)
{
	uint32_t route = worm->route_count;

	if (position == 0)
		return MYR_CHARACTER(MYR_GAP, number);
	if (position <= route)
		return MYR_CHARACTER(MYR_ROUTE, worm->route[position - 1]);
	if (position == route + 1)
		return MYR_CHARACTER(MYR_FINAL, number);
	if (position < route + 2 + worm->size_bytes)
		return MYR_CHARACTER(MYR_DATA, number);
	return MYR_CHARACTER(MYR_TRAILER, number);
}

static void finish(struct myr_network *net, struct myr_host *host)
{
	uint32_t size = myr_worm(net, host->sender.worm)->size_bytes;

	host->sender.worm = NET_NO_WORM;
	begin(net, host);
	myr_memory_free(net, host, size);
}

void myr_sender_send(struct myr_network *net, struct myr_host *host)
{
	struct myr_sender *sender = &host->sender;
	struct net_worm *worm = myr_worm(net, sender->worm);
	int64_t now = net->events.now_ticks;
	uint32_t character;

	if (sender->ready_ticks > now) {
		myr_sender_wake(net, host);
		return;
	}
	character = character_at(worm, sender->worm, sender->position++);
	if (MYR_KIND(character) == MYR_GAP)
		worm->injected_ticks = now;
	myr_link_put(net, host->out, character);
	if (MYR_KIND(character) == MYR_TRAILER) {
		finish(net, host);
		return;
	}
	sender->ready_ticks = now + (sender->position - 1 < worm->route_count ?
				     net->times.route_flit_ticks : net->times.flit_ticks);
	myr_sender_wake(net, host);
}
