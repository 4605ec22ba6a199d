// SPDX-License-Identifier: GPL-3.0-or-later
// The bytes that two MPI processes send each other over TCP, as Open MPI and as MPICH over UCX
// write them, with the messages that they hold; and TCP segments of these bytes, cut and disturbed
// at random.
#ifndef MPI_STREAMS_H
#define MPI_STREAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "packet/tcp_messages.h"
#include "value/random.h"

#define STREAM_MESSAGES_MAX 64u
#define STREAM_WRITES_MAX (STREAM_MESSAGES_MAX * 16u)
#define STREAM_BYTES_MAX (8u << 20)

// A message of the streams; tags and communicators are drawn.
struct stream_message {
	unsigned direction;
	uint64_t size_bytes;
	int32_t tag;
	uint32_t communicator;
	bool asks; // rendezvous
};

// A run of bytes in one direction; what comes after it in the other direction answers it.
struct stream_write {
	unsigned direction;
	size_t from, until; // in the direction's bytes
};

struct mpi_streams {
	uint8_t *bytes[2];
	size_t count[2];
	struct stream_message messages[STREAM_MESSAGES_MAX];
	size_t message_count;
	struct stream_write writes[STREAM_WRITES_MAX];
	size_t write_count;
};

enum stream_kind { STREAM_OPENMPI, STREAM_OPENMPI_BIG_ENDIAN, STREAM_UCX, STREAM_KINDS };

// Makes streams of so many messages between rank 3 (direction 0) and rank 5 (direction 1).
void mpi_streams_make(struct mpi_streams *streams, enum stream_kind kind, size_t messages,
		      struct tr_random *random);
void mpi_streams_free(struct mpi_streams *streams);

// How segments are made. Zero: one for each write, whole, in order, each once.
struct stream_cuts {
	uint32_t most_bytes;  // of a segment; 0: of any size
	uint32_t known_bytes; // kept of each; 0: all
	uint32_t first[2];    // sequence numbers of the first bytes
	bool random_sizes;    // cut anywhere
	bool disturbed;	      // repeated, overlapping, out of order
	bool without_opening; // neither SYN nor the first half of the writes
	bool joined;	      // writes that follow one another in a direction share segments
};

// Where the segments go: a table of connections and what it found.
struct stream_results {
	struct pk_nodes *nodes;
	struct pk_flows *flows;
	struct pk_messages *messages;
	struct pk_ids ids[2]; // of the two directions
	struct tr_message found[4 * STREAM_MESSAGES_MAX];
	size_t found_count;
	uint64_t segments; // that the hook for connections without headers got
	uint64_t segment_bytes;
	bool written; // what the hook for PSH said last
	int64_t time_ns;
};

// connections_bytes: bound of what connections take.
void stream_results_open(struct stream_results *results, bool headers, size_t connections_bytes);
void stream_results_close(struct stream_results *results);

// Gives one segment, with flags of TCP; data NULL: zeros.
void stream_segment(struct stream_results *results, unsigned direction, uint32_t sequence,
		    uint32_t acknowledged, uint8_t flags, const uint8_t *data, uint32_t known_bytes,
		    uint32_t bytes);

// Gives the segments of the streams, and ends.
void stream_deliver(struct stream_results *results, const struct mpi_streams *streams,
		    const struct stream_cuts *cuts, struct tr_random *random);

#endif
