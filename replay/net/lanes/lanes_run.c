// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/lanes/lanes_run.h"

void lanes_shuffle(struct lanes_run *run, struct lanes_list *list)
{
	if (run->net.setup->shuffle != 0)
		tr_random_shuffle(&run->shuffle, list->items, list->count);
}

static void lanes_run_list(struct sim_arena *arena, struct lanes_list *list, size_t count)
{
	list->items = sim_arena_take(arena, count, sizeof(*list->items));
	list->count = 0;
}

// Longest delay of the network, in cycles.
static uint32_t longest_delay(const struct lanes_params *params)
{
	const struct lanes_pipeline *pipeline = &params->pipeline;
	const uint64_t delays[] = {pipeline->routing + pipeline->allocation + pipeline->header,
				   pipeline->allocation + pipeline->header,
				   pipeline->arbitration + pipeline->traversal + pipeline->link,
				   pipeline->credit};
	uint64_t longest = 0;

	for (size_t i = 0; i < sizeof(delays) / sizeof(*delays); i++)
		longest = delays[i] > longest ? delays[i] : longest;
	return (uint32_t)longest;
}

// A link delivers one flit in a cycle; a buffer gives room back for as many as leave it, by one way
// each.
static void layout_due(struct lanes_run *run, struct sim_arena *arena,
		       const struct lanes_room *room)
{
	for (run->sizes.due_mask = 1; run->sizes.due_mask <= longest_delay(run->params);
	     run->sizes.due_mask *= 2)
		continue;
	run->due = sim_arena_take(arena, run->sizes.due_mask, sizeof(*run->due));
	for (uint32_t i = 0; i < run->sizes.due_mask; i++) {
		struct lanes_due spare;
		struct lanes_due *due = run->due ? &run->due[i] : &spare;

		lanes_run_list(arena, &due->flits, room->links);
		lanes_run_list(arena, &due->credits, room->slots);
		lanes_run_list(arena, &due->asks, room->slots);
		lanes_run_list(arena, &due->wakes, room->slots);
	}
	run->sizes.due_mask--;
}

void lanes_layout_lists(struct lanes_run *run, struct sim_arena *arena,
			const struct lanes_room *room)
{
	layout_due(run, arena, room);
	lanes_run_list(arena, &run->todo.moves, room->links);
	lanes_run_list(arena, &run->todo.picks, room->links);
	lanes_run_list(arena, &run->todo.sinks, room->slots);
	lanes_run_list(arena, &run->todo.touched, room->nodes);
	lanes_run_list(arena, &run->todo.retouched, room->nodes);
	lanes_run_list(arena, &run->todo.nominated, room->links * run->sizes.classes);
	lanes_run_list(arena, &run->todo.loads, room->hosts);
	run->arrived.done = sim_arena_take(arena, room->slots, sizeof(*run->arrived.done));
	run->todo.detour = sim_arena_take(arena, run->net.setup->routes->longest,
					  sizeof(*run->todo.detour));
}

