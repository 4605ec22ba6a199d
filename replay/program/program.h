// SPDX-License-Identifier: GPL-3.0-or-later
// A GOAL program executed over a network: closed-loop traffic. Ranks run operations when their
// dependencies are met; a sent message becomes worms, and an operation that waits for a message
// waits for the last of its worms. Rules: man/flitline-models.7. Host model: LogGOPS (Hoefler,
// Schneider, Lumsdaine, "LogGOPSim", 2010), where L is the network.
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "net/drive/cables.h"
#include "net/engine.h"
#include "program/dcqcn.h"
#include "net/delay_law.h"
#include "sim/pace.h"
#include "text/goal.h"

// Additions of MPI over TCP to a program's messages: connections, greetings, requests for
// acknowledgement and acknowledgements, envelopes, goodbyes. Rules: man/flitline-models.7.

// Memory of a run, about: of an operation, of the end of a message, of a requirement, and where the
// path is kept of the steps of a message.
#define PROGRAM_OP_BYTES 60u
#define PROGRAM_MESSAGE_BYTES 160u
#define PROGRAM_NEED_BYTES 16u
#define PROGRAM_PATH_BYTES 120u

#define PROGRAM_ACKS_MAX 63u

// RDMA instead of TCP (rdma.c).
struct program_rdma {
	bool on;
	int64_t timeout_ticks;	      // without an acknowledgement
	const struct net_wire *wires; // of the ranks' hosts, lent; NULL: packets leave at once,
				      // and there is no DCQCN
	uint64_t ticks_per_s;
	struct dcqcn_params dcqcn;
};

// The behaviour of the ranks' MPI, of TCP and of the hosts. Sizes in bytes.
struct program_mpi {
	bool on;	     // false: none of this
	bool connects_first; // all ranks connect to all others before they begin; otherwise two
			     // before their first message
	bool connected;	     // from the begin to the end: neither greetings nor goodbyes
	bool asks; // a request to acknowledge it follows each packet, and is answered at once
	bool envelope_apart;	 // of an eager message: a packet of its own
	uint32_t header_bytes;	 // of IP and TCP, of each packet
	uint32_t envelope_bytes; // of MPI: of a message, a request, a reply, a greeting, a goodbye
	uint32_t ack_every;	 // packets, where MPI does not ask; 1 to PROGRAM_ACKS_MAX
	int64_t ack_delay_ticks; // after which fewer are acknowledged
	uint32_t window_packets; // sent from a rank to another and not acknowledged; above 0
	int64_t pace_ticks; // of a host: least mean time from a whole segment to the next; 0: none
	uint32_t
		burst_packets; // whole segments of a host that leave at once after a pause; above 0
	struct net_law
		late; // by how much a segment that had to wait for its predecessor leaves later
	struct net_law ack;	// from the packet that makes an acknowledgement due until it leaves
	struct net_law answer;	// the same for a reply to a request, and for the data after a reply
	struct net_law receive; // from the arrival of a message until the program has it
	uint64_t seed;		// of the four
	bool resends;		// TCP resends what is lost, and has a congestion window
	bool sacks;		// selective acknowledgements; it recovers from losses as Linux does
	uint32_t initial_packets; // the window's first size; above 0
	int64_t rto_least_ticks;  // what a timeout adds to the time of a round trip, at least
	struct program_rdma rdma; // with resends
};

enum program_part {
	PROGRAM_DATA,	 // what the program sends
	PROGRAM_CONNECT, // SYN and its answers
	PROGRAM_GREETING,
	PROGRAM_ENVELOPE,   // also a message without bytes
	PROGRAM_RENDEZVOUS, // requests and replies
	PROGRAM_ASK,	    // requests to acknowledge
	PROGRAM_ACK,
	PROGRAM_CLOSE,	 // goodbyes, FIN and its answer
	PROGRAM_RESENT,	 // what was sent before
	PROGRAM_REFUSAL, // NAKs
	PROGRAM_NOTICE,	 // of congestion: CNPs
	PROGRAM_PARTS,
};

// What was sent of one part.
struct program_share {
	uint64_t packets;
	uint64_t bytes; // with the headers
};

// The steps of a program's processors, each with its cause: following causes back from the last
// step gives the critical path. Kept only on request.

#define PROGRAM_NO_STEP UINT32_MAX

enum program_does {
	PROGRAM_COMPUTES,
	PROGRAM_SENDS,	  // a message
	PROGRAM_REQUESTS, // asks for leave to send a message
	PROGRAM_REPLIES,
	PROGRAM_RECEIVES, // a message, a request or a reply
	PROGRAM_MATCHES,  // a receive finds its message waiting
};

