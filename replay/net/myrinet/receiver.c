// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/receiver.h"

#include "net/myrinet/crc.h"
#include "net/myrinet/dma.h"
#include "net/myrinet/format.h"
#include "net/myrinet/link.h"
#include "net/myrinet/memory.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/timeout.h"

static bool can_drain(const struct myr_host *host)
{
	return !host->receiver.draining && host->receiver.state != MYR_RECEIVER_WAITS &&
	       host->in->slack.count > 0;
}

void myr_receiver_wake(struct myr_network *net, struct myr_host *host)
{
	int64_t now = net->events.now_ticks;
	int64_t at = host->receiver.free_ticks;

	if (net->motion != NULL) {
		net->motion->resume(net, host);
		return;
	}
	if (!can_drain(host))
		return;
	host->receiver.draining = true;
	myr_push(net, at > now ? at : now, MYR_DRAIN, host->number, 0);
}

void myr_receiver_arrived(struct myr_network *net, struct myr_host *host,
			  struct myr_character character)
{
	struct net_worm *worm = myr_worm(net, character.worm);

	if (worm->head_ticks < 0)
		worm->head_ticks = net->events.now_ticks;
	// An event that would be the next in any case need not go through the set.
	if (can_drain(host) && host->receiver.free_ticks <= net->events.now_ticks &&
	    sim_events_would_be_next(&net->events, MYR_DRAIN))
		myr_receiver_drain(net, host);
	else
		myr_receiver_wake(net, host);
}

// Begins to move the next whole worm into main memory.
static void store(struct myr_network *net, struct myr_host *host)
{
	while (host->whole.count > 0 && myr_dma_is_free(net, &host->storing))
		myr_dma_begin(net, host, net_worm_first(&net->pool, &host->whole), &host->storing);
}

void myr_receiver_stored(struct myr_network *net, struct myr_host *host)
{
	uint32_t worm = myr_dma_end(net, &host->storing);
	uint32_t size = myr_worm(net, worm)->size_bytes;

	myr_outcome_delivered(net, worm);
	store(net, host);
	myr_memory_free(net, host, size);
}

// Whether the host takes no worm because an earlier one has not left it.
static bool occupied(const struct myr_network *net, const struct myr_host *host)
{
	return net->params->adapter.receive_one &&
	       (host->whole.count > 0 || host->storing.count > 0);
}

bool myr_receiver_admit(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;

	if (!occupied(net, host) &&
	    myr_memory_take_to_receive(net, host, myr_worm(net, receiver->worm)->size_bytes)) {
		receiver->state = MYR_RECEIVER_FLOWS;
		myr_meter_shut(&host->in->meter.memory_since, &host->in->meter.blocked_memory_ticks,
			       net->events.now_ticks);
		return true;
	}
	if (receiver->state != MYR_RECEIVER_WAITS)
		receiver->asked_ticks = net->events.now_ticks;
	receiver->state = MYR_RECEIVER_WAITS;
	myr_timeout_watch(net, host->in, MYR_TIMEOUT_BLOCKED);
	myr_meter_open(&host->in->meter.memory_since, net->events.now_ticks);
	return false;
}

void myr_receiver_poll(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;
	int64_t waited = net->events.now_ticks - receiver->asked_ticks;
	int64_t period = net->times.poll_ticks;

	receiver->polling = false;
	if (receiver->state != MYR_RECEIVER_WAITS)
		return;
	if (period > 0 && waited % period != 0) // the look was for a worm that was removed
		myr_receiver_room(net, host);
	else if (myr_receiver_admit(net, host))
		myr_receiver_wake(net, host);
}

// With a period, memory is looked at only at whole periods after the first look; in between nothing
// can be found that was not given back since, so a look is due only after a release.
void myr_receiver_room(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;
	int64_t period = net->times.poll_ticks;
	int64_t waited = net->events.now_ticks - receiver->asked_ticks;

	if (receiver->state != MYR_RECEIVER_WAITS || receiver->polling)
		return;
	if (period == 0) {
		myr_receiver_poll(net, host);
		return;
	}
	receiver->polling = true;
	myr_push(net, receiver->asked_ticks + (waited + period - 1) / period * period, MYR_POLL,
		 host->number, 0);
}

