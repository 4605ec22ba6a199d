// SPDX-License-Identifier: GPL-3.0-or-later
// What rank 0 learns of other ranks' regions for the results: packets, and samples of links.
#include <string.h>

#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"

// What a link did, of those that did something.
struct ranks_sample {
	struct tr_link sample;
	uint32_t link;
	bool kept;
};

struct ranks_sampling {
	int64_t ticks;
};

// ---- packets

// The packet with its route.
struct ranks_worm {
	struct net_worm worm;
	uint64_t serial;
	uint32_t number;
	uint32_t ports;
};

void net_ranks_put_worm(struct net_drive *drive, uint32_t to, uint32_t number, bool goes_on)
{
	const struct net_rank_rules *rules = drive->rules->regions->ranks;
	const struct net_worm *worm = &drive->pool.worms[number];
	const struct ranks_worm put = {.worm = *worm,
				       .serial = drive->serials[number],
				       .number = net_ranks_there(drive, number),
				       .ports = worm->route ? worm->route_count : 0};
	struct sim_ranks *ranks = drive->setup->ranks;
	void *kind;

	sim_ranks_put(ranks, to, &put, sizeof(put));
	sim_ranks_put(ranks, to, net_worm_ports(&drive->pool, number),
		      put.ports * sizeof(*worm->route));
	kind = goes_on ? sim_ranks_add(ranks, to, rules->worm_bytes) : NULL;
	if (kind)
		memcpy(kind, rules->worm(drive, number), rules->worm_bytes);
}

bool net_ranks_get_worm(struct net_drive *drive, uint32_t from, bool goes_on)
{
	const struct net_rank_rules *rules = drive->rules->regions->ranks;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_worm *got = sim_ranks_get(ranks, from, sizeof(*got));
	const uint16_t *ports;
	const void *kind;
	struct net_worm *worm;
	uint16_t *own;
	uint32_t number;

	if (!got)
		return false;
	number = net_ranks_here(drive, got->number);
	ports = sim_ranks_get(ranks, from, got->ports * sizeof(*ports));
	kind = goes_on ? sim_ranks_get(ranks, from, rules->worm_bytes) : NULL;
	if (!ports || (goes_on && !kind))
		return false;
	worm = &drive->pool.worms[number];
	own = net_worm_ports(&drive->pool, number);
	*worm = got->worm;
	worm->route = got->ports > 0 ? own : NULL;
	drive->serials[number] = got->serial;
	memcpy(own, ports, got->ports * sizeof(*ports));
	if (kind)
		memcpy(rules->worm(drive, number), kind, rules->worm_bytes);
	return true;
}

// ---- samples

void net_ranks_take_samples(struct net_drive *drive, int64_t ticks)
{
	const struct ranks_sampling sampling = {ticks};
	struct sim_ranks *ranks = drive->setup->ranks;

	if (!ranks || !drive->cut.regions)
		return;
	if (!sim_ranks_tell(ranks, SIM_ORDER_SAMPLE, &sampling, sizeof(sampling))) {
		net_drive_fail(drive, TR_OUT_OF_MEMORY " for samples of ranks");
		return;
	}
	for (uint32_t i = 1; i < ranks->post.count; i++)
		if (!sim_ranks_receive(ranks, i) || !sim_ranks_get(ranks, i, sizeof(uint64_t)))
			net_drive_fail(drive, TR_OUT_OF_MEMORY " for the samples of rank %u", i);
	sim_ranks_settle(ranks);
}

static uint32_t ranks_moving(const struct net_regions *regions, uint32_t region)
{
	uint32_t rank = 0;

	while (regions->own.ends[rank] <= region)
		rank++;
	return rank;
}

bool net_ranks_sample(struct net_drive *drive, uint32_t of, uint32_t link, struct tr_link *out)
{
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint32_t rank = ranks_moving(drive->cut.regions, of);
	const uint64_t before = ranks->in[rank].read;
	const struct ranks_sample *sample = sim_ranks_get(ranks, rank, sizeof(*sample));

	if (!sample || sample->link != link) {
		ranks->in[rank].read = before;
		return true;
	}
	*out = sample->sample;
	return sample->kept;
}

void net_ranks_give_samples(struct net_drive *drive)
{
	static const struct tr_link idle = {0};
	struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_sampling *sampling = sim_ranks_get(ranks, 0, sizeof(*sampling));
	const uint64_t mark = 0;

	sim_ranks_put(ranks, 0, &mark, sizeof(mark));
	for (uint32_t i = 0; sampling && i < drive->graph.links; i++) {
		const uint32_t link = net_graph_link(&drive->graph, i);
		const struct net_cable *cable = &drive->setup->topology->cables[link / 2];
		const uint32_t of = net_region_of(regions, cable->ends[i % 2].node);
		struct ranks_sample sample = {.link = link};

		if (of < regions->own.begin || of >= regions->own.end)
			continue;
		sample.kept = drive->rules->sample(regions->all[of].drive, i, sampling->ticks,
						   &sample.sample);
		if (!sample.kept || memcmp(&sample.sample, &idle, sizeof(idle)) != 0)
			sim_ranks_put(ranks, 0, &sample, sizeof(sample));
	}
	sim_ranks_send(ranks, 0);
	sim_ranks_settle(ranks);
}
