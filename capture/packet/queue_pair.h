// SPDX-License-Identifier: GPL-3.0-or-later
// One direction of a queue pair, whose packets verbs.h makes messages of: its own requests in
// order, and the responses that it carries to the requests of the other direction.
#ifndef PACKET_QUEUE_PAIR_H
#define PACKET_QUEUE_PAIR_H

#include "packet/verbs.h"
#include "value/hash.h"

#define PK_PSN_MASK 0xffffffu
// A sequence number further off than this begins a new connection of the queue pair.
#define PK_PSN_STEP_MAX 65536
#define PK_NO_QUEUE UINT32_MAX
#define PK_VERBS_HELD_MAX 0x40000u // packets, of all queue pairs
#define PK_VERB_ENDS 64u
// The lengths of packets before the last of a message are powers of two between these.
#define PK_MTU_LEAST_BYTES 256u
#define PK_MTU_MOST_BYTES 4096u

// How far a sequence number is after another, modulo 2^24; negative: before it.
static inline int32_t pk_psn_after(uint32_t psn, uint32_t other)
{
	const uint32_t difference = (psn - other) & PK_PSN_MASK;

	return difference < 0x800000u ? (int32_t)difference
				      : (int32_t)difference - (int32_t)0x1000000;
}

// What a packet is for its message.
enum pk_verb_part {
	PK_VERB_NONE,
	PK_VERB_FIRST,
	PK_VERB_MIDDLE,
	PK_VERB_LAST,
	PK_VERB_ONLY,
	PK_VERB_ASKS, // a request that is answered: read, atomic operation
	PK_VERB_ACKNOWLEDGES,
};

// A packet as it is taken.
struct pk_verb {
	int64_t time_ns;
	uint64_t frame;
	uint32_t psn;
	uint32_t payload_bytes;
	uint32_t length_bytes; // of the memory that a write or read names
	uint32_t immediate;
	uint32_t numbers;   // that a request which is answered takes; 0: unknown
	uint32_t completed; // messages of the connection, as a response says; UINT32_MAX: unknown
	uint16_t operation; // of its message
	uint8_t part;	    // enum pk_verb_part
	bool has_length;
	bool answers; // it is a response
	bool cut;     // a header that it needs is not in the capture
	bool retried; // its service sends packets again
};

// Whether it is the first of its message.
static inline bool pk_verb_begins(const struct pk_verb *verb)
{
	return verb->part != PK_VERB_MIDDLE && verb->part != PK_VERB_LAST;
}

// Whether a message, at least, ended in no frame: between the next number expected and a packet.
static inline bool pk_verb_end_before(const struct pk_verb *verb, uint32_t next)
{
	return pk_psn_after(verb->psn, next) > 0 && pk_verb_begins(verb);
}

// Which of the last numbers were seen.
struct pk_window {
	uint32_t next; // the highest number, plus 1; 0: none
	uint64_t seen; // a bit for each number from the highest down
};

#define PK_WINDOW 64

// Whether a number was seen.
static inline bool pk_window_has(const struct pk_window *window, uint32_t psn)
{
	const int32_t after = pk_psn_after(psn, window->next - 1);

	return window->next && after <= 0 && after > -PK_WINDOW && window->seen >> -after & 1;
}

// Notes a number. One before those that are kept begins anew.
static inline void pk_window_add(struct pk_window *window, uint32_t psn)
{
	const int32_t after = window->next ? pk_psn_after(psn, window->next - 1) : PK_WINDOW;

	if (after <= 0 && after > -PK_WINDOW) {
		window->seen |= (uint64_t)1 << -after;
		return;
	}
	window->seen = (after > 0 && after < PK_WINDOW ? window->seen << after : 0) | 1;
	window->next = psn + 1;
}

// A message under way.
struct pk_verb_message {
	int64_t begin_ns, end_ns;
	uint64_t frame; // its first one that was captured
	uint64_t bytes;
	uint32_t length_bytes;
	uint32_t immediate;
	uint32_t next;	    // number after its last packet
	uint32_t back_pair; // the queue pair that it goes to if backwards
	uint16_t operation;
	bool backwards; // from the direction's destination to its source
	bool open, partly, has_length;
};

// A request under way that is answered.
struct pk_verb_read {
	struct pk_verb_message message; // of operation TR_OP_OTHER: none
	uint64_t early;			// responses seen, a bit for each from seen_to on
	uint32_t seen_to;		// all before it were seen
	uint32_t psn;
	uint32_t numbers; // of responses; 0: unknown
	bool first;	  // of its direction
};

