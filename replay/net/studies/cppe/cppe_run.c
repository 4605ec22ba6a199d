// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/studies/cppe/technique.h"

// Takes the next message of this tick, in the order of hosts.
static uint32_t take_fresh(struct cppe_fresh *fresh, struct net_worm_pool *pool)
{
	const uint32_t host = sim_marks_next(&fresh->hosts, 0);
	struct net_worm_list *list = &fresh->lists[host];

	if (list->count == 1)
		sim_marks_remove(&fresh->hosts, host);
	return net_worm_first(pool, list);
}

static void cppe_run_enter(void *context, uint32_t number)
{
	struct cppe_run *cppe = context;
	struct cppe_fresh *fresh = &cppe->fresh;
	struct net_worm *worm = &cppe->net.pool.worms[number];

	worm->started_ticks = cppe->net.now_ticks;
	sim_marks_add(&fresh->hosts, worm->source);
	net_worm_append(&cppe->net.pool, &fresh->lists[worm->source], number);
}

// A message is lost if a cable of its way is dead when it starts.
static bool is_path_dead(const struct cppe_run *cppe)
{
	for (uint32_t i = 0; i < cppe->path.count; i++)
		if (net_drive_link_is_dead(&cppe->net, cppe->path.links[i]))
			return true;
	return false;
}

static void cppe_run_start(struct cppe_run *cppe, uint32_t number)
{
	const struct net_worm *worm = &cppe->net.pool.worms[number];
	const int64_t local_ticks = cppe->net.now_ticks + cppe->times.local_ticks;
	char fault[NET_LINK_NAME_MAX];

	if (worm->source == worm->destination) {
		net_drive_left(&cppe->net, worm->source, local_ticks);
		cppe_send(cppe, number, local_ticks, local_ticks);
		return;
	}
	if (net_path_follow(&cppe->path, &cppe->net.graph, worm->source, worm->destination,
			    worm->route, worm->route_count)) {
		if (is_path_dead(cppe)) {
			net_drive_left(&cppe->net, worm->source, cppe->net.now_ticks);
			net_drive_drop(&cppe->net, number, TR_DROP_DEAD);
			return;
		}
		for (uint32_t i = 0; i < cppe->path.count; i++)
			net_drive_passes(&cppe->net, cppe->path.links[i], number);
		if (cppe_hops(cppe) == 0 || cppe->technique == &cppe_path)
			net_drive_left(&cppe->net, worm->source, cppe->net.now_ticks);
		cppe->technique->start(cppe, number);
		return;
	}
	net_drive_fail(&cppe->net, "from host %u to host %u: %s", worm->source, worm->destination,
		       net_path_fault_text(&cppe->path, &cppe->net.graph, fault, sizeof(fault)));
}

static void cppe_run_arrive(void *context)
{
	struct cppe_run *cppe = context;

	cppe->net.totals->events++;
	net_coming_deliver(&cppe->coming, &cppe->net);
}

static void cppe_run_move(void *context)
{
	struct cppe_run *cppe = context;

	while (cppe->fresh.hosts.count > 0)
		cppe_run_start(cppe, take_fresh(&cppe->fresh, &cppe->net.pool));
	if (cppe->technique->advance)
		cppe->technique->advance(cppe);
}

// The packets of a late message are discarded at their turn on a link (cppe_store_forward), and
// what is on its last one, or has booked its processors, when it has come.
static void cppe_run_expire(void *context, const uint32_t *worms, uint32_t count)
{
	(void)context;
	(void)worms;
	(void)count;
}

static int64_t cppe_run_next_ticks(void *context)
{
	const struct cppe_run *cppe = context;
	const int64_t arrival = net_coming_ticks(&cppe->coming);
	const int64_t next = cppe->technique->next_ticks ? cppe->technique->next_ticks(cppe)
							 : INT64_MAX;

	return arrival < next ? arrival : next;
}

static void cppe_run_layout(void *context)
{
	struct cppe_run *cppe = context;
	const uint32_t hosts = cppe->net.graph.hosts;
	struct sim_arena *arena = &cppe->net.arena;

	net_coming_layout(&cppe->coming, &cppe->net);
	cppe->path.links = sim_arena_take(arena, (size_t)cppe->net.pool.longest + 1,
					  sizeof(*cppe->path.links));
	cppe->fresh.lists = sim_arena_take(arena, hosts, sizeof(*cppe->fresh.lists));
	sim_marks_layout(&cppe->fresh.hosts, arena, hosts);
	if (cppe->technique->layout)
		cppe->technique->layout(cppe);
}

static enum tr_status cppe_run_make(void *context)
{
	struct cppe_run *cppe = context;

	return cppe->technique->open ? cppe->technique->open(cppe, cppe->net.err) : TR_OK;
}

static const struct net_rules rules = {.name = "cppe",
				       .linked = true,
				       .routed = true,
				       .to_itself = true,
				       .layout = cppe_run_layout,
				       .open = cppe_run_make,
				       .enter = cppe_run_enter,
				       .arrive = cppe_run_arrive,
				       .move = cppe_run_move,
				       .next_ticks = cppe_run_next_ticks,
				       .expire = cppe_run_expire};

static const struct cppe_technique *find_technique(const struct cppe_params *params)
{
	static const struct cppe_technique *const techniques[] = {
		[CPPE_PATH] = &cppe_path, [CPPE_PACKET] = &cppe_packet, [CPPE_STORE] = &cppe_store};

	return params->technique == CPPE_STORE && params->rounds ? &cppe_rounds
								 : techniques[params->technique];
}

enum tr_status cppe_run(const struct net_setup *setup, struct net_totals *totals,
			struct tr_error *err)
{
	const struct cppe_params *params = setup->params;
	struct cppe_run cppe = {.technique = find_technique(params), .params = params};

	*totals = (struct net_totals){0};
	if (net_setup_needs_no_samples(setup, err) != TR_OK ||
	    net_setup_needs_lists(setup, "cppe", err) != TR_OK ||
	    cppe_times_find(&cppe.times, params, setup->ticks_per_s, err) != TR_OK)
		return TR_ERROR;
	return net_drive(&cppe, setup, &rules, NET_WORMS_MOST, totals, err);
}
