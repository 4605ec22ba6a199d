// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>

#include "messages/iterations.h"
#include "value/order.h"

// What messages are divided by. Nodes between which there is a path of messages are a part.
enum exchange_division { BY_PATH, BY_ITERATION, BY_PAIR, BY_CHANNEL, BY_TAG, DIVISIONS };

// A message, and the number of the part that it is put into.
struct exchange_item {
	struct exchange_message *of;
	uint64_t key;
};

static int by_key_and_begin(const void *left, const void *right)
{
	const struct exchange_item *a = left, *b = right;

	ORDER_BY(a->key, b->key);
	return ORDER(a->of, b->of); // of one array, which is sorted
}

// Cuts at silences, if iterations that repeat are not known yet; these it notes. Those that are not
// usual may be parts of one. False: out of memory.
static bool divide_by_iteration(struct exchange_item *items, size_t count)
{
	const bool known = items[0].of->iteration > 0;
	struct iteration_message *times = calloc(count, sizeof(*times));
	struct iterations found = {.begins = NULL};
	struct tr_error err;
	bool done = times;
	uint32_t number = 1;

	for (size_t i = 0; i < count && done; i++) {
		const struct exchange_message *of = items[i].of;

		items[i].key = known ? of->iteration : 0;
		times[i] = (struct iteration_message){of->begin_ticks, of->end_ticks,
						      1 + ((uint64_t)of->src << 32 | of->dst)};
	}
	done = done && (known || iterations_find(times, count, 0, &found, &err) == TR_OK);
	for (size_t k = 0; done && found.silences && k < found.count; k++) {
		number += k > 0 && (found.usual[k] || found.usual[k - 1]);
		for (size_t i = found.begins[k]; i < found.begins[k + 1]; i++) {
			items[i].key = k;
			if (found.alike > ITERATIONS_ALIKE_MIN && !found.within)
				items[i].of->iteration = number;
		}
	}
	iterations_clear(&found);
	free(times);
	return done;
}

static uint32_t path_root(const uint32_t *nodes, uint32_t *parents, size_t count, uint32_t node)
{
	const uint32_t *found = bsearch(&node, nodes, count, sizeof(node), order_u32);
	uint32_t at = (uint32_t)(found - nodes);

	while (parents[at] != at)
		at = parents[at] = parents[parents[at]];
	return at;
}

// Nodes between which there is a path of messages get one key.
static bool divide_by_path(struct exchange_item *items, size_t count)
{
	uint32_t *nodes = calloc(4 * count, sizeof(*nodes)), *parents;
	const bool done = nodes;

	parents = done ? nodes + 2 * count : NULL;
	for (size_t i = 0; i < 2 * count && done; i++) {
		nodes[i] = i % 2 ? items[i / 2].of->dst : items[i / 2].of->src;
		parents[i] = (uint32_t)i;
	}
	if (done)
		qsort(nodes, 2 * count, sizeof(*nodes), order_u32);
	for (size_t i = 0; i < 2 * count && done; i++) { // twice: then all is joined
		struct exchange_item *item = &items[i % count];
		const uint32_t a = path_root(nodes, parents, 2 * count, item->of->src),
			       b = path_root(nodes, parents, 2 * count, item->of->dst);

		parents[a > b ? a : b] = a > b ? b : a;
		item->key = a > b ? b : a;
	}
	free(nodes);
	return done;
}

// The end of the items with the key of items[at].
static size_t key_end(const struct exchange_item *items, size_t count, size_t at)
{
	size_t end = at;

	while (end < count && items[end].key == items[at].key)
		end++;
	return end;
}

#define PAIR_MANY 16u // messages of a pair: few make a pattern by chance

// Numbers each item by its pair of nodes; returns the messages of the pair that has most.
static size_t number_pairs(struct exchange_item *items, size_t count)
{
	size_t most = 0;

	for (size_t i = 0; i < count; i++) {
		const uint32_t a = items[i].of->src, b = items[i].of->dst;

		items[i].key = (uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a);
	}
	qsort(items, count, sizeof(*items), by_key_and_begin);
	for (size_t i = 0, end; i < count; i = end) {
		end = key_end(items, count, i);
		most = end - i > most ? end - i : most;
	}
	return most;
}

