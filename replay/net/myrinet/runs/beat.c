// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/beat.h"

#include <math.h>

#include "net/myrinet/runs/control.h"
#include "net/myrinet/runs/meter.h"

// A BEAT waits for a character under way, a STOP, a GO and a RESET, each at most twice.
#define WAIT_CHARACTERS 8

// Between a STOP and a GO a BEAT finds its place.
#define APART_CHARACTERS 4

static double fastest_s(const struct myr_params *params, const struct net_topology *topology)
{
	double fastest = INFINITY;

	for (size_t i = 0; i < topology->cable_count; i++) {
		struct num_ratio character_s;

		if (myr_cable_character(&params->link, &topology->cables[i], &character_s))
			fastest = fmin(fastest, num_value(character_s));
	}
	return fastest;
}

const char *run_beat_refusal(const struct myr_params *params, const struct net_topology *topology)
{
	double period_s = num_value(params->loss.beat_s);
	double apart_s = (double)params->link.hysteresis_B * fastest_s(params, topology);

	if (params->loss.beat_s.num == 0)
		return NULL;
	if (params->loss.timeout_s.num == 0)
		return "BEAT without a timeout";
	for (size_t i = 0; i < topology->cable_count; i++) {
		struct num_ratio delay_s, character_s;

		if (!myr_cable_delay(&params->link, &topology->cables[i], &delay_s) ||
		    !myr_cable_character(&params->link, &topology->cables[i], &character_s))
			continue;
		if (apart_s < APART_CHARACTERS * num_value(character_s))
			return "BEAT between a STOP and a GO that come closer than 4 characters";
		if (num_value(delay_s) + WAIT_CHARACTERS * num_value(character_s) >= period_s)
			return "BEAT that comes late";
	}
	return NULL;
}

// Whether something is on the link or in the buffer at its end, or comes to the end from ticks on.
static bool carries(const struct run_link *link, int64_t ticks)
{
	return link->segments.count > 0 || link->sender.worm != NET_NO_WORM ||
	       link->control_pending || link->output.assigned ||
	       run_last(&link->sent) + link->delay_ticks >= ticks ||
	       link->control_end_ticks - link->character_ticks + link->delay_ticks >= ticks;
}

// Whether the host looks for memory yet, though for nobody, or awaits a reset.
static bool looks(const struct myr_host *host)
{
	return host->receiver.polling || host->returning > 0;
}

bool run_beat_over(const struct run_net *runs, int64_t ticks)
{
	const struct myr_network *net = &runs->net;
	const int64_t rest = ticks + 1; // what comes in the tick of a BEAT comes before it

	if (net->pool.alive > 0 || net->intake.offered || runs->last_ticks >= rest ||
	    runs->last_behind_beat_ticks >= ticks || net->totals.end_ticks >= rest || runs->start_ticks >= rest)
		return false;
	for (uint32_t i = 0; i < net->parts.link_count; i++)
		if (carries(&runs->links[i], rest))
			return false;
	for (uint32_t i = 0; i < net->setup->topology->hosts; i++)
		if (looks(&net->parts.hosts[i]))
			return false;
	return true;
}

void run_beat(struct run_net *runs, uint32_t number)
{
	struct myr_network *net = &runs->net;
	int64_t now = net->events.now_ticks;

	if (run_beat_over(runs, now))
		return;
	run_meter_catch_up(runs, now);
	run_control_beat(runs, runs->link_of[number]);
	myr_push(net, now + net->times.beat_ticks, MYR_BEAT_DUE, number, 0);
}
