// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit -f program: a stream of messages, with the parts that ranks take in collective
// operations.
#include "flitfit.h"

#include <math.h>
#include <stdlib.h>

#include "gen/families/program/program_collective.h"
#include "gen/families/program/program_fit.h"

// Packets of a stream of messages alone, which does not show them: Ethernet's.
#define USUAL_SEGMENT_B 1460
#define USUAL_HEADER_B 54

// A rank's part in a collective operation: only a count of scans, which flitgen does not have.
static bool fit_messages_take_part(const struct tr_message *message, uint32_t rank, uint32_t root,
				   struct program_trace *out, struct tr_error *err)
{
	const struct program_collective_record *record = program_collective_record(
		message->operation);
	const struct program_found found = {
		.begin_ticks = message->begin_ticks,
		.first_ticks = message->begin_ticks,
		.grant_ticks = message->begin_ticks,
		.end_ticks = message->end_ticks,
		.bytes = message->size_bytes,
		.packets = message->communicator, // until whole_operations
		.src = rank,
		.dst = rank,
		.operation = message->operation,
		.root = record && record->rooted ? root : UINT32_MAX};

	out->all.bytes += (double)message->size_bytes;
	out->nodes = rank >= out->nodes ? rank + 1 : out->nodes;
	return program_trace_add(out, &found, err) == TR_OK;
}

static bool fit_messages_take_message(const struct tr_message *message, const uint32_t *ranks,
				      struct program_trace *out, struct tr_error *err)
{
	const bool ranked = message->src_rank != TR_RANK_NONE && message->dst_rank != TR_RANK_NONE;
	const struct program_found found = {.begin_ticks = message->begin_ticks,
					    .first_ticks = message->begin_ticks,
					    .grant_ticks = message->begin_ticks,
					    .end_ticks = message->end_ticks,
					    .bytes = message->size_bytes,
					    .src = ranked ? message->src_rank : ranks[message->src],
					    .dst = ranked ? message->dst_rank : ranks[message->dst],
					    .granted = (message->flags & TR_MESSAGE_RENDEZVOUS) !=
						       0,
					    .small = !ranked,
					    .root = UINT32_MAX};
	const uint32_t high = found.src > found.dst ? found.src : found.dst;

	if (high >= PROGRAM_FIT_NODES_MAX)
		return tr_fail(err, "expected at most %u nodes, found rank %u",
			       PROGRAM_FIT_NODES_MAX, high) == TR_OK;
	if (ranked && tr_operation_is_collective(message->operation))
		return fit_messages_take_part(message, found.src, found.dst, out, err);
	out->all.messages++;
	out->all.bytes += (double)message->size_bytes;
	if (found.src == found.dst)
		return true;
	out->nodes = high >= out->nodes ? high + 1 : out->nodes;
	return program_trace_add(out, &found, err) == TR_OK;
}

// Where some messages have ranks, those without are none of the program: a launcher's.
static void keep_ranked(struct program_trace *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->count; i++)
		if (!out->found[i].small)
			out->found[kept++] = out->found[i];
	if (kept > 0)
		out->count = kept;
	for (size_t i = 0; i < out->count; i++)
		out->found[i].small = false;
}

// The records of a communicator: of how many ranks, and how many of a rank at most and at least.
struct operations {
	uint32_t ranks, most, least;
	size_t end; // in the sorted records
};

static int by_operation(const void *a, const void *b)
{
	const struct program_found *x = a, *y = b;

	if ((x->operation == 0) != (y->operation == 0))
		return x->operation == 0 ? -1 : 1;
	if (x->operation == 0)
		return 0;
	if (x->packets != y->packets)
		return x->packets < y->packets ? -1 : 1;
	return (x->src > y->src) - (x->src < y->src);
}

// The records of one communicator, from first on.
static struct operations operations_of(const struct program_trace *trace, size_t first)
{
	struct operations of = {.least = UINT32_MAX, .end = first};

