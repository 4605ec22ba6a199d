// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/message_log.h"

#include <stdlib.h>
#include <string.h>

#include "report/timeline.h"
#include "value/grow.h"
#include "value/order.h"

static bool has_ranks(uint32_t src_rank, uint32_t dst_rank)
{
	return src_rank != TR_RANK_NONE && dst_rank != TR_RANK_NONE;
}

// Whether the message belongs in the list: between two that are known, at times that can be
// subtracted.
static bool is_listed(const struct tr_message *message)
{
	const bool apart = message->src != message->dst ||
			   (has_ranks(message->src_rank, message->dst_rank) &&
			    message->src_rank != message->dst_rank);

	return apart && message->src != TR_NODE_OTHER && message->dst != TR_NODE_OTHER &&
	       message->begin_ticks >= -LOG_TICKS_MAX &&
	       message->end_ticks >= message->begin_ticks && message->end_ticks <= LOG_TICKS_MAX;
}

uint64_t message_log_count(const struct message_log *log)
{
	return log->of_headers.messages + log->by_rule.messages;
}

static void count_message_log(struct message_log *log, const struct tr_message *message)
{
	const unsigned operation = message->operation < LOG_OPERATIONS ? message->operation : 0;
	struct message_counts *counts = message->flags & TR_MESSAGE_RULE ? &log->by_rule
									 : &log->of_headers;

	if (message_log_count(log) == 0 || message->begin_ticks < log->first_ticks)
		log->first_ticks = message->begin_ticks;
	if (message_log_count(log) == 0 || message->end_ticks > log->last_ticks)
		log->last_ticks = message->end_ticks;
	counts->messages++;
	counts->eager += (message->flags & TR_MESSAGE_EAGER) != 0;
	counts->rendezvous += (message->flags & TR_MESSAGE_RENDEZVOUS) != 0;
	counts->partly += (message->flags & TR_MESSAGE_PARTLY) != 0;
	if (message->end_ticks >= message->begin_ticks)
		moments_add(&log->duration_ticks[operation],
			    span_between(message->begin_ticks, message->end_ticks));
	if (message->size_bytes <= INT64_MAX)
		moments_add(&log->size_bytes[operation], (int64_t)message->size_bytes);
}

enum tr_status message_log_add(struct message_log *log, const struct tr_message *message,
			       struct tr_error *err)
{
	count_message_log(log, message);
	if (!is_listed(message))
		return TR_OK;
	log->cut = log->cut || log->count == LOG_MESSAGES;
	if (log->cut)
		return TR_OK;
	if (!GROW(log->list, log->capacity, log->count))
		return tr_no_memory(err, "%zu messages", log->count);
	log->list[log->count++] = (struct logged_message){
		.begin_ticks = message->begin_ticks,
		.end_ticks = message->end_ticks,
		.size_bytes = message->size_bytes,
		.src = message->src,
		.dst = message->dst,
		.src_rank = message->src_rank,
		.dst_rank = message->dst_rank,
		.flags = message->flags,
		.counts = !(message->flags & TR_MESSAGE_RULE) ||
			  message->size_bytes > LOG_SMALL_BYTES_MAX,
	};
	return TR_OK;
}

// ---- nodes or ranks

struct message_log_place {
	uint32_t node, rank;
};

static int by_node(const void *left, const void *right)
{
	const struct message_log_place *a = left, *b = right;

	ORDER_BY(a->node, b->node);
	return ORDER(a->rank, b->rank);
}

// Finds out whether a node has several ranks.
static enum tr_status find_ranks(struct message_log *log, struct tr_error *err)
{
	struct message_log_place *places = calloc(2 * log->count + 1, sizeof(*places));
	size_t n = 0;

	if (!places)
		return tr_no_memory(err, "the ranks of %zu messages", log->count);
	for (size_t i = 0; i < log->count; i++) {
		const struct logged_message *message = &log->list[i];

		if (!has_ranks(message->src_rank, message->dst_rank))
			continue;
		places[n++] = (struct message_log_place){message->src, message->src_rank};
		places[n++] = (struct message_log_place){message->dst, message->dst_rank};
	}
	qsort(places, n, sizeof(*places), by_node);
	for (size_t i = 1; i < n; i++)
		log->by_rank = log->by_rank || (places[i].node == places[i - 1].node &&
						places[i].rank != places[i - 1].rank);
	free(places);
	return TR_OK;
}

