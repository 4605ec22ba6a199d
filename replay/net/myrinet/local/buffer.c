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
	struct local_side *side = &local->sides[number];

	output->sender.number--;
	output->sender.on = false;
	output->sender.held = true;
	output->sender.free_ticks = free_ticks;
	output->sender.ready_ticks = run->net.now_ticks + run->ways[number].conversion_ticks;
	side->quiet_ticks = quiet_ticks;
	if (local->metered && output->sender.publishes) {
		local->meters[number].came--;
		local->meters[number].came_ticks -= (uint64_t)(run->net.now_ticks +
							       output->sender.delay_ticks);
	}
	local_again(run, output);
}

void local_event(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	struct local_link *output;
	int64_t free_ticks, quiet_ticks;

	local_move(local, buffer);
	if (buffer->sender.to_host) {
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
	if (!output->sender.converts) {
		local_advance(run, output, run->net.now_ticks);
		return;
	}
	local_advance(run, output, run->net.now_ticks - 1);
	free_ticks = output->sender.free_ticks;
	quiet_ticks = local->sides[buffer->buffer.output].quiet_ticks;
	local_advance(run, output, run->net.now_ticks);
	if (!output->sender.on || output->sender.number != output->sender.end_number)
		return;
	local_leave(buffer, output);
	buffer_hold(run, output, free_ticks, quiet_ticks);
}

void local_held_goes(struct myr_run *run, struct local_link *output)
{
	local_advance(run, output, run->net.now_ticks);
	local_finish(run, output);
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
	const uint32_t head = buffer->buffer.leaves_number + local->gap;
	struct local_link *output;
	uint32_t worm;

	if (buffer->sender.to_host || local_arrival(buffer, head) > run->net.now_ticks)
		return;
	worm = local_front(buffer)->worm;
	buffer->buffer.state = LOCAL_ASKS;
	buffer->buffer.output = LOCAL_NONE;
	buffer->buffer.asked_ticks = run->net.now_ticks;
	if (run->lives[worm].hops == myr_run_worm(run, worm)->route_count) {
		myr_lose_misrouted(run, worm);
		return;
	}
	local_peak(run, buffer, run->net.now_ticks - 1);
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

// Removes the next request to serve from the list of the output.
static uint32_t next_asker(struct myr_run *run, struct local_link *output, uint32_t pointer)
{
	struct local *local = local_of(run);
	const uint32_t *best = NULL;
	uint64_t best_place = UINT64_MAX;
	int64_t best_ticks = INT64_MAX;
	uint32_t chosen = output->sender.first_asker;

	if (local->links[chosen].buffer.next_asker == LOCAL_NONE) {
		output->sender.first_asker = LOCAL_NONE;
		return chosen;
	}
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

void local_choose(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *output = &local->links[number];
	const int64_t assignment = run->times.assignment_ticks;
	struct local_link *buffer;
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
	buffer = &local->links[chosen];
	output->ports.pointer = buffer->ports.rank + 1 == buffer->ports.count
					? 0
					: buffer->ports.rank + 1;
	if (local->metered)
		local->meters[chosen].port_ticks += run->net.now_ticks - buffer->buffer.asked_ticks;
	buffer->buffer.state = LOCAL_JOINED;
	output->sender.input = chosen;
	output->sender.shift = buffer->buffer.leaves_number - output->sender.number;
	output->sender.ready_ticks = run->net.now_ticks + (assignment > 0 ? assignment : 1);
	if (local->silent)
		local->sides[number].quiet_ticks = output->sender.ready_ticks;
	local_announce(run, output, local_front(buffer)->worm, local_front(buffer)->length - 1);
	if (local->flips)
		local_damage(run, number, output->sender.worm);
	myr_timeout_watch(run, number, MYR_TIMEOUT_SILENT);
	if (!output->sender.stopped)
		local_resume(run, output);
	local_touch(local, buffer);
}
