// SPDX-License-Identifier: GPL-3.0-or-later
// Networks with lanes in regions (net/drive/regions.c). Of a link between two, the near end has the
// arbiter and what is known of the room behind each lane, the far end the buffers: flits and
// credits, which are due some cycles after they were sent, are told to the other end.
//
// What looks at the whole network in a cycle keeps it whole: the search for deadlocks, where the
// rule of the routes does not exclude them, circuits, samples, and packets that choose by what
// waits everywhere; so does room that is seen at once.
#include "net/lanes/lanes_run.h"

enum lanes_crossing { LANES_CROSSING_FLIT, LANES_CROSSING_CREDIT };

static bool lanes_allow_regions(const void *context)
{
	const struct lanes_run *run = context;
	const struct lanes_params *params = run->params;
	const struct net_chooser *chooser = run->net.setup->routes->chooser;

	return params->queues == LANES_FIFO && params->output_speedup == 1 &&
	       params->switching != LANES_CIRCUIT && !params->is.direct && !params->is.shared &&
	       run->net.setup->sampling.width_ticks == 0 && !run->net.setup->routes->choices &&
	       run->net.setup->routes->acyclic && !(chooser && chooser->everywhere);
}

static int64_t lanes_ahead_ticks(const void *context, uint32_t number)
{
	const struct lanes_run *run = context;
	const struct net_cable *cable = &run->net.setup->topology->cables[number];
	const struct lanes_pipeline *pipeline = &run->params->pipeline;
	uint64_t cycles = pipeline->link;

	if (!lanes_is_host(run, cable->ends[0].node) && !lanes_is_host(run, cable->ends[1].node))
		cycles += pipeline->arbitration + pipeline->traversal;
	if (pipeline->credit < cycles)
		cycles = pipeline->credit;
	return (int64_t)cycles * run->clock.cycle_ticks;
}

// Each of its nodes has a link that ends there.
static void lanes_layout_region(void *context, struct sim_arena *arena, uint32_t links)
{
	struct lanes_run *run = context;
	const size_t lanes = (size_t)links << run->sizes.lane_shift;

	run->kind.move = lanes_cut_move;
	lanes_layout_lists(run, arena,
			   &(struct lanes_room){.links = links,
						.slots = lanes + links * lanes_places(run),
						.nodes = links,
						.hosts = links});
}

// ---- what is told

void lanes_cross_flit(struct lanes_run *run, uint32_t lane, bool header, uint32_t worm)
{
	const uint32_t link = lanes_link_of(run, lane);

	net_drive_cross(&run->net, &(struct net_crossing){.ticks = run->net.now_ticks +
								   run->links[link].delay *
									   run->clock.cycle_ticks,
							  .link = link,
							  .worm = worm,
							  .what = LANES_CROSSING_FLIT,
							  .number = 2 * lane + header});
}

void lanes_cross_credit(struct lanes_run *run, uint32_t lane)
{
	net_drive_cross(&run->net,
			&(struct net_crossing){.ticks = run->net.now_ticks +
							(int64_t)run->params->pipeline.credit *
								run->clock.cycle_ticks,
					       .link = lanes_link_of(run, lane) ^ 1,
					       .what = LANES_CROSSING_CREDIT,
					       .number = lane});
}

// A region that was idle goes through no cycle that is past.
static void lanes_come(void *context, const struct net_crossing *crossing)
{
	struct lanes_run *run = context;
	const int64_t cycle = crossing->ticks / run->clock.cycle_ticks;
	const int64_t past_ticks = net_drive_past_ticks(&run->net);
	struct lanes_due *due = &run->due[(uint32_t)cycle & run->sizes.due_mask];

	if (past_ticks > run->net.now_ticks) {
		run->net.now_ticks = past_ticks;
		run->clock.cycle = lanes_cycle_of(run, past_ticks);
	}
	if (crossing->what == LANES_CROSSING_CREDIT) {
		lanes_add(&due->credits, crossing->number);
		return;
	}
	if (crossing->number % 2 != 0)
		lanes_stand_behind(run, crossing->number / 2, crossing->worm);
	lanes_add(&due->flits, crossing->number);
}

// ---- one network again

static void lanes_append(struct lanes_list *list, const struct lanes_list *more)
{
	for (uint32_t i = 0; i < more->count; i++)
		lanes_add(list, more->items[i]);
}

static void lanes_unite(void *whole, void *of_region)
{
	struct lanes_run *run = whole, *region = of_region;

	run->clock.cycle = lanes_cycle_of(run, run->net.now_ticks);
	for (uint32_t i = 0; i <= run->sizes.due_mask; i++) {
		lanes_append(&run->due[i].flits, &region->due[i].flits);
		lanes_append(&run->due[i].credits, &region->due[i].credits);
		lanes_append(&run->due[i].asks, &region->due[i].asks);
		lanes_append(&run->due[i].wakes, &region->due[i].wakes);
	}
	lanes_append(&run->todo.moves, &region->todo.moves);
	lanes_append(&run->todo.sinks, &region->todo.sinks);
	lanes_append(&run->todo.touched, &region->todo.touched);
	lanes_append(&run->todo.loads, &region->todo.loads);
	for (uint32_t i = 0; i < region->arrived.done_count; i++)
		run->arrived.done[run->arrived.done_count++] = region->arrived.done[i];
}

const struct net_region_rules lanes_regions = {
	.run_bytes = sizeof(struct lanes_run),
	.ahead_ticks = lanes_ahead_ticks,
	.allows = lanes_allow_regions,
	.layout = lanes_layout_region,
	.come = lanes_come,
	.unite = lanes_unite,
	.ends_apart = true,
	.busy_events = 200, // flits
};
