// SPDX-License-Identifier: GPL-3.0-or-later
// The buses of a node: PCI, between a host's memory and its adapter, which data cross, and the
// B-link of the adapter, which whole packets cross between its rings and PCI. A bus serves one
// packet at a time, in the order in which they ask. The overhead and the time of switching contain
// what a packet needs on them alone: only waiting, or a bus that takes longer than these, adds to
// them.
#include "net/studies/sci/sci_run.h"

static int64_t stage_ticks(const struct sci_run *run, const struct sci_packet *packet,
			   enum sci_stage stage)
{
	if (stage == SCI_BLINK)
		return 2 * packet->symbols * run->times.blink_B;
	if (!sci_has_data(packet) || stage == SCI_CROSSED || (stage == SCI_PCI_IN && !packet->ends))
		return 0;
	return 2 * (packet->symbols - SCI_HEADER_SYMBOLS) * run->times.pci_B;
}

int64_t sci_buses_ticks(const struct sci_run *run, const struct sci_packet *packet)
{
	int64_t ticks = 0;

	for (unsigned stage = packet->stage; run->buses.free_ticks && stage < SCI_CROSSED; stage++)
		ticks += stage_ticks(run, packet, stage);
	return ticks;
}

static uint32_t stage_bus(const struct sci_run *run, const struct sci_packet *packet)
{
	if (packet->stage != SCI_BLINK)
		return packet->ends ? packet->to : packet->from;
	return run->rings.hosts + (packet->ends ? run->rings.homes[packet->to] : packet->origin);
}

void sci_cross(struct sci_run *run, uint32_t number, int64_t ticks, int64_t ready_ticks)
{
	struct sci_packet *packet = &run->packets[number];
	uint32_t target;

	while (packet->stage < SCI_CROSSED && stage_ticks(run, packet, packet->stage) == 0)
		packet->stage++;
	if (packet->stage < SCI_CROSSED) {
		run->buses.ready[number] = ready_ticks;
		sci_event(run, ticks, SCI_BUS, stage_bus(run, packet), number, 0);
		return;
	}
	ready_ticks = ready_ticks > ticks ? ready_ticks : ticks;
	if (packet->ends)
		sci_event(run, ready_ticks, SCI_TAKEN, 0, number, 0);
	else
		sci_event(run, ready_ticks, SCI_READY,
			  sci_output_of(run, packet, packet->origin, &target), number, 0);
}

void sci_bus_ask(struct sci_run *run, const struct sci_event *event)
{
	const struct sci_packet *packet = &run->packets[event->packet];

	run->buses.asking[run->buses.asking_count++] = (struct sci_joining){
		packet->serial, packet->index, event->place, event->packet, packet->kind};
}

// An agent that cuts through sends a packet on as it crosses the bus, no faster than its link.
static int64_t crossed_ticks(const struct sci_run *run, const struct sci_packet *packet,
			     int64_t start_ticks)
{
	const int64_t bus_ticks = stage_ticks(run, packet, packet->stage),
		      link_ticks = packet->symbols * run->times.symbol;

	if (!run->params->cut_through || packet->ends ||
	    packet->origin == run->rings.homes[packet->from])
		return start_ticks + bus_ticks;
	return start_ticks + (bus_ticks > link_ticks ? bus_ticks - link_ticks : 0);
}

void sci_buses_grant(struct sci_run *run)
{
	sci_joining_sort(run->buses.asking, run->buses.asking_count);
	for (uint32_t i = 0; i < run->buses.asking_count; i++) {
		const uint32_t number = run->buses.asking[i].packet;
		struct sci_packet *packet = &run->packets[number];
		int64_t *free_ticks = &run->buses.free_ticks[run->buses.asking[i].place];
		const int64_t start_ticks = *free_ticks > run->net.now_ticks ? *free_ticks
									     : run->net.now_ticks;
		const int64_t next_ticks = crossed_ticks(run, packet, start_ticks);

		*free_ticks = start_ticks + stage_ticks(run, packet, packet->stage);
		packet->stage++;
		sci_cross(run, number, next_ticks, run->buses.ready[number]);
	}
	run->buses.asking_count = 0;
}
