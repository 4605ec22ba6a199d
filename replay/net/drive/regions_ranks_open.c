// SPDX-License-Identifier: GPL-3.0-or-later
// Regions shared out among ranks: rank 0 cuts the network, and all make the part of it that they
// move.
#include <stdlib.h>
#include <string.h>

#include "net/drive/region.h"
#include "net/drive/regions_ranks.h"

#define REGIONS_A_RANK 8u
#define REGIONS_OF_RANKS_MOST 4096u
#define LEADS_PERCENT 10u // of the work of a run is rank 0's: to read packets and report them

// What rank 0 says of the run; the regions of nodes follow.
struct ranks_part {
	int64_t start_ticks;
	uint32_t regions;
	uint32_t nodes;
	uint32_t links;
};

// ---- whether

// What keeps the network whole; NULL: nothing.
static const char *ranks_obstacle(const struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;

	if (setup->traffic.give_back)
		return "a program, whose packets wait for others";
	if (!drive->rules->regions || !drive->rules->regions->ranks)
		return "this engine of this kind of network";
	if (setup->fault_count != 0)
		return "a fault";
	if (setup->timeout_ticks != 0)
		return "a timeout";
	if (setup->finite_sources)
		return "source=finite";
	if (setup->sampling.width_ticks != 0 && net_regions_end_whole(drive))
		return "a sample of links, to which both ends belong,";
	if (setup->watch)
		return "a trace of characters";
	if (setup->longest_route != 0)
		return "a mapper";
	if (setup->threads == 0)
		return "a --stop that counts what is delivered";
	return NULL;
}

static enum tr_status ranks_refuse(const struct net_drive *drive, const char *obstacle)
{
	return tr_fail(drive->err,
		       "%s keeps the network whole, so it cannot be shared out among %u ranks of "
		       "MPI: flitsim without mpirun, or mpirun -n 1 flitsim",
		       obstacle, drive->setup->ranks->post.count);
}

// ---- the cut

enum tr_status net_ranks_count(struct net_drive *drive, bool allowed, uint32_t *count)
{
	struct sim_ranks *ranks = drive->setup->ranks;
	const char *obstacle = ranks_obstacle(drive);
	const struct ranks_part *part;

	if (net_ranks_follows(drive)) {
		while (sim_ranks_hear(ranks) == SIM_ORDER_BEGIN)
			continue;
		ranks->owes = !ranks->over;
		part = ranks->over ? NULL : sim_ranks_get(ranks, 0, sizeof(*part));
		if (!part)
			return tr_fail(drive->err, "rank 0 has ended");
		if (part->nodes != drive->graph.nodes || part->links != drive->graph.links)
			return tr_fail(drive->err, "its network is not that of rank 0");
		drive->start_ticks = part->start_ticks;
		*count = part->regions;
		return TR_OK;
	}
	if (obstacle)
		return ranks_refuse(drive, obstacle);
	if (!allowed)
		return ranks_refuse(drive, "an option of its kind");
	if (drive->setup->regions == 0)
		*count = REGIONS_A_RANK * ranks->post.count;
	if (*count > net_graph_switches(&drive->graph))
		*count = net_graph_switches(&drive->graph);
	if (*count > REGIONS_OF_RANKS_MOST)
		*count = REGIONS_OF_RANKS_MOST;
	if (*count < ranks->post.count)
		return tr_fail(drive->err,
			       "%u ranks of MPI share out the switches of a network, and this one "
			       "has %u: mpirun -n %u flitsim",
			       ranks->post.count, *count, *count);
	return TR_OK;
}

enum tr_status net_ranks_take_cut(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;
	const size_t bytes = drive->graph.nodes * sizeof(*regions->of_nodes);
	const void *cut = sim_ranks_get(drive->setup->ranks, 0, bytes);

	if (!cut)
		return tr_fail(drive->err, "rank 0 sent half a cut");
	memcpy(regions->of_nodes, cut, bytes);
	regions->cut = true;
	return TR_OK;
}

// ---- who moves what

// Rank 0 has the traffic besides: it moves as much less.
static uint32_t ranks_first_share(uint32_t regions, uint32_t ranks)
{
	const uint32_t all = 100 + LEADS_PERCENT;

	return all > LEADS_PERCENT * ranks
		       ? (uint32_t)((regions * (uint64_t)(all - LEADS_PERCENT * ranks) +
				     50 * ranks) /
				    (100 * ranks))
		       : 0;
}