static void lanes_run_layout(void *context)
{
	struct lanes_run *run = context;
	const size_t ports = run->net.graph.first[run->net.graph.nodes];
	const uint32_t worms = run->net.pool.capacity;
	struct sim_arena *arena = &run->net.arena;
	size_t standing, slots;

	run->sizes.first_source = run->sizes.lane_count;
	if (run->queuing.organisation->divided)
		lanes_queues_layout(run, arena);
	slots = run->sizes.first_source + run->net.graph.hosts * run->params->sends;
	run->sizes.slots = (uint32_t)slots;
	standing = (size_t)run->sizes.first_source * run->sizes.ring + slots -
		   run->sizes.first_source;
	run->lives = sim_arena_take(arena, worms, sizeof(*run->lives));
	run->deadlock.waits = sim_arena_take(arena, standing < worms ? standing : worms,
					     sizeof(*run->deadlock.waits));
	run->deadlock.steps = sim_arena_take(arena, 2 * slots, sizeof(*run->deadlock.steps));
	run->deadlock.path = sim_arena_take(arena, 2 * slots, sizeof(*run->deadlock.path));
	run->deadlock.stuck = sim_arena_take(arena, worms, sizeof(*run->deadlock.stuck));
	run->slots = sim_arena_fill(arena, slots, sizeof(*run->slots));
	run->asks = sim_arena_take(arena, slots, sizeof(*run->asks));
	run->arbiters = sim_arena_take(arena, run->net.graph.links, sizeof(*run->arbiters));
	run->groups = sim_arena_take(arena, (size_t)run->net.graph.links * run->sizes.classes,
				     sizeof(*run->groups));
	run->links = sim_arena_fill(arena, run->net.graph.links, sizeof(*run->links));
	run->nodes = sim_arena_take(arena, run->net.graph.nodes, sizeof(*run->nodes));
	run->hosts = sim_arena_take(arena, run->net.graph.hosts, sizeof(*run->hosts));
	run->rings = sim_arena_take(arena, (size_t)run->sizes.first_source * run->sizes.ring,
				    sizeof(*run->rings));
	run->asking = sim_arena_take(arena, slots, sizeof(*run->asking));
	run->out_of = sim_arena_take(arena, ports, sizeof(*run->out_of));
	if (run->net.setup->sampling.width_ticks != 0)
		run->meters = sim_arena_take(arena, run->net.graph.links, sizeof(*run->meters));
	lanes_layout_lists(run, arena,
			   &(struct lanes_room){.links = run->net.graph.links,
						.slots = slots,
						.nodes = run->net.graph.nodes,
						.hosts = run->net.graph.hosts});
	if (run->net.setup->fault_count != 0 || run->net.setup->timeout_ticks > 0)
		lanes_run_list(arena, &run->todo.lost, worms);
}

// The class of a lane of a link between switches: with fewer classes than lanes, these are shared
// out in runs.
static uint32_t lanes_run_class_of(const struct lanes_run *run, uint32_t lane)
{
	return lane * run->sizes.classes / run->sizes.lanes;
}

// A slot's number in the routes' choices; 0 where they have none.
static uint32_t lanes_run_find_choice(const struct lanes_run *run, uint32_t link, uint32_t lane)
{
	const struct net_choices *choices = run->net.setup->routes->choices;
	const uint32_t hosts = run->net.graph.hosts;
	const struct lanes_link *way = &run->links[link];

	if (!choices || way->to < hosts)
		return 0;
	if (way->from < hosts)
		return net_choices_host_input(way->to - hosts);
	return net_choices_input(choices, link, lanes_run_class_of(run, lane));
}

void lanes_make_slot(struct lanes_run *run, uint32_t number, uint32_t node)
{
	run->slots[number] = (struct lanes_slot){.worm = NET_NO_WORM,
						 .out = LANES_NONE,
						 .holder = LANES_NONE,
						 .room = (uint32_t)run->params->buffer_flits,
						 .node = node,
						 .turn = run->nodes[node].slots++};
}

static void lanes_run_make_link(struct lanes_run *run, uint32_t number)
{
	const struct net_cable *cable = &run->net.setup->topology->cables[number / 2];
	const struct lanes_pipeline *pipeline = &run->params->pipeline;
	struct lanes_link *link = &run->links[number];

	*link = (struct lanes_link){.from = cable->ends[number % 2].node,
				    .to = cable->ends[1 - number % 2].node,
				    .out_port = cable->ends[number % 2].port,
				    .winner = LANES_NONE,
				    .crosses = net_drive_crosses(&run->net, number),
				    .taken = INT64_MIN};
	link->accepted = run->nodes[link->to].ports - 1;
	link->delay = (uint16_t)pipeline->link;
	if (!lanes_is_host(run, link->from))
		link->delay += (uint16_t)(pipeline->arbitration + pipeline->traversal);
	run->out_of[run->nodes[link->from].first_port + link->out_port] = number;
}

