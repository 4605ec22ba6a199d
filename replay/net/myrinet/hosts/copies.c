// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of packets that are copies of one, and the trees along which adapters forward them, a
// chain through all hosts for a fan-out of 1, a binary tree for 2; or which their routes form, and
// in which switches copy them.
#include "net/myrinet/hosts/hosts.h"

void myr_multicast_layout(struct myr_run *run)
{
	const bool by_switch = run->params->multicast.by_switch;
	const uint32_t hosts = myr_multicast_is_on(&run->params->multicast) ? run->net.graph.hosts
									    : 0;
	struct myr_group *group = &run->group;

	group->members = sim_arena_take(&run->net.arena, hosts, sizeof(*group->members));
	group->marks = sim_arena_take(&run->net.arena, by_switch ? run->net.graph.links : 0,
				      sizeof(*group->marks));
	group->ports = sim_arena_take(&run->net.arena,
				      by_switch ? run->net.setup->routes->longest : 0,
				      sizeof(*group->ports));
}

// Whether the offer belongs to the group of the one before it.
static bool copies_continues(const struct myr_run *run, const struct net_offer *offer)
{
	const struct myr_group *group = &run->group;

	return group->count > 0 && group->count < run->net.graph.hosts &&
	       group->ticks == run->net.now_ticks && !offer->route && !group->like.route &&
	       group->like.packet.time_ticks == offer->packet.time_ticks &&
	       group->like.source == offer->source && group->like.size_bytes == offer->size_bytes;
}

// Adds the link, behind that one, to the tree of the group; false if it is in the tree behind
// another. *fresh: it was not in it.
static bool copies_mark(struct myr_run *run, uint32_t link, uint32_t before, bool *fresh)
{
	const struct myr_mark now = {run->group.number, before};
	struct myr_mark *mark = &run->group.marks[link];

	*fresh = mark->group != now.group;
	if (!*fresh && mark->before != before)
		return false;
	*mark = now;
	return true;
}

// Adds the route of the offer to the tree of the group; false if the two are not a tree that leads
// to another host.
static bool grow(struct myr_run *run)
{
	const struct net_offer *offer = &run->net.intake.offer;
	const uint16_t *ports = run->group.ports;
	const uint32_t count = net_routes_get(run->net.setup->routes, offer->source,
					      offer->destination, run->group.ports);
	uint32_t before = UINT32_MAX, link = run->hosts[offer->source].out;
	bool fresh;

	for (uint32_t hop = 0;
	     count != NET_NO_ROUTE && link != UINT32_MAX && copies_mark(run, link, before, &fresh);
	     hop++) {
		if (myr_run_is_host(run, run->ways[link].to))
			return fresh && hop == count;
		before = link;
		link = hop < count ? myr_run_port(run, run->ways[link].to, ports[hop]) : UINT32_MAX;
	}
	return false;
}

static void copies_begin(struct myr_run *run)
{
	const bool by_switch = run->params->multicast.by_switch;

	run->group.like = run->net.intake.offer;
	run->group.ticks = run->net.now_ticks;
	run->group.count = 0;
	run->group.number++;
	if (by_switch && (run->net.intake.offer.route || !grow(run)))
		run->group.ticks = INT64_MIN;
}

// The place of the offer's parent, for the next place of the group.
static uint32_t parent_place(const struct myr_run *run)
{
	if (run->params->multicast.by_switch)
		return run->group.count > 0;
	return (uint32_t)(run->group.count /
			  run->params->multicast.fan_out); // (place - 1) / fan_out
}

bool myr_multicast_has_parent(struct myr_run *run)
{
	const struct myr_multicast_params *multicast = &run->params->multicast;

	if (!myr_multicast_is_on(multicast))
		return false;
	if (!copies_continues(run, &run->net.intake.offer) || (multicast->by_switch && !grow(run)))
		copies_begin(run);
	return parent_place(run) > 0;
}

uint32_t myr_multicast_parent(const struct myr_run *run)
{
	if (!myr_multicast_is_on(&run->params->multicast) || parent_place(run) == 0)
		return NET_NO_WORM;
	return run->group.members[parent_place(run) - 1];
}

void myr_multicast_add(struct myr_run *run, uint32_t worm)
{
	if (myr_multicast_is_on(&run->params->multicast))
		run->group.members[run->group.count++] = worm;
}

// Two worms of a group exchange their packets.
static void copies_exchange(struct myr_run *run, uint32_t one, uint32_t other)
{
	struct net_worm *a = myr_run_worm(run, one), *b = myr_run_worm(run, other);
	const struct net_worm was = *a;
	uint64_t *serials = run->net.serials;
	const uint64_t serial = serials[one];

	a->packet = b->packet;
	a->destination = b->destination;
	b->packet = was.packet;
	b->destination = was.destination;
	serials[one] = serials[other];
	serials[other] = serial;
	net_worm_route(&run->net.pool, one, run->net.setup->routes, net_drive_way(&run->net, one));
	net_worm_route(&run->net.pool, other, run->net.setup->routes,
		       net_drive_way(&run->net, other));
}

void myr_multicast_attach(struct myr_run *run, uint32_t worm, uint32_t copy)
{
	if (run->params->multicast.by_switch &&
	    myr_run_worm(run, copy)->route_count > myr_run_worm(run, worm)->route_count)
		copies_exchange(run, worm, copy);
	net_worm_append(&run->net.pool, &run->lives[worm].copies, copy);
}

// The copy leaves the worm, which has brought it here, and is a worm from now on.
static void copies_part(struct myr_run *run, uint32_t number, uint32_t copy)
{
	const struct net_worm *worm = myr_run_worm(run, number);
	struct net_worm *branch = myr_run_worm(run, copy);

	branch->created_ticks = worm->created_ticks;
	branch->started_ticks = worm->started_ticks;
	branch->injected_ticks = worm->injected_ticks;
	run->lives[copy].place = MYR_AT_NETWORK;
	run->lives[copy].hops = run->lives[number].hops;
	run->net.totals->own[MYR_COPIES]++;
}

uint32_t myr_multicast_split(struct myr_run *run, uint32_t worm, uint32_t hop)
{
	struct net_worm_list copies = run->lives[worm].copies;
	uint32_t first = NET_NO_WORM;

	run->lives[worm].copies = (struct net_worm_list){0};
	while (copies.count > 0) {
		const uint32_t copy = net_worm_first(&run->net.pool, &copies);
		const uint16_t port = myr_run_worm(run, copy)->route[hop];
		uint32_t branch = worm;

		while (branch != NET_NO_WORM && myr_run_worm(run, branch)->route[hop] != port)
			branch = branch == worm ? first : run->lives[branch].sibling;
		if (branch != NET_NO_WORM) {
			myr_multicast_attach(run, branch, copy);
			continue;
		}
		copies_part(run, worm, copy);
		run->lives[copy].sibling = first;
		first = copy;
	}
	return first;
}

void myr_multicast_drop(struct myr_run *run, uint32_t worm)
{
	struct net_worm_list lost = {0};

	net_worm_append(&run->net.pool, &lost, worm);
	while (lost.count > 0) {
		const uint32_t next = net_worm_first(&run->net.pool, &lost);
		struct net_worm_list *copies = &run->lives[next].copies;

		while (copies->count > 0)
			net_worm_append(&run->net.pool, &lost,
					net_worm_first(&run->net.pool, copies));
		myr_outcome_dropped(run, next, TR_DROP_QUEUE);
	}
}
