// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of a run, and how many worms it has room for.
#include "net/drive/drive.h"

#define WORMS_LEAST 4096u
#define REDIRECTED 4u // times the longest route that packets may go whose way is changed

static uint32_t memory_longest_route(const struct net_drive *drive)
{
	const struct net_setup *setup = drive->setup;
	uint32_t longest;

	if (!drive->rules->routed)
		return 0;
	longest = setup->routes->choices ? 0 : net_setup_longest(setup);
	if (setup->reroute_count > 0 && drive->rules->links)
		longest *= REDIRECTED;
	return setup->longest_route > longest ? setup->longest_route : longest;
}

static void memory_layout(struct net_drive *drive, uint32_t worms)
{
	struct sim_arena *arena = &drive->arena;

	net_worm_pool_layout(&drive->pool, arena, worms + net_regions_ahead(drive),
			     memory_longest_route(drive));
	drive->pool.most = worms;
	drive->serials = sim_arena_take(arena, drive->pool.capacity, sizeof(*drive->serials));
	drive->pool.chosen = sim_arena_take(arena, drive->pool.capacity,
					    sizeof(*drive->pool.chosen));
	net_ways_layout(drive);
	net_sources_layout(drive);
	net_faults_layout(drive);
	net_timeouts_layout(drive);
	net_watch_layout(drive);
	net_samples_layout(drive);
	if (drive->rules->links)
		net_links_layout(drive);
	if (drive->rules->layout)
		drive->rules->layout(drive);
}

static size_t memory_measure(struct net_drive *drive, uint32_t worms)
{
	drive->arena = (struct sim_arena){.scattered = drive->setup->ranks != NULL};
	memory_layout(drive, worms);
	net_regions_layout(drive);
	return drive->arena.used_bytes;
}

// As many of the worms as the setup's memory has room for. One takes what layouts for many and for
// one differ by.
static uint32_t memory_bound(struct net_drive *drive, uint32_t worms, size_t *worm_bytes)
{
	const uint64_t given_bytes = drive->setup->worms_bytes;
	const uint64_t most_bytes = given_bytes > 0 ? given_bytes : NET_WORMS_BYTES;
	const size_t one_bytes = memory_measure(drive, 1);
	const size_t more_bytes = memory_measure(drive, worms) - one_bytes;

	*worm_bytes = worms > 1 ? (more_bytes - 1) / (worms - 1) + 1 : one_bytes;
	return more_bytes > most_bytes ? (uint32_t)(most_bytes / *worm_bytes) : worms;
}

// Where the process may not have so many addresses (ulimit -v), half as many worms must do, and so
// on.
enum tr_status net_memory_open(struct net_drive *drive, uint32_t worms)
{
	size_t worm_bytes;

	worms = memory_bound(drive, worms, &worm_bytes);
	for (;;) {
		(void)memory_measure(drive, worms);
		if (sim_arena_open(&drive->arena, drive->err) == TR_OK)
			break;
		if (worms <= WORMS_LEAST)
			return TR_ERROR;
		worms /= 2;
	}
	memory_layout(drive, worms);
	drive->pool.worm_bytes = worm_bytes;
	return TR_OK;
}
