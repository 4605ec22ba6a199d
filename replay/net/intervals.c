// SPDX-License-Identifier: GPL-3.0-or-later
#include "net/intervals.h"

void net_intervals_open(struct net_intervals *intervals, const struct net_setup *setup, uint32_t links, int64_t ticks)
{
	*intervals = (struct net_intervals){.setup = setup,
					    .links = links,
					    .begin_ticks = net_sampling_begin(&setup->sampling, ticks),
					    .silent_ticks = INT64_MAX};
}

// What each link did from start_ticks on; sample is NULL: nothing.
static enum tr_status give(const struct net_intervals *intervals, net_interval_sample *sample, const void *context,
			   int64_t start_ticks, int64_t width_ticks, struct tr_error *err)
{
	const struct net_results *results = &intervals->setup->results;
	enum tr_status status = TR_OK;

	for (uint32_t i = 0; i < intervals->links && status == TR_OK && results->sample; i++) {
		struct tr_link link = sample ? *sample(context, i) : (struct tr_link){0};

		link.start_ticks = start_ticks;
		link.width_ticks = width_ticks;
		link.link = i;
		status = results->sample(results->context, &link, err);
	}
	return status;
}

enum tr_status net_intervals_close(struct net_intervals *intervals, struct tr_error *err)
{
	const int64_t from_ticks = intervals->silent_ticks;

	intervals->silent_ticks = INT64_MAX;
	if (from_ticks >= intervals->begin_ticks)
		return TR_OK;
	return give(intervals, NULL, NULL, from_ticks, intervals->begin_ticks - from_ticks, err);
}

enum tr_status net_intervals_end(struct net_intervals *intervals, bool silent, net_interval_sample *sample, const void *context,
				 struct tr_error *err)
{
	const int64_t width_ticks = intervals->setup->sampling.width_ticks;
	enum tr_status status = silent ? TR_OK : net_intervals_close(intervals, err);

	if (status == TR_OK && intervals->silent_ticks == INT64_MAX) {
		status = give(intervals, silent ? NULL : sample, context, intervals->begin_ticks, width_ticks, err);
		if (silent)
			intervals->silent_ticks = intervals->begin_ticks + width_ticks;
	}
	intervals->begin_ticks += width_ticks;
	return status;
}

bool net_intervals_skip(struct net_intervals *intervals, int64_t ticks)
{
	const int64_t width_ticks = intervals->setup->sampling.width_ticks;

	if (intervals->silent_ticks == INT64_MAX)
		return false;
	intervals->begin_ticks += (ticks - intervals->begin_ticks) / width_ticks * width_ticks;
	return true;
}
