// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/switched/switched_local.h"
#include "value/num.h"

#define LOCAL_BUFFER_MOST (1u << 24)
#define SLOTS_MOST (1u << 20) // of the wheel

void switched_shuffle(struct switched_run *run, struct switched_list *list)
{
	if (run->net.setup->shuffle != 0)
		tr_random_shuffle(&run->shuffle, list->items, list->count);
}

// Sets the cycle, and how many slots the wheel has.
static enum tr_status switched_run_find_cycle(struct switched_run *run,
					      const struct net_setup *setup, uint32_t *slots,
					      struct tr_error *err)
{
	const struct net_topology *topology = setup->topology;
	int64_t longest = 1;

	run->clock.cycle_ticks = 0;
	for (size_t i = 0; i < topology->cable_count; i++) {
		int64_t ticks;

		if (switched_byte_ticks(run->params, &topology->cables[i], setup->ticks_per_s,
					&ticks, err) != TR_OK)
			return TR_ERROR;
		run->clock.cycle_ticks = (int64_t)num_gcd(run->clock.cycle_ticks, ticks);
		longest = ticks > longest ? ticks : longest;
	}
	if (run->clock.cycle_ticks == 0)
		run->clock.cycle_ticks = 1;
	if (longest / run->clock.cycle_ticks >= SLOTS_MOST)
		return tr_fail(err,
			       "a byte on the slowest cable takes %lld cycles of the common clock "
			       "of all rates; at most %u",
			       (long long)(longest / run->clock.cycle_ticks), SLOTS_MOST - 1);
	for (*slots = 1; *slots <= longest / run->clock.cycle_ticks; *slots *= 2)
		continue;
	return TR_OK;
}

static void *switched_run_list(struct sim_arena *arena, struct switched_list *list, size_t count)
{
	list->items = sim_arena_take(arena, count, sizeof(*list->items));
	list->count = 0;
	return list->items;
}

static void switched_run_layout_lists(struct switched_run *run, size_t channels)
{
	const size_t switches = run->net.setup->topology->switches;
	struct sim_arena *arena = &run->net.arena;

	switched_run_list(arena, &run->todo.ended, run->net.graph.links);
	switched_run_list(arena, &run->todo.tries, run->net.graph.links);
	switched_run_list(arena, &run->todo.looks, channels);
	switched_run_list(arena, &run->todo.nominated, channels);
	switched_run_list(arena, &run->todo.fills, switches);
	switched_run_list(arena, &run->todo.touched, switches);
	switched_run_list(arena, &run->todo.retouched, switches);
	if (run->net.setup->sampling.width_ticks != 0) {
		run->meters = sim_arena_take(arena, run->net.graph.links, sizeof(*run->meters));
		switched_run_list(arena, &run->todo.marked, run->net.graph.links);
	}
}

static void switched_run_layout(void *context)
{
	struct switched_run *run = context;
	const struct net_topology *topology = run->net.setup->topology;
	const size_t channels = (size_t)run->net.graph.links * run->lanes;
	const uint32_t worms = run->net.pool.capacity;
	struct sim_arena *arena = &run->net.arena;
	size_t slots = 0;

	for (uint32_t i = 0; i < topology->switches; i++)
		slots += topology->ports[i] * run->lanes;
	run->lives = sim_arena_take(arena, worms, sizeof(*run->lives));
	run->hosts = sim_arena_fill(arena, run->net.graph.hosts, sizeof(*run->hosts));
	run->cables.home = sim_arena_take(arena, run->net.graph.hosts, sizeof(*run->cables.home));
	run->arrived.whole = sim_arena_take(arena, run->net.graph.hosts,
					    sizeof(*run->arrived.whole));
	sim_marks_layout(&run->arrived.hosts, arena, run->net.graph.hosts);
	run->links = sim_arena_fill(arena, run->net.graph.links, sizeof(*run->links));
	run->outputs = sim_arena_fill(arena, channels, sizeof(*run->outputs));
	run->inputs = sim_arena_fill(arena, channels, sizeof(*run->inputs));
	run->rings = sim_arena_take(arena, channels * (run->params->buffer_B + 1),
				    sizeof(*run->rings));
	run->switches = sim_arena_fill(arena, topology->switches, sizeof(*run->switches));
	run->cables.out_of = sim_arena_take(arena, slots / run->lanes, sizeof(*run->cables.out_of));
	run->cables.in_of = sim_arena_fill(arena, slots, sizeof(*run->cables.in_of));
	run->waits = sim_arena_take(arena, slots + topology->switches * run->params->pool_B,
				    sizeof(*run->waits));
	run->flight.wheel = sim_arena_take(arena, (size_t)run->flight.wheel_mask + 1,
					   sizeof(*run->flight.wheel));
	switched_run_layout_lists(run, channels);
	if (run->net.setup->cycles.found)
		run->steps = sim_arena_take(arena, 2 * (size_t)run->net.graph.links + 2,
					    sizeof(*run->steps));
	if (run->net.setup->fault_count != 0 || run->net.setup->timeout_ticks > 0)
		switched_run_list(arena, &run->todo.lost, worms);
	if (run->medium->layout)
		run->medium->layout(run);
}

