// SPDX-License-Identifier: GPL-3.0-or-later
// What flitstat gathers from a trace in one pass: bursts of all packets and of each sender and
// class, traffic matrix, sizes and gaps, and the controller.
//
// Memory: 154 bytes a listed gap, sender and class; 1,144 bytes a node with traffic, in pages that
// are made as nodes of them occur; at most 80 bytes a pair of nodes with traffic; 470 KiB besides.
// over_time: 16 bytes a listed gap, sender and class, and for each of them at most 6 KiB: 24 bytes
// a gap between it and the next one, with room for up to four times as many.
#ifndef STAT_TRAFFIC_H
#define STAT_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/bursts/burst.h"
#include "stat/counts/partial.h"
#include "stat/counts/time_rows.h"
#include "stat/intervals/quantile.h"
#include "stat/nodes/matrix.h"
#include "stat/nodes/role.h"
#include "stream/names.h"
#include "stream/record.h"
#include "value/id_pages.h"
#include "value/status.h"

#define TRAFFIC_CLASSES 3		   // by enum tr_class
#define TRAFFIC_KINDS 4			   // the classes, then all of them together
#define TRAFFIC_GAP_BYTES 154u		   // of a stream, for each gap tried
#define TRAFFIC_PAIR_BYTES 80u		   // of a pair of nodes, at most
#define TRAFFIC_PARTIAL_NODES TR_NODES_MAX // most of a partial: a trace has no more names

struct traffic_settings {
	struct burst_gaps gaps;
	int64_t episode_ticks; // a longer silence of all nodes ends an episode of the search for
			       // the controller
	bool wire;	       // sizes are those of the frames, not of the payload
	uint64_t max_streams;  // senders x classes at most; 0 for no bound
	uint64_t max_pairs;    // pairs in the matrix at most; 0 for no bound
	bool over_time;	       // keeps what traffic_errors() needs
};

struct traffic_kind {
	uint64_t packets;
	uint64_t size_bytes;
	int64_t first_ticks, last_ticks;
	struct quantile sizes; // bytes; of all classes together set by traffic_finish
	struct quantile gaps;  // ticks from one packet to the next of the kind, whoever sends them
};

// What a node sent, by class.
struct traffic_sender {
	struct burst streams[TRAFFIC_CLASSES];	// list is NULL if nothing was sent
	struct time_rows rows[TRAFFIC_CLASSES]; // over_time: sizes, and gaps by how many listed
						// ones are shorter
};

struct traffic {
	const struct traffic_settings *settings; // lent
	struct burst_gap_counts all;		 // packets of all senders as one train
	struct tr_id_pages senders;		 // struct traffic_sender by node
	uint64_t epoch_ticks; // of tick 0, from the Unix epoch, modulo 2^64: bins begin at
			      // multiples since then
	size_t node_count; // above all nodes: 0, or a power of two from 16 on
	uint64_t stream_count;
	struct burst *spare; // empty ones, left by traffic_clear
	size_t spare_count, spare_capacity;
	uint64_t senders_unknown; // packets of TR_NODE_OTHER: in no stream
	struct matrix matrix;
	size_t last_pair; // of the last packet, in matrix.cells; at least matrix.pairs: none
	struct role_finder roles;
	struct traffic_kind kinds[TRAFFIC_KINDS];
	int64_t first_ticks;
	int64_t last_ticks;
};

// The sender of an id; NULL if it sent nothing, nor did those near it.
static inline struct traffic_sender *traffic_sender(const struct traffic *traffic, uint32_t node)
{
	return tr_id_pages_at(&traffic->senders, node, sizeof(struct traffic_sender));
}

// The bursts of a sender and class; NULL if nothing was sent.
static inline struct burst *traffic_stream(const struct traffic *traffic, uint32_t node,
					   enum tr_class class)
{
	struct traffic_sender *sender = traffic_sender(traffic, node);

	return sender && sender->streams[class].list ? &sender->streams[class] : NULL;
}

// The first node from this one on that may have sent; false if there is none.
static inline bool traffic_next(const struct traffic *traffic, uint32_t *node)
{
	*node = tr_id_pages_next(&traffic->senders, *node);
	return *node != UINT32_MAX;
}

// Starts in a zeroed struct, which is large; settings, complete, must outlive it.
void traffic_open(struct traffic *traffic, const struct traffic_settings *settings);

// Makes room for a packet's sender and pair. TR_ERROR if out of memory or beyond max_streams.
enum tr_status traffic_reserve(struct traffic *traffic, const struct tr_packet *packet,
			       struct tr_error *err);

// Adds a packet, after traffic_reserve, not earlier than the previous one.
void traffic_add(struct traffic *traffic, const struct tr_packet *packet);

// Adds a later part of the trace, before traffic_finish of either, as if its packets had been added
// one by one, but for the search for the controller, which then finds nothing. ids: the numbers
// here of the part's nodes, one for each of its node_count. The part must not begin before the last
// packet so far. TR_ERROR: out of memory, or beyond max_streams or max_pairs.
enum tr_status traffic_join(struct traffic *traffic, const struct traffic *later,
			    const uint32_t *ids, struct tr_error *err);

// Makes all times so much later; they must fit.
void traffic_shift(struct traffic *traffic, int64_t ticks);

// Writes it to a partial before traffic_finish, or reads it into an empty one that traffic_open has
// begun. Failures are the partial's.
void traffic_exchange(struct traffic *traffic, struct partial *partial);

// After the last packet, once: sets the sizes of all classes together.
void traffic_finish(struct traffic *traffic);

// The two levels at which bursts are told apart: the packets of all senders as one train, and those
// of each sender and class.
enum traffic_trains { TRAFFIC_ALL, TRAFFIC_STREAMS };

// The gaps of these trains, and the burst gap chosen from them.
void traffic_gaps(const struct traffic *traffic, enum traffic_trains trains,
		  struct burst_gap_counts *gaps);
struct burst_gap traffic_burst_gap(const struct traffic *traffic, enum traffic_trains trains,
				   enum burst_gap_by by);

// The bursts of one class, by that listed gap, of all senders whose role is role. roles[node]
// for every node that sent.
struct burst_statistics traffic_bursts(const struct traffic *traffic, const uint8_t *roles,
				       enum tr_role role, enum tr_class class, size_t listed);

// How well the means of these bursts are known at level, whatever the dependence between packets,
// bursts and senders. found: the bursts, from traffic_bursts. TR_ERROR if out of memory.
struct burst_errors {
	struct mean_error interarrival, silence, pulses, delay, size_bytes;
};
enum tr_status traffic_errors(const struct traffic *traffic, const uint8_t *roles,
			      enum tr_role role, enum tr_class class, size_t listed,
			      const struct burst_statistics *found, double level,
			      struct burst_errors *out, struct tr_error *err);

// How well the mean size of all packets of a class is known, or of those of all classes (kind
// TRAFFIC_CLASSES). found: their sizes. TR_ERROR if out of memory.
enum tr_status traffic_sizes_error(const struct traffic *traffic, unsigned kind,
				   const struct moments *found, double level,
				   struct mean_error *out, struct tr_error *err);

// Makes it one to be started again by traffic_open, with the same list; keeps the room for the
// bursts of its streams.
void traffic_clear(struct traffic *traffic);

// Frees all, also the room that traffic_clear keeps.
void traffic_close(struct traffic *traffic);

#endif
