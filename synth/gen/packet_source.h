// SPDX-License-Identifier: GPL-3.0-or-later
// What the sources of all generators share. A source sends with its own clock and random streams: a
// node, a class of its packets, a pair, the whole network.
#ifndef GEN_PACKET_SOURCE_H
#define GEN_PACKET_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"
#include "value/random.h"

#define SOURCE_NEVER INT64_MAX
#define SOURCE_FAR_TICKS 0x1p62 // later is never

// Rounds down a time of 0 ticks or later.
static inline int64_t source_ticks(double ticks)
{
	return ticks < SOURCE_FAR_TICKS ? (int64_t)ticks : SOURCE_NEVER;
}

// The time span_ticks (0 or more) after ticks, to the nearest tick.
static inline int64_t source_after(int64_t ticks, double span_ticks)
{
	const int64_t span = source_ticks(span_ticks + 0.5);

	return span < SOURCE_NEVER - ticks ? ticks + span : SOURCE_NEVER;
}

// The time gap_ticks (0 or more; NaN: never) after ticks. *part, in [0, 1), is the remainder of all
// rounding so far, so that sums of gaps do not drift; 0 at the start.
static inline int64_t source_later(double *part, int64_t ticks, double gap_ticks)
{
	const double exact = *part + gap_ticks;

	if (!(exact < SOURCE_FAR_TICKS - (double)ticks))
		return SOURCE_NEVER;
	const int64_t whole = (int64_t)exact;

	*part = exact - (double)whole;
	return ticks + whole;
}

// The times after count gaps from ticks on, the same as count calls of source_later.
void source_later_many(double *part, int64_t ticks, const double *gap_ticks, int64_t *out,
		       size_t count);

// Bytes on the wire of a packet, limited to what a record holds.
static inline uint32_t source_wire_B(uint32_t payload_B, uint32_t header_B)
{
	const uint64_t wire_B = (uint64_t)payload_B + header_B;

	return wire_B < UINT32_MAX ? (uint32_t)wire_B : UINT32_MAX;
}

// Draws uniformly one of the count nodes from first on (2 or more if self is one of them), except
// self.
static inline uint32_t source_draw_other(struct tr_random *random, uint32_t first, uint32_t count,
					 uint32_t self)
{
	if (self < first || self >= first + count)
		return first + (uint32_t)tr_random_below(random, count);
	const uint32_t node = first + (uint32_t)tr_random_below(random, count - 1);

	return node + (node >= self);
}

// Draws count of the nodes 0 .. nodes - 1 except self, the same as count calls of
// source_draw_other.
void source_draw_others(struct tr_random *random, uint32_t nodes, uint32_t self, uint32_t *out,
			size_t count);

// By role: another node sends that share (0 .. 1) of its packets to node 0, otherwise uniformly to
// any node but 0. nodes: 2 or more; self is below it.
static inline uint32_t source_draw_by_role(struct tr_random *random, uint32_t nodes,
					   double to_controller, uint32_t self)
{
	if (self != 0 && (nodes == 2 || tr_random_unit(random) < to_controller))
		return 0;
	return source_draw_other(random, 1, nodes - 1, self);
}

// When packets end: the caller's setting, else the model's duration.
int64_t source_end_ticks(const struct generator_settings *settings, double duration_s);

// A random stream of a source, and its name within it.
struct source_stream {
	struct tr_random *random;
	const char *name;
};

// Opens them as "WHO/NAME", WHO formatted as by printf, with at most 63 characters.
void source_streams_open(const struct source_stream *streams, size_t count, uint64_t seed,
			 const char *who, ...) __attribute__((format(printf, 4, 5)));

// The address "node3". Returns TR_ROLE_WORKER: generator_kind.node for generators with identical
// nodes.
enum tr_role source_worker(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES]);

#endif
