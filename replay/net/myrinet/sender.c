// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/sender.h"

#include "net/myrinet/dma.h"
#include "net/myrinet/format.h"
#include "net/myrinet/link.h"
#include "net/myrinet/memory.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/source.h"
#include "net/myrinet/timeout.h"

void myr_sender_append(struct myr_network *net, struct myr_host *host, uint32_t worm)
{
	*myr_life(net, worm) = (struct myr_life){.place = MYR_AT_SOURCE};
	myr_timeout_born(net, worm);
	net_worm_append(&net->pool, &host->queue, worm);
}

void myr_sender_queue(struct myr_network *net, struct myr_host *host, uint32_t worm)
{
	myr_sender_append(net, host, worm);
	myr_sender_fetch(net, host);
}

void myr_sender_fetch(struct myr_network *net, struct myr_host *host)
{
	while (host->queue.count > 0 && myr_dma_is_free(net, &host->fetching) &&
	       myr_memory_take_to_send(net, host, myr_worm(net, host->queue.first)->size_bytes)) {
		uint32_t worm = net_worm_first(&net->pool, &host->queue);

		myr_life(net, worm)->place = MYR_AT_DMA;
		myr_worm(net, worm)->started_ticks = net->events.now_ticks;
		myr_dma_begin(net, host, worm, &host->fetching);
		myr_source_room(net, host);
	}
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

// Sets when the next character is there to be sent. Without an outgoing buffer the adapter makes it
// from now on; with one, as soon as the one before it is in and there is room for it, but not
// before from_ticks.
static void make_next(struct myr_network *net, struct myr_host *host, int64_t from_ticks)
{
	struct myr_sender *sender = &host->sender;
	const struct myr_character next = myr_format_character(
		&net->params->format, myr_worm(net, sender->worm), sender->worm, sender->position);
	int64_t ticks = next.kind == MYR_ROUTE ? net->times.route_flit_ticks
					       : net->times.flit_ticks;
	uint64_t places = net->params->adapter.out_buffer_B;

	if (places == 0) {
		sender->ready_ticks = net->events.now_ticks + ticks;
		return;
	}
	sender->ready_ticks = later(sender->ready_ticks, from_ticks) + ticks;
	if (sender->sent >= places)
		sender->ready_ticks = later(sender->ready_ticks,
					    sender->left_ticks[sender->sent % places]);
}

// Starts the flitizing of the next worm in adapter memory.
void myr_sender_begin(struct myr_network *net, struct myr_host *host)
{
	if (net->motion != NULL) {
		net->motion->begin(net, host);
		return;
	}
	struct myr_sender *sender = &host->sender;
	const struct net_worm *worm;

	if (sender->worm != NET_NO_WORM || host->ready.count == 0 || host->returning > 0)
		return;
	sender->worm = net_worm_first(&net->pool, &host->ready);
	worm = myr_worm(net, sender->worm);
	myr_life(net, sender->worm)->place = MYR_AT_NETWORK;
	host->out->quiet_ticks = net->events.now_ticks;
	myr_timeout_watch(net, host->out, MYR_TIMEOUT_SILENT);
	sender->position = 0;
	sender->size_bytes = worm->size_bytes;
	sender->length = myr_format_length(&net->params->format, worm->route_count,
					   worm->size_bytes);
	make_next(net, host, myr_life(net, sender->worm)->fetched_ticks);
	myr_sender_wake(net, host);
}

void myr_sender_fetched(struct myr_network *net, struct myr_host *host)
{
	uint32_t worm = myr_dma_end(net, &host->fetching);
	struct myr_life *life = myr_life(net, worm);

	life->fetched_ticks = net->events.now_ticks;
	life->place = MYR_AT_ADAPTER;
	net_worm_append(&net->pool, &host->ready, worm);
	if (life->doomed != TR_DROP_NONE)
		myr_removal(net, worm, (enum tr_drop_reason)life->doomed);
	myr_sender_begin(net, host);
	myr_sender_fetch(net, host);
}

void myr_sender_wake(struct myr_network *net, struct myr_host *host)
{
	if (host->sender.worm != NET_NO_WORM)
		myr_link_send_at(net, host->out, host->sender.ready_ticks);
}

void myr_sender_finish(struct myr_network *net, struct myr_host *host)
{
	uint32_t size = host->sender.size_bytes;

	host->sender.worm = NET_NO_WORM;
	myr_sender_begin(net, host);
	myr_memory_free(net, host, size);
}

static void put(struct myr_network *net, struct myr_host *host, struct myr_character character)
{
	struct myr_sender *sender = &host->sender;
	uint64_t places = net->params->adapter.out_buffer_B;

	myr_link_put(net, host->out, character);
	if (places > 0)
		sender->left_ticks[sender->sent % places] = net->events.now_ticks;
	sender->sent++;
	sender->position++;
}

void myr_sender_send(struct myr_network *net, struct myr_host *host)
{
	struct myr_sender *sender = &host->sender;
	struct net_worm *worm;
	uint32_t number;

	if (sender->worm == NET_NO_WORM)
		return;
	worm = myr_worm(net, sender->worm);
	if (sender->ready_ticks > net->events.now_ticks) {
		myr_sender_wake(net, host);
		return;
	}
	if (sender->position == 0)
		worm->injected_ticks = net->events.now_ticks;
	put(net, host, myr_format_character(&net->params->format, worm, sender->worm,
					    sender->position));
	if (sender->position == sender->length) {
		number = sender->worm;
		myr_sender_finish(net, host);
		if (host->out->dead > 0)
			myr_removal(net, number, TR_DROP_DEAD);
		return;
	}
	make_next(net, host, INT64_MIN);
	myr_sender_wake(net, host);
}

void myr_sender_forget(struct myr_network *net, struct myr_host *host, uint32_t worm)
{
	struct myr_sender *sender = &host->sender;
	enum myr_place place = myr_life(net, worm)->place;

	if (place == MYR_AT_SOURCE)
		net_worm_remove(&net->pool, &host->queue, worm);
	else if (place == MYR_AT_ADAPTER)
		net_worm_remove(&net->pool, &host->ready, worm);
	else if (sender->worm != worm)
		return;
	// What is being sent may have been delivered but for its last character, and told of: it has no size then.
	if (place != MYR_AT_SOURCE)
		myr_memory_drop(net, host,
				sender->worm == worm ? sender->size_bytes : myr_worm(net, worm)->size_bytes);
	if (sender->worm != worm)
		return;
	myr_meter_shut(&host->out->meter.stop_since, &host->out->meter.blocked_stop_ticks,
		       net->events.now_ticks);
	sender->worm = NET_NO_WORM;
	sender->ready_ticks = net->events.now_ticks;
}
