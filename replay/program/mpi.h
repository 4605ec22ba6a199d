// SPDX-License-Identifier: GPL-3.0-or-later
// What MPI over TCP adds to a program's messages: connections, greetings, requests for acknowledgement and
// acknowledgements, envelopes, goodbyes. Rules: man/flitline-models.7.
#ifndef PROGRAM_MPI_H
#define PROGRAM_MPI_H

#include <stdbool.h>
#include <stdint.h>

#define PROGRAM_ACKS_MAX 63u

// How the ranks' MPI does it. Sizes in bytes.
struct program_mpi {
	bool on;		 // else nothing of this is
	bool connects_first;	 // all ranks with all others before they begin; or two before their first message
	bool asks;		 // a request to acknowledge it follows each packet, and is answered at once
	bool envelope_apart;	 // of a message that is sent without asking: a packet of its own
	uint32_t header_bytes;	 // of IP and TCP, of each packet
	uint32_t envelope_bytes; // of MPI: of a message, a request, a reply, a greeting, a goodbye
	uint32_t ack_every;	 // packets, where MPI does not ask; 1 to PROGRAM_ACKS_MAX
	int64_t ack_delay_ticks; // until fewer are acknowledged
	uint32_t window_packets; // from a rank to another, sent and not acknowledged; above 0
};

enum program_part {
	PROGRAM_DATA,	 // what the program sends
	PROGRAM_CONNECT, // SYN and its answers
	PROGRAM_GREETING,
	PROGRAM_ENVELOPE,   // also a message without bytes
	PROGRAM_RENDEZVOUS, // requests and replies
	PROGRAM_ASK,	    // requests to acknowledge
	PROGRAM_ACK,
	PROGRAM_CLOSE, // goodbyes, FIN and its answer
	PROGRAM_PARTS,
};

// What has gone out of one part.
struct program_share {
	uint64_t packets;
	uint64_t bytes; // with the headers
};

#endif
