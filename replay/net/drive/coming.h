// SPDX-License-Identifier: GPL-3.0-or-later
// Worms whose arrival is known when they leave, for kinds without links that are shared.
#ifndef NET_COMING_H
#define NET_COMING_H

#include <stdint.h>

#include "net/drive/drive.h"
#include "sim/agenda.h"

// The worms sent, by received_ticks, then by the order of sending. A kind's run has it behind its
// struct net_drive.
struct net_coming {
	struct agenda worms;
	uint64_t sent;
};

// A layout as in sim/arena.h: room for all worms of the drive.
void net_coming_layout(struct net_coming *coming, struct net_drive *drive);

// Sends a worm, which is in no list. started_ticks and injected_ticks become now unless they are
// set; head_ticks and received_ticks are now or later.
void net_coming_send(struct net_coming *coming, struct net_drive *drive, uint32_t worm,
		     int64_t head_ticks, int64_t received_ticks);

// Delivers what has arrived.
void net_coming_deliver(struct net_coming *coming, struct net_drive *drive);

// Appends those on their way to a view (net/view.h).
void net_coming_view(const struct net_coming *coming, const struct net_drive *drive,
		     struct net_view *view);

// When the next one arrives; INT64_MAX: none is on its way.
int64_t net_coming_ticks(const struct net_coming *coming);

#endif
