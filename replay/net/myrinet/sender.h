// SPDX-License-Identifier: GPL-3.0-or-later
// The sending half of a host: a queue in main memory, one DMA at a time into adapter memory, and
// the flitizing of one worm at a time onto the link.
#ifndef NET_MYRINET_SENDER_H
#define NET_MYRINET_SENDER_H

#include "net/myrinet/network.h"

// Puts a worm behind the host's queue, which must have room.
void myr_sender_queue(struct myr_network *net, struct myr_host *host, uint32_t worm);

// The same without a look whether it can be fetched.
void myr_sender_append(struct myr_network *net, struct myr_host *host, uint32_t worm);

// Takes the worm out of the host's queue or memory, where it is there, or ends its sending;
// myr_sender_begin has the host send the next one in adapter memory.
void myr_sender_forget(struct myr_network *net, struct myr_host *host, uint32_t worm);
void myr_sender_begin(struct myr_network *net, struct myr_host *host);

// Begins to fetch the queue's first worm if the DMA is idle and adapter memory has room for it.
void myr_sender_fetch(struct myr_network *net, struct myr_host *host);

// Handler of MYR_FETCHED: the worm is in adapter memory.
void myr_sender_fetched(struct myr_network *net, struct myr_host *host);

// Has the next character go out when it is made and the link is free.
void myr_sender_wake(struct myr_network *net, struct myr_host *host);

// Puts the next character on the link, which is clear.
void myr_sender_send(struct myr_network *net, struct myr_host *host);

// The worm's last character has started: its memory is given back, the next one begins.
void myr_sender_finish(struct myr_network *net, struct myr_host *host);

#endif
