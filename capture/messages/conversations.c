// SPDX-License-Identifier: GPL-3.0-or-later
#include "messages/conversations.h"
#include "value/grow.h"
#include "value/order.h"

#include <stdlib.h>

#define USUAL_GAP_S \
	1e-4 // within trains, until a pair shows its own: a frame of 1,500 B at 120 Mb/s
#define SILENCE_GAPS 1024 // times a gap within trains; a choice, made on recordings

void conversations_open(struct conversations *conversations, uint32_t most, double ticks_per_s)
{
	*conversations = (struct conversations){
		.most = most, .usual_gap_ticks = (int64_t)(USUAL_GAP_S * ticks_per_s) + 1};
}

static enum tr_status conversations_make(struct conversations *conversations, uint64_t value,
					 struct conversation **out, struct tr_error *err)
{
	if (!GROW(conversations->pairs, conversations->capacity, conversations->count))
		return tr_no_memory(err, "the messages of %u pairs of nodes", conversations->count);
	*out = calloc(1, sizeof(**out));
	if (!*out)
		return tr_no_memory(err, "the messages of %u pairs of nodes",
				    conversations->count + 1);
	(*out)->index = conversations->count;
	(*out)->gap_ticks = conversations->usual_gap_ticks;
	tr_hash_add(&conversations->places, value, conversations->count);
	conversations->pairs[conversations->count++] = *out;
	return TR_OK;
}

enum tr_status conversations_find(struct conversations *conversations, uint32_t src, uint32_t dst,
				  struct conversation **out, struct tr_error *err)
{
	const uint32_t low = src < dst ? src : dst, high = src < dst ? dst : src;
	uint32_t at, place;
	uint64_t value;

	if (!tr_hash_reserve(&conversations->places))
		return tr_no_memory(err, "the messages of %u pairs of nodes",
				    conversations->count + 1);
	value = tr_hash_fold((uint64_t)low << 32 | high, conversations->places.seed | 1);
	at = tr_hash_first(value);
	while ((place = tr_hash_next(&conversations->places, value, &at)) != TR_HASH_NONE) {
		*out = conversations->pairs[place];
		if ((*out)->low == low && (*out)->high == high)
			return TR_OK;
	}
	if (conversations->count == conversations->most)
		return TR_END;
	if (conversations_make(conversations, value, out, err) != TR_OK)
		return TR_ERROR;
	(*out)->low = low;
	(*out)->high = high;
	(*out)->known = &conversations->known;
	return TR_OK;
}

static unsigned direction_of(const struct conversation *conversation, uint32_t src)
{
	return src != conversation->low;
}

// Gaps after segments of the largest size in one direction: where a larger one comes, those so far
// were none.
enum tr_status conversation_look(struct conversation *conversation, int64_t ticks, uint32_t src,
				 uint32_t payload_B, struct tr_error *err)
{
	const unsigned direction = direction_of(conversation, src);

	if (payload_B == 0)
		return TR_OK;
	if (payload_B > conversation->largest_B) {
		conversation->largest_B = payload_B;
		conversation->gap_count = 0;
	} else if (conversation->last_B[direction] == conversation->largest_B &&
		   conversation->gap_count < LOOK_GAPS) {
		if (!GROW_BY_COUNT(conversation->gaps, conversation->gap_count))
			return tr_no_memory(err, "the gaps between two nodes");
		conversation->gaps[conversation->gap_count++] = ticks -
								conversation->last_ticks[direction];
	}
	conversation->last_ticks[direction] = ticks;
	conversation->last_B[direction] = payload_B;
	return TR_OK;
}

// The upper quartile of the gaps within trains, since up to every other one is short. Silences
// between trains are longer than a multiple of a quantile below the half that they are between
// trains of two.
static int64_t usual_gap(const int64_t *rising_ticks, uint32_t count)
{
	const int64_t within_ticks = rising_ticks[count * 2 / 5];
	uint32_t within = 0;

	while (within < count && rising_ticks[within] / SILENCE_GAPS <= within_ticks)
		within++;
	return rising_ticks[within * 3 / 4];
}

static void conversations_begin(struct conversation *conversation)
{
	if (conversation->begun)
		return;
	conversation->begun = true;
	if (conversation->gap_count > 0) {
		qsort(conversation->gaps, conversation->gap_count, sizeof(*conversation->gaps),
		      order_i64);
		conversation->gap_ticks = usual_gap(conversation->gaps, conversation->gap_count);
	}
	if (conversation->gap_ticks < 1)
		conversation->gap_ticks = 1;
	free(conversation->gaps);
	conversation->gaps = NULL;
	rule_open(&conversation->rule, conversation->known, conversation->largest_B,
		  conversation->gap_ticks);
	conversation->rule.keeps_trains = true;
}

static size_t name(const struct conversation *conversation, const struct rule_message *ended,
		   size_t count, struct conversation_message *out)
{
	for (size_t i = 0; i < count; i++)
		out[i] = (struct conversation_message){
			.of = ended[i],
			.src = ended[i].direction ? conversation->high : conversation->low,
			.dst = ended[i].direction ? conversation->low : conversation->high,
		};
	return count;
}

size_t conversation_add(struct conversation *conversation, int64_t ticks, uint32_t src,
			uint32_t payload_B, struct conversation_message out[RULE_ENDED_MAX])
{
	struct rule_message ended[RULE_ENDED_MAX];

	conversations_begin(conversation);
	return name(conversation, ended,
		    rule_add(&conversation->rule, ticks, direction_of(conversation, src), payload_B,
			     ended),
		    out);
}

void conversations_learn(struct conversations *conversations)
{
	for (uint32_t i = 0; i < conversations->count; i++) {
		conversations_begin(conversations->pairs[i]);
		rule_learn(&conversations->pairs[i]->rule);
	}
}

size_t conversation_finish(struct conversation *conversation,
			   struct conversation_message out[RULE_ENDED_MAX])
{
	struct rule_message ended[RULE_ENDED_MAX];

	conversations_begin(conversation);
	return name(conversation, ended, rule_finish(&conversation->rule, ended), out);
}

void conversations_clear(struct conversations *conversations)
{
	for (uint32_t i = 0; i < conversations->count; i++) {
		free(conversations->pairs[i]->gaps);
		rule_close(&conversations->pairs[i]->rule);
		free(conversations->pairs[i]);
	}
	free(conversations->pairs);
	tr_hash_clear(&conversations->places);
	*conversations = (struct conversations){.most = conversations->most};
}
