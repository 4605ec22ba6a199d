// SPDX-License-Identifier: GPL-3.0-or-later
// What both engines of Ethernet share: the largest packet, and the buffers of switches.
#ifndef NET_ETHERNET_RULES_H
#define NET_ETHERNET_RULES_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/drive.h"
#include "net/ethernet/ethernet_params.h"
#include "value/random.h"

// Whether a packet is at most as large as the MTU; the run fails where it is not.
bool ethernet_may_enter(struct net_drive *drive, const struct ethernet_params *params,
			uint32_t worm);

// The buffer of a switch, which its outputs share.
struct ethernet_buffer {
	uint64_t used_B;
	uint32_t port_B;     // with ETHERNET_PORT: of one output
	uint32_t reserved_B; // for priorities with flow control, which used_B is without
};

// Makes the buffers of all switches of a graph, empty.
void ethernet_buffers_open(struct ethernet_buffer *buffers, const struct ethernet_params *params,
			   const struct net_graph *graph);

// Whether the switch takes a frame for an output that holds queue_B. What is true for a buffer and
// an output remains so where they hold less.
bool ethernet_buffer_takes(const struct ethernet_buffer *buffer,
			   const struct ethernet_params *params, uint64_t queue_B,
			   uint32_t frame_B);

// The marks of outputs. Each draws from a part of its own of the random stream "ethernet/marks", so
// that the order of events elsewhere does not matter.
struct ethernet_marking {
	struct tr_random random;
	uint32_t *drawn; // by link; NULL: nothing is marked
};

// Takes the room for marks on so many links from the arena (sim/arena.h), if the parameters want
// them; and starts them.
void ethernet_marks_layout(struct ethernet_marking *marking, const struct ethernet_marks *params,
			   struct sim_arena *arena, uint32_t links);
void ethernet_marks_open(struct ethernet_marking *marking, const struct ethernet_marks *params);

// A packet joins the queue of an output, which holds queue_B before it: marks it, or not.
void ethernet_marks_join(struct ethernet_marking *marking, const struct ethernet_marks *params,
			 struct net_drive *drive, uint32_t link, uint64_t queue_B, uint32_t worm);

#endif
