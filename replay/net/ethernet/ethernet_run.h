// SPDX-License-Identifier: GPL-3.0-or-later
// One run of an Ethernet. What happens in a tick goes in this order, and within each by the number of the link:
//   frames have left: their room is free; frames are whole at their link's far end: hosts deliver, switches queue or drop;
//   packets enter; links start frames.
// A link stands for the output at its near end and for the input at its far end.
#ifndef NET_ETHERNET_RUN_H
#define NET_ETHERNET_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "net/ethernet/ethernet_params.h"
#include "net/graph.h"
#include "net/intake.h"
#include "net/intervals.h"
#include "net/worm.h"
#include "sim/agenda.h"
#include "sim/arena.h"

enum ethernet_event { ETHERNET_LEFT, ETHERNET_WHOLE, ETHERNET_START };

struct ethernet_link {
	struct ethernet_cable times;
	uint32_t from; // nodes
	uint32_t to;
	struct net_worm_list queue;  // of the output
	struct net_worm_list flying; // sent, and not whole at the far end
	uint64_t queue_B;	     // frames in the queue and the one that is being sent
	uint32_t leaving_B;	     // the latter
	int64_t free_ticks;	     // from when the next may start
	bool starts;		     // an ETHERNET_START is pending
};

// What a link did in the present interval of samples, up to since_ticks.
struct ethernet_meter {
	int64_t since_ticks;
	struct tr_link sample;
};

struct ethernet_switch {
	uint64_t used_B;
	uint32_t port_B; // with ETHERNET_PORT: of one output
};

// What the model keeps of a worm beside what every model does.
struct ethernet_life {
	uint64_t serial;  // in the order of entry
	int64_t at_ticks; // in a queue: it may start from then on; flying: it is whole
	uint32_t hops;	  // switches that it has reached
};

// The kind's counters, in net_totals.own.
enum ethernet_own {
	ETHERNET_BUFFER_PEAK, // bytes of the fullest switch
};

struct ethernet_run {
	const struct net_setup *setup;
	const struct ethernet_params *params;
	struct net_totals *totals;
	struct sim_arena arena;
	struct net_graph graph;
	struct net_worm_pool pool;
	struct net_intake intake;
	struct agenda agenda;
	struct ethernet_life *lives;
	struct ethernet_link *links;
	struct ethernet_switch *switches;
	struct ethernet_meter *meters; // NULL: no samples
	uint32_t *alive;	       // room for all worms
	int64_t latency_ticks;
	int64_t now_ticks;
	struct net_intervals intervals; // of samples
	uint64_t serial;
	bool enough; // results have said so
	enum tr_status status;
	struct tr_error *err;
};

extern const struct net_engine ethernet_engine;

// The run fails, but for the first time only.
void ethernet_fail(struct ethernet_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

// --- ethernet_links.c: queues, frames and buffers

// Appends a worm to the output's queue; it may start at at_ticks, now or later.
void ethernet_queue(struct ethernet_run *run, uint32_t link, uint32_t worm, int64_t at_ticks);

// Handles one event.
void ethernet_happen(struct ethernet_run *run, enum ethernet_event event, uint32_t link);

// --- ethernet_hosts.c: packets enter and come to their ends

// Asks for the first offer.
void ethernet_read(struct ethernet_run *run);

// What enters at run->now_ticks.
void ethernet_enter(struct ethernet_run *run);

// The frame is whole at a host.
void ethernet_deliver(struct ethernet_run *run, uint32_t worm, uint32_t host);

// The switch has no room for it, behind this output.
void ethernet_drop(struct ethernet_run *run, uint32_t worm, uint32_t link);

// Reports all that are alive.
void ethernet_in_flight(struct ethernet_run *run);

// --- ethernet_meter.c: samples of links

// Something of the link is about to change.
void ethernet_settle(struct ethernet_run *run, uint32_t link);

// The link's queue, which has a meter, has grown.
void ethernet_peak(struct ethernet_run *run, uint32_t link);

void ethernet_sample_open(struct ethernet_run *run);

// Gives the intervals that end at or before a tick, before anything of it happens.
void ethernet_sample(struct ethernet_run *run, int64_t ticks);

// After the last event, totals->end_ticks being known.
void ethernet_sample_close(struct ethernet_run *run, bool was_cut);

#endif
