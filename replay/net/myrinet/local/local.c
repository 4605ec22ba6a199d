// SPDX-License-Identifier: GPL-3.0-or-later
#include <assert.h>

#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/hosts/run.h"
#include "net/myrinet/local/local.h"

#define LINK_COMPONENTS 3u
#define HOST_COMPONENTS 1u

static uint32_t local_power_of_two(uint64_t at_least)
{
	uint32_t places = 1;

	while (places < at_least)
		places *= 2;
	return places;
}

// Upper bound of the characters in a link and its buffer, or waiting to be sent.
static uint32_t most_characters(const struct myr_run *run)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < run->net.setup->topology->cable_count; i++) {
		struct myr_way way;
		uint64_t flying;

		if (myr_way_times(run, i, &way) != TR_OK)
			return 0;
		flying = (uint64_t)(way.delay_ticks / way.character_ticks) + 1;
		most = flying > most ? flying : most;
	}
	return (uint32_t)(most + run->times.slack_size + 4);
}

static void local_make_link(struct myr_run *run, struct local *local, uint32_t number)
{
	const struct myr_way *way = &run->ways[number];
	const uint32_t hosts = run->net.graph.hosts;
	const bool to_host = way->to < hosts;
	struct local_link *link = &local->links[number];

	*link = (struct local_link){.sender.free_ticks = run->net.start_ticks,
				    .sender.ready_ticks = run->net.start_ticks,
				    .sender.input = LOCAL_NONE,
				    .sender.worm = NET_NO_WORM,
				    .sender.first_asker = LOCAL_NONE,
				    .sender.character_ticks = (uint32_t)way->character_ticks,
				    .sender.delay_ticks = (uint32_t)way->delay_ticks,
				    .sender.publishes = true,
				    .buffer.runs = link->runs,
				    .buffer.worms = link->worms,
				    .buffer.run_places = LOCAL_FEW,
				    .buffer.worm_places = LOCAL_FEW,
				    .buffer.output = LOCAL_NONE,
				    .buffer.fails_ticks = SIM_NEVER,
				    .sender.converts = way->conversion_ticks > 0 &&
						       way->from >= hosts,
				    .sender.host = way->from < hosts,
				    .sender.crosses = net_drive_crosses(&run->net, number),
				    .buffer.crosses = net_drive_crosses(&run->net, number),
				    .buffer.to_host = to_host};
	if (to_host)
		return;
	link->ports.first = (uint32_t)run->net.graph.first[way->to];
	link->ports.count = (uint16_t)net_graph_ports(&run->net.graph, way->to);
	for (uint16_t i = 0; i < link->ports.count; i++)
		if (run->order[link->ports.first + i] == way->to_port)
			link->ports.rank = i;
}

static void make_sink(struct myr_run *run, struct local *local, uint32_t host)
{
	const uint32_t in = run->hosts[host].in;

	local->links[local->link_count + host] = (struct local_link){
		.sender.free_ticks = run->net.start_ticks,
		.sender.input = LOCAL_NONE,
		.sender.worm = NET_NO_WORM,
		.sender.first_asker = LOCAL_NONE,
		.sender.sink = true,
		.sender.character_ticks = (uint32_t)run->ways[in].character_ticks};
}

