// SPDX-License-Identifier: GPL-3.0-or-later
// The collective operations in a trace of messages: which, between which nodes in which order, and
// what late nodes and slow links cost them.
#include "stat_collectives.h"

#include <stdlib.h>

#include "messages/exchanges.h"
#include "stat/intervals/interval.h"
#include "stat/intervals/moments.h"
#include "stream/record.h"
#include "table/table_rows.h"
#include "value/grow.h"
#include "value/order.h"
#include "value/ticks.h"

#define TICKS_MAX (INT64_MAX / 8) // of a message that is looked at: sums do not overflow
#define BYTES_MAX (UINT64_C(1) << 40)
#define MESSAGE_MEMORY_B 512 // at most, with all that is made of it

// ---- input

static int by_begin_and_ends(const void *left, const void *right)
{
	const struct exchange_message *a = left, *b = right;

	ORDER_BY(a->begin_ticks, b->begin_ticks);
	ORDER_BY(a->src, b->src);
	ORDER_BY(a->end_ticks, b->end_ticks);
	ORDER_BY(a->dst, b->dst);
	return ORDER(a->size_bytes, b->size_bytes);
}

// Notes the rank at the node.
static enum tr_status exchange_note_rank(struct exchange_run *run, uint32_t node, uint32_t rank,
					 struct tr_error *err)
{
	if (rank == TR_RANK_NONE || node == TR_NODE_OTHER)
		return TR_OK;
	if (!GROW_ZEROED(run->ranks, run->node_capacity, node))
		return tr_no_memory(err, "the ranks of %u nodes", node);
	run->by_rank = run->by_rank || (run->ranks[node] != 0 && run->ranks[node] != rank + 1);
	run->ranks[node] = rank + 1;
	return TR_OK;
}

static enum tr_status exchange_take(struct exchange_run *run, const struct tr_message *message,
				    uint64_t most, struct tr_error *err)
{
	if (tr_operation_is_collective(message->operation)) {
		run->calls++;
		return TR_OK;
	}
	if (run->count >= most)
		return tr_fail(err,
			       "more than %llu messages: raise --memory, or cut it with flitcut "
			       "--before",
			       (unsigned long long)most);
	if (!GROW(run->list, run->capacity, run->count))
		return tr_no_memory(err, "%zu messages", run->count);
	run->partly += (message->flags & TR_MESSAGE_PARTLY) != 0;
	run->headers = run->headers || !(message->flags & TR_MESSAGE_RULE);
	run->list[run->count++] = (struct exchange_message){
		.begin_ticks = message->begin_ticks,
		.end_ticks = message->end_ticks,
		.size_bytes = message->size_bytes,
		.channel = (uint64_t)message->communicator << 32 | message->operation,
		.by_rule = message->flags & TR_MESSAGE_RULE,
		.tag = (uint32_t)message->tag,
		.src = message->src,
		.dst = message->dst,
		.src_rank = message->src_rank,
		.dst_rank = message->dst_rank};
	return exchange_note_rank(run, message->src, message->src_rank, err) == TR_OK
		       ? exchange_note_rank(run, message->dst, message->dst_rank, err)
		       : TR_ERROR;
}

// Whether the message is one between two that are known, at times that can be summed.
static bool exchange_counts(const struct exchange_message *message, uint32_t nobody)
{
	return message->src != nobody && message->dst != nobody && message->src != message->dst &&
	       message->begin_ticks >= -TICKS_MAX && message->end_ticks >= message->begin_ticks &&
	       message->end_ticks <= TICKS_MAX && message->size_bytes <= BYTES_MAX;
}

static enum tr_status exchange_read(struct exchange_run *run, struct tr_reader *in,
				    struct num_ratio memory_B, struct tr_error *err)
{
	const uint64_t most = (uint64_t)(memory_B.num / memory_B.den) / MESSAGE_MEMORY_B;
	const size_t stride = tr_reader_stride(in);
	const void *records;
	size_t count, kept = 0;

