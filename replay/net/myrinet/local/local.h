// SPDX-License-Identifier: GPL-3.0-or-later
// The local medium: characters move in regimes, not individually. Each sender has a regime (off;
// backlogged: as fast as its link goes; following: as fast as they arrive) and publishes one
// open-ended claim into the buffer at its far end, never further; each buffer has one pending
// event; only the part of a claim that lies in the future is ever withdrawn. man/flitline-engines.7
// has the algorithm and why it is exact.
//
// Characters of a link are numbered in one series, modulo 2^32; numbers are compared by their
// difference. A buffer uses the numbers of its link; what leaves it uses those of the output's
// link.
#ifndef NET_MYRINET_LOCAL_LOCAL_H
#define NET_MYRINET_LOCAL_LOCAL_H

#include "net/myrinet/local/regime.h"
#include "value/cache.h"

// The engine's state.
static inline struct local *local_of(const struct myr_run *run)
{
	return run->medium_state;
}

// Components of the calendar: for each link its buffer's event, the first STOP or GO on its way to
// its sender, and the character held by its output; for each host the end of its regime.
static inline uint32_t local_control_component(const struct myr_run *run, uint32_t link)
{
	return run->net.graph.links + link;
}

// The component of the calendar for what a link holds back.
static inline uint32_t local_held_component(const struct myr_run *run, uint32_t link)
{
	return 2 * run->net.graph.links + link;
}

// The component of the calendar for a host's source.
static inline uint32_t local_source_component(const struct myr_run *run, uint32_t host)
{
	return 3 * run->net.graph.links + host;
}

// Whether number a comes before b.
static inline bool local_before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

// The number of a link.
static inline uint32_t local_index(const struct local *local, const struct local_link *link)
{
	return (uint32_t)(link - local->links);
}

// When the character of this number is in the run, which has it.
static inline int64_t local_in_run(const struct local_run *run, uint32_t number)
{
	return run->first_ticks + (int64_t)((uint64_t)(number - run->number) * run->period_ticks);
}

// The run that holds a known number.
static inline uint32_t local_run_of(const struct local_link *buffer, uint32_t number)
{
	uint32_t place = buffer->buffer.run_count - 1u;

	while (local_before(number, buffer->buffer.runs[place].number))
		place--;
	return place;
}

// The same for the next number to leave, which is most often in the last run; else searching from
// the last result.
static inline uint32_t local_first_run(struct local_link *buffer, uint32_t number)
{
	uint32_t place = buffer->buffer.run_count - 1u;

	if (local_before(number, buffer->buffer.runs[place].number)) {
		place = buffer->buffer.first_run;
		while (!local_before(number, buffer->buffer.runs[place + 1].number))
			place++;
	}
	buffer->buffer.first_run = (uint16_t)place;
	return place;
}

// One past the last number of a run.
static inline uint32_t local_run_end(const struct local_link *buffer, uint32_t place)
{
	return place + 1u < buffer->buffer.run_count ? buffer->buffer.runs[place + 1].number
						     : buffer->buffer.known_number;
}

// When the character of this number arrives in the buffer.
static inline int64_t local_arrival(const struct local_link *buffer, uint32_t number)
{
	return local_in_run(&buffer->buffer.runs[local_run_of(buffer, number)], number);
}

// Marks the buffer's next event for recomputation; local_move also marks it for comparison with the
// lines. Its output, if it has one, is fetched for that.
static inline void local_touch(struct local *local, struct local_link *buffer)
{
	if (buffer->buffer.touched)
		return;
	if (buffer->buffer.state == LOCAL_JOINED)
		cache_fetch(&local->links[buffer->buffer.output].sender);
	buffer->buffer.touched = true;
	local->work.touched[local->work.touched_count++] = local_index(local, buffer);
}

// Notes that the buffer's content changed in this tick.
static inline void local_move(struct local *local, struct local_link *buffer)
{
	if (!buffer->buffer.moved) {
		buffer->buffer.moved = true;
		local->work.moved[local->work.moved_count++] = local_index(local, buffer);
	}
	local_touch(local, buffer);
}