static void layout(struct myr_run *run)
{
	const uint32_t links = run->net.graph.links, hosts = run->net.graph.hosts;
	const uint32_t most = most_characters(run);
	const bool damage = run->params->loss.bit_errors.num != 0;
	struct sim_arena *arena = &run->net.arena;
	struct local *local = sim_arena_take(arena, 1, sizeof(*local));
	struct local made = {.link_count = links,
			     .stop = run->times.stop_line,
			     .go = run->times.go_line,
			     .gap = run->params->format.gap_after ? 0 : 1,
			     .store.far_places = most,
			     .coming_places = local_power_of_two(most - run->times.slack_size + 4),
			     .flip_places = run->net.pool.longest + 1,
			     .path_ticks = run->times.path_ticks,
			     .large = links >= LOCAL_LARGE || run->net.setup->shuffle != 0,
			     .metered = run->net.setup->sampling.width_ticks > 0,
			     .silent = run->times.timeout_ticks > 0 &&
				       run->params->loss.timeout_from == MYR_TIMEOUT_SILENT,
			     .late_tails = run->times.timeout_ticks == 0 &&
					   run->times.beat_ticks == 0 &&
					   run->net.setup->fault_count == 0 && !damage &&
					   !run->params->loss.drop_misrouted};

	made.noted = made.metered || made.silent;
	made.links = sim_arena_fill(arena, (size_t)links + hosts, sizeof(*made.links));
	made.sides = sim_arena_take(arena, (size_t)links + hosts, sizeof(*made.sides));
	made.beats = sim_arena_take(arena, links, sizeof(*made.beats));
	made.meters = sim_arena_take(arena, (size_t)links + hosts, sizeof(*made.meters));
	made.sources = sim_arena_take(arena, hosts, sizeof(*made.sources));
	made.work.moved = sim_arena_take(arena, 4 * (size_t)links, sizeof(*made.work.moved));
	made.work.touched = sim_arena_take(arena, links, sizeof(*made.work.touched));
	made.work.marked = sim_arena_take(arena, links, sizeof(*made.work.marked));
	made.work.due = sim_arena_take(arena, links, sizeof(*made.work.due));
	made.flips = sim_arena_take(
		arena, damage ? (size_t)run->net.pool.capacity * made.flip_places : 0, 1);
	if (!damage)
		made.flips = NULL;
	made.coming_ticks = sim_arena_take(arena, (size_t)links * made.coming_places,
					   sizeof(*made.coming_ticks));
	made.store.far_runs = sim_arena_take(arena, (size_t)links * most,
					     sizeof(*made.store.far_runs));
	made.store.far_worms = sim_arena_take(arena, (size_t)links * most,
					      sizeof(*made.store.far_worms));
	run->medium_state = local;
	if (local)
		*local = made;
}

static void local_make_all(struct myr_run *run)
{
	struct local *local = local_of(run);

	local->cut = run->net.cut.regions;
	for (uint32_t i = 0; i < run->net.graph.links; i++)
		local_make_link(run, local, i);
	for (uint32_t i = 0; i < run->net.graph.hosts; i++)
		if (net_drive_moves(&run->net, i))
			make_sink(run, local, i);
}

static void move(struct myr_run *run)
{
	struct local *local = local_of(run);
	struct sim_calendar *calendar = &run->clock.calendar;

	if (local->large)
		local_fetch_ahead(run);
	myr_run_shuffle(run, calendar->taken, calendar->taken_count);
	for (uint32_t i = 0; i < calendar->taken_count; i++) {
		const uint32_t component = calendar->taken[i];

		if (component >= local->link_count && component < 2 * local->link_count &&
		    sim_calendar_is_due(calendar, component))
			local_control_comes(run, component - local->link_count);
	}
	local_events(run);
}

#ifndef NDEBUG
// Invariants after each tick for every changed link.
static void local_check(const struct myr_run *run, struct local_link *link)
{
	const struct local_sender *sender = &link->sender;
	const struct local_buffer *buffer = &link->buffer;
	const uint32_t leaves = local_leaves(local_of(run), link);
	const int64_t due = sim_calendar_due(&run->clock.calendar,
					     local_index(local_of(run), link));

	assert(due > run->net.now_ticks);
	if (buffer->crosses)
		return;
	assert(!local_before(buffer->known_number, leaves));
	if (sender->on)
		assert(local_before(sender->number, sender->end_number));
	else if (sender->publishes)
		assert(buffer->known_number == sender->number);
	for (uint32_t i = 1; i < buffer->run_count; i++) {
		const struct local_run *before = &buffer->runs[i - 1], *run_i = &buffer->runs[i];

		assert(local_before(before->number, run_i->number));
		assert(before->first_ticks < run_i->first_ticks);
	}
}
#else
#define local_check(run, link) ((void)0)
#endif

// Of the buffers that moved, those whose head has come ask for their output.
static void local_ask(struct myr_run *run, struct local *local)
{
	for (uint32_t i = 0; i < local->work.moved_count; i++) {
		struct local_link *buffer = &local->links[local->work.moved[i]];

		if (local_may_ask(local, buffer) && !buffer->buffer.to_host &&
		    local_arrival(buffer, buffer->buffer.leaves_number + local->gap) <=
			    run->net.now_ticks)
			local_ask_now(run, buffer);
	}
}

// They are compared with their lines.
static void local_compare(struct myr_run *run, struct local *local)
{
	for (uint32_t i = 0; i < local->work.moved_count; i++) {
		struct local_link *buffer = &local->links[local->work.moved[i]];

		buffer->buffer.moved = false;
		if (buffer->buffer.told_stop || !local_is_below(run, buffer))
			local_compare_now(run, buffer);
	}
	local->work.moved_count = 0;
}

