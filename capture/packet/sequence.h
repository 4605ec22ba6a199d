// SPDX-License-Identifier: GPL-3.0-or-later
// Packet sequence numbers of queue pairs: which packets were sent again. Memory: 8 bytes for each flow
// up to the last that is a queue pair.
#ifndef PACKET_SEQUENCE_H
#define PACKET_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"

// The last numbers of a flow's requests and of its answers to reads, plus one; 0: none yet.
struct pk_sequence {
	uint32_t request;
	uint32_t answer;
};

// Zero is a valid empty one.
struct pk_sequences {
	struct pk_sequence *of_flow;
	uint32_t count;
	bool failed; // memory ended
};

// Takes a packet of the reliable services of TR_PROTOCOL_IB in a flow below UINT32_MAX; answers
// whether its number is not after the last of its kind. (It was sent again, or overtaken.) A step back
// of more than 65,536 is a new connection of the queue pair.
bool pk_sequence_resent(struct pk_sequences *sequences, uint32_t flow, const struct pk_packet *packet);

// Frees what is held.
void pk_sequences_clear(struct pk_sequences *sequences);

#endif
