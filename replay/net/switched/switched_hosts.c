// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_run.h"

// What the source sends next, where it sends nothing.
static void switched_hosts_load(struct switched_run *run, struct switched_host *host)
{
	struct switched_output *out = &run->outputs[host->out * run->lanes];

	if (out->worm != NET_NO_WORM || host->queue.count == 0)
		return;
	if (net_drive_link_is_dead(&run->net, host->out)) {
		switched_lose(run, net_worm_first(&run->net.pool, &host->queue));
		return;
	}
	out->worm = net_worm_first(&run->net.pool, &host->queue);
	out->feed = SWITCHED_FROM_HOST;
	out->size = run->net.pool.worms[out->worm].size_bytes;
	out->sent = 0;
	run->lives[out->worm].channel = host->out * run->lanes;
	run->net.pool.worms[out->worm].started_ticks = run->net.now_ticks;
	net_drive_begins(&run->net, host->out, out->worm);
	net_drive_passes(&run->net, host->out, out->worm);
	switched_try(run, host->out);
}

void switched_left(struct switched_run *run, uint32_t number)
{
	net_drive_left(&run->net, number, run->net.now_ticks);
	switched_hosts_load(run, &run->hosts[number]);
}

static bool switched_hosts_fits(struct switched_run *run, uint32_t size_bytes)
{
	if ((run->params->switching == SWITCHED_WORMHOLE && run->grant != SWITCHED_GRANT_PACKET) ||
	    size_bytes <= run->params->buffer_B)
		return true;
	net_drive_fail(&run->net,
		       "a packet of %u bytes does not fit into an input's buffer of %llu, where it "
		       "must be stored whole; see the key buffer of switched",
		       size_bytes, (unsigned long long)run->params->buffer_B);
	return false;
}

void switched_enter(void *context, uint32_t worm)
{
	struct switched_run *run = context;
	struct switched_host *host = &run->hosts[run->net.pool.worms[worm].source];

	if (!switched_hosts_fits(run, run->net.pool.worms[worm].size_bytes))
		return;
	run->lives[worm] = (struct switched_life){.channel = NET_NOBODY};
	net_worm_append(&run->net.pool, &host->queue, worm);
	switched_hosts_load(run, host);
}

void switched_end(void *context, uint32_t worm)
{
	const struct switched_run *run = context;

	if (!run->net.pool.worms[worm].route)
		run->net.pool.worms[worm].route_count = run->lives[worm].hops;
}

void switched_deliver_all(struct switched_run *run)
{
	for (uint32_t i = 0; (i = sim_marks_next(&run->arrived.hosts, i)) != SIM_NO_MARK; i++) {
		sim_marks_remove(&run->arrived.hosts, i);
		net_drive_deliver(&run->net, run->arrived.whole[i]);
	}
}
