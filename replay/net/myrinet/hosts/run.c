// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/run.h"

#include "net/myrinet/hosts/hosts.h"
#include "net/myrinet/params.h"
#include "value/ticks.h"

#define LEAST_WORM_CHARACTERS 2u

static enum tr_status run_whole(const struct myr_run *run, size_t cable, const char *what, bool fits, struct num_ratio seconds,
				int64_t *ticks)
{
	struct tr_error why;

	if (!fits)
		return tr_fail(run->err, "the %s of cable %zu is out of range", what, cable);
	if (tr_ticks_exact(seconds, run->times.ticks_per_s, ticks, &why) != TR_OK)
		return tr_fail(run->err, "cable %zu: %s", cable, why.text);
	return TR_OK;
}

enum tr_status myr_way_times(const struct myr_run *run, size_t number, struct myr_way *way)
{
	const struct net_cable *cable = &run->setup->topology->cables[number];
	const struct myr_link_params *link = &run->params->link;
	struct num_ratio seconds = {0, 1};
	bool fits = myr_cable_delay(link, cable, &seconds);

	if (run_whole(run, number, "delay", fits, seconds, &way->delay_ticks) != TR_OK)
		return TR_ERROR;
	fits = myr_cable_character(link, cable, &seconds);
	if (run_whole(run, number, "character time", fits, seconds, &way->character_ticks) != TR_OK ||
	    run_whole(run, number, "conversion", true, myr_cable_conversion(&run->params->crossbar, cable),
		      &way->conversion_ticks) != TR_OK)
		return TR_ERROR;
	if (way->delay_ticks < 1 || way->character_ticks < 1)
		return tr_fail(run->err, "the %s of cable %zu is below one tick",
			       way->delay_ticks < 1 ? "delay" : "character time", number);
	if (way->delay_ticks / way->character_ticks > INT32_MAX / 4 || way->character_ticks > INT32_MAX / 2)
		return tr_fail(run->err, "cable %zu holds too many characters", number);
	if (run->times.beat_ticks > 0 && run->times.beat_ticks <= way->delay_ticks + 4 * way->character_ticks)
		return tr_fail(run->err,
			       "a BEAT on cable %zu is to go before the one before it "
			       "has come",
			       number);
	return TR_OK;
}

// Upper bound of the characters under way on all links at once, of both kinds.
static enum tr_status count_flying(const struct myr_run *run, uint64_t *flying)
{
	*flying = 0;
	for (size_t i = 0; i < run->setup->topology->cable_count; i++) {
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
	const struct myr_adapter_params *adapter = &run->params->adapter;
	const uint64_t at_host = adapter->queue_worms + adapter->sram_B / (adapter->header_B + 1);
	const uint64_t characters = (uint64_t)run->link_count * run->times.slack_size + flying;
	const uint64_t copies = myr_multicast_is_on(&run->params->multicast) ? run->setup->topology->hosts : 1;
	const uint64_t outside = adapter->when_full == MYR_FULL_WAITS ? adapter->waiting_worms : 0;

	return copies * (run->setup->topology->hosts * at_host + outside + characters / LEAST_WORM_CHARACTERS) +
	       myr_layer_worms(run) + 1;
}

static void run_layout(struct myr_run *run, uint32_t worms, int64_t start_ticks)
{
	const struct net_setup *setup = run->setup;
	const struct net_topology *topology = setup->topology;
	struct sim_arena *arena = &run->arena;
	const uint32_t links = run->link_count;

	run->first_host = run->medium->components * links + run->medium->host_components * topology->hosts;
	run->first_timer = run->first_host + topology->hosts;
	sim_calendar_layout(&run->calendar, arena, run->first_timer + (run->times.timeout_ticks > 0 ? links : 0),
			    run->times.character_ticks, start_ticks);
	net_worm_pool_layout(&run->pool, arena, worms,
			     setup->longest_route > setup->routes->longest ? setup->longest_route : setup->routes->longest);
	net_intake_layout(&run->intake, arena);
	myr_layer_layout(run);
	myr_multicast_layout(run);
	run->lives = sim_arena_take(arena, worms, sizeof(*run->lives));
	run->dooms = sim_arena_take(arena, worms, sizeof(*run->dooms));
	run->doomed = sim_arena_take(arena, worms, sizeof(*run->doomed));
	run->hosts = sim_arena_take(arena, topology->hosts, sizeof(*run->hosts));
	run->active = sim_arena_take(arena, topology->hosts, sizeof(*run->active));
	run->ways = sim_arena_take(arena, links, sizeof(*run->ways));
	run->out_of = sim_arena_take(arena, run->port_count, sizeof(*run->out_of));
	run->first_port = sim_arena_take(arena, topology->switches, sizeof(*run->first_port));
	run->faults = sim_arena_take(arena, 2 * (size_t)setup->fault_count, sizeof(*run->faults));
	run->order = sim_arena_take(arena, run->port_count, sizeof(*run->order));
	run->noises = sim_arena_take(arena, run->params->loss.bit_errors.num != 0 ? links : 0, sizeof(*run->noises));
}

static void run_make_hosts(struct myr_run *run, int64_t start_ticks)
{
	for (uint32_t i = 0; i < run->setup->topology->hosts; i++)
		run->hosts[i] = (struct myr_host){.sending = NET_NO_WORM,
						  .asking = NET_NO_WORM,
						  .came = NET_NO_WORM,
						  .given_back_ticks = start_ticks - 1,
						  .silent_ticks = INT64_MIN};
}

static enum tr_status run_make_switches(struct myr_run *run)
{
	const struct net_topology *topology = run->setup->topology;
	uint32_t first = 0;

