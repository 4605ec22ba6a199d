// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/runs/meter.h"

#include "net/myrinet/meter.h"
#include "net/myrinet/runs/attempt.h"
#include "net/myrinet/runs/buffer.h"

void run_meter_start(struct run_net *runs, int64_t start_ticks)
{
	const struct net_sampling *sampling = &runs->net.setup->sampling;
	int64_t past;

	if (sampling->width_ticks == 0)
		return;
	past = (start_ticks - sampling->start_ticks) % sampling->width_ticks;
	runs->net.sample_ticks = start_ticks - (past < 0 ? past + sampling->width_ticks : past);
	for (uint32_t i = 0; i < runs->net.parts.link_count; i++)
		runs->net.parts.links[i].meter.memory_since = -1;
}

// Of a time from since to ticks, the part in the present interval.
static int64_t inside(const struct run_net *runs, int64_t since_ticks, int64_t ticks)
{
	int64_t from = run_later(since_ticks, runs->net.sample_ticks);

	return ticks > from ? ticks - from : 0;
}

void run_meter_blocked_stop(struct run_net *runs, const struct run_link *link, int64_t since_ticks)
{
	if (runs->meters != NULL)
		runs->meters[link->number].blocked_stop_ticks +=
			inside(runs, since_ticks, runs->net.events.now_ticks);
}

void run_meter_blocked_port(struct run_net *runs, const struct run_link *link, int64_t since_ticks)
{
	if (runs->meters != NULL)
		runs->meters[link->number].blocked_port_ticks +=
			inside(runs, since_ticks, runs->net.events.now_ticks);
}

uint64_t run_meter_characters(const struct run_link *link, int64_t ticks)
{
	return link->controls + link->counted +
	       (uint64_t)(int64_t)run_ahead(run_from(&link->sent, ticks), link->counted_to);
}

// How long the last character before ticks goes on after it.
static int64_t busy_over(const struct run_link *link, int64_t ticks)
{
	int64_t end = run_later(run_start_before(&link->sent, run_from(&link->sent, ticks)) +
					link->character_ticks,
				link->control_end_ticks);

	return end > ticks ? end - ticks : 0;
}

// The time blocked for memory is the shared receiver's to count.
static int64_t blocked_memory(struct run_net *runs, const struct run_link *link, int64_t ticks)
{
	struct myr_meter *meter = &runs->net.parts.link_of[link->number]->meter;
	int64_t blocked = meter->blocked_memory_ticks;

	meter->blocked_memory_ticks = 0;
	if (meter->memory_since >= 0) {
		blocked += ticks - meter->memory_since;
		meter->memory_since = ticks;
	}
	return blocked;
}

static void split_blocked(struct run_net *runs, struct run_link *link, int64_t ticks)
{
	struct run_meter *meter = &runs->meters[link->number];

	if (link->stopped)
		meter->blocked_stop_ticks +=
			inside(runs, run_attempt_ticks(runs, link, ticks - 1), ticks);
	if (link->sink == NULL && link->input.state == RUN_INPUT_WAITS)
		meter->blocked_port_ticks += inside(runs, link->input.asked_ticks, ticks);
}

static struct tr_link read_meter(struct run_net *runs, struct run_link *link, int64_t ticks)
{
	struct run_meter *meter = &runs->meters[link->number];
	uint64_t characters = run_meter_characters(link, ticks);
	int64_t over = busy_over(link, ticks);
	struct tr_link sample;

	run_buffer_settle(runs, link, ticks);
	split_blocked(runs, link, ticks);
	sample = (struct tr_link){
		.start_ticks = runs->net.sample_ticks,
		.width_ticks = runs->net.setup->sampling.width_ticks,
		.busy_ticks = (int64_t)(characters - meter->characters) * link->character_ticks +
			      meter->busy_over_ticks - over,
		.blocked_stop_ticks = meter->blocked_stop_ticks,
		.blocked_port_ticks = meter->blocked_port_ticks,
		.blocked_memory_ticks = blocked_memory(runs, link, ticks),
		.characters = characters - meter->characters,
		.occupancy_area = meter->area,
		.link = link->number,
		.occupancy_peak = meter->peak,
	};
	*meter = (struct run_meter){.characters = characters, .busy_over_ticks = over,
				    .peak = run_buffer_occupancy(runs, link, ticks)};
	return sample;
}

// Whether no character starts or arrives from ticks on unless something else happens before.
static bool rests(const struct run_net *runs, int64_t ticks)
{
	for (uint32_t i = 0; i < runs->net.parts.link_count; i++) {
		const struct run_link *link = &runs->links[i];

		if (run_last(&link->sent) + link->delay_ticks >= ticks ||
		    (link->sink != NULL && run_last(&link->sink->drained) >= ticks))
			return false;
	}
	return runs->net.pool.alive == 0;
}

static void sample(struct run_net *runs, int64_t ticks)
{
	struct myr_network *net = &runs->net;
	const struct net_results *results = &net->setup->results;
	bool silent = rests(runs, net->sample_ticks);

	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		struct tr_link link = read_meter(runs, runs->link_of[i], ticks);

		silent = silent && myr_meter_is_zero(&link);
		if (net->status == TR_OK && results->sample != NULL)
			net->status = results->sample(results->context, &link, net->err);
	}
	net->sample_ticks += net->setup->sampling.width_ticks;
	net->sampling_rests = silent;
}

void run_meter_give_out(struct run_net *runs, int64_t ticks)
{
	int64_t width = runs->net.setup->sampling.width_ticks;

	while (runs->net.sample_ticks + width <= ticks) {
		sample(runs, runs->net.sample_ticks + width);
		if (runs->net.sampling_rests)
			myr_meter_give_silence(&runs->net, ticks);
	}
}

void run_meter_last(struct run_net *runs, int64_t ticks)
{
	if (runs->net.setup->sampling.width_ticks > 0 && runs->net.sample_ticks <= ticks)
		sample(runs, ticks);
}
