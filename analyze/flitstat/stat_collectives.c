// SPDX-License-Identifier: GPL-3.0-or-later
// The collective operations in a trace of messages: which, between which nodes in which order, and
// what late nodes and slow links cost them.
#include "flitstat.h"

#include <math.h>
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
#define TRIED 8u	     // nodes and links that are latest and slowest on average
#define COST_SHARE_MIN 0.01  // of the mean time, below which a delay is not listed

// Operations with the same messages between the same nodes.
struct exchange_kind {
	const struct exchange **of; // owned
	size_t count, capacity;
};

struct exchange_run {
	struct exchange_message *list;
	size_t count, capacity;
	uint32_t *ranks; // by node: one more than the first rank seen there, 0: none
	uint32_t node_capacity;
	uint64_t calls, left_out, partly, doubts[EXCHANGE_DOUBTS];
	bool by_rank; // a node has several ranks
	bool headers; // some messages were not found by rule
	const struct tr_names *names;
	uint64_t ticks_per_s;
	double level;
	struct exchanges found;
	struct exchange_kind *kinds;
	size_t kind_count, kind_capacity;
};

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

static struct table_interval exchange_seconds(const struct exchange_run *run,
					      const struct moments *moments, double level)
{
	const struct interval interval = mean_interval(moments, level);
	const double second = (double)run->ticks_per_s;

	return (struct table_interval){moments_mean(moments) / second, interval.lo / second,
				       interval.hi / second};
}

static struct moments kind_times(const struct exchange_kind *kind)
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
TABLE_ROW(exchange_delay, (count, collective), (text, delay), (text, node), (text, to),
	  (real, delay_s, 5), (real, cost_s, 5), (real, cost_lo_s, 5), (real, cost_hi_s, 5),
	  (real, cost_percent, 3));
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
		const struct moments times = kind_times(kind);
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

static const char *exchange_label(const struct exchange_run *run, uint32_t node, char text[32])
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

// ---- delays

// A node, or a link if dst is a place, and what it costs the operations of a kind.
struct exchange_delay {
	int64_t sum_ticks; // above 0
	uint32_t src, dst;
	struct moments cost;
};

static int by_link(const void *left, const void *right)
{
	const struct exchange_delay *a = left, *b = right;

	ORDER_BY(a->src, b->src);
	return ORDER(a->dst, b->dst);
}

static int latest_first(const void *left, const void *right)
{
	const struct exchange_delay *a = left, *b = right;

	ORDER_BY(b->sum_ticks, a->sum_ticks);
	return by_link(left, right);
}

// Lists all nodes, or links, once; returns how many they are.
static size_t delays_list(const struct exchange *exchange, bool links, struct exchange_delay *list)
{
	const size_t count = links ? exchange->count : exchange->places;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct exchange_delay){0,
						  links ? exchange->parts[i].src : (uint32_t)i,
						  links ? exchange->parts[i].dst : EXCHANGE_NONE,
						  {.n = 0}};
	qsort(list, count, sizeof(*list), by_link);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || by_link(&list[kept - 1], &list[i]) != 0)
			list[kept++] = list[i];
	return kept;
}

static void delays_add(const struct exchange_costs *costs, struct exchange_delay *list,
		       size_t count)
{
	const struct exchange *exchange = costs->exchange;

	for (size_t i = 0; i < count; i++)
		if (list[i].dst == EXCHANGE_NONE && costs->usual_begin_ticks != INT64_MIN &&
		    costs->begins[list[i].src] != INT64_MIN)
			list[i].sum_ticks += costs->begins[list[i].src] - costs->usual_begin_ticks;
	for (size_t i = 0; i < exchange->count && list[0].dst != EXCHANGE_NONE; i++) {
		const struct exchange_delay key = {.src = costs->parts[i].src,
						   .dst = costs->parts[i].dst};
		struct exchange_delay *delay = bsearch(&key, list, count, sizeof(*list), by_link);

		if (costs->times[i].usual_ticks != INT64_MAX)
			delay->sum_ticks += costs->times[i].own_ticks - costs->times[i].usual_ticks;
	}
}

// What each costs in the operation that costs was opened for.
static void delays_cost(struct exchange_costs *costs, struct exchange_delay *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const bool link = list[i].dst != EXCHANGE_NONE;

		moments_add(&list[i].cost,
			    exchange_end(costs->exchange) -
				    exchange_end_without(costs, link ? EXCHANGE_NONE : list[i].src,
							 link ? list[i].src : EXCHANGE_NONE,
							 list[i].dst));
	}
}