static void ranks_share_out(struct net_regions *regions, const struct sim_post *post)
{
	const uint32_t first = ranks_first_share(regions->count, post->count);
	const uint64_t rest = regions->count - first;

	for (uint32_t i = 0; i < post->count; i++)
		regions->own.ends[i] = first + (uint32_t)(rest * i / (post->count - 1));
	regions->own.begin = post->rank == 0 ? 0 : regions->own.ends[post->rank - 1];
	regions->own.end = regions->own.ends[post->rank];
}

static enum tr_status ranks_send_part(struct net_drive *drive)
{
	const struct net_regions *regions = drive->cut.regions;
	struct sim_ranks *ranks = drive->setup->ranks;
	const struct ranks_part part = {.start_ticks = drive->start_ticks,
					.regions = regions->count,
					.nodes = drive->graph.nodes,
					.links = drive->graph.links};

	sim_ranks_order(ranks, SIM_ORDER_PART);
	for (uint32_t i = 1; i < ranks->post.count; i++) {
		sim_ranks_put(ranks, i, &part, sizeof(part));
		sim_ranks_put(ranks, i, regions->of_nodes,
			      drive->graph.nodes * sizeof(*regions->of_nodes));
	}
	if (!sim_ranks_send_order(ranks))
		return tr_no_memory(drive->err, "the parts of ranks");
	sim_ranks_settle(ranks);
	return TR_OK;
}

static bool ranks_have(const void *drive, uint32_t node)
{
	return net_drive_moves(drive, node);
}

enum tr_status net_ranks_part(struct net_drive *drive)
{
	struct net_regions *regions = drive->cut.regions;

	if (!regions)
		return tr_fail(drive->err,
			       "the network cannot be shared out among %u ranks of MPI: no cable "
			       "leads from one part to another, one takes no time, or flitline was "
			       "built without METIS: mpirun -n 1 flitsim",
			       drive->setup->ranks->post.count);
	regions->own.ends = calloc(drive->setup->ranks->post.count, sizeof(*regions->own.ends));
	if (!regions->own.ends)
		return tr_no_memory(drive->err, "the ranks");
	ranks_share_out(regions, &drive->setup->ranks->post);
	if (!net_ranks_follows(drive) && ranks_send_part(drive) != TR_OK)
		return TR_ERROR;
	return net_graph_keep(&drive->graph, drive->setup->topology,
			      &(struct net_graph_part){ranks_have, drive}, drive->err);
}

// ---- all are ready

// Rank 0: what another one says, which is nothing if it is ready.
static enum tr_status ranks_hear_ready(struct net_drive *drive, uint32_t rank)
{
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint64_t *ready;
	const char *why;

	if (!sim_ranks_receive(ranks, rank))
		return tr_no_memory(drive->err, "the letters of rank %u", rank);
	ready = sim_ranks_get(ranks, rank, sizeof(*ready));
	if (!ready || *ready != 0)
		return TR_OK;
	why = sim_ranks_get(ranks, rank, sizeof(drive->err->text));
	return tr_fail(drive->err, "rank %u: %s", rank, why ? why : "has failed");
}

enum tr_status net_ranks_ready(struct net_drive *drive)
{
	struct sim_ranks *ranks = drive->setup->ranks;
	const uint64_t ready = 1;
	enum tr_status status = TR_OK;

	if (!ranks)
		return TR_OK;
	if (net_ranks_follows(drive)) {
		drive->cut.regions->own.here = calloc(drive->pool.capacity / 64 + 1,
						      sizeof(uint64_t));
		if (!drive->cut.regions->own.here)
			return tr_no_memory(drive->err, "the packets of a rank");
		if (net_ranks_numbers_open(drive) != TR_OK)
			return TR_ERROR;
		drive->cut.regions->crew = net_regions_crew(drive);
		if (!drive->cut.regions->crew)
			return TR_ERROR;
		ranks->owes = false;
		sim_ranks_put(ranks, 0, &ready, sizeof(ready));
		sim_ranks_send(ranks, 0);
		sim_ranks_settle(ranks);
		return TR_OK;
	}
	for (uint32_t i = 1; i < ranks->post.count; i++)
		if (status == TR_OK)
			status = ranks_hear_ready(drive, i);
	return status;
}

bool net_drive_moves(const struct net_drive *drive, uint32_t node)
{
	const struct net_regions *regions = drive->cut.regions;
	uint32_t of;

	if (!regions || !regions->own.ends)
		return true;
	of = net_region_of(regions, node);
	return of >= regions->own.begin && of < regions->own.end;
}
