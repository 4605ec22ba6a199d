// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/routes/delay.h"

#include <math.h>

#define FULL (1 - 1e-12) // of the rate: a flow is rounded where it was scaled to fill a link

static bool delay_is_full(double flow_Bps, double rate_Bps)
{
	return flow_Bps >= FULL * rate_Bps;
}

double net_delay_channel_s(double flow_Bps, double rate_Bps, double mean_B)
{
	return delay_is_full(flow_Bps, rate_Bps) ? INFINITY : mean_B / (rate_Bps - flow_Bps);
}

double net_cut_through_adaptive(const uint64_t *counts, double utilisation)
{
	double all = 0;
	double sum = 0;
	double power = 1;

	for (unsigned i = 0; i < NET_FLOWS_OPTIONS; i++) {
		sum += (1 - power) * (double)counts[i];
		all += (double)counts[i];
		power *= utilisation;
	}
	return sum / all;
}

// Sums over links, before they are divided by the packets a second.
struct delay_sums {
	double waits[3];  // by role: f / (C - f)
	double saved[3];  // by role: (1 - f / C) later / C
	double first;	  // f / C
	double later_Bps; // on trunks, from here on
	double cut_Bps;	  // of that, what cuts through
	double flow_Bps;
	double rate_Bps;
};

static void delay_add_link(struct delay_sums *sums, const struct net_load *load, uint32_t link)
{
	const uint8_t role = load->flows->roles[link];
	const double rate = load->rates_Bps[link];
	const double flow = (double)load->flows->links[link] * load->unit_Bps;
	const double later = (double)load->flows->later[link] * load->unit_Bps;
	const bool full = delay_is_full(flow, rate);
	const double through = full ? 0 : 1 - flow / rate;

	sums->waits[role] += full ? INFINITY : flow / (rate - flow);
	sums->saved[role] += through * later / rate;
	if (role == NET_LINK_FIRST)
		sums->first += flow / rate;
	if (role != NET_LINK_TRUNK)
		return;
	sums->flow_Bps += flow;
	sums->rate_Bps += rate;
	sums->later_Bps += later;
	sums->cut_Bps += through * later;
}

void net_delay_find(const struct net_load *load, struct net_delay *delay)
{
	const struct net_flows *flows = load->flows;
	const double packets_per_s = (double)flows->offered * load->unit_Bps / load->mean_B;
	const double saving = 1 - load->header_B / load->mean_B;
	struct delay_sums sums = {.flow_Bps = 0};

	*delay = (struct net_delay){.full = 0};
	for (uint32_t link = 0; link < flows->graph->links; link++) {
		delay_add_link(&sums, load, link);
		delay->full += delay_is_full((double)flows->links[link] * load->unit_Bps,
					     load->rates_Bps[link]);
	}
	delay->trunk_s = sums.waits[NET_LINK_TRUNK] / packets_per_s;
	delay->last_s = sums.waits[NET_LINK_LAST] / packets_per_s;
	delay->trunk_saved_s = sums.saved[NET_LINK_TRUNK] * saving / packets_per_s;
	delay->last_saved_s = sums.saved[NET_LINK_LAST] * saving / packets_per_s;
	delay->first_s = sums.first / packets_per_s;
	delay->cut_through = sums.cut_Bps / sums.later_Bps;
	delay->mean_utilisation = sums.flow_Bps / sums.rate_Bps;
	delay->adaptive = net_cut_through_adaptive(flows->options, delay->mean_utilisation);
	delay->fullest = net_flows_fullest(flows, load->rates_Bps, NET_LINKS_ALL,
					   &delay->fullest_link) *
			 load->unit_Bps;
}

double net_even_trunk_utilisation(const struct net_even_load *load)
{
	return load->packets_per_s * load->mean_B * load->mean_route * load->hosts /
	       (2 * load->cables * load->rate_Bps);
}

double net_even_last_utilisation(const struct net_even_load *load)
{
	return load->packets_per_s * load->mean_B / load->rate_Bps;
}

double net_even_saf_s(const struct net_even_load *load)
{
	const double trunk = net_even_trunk_utilisation(load) * load->rate_Bps;
	const double last = net_even_last_utilisation(load) * load->rate_Bps;
	const double trunks_s = load->mean_route > 0
					? load->mean_route * net_delay_channel_s(trunk,
										 load->rate_Bps,
										 load->mean_B)
					: 0;

	return trunks_s + net_delay_channel_s(last, load->rate_Bps, load->mean_B);
}

double net_even_vct_s(const struct net_even_load *load, double cut_through)
{
	const double saving_s = (load->mean_B - load->header_B) / load->rate_Bps;
	const double last = 1 - net_even_last_utilisation(load);

	return net_even_saf_s(load) - cut_through * (load->mean_route - 1) * saving_s -
	       last * load->from_elsewhere * saving_s;
}

double net_delay_path_s(const struct net_load *load, const struct net_path *path)
{
	const struct net_flows *flows = load->flows;
	double sum_s = 0;

	for (uint32_t i = 0; i < path->count; i++) {
		const uint32_t link = path->links[i];

		if (flows->roles[link] != NET_LINK_FIRST)
			sum_s += net_delay_channel_s((double)flows->links[link] * load->unit_Bps,
						     load->rates_Bps[link], load->mean_B);
	}
	return sum_s;
}
