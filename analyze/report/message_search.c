// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdlib.h>

#include "messages/conversations.h"
#include "report/message_log.h"

struct message_search {
	struct message_log *log;
	struct conversations conversations;
};

struct message_search *message_search_new(struct message_log *log, uint64_t ticks_per_s)
{
	struct message_search *search = calloc(1, sizeof(*search));

	if (!search)
		return NULL;
	search->log = log;
	conversations_open(&search->conversations, SEARCH_PAIRS, (double)ticks_per_s);
	return search;
}

static enum tr_status message_search_keep(struct message_search *search,
					  const struct conversation_message *found, size_t count,
					  struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; status == TR_OK && i < count; i++) {
		const struct tr_message message = {
			.begin_ticks = found[i].of.begin_ticks,
			.end_ticks = found[i].of.end_ticks,
			.size_bytes = found[i].of.payload_B,
			.src = found[i].src,
			.dst = found[i].dst,
			.operation = TR_OP_SEND,
			.flags = (uint16_t)(TR_MESSAGE_RULE |
					    (found[i].of.requested ? TR_MESSAGE_RENDEZVOUS : 0)),
			.src_rank = TR_RANK_NONE,
			.dst_rank = TR_RANK_NONE,
		};

		status = message_log_add(search->log, &message, err);
	}
	return status;
}

enum tr_status message_search_add(struct message_search *search, const struct tr_packet *packet,
				  struct tr_error *err)
{
	struct conversation_message ended[RULE_ENDED_MAX];
	struct conversation *of;
	enum tr_status status;

	if (packet->src == packet->dst || packet->time_ticks < -LOG_TICKS_MAX ||
	    packet->time_ticks > LOG_TICKS_MAX)
		return TR_OK;
	status = conversations_find(&search->conversations, packet->src, packet->dst, &of, err);
	if (status != TR_OK)
		return status == TR_END ? TR_OK : status;
	if (message_search_keep(search, ended,
				conversation_add(of, packet->time_ticks, packet->src,
						 packet->payload_bytes, ended),
				err) != TR_OK)
		return TR_ERROR;
	return of->rule.failed ? tr_no_memory(err, "the messages of two nodes") : TR_OK;
}

enum tr_status message_search_finish(struct message_search *search, struct tr_error *err)
{
	struct conversation_message ended[RULE_ENDED_MAX];

	conversations_learn(&search->conversations);
	for (uint32_t i = 0; i < search->conversations.count; i++)
		if (message_search_keep(search, ended,
					conversation_finish(search->conversations.pairs[i], ended),
					err) != TR_OK)
			return TR_ERROR;
	return message_log_finish(search->log, err);
}

void message_search_free(struct message_search *search)
{
	if (search)
		conversations_clear(&search->conversations);
	free(search);
}
