// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/hosts/sampling.h"

void myr_sampling_start(struct myr_run *run, int64_t start_ticks)
{
	const struct net_sampling *sampling = &run->setup->sampling;
	int64_t past;

	if (sampling->width_ticks == 0)
		return;
	past = (start_ticks - sampling->start_ticks) % sampling->width_ticks;
	run->sample_ticks = start_ticks - (past < 0 ? past + sampling->width_ticks : past);
}

int64_t myr_sampling_next(const struct myr_run *run)
{
	const int64_t width = run->setup->sampling.width_ticks;

	return width == 0 || run->sampling_rests ? SIM_NEVER : run->sample_ticks + width;
}

static bool is_zero(const struct tr_link *sample)
{
	return sample->busy_ticks == 0 && sample->blocked_stop_ticks == 0 &&
	       sample->blocked_port_ticks == 0 && sample->blocked_memory_ticks == 0 &&
	       sample->characters == 0 && sample->occupancy_area == 0 && sample->occupancy_peak == 0;
}

static void give(struct myr_run *run, struct tr_link *sample, uint32_t link, int64_t width_ticks)
{
	const struct net_results *results = &run->setup->results;

	sample->start_ticks = run->sample_ticks;
	sample->width_ticks = width_ticks;
	sample->link = link;
	if (run->status == TR_OK && results->sample != NULL)
		run->status = results->sample(results->context, sample, run->err);
}

static void give_silence(struct myr_run *run, int64_t ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;
	const int64_t silent = (ticks - run->sample_ticks) / width * width;
	struct tr_link sample = {0};

	for (uint32_t i = 0; silent > 0 && i < run->link_count; i++)
		give(run, &sample, i, silent);
	run->sample_ticks += silent > 0 ? silent : 0;
}

void myr_sampling_wake(struct myr_run *run, int64_t ticks)
{
	if (!run->sampling_rests)
		return;
	run->sampling_rests = false;
	give_silence(run, ticks);
	myr_run_outside(run);
}

// What happened before the tick.
static void sample_all(struct myr_run *run, int64_t ticks)
{
	// The GAP behind a worm that was delivered may still be on its way.
	bool silent = run->pool.alive == 0 && run->calendar.pending == run->timers &&
		      run->calendar.taken_count == 0;

	for (uint32_t i = 0; i < run->link_count; i++) {
		struct myr_look look;

		run->medium->look(run, i, ticks - 1, true, &look);
		silent = silent && !look.waits && is_zero(&look.sample);
		give(run, &look.sample, i, run->setup->sampling.width_ticks);
	}
	run->sample_ticks += run->setup->sampling.width_ticks;
	run->sampling_rests = silent;
}

void myr_sampling(struct myr_run *run)
{
	if (myr_sampling_next(run) == run->now_ticks)
		sample_all(run, run->now_ticks);
}

void myr_sampling_end(struct myr_run *run, bool was_cut, int64_t end_ticks)
{
	const int64_t width = run->setup->sampling.width_ticks;
	int64_t until = end_ticks;

	if (width == 0)
		return;
	if (run->sampling_rests)
		give_silence(run, end_ticks);
	if (!was_cut && end_ticks < run->sample_ticks)
		return;
	if (!was_cut && run->sample_ticks + width < run->stop_ticks)
		until = run->sample_ticks + width;
	else if (!was_cut)
		until = run->stop_ticks;
	if (run->sample_ticks < until)
		sample_all(run, until);
}