// Marks the output to choose in this tick.
static inline void local_mark(struct local *local, uint32_t output)
{
	if (output >= local->link_count || local->links[output].ports.marked)
		return;
	local->links[output].ports.marked = true;
	local->work.marked[local->work.marked_count++] = output;
}

// The worm at the head of the buffer, which must have one.
static inline struct local_worm *local_front(const struct local_link *buffer)
{
	return &buffer->buffer.worms[buffer->buffer.first_worm];
}

// The number that leaves the buffer next, given the settled state of its output.
static inline uint32_t local_leaves(const struct local *local, const struct local_link *buffer)
{
	if (buffer->buffer.state != LOCAL_JOINED)
		return buffer->buffer.leaves_number;
	return local->links[buffer->buffer.output].sender.number +
	       local->links[buffer->buffer.output].sender.shift;
}

// Whether the sender takes its characters out of a buffer.
static inline bool local_is_fed(const struct local *local, const struct local_link *sender)
{
	return sender->sender.input < local->link_count && !sender->sender.held;
}

// The worm's last character has left the buffer: it is between worms. What has left is forgotten
// where nothing else is known.
static inline void local_leave(struct local_link *buffer, const struct local_link *output)
{
	buffer->buffer.leaves_number = output->sender.number + output->sender.shift;
	if (buffer->buffer.leaves_number == buffer->buffer.known_number)
		buffer->buffer.run_count = buffer->buffer.first_run = 0;
	buffer->buffer.state = LOCAL_IDLE;
	buffer->buffer.output = LOCAL_NONE;
	buffer->buffer.first_worm++;
	buffer->buffer.worm_count--;
}

// The output has no worm.
static inline void local_output_free(struct local *local, struct local_link *output)
{
	output->sender.input = LOCAL_NONE;
	output->sender.worm = NET_NO_WORM;
	output->sender.on = false;
	output->sender.held = false;
	if (output->sender.first_asker != LOCAL_NONE)
		local_mark(local, local_index(local, output));
}

// --- sender.c

// Settles all starts up to the tick, and the end of the worm. Published claims do not change.
void local_settle(struct myr_run *run, struct local_link *sender, int64_t ticks);

// Counts the characters that a sender has sent up to this tick.
static inline void local_advance(struct myr_run *run, struct local_link *sender, int64_t ticks)
{
	if (sender->sender.on && sender->sender.next_ticks <= ticks)
		local_settle(run, sender, ticks);
}

// Ends the regime and withdraws its future claims.
void local_shut(struct myr_run *run, struct local_link *sender);

// A claim into the buffer: from a number, which arrives at a tick, up to end_number; and that what
// is claimed from a number on, which was to arrive at a tick, is withdrawn.
void local_publish(struct myr_run *run, struct local_link *buffer, struct local_run claim,
		   uint32_t end_number);
void local_withdraw(struct myr_run *run, struct local_link *buffer, uint32_t number, int64_t ticks);

// Inserts a run between existing ones.
void local_insert(struct myr_run *run, struct local_link *buffer, struct local_run behind);

// Begins a regime of the sender as soon as its start is known, if it is neither on nor stopped.
void local_resume(struct myr_run *run, struct local_link *sender);

// ---- crossing.c

// What a sender whose far end lies in another region says to it: a worm, that it claims characters
// up to end_number from the one that starts next on, and that it withdraws what has not started.
void local_cross_worm(struct myr_run *run, const struct local_link *sender, uint32_t worm,
		      uint32_t length);
void local_cross_claim(struct myr_run *run, const struct local_link *sender, uint32_t end_number);
void local_cross_shut(struct myr_run *run, const struct local_link *sender);
// What a buffer says to its sender: that a STOP or GO comes at a tick.
void local_cross_control(struct myr_run *run, uint32_t link, bool stop, int64_t ticks);

