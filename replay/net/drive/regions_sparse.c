// SPDX-License-Identifier: GPL-3.0-or-later
// Where little happens in windows, they cost more than threads save, even where one moves all
// regions: then these are united.
#include "net/drive/region.h"

#define SPARSE_WINDOWS 1024u // after which it is decided
#define SPARSE_IN_TESTS 64u  // likewise at most, where the setup says how many regions there are

// Tests unite one run of four, whatever happens in it, after any of these numbers.
static uint32_t sparse_windows(const struct net_drive *drive)
{
	if (drive->setup->regions > 0)
		return 1 + (uint32_t)(drive->setup->shuffle / 4) % SPARSE_IN_TESTS;
	return SPARSE_WINDOWS;
}

static bool sparse_now(const struct net_drive *drive)
{
	const struct net_regions *regions = drive->cut.regions;

	if (drive->setup->regions > 0)
		return drive->setup->shuffle % 4 == 0;
	return regions->windows.events <
	       (uint64_t)regions->windows.windows * drive->rules->regions->busy_events;
}

void net_regions_note_sparse(struct net_drive *drive, uint64_t events)
{
	struct net_regions *regions = drive->cut.regions;

	if (drive->setup->ranks || regions->unread_ticks != INT64_MAX)
		return;
	regions->windows.events += events;
	if (++regions->windows.windows < sparse_windows(drive))
		return;
	regions->windows.sparse = sparse_now(drive);
	regions->windows.windows = 0;
	regions->windows.events = 0;
}