	for (uint32_t i = 0; i < topology->switches; i++) {
		run->first_port[i] = first;
		if (myr_order_make(run->order + first, topology->ports[i], run->params->crossbar.order, run->err) != TR_OK)
			return TR_ERROR;
		first += topology->ports[i];
	}
	for (uint32_t i = 0; i < run->port_count; i++)
		run->out_of[i] = UINT32_MAX;
	return TR_OK;
}

// Whether the buffer at the link's end can hold everything that comes after a STOP is due. A BEAT and a RESET may precede the
// STOP.
static enum tr_status check_slack(const struct myr_run *run, uint32_t link)
{
	const struct myr_way *way = &run->ways[link];
	const bool paced = myr_run_is_host(run, way->from) && run->params->adapter.out_buffer_B == 0 &&
			   run->times.flit_ticks > way->character_ticks;
	const int64_t spacing = paced ? run->times.flit_ticks : way->character_ticks;
	const int64_t others = (run->times.beat_ticks > 0) +
			       (run->times.timeout_ticks > 0 && run->params->loss.timeout_from == MYR_TIMEOUT_SILENT);
	const int64_t need = myr_slack_need((1 + others) * way->character_ticks + 1, way->delay_ticks, spacing);
	const int64_t room = run->times.slack_size - run->times.stop_line;
	char name[NET_LINK_NAME_MAX];

	if (need <= room)
		return TR_OK;
	net_link_name(run->setup->topology, link, name, sizeof(name));
	return tr_fail(run->err,
		       "the slack buffer of link %s has room for %lld characters above "
		       "its STOP line, and %lld can come after a STOP is due",
		       name, (long long)room, (long long)need);
}

static enum tr_status run_make_links(struct myr_run *run, int64_t start_ticks)
{
	const uint32_t hosts = run->setup->topology->hosts;

	for (uint32_t i = 0; i < run->link_count; i++) {
		const struct net_cable *cable = &run->setup->topology->cables[i / 2];
		struct myr_way *way = &run->ways[i];

		*way = (struct myr_way){.from = cable->ends[i % 2].node,
					.from_port = cable->ends[i % 2].port,
					.to = cable->ends[1 - i % 2].node,
					.to_port = cable->ends[1 - i % 2].port,
					.heard_ticks = start_ticks,
					.hears_ticks = start_ticks,
					.lost_ticks = -1};
		if (myr_way_times(run, i / 2, way) != TR_OK || check_slack(run, i) != TR_OK)
			return TR_ERROR;
		if (way->from < hosts)
			run->hosts[way->from].out = i;
		else
			run->out_of[run->first_port[way->from - hosts] + way->from_port] = i;
		if (way->to < hosts)
			run->hosts[way->to].in = i;
	}
	return TR_OK;
}

static void run_start(struct myr_run *run, int64_t start_ticks)
{
	run->now_ticks = start_ticks;
	run->last_ticks = start_ticks;
	run->oldest = run->youngest = NET_NO_WORM;
	run->stalled = UINT32_MAX;
	run->retry_ticks = SIM_NEVER;
	run->beat_ticks = run->times.beat_ticks > 0 ? start_ticks + run->times.beat_ticks : SIM_NEVER;
	if (run->setup->shuffle != 0)
		tr_random_open(&run->shuffle, run->setup->shuffle, "order");
	for (uint32_t i = 0; run->params->loss.bit_errors.num != 0 && i < run->link_count; i++)
		myr_noise_open(run, i);
}

// Applies faults that began, or began and ended, before the first packet.
static void have_faults(struct myr_run *run, int64_t start_ticks)
{
	run->now_ticks = start_ticks - 1;
	myr_faults(run);
	run->now_ticks = start_ticks;
	run->last_ticks = start_ticks;
}

// Builds the network of run->setup, params and times, all idle, in its own memory; the clock starts at start_ticks. TR_ERROR
// where the setup is invalid or memory ends. The arena must be closed in any case.
static enum tr_status run_open_run(struct myr_run *run, int64_t start_ticks)
{
	const struct net_topology *topology = run->setup->topology;
	uint64_t components;
	uint64_t flying;
	uint64_t worms;

