// SPDX-License-Identifier: GPL-3.0-or-later
// A switch: each input strips one route character and asks for an output; each output serves one
// worm at a time, chosen round robin in a given order (or by age), and is free again when the held
// trailer has left.
#ifndef NET_MYRINET_CROSSBAR_H
#define NET_MYRINET_CROSSBAR_H

#include "net/myrinet/network.h"

// A character has come into the buffer of the input at the link's far end.
void myr_input_arrived(struct myr_network *net, struct myr_link *link);

// Sees to it that the output at the link's near end sends what it has when it can.
void myr_output_wake(struct myr_network *net, struct myr_link *link);

// Sends the output's next character; the link is clear.
void myr_output_send(struct myr_network *net, struct myr_link *link);

// Handlers of MYR_ARBITRATE and MYR_GRANT for the output at the link's near end.
void myr_output_arbitrate(struct myr_network *net, struct myr_link *link);
void myr_output_grant(struct myr_network *net, struct myr_link *link);

// Fills order[ports] from text: digits ("65743021"), or numbers with commas. NULL: 6,5,7,4,3,0,2,1
// for eight ports, ascending for any other number. TR_ERROR where it is not each port once.
enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text,
			      struct tr_error *err);

#endif