// The rules of the medium for regions.
void local_layout_region(struct myr_run *run, struct sim_arena *arena, uint32_t own_links);
void local_come(struct myr_run *run, const struct net_crossing *crossing);
void local_unite(struct myr_run *whole, struct myr_run *region);
bool local_carries(const struct net_crossing *crossing);
void local_sent(struct myr_run *run, uint32_t host, int64_t ticks);

// Makes room for one more worm in the list of the far end.
void local_make_worms(struct local *local, struct local_link *buffer);

// Adds a worm to the list of the far end.
static inline void local_list_worm(struct local *local, struct local_link *link, uint32_t worm,
				   uint32_t length)
{
	struct local_buffer *far = &link->buffer;

	if (far->first_worm + far->worm_count == far->worm_places)
		local_make_worms(local, link);
	far->worms[far->first_worm + far->worm_count++] = (struct local_worm){worm, length};
}

// Counts the characters that the sender has sent.
void local_count(struct local_link *sender);

// Announces the worm that the sender will send, with its number of characters. Numbers of
// characters wrap: what was sent is counted before.
static inline void local_announce(struct myr_run *run, struct local_link *sender, uint32_t worm,
				  uint32_t length)
{
	if ((sender->sender.number ^ (sender->sender.number + length)) >> 31 != 0)
		local_count(sender);
	sender->sender.worm = worm;
	sender->sender.end_number = sender->sender.number + length;
	sender->sender.listed = sender->sender.publishes;
	if (sender->sender.crosses)
		local_cross_worm(run, sender, worm, length);
	else if (sender->sender.publishes)
		local_list_worm(local_of(run), sender, worm, length);
}

// Something outside changed the sender: a STOP, a GO, a control character.
void local_again(struct myr_run *run, struct local_link *sender);

// --- control.c

// A control character goes out after all others; returns its start.
int64_t local_commit(struct myr_run *run, uint32_t link);
// Whether some of them have not started at a tick.
static inline bool local_controls_wait(const struct local_side *side, int64_t ticks)
{
	return side->controls > 0 && side->control_ticks > ticks;
}
// Drops control characters that wait or are under way.
void local_lose_controls(struct myr_run *run, uint32_t link);
// The first STOP or GO on its way to the link's sender reaches it.
void local_control_comes(struct myr_run *run, uint32_t link);
// A STOP or GO is on its way to the link's sender.
void local_control_put(struct myr_run *run, uint32_t link, bool stop, int64_t ticks);
// Compares the buffer with its lines, which it may have reached.
void local_compare_now(struct myr_run *run, struct local_link *buffer);

// Whether the buffer's content is below its STOP line, as far as its claims tell, or the character
// that reaches the line is still to come in the sender's regime.
static inline bool local_is_below(const struct myr_run *run, const struct local_link *buffer)
{
	const struct local *local = local_of(run);
	const uint32_t line = local_leaves(local, buffer) + local->stop - 1;

	if (!local_before(line, buffer->buffer.known_number))
		return true;
	return !buffer->buffer.crosses && buffer->sender.on &&
	       !local_before(line, buffer->sender.number) &&
	       buffer->sender.next_ticks + buffer->sender.delay_ticks +
			       (int64_t)((uint64_t)(line - buffer->sender.number) *
					 buffer->sender.period_ticks) >
		       run->net.now_ticks;
}
void local_send_due(struct myr_run *run, uint32_t link);

// --- buffer.c

// The events that are due, but STOPs, GOs and timers.
void local_events(struct myr_run *run);

// The worm's last character has started on the output's link, perhaps over a dead cable.
void local_finish(struct myr_run *run, struct local_link *output);

// Between worms, and the head of the next has arrived or is claimed.
static inline bool local_may_ask(const struct local *local, const struct local_link *buffer)
{
	return buffer->buffer.state == LOCAL_IDLE &&
	       local_before(buffer->buffer.leaves_number + local->gap, buffer->buffer.known_number);
}

