// SPDX-License-Identifier: GPL-3.0-or-later
// The receiving half of a host: characters leave the slack buffer one a character time for adapter
// memory, once there is room for the whole worm; after the trailer one DMA at a time stores the
// worm in main memory.
#ifndef NET_MYRINET_RECEIVER_H
#define NET_MYRINET_RECEIVER_H

#include "net/myrinet/network.h"

// A character has come into the slack buffer.
void myr_receiver_arrived(struct myr_network *net, struct myr_host *host,
			  struct myr_character character);

// Handlers of MYR_DRAIN, MYR_POLL and MYR_STORED.
void myr_receiver_drain(struct myr_network *net, struct myr_host *host);
void myr_receiver_poll(struct myr_network *net, struct myr_host *host);
void myr_receiver_stored(struct myr_network *net, struct myr_host *host);

// Takes memory for the worm whose head is here; false where it must wait.
bool myr_receiver_admit(struct myr_network *net, struct myr_host *host);

// All that the packet carries was taken.
void myr_receiver_complete(struct myr_network *net, struct myr_host *host);

// What ends the worm was taken: it is complete, if it was not before.
void myr_receiver_finish(struct myr_network *net, struct myr_host *host);

// Removes the worm that is coming in, if it is this one; myr_receiver_wake has the host go on.
void myr_receiver_forget(struct myr_network *net, struct myr_host *host, uint32_t worm);
void myr_receiver_wake(struct myr_network *net, struct myr_host *host);

// Adapter memory was given back.
void myr_receiver_room(struct myr_network *net, struct myr_host *host);

#endif
