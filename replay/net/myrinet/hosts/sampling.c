// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/hosts.h"

void myr_sampling_start(struct myr_run *run, int64_t start_ticks)
{
	const struct net_sampling *sampling = &run->setup->sampling;

	if (sampling->width_ticks == 0)
		return;
	run->sample_ticks = net_sampling_begin(sampling, start_ticks);
	run->silent_ticks = SIM_NEVER;
}

int64_t myr_sampling_next(const struct myr_run *run)
{
	const int64_t width = run->setup->sampling.width_ticks;

	return width == 0 || run->sampling_rests ? SIM_NEVER : run->sample_ticks + width;
}

static bool sampling_is_zero(const struct tr_link *sample)
{
	return sample->busy_ticks == 0 && sample->blocked_stop_ticks == 0 && sample->blocked_port_ticks == 0 &&
	       sample->blocked_memory_ticks == 0 && sample->characters == 0 && sample->occupancy_area == 0 &&
	       sample->occupancy_peak == 0;
}

static void sampling_give(struct myr_run *run, struct tr_link *sample, uint32_t link, int64_t start_ticks, int64_t width_ticks)
{
	const struct net_results *results = &run->setup->results;

	sample->start_ticks = start_ticks;
	sample->width_ticks = width_ticks;
	sample->link = link;
	if (run->status == TR_OK && results->sample)
		run->status = results->sample(results->context, sample, run->err);
}

// Reports samples of idle links.
static void give_nothing(struct myr_run *run, uint32_t links, int64_t start_ticks, int64_t width_ticks)
{
	struct tr_link nothing = {0};

	for (uint32_t i = 0; width_ticks > 0 && i < links; i++)
		sampling_give(run, &nothing, i, start_ticks, width_ticks);
}

static void sampling_give_silence(struct myr_run *run)
{
	if (run->silent_ticks != SIM_NEVER)
		give_nothing(run, run->link_count, run->silent_ticks, run->sample_ticks - run->silent_ticks);
	run->silent_ticks = SIM_NEVER;
}

// Reports the silence since sampling paused.
static void pass_silence(struct myr_run *run, int64_t ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;

	run->sample_ticks += (ticks - run->sample_ticks) / width * width;
}

void myr_sampling_wake(struct myr_run *run, int64_t ticks)
{
	if (!run->sampling_rests)
		return;
	run->sampling_rests = false;
	pass_silence(run, ticks);
}

// Whether nothing is due in this tick or later, except events that wake sampling. The GAP after a delivered worm may still be
// under way; what becomes due in this tick is sent in a tick that wakes nothing.
static bool nothing_is_due(const struct myr_run *run, int64_t ticks)
{
	return run->pool.alive == 0 && run->calendar.pending == run->timers && run->calendar.taken_count == 0 &&
	       run->beat_ticks > ticks && myr_faults_next(run) > ticks && myr_entry_next(run) > ticks;
}

// Samples what happened before the tick. A silence starts after an interval in which no link was active, which is judged by the
// samples alone: one engine may know earlier than another that nothing can happen.
static void sample_all(struct myr_run *run, int64_t ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;
	bool silent = true;
	bool rests = nothing_is_due(run, ticks);

	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, ticks - 1, true, &look);
		rests = rests && !look.waits;
		if (silent && sampling_is_zero(&look.sample))
			continue;
		if (silent) {
			sampling_give_silence(run);
			give_nothing(run, i, run->sample_ticks, width);
		}
		silent = false;
		sampling_give(run, &look.sample, i, run->sample_ticks, width);
	}
	if (silent && run->silent_ticks == SIM_NEVER) {
		give_nothing(run, run->link_count, run->sample_ticks, width);
		run->silent_ticks = run->sample_ticks + width;
	}
	run->sample_ticks += width;
	run->sampling_rests = silent && rests;
}

void myr_sampling(struct myr_run *run)
{
	if (myr_sampling_next(run) == run->now_ticks)
		sample_all(run, run->now_ticks);
}

int64_t myr_sampling_last(struct myr_run *run, bool was_cut, int64_t end_ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;

	if (width == 0)
		return INT64_MIN;
	if (run->sampling_rests)
		pass_silence(run, end_ticks);
	run->sampling_rests = false;
	if (was_cut)
		return end_ticks;
	return end_ticks < run->sample_ticks ? INT64_MIN : myr_earlier(run->sample_ticks + width, run->stop_ticks);
}

void myr_sampling_end(struct myr_run *run, int64_t ticks)
{
	if (run->setup->sampling.width_ticks == 0)
		return;
	sampling_give_silence(run);
	if (run->sample_ticks < ticks)
		sample_all(run, ticks);
}
