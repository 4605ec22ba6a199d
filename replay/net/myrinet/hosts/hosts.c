// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

#include <stdlib.h>

void myr_host_wake(struct myr_run *run, uint32_t host)
{
	if (run->hosts[host].active)
		return;
	run->hosts[host].active = true;
	run->active[run->active_count++] = host;
}

static void settle_memory(struct myr_run *run, struct myr_host *host)
{
	if (host->given_back_ticks == run->net.now_ticks)
		return;
	host->memory_B -= host->given_back_B;
	host->given_back_B = 0;
}

void myr_host_give_back(struct myr_run *run, uint32_t number, uint32_t size_bytes)
{
	struct myr_host *host = &run->hosts[number];

	settle_memory(run, host);
	host->given_back_B += size_bytes + run->params->adapter.header_B;
	host->given_back_ticks = run->net.now_ticks;
	host->looks = true;
}

static bool hosts_take_memory(struct myr_run *run, struct myr_host *host, uint32_t size_bytes,
			      uint64_t most_B)
{
	const uint64_t need_B = size_bytes + run->params->adapter.header_B;

	settle_memory(run, host);
	if (need_B > most_B || host->memory_B > most_B - need_B)
		return false;
	host->memory_B += need_B;
	return true;
}

bool myr_host_fits(const struct myr_run *run, uint32_t size_bytes)
{
	const struct myr_adapter_params *adapter = &run->params->adapter;

	return size_bytes + adapter->header_B <= adapter->sram_B - adapter->receive_reserve_B;
}

// Moves the first worm of a list to another, for the duration of its transfer and the time before
// it.
static void hosts_transfer(struct myr_run *run, struct net_worm_list *from,
			   struct net_worm_list *to, int64_t before_ticks,
			   const struct sim_pace *pace, enum myr_place place)
{
	const uint32_t worm = net_worm_first(&run->net.pool, from);

	run->lives[worm].place = place;
	run->lives[worm].moved_ticks = run->net.now_ticks + before_ticks +
				       sim_pace_ticks(pace, myr_run_worm(run, worm)->size_bytes);
	net_worm_append(&run->net.pool, to, worm);
}

static bool can_begin(const struct myr_run *run, const struct net_worm_list *transfers)
{
	return transfers->count == 0 || run->params->adapter.dma_overlaps;
}

// Removes the first worm of the list whose transfer has ended; NET_NO_WORM if none has.
static uint32_t ended(struct myr_run *run, struct net_worm_list *transfers)
{
	uint32_t worm = transfers->first;

	for (uint32_t i = 0; i < transfers->count; i++) {
		if (run->lives[worm].moved_ticks <= run->net.now_ticks) {
			net_worm_remove(&run->net.pool, transfers, worm);
			return worm;
		}
		worm = run->net.pool.worms[worm].next;
	}
	return NET_NO_WORM;
}

static int64_t next_end(const struct myr_run *run, const struct net_worm_list *transfers)
{
	int64_t next = SIM_NEVER;
	uint32_t worm = transfers->first;

	for (uint32_t i = 0; i < transfers->count; i++) {
		if (run->lives[worm].moved_ticks < next)
			next = run->lives[worm].moved_ticks;
		worm = run->net.pool.worms[worm].next;
	}
	return next;
}

// --- receiving

// Whether the waiting worm may try to get memory now.
static bool may_look(const struct myr_run *run, const struct myr_host *host)
{
	const int64_t waited = run->net.now_ticks - host->asked_ticks;

	return host->asking != NET_NO_WORM && host->looks &&
	       (run->times.poll_ticks == 0 || waited % run->times.poll_ticks == 0);
}

static bool hosts_admit(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];
	const uint32_t worm = host->asking;

	if (!may_look(run, host))
		return false;
	if ((run->params->adapter.receive_one && host->whole.count + host->storing.count > 0) ||
	    !hosts_take_memory(run, host, myr_run_worm(run, worm)->size_bytes,
			       run->params->adapter.sram_B)) {
		settle_memory(run, host);
		host->looks = host->given_back_B > 0;
		return false;
	}
	host->asking = NET_NO_WORM;
	run->lives[worm].admitted = true;
	run->medium->admit(run, number);
	return true;
}

void myr_host_asks(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct myr_host *host = &run->hosts[number];

	host->asking = worm;
	host->asked_ticks = run->net.now_ticks;
	host->looks = true;
	if (!host->active && host->whole.count + host->storing.count == 0 &&
	    !net_drive_host_is_dead(&run->net, number) &&
	    sim_calendar_due(&run->clock.calendar, run->clock.first_host + number) >
		    run->net.now_ticks &&
	    hosts_admit(run, number))
		return;
	myr_timeout_watch(run, host->in, MYR_TIMEOUT_BLOCKED);
	myr_host_wake(run, number);
}

void myr_host_whole(struct myr_run *run, uint32_t number, uint32_t worm)
{
	run->hosts[number].came = worm;
	run->lives[worm].tail_out = run->params->format.gap_after;
	myr_host_wake(run, number);
}

