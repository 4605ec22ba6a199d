// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

// Whether the host's queue has room for the packet.
static bool has_room(const struct myr_run *run, uint32_t number)
{
	const struct myr_host *host = &run->hosts[number];

	return host->queue.count < run->params->adapter.queue_worms && host->waiting.count == 0;
}

// Whether one more packet can wait outside; the run fails if not.
static bool can_wait(struct myr_run *run, uint32_t host)
{
	if (run->waiting < run->params->adapter.waiting_worms)
		return true;
	net_drive_fail(&run->net,
		       "%llu packets wait outside full queues, and host %u has one more: more is "
		       "offered than is carried",
		       (unsigned long long)run->waiting, host);
	return false;
}

static bool entry_drop(struct myr_run *run, struct net_offer *offer)
{
	myr_multicast_add(run, NET_NO_WORM);
	offer->refused = TR_DROP_QUEUE;
	return true;
}

// A copy waits to be made where its parent arrives, and is sent from there, or where their routes
// part.
static bool entry_follow(struct myr_run *run, struct net_offer *offer, uint32_t parent)
{
	if (parent == NET_NO_WORM)
		return entry_drop(run, offer);
	if (!run->params->multicast.by_switch)
		offer->source = myr_run_worm(run, parent)->destination;
	return true;
}

bool myr_entry_fits(void *context, struct net_offer *offer)
{
	struct myr_run *run = context;

	if (!myr_host_fits(run, offer->size_bytes)) {
		net_drive_fail(&run->net, "a worm of %u bytes never fits into the adapter memory",
			       offer->size_bytes);
		return false;
	}
	// A finite source has one packet in the network, which finds out when it is generated
	// whether the queue, which replies may fill, has room.
	if (run->net.setup->finite_sources)
		return true;
	if (myr_multicast_has_parent(run))
		return entry_follow(run, offer, myr_multicast_parent(run));
	if (has_room(run, offer->source))
		return true;
	switch (run->params->adapter.when_full) {
	case MYR_FULL_DROPS: return entry_drop(run, offer);
	case MYR_FULL_WAITS: return can_wait(run, offer->source);
	default: return false;
	}
}

static void wait_outside(struct myr_run *run, uint32_t number, struct myr_host *host)
{
	run->waiting++;
	run->lives[number].place = MYR_AT_OUTSIDE;
	net_worm_append(&run->net.pool, &host->waiting, number);
}

void myr_entry(void *context, uint32_t number)
{
	struct myr_run *run = context;
	const struct net_worm *worm = myr_run_worm(run, number);
	const uint32_t parent = myr_multicast_parent(run);

	run->lives[number] = (struct myr_life){.data = worm->packet.id};
	myr_multicast_add(run, number);
	if (parent != NET_NO_WORM) {
		run->lives[number].place = MYR_AT_PARENT;
		run->lives[number].data = run->lives[parent].data;
		myr_multicast_attach(run, parent, number);
		return;
	}
	myr_host_wake(run, worm->source);
	if (has_room(run, worm->source)) {
		myr_host_queue(run, number);
		return;
	}
	myr_run_worm(run, number)->created_ticks = -1;
	if (run->params->adapter.when_full == MYR_FULL_DROPS)
		myr_outcome_dropped(run, number, TR_DROP_QUEUE);
	else if (run->params->adapter.when_full == MYR_FULL_STALLS || can_wait(run, worm->source))
		wait_outside(run, number, &run->hosts[worm->source]);
}
