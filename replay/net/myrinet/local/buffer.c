// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/local/local.h"

#include "net/myrinet/hosts/hosts.h"

void local_finish(struct myr_run *run, struct local_link *output)
{
	if (!output->sender.publishes)
		myr_lose(run, output->sender.worm, TR_DROP_DEAD);
	local_output_free(local_of(run), output);
}

// The worm's last character has left the buffer and is held; its start was counted.
static void buffer_hold(struct myr_run *run, struct local_link *output, int64_t free_ticks,
			int64_t quiet_ticks)
{
	struct local *local = local_of(run);
	const uint32_t number = local_index(local, output);

	output->sender.number--;
	output->sender.on = false;
	output->sender.held = true;
	output->sender.free_ticks = free_ticks;
	output->sender.ready_ticks = run->net.now_ticks + run->ways[number].conversion_ticks;
	output->ports.quiet_ticks = quiet_ticks;
	if (local->metered && output->sender.publishes) {
		local->meters[number].came--;
		local->meters[number].came_ticks -= (uint64_t)(run->net.now_ticks +
							       output->sender.delay_ticks);
	}
	local_again(run, output);
}

// The output converts the worm's last character, which it holds once it has left the buffer.
static __attribute__((noinline)) void buffer_converts(struct myr_run *run,
						      struct local_link *buffer,
						      struct local_link *output)
{
	int64_t free_ticks, quiet_ticks;

	local_advance(run, output, run->net.now_ticks - 1);
	free_ticks = output->sender.free_ticks;
	quiet_ticks = output->ports.quiet_ticks;
	local_advance(run, output, run->net.now_ticks);
	if (!output->sender.on || output->sender.number != output->sender.end_number)
		return;
	local_leave(buffer, output);
	buffer_hold(run, output, free_ticks, quiet_ticks);
}

// The buffer's event: its regime ends, a character can start, or the worm's last one leaves.
static void buffer_event(struct myr_run *run, struct local *local, uint32_t number)
{
	struct local_link *buffer = &local->links[number];
	struct local_link *output;

	local_move(local, buffer);
	if (buffer->buffer.to_host) {
		local_sink_event(run, buffer);
		return;
	}
	if (buffer->buffer.state != LOCAL_JOINED)
		return;
	output = &local->links[buffer->buffer.output];
	if (output->sender.on && buffer->buffer.fails_ticks == run->net.now_ticks) {
		local_advance(run, output, run->net.now_ticks - 1);
		local_shut(run, output);
	}
	if (!output->sender.on && !output->sender.stopped)
		local_resume(run, output);
	if (output->sender.converts)
		buffer_converts(run, buffer, output);
	else
		local_advance(run, output, run->net.now_ticks);
}

// The character held by the output has started.
static void buffer_held_goes(struct myr_run *run, struct local_link *output)
{
	local_advance(run, output, run->net.now_ticks);
	local_finish(run, output);
}

void local_events(struct myr_run *run)
{
	struct local *local = local_of(run);
	const uint32_t links = local->link_count;
	struct sim_calendar *calendar = &run->clock.calendar;

	for (uint32_t i = 0; i < calendar->taken_count; i++) {
		const uint32_t component = calendar->taken[i];

		if (component >= run->clock.first_host)
			myr_host_due(run, component);
		else if (!sim_calendar_is_due(calendar, component))
			continue;
		else if (component < links)
			buffer_event(run, local, component);
		else if (component < 3 * links)
			buffer_held_goes(run, &local->links[component - 2 * links]);
		else
			local_source_event(run, component - 3 * links);
	}
}

// The port requested by the worm's next route character as received; LOCAL_NONE: it is no route
// character, or the route ends here.
static uint32_t buffer_read_port(struct myr_run *run, const struct local_link *buffer,
				 uint32_t worm)
{
	const struct local *local = local_of(run);
	const struct net_worm *packet = myr_run_worm(run, worm);
	const struct myr_format_params *format = &run->params->format;
	struct myr_life *life = &run->lives[worm];
	uint32_t port = packet->route[life->hops];
	uint8_t flip = 0;

	if (local->flips)
		flip = local->flips[(size_t)worm * local->flip_places + life->hops];
	life->hops++;
	if (flip != 0) {
		life->astray = true;
		life->residue ^= myr_noise_residue(
			flip, packet->route_count - life->hops + (format->no_final ? 0 : 1) +
				      myr_format_body(format, packet->size_bytes) -
				      (format->crc ? 1 : 0));
		if ((flip & 0xc0) != 0)
			return LOCAL_NONE;
		port ^= flip;
	}
	return port < buffer->ports.count ? myr_run_out(run, buffer->ports.first + port)
					  : LOCAL_NONE;
}

