// SPDX-License-Identifier: GPL-3.0-or-later
// Removes a worm from the number series of each link on its path, and renumbers what follows. All
// is settled up to the current tick first, so that past events do not change.
#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/local/local.h"

// Worms are contiguous; the last one ends with what its sender has still to send.
struct local_span local_span_of(const struct myr_run *run, const struct local_link *buffer,
				uint32_t place)
{
	const struct local_worm *worms = buffer->buffer.worms + buffer->buffer.first_worm;
	const struct local_worm *last = &worms[buffer->buffer.worm_count - 1];
	struct local_span span = {.end = buffer->buffer.known_number};

	if (buffer->sender.worm == last->worm && buffer->sender.listed)
		span.end = buffer->sender.end_number;
	for (uint32_t i = buffer->buffer.worm_count - 1u; i > place; i--)
		span.end -= worms[i].length;
	span.first = span.end - worms[place].length;
	if (place == 0)
		span.first = local_leaves(local_of(run), buffer);
	if (local_before(buffer->buffer.known_number, span.end))
		span.end = buffer->buffer.known_number;
	if (local_before(span.end, span.first))
		span.first = span.end;
	return span;
}

void local_tell_heads(struct myr_run *run, const struct local_link *buffer, int64_t ticks)
{
	for (uint32_t i = 0; i < buffer->buffer.worm_count; i++) {
		struct net_worm *worm = myr_run_worm(
			run, buffer->buffer.worms[buffer->buffer.first_worm + i].worm);
		const struct local_span span = local_span_of(run, buffer, i);

		if (worm->head_ticks < 0 && span.first != span.end &&
		    local_arrival(buffer, span.first) <= ticks)
			worm->head_ticks = local_arrival(buffer, span.first);
	}
}

// The arrived characters of the span leave the buffer now; the others never arrive.
static void count_out(struct myr_run *run, struct local_link *buffer, struct local_span span)
{
	struct local *local = local_of(run);
	struct local_meter *meter = &local->meters[local_index(local, buffer)];

	for (uint32_t number = span.first; number != span.end; number++) {
		const int64_t comes = local_arrival(buffer, number);

		if (comes <= run->net.now_ticks) {
			local_left(local, buffer, 1, run->net.now_ticks);
		} else {
			meter->came--;
			meter->came_ticks -= (uint64_t)comes;
		}
	}
}

// Cuts the numbers of the span out of the runs and renumbers those after it.
static void cut_out(struct myr_run *run, struct local_link *buffer, struct local_span span)
{
	const uint32_t by = span.end - span.first;
	uint32_t kept = 0;
	struct local_run behind;
	bool split = false;

	for (uint32_t i = 0; by > 0 && i < buffer->buffer.run_count; i++) {
		const struct local_run arrivals = buffer->buffer.runs[i];
		const uint32_t end = local_run_end(buffer, i);

		if (local_before(arrivals.number, span.end) && local_before(span.end, end)) {
			behind = (struct local_run){local_in_run(&arrivals, span.end), span.first,
						    arrivals.period_ticks};
			split = true;
			if (!local_before(arrivals.number, span.first)) {
				buffer->buffer.runs[kept++] = behind;
				split = false;
			} else {
				buffer->buffer.runs[kept++] = arrivals;
			}
		} else if (local_before(arrivals.number, span.first)) {
			buffer->buffer.runs[kept++] = arrivals;
		} else if (!local_before(arrivals.number, span.end)) {
			buffer->buffer.runs[kept] = arrivals;
			buffer->buffer.runs[kept++].number -= by;
		}
	}
	if (by == 0)
		return;
	buffer->buffer.run_count = (uint16_t)kept;
	buffer->buffer.known_number -= by;
	buffer->buffer.first_run = 0;
	if (split)
		local_insert(run, buffer, behind);
}

// Renumbers the following characters of the link.
static void renumber(struct myr_run *run, struct local_link *sender, uint32_t by)
{
	const uint32_t from = run->ways[local_index(local_of(run), sender)].from;

	local_count(sender);
	sender->ports.sent_number -= by;
	sender->sender.number -= by;
	sender->sender.end_number -= by;
	sender->sender.shift += by;
	if (myr_run_is_host(run, from)) {
		local_of(run)->sources[from].start_number -= by;
		local_of(run)->sources[from].rest_number -= by;
	}
}

// Removes the buffer from the list of requests for its output.
static void ask_no_more(struct local *local, uint32_t number)
{
	const uint32_t output = local->links[number].buffer.output;
	uint32_t *at;

	if (output == LOCAL_NONE)
		return;
	for (at = &local->links[output].sender.first_asker; *at != LOCAL_NONE && *at != number;)
		at = &local->links[*at].buffer.next_asker;
	if (*at == number)
		*at = local->links[number].buffer.next_asker;
}

