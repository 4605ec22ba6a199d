// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/reference/reference.h"

#include "net/myrinet/hosts/hosts.h"

void reference_append(struct reference_ring *ring, struct myr_character character, int64_t ticks)
{
	ring->count++;
	*reference_at(ring, ring->count - 1) = character;
	*reference_ticks(ring, ring->count - 1) = ticks;
}

struct myr_character reference_take(struct reference_ring *ring)
{
	ring->count--;
	return ring->characters[ring->first++ & ring->mask];
}

static void append_control(struct myr_run *run, struct reference_controls *controls, int64_t ticks,
			   enum myr_kind kind)
{
	const uint32_t place = (controls->first + controls->count) % REFERENCE_CONTROLS;

	if (controls->count == REFERENCE_CONTROLS) {
		net_drive_fail(&run->net, "more control characters wait than there is room for");
		return;
	}
	controls->ticks[place] = ticks;
	controls->kinds[place] = (uint8_t)kind;
	controls->count++;
}

static enum myr_kind take_control(struct reference_controls *controls)
{
	const uint8_t kind = controls->kinds[controls->first];

	controls->first = (controls->first + 1) % REFERENCE_CONTROLS;
	controls->count--;
	return (enum myr_kind)kind;
}

static void occupy(struct myr_run *run, uint32_t number, struct myr_character character)
{
	struct reference_link *link = reference_link(run, number);

	link->sender.free_ticks = run->net.now_ticks + run->ways[number].character_ticks;
	if (character.kind != MYR_BEAT)
		link->sender.last_ticks = run->net.now_ticks + run->ways[number].delay_ticks;
	link->meter.characters++;
	if (run->net.setup->watch)
		reference_watch(run, number, character);
}

static bool can_be_damaged(enum myr_kind kind)
{
	return kind >= MYR_ROUTE && kind <= MYR_CRC;
}

void reference_put(struct myr_run *run, uint32_t number, struct myr_character character)
{
	struct reference_link *link = reference_link(run, number);

	if (run->noises && run->params->loss.bit_errors.num != 0 &&
	    can_be_damaged((enum myr_kind)character.kind)) {
		const uint8_t flip = myr_noise_flip(run, number, link->sender.passed++);

		character.flip ^= flip;
		run->lives[character.worm].damaged |= flip != 0;
	}
	link->sender.quiet_ticks = run->net.now_ticks;
	link->sender.begun = true;
	occupy(run, number, character);
	if (!net_drive_link_is_dead(&run->net, number))
		reference_append(&link->flight, character,
				 run->net.now_ticks + run->ways[number].delay_ticks);
}

// A STOP or GO has arrived over the link for the sender at its far end.
static void heed(struct myr_run *run, uint32_t number, bool stop)
{
	struct reference_link *link = reference_link(run, number);

	reference_count_stop(run, number, run->net.now_ticks);
	link->sender.stopped = stop;
	link->sender.stopped_ticks = run->net.now_ticks;
	reference_touch(run, number);
}

void reference_arrive(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	while (link->coming.count > 0 &&
	       link->coming.ticks[link->coming.first] <= run->net.now_ticks)
		heed(run, number ^ 1, take_control(&link->coming) == MYR_STOP);
	while (link->flight.count > 0 && *reference_ticks(&link->flight, 0) <= run->net.now_ticks) {
		const struct myr_character character = reference_take(&link->flight);
		struct net_worm *worm;

		if (character.kind == MYR_VOID)
			continue;
		if (link->buffer.count == run->times.slack_size) {
			net_drive_fail(&run->net,
				       "the slack buffer at the end of link %u overflows", number);
			return;
		}
		reference_append(&link->buffer, character, run->net.now_ticks);
		reference_touch(run, link->far.output);
		worm = myr_run_worm(run, character.worm);
		if (myr_run_is_host(run, run->ways[number].to) && worm->head_ticks < 0)
			worm->head_ticks = run->net.now_ticks;
	}
}

// When the worm's next character is ready to start; SIM_NEVER: it is not known.
static int64_t ready(const struct myr_run *run, const struct reference_link *link)
{
	const struct reference_link *input;

	if (link->sender.worm == NET_NO_WORM)
		return SIM_NEVER;
	if (link->sender.input == UINT32_MAX) // a host makes it, or it is held
		return link->sender.ready_ticks;
	input = reference_link(run, link->sender.input);
	if (input->far.state != REFERENCE_FLOWS || input->buffer.count == 0)
		return SIM_NEVER;
	return ticks_later(link->sender.ready_ticks,
			   *reference_ticks(&input->buffer, 0) + run->times.path_ticks);
}

static bool control_is_due(const struct myr_run *run, const struct reference_link *link)
{
	return link->waiting.count > 0 &&
	       link->waiting.ticks[link->waiting.first] < run->net.now_ticks;
}

// The same for the link alone, without the others on which copies leave.
static int64_t next_start(const struct myr_run *run, const struct reference_link *link)
{
	return link->sender.stopped ? SIM_NEVER
				    : ticks_later(link->sender.free_ticks, ready(run, link));
}

int64_t reference_next_start(const struct myr_run *run, const struct reference_link *link)
{
	const uint32_t number = link->sender.input;
	const struct reference_link *input = number == UINT32_MAX ? NULL
								  : reference_link(run, number);
	int64_t next = next_start(run, link);

	if (!input || input->far.branch == NET_NO_WORM)
		return next;
	for (uint32_t worm = input->far.head; worm != NET_NO_WORM;
	     worm = reference_next_branch(run, input, worm)) {
		const struct reference_link *output = reference_link(
			run, reference_wanted(run, number, worm));

		next = ticks_later(next, next_start(run, output));
		if (control_is_due(run, output))
			next = ticks_later(next, run->net.now_ticks + 1);
	}
	return next;
}