void local_ask_now(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t number = local_index(local, buffer);
	const uint32_t worm = local_front(buffer)->worm;
	struct local_link *output;

	buffer->buffer.state = LOCAL_ASKS;
	buffer->buffer.output = LOCAL_NONE;
	buffer->buffer.asked_ticks = run->net.now_ticks;
	if (run->lives[worm].hops == myr_run_worm(run, worm)->route_count) {
		myr_lose_misrouted(run, worm);
		return;
	}
	if (local_may_peak(local, buffer, buffer->buffer.leaves_number))
		local_peak_now(run, buffer, run->net.now_ticks - 1);
	if (local->metered)
		local_left(local, buffer, 1, run->net.now_ticks);
	buffer->buffer.leaves_number++;
	buffer->buffer.output = buffer_read_port(run, buffer, worm);
	myr_timeout_watch(run, number, MYR_TIMEOUT_BLOCKED);
	if (buffer->buffer.output == LOCAL_NONE) {
		myr_lose_misrouted(run, worm);
		return;
	}
	output = &local->links[buffer->buffer.output];
	local_advance(run, output, run->net.now_ticks);
	buffer->buffer.next_asker = output->sender.first_asker;
	output->sender.first_asker = number;
	if (output->sender.input == LOCAL_NONE)
		local_mark(local, buffer->buffer.output);
	else if (buffer->buffer.next_asker == LOCAL_NONE &&
		 output->sender.input < local->link_count)
		local_touch(local, &local->links[output->sender.input]); // its last character
									 // matters from now on
}

// Removes the request to serve from the list of the output, where there are several.
static __attribute__((noinline)) uint32_t buffer_best_asker(struct myr_run *run,
							    struct local_link *output,
							    uint32_t pointer)
{
	struct local *local = local_of(run);
	const uint32_t *best = NULL;
	uint64_t best_place = UINT64_MAX;
	int64_t best_ticks = INT64_MAX;
	uint32_t chosen;

	for (uint32_t *at = &output->sender.first_asker; *at != LOCAL_NONE;
	     at = &local->links[*at].buffer.next_asker) {
		const struct local_ports *ports = &local->links[*at].ports;
		const int64_t ticks = run->params->crossbar.first_come
					      ? local->links[*at].buffer.asked_ticks
					      : 0;
		const uint32_t place = ports->rank >= pointer
					       ? ports->rank - pointer
					       : ports->rank + ports->count - pointer;

		if (ticks > best_ticks || (ticks == best_ticks && place > best_place))
			continue;
		best = at;
		best_ticks = ticks;
		best_place = place;
	}
	chosen = *best;
	for (uint32_t *at = &output->sender.first_asker;;
	     at = &local->links[*at].buffer.next_asker) {
		if (*at != chosen)
			continue;
		*at = local->links[chosen].buffer.next_asker;
		return chosen;
	}
}

// Removes the next request to serve from the list of the output.
static uint32_t next_asker(struct myr_run *run, struct local_link *output, uint32_t pointer)
{
	struct local *local = local_of(run);
	const uint32_t first = output->sender.first_asker;

	if (local->links[first].buffer.next_asker != LOCAL_NONE)
		return buffer_best_asker(run, output, pointer);
	output->sender.first_asker = LOCAL_NONE;
	return first;
}

// The output takes the worm at the head of the buffer, whose route character has left.
static void buffer_joins(struct myr_run *run, struct local *local, uint32_t number, uint32_t output)
{
	const int64_t assignment = run->times.assignment_ticks;
	struct local_link *buffer = &local->links[number], *to = &local->links[output];

	if (local->metered)
		local->meters[number].port_ticks += run->net.now_ticks - buffer->buffer.asked_ticks;
	buffer->buffer.state = LOCAL_JOINED;
	to->sender.input = number;
	to->sender.shift = buffer->buffer.leaves_number - to->sender.number;
	to->sender.ready_ticks = run->net.now_ticks + (assignment > 0 ? assignment : 1);
	if (local->silent)
		to->ports.quiet_ticks = to->sender.ready_ticks;
	local_announce(run, to, local_front(buffer)->worm, local_front(buffer)->length - 1);
	net_drive_passes(&run->net, output, to->sender.worm);
	if (local->flips)
		local_damage(run, output, to->sender.worm);
	myr_timeout_watch(run, output, MYR_TIMEOUT_SILENT);
	if (!to->sender.stopped)
		local_resume(run, to);
	local_touch(local, buffer);
}

static void buffer_chooses(struct myr_run *run, struct local *local, uint32_t number)
{
	struct local_link *output = &local->links[number];
	const struct local_ports *ports;
	uint32_t chosen;

	output->ports.marked = false;
	if (output->sender.first_asker == LOCAL_NONE || output->sender.input != LOCAL_NONE)
		return;
	if (myr_is_lost(run, number)) {
		for (uint32_t at = output->sender.first_asker; at != LOCAL_NONE;
		     at = local->links[at].buffer.next_asker)
			myr_lose(run, local_front(&local->links[at])->worm, TR_DROP_DEAD);
		return;
	}
	chosen = next_asker(run, output, output->ports.pointer);
	ports = &local->links[chosen].ports;
	output->ports.pointer = (uint16_t)((ports->rank + 1u) % ports->count);
	buffer_joins(run, local, chosen, number);
}

void local_choose(struct myr_run *run)
{
	struct local *local = local_of(run);

	for (uint32_t i = 0; i < local->work.marked_count; i++)
		buffer_chooses(run, local, local->work.marked[i]);
	local->work.marked_count = 0;
}
