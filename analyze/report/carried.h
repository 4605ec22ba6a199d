// SPDX-License-Identifier: GPL-3.0-or-later
// How a network carried packets: what the report keeps of deliveries and of link samples.
#ifndef REPORT_CARRIED_H
#define REPORT_CARRIED_H

#include <stddef.h>
#include <stdint.h>

#include "report/stream.h"
#include "report/timeline.h"
#include "stat/intervals/batches.h"
#include "stat/intervals/moments.h"
#include "stat/intervals/quantile.h"
#include "stat/nodes/matrix.h"
#include "stream/record.h"
#include "value/status.h"

// ---- carried.c
// What the report keeps of one stream of deliveries.

#define CARRIED_REASONS TR_DROP_REASONS
#define CARRIED_PAIRS 1024u // whose latencies are kept: 7.7 KiB each

// The stages of a packet's latency, in order.
enum carried_stage {
	CARRIED_QUEUE,	 // in the source's queue, until its adapter starts to fetch it
	CARRIED_FETCH,	 // into the adapter, until its first character leaves
	CARRIED_TRAVEL,	 // until the first character reaches the destination's adapter
	CARRIED_RECEIVE, // until the destination's memory holds all of it
	CARRIED_STAGES,
};

// Of delivered packets. Latency is from the source's queue to the destination's memory; speed is
// payload over the time from the start of the fetch to delivery, for packets with payload, in 1e-3
// B/s.
struct carried_class {
	uint64_t size_bytes;
	struct batches latency_ticks;
	struct quantile latency;
	uint64_t latency_max_ticks;
	struct batches speed_mBps;
	struct moments stage_ticks[CARRIED_STAGES];
};

// Latencies of the packets of a pair, in ticks.
struct carried_pair {
	uint64_t least, largest;
	struct log_histogram latency;
};

struct carried {
	const char *label; // lent
	uint64_t ticks_per_s;
	int64_t first_ticks, last_ticks; // of the records
	uint64_t offered;
	uint64_t in_flight;
	uint64_t dropped[CARRIED_REASONS];
	struct carried_class classes[TRAFFIC_KINDS]; // by enum tr_class, then all together
	uint64_t step_ticks;	     // of the timelines: a microsecond, or a tick if longer
	struct timeline latency;     // of deliveries, in ticks
	struct timeline bytes;	     // payload delivered
	struct matrix pairs;	     // delivered: packets and payload bytes
	struct matrix waits;	     // delivered: packets and latency in ticks
	struct matrix losses;	     // dropped: packets and payload bytes
	struct matrix resent;	     // sent again by their source, likewise
	struct matrix duplicates;    // further copies; they count in pairs, but not in latencies
	struct carried_pair *delays; // of the first CARRIED_PAIRS cells of waits
	size_t delays_capacity;
};

// As stream_open.
enum tr_status carried_open(struct carried **out, const char *label, const struct tr_header *header,
			    struct tr_error *err);

// Adds a delivery. TR_ERROR if out of memory.
enum tr_status carried_add(struct carried *carried, const struct tr_delivery *delivery,
			   struct tr_error *err);

// Packets that reached their destination, and those that were dropped for any reason; the others
// were in flight at the end.
uint64_t carried_delivered(const struct carried *carried);
uint64_t carried_dropped(const struct carried *carried);

// From the first record to the last, in seconds.
double carried_duration(const struct carried *carried);

// Name of a reason ("source queue full").
const char *carried_reason_name(unsigned reason);

// NULL is accepted.
void carried_close(struct carried *carried);

// ---- link_map.c
// Link samples over time in a bounded number of columns, for all links on one raster: when time
// exceeds the columns, neighbours are joined and each covers twice as many intervals.

#define LINK_MAP_COLUMNS 128
#define LINK_MAP_LINKS 4096u // that are kept; left_out counts samples of others

// Sums over samples. Shares are each over width_ticks.
struct link_sum {
	int64_t width_ticks;
	int64_t busy_ticks;
	int64_t stop_ticks;   // blocked: the far end had said STOP
	int64_t port_ticks;   // blocked: the head waited for an output port
	int64_t memory_ticks; // blocked: for adapter memory
	uint64_t characters;
	unsigned __int128 occupancy_area; // characters x ticks
	uint32_t occupancy_peak;	  // characters; the largest
};

struct link_row {
	struct link_sum all;
	struct link_sum columns[LINK_MAP_COLUMNS];
};

// Memory: 8.3 KiB a link.
struct link_map {
	const char *label; // lent
	uint64_t ticks_per_s;
	int64_t step_ticks;	// width of the first sample: the raster
	unsigned shift;		// a column covers 2^shift steps
	int64_t first_column;	// number of columns[0]
	size_t used;		// columns up to the last one seen
	struct link_row **rows; // by link id; NULL where it has no sample
	size_t row_count;
	uint64_t samples;
	uint64_t left_out;
};

// As stream_open.
enum tr_status link_map_open(struct link_map **out, const char *label, uint64_t ticks_per_s,
			     struct tr_error *err);

// Adds a sample; starts must not step back.
enum tr_status link_map_add(struct link_map *map, const struct tr_link *sample,
			    struct tr_error *err);

// Width of a column in seconds.
double link_map_width(const struct link_map *map);

// All links together.
struct link_sum link_map_total(const struct link_map *map);

// NULL is accepted.
void link_map_close(struct link_map *map);

#endif