void reference_count_stop(struct myr_run *run, uint32_t number, int64_t ticks)
{
	struct reference_link *link = reference_link(run, number);
	int64_t from;

	if (!link->sender.stopped)
		return;
	from = ticks_later(ticks_later(link->sender.stopped_ticks, link->sender.free_ticks),
			   ready(run, link));
	if (from >= ticks)
		return;
	link->meter.stop_ticks += ticks - from;
	link->sender.stopped_ticks = ticks;
}

// Sends the first control character that became due before this tick; false if there is none.
static bool start_control(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	struct myr_character character = {.worm = NET_NO_WORM};

	if (!control_is_due(run, link))
		return false;
	reference_count_stop(run, number, run->net.now_ticks);
	character.kind = (uint8_t)take_control(&link->waiting);
	occupy(run, number, character);
	if (character.kind == MYR_BEAT)
		myr_beat_goes(run, number, run->net.now_ticks);
	else if (character.kind != MYR_RESET)
		append_control(run, &link->coming,
			       run->net.now_ticks + run->ways[number].delay_ticks,
			       (enum myr_kind)character.kind);
	return true;
}

// Sends the last character. What went over a dead cable is lost.
static void reference_link_finish(struct myr_run *run, uint32_t number, struct myr_character last)
{
	reference_put(run, number, last);
	if (net_drive_link_is_dead(&run->net, number))
		myr_lose(run, last.worm, TR_DROP_DEAD);
	reference_release(run, number);
}

// Sends a character to an output, or holds the last one for the conversion.
static void reference_link_pass(struct myr_run *run, uint32_t number,
				struct myr_character character)
{
	struct reference_link *link = reference_link(run, number);
	const int64_t conversion = run->ways[number].conversion_ticks;

	reference_touch(run, number);
	if (character.kind != myr_format_tail(&run->params->format)) {
		reference_put(run, number, character);
		return;
	}
	if (conversion == 0) {
		reference_link_finish(run, number, character);
		return;
	}
	link->sender.held = true;
	link->sender.last = character;
	link->sender.input = UINT32_MAX;
	link->sender.ready_ticks = run->net.now_ticks + conversion;
}

// Makes the character one of the copy; false if its route is shorter.
static bool reference_link_copy(const struct myr_run *run, const struct reference_link *input,
				uint32_t worm, struct myr_character *character)
{
	const struct net_worm *branch = myr_run_worm(run, worm);
	const uint32_t hop = input->far.hop + input->far.routes;

	character->worm = worm;
	if (character->kind != MYR_ROUTE)
		return true;
	if (hop < branch->route_count)
		character->port = branch->route[hop];
	return hop < branch->route_count;
}

// Sends the next character of an input to its outputs.
static void start_outputs(struct myr_run *run, uint32_t number)
{
	struct reference_link *input = reference_link(run, number);
	const struct myr_character character = reference_take(&input->buffer);

	reference_touch(run, number);
	input->far.routes += character.kind == MYR_ROUTE;
	for (uint32_t worm = input->far.branch; worm != NET_NO_WORM;
	     worm = reference_next_branch(run, input, worm)) {
		struct myr_character copied = character;

		if (reference_link_copy(run, input, worm, &copied))
			reference_link_pass(run, reference_wanted(run, number, worm), copied);
	}
	reference_link_pass(run, input->far.output, character);
	if (character.kind != myr_format_tail(&run->params->format))
		return;
	input->far.state = REFERENCE_IDLE;
	input->far.output = UINT32_MAX;
}

void reference_start(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	if (link->sender.free_ticks > run->net.now_ticks || start_control(run, number) ||
	    reference_next_start(run, link) > run->net.now_ticks)
		return;
	if (myr_run_is_host(run, run->ways[number].from)) {
		reference_put(run, number, reference_made(run, number));
		reference_made_next(run, number);
	} else if (link->sender.held) {
		reference_link_finish(run, number, link->sender.last);
	} else {
		start_outputs(run, link->sender.input);
	}
}

void reference_compare(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	struct reference_meter *meter = &link->meter;
	const uint32_t count = link->buffer.count;

	meter->area += (uint64_t)meter->count * (uint64_t)(run->net.now_ticks - meter->since_ticks);
	meter->since_ticks = run->net.now_ticks;
	meter->count = count;
	meter->peak = count > meter->peak ? count : meter->peak;
	meter->highest = count > meter->highest ? count : meter->highest;
	if (link->far.told_stop ? count > run->times.go_line : count < run->times.stop_line)
		return;
	link->far.told_stop = !link->far.told_stop;
	if (net_drive_link_is_dead(&run->net, number))
		return;
	append_control(run, &reference_link(run, number ^ 1)->waiting, run->net.now_ticks,
		       link->far.told_stop ? MYR_STOP : MYR_GO);
	reference_touch(run, number ^ 1);
}

void reference_wait(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	if (link->reset_due)
		append_control(run, &link->waiting, run->net.now_ticks, MYR_RESET);
	if (link->beat_due)
		append_control(run, &link->waiting, run->net.now_ticks, MYR_BEAT);
	link->reset_due = link->beat_due = false;
}