	while (tr_next_block(in, &records, &count) == TR_OK)
		for (size_t i = 0; i < count; i++)
			if (exchange_take(run, (const void *)((const char *)records + i * stride),
					  most, err) != TR_OK)
				return TR_ERROR;
	for (size_t i = 0; i < run->count; i++) {
		struct exchange_message message = run->list[i];

		if (run->by_rank) {
			message.src = message.src_rank;
			message.dst = message.dst_rank;
		}
		if (!(message.by_rule && run->headers) &&
		    exchange_counts(&message, run->by_rank ? TR_RANK_NONE : TR_NODE_OTHER))
			run->list[kept++] = message;
	}
	run->left_out = run->count - kept;
	run->count = kept;
	qsort(run->list, run->count, sizeof(*run->list), by_begin_and_ends);
	return TR_OK;
}

// ---- kinds of operations

static enum tr_status exchange_sort(struct exchange_run *run, struct tr_error *err)
{
	for (size_t i = 0; i < run->found.count; i++) {
		const struct exchange *exchange = &run->found.list[i];
		struct exchange_kind *kind;
		size_t at = 0;

		while (at < run->kind_count && !exchange_is_like(run->kinds[at].of[0], exchange))
			at++;
		if (at == run->kind_count) {
			if (!GROW(run->kinds, run->kind_capacity, at))
				return tr_no_memory(err, "%zu kinds of operations", at);
			run->kinds[run->kind_count++] = (struct exchange_kind){.of = NULL};
		}
		kind = &run->kinds[at];
		if (!GROW(kind->of, kind->capacity, kind->count))
			return tr_no_memory(err, "%zu operations", kind->count);
		kind->of[kind->count++] = exchange;
	}
	return TR_OK;
}

struct table_interval exchange_seconds(const struct exchange_run *run,
				       const struct moments *moments, double level)
{
	const struct interval interval = mean_interval(moments, level);
	const double second = (double)run->ticks_per_s;

	return (struct table_interval){moments_mean(moments) / second, interval.lo / second,
				       interval.hi / second};
}

struct moments exchange_times(const struct exchange_kind *kind)
{
	struct moments times = {.n = 0};

	for (size_t i = 0; i < kind->count; i++)
		moments_add(&times, exchange_end(kind->of[i]) - exchange_begin(kind->of[i]));
	return times;
}

// ---- tables

TABLE_ROW(exchange_trace, (count, messages), (count, explained), (count, unexplained),
	  (count, left_out), (count, partly));
TABLE_ROW(exchange_kind, (count, collective), (text, algorithm), (text, operation), (count, nodes),
	  (count, steps), (count, operations), (count, messages), (count, bytes), (real, time_s, 6),
	  (real, time_lo_s, 6), (real, time_hi_s, 6));
TABLE_ROW(exchange_order, (count, collective), (count, place), (text, node));
TABLE_ROW(exchange_doubts, (text, why), (count, messages));

static struct table *exchange_trace_table(const struct exchange_run *run)
{
	struct table *table = table_of("messages", NULL, exchange_trace_fields);

	TABLE_PUT(table, exchange_trace, .messages = run->count,
		  .explained = run->doubts[EXCHANGE_FOUND],
		  .unexplained = run->count - run->doubts[EXCHANGE_FOUND],
		  .left_out = run->left_out, .partly = run->partly);
	if (run->left_out > 0)
		table_note(table,
			   "left out: messages of a node to itself, of nodes or ranks that are not "
			   "known, at impossible times, or found by rule beside others by headers, "
			   "as a launcher's");
	if (run->calls > 0)
		table_note(table,
			   "%llu records are calls of collective operations, which are not "
			   "messages",
			   (unsigned long long)run->calls);
	return table;
}

static struct table *exchange_kinds_table(const struct exchange_run *run)
{
	struct table *table = table_of("collectives", "Collective operations",
				       exchange_kind_fields);

