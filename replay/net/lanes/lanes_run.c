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
				   pipeline->arbitration + pipeline->traversal + pipeline->link +
					   params->output_speedup - 1,
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
	lanes_run_list(arena, &run->todo.picks, room->links * run->params->output_speedup);
	lanes_run_list(arena, &run->todo.sinks, room->slots);
	lanes_run_list(arena, &run->todo.touched, room->nodes);
	lanes_run_list(arena, &run->todo.retouched, room->nodes);
	lanes_run_list(arena, &run->todo.nominated, room->links * run->sizes.groups);
	lanes_run_list(arena, &run->todo.loads, room->hosts);
	run->arrived.done = sim_arena_take(arena, room->slots, sizeof(*run->arrived.done));
	lanes_choose_layout(run, arena);
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
	slots = run->sizes.first_source + run->net.graph.hosts * lanes_places(run);
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
	run->groups = sim_arena_take(arena, (size_t)run->net.graph.links * run->sizes.groups,
				     sizeof(*run->groups));
	run->links = sim_arena_fill(arena, run->net.graph.links, sizeof(*run->links));
	run->nodes = sim_arena_take(arena, run->net.graph.nodes, sizeof(*run->nodes));
	run->hosts = sim_arena_take(arena, run->net.graph.hosts, sizeof(*run->hosts));
	run->queuing.inputs = sim_arena_take(arena, run->sizes.lane_count >> run->sizes.input_shift,
					     sizeof(*run->queuing.inputs));
	run->queuing.sent = sim_arena_take(arena,
					   (size_t)run->net.graph.hosts * run->sizes.messages,
					   sizeof(*run->queuing.sent));
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

static uint32_t classes_of(const struct net_setup *setup)
{
	return setup->routes->choices ? net_choices_lanes(setup->routes->choices)
				      : net_setup_lanes(setup);
}

static enum tr_status lanes_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	const struct lanes_params *params = setup->params;
	const uint64_t needed = classes_of(setup) * params->classes;

	if (setup->contest && params->is.shared)
		return tr_fail(err, "lanes: who waits for whom is told with share=no only");
	if (setup->contest && params->output_speedup > 1)
		return tr_fail(err, "lanes: who waits for whom is told with output-speedup=1 only");
	if (needed > params->lanes)
		return tr_fail(err,
			       "the routes%s need %llu lanes, the key lanes of lanes says %llu; "
			       "--fabric lanes:lanes=%llu gives them",
			       params->classes > 1 ? " of each class of messages together" : "",
			       (unsigned long long)needed, (unsigned long long)params->lanes,
			       (unsigned long long)needed);
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
				       .open = lanes_open,
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

const struct lanes_kind lanes_kinds[] = {
	[LANES_WORMHOLE] = {.move = lanes_moves_move, .sink = lanes_sink},
	[LANES_CUT_THROUGH] = {.room = true,
			       .fits = true,
			       .move = lanes_moves_move,
			       .sink = lanes_sink},
	[LANES_STORE] = {.whole = true,
			 .room = true,
			 .fits = true,
			 .move = lanes_moves_move,
			 .sink = lanes_sink},
	[LANES_CIRCUIT] = {.move = lanes_circuit_move, .sink = lanes_circuit_sink},
};

static const struct lanes_organisation lanes_organisations[] = {
	[LANES_FIFO] = {.pass = lanes_fifo_pass},
	[LANES_VIRTUAL] = {.divided = true, .pass = lanes_match_all},
	[LANES_OUTPUT] = {.divided = true, .memory = true, .pass = lanes_match_all},
};

// The kind of the run, with its own way to move a flit.
static void lanes_run_pass_on(struct lanes_run *run, const struct net_setup *setup)
{
	run->kind = lanes_kinds[run->params->switching];
	if (run->queuing.organisation->divided) {
		run->kind.room = true;
		run->kind.move = lanes_queues_move;
	} else if (run->params->output_speedup > 1) {
		run->kind.move = lanes_sped_move;
	}
	if (setup->contest)
		lanes_contend(run);
}

// What the memory of the run depends on.
static enum tr_status lanes_run_measure(struct lanes_run *run, const struct net_setup *setup,
					struct tr_error *err)
{
	const struct lanes_params *params = run->params;
	const uint64_t links = 2 * (uint64_t)setup->topology->cable_count;

	run->queuing.organisation = &lanes_organisations[params->queues];
	lanes_run_pass_on(run, setup);
	run->sizes.lanes = (uint32_t)params->lanes;
	while (UINT32_C(1) << run->sizes.lane_shift < run->sizes.lanes)
		run->sizes.lane_shift++;
	run->sizes.input_shift = params->is.from_lane ? 0 : run->sizes.lane_shift;
	while (run->sizes.input_shift > 0 &&
	       UINT32_C(1) << (run->sizes.lane_shift - run->sizes.input_shift) <
		       params->input_speedup)
		run->sizes.input_shift--;
	run->sizes.arbiter_shift = run->sizes.lane_shift + params->is.shared;
	run->sizes.arbiter_mask = (UINT32_C(1) << run->sizes.arbiter_shift) - 1;
	run->sizes.classes = classes_of(setup);
	run->sizes.messages = (uint32_t)params->classes;
	run->sizes.groups = run->sizes.classes * run->sizes.messages;
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
		    setup->topology->hosts * params->sends * params->classes >=
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