static void name_by_rank(struct message_log *log)
{
	size_t kept = 0;

	for (size_t i = 0; i < log->count; i++) {
		struct logged_message message = log->list[i];

		if (!has_ranks(message.src_rank, message.dst_rank) ||
		    message.src_rank == message.dst_rank)
			continue;
		message.src = message.src_rank;
		message.dst = message.dst_rank;
		log->list[kept++] = message;
	}
	log->count = kept;
}

// ---- iterations

static int by_begin(const void *left, const void *right)
{
	const struct logged_message *a = left, *b = right;

	ORDER_BY(a->begin_ticks, b->begin_ticks);
	ORDER_BY(a->src, b->src);
	ORDER_BY(a->dst, b->dst);
	return ORDER(a->end_ticks, b->end_ticks);
}

static uint64_t ends_of(const struct logged_message *message)
{
	return (uint64_t)message->src << 32 | message->dst;
}

size_t message_log_usual(const struct message_log *log)
{
	const struct iterations *all = &log->iterations;
	size_t messages = 0;

	for (size_t i = all->begins[all->typical]; i < all->begins[all->typical + 1]; i++)
		messages += log->list[i].counts;
	return messages;
}

// Measures the iterations that have the most frequent messages; where few are alike, all.
static void measure_iterations(struct message_log *log, const struct iteration_message *messages)
{
	const struct iterations *all = &log->iterations;
	int64_t before_ticks = 0;

	for (size_t i = 0; i < all->count; i++) {
		const int64_t begin_ticks = log->list[all->begins[i]].begin_ticks;
		const int64_t end_ticks = iterations_end(all, messages, i);

		if (i > 0 && all->silences)
			moments_add(&log->silence_ticks, begin_ticks - before_ticks);
		before_ticks = end_ticks;
		if (i == all->typical)
			log->typical_ticks = end_ticks - begin_ticks;
		if (!iterations_repeat(all) || all->usual[i])
			moments_add(&log->length_ticks, end_ticks - begin_ticks);
	}
}

static enum tr_status find_iterations(struct message_log *log, struct tr_error *err)
{
	struct iteration_message *messages = calloc(log->count, sizeof(*messages));
	enum tr_status status;

	if (!messages)
		return tr_no_memory(err, "%zu messages", log->count);
	for (size_t i = 0; i < log->count; i++) {
		const struct logged_message *message = &log->list[i];

		messages[i] = (struct iteration_message){message->begin_ticks, message->end_ticks,
							 message->counts ? 1 + ends_of(message)
									 : 0};
	}
	status = iterations_find(messages, log->count, 0, &log->iterations, err);
	if (status == TR_OK)
		measure_iterations(log, messages);
	free(messages);
	return status;
}

static enum tr_status fill_pairs(struct message_log *log, struct tr_error *err)
{
	for (size_t i = 0; i < log->count; i++) {
		const struct logged_message *message = &log->list[i];

		if (matrix_reserve(&log->pairs, err) != TR_OK)
			return TR_ERROR;
		matrix_add(&log->pairs, message->src, message->dst, 1, message->size_bytes);
	}
	return TR_OK;
}

enum tr_status message_log_finish(struct message_log *log, struct tr_error *err)
{
	if (find_ranks(log, err) != TR_OK)
		return TR_ERROR;
	if (log->by_rank)
		name_by_rank(log);
	if (fill_pairs(log, err) != TR_OK || log->count == 0)
		return log->count == 0 ? TR_OK : TR_ERROR;
	qsort(log->list, log->count, sizeof(*log->list), by_begin);
	return find_iterations(log, err);
}

void message_log_clear(struct message_log *log)
{
	iterations_clear(&log->iterations);
	matrix_clear(&log->pairs);
	free(log->list);
	*log = (struct message_log){.list = NULL};
}
