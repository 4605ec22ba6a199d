// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/run.h"

#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/params.h"
#include "value/ticks.h"

#define LEAST_WORM_CHARACTERS 2u

static enum tr_status run_whole(const struct myr_run *run, size_t cable, const char *what,
				bool fits, struct num_ratio seconds, int64_t *ticks)
{
	struct tr_error why;

	if (!fits)
		return tr_fail(run->net.err, "the %s of cable %zu is out of range", what, cable);
	if (tr_ticks_exact(seconds, run->times.ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(run->net.err, "cable %zu: %s", cable, why.text);
	return TR_OK;
}

enum tr_status myr_way_times(const struct myr_run *run, size_t number, struct myr_way *way)
{
	const struct net_cable *cable = &run->net.setup->topology->cables[number];
	const struct myr_link_params *link = &run->params->link;
	struct num_ratio seconds = {0, 1};
	bool fits = myr_cable_delay(link, cable, &seconds);

	if (run_whole(run, number, "delay", fits, seconds, &way->delay_ticks) != TR_OK)
		return TR_ERROR;
	fits = myr_cable_character(link, cable, &seconds);
	if (run_whole(run, number, "character time", fits, seconds, &way->character_ticks) !=
		    TR_OK ||
	    run_whole(run, number, "conversion", true,
		      myr_cable_conversion(&run->params->crossbar, cable),
		      &way->conversion_ticks) != TR_OK)
		return TR_ERROR;
	if (way->delay_ticks < 1 || way->character_ticks < 1)
		return tr_fail(run->net.err, "the %s of cable %zu is below one tick",
			       way->delay_ticks < 1 ? "delay" : "character time", number);
	if (way->delay_ticks / way->character_ticks > INT32_MAX / 4 ||
	    way->character_ticks > INT32_MAX / 2)
		return tr_fail(run->net.err, "cable %zu holds too many characters", number);
	if (run->times.beat_ticks > 0 &&
	    run->times.beat_ticks <= way->delay_ticks + 4 * way->character_ticks)
		return tr_fail(run->net.err,
			       "a BEAT on cable %zu is to go before the one before it "
			       "has come",
			       number);
	return TR_OK;
}

// Upper bound of the characters under way on all links at once, of both kinds.
static enum tr_status count_flying(const struct myr_run *run, uint64_t *flying)
{
	*flying = 0;
	for (size_t i = 0; i < run->net.setup->topology->cable_count; i++) {
		struct myr_way way;

		if (myr_way_times(run, i, &way) != TR_OK)
			return TR_ERROR;
		*flying += 2 * ((uint64_t)(way.delay_ticks / way.character_ticks) + 2);
	}
	return TR_OK;
}

// Upper bound of live worms: in queues, in adapter memory, in slack buffers and on links.
static uint64_t most_worms(const struct myr_run *run, uint64_t flying)
{
	const struct net_topology *topology = run->net.setup->topology;
	const struct myr_adapter_params *adapter = &run->params->adapter;
	const uint64_t at_host = adapter->queue_worms + adapter->sram_B / (adapter->header_B + 1);
	const uint64_t characters = 2 * (uint64_t)topology->cable_count * run->times.slack_size +
				    flying;
	const uint64_t copies = myr_multicast_is_on(&run->params->multicast) ? topology->hosts : 1;
	const uint64_t outside = run->net.setup->finite_sources		? NET_WORMS_MOST
				 : adapter->when_full == MYR_FULL_WAITS ? adapter->waiting_worms
									: 0;

	return copies * (topology->hosts * at_host + outside + characters / LEAST_WORM_CHARACTERS) +
	       myr_layer_worms(run) + 1;
}

static void run_layout(void *context)
{
	struct myr_run *run = context;
	struct sim_arena *arena = &run->net.arena;
	const uint32_t links = run->net.graph.links, hosts = run->net.graph.hosts,
		       worms = run->net.pool.capacity;

	run->clock.first_host = run->medium->components * links +
				run->medium->host_components * hosts;
	run->clock.first_timer = run->clock.first_host + hosts;
	if (run->net.setup->ranks)
		sim_calendar_layout_nodes(&run->clock.calendar, arena, run->clock.first_timer);
	else
		sim_calendar_layout(&run->clock.calendar, arena,
				    run->clock.first_timer +
					    (run->times.timeout_ticks > 0 ? links : 0),
				    run->times.character_ticks / MYR_CROWD, run->net.start_ticks);
	myr_layer_layout(run);
	myr_multicast_layout(run);
	run->lives = sim_arena_take(arena, worms, sizeof(*run->lives));
	run->removal.dooms = sim_arena_take(arena, worms, sizeof(*run->removal.dooms));
	run->removal.doomed = sim_arena_take(arena, worms, sizeof(*run->removal.doomed));
	run->hosts = sim_arena_fill(arena, hosts, sizeof(*run->hosts));
	run->active = sim_arena_take(arena, hosts, sizeof(*run->active));
	run->ways = sim_arena_fill(arena, links, sizeof(*run->ways));
	run->still.beats = run->times.beat_ticks > 0
				   ? sim_arena_take(arena, links, sizeof(*run->still.beats))
				   : NULL;
	run->order = sim_arena_fill(arena, run->net.graph.first[run->net.graph.nodes],
				    sizeof(*run->order));
	run->noises = sim_arena_take(arena, run->params->loss.bit_errors.num != 0 ? links : 0,
				     sizeof(*run->noises));
	run->medium->layout(run);
}

static void run_make_hosts(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->net.graph.hosts; i++)
		if (net_drive_moves(&run->net, i))
			run->hosts[i] = (struct myr_host){.sending = NET_NO_WORM,
							  .asking = NET_NO_WORM,
							  .came = NET_NO_WORM,
							  .given_back_ticks = run->net.start_ticks -
									      1,
							  .silent_ticks = INT64_MIN};
}

// Those of other ranks are checked.
static enum tr_status run_make_switches(struct myr_run *run)
{
	const struct net_graph *graph = &run->net.graph;
	uint16_t elsewhere[NET_PORTS_MAX];

	for (uint32_t node = graph->hosts; node < graph->nodes; node++)
		if (myr_order_make(net_drive_moves(&run->net, node)
					   ? run->order + graph->first[node]
					   : elsewhere,
				   net_topology_ports(run->net.setup->topology, node),
				   run->params->crossbar.order, run->net.err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Whether the buffer at the link's end can hold everything that comes after a STOP is due. A BEAT
// and a RESET may precede the STOP.
static enum tr_status check_slack(const struct myr_run *run, uint32_t link,
				  const struct myr_way *way)
{
	const bool paced = myr_run_is_host(run, way->from) &&
			   run->params->adapter.out_buffer_B == 0 &&
			   run->times.flit_ticks > way->character_ticks;
	const int64_t spacing = paced ? run->times.flit_ticks : way->character_ticks;
	const int64_t others = (run->times.beat_ticks > 0) +
			       (run->times.timeout_ticks > 0 &&
				run->params->loss.timeout_from == MYR_TIMEOUT_SILENT);
	const int64_t need = myr_slack_need((1 + others) * way->character_ticks + 1,
					    way->delay_ticks, spacing);
	const int64_t room = run->times.slack_size - run->times.stop_line;
	char name[NET_LINK_NAME_MAX];

	if (need <= room)
		return TR_OK;
	net_link_name(run->net.setup->topology, link, name, sizeof(name));
	return tr_fail(run->net.err,
		       "the slack buffer of link %s has room for %lld characters above "
		       "its STOP line, and %lld can come after a STOP is due",
		       name, (long long)room, (long long)need);
}

// The times of all cables are checked, also of those that other ranks have.
static enum tr_status run_make_links(struct myr_run *run)
{
	const struct net_graph *graph = &run->net.graph;
	uint32_t here = 0;

	for (uint32_t i = 0; i < net_drive_links(&run->net); i++) {
		const struct net_cable *cable = &run->net.setup->topology->cables[i / 2];
		struct myr_way way = {.from = cable->ends[i % 2].node,
				      .to = cable->ends[1 - i % 2].node,
				      .to_port = cable->ends[1 - i % 2].port};
		if (myr_way_times(run, i / 2, &way) != TR_OK || check_slack(run, i, &way) != TR_OK)
			return TR_ERROR;
		if (here == graph->links || net_graph_link(graph, here) != i)
			continue;
		run->ways[here] = way;
		if (run->still.beats)
			run->still.beats[here] = (struct myr_beat){
				.heard_ticks = run->net.start_ticks,
				.hears_ticks = run->net.start_ticks,
				.lost_ticks = -1};
		if (myr_run_is_host(run, way.from) && net_drive_moves(&run->net, way.from))
			run->hosts[way.from].out = here;
		if (myr_run_is_host(run, way.to) && net_drive_moves(&run->net, way.to))
			run->hosts[way.to].in = here;
		here++;
	}
	return TR_OK;
}

static enum tr_status run_make(void *context)
{
	struct myr_run *run = context;

	run->ages.oldest = run->ages.youngest = NET_NO_WORM;
	run->still.calm_ticks = INT64_MIN;
	run->still.beat_ticks = run->times.beat_ticks > 0
					? run->net.start_ticks + run->times.beat_ticks
					: SIM_NEVER;
	if (run->net.setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->net.setup->shuffle, "order");
	for (uint32_t i = 0; run->params->loss.bit_errors.num != 0 && i < run->net.graph.links; i++)
		myr_noise_open(run, i);
	run_make_hosts(run);
	if (run->net.setup->ranks)
		myr_make_idle(run);
	if (run_make_switches(run) != TR_OK || run_make_links(run) != TR_OK)
		return TR_ERROR;
	run->medium->open(run);
	return TR_OK;
}

// ---- a tick

static void look_at_timers(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->clock.calendar.taken_count; i++) {
		const uint32_t component = run->clock.calendar.taken[i];

		if (component >= run->clock.first_timer &&
		    sim_calendar_is_due(&run->clock.calendar, component))
			myr_timer(run, component - run->clock.first_timer);
	}
}

// Whether nothing is due in this tick, which an idle interval ends, or later: by the samples alone,
// since one engine may know earlier than another that nothing can happen. The GAP after a delivered
// worm may still be under way.
static bool run_rests(const struct myr_run *run)
{
	const struct net_drive *net = &run->net;

	return net->samples.silent_ticks != INT64_MAX &&
	       net->samples.begin_ticks == net->now_ticks && !run->still.waits &&
	       net->pool.alive == 0 && run->clock.calendar.pending == run->clock.timers &&
	       run->clock.calendar.taken_count == 0 && run->still.beat_ticks > net->now_ticks &&
	       net->faults.next_ticks > net->now_ticks && net->intake.due_ticks > net->now_ticks &&
	       !net->intake.told;
}

static void run_arrive(void *context)
{
	struct myr_run *run = context;

	run->net.totals->events++;
	sim_calendar_take(&run->clock.calendar, run->net.now_ticks);
	if (run->net.samples.links) {
		run->still.rests = run_rests(run);
		run->still.calm_ticks = INT64_MIN;
	}
	if (run->net.now_ticks == run->still.beat_ticks)
		myr_beats(run);
	run->moving = true;
	run->medium->move(run);
	if (run->active_count > 0)
		myr_hosts_receive(run);
	if (run->waiting > 0)
		myr_hosts_fill(run);
}

static void run_send(struct myr_run *run)
{
	if (run->active_count > 0)
		myr_hosts_send(run);
	if (run->times.timeout_ticks > 0) {
		myr_timeouts(run);
		look_at_timers(run);
	}
}

static void run_settle(struct myr_run *run)
{
	if (run->removal.doom_count > 0)
		myr_removals(run);
	run->medium->settle(run);
	run->moving = false;
}

static void run_move(void *context)
{
	struct myr_run *run = context;

	run_send(run);
	if (run->net.faults.next_ticks <= run->net.now_ticks)
		net_faults_until(&run->net, run->net.now_ticks);
	run_settle(run);
}

// ---- time

// When BEATs are sent, a fault begins or ends, or an interval of samples ends, which do not keep
// the run going; or it is cut.
static int64_t outside_ticks(const struct myr_run *run)
{
	const struct net_samples *samples = &run->net.samples;
	int64_t next = myr_earlier(run->net.stop_ticks,
				   myr_earlier(run->still.beat_ticks, run->net.faults.next_ticks));

	if (samples->links && !run->still.rests)
		next = myr_earlier(next,
				   samples->begin_ticks + run->net.setup->sampling.width_ticks);
	return next;
}

// The calendar's next event; timers alone belong to worms that have ended.
static int64_t next_due(struct myr_run *run)
{
	if (run->net.pool.alive == 0 && run->clock.calendar.pending == run->clock.timers &&
	    !net_drive_expects(&run->net))
		return SIM_NEVER;
	return sim_calendar_next(&run->clock.calendar);
}

// The next tick where one of these may be first. Links are not looked at beyond the last tick of a
// run that has enough.
static int64_t next_outside(struct myr_run *run, int64_t own_ticks)
{
	int64_t other;

	run->still.calm_ticks = outside_ticks(run);
	other = run->net.enough ? myr_earlier(run->still.calm_ticks, run->net.now_ticks + 1)
				: run->still.calm_ticks;
	if (own_ticks < other)
		return own_ticks;
	return myr_goes_on(run, other) ? myr_earlier(own_ticks, other) : SIM_NEVER;
}

static int64_t run_next_ticks(void *context)
{
	struct myr_run *run = context;
	const int64_t lost = run->removal.doom_count > 0 ? run->net.now_ticks + 1
							 : myr_timeout_next(run);
	const int64_t own = myr_earlier(next_due(run), lost);

	return own < run->still.calm_ticks ? own : next_outside(run, own);
}

// ---- samples and the end

static bool run_sample(void *context, uint32_t link, int64_t ticks, struct tr_link *out)
{
	struct myr_run *run = context;
	struct myr_look look;

	if (link == 0)
		run->still.waits = false;
	if (ticks <= run->net.start_ticks)
		return true;
	run->medium->look(run, link, ticks - 1, true, &look);
	*out = look.sample;
	run->still.waits = run->still.waits || look.waits;
	return true;
}

// Sends the waiting BEATs of links before the tick.
static void run_drain(struct myr_run *run, int64_t ticks)
{
	while (run->net.status == TR_OK && run->clock.calendar.pending > run->clock.timers &&
	       sim_calendar_next(&run->clock.calendar) < ticks) {
		run->net.now_ticks = sim_calendar_next(&run->clock.calendar);
		run_arrive(run);
		run_send(run);
		run_settle(run);
	}
}

// The last interval is given by itself, and whole unless it is cut: BEATs go on.
static void run_sample_last(struct myr_run *run, bool was_cut, int64_t end_ticks)
{
	struct net_samples *samples = &run->net.samples;
	const int64_t stop_ticks = run->net.enough ? run->net.now_ticks + 1 : run->net.stop_ticks;
	int64_t last_ticks = end_ticks;

	if (!samples->links)
		return;
	net_samples_until(&run->net, end_ticks);
	net_samples_close(&run->net, samples->begin_ticks, true);
	if (!was_cut && samples->begin_ticks <= end_ticks)
		last_ticks = myr_earlier(
			samples->begin_ticks + run->net.setup->sampling.width_ticks, stop_ticks);
	if (!was_cut)
		run_drain(run, last_ticks);
	net_samples_close(&run->net, last_ticks, true);
}

static void run_close(void *context, bool was_cut)
{
	struct myr_run *run = context;
	struct net_totals *totals = run->net.totals;
	int64_t end_ticks = run->net.now_ticks;

	run->still.beat_ticks = SIM_NEVER;
	if (run->net.enough && !was_cut) {
		end_ticks++;
		was_cut = myr_goes_on(run, end_ticks);
	}
	if (!was_cut)
		end_ticks = run->net.last_ticks;
	run_sample_last(run, was_cut, end_ticks);
	if (!was_cut)
		run_drain(run, SIM_NEVER);
	run->net.now_ticks = end_ticks;
	myr_count_characters(run, was_cut ? end_ticks - 1 : SIM_NEVER - 1);
	for (uint32_t i = 0; totals->deadlocked && i < run->net.graph.hosts; i++)
		totals->full_hosts += net_drive_moves(&run->net, i) &&
				      run->hosts[i].asking != NET_NO_WORM;
	if (totals->deadlocked && !run->net.setup->ranks)
		myr_find_cycle(run);
	myr_layer_end(run);
}

// ---- a run

static const struct net_rules rules = {.name = "myrinet",
				       .linked = true,
				       .routed = true,
				       .regions = &myr_regions,
				       .layout = run_layout,
				       .open = run_make,
				       .fits = myr_entry_fits,
				       .enter = myr_entry,
				       .arrive = run_arrive,
				       .move = run_move,
				       .next_ticks = run_next_ticks,
				       .sample = run_sample,
				       .fault = myr_fault,
				       .die = myr_die,
				       .close = run_close,
				       .state = myr_state,
				       .state_at_rest = true,
				       .peaks = 1u << MYR_SLACK_PEAK};

// How many worms are under way at most; TR_ERROR where the setup is invalid.
static enum tr_status run_size(const struct myr_run *run, uint64_t *worms)
{
	const struct net_setup *setup = run->net.setup;
	const uint64_t links = 2 * setup->topology->cable_count, hosts = setup->topology->hosts;
	const uint64_t components = (run->medium->components + 1) * links +
				    (run->medium->host_components + 1) * hosts;
	uint64_t flying;

	if (run->params->layer.managed && run->params->layer.manager >= hosts)
		return tr_fail(run->net.err, "manager: the network has no host %llu",
			       (unsigned long long)run->params->layer.manager);
	if (myr_multicast_is_on(&run->params->multicast) && setup->fault_count > 0)
		return tr_fail(run->net.err, "multicast: not with faults");
	if (myr_multicast_is_on(&run->params->multicast) && setup->finite_sources)
		return tr_fail(run->net.err, "multicast: not with source=finite, whose packets "
					     "leave one by one; with source=open they enter "
					     "together");
	if (run->params->multicast.by_switch &&
	    net_routes_need_one(setup->routes, "multicast-by=switch needs", run->net.err) != TR_OK)
		return TR_ERROR;
	if (count_flying(run, &flying) != TR_OK)
		return TR_ERROR;
	*worms = most_worms(run, flying);
	*worms = *worms < NET_NO_WORM ? *worms : NET_NO_WORM - 1; // memory bounds them below that
	return components <= UINT32_MAX / 8
		       ? TR_OK
		       : tr_fail(run->net.err, "the network is too large: %llu links",
				 (unsigned long long)links);
}

enum tr_status myr_run(const struct net_setup *setup, const struct myr_medium *medium,
		       struct net_totals *totals, struct tr_error *err)
{
	struct myr_run run = {
		.net = {.setup = setup, .err = err}, .params = setup->params, .medium = medium};
	uint64_t worms = 0;

	*totals = (struct net_totals){0};
	if (myr_times_make(&run.times, run.params, setup->ticks_per_s, err) != TR_OK ||
	    run_size(&run, &worms) != TR_OK)
		return TR_ERROR;
	return net_drive(&run, setup, &rules, worms, totals, err);
}
