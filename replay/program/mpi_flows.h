// SPDX-License-Identifier: GPL-3.0-or-later
// MPI's traffic from one rank to another: messages waiting to be sent, and pending notes, packets
// without data. Between two ranks there are two flows; each acknowledges the other.
#ifndef PROGRAM_MPI_FLOWS_H
#define PROGRAM_MPI_FLOWS_H

#include "program/state.h"

// In the order in which notes due at one time are sent. Those up to NOTE_JOINED make the
// connection; the others wait for it.
enum note {
	NOTE_SYN,
	NOTE_SYN_ACK,
	NOTE_JOINED,
	NOTE_NOTICE, // RDMA: a packet was marked
	NOTE_RESEND, // a packet that was lost, or seems so
	NOTE_ASK,
	NOTE_ACK,
	NOTE_AT_ONCE, // acknowledges all that was heard, because a packet is missing or came twice
	NOTE_REFUSE,  // RDMA: so does this, and asks for all behind
	NOTE_GREETING,
	NOTE_ENVELOPE,
	NOTE_CLOSE,
	NOTE_FIN_ACK,
	NOTE_FIN,
	NOTE_SEGMENT, // never due: a message's packet, where packets are sent again
	NOTES,
};

enum flow_stage { FLOW_CLOSED, FLOW_OPENING, FLOW_OPEN };

struct flow {
	uint32_t from; // ranks
	uint32_t to;
	uint32_t back;	       // the flow the other way
	uint32_t next_noting;  // in the rank's list of flows with notes
	uint32_t next_sending; // in that of flows with messages
	struct chain messages;
	uint32_t notes[NOTES]; // due
	uint32_t out;	       // MPI packets sent and not acknowledged
	uint32_t heard;	  // received in the other direction and not yet acknowledged by this flow
	uint32_t carried; // of these, by the packet carrier, which is under way
	uint64_t carrier;
	int64_t ack_ticks; // latest time to acknowledge those heard
	uint32_t drawn;	   // times of a law
	uint8_t stage;	   // enum flow_stage
	bool noting;	   // in the lists
	bool sending;
	bool timer;	// it has an agenda entry
	bool answering; // likewise: an acknowledgement is due, and the host has not come to it
	bool closed;	// its goodbye has arrived
};

// Makes the flows, closed. TR_ERROR where memory runs out or there are too many.
enum tr_status flows_open(struct program *program, struct tr_error *err);
// Starts the connections of a rank to those behind it, if ranks connect before they begin.
void flows_connect(struct program *program, uint32_t rank);

// Frees the flows, with their state of TCP.
void flows_close(struct program *program);

// The flow from one rank to another; of a rank to itself, whose messages no packet carries, a
// number behind all flows.
uint32_t flow_find(const struct program *program, uint32_t from, uint32_t to);

// A note is due.
void flow_note(struct program *program, uint32_t flow, enum note note);

// A message is ready to be sent.
void flow_add(struct program *program, uint32_t message);

// Adds the flow to those that send, if it may.
void flow_resume(struct program *program, uint32_t flow);

// Handler of WHAT_PACE: the rank's next segment may leave.
void flow_pace(struct program *program, uint32_t rank);

// RDMA: a packet of so many bytes leaves a rank's host, whose next one waits until it has left.
void flow_occupy(struct program *program, uint32_t rank, uint32_t bytes);

// The time that the sender of the message, a reply or what was replied to, takes before it answers.
int64_t flow_answer_ticks(struct program *program, uint32_t message);

// The time that the receiver takes until it has the message, which has arrived.
int64_t flow_receive_ticks(struct program *program, uint32_t message);

// The message whose packet this rank sends next, NOTHING if there is none.
uint32_t flow_message(struct program *program, uint32_t rank);

// A packet of that message with so many bytes of it was sent, and acknowledge_sent was called;
// whole: the last one.
void flow_sent(struct program *program, uint32_t rank, uint32_t bytes, bool whole);

// A packet of the message has arrived.
void flow_heard(struct program *program, uint32_t message, uint64_t id);

// The rank's operations have ended: it sends goodbyes.
void flows_finish(struct program *program, uint32_t rank);

// --- notes.c
// The ids of notes inside a run, apart from those of the messages' worms.
static inline bool is_note(uint64_t id)
{
	return id >> 63 != 0;
}

// The rank that sent the note.
uint32_t note_rank(const struct program *program, uint64_t id);