// A read that is the first message of a direction may be the rest of one. It is held, at most for
// PK_VERBS_HELD_MAX, until it is settled that the capture has the connection from its begin: when a
// response counts just as many complete messages as there are up to its number.
struct pk_verb_opening {
	bool settled, counted;	      // counted: by that, so it is the connection's first message
	uint32_t ends;		      // of messages in order, at least
	uint32_t ended[PK_VERB_ENDS]; // numbers of the last of them, a ring
	struct pk_verb_message held;
	uint64_t held_from; // packet
};

// The requests of a direction.
struct pk_verb_requests {
	uint32_t next; // sequence number
	bool begun;
	bool starting; // the first packets wait for some before them
	bool open_end; // next is that of a read's second response, at least: the length of a
		       // packet, which says how many it has, is not known
	uint32_t read_psn;	 // of this read
	uint32_t mtu_bytes;	 // 0: unknown
	struct pk_verb *waiting; // by number
	uint32_t count, capacity;
	struct pk_verb_message message;
	struct pk_verb_read *reads; // by number
	uint32_t read_count, read_capacity;
	struct pk_verb_opening opening;
};

// The responses that a direction carries.
struct pk_verb_responses {
	struct pk_window window;
	uint32_t ended; // the number of the last that ended a message, plus 1; 0: none
	struct pk_verb_message message; // whose request is not known
};

struct pk_queue {
	uint64_t used; // when its last packet came
	uint32_t flow, number;
	uint32_t src, dst;
	uint32_t queue_pair;   // of the destination
	struct pk_queue *peer; // the other direction; NULL until it is known
	uint32_t next_alike;   // with the same nodes; PK_NO_QUEUE: none
	uint32_t last[2];      // for pk_sequence_resent
	struct pk_window datagrams;
	struct pk_verb_requests requests;
	struct pk_verb_responses responses;
};

struct pk_verbs {
	pk_verbs_message *message;
	void *context;
	struct pk_queue **queues; // by number; NULL: free
	uint32_t count, capacity, first_free;
	struct tr_hash nodes; // the first queue between two nodes
	uint64_t taken;	      // packets
	size_t held_bytes, most_bytes;
	struct pk_verbs_counts counts;
	bool failed;
};

// The first direction from src to dst, PK_NO_QUEUE if there is none.
uint32_t pk_verbs_between(const struct pk_verbs *verbs, uint32_t src, uint32_t dst);

// Adds to a message; opened by its first packet.
void pk_verb_message_add(struct pk_verb_message *message, const struct pk_verb *verb);

// Passes a message on, and closes it.
void pk_verb_message_end(struct pk_verbs *verbs, const struct pk_queue *queue,
			 struct pk_verb_message *message);

// Packets of so many bytes with mtu_bytes each, at least one.
uint32_t pk_verb_numbers(uint32_t length_bytes, uint32_t mtu_bytes);

// How many responses a read has, or the bytes of a packet, which tell that of all reads, are known:
// so are the numbers of later requests.
void pk_queue_learn_numbers(struct pk_queue *queue, struct pk_verb_read *read, uint32_t numbers);
void pk_queue_learn_mtu(struct pk_queue *queue, uint32_t mtu_bytes);

// Ends what the direction has under way; a later request begins it anew.
void pk_queue_end(struct pk_verbs *verbs, struct pk_queue *queue);

// Takes a request.
void pk_queue_request(struct pk_verbs *verbs, struct pk_queue *queue, struct pk_verb *verb);

// ---- requests that are answered

// Enters a request. Returns how many numbers it takes, 0 if that is not known yet.
uint32_t pk_queue_ask(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb);

// The request that has a number among those of its responses; NULL if none.
struct pk_verb_read *pk_queue_read(struct pk_queue *queue, uint32_t psn);

// Learns from a packet that queue carries how many messages of the other direction are complete.
void pk_queue_hear(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb);

// Passes on the read that a direction holds, if any.
void pk_queue_release(struct pk_verbs *verbs, struct pk_queue *queue);

// Takes a response that queue carries.
void pk_queue_answer(struct pk_verbs *verbs, struct pk_queue *queue, const struct pk_verb *verb);

// Ends the first request, as partly unseen.
void pk_queue_end_read(struct pk_verbs *verbs, struct pk_queue *queue);

#endif