static void make_arbiter(struct lanes_run *run, uint32_t number)
{
	const struct lanes_link *link =
		&run->links[lanes_link_of(run, number << run->sizes.arbiter_shift)];
	const uint64_t all = (UINT64_C(1) << run->sizes.lanes) - 1;
	const bool between = !lanes_is_host(run, link->from) && !lanes_is_host(run, link->to);
	const uint32_t slots = run->nodes[link->from].slots +
			       (run->params->is.shared ? run->nodes[link->to].slots : 0);

	run->arbiters[number] = (struct lanes_arbiter){
		.free = all,
		.last = run->queuing.organisation->divided ? slots - 1 : run->sizes.arbiter_mask,
		.used = INT64_MIN};
	for (uint32_t i = 0; i < run->sizes.classes; i++)
		run->groups[number * run->sizes.classes + i] = (struct lanes_group){
			.lanes = between ? 0 : all,
			.first = LANES_NONE,
			.turn = slots - 1,
			.given = run->sizes.lanes - 1};
	for (uint32_t i = 0; i < 1u + run->params->is.shared; i++) {
		run->links[lanes_link_of(run, number << run->sizes.arbiter_shift) + i].group =
			number * run->sizes.classes;
		run->links[lanes_link_of(run, number << run->sizes.arbiter_shift) + i].classes =
			between ? UINT32_MAX : 0;
	}
	for (uint32_t lane = 0; lane < run->sizes.lanes && between; lane++)
		run->groups[number * run->sizes.classes + lanes_run_class_of(run, lane)].lanes |=
			UINT64_C(1) << lane;
}

// Nodes, links and the buffers behind their lanes, in the order of ports at each node.
static void lanes_run_make_nodes(struct lanes_run *run)
{
	uint32_t first = 0;

	for (uint32_t node = 0; node < run->net.graph.nodes; node++) {
		run->nodes[node] = (struct lanes_node){
			.first_port = first, .ports = net_graph_ports(&run->net.graph, node)};
		for (uint32_t port = 0; port < run->nodes[node].ports; port++)
			run->out_of[first++] = NET_NOBODY;
	}
	for (uint32_t link = 0; link < run->net.graph.links; link++)
		lanes_run_make_link(run, link);
	for (uint32_t node = 0; node < run->net.graph.nodes; node++)
		for (uint32_t port = 0; port < run->nodes[node].ports; port++) {
			const uint32_t out = run->out_of[run->nodes[node].first_port + port];

			for (uint32_t lane = 0; lane < run->sizes.lanes && out != NET_NOBODY;
			     lane++) {
				lanes_make_slot(run, lanes_lane(run, out ^ 1, lane), node);
				run->asks[lanes_lane(run, out ^ 1, lane)].choice =
					lanes_run_find_choice(run, out ^ 1, lane);
				if (run->queuing.organisation->divided)
					lanes_queues_open(run, lanes_lane(run, out ^ 1, lane));
			}
		}
}

static enum tr_status lanes_run_make_sources(struct lanes_run *run)
{
	const uint32_t sends = (uint32_t)run->params->sends;

	for (uint32_t host = 0; host < run->net.graph.hosts; host++) {
		const uint32_t end = net_graph_peer(&run->net.graph, host, 0)->node;

		if (run->params->is.inside && end < run->net.graph.hosts)
			return tr_fail(run->net.err,
				       "lanes: hosts=switch: host %u has a cable to another host",
				       host);
		run->hosts[host].node = run->params->is.inside ? end : host;
		for (uint32_t i = 0; i < sends; i++) {
			const uint32_t slot = run->sizes.first_source + host * sends + i;

			lanes_make_slot(run, slot, run->hosts[host].node);
			if (run->params->is.inside && run->net.setup->routes->choices)
				run->asks[slot].choice = net_choices_host_input(
					end - run->net.graph.hosts);
		}
	}
	return TR_OK;
}

static enum tr_status lanes_run_make(void *context)
{
	struct lanes_run *run = context;
	uint32_t *asking = run->asking;

	if (run->net.setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->net.setup->shuffle, "order");
	lanes_run_make_nodes(run);
	if (lanes_run_make_sources(run) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < run->net.graph.nodes; i++) {
		run->nodes[i].asking = asking;
		asking += run->nodes[i].slots;
	}
	for (uint32_t i = 0; i < run->sizes.lane_count >> run->sizes.arbiter_shift; i++)
		make_arbiter(run, i);
	return TR_OK;
}

static uint32_t classes_of(const struct net_setup *setup)
{
	return setup->routes->choices ? net_choices_lanes(setup->routes->choices)
				      : net_setup_lanes(setup);
}

static enum tr_status lanes_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	const struct lanes_params *params = setup->params;

	if (setup->contest && params->queues != LANES_FIFO)
		return tr_fail(err, "lanes: who waits for whom is told with queues=fifo only");
	if (setup->routes->chooser && params->queues != LANES_FIFO)
		return tr_fail(err, "lanes: routes that choose by what waits need queues=fifo");
	if (classes_of(setup) > params->lanes)
		return tr_fail(err,
			       "the routes need %u lanes, the key lanes of lanes says %llu; "
			       "--fabric lanes:lanes=%u gives them",
			       classes_of(setup), (unsigned long long)params->lanes,
			       classes_of(setup));
	return TR_OK;
}

