// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/reference/reference.h"

#include "net/myrinet/hosts/hosts.h"

// The port requested by a route character as received; UINT32_MAX if it no longer is one.
static uint32_t crossbar_read_port(struct myr_run *run, struct myr_character character)
{
	const struct net_worm *worm = myr_run_worm(run, character.worm);
	struct myr_life *life = &run->lives[character.worm];

	life->hops++;
	if (character.flip == 0)
		return character.port;
	life->astray = true;
	life->residue ^= myr_noise_residue(
		character.flip, worm->route_count - life->hops +
					(run->params->format.no_final ? 0 : 1) +
					myr_format_body(&run->params->format, worm->size_bytes) -
					(run->params->format.crc ? 1 : 0));
	return (character.flip & 0xc0) != 0 ? UINT32_MAX
					    : (uint32_t)character.port ^ character.flip;
}

void reference_ask(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	const uint32_t node = run->ways[number].to;
	const uint32_t gap = run->params->format.gap_after ? 0 : 1;
	struct myr_character route;

	if (myr_run_is_host(run, node) || link->far.state != REFERENCE_IDLE ||
	    link->buffer.count <= gap)
		return;
	link->far.state = REFERENCE_ASKS;
	link->far.asked_ticks = run->net.now_ticks;
	link->far.head = reference_at(&link->buffer, 0)->worm;
	route = *reference_at(&link->buffer, gap);
	if (route.kind != MYR_ROUTE) {
		myr_lose_misrouted(run, link->far.head);
		return;
	}
	// A GAP, if any, takes the place of the removed character.
	if (gap > 0)
		*reference_at(&link->buffer, 1) = *reference_at(&link->buffer, 0);
	reference_take(&link->buffer);
	link->far.output = myr_run_port(run, node, crossbar_read_port(run, route));
	link->far.hop = run->lives[link->far.head].hops - 1;
	link->far.routes = 0;
	if (run->params->multicast.by_switch)
		link->far.branch = myr_multicast_split(run, link->far.head, link->far.hop);
	if (link->far.output == UINT32_MAX)
		myr_lose_misrouted(run, link->far.head);
	else
		net_drive_asks(&run->net, link->far.output, link->far.head, run->net.now_ticks);
	myr_timeout_watch(run, number, MYR_TIMEOUT_BLOCKED);
	for (uint32_t worm = link->far.head; worm != NET_NO_WORM;
	     worm = reference_next_branch(run, link, worm))
		reference_touch(run, reference_wanted(run, number, worm));
}

// The worm of an input that asks for the output; NET_NO_WORM: none does.
static uint32_t asking(const struct myr_run *run, uint32_t input, uint32_t output)
{
	const struct reference_link *link = input == UINT32_MAX ? NULL
								: reference_link(run, input ^ 1);
	uint32_t worm = link && link->far.state == REFERENCE_ASKS ? link->far.head : NET_NO_WORM;

	while (worm != NET_NO_WORM && reference_wanted(run, input ^ 1, worm) != output)
		worm = reference_next_branch(run, link, worm);
	return worm;
}

static bool asks(const struct myr_run *run, uint32_t input, uint32_t output)
{
	return asking(run, input, output) != NET_NO_WORM;
}

// Whether the input at the link's far end has all outputs that it asked for.
static bool has_all(const struct myr_run *run, uint32_t number)
{
	const struct reference_link *link = reference_link(run, number);
	uint32_t worm = link->far.head;

	while (worm != NET_NO_WORM &&
	       reference_link(run, reference_wanted(run, number, worm))->sender.worm == worm)
		worm = reference_next_branch(run, link, worm);
	return worm == NET_NO_WORM;
}

// The input has got an output. Characters flow when it has the last one.
static void crossbar_grant(struct myr_run *run, uint32_t number)
{
	struct reference_link *input = reference_link(run, number);

	if (!has_all(run, number))
		return;
	input->far.state = REFERENCE_FLOWS;
	input->meter.port_ticks += run->net.now_ticks - input->far.asked_ticks;
}

// Index in the service order of the request to serve next; UINT32_MAX: there is none.
static uint32_t crossbar_next_place(const struct myr_run *run, uint32_t number)
{
	const uint32_t node = run->ways[number].from;
	const uint32_t ports = net_graph_ports(&run->net.graph, node);
	const size_t first = run->net.graph.first[node];
	uint32_t chosen = UINT32_MAX;
	int64_t oldest = INT64_MAX;

	for (uint32_t i = 0; i < ports; i++) {
		const uint32_t place = (reference_link(run, number)->sender.pointer + i) % ports;
		const uint32_t cable = myr_run_out(run, first + run->order[first + place]);

		if (!asks(run, cable, number) ||
		    reference_link(run, cable ^ 1)->far.asked_ticks >= oldest)
			continue;
		chosen = place;
		oldest = reference_link(run, cable ^ 1)->far.asked_ticks;
		if (!run->params->crossbar.first_come)
			break;
	}
	return chosen;
}

// All worms that request a lost cable are lost.
static void crossbar_refuse(struct myr_run *run, uint32_t number)
{
	for (uint32_t input = 0; input < run->net.graph.links; input++)
		if (asks(run, input, number))
			myr_lose(run, reference_link(run, input ^ 1)->far.head, TR_DROP_DEAD);
}

static uint32_t stripped(const struct myr_run *run, uint32_t worm)
{
	const struct myr_format_params *format = &run->params->format;

	return myr_run_worm(run, worm)->route_count - run->lives[worm].hops +
	       (format->no_final ? 0 : 1) +
	       myr_format_body(format, myr_run_worm(run, worm)->size_bytes);
}

void reference_choose(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);
	const uint32_t from = run->ways[number].from;
	const int64_t assignment = run->times.assignment_ticks;
	uint32_t place;

	if (myr_run_is_host(run, from) || link->sender.worm != NET_NO_WORM)
		return;
	if (myr_is_lost(run, number)) {
		crossbar_refuse(run, number);
		return;
	}
	place = crossbar_next_place(run, number);
	if (place == UINT32_MAX)
		return;
	link->sender.pointer = (place + 1) % net_graph_ports(&run->net.graph, from);
	link->sender.input = myr_run_port(run, from,
					  run->order[run->net.graph.first[from] + place]) ^
			     1;
	link->sender.worm = asking(run, link->sender.input ^ 1, number);
	net_drive_begins(&run->net, number, link->sender.worm);
	net_drive_passes(&run->net, number, link->sender.worm);
	crossbar_grant(run, link->sender.input);
	link->sender.begun = false;
	link->sender.held = false;
	link->sender.ready_ticks = run->net.now_ticks + (assignment > 0 ? assignment : 1);
	link->sender.quiet_ticks = link->sender.ready_ticks;
	link->sender.passed = 0;
	if (run->params->loss.bit_errors.num != 0)
		myr_noise_begin(run, number, stripped(run, link->sender.worm));
	myr_timeout_watch(run, number, MYR_TIMEOUT_SILENT);
}

void reference_release(struct myr_run *run, uint32_t number)
{
	struct reference_link *link = reference_link(run, number);

	net_drive_ends(&run->net, number, link->sender.worm);
	link->sender.worm = NET_NO_WORM;
	link->sender.input = UINT32_MAX;
	link->sender.held = false;
	link->sender.begun = false;
}
