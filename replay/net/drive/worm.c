// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/worm.h"

#include "net/engine.h"

void net_worm_pool_layout(struct net_worm_pool *pool, struct sim_arena *arena, uint32_t capacity,
			  uint32_t longest)
{
	*pool = (struct net_worm_pool){.capacity = capacity, .longest = longest};
	pool->worms = sim_arena_grow(arena, capacity, sizeof(*pool->worms));
	pool->ports = sim_arena_grow(arena, (size_t)capacity * longest, sizeof(*pool->ports));
}

const struct net_worm net_worm_none = {.created_ticks = -1,
				       .started_ticks = -1,
				       .injected_ticks = -1,
				       .head_ticks = -1,
				       .received_ticks = -1};

uint32_t net_worm_take(struct net_worm_pool *pool)
{
	uint32_t worm;

	if (pool->spare.count > 0)
		worm = net_worm_first(pool, &pool->spare);
	else if (pool->fresh < pool->capacity)
		worm = pool->fresh++;
	else
		return NET_NO_WORM;
	pool->alive++;
	pool->worms[worm] = net_worm_none;
	return worm;
}

bool net_worm_route(struct net_worm_pool *pool, uint32_t number, const struct net_routes *routes,
		    uint32_t way)
{
	struct net_worm *worm = &pool->worms[number];
	uint16_t *ports = net_worm_ports(pool, number);
	uint32_t count = net_routes_get_way(routes, worm->source, worm->destination, way, ports);

	if (count == NET_NO_ROUTE)
		return false;
	worm->route = ports;
	worm->route_count = count;
	return true;
}

void net_worm_end(struct net_worm_pool *pool, uint32_t worm)
{
	pool->alive--;
	pool->worms[worm].size_bytes = 0;
}

// In front of the others: the last one used is the one that caches still have.
void net_worm_reuse(struct net_worm_pool *pool, uint32_t worm)
{
	pool->worms[worm].next = pool->spare.first;
	pool->spare.first = worm;
	pool->spare.count++;
}

bool net_worm_set_route(struct net_worm_pool *pool, uint32_t number, const uint16_t *ports,
			uint32_t count)
{
	struct net_worm *worm = &pool->worms[number];
	uint16_t *own = net_worm_ports(pool, number);

	if (count > pool->longest)
		return false;
	for (uint32_t i = 0; i < count; i++)
		own[i] = ports[i];
	worm->route = own;
	worm->route_count = count;
	return true;
}

void net_worm_give_back(struct net_worm_pool *pool, uint32_t worm)
{
	net_worm_end(pool, worm);
	net_worm_reuse(pool, worm);
}

void net_worm_append(struct net_worm_pool *pool, struct net_worm_list *list, uint32_t worm)
{
	if (list->count++ == 0)
		list->first = worm;
	else
		pool->worms[list->last].next = worm;
	list->last = worm;
}

uint32_t net_worm_first(struct net_worm_pool *pool, struct net_worm_list *list)
{
	uint32_t worm = list->first;

	list->first = pool->worms[worm].next;
	list->count--;
	return worm;
}

void net_worm_remove(struct net_worm_pool *pool, struct net_worm_list *list, uint32_t worm)
{
	uint32_t before = list->first;

	if (before == worm) {
		net_worm_first(pool, list);
		return;
	}
	while (pool->worms[before].next != worm)
		before = pool->worms[before].next;
	pool->worms[before].next = pool->worms[worm].next;
	if (list->last == worm)
		list->last = before;
	list->count--;
}

void net_worm_delivery(const struct net_worm *worm, enum tr_delivery_status status,
		       enum tr_drop_reason reason, int64_t now_ticks, struct tr_delivery *out)
{
	*out = (struct tr_delivery){
		.packet = worm->packet,
		.created_ticks = worm->created_ticks,
		.started_ticks = worm->started_ticks,
		.injected_ticks = worm->injected_ticks,
		.head_ticks = worm->head_ticks,
		.status = (uint8_t)status,
		.reason = (uint8_t)reason,
		.hops = (uint16_t)worm->route_count,
	};
	out->packet.time_ticks = now_ticks;
}

enum tr_status net_setup_needs_no_samples(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->sampling.width_ticks != 0 || setup->watch)
		return tr_fail(err,
			       "this kind of network has no links that can be sampled or watched");
	return TR_OK;
}

enum tr_status net_setup_needs_no_links(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->fault_count != 0)
		return tr_fail(err, "this kind of network has no links that can be dead");
	return net_setup_needs_no_samples(setup, err);
}

enum tr_status net_setup_needs_lists(const struct net_setup *setup, const char *engine,
				     struct tr_error *err)
{
	if (setup->routes && setup->routes->choices)
		return tr_fail(err,
			       "the %s engine follows lists of ports, and these routes have a "
			       "choice; --fabric switched takes them",
			       engine);
	if (setup->routes && setup->routes->chooser)
		return tr_fail(err,
			       "the %s engine follows lists of ports, and packets of these routes "
			       "choose their way by what waits; --fabric lanes lets them",
			       engine);
	if (setup->routes && net_setup_lanes(setup) > 1)
		return tr_fail(
			err,
			"the %s engine has one lane on each link; these routes need %u "
			"(--fabric lanes has them; lanes=1, where the rule has it, needs one)",
			engine, net_setup_lanes(setup));
	return TR_OK;
}

uint32_t net_setup_longest(const struct net_setup *setup)
{
	uint32_t longest = setup->routes->longest;

	for (uint32_t i = 0; i < setup->reroute_count; i++)
		if (setup->reroutes[i].routes->longest > longest)
			longest = setup->reroutes[i].routes->longest;
	return longest;
}

uint32_t net_setup_lanes(const struct net_setup *setup)
{
	uint32_t lanes = setup->routes->lanes > 0 ? setup->routes->lanes : 1;

	for (uint32_t i = 0; i < setup->reroute_count; i++)
		if (setup->reroutes[i].routes->lanes > lanes)
			lanes = setup->reroutes[i].routes->lanes;
	return lanes;
}
