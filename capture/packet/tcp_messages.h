// SPDX-License-Identifier: GPL-3.0-or-later
// The messages in a capture's TCP connections: each direction is put in order (segments.h) and read
// by its headers (headers.h). Segments of connections without known headers go to the caller, who
// may find messages by rule (messages/rule.h).
//
// Messages are kept until the end, to sort them by begin and because a rank may become known only
// later: up to PK_MESSAGES_KEPT; beyond that they are passed on as they are, in the order of their
// ends.
//
// Memory: PK_MESSAGE_BYTES for each message kept, and for connections a bound on the sum of 600
// bytes for each, what segments.h and headers.h say, and what the caller holds for it. Beyond it
// those that were idle longest are given up: ended as they are and forgotten.
#ifndef PACKET_TCP_MESSAGES_H
#define PACKET_TCP_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "packet/decode.h"
#include "packet/nodes.h"
#include "stream/record.h"
#include "value/status.h"

#define PK_MESSAGES_KEPT (1u << 20)
#define PK_MESSAGE_BYTES (sizeof(struct tr_message) + 8)

struct pk_message_hooks {
	// Takes a message, its times in ns since the Unix epoch; sorted: all of the capture come in
	// order of their begins.
	enum tr_status (*message)(void *context, const struct tr_message *message, bool sorted,
				  struct tr_error *err);
	// A segment of a connection without known headers, in the order of its bytes; without
	// bytes: an acknowledgement. NULL: not wanted. Returns the bytes that are now held for the
	// connection.
	size_t (*segment)(void *context, uint32_t connection, unsigned direction, int64_t time_ns,
			  uint32_t bytes);
	// Whether the connection's segments of its largest size so far each end what the program
	// wrote, when that changes; before the segment that changes it. A larger segment says no by
	// itself. NULL: not wanted.
	void (*written)(void *context, uint32_t connection, bool ends);
	// The connection has ended, or its headers have been recognised. Returns the bytes that are
	// still held for it. NULL: not wanted.
	size_t (*end)(void *context, uint32_t connection, bool recognised);
	// The connection, which has ended, is forgotten: its number will be another one's. NULL:
	// not wanted.
	void (*forget)(void *context, uint32_t connection);
	void *context;
};

struct pk_message_counts {
	uint64_t by_headers;
	uint64_t by_rule;
	uint64_t sized,
		repeated; // of these, of more than 256 B; and with a size that their sender sends
			  // their receiver three times. 0 where messages were not kept
	uint64_t unseen;  // known to exist, but their headers were cut off or lost
	double unseen_likely;	// as many by what was passed over, with those known
	uint64_t losses;	// headers that were cut off or lost, of messages or not
	uint64_t left_out;	// TCP segments with payload without a flow, or in IP fragments
	uint64_t missing_bytes; // of TCP payload that no frame carried
	uint64_t given_up;	// connections that had not ended
};

// A TCP segment in a frame. header: from TCP's header on, of which known_bytes were captured.
struct pk_tcp {
	int64_t time_ns;
	const uint8_t *header;
	uint32_t known_bytes;
	uint32_t payload_bytes;
	struct pk_ids ids;
	bool fragment;
};

struct pk_messages;

// headers: read them; else all segments go to the hook. flows is lent, with the words of the flows
// of TCP. Keeps at most so many messages, above 0. connections_bytes: bound on what connections
// take. NULL if out of memory.
struct pk_messages *pk_messages_new(bool headers, struct pk_flows *flows,
				    const struct pk_message_hooks *hooks, size_t most_kept,
				    size_t connections_bytes);

// Takes the next segment of the capture. Running out of memory shows in pk_messages_failed.
void pk_messages_take(struct pk_messages *messages, const struct pk_tcp *tcp);
bool pk_messages_failed(const struct pk_messages *messages);

// Adds a message that was found otherwise: ends, operation and ranks are filled in.
void pk_messages_add(struct pk_messages *messages, uint32_t connection, unsigned direction,
		     const struct tr_message *message);

// Adds a message that is complete, of no connection; its number is that of its first frame.
void pk_messages_add_complete(struct pk_messages *messages, const struct tr_message *message);

// Ends all connections, which tells the hook; messages may be added until pk_messages_finish.
void pk_messages_end(struct pk_messages *messages);

// Ends all connections and passes the messages on. TR_ERROR: out of memory, or the hook failed.
enum tr_status pk_messages_finish(struct pk_messages *messages, struct tr_error *err);

// What was found so far; complete after pk_messages_finish.
struct pk_message_counts pk_messages_counts(const struct pk_messages *messages);

// Frees everything; NULL is accepted.
void pk_messages_free(struct pk_messages *messages);

#endif
