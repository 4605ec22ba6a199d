// SPDX-License-Identifier: GPL-3.0-or-later
// Cables and hosts that fail and recover. A fault due at a tick takes effect at its end: what
// arrives at that tick has arrived.
#include <stdlib.h>

#include "net/drive/drive.h"

void net_faults_layout(struct net_drive *drive)
{
	const uint32_t count = drive->setup->fault_count;
	struct net_faults *faults = &drive->faults;

	if (count == 0)
		return;
	faults->changes = sim_arena_take(&drive->arena, 2 * (size_t)count,
					 sizeof(*faults->changes));
	faults->cables = sim_arena_take(&drive->arena, drive->graph.links / 2,
					sizeof(*faults->cables));
	faults->hosts = sim_arena_take(&drive->arena, drive->graph.hosts, sizeof(*faults->hosts));
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

enum tr_status net_faults_open(struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	struct net_faults *faults = &drive->faults;

	for (uint32_t i = 0; i < setup->fault_count; i++) {
		const struct net_fault *fault = &setup->faults[i];
		const size_t most = fault->kind == NET_FAULT_HOST ? setup->topology->hosts
								  : setup->topology->cable_count;

		if (fault->number >= most || fault->from_ticks >= fault->to_ticks)
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
	return TR_OK;
}

static uint32_t cable_of_fault(const struct net_drive *drive, const struct net_fault *fault)
{
	return fault->kind == NET_FAULT_HOST
		       ? net_graph_peer(&drive->graph, fault->number, 0)->link / 2
		       : fault->number;
}

// Returns whether what was alive is dead.
static bool count_fault(uint32_t *dead, bool begins)
{
	*dead = begins ? *dead + 1 : *dead - 1;
	return begins && *dead == 1;
}

// Changes of a tick are counted before any has an effect, so that their order does not matter.
void net_faults_until(struct net_drive *drive, int64_t ticks)
{
	struct net_faults *faults = &drive->faults;
	const uint32_t first = faults->next;

	for (; faults->next < faults->count && faults->changes[faults->next].ticks <= ticks;
	     faults->next++) {
		const struct net_fault_change *change = &faults->changes[faults->next];
		const struct net_fault *fault = &drive->setup->faults[change->fault];
		const uint32_t cable = cable_of_fault(drive, fault);

		faults->deaths[cable] += count_fault(&faults->cables[cable], change->begins);
		if (fault->kind == NET_FAULT_HOST)
			(void)count_fault(&faults->hosts[fault->number], change->begins);
	}
	find_next(drive);
	if (faults->next > first)
		drive->last_ticks = drive->now_ticks;
	for (uint32_t i = first; i < faults->next; i++) {
		const uint32_t cable = cable_of_fault(
			drive, &drive->setup->faults[faults->changes[i].fault]);

		if (drive->rules->fault)
			drive->rules->fault(drive, cable);
	}
}