// A node, and the key of its messages.
struct exchange_member {
	uint32_t node;
	uint64_t key;
};

static int by_member(const void *left, const void *right)
{
	const struct exchange_member *a = left, *b = right;

	return ORDER(a->node, b->node);
}

// The key of a node; 0: it is no member.
static uint64_t member_key(const struct exchange_member *members, size_t count, uint32_t node)
{
	const struct exchange_member key = {.node = node},
				     *found = bsearch(&key, members, count, sizeof(*members),
						      by_member);

	return found ? found->key : 0;
}

// Nodes between which there is a path of pairs with more than three quarters of the messages that
// any pair has work together most and get one key, the messages between them another: where
// all nodes are in one, or a message within one is of another pair, all get one.
static bool divide_by_pair(struct exchange_item *items, size_t count)
{
	struct exchange_item *many = calloc(count, sizeof(*many));
	struct exchange_member *members = calloc(2 * count, sizeof(*members));
	const size_t most = number_pairs(items, count);
	size_t kept = 0;
	bool done = many && members, apart = most >= PAIR_MANY;

	for (size_t i = 0, end; i < count && done; i = end) {
		end = key_end(items, count, i);
		for (size_t k = i; k < end && 4 * (end - i) > 3 * most; k++)
			many[kept++] = items[k];
	}
	done = done && divide_by_path(many, kept);
	for (size_t k = 0; k < kept && done; k++)
		for (size_t end = 0; end < 2; end++)
			members[2 * k + end] = (struct exchange_member){
				end ? many[k].of->dst : many[k].of->src, 1 + many[k].key};
	if (done)
		qsort(members, 2 * kept, sizeof(*members), by_member);
	for (size_t i = 0, k = 0; i < count && done; i++) {
		const uint64_t src = member_key(members, 2 * kept, items[i].of->src);
		const bool within = src == member_key(members, 2 * kept, items[i].of->dst);
		const bool is_many = k < kept && many[k].of == items[i].of;

		k += is_many;
		apart = apart && (is_many || !within);
		items[i].key = is_many ? src : 0;
	}
	for (size_t i = 0; i < count && !apart; i++)
		items[i].key = 0;
	free(many);
	free(members);
	return done;
}

static bool exchange_divide(struct exchange_item *items, size_t count, enum exchange_division by)
{
	if (by == BY_PATH)
		return divide_by_path(items, count);
	if (by == BY_ITERATION)
		return divide_by_iteration(items, count);
	if (by == BY_PAIR)
		return divide_by_pair(items, count);
	for (size_t i = 0; i < count; i++)
		items[i].key = by == BY_TAG ? items[i].of->tag : items[i].of->channel;
	return true;
}

static enum tr_status explain_all(struct exchanges *out, struct exchange_message *const *of,
				  size_t count, enum exchange_division division,
				  struct tr_error *err);

// Adds the operations of each part of messages, which are sorted by begin, if there are several.
// division: what these are parts of.
static enum tr_status explain_parts(struct exchanges *out, struct exchange_message *const *of,
				    size_t count, enum exchange_division by,
				    enum exchange_division division, struct tr_error *err)
{
	const bool cut = division == BY_ITERATION;
	struct exchange_item *items = calloc(count, sizeof(*items));
	struct exchange_message **part = calloc(count, sizeof(*part));
	enum tr_status status = items && part ? TR_OK : tr_no_memory(err, "%zu messages", count);

