// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/messages_found.h"

#include <math.h>
#include <stdlib.h>

#define GAPS_LOOKED_AT 999u // to guess the gap within trains, from which the rule begins
#define STOP_GAPS 8	    // a message that pauses for longer than so many of its usual gaps is sent in parts

// A packet of a pair of nodes.
struct place {
	uint64_t pair;
	size_t packet;
};

// The packets of a pair of nodes, in order of time.
struct conversation {
	const struct place *places;
	size_t count;
	int64_t gap_ticks; // usual in its trains
};

static void column_add(struct column *column, double value)
{
	if (column->count == column->capacity) {
		const size_t more = column->capacity > 0 ? 2 * column->capacity : 256;
		double *values = reallocarray(column->values, more, sizeof(*values));

		if (!values) {
			column->failed = true;
			return;
		}
		column->values = values;
		column->capacity = more;
	}
	column->values[column->count++] = value;
}

static int rising(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

// The median, which sorts the column; 0 where it is empty.
double column_middle(struct column *column)
{
	if (column->count == 0)
		return 0;
	qsort(column->values, column->count, sizeof(*column->values), rising);
	return column->values[column->count / 2];
}

// Numbers the nodes that send or receive anything, controllers first.
static enum tr_status number_nodes(struct message_search *search, struct tr_error *err)
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
			if (search->number[i] == 1 && (sample->people.roles[i] == TR_ROLE_CONTROLLER) == (pass == 0))
				search->number[i] = 2 + (uint32_t)search->nodes++;
		search->controllers = pass == 0 ? search->nodes : search->controllers;
	}
	for (uint32_t i = 0; i < ids; i++)
		search->number[i] -= 2; // others: a large number
	return TR_OK;
}

static int by_pair(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	if (a->pair != b->pair)
		return a->pair < b->pair ? -1 : 1;
	return (a->packet > b->packet) - (a->packet < b->packet);
}

// The direction of a packet of a pair: 0 from the node with the lower id.
static unsigned direction_of(const struct packet_sample *sample, size_t packet)
{
	return sample->src[packet] > sample->dst[packet];
}

// The largest packet of the pair, and about the gap after one of that size in one direction: the upper quartile, since up to
// every other gap is short.
static void look_at_pair(const struct message_search *search, const struct place *places, size_t count, uint32_t *largest_B,
			 int64_t *gap_ticks)
{
	const struct packet_sample *sample = search->sample;
	struct column gaps = {.values = NULL};
	size_t last[2] = {SIZE_MAX, SIZE_MAX};

	*largest_B = 0;
	for (size_t i = 0; i < count; i++)
		if (sample->payload_B[places[i].packet] > *largest_B)
			*largest_B = sample->payload_B[places[i].packet];
	for (size_t i = 0; i < count && gaps.count < GAPS_LOOKED_AT; i++) {
		const size_t packet = places[i].packet;
		const unsigned direction = direction_of(sample, packet);

		if (sample->payload_B[packet] == 0)
			continue;
		if (last[direction] != SIZE_MAX && sample->payload_B[last[direction]] == *largest_B)
			column_add(&gaps, (double)(sample->ticks[packet] - sample->ticks[last[direction]]));
		last[direction] = packet;
	}
	(void)column_middle(&gaps); // sorts them
	*gap_ticks = gaps.count > 0 ? (int64_t)fmax(1, gaps.values[gaps.count * 3 / 4]) : 1;
	free(gaps.values);
}

static enum tr_status add_found(struct message_search *search, const struct found *one, struct tr_error *err)
{
	if (search->found_count == search->found_capacity) {
		const size_t more = 2 * search->found_capacity + 256;
		struct found *found = reallocarray(search->found, more, sizeof(*found));

		if (!found)
			return tr_no_memory(err, "%zu messages", more);
		search->found = found;
		search->found_capacity = more;
	}
	search->found[search->found_count++] = *one;
	return TR_OK;
}

// The first packet of the conversation at this time or later.
static size_t first_at(const struct message_search *search, const struct conversation *of, int64_t ticks)
{
	size_t low = 0, high = of->count;

	while (low < high) {
		const size_t middle_at = low + (high - low) / 2;

		if (search->sample->ticks[of->places[middle_at].packet] < ticks)
			low = middle_at + 1;
		else
			high = middle_at;
	}
	return low;
}

// Adds a message, in parts where it stopped for far longer than the usual gap. The last part has what is left of the bytes.
static enum tr_status add_parts(struct message_search *search, const struct conversation *of, struct found rest,
				struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	const int64_t end_ticks = rest.of.end_ticks;
	int64_t last_ticks = rest.of.first_ticks;
	uint64_t part_B = 0;

	for (size_t i = first_at(search, of, rest.of.first_ticks); i < of->count; i++) {
		const size_t packet = of->places[i].packet;
		const int64_t ticks = sample->ticks[packet];

		if (ticks > end_ticks)
			break;
		if (sample->payload_B[packet] == 0 || direction_of(sample, packet) != rest.of.direction)
			continue;
		if ((ticks - last_ticks) / STOP_GAPS > of->gap_ticks && part_B > 0 && part_B < rest.of.payload_B) {
			struct found part = rest;

			part.of.end_ticks = last_ticks;
			part.of.payload_B = part_B;
			if (add_found(search, &part, err) != TR_OK)
				return TR_ERROR;
			rest.of.begin_ticks = rest.of.first_ticks = ticks;
			rest.of.payload_B -= part_B;
			rest.of.requested = false;
			rest.part = true;
			part_B = 0;
		}
		part_B += sample->payload_B[packet];
		last_ticks = ticks;
	}
	return add_found(search, &rest, err);
}

