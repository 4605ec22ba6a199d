// SPDX-License-Identifier: GPL-3.0-or-later
#include "stat/collectives/exchange_run.h"

#include <stdlib.h>

#include "stat/intervals/interval.h"
#include "value/grow.h"
#include "value/order.h"

#define TICKS_MAX (INT64_MAX / 8) // of a message that is looked at: sums do not overflow
#define BYTES_MAX (UINT64_C(1) << 40)

// ---- input

// Of messages that a node begins in one tick the lowest number is first where numbers follow begins
// (traces of a clock, in order, and queue pairs), else, as in simulations, which number ends, the
// lowest tag, since programs give later messages higher ones.
static int by_begin_and_turn(const void *left, const void *right)
{
	const struct exchange_message *a = left, *b = right;

	ORDER_BY(a->begin_ticks, b->begin_ticks);
	ORDER_BY(a->src, b->src);
	ORDER_BY(a->turn, b->turn);
	ORDER_BY(a->id, b->id);
	return ORDER(a->dst, b->dst);
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

enum tr_status exchange_run_take(struct exchange_run *run, const struct tr_message *message,
				 struct tr_error *err)
{
	if (tr_operation_is_collective(message->operation)) {
		run->calls++;
		return TR_OK;
	}
	if (!GROW(run->list, run->capacity, run->count))
		return tr_no_memory(err, "%zu messages", run->count);
	run->partly += (message->flags & TR_MESSAGE_PARTLY) != 0;
	run->headers = run->headers || !(message->flags & TR_MESSAGE_RULE);
	run->list[run->count++] = (struct exchange_message){
		.begin_ticks = message->begin_ticks,
		.end_ticks = message->end_ticks,
		.id = message->id,
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

// Leaves out what is no message between two, and sorts the others. numbered: numbers follow begins.
static void exchange_choose(struct exchange_run *run, bool numbered)
{
	size_t kept = 0;

	for (size_t i = 0; i < run->count; i++) {
		struct exchange_message message = run->list[i];

		message.turn = numbered || message.channel >> 32 ? 0 : message.tag;
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
	if (kept > 0)
		qsort(run->list, kept, sizeof(*run->list), by_begin_and_turn);
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

// From when to when a node is in an operation, or gets another message (free_ticks NULL).
struct exchange_stay {
	int64_t begin_ticks, end_ticks;
	int64_t *free_ticks;
	uint32_t node;
};

static int by_node_and_begin(const void *left, const void *right)
{
	const struct exchange_stay *a = left, *b = right;

	ORDER_BY(a->node, b->node);
	ORDER_BY(a->begin_ticks, b->begin_ticks);
	return ORDER(a->free_ticks, b->free_ticks);
}

// A node begins with its first message, and is in it until it has sent, and got, its last one.
static void exchange_stays(const struct exchange *exchange, int64_t *free_ticks,
			   struct exchange_stay *stays)
{
	for (uint32_t p = 0; p < exchange->places; p++)
		stays[p] = (struct exchange_stay){INT64_MAX, INT64_MIN, &free_ticks[p],
						  exchange->nodes[p]};
	for (size_t i = 0; i < exchange->count; i++) {
		const struct exchange_message *of = exchange->parts[i].of;
		struct exchange_stay *src = &stays[exchange->parts[i].src],
				     *dst = &stays[exchange->parts[i].dst];

		if (of->begin_ticks < src->begin_ticks)
			src->begin_ticks = of->begin_ticks;
		if (of->begin_ticks > src->end_ticks)
			src->end_ticks = of->begin_ticks;
		if (of->end_ticks > dst->end_ticks)
			dst->end_ticks = of->end_ticks;
	}
}

// Notes from when on nodes were free before each operation: out of those before, with all other
// messages that came to them.
static enum tr_status exchange_note_free(struct exchange_run *run, struct tr_error *err)
{
	struct exchange_stay *stays;
	size_t count = run->count - run->doubts[EXCHANGE_FOUND], at = 0;
	int64_t last_ticks = INT64_MAX;
	bool whole;

	for (size_t k = 0; k < run->kind_count; k++)
		count += run->kinds[k].count * run->kinds[k].of[0]->places;
	stays = calloc(count + 1, sizeof(*stays));
	whole = stays;
	for (size_t k = 0; k < run->kind_count; k++) {
		struct exchange_kind *kind = &run->kinds[k];
		const uint32_t places = kind->of[0]->places;

		kind->free_ticks = calloc(kind->count * places, sizeof(*kind->free_ticks));
		whole = whole && kind->free_ticks;
		for (size_t i = 0; i < kind->count && whole; i++, at += places)
			exchange_stays(kind->of[i], kind->free_ticks + i * places, &stays[at]);
	}
	for (size_t i = 0; i < run->count && whole; i++)
		if (run->list[i].doubt != EXCHANGE_FOUND)
			stays[at++] = (struct exchange_stay){run->list[i].end_ticks,
							     run->list[i].end_ticks, NULL,
							     run->list[i].dst};
	if (whole)
		qsort(stays, count, sizeof(*stays), by_node_and_begin);
	for (size_t i = 0; i < count && whole; i++) {
		if (i == 0 || stays[i].node != stays[i - 1].node)
			last_ticks = INT64_MAX;
		if (stays[i].free_ticks)
			*stays[i].free_ticks = last_ticks;
		if (last_ticks == INT64_MAX || last_ticks < stays[i].end_ticks)
			last_ticks = stays[i].end_ticks;
	}
	free(stays);
	return whole ? TR_OK : tr_no_memory(err, "%zu nodes of operations", count);
}

struct table_interval exchange_seconds(const struct exchange_run *run,
				       const struct moments *moments)
{
	const struct interval interval = mean_interval(moments, run->level);
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

void exchange_tabulate_messages(struct table *table, const struct exchange_run *run)
{
	table_heads(table, exchange_trace_fields);
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
}

void exchange_tabulate_kinds(struct table *table, const struct exchange_run *run)
{
	table_heads(table, exchange_kind_fields);
	for (size_t i = 0; i < run->kind_count; i++) {
		const struct exchange_kind *kind = &run->kinds[i];
		const struct exchange *first = kind->of[0];
		const struct moments times = exchange_times(kind);
		const struct table_interval time = exchange_seconds(run, &times);
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
}

const char *exchange_label(const struct exchange_run *run, uint32_t node, char text[32])
{
	if (!run->by_rank && node < run->names->node_count)
		return tr_names_node(run->names, node);
	(void)snprintf(text, 32, run->by_rank ? "rank %u" : "node %u", node);
	return text;
}

void exchange_tabulate_order(struct table *table, const struct exchange_run *run)
{
	char text[32];

	table_heads(table, exchange_order_fields);
	for (size_t i = 0; i < run->kind_count; i++) {
		const struct exchange *first = run->kinds[i].of[0];

		for (uint32_t p = 0; p < first->places; p++)
			TABLE_PUT(table, exchange_order, .collective = i + 1, .place = p,
				  .node = exchange_label(run, first->nodes[p], text));
	}
}

void exchange_tabulate_doubts(struct table *table, const struct exchange_run *run)
{
	static const char *const why[EXCHANGE_DOUBTS] = {
		[EXCHANGE_FEW] = "of fewer than three nodes, where all algorithms are alike",
		[EXCHANGE_PEERS] = "no algorithm known has these peers in this order",
		[EXCHANGE_SIZES] = "the peers are those of an algorithm, the sizes are not",
		[EXCHANGE_EARLY] = "messages begin before those that they would wait for end",
		[EXCHANGE_SPREAD] = "operations would be in two iterations"};

	table_heads(table, exchange_doubts_fields);
	for (int i = EXCHANGE_FOUND + 1; i < EXCHANGE_DOUBTS; i++)
		if (run->doubts[i] > 0)
			TABLE_PUT(table, exchange_doubts, .why = why[i],
				  .messages = run->doubts[i]);
}

// ---- all of it

enum tr_status exchange_run_find(struct exchange_run *run, const struct tr_names *names,
				 const struct tr_header *header, double level, struct tr_error *err)
{
	run->names = names;
	run->ticks_per_s = header->ticks_per_s;
	run->level = level;
	exchange_choose(run, header->origin_s != 0 && !header->unsorted);
	if (exchanges_find(&run->found, run->list, run->count, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < run->count; i++)
		run->doubts[run->list[i].doubt]++;
	if (exchange_sort(run, err) != TR_OK || exchange_note_free(run, err) != TR_OK)
		return TR_ERROR;
	return exchange_delays_find(run, err);
}

void exchange_run_clear(struct exchange_run *run)
{
	for (size_t i = 0; i < run->kind_count; i++) {
		free(run->kinds[i].of);
		free(run->kinds[i].free_ticks);
	}
	free(run->kinds);
	free(run->delays);
	exchanges_clear(&run->found);
	free(run->ranks);
	free(run->list);
	*run = (struct exchange_run){.list = NULL};
}