void myr_host_tail(struct myr_run *run, uint32_t worm)
{
	run->lives[worm].tail_out = false;
	if (myr_run_worm(run, worm)->size_bytes == 0)
		net_drive_reuse(&run->net, worm);
}

// Stores the worm that became whole in this tick, unless its CRC shows damage.
static void check_in(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];
	const uint32_t worm = host->came;
	struct myr_life *life = &run->lives[worm];

	host->came = NET_NO_WORM;
	myr_run_worm(run, worm)->received_ticks = run->net.now_ticks;
	myr_timeout_safe(run, worm);
	life->admitted = false;
	if ((life->residue != 0 && run->params->format.crc) ||
	    net_drive_doom(&run->net, worm) != TR_DROP_NONE) {
		myr_host_give_back(run, number, myr_run_worm(run, worm)->size_bytes);
		myr_outcome_dropped(run, worm, TR_DROP_ERROR);
		return;
	}
	run->net.totals->own[MYR_UNDETECTED] += life->damaged && life->control == MYR_CONTROL_NONE;
	life->place = MYR_AT_HOST;
	net_worm_append(&run->net.pool, &host->whole, worm);
}

// Makes the copies of the worm that the host is to forward; false if one must wait for memory, and
// the worm with it.
static bool forward(struct myr_run *run, struct myr_host *host, uint32_t worm)
{
	const struct myr_adapter_params *adapter = &run->params->adapter;
	struct net_worm_list *copies = &run->lives[worm].copies;

	while (copies->count > 0) {
		const uint32_t copy = copies->first;

		if (hosts_take_memory(run, host, myr_run_worm(run, copy)->size_bytes,
				      adapter->sram_B - adapter->receive_reserve_B)) {
			net_worm_remove(&run->net.pool, copies, copy);
			myr_run_worm(run, copy)->started_ticks = run->net.now_ticks;
			run->lives[copy].place = MYR_AT_ADAPTER;
			net_worm_append(&run->net.pool, &host->ready, copy);
			run->net.totals->own[MYR_COPIES]++;
		} else if (run->params->multicast.drops) {
			net_worm_remove(&run->net.pool, copies, copy);
			myr_multicast_drop(run, copy);
		} else {
			return false;
		}
	}
	return true;
}

static void hosts_store(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];
	uint32_t worm;

	for (;;) {
		while ((worm = ended(run, &host->storing)) != NET_NO_WORM) {
			myr_host_give_back(run, number, myr_run_worm(run, worm)->size_bytes);
			myr_outcome_delivered(run, worm);
		}
		if (host->whole.count == 0 || !can_begin(run, &host->storing) ||
		    !forward(run, host, host->whole.first))
			return;
		hosts_transfer(run, &host->whole, &host->storing, 0, &run->times.dma_out,
			       MYR_AT_STORE);
	}
}

static int hosts_by_number(const void *a, const void *b)
{
	const uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;

	return left < right ? -1 : left > right;
}

void myr_hosts_receive(struct myr_run *run)
{
	if (run->active_count > 1)
		qsort(run->active, run->active_count, sizeof(*run->active), hosts_by_number);
	for (uint32_t i = 0; i < run->active_count; i++) {
		const uint32_t host = run->active[i];

		if (net_drive_host_is_dead(&run->net, host))
			continue;
		net_drive_at(&run->net, host);
		do {
			if (run->hosts[host].came != NET_NO_WORM)
				check_in(run, host);
			hosts_store(run, host);
		} while (hosts_admit(run, host));
	}
}

// --- sending

struct net_worm_list *myr_host_list(struct myr_run *run, uint32_t worm)
{
	const enum myr_control control = run->lives[worm].control;
	struct myr_host *host = &run->hosts[myr_run_worm(run, worm)->source];

	if (control == MYR_CONTROL_NONE ||
	    (control == MYR_CONTROL_REPLY && run->params->layer.replies_queued))
		return &host->queue;
	return &host->control;
}

void myr_host_queue(struct myr_run *run, uint32_t worm)
{
	run->lives[worm].place = MYR_AT_QUEUE;
	myr_timeout_born(run, worm);
	net_worm_append(&run->net.pool, myr_host_list(run, worm), worm);
}

// Worms that wait outside enter the queue.
void myr_hosts_fill(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->active_count; i++) {
		struct myr_host *host = &run->hosts[run->active[i]];

		while (host->waiting.count > 0 &&
		       host->queue.count < run->params->adapter.queue_worms) {
			const uint32_t worm = net_worm_first(&run->net.pool, &host->waiting);

			run->waiting--;
			myr_run_worm(run, worm)->created_ticks = run->net.now_ticks;
			myr_host_queue(run, worm);
		}
	}
}

