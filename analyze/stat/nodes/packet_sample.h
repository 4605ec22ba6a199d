// SPDX-License-Identifier: GPL-3.0-or-later
// The packets of a trace in memory, as columns, for fits and comparisons that need several passes.
// Memory: 25 bytes a packet (up to 50 while it grows), and 8 a node.
#ifndef STAT_PACKET_SAMPLE_H
#define STAT_PACKET_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/names.h"
#include "stream/record.h"
#include "value/status.h"

#define PACKET_SAMPLE_BYTES 50u	    // of a packet while it is read; 25 afterwards
#define PACKET_SAMPLE_MAX 20000000u // packets by default
#define PACKET_SAMPLE_OVERHEAD_MAX \
	86u // payload up to which a packet without a class is overhead; Yates 1997

// The nodes of a model: those that sent anything, and controllers that received anything (at least
// two in all), controllers first, else in order of their ids.
struct packet_people {
	enum tr_role *roles; // by id
	uint32_t *number;    // by id: the model's node; UINT32_MAX: it is none
	uint32_t count;	     // ids
	uint32_t senders;    // the model's nodes
	uint32_t controllers;
	bool lone; // only one node sends: it is the controller, and the first node that it sends to
		   // is a silent worker
};

// Zero is a valid empty one. Times rise. A part (packet_sample_part) borrows the columns and the
// people.
struct packet_sample {
	int64_t *ticks;
	uint32_t *src, *dst;
	uint32_t *payload_B, *wire_B;
	uint8_t *class; // TR_CLASS_DATA or TR_CLASS_OVERHEAD
	size_t count, capacity;
	size_t most;			// packets allowed; 0: PACKET_SAMPLE_MAX
	uint64_t unclassed;		// packets without a class, classified by their size
	int64_t begin_ticks, end_ticks; // the time covered: [begin, end)
	double ticks_per_s;
	int64_t bin_ticks; // width of the bins if made from counts; else 0
	struct packet_people people;
};

// TR_CLASS_DATA or TR_CLASS_OVERHEAD: of a packet without a class by its size.
uint8_t packet_sample_class(const struct tr_packet *packet);

// Adds a packet; the end becomes its time. TR_ERROR: time steps back, more than most packets, out
// of memory.
enum tr_status packet_sample_add(struct packet_sample *sample, const struct tr_packet *packet,
				 struct tr_error *err);

// Takes the roles of the ids below count and numbers the nodes, after the last packet. TR_ERROR:
// fewer than two packets, no node sent anything to another one, or out of memory.
enum tr_status packet_sample_settle(struct packet_sample *sample, const enum tr_role *roles,
				    uint32_t count, struct tr_error *err);

// The packets of [from, to), as a sample that borrows everything; do not clear it.
struct packet_sample packet_sample_part(const struct packet_sample *sample, int64_t from_ticks,
					int64_t to_ticks);

// The middle of its time.
int64_t packet_sample_middle(const struct packet_sample *sample);

// Seconds from begin to end.
double packet_sample_seconds(const struct packet_sample *sample);

// Frees what it holds; it is empty then.
void packet_sample_clear(struct packet_sample *sample);

#endif