	if (run->params->layer.managed && run->params->layer.manager >= topology->hosts)
		return tr_fail(run->err, "manager: the network has no host %llu",
			       (unsigned long long)run->params->layer.manager);
	if (myr_multicast_is_on(&run->params->multicast) && run->setup->fault_count > 0)
		return tr_fail(run->err, "multicast: not with faults");
	if (net_topology_check(topology, run->err) != TR_OK || count_flying(run, &flying) != TR_OK)
		return TR_ERROR;
	run->link_count = (uint32_t)(2 * topology->cable_count);
	for (uint32_t i = 0; i < topology->switches; i++)
		run->port_count += topology->ports[i];
	components = (run->medium->components + UINT64_C(1)) * run->link_count +
		     (run->medium->host_components + UINT64_C(1)) * topology->hosts;
	worms = most_worms(run, flying);
	if (components > UINT32_MAX / 8 || worms >= NET_NO_WORM)
		return tr_fail(run->err, "the network is too large: %llu links, %llu worms at most",
			       (unsigned long long)run->link_count, (unsigned long long)worms);
	run->now_ticks = start_ticks;
	run_layout(run, (uint32_t)worms, start_ticks);
	run->medium->layout(run);
	if (sim_arena_open(&run->arena, run->err) != TR_OK)
		return TR_ERROR;
	run_layout(run, (uint32_t)worms, start_ticks);
	run_make_hosts(run, start_ticks);
	if (run_make_switches(run) != TR_OK || run_make_links(run, start_ticks) != TR_OK || myr_faults_open(run) != TR_OK)
		return TR_ERROR;
	run->medium->layout(run);
	run_start(run, start_ticks);
	have_faults(run, start_ticks);
	return TR_OK;
}

// Recomputes the next scheduled sample, BEAT or fault, whether there are worms or not.
static void find_outside(struct myr_run *run)
{
	run->outside_ticks = myr_earlier(myr_earlier(run->beat_ticks, myr_faults_next(run)), myr_sampling_next(run));
}

// Whether anything but samples, BEATs and faults can still happen at the tick or later. Nothing is due before it. If nothing
// can, all characters have arrived.
static bool run_goes_on(struct myr_run *run, int64_t ticks)
{
	int64_t last = run->last_ticks;

	if (run->doom_count > 0 || myr_entry_next(run) != SIM_NEVER)
		return true;
	if (run->pool.alive > 0 && (run->timers > 0 || myr_timeout_next(run) != SIM_NEVER || myr_faults_next(run) != SIM_NEVER))
		return true;
	for (uint32_t i = run->first_host; i < run->first_timer; i++)
		if (sim_calendar_due(&run->calendar, i) != SIM_NEVER)
			return true;
	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, ticks - 1, false, &look);
		if (look.moves)
			return true;
		last = myr_later(last, look.last_ticks);
	}
	run->last_ticks = last;
	return false;
}

// Host events wake their hosts; link timers are handled later.
static void wake_hosts(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->calendar.taken_count; i++) {
		const uint32_t component = run->calendar.taken[i];

		if (component >= run->first_host && component < run->first_timer &&
		    sim_calendar_is_due(&run->calendar, component))
			myr_host_wake(run, component - run->first_host);
	}
}

static void look_at_timers(struct myr_run *run)
{
	for (uint32_t i = 0; i < run->calendar.taken_count; i++) {
		const uint32_t component = run->calendar.taken[i];

		if (component >= run->first_timer && sim_calendar_is_due(&run->calendar, component))
			myr_timer(run, component - run->first_timer);
	}
}