static void hosts_begin(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];

	if (host->sending != NET_NO_WORM || host->ready.count == 0 ||
	    host->silent_ticks > run->net.now_ticks || net_drive_host_is_dead(&run->net, number))
		return;
	host->sending = net_worm_first(&run->net.pool, &host->ready);
	host->sending_B = myr_run_worm(run, host->sending)->size_bytes;
	run->lives[host->sending].place = MYR_AT_NETWORK;
	myr_timeout_watch(run, host->out, MYR_TIMEOUT_SILENT);
	run->medium->send(run, number);
}

void myr_host_sent(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];

	myr_host_give_back(run, number, host->sending_B);
	if (net_drive_link_is_dead(&run->net, host->out))
		myr_lose(run, host->sending, TR_DROP_DEAD);
	myr_has_left(run, host->sending, run->net.now_ticks + run->ways[host->out].character_ticks);
	host->sending = NET_NO_WORM;
	if (host->queue.count > 0 || host->control.count > 0 || host->whole.count > 0 ||
	    host->asking != NET_NO_WORM)
		myr_host_wake(run, number);
	hosts_begin(run, number);
}

static void fetched(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct myr_host *host = &run->hosts[number];
	struct myr_life *life = &run->lives[worm];

	if (life->doom != TR_DROP_NONE) {
		life->place = MYR_AT_NOTHING;
		myr_host_give_back(run, number, myr_run_worm(run, worm)->size_bytes);
		myr_lose(run, worm, life->doom);
		return;
	}
	life->place = MYR_AT_ADAPTER;
	net_worm_append(&run->net.pool, &host->ready, worm);
}

// The list whose first worm may be fetched; NULL: none, or it lacks a credit.
static struct net_worm_list *next_list(const struct myr_run *run, struct myr_host *host)
{
	if (host->control.count > 0)
		return &host->control;
	return host->queue.count > 0 && myr_layer_permits(run, host->queue.first) ? &host->queue
										  : NULL;
}

// The operating system's time for the host's next worm: a draw of its own.
static int64_t hosts_software_ticks(struct myr_run *run, uint32_t number)
{
	const struct net_law *law = &run->times.software_law;

	return law->count == 0
		       ? run->times.software_ticks
		       : run->times.software_ticks +
				 net_law_draw(law, &run->times.software_stream,
					      (uint64_t)number << 32 | run->hosts[number].drawn++);
}

static void hosts_fetch(struct myr_run *run, uint32_t number)
{
	const struct myr_adapter_params *adapter = &run->params->adapter;
	struct myr_host *host = &run->hosts[number];
	struct net_worm_list *list;
	uint32_t worm;

	for (;;) {
		while ((worm = ended(run, &host->fetching)) != NET_NO_WORM)
			fetched(run, number, worm);
		myr_layer_ask(run, number);
		list = next_list(run, host);
		if (!list || !can_begin(run, &host->fetching) ||
		    !hosts_take_memory(run, host, myr_run_worm(run, list->first)->size_bytes,
				       adapter->sram_B - adapter->receive_reserve_B))
			return;
		myr_run_worm(run, list->first)->started_ticks = run->net.now_ticks;
		myr_layer_spend(run, list->first);
		hosts_transfer(run, list, &host->fetching, hosts_software_ticks(run, number),
			       &run->times.dma_in, MYR_AT_FETCH);
		net_drive_room(&run->net, number);
	}
}

// Next scheduled change of the host's state.
static int64_t hosts_next_ticks(const struct myr_run *run, struct myr_host *host)
{
	const bool asks = host->asking != NET_NO_WORM && host->looks;
	const int64_t period = run->times.poll_ticks;
	int64_t next = myr_earlier(next_end(run, &host->fetching), next_end(run, &host->storing));

	if (host->given_back_B > 0 && host->whole.count > 0 && can_begin(run, &host->storing))
		next = run->net.now_ticks + 1;
	if (host->given_back_B > 0 && next_list(run, host) && can_begin(run, &host->fetching))
		next = run->net.now_ticks + 1;
	if (host->waiting.count > 0 && host->queue.count < run->params->adapter.queue_worms)
		next = run->net.now_ticks + 1;
	if (asks && period > 0) {
		const int64_t waited = run->net.now_ticks - host->asked_ticks;

		next = myr_earlier(next, host->asked_ticks + (waited / period + 1) * period);
	} else if (asks) {
		next = run->net.now_ticks + 1;
	}
	if (host->ready.count > 0 && host->sending == NET_NO_WORM &&
	    host->silent_ticks > run->net.now_ticks)
		next = myr_earlier(next, host->silent_ticks);
	return next;
}

void myr_hosts_send(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->active_count; i++) {
		const uint32_t number = run->active[i];
		struct myr_host *host = &run->hosts[number];

		host->active = false;
		if (net_drive_host_is_dead(&run->net, number))
			continue;
		hosts_fetch(run, number);
		hosts_begin(run, number);
		sim_calendar_set(&run->clock.calendar, run->clock.first_host + number,
				 hosts_next_ticks(run, host));
	}
	run->active_count = 0;
}