	for (size_t i = 0; i < count && status == TR_OK; i++)
		items[i].of = of[i];
	if (status == TR_OK && !exchange_divide(items, count, by))
		status = tr_no_memory(err, "%zu messages", count);
	if (status == TR_OK)
		qsort(items, count, sizeof(*items), by_key_and_begin);
	for (size_t i = 0, end = 0; i < count && status == TR_OK; i = end) {
		end = key_end(items, count, i);
		for (size_t k = i; k < end; k++)
			part[k - i] = items[k].of;
		if (by == BY_PATH)
			status = exchange_explain(out, part, end - i,
						  !cut || part[0]->iteration > 0, cut, err);
		else if (end - i < count)
			status = by == BY_ITERATION
					 ? explain_parts(out, part, end - i, BY_PATH, by, err)
					 : explain_all(out, part, end - i, by, err);
	}
	free(items);
	free(part);
	return status;
}

static enum tr_status explain_all(struct exchanges *out, struct exchange_message *const *of,
				  size_t count, enum exchange_division division,
				  struct tr_error *err)
{
	struct exchange_message **rest = calloc(count, sizeof(*rest));
	struct exchange_item *items = calloc(count, sizeof(*items));
	enum tr_status status = TR_OK;

	for (size_t m = 0; m < count && items; m++)
		items[m].of = of[m];
	if (!rest || !items || !divide_by_iteration(items, count)) // which it notes
		status = tr_no_memory(err, "%zu messages", count);
	free(items);
	if (status == TR_OK)
		status = explain_parts(out, of, count, BY_PATH, BY_PATH, err);
	for (int by = BY_ITERATION; by < DIVISIONS && status == TR_OK; by++) {
		size_t left = 0;

		for (size_t m = 0; m < count; m++)
			if (of[m]->doubt != EXCHANGE_FOUND)
				rest[left++] = of[m];
		if (left > 0 && (by == BY_ITERATION || by > (int)division))
			status = explain_parts(out, rest, left, by, division, err);
	}
	free(rest);
	return status;
}

// Drops weak operations that come once.
static void drop_weak(struct exchanges *out)
{
	size_t kept = 0;

	for (size_t i = 0; i < out->count; i++) {
		bool again = !out->list[i].weak;

		for (size_t other = 0; other < out->count && !again; other++)
			again = other != i && out->list[other].places > 0 &&
				exchange_is_like(&out->list[i], &out->list[other]);
		if (!again)
			exchange_drop(&out->list[i]);
	}
	for (size_t i = 0; i < out->count; i++)
		if (out->list[i].places > 0)
			out->list[kept++] = out->list[i];
	out->count = kept;
}

enum tr_status exchanges_find(struct exchanges *out, struct exchange_message *messages,
			      size_t count, struct tr_error *err)
{
	struct exchange_message **of = calloc(count + 1, sizeof(*of));
	enum tr_status status = of ? TR_OK : tr_no_memory(err, "%zu messages", count);

	for (size_t i = 0; i < count && of; i++) {
		of[i] = &messages[i];
		messages[i].doubt = EXCHANGE_FEW;
		messages[i].iteration = 0;
	}
	if (status == TR_OK && count > 0)
		status = explain_all(out, of, count, BY_PATH, err);
	drop_weak(out);
	exchange_schedules_clear(&out->schedules);
	free(of);
	return status;
}

void exchanges_clear(struct exchanges *exchanges)
{
	for (size_t i = 0; i < exchanges->count; i++)
		exchange_clear(&exchanges->list[i]);
	free(exchanges->list);
	*exchanges = (struct exchanges){.list = NULL};
}

int64_t exchange_begin(const struct exchange *exchange)
{
	int64_t begin_ticks = INT64_MAX;

	for (size_t i = 0; i < exchange->count; i++)
		if (exchange->parts[i].of->begin_ticks < begin_ticks)
			begin_ticks = exchange->parts[i].of->begin_ticks;
	return begin_ticks;
}

int64_t exchange_end(const struct exchange *exchange)
{
	int64_t end_ticks = INT64_MIN;

	for (size_t i = 0; i < exchange->count; i++)
		if (exchange->parts[i].of->end_ticks > end_ticks)
			end_ticks = exchange->parts[i].of->end_ticks;
	return end_ticks;
}
