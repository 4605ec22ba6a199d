// SPDX-License-Identifier: GPL-3.0-or-later
// Finite sources: each has one packet outstanding. When it has wholly left, the source thinks of the next for as long as the
// traffic has between the two, and generates it then.
#include "net/drive.h"

void net_sources_layout(struct net_drive *drive)
{
	struct net_sources *sources = &drive->sources;
	const uint32_t hosts = drive->setup->topology->hosts;

	if (!drive->setup->finite_sources)
		return;
	sources->hosts = sim_arena_take(&drive->arena, hosts, sizeof(*sources->hosts));
	sources->heap = sim_arena_take(&drive->arena, hosts, sizeof(*sources->heap));
}

void net_sources_open(struct net_drive *drive)
{
	struct net_sources *sources = &drive->sources;

	for (uint32_t i = 0; sources->hosts && i < drive->setup->topology->hosts; i++)
		sources->hosts[i].given_ticks = INT64_MIN;
	sources->needy = drive->setup->topology->hosts;
}

static bool is_due_before(const struct net_sources *sources, uint32_t a, uint32_t b)
{
	const int64_t a_ticks = sources->hosts[a].due_ticks, b_ticks = sources->hosts[b].due_ticks;

	return a_ticks != b_ticks ? a_ticks < b_ticks : a < b;
}

static void drive_sources_add_source(struct net_sources *sources, uint32_t host)
{
	uint32_t *heap = sources->heap;
	uint32_t place = sources->count++;

	for (; place > 0 && is_due_before(sources, host, heap[(place - 1) / 2]); place = (place - 1) / 2)
		heap[place] = heap[(place - 1) / 2];
	heap[place] = host;
}

static uint32_t take_source(struct net_sources *sources)
{
	uint32_t *heap = sources->heap;
	const uint32_t first = heap[0];
	const uint32_t last = heap[--sources->count];
	uint32_t place = 0;
	uint32_t child;

	while ((child = 2 * place + 1) < sources->count) {
		if (child + 1 < sources->count && is_due_before(sources, heap[child + 1], heap[child]))
			child++;
		if (!is_due_before(sources, heap[child], last))
			break;
		heap[place] = heap[child];
		place = child;
	}
	heap[place] = last;
	return first;
}

// A source with nothing outstanding thinks of its next packet, once that is read.
static void think(struct net_drive *drive, uint32_t host)
{
	struct net_sources *sources = &drive->sources;
	struct net_source *source = &sources->hosts[host];

	if (source->coming.count == 0) {
		sources->needy++;
		return;
	}
	source->due_ticks = drive->pool.worms[source->coming.first].packet.time_ticks;
	if (source->given_ticks != INT64_MIN)
		source->due_ticks += source->left_ticks - source->given_ticks;
	drive_sources_add_source(sources, host);
}

void net_sources_read(struct net_drive *drive, uint32_t worm)
{
	struct net_sources *sources = &drive->sources;
	const uint32_t host = drive->pool.worms[worm].source;
	struct net_source *source = &sources->hosts[host];

	sources->unborn++;
	drive->serials[worm] = NET_UNBORN;
	net_worm_append(&drive->pool, &source->coming, worm);
	if (source->coming.count == 1 && !source->outstanding) {
		sources->needy--;
		think(drive, host);
	}
}

uint32_t net_sources_take(struct net_drive *drive)
{
	struct net_sources *sources = &drive->sources;
	struct net_source *source;
	uint32_t worm;

	if (net_sources_next(drive) > drive->now_ticks)
		return NET_NO_WORM;
	source = &sources->hosts[take_source(sources)];
	worm = net_worm_first(&drive->pool, &source->coming);
	sources->unborn--;
	source->given_ticks = drive->pool.worms[worm].packet.time_ticks;
	source->outstanding = true;
	return worm;
}

int64_t net_sources_next(const struct net_drive *drive)
{
	const struct net_sources *sources = &drive->sources;

	return sources->count > 0 ? sources->hosts[sources->heap[0]].due_ticks : INT64_MAX;
}

void net_drive_left(struct net_drive *drive, uint32_t host)
{
	if (!drive->sources.hosts)
		return;
	drive->sources.hosts[host].outstanding = false;
	drive->sources.hosts[host].left_ticks = drive->now_ticks;
	think(drive, host);
}