static void switched_run_make_switches(struct switched_run *run)
{
	const struct net_topology *topology = run->net.setup->topology;
	uint32_t *asking = run->waits;
	uint32_t first = 0;

	for (uint32_t i = 0; i < topology->switches; i++) {
		const uint32_t ports = topology->ports[i];

		run->switches[i] = (struct switched_switch){.asking = asking,
							    .slots = ports * run->lanes,
							    .first_slot = first * run->lanes,
							    .first_port = first};
		asking += ports * run->lanes + run->params->pool_B;
		for (uint32_t port = 0; port < ports; port++) {
			const struct net_peer *peer = net_graph_peer(
				&run->net.graph, run->net.graph.hosts + i, port);

			run->cables.out_of[first + port] = peer->node == NET_NOBODY ? NET_NOBODY
										    : peer->link;
			for (uint32_t lane = 0; lane < run->lanes; lane++)
				run->cables.in_of[(first + port) * run->lanes + lane] =
					peer->node == NET_NOBODY
						? NET_NOBODY
						: (peer->link ^ 1) * run->lanes + lane;
		}
		first += ports;
	}
}

// The number of an input in the routes' choices; 0 where they have none.
static uint32_t switched_run_find_choice(const struct switched_run *run, uint32_t link,
					 uint32_t lane)
{
	const struct net_choices *choices = run->net.setup->routes->choices;
	const uint32_t hosts = run->net.graph.hosts;

	if (!choices || run->links[link].to < hosts)
		return 0;
	if (run->links[link].from < hosts)
		return net_choices_host_input(run->links[link].to - hosts);
	return net_choices_input(choices, link, lane);
}

static void switched_run_make_lanes(struct switched_run *run, uint32_t link, uint32_t to_port)
{
	const uint32_t to = run->links[link].to, from = run->links[link].from;

	for (uint32_t lane = 0; lane < run->lanes; lane++) {
		const size_t channel = (size_t)link * run->lanes + lane;

		run->inputs[channel] = (struct switched_input){
			.ring = run->rings + channel * (run->params->buffer_B + 1),
			.at = to < run->net.graph.hosts ? NET_NOBODY : to - run->net.graph.hosts,
			.slot = to_port * run->lanes + lane,
			.wanted = UINT32_MAX,
			.choice = switched_run_find_choice(run, link, lane),
		};
		run->outputs[channel] = (struct switched_output){.worm = NET_NO_WORM,
								 .nominee = NET_NO_WORM};
		if (from >= run->net.graph.hosts)
			run->outputs[channel].turn =
				run->switches[from - run->net.graph.hosts].slots - 1;
	}
}

static enum tr_status switched_run_make_links(struct switched_run *run)
{
	const struct net_topology *topology = run->net.setup->topology;

	for (uint32_t i = 0; i < run->net.graph.links; i++) {
		const struct net_cable *cable = &topology->cables[i / 2];
		struct switched_link *link = &run->links[i];
		int64_t ticks;

		if (switched_byte_ticks(run->params, cable, run->net.setup->ticks_per_s, &ticks,
					run->net.err) != TR_OK)
			return TR_ERROR;
		*link = (struct switched_link){.byte_cycles = ticks / run->clock.cycle_ticks,
					       .from = cable->ends[i % 2].node,
					       .to = cable->ends[1 - i % 2].node};
		switched_run_make_lanes(run, i, cable->ends[1 - i % 2].port);
		if (link->from < run->net.graph.hosts)
			run->hosts[link->from].out = i;
	}
	return TR_OK;
}

static void switched_run_make_hosts(struct switched_run *run)
{
	for (uint32_t i = 0; i < run->net.graph.hosts; i++) {
		const uint32_t node = net_graph_peer(&run->net.graph, i, 0)->node;

		run->cables.home[i] = node < run->net.graph.hosts ? NET_NOBODY
								  : node - run->net.graph.hosts;
	}
}

static enum tr_status switched_run_supports(const struct net_setup *setup, struct tr_error *err)
{
	if (setup->routes->chooser)
		return tr_fail(err, "packets of these routes choose their way by what waits, which "
				    "switched networks do not have; --fabric lanes lets them");
	if (net_setup_lanes(setup) > 1)
		return tr_fail(err,
			       "the routes need %u lanes, and links of switched networks have one",
			       net_setup_lanes(setup));
	return TR_OK;
}

static enum tr_status switched_run_make(void *context)
{
	struct switched_run *run = context;

