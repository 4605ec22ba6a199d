// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links: how long symbols were leaving, and how many began. A packet's symbols leave
// without a pause, so both follow from when it began. And traces of symbols.
#include "net/studies/sci/sci_run.h"

void sci_meter_start(struct sci_run *run, uint32_t output, uint32_t symbols)
{
	struct sci_meter *meter;

	if (!run->meters)
		return;
	meter = &run->meters[run->rings.lines[output].link];
	meter->before_ticks += meter->packet_ticks;
	meter->start_ticks = run->net.now_ticks;
	meter->packet_ticks = symbols * run->times.symbol;
}

static int64_t busy_until(const struct sci_meter *meter, int64_t ticks)
{
	const int64_t ran_ticks = ticks > meter->start_ticks ? ticks - meter->start_ticks : 0;

	return meter->before_ticks +
	       (ran_ticks < meter->packet_ticks ? ran_ticks : meter->packet_ticks);
}

static uint64_t symbols_begun(const struct sci_run *run, int64_t busy_ticks)
{
	return (uint64_t)((busy_ticks + run->times.symbol - 1) / run->times.symbol);
}

bool sci_sample(void *context, uint32_t link, int64_t ticks, struct tr_link *out)
{
	const struct sci_run *run = context;
	struct sci_meter *meter = &run->meters[link];
	const int64_t busy_ticks = busy_until(meter, ticks);

	out->busy_ticks = busy_ticks - meter->given_ticks;
	out->characters = symbols_begun(run, busy_ticks) - symbols_begun(run, meter->given_ticks);
	meter->given_ticks = busy_ticks;
	return meter->is_of_ring;
}

void sci_watch(struct sci_run *run, uint32_t output, const char *kind,
	       const struct sci_packet *packet, uint32_t index)
{
	const struct net_watch *watch = run->net.setup->watch;
	const struct net_character out = {.time_ticks = run->net.now_ticks,
					  .packet = packet ? packet->id : 0,
					  .kind = kind,
					  .link = run->rings.lines[output].link,
					  .value = index,
					  .of_packet = packet,
					  .has_value = packet};

	if (!watch || run->net.status != TR_OK || (watch->links && !watch->links[out.link]) ||
	    out.time_ticks < watch->from_ticks || out.time_ticks >= watch->to_ticks)
		return;
	run->net.status = watch->see(watch->context, &out, run->net.err);
}
