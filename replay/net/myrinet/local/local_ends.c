// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts at the ends of links: a source makes the characters of a worm, a sink takes them like a
// switch's output, but without a path and a link behind it.
#include <string.h>

#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/local/local.h"

static struct local_source *source_of(const struct myr_run *run, const struct local_link *sender)
{
	const struct local *local = local_of(run);

	return &local->sources[run->ways[local_index(local, sender)].from];
}

// Time to make the character at this place in its worm.
static int64_t flit_ticks(const struct myr_run *run, const struct local_source *source,
			  uint32_t place)
{
	const uint32_t gap = local_of(run)->gap;

	return place - gap < source->routes ? run->times.route_flit_ticks : run->times.flit_ticks;
}

int64_t local_made_ticks(const struct myr_run *run, const struct local_link *sender)
{
	const struct local_source *source = source_of(run, sender);

	return flit_ticks(run, source, sender->sender.number - source->start_number);
}

// Characters made at one rate are equally spaced: those of the route, then the others.
struct local_start local_source_start(struct myr_run *run, const struct local_link *sender)
{
	struct local_source *source = source_of(run, sender);
	const uint32_t next = sender->sender.number - source->start_number + 1;
	const uint32_t routes_end = local_of(run)->gap + source->routes;
	const int64_t route_ticks = ticks_later(sender->sender.character_ticks,
						run->times.route_flit_ticks);
	const int64_t other_ticks = ticks_later(sender->sender.character_ticks,
						run->times.flit_ticks);
	const bool in_route = next < routes_end && route_ticks != other_ticks;

	source->rest_number = in_route ? source->start_number + routes_end
				       : sender->sender.end_number;
	return (struct local_start){
		ticks_later(ticks_later(sender->sender.ready_ticks, sender->sender.free_ticks),
			    run->net.now_ticks),
		(uint32_t)(in_route ? route_ticks : other_ticks), source->rest_number};
}

void local_plan_source(struct myr_run *run, const struct local_link *sender)
{
	const uint32_t rest = source_of(run, sender)->rest_number - 1 - sender->sender.number;
	const uint32_t host = run->ways[local_index(local_of(run), sender)].from;

	sim_calendar_set(&run->clock.calendar, local_source_component(run, host),
			 sender->sender.on
				 ? sender->sender.next_ticks +
					   (int64_t)((uint64_t)rest * sender->sender.period_ticks)
				 : SIM_NEVER);
}

void local_send(struct myr_run *run, uint32_t host)
{
	struct local *local = local_of(run);
	const uint32_t link = run->hosts[host].out;
	const uint32_t component = local_source_component(run, host);
	const uint32_t worm = run->hosts[host].sending;
	const struct net_worm *packet = myr_run_worm(run, worm);
	struct local_link *sender = &local->links[link];

	local->sources[host] = (struct local_source){.start_number = sender->sender.number,
						     .routes = packet->route_count};
	sender->sender.input = LOCAL_HOST;
	sender->sender.ready_ticks = run->net.now_ticks + local_made_ticks(run, sender);
	sender->ports.quiet_ticks = run->net.now_ticks;
	local_announce(
		run, sender, worm,
		myr_format_length(&run->params->format, packet->route_count, packet->size_bytes));
	net_drive_passes(&run->net, link, worm);
	if (local->flips) {
		memset(local->flips + (size_t)worm * local->flip_places, 0, local->flip_places);
		local_damage(run, link, worm);
	}
	local_again(run, sender);
	while (sim_calendar_due(&run->clock.calendar, component) == run->net.now_ticks &&
	       sim_calendar_is_due(&run->clock.calendar, component))
		local_source_event(run, host);
}

void local_source_event(struct myr_run *run, uint32_t host)
{
	struct local_link *sender = &local_of(run)->links[run->hosts[host].out];

	local_advance(run, sender, run->net.now_ticks);
	if (sender->sender.number != sender->sender.end_number) {
		local_shut(run, sender);
		local_again(run, sender);
		return;
	}
	sender->sender.on = false;
	sender->sender.input = LOCAL_NONE;
	sender->sender.worm = NET_NO_WORM;
	myr_host_sent(run, host);
}

void local_damage(struct myr_run *run, uint32_t link, uint32_t worm)
{
	const struct local *local = local_of(run);
	const struct myr_format_params *format = &run->params->format;
	const struct net_worm *packet = myr_run_worm(run, worm);
	struct myr_life *life = &run->lives[worm];
	const uint32_t head = packet->route_count - life->hops + (format->no_final ? 0 : 1);
	const uint32_t body = myr_format_body(format, packet->size_bytes);
	uint8_t *flips = local->flips + (size_t)worm * local->flip_places;
	uint32_t number;

	myr_noise_begin(run, link, head + body);
	while ((number = myr_noise_next(run, link)) != UINT32_MAX) {
		const uint8_t flip = myr_noise_flip(run, link, number);

		life->damaged = true;
		if (number < head)
			flips[life->hops + number] ^= flip;
		else if (format->crc && number == head + body - 1)
			life->residue ^= flip;
		else
			life->residue ^= myr_noise_residue(
				flip, head + body - (format->crc ? 1 : 0) - 1 - number);
	}
}

