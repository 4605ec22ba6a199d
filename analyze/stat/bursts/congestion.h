// SPDX-License-Identifier: GPL-3.0-or-later
// What packets and links say of congestion: marks and notifications by flow, and pauses of links by
// who asked for them and by class.
//
// A pause lasts from its first frame to that which ends it (0 quanta), or runs out after the last
// frame's quanta of 512 bit times (IEEE 802.3, annex 31B; 802.1Qbb); a frame before renews it. When
// one runs out is known only with the rate of the link.
#ifndef STAT_CONGESTION_H
#define STAT_CONGESTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/ib.h"
#include "stream/reader.h"
#include "table/table.h"
#include "value/hash.h"

#define CONGESTION_LINK 8u	 // the class of pauses of whole links
#define CONGESTION_SPANS 4096u	 // pauses of which each is kept; further ones are counted
#define CONGESTION_RECENT 65536u // marks that are looked back to, at most

// Of packets between two nodes, of one flow or, as in simulations, of none.
struct congestion_marks {
	uint32_t src, dst, flow;
	uint64_t markable, marked, notifications;
};

// Pauses that one node asked of one class of a link.
struct congestion_pauses {
	uint32_t link, asker;
	uint8_t class;
	bool on;
	uint32_t quanta_max;
	uint64_t rate_bps; // 0: unknown
	uint64_t pauses, renewals, ends, idle_ends;
	int64_t begun_ticks; // of the pause that is on
	int64_t until_ticks; // it runs out; INT64_MAX if that is not known
	uint64_t paused_ticks;
	uint64_t ended_ticks; // from begin to end, of those that a frame ended
	size_t span;	      // of the pause that is on
};

// A pause; marks in the second/1000 before it.
struct congestion_span {
	size_t of; // of the pauses
	int64_t begin_ticks, end_ticks;
	uint64_t marked;
	uint32_t last_flow; // of the last of them
	const char *how;    // it ended; NULL: not known
};

// Zero is a valid empty one. Memory: 56 bytes a flow that can be marked, 96 a link, node and class,
// and the bounds above.
struct congestion {
	uint64_t ticks_per_s;
	struct congestion_marks *marks;
	uint32_t mark_count, mark_capacity;
	struct tr_hash marks_index;
	uint32_t marks_last[256]; // places that were found last, by flow and sender
	struct congestion_pauses *pauses;
	size_t pauses_count, pauses_capacity;
	struct congestion_span *spans;
	size_t span_count; // in all
	int64_t *recent;   // times of marks, a ring
	size_t recent_first, recent_end;
	uint32_t last_flow;
};

// Adds a pause, with the quanta of its flow, or a packet with marks or a notification. TR_ERROR if
// out of memory.
enum tr_status congestion_add_pause(struct congestion *congestion, const struct tr_names *names,
				    const struct tr_packet *pause, struct tr_error *err);
enum tr_status congestion_add_mark(struct congestion *congestion, const struct tr_packet *packet,
				   struct tr_error *err);

// Adds a packet of a reader that keeps pauses. TR_END: it is a pause, no packet; TR_ERROR if out of
// memory.
static inline enum tr_status congestion_add(struct congestion *congestion, struct tr_reader *in,
					    const struct tr_packet *packet, struct tr_error *err)
{
	if (tr_reader_pauses(in)->any && tr_names_pause(tr_reader_names(in), packet->flow))
		return congestion_add_pause(congestion, tr_reader_names(in), packet, err) == TR_OK
			       ? TR_END
			       : TR_ERROR;
	return packet->flags & (TR_FLAG_MARKED | TR_FLAG_MARKABLE) || packet->opcode == TR_IB_CNP
		       ? congestion_add_mark(congestion, packet, err)
		       : TR_OK;
}

// After the last record, of this time.
void congestion_finish(struct congestion *congestion, int64_t last_ticks);

// Whether anything was added.
bool congestion_any(const struct congestion *congestion);

// Fills a table with columns and rows: marks by sender, receiver, pair, and flow or queue pair;
// pauses by link, asker and class; each pause. Failures are the table's.
void congestion_tabulate_marks(struct table *table, const struct congestion *congestion,
			       const struct tr_names *names);
void congestion_tabulate_pauses(struct table *table, const struct congestion *congestion,
				const struct tr_names *names);
void congestion_tabulate_spans(struct table *table, const struct congestion *congestion,
			       const struct tr_names *names);

// Frees what it holds.
void congestion_close(struct congestion *congestion);

#endif
