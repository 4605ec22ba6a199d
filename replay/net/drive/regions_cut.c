// SPDX-License-Identifier: GPL-3.0-or-later
// Which regions a network is cut into, and their memory.
#include <stdlib.h>
#include <string.h>

#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"
#include "net/topology/cut.h"
#include "value/random.h"

#define REGIONS_A_THREAD 4u	       // so that a thread that is ahead can take one more
#define SWITCHES_LEAST 8u	       // of a region
#define LINKS_LEAST 4096u	       // of a network that threads move
#define LINKS_OF_LARGE 65536u	       // of one that is moved in regions by one thread, too
#define LINKS_A_REGION 16384	       // what is near a processor
#define LINKS_MOST (UINT32_C(1) << 21) // whose cut does not take longer than many runs
#define REGIONS_MOST 256u
#define NUMBERS_AHEAD 65536u // of worms that are read ahead, or not yet reported

// ---- cuts

bool net_drive_crosses(const struct net_drive *drive, uint32_t link)
{
	const struct net_cable *cable =
		&drive->setup->topology->cables[net_graph_link(&drive->graph, link) / 2];
	const struct net_regions *regions = drive->cut.regions;

	return regions &&
	       regions->of_nodes[cable->ends[0].node] != regions->of_nodes[cable->ends[1].node];
}

bool net_drive_has(const struct net_drive *drive, uint32_t node)
{
	return !drive->cut.region ||
	       drive->cut.region ==
		       &drive->cut.regions->all[net_region_of(drive->cut.regions, node)];
}

// Switches into regions of about the same number of ports.
static enum tr_status regions_cut_well(struct net_drive *drive, struct net_regions *regions)
{
	const struct net_cut_effort effort = {
		.seed = 1, .tries = 1, .rounds = 10, .unbalanced = 30};
	const struct net_graph *graph = &drive->graph;
	struct net_cut cut = {0};
	enum tr_status status = net_cut_open(&cut, graph, drive->err);

	for (int32_t i = 0; status == TR_OK && i < cut.count; i++)
		cut.ones[i] = (int32_t)net_graph_ports(graph, graph->hosts + (uint32_t)i);
	regions->cut = status == TR_OK && net_cut_make(&cut, (int32_t)regions->count, cut.ones,
						       &effort, NULL) == TR_OK;
	for (int32_t i = 0; status == TR_OK && i < cut.count; i++)
		regions->of_nodes[graph->hosts + (uint32_t)i] = (uint16_t)cut.part[i];
	net_cut_close(&cut);
	return status;
}

static void regions_cut_at_random(struct net_drive *drive, struct net_regions *regions)
{
	struct tr_random random;

	tr_random_open(&random, drive->setup->shuffle, "regions");
	for (uint32_t i = drive->graph.hosts; i < drive->graph.nodes; i++)
		regions->of_nodes[i] = (uint16_t)tr_random_below(&random, regions->count);
	regions->cut = true;
}

// Hosts go with their switches.
static enum tr_status regions_cut(struct net_drive *drive, struct net_regions *regions)
{
	const struct net_graph *graph = &drive->graph;

	if (drive->setup->regions > 0)
		regions_cut_at_random(drive, regions);
	else if (regions_cut_well(drive, regions) != TR_OK)
		return TR_ERROR;
	for (uint32_t i = 0; i < graph->hosts; i++) {
		const uint32_t ports = net_graph_ports(graph, i);
		const uint32_t node = ports > 0 ? net_graph_peer(graph, i, 0)->node : NET_NOBODY;

		if (net_graph_is_switch(graph, node))
			regions->of_nodes[i] = regions->of_nodes[node];
	}
	return TR_OK;
}

// The least time ahead of all cables between regions; counts the links to the nodes of each.
static void regions_measure(struct net_drive *drive, struct net_regions *regions)
{
	const struct net_topology *topology = drive->setup->topology;

	regions->ahead_ticks = INT64_MAX;
	for (uint32_t i = 0; i < topology->cable_count; i++) {
		const struct net_cable *cable = &topology->cables[i];
		int64_t ahead_ticks;

		regions->all[net_region_of(regions, cable->ends[0].node)].links++;
		regions->all[net_region_of(regions, cable->ends[1].node)].links++;
		if (!net_drive_crosses(drive, 2 * i))
			continue;
		ahead_ticks = drive->rules->regions->ahead_ticks(drive, i);
		if (ahead_ticks < regions->ahead_ticks)
			regions->ahead_ticks = ahead_ticks;
	}
}

// What is global by definition moves in one loop.
static bool regions_allowed(const struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;

	return setup->threads > 0 && drive->rules->regions && drive->rules->linked &&
	       (!setup->traffic.give_back || net_loops_allowed(drive)) && setup->fault_count == 0 &&
	       setup->timeout_ticks == 0 && !setup->finite_sources && !setup->watch &&
	       !setup->contest && (setup->shuffle == 0 || setup->regions > 0) &&
	       setup->longest_route == 0 &&
	       (!drive->rules->regions->allows || drive->rules->regions->allows(drive));
}

