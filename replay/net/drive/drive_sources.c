// SPDX-License-Identifier: GPL-3.0-or-later
// Finite sources: each has one packet outstanding. When it has wholly left, the source thinks of
// the next for as long as the traffic has between the two, and generates it then.
#include "net/drive/drive.h"

void net_sources_layout(struct net_drive *drive)
{
	struct net_sources *sources = &drive->sources;
	const uint32_t hosts = drive->setup->topology->hosts;

	if (!drive->setup->finite_sources)
		return;
	sources->hosts = sim_arena_take(&drive->arena, hosts, sizeof(*sources->hosts));
	agenda_layout(&sources->thinking, &drive->arena, hosts);
}

void net_sources_open(struct net_drive *drive)
{
	struct net_sources *sources = &drive->sources;

	for (uint32_t i = 0; sources->hosts && i < drive->setup->topology->hosts; i++)
		sources->hosts[i].given_ticks = INT64_MIN;
	sources->needy = drive->setup->topology->hosts;
}

// A source with nothing outstanding thinks of its next packet, once that is read.
static void think(struct net_drive *drive, uint32_t host)
{
	struct net_sources *sources = &drive->sources;
	struct net_source *source = &sources->hosts[host];
	int64_t due_ticks;

	if (source->coming.count == 0) {
		sources->needy++;
		return;
	}
	due_ticks = drive->pool.worms[source->coming.first].packet.time_ticks;
	if (source->given_ticks != INT64_MIN)
		due_ticks += source->left_ticks - source->given_ticks;
	agenda_push(&sources->thinking,
		    &(struct entry){.time_ticks = due_ticks, .order = host, .about = host});
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
	struct entry entry;
	uint32_t worm;

	if (net_sources_next(drive) > drive->now_ticks)
		return NET_NO_WORM;
	agenda_pop(&sources->thinking, &entry);
	source = &sources->hosts[entry.about];
	worm = net_worm_first(&drive->pool, &source->coming);
	sources->unborn--;
	source->given_ticks = drive->pool.worms[worm].packet.time_ticks;
	source->outstanding = true;
	return worm;
}

int64_t net_sources_next(const struct net_drive *drive)
{
	const struct net_sources *sources = &drive->sources;

	return sources->thinking.count > 0 ? sources->thinking.entries[0].time_ticks : INT64_MAX;
}

void net_drive_left(struct net_drive *drive, uint32_t host, int64_t ticks)
{
	if (!drive->sources.hosts)
		return;
	drive->sources.hosts[host].outstanding = false;
	drive->sources.hosts[host].left_ticks = ticks;
	think(drive, host);
}

void net_sources_drop(struct net_drive *drive, uint32_t worm)
{
	const uint32_t host = drive->pool.worms[worm].source;

	net_worm_give_back(&drive->pool, worm);
	net_drive_left(drive, host, drive->now_ticks);
}
