// SPDX-License-Identifier: GPL-3.0-or-later
// A routing technique of the kind cppe, and what all have in common: routes, messages to their own
// host, and the order of messages that are sent in one tick, which is that of their hosts, then
// that of the traffic.
#ifndef NET_CPPE_TECHNIQUE_H
#define NET_CPPE_TECHNIQUE_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/coming.h"
#include "net/routes/route_path.h"
#include "net/studies/cppe/busy.h"
#include "net/studies/cppe/cppe_params.h"
#include "sim/marks.h"

// ---- store.c
// The packet switch: messages as packets, and links with the time from which they are free.

struct cppe_run;
struct tr_error;

// A packet at a processor. That of a source stands for all further packets of its message, which
// are there too.
struct cppe_packet {
	int64_t arrival_ticks;
	uint64_t serial; // of its message, in the order of sending
	uint32_t worm;
	uint32_t index; // in its message
	uint32_t node;	// where it is: a switch
	uint32_t hop;	// cables behind it
};

struct cppe_store {
	int64_t *free_ticks;   // from when a cable is free, or each of its links
	int64_t *packet_ticks; // by cable
	struct cppe_message {
		uint64_t serial;
		uint32_t packets;
		uint32_t left; // packets that have not arrived; 0: the message is sent, or was
			       // never kept
	} * messages;	       // by worm
	struct cppe_packet *packets; // a heap (store.c), or in a heap of each output (rounds.c)
	uint32_t count;		     // in heaps
	uint64_t held;		     // packets that have left their source and not arrived
	uint32_t used;		     // rounds: places of packets in use so far
	uint32_t spare;		     // rounds: list of places given back, by next
	struct cppe_branch {
		uint32_t first;	  // packet of the heap below this one; CPPE_NO_PACKET
		uint32_t next;	  // packet at the side of this one
	} * branches;		  // rounds: of each packet
	uint32_t *roots;	  // rounds: first packet of each output
	struct sim_marks outputs; // rounds: those with packets, by processor
	int64_t round_ticks;	  // rounds: the last round; INT64_MIN before one
	int64_t next_round_ticks; // INT64_MAX: nothing to send
	uint64_t serial;
};

#define CPPE_NO_PACKET UINT32_MAX

// Places for packets: one for each message, and held_max between processors.
uint32_t cppe_store_room(const struct cppe_run *cppe);

// The layout and opening of both (cppe_technique).
void cppe_store_layout(struct cppe_run *cppe);
enum tr_status cppe_store_open(struct cppe_run *cppe, struct tr_error *err);

// Cuts a message into packets; *packet gets the first. False where it has no hop and is sent
// already.
bool cppe_store_cut(struct cppe_run *cppe, uint32_t worm, struct cppe_packet *packet);

// From when the link of the packet's next hop is free; the address may be set.
int64_t *cppe_store_free(const struct cppe_run *cppe, const struct cppe_packet *packet);

// Whether another packet of its message is at the source behind this one.
bool cppe_store_has_more(const struct cppe_run *cppe, const struct cppe_packet *packet);

// Sends the packet over its next link, as soon as both are ready. Returns whether it has further to
// go; else it is booked as arrived, and with the last packet the message is sent. One whose time is
// over is discarded instead. Fails the run, and returns false, where held_max packets are under
// way.
bool cppe_store_forward(struct cppe_run *cppe, struct cppe_packet *packet);

// Whether packet a goes before packet b: by arrival, then message, then place in it.
bool cppe_store_before(const struct cppe_packet *a, const struct cppe_packet *b);

// ---- technique

// Messages that were sent in this tick, by source.
struct cppe_fresh {
	struct net_worm_list *lists; // by host
	struct sim_marks hosts;	     // whose list is not empty
};

// One run. A processor is a switch with its hosts; its number is that of the switch, from 0.
struct cppe_run {
	struct net_drive net;
	struct net_coming coming;
	const struct cppe_technique *technique;
	const struct cppe_params *params;
	struct cppe_times times;
	struct net_path path; // of the message that is started
	struct cppe_fresh fresh;
	struct cppe_busy busy;	 // packet
	struct cppe_store store; // store, by events or in rounds
};

struct cppe_technique {
	void (*layout)(struct cppe_run *cppe); // of its state, as in sim/arena.h; NULL: none
	// After the last layout. TR_ERROR: a parameter is out of range. NULL.
	enum tr_status (*open)(struct cppe_run *cppe, struct tr_error *err);
	// Sends a message between two hosts whose path is cppe->path, or keeps it.
	void (*start)(struct cppe_run *cppe, uint32_t worm);
	// What else happens in this tick, and the next tick in which something does; INT64_MAX:
	// none. NULL: nothing ever.
	void (*advance)(struct cppe_run *cppe);
	int64_t (*next_ticks)(const struct cppe_run *cppe);
};

extern const struct cppe_technique cppe_path;	// cppe_path.c
extern const struct cppe_technique cppe_packet; // packet.c
extern const struct cppe_technique cppe_store;	// store.c
extern const struct cppe_technique cppe_rounds; // rounds.c

// Cables between switches on the path of a message.
static inline uint32_t cppe_hops(const struct cppe_run *cppe)
{
	return cppe->path.count > 2 ? cppe->path.count - 2 : 0;
}

// The link of a hop, from 0.
static inline uint32_t cppe_link(const struct cppe_run *cppe, uint32_t hop)
{
	return cppe->path.links[hop + 1];
}

// The processor at the far end of a link between switches.
static inline uint32_t cppe_far_processor(const struct cppe_run *cppe, uint32_t link)
{
	return cppe->net.setup->topology->cables[link / 2].ends[1 - link % 2].node -
	       cppe->net.graph.hosts;
}

// Sends a message that arrives at these times (net/drive/coming.h).
static inline void cppe_send(struct cppe_run *cppe, uint32_t worm, int64_t head_ticks,
			     int64_t received_ticks)
{
	net_coming_send(&cppe->coming, &cppe->net, worm, head_ticks, received_ticks);
}

// The run of the engine: the technique is that of setup->params.
enum tr_status cppe_run(const struct net_setup *setup, struct net_totals *totals,
			struct tr_error *err);

#endif
