// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/engine.h"

#include "net/myrinet/beat.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/runs/attempt.h"
#include "net/myrinet/runs/beat.h"
#include "net/myrinet/runs/buffer.h"
#include "net/myrinet/runs/change.h"
#include "net/myrinet/runs/control.h"
#include "net/myrinet/runs/input.h"
#include "net/myrinet/runs/meter.h"
#include "net/myrinet/runs/open.h"
#include "net/myrinet/runs/output.h"
#include "net/myrinet/runs/plan.h"
#include "net/myrinet/runs/removal.h"
#include "net/myrinet/runs/sink.h"
#include "net/myrinet/sender.h"
#include "net/myrinet/source.h"
#include "net/myrinet/timeout.h"

static struct run_net *own(struct myr_network *net)
{
	return (struct run_net *)(void *)net;
}

// What it takes to make a worm's first character.
static int64_t first_ticks(const struct myr_network *net, uint32_t worm)
{
	bool route = net->params->format.gap_after && myr_worm(net, worm)->route_count > 0;

	return route ? net->times.route_flit_ticks : net->times.flit_ticks;
}

static struct run_segment whole_worm(const struct myr_network *net, uint32_t number)
{
	const struct net_worm *worm = myr_worm(net, number);

	return (struct run_segment){
		.worm = number, .left = (uint16_t)worm->route_count,
		.length = myr_format_length(&net->params->format, worm->route_count,
					    worm->size_bytes)};
}

static void begin(struct myr_network *net, struct myr_host *host)
{
	struct run_net *runs = own(net);
	struct run_link *link = runs->link_of[host->out->number];

	if (host->sender.worm != NET_NO_WORM || host->ready.count == 0 || host->returning > 0)
		return;
	host->sender.worm = net_worm_first(&net->pool, &host->ready);
	host->sender.size_bytes = myr_worm(net, host->sender.worm)->size_bytes;
	myr_life(net, host->sender.worm)->place = MYR_AT_NETWORK;
	link->begun_in = SIM_KEY_PHASE(runs->key) == MYR_TIMEOUT ? runs->looks : 0;
	myr_timeout_watch(net, host->out, MYR_TIMEOUT_SILENT);
	run_plan_begin(runs, link, whole_worm(net, host->sender.worm),
		       net->events.now_ticks + first_ticks(net, host->sender.worm));
	run_plan_extend(runs, link);
	run_changed(runs, link, link->sender.base, RUN_MORE);
}

static void resume(struct myr_network *net, struct myr_host *host)
{
	struct run_net *runs = own(net);

	run_sink_resume(runs, runs->link_of[host->in->number]);
}

// Whether the character that is to start was taken from its input in this very event, and the GO
// that this gives has yet to come.
static bool holds_now(const struct run_net *runs, const struct run_link *link)
{
	const struct run_link *input = link->sender.input;

	return input != NULL && input->slack.cross.due.ticks == runs->net.events.now_ticks &&
	       input->slack.cross.due.key == runs->key;
}

// The last character that was planned goes out: of the worm, or of what the list had room for.
static void sent(struct run_net *runs, struct run_link *link)
{
	uint32_t end = link->sent.end;

	if (holds_now(runs, link)) {
		run_set(runs, &link->sender.sent, runs->net.events.now_ticks, runs->key, RUN_SENT,
			link);
		return;
	}
	if (end - link->sender.base < link->sender.length) {
		run_buffer_forget(runs, link);
		run_plan_extend(runs, link);
		run_changed(runs, link, end, RUN_MORE);
		return;
	}
	if (link->from == NULL) {
		run_output_sent(runs, link);
		return;
	}
	if (link->sent.count > 8)
		run_buffer_forget(runs, link);
	link->sender.worm = NET_NO_WORM;
	myr_sender_finish(&runs->net, link->from);
}

static struct run_timer *timer_of(struct run_link *link, enum run_event event)
{
	switch (event) {
	case RUN_HEAD: return &link->input.head;
	case RUN_CROSS: return &link->slack.cross;
	case RUN_SENT: return &link->sender.sent;
	case RUN_FINAL: return &link->sink->final;
	case RUN_TAIL: return &link->sink->tail;
	case RUN_DRY: return &link->sender.dry.timer;
	case RUN_TOLD_GO:
	case RUN_TOLD_STOP: break;
	}
	return NULL;
}

