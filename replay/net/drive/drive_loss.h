// SPDX-License-Identifier: GPL-3.0-or-later
// Cables that lose packets, the same for every kind: whether one that begins on a link is damaged
// there. What a kind does with a damaged packet is physics: a switch that stores packets discards
// it, others pass it on to its host, which does.
#ifndef NET_DRIVE_LOSS_H
#define NET_DRIVE_LOSS_H

#include <stdbool.h>
#include <stdint.h>

#include "value/random.h"

struct net_drive;
struct net_fault;

// One direction of a cable that loses packets. Times with and without losses alternate
// (Gilbert 1960, Elliott 1963), in continuous time, whether packets come or not.
struct net_lossy {
	struct tr_random bursts; // lengths of these times
	uint32_t key[2];	 // of the draws for packets
	uint32_t next;		 // of the same link; NET_NOBODY
	double packet_log;	 // log of the probability that a packet is not lost
	double bit_log;		 // and that a bit is not inverted
	double good_ticks;	 // mean lengths; 0: losses at all times
	double bad_ticks;
	int64_t until_ticks; // the present time lasts
	bool bad;	     // in it packets are lost
	bool active;	     // the fault has begun, and not ended
};

struct net_losses {
	struct net_lossy *all; // two for each fault of a cable that loses, in the order of these
	uint32_t *of_link;     // the first of each; NET_NOBODY. NULL: no cable of the run loses
	uint32_t *of_fault;    // the first of its two
};

// The worm begins on a link now, where one is damaged or not; of_link is not NULL.
void net_losses_begin(struct net_drive *drive, uint32_t link, uint32_t worm);

// Whether a packet of so many bytes that begins on a link now is damaged there. key: different for
// packets that may begin there in the same tick, whatever other packets there are in the run.
bool net_losses_damage(struct net_drive *drive, uint32_t link, uint64_t key, uint32_t bytes);

// ---- for drive_faults.c

// Takes the room from the arena, as in sim/arena.h; opens all, none active.
void net_losses_layout(struct net_drive *drive);
void net_losses_open(struct net_drive *drive);

// A fault of a cable that loses begins or ends now.
void net_losses_change(struct net_drive *drive, uint32_t fault, bool begins);

#endif
