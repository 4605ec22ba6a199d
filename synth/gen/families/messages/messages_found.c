// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/messages/messages_found.h"
#include "value/grow.h"
#include "value/order.h"

#include <math.h>
#include <stdlib.h>

#define PAIRS_MAX 16384u // in 160 MB
#define STOP_GAPS \
	8 // a message that pauses for longer than so many of its usual gaps is sent in parts
#define SHORT_GAP 0.25 // of the mean gap: shorter ones are short
#define TAIL 0.25      // of a full packet: smaller ones show no pace
#define NO_PACKET UINT32_MAX

void column_add(struct column *column, double value)
{
	if (!GROW(column->values, column->capacity, column->count)) {
		column->failed = true;
		return;
	}
	column->values[column->count++] = value;
}

double column_middle(struct column *column)
{
	if (column->count == 0)
		return 0;
	qsort(column->values, column->count, sizeof(*column->values), order_double);
	return column->values[column->count / 2];
}

double column_mean(const struct column *column, size_t first, size_t end)
{
	double sum = 0;

	for (size_t i = first; i < end; i++)
		sum += column->values[i];
	return end > first ? sum / (double)(end - first) : 0;
}

size_t column_shorts(struct column *gaps, double mean_ticks)
{
	size_t shorts = 0;

	(void)column_middle(gaps);
	while (shorts < gaps->count && gaps->values[shorts] < SHORT_GAP * mean_ticks)
		shorts++;
	return shorts;
}

// Numbers the nodes that send or receive anything, controllers first.
static enum tr_status messages_found_number_nodes(struct message_search *search,
						  struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	const uint32_t ids = sample->people.count;

	search->number = calloc((size_t)ids + 1, sizeof(*search->number));
	if (!search->number)
		return tr_no_memory(err, "%u nodes", ids);
	for (size_t i = 0; i < sample->count; i++) {
		if (sample->src[i] < ids)
			search->number[sample->src[i]] = 1;
		if (sample->dst[i] < ids)
			search->number[sample->dst[i]] = 1;
	}
	search->nodes = search->controllers = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < ids; i++)
			if (search->number[i] == 1 &&
			    (sample->people.roles[i] == TR_ROLE_CONTROLLER) == (pass == 0))
				search->number[i] = 2 + (uint32_t)search->nodes++;
		search->controllers = pass == 0 ? search->nodes : search->controllers;
	}
	for (uint32_t i = 0; i < ids; i++)
		search->number[i] -= 2; // others: a large number
	return TR_OK;
}

static enum tr_status add_found(struct message_search *search, const struct found *one,
				struct tr_error *err)
{
	if (!GROW(search->found, search->found_capacity, search->found_count))
		return tr_no_memory(err, "%zu messages", search->found_count);
	search->found[search->found_count++] = *one;
	return TR_OK;
}

// The first packet with data of the message.
static uint32_t first_packet(const struct message_search *search,
			     const struct conversation_message *message)
{
	const struct packet_sample *sample = search->sample;
	size_t low = 0, high = sample->count;

	while (low < high) {
		const size_t middle_at = low + (high - low) / 2;

		if (sample->ticks[middle_at] < message->of.first_ticks)
			low = middle_at + 1;
		else
			high = middle_at;
	}
	while (low < sample->count &&
	       (sample->src[low] != message->src || sample->dst[low] != message->dst ||
		sample->payload_B[low] == 0))
		low++;
	return low < sample->count ? (uint32_t)low : NO_PACKET;
}

// Adds what was sent of the message until it stopped; the rest begins at ticks.
static enum tr_status messages_found_add_part(struct message_search *search, struct found *rest,
					      int64_t last_ticks, uint64_t part_B, int64_t ticks,
					      struct tr_error *err)
{
	struct found part = *rest;

	part.of.end_ticks = last_ticks;
	part.of.payload_B = part_B;
	rest->of.begin_ticks = rest->of.first_ticks = ticks;
	rest->of.payload_B -= part_B;
	rest->of.requested = false;
	rest->part = true;
	return add_found(search, &part, err);
}

// Notes the gap before a packet: the how many-th it is of its message and of its part, and so many
// full ones of this message are before it, by their bytes; of_full: its part of a full one's
// payload.
static void note_gap(struct message_search *search, uint64_t of_message, uint64_t of_part,
		     double place, double of_full, bool busy, double gap_ticks)
{
	const bool full = of_full >= 1;

	if (full && of_message > 1) {
		column_add(of_message == 2 ? &search->first_gaps : &search->gaps, gap_ticks);
		column_add(&search->places[of_message == 2], busy ? -place : place);
	}
	if (full && of_part > 1)
		column_add(of_part == 2 ? &search->part_first_gaps : &search->part_gaps, gap_ticks);
	else if (of_part > 2)
		column_add(&search->tails[0], gap_ticks);
	if (!full && of_part > 2 && of_full >= TAIL)
		column_add(&search->tails[1], gap_ticks / of_full);
}