// False where nothing has happened: the timer has moved on.
static bool handle_link(struct run_net *runs, const struct sim_event *event)
{
	struct run_link *link = runs->link_of[RUN_AUX_NUMBER(event->aux)];
	enum run_event what = RUN_AUX_EVENT(event->aux);
	struct run_timer *timer = timer_of(link, what);

	if (timer != NULL && !run_timer_goes_off(&runs->net.events, timer, run_near_ticks(link), event))
		return false;
	run_meter_catch_up(runs, event->time_ticks);
	switch (what) {
	case RUN_TOLD_GO: run_control_told(runs, link, false); break;
	case RUN_TOLD_STOP: run_control_told(runs, link, true); break;
	case RUN_HEAD: run_input_head(runs, link); break;
	case RUN_CROSS: run_control_crossed(runs, link); break;
	case RUN_SENT: sent(runs, link); break;
	case RUN_FINAL: run_sink_final(runs, link); break;
	case RUN_TAIL: run_sink_tail(runs, link); break;
	case RUN_DRY: break;
	}
	return true;
}

// What was planned is another now; nothing has happened.
static void handle_dry(struct run_net *runs, const struct sim_event *event)
{
	struct run_link *link = runs->link_of[SIM_KEY_COMPONENT(event->key)];

	if (run_timer_goes_off(&runs->net.events, &link->sender.dry.timer, run_near_ticks(link),
			       event))
		run_changed_dry(runs, link);
}

// A look at timeouts is nothing in itself, and where no worm is left it is over.
static void handle_timeout(struct run_net *runs, const struct sim_event *event)
{
	if (runs->net.pool.alive > 0)
		run_meter_catch_up(runs, event->time_ticks);
	runs->looks++;
	myr_timeout(&runs->net, SIM_KEY_COMPONENT(event->key));
}

static bool handle(struct run_net *runs, const struct sim_event *event)
{
	struct myr_network *net = &runs->net;
	uint32_t component = SIM_KEY_COMPONENT(event->key);

	if (SIM_KEY_PHASE(event->key) == MYR_ARRIVE || SIM_KEY_PHASE(event->key) == MYR_SEND ||
	    SIM_KEY_PHASE(event->key) == MYR_DRAIN)
		return handle_link(runs, event);
	if (SIM_KEY_PHASE(event->key) == MYR_TIMEOUT) {
		handle_timeout(runs, event);
		return false;
	}
	if (SIM_KEY_PHASE(event->key) == MYR_BEAT_DUE) {
		run_beat(runs, component);
		return false;
	}
	run_meter_catch_up(runs, event->time_ticks);
	switch ((enum myr_phase)SIM_KEY_PHASE(event->key)) {
	case MYR_FETCHED: myr_sender_fetched(net, net->parts.host_of[component]); break;
	case MYR_STORED: myr_receiver_stored(net, net->parts.host_of[component]); break;
	case MYR_POLL: myr_receiver_poll(net, net->parts.host_of[component]); break;
	case MYR_SOURCE: myr_source_enter(net); break;
	case MYR_CONTROL: run_control_put(runs, runs->link_of[component]); break;
	case MYR_GRANT: run_output_free(runs, runs->link_of[component]); break;
	case MYR_RETURNED: myr_removal_returned(net, net->parts.host_of[component]); break;
	case MYR_ARBITRATE:
	case MYR_ARRIVE:
	case MYR_SEND:
	case MYR_DRAIN:
	case MYR_SAMPLE:
	case MYR_FAULT:
	case MYR_BEAT_DUE:
	case MYR_TIMEOUT:
	case MYR_PHASES: break;
	}
	return true;
}

static void watch_urgent(struct run_net *runs)
{
	while (runs->urgent_count > 0) {
		struct run_link *link = runs->urgent[--runs->urgent_count];

		link->urgent = false;
		run_buffer_watch(runs, link);
	}
}

static void set_key(struct run_net *runs, uint32_t key)
{
	const int64_t now = runs->net.events.now_ticks;

	runs->key_most = now == runs->key_ticks && runs->key_most > key ? runs->key_most : key;
	runs->key_ticks = now;
	runs->key = key;
}

// Nothing more happens in this tick but that outputs choose. They do not hinder each other, so their
// order does not matter; then the buffers are looked at that have changed.
static void end_tick(struct run_net *runs)
{
	while (runs->asked_count > 0) {
		struct run_link *link = runs->asked[--runs->asked_count];

		set_key(runs, SIM_KEY(MYR_ARBITRATE, link->number));
		runs->net.totals.events++;
		run_output_arbitrate(runs, link);
	}
	watch_urgent(runs);
	while (runs->marked_count > 0) {
		struct run_link *link = runs->marked[--runs->marked_count];

		link->marked = false;
		run_buffer_watch(runs, link);
	}
}

