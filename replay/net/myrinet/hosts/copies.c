// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of packets that are copies of one, and the trees along which adapters forward them: a chain through all hosts for a
// fan-out of 1, a binary tree for 2.
#include "net/myrinet/hosts/hosts.h"

void myr_multicast_layout(struct myr_run *run)
{
	const uint32_t hosts = run->params->multicast.fan_out > 0 ? run->setup->topology->hosts : 0;

	run->group.members = sim_arena_take(&run->arena, hosts, sizeof(*run->group.members));
}

// Whether the offer belongs to the group of the one before it.
static bool continues(const struct myr_run *run, const struct net_offer *offer)
{
	const struct myr_group *group = &run->group;

	return group->count > 0 && group->count < run->setup->topology->hosts && group->ticks == run->now_ticks &&
	       !offer->route && !group->like.route && group->like.packet.time_ticks == offer->packet.time_ticks &&
	       group->like.source == offer->source && group->like.size_bytes == offer->size_bytes;
}

// The place of the offer's parent, for the next place of the group.
static uint32_t parent_place(const struct myr_run *run)
{
	return (uint32_t)(run->group.count / run->params->multicast.fan_out); // (place - 1) / fan_out
}

bool myr_multicast_has_parent(struct myr_run *run)
{
	const struct net_offer *offer = &run->intake.offer;

	if (run->params->multicast.fan_out == 0)
		return false;
	if (!continues(run, offer)) {
		run->group.like = *offer;
		run->group.ticks = run->now_ticks;
		run->group.count = 0;
	}
	return parent_place(run) > 0;
}

uint32_t myr_multicast_parent(const struct myr_run *run)
{
	return run->group.members[parent_place(run) - 1];
}

void myr_multicast_add(struct myr_run *run, uint32_t worm)
{
	if (run->params->multicast.fan_out > 0)
		run->group.members[run->group.count++] = worm;
}

void myr_multicast_drop(struct myr_run *run, uint32_t worm)
{
	struct net_worm_list lost = {0};

	net_worm_append(&run->pool, &lost, worm);
	while (lost.count > 0) {
		const uint32_t next = net_worm_first(&run->pool, &lost);
		struct net_worm_list *copies = &run->lives[next].copies;

		while (copies->count > 0)
			net_worm_append(&run->pool, &lost, net_worm_first(&run->pool, copies));
		myr_outcome_dropped(run, next, TR_DROP_QUEUE);
	}
}
