// SPDX-License-Identifier: GPL-3.0-or-later
// In a large network most of what a tick touches is not cached. What comes is known ahead: by the
// calendar over some ticks, which in most runs have one or two events each, and by the lists of a
// tick where it has many. Each pointer is followed one step later than it was fetched.
#include "net/myrinet/local/local.h"

#define FAR 8u // places ahead
#define NEAR 4u
#define TICKS 4u // nonempty ones ahead

static void fetch_link(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);

	__builtin_prefetch(&local->links[link].sender);
	__builtin_prefetch(&local->links[link].buffer);
	__builtin_prefetch(&local->links[link].runs);
	__builtin_prefetch(&local->links[link].worms);
	sim_calendar_fetch(&run->clock.calendar, link);
}

// The output that the link's buffer feeds.
static void fetch_output(const struct myr_run *run, uint32_t link)
{
	const struct local_link *buffer = &local_of(run)->links[link];

	__builtin_prefetch(&buffer->buffer.runs[buffer->buffer.first_run]);
	if (buffer->buffer.state == LOCAL_JOINED && buffer->buffer.output < run->net.graph.links)
		fetch_link(run, buffer->buffer.output);
}

// What says which output the head of the link's buffer will ask for.
static void fetch_worm(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);
	const struct local_link *buffer = &local->links[link];
	const struct net_peer *peers = &run->net.graph.peers[buffer->ports.first];
	uint32_t worm;

	if (buffer->sender.to_host || !local_may_ask(local, buffer))
		return;
	worm = local_front(buffer)->worm;
	__builtin_prefetch(&run->lives[worm].hops);
	__builtin_prefetch(&myr_run_worm(run, worm)->route);
	__builtin_prefetch(net_worm_ports(&run->net.pool, worm));
	__builtin_prefetch(peers);
	__builtin_prefetch(peers + buffer->ports.count - 1);
}

// That output.
static void fetch_asked(const struct myr_run *run, uint32_t link)
{
	const struct local *local = local_of(run);
	const struct local_link *buffer = &local->links[link];
	const struct net_worm *worm;
	uint32_t hops, output;

	if (buffer->sender.to_host || !local_may_ask(local, buffer))
		return;
	worm = myr_run_worm(run, local_front(buffer)->worm);
	hops = run->lives[local_front(buffer)->worm].hops;
	if (hops >= worm->route_count || worm->route[hops] >= buffer->ports.count)
		return;
	output = myr_run_out(run, buffer->ports.first + worm->route[hops]);
	if (output != LOCAL_NONE)
		fetch_link(run, output);
}

void local_fetch_ahead(const struct myr_run *run)
{
	const struct sim_calendar *calendar = &run->clock.calendar;
	const uint32_t links = run->net.graph.links;
	uint32_t ahead[TICKS];

	sim_calendar_ahead(calendar, ahead, TICKS);
	if (ahead[3] < links)
		fetch_link(run, ahead[3]);
	else if (ahead[3] < 3 * links)
		fetch_link(run, ahead[3] % links);
	if (ahead[1] < links) {
		fetch_output(run, ahead[1]);
		fetch_worm(run, ahead[1]);
		if (sim_calendar_beside(calendar, ahead[1]) < links)
			fetch_link(run, sim_calendar_beside(calendar, ahead[1]));
	}
	if (ahead[0] < links)
		fetch_asked(run, ahead[0]);
}

void local_fetch_taken(const struct myr_run *run, uint32_t place)
{
	const struct sim_calendar *calendar = &run->clock.calendar;

	if (place + FAR < calendar->taken_count &&
	    calendar->taken[place + FAR] < run->net.graph.links)
		fetch_link(run, calendar->taken[place + FAR]);
	if (place + NEAR < calendar->taken_count &&
	    calendar->taken[place + NEAR] < run->net.graph.links)
		fetch_output(run, calendar->taken[place + NEAR]);
}

void local_fetch_heads(const struct myr_run *run)
{
	const struct local *local = local_of(run);

	if (local->work.moved_count <= FAR)
		return;
	for (uint32_t i = 0; i < local->work.moved_count; i++)
		fetch_worm(run, local->work.moved[i]);
	for (uint32_t i = 0; i < local->work.moved_count; i++)
		fetch_asked(run, local->work.moved[i]);
}

void local_fetch_touched(const struct local *local, uint32_t place)
{
	const struct local_link *buffer;

	if (place + FAR >= local->work.touched_count)
		return;
	buffer = &local->links[local->work.touched[place + FAR]];
	if (buffer->buffer.state == LOCAL_JOINED)
		__builtin_prefetch(&local->links[buffer->buffer.output].sender);
}
