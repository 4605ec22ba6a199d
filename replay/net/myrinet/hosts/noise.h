// SPDX-License-Identifier: GPL-3.0-or-later
// Bit errors: each bit of a route, final, type, data or CRC character is inverted on its way over a
// link with one probability, independently; the bits between two errors are geometric, drawn from
// the stream "bits LINK" of the seed. The bits of a link are those of all worms that begin on it, of
// each as many as it has to send there, whether it does or not.
#ifndef NET_MYRINET_HOSTS_NOISE_H
#define NET_MYRINET_HOSTS_NOISE_H

#include "net/myrinet/hosts/run.h"

void myr_noise_open(struct myr_run *run, uint32_t link);

// A worm begins on the link, with so many characters that can be damaged.
void myr_noise_begin(struct myr_run *run, uint32_t link, uint32_t characters);

// What is inverted of the character of that number among them, the first being 0; they may be left
// out, but are asked for in their order.
uint8_t myr_noise_flip(struct myr_run *run, uint32_t link, uint32_t number);

// The number of the next character that is damaged; UINT32_MAX: none.
uint32_t myr_noise_next(const struct myr_run *run, uint32_t link);

// By what the CRC is off where behind characters follow the damaged one, the CRC left out.
uint8_t myr_noise_residue(uint8_t flip, uint32_t behind);

#endif
