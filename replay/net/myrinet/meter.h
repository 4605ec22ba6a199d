// SPDX-License-Identifier: GPL-3.0-or-later
// What a link did in an interval: sums that are exact in ticks and split at the intervals' ends.
#ifndef NET_MYRINET_METER_H
#define NET_MYRINET_METER_H

#include "net/myrinet/network.h"

// Begins a time that is to be summed, unless it has begun.
static inline void myr_meter_open(int64_t *since, int64_t now_ticks)
{
	if (*since < 0)
		*since = now_ticks;
}

// Ends it and adds it to *sum.
static inline void myr_meter_shut(int64_t *since, int64_t *sum, int64_t now_ticks)
{
	if (*since >= 0)
		*sum += now_ticks - *since;
	*since = -1;
}

// Brings the occupancy's area up to now; called before each change of it.
static inline void myr_meter_area(const struct myr_network *net, struct myr_link *link)
{
	link->meter.area += (uint64_t)(net->events.now_ticks - link->meter.area_since) *
			    link->slack.count;
	link->meter.area_since = net->events.now_ticks;
}

// Sets the meters to nothing at the start of the run and asks for the first sample, where samples
// are wanted.
void myr_meter_start(struct myr_network *net, int64_t start_ticks);

// Handler of MYR_SAMPLE: gives out the interval that ends now. Where nothing is under way no sample
// is asked for: the next event wakes the meters.
void myr_meter_sample(struct myr_network *net);

// The run is over: gives out the last intervals. Where it was not cut the last but one ends behind
// the last event.
void myr_meter_end(struct myr_network *net, bool was_cut);

// An event happens at ticks: gives out the silence before it, where the meters rest.
void myr_meter_wake(struct myr_network *net, int64_t ticks);

// Gives out the intervals that end at ticks or before as one, in which no link did anything.
void myr_meter_give_silence(struct myr_network *net, int64_t ticks);

// Whether the link did nothing and nothing stood in its buffer.
bool myr_meter_is_zero(const struct tr_link *sample);

#endif