	for (uint32_t i = 0; i <= run->flight.wheel_mask; i++)
		run->flight.wheel[i] = NET_NOBODY;
	run->grant = switched_granted(run->params, run->net.setup->routes);
	if (run->net.setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->net.setup->shuffle, "order");
	switched_run_make_switches(run);
	switched_run_make_hosts(run);
	if (switched_run_make_links(run) != TR_OK)
		return TR_ERROR;
	if (run->medium->open)
		run->medium->open(run);
	return TR_OK;
}

int64_t switched_cycle_of(const struct switched_run *run, int64_t ticks)
{
	const int64_t past = ticks % run->clock.cycle_ticks;

	return (ticks - past) / run->clock.cycle_ticks - (past < 0);
}

static void switched_tick_arrive(void *context)
{
	struct switched_run *run = context;

	run->net.totals->events++;
	run->moves = run->net.now_ticks % run->clock.cycle_ticks == 0;
	if (!run->moves)
		return;
	run->clock.cycle = switched_cycle_of(run, run->net.now_ticks);
	run->medium->arrive(run);
	if (run->arrived.hosts.count > 0)
		switched_deliver_all(run);
}

static void switched_tick_move(void *context)
{
	struct switched_run *run = context;

	if (run->todo.lost.count > 0)
		switched_lose_all(run);
	if (!run->moves)
		return;
	switched_look_all(run);
	switched_grant_all(run);
	run->medium->start(run);
	if (run->meters)
		switched_meter_all(run);
}

static int64_t switched_run_next_ticks(void *context)
{
	struct switched_run *run = context;
	const bool waits = run->todo.tries.count + run->todo.touched.count + run->todo.looks.count +
				   run->todo.fills.count >
			   0;
	const int64_t cycle = waits ? switched_cycle_of(run, run->net.now_ticks) + 1
				    : run->medium->next_arrival(run);

	return cycle == INT64_MAX ? cycle : cycle * run->clock.cycle_ticks;
}

static void count_under_way(void *context, bool was_cut)
{
	struct switched_run *run = context;

	// Whole intervals first: the medium finishes to the end of the run.
	if (was_cut && run->net.samples.links)
		net_samples_until(&run->net, run->net.now_ticks);
	if (run->medium->finish)
		run->medium->finish(run, switched_cycle_of(run, run->net.now_ticks - was_cut));
	if (run->net.totals->deadlocked && run->steps)
		switched_report_cycle(run);
}

static const struct net_rules rules = {.name = "switched",
				       .linked = true,
				       .routed = true,
				       .layout = switched_run_layout,
				       .open = switched_run_make,
				       .enter = switched_enter,
				       .arrive = switched_tick_arrive,
				       .move = switched_tick_move,
				       .next_ticks = switched_run_next_ticks,
				       .sample = switched_sample,
				       .fault = switched_fault,
				       .die = switched_die,
				       .expire = switched_expire,
				       .end = switched_end,
				       .close = count_under_way,
				       .state = switched_put_state,
				       .state_at_rest = true};

static enum tr_status switched_run_medium(const struct net_setup *setup,
					  const struct switched_medium *medium,
					  struct net_totals *totals, struct tr_error *err)
{
	struct switched_run run = {.medium = medium, .params = setup->params, .lanes = 1};
	uint32_t wheel = 1;

	*totals = (struct net_totals){0};
	if (switched_run_supports(setup, err) != TR_OK ||
	    switched_run_find_cycle(&run, setup, &wheel, err) != TR_OK)
		return TR_ERROR;
	run.flight.wheel_mask = wheel - 1;
	return net_drive(&run, setup, &rules, NET_WORMS_MOST, totals, err);
}

static enum tr_status switched_run_reference(const struct net_setup *setup,
					     struct net_totals *totals, struct tr_error *err)
{
	return switched_run_medium(setup, &switched_bytes, totals, err);
}

const struct net_engine switched_reference = {.name = "reference",
					      .summary = "moves all worms in every tick",
					      .supports = switched_run_supports,
					      .run = switched_run_reference,
					      .finds_cycles = true,
					      .tells_contest = true};

static enum tr_status local_supports(const struct net_setup *setup, struct tr_error *err)
{
	const struct switched_params *params = setup->params;

	if (params->pool_B > 0)
		return tr_fail(err, "the local engine has no pool: several inputs fill it at once; "
				    "the engine reference has");
	if (params->buffer_B > LOCAL_BUFFER_MOST)
		return tr_fail(err,
			       "the local engine has buffers of at most %u bytes; the engine "
			       "reference has larger ones",
			       LOCAL_BUFFER_MOST);
	return switched_run_supports(setup, err);
}

static enum tr_status run_local(const struct net_setup *setup, struct net_totals *totals,
				struct tr_error *err)
{
	*totals = (struct net_totals){0};
	return local_supports(setup, err) == TR_OK
		       ? switched_run_medium(setup, &switched_local_medium, totals, err)
		       : TR_ERROR;
}

const struct net_engine switched_local = {
	.name = "local",
	.summary = "wakes only the switches where something changes",
	.supports = local_supports,
	.run = run_local,
	.finds_cycles = true,
	.tells_contest = true};