static uint32_t local_ends_host_of(const struct myr_run *run, const struct local_link *buffer)
{
	return run->ways[local_index(local_of(run), buffer)].to;
}

// Whether the route leads to this host.
static bool local_ends_reaches(struct myr_run *run, uint32_t host, uint32_t worm)
{
	const struct local *local = local_of(run);
	const struct net_worm *packet = myr_run_worm(run, worm);
	struct myr_life *life = &run->lives[worm];
	const bool routed = life->hops == packet->route_count;

	if (routed && local->flips && !run->params->format.no_final &&
	    local->flips[(size_t)worm * local->flip_places + packet->route_count] != 0) {
		life->astray = true;
		return false;
	}
	return routed && packet->destination == host;
}

void local_sink_ask(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t first = buffer->buffer.leaves_number;
	const uint32_t head = first + local->gap;
	const uint32_t host = local_ends_host_of(run, buffer);
	struct net_worm *packet;
	uint32_t worm;

	if (buffer->buffer.state != LOCAL_IDLE ||
	    !local_before(head, buffer->buffer.known_number) ||
	    local_arrival(buffer, head) > run->net.now_ticks)
		return;
	worm = local_front(buffer)->worm;
	packet = myr_run_worm(run, worm);
	if (packet->head_ticks < 0)
		packet->head_ticks = local_arrival(buffer, first);
	local_peak(run, buffer, run->net.now_ticks - 1);
	local_left(local, buffer, local->gap, run->net.now_ticks);
	buffer->buffer.leaves_number += local->gap;
	buffer->buffer.state = LOCAL_ASKS;
	buffer->buffer.asked_ticks = run->net.now_ticks;
	buffer->ports.whole = false;
	local_move(local, buffer);
	if (local_ends_reaches(run, host, worm))
		myr_host_asks(run, host, worm);
	else
		myr_lose_misrouted(run, worm);
}

// A worm can be whole before its source has sent the GAP after it, but its begin must be known
// then.
static void settle_source(struct myr_run *run, uint32_t worm)
{
	struct local *local = local_of(run);
	struct local_link *sender = &local->links[run->hosts[myr_run_worm(run, worm)->source].out];

	if (local->gap == 0 && sender->sender.worm == worm)
		local_advance(run, sender, run->net.now_ticks);
}

void local_sink_pass(struct myr_run *run, struct local_link *buffer, struct local_link *sink)
{
	const uint32_t worm = sink->sender.worm;

	if (!buffer->ports.whole)
		return;
	local_leave(buffer, sink);
	local_output_free(local_of(run), sink);
	if (local_of(run)->gap == 0)
		myr_host_tail(run, worm);
}

void local_sink_event(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t host = local_ends_host_of(run, buffer);
	struct local_link *sink = &local->links[local->link_count + host];

	if (buffer->buffer.state == LOCAL_JOINED) {
		if (sink->sender.on && buffer->buffer.fails_ticks == run->net.now_ticks) {
			local_advance(run, sink, run->net.now_ticks - 1);
			local_shut(run, sink);
		}
		if (!sink->sender.on)
			local_resume(run, sink);
		local_advance(run, sink, run->net.now_ticks);
		if (!buffer->ports.whole &&
		    sink->sender.number + 1 - local->gap == sink->sender.end_number) {
			buffer->ports.whole = true;
			settle_source(run, sink->sender.worm);
			myr_host_whole(run, host, sink->sender.worm);
		}
		if (buffer->buffer.state == LOCAL_JOINED &&
		    sink->sender.number == sink->sender.end_number)
			local_sink_pass(run, buffer, sink);
	}
	local_sink_ask(run, buffer);
}

void local_admit(struct myr_run *run, uint32_t host)
{
	struct local *local = local_of(run);
	struct local_link *buffer = &local->links[run->hosts[host].in];
	struct local_link *sink = &local->links[local->link_count + host];

	if (local->metered)
		local->meters[run->hosts[host].in].memory_ticks += run->net.now_ticks -
								   buffer->buffer.asked_ticks;
	buffer->buffer.state = LOCAL_JOINED;
	buffer->buffer.output = local->link_count + host;
	buffer->buffer.fails_ticks = SIM_NEVER;
	sink->sender.input = run->hosts[host].in;
	sink->sender.shift = buffer->buffer.leaves_number - sink->sender.number;
	sink->sender.ready_ticks = run->net.now_ticks;
	local_announce(run, sink, local_front(buffer)->worm,
		       local_front(buffer)->length - local->gap);
	local_move(local, buffer);
	local_sink_event(run, buffer);
}
