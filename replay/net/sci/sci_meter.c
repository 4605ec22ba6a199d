// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links: how long symbols were leaving, and how many began. A packet's symbols leave without a pause, so both follow from
// when it began. And traces of symbols.
#include "net/sci/sci_run.h"

void sci_meter_open(struct sci_run *run)
{
	const struct net_sampling *sampling = &run->setup->sampling;
	const int64_t start_ticks = run->intake.offered ? run->intake.offer.packet.time_ticks : 0;

	if (sampling->width_ticks == 0)
		return;
	run->sample_ticks = net_sampling_begin(sampling, start_ticks);
	run->silent_ticks = INT64_MAX;
}

void sci_meter_start(struct sci_run *run, uint32_t output, uint32_t symbols)
{
	struct sci_meter *meter;

	if (run->setup->sampling.width_ticks == 0)
		return;
	meter = &run->meters[run->links[output]];
	meter->before_ticks += meter->packet_ticks;
	meter->start_ticks = run->now_ticks;
	meter->packet_ticks = symbols * run->times.symbol;
}

static int64_t busy_until(const struct sci_meter *meter, int64_t ticks)
{
	const int64_t ran_ticks = ticks > meter->start_ticks ? ticks - meter->start_ticks : 0;

	return meter->before_ticks + (ran_ticks < meter->packet_ticks ? ran_ticks : meter->packet_ticks);
}

static uint64_t symbols_begun(const struct sci_run *run, int64_t busy_ticks)
{
	return (uint64_t)((busy_ticks + run->times.symbol - 1) / run->times.symbol);
}

// What each link of a ring did from start_ticks to end_ticks, where the run may have ended; nothing where these are equal.
static void give(struct sci_run *run, int64_t start_ticks, int64_t width_ticks, int64_t end_ticks)
{
	const struct net_results *results = &run->setup->results;

	for (uint32_t i = 0; i < 2 * run->setup->topology->cable_count && run->status == TR_OK && results->sample; i++) {
		struct sci_meter *meter = &run->meters[i];
		const int64_t busy_ticks = end_ticks > start_ticks ? busy_until(meter, end_ticks) : meter->given_ticks;
		const struct tr_link sample = {
			.start_ticks = start_ticks,
			.width_ticks = width_ticks,
			.busy_ticks = busy_ticks - meter->given_ticks,
			.characters = symbols_begun(run, busy_ticks) - symbols_begun(run, meter->given_ticks),
			.link = i,
		};

		if (!meter->is_of_ring)
			continue;
		meter->given_ticks = busy_ticks;
		run->status = results->sample(results->context, &sample, run->err);
	}
}

// The intervals in which no link did anything, behind one such.
static void give_silence(struct sci_run *run)
{
	if (run->silent_ticks < run->sample_ticks)
		give(run, run->silent_ticks, run->sample_ticks - run->silent_ticks, run->silent_ticks);
	run->silent_ticks = INT64_MAX;
}

static bool is_silent(const struct sci_run *run, int64_t end_ticks)
{
	for (uint32_t i = 0; i < 2 * run->setup->topology->cable_count; i++)
		if (busy_until(&run->meters[i], end_ticks) != run->meters[i].given_ticks)
			return false;
	return true;
}

static void sample(struct sci_run *run, int64_t end_ticks)
{
	const int64_t width_ticks = run->setup->sampling.width_ticks;
	const bool silent = is_silent(run, end_ticks);

	if (!silent)
		give_silence(run);
	if (run->silent_ticks == INT64_MAX)
		give(run, run->sample_ticks, width_ticks, end_ticks);
	run->sample_ticks += width_ticks;
	if (silent && run->silent_ticks == INT64_MAX)
		run->silent_ticks = run->sample_ticks;
}

void sci_meter_until(struct sci_run *run, int64_t ticks)
{
	const int64_t width_ticks = run->setup->sampling.width_ticks;

	while (width_ticks > 0 && run->status == TR_OK && run->sample_ticks + width_ticks <= ticks) {
		sample(run, run->sample_ticks + width_ticks);
		// A link that was busy would have been in a silent interval: they all are until then.
		if (run->silent_ticks != INT64_MAX)
			run->sample_ticks += (ticks - run->sample_ticks) / width_ticks * width_ticks;
	}
}

void sci_meter_close(struct sci_run *run, bool was_cut)
{
	const int64_t end_ticks = run->totals->end_ticks;

	if (run->setup->sampling.width_ticks == 0 || (was_cut && run->totals->offered == 0))
		return;
	sci_meter_until(run, end_ticks);
	if (was_cut ? run->sample_ticks < end_ticks : run->sample_ticks <= end_ticks)
		sample(run, end_ticks);
	give_silence(run);
}

void sci_watch(struct sci_run *run, uint32_t output, const char *kind, const struct sci_packet *packet, uint32_t index)
{
	const struct net_watch *watch = run->setup->watch;
	const struct net_character out = {.time_ticks = run->now_ticks,
					  .packet = packet ? packet->id : 0,
					  .kind = kind,
					  .link = run->links[output],
					  .value = index,
					  .of_packet = packet,
					  .has_value = packet};

	if (!watch || run->status != TR_OK || (watch->links && !watch->links[out.link]) || out.time_ticks < watch->from_ticks ||
	    out.time_ticks >= watch->to_ticks)
		return;
	run->status = watch->see(watch->context, &out, run->err);
}
