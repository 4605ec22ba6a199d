// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts: queues in main memory, adapter memory, transfers between the two. What is given back in a
// tick, memory or a place in a queue, can be taken from the next tick on.
#ifndef NET_MYRINET_HOSTS_HOSTS_H
#define NET_MYRINET_HOSTS_HOSTS_H

#include "net/myrinet/hosts/run.h"

// Told by the medium. The head of a worm has come to the host; it waits until medium->admit.
void myr_host_asks(struct myr_run *run, uint32_t host, uint32_t worm);
// All of a worm but a GAP behind it was taken.
void myr_host_whole(struct myr_run *run, uint32_t host, uint32_t worm);
// That GAP was taken, or removed.
void myr_host_tail(struct myr_run *run, uint32_t worm);
// The last character of the worm that the host sends has started; the next worm's turn comes.
void myr_host_sent(struct myr_run *run, uint32_t host);

// Something of the host changes in this tick, before hosts receive and send.
void myr_host_wake(struct myr_run *run, uint32_t host);

// The phases, of all hosts that are awake: transfers out of adapters end, and worms are delivered;
// then worms that have room enter their queues; transfers into adapters.
void myr_hosts_receive(struct myr_run *run);
void myr_hosts_fill(struct myr_run *run);
void myr_hosts_send(struct myr_run *run);

// The worm goes to the end of its source's queue.
void myr_host_queue(struct myr_run *run, uint32_t worm);

// Whether a worm of the size has ever room.
bool myr_host_fits(const struct myr_run *run, uint32_t size_bytes);

// The memory of a worm.
void myr_host_give_back(struct myr_run *run, uint32_t host, uint32_t size_bytes);

#endif