// The last thing that a step waited for.
enum program_since {
	PROGRAM_SINCE_START,	 // only the rank's start
	PROGRAM_SINCE_NEED,	 // a dependency
	PROGRAM_SINCE_MESSAGE,	 // the transfer of a message
	PROGRAM_SINCE_PROCESSOR, // another step of the same processor
	PROGRAM_SINCE_GAP,	 // the interface, which was busy with another message
};

// A step begins at the end of the path from its cause: at since_ticks, while or when the cause was
// done.
struct program_step {
	int64_t begin_ticks;
	int64_t end_ticks;
	int64_t since_ticks;
	uint32_t op; // of the program
	uint32_t rank;
	uint32_t cause; // step, PROGRAM_NO_STEP for none
	uint8_t does;	// enum program_does
	uint8_t since;	// enum program_since
	uint8_t cpu;	// of the rank
};

// When a job of the program begins, and whether it begins again at the tick at which it has ended
// (or the next, if it began at this one), unless all jobs that do not had ended before it or wait
// for ever. Not with MPI, and not where steps are kept or iterations left out; its sends and
// receives are equally many, and some job does not repeat.
struct program_plan {
	int64_t start_ticks; // 0 or later
	bool repeats;
};

// What is carried beside a program.
struct program_beside {
	int64_t end_ticks; // when it has ended; INT64_MAX: it goes on
	uint64_t moves;	   // packets of it that entered or came to their ends
	bool due;	   // its next one enters at a time that is known
};

// Runs of a job that repeats, in which nothing of the others moves that has packets under way,
// until it begins no more: they may wait for one another for ever.
#define PROGRAM_IDLE_RUNS 1000u

// The hosts and their message costs. Times in ticks of the simulation.
struct program_params {
	int64_t overhead_ticks;	       // o: of the processor, for each message sent or received
	struct sim_pace overhead_byte; // O: the same for each byte after the first
	int64_t gap_ticks;	       // g: from the start of one message to that of the next
	struct sim_pace gap_byte;      // G: the same for each byte after the first
	uint64_t eager_bytes;	       // S: larger messages ask first (rendezvous)
	uint32_t mtu_bytes;	       // of a worm, above 0
	uint32_t empty_bytes;	// size of the worm of an empty message, a request, a reply; above 0
	uint32_t window_worms;	// of a host, entered and not yet delivered; above 0
	int64_t ns_ticks;	// ticks in a nanosecond
	struct program_mpi mpi; // zero: no MPI
	bool keeps_path;	// of each step of a processor, for the critical path
	bool keeps_waits;	// for which messages the processors waited
	bool repeats;		// leaves out iterations whose results follow from others; not with
				// keeps_waits
	const struct program_plan *plans;    // of each job, lent; NULL: all begin at 0
	const struct program_beside *beside; // lent; NULL: nothing is
	uint32_t only; // the job, plus 1, whose ranks alone begin, once; 0: all do
};

// What was left out of a run, or why nothing was. A period went from from_ticks on, and so many
// more like it would have followed.
struct program_repeat {
	const char *why_not; // NULL: something was
	int64_t from_ticks;
	int64_t period_ticks;
	uint64_t times;
	uint64_t operations; // that ended in one
};

// What a rank did until its last operation ended; ticks. With one processor per rank, busy and
// waiting times add up to the finish.
struct program_rank {
	int64_t finish_ticks;
	int64_t connect_ticks; // until its operations could begin
	int64_t compute_ticks;
	int64_t send_ticks;	    // processor busy sending
	int64_t receive_ticks;	    // processor busy receiving
	int64_t wait_sender_ticks;  // idle, waiting for a message not yet sent
	int64_t wait_network_ticks; // idle, and it was under way
	int64_t wait_gap_ticks;	    // idle, and an operation or message waited for the gap
	int64_t wait_rank_ticks;    // idle, and the rank had nothing ready (several processors)
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
	uint64_t worms;	   // with --mpi also MPI's own worms that have ended
	uint64_t lost_worms;
	int64_t finish_ticks; // of the last rank
	uint32_t finish_rank;
	struct program_share parts[PROGRAM_PARTS]; // with MPI: what was sent
};

// A processor executed a process of a program of processes (program/values) for a while.
struct program_turn {
	int64_t begin_ticks;
	int64_t end_ticks;
	uint32_t processor;
	uint32_t line; // of the last instruction
};

