// SPDX-License-Identifier: GPL-3.0-or-later
// Messaging layers: a host has credits for the worms that it may have on their way, and each
// delivered worm is answered by a reply that returns its credit. Replies, and what hosts and a
// manager of credits say to each other, are worms like others, but no packets of the traffic: the
// results do not see them.
#include "net/myrinet/hosts/hosts.h"

void myr_layer_layout(struct myr_run *run)
{
	const struct myr_layer_params *params = &run->params->layer;
	const uint32_t hosts = params->credits > 0 ? run->net.graph.hosts : 0;

	run->layer.used = sim_arena_take(&run->net.arena,
					 params->managed ? 0 : (size_t)hosts * hosts,
					 sizeof(*run->layer.used));
	run->layer.waiting = sim_arena_take(&run->net.arena, params->managed ? hosts : 0,
					    sizeof(*run->layer.waiting));
	run->layer.pool = params->credits;
}

uint64_t myr_layer_worms(const struct myr_run *run)
{
	const struct myr_layer_params *params = &run->params->layer;
	const uint64_t hosts = run->net.setup->topology->hosts;

	if (params->credits == 0)
		return 0;
	return params->managed ? params->credits + 2 * hosts : params->credits * hosts * hosts;
}

static uint32_t *used_by(const struct myr_run *run, uint32_t source, uint32_t destination)
{
	return &run->layer.used[(size_t)source * run->net.graph.hosts + destination];
}

static void layer_arrive(struct myr_run *run, enum myr_control control, uint32_t from, uint32_t to);

// Sends a worm about that one; to the same host it takes no time.
static void layer_send(struct myr_run *run, enum myr_control control, uint32_t from, uint32_t to,
		       uint32_t about)
{
	uint32_t number;
	struct net_worm *worm;

	if (from == to) {
		layer_arrive(run, control, from, to);
		return;
	}
	number = net_drive_own_worm(&run->net);
	if (number == NET_NO_WORM)
		return;
	worm = myr_run_worm(run, number);
	worm->packet = about == NET_NO_WORM ? (struct tr_packet){0}
					    : myr_run_worm(run, about)->packet;
	worm->source = from;
	worm->destination = to;
	worm->size_bytes = (uint32_t)run->params->layer.reply_B;
	worm->created_ticks = run->net.now_ticks;
	run->lives[number] = (struct myr_life){.data = worm->packet.id, .control = control};
	if (net_drive_lacks_route(&run->net, from, to))
		myr_outcome_dropped(run, number, TR_DROP_NO_ROUTE);
	else if (net_worm_route(&run->net.pool, number, run->net.faults.routes,
				net_drive_way(&run->net, number)))
		myr_host_queue(run, number);
	else
		net_drive_fail(&run->net, "host %u has no route to host %u for a reply", from, to);
}

// The manager grants credits to those who asked, in the order in which they asked.
static void layer_grant(struct myr_run *run)
{
	struct myr_layer *layer = &run->layer;
	const uint32_t hosts = run->net.graph.hosts;

	while (layer->pool > 0 && layer->count > 0) {
		const uint32_t host = layer->waiting[layer->first];

		layer->first = (layer->first + 1) % hosts;
		layer->count--;
		layer->pool--;
		layer_send(run, MYR_CONTROL_GRANT, (uint32_t)run->params->layer.manager, host,
			   NET_NO_WORM);
	}
}

static void layer_arrive(struct myr_run *run, enum myr_control control, uint32_t from, uint32_t to)
{
	struct myr_layer *layer = &run->layer;

	switch (control) {
	case MYR_CONTROL_REPLY:
		if (run->params->layer.managed)
			layer->pool++;
		else
			--*used_by(run, to, from);
		break;
	case MYR_CONTROL_REQUEST:
		layer->waiting[(layer->first + layer->count++) % run->net.graph.hosts] = from;
		break;
	case MYR_CONTROL_GRANT:
		run->hosts[to].granted = true;
		run->hosts[to].requested = false;
		return;
	case MYR_CONTROL_NONE: return;
	}
	if (run->params->layer.managed)
		layer_grant(run);
}

void myr_layer_arrived(struct myr_run *run, uint32_t number)
{
	const struct net_worm *worm = myr_run_worm(run, number);

	run->net.totals->own[MYR_CONTROLS]++;
	layer_arrive(run, run->lives[number].control, worm->source, worm->destination);
}

void myr_layer_delivered(struct myr_run *run, uint32_t number)
{
	const struct myr_layer_params *params = &run->params->layer;
	const struct net_worm *worm = myr_run_worm(run, number);

	if (run->lives[number].credited) // adapters forward without
		layer_send(run, MYR_CONTROL_REPLY, worm->destination,
			   params->managed ? (uint32_t)params->manager : worm->source, number);
}

bool myr_layer_permits(const struct myr_run *run, uint32_t number)
{
	const struct myr_layer_params *params = &run->params->layer;
	const struct net_worm *worm = myr_run_worm(run, number);
	const struct myr_life *life = &run->lives[number];

	if (params->credits == 0 || life->control != MYR_CONTROL_NONE || life->credited)
		return true;
	if (params->managed)
		return run->hosts[worm->source].granted;
	return *used_by(run, worm->source, worm->destination) < params->credits;
}

void myr_layer_ask(struct myr_run *run, uint32_t number)
{
	struct myr_host *host = &run->hosts[number];

	if (!run->params->layer.managed || host->requested || host->queue.count == 0 ||
	    myr_layer_permits(run, host->queue.first))
		return;
	host->requested = true;
	layer_send(run, MYR_CONTROL_REQUEST, number, (uint32_t)run->params->layer.manager,
		   host->queue.first);
}

void myr_layer_spend(struct myr_run *run, uint32_t number)
{
	const struct myr_layer_params *params = &run->params->layer;
	const struct net_worm *worm = myr_run_worm(run, number);
	struct myr_life *life = &run->lives[number];

	if (params->credits == 0 || life->control != MYR_CONTROL_NONE || life->credited)
		return;
	life->credited = true;
	if (params->managed)
		run->hosts[worm->source].granted = false;
	else
		++*used_by(run, worm->source, worm->destination);
}

void myr_layer_end(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->net.pool.fresh; i++)
		if (run->net.pool.worms[i].size_bytes > 0 && run->net.serials[i] != NET_UNBORN &&
		    run->lives[i].control != MYR_CONTROL_NONE)
			net_worm_give_back(&run->net.pool, i);
}
