// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

// Whether the offer can be carried.
static bool sound(struct myr_run *run, const struct net_offer *offer)
{
	if (net_intake_check(&run->intake, run->setup->topology->hosts, run->err) != TR_OK)
		run->status = TR_ERROR;
	else if (offer->refused == TR_DROP_NONE && !offer->wake && !myr_host_fits(run, offer->size_bytes))
		myr_run_fail(run, "a worm of %u bytes never fits into the adapter memory", offer->size_bytes);
	return run->status == TR_OK;
}

void myr_entry_read(struct myr_run *run)
{
	const enum tr_status status = net_intake_ask(&run->intake, run->err);

	if (status == TR_ERROR)
		run->status = TR_ERROR;
	else if (status == TR_OK)
		run->intake.offered = sound(run, &run->intake.offer);
}

void myr_entry_expect(struct myr_run *run)
{
	int64_t at;

	net_intake_expect(&run->intake, run->now_ticks + run->entered, &at);
	if (run->intake.crowded)
		myr_run_fail(run, "the traffic has more packets to come than it said");
}

// The packet as a worm from that host with its route; NET_NO_WORM after a failure.
static uint32_t make_worm(struct myr_run *run, uint32_t source)
{
	const struct net_offer *offer = &run->intake.offer;
	const uint32_t number = net_intake_worm(&run->intake, &run->pool);
	struct net_worm *worm = myr_run_worm(run, number);

	if (number == NET_NO_WORM) {
		myr_run_fail(run, "more worms under way than the run was sized for");
		return number;
	}
	worm->source = source;
	run->lives[number] = (struct myr_life){.serial = run->serial++, .data = offer->packet.id};
	if (offer->route ? net_worm_set_route(&run->pool, number, offer->route, offer->route_count)
			 : net_worm_route(&run->pool, number, run->setup->routes))
		return number;
	myr_run_fail(run, "host %u has no route to host %u", source, offer->destination);
	net_worm_give_back(&run->pool, number);
	return NET_NO_WORM;
}

static void entry_enter(struct myr_run *run, uint32_t host)
{
	const uint32_t worm = make_worm(run, host);

	if (worm == NET_NO_WORM)
		return;
	myr_multicast_add(run, worm);
	myr_run_worm(run, worm)->created_ticks = run->now_ticks;
	myr_host_queue(run, worm);
	myr_host_wake(run, host);
}

static void wait_outside(struct myr_run *run, uint32_t host)
{
	uint32_t worm;

	if (run->waiting == run->params->adapter.waiting_worms) {
		myr_run_fail(run,
			     "%llu packets wait outside full queues, and host %u has one "
			     "more: more is offered than is carried",
			     (unsigned long long)run->waiting, host);
		return;
	}
	worm = make_worm(run, host);
	if (worm == NET_NO_WORM)
		return;
	myr_multicast_add(run, worm);
	run->waiting++;
	run->lives[worm].place = MYR_AT_OUTSIDE;
	net_worm_append(&run->pool, &run->hosts[host].waiting, worm);
	myr_host_wake(run, host);
}

static void entry_refuse(struct myr_run *run)
{
	myr_multicast_add(run, NET_NO_WORM);
	myr_outcome_refused(run, TR_DROP_QUEUE);
}

// The packet waits to be copied where its parent arrives, or where their routes part.
static void entry_follow(struct myr_run *run, uint32_t parent)
{
	const bool by_switch = run->params->multicast.by_switch;
	uint32_t worm;

	if (parent == NET_NO_WORM) {
		entry_refuse(run);
		return;
	}
	worm = make_worm(run, by_switch ? run->intake.offer.source : myr_run_worm(run, parent)->destination);
	if (worm == NET_NO_WORM)
		return;
	myr_multicast_add(run, worm);
	myr_run_worm(run, worm)->created_ticks = run->now_ticks;
	run->lives[worm].place = MYR_AT_PARENT;
	run->lives[worm].data = run->lives[parent].data;
	myr_multicast_attach(run, parent, worm);
}

// Enters the packet into its source's queue, or drops it; false if all traffic must wait for room.
static bool entry_admit(struct myr_run *run, uint32_t number)
{
	const struct myr_host *host = &run->hosts[number];
	const struct myr_adapter_params *adapter = &run->params->adapter;

	if (host->queue.count < adapter->queue_worms && host->waiting.count == 0)
		entry_enter(run, number);
	else if (adapter->when_full == MYR_FULL_DROPS)
		entry_refuse(run);
	else if (adapter->when_full == MYR_FULL_WAITS)
		wait_outside(run, number);
	else
		return false;
	return true;
}

// Takes an offer whose time has come; false if it must wait for room.
static bool entry_take(struct myr_run *run)
{
	const struct net_offer *offer = &run->intake.offer;

	if (offer->wake)
		return true;
	if (offer->refused != TR_DROP_NONE)
		myr_outcome_refused(run, offer->refused);
	else if (run->hosts[offer->source].dead > 0)
		myr_outcome_refused(run, TR_DROP_DEAD);
	else if (myr_multicast_has_parent(run))
		entry_follow(run, myr_multicast_parent(run));
	else if (!entry_admit(run, offer->source))
		return false;
	run->totals.offered++;
	run->last_ticks = run->now_ticks;
	return true;
}

void myr_entry(struct myr_run *run)
{
	if (net_intake_look(&run->intake, run->now_ticks))
		myr_entry_read(run);
	run->retry_ticks = SIM_NEVER;
	run->stalled = UINT32_MAX;
	while (run->status == TR_OK && net_intake_ready(&run->intake, run->now_ticks)) {
		if (!entry_take(run)) {
			run->stalled = run->intake.offer.source;
			return;
		}
		net_intake_take(&run->intake);
		myr_entry_read(run);
	}
	net_intake_look(&run->intake, run->now_ticks);
	if (run->intake.offered)
		myr_entry_expect(run);
}
