// SPDX-License-Identifier: GPL-3.0-or-later
// What the sources of all generators have in common. A source is whoever sends by a clock and random streams of its own: a
// node, a class of its packets, a pair, the whole network.
#ifndef GEN_PACKET_SOURCE_H
#define GEN_PACKET_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "gen/families/family.h"
#include "trace/random.h"

#define SOURCE_NEVER INT64_MAX
#define SOURCE_FAR_TICKS 0x1p62 // later is never

// A time of 0 ticks or later, rounded down.
static inline int64_t source_ticks(double ticks)
{
	return ticks < SOURCE_FAR_TICKS ? (int64_t)ticks : SOURCE_NEVER;
}

// The time that is gap_ticks (0 or more; NaN: never) after ticks. *part, at least 0 and below 1, is what all rounding down so
// far has left, so that sums of gaps do not drift; 0 at the start.
static inline int64_t source_later(double *part, int64_t ticks, double gap_ticks)
{
	const double exact = *part + gap_ticks;

	if (!(exact < SOURCE_FAR_TICKS - (double)ticks))
		return SOURCE_NEVER;
	const int64_t whole = (int64_t)exact;

	*part = exact - (double)whole;
	return ticks + whole;
}

// The times after count gaps from ticks on, as so many calls of source_later give them.
void source_later_many(double *part, int64_t ticks, const double *gap_ticks, int64_t *out, size_t count);

// The bytes on the wire of a packet, at most as many as a record holds.
static inline uint32_t source_wire_B(uint32_t payload_B, uint32_t header_B)
{
	const uint64_t wire_B = (uint64_t)payload_B + header_B;

	return wire_B < UINT32_MAX ? (uint32_t)wire_B : UINT32_MAX;
}

// One of the nodes first, first + 1, ... (count of them, 2 or more where self is one) except self, all alike.
static inline uint32_t source_draw_other(struct tr_random *random, uint32_t first, uint32_t count, uint32_t self)
{
	if (self < first || self >= first + count)
		return first + (uint32_t)tr_random_below(random, count);
	const uint32_t node = first + (uint32_t)tr_random_below(random, count - 1);

	return node + (node >= self);
}

// count of the nodes 0 .. nodes - 1 except self, as so many calls of source_draw_other give them.
void source_draw_others(struct tr_random *random, uint32_t nodes, uint32_t self, uint32_t *out, size_t count);

// By role: node 0 for that share (0 .. 1) of the packets of another, else any other node but node 0, all alike. nodes: 2 or
// more; self is below it.
static inline uint32_t source_draw_by_role(struct tr_random *random, uint32_t nodes, double to_controller, uint32_t self)
{
	if (self != 0 && (nodes == 2 || tr_random_unit(random) < to_controller))
		return 0;
	return source_draw_other(random, 1, nodes - 1, self);
}

// When packets end: what the caller asks for, else the model's duration.
int64_t source_end_ticks(const struct generator_settings *settings, double duration_s);

// A random stream of a source, and its name within it.
struct source_stream {
	struct tr_random *random;
	const char *name;
};

// Opens them as "WHO/NAME", where WHO is formatted as by printf; it has at most 63 characters.
void source_streams_open(const struct source_stream *streams, size_t count, uint64_t seed, const char *who, ...)
	__attribute__((format(printf, 4, 5)));

// The address "node3". Returns TR_ROLE_WORKER: generator_kind.node of the generators whose nodes are all alike.
enum tr_role source_worker(const void *state, uint32_t id, char address[GENERATOR_NAME_BYTES]);

#endif