// Callbacks of a run. done: as in struct net_results; the packets' ids are those of the program's
// worms, from 0. message: its last byte was received; NULL for none. turn: likewise; no
// turns of a GOAL program.
struct program_listener {
	enum tr_status (*done)(void *context, const struct net_worm *worm,
			       const struct tr_delivery *delivery, struct tr_error *err);
	enum tr_status (*sample)(void *context, const struct tr_link *link, struct tr_error *err);
	enum tr_status (*message)(void *context, const struct tr_message *message,
				  struct tr_error *err);
	enum tr_status (*turn)(void *context, const struct program_turn *turn,
			       struct tr_error *err);
	// With repeats. times 0: what done is called with from now on may be a period; above: it
	// was one, and comes so many times more, each later by a period, before done is called
	// again. NULL for none.
	enum tr_status (*repeat)(void *context, const struct program_repeat *what,
				 struct tr_error *err);
	void *context;
};

struct program;

// Makes a run of goal, which must outlive it, on a network: rank r is host host_of[r] (NULL: host
// r) of hosts. All memory is taken here: about 60 B an operation, 8 B a dependency, 150 B a message
// under way, 150 B a rank, with MPI 130 B a pair of ranks and direction, 560 to 750 B more where
// lost packets are sent again; the path takes 40 B a step, of which there are 2 to 7 a message and
// one a computation. TR_ERROR where memory runs out or the program does not fit the network.
enum tr_status program_open(struct program **out, const struct goal_program *goal,
			    const struct program_params *params, uint32_t hosts,
			    const uint32_t *host_of, const struct program_listener *listener,
			    struct tr_error *err);

// For an engine's setup; both are valid until program_close.
struct net_traffic program_traffic(struct program *program);
struct net_results program_results(struct program *program);

// The part of the operations that have ended, 0 to 1; at any time.
double program_part(const struct program *program);

// What happened to a connection of queue pairs, from one rank to another; rates in b/s.
struct program_pair {
	uint32_t from;
	uint32_t to;
	uint64_t packets;
	uint64_t again;	   // of them sent again
	uint64_t refused;  // NAKs that made the sender go back
	uint64_t timeouts; // likewise
	uint64_t notices;  // CNPs that lowered the rate
	uint64_t least_bps;
	uint64_t last_bps;
};

// Writes the next one from number on whose sender went back or was given a notice, and returns the
// number behind it; 0: there is none.
uint32_t program_next_pair(const struct program *program, uint32_t number,
			   struct program_pair *out);

// After the run.
const struct program_rank *program_rank(const struct program *program, uint32_t rank);
bool program_rank_ended(const struct program *program, uint32_t rank); // all its operations
void program_totals(const struct program *program, struct program_totals *out);

// What became of a job: the ranks of one of the programs that were joined.
struct program_job {
	int64_t start_ticks;
	int64_t finish_ticks; // of its last operation; -1: not all have ended
	uint64_t runs;	      // that have ended
	int64_t ran_ticks;    // in all these
	bool gave_up;	      // it repeated no more after PROGRAM_IDLE_RUNS
	bool gave_up_early;   // the others moved later
};
struct program_job program_job(const struct program *program, uint32_t job);

// If the path was kept: the step with which the last operation ended, PROGRAM_NO_STEP if none did;
// how many steps there were; and one of them, in the order in which they began.
uint32_t program_last_step(const struct program *program);
uint32_t program_step_count(const struct program *program);
struct program_step program_step(const struct program *program, uint32_t step);

// What was left out; NULL if the run was not to repeat.
const struct program_repeat *program_repeated(const struct program *program);

// How long a rank's processor was idle before it received messages of one source and tag: before
// they were sent, and while they were under way. Includes requests and replies.
struct program_wait {
	uint32_t rank;
	uint32_t source;
	uint32_t tag;
	uint64_t messages; // that it waited for
	int64_t sender_ticks;
	int64_t network_ticks;
};

// If they were kept: all of them in *out, the longest first, freed by the caller. Returns how many,
// SIZE_MAX where memory runs out.
size_t program_waits(const struct program *program, struct program_wait **out);

// Frees it; NULL does nothing.
void program_close(struct program *program);

// Why a program cannot finish: cyclic dependencies of a rank's operations, found before a run, and
// leftovers after one.

#define PROGRAM_VERDICT_LINES 10u // most lines passed to tell

// Calls tell with a line for each rank with a dependency cycle: the file, the rank, the lines of
// the cycle. Returns how many there are; SIZE_MAX where memory ran out.
size_t program_cycles(const struct program *program, void (*tell)(void *context, const char *line),
		      void *context);

// After a run: calls tell with a line for each receive without a message and each message not
// received, lost, or still under way. Returns how many there are.
size_t program_leftovers(const struct program *program,
			 void (*tell)(void *context, const char *line), void *context);

// After a run: calls tell with a line for each cycle of ranks, each stopped at a receive from the
// next or at a large message to it that was not requested. Returns how many there are; none where
// memory runs out or a worm was lost.
size_t program_standstills(const struct program *program,
			   void (*tell)(void *context, const char *line), void *context);

#endif
