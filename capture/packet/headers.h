// SPDX-License-Identifier: GPL-3.0-or-later
// Messages read from the headers that an MPI library's transport puts into TCP. A reader follows
// one direction of a connection from header to header; what only some transport knows is in its
// row: recognising, the length of a header, what it says.
//
// A header that was cut off or lost puts the reader out of step: it goes on at the next segment
// that begins with a header.
#ifndef PACKET_HEADERS_H
#define PACKET_HEADERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/segments.h"
#include "stream/record.h"

#define PK_HEADER_BYTES 96u	// of a transport's longest header, at most
#define PK_UNFINISHED_MAX 1024u // messages under way in one direction
#define PK_CONTEXTS 8u // communicators whose sequence numbers are followed in one direction
#define PK_NO_MESSAGE UINT32_MAX
#define PK_NO_RANK TR_RANK_NONE

struct pk_reader;

// A transport: one file, and one line in PK_TRANSPORTS.
struct pk_transport {
	const char *name;
	uint8_t prefix_bytes; // of each header: enough for its length and that of what follows
	bool numbers;	      // its messages are numbered: pk_reader_sequence

	// How sure it is that a segment of segment_bytes begins with a header (known_bytes are at
	// bytes): 0 no, 1 perhaps, 2 surely.
	unsigned (*recognise)(const uint8_t *bytes, size_t known_bytes, uint32_t segment_bytes);

	// Length of the handshake if a direction begins with it; 0: it is none; -1: more bytes are
	// needed. rank: of the sender, if the handshake tells, else as it was.
	int (*opening)(const uint8_t *bytes, size_t known_bytes, uint32_t *rank);

	// Length of a header whose prefix is in reader->header; 0: it is none. Sets the byte order
	// if it is not known.
	size_t (*header_bytes)(struct pk_reader *reader);

	// Takes a header, of which reader->known_bytes are known, and says by pk_reader_body what
	// follows. Returns false if that is unknown.
	bool (*take)(struct pk_reader *reader);
};

#define PK_TRANSPORTS(ROW) \
	ROW(openmpi) \
	ROW(ucx)

#define PK_TRANSPORT(name) extern const struct pk_transport pk_transport_##name;
PK_TRANSPORTS(PK_TRANSPORT)
#undef PK_TRANSPORT

// A message under way. begin and end are absolute times in ns.
struct pk_unfinished {
	struct tr_message record;
	uint64_t left_bytes;
	uint64_t request;     // by which its sender knows it; 0: unknown
	uint64_t reply;	      // by which its receiver knows it; 0: unknown
	uint64_t address;     // where its first byte goes; 0: unknown
	uint64_t losses;      // of the reader, when it began
	uint64_t losses_back; // of the other direction
	uint64_t granted;     // order of the receiver's answers; 0: none
	bool size_known;
};

struct pk_context {
	uint64_t losses;	// of the reader, when the sequence number was seen
	struct tr_message last; // that had it
	uint32_t alike;		// messages of its size up to it, in turn
	uint32_t header_bytes;	// of it
	uint32_t number;
	uint16_t sequence;
	bool used;
};

// Bytes passed over up to end_bytes, and when they came.
struct pk_passed {
	uint64_t end_bytes;
	int64_t sent_ns, time_ns;
};

#define PK_PASSED_MAX 1024u // that are kept in one direction

enum pk_step { PK_OPENING, PK_SEEKING, PK_HEADER, PK_BODY };

#define PK_LENGTHS 40u // classes of lengths, by powers of 2

// What came of one class: headers that began messages, and the bytes of all headers and what
// followed them at once; bytes that were passed over out of step in stretches of this class.
struct pk_length {
	uint64_t messages, read_bytes, passed_bytes;
};

// Where the results of all readers go. Counts are of the whole capture.
struct pk_found {
	void (*message)(void *context, const struct pk_reader *reader,
			const struct tr_message *message);
	uint64_t begun;	  // messages so far: their order
	uint64_t unseen;  // messages known to have had a header that was cut off or lost
	uint64_t rebuilt; // such messages, found nevertheless between numbers
	uint64_t losses;  // how often a reader fell out of step
	// Bytes passed over where messages are numbered: before a number, which tells the messages
	// among them, and after the last one.
	uint64_t numbered_bytes, late_bytes;
	struct pk_length lengths[PK_LENGTHS];
	bool failed; // out of memory
};

