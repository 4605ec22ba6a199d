// SPDX-License-Identifier: GPL-3.0-or-later
// Adapter memory: one pool for sending and receiving. A worm takes its size and a header.
#ifndef NET_MYRINET_MEMORY_H
#define NET_MYRINET_MEMORY_H

#include "net/myrinet/network.h"

// Takes memory for a worm of size_bytes; false where there is not enough. Sending may not take the
// receive reserve.
bool myr_memory_take_to_send(struct myr_network *net, struct myr_host *host, uint64_t size_bytes);
bool myr_memory_take_to_receive(struct myr_network *net, struct myr_host *host,
				uint64_t size_bytes);

// Gives it back without a look for who waits, and the look.
void myr_memory_drop(struct myr_network *net, struct myr_host *host, uint64_t size_bytes);
void myr_memory_look(struct myr_network *net, struct myr_host *host);

// Both. Whoever waits gets the room: a worm that is coming in first, then one to be
// fetched.
void myr_memory_free(struct myr_network *net, struct myr_host *host, uint64_t size_bytes);

// Whether a worm of this size can be sent and received at all.
bool myr_memory_fits(const struct myr_network *net, uint64_t size_bytes);

#endif