// Whether the event was left behind by a timer that waits for nothing.
static bool left_behind(const struct run_net *runs, const struct sim_event *event)
{
	unsigned phase = SIM_KEY_PHASE(event->key);
	const struct run_timer *timer;

	if (phase == MYR_TIMEOUT)
		return runs->net.pool.alive == 0;
	if (phase == MYR_BEAT_DUE)
		return run_beat_over(runs, event->time_ticks);
	if (phase != MYR_ARRIVE && phase != MYR_SEND && phase != MYR_DRAIN)
		return false;
	timer = timer_of(runs->link_of[RUN_AUX_NUMBER(event->aux)], RUN_AUX_EVENT(event->aux));
	return timer != NULL && timer->due.ticks == RUN_NEVER;
}

// True where the run was cut.
static bool run_events(struct run_net *runs)
{
	struct myr_network *net = &runs->net;
	struct sim_event event;

	while (net->status == TR_OK && sim_events_pop(&net->events, &event)) {
		if (SIM_KEY_PHASE(event.key) == MYR_SAMPLE) {
			set_key(runs, event.key);
			handle_dry(runs, &event);
			watch_urgent(runs);
			if (sim_events_would_be_next(&net->events, MYR_ARBITRATE))
				end_tick(runs);
			continue;
		}
		if (event.time_ticks >= net->stop_ticks) {
			if (left_behind(runs, &event))
				continue;
			return true;
		}
		set_key(runs, event.key);
		if (handle(runs, &event)) {
			net->totals.events++;
			net->totals.end_ticks = event.time_ticks;
		}
		watch_urgent(runs);
		if (sim_events_would_be_next(&net->events, MYR_ARBITRATE))
			end_tick(runs);
	}
	if (net->events.exhausted)
		myr_fail(net, "more events pending than the run was sized for");
	return false;
}

// When the last happened to characters that nobody waits for any more: worms are left, and nothing
// else can happen.
static int64_t deadlock_ticks(struct run_net *runs)
{
	int64_t end = runs->net.totals.end_ticks;

	for (uint32_t i = 0; i < runs->net.parts.link_count; i++) {
		struct run_link *link = &runs->links[i];

		end = run_later(end, run_last(&link->sent) + link->delay_ticks);
		if (link->sink != NULL)
			end = run_later(end, run_last(&link->sink->drained));
	}
	for (uint32_t i = 0; i < runs->net.parts.link_count; i++) {
		struct run_link *link = &runs->links[i];

		if (link->stopped && run_attempt_ticks(runs, link, RUN_NEVER) < RUN_NEVER)
			end = run_later(end, run_attempt_last(link));
	}
	return end;
}

static int64_t sooner(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

// Of worms in flight, what would have happened from now on.
static void forget_plans(struct run_net *runs)
{
	const struct net_worm_pool *pool = &runs->net.pool;
	int64_t now = runs->net.events.now_ticks;

	for (uint32_t i = 0; i < pool->fresh; i++) {
		if (pool->worms[i].injected_ticks >= now)
			pool->worms[i].injected_ticks = -1;
		if (pool->worms[i].head_ticks >= now)
			pool->worms[i].head_ticks = -1;
	}
}

// Sets the clock to the end of the samples, and gives out all but the last. Where the run is not cut
// the last but one ends behind the last event. Returns whether it is cut.
static bool end_clock(struct run_net *runs, bool was_cut)
{
	struct myr_network *net = &runs->net;
	int64_t width = net->setup->sampling.width_ticks;
	int64_t end = net->totals.end_ticks;

	if (was_cut || end >= net->stop_ticks) {
		end = was_cut ? run_later(net->stop_ticks, end) : net->stop_ticks;
		was_cut = true;
		net->totals.end_ticks = end;
	} else if (width > 0) {
		int64_t past = (end - net->setup->sampling.start_ticks) % width;

		end += width - (past < 0 ? past + width : past);
		end = sooner(end, net->stop_ticks);
	}
	net->events.now_ticks = end;
	run_meter_catch_up(runs, end >= net->stop_ticks ? end - 1 : end);
	return was_cut;
}

static void finish(struct run_net *runs, bool was_cut)
{
	struct myr_network *net = &runs->net;

	if (!was_cut && net->pool.alive > 0 && net->status == TR_OK)
		net->totals.end_ticks = sooner(deadlock_ticks(runs), net->stop_ticks);
	if (!was_cut)
		net->totals.end_ticks = run_later(net->totals.end_ticks, runs->last_ticks);
	was_cut = end_clock(runs, was_cut);
	if (was_cut)
		forget_plans(runs);
	net->totals.memory_bytes = net->parts.arena.size_bytes + runs->arena.size_bytes;
	net->totals.deadlocked = net->status == TR_OK && !was_cut && net->pool.alive > 0;
	run_meter_last(runs, net->events.now_ticks);
	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		run_buffer_settle(runs, runs->link_of[i],
				  net->events.now_ticks + (was_cut ? 0 : 1));
		net->totals.characters += run_meter_characters(
			&runs->links[i], was_cut ? net->events.now_ticks : RUN_NEVER);
	}
	myr_outcome_in_flight(net);
}