	for (size_t i = 0; i < run->kind_count; i++) {
		const struct exchange_kind *kind = &run->kinds[i];
		const struct exchange *first = kind->of[0];
		const struct moments times = exchange_times(kind);
		const struct table_interval time = exchange_seconds(run, &times, run->level);
		uint64_t bytes = 0;

		for (size_t m = 0; m < first->count; m++)
			bytes += first->parts[m].of->size_bytes;
		TABLE_PUT(table, exchange_kind, .collective = i + 1, .algorithm = first->algorithm,
			  .operation = first->operation, .nodes = first->places,
			  .steps = first->steps, .operations = kind->count,
			  .messages = first->count, .bytes = bytes, .time_s = time.value,
			  .time_lo_s = time.lo, .time_hi_s = time.hi);
	}
	if (run->kind_count == 0)
		table_note(table, "none: no operations explain the messages to the last");
	return table;
}

const char *exchange_label(const struct exchange_run *run, uint32_t node, char text[32])
{
	if (!run->by_rank && node < run->names->node_count)
		return tr_names_node(run->names, node);
	(void)snprintf(text, 32, run->by_rank ? "rank %u" : "node %u", node);
	return text;
}

static struct table *exchange_order_table(const struct exchange_run *run)
{
	struct table *table = table_of("order", "Order of the nodes", exchange_order_fields);
	char text[32];

	for (size_t i = 0; i < run->kind_count; i++) {
		const struct exchange *first = run->kinds[i].of[0];

		for (uint32_t p = 0; p < first->places; p++)
			TABLE_PUT(table, exchange_order, .collective = i + 1, .place = p,
				  .node = exchange_label(run, first->nodes[p], text));
	}
	return table;
}

static struct table *exchange_doubts_table(const struct exchange_run *run)
{
	static const char *const why[EXCHANGE_DOUBTS] = {
		[EXCHANGE_FEW] = "of fewer than three nodes, where all algorithms are alike",
		[EXCHANGE_PEERS] = "no algorithm known has these peers in this order",
		[EXCHANGE_SIZES] = "the peers are those of an algorithm, the sizes are not",
		[EXCHANGE_EARLY] = "messages begin before those that they would wait for end",
		[EXCHANGE_SPREAD] = "operations would be in two iterations"};
	struct table *table = table_of("unexplained", "Unexplained messages",
				       exchange_doubts_fields);

	for (int i = EXCHANGE_FOUND + 1; i < EXCHANGE_DOUBTS; i++)
		if (run->doubts[i] > 0)
			TABLE_PUT(table, exchange_doubts, .why = why[i],
				  .messages = run->doubts[i]);
	return table;
}

// ---- all of it

static enum tr_status exchange_report(const struct exchange_run *run, bool points,
				      struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *tables[] = {exchange_trace_table(run),  exchange_kinds_table(run),
				  exchange_order_table(run),  NULL,
				  exchange_doubts_table(run), NULL};
	const size_t count = sizeof(tables) / sizeof(*tables) - !points;
	enum tr_status status = exchange_delays_table(run, &tables[3], err);

	if (status == TR_OK && points)
		status = exchange_moments_table(run, &tables[5], err);
	if (status == TR_OK)
		status = tables_print(tables, count, style, "flitstat", out, err);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}

enum tr_status collectives_report(struct tr_reader *in, double level, struct num_ratio memory_B,
				  bool points, bool damaged, struct table_style style, FILE *out,
				  struct tr_error *err)
{
	const struct tr_header *header = tr_reader_header(in);
	struct exchange_run run = {
		.names = tr_reader_names(in), .ticks_per_s = header->ticks_per_s, .level = level};
	enum tr_status status;

	if (header->kind != TR_MESSAGE)
		return tr_fail(err,
			       "contains %s records, expected messages: find them with "
			       "flitcap --messages",
			       tr_kind_find(header->kind)->name);
	status = exchange_read(&run, in, memory_B, err);
	if (status == TR_OK)
		status = exchanges_find(&run.found, run.list, run.count, err);
	for (size_t i = 0; i < run.count && status == TR_OK; i++)
		run.doubts[run.list[i].doubt]++;
	if (status == TR_OK)
		status = exchange_sort(&run, err);
	if (status == TR_OK && (damaged || !*tr_reader_error(in)))
		status = exchange_report(&run, points, style, out, err);
	for (size_t i = 0; i < run.kind_count; i++)
		free(run.kinds[i].of);
	free(run.kinds);
	exchanges_clear(&run.found);
	free(run.ranks);
	free(run.list);
	return status;
}
