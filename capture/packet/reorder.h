// SPDX-License-Identifier: GPL-3.0-or-later
// Sorts packets whose stamps step back a little: holds those of the last window_ns, and the first
// PK_ORDER_HOLD packets however far they step. Memory: PK_ORDER_BYTES for each packet that there is
// room for, which is at least PK_ORDER_HOLD of them, up to four times as many as are held, and at
// most a bound: beyond it the oldest are released early.
#ifndef PACKET_REORDER_H
#define PACKET_REORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/record.h"
#include "value/status.h"

#define PK_ORDER_BYTES (2 * sizeof(struct tr_packet))
#define PK_ORDER_HOLD 65536u
#define PK_ORDER_BATCH 4096u // gathered between later releases, to stay in the cache

enum pk_straggler {
	PK_STRAGGLER_REFUSE, // a packet older than the last one released, or than was promised, is
			     // an error
	PK_STRAGGLER_CLAMP,  // it gets that time
	PK_STRAGGLER_KEEP,   // packets are not sorted, so there is none
};

enum pk_release {
	PK_RELEASE_SETTLED, // what can no longer be overtaken; more only beyond half of the bound
	PK_RELEASE_SOONER,  // the same, before it is due, as memory is wanted
	PK_RELEASE_EARLY,   // all, as memory is wanted
	PK_RELEASE_ALL,	    // all, at the end
};

// records hold absolute times (ns since the Unix epoch) in time_ticks.
struct pk_order {
	struct tr_packet *records;
	struct tr_packet *scratch; // for sorting
	size_t count;
	size_t capacity, most;
	size_t due; // count at which to release next
	int64_t window_ns;
	enum pk_straggler straggler;
	bool disordered; // records are not in order
	bool early;	 // memory made it release packets earlier than it would: late ones are then
			 // clamped, not refused
	bool refused;	 // a straggler was
	int64_t newest_ns; // latest time seen; INT64_MIN: none
	int64_t given_ns;  // latest time released or promised; INT64_MIN: none
	uint64_t late;	   // packets whose stamp was before that of an earlier one
	uint64_t clamped;
	uint64_t hurried;    // released though others within the window could have come before
	uint64_t steps;	     // out of the window: a step goes on until a packet is the newest again
	int64_t step_max_ns; // the longest step back
	int64_t step_ns;     // the longest since newest_ns was reached
	int64_t stepped_ns;  // newest_ns at the last step back; INT64_MIN: none
	bool stepped;	     // that step was counted in steps
};

// Holds at most `most` packets, above 0. TR_ERROR if out of memory. window_ns >= 0.
enum tr_status pk_order_open(struct pk_order *order, int64_t window_ns, enum pk_straggler straggler,
			     size_t most, struct tr_error *err);

// Sets how many are gathered until the next release, or as many as may be held.
void pk_order_set_due(struct pk_order *order, size_t count);

// Handles a packet at the next place that is older than the newest.
enum tr_status pk_order_step_back(struct pk_order *order, struct tr_error *err);

// The place of the next packet: fill it, then add it.
static inline struct tr_packet *pk_order_place(struct pk_order *order)
{
	return &order->records[order->count];
}

// Adds the packet at the next place. TR_ERROR: a straggler that is refused (err says by how much).
// When order->count has reached order->due the caller releases.
static inline enum tr_status pk_order_add(struct pk_order *order, struct tr_error *err)
{
	const int64_t time_ns = order->records[order->count].time_ticks;

	if (time_ns < order->newest_ns) {
		if (pk_order_step_back(order, err) != TR_OK)
			return TR_ERROR;
	} else {
		order->newest_ns = time_ns;
	}
	order->count++;
	return TR_OK;
}

// Releases packets in order through give(context, records, count), which may change them; stops if
// that fails. Grows the buffer if the window needs it; TR_ERROR if out of memory.
enum tr_status pk_order_release(struct pk_order *order, enum pk_release which,
				enum tr_status (*give)(void *context, struct tr_packet *records,
						       size_t count),
				void *context, struct tr_error *err);

// Promises that no packet from before time_ns will be released from now on.
static inline void pk_order_promise(struct pk_order *order, int64_t time_ns)
{
	if (time_ns > order->given_ns)
		order->given_ns = time_ns;
}

// Frees what it holds; it is empty then.
void pk_order_close(struct pk_order *order);

#endif