static enum tr_status supports(const struct net_setup *setup, struct tr_error *err)
{
	const struct myr_params *params = setup->params;
	const char *loss = myr_params_loss(params);
	const char *beat = run_beat_refusal(params, setup->topology);

	if (setup->fault_count > 0)
		return tr_fail(err, "the run engine has no faults");
	if (loss != NULL)
		return tr_fail(err, "the run engine has no %s", loss);
	if (beat != NULL)
		return tr_fail(err, "the run engine has no %s", beat);
	if (setup->watch != NULL)
		return tr_fail(err, "the run engine shows no characters");
	if (params->loss.drop_misrouted)
		return tr_fail(err, "the run engine does not drop misrouted worms");
	if (params->adapter.out_buffer_B > 0 &&
	    (params->adapter.flit_s.num > 0 || params->adapter.route_flit_s.num > 0))
		return tr_fail(err, "the run engine has no outgoing slack buffer");
	return TR_OK;
}

static const struct myr_motion motion = {
	.begin = begin,
	.resume = resume,
	.forget = run_removal_forget,
	.go_on = run_removal_go_on,
	.reset = run_removal_reset,
	.blocked_since = run_removal_blocked_since,
	.silent_since = run_removal_silent_since,
};

static void start(struct run_net *runs)
{
	struct myr_network *net = &runs->net;
	int64_t start_ticks;

	net->status = myr_times_make(&net->times, net->params, net->setup->ticks_per_s, net->err);
	net_intake_start(&net->intake, &net->setup->traffic);
	if (net->status == TR_OK)
		myr_source_read(net);
	start_ticks = net->intake.offered ? net->intake.offer.packet.time_ticks : 0;
	if (net->status == TR_OK)
		net->status = myr_network_open(net, start_ticks);
	if (net->status == TR_OK)
		net->status = run_open(runs, start_ticks);
}

static enum tr_status run(const struct net_setup *setup, struct net_totals *totals,
			  struct tr_error *err)
{
	struct run_net runs = {
		.net = {.setup = setup, .params = setup->params, .err = err, .motion = &motion,
			.stop_ticks = setup->stop_ticks != NULL ? *setup->stop_ticks : INT64_MAX,
			.ages = {.oldest = NET_NO_WORM}},
		.last_ticks = INT64_MIN,
		.last_behind_beat_ticks = INT64_MIN,
		.lead = ((const struct myr_params *)setup->params)->format.gap_after ? 0 : 1,
	};

	*totals = (struct net_totals){0};
	if (supports(setup, err) != TR_OK)
		return TR_ERROR;
	start(&runs);
	if (runs.net.status == TR_OK && myr_cut_at_start(&runs.net)) {
		runs.net.totals.end_ticks = runs.net.stop_ticks;
	} else if (runs.net.status == TR_OK) {
		run_meter_start(&runs, runs.net.events.now_ticks);
		myr_source_expect(&runs.net);
		runs.start_ticks = runs.net.events.now_ticks;
		runs.frees_late = runs.net.times.timeout_ticks == 0 &&
				  runs.net.times.beat_ticks == 0;
		runs.tells_early = runs.frees_late && runs.meters == NULL;
		myr_beat_start(&runs.net);
		finish(&runs, run_events(&runs));
	}
	*totals = runs.net.totals;
	run_close(&runs);
	myr_network_close(&runs.net);
	return runs.net.status;
}

const struct net_engine myr_runs = {.name = "runs", .supports = supports, .run = run};
