// SPDX-License-Identifier: GPL-3.0-or-later
// Timeouts of one age for all worms: they end in the order in which worms were generated, so the
// next one is that of the oldest worm under way. What is to happen at a tick happens at its end:
// what comes then has come.
#include "net/drive/drive.h"

void net_timeouts_layout(struct net_drive *drive)
{
	struct net_timeouts *timeouts = &drive->timeouts;

	timeouts->oldest = timeouts->youngest = NET_NO_WORM;
	timeouts->next_ticks = INT64_MAX;
	if (drive->setup->timeout_ticks > 0 && drive->rules->expire)
		timeouts->ages = sim_arena_take(&drive->arena, drive->pool.capacity,
						sizeof(*timeouts->ages));
}

static void timeouts_find_next(struct net_drive *drive)
{
	struct net_timeouts *timeouts = &drive->timeouts;
	const int64_t age_ticks = drive->setup->timeout_ticks;
	int64_t from_ticks = INT64_MAX;

	if (timeouts->oldest != NET_NO_WORM)
		from_ticks = drive->pool.worms[timeouts->oldest].created_ticks;
	timeouts->next_ticks = from_ticks < INT64_MAX - age_ticks ? from_ticks + age_ticks
								  : INT64_MAX;
	net_drive_note_loss(drive);
}

void net_timeouts_begin(struct net_drive *drive, uint32_t worm)
{
	struct net_timeouts *timeouts = &drive->timeouts;

	timeouts->ages[worm] = (struct net_age){timeouts->youngest, NET_NO_WORM, false};
	if (timeouts->youngest != NET_NO_WORM)
		timeouts->ages[timeouts->youngest].younger = worm;
	else
		timeouts->oldest = worm;
	timeouts->youngest = worm;
	timeouts_find_next(drive);
}

void net_timeouts_end(struct net_drive *drive, uint32_t worm)
{
	struct net_timeouts *timeouts = &drive->timeouts;
	const struct net_age *age = &timeouts->ages[worm];

	if (age->late)
		return;
	if (age->older != NET_NO_WORM)
		timeouts->ages[age->older].younger = age->younger;
	else
		timeouts->oldest = age->younger;
	if (age->younger != NET_NO_WORM)
		timeouts->ages[age->younger].older = age->older;
	else
		timeouts->youngest = age->older;
	timeouts_find_next(drive);
}

void net_timeouts_until(struct net_drive *drive, int64_t ticks)
{
	struct net_timeouts *timeouts = &drive->timeouts;
	uint32_t count = 0;

	while (timeouts->next_ticks <= ticks) {
		const uint32_t worm = timeouts->oldest;

		net_timeouts_end(drive, worm);
		timeouts->ages[worm].late = true;
		drive->pool.chosen[count++] = worm;
	}
	drive->rules->expire(drive, drive->pool.chosen, count);
}
