// SPDX-License-Identifier: GPL-3.0-or-later
// The messages of RDMA in a capture: sends, writes, reads and atomic operations of InfiniBand's
// transport, on its own links and as RoCE, by queue pair. The packets of each direction of a queue
// pair are put in order by their sequence numbers, modulo 2^24; one that was seen before counts
// once, one that no frame had makes its message partly unseen. Services: reliable and unreliable
// connections, extended ones, datagrams (InfiniBand Architecture Specification, volume 1, chapter
// 9).
//
// Requests name the queue pair of the responder, responses that of the requester, so which of them
// belong together is learned: a response with the number, size and nodes of one outstanding request
// only is its. Where several might be, none is taken.
//
// A capture may begin between the request of a read and that for what is left of it. A read that is
// the first message of a direction is held until it is known not to be the rest of one: the
// response before its own ended a message, or a response counts just the messages of the connection
// that were seen as complete. Without either it is partly unseen. Of the connection's first message
// nothing tells; such reads are counted.
//
// Memory: for each direction of a queue pair 744 bytes; while numbers are missing, and among its
// first 64 packets, at most PK_VERBS_WAITING_MAX packets of 48 bytes; for each request under way 80
// bytes, at most PK_VERBS_READS_MAX.
// All within a bound: beyond it those that were idle longest are given up, ended as they are.
#ifndef PACKET_VERBS_H
#define PACKET_VERBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/decode.h"
#include "stream/record.h"

#define PK_VERBS_WAITING_MAX 4096u
#define PK_VERBS_READS_MAX 256u

struct pk_verbs_counts {
	uint64_t messages;
	uint64_t resent;    // packets whose number was seen before
	uint64_t lost;	    // numbers that no frame had
	uint64_t unseen;    // messages known to have had a first packet or request in no frame
	uint64_t cut;	    // headers that the capture cut off
	uint64_t ambiguous; // responses that may be of several queue pairs
	uint64_t left_out;  // packets without a flow, of reliable datagrams or unknown operations
	uint64_t given_up;  // directions of queue pairs
	uint64_t first;	    // reads that are the first messages of connections, as far as is known
	uint64_t starts;    // messages whose first packet was seen
	uint64_t numbers;   // packets of messages, each once
};

// Takes a message, its times in ns since the Unix epoch.
typedef void pk_verbs_message(void *context, const struct tr_message *message);

struct pk_verbs;

// most_bytes: the bound. NULL if out of memory.
struct pk_verbs *pk_verbs_new(pk_verbs_message *message, void *context, size_t most_bytes);

// Takes the next packet of the capture whose protocol is TR_PROTOCOL_IB. word: one of its flow,
// kept for this, 0 at first; NULL: it has no flow. Returns two words for pk_sequence_resent, NULL
// without a flow. Running out of memory shows in pk_verbs_failed.
uint32_t *pk_verbs_take(struct pk_verbs *verbs, uint32_t *word, const struct pk_packet *packet,
			const struct tr_packet *record);
bool pk_verbs_failed(const struct pk_verbs *verbs);

// Ends all that is under way, as partly unseen.
void pk_verbs_finish(struct pk_verbs *verbs);

// What was found so far; complete after pk_verbs_finish.
struct pk_verbs_counts pk_verbs_counts(const struct pk_verbs *verbs);

// Estimates how many messages had a first packet or request in no frame: those known, or as many
// as the packets seen have for each number.
double pk_verbs_unseen(const struct pk_verbs_counts *counts);

// Frees everything; NULL is accepted.
void pk_verbs_free(struct pk_verbs *verbs);

#endif
