// SPDX-License-Identifier: GPL-3.0-or-later
// One run of an Ethernet: a frame moves over one link at a time, whole, and waits in the buffer
// that the outputs of a switch share. What happens in a tick goes in this order, and within each by
// the number of the link:
//   frames have left: their room is free; frames are whole at their link's far end: hosts deliver,
//   switches queue or drop; packets enter; links start frames.
// A link stands for the output at its near end and for the input at its far end.
#ifndef NET_ETHERNET_RUN_H
#define NET_ETHERNET_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/ethernet/ethernet_params.h"
#include "sim/agenda.h"

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

// What a link did since its sample was taken last, up to since_ticks.
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
	int64_t at_ticks; // in a queue: it may start from then on; flying: it is whole
	uint16_t hops;	  // switches that it has reached
	bool flies;	  // it is on a link
	uint32_t mark;	  // of the link that it is on (net_drive_link_mark)
};

// The kind's counters, in net_totals.own.
enum ethernet_own {
	ETHERNET_BUFFER_PEAK, // bytes of the fullest switch
};

struct ethernet_run {
	struct net_drive net;
	const struct ethernet_params *params;
	struct agenda agenda;
	struct ethernet_life *lives;
	struct ethernet_link *links;
	struct ethernet_switch *switches;
	struct ethernet_meter *meters; // NULL: no samples
	int64_t latency_ticks;
};

extern const struct net_engine ethernet_engine;

// --- ethernet_links.c: queues, frames and buffers

// Appends a worm to the output's queue; it may start at at_ticks, now or later.
void ethernet_queue(struct ethernet_run *run, uint32_t link, uint32_t worm, int64_t at_ticks);

// The rules fault and expire of the kind.
void ethernet_expire(void *run, const uint32_t *worms, uint32_t count);
void ethernet_fault(void *run, uint32_t cable);

// Handles one event.
void ethernet_happen(struct ethernet_run *run, enum ethernet_event event, uint32_t link);

// --- ethernet_meter.c: samples of links

// Something of the link is about to change.
void ethernet_settle(struct ethernet_run *run, uint32_t link);

// The link's queue, which has a meter, has grown.
void ethernet_peak(struct ethernet_run *run, uint32_t link);

// The rule sample of the kind.
bool ethernet_sample(void *run, uint32_t link, int64_t ticks, struct tr_link *out);

#endif