// One direction. other, found, context, rank and step are set by its owner; the rest of a new one
// is zero.
struct pk_reader {
	const struct pk_transport *transport; // NULL: not recognised
	struct pk_reader *other;	      // the opposite direction
	struct pk_found *found;
	void *context;	// for found->message
	uint32_t *rank; // of the sender in MPI_COMM_WORLD, PK_NO_RANK until known
	enum pk_step step;
	bool big_endian;
	bool ordered;	  // big_endian is known
	bool opened;	  // the direction's first bytes were seen
	uint8_t evidence; // that this may be the transport below
	uint8_t suspect;
	uint8_t *header; // PK_HEADER_BYTES, owned, made with the first bytes; those after
			 // known_bytes are zero
	uint32_t have_bytes, known_bytes;
	int64_t begin_ns, end_ns; // of the header and what follows it
	uint64_t body_bytes, body_left;
	uint32_t body_message;	  // that the body belongs to, PK_NO_MESSAGE for none
	bool partly;		  // bytes of the body are missing
	uint64_t losses;	  // of step
	uint64_t passed_bytes;	  // since then; where messages are numbered, since the last number
	struct pk_passed *passed; // these bytes, where messages are numbered
	uint32_t passed_count, passed_capacity;
	uint32_t untold; // messages whose number was cut off, since the last number
	bool begins;	 // the header began a message
	uint64_t grants; // answers to this direction's requests so far
	struct pk_unfinished *unfinished;
	uint32_t count, capacity;
	struct pk_context
		*contexts; // PK_CONTEXTS, owned, made with the first sequence number; else NULL
};

// Takes the next bytes of the direction. Returns whether they belong to a recognised transport.
bool pk_reader_take(struct pk_reader *reader, const struct pk_piece *piece);

// Estimates how many messages had headers that were not read: those known, plus an estimate from
// the bytes passed over.
double pk_found_unseen(const struct pk_found *found);

// Ends the direction: what is under way is a message partly unseen. Frees what is held.
void pk_reader_finish(struct pk_reader *reader);

// Frees what is held without ending it.
void pk_reader_clear(struct pk_reader *reader);

// Bytes that are held, without the struct itself.
size_t pk_reader_held_bytes(const struct pk_reader *reader);

// ---- for transports

// Begins a message with the header being taken. size_known false: its size is what comes. Returns
// its number, PK_NO_MESSAGE if there are too many; numbers are valid until a message ends.
uint32_t pk_reader_begin(struct pk_reader *reader, const struct tr_message *message,
			 bool size_known);

// The header is followed by so many bytes, which belong to a message or to none.
void pk_reader_body(struct pk_reader *reader, uint64_t bytes, uint32_t message);

// The message that the next bytes belong to: the one with this request, reply, or whose memory
// holds the address; else, and where the key is 0, the first that was answered, has so many bytes
// left and whose key is not known, or of which they are all; it then has the key. PK_NO_MESSAGE if
// there is none.
enum pk_key { PK_BY_REQUEST, PK_BY_REPLY, PK_BY_ADDRESS };
uint32_t pk_reader_find(struct pk_reader *reader, enum pk_key by, uint64_t key, uint64_t bytes);

// The receiver answered the request of a message of this reader: how it calls it, and where the
// message's first byte goes; 0 where unknown.
void pk_reader_grant(struct pk_reader *reader, uint64_t request, uint64_t reply, uint64_t address);

// A header was cut off, though what follows it is known.
void pk_reader_miss(struct pk_reader *reader);

// The sender says that it sent all of the message with this reply, size_bytes if its size is not
// known otherwise (0: nor so). Ends it if that is what ends it, or if a header of its data may have
// been missed.
void pk_reader_conclude(struct pk_reader *reader, uint64_t reply, uint64_t size_bytes);

// A message's header has this sequence number in its communicator: counts those before it that were
// not seen. Where the message before has the same size, or it and those before it are alike and
// long, and the bytes passed over are just as many such messages with headers of so many bytes,
// these are found, as partly unseen.
void pk_reader_sequence(struct pk_reader *reader, const struct tr_message *message,
			uint16_t sequence, uint32_t header_bytes);

// The direction ends: the same for what was passed over since the last number, where the messages
// before were alike and long.
void pk_reader_late(struct pk_reader *reader);

// What is known of a message of this size whose header was cut off before its number: it is like
// the last one, partly unseen.
struct tr_message pk_reader_untold(struct pk_reader *reader, uint64_t size_bytes);

// ---- for the reader, when what follows a header has come

// Adds the bytes of the body to its message, which ends if it has all.
void pk_reader_credit(struct pk_reader *reader);

// Passes on what is under way, as partly unseen.
void pk_reader_give_up(struct pk_reader *reader);

#endif