static void delay_put(struct table *table, const struct exchange_run *run, size_t index,
		      const struct exchange_delay *delay, double level)
{
	const struct exchange_kind *kind = &run->kinds[index];
	const uint32_t *nodes = kind->of[0]->nodes;
	const bool link = delay->dst != EXCHANGE_NONE;
	const struct moments times = kind_times(kind);
	const struct table_interval cost_s = exchange_seconds(run, &delay->cost, run->level),
				    wide_s = exchange_seconds(run, &delay->cost, level);
	char from[32], to[32];

	if (!(wide_s.lo > 0) || moments_mean(&delay->cost) < COST_SHARE_MIN * moments_mean(&times))
		return;
	TABLE_PUT(table, exchange_delay, .collective = index + 1,
		  .delay = link ? "slow link" : "late node",
		  .node = exchange_label(run, nodes[delay->src], from),
		  .to = link ? exchange_label(run, nodes[delay->dst], to) : NULL,
		  .delay_s = (double)delay->sum_ticks / (double)kind->count /
			     (double)run->ticks_per_s,
		  .cost_s = cost_s.value, .cost_lo_s = cost_s.lo, .cost_hi_s = cost_s.hi,
		  .cost_percent = 100 * moments_mean(&delay->cost) / moments_mean(&times));
}

// Lists what is latest, or slowest, in sum over the operations of a kind, and then costs most.
static enum tr_status exchange_delays(struct table *table, const struct exchange_run *run,
				      size_t index, bool links, struct tr_error *err)
{
	const struct exchange_kind *kind = &run->kinds[index];
	const struct exchange *first = kind->of[0];
	struct exchange_delay *list = calloc(first->count + first->places, sizeof(*list));
	enum tr_status status = list ? TR_OK : tr_no_memory(err, "%zu links", first->count);
	const size_t all = list ? delays_list(first, links, list) : 0;
	size_t count = all;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < kind->count && status == TR_OK; i++) {
			struct exchange_costs costs;

			status = exchange_costs_open(&costs, kind->of[i], err);
			if (status == TR_OK && pass == 0)
				delays_add(&costs, list, count);
			else if (status == TR_OK)
				delays_cost(&costs, list, count);
			exchange_costs_close(&costs);
		}
		if (status == TR_OK && pass == 0)
			qsort(list, count, sizeof(*list), latest_first);
		while (count > 0 && (count > TRIED || list[count - 1].sum_ticks <= 0))
			count--;
	}
	for (size_t i = 0; i < count && status == TR_OK; i++)
		delay_put(table, run, index, &list[i], 1 - (1 - run->level) / (double)all);
	free(list);
	return status;
}

static enum tr_status exchange_delays_table(const struct exchange_run *run, struct table **out,
					    struct tr_error *err)
{
	struct table *table = table_of("delays", "Late nodes and slow links",
				       exchange_delay_fields);
	size_t single = 0;

	*out = table;
	for (size_t i = 0; i < run->kind_count; i++) {
		single += run->kinds[i].count < 2;
		for (int links = 0; links < 2; links++)
			if (exchange_delays(table, run, i, links, err) != TR_OK)
				return TR_ERROR;
	}
	if (single > 0)
		table_note(table,
			   "%zu of the collectives came once: no delay of theirs can be "
			   "told from chance",
			   single);
	return TR_OK;
}

// ---- all of it

static enum tr_status exchange_report(const struct exchange_run *run, struct table_style style,
				      FILE *out, struct tr_error *err)
{
	struct table *tables[] = {exchange_trace_table(run), exchange_kinds_table(run),
				  exchange_order_table(run), NULL, exchange_doubts_table(run)};
	const size_t count = sizeof(tables) / sizeof(*tables);
	enum tr_status status = exchange_delays_table(run, &tables[3], err);

	if (status == TR_OK)
		status = tables_print(tables, count, style, "flitstat", out, err);
	for (size_t i = 0; i < count; i++)
		table_free(tables[i]);
	return status;
}

enum tr_status collectives_report(struct tr_reader *in, double level, struct num_ratio memory_B,
				  bool damaged, struct table_style style, FILE *out,
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
		status = exchange_report(&run, style, out, err);
	for (size_t i = 0; i < run.kind_count; i++)
		free(run.kinds[i].of);
	free(run.kinds);
	exchanges_clear(&run.found);
	free(run.ranks);
	free(run.list);
	return status;
}
