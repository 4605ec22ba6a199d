// SPDX-License-Identifier: GPL-3.0-or-later
// In a large network most of what a tick touches is not cached. What comes is known ahead by the
// calendar over some ticks, which in most runs have one or two events each. Each pointer is
// followed one step later than it was fetched.
#include "net/myrinet/local/local.h"
#include "value/cache.h"

#define STEPS 4u

static void fetch_link(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);

	cache_fetch(&local->links[link].sender);
	cache_fetch(&local->links[link].buffer);
	cache_fetch(&local->links[link].runs);
	cache_fetch(&local->links[link].worms);
	sim_calendar_fetch(&run->clock.calendar, link);
}

// What the link's buffer feeds, or what says which output its head will ask for.
static void fetch_next(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);
	const struct local_link *buffer = &local->links[link];
	const struct net_peer *peers = &run->net.graph.peers[buffer->ports.first];
	uint32_t worm;

	cache_fetch(&buffer->buffer.runs[buffer->buffer.first_run]);
	if (buffer->buffer.state == LOCAL_JOINED && buffer->buffer.output < local->link_count)
		fetch_link(run, buffer->buffer.output);
	if (buffer->buffer.to_host || !local_may_ask(local, buffer))
		return;
	worm = local_front(buffer)->worm;
	cache_fetch(&run->lives[worm].hops);
	cache_fetch(&myr_run_worm(run, worm)->route);
	cache_fetch(net_worm_ports(&run->net.pool, worm));
	cache_fetch(peers);
	cache_fetch(peers + buffer->ports.count - 1);
}

// The output that the head of the link's buffer will ask for; LOCAL_NONE: it will not.
static uint32_t fetch_asked(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);
	const struct local_link *buffer = &local->links[link];
	const struct net_worm *worm;
	uint32_t hops;

	if (buffer->buffer.to_host || !local_may_ask(local, buffer))
		return LOCAL_NONE;
	worm = myr_run_worm(run, local_front(buffer)->worm);
	hops = run->lives[local_front(buffer)->worm].hops;
	return hops < worm->route_count && worm->route[hops] < buffer->ports.count
		       ? myr_run_out(run, buffer->ports.first + worm->route[hops])
		       : LOCAL_NONE;
}

static void fetch_asked_link(const struct myr_run *run, uint32_t link)
{
	const uint32_t output = fetch_asked(run, link);

	if (output != LOCAL_NONE)
		fetch_link(run, output);
}

// The buffer that this output was fed from, which is settled first.
static void fetch_asked_input(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);
	const uint32_t output = fetch_asked(run, link);

	if (output != LOCAL_NONE && local->links[output].sender.input < local->link_count)
		cache_fetch(&local->links[local->links[output].sender.input].buffer);
}

// One step for a component and those beside it, of which each was fetched a step later.
static void fetch_steps(const struct myr_run *run, uint32_t component, uint32_t steps)
{
	const struct sim_calendar *calendar = &run->clock.calendar;
	static void (*const ways[STEPS])(const struct myr_run *, uint32_t) = {
		fetch_link, fetch_next, fetch_asked_link, fetch_asked_input};

	for (uint32_t step = steps; component < run->net.graph.links; step--) {
		ways[step](run, component);
		if (step == 0)
			return;
		component = sim_calendar_beside(calendar, component);
	}
}

void local_fetch_ahead(const struct myr_run *run)
{
	const uint32_t links = run->net.graph.links;
	uint32_t ahead[STEPS];

	sim_calendar_ahead(&run->clock.calendar, ahead, STEPS);
	for (uint32_t step = 0; step < STEPS; step++)
		fetch_steps(run, ahead[STEPS - 1 - step], step);
	if (ahead[STEPS - 1] >= links && ahead[STEPS - 1] < 3 * links)
		fetch_link(run, ahead[STEPS - 1] % links);
}