// The worm, the buffer's first, no longer waits or holds an output.
static void leave_front(struct myr_run *run, struct local_link *buffer)
{
	struct local *local = local_of(run);
	const uint32_t number = local_index(local, buffer);
	struct local_meter *meter = &local->meters[number];

	if (buffer->buffer.state == LOCAL_ASKS && !buffer->buffer.to_host) {
		meter->port_ticks += run->net.now_ticks - buffer->buffer.asked_ticks;
		ask_no_more(local, number);
	} else if (buffer->buffer.state == LOCAL_ASKS &&
		   run->hosts[run->ways[number].to].asking == local_front(buffer)->worm) {
		meter->memory_ticks += run->net.now_ticks - buffer->buffer.asked_ticks;
	} else if (buffer->buffer.state == LOCAL_JOINED && buffer->buffer.to_host) {
		local_output_free(local, &local->links[buffer->buffer.output]);
	}
	buffer->buffer.state = LOCAL_IDLE;
	buffer->buffer.output = LOCAL_NONE;
}

// Removes the worm from the buffer, which is settled; false if it is not there.
static bool leave_buffer(struct myr_run *run, struct local_link *buffer, uint32_t worm)
{
	struct local *local = local_of(run);
	struct local_worm *worms = buffer->buffer.worms + buffer->buffer.first_worm;
	uint32_t place = 0;
	struct local_span span;

	while (place < buffer->buffer.worm_count && worms[place].worm != worm)
		place++;
	if (place == buffer->buffer.worm_count)
		return false;
	if (buffer->buffer.to_host)
		local_tell_heads(run, buffer, run->net.now_ticks);
	local_peak(run, buffer, run->net.now_ticks - 1);
	span = local_span_of(run, buffer, place);
	if (place == 0) {
		buffer->buffer.leaves_number = span.first;
		leave_front(run, buffer);
	}
	count_out(run, buffer, span);
	cut_out(run, buffer, span);
	renumber(run, buffer,
		 span.end -
			 span.first); // also over a dead cable: the distance of the series is kept
	for (uint32_t i = place; i + 1u < buffer->buffer.worm_count; i++)
		worms[i] = worms[i + 1];
	buffer->buffer.worm_count--;
	local_move(local, buffer);
	return true;
}

// Settles the buffer's output and stops sending the worm.
static void stop_output(struct myr_run *run, struct local_link *buffer, uint32_t worm)
{
	struct local *local = local_of(run);
	struct local_link *output = &local->links[buffer->buffer.output];

	local_advance(run, output, run->net.now_ticks);
	if (local_front(buffer)->worm != worm || output->sender.worm != worm)
		return;
	if (local->metered && buffer->buffer.output < local->link_count)
		local_count_stop(run, output, run->net.now_ticks + 1);
	local_shut(run, output);
	output->sender.input = LOCAL_NONE;
}

// Removes the worm from the link and the buffer at its end.
static void leave_link(struct myr_run *run, uint32_t number, uint32_t worm)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	const bool sends = link->sender.worm == worm;

	local_advance(run, link, run->net.now_ticks);
	if (link->buffer.state == LOCAL_JOINED)
		stop_output(run, link, worm);
	if (sends) {
		if (local->metered)
			local_count_stop(run, link, run->net.now_ticks + 1);
		local_shut(run, link);
		if (link->sender.held)
			sim_calendar_set(&run->clock.calendar, local_held_component(run, number),
					 SIM_NEVER);
		else if (link->sender.input == LOCAL_HOST)
			sim_calendar_set(&run->clock.calendar,
					 local_source_component(run, run->ways[number].from),
					 SIM_NEVER);
	}
	while (leave_buffer(run, link, worm)) // a wrong route can pass twice
		continue;
	if (sends)
		local_output_free(local, link);
}

void local_remove(struct myr_run *run, uint32_t worm)
{
	const struct net_worm *packet = myr_run_worm(run, worm);
	uint32_t link = run->hosts[packet->source].out;

	for (uint32_t i = 0; run->lives[worm].astray && i < run->net.graph.links; i++)
		leave_link(run, i, worm);
	for (uint32_t hop = 0; !run->lives[worm].astray && link != LOCAL_NONE; hop++) {
		const struct local_ports *ports = &local_of(run)->links[link].ports;

		leave_link(run, link, worm);
		link = !local_of(run)->links[link].buffer.to_host && hop < packet->route_count &&
				       packet->route[hop] < ports->count
			       ? myr_run_out(run, ports->first + packet->route[hop])
			       : LOCAL_NONE;
	}
}

