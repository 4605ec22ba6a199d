// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/drive/drive.h"
#include "net/drive/regions_ranks.h"

#define UNSAMPLED UINT32_MAX // the number of a link that has no samples

void net_samples_layout(struct net_drive *drive)
{
	if (drive->setup->sampling.width_ticks != 0 && drive->rules->sample)
		drive->samples.links = sim_arena_take(&drive->arena, net_drive_links(drive),
						      sizeof(*drive->samples.links));
}

static bool is_idle(const struct tr_link *link)
{
	return link->busy_ticks == 0 && link->blocked_stop_ticks == 0 &&
	       link->blocked_port_ticks == 0 && link->blocked_memory_ticks == 0 &&
	       link->characters == 0 && link->occupancy_area == 0 && link->occupancy_peak == 0;
}

// Takes what each link did up to a tick. Returns whether none did anything.
static bool drive_samples_take_samples(struct net_drive *drive, int64_t ticks)
{
	bool silent = true;

	net_ranks_take_samples(drive, ticks);
	for (uint32_t i = 0; i < net_drive_links(drive); i++) {
		struct tr_link *link = &drive->samples.links[i];

		if (link->link == UNSAMPLED)
			continue;
		*link = (struct tr_link){.start_ticks = 0};
		if (!(drive->cut.regions ? net_regions_sample(drive, i, ticks, link)
					 : drive->rules->sample(drive, i, ticks, link)))
			link->link = UNSAMPLED;
		silent = silent && is_idle(link);
	}
	return silent;
}

// Gives what was taken, or that no link did anything.
static void give_samples(struct net_drive *drive, bool silent, int64_t start_ticks,
			 int64_t width_ticks)
{
	const struct net_results *results = &drive->setup->results;

	for (uint32_t i = 0;
	     i < net_drive_links(drive) && drive->status == TR_OK && results->sample; i++) {
		struct tr_link link = silent ? (struct tr_link){.start_ticks = 0}
					     : drive->samples.links[i];

		if (drive->samples.links[i].link == UNSAMPLED)
			continue;
		link.link = i;
		link.start_ticks = start_ticks;
		link.width_ticks = width_ticks;
		drive->status = results->sample(results->context, &link, drive->err);
	}
}

static void drive_samples_give_silence(struct net_drive *drive)
{
	struct net_samples *samples = &drive->samples;
	const int64_t from_ticks = samples->silent_ticks;

	samples->silent_ticks = INT64_MAX;
	if (from_ticks < samples->begin_ticks)
		give_samples(drive, true, from_ticks, samples->begin_ticks - from_ticks);
}

// The present interval ends at end_ticks, or is cut there.
static void end_interval(struct net_drive *drive, int64_t end_ticks)
{
	const int64_t width_ticks = drive->setup->sampling.width_ticks;
	struct net_samples *samples = &drive->samples;
	const bool silent = drive_samples_take_samples(drive, end_ticks);

	if (!silent)
		drive_samples_give_silence(drive);
	if (samples->silent_ticks == INT64_MAX) {
		give_samples(drive, silent, samples->begin_ticks, width_ticks);
		if (silent)
			samples->silent_ticks = samples->begin_ticks + width_ticks;
	}
	samples->begin_ticks += width_ticks;
}

void net_samples_open(struct net_drive *drive, int64_t ticks)
{
	struct net_samples *samples = &drive->samples;

	if (!samples->links)
		return;
	samples->begin_ticks = net_sampling_begin(&drive->setup->sampling, ticks);
	samples->silent_ticks = INT64_MAX;
	(void)drive_samples_take_samples(drive, samples->begin_ticks);
}

void net_samples_until(struct net_drive *drive, int64_t ticks)
{
	const int64_t width_ticks = drive->setup->sampling.width_ticks;
	struct net_samples *samples = &drive->samples;

	while (samples->begin_ticks + width_ticks <= ticks && drive->status == TR_OK) {
		end_interval(drive, samples->begin_ticks + width_ticks);
		// What a link does changes only when something happens: after an idle interval all
		// are idle until then.
		if (samples->silent_ticks != INT64_MAX)
			samples->begin_ticks += (ticks - samples->begin_ticks) / width_ticks *
						width_ticks;
	}
}

void net_samples_close(struct net_drive *drive, int64_t end_ticks, bool was_cut)
{
	struct net_samples *samples = &drive->samples;

	if (!samples->links)
		return;
	net_samples_until(drive, end_ticks);
	if (was_cut ? samples->begin_ticks < end_ticks : samples->begin_ticks <= end_ticks)
		end_interval(drive, end_ticks);
	drive_samples_give_silence(drive);
}