// The head of the buffer's next worm has come: it asks for its output. Outputs that are marked
// choose.
void local_ask_now(struct myr_run *run, struct local_link *buffer);
void local_choose(struct myr_run *run);

// --- next.c

// Sets when the buffers that were touched have something to do next.
void local_plan(struct myr_run *run);

// --- local_ends.c

// A host's source: begins to send its worm; its next regime; sets when it has something to do;
// does it. Its sink: asks the host for room; passes the worm on when it is whole; does what is due;
// begins to take it in.
void local_send(struct myr_run *run, uint32_t host);
struct local_start local_source_start(struct myr_run *run, const struct local_link *sender);
void local_plan_source(struct myr_run *run, const struct local_link *sender);
void local_source_event(struct myr_run *run, uint32_t host);
void local_sink_ask(struct myr_run *run, struct local_link *buffer);
void local_sink_pass(struct myr_run *run, struct local_link *buffer, struct local_link *sink);
void local_sink_event(struct myr_run *run, struct local_link *buffer);
void local_admit(struct myr_run *run, uint32_t host);

// The ticks needed to make the host's next character.
int64_t local_made_ticks(const struct myr_run *run, const struct local_link *sender);

// The worm begins on the link: its damage is known at once.
void local_damage(struct myr_run *run, uint32_t link, uint32_t worm);

// --- meter.c

// The peak occupancy of the buffer up to the end of the tick, while its output has not changed
// since it was settled. The end of an unfinished tick is unknown: a worm can still be removed. Most
// calls are decided by the claimed count or the STOP line.
void local_peak_now(struct myr_run *run, struct local_link *buffer, int64_t ticks);

// Whether the buffer, which this number leaves next, can have held more than was seen.
static inline bool local_may_peak(const struct local *local, const struct local_link *buffer,
				  uint32_t leaves)
{
	const uint32_t peak = local->metered ? local->meters[local_index(local, buffer)].peak
					     : local->highest;

	return (buffer->buffer.told_stop || peak < local->stop - 1) &&
	       (int32_t)(buffer->buffer.known_number - leaves) > (int32_t)peak;
}

// Measures how full it was up to this tick.
static inline void local_peak(struct myr_run *run, struct local_link *buffer, int64_t ticks)
{
	const struct local *local = local_of(run);

	if (local_may_peak(local, buffer, local_leaves(local, buffer)))
		local_peak_now(run, buffer, ticks);
}
void local_filled(struct local *local, const struct local_link *buffer, uint32_t count);

// For samples: characters that have left a buffer without its output, and how long a STOP has held
// a sender up to a tick.
void local_left(struct local *local, struct local_link *buffer, uint32_t count, int64_t ticks);
void local_count_stop(struct myr_run *run, struct local_link *sender, int64_t ticks);
// Sets head_ticks of worms whose first character has reached the host by the end of the tick.
void local_tell_heads(struct myr_run *run, const struct local_link *buffer, int64_t ticks);
// The characters that are committed, but not sent by the end of the tick, and when the first of
// them goes.
uint64_t local_to_go(const struct local *local, uint32_t link, int64_t ticks, int64_t *first_ticks);

// The start of the last character, not counting BEATs.
int64_t local_last(const struct local *local, uint32_t link);
void local_look(struct myr_run *run, uint32_t link, int64_t ticks, bool resets,
		struct myr_look *out);

// --- fetch.c

// Prefetches what events of the next ticks will read.
void local_fetch_ahead(const struct myr_run *run);

// --- remove.c

// The numbers of the worm at this place in the buffer's list: of its first character still there,
// and one past its last.
struct local_span {
	uint32_t first;
	uint32_t end;
};
struct local_span local_span_of(const struct myr_run *run, const struct local_link *buffer,
				uint32_t place);

// Takes a worm that is lost out of all links; and the medium's rule signal.
void local_remove(struct myr_run *run, uint32_t worm);
void local_signal(struct myr_run *run, uint32_t link, enum myr_signal what);

#endif
