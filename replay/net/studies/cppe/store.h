// SPDX-License-Identifier: GPL-3.0-or-later
// The packet switch: messages as packets, and links with the time from which they are free.
#ifndef NET_CPPE_STORE_H
#define NET_CPPE_STORE_H

#include <stdbool.h>
#include <stdint.h>

struct cppe_run;
struct tr_error;

// A packet at a processor. That of a source stands for all further packets of its message, which are there too.
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
		uint32_t left;	     // packets that have not arrived; 0: the message is sent, or was never kept
	} * messages;		     // by worm
	struct cppe_packet *packets; // a heap (store.c), or in lists (rounds.c)
	uint32_t count;		     // of the heap, or of packets in lists
	uint64_t held;		     // packets that have left their source and not arrived
	uint32_t used;		     // rounds: places of packets in use so far
	uint32_t spare;		     // rounds: list of places given back
	uint32_t *next;		     // rounds: of each packet in its list
	uint32_t *first;	     // rounds: list of each processor
	int64_t round_ticks;	     // rounds: the last round; INT64_MIN before one
	int64_t next_round_ticks;    // INT64_MAX: nothing to send
	uint64_t serial;
};

#define CPPE_NO_PACKET UINT32_MAX

// Places for packets: one for each message, and held_max between processors.
uint32_t cppe_store_room(const struct cppe_run *cppe);

// The layout and opening of both (cppe_technique).
void cppe_store_layout(struct cppe_run *cppe);
enum tr_status cppe_store_open(struct cppe_run *cppe, struct tr_error *err);

// Cuts a message into packets; *packet gets the first. False where it has no hop and is sent already.
bool cppe_store_cut(struct cppe_run *cppe, uint32_t worm, struct cppe_packet *packet);

// From when the link of the packet's next hop is free; the address may be set.
int64_t *cppe_store_free(const struct cppe_run *cppe, const struct cppe_packet *packet);

// Whether another packet of its message is at the source behind this one.
bool cppe_store_has_more(const struct cppe_run *cppe, const struct cppe_packet *packet);

// Sends the packet over its next link, as soon as both are ready. Returns whether it has further to go; else it is booked as
// arrived, and with the last packet the message is sent. Fails the run, and returns false, where held_max packets are under way.
bool cppe_store_forward(struct cppe_run *cppe, struct cppe_packet *packet);

// Whether packet a goes before packet b: by arrival, then message, then place in it.
bool cppe_store_before(const struct cppe_packet *a, const struct cppe_packet *b);

#endif