static enum tr_status keep(struct message_search *search, const struct conversation *of, const struct rule_message *messages,
			   size_t count, struct tr_error *err)
{
	const uint32_t src = search->sample->src[of->places[0].packet], dst = search->sample->dst[of->places[0].packet];
	const uint32_t low = src < dst ? src : dst, high = src < dst ? dst : src;

	for (size_t i = 0; i < count; i++) {
		const struct found found = {.of = messages[i],
					    .src = search->number[messages[i].direction ? high : low],
					    .dst = search->number[messages[i].direction ? low : high]};

		if (add_parts(search, of, found, err) != TR_OK)
			return TR_ERROR;
		if (!messages[i].requested)
			continue;
		column_add(&search->requests, messages[i].request_B);
		if (messages[i].answer_B > 0) {
			column_add(&search->answers, messages[i].answer_B);
			column_add(&search->answer_before, (double)(messages[i].first_ticks - messages[i].answered_ticks));
		}
	}
	return TR_OK;
}

// Notes how the pair's trains flow: gaps before full packets of messages, and how soon packets of one under way are acknowledged.
static void note_flow(struct message_search *search, const struct rule *rule, size_t packet, const int64_t last_ticks[2])
{
	const struct packet_sample *sample = search->sample;
	const unsigned direction = direction_of(sample, packet);
	const uint32_t payload_B = sample->payload_B[packet];

	if (payload_B > 0) {
		search->packets++;
		search->headers_B += sample->wire_B[packet] - payload_B;
		if (rule_train(rule, direction) > 1 && payload_B == rule->largest_B)
			column_add(rule_train(rule, direction) == 2 ? &search->first_gaps : &search->gaps,
				   (double)(sample->ticks[packet] - last_ticks[direction]));
		return;
	}
	search->acknowledgements++;
	if (rule_train(rule, !direction) > 1)
		column_add(&search->acknowledge_after, (double)(sample->ticks[packet] - last_ticks[!direction]));
}

static enum tr_status find_of_pair(struct message_search *search, const struct place *places, size_t count,
				   struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	struct rule_message ended[RULE_ENDED_MAX];
	struct conversation of = {places, count, 0};
	int64_t last_ticks[2] = {0, 0};
	uint32_t largest_B;
	struct rule rule;

	look_at_pair(search, places, count, &largest_B, &of.gap_ticks);
	rule_open(&rule, largest_B, of.gap_ticks);
	for (size_t i = 0; i < count; i++) {
		const size_t packet = places[i].packet;
		const unsigned direction = direction_of(sample, packet);
		const size_t n = rule_add(&rule, sample->ticks[packet], direction, sample->payload_B[packet], ended);

		if (keep(search, &of, ended, n, err) != TR_OK)
			return TR_ERROR;
		note_flow(search, &rule, packet, last_ticks);
		if (sample->payload_B[packet] > 0)
			last_ticks[direction] = sample->ticks[packet];
	}
	if ((double)largest_B > search->segment_B)
		search->segment_B = largest_B;
	return keep(search, &of, ended, rule_finish(&rule, ended), err);
}

static enum tr_status find_messages(struct message_search *search, struct tr_error *err)
{
	const struct packet_sample *sample = search->sample;
	const uint32_t ids = sample->people.count;
	struct place *places = calloc(sample->count + 1, sizeof(*places));
	enum tr_status status = TR_OK;
	size_t count = 0;

	if (!places)
		return tr_no_memory(err, "%zu packets", sample->count);
	for (size_t i = 0; i < sample->count; i++) {
		const uint32_t src = sample->src[i], dst = sample->dst[i];

		if (src < ids && dst < ids && src != dst)
			places[count++] = (struct place){(uint64_t)(src < dst ? src : dst) * ids + (src < dst ? dst : src), i};
	}
	qsort(places, count, sizeof(*places), by_pair);
	for (size_t i = 0, end; status == TR_OK && i < count; i = end) {
		for (end = i; end < count && places[end].pair == places[i].pair;)
			end++;
		status = find_of_pair(search, places + i, end - i, err);
	}
	free(places);
	return status;
}

// A trace whose bytes are mostly in packets of their own shows no messages.
static enum tr_status check_found(const struct message_search *search, struct tr_error *err)
{
	double all_B = 0, trains_B = 0;

	for (size_t i = 0; i < search->found_count; i++) {
		all_B += (double)search->found[i].of.payload_B;
		trains_B += search->found[i].of.segments > 1 ? (double)search->found[i].of.payload_B : 0;
	}
	if (all_B == 0)
		return tr_fail(err, "no packet carries anything");
	return trains_B > all_B / 2 ? TR_OK
				    : tr_fail(err, "no messages: only %.3g %% of the bytes are in trains of packets",
					      100 * trains_B / all_B);
}

static enum tr_status check_memory(const struct message_search *search, struct tr_error *err)
{
	const bool failed = search->gaps.failed || search->first_gaps.failed || search->acknowledge_after.failed ||
			    search->answer_before.failed || search->requests.failed || search->answers.failed;

	return failed ? tr_no_memory(err, "the gaps of %zu packets", search->sample->count) : TR_OK;
}

enum tr_status message_search_run(struct message_search *out, const struct packet_sample *sample, struct tr_error *err)
{
	*out = (struct message_search){.sample = sample};
	if (number_nodes(out, err) != TR_OK || find_messages(out, err) != TR_OK || check_memory(out, err) != TR_OK)
		return TR_ERROR;
	return check_found(out, err);
}

void message_search_clear(struct message_search *search)
{
	free(search->number);
	free(search->found);
	free(search->gaps.values);
	free(search->first_gaps.values);
	free(search->acknowledge_after.values);
	free(search->answer_before.values);
	free(search->requests.values);
	free(search->answers.values);
	*search = (struct message_search){.sample = NULL};
}
