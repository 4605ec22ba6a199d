// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/exchanges.h"

#include <stdlib.h>

#include "messages/iterations.h"
#include "value/order.h"

// A message, and the number of the group that it is put into.
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

// ---- divisions: each gives every message a key. Returns false if out of memory.

static bool divide_by_channel(struct exchange_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		items[i].key = items[i].of->channel;
	return true;
}

static bool divide_by_tag(struct exchange_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		items[i].key = items[i].of->tag;
	return true;
}

// Cuts at silences, if iterations that repeat are not known yet; these it notes. Those that are not
// usual may be parts of one.
static bool divide_by_iteration(struct exchange_item *items, size_t count)
{
	struct iteration_message *times = calloc(count, sizeof(*times));
	struct iterations found = {.begins = NULL};
	struct tr_error err;
	bool done = times, known = items[0].of->iteration > 0;
	uint32_t number = 1;

	for (size_t i = 0; i < count && known; i++)
		items[i].key = items[i].of->iteration;
	for (size_t i = 0; i < count && done; i++)
		times[i] = (struct iteration_message){
			items[i].of->begin_ticks, items[i].of->end_ticks,
			1 + ((uint64_t)items[i].of->src << 32 | items[i].of->dst)};
	done = done && iterations_find(times, count, 0, &found, &err) == TR_OK;
	for (size_t k = 0; done && !known && found.silences && k < found.count; k++) {
		number += k > 0 && (found.usual[k] || found.usual[k - 1]);
		for (size_t i = found.begins[k]; i < found.begins[k + 1]; i++) {
			items[i].key = k;
			if (iterations_repeat(&found))
				items[i].of->iteration = number;
		}
	}
	iterations_clear(&found);
	free(times);
	return done;
}

static uint32_t root_of(uint32_t *parents, uint32_t place)
{
	while (parents[place] != place) {
		parents[place] = parents[parents[place]];
		place = parents[place];
	}
	return place;
}

static uint32_t *node_in(const uint32_t *nodes, size_t count, uint32_t node)
{
	return bsearch(&node, nodes, count, sizeof(node), order_u32);
}

// Nodes between which there is a path of messages get one key.
static bool divide_by_path(struct exchange_item *items, size_t count)
{
	uint32_t *nodes = calloc(2 * count, sizeof(*nodes)),
		 *parents = calloc(2 * count, sizeof(*parents));
	const bool done = nodes && parents;

	for (size_t i = 0; i < 2 * count && done; i++) {
		nodes[i] = i % 2 ? items[i / 2].of->dst : items[i / 2].of->src;
		parents[i] = (uint32_t)i;
	}
	if (done)
		qsort(nodes, 2 * count, sizeof(*nodes), order_u32);
	for (size_t pass = 0; pass < 2 && done; pass++)
		for (size_t i = 0; i < count; i++) {
			const uint32_t a = root_of(parents, (uint32_t)(node_in(nodes, 2 * count,
									       items[i].of->src) -
								       nodes)),
				       b = root_of(parents, (uint32_t)(node_in(nodes, 2 * count,
									       items[i].of->dst) -
								       nodes));

			parents[a > b ? a : b] = a > b ? b : a;
			items[i].key = a > b ? b : a;
		}
	free(nodes);
	free(parents);
	return done;
}

// ---- all divisions, one after the other

// The division that made a group.
enum exchange_division { BY_NONE, BY_ITERATION, BY_CHANNEL, BY_TAG, DIVISIONS };

// Adds the operations of messages, which are sorted by begin.
typedef enum tr_status (*exchange_explainer)(struct exchanges *out,
					     struct exchange_message *const *of, size_t count,
					     enum exchange_division division, struct tr_error *err);

// Explains each part of the division, if there are several of them or one will do.
static enum tr_status explain_divided(struct exchanges *out, struct exchange_message *const *of,
				      size_t count,
				      bool (*divide)(struct exchange_item *items, size_t count),
				      bool one_will_do, exchange_explainer explain,
				      enum exchange_division division, struct tr_error *err)
{
	struct exchange_item *items = calloc(count, sizeof(*items));
	struct exchange_message **part = calloc(count, sizeof(*part));
	enum tr_status status = TR_OK;