// The id of the flow's next packet of a message, where packets are sent again, and whether an id is
// one of them.
uint64_t note_segment_id(const struct program *program, uint32_t flow);
bool note_is_segment(uint64_t id);

// Prefetches what its arrival touches first.
void note_fetch(const struct program *program, uint64_t id);

// Its name; false if it has none.
bool note_name(const struct program *program, uint64_t id, uint64_t *name);

// Writes the rank's next note to *offer, at this tick; false if there is none. Changes nothing
// else.
bool note_next(struct program *program, uint32_t rank, struct net_offer *offer);

// The engine has taken it.
void note_take(struct program *program, const struct net_offer *offer);

// The note has arrived, or was lost.
void note_arrive(struct program *program, uint64_t id, bool marked);
void note_lost(struct program *program, uint64_t id);

// What the arrival of a note of the flow does beside its acknowledgement.
void note_effect(struct program *program, uint32_t flow, enum note note);

// Handler of WHAT_NOTE: a note that was lost is due again.
void note_remind(struct program *program, uint32_t about);

// --- acknowledge.c
// A packet of MPI's was sent, or has arrived.
void acknowledge_sent(struct program *program, uint32_t flow, uint64_t id);
void acknowledge_heard(struct program *program, uint32_t flow, uint64_t id);

// Handlers of WHAT_ACK and WHAT_ANSWER.
void acknowledge_late(struct program *program, uint32_t flow);
void acknowledge_answer(struct program *program, uint32_t flow);

// This number of packets of the flow is acknowledged.
void acknowledge_take(struct program *program, uint32_t flow, uint32_t packets);

// One more packet of the flow has arrived, and is to be acknowledged.
void acknowledge_count(struct program *program, uint32_t flow);

// --- tcp.c
// Only where packets are sent again (program->tcp). Memory grows with the packets that a flow has
// under way; where it ends, the run fails. low and bits: the lowest bits of a packet's number.

struct tcp_packet {
	uint64_t name;	  // of the worm
	uint32_t message; // NOTHING: a note
	uint32_t bytes;
	uint32_t payload_bytes;
	enum note kind;
};

// Takes the state of so many flows from their arena.
void tcp_layout(struct program *program, size_t count);

// Starts the state of all flows, which is zero. Does nothing if packets are not sent again.
void tcp_open(struct program *program);
void tcp_close(struct program *program);

// The number that a note of the flow, or a segment, carries: its own, or what is acknowledged so
// far; acknowledged: packets that an acknowledgement counts.
uint64_t tcp_number(const struct program *program, uint32_t flow, enum note kind,
		    uint32_t acknowledged);

// Whether the flow's windows let a packet leave; also without TCP's.
bool tcp_has_window(const struct program *program, uint32_t flow);

// A message is about to be sent: after a pause, from a small window again (RFC 5681, section 4.1).
void tcp_rest(struct program *program, uint32_t flow);

// A packet was sent for the first time, by this id.
void tcp_sent(struct program *program, uint32_t flow, uint64_t id, const struct tcp_packet *packet);

// The packet to be sent again, of which only the sizes are set; and it was.
void tcp_again_packet(const struct program *program, uint32_t flow, struct tcp_packet *packet);
void tcp_sent_again(struct program *program, uint32_t flow);

// What is known of a packet that arrives besides its number.
struct tcp_arrival {
	bool again;  // it was sent again
	bool marked; // by a congested switch
};

// A packet that opens or closes the flow's connection was lost, or has arrived. The run fails where
// 127 are lost, one behind the other.
void tcp_control_lost(struct program *program, uint32_t flow);
void tcp_control_came(struct program *program, uint32_t flow);

// A packet of the flow has arrived.
void tcp_arrive(struct program *program, uint32_t flow, uint64_t low, unsigned bits,
		const struct tcp_arrival *arrival);

// The flow's sender hears an acknowledgement; or that all from a packet on is to be sent again; or
// that a packet was marked.
void tcp_acknowledged(struct program *program, uint32_t flow, uint64_t low, unsigned bits);
void tcp_refused(struct program *program, uint32_t flow, uint64_t low, unsigned bits);
void tcp_noticed(struct program *program, uint32_t flow);

// Prefetches the flow's state.
void tcp_fetch(const struct program *program, uint32_t flow);

// The timer of the flow has run off.
void tcp_run_off(struct program *program, uint32_t flow);

// The name of a packet; false if it has none, or is acknowledged.
bool tcp_name(const struct program *program, uint32_t flow, uint64_t low, unsigned bits,
	      uint64_t *name);

#endif
