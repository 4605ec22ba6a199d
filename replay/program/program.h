// SPDX-License-Identifier: GPL-3.0-or-later
// A GOAL program executed over a network: closed-loop traffic. Ranks run their operations as their needs
// allow; what they send becomes worms when it is sent, and what waits for a message waits for the last
// of its worms. Rules: man/flitline-models.7. Host model: LogGOPS (Hoefler, Schneider, Lumsdaine,
// "LogGOPSim", 2010), whose L is here the network.
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "net/engine.h"
#include "sim/pace.h"
#include "trace/goal.h"

// What MPI over TCP adds to a program's messages: connections, greetings, requests for acknowledgement and
// acknowledgements, envelopes, goodbyes. Rules: man/flitline-models.7.

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

// The steps that a program's processors have taken, each with what it came after: from the last one the way back is
// the critical path. Kept only where it is asked for.

#define PROGRAM_NO_STEP UINT32_MAX

enum program_does {
	PROGRAM_COMPUTES,
	PROGRAM_SENDS,	  // a message
	PROGRAM_REQUESTS, // that a message be asked for
	PROGRAM_REPLIES,
	PROGRAM_RECEIVES, // a message, a request or a reply
	PROGRAM_MATCHES,  // a receive finds its message there
};

// What the last thing was that it waited for.
enum program_since {
	PROGRAM_SINCE_START,	 // nothing but the rank's start
	PROGRAM_SINCE_NEED,	 // an operation
	PROGRAM_SINCE_MESSAGE,	 // a message's way through the network
	PROGRAM_SINCE_PROCESSOR, // another step of the same processor
	PROGRAM_SINCE_GAP,	 // the interface, which took another message before
};

// A step begins where the way from its cause ends: at since_ticks, while or when the cause was done.
struct program_step {
	int64_t begin_ticks;
	int64_t end_ticks;
	int64_t since_ticks;
	uint32_t op; // of the program
	uint32_t rank;
	uint32_t cause; // step, PROGRAM_NO_STEP for none
	uint8_t does;	// enum program_does
	uint8_t since;	// enum program_since
};

// The hosts and what they make of messages. Times in ticks of the simulation.
struct program_params {
	int64_t overhead_ticks;	       // o: of the processor, for each message sent or received
	struct sim_pace overhead_byte; // O: the same for each byte after the first
	int64_t gap_ticks;	       // g: from the start of one message to that of the next
	struct sim_pace gap_byte;      // G: the same for each byte after the first
	uint64_t eager_bytes;	       // S: larger messages ask first (rendezvous)
	uint32_t mtu_bytes;	       // of a worm, above 0
	uint32_t empty_bytes;	       // worm of an empty message, a request, a reply; above 0
	uint32_t window_worms;	       // of a host, entered and not yet there; above 0
	int64_t ns_ticks;	       // ticks in a nanosecond
	struct program_mpi mpi;	       // zero: messages travel without any
	bool keeps_path;	       // of each step of a processor, for the critical path
	bool keeps_waits;	       // for which messages the processors have waited
};

// What a rank did until its last operation ended; ticks. With one processor a rank, busy and waiting
// times add up to the finish.
struct program_rank {
	int64_t finish_ticks;
	int64_t connect_ticks; // until its operations could begin
	int64_t compute_ticks;
	int64_t send_ticks;	    // processor busy sending
	int64_t receive_ticks;	    // processor busy receiving
	int64_t wait_sender_ticks;  // idle, and the message that ended it was not sent yet
	int64_t wait_network_ticks; // idle, and it was under way
	int64_t wait_gap_ticks;	    // idle, and an operation or message waited for the gap
	int64_t wait_rank_ticks;    // idle, and nothing of the rank's own was ready (several processors)
	uint64_t sent;		    // messages
	uint64_t sent_bytes;
};

struct program_totals {
	uint64_t operations;
	uint64_t ended;	   // of these
	uint64_t sent;	   // messages
	uint64_t messages; // of these received
	uint64_t message_bytes;
	uint64_t controls; // requests and replies of the rendezvous
	uint64_t worms;	   // with --mpi also those of it that have ended
	uint64_t lost_worms;
	int64_t finish_ticks; // of the last rank
	uint32_t finish_rank;
	struct program_share parts[PROGRAM_PARTS]; // with MPI: what has gone out
};

// Who hears of the run. done: as of struct net_results; the packets' ids are those of the program's
// worms, 0 being the first. message: one whose last byte was received; NULL for none.
struct program_listener {
	enum tr_status (*done)(void *context, const struct net_worm *worm, const struct tr_delivery *delivery,
			       struct tr_error *err);
	enum tr_status (*sample)(void *context, const struct tr_link *link, struct tr_error *err);
	enum tr_status (*message)(void *context, const struct tr_message *message, struct tr_error *err);
	void *context;
};

struct program;

// Makes a run of goal, which must outlive it, on a network: rank r is host host_of[r] (NULL: host r) of
// hosts. Memory is taken here and never later: about 60 B an operation, 8 B a need, 150 B a message
// under way, 150 B a rank, with MPI 150 B a pair of ranks and direction;
// the path takes 40 B a step, of which there are 2 to 7 a message and one a computation. TR_ERROR where memory is short or the program does not fit the network.
enum tr_status program_open(struct program **out, const struct goal_program *goal, const struct program_params *params,
			    uint32_t hosts, const uint32_t *host_of, const struct program_listener *listener,
			    struct tr_error *err);

// What an engine's setup takes; both are good until program_close.
struct net_traffic program_traffic(struct program *program);
struct net_results program_results(struct program *program);

// After the run.
const struct program_rank *program_rank(const struct program *program, uint32_t rank);
void program_totals(const struct program *program, struct program_totals *out);

// Where the path was kept: the step with which the last operation ended, PROGRAM_NO_STEP where none did; and a step.
uint32_t program_last_step(const struct program *program);
const struct program_step *program_step(const struct program *program, uint32_t step);

// How long a rank's processor was idle before it took in messages of one source and tag: before they were sent,
// and while they were under way. With requests and replies.
struct program_wait {
	uint32_t rank;
	uint32_t source;
	uint32_t tag;
	uint64_t messages; // for which it was idle
	int64_t sender_ticks;
	int64_t network_ticks;
};

// Where they were kept: all of them into *out, the longest first, which the caller frees. Returns how many,
// SIZE_MAX where memory ends.
size_t program_waits(const struct program *program, struct program_wait **out);

void program_close(struct program *program);

// Why a program cannot finish: operations of a rank that wait for one another, found before a run, and
// what was left over after one.

#define PROGRAM_VERDICT_LINES 10u // the most that tell is called with

// Calls tell with a line for each rank whose needs go round in a circle: the file, the rank,
// the lines of the circle. Returns how many there are, 0 for none; SIZE_MAX where memory ended.
size_t program_circles(const struct program *program, void (*tell)(void *context, const char *line), void *context);

// After a run: calls tell with a line for each receive that got no message and each message that was
// not received, lost, or still under way. Returns how many there are.
size_t program_leftovers(const struct program *program, void (*tell)(void *context, const char *line), void *context);

// After a run: calls tell with a line for each circle of ranks of which each stopped at a receive from the next, or at
// a large message to it that was not asked for. Returns how many there are; none where memory ends
// or a worm was lost.
size_t program_standstills(const struct program *program, void (*tell)(void *context, const char *line), void *context);

#endif
