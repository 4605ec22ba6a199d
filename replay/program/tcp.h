// SPDX-License-Identifier: GPL-3.0-or-later
// The state of TCP's flows, and what the ways of loss recovery share; tcp.c has the rest.
#ifndef PROGRAM_TCP_H
#define PROGRAM_TCP_H

#include <stddef.h>

#include "program/mpi_flows.h"

#define TCP_WINDOW_MOST (1u << 24)
#define TCP_DUPLICATES 3u
#define NS_PER_S INT64_C(1000000000)

struct sent {
	int64_t sent_ticks; // first
	uint64_t acks[2];   // what it says to the flow back: as it was sent first, and last again
	uint64_t name;	    // of the worm; NO_NAME: as it comes
	uint32_t message;   // NOTHING: a note
	uint32_t bytes;
	uint32_t payload_bytes;
	uint8_t kind; // enum note
	bool arrived;
	bool again; // it was sent again
};

// Recovery without selective acknowledgements.
struct newreno {
	uint64_t again_end; // to be sent again up to here
	uint32_t duplicates;
	bool partly; // not the first partial acknowledgement of a fast recovery
};

// Recovery with them. A packet is in flight, or lost, or known to have arrived; those in flight are
// a list, in the order in which they left last.
struct score {
	int64_t left_ticks; // last
	uint64_t turn;	    // counts from 1 what leaves
	uint64_t older;
	uint64_t newer;
	uint64_t came; // the packet that came to the receiver when this number of others had
	enum { SCORE_FLIGHT, SCORE_LOST, SCORE_CAME } place;
};

enum sack_timer { SACK_REORDER, SACK_PROBE, SACK_TIMEOUT, SACK_TIMERS };

// Proportional rate reduction: packets during this fast recovery, and out when it began.
struct sack_reduced {
	uint32_t arrived;
	uint32_t sent;
	uint32_t out;
};

struct sack {
	uint64_t oldest; // in flight
	uint64_t newest;
	uint32_t flight;
	uint32_t lost;	 // and not sent again
	uint64_t turns;	 // the last
	uint64_t latest; // turn among those that have arrived
	int64_t rtt_ticks;
	int64_t least_ticks; // round trip
	uint64_t highest;    // packet that has arrived
	bool reorders;
	enum {
		PROBE_NONE,
		PROBE_NEW,
		PROBE_LAST
	} probe;	    // to be sent: new data, or the last packet again
	bool probe_again;   // the last one was a packet sent again
	uint32_t probe_out; // packets, when it was sent
	uint64_t probe_end; // next then; 0: there is none
	struct sack_reduced reduced;
	int64_t due_ticks[SACK_TIMERS];
};

enum rdma_timer { RDMA_PACE, RDMA_TIMEOUT, RDMA_TIMERS };

// A connection of queue pairs: its sender, and its receiver.
struct rdma {
	struct dcqcn rate;
	__int128 left; // of the packets that have left: bits times ticks_per_s, as of since_ticks
	int64_t since_ticks;
	int64_t due_ticks[RDMA_TIMERS];
	uint32_t tries;	      // timeouts since the last acknowledgement
	bool refused;	      // of the receiver: the packet that it expects
	int64_t notice_ticks; // of the receiver: no notice before
	struct rdma_counts {
		uint64_t again;
		uint64_t refused;
		uint64_t timeouts;
		uint64_t notices;
		uint64_t least_bps;
	} counts;
};

