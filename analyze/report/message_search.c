// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "messages/rule.h"
#include "report/message_log.h"

#define USUAL_GAP_S 1e-4 // within trains, to begin with

struct message_search {
	struct message_log *log;
	struct rule **rules[SEARCH_NODES]; // by the lower id of a pair, then by the higher one; NULL: no packets yet
	size_t pairs;
	int64_t usual_gap_ticks;
};

struct message_search *message_search_new(struct message_log *log, uint64_t ticks_per_s)
{
	struct message_search *search = calloc(1, sizeof(*search));

	if (!search)
		return NULL;
	search->log = log;
	search->usual_gap_ticks = (int64_t)(USUAL_GAP_S * (double)ticks_per_s) + 1;
	return search;
}

// The conversation of a pair, made at its first packet. TR_END: there are too many.
static enum tr_status find_rule(struct message_search *search, uint32_t low, uint32_t high, struct rule **out,
				struct tr_error *err)
{
	struct rule **row;

	if (high >= SEARCH_NODES)
		return TR_END;
	if (!search->rules[low])
		search->rules[low] = calloc(SEARCH_NODES, sizeof(*search->rules[low]));
	row = search->rules[low];
	if (row && !row[high] && search->pairs == SEARCH_PAIRS)
		return TR_END;
	if (row && !row[high] && (row[high] = calloc(1, sizeof(*row[high])))) {
		rule_open(row[high], 0, search->usual_gap_ticks);
		search->pairs++;
	}
	if (!row || !row[high])
		return tr_no_memory(err, "the messages of %zu pairs of nodes", search->pairs);
	*out = row[high];
	return TR_OK;
}

static enum tr_status keep(struct message_search *search, uint32_t low, uint32_t high, const struct rule_message *found,
			   size_t count, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; status == TR_OK && i < count; i++) {
		const struct tr_message message = {
			.begin_ticks = found[i].begin_ticks,
			.end_ticks = found[i].end_ticks,
			.size_bytes = found[i].payload_B,
			.src = found[i].direction ? high : low,
			.dst = found[i].direction ? low : high,
			.operation = TR_OP_SEND,
			.flags = (uint16_t)(TR_MESSAGE_RULE | (found[i].requested ? TR_MESSAGE_RENDEZVOUS : 0)),
			.src_rank = TR_RANK_NONE,
			.dst_rank = TR_RANK_NONE,
		};

		status = message_log_add(search->log, &message, err);
	}
	return status;
}

enum tr_status message_search_add(struct message_search *search, const struct tr_packet *packet, struct tr_error *err)
{
	const bool down = packet->src > packet->dst;
	const uint32_t low = down ? packet->dst : packet->src, high = down ? packet->src : packet->dst;
	struct rule_message ended[RULE_ENDED_MAX];
	enum tr_status status;
	struct rule *rule = NULL;

	if (low == high || packet->time_ticks < -LOG_TICKS_MAX || packet->time_ticks > LOG_TICKS_MAX)
		return TR_OK;
	status = find_rule(search, low, high, &rule, err);
	if (status != TR_OK)
		return status == TR_END ? TR_OK : status;
	return keep(search, low, high, ended, rule_add(rule, packet->time_ticks, down, packet->payload_bytes, ended), err);
}

enum tr_status message_search_finish(struct message_search *search, struct tr_error *err)
{
	for (uint32_t low = 0; low < SEARCH_NODES; low++)
		for (uint32_t high = low + 1; search->rules[low] && high < SEARCH_NODES; high++) {
			struct rule *rule = search->rules[low][high];
			struct rule_message ended[RULE_ENDED_MAX];

			if (rule && keep(search, low, high, ended, rule_finish(rule, ended), err) != TR_OK)
				return TR_ERROR;
		}
	return message_log_finish(search->log, err);
}

void message_search_free(struct message_search *search)
{
	if (!search)
		return;
	for (uint32_t low = 0; low < SEARCH_NODES; low++) {
		for (uint32_t high = 0; search->rules[low] && high < SEARCH_NODES; high++)
			free(search->rules[low][high]);
		free(search->rules[low]);
	}
	free(search);
}
