// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of links. What a link does but for its flits stays as it is from the end of one cycle to
// that of the next.
#include "net/lanes/lanes_run.h"

// Adds up what the link has done since it was last looked at.
static void settle_meter(struct lanes_meter *meter, int64_t ticks)
{
	const int64_t past_ticks = ticks - meter->since_ticks;

	meter->since_ticks = ticks;
	meter->sample.blocked_stop_ticks += meter->stopped ? past_ticks : 0;
	meter->sample.blocked_port_ticks += meter->asks ? past_ticks : 0;
	meter->sample.occupancy_area += meter->held_B * (uint64_t)past_ticks;
}

// Whether a packet that holds the lane has a flit for it, and no room is known behind it.
static bool is_flit_stopped(const struct lanes_run *run, const struct lanes_slot *to)
{
	const struct lanes_slot *from = to->holder == LANES_NONE ? NULL : &run->slots[to->holder];

	return from && from->may && from->flits > 0 && from->left > 0 && to->room == 0;
}

void lanes_meter_flit(struct lanes_run *run, uint32_t link)
{
	struct lanes_meter *meter = &run->meters[link];

	meter->sample.busy_ticks += run->clock.cycle_ticks;
	meter->sample.characters += run->params->flit_B;
	meter->busy_ticks = run->arbiters[lanes_arbiter_of(run, lanes_lane(run, link, 0))].clear *
			    run->clock.cycle_ticks;
}

// Whether a packet in the buffer behind a lane asks for a lane.
static bool lanes_meter_asks(const struct lanes_run *run, const struct lanes_slot *slot)
{
	const uint32_t lane = (uint32_t)(slot - run->slots);

	for (uint32_t i = 0; i < lanes_queues_at(run, lane); i++)
		if (run->slots[run->queuing.first[lane] + i].asks)
			return true;
	return slot->asks;
}

void lanes_meter_all(struct lanes_run *run)
{
	for (uint32_t link = 0; link < run->net.graph.links; link++) {
		const struct lanes_slot *slots = &run->slots[lanes_lane(run, link, 0)];
		struct lanes_meter *meter = &run->meters[link];
		uint32_t flits = 0;

		settle_meter(meter, run->net.now_ticks);
		meter->asks = meter->stopped = false;
		for (uint32_t lane = 0; lane < run->sizes.lanes; lane++) {
			flits += slots[lane].flits;
			meter->asks = meter->asks || lanes_meter_asks(run, &slots[lane]);
			meter->stopped = meter->stopped || is_flit_stopped(run, &slots[lane]);
		}
		meter->held_B = flits * (uint32_t)run->params->flit_B;
		if (meter->held_B > meter->sample.occupancy_peak)
			meter->sample.occupancy_peak = meter->held_B;
	}
}

bool lanes_sample(void *context, uint32_t link, int64_t ticks, struct tr_link *out)
{
	struct lanes_meter *meter = &((struct lanes_run *)context)->meters[link];
	const int64_t over_ticks = meter->busy_ticks > ticks ? meter->busy_ticks - ticks : 0;

	settle_meter(meter, ticks);
	*out = meter->sample;
	out->busy_ticks -= over_ticks;
	meter->sample = (struct tr_link){.busy_ticks = over_ticks, .occupancy_peak = meter->held_B};
	return true;
}