// What packets touch that are not lost is in two lines of the cache.
struct tcp {
	_Alignas(64) struct sent *ring; // by number, at mask + 1 places
	uint64_t first;			// not acknowledged
	uint64_t next;			// to be sent
	uint64_t due;			// to the receiver: it has all below
	uint64_t said; // what the receiver's acknowledgements say; never less than before
	uint64_t told; // the latest that the sender has heard
	uint32_t mask;
	uint32_t early; // arrived behind due
	uint32_t window;
	uint32_t slow_below;	 // slow start
	int64_t mean8_ticks;	 // 8 x the smoothed time of a round trip
	int64_t variance4_ticks; // 4 x its mean deviation
	int64_t last_ticks;	 // of the last new packet
	uint64_t again;		 // to be sent again
	struct newreno newreno;
	uint32_t grown;	 // packets acknowledged towards the next growth
	bool recovering; // fast recovery
	bool measured;
	uint8_t backoff;
	uint8_t lost;	      // packets that open or close it, one behind the other
	uint64_t recover;     // next, when the last loss was noticed
	uint64_t timed_out;   // the packet for which the timer ran off last, and 1; 0: none
	struct score *scores; // at as many places; NULL: no SACK
	struct sack sack;
};
_Static_assert(offsetof(struct tcp, timed_out) == 128, "the state of a flow has two cache lines");

// A transport: how a sender detects and handles losses. The first, and those that only RDMA has,
// may be NULL.
struct tcp_recovery {
	// TCP: a packet has come to the receiver, for the first time; sets what acknowledgements
	// say.
	void (*came)(struct tcp *tcp, uint64_t number);
	// Whether the congestion window lets a packet leave.
	bool (*has_window)(const struct program *program, uint32_t flow);
	// The packet before next was sent; and the one at again, again.
	void (*sent)(struct program *program, uint32_t flow);
	void (*sent_again)(struct program *program, uint32_t flow);
	// The sender hears an acknowledgement; bare: in a packet without data.
	void (*hear)(struct program *program, uint32_t flow, uint64_t said, bool bare);
	// The flow's timer has run off.
	void (*run_off)(struct program *program, uint32_t flow);
	// A packet has come to the receiver.
	void (*arrive)(struct program *program, uint32_t flow, uint64_t number,
		       const struct tcp_arrival *arrival);
	// RDMA: all from a packet on is to be sent again; and a packet was marked.
	void (*refused)(struct program *program, uint32_t flow, uint64_t said);
	void (*noticed)(struct program *program, uint32_t flow);
};

extern const struct tcp_recovery tcp_newreno;
extern const struct tcp_recovery tcp_sack;
extern const struct tcp_recovery tcp_rdma;

// Starts a flow of RDMA, whose packets leave at the rate of its host's cable.
void rdma_open(struct program *program, uint32_t flow);

// TCP's receiver, which keeps what comes early.
void tcp_receive(struct program *program, uint32_t flow, uint64_t number,
		 const struct tcp_arrival *arrival);

// The receiver takes all that is there in order. Returns whether a message, or a note, is complete.
bool tcp_take_in_order(struct program *program, uint32_t flow);

// Starts with nothing acknowledged and no timer.
void tcp_sack_start(struct tcp *tcp);

// The place of a packet in the ring of those that are out.
static inline struct sent *tcp_at(const struct tcp *tcp, uint64_t number)
{
	return &tcp->ring[number & tcp->mask];
}

// The smaller of two numbers, which fits 32 bits.
static inline uint32_t tcp_least(uint64_t a, uint64_t b)
{
	return (uint32_t)(a < b ? a : b);
}

// Of what is out when a loss is noticed, and at least 2 (RFC 5681).
static inline uint32_t tcp_half(uint32_t out)
{
	return out / 2 > 2 ? out / 2 : 2;
}

// How long a sender waits for an acknowledgement (RFC 6298, section 2), doubled for each time in a
// row that the timer ran off, up to a bound.
int64_t tcp_timeout_ticks(const struct program *program, const struct tcp *tcp);

// The time from sending a packet, once, to its acknowledgement (RFC 6298, section 2).
void tcp_measure(struct tcp *tcp, int64_t ticks);

// A loss was noticed: half of what is out is the aim.
void tcp_set_aim(struct tcp *tcp, uint32_t out);

// The window after an acknowledgement of so many packets, outside fast recovery.
void tcp_widen(struct program *program, struct tcp *tcp, uint32_t packets);

// A packet was not acknowledged within the timeout: the next is twice as long. The run fails after
// many.
void tcp_back_off(struct program *program, uint32_t flow);

#endif
