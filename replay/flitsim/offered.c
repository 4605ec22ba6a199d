// SPDX-License-Identifier: GPL-3.0-or-later
// What the hosts offer to their links.
#include "packet_feed.h"

#include <stdlib.h>

#include "tool/offered_load.h"
#include "value/ticks.h"

#define PACKETS_LEAST 1000u // of a host: fewer may be a burst
#define SHARE_MOST 1.01	    // of a link; a source that keeps it full is at 1

struct offered_host {
	uint64_t bytes, packets;
	double link_bps; // what its cables carry; 0: not known
};

enum tr_status offered_open(struct offered *offered, uint32_t hosts, struct tr_error *err)
{
	*offered = (struct offered){.hosts = hosts,
				    .each = calloc((size_t)hosts + 1, sizeof(*offered->each))};
	return offered->each ? TR_OK : tr_no_memory(err, "%u hosts", hosts);
}

void offered_add(struct offered *offered, const struct net_offer *offer)
{
	struct offered_host *host = &offered->each[offer->source];

	if (!offered->any)
		offered->first_ticks = offer->packet.time_ticks;
	offered->any = true;
	offered->last_ticks = offer->packet.time_ticks;
	host->bytes += offer->size_bytes;
	host->packets++;
}

// What the cables of each host carry.
static void offered_add_links(const struct offered *offered, const struct net_topology *topology,
			      struct num_ratio usual)
{
	for (size_t i = 0; i < topology->cable_count; i++)
		for (int end = 0; end < 2; end++) {
			const struct net_cable *cable = &topology->cables[i];

			if (cable->ends[end].node < offered->hosts)
				offered->each[cable->ends[end].node].link_bps += num_value(
					cable->rate_bps.den != 0 ? cable->rate_bps : usual);
		}
}

void offered_tell(const struct offered *offered, struct tool *tool, const char *trace,
		  const struct net_topology *topology, uint64_t ticks_per_s,
		  struct num_ratio rate_bps)
{
	const double seconds = tr_ticks_seconds(offered->last_ticks - offered->first_ticks,
						ticks_per_s);
	double most = 0, most_bps = 0;
	uint32_t busiest = 0;
	char name[400];

	if (!(seconds > 0 && rate_bps.num > 0))
		return;
	offered_add_links(offered, topology, rate_bps);
	for (uint32_t host = 0; host < offered->hosts; host++) {
		const struct offered_host *sent = &offered->each[host];
		const double share = sent->link_bps > 0
					     ? 8 * (double)sent->bytes / seconds / sent->link_bps
					     : 0;

		if (sent->packets < PACKETS_LEAST || share <= most)
			continue;
		most = share;
		most_bps = sent->link_bps;
		busiest = host;
	}
	if (most <= SHARE_MOST)
		return;
	(void)snprintf(name, sizeof(name), "%.300s: host%u offers", trace, busiest);
	tool_warn_load(tool, name, most, most_bps, "");
}

void offered_close(struct offered *offered)
{
	free(offered->each);
	*offered = (struct offered){.each = NULL};
}