// Whether part of the sender's current worm was sent.
static bool has_begun(const struct myr_run *run, const struct local_link *sender)
{
	const struct local_link *buffer;

	if (sender->sender.input == LOCAL_HOST)
		return sender->sender.number !=
		       local_of(run)
			       ->sources[run->ways[local_index(local_of(run), sender)].from]
			       .start_number;
	if (sender->sender.held)
		return true;
	buffer = &local_of(run)->links[sender->sender.input];
	return sender->sender.number + local_front(buffer)->length - 1 != sender->sender.end_number;
}

// Loses what is under way, and the worm that was partly sent. Other worms are sent into nothing.
static void remove_die(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	bool begun;

	local_advance(run, link, run->net.now_ticks);
	local_lose_controls(run, number);
	begun = link->sender.input != LOCAL_NONE && has_begun(run, link);
	if (begun)
		myr_lose(run, link->sender.worm, TR_DROP_DEAD);
	if (local->metered)
		local_count_stop(run, link, run->net.now_ticks + 1);
	local_shut(run, link);
	for (uint32_t i = 0; i < link->buffer.worm_count; i++) {
		const struct local_span span = local_span_of(run, link, i);

		if (span.first != span.end &&
		    local_arrival(link, span.end - 1) > run->net.now_ticks)
			myr_lose(run, link->buffer.worms[link->buffer.first_worm + i].worm,
				 TR_DROP_DEAD);
	}
	if (link->sender.input != LOCAL_NONE && !begun && link->sender.listed)
		link->buffer.worm_count--;
	link->sender.listed = link->sender.listed && begun;
	link->sender.publishes = false;
	link->sender.stopped = false;
	link->sender.ready_ticks = ticks_later(link->sender.ready_ticks, run->net.now_ticks + 1);
	if (!begun)
		local_again(run, link);
}

// The link's series continues where the buffer's ended.
static void remove_revive(struct myr_run *run, uint32_t number)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	bool begun;

	local_advance(run, link, run->net.now_ticks);
	begun = link->sender.input != LOCAL_NONE && has_begun(run, link);
	if (begun)
		myr_lose(run, link->sender.worm, TR_DROP_DEAD);
	local_shut(run, link);
	renumber(run, link, link->sender.number - link->buffer.known_number);
	link->sender.publishes = true;
	if (link->sender.input != LOCAL_NONE && !begun)
		local_announce(run, link, link->sender.worm,
			       link->sender.end_number - link->sender.number);
	link->sender.stopped = link->buffer.told_stop;
	local->meters[number].stopped_ticks = run->net.now_ticks + 1;
	link->sender.ready_ticks = ticks_later(link->sender.ready_ticks, run->net.now_ticks + 1);
	if (!begun)
		local_again(run, link);
}

// The node at the link's far end has lost its buffer's content.
static void remove_lose_all(struct myr_run *run, const struct local_link *buffer)
{
	for (uint32_t i = 0; i < buffer->buffer.worm_count; i++) {
		const struct local_span span = local_span_of(run, buffer, i);

		if ((i == 0 && buffer->buffer.state != LOCAL_IDLE) ||
		    (span.first != span.end &&
		     local_arrival(buffer, span.first) <= run->net.now_ticks))
			myr_lose(run, buffer->buffer.worms[buffer->buffer.first_worm + i].worm,
				 TR_DROP_DEAD);
	}
}

void local_signal(struct myr_run *run, uint32_t number, enum myr_signal what)
{
	struct local *local = local_of(run);
	struct local_link *link = &local->links[number];
	struct local_side *side = &local->sides[number];

	switch (what) {
	case MYR_SIGNAL_RESET:
	case MYR_SIGNAL_BEAT:
		if (!side->reset_due && !side->beat_due)
			local->work.due[local->work.due_count++] = number;
		side->reset_due |= what == MYR_SIGNAL_RESET;
		side->beat_due |= what == MYR_SIGNAL_BEAT;
		break;
	case MYR_SIGNAL_LOST:
		if (link->sender.worm != NET_NO_WORM)
			myr_lose(run, link->sender.worm, TR_DROP_DEAD);
		local_mark(local, number);
		break;
	case MYR_SIGNAL_DIES: remove_die(run, number); break;
	case MYR_SIGNAL_RETURNS: remove_revive(run, number); break;
	case MYR_SIGNAL_EMPTIES: remove_lose_all(run, link); break;
	}
}
