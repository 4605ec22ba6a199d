// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/reference/reference.h"

#include "net/myrinet/characters.h"
#include "net/myrinet/hosts/hosts.h"

struct myr_character reference_made(const struct myr_run *run, uint32_t number)
{
	const struct reference_link *link = reference_link(run, number);

	return myr_format_character(&run->params->format, myr_run_worm(run, link->sender.worm),
				    link->sender.worm, link->sender.position);
}

// Sets when the next character is ready. Without an outgoing buffer the adapter makes it from now
// on; with one, as soon as the previous one is in and there is room, but not before from_ticks.
static void make_next(struct myr_run *run, uint32_t number, int64_t from_ticks)
{
	struct reference_link *link = reference_link(run, number);
	const uint64_t places = run->params->adapter.out_buffer_B;
	const bool route = reference_made(run, number).kind == MYR_ROUTE;
	const int64_t ticks = route ? run->times.route_flit_ticks : run->times.flit_ticks;

	if (places == 0) {
		link->sender.ready_ticks = run->net.now_ticks + ticks;
		return;
	}
	link->sender.ready_ticks = ticks_later(link->sender.ready_ticks, from_ticks) + ticks;
	if (link->sent >= places)
		link->sender.ready_ticks = ticks_later(link->sender.ready_ticks,
						       link->left_ticks[link->sent % places]);
}

void reference_made_next(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	struct net_worm *worm = myr_run_worm(run, link->sender.worm);
	const uint64_t places = run->params->adapter.out_buffer_B;

	if (link->sender.position == 0)
		worm->injected_ticks = run->net.now_ticks;
	if (places > 0)
		link->left_ticks[link->sent % places] = run->net.now_ticks;
	link->sent++;
	link->sender.position++;
	if (link->sender.position < link->sender.length) {
		make_next(run, number, INT64_MIN);
		return;
	}
	net_drive_ends(&run->net, number, link->sender.worm);
	link->sender.worm = NET_NO_WORM;
	link->sender.begun = false;
	myr_host_sent(run, run->ways[number].from);
}

void reference_send(struct myr_run *run, uint32_t host)
{
	const uint32_t number = run->hosts[host].out;
	struct reference_link *link = reference_link(run, number);
	const struct net_worm *worm;

	link->sender.worm = run->hosts[host].sending;
	net_drive_begins(&run->net, number, link->sender.worm);
	net_drive_passes(&run->net, number, link->sender.worm);
	link->sender.stopped_ticks = ticks_later(link->sender.stopped_ticks,
						 run->net.now_ticks); // it did not wait before
	worm = myr_run_worm(run, link->sender.worm);
	link->sender.position = 0;
	link->sender.passed = 0;
	link->sender.begun = false;
	link->sender.length = myr_format_length(&run->params->format, worm->route_count,
						worm->size_bytes);
	link->sender.quiet_ticks = run->net.now_ticks;
	make_next(run, number, run->lives[link->sender.worm].moved_ticks);
	if (run->params->loss.bit_errors.num != 0)
		myr_noise_begin(run, number,
				worm->route_count + (run->params->format.no_final ? 0 : 1) +
					myr_format_body(&run->params->format, worm->size_bytes));
	reference_touch(run, number);
	reference_start(run, number);
}

// The first character after the route: the worm must be for this host.
static bool reference_ends_reaches(const struct myr_run *run, uint32_t host,
				   struct myr_character character)
{
	const bool routed = run->params->format.no_final
				    ? character.kind != MYR_ROUTE
				    : character.kind == MYR_FINAL && character.flip == 0;

	return routed && myr_run_worm(run, character.worm)->destination == host;
}

// The head of the next worm has arrived: it requests memory.
static void head(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	const uint32_t host = run->ways[number].to;
	const uint32_t gap = run->params->format.gap_after ? 0 : 1;

	if (link->buffer.count <= gap)
		return;
	if (gap > 0)
		reference_take(&link->buffer);
	link->far.state = REFERENCE_ASKS;
	link->far.head = reference_at(&link->buffer, 0)->worm;
	link->far.received = 0;
	link->far.residue = 0;
	if (reference_at(&link->buffer, 0)->kind == MYR_FINAL &&
	    reference_at(&link->buffer, 0)->flip != 0)
		run->lives[link->far.head].astray = true;
	if (reference_ends_reaches(run, host, *reference_at(&link->buffer, 0)))
		myr_host_asks(run, host, link->far.head);
	else
		myr_lose_misrouted(run, link->far.head);
}

static void reference_ends_whole(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	run->lives[link->far.head].residue ^= link->far.residue;
	myr_host_whole(run, run->ways[number].to, link->far.head);
}

// Takes a character of the worm. The CRC register runs over its damage.
static void reference_ends_take_in(struct myr_run *run, uint32_t number,
				   struct myr_character character)
{
	struct reference_link *link = reference_link(run, number);
	const bool gap_after = run->params->format.gap_after;
	const uint32_t body = myr_format_body(&run->params->format, link->far.size_bytes);

	if (character.kind == MYR_FINAL)
		return;
	if (character.kind == MYR_TYPE || character.kind == MYR_DATA)
		link->far.residue = myr_crc8(link->far.residue, character.flip);
	else if (character.kind == MYR_CRC)
		link->far.residue ^= character.flip;
	if (++link->far.received == body + (gap_after ? 0 : 1))
		reference_ends_whole(run, number);
	if (link->far.received == body + 1) {
		link->far.state = REFERENCE_IDLE;
		if (gap_after)
			myr_host_tail(run, link->far.head);
		link->far.head = NET_NO_WORM;
	}
}

static void reference_ends_take(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	if (link->far.state != REFERENCE_FLOWS || link->far.taken_ticks > run->net.now_ticks ||
	    link->buffer.count == 0)
		return;
	link->far.taken_ticks = run->net.now_ticks + run->ways[number].character_ticks;
	reference_ends_take_in(run, number, reference_take(&link->buffer));
}

void reference_drain(struct myr_run *run, uint32_t number)
{
	if (!myr_run_is_host(run, run->ways[number].to))
		return;
	reference_ends_take(run, number);
	if (reference_link(run, number)->far.state == REFERENCE_IDLE)
		head(run, number);
}

void reference_admit(struct myr_run *run, uint32_t host)
{
	const uint32_t number = run->hosts[host].in;
	struct reference_link *link = reference_link(run, number);

	link->meter.memory_ticks += run->net.now_ticks - run->hosts[host].asked_ticks;
	link->far.state = REFERENCE_FLOWS;
	link->far.size_bytes = myr_run_worm(run, link->far.head)->size_bytes;
	reference_touch(run, number);
	reference_ends_take(run, number);
}
