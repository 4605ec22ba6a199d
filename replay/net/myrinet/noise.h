// SPDX-License-Identifier: GPL-3.0-or-later
// Bit errors: each bit of a route, final, type, data or CRC character is inverted on its way over a
// link with one probability, independently; the bits between two errors are geometric, drawn from
// the stream "bits LINK" of the seed. Control characters are coded so that they survive.
#ifndef NET_MYRINET_NOISE_H
#define NET_MYRINET_NOISE_H

#include "net/myrinet/network.h"

// Starts the streams of all links.
void myr_noise_start(struct myr_network *net);

// Does to the character what happens to it on the link.
void myr_noise_pass(struct myr_network *net, const struct myr_link *link,
		    struct myr_character *character);

// A switch takes the worm's route character that was damaged: what the CRC lacks from here on.
// behind: characters that follow it before the CRC.
void myr_noise_stripped(struct myr_network *net, struct myr_character character, uint32_t behind);

#endif
