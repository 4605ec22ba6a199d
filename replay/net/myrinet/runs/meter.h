// SPDX-License-Identifier: GPL-3.0-or-later
// What a link did in an interval, as net/myrinet/meter.h has it, from the runs.
#ifndef NET_MYRINET_RUNS_METER_H
#define NET_MYRINET_RUNS_METER_H

#include "net/myrinet/runs/state.h"

// Sums since the last sample.
struct run_meter {
	int64_t blocked_stop_ticks;
	int64_t blocked_port_ticks;
	int64_t busy_over_ticks; // of the last character, beyond the last sample
	uint64_t characters;     // of the whole run up to the last sample
	uint64_t area;
	uint32_t peak;
};

// Adds what was found of the buffer.
static inline void run_meter_add(struct run_meter *meter, uint32_t peak, uint64_t area)
{
	meter->area += area;
	if (peak > meter->peak)
		meter->peak = peak;
}

// The interval that the run starts in.
void run_meter_start(struct run_net *runs, int64_t start_ticks);

// A time of a kind, from since_ticks until now, has ended.
void run_meter_blocked_stop(struct run_net *runs, const struct run_link *link, int64_t since_ticks);
void run_meter_blocked_port(struct run_net *runs, const struct run_link *link, int64_t since_ticks);

// Gives out the intervals that end at ticks or before.
void run_meter_give_out(struct run_net *runs, int64_t ticks);

// The same where links are sampled.
static inline void run_meter_catch_up(struct run_net *runs, int64_t ticks)
{
	if (runs->meters != NULL)
		run_meter_give_out(runs, ticks);
}

// Gives out the present interval, which is cut at ticks.
void run_meter_last(struct run_net *runs, int64_t ticks);

// Characters that have started on the link before ticks.
uint64_t run_meter_characters(const struct run_link *link, int64_t ticks);

#endif
