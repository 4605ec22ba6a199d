// SPDX-License-Identifier: GPL-3.0-or-later
// All that the report keeps of one stream of deliveries: how a network carried its packets.
#ifndef REPORT_CARRIED_H
#define REPORT_CARRIED_H

#include <stdint.h>

#include "report/timeline.h"
#include "report/stream.h"
#include "stat/batches.h"
#include "stat/matrix.h"
#include "stat/moments.h"
#include "stat/quantile.h"

#define CARRIED_REASONS 6u // enum tr_drop_reason

// Where a packet's time goes, in order.
enum carried_stage {
	CARRIED_QUEUE,	 // in the source's queue, until its adapter fetches it
	CARRIED_FETCH,	 // into the adapter and until its first character leaves
	CARRIED_TRAVEL,	 // until the first character reaches the destination's adapter
	CARRIED_RECEIVE, // until all of it is in the destination's memory
	CARRIED_STAGES,
};

// Of delivered packets. Latency is from the source's queue to the destination's memory; speed is payload over the
// time from the start of the fetch to there, of packets with payload, in 1e-3 B/s.
struct carried_class {
	uint64_t size_bytes;
	struct batches latency_ticks;
	struct quantile latency;
	uint64_t latency_max_ticks;
	struct batches speed_mBps;
	struct moments stage_ticks[CARRIED_STAGES];
};

struct carried {
	const char *label; // lent
	uint64_t ticks_per_s;
	int64_t first_ticks, last_ticks; // of the records
	uint64_t offered;
	uint64_t in_flight;
	uint64_t dropped[CARRIED_REASONS];
	struct carried_class classes[TRAFFIC_KINDS]; // by enum tr_class, and all of them
	uint64_t step_ticks;			     // of the timelines: a microsecond, or a tick where that is longer
	struct timeline latency;		     // of deliveries, in ticks
	struct timeline bytes;			     // payload delivered
	struct matrix pairs;			     // delivered: packets and payload bytes
	struct matrix waits;			     // delivered: packets and latency in ticks
	struct matrix losses;			     // dropped: packets and payload bytes
};

// As stream_open.
enum tr_status carried_open(struct carried **out, const char *label, const struct tr_header *header, struct tr_error *err);

enum tr_status carried_add(struct carried *carried, const struct tr_delivery *delivery, struct tr_error *err);

uint64_t carried_delivered(const struct carried *carried);
uint64_t carried_dropped(const struct carried *carried);

// From the first record to the last, in seconds.
double carried_duration(const struct carried *carried);

// Name of a reason ("source queue full").
const char *carried_reason_name(unsigned reason);

// NULL is accepted.
void carried_close(struct carried *carried);

#endif