// Enough for the threads; large networks are moved faster in regions even by one.
static uint32_t regions_count(const struct net_drive *drive)
{
	const uint32_t links = drive->graph.links, threads = drive->setup->threads;
	uint32_t count = links >= LINKS_OF_LARGE ? links / LINKS_A_REGION : 0;

	if (drive->setup->regions > 0)
		return net_graph_switches(&drive->graph) > 0 ? drive->setup->regions : 0;
	if (links > LINKS_MOST)
		return 0;
	if (threads > 1 && links >= LINKS_LEAST && count < threads * REGIONS_A_THREAD)
		count = threads * REGIONS_A_THREAD;
	if (count > net_graph_switches(&drive->graph) / SWITCHES_LEAST)
		count = net_graph_switches(&drive->graph) / SWITCHES_LEAST;
	return count < REGIONS_MOST ? count : REGIONS_MOST;
}

static enum tr_status regions_make(struct net_drive *drive, uint32_t count)
{
	struct net_regions *regions = calloc(1, sizeof(*regions));

	drive->cut.regions = regions;
	if (!regions)
		return tr_no_memory(drive->err, "regions of the network");
	*regions = (struct net_regions){
		.count = count, .own.end = count, .unread_ticks = INT64_MAX};
	regions->of_nodes = calloc(drive->graph.nodes, sizeof(*regions->of_nodes));
	regions->all = aligned_alloc(64, count * sizeof(*regions->all));
	if (drive->rules->regions->takes)
		regions->under_way = calloc(drive->graph.hosts, sizeof(*regions->under_way));
	if (!regions->of_nodes || !regions->all ||
	    (drive->rules->regions->takes && !regions->under_way))
		return tr_no_memory(drive->err, "regions of the network");
	memset(regions->all, 0, count * sizeof(*regions->all));
	for (uint32_t i = 0; i < count; i++) {
		struct net_region *region = &regions->all[i];

		region->next_ticks = region->sent_ticks = INT64_MAX;
		region->drive = calloc(1, drive->rules->regions->run_bytes);
		region->sent[0] = calloc(count, sizeof(*region->sent[0]));
		region->sent[1] = calloc(count, sizeof(*region->sent[1]));
		if (!region->drive || !region->sent[0] || !region->sent[1])
			return tr_no_memory(drive->err, "regions of the network");
	}
	return TR_OK;
}

enum tr_status net_regions_open(struct net_drive *drive)
{
	uint32_t count = regions_count(drive);

	if (drive->setup->ranks) {
		if (net_ranks_count(drive, regions_allowed(drive), &count) != TR_OK)
			return TR_ERROR;
	} else if (count < 2 || !regions_allowed(drive))
		return TR_OK;
	if (regions_make(drive, count) != TR_OK ||
	    (net_ranks_follows(drive) ? net_ranks_take_cut(drive)
				      : regions_cut(drive, drive->cut.regions)) != TR_OK)
		return TR_ERROR;
	if (drive->cut.regions->cut)
		regions_measure(drive, drive->cut.regions);
	// Without a cable between regions the whole run would be one window, all of it in memory.
	if (drive->cut.regions->ahead_ticks <= 0 || drive->cut.regions->ahead_ticks == INT64_MAX)
		net_regions_close(drive);
	return drive->setup->ranks ? net_ranks_part(drive) : TR_OK;
}

void net_regions_close(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions ? drive->cut.regions : drive->cut.united;

	if (!regions)
		return;
	sim_crew_close(regions->crew);
	for (uint32_t i = 0; regions->all && i < regions->count; i++) {
		struct net_region *region = &regions->all[i];

		if (region->drive && region->drive->cut.region && drive->rules->regions->close)
			drive->rules->regions->close(region->drive);
		for (uint32_t turn = 0; turn < 2; turn++) {
			for (uint32_t k = 0; region->sent[turn] && k < regions->count; k++)
				free(region->sent[turn][k].items);
			free(region->sent[turn]);
			free(region->reports[turn].items);
		}
		free(region->drive);
	}
	free(regions->own.ends);
	free(regions->own.here);
	net_ranks_numbers_close(&regions->own.numbers);
	free(regions->refused.items);
	free(regions->ahead.items);
	free(regions->under_way);
	free(regions->loops.gone);
	free(regions->of_nodes);
	free(regions->all);
	free(regions);
	drive->cut.regions = drive->cut.united = NULL;
}

// ---- memory

// Copies the whole run; what the copy has of its own is its own again.
static void region_copy(struct net_drive *drive, struct net_region *region)
{
	memcpy((void *)region->drive, drive, drive->rules->regions->run_bytes);
	region->drive->cut.region = region;
	region->drive->totals = &region->totals;
	region->drive->err = &region->err;
	region->drive->samples.links = NULL;
}

void net_regions_layout(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;

	for (uint32_t i = 0; regions && i < regions->count; i++) {
		region_copy(drive, &regions->all[i]);
		if (i >= regions->own.begin && i < regions->own.end)
			drive->rules->regions->layout(regions->all[i].drive, &drive->arena,
						      regions->all[i].links);
	}
}

uint32_t net_regions_ahead(const struct net_drive *drive)
{
	return drive->cut.regions ? NUMBERS_AHEAD : 0;
}