// Whether the network sent nothing before the packet for far longer than it usually does: no
// message goes on after that.
static bool after_silence(const struct message_search *search, uint32_t packet)
{
	const struct packet_sample *sample = search->sample;
	uint32_t before = packet;

	while (before > 0 && sample->payload_B[before - 1] == 0)
		before--;
	return before > 0 && (sample->ticks[packet] - sample->ticks[before - 1]) / STOP_GAPS >
				     search->network_gap_ticks;
}

// Whether the sender of the packet sent data less than two usual gaps before it.
static bool sent_before(const struct message_search *search, uint32_t packet, int64_t gap_ticks)
{
	const struct packet_sample *sample = search->sample;

	for (uint32_t before = packet; before > 0 && packet != NO_PACKET; before--) {
		if ((sample->ticks[packet] - sample->ticks[before - 1]) / 2 >= gap_ticks)
			return false;
		if (sample->src[before - 1] == sample->src[packet] &&
		    sample->class[before - 1] == TR_CLASS_DATA)
			return true;
	}
	return false;
}

// Goes through the packets of a message: notes the gaps before them and how soon it is
// acknowledged, and adds it, in parts where it stopped for far longer than the usual gap, or the
// network did, or a packet before its last one was not full. The last part has what is left of the
// bytes.
static enum tr_status add_message(struct message_search *search, const struct conversation *between,
				  const struct conversation_message *message, struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	struct found rest = {.of = message->of,
			     .src = search->number[message->src],
			     .dst = search->number[message->dst]};
	int64_t last_ticks = rest.of.first_ticks;
	uint64_t part_B = 0, segments = 0, part_segments = 0;
	const uint32_t first = first_packet(search, message);
	const bool busy = sent_before(search, first, between->gap_ticks);
	double message_B = 0;
	bool full = true;

	for (uint32_t i = first; i != NO_PACKET && sample->ticks[i] <= message->of.end_ticks;
	     i = search->next[i]) {
		const int64_t ticks = sample->ticks[i], gap_ticks = ticks - last_ticks;
		const uint32_t payload_B = sample->payload_B[i];

		if (sample->src[i] != message->src && payload_B == 0 && segments > 1)
			column_add(&search->acknowledge_after, (double)gap_ticks);
		if (sample->src[i] != message->src || payload_B == 0)
			continue;
		if ((!full || gap_ticks / STOP_GAPS > between->gap_ticks ||
		     after_silence(search, i)) &&
		    part_B > 0 && part_B < rest.of.payload_B) {
			if (messages_found_add_part(search, &rest, last_ticks, part_B, ticks,
						    err) != TR_OK)
				return TR_ERROR;
			part_B = part_segments = 0;
		}
		full = payload_B == (uint32_t)search->segment_B;
		note_gap(search, ++segments, ++part_segments, round(message_B / search->segment_B),
			 payload_B / search->segment_B, busy, (double)gap_ticks);
		message_B += payload_B;
		part_B += payload_B;
		last_ticks = ticks;
	}
	return add_found(search, &rest, err);
}

static enum tr_status messages_found_keep(struct message_search *search,
					  const struct conversation *between,
					  const struct conversation_message *ended, size_t count,
					  struct tr_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct rule_message *of = &ended[i].of;

		if (add_message(search, between, &ended[i], err) != TR_OK)
			return TR_ERROR;
		if (!of->requested)
			continue;
		column_add(&search->requests, of->request_B);
		if (of->answer_B > 0) {
			column_add(&search->answers, of->answer_B);
			column_add(&search->answer_before,
				   (double)(of->first_ticks - of->answered_ticks));
		}
	}
	return TR_OK;
}

// The conversation of a packet; NULL if it has none.
static enum tr_status messages_found_between(struct message_search *search, size_t packet,
					     struct conversation **out, struct tr_error *err)
{
	const uint32_t src = search->sample->src[packet], dst = search->sample->dst[packet];
	const uint32_t ids = search->sample->people.count;
	enum tr_status status;

	*out = NULL;
	if (src >= ids || dst >= ids || src == dst)
		return TR_OK;
	status = conversations_find(&search->conversations, src, dst, out, err);
	return status == TR_END ? tr_fail(err, "more than %u pairs of nodes", PAIRS_MAX) : status;
}

// The first pass: how trains of each pair flow, and which packet of a pair follows which.
static enum tr_status messages_found_look(struct message_search *search, struct tr_error *err)
{
	struct column network_gaps = {.values = NULL};
	int64_t last_ticks = 0;
	const struct packet_sample *sample = search->sample;
	uint32_t *last = calloc(PAIRS_MAX, sizeof(*last)); // packet of a pair, plus one
	enum tr_status status = TR_OK;
	struct conversation *of;