	while (of.end < trace->count &&
	       trace->found[of.end].packets == trace->found[first].packets) {
		const size_t begin = of.end;
		uint32_t own;

		while (of.end < trace->count &&
		       trace->found[of.end].packets == trace->found[first].packets &&
		       trace->found[of.end].src == trace->found[begin].src)
			of.end++;
		own = (uint32_t)(of.end - begin);
		of.most = own > of.most ? own : of.most;
		of.least = own < of.least ? own : of.least;
		of.ranks++;
	}
	return of;
}

// Keeps those of communicators of all ranks, each of which takes part in all of them; the rest, and
// scans, count only.
static void whole_operations(struct program_trace *out)
{
	size_t kept = 0;

	if (out->count > 0)
		qsort(out->found, out->count, sizeof(*out->found), by_operation);
	while (kept < out->count && out->found[kept].operation == 0)
		kept++;
	for (size_t first = kept; first < out->count;) {
		const struct operations of = operations_of(out, first);
		const bool whole = of.ranks == out->nodes && of.most == of.least;

		out->all.operations += of.most;
		for (size_t i = first; i < of.end; i++)
			if (whole && program_collective_record(out->found[i].operation))
				out->found[kept++] = out->found[i];
		first = of.end;
	}
	out->count = kept;
	for (size_t i = 0; i < out->count; i++)
		out->found[i].packets = 0;
}

// Of messages; where there are none, of the shortest calls of the largest operations, whose
// messages take as many turns as a tree has.
static double mean_pace(const struct program_trace *trace)
{
	double ticks = 0, bytes = 0, largest_B = 0, shortest = 0, turns = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->found[i].operation == 0) {
			ticks += (double)(trace->found[i].end_ticks - trace->found[i].begin_ticks);
			bytes += (double)trace->found[i].bytes;
		}
	if (bytes > 0)
		return ticks / bytes * USUAL_SEGMENT_B;
	for (size_t i = 0; i < trace->count; i++) {
		const double own = (double)(trace->found[i].end_ticks -
					    trace->found[i].begin_ticks);

		if ((double)trace->found[i].bytes > largest_B || shortest == 0 ||
		    ((double)trace->found[i].bytes == largest_B && own < shortest))
			shortest = own;
		largest_B = fmax(largest_B, (double)trace->found[i].bytes);
	}
	for (uint32_t ranks = 1; ranks < trace->nodes; ranks *= 2)
		turns++;
	return turns > 0 ? shortest / turns * (USUAL_SEGMENT_B + USUAL_HEADER_B) /
				   (largest_B + USUAL_HEADER_B)
			 : 0;
}

// Packets as those of Ethernet, at the mean pace of the messages.
static void assume_flow(struct program_trace *out)
{
	out->flow = (struct program_flow){.segment_B = USUAL_SEGMENT_B, .header_B = USUAL_HEADER_B};
	out->flow.pace_s = mean_pace(out) / out->ticks_per_s;
	out->pace_known = PROGRAM_PACE_ASSUMED;
}

static bool read_messages(struct tool *tool, struct tr_reader *in, const uint32_t *ranks,
			  struct program_trace *out)
{
	const union tr_record *record;
	enum tr_status status;
	struct tr_error err = {.text = ""};

	while ((status = tr_next(in, &record)) == TR_OK)
		if (!fit_messages_take_message(&record->message, ranks, out, &err)) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return false;
		}
	return status == TR_END || tool_keep_going(tool);
}

bool fit_take_messages(struct tool *tool, struct tr_reader *in, struct program_trace *out)
{
	uint32_t ids[PROGRAM_FIT_NODES_MAX];
	bool taken;

	for (uint32_t i = 0; i < PROGRAM_FIT_NODES_MAX; i++)
		ids[i] = i;
	taken = read_messages(tool, in, ids, out);
	if (taken && out->count == 0)
		tool_error(tool, "%s: no messages", tr_reader_name(in));
	keep_ranked(out);
	whole_operations(out);
	program_trace_sort(out);
	assume_flow(out);
	return taken && out->count > 0;
}
