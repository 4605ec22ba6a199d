// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/reference.h"

#include <stdarg.h>
#include <stdio.h>

#include "net/myrinet/beat.h"
#include "net/myrinet/crossbar.h"
#include "net/myrinet/fault.h"
#include "net/myrinet/link.h"
#include "net/myrinet/meter.h"
#include "net/myrinet/network.h"
#include "net/myrinet/noise.h"
#include "net/myrinet/outcome.h"
#include "net/myrinet/receiver.h"
#include "net/myrinet/removal.h"
#include "net/myrinet/sender.h"
#include "net/myrinet/source.h"
#include "net/myrinet/timeout.h"

void myr_fail(struct myr_network *net, const char *format, ...)
{
	va_list args;

	if (net->status != TR_OK)
		return;
	net->status = TR_ERROR;
	if (net->err == NULL)
		return;
	va_start(args, format);
	vsnprintf(net->err->text, sizeof(net->err->text), format, args);
	va_end(args);
}

static void handle(struct myr_network *net, const struct sim_event *event)
{
	uint32_t component = SIM_KEY_COMPONENT(event->key);
	struct myr_link **link = net->parts.link_of;
	struct myr_host **host = net->parts.host_of;

	switch ((enum myr_phase)SIM_KEY_PHASE(event->key)) {
	case MYR_SAMPLE:
		net->background--;
		myr_meter_sample(net);
		break;
	case MYR_FAULT: myr_fault(net, component, event->aux != 0); break;
	case MYR_ARRIVE: myr_link_arrive(net, link[component]); break;
	case MYR_GRANT: myr_output_grant(net, link[component]); break;
	case MYR_FETCHED:
		if (event->aux == host[component]->epoch)
			myr_sender_fetched(net, host[component]);
		break;
	case MYR_STORED:
		if (event->aux == host[component]->epoch)
			myr_receiver_stored(net, host[component]);
		break;
	case MYR_RETURNED: myr_removal_returned(net, host[component]); break;
	case MYR_POLL: myr_receiver_poll(net, host[component]); break;
	case MYR_SOURCE: myr_source_enter(net); break;
	case MYR_BEAT_DUE: myr_beat(net, link[component]); break;
	case MYR_CONTROL: myr_link_control(net, link[component]); break;
	case MYR_SEND: myr_link_send(net, link[component]); break;
	case MYR_DRAIN: myr_receiver_drain(net, host[component]); break;
	case MYR_ARBITRATE: myr_output_arbitrate(net, link[component]); break;
	case MYR_TIMEOUT: myr_timeout(net, component); break;
	case MYR_PHASES: break;
	}
}

// The run is cut: it is stop_ticks, and nothing of that tick or after has happened. Returns true.
static bool cut(struct myr_network *net, int64_t before_ticks)
{
	net->events.now_ticks = net->stop_ticks > before_ticks ? net->stop_ticks : before_ticks;
	net->totals.end_ticks = net->events.now_ticks;
	if (net->sampling_rests)
		myr_meter_give_silence(net, net->events.now_ticks - 1);
	return true;
}

// Events that are nothing in themselves.
static bool marks_time(unsigned phase)
{
	return phase == MYR_SAMPLE || phase == MYR_FAULT || phase == MYR_BEAT_DUE ||
	       phase == MYR_TIMEOUT;
}

// True where the run was cut.
static bool run_events(struct myr_network *net)
{
	struct sim_event event;
	int64_t before = net->events.now_ticks;

	for (; net->status == TR_OK && !myr_over(net) && sim_events_pop(&net->events, &event);
	     before = event.time_ticks) {
		if (event.time_ticks >= net->stop_ticks)
			return cut(net, before);
		myr_meter_wake(net, event.time_ticks);
		net->totals.events++;
		if (!marks_time(SIM_KEY_PHASE(event.key)))
			net->totals.end_ticks = event.time_ticks;
		handle(net, &event);
	}
	if (net->events.exhausted)
		myr_fail(net, "more events pending than the run was sized for");
	return false;
}

// A network without worms holds nothing of them: no character, no port, no memory.
static void check_rest(struct myr_network *net)
{
	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		const struct myr_link *link = net->parts.link_of[i];

		if (link->slack.count > 0 || link->input.state != MYR_INPUT_IDLE ||
		    link->output.state == MYR_OUTPUT_FLOWS)
			myr_fail(net, "no worm is left, and something of one is at link %u", i);
	}
	for (uint32_t i = 0; i < net->setup->topology->hosts; i++) {
		const struct myr_host *host = net->parts.host_of[i];

		if (host->memory_used_B > 0 || host->receiver.state != MYR_RECEIVER_IDLE ||
		    host->sender.worm != NET_NO_WORM)
			myr_fail(net, "no worm is left, and something of one is at host %u", i);
	}
}

static void finish(struct myr_network *net, bool was_cut)
{
	if (net->status == TR_OK && !was_cut && net->pool.alive == 0)
		check_rest(net);
	for (uint32_t i = 0; i < net->parts.link_count; i++)
		if (net->parts.links[i].slack.peak > net->totals.slack_peak)
			net->totals.slack_peak = net->parts.links[i].slack.peak;
	net->totals.memory_bytes = net->parts.arena.size_bytes;
	net->totals.deadlocked = net->status == TR_OK && !was_cut && net->pool.alive > 0;
	if (net->setup->sampling.width_ticks > 0)
		myr_meter_end(net, was_cut);
	myr_outcome_in_flight(net);
}

static enum tr_status run(const struct net_setup *setup, struct net_totals *totals,
			  struct tr_error *err)
{
	struct myr_network net = {.setup = setup, .params = setup->params, .err = err,
				  .stop_ticks = setup->stop_ticks != NULL ? *setup->stop_ticks
									  : INT64_MAX,
				  .ages = {.oldest = NET_NO_WORM}};
	int64_t start;

	*totals = (struct net_totals){0};
	net.status = myr_times_make(&net.times, net.params, setup->ticks_per_s, err);
	net_intake_start(&net.intake, &setup->traffic);
	if (net.status == TR_OK)
		myr_source_read(&net);
	start = net.intake.offered ? net.intake.offer.packet.time_ticks : 0;
	if (net.status == TR_OK)
		net.status = myr_network_open(&net, start);
	if (net.status == TR_OK && myr_cut_at_start(&net)) {
		net.totals.end_ticks = net.stop_ticks;
	} else if (net.status == TR_OK) {
		myr_meter_start(&net, start);
		myr_source_expect(&net);
		myr_noise_start(&net);
		myr_beat_start(&net);
		net.status = myr_fault_start(&net);
		finish(&net, run_events(&net));
	}
	*totals = net.totals;
	myr_network_close(&net);
	return net.status;
}

const struct net_engine myr_reference = {.name = "reference", .run = run};