static void settle_local(struct myr_run *run)
{
	struct local *local = local_of(run);

	myr_run_shuffle(run, local->work.moved, local->work.moved_count);
	local_ask(run, local);
	myr_run_shuffle(run, local->work.marked, local->work.marked_count);
	if (local->work.marked_count > 0)
		local_choose(run);
	myr_run_shuffle(run, local->work.moved, local->work.moved_count);
	local_compare(run, local);
	for (uint32_t i = 0; i < local->work.due_count; i++)
		local_send_due(run, local->work.due[i]);
	local->work.due_count = 0;
	myr_run_shuffle(run, local->work.touched, local->work.touched_count);
	local_plan(run);
	for (uint32_t i = 0; i < local->work.touched_count; i++)
		local_check(run, &local->links[local->work.touched[i]]);
	local->work.touched_count = 0;
}

static struct myr_stand local_stand(const struct myr_run *run, uint32_t number)
{
	const struct local *local = local_of(run);
	const struct local_link *link = &local->links[number];
	const bool at_switch = !link->buffer.to_host && link->buffer.state != LOCAL_IDLE;
	const bool comes = link->sender.input < local->link_count && !link->sender.held;

	return (struct myr_stand){.worm = link->sender.worm,
				  .input = comes ? link->sender.input : NET_NOBODY,
				  .head = at_switch ? local_front(link)->worm : NET_NO_WORM,
				  .output = link->buffer.output,
				  .branch = NET_NO_WORM,
				  .stopped = link->sender.stopped,
				  .flows = link->buffer.state == LOCAL_JOINED};
}

// Whether the near end of a link, or a host's sink, has nothing to send.
static bool local_sender_rests(const struct myr_run *run, const struct local_sender *sender)
{
	return sender->input == LOCAL_NONE && sender->worm == NET_NO_WORM && !sender->on &&
	       !sender->stopped && !sender->held && sender->first_asker == LOCAL_NONE &&
	       sender->free_ticks <= run->net.now_ticks;
}

// Numbers go on, and what is left of runs that have arrived has no effect.
static bool local_rests(const struct myr_run *run, uint32_t number, uint32_t *pointer)
{
	const struct local *local = local_of(run);
	const struct local_link *link = &local->links[number];
	const struct local_side *side = &local->sides[number];
	const struct local_buffer *buffer = &link->buffer;
	const int64_t due = sim_calendar_due(&run->clock.calendar, number);

	*pointer = link->ports.pointer;
	if (link->buffer.to_host &&
	    !local_sender_rests(run,
				&local->links[local->link_count + run->ways[number].to].sender))
		return false;
	return local_sender_rests(run, &link->sender) && buffer->state == LOCAL_IDLE &&
	       buffer->worm_count == 0 && buffer->known_number == buffer->leaves_number &&
	       !buffer->told_stop && side->coming_count == 0 &&
	       !local_controls_wait(side, run->net.now_ticks) && !side->reset_due &&
	       !side->beat_due && !link->ports.marked &&
	       (due <= run->net.now_ticks || due == SIM_NEVER);
}

static const struct myr_medium medium = {
	.layout = layout,
	.open = local_make_all,
	.move = move,
	.settle = settle_local,
	.send = local_send,
	.admit = local_admit,
	.remove = local_remove,
	.signal = local_signal,
	.look = local_look,
	.stand = local_stand,
	.rests = local_rests,
	.layout_region = local_layout_region,
	.come = local_come,
	.unite = local_unite,
	.carries = local_carries,
	.sent = local_sent,
	.components = LINK_COMPONENTS,
	.host_components = HOST_COMPONENTS,
};

static enum tr_status supports(const struct net_setup *setup, struct tr_error *err)
{
	const struct myr_params *params = setup->params;

	if (setup->watch)
		return tr_fail(err, "the local engine shows no characters");
	if (params->adapter.out_buffer_B > 0 &&
	    (params->adapter.flit_s.num > 0 || params->adapter.route_flit_s.num > 0))
		return tr_fail(err, "the local engine has no outgoing slack buffer");
	if (params->multicast.by_switch)
		return tr_fail(err, "the local engine makes no copies in switches");
	return net_setup_needs_lists(setup, "local", err);
}

static enum tr_status run_regimes(const struct net_setup *setup, struct net_totals *totals,
				  struct tr_error *err)
{
	*totals = (struct net_totals){0};
	return supports(setup, err) == TR_OK ? myr_run(setup, &medium, totals, err) : TR_ERROR;
}

const struct net_engine myr_local = {.name = "local",
				     .summary = "computes where the flow of characters changes",
				     .supports = supports,
				     .run = run_regimes,
				     .finds_cycles = true};
