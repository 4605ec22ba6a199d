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

// Whether the input at the link's far end waits no more but for the end of its assignment.
static inline bool myr_input_chosen(const struct myr_link *link)
{
	const struct myr_output *output = link->input.output;

	return link->input.state == MYR_INPUT_WAITS && output->state == MYR_OUTPUT_ASSIGNS &&
	       output->input == link && output->worm == link->input.worm;
}

// Removes the worm from the input at the link's far end, and from the output at its near end, which
// is free then. myr_input_advance has the input look at what is in its buffer.
void myr_input_forget(struct myr_network *net, struct myr_link *link, uint32_t worm);
void myr_output_forget(struct myr_network *net, struct myr_link *link, uint32_t worm);
void myr_input_advance(struct myr_network *net, struct myr_link *link);

// Fills order[ports] from text: digits ("65743021"), or numbers with commas. NULL: 6,5,7,4,3,0,2,1
// for eight ports, ascending for any other number. TR_ERROR where it is not each port once.
enum tr_status myr_order_make(uint16_t *order, uint32_t ports, const char *text,
			      struct tr_error *err);

#endif