static void tick(struct myr_run *run, int64_t ticks)
{
	bool outside;

	run->now_ticks = ticks;
	run->entered = false;
	sim_calendar_take(&run->calendar, ticks);
	if (run->sampling_rests) {
		myr_sampling_wake(run, ticks);
		find_outside(run);
	}
	outside = run->outside_ticks == ticks;
	if (outside) {
		myr_sampling(run);
		myr_beats(run);
		find_outside(run);
	}
	wake_hosts(run);
	run->moving = true;
	run->medium->move(run);
	if (run->active_count > 0)
		myr_hosts_receive(run);
	if (myr_entry_next(run) <= ticks || run->waiting > 0) {
		myr_hosts_fill(run);
		if (myr_entry_next(run) <= ticks)
			myr_entry(run);
	}
	run->entered = true;
	if (run->active_count > 0)
		myr_hosts_send(run);
	if (run->times.timeout_ticks > 0) {
		myr_timeouts(run);
		look_at_timers(run);
	}
	if (outside && myr_faults_next(run) <= ticks) {
		myr_faults(run);
		find_outside(run);
	}
	if (run->doom_count > 0)
		myr_removals(run);
	run->medium->settle(run);
	run->moving = false;
	run->totals.events++;
}

// Returns true if the run was cut.
static bool run_ticks(struct myr_run *run)
{
	while (run->status == TR_OK) {
		const int64_t entry = myr_entry_next(run);
		// Timers alone belong to worms that have ended.
		const bool nothing_due = entry == SIM_NEVER && run->pool.alive == 0 && run->calendar.pending == run->timers;
		const int64_t due = nothing_due ? SIM_NEVER : sim_calendar_next(&run->calendar);
		const int64_t own = myr_earlier(myr_earlier(due, entry),
						run->doom_count > 0 ? run->now_ticks + 1 : myr_timeout_next(run));
		const int64_t other = myr_earlier(run->outside_ticks, run->stop_ticks);

		if (other > own) {
			tick(run, own);
			continue;
		}
		if (!run_goes_on(run, other))
			break;
		if (other == run->stop_ticks)
			return true;
		tick(run, other);
	}
	return false;
}

// Sends the waiting BEATs of links up to the tick.
static void run_drain(struct myr_run *run, int64_t ticks)
{
	while (run->status == TR_OK && run->calendar.pending > run->timers && sim_calendar_next(&run->calendar) < ticks)
		tick(run, sim_calendar_next(&run->calendar));
}

static void run_finish(struct myr_run *run, bool was_cut)
{
	const int64_t end = was_cut ? run->stop_ticks : run->last_ticks;
	const int64_t seen = was_cut ? end - 1 : SIM_NEVER - 1;
	int64_t sampled;

	run->totals.end_ticks = end;
	run->outside_ticks = SIM_NEVER;
	sampled = myr_sampling_last(run, was_cut, end);
	if (!was_cut)
		run_drain(run, sampled);
	myr_sampling_end(run, sampled);
	if (!was_cut)
		run_drain(run, SIM_NEVER);
	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, seen, false, &look);
		run->totals.own[MYR_CHARACTERS] += look.characters;
		if (look.peak > run->totals.own[MYR_SLACK_PEAK])
			run->totals.own[MYR_SLACK_PEAK] = look.peak;
	}
	run->totals.memory_bytes = run->arena.size_bytes;
	run->totals.deadlocked = run->status == TR_OK && !was_cut && run->pool.alive > 0;
	for (uint32_t i = 0; run->totals.deadlocked && i < run->setup->topology->hosts; i++)
		run->totals.full_hosts += run->hosts[i].asking != NET_NO_WORM;
	if (run->totals.deadlocked && run->medium->find_cycle)
		run->medium->find_cycle(run);
	myr_outcome_in_flight(run, run->totals.end_ticks);
}

enum tr_status myr_run(const struct net_setup *setup, const struct myr_medium *medium, struct net_totals *totals,
		       struct tr_error *err)
{
	struct myr_run run = {.setup = setup,
			      .params = setup->params,
			      .medium = medium,
			      .err = err,
			      .stop_ticks = setup->stop_ticks ? *setup->stop_ticks : INT64_MAX};
	int64_t start;

	*totals = (struct net_totals){0};
	run.status = myr_times_make(&run.times, run.params, setup->ticks_per_s, err);
	net_intake_start(&run.intake, &setup->traffic);
	if (run.status == TR_OK)
		myr_entry_read(&run);
	start = run.intake.offered ? run.intake.offer.packet.time_ticks : 0;
	if (run.status == TR_OK)
		run.status = run_open_run(&run, start);
	if (run.status == TR_OK && run.intake.offered && run.stop_ticks <= start) {
		run.totals.end_ticks = run.stop_ticks;
	} else if (run.status == TR_OK) {
		myr_sampling_start(&run, start);
		find_outside(&run);
		myr_entry_expect(&run);
		run_finish(&run, run_ticks(&run));
	}
	*totals = run.totals;
	sim_arena_close(&run.arena);
	return run.status;
}
