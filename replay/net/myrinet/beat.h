// SPDX-License-Identifier: GPL-3.0-or-later
// BEAT characters: each end of each cable sends one in every period, and takes the cable for lost
// where none came for so many periods.
#ifndef NET_MYRINET_BEAT_H
#define NET_MYRINET_BEAT_H

#include "net/myrinet/network.h"

// Has the first BEATs fall due a period after the start.
void myr_beat_start(struct myr_network *net);

// Handler of MYR_BEAT_DUE: one is due on the link, whose near end looks when it has heard the last.
void myr_beat(struct myr_network *net, struct myr_link *link);

// A BEAT has come over the link.
void myr_beat_heard(struct myr_network *net, struct myr_link *link);

#endif
