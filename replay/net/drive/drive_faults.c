// SPDX-License-Identifier: GPL-3.0-or-later
// Cables, hosts and switches that fail and recover; cables that lose packets (drive_loss.c). A
// fault due at a tick takes effect at its end: what arrives at that tick has arrived.
#include <stdlib.h>

#include "net/drive/drive.h"

void net_faults_layout(struct net_drive *drive)
{
	const uint32_t count = drive->setup->fault_count;
	struct net_faults *faults = &drive->faults;

	if (count == 0)
		return;
	net_losses_layout(drive);
	faults->dooms = sim_arena_take(&drive->arena, drive->pool.capacity, sizeof(*faults->dooms));
	faults->changes = sim_arena_take(&drive->arena, 2 * (size_t)count,
					 sizeof(*faults->changes));
	faults->cables = sim_arena_take(&drive->arena, drive->graph.links / 2,
					sizeof(*faults->cables));
	faults->hosts = sim_arena_take(&drive->arena, drive->graph.hosts, sizeof(*faults->hosts));
	faults->switches = sim_arena_take(&drive->arena, net_graph_switches(&drive->graph),
					  sizeof(*faults->switches));
	faults->deaths = sim_arena_take(&drive->arena, drive->graph.links / 2,
					sizeof(*faults->deaths));
}

static int by_change(const void *a, const void *b)
{
	const struct net_fault_change *left = a, *right = b;

	if (left->ticks != right->ticks)
		return left->ticks < right->ticks ? -1 : 1;
	return (left->fault > right->fault) - (left->fault < right->fault);
}

static void find_next(struct net_drive *drive)
{
	struct net_faults *faults = &drive->faults;

	faults->next_ticks = faults->next < faults->count ? faults->changes[faults->next].ticks
							  : INT64_MAX;
	net_drive_note_loss(drive);
}

// Of how many things a fault of this kind has one as its target.
static size_t count_targets(const struct net_setup *setup, enum net_fault_kind kind)
{
	switch (kind) {
	case NET_FAULT_HOST: return setup->topology->hosts;
	case NET_FAULT_SWITCH: return setup->topology->switches;
	case NET_FAULT_CABLE:
	case NET_FAULT_LOSS: break;
	}
	return setup->topology->cable_count;
}

enum tr_status net_faults_open(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	struct net_faults *faults = &drive->faults;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];

		if (fault->number >= count_targets(setup, fault->kind) ||
		    fault->from_ticks >= fault->to_ticks)
			return tr_fail(drive->err,
				       "fault %u has no target, or ends before it begins", i);
		faults->changes[faults->count++] = (struct net_fault_change){fault->from_ticks, i,
									     true};
		if (fault->to_ticks < INT64_MAX)
			faults->changes[faults->count++] = (struct net_fault_change){
				fault->to_ticks, i, false};
	}
	if (faults->count > 0)
		qsort(faults->changes, faults->count, sizeof(*faults->changes), by_change);
	find_next(drive);
	net_losses_open(drive);
	return TR_OK;
}

// What a fault is of: a cable, or all cables of a node.
static uint32_t net_faults_cables(const struct net_drive *drive, const struct net_fault *fault)
{
	const uint32_t node = net_fault_node(drive->setup->topology, fault);

	return node == NET_NOBODY ? 1 : net_graph_ports(&drive->graph, node);
}

// The one of them with this place; NET_NOBODY: a port without a cable.
static uint32_t net_faults_cable(const struct net_drive *drive, const struct net_fault *fault,
				 uint32_t place)
{
	const uint32_t node = net_fault_node(drive->setup->topology, fault);
	const struct net_peer *peer;

	if (node == NET_NOBODY)
		return fault->number;
	peer = net_graph_peer(&drive->graph, node, place);
	return peer->node == NET_NOBODY ? NET_NOBODY : peer->link / 2;
}

// Returns whether what was alive is dead.
static bool count_fault(uint32_t *dead, bool begins)
{
	*dead = begins ? *dead + 1 : *dead - 1;
	return begins && *dead == 1;
}

static void count_change(struct net_drive *drive, const struct net_fault_change *change)
{
	struct net_faults *faults = &drive->faults;
	const struct net_fault *fault = &drive->setup->faults[change->fault];

	if (fault->kind == NET_FAULT_LOSS) {
		net_losses_change(drive, change->fault, change->begins);
		return;
	}
	for (uint32_t i = net_faults_cables(drive, fault); i-- > 0;) {
		const uint32_t cable = net_faults_cable(drive, fault, i);

		if (cable != NET_NOBODY)
			faults->deaths[cable] += count_fault(&faults->cables[cable],
							     change->begins);
	}
	if (fault->kind == NET_FAULT_HOST)
		(void)count_fault(&faults->hosts[fault->number], change->begins);
	if (fault->kind == NET_FAULT_SWITCH)
		(void)count_fault(&faults->switches[fault->number], change->begins);
}

// Tells the kind of it.
static void take_effect(struct net_drive *drive, const struct net_fault *fault)
{
	if (fault->kind == NET_FAULT_LOSS)
		return;
	for (uint32_t i = net_faults_cables(drive, fault); i-- > 0 && drive->rules->fault;) {
		const uint32_t cable = net_faults_cable(drive, fault, i);

		if (cable != NET_NOBODY)
			drive->rules->fault(drive, cable);
	}
	if (fault->kind == NET_FAULT_SWITCH && drive->faults.switches[fault->number] > 0 &&
	    drive->rules->die)
		drive->rules->die(drive, fault->number);
}

// Changes of a tick are counted before any has an effect, so that their order does not matter.
void net_faults_until(struct net_drive *drive, int64_t ticks)
{
	struct net_faults *faults = &drive->faults;
	const uint32_t first = faults->next;

	for (; faults->next < faults->count && faults->changes[faults->next].ticks <= ticks;
	     faults->next++)
		count_change(drive, &faults->changes[faults->next]);
	find_next(drive);
	if (faults->next > first)
		drive->last_ticks = drive->now_ticks;
	for (uint32_t i = first; i < faults->next; i++)
		take_effect(drive, &drive->setup->faults[faults->changes[i].fault]);
}

void net_drive_lose(struct net_drive *drive, uint32_t worm)
{
	const enum tr_drop_reason doom = net_drive_doom(drive, worm);

	net_drive_drop(drive, worm,
		       net_drive_is_late(drive, worm) ? TR_DROP_TIMEOUT
		       : doom != TR_DROP_NONE	      ? doom
						      : TR_DROP_DEAD);
}