	if (!last)
		return tr_no_memory(err, "%u pairs of nodes", PAIRS_MAX);
	for (size_t i = 0; status == TR_OK && i < sample->count; i++) {
		search->next[i] = NO_PACKET;
		status = messages_found_between(search, i, &of, err);
		if (!of)
			continue;
		if (sample->payload_B[i] > 0) {
			column_add(&network_gaps, (double)(sample->ticks[i] - last_ticks));
			last_ticks = sample->ticks[i];
		}
		if (last[of->index] > 0)
			search->next[last[of->index] - 1] = (uint32_t)i;
		last[of->index] = (uint32_t)i + 1;
		search->segment_B = fmax(search->segment_B, sample->payload_B[i]);
		status = conversation_look(of, sample->ticks[i], sample->src[i],
					   sample->payload_B[i], err);
	}
	(void)column_middle(&network_gaps); // sorts them
	if (network_gaps.count > 0)
		search->network_gap_ticks = (int64_t)
						    network_gaps.values[network_gaps.count * 3 / 4];
	if (status == TR_OK && network_gaps.failed)
		status = tr_no_memory(err, "the gaps of %zu packets", sample->count);
	free(network_gaps.values);
	free(last);
	return status;
}

static enum tr_status messages_found_find_messages(struct message_search *search,
						   struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	struct conversation_message ended[RULE_ENDED_MAX];
	struct conversation *of;

	for (size_t i = 0; i < sample->count; i++) {
		const uint32_t payload_B = sample->payload_B[i];

		if (messages_found_between(search, i, &of, err) != TR_OK)
			return TR_ERROR;
		if (!of)
			continue;
		if (payload_B > 0) {
			search->packets++;
			search->headers_B += sample->wire_B[i] - payload_B;
		} else {
			search->acknowledgements++;
		}
		if (messages_found_keep(search, of, ended,
					conversation_add(of, sample->ticks[i], sample->src[i],
							 payload_B, ended),
					err) != TR_OK)
			return TR_ERROR;
		if (of->rule.failed)
			return tr_no_memory(err, "the messages of two nodes");
	}
	conversations_learn(&search->conversations);
	for (uint32_t i = 0; i < search->conversations.count; i++) {
		of = search->conversations.pairs[i];
		if (messages_found_keep(search, of, ended, conversation_finish(of, ended), err) !=
		    TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

enum tr_status message_search_check(const struct message_search *search, struct tr_error *err)
{
	double all_B = 0, trains_B = 0;

	for (size_t i = 0; i < search->found_count; i++) {
		all_B += (double)search->found[i].of.payload_B;
		trains_B += search->found[i].of.segments > 1 ? (double)search->found[i].of.payload_B
							     : 0;
	}
	if (all_B == 0)
		return tr_fail(err, "no packet carries anything");
	return trains_B > all_B / 2
		       ? TR_OK
		       : tr_fail(err,
				 "no messages: only %.3g %% of the bytes are in trains of packets",
				 100 * trains_B / all_B);
}

static enum tr_status messages_found_check_memory(const struct message_search *search,
						  struct tr_error *err)
{
	const bool failed = search->gaps.failed || search->first_gaps.failed ||
			    search->part_gaps.failed || search->part_first_gaps.failed ||
			    search->tails[0].failed || search->tails[1].failed ||
			    search->places[0].failed || search->places[1].failed ||
			    search->acknowledge_after.failed || search->answer_before.failed ||
			    search->requests.failed || search->answers.failed;

	return failed ? tr_no_memory(err, "the gaps of %zu packets", search->sample->count) : TR_OK;
}

enum tr_status message_search_run(struct message_search *out, const struct packet_sample *sample,
				  struct tr_error *err)
{
	enum tr_status status;

	*out = (struct message_search){.sample = sample,
				       .next = calloc(sample->count + 1, sizeof(*out->next))};
	conversations_open(&out->conversations, PAIRS_MAX, sample->ticks_per_s);
	if (!out->next || sample->count >= NO_PACKET)
		return tr_no_memory(err, "%zu packets", sample->count);
	status = messages_found_number_nodes(out, err);
	if (status == TR_OK)
		status = messages_found_look(out, err);
	if (status == TR_OK)
		status = messages_found_find_messages(out, err);
	conversations_clear(&out->conversations);
	free(out->next);
	out->next = NULL;
	return status == TR_OK ? messages_found_check_memory(out, err) : status;
}

void message_search_clear(struct message_search *search)
{
	free(search->number);
	free(search->next);
	conversations_clear(&search->conversations);
	free(search->found);
	free(search->gaps.values);
	free(search->first_gaps.values);
	free(search->part_gaps.values);
	free(search->part_first_gaps.values);
	free(search->tails[0].values);
	free(search->tails[1].values);
	free(search->places[0].values);
	free(search->places[1].values);
	free(search->acknowledge_after.values);
	free(search->answer_before.values);
	free(search->requests.values);
	free(search->answers.values);
	*search = (struct message_search){.sample = NULL};
}
