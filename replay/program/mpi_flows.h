// SPDX-License-Identifier: GPL-3.0-or-later
// MPI's traffic from one rank to another: the messages that wait for their turn, and the notes, packets without
// data, that are due. Between two ranks there are two flows, each of which acknowledges the other.
#ifndef PROGRAM_MPI_FLOWS_H
#define PROGRAM_MPI_FLOWS_H

#include "program/state.h"

// In the order in which those due at one time go out. Up to NOTE_JOINED they make the connection, and the
// others wait until it is there.
enum note {
	NOTE_SYN,
	NOTE_SYN_ACK,
	NOTE_JOINED,
	NOTE_ASK,
	NOTE_ACK,
	NOTE_GREETING,
	NOTE_ENVELOPE,
	NOTE_CLOSE,
	NOTE_FIN_ACK,
	NOTE_FIN,
	NOTES,
};

enum flow_stage { FLOW_CLOSED, FLOW_OPENING, FLOW_OPEN };

struct flow {
	uint32_t from; // ranks
	uint32_t to;
	uint32_t back;	       // the flow the other way
	uint32_t next_noting;  // in the rank's list of those with notes
	uint32_t next_sending; // in that of those with messages
	struct chain messages;
	uint32_t notes[NOTES]; // due
	uint32_t out;	       // packets of MPI's sent and not acknowledged
	uint32_t heard;	       // that came the other way, and are not yet acknowledged by this one
	uint32_t carried;      // of these, by the packet called carrier, which is under way
	uint64_t carrier;
	int64_t ack_ticks; // when those heard are acknowledged at the latest
	uint8_t stage;	   // enum flow_stage
	bool noting;	   // in the lists
	bool sending;
	bool timer;  // an entry for it is on the agenda
	bool closed; // its goodbye has come
};

// Makes the flows, closed. TR_ERROR where memory is short or they are too many.
enum tr_status flows_open(struct program *program, struct tr_error *err);
// Where all ranks connect before they begin, they begin to.
void flows_connect(struct program *program);

void flows_close(struct program *program);

// A note is due.
void flow_note(struct program *program, uint32_t flow, enum note note);

// A message is to be sent from now on.
void flow_add(struct program *program, uint32_t message);

// Puts the flow among those that send, where it may.
void flow_resume(struct program *program, uint32_t flow);

// The message whose packet goes next from this rank, NOTHING where there is none.
uint32_t flow_message(struct program *program, uint32_t rank);

// A packet of that message, of this id, has gone; whole: the last.
void flow_sent(struct program *program, uint32_t rank, uint64_t id, bool whole);

// A packet of the message has come.
void flow_heard(struct program *program, uint32_t message, uint64_t id);

// The rank's operations have ended: it says goodbye.
void flows_finish(struct program *program, uint32_t rank);

// --- notes.c
// The ids of notes inside a run, apart from those of the messages' worms.
static inline bool is_note(uint64_t id)
{
	return id >> 63 != 0;
}

// The rank that has sent the note.
uint32_t note_rank(const struct program *program, uint64_t id);

// The next note of the rank into *offer, at this tick; false where there is none. Nothing else changes.
bool note_next(struct program *program, uint32_t rank, struct net_offer *offer);

// The engine has taken it.
void note_take(struct program *program, const struct net_offer *offer);

// It is there.
void note_arrive(struct program *program, uint64_t id);

// --- acknowledge.c
// A packet of MPI's has gone, or come.
void acknowledge_sent(struct program *program, uint32_t flow, uint64_t id);
void acknowledge_heard(struct program *program, uint32_t flow, uint64_t id);

// Handler of WHAT_ACK.
void acknowledge_late(struct program *program, uint32_t flow);

// So many packets of the flow are acknowledged.
void acknowledge_take(struct program *program, uint32_t flow, uint32_t packets);

#endif