// The first character behind the route: the worm must be for this host.
static bool reaches(struct myr_network *net, struct myr_host *host, struct myr_character character)
{
	const struct net_worm *worm = myr_worm(net, host->receiver.worm);
	bool routed = net->params->format.no_final ? character.kind != MYR_ROUTE
						   : character.kind == MYR_FINAL &&
							     character.flip == 0;

	if (routed && worm->destination == host->number)
		return true;
	myr_removal_misrouted(net, host->receiver.worm,
			      "a worm for host %u reached host %u: a route is wrong",
			      worm->destination, host->number);
	return false;
}

void myr_receiver_complete(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;
	struct net_worm *worm = myr_worm(net, receiver->worm);
	struct myr_life *life = myr_life(net, receiver->worm);

	worm->received_ticks = net->events.now_ticks;
	myr_timeout_safe(net, receiver->worm);
	life->place = MYR_AT_HOST;
	life->tail_out = net->params->format.gap_after;
	if (life->damaged && net->params->format.crc && receiver->residue != life->residue) {
		uint32_t size_bytes = worm->size_bytes;

		myr_outcome_lost(net, receiver->worm, TR_DROP_ERROR);
		myr_memory_free(net, host, size_bytes);
		return;
	}
	net->totals.undetected += life->damaged;
	net_worm_append(&net->pool, &host->whole, receiver->worm);
	store(net, host);
}

void myr_receiver_finish(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;

	receiver->state = MYR_RECEIVER_IDLE;
	if (net->params->format.gap_after)
		myr_outcome_tail(net, receiver->worm);
	else
		myr_receiver_complete(net, host);
}

// The CRC register over the damage: what it differs from that of the packet as it was sent.
static void check_damage(struct myr_receiver *receiver, struct myr_character character)
{
	if (character.kind == MYR_TYPE || character.kind == MYR_DATA)
		receiver->residue = myr_crc8(receiver->residue, character.flip);
	else if (character.kind == MYR_CRC)
		receiver->residue ^= character.flip;
}

// A character of the packet itself.
static void take_in(struct myr_network *net, struct myr_host *host, struct myr_character character)
{
	struct myr_receiver *receiver = &host->receiver;
	uint32_t body = myr_format_body(&net->params->format,
					myr_worm(net, receiver->worm)->size_bytes);
	bool tail = character.kind == myr_format_tail(&net->params->format);
	bool due = net->params->format.gap_after || receiver->received == body;

	if ((character.flip | receiver->residue) != 0)
		check_damage(receiver, character);
	if (character.worm != receiver->worm || (tail ? !due : receiver->received == body))
		myr_fail(net, "host %u received another character than one of its worm",
			 host->number);
	else if (!tail && ++receiver->received == body && net->params->format.gap_after)
		myr_receiver_complete(net, host);
	else if (tail)
		myr_receiver_finish(net, host);
}

// Acts on the character at the head of the buffer; false where it must stay there.
static bool accept(struct myr_network *net, struct myr_host *host, struct myr_character character)
{
	struct myr_receiver *receiver = &host->receiver;

	if (receiver->state == MYR_RECEIVER_IDLE) {
		receiver->worm = character.worm;
		receiver->received = 0;
		receiver->residue = 0;
		receiver->state = MYR_RECEIVER_HEAD;
		if (!net->params->format.gap_after)
			return true;
	}
	if (receiver->state == MYR_RECEIVER_HEAD &&
	    (!reaches(net, host, character) || !myr_receiver_admit(net, host)))
		return false;
	if (character.kind != MYR_FINAL)
		take_in(net, host, character);
	return true;
}

void myr_receiver_drain(struct myr_network *net, struct myr_host *host)
{
	struct myr_receiver *receiver = &host->receiver;

	receiver->draining = false;
	if (host->in->slack.count == 0 || receiver->state == MYR_RECEIVER_WAITS)
		return; // what was there was removed
	if (!accept(net, host, myr_slack_head(host->in)))
		return;
	myr_slack_take(net, host->in);
	receiver->free_ticks = net->events.now_ticks + host->in->character_ticks;
	myr_receiver_wake(net, host);
}

void myr_receiver_forget(struct myr_network *net, struct myr_host *host, uint32_t worm)
{
	struct myr_receiver *receiver = &host->receiver;

	if (receiver->state == MYR_RECEIVER_IDLE || receiver->worm != worm)
		return;
	myr_meter_shut(&host->in->meter.memory_since, &host->in->meter.blocked_memory_ticks,
		       net->events.now_ticks);
	if (receiver->state == MYR_RECEIVER_FLOWS && myr_life(net, worm)->place != MYR_AT_HOST)
		myr_memory_drop(net, host, myr_worm(net, worm)->size_bytes);
	receiver->state = MYR_RECEIVER_IDLE;
}
