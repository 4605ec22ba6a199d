// SPDX-License-Identifier: GPL-3.0-or-later
// Priority-based flow control (IEEE 802.1Qbb). A switch counts, by the link that they came by and
// their priority, the bytes that it holds of frames. Above xoff it asks the link's near end to
// pause the priority, until the count is at xon or below. A pause frame says this of all priorities
// of a link; it waits for the frame that is being sent, and takes effect a response time after it
// has come. It holds for its quanta, and is renewed when half of them are over.
#ifndef NET_ETHERNET_PAUSE_H
#define NET_ETHERNET_PAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/ethernet/ethernet_priority.h"
#include "net/ethernet/ethernet_rules.h"
#include "sim/timers.h"

#define ETHERNET_PAUSE_B 64u // of a pause frame, without preamble and gap

// What the keys say; ETHERNET_AUTO: by cable.
#define ETHERNET_AUTO UINT64_MAX
struct ethernet_pause_keys {
	uint64_t xoff_B;
	uint64_t xon_B;
	uint64_t headroom_B;
	uint64_t response_quanta;
	uint8_t priorities; // with flow control, by bit; 0: none
};

// Reads the keys, of which used says which priorities packets can have. TR_ERROR, naming the key,
// where one is malformed or out of range.
enum tr_status ethernet_pause_read(struct ethernet_pause_keys *keys,
				   const struct ethernet_params *params, uint8_t used,
				   struct tr_error *err);

// Of a cable, each way; all in bytes.
struct ethernet_pause_limits {
	uint64_t xoff_B;
	uint64_t xon_B;
	uint64_t headroom_B; // what is taken above xoff
	uint64_t response_B; // as many times of a byte
};

// The limits of a cable. TR_ERROR where xon is above xoff.
enum tr_status ethernet_pause_limit(const struct ethernet_pause_keys *keys, uint64_t mtu_B,
				    const struct net_cable_times *times, uint64_t ticks_per_s,
				    struct ethernet_pause_limits *out, struct tr_error *err);

// A priority of a link.
struct ethernet_gate {
	uint64_t held_B;     // at the far end, of frames that came by it
	int64_t since_ticks; // it is paused
};

// A pause frame on its way.
struct ethernet_pause_note {
	int64_t effect_ticks;
	uint32_t next;
	uint8_t told; // priorities
	uint8_t on;   // of these, those that are to pause
};

// A link, with a switch at its far end.
struct ethernet_pause_port {
	struct ethernet_pause_limits limits;
	int64_t quanta_ticks;
	int64_t delay_ticks; // from a pause frame's start to its effect
	uint32_t first;	     // note on its way to the near end; NET_NO_WORM
	uint32_t last;
	uint8_t asked;	// priorities that are to pause, as the far end has it
	uint8_t due;	// that are to be told
	uint8_t paused; // as the near end has it
	uint8_t stuck;	// in a search
};

// The flow control of a run.
struct ethernet_pause {
	struct net_drive *drive;
	struct ethernet_pause_keys keys;
	struct ethernet_pause_port *ports; // by link; NULL: there is no flow control
	struct ethernet_gate *gates;	   // by link and priority
	uint64_t *stuck_B;		   // likewise, in a search
	uint32_t *came_by;		   // link, of each worm, to its last switch
	uint64_t *lossless_B;		   // in each switch
	struct ethernet_pause_note *notes;
	struct net_wait_step *steps; // of a cycle
	uint64_t note_count;
	uint32_t spare;		  // note
	uint32_t fresh;		  // notes from here on are unused
	struct sim_timers timers; // of each link: a note's effect; and then a renewal
	bool search;		  // for a deadlock, at the end of the tick
};

// Whether a run has flow control for a priority.
static inline bool ethernet_pause_has(const struct ethernet_pause *pause, uint8_t priority)
{
	return pause->ports && (pause->keys.priorities >> priority & 1) != 0;
}

// Takes the room from the drive's arena, where the keys of the parameters have priorities; and
// makes all idle, with the part of each switch's buffer that it needs. TR_ERROR where a buffer is
// too small for it.
void ethernet_pause_layout(struct ethernet_pause *pause, struct net_drive *drive,
			   const struct ethernet_params *params);
enum tr_status ethernet_pause_open(struct ethernet_pause *pause,
				   const struct ethernet_params *params,
				   struct ethernet_buffer *buffers);

// A frame has come by a link to a switch: whether there is room for it, which it then takes.
bool ethernet_pause_take(struct ethernet_pause *pause, uint32_t worm, uint32_t in,
			 uint32_t frame_B);

// It has left the switch again, by a link.
void ethernet_pause_leave(struct ethernet_pause *pause, uint32_t worm, uint32_t out,
			  uint32_t frame_B);

// A pause frame begins on a link now; false: nothing is to be said.
bool ethernet_pause_begin(struct ethernet_pause *pause, uint32_t link);

// Pauses that take effect, and that are renewed, up to now; and when the next of these is.
void ethernet_pause_until(struct ethernet_pause *pause);
int64_t ethernet_pause_next(struct ethernet_pause *pause, int64_t ticks);

// A cable has died, which ends its pauses, or recovered.
void ethernet_pause_fault(struct ethernet_pause *pause, uint32_t cable);

// Counts the pauses that have not ended.
void ethernet_pause_close(struct ethernet_pause *pause);

// Looks for a deadlock: priorities of links that stay paused whatever else moves. Tells the setup
// of a cycle, and ends the run. Nothing where a fault or a timeout may still end it.
void ethernet_pause_search(struct ethernet_pause *pause);

#endif