int64_t lanes_cycle_of(const struct lanes_run *run, int64_t ticks)
{
	const int64_t past = ticks % run->clock.cycle_ticks;

	return (ticks - past) / run->clock.cycle_ticks - (past < 0);
}

// The first cycle that begins at or after ticks.
static int64_t cycle_from(const struct lanes_run *run, int64_t ticks)
{
	return ticks / run->clock.cycle_ticks + (ticks % run->clock.cycle_ticks > 0);
}

// Whether something arrives, or asks, in so many cycles.
static bool lanes_run_is_due(const struct lanes_run *run, uint32_t cycles)
{
	const struct lanes_due *due = lanes_due_in(run, cycles);

	return due->flits.count + due->credits.count + due->asks.count + due->wakes.count > 0;
}

// Whether something happens in the next cycle.
static bool works(const struct lanes_run *run)
{
	return run->todo.moves.count + run->todo.sinks.count + run->todo.touched.count +
		       run->arrived.done_count + run->todo.loads.count >
	       0;
}

// Whether packets are under way, and nothing will happen by itself.
static bool rests(const struct lanes_run *run)
{
	if (run->net.pool.alive == 0 ||
	    run->todo.sinks.count + run->arrived.done_count + run->todo.loads.count > 0)
		return false;
	for (uint32_t i = 1; i <= run->sizes.due_mask; i++)
		if (lanes_run_is_due(run, i))
			return false;
	for (uint32_t i = 0; i < run->todo.moves.count; i++)
		if (run->arbiters[run->todo.moves.items[i]].ready != 0)
			return false;
	return !lanes_can_give(run);
}

// Whether deadlocks are looked for at the end of this cycle though the network does not rest.
static bool is_search(struct lanes_run *run)
{
	const int64_t each = (int64_t)run->params->search;
	const bool found = run->clock.cycle == run->clock.search;

	if (run->clock.cycle >= run->clock.search)
		run->clock.search = (run->clock.cycle / each +
				     (run->clock.cycle >= 0 || run->clock.cycle % each == 0)) *
				    each;
	return found;
}

// At the end of a cycle. A deadlock that would end the run ends by timeouts where there are some.
static void look_for_deadlocks(struct lanes_run *run)
{
	bool search, broken = true;

	if (run->net.timeouts.ages && !run->params->is.eject)
		return;
	search = is_search(run);
	while (broken && run->net.status == TR_OK) {
		const bool all = rests(run);

		broken = (all || search) && lanes_stand(run, all);
	}
}

static void lanes_tick_arrive(void *context)
{
	struct lanes_run *run = context;

	run->net.totals->events++;
	run->clock.begins = run->net.now_ticks % run->clock.cycle_ticks == 0;
	if (!run->clock.begins)
		return;
	run->clock.cycle = run->net.now_ticks / run->clock.cycle_ticks;
	lanes_arrive(run);
	if (run->params->is.quick)
		lanes_sink_all(run);
	lanes_lose_all(run);
	if (run->arrived.done_count > 0)
		lanes_deliver_all(run);
}

// Packets enter at any time, and all else happens at the start of a cycle.
static void lanes_tick_move(void *context)
{
	struct lanes_run *run = context;

	if (!run->clock.begins)
		return;
	lanes_load_all(run);
	if (!run->params->is.quick)
		lanes_sink_all(run);
	lanes_ask_all(run);
	lanes_lose_all(run);
	if (run->net.status != TR_OK)
		return;
	run->queuing.organisation->pass(run);
	lanes_lose_all(run);
	if (run->net.cut.region)
		run->net.totals->events += run->todo.moves.count;
	else
		look_for_deadlocks(run);
	if (run->meters)
		lanes_meter_all(run);
}