	for (size_t i = 0; i < count && items; i++)
		items[i].of = of[i];
	if (!items || !part || !divide(items, count))
		status = tr_no_memory(err, "%zu messages", count);
	else
		qsort(items, count, sizeof(*items), by_key_and_begin);
	for (size_t i = 0, end = 0; i < count && status == TR_OK; i = end) {
		while (end < count && items[end].key == items[i].key) {
			part[end - i] = items[end].of;
			end++;
		}
		if (end - i < count || one_will_do)
			status = explain(out, part, end - i, division, err);
	}
	free(items);
	free(part);
	return status;
}

static enum tr_status explain_connected(struct exchanges *out, struct exchange_message *const *of,
					size_t count, enum exchange_division division,
					struct tr_error *err)
{
	const bool cut = division == BY_ITERATION;

	return exchange_explain(out, of, count, !cut || of[0]->iteration > 0, cut, err);
}

static enum tr_status explain_whole(struct exchanges *out, struct exchange_message *const *of,
				    size_t count, enum exchange_division division,
				    struct tr_error *err)
{
	return explain_divided(out, of, count, divide_by_path, true, explain_connected, division,
			       err);
}

static enum tr_status explain_all(struct exchanges *out, struct exchange_message *const *of,
				  size_t count, enum exchange_division division,
				  struct tr_error *err)
{
	static bool (*const divide[DIVISIONS])(struct exchange_item *,
					       size_t) = {[BY_ITERATION] = divide_by_iteration,
							  [BY_CHANNEL] = divide_by_channel,
							  [BY_TAG] = divide_by_tag};
	struct exchange_message **rest = calloc(count, sizeof(*rest));
	struct exchange_item *items = calloc(count, sizeof(*items));
	enum tr_status status = rest && items ? TR_OK : tr_no_memory(err, "%zu messages", count);

	for (size_t m = 0; m < count && status == TR_OK; m++)
		items[m].of = of[m];
	if (status == TR_OK && !divide_by_iteration(items, count)) // which it notes
		status = tr_no_memory(err, "%zu messages", count);
	if (status == TR_OK)
		status = explain_whole(out, of, count, BY_NONE, err);
	free(items);
	for (int by = BY_ITERATION; by < DIVISIONS && status == TR_OK; by++) {
		size_t left = 0;

		for (size_t m = 0; m < count; m++)
			if (of[m]->doubt != EXCHANGE_FOUND)
				rest[left++] = of[m];
		if (left > 0 && (by == BY_ITERATION || by > (int)division))
			status = explain_divided(out, rest, left, divide[by], false,
						 by == BY_ITERATION ? explain_whole : explain_all,
						 by, err);
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
	enum tr_status status = TR_OK;

	out->schedules = calloc(exchange_algorithm_count, sizeof(*out->schedules));
	if (!of || !out->schedules)
		status = tr_no_memory(err, "%zu messages", count);
	for (size_t i = 0; i < count && of; i++) {
		of[i] = &messages[i];
		messages[i].doubt = EXCHANGE_FEW;
		messages[i].iteration = 0;
	}
	if (status == TR_OK && count > 0)
		status = explain_all(out, of, count, BY_NONE, err);
	drop_weak(out);
	exchange_schedules_clear(out->schedules);
	out->schedules = NULL;
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
	int64_t begin_ticks = exchange->parts[0].of->begin_ticks;

	for (size_t i = 1; i < exchange->count; i++)
		if (exchange->parts[i].of->begin_ticks < begin_ticks)
			begin_ticks = exchange->parts[i].of->begin_ticks;
	return begin_ticks;
}

int64_t exchange_end(const struct exchange *exchange)
{
	int64_t end_ticks = exchange->parts[0].of->end_ticks;

	for (size_t i = 1; i < exchange->count; i++)
		if (exchange->parts[i].of->end_ticks > end_ticks)
			end_ticks = exchange->parts[i].of->end_ticks;
	return end_ticks;
}
