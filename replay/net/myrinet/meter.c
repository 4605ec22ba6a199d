// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/myrinet/meter.h"

// Samples keep no run going.
static void expect(struct myr_network *net)
{
	net->background++;
	myr_push(net, net->sample_ticks + net->setup->sampling.width_ticks, MYR_SAMPLE, 0, 0);
}

void myr_meter_start(struct myr_network *net, int64_t start_ticks)
{
	const struct net_sampling *sampling = &net->setup->sampling;
	int64_t past;

	for (uint32_t i = 0; i < net->parts.link_count; i++)
		net->parts.links[i].meter = (struct myr_meter){.stop_since = -1,
							       .port_since = -1,
							       .memory_since = -1,
							       .area_since = start_ticks};
	if (sampling->width_ticks == 0)
		return;
	past = (start_ticks - sampling->start_ticks) % sampling->width_ticks;
	net->sample_ticks = start_ticks - (past < 0 ? past + sampling->width_ticks : past);
	expect(net);
}

// Brings an open time up to now without ending it.
static void split(int64_t *since, int64_t *sum, int64_t now)
{
	if (*since < 0)
		return;
	*sum += now - *since;
	*since = now;
}

static struct tr_link read_meter(struct myr_network *net, struct myr_link *link)
{
	struct myr_meter *meter = &link->meter;
	int64_t now = net->events.now_ticks;
	int64_t over = link->free_ticks > now ? link->free_ticks - now : 0;
	struct tr_link sample;

	split(&meter->stop_since, &meter->blocked_stop_ticks, now);
	split(&meter->port_since, &meter->blocked_port_ticks, now);
	split(&meter->memory_since, &meter->blocked_memory_ticks, now);
	myr_meter_area(net, link);
	sample = (struct tr_link){
		.start_ticks = net->sample_ticks,
		.width_ticks = net->setup->sampling.width_ticks,
		.busy_ticks = (int64_t)meter->characters * link->character_ticks +
			      meter->busy_over_ticks - over,
		.blocked_stop_ticks = meter->blocked_stop_ticks,
		.blocked_port_ticks = meter->blocked_port_ticks,
		.blocked_memory_ticks = meter->blocked_memory_ticks,
		.characters = meter->characters,
		.occupancy_area = meter->area,
		.link = link->number,
		.occupancy_peak = meter->peak,
	};
	meter->busy_over_ticks = over;
	return sample;
}

static void clear(struct myr_link *link)
{
	struct myr_meter *meter = &link->meter;

	meter->blocked_stop_ticks = 0;
	meter->blocked_port_ticks = 0;
	meter->blocked_memory_ticks = 0;
	meter->characters = 0;
	meter->area = 0;
	meter->peak = link->slack.count;
}

bool myr_meter_is_zero(const struct tr_link *sample)
{
	return sample->busy_ticks == 0 && sample->blocked_stop_ticks == 0 &&
	       sample->blocked_port_ticks == 0 && sample->blocked_memory_ticks == 0 &&
	       sample->characters == 0 && sample->occupancy_area == 0 && sample->occupancy_peak == 0;
}

void myr_meter_give_silence(struct myr_network *net, int64_t ticks)
{
	const struct net_results *results = &net->setup->results;
	const int64_t width = net->setup->sampling.width_ticks;
	const int64_t silent = (ticks - net->sample_ticks) / width * width;

	for (uint32_t i = 0; silent > 0 && i < net->parts.link_count; i++) {
		const struct tr_link sample = {.start_ticks = net->sample_ticks,
					       .width_ticks = silent,
					       .link = net->parts.link_of[i]->number};

		if (net->status == TR_OK && results->sample != NULL)
			net->status = results->sample(results->context, &sample, net->err);
	}
	net->sample_ticks += silent > 0 ? silent : 0;
}

void myr_meter_wake(struct myr_network *net, int64_t ticks)
{
	if (!net->sampling_rests)
		return;
	net->sampling_rests = false;
	myr_meter_give_silence(net, ticks);
	expect(net);
}

void myr_meter_sample(struct myr_network *net)
{
	const struct net_results *results = &net->setup->results;
	int64_t width = net->setup->sampling.width_ticks;
	bool silent = net->pool.alive == 0;

	for (uint32_t i = 0; i < net->parts.link_count; i++) {
		struct myr_link *link = net->parts.link_of[i];
		struct tr_link sample = read_meter(net, link);

		silent = silent && myr_meter_is_zero(&sample);
		clear(link);
		if (net->status == TR_OK && results->sample != NULL)
			net->status = results->sample(results->context, &sample, net->err);
	}
	net->sample_ticks += width;
	if (myr_over(net))
		return;
	net->sampling_rests = silent;
	if (!silent)
		expect(net);
}

void myr_meter_end(struct myr_network *net, bool was_cut)
{
	const int64_t end = net->sample_ticks + net->setup->sampling.width_ticks;

	if (!was_cut && end < net->stop_ticks) {
		net->events.now_ticks = end;
		myr_meter_sample(net);
	} else if (!was_cut) {
		net->events.now_ticks = net->stop_ticks;
	}
	if (net->sample_ticks <= net->events.now_ticks)
		myr_meter_sample(net);
}