// The next cycle in which something happens but for packets that enter; INT64_MAX: none.
static int64_t next_cycle(const struct lanes_run *run)
{
	const int64_t next = cycle_from(run, run->net.now_ticks + 1);

	if (works(run))
		return next;
	for (uint32_t i = 1; i <= run->sizes.due_mask + 1; i++)
		if (lanes_run_is_due(run, i) ||
		    (run->clock.cycle + i == run->clock.search && run->net.pool.alive > 0))
			return run->clock.cycle + i;
	return INT64_MAX;
}

static int64_t lanes_run_next_ticks(void *context)
{
	const struct lanes_run *run = context;
	const int64_t cycle = next_cycle(run);

	return cycle == INT64_MAX ? cycle : cycle * run->clock.cycle_ticks;
}

static const struct net_rules rules = {.name = "lanes",
				       .linked = true,
				       .routed = true,
				       .regions = &lanes_regions,
				       .layout = lanes_run_layout,
				       .open = lanes_run_make,
				       .enter = lanes_enter,
				       .arrive = lanes_tick_arrive,
				       .move = lanes_tick_move,
				       .next_ticks = lanes_run_next_ticks,
				       .sample = lanes_sample,
				       .fault = lanes_fault,
				       .die = lanes_die,
				       .expire = lanes_expire,
				       .end = lanes_end,
				       .state = lanes_state};

// Slots of a lane at most.
static uint64_t lanes_run_slots_of(const struct lanes_run *run, const struct net_topology *topology)
{
	uint64_t ports = 0;

	for (size_t i = 0; run->queuing.organisation->divided && i < 2 * topology->cable_count; i++)
		if (topology->cables[i / 2].ends[i % 2].port >= ports)
			ports = topology->cables[i / 2].ends[i % 2].port + UINT64_C(1);
	return run->queuing.organisation->divided ? ports + 2 : 1;
}

// What the memory of the run depends on.
static enum tr_status lanes_run_measure(struct lanes_run *run, const struct net_setup *setup,
					struct tr_error *err)
{
	const struct lanes_params *params = run->params;
	const uint64_t links = 2 * (uint64_t)setup->topology->cable_count;

	run->queuing.organisation = &lanes_organisations[params->queues];
	run->kind = run->queuing.organisation->divided ? &lanes_divided_kinds[params->switching]
						       : &lanes_kinds[params->switching];
	if (setup->contest)
		lanes_contend(run);
	run->sizes.lanes = (uint32_t)params->lanes;
	while (UINT32_C(1) << run->sizes.lane_shift < run->sizes.lanes)
		run->sizes.lane_shift++;
	run->sizes.arbiter_shift = run->sizes.lane_shift + params->is.shared;
	run->sizes.arbiter_mask = (UINT32_C(1) << run->sizes.arbiter_shift) - 1;
	run->sizes.classes = classes_of(setup);
	run->queuing.empty = params->is.empty ||
			     (params->switching == LANES_WORMHOLE && setup->routes->choices &&
			      net_choices_empty_needed(setup->routes->choices));
	run->sizes.ring = run->queuing.empty ? 1 : (uint32_t)params->buffer_flits;
	run->sizes.ask_cycles = (uint32_t)params->pipeline.routing;
	if (run->queuing.organisation->divided) {
		run->sizes.ring++;
		run->sizes.ask_cycles += (uint32_t)(params->pipeline.allocation +
						    params->pipeline.header - 1);
	}
	if ((links << run->sizes.lane_shift) * lanes_run_slots_of(run, setup->topology) +
		    setup->topology->hosts * params->sends >=
	    UINT32_MAX / 2)
		return tr_fail(err, "lanes: the network has too many lanes");
	run->sizes.lane_count = (uint32_t)links << run->sizes.lane_shift;
	return lanes_cycle_ticks(params, setup->ticks_per_s, &run->clock.cycle_ticks, err);
}

static enum tr_status run_lanes(const struct net_setup *setup, struct net_totals *totals,
				struct tr_error *err)
{
	struct lanes_run run = {.params = setup->params, .clock.search = INT64_MIN};

	*totals = (struct net_totals){0};
	if (lanes_run_supports(setup, err) != TR_OK || lanes_run_measure(&run, setup, err) != TR_OK)
		return TR_ERROR;
	return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
}

const struct net_engine lanes_engine = {.name = "lanes",
					.summary = "moves each flit by itself",
					.supports = lanes_run_supports,
					.run = run_lanes,
					.finds_cycles = true,
					.tells_contest = true,
					.tells_choices = true};
