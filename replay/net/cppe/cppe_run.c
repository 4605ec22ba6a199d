// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/cppe/technique.h"

// Takes the next message of this tick, in the order of hosts.
static uint32_t take_fresh(struct cppe_fresh *fresh, struct net_worm_pool *pool, uint32_t *word)
{
	struct net_worm_list *list;
	uint32_t host;

	while (fresh->hosts[*word] == 0)
		(*word)++;
	host = *word * 64 + (uint32_t)__builtin_ctzll(fresh->hosts[*word]);
	list = &fresh->lists[host];
	fresh->count--;
	if (list->count == 1)
		fresh->hosts[*word] &= fresh->hosts[*word] - 1;
	return net_worm_first(pool, list);
}

static void enter(void *network, struct net_run *run, uint32_t number)
{
	struct cppe_fresh *fresh = &((struct cppe_run *)network)->fresh;
	struct net_worm *worm = &run->pool.worms[number];

	worm->started_ticks = run->now_ticks;
	fresh->hosts[worm->source / 64] |= UINT64_C(1) << worm->source % 64;
	fresh->count++;
	net_worm_append(&run->pool, &fresh->lists[worm->source], number);
}

static void start(struct cppe_run *cppe, struct net_run *run, uint32_t number)
{
	const struct net_worm *worm = &run->pool.worms[number];
	const int64_t local_ticks = run->now_ticks + cppe->times.local_ticks;
	char fault[NET_LINK_NAME_MAX];

	if (worm->source == worm->destination)
		net_run_send(run, number, local_ticks, local_ticks);
	else if (net_path_follow(&cppe->path, &cppe->graph, worm->source, worm->destination, worm->route, worm->route_count))
		cppe->technique->start(cppe, run, number);
	else
		net_run_fail(run, "from host %u to host %u: %s", worm->source, worm->destination,
			     net_path_fault_text(&cppe->path, &cppe->graph, fault, sizeof(fault)));
}

static void begin(void *network, struct net_run *run)
{
	struct cppe_run *cppe = network;
	uint32_t word = 0;

	while (cppe->fresh.count > 0)
		start(cppe, run, take_fresh(&cppe->fresh, &run->pool, &word));
	if (cppe->technique->advance)
		cppe->technique->advance(cppe, run);
}

static int64_t next_ticks(const void *network)
{
	const struct cppe_run *cppe = network;

	return cppe->technique->next_ticks ? cppe->technique->next_ticks(cppe) : INT64_MAX;
}

static uint32_t take_left(void *network, struct net_run *run)
{
	struct cppe_run *cppe = network;
	uint32_t number;

	if (!cppe->technique->left)
		return NET_NO_WORM;
	number = cppe->technique->left(cppe, run, cppe->next_left);
	if (number != NET_NO_WORM)
		cppe->next_left = number + 1;
	return number;
}

static const struct net_rules rules = {.enter = enter,
				       .begin = begin,
				       .next_ticks = next_ticks,
				       .take_left = take_left,
				       .routed = true,
				       .too_many = "cppe: more messages under way than the key worms allows"};

static void layout(struct cppe_run *cppe)
{
	const struct net_setup *setup = cppe->setup;
	const uint32_t hosts = setup->topology->hosts;
	const uint32_t longest = setup->longest_route > setup->routes->longest ? setup->longest_route : setup->routes->longest;

	cppe->path.links = sim_arena_take(&cppe->arena, (size_t)longest + 1, sizeof(*cppe->path.links));
	cppe->fresh.lists = sim_arena_take(&cppe->arena, hosts, sizeof(*cppe->fresh.lists));
	cppe->fresh.hosts = sim_arena_take(&cppe->arena, hosts / 64 + 1, sizeof(*cppe->fresh.hosts));
	if (cppe->technique->layout)
		cppe->technique->layout(cppe);
}

static enum tr_status open(struct cppe_run *cppe, struct tr_error *err)
{
	if (cppe_times_find(&cppe->times, cppe->params, cppe->setup->ticks_per_s, err) != TR_OK ||
	    net_graph_open(&cppe->graph, cppe->setup->topology, err) != TR_OK)
		return TR_ERROR;
	layout(cppe);
	if (sim_arena_open(&cppe->arena, err) != TR_OK)
		return TR_ERROR;
	layout(cppe);
	return cppe->technique->open ? cppe->technique->open(cppe, err) : TR_OK;
}

static const struct cppe_technique *find_technique(const struct cppe_params *params)
{
	static const struct cppe_technique *const techniques[] = {
		[CPPE_PATH] = &cppe_path, [CPPE_PACKET] = &cppe_packet, [CPPE_STORE] = &cppe_store};

	return params->technique == CPPE_STORE && params->rounds ? &cppe_rounds : techniques[params->technique];
}

enum tr_status cppe_run(const struct net_setup *setup, struct net_totals *totals, struct tr_error *err)
{
	const struct cppe_params *params = setup->params;
	struct cppe_run cppe = {.technique = find_technique(params), .setup = setup, .params = params};
	enum tr_status status;

	*totals = (struct net_totals){0};
	status = net_setup_needs_lists(setup, "cppe", err);
	if (status == TR_OK)
		status = open(&cppe, err);
	if (status == TR_OK)
		status = net_run(setup, &rules, &cppe, (uint32_t)params->worms_max, totals, err);
	totals->memory_bytes += cppe.arena.size_bytes;
	sim_arena_close(&cppe.arena);
	net_graph_close(&cppe.graph);
	return status;
}
