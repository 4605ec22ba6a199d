// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of messages to packets: the rule finds messages between each two nodes; the silences of all nodes cut them into
// iterations; what is left are means of how trains flow.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/messages.h"
#include "gen/model_field.h"
#include "messages/iterations.h"
#include "messages/rule.h"

#define TIME_DIGITS 6
#define DIGITS 4
#define SHORT_GAP 0.25	    // of the mean gap: shorter ones are short
#define LONG_GAP 1.5	    // of the usual gap: longer ones have a stall
#define GAPS_LOOKED_AT 999u // to guess the gap within trains, from which the rule begins
#define STOP_GAPS 8	    // a message that pauses for longer than so many of its usual gaps is sent in parts
#define PAUSE_GAPS 8u	    // a shorter silence of the network separates nothing
#define SENDS_KEPT 150000u  // about 10 MB of text

// A growing column of numbers.
struct column {
	double *values;
	size_t count, capacity;
	bool failed;
};

struct found {
	struct rule_message of;
	uint32_t src, dst;
	bool part; // what follows a stop in a message
};

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

struct message_fit {
	const struct packet_sample *sample;
	uint32_t *number; // of the model's node, by id
	struct messages_model model;
	struct found *found;
	size_t found_count, found_capacity;
	struct column gaps, first_gaps, acknowledge_after, answer_before, requests, answers;
	double acknowledgements, headers_B, packets;
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
static double middle(struct column *column)
{
	if (column->count == 0)
		return 0;
	qsort(column->values, column->count, sizeof(*column->values), rising);
	return column->values[column->count / 2];
}

static double mean(const double *values, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count > 0 ? sum / (double)count : 0;
}

// Numbers the nodes that send or receive anything, controllers first.
static enum tr_status number_nodes(struct message_fit *fit, struct tr_error *err)
{
	const struct packet_sample *sample = fit->sample;
	const uint32_t ids = sample->people.count;

	fit->number = calloc((size_t)ids + 1, sizeof(*fit->number));
	if (!fit->number)
		return tr_no_memory(err, "%u nodes", ids);
	for (size_t i = 0; i < sample->count; i++) {
		if (sample->src[i] < ids)
			fit->number[sample->src[i]] = 1;
		if (sample->dst[i] < ids)
			fit->number[sample->dst[i]] = 1;
	}
	fit->model.nodes = fit->model.controllers = 0;
	for (unsigned pass = 0; pass < 2; pass++) {
		for (uint32_t i = 0; i < ids; i++)
			if (fit->number[i] == 1 && (sample->people.roles[i] == TR_ROLE_CONTROLLER) == (pass == 0))
				fit->number[i] = 2 + (uint32_t)fit->model.nodes++;
		fit->model.controllers = pass == 0 ? fit->model.nodes : fit->model.controllers;
	}
	for (uint32_t i = 0; i < ids; i++)
		fit->number[i] -= 2; // others: a large number
	return fit->model.nodes <= MESSAGES_NODES_MAX ? TR_OK : tr_fail(err, "more than %u nodes", MESSAGES_NODES_MAX);
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

// The largest packet of the pair, and about the gap between two of that size in one direction.
static void look_at_pair(const struct message_fit *fit, const struct place *places, size_t count, uint32_t *largest_B,
			 int64_t *gap_ticks)
{
	const struct packet_sample *sample = fit->sample;
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
	*gap_ticks = (int64_t)fmax(1, middle(&gaps));
	free(gaps.values);
}

static enum tr_status add_found(struct message_fit *fit, const struct found *one, struct tr_error *err)
{
	if (fit->found_count == fit->found_capacity) {
		const size_t more = 2 * fit->found_capacity + 256;
		struct found *found = reallocarray(fit->found, more, sizeof(*found));

		if (!found)
			return tr_no_memory(err, "%zu messages", more);
		fit->found = found;
		fit->found_capacity = more;
	}
	fit->found[fit->found_count++] = *one;
	return TR_OK;
}

// The first packet of the conversation at this time or later.
static size_t first_at(const struct message_fit *fit, const struct conversation *of, int64_t ticks)
{
	size_t low = 0, high = of->count;

	while (low < high) {
		const size_t middle_at = low + (high - low) / 2;

		if (fit->sample->ticks[of->places[middle_at].packet] < ticks)
			low = middle_at + 1;
		else
			high = middle_at;
	}
	return low;
}

// Adds a message, in parts where it stopped for far longer than the usual gap. The last part has what is left of the bytes.
static enum tr_status add_parts(struct message_fit *fit, const struct conversation *of, struct found rest, struct tr_error *err)
{
	const struct packet_sample *sample = fit->sample;
	const int64_t end_ticks = rest.of.end_ticks;
	int64_t last_ticks = rest.of.first_ticks;
	uint64_t part_B = 0;

	for (size_t i = first_at(fit, of, rest.of.first_ticks); i < of->count; i++) {
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
			if (add_found(fit, &part, err) != TR_OK)
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
	return add_found(fit, &rest, err);
}

static enum tr_status keep(struct message_fit *fit, const struct conversation *of, const struct rule_message *messages,
			   size_t count, struct tr_error *err)
{
	const uint32_t src = fit->sample->src[of->places[0].packet], dst = fit->sample->dst[of->places[0].packet];
	const uint32_t low = src < dst ? src : dst, high = src < dst ? dst : src;

	for (size_t i = 0; i < count; i++) {
		const struct found found = {.of = messages[i],
					    .src = fit->number[messages[i].direction ? high : low],
					    .dst = fit->number[messages[i].direction ? low : high]};

		if (add_parts(fit, of, found, err) != TR_OK)
			return TR_ERROR;
		if (!messages[i].requested)
			continue;
		column_add(&fit->requests, messages[i].request_B);
		if (messages[i].answer_B > 0) {
			column_add(&fit->answers, messages[i].answer_B);
			column_add(&fit->answer_before, (double)(messages[i].first_ticks - messages[i].answered_ticks));
		}
	}
	return TR_OK;
}

// Notes how the pair's trains flow: gaps before full packets of messages, and how soon packets of one under way are acknowledged.
static void note_flow(struct message_fit *fit, const struct rule *rule, size_t packet, const int64_t last_ticks[2])
{
	const struct packet_sample *sample = fit->sample;
	const unsigned direction = direction_of(sample, packet);
	const uint32_t payload_B = sample->payload_B[packet];

	if (payload_B > 0) {
		fit->packets++;
		fit->headers_B += sample->wire_B[packet] - payload_B;
		if (rule->sides[direction].open.segments > 1 && payload_B == rule->largest_B)
			column_add(rule->sides[direction].open.segments == 2 ? &fit->first_gaps : &fit->gaps,
				   (double)(sample->ticks[packet] - last_ticks[direction]));
		return;
	}
	fit->acknowledgements++;
	if (rule->sides[!direction].open.segments > 1)
		column_add(&fit->acknowledge_after, (double)(sample->ticks[packet] - last_ticks[!direction]));
}

static enum tr_status find_of_pair(struct message_fit *fit, const struct place *places, size_t count, struct tr_error *err)
{
	const struct packet_sample *sample = fit->sample;
	struct rule_message ended[RULE_ENDED_MAX];
	struct conversation of = {places, count, 0};
	int64_t last_ticks[2] = {0, 0};
	uint32_t largest_B;
	struct rule rule;

	look_at_pair(fit, places, count, &largest_B, &of.gap_ticks);
	rule_open(&rule, largest_B, of.gap_ticks);
	for (size_t i = 0; i < count; i++) {
		const size_t packet = places[i].packet;
		const unsigned direction = direction_of(sample, packet);
		const size_t n = rule_add(&rule, sample->ticks[packet], direction, sample->payload_B[packet], ended);

		if (keep(fit, &of, ended, n, err) != TR_OK)
			return TR_ERROR;
		note_flow(fit, &rule, packet, last_ticks);
		if (sample->payload_B[packet] > 0)
			last_ticks[direction] = sample->ticks[packet];
	}
	if ((double)largest_B > fit->model.segment_B)
		fit->model.segment_B = largest_B;
	return keep(fit, &of, ended, rule_finish(&rule, ended), err);
}

static enum tr_status find_messages(struct message_fit *fit, struct tr_error *err)
{
	const struct packet_sample *sample = fit->sample;
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
		status = find_of_pair(fit, places + i, end - i, err);
	}
	free(places);
	return status;
}

// A trace whose bytes are mostly in packets of their own shows no messages.
static enum tr_status check_found(const struct message_fit *fit, struct tr_error *err)
{
	double all_B = 0, trains_B = 0;

	for (size_t i = 0; i < fit->found_count; i++) {
		all_B += (double)fit->found[i].of.payload_B;
		trains_B += fit->found[i].of.segments > 1 ? (double)fit->found[i].of.payload_B : 0;
	}
	if (all_B == 0)
		return tr_fail(err, "no packet carries anything");
	return trains_B > all_B / 2 ? TR_OK
				    : tr_fail(err, "no messages: only %.3g %% of the bytes are in trains of packets",
					      100 * trains_B / all_B);
}

static int by_data(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	if (a->of.first_ticks != b->of.first_ticks)
		return a->of.first_ticks < b->of.first_ticks ? -1 : 1;
	if (a->src != b->src)
		return a->src < b->src ? -1 : 1;
	if (a->dst != b->dst)
		return a->dst < b->dst ? -1 : 1;
	return (a->of.end_ticks > b->of.end_ticks) - (a->of.end_ticks < b->of.end_ticks);
}

static double seconds(const struct message_fit *fit, double ticks)
{
	return ticks / fit->sample->ticks_per_s;
}

static double settled(const struct message_fit *fit, double ticks)
{
	return model_settle(MODEL_TIME, seconds(fit, ticks), TIME_DIGITS);
}

// A request from before the iteration comes at its begin.
static struct messages_send send_of(const struct message_fit *fit, const struct found *found, int64_t begin_ticks)
{
	const struct rule_message *of = &found->of;
	const int64_t at_ticks = of->begin_ticks > begin_ticks ? of->begin_ticks : begin_ticks;

	return (struct messages_send){.at_s = settled(fit, (double)(at_ticks - begin_ticks)),
				      .wait_s = settled(fit, (double)(of->first_ticks - at_ticks)),
				      .flow_s = settled(fit, (double)(of->end_ticks - of->first_ticks)),
				      .size_B = of->payload_B,
				      .src = found->src,
				      .dst = found->dst,
				      .part = found->part};
}

// The iteration begins with the request of its first message if that came after the data of the iteration before.
static int64_t begin_of(const struct message_fit *fit, size_t first, int64_t before_ticks)
{
	const struct rule_message *of = &fit->found[first].of;

	return of->begin_ticks > before_ticks ? of->begin_ticks : of->first_ticks;
}

// Adds the messages first .. end - 1 as an iteration. Returns when its data end.
static int64_t add_iteration(struct message_fit *fit, size_t first, size_t end, int64_t begin_ticks, bool once)
{
	struct messages_model *model = &fit->model;
	struct messages_iteration *iteration = &model->iterations[model->iteration_count++];
	int64_t end_ticks = begin_ticks;

	*iteration = (struct messages_iteration){.first = model->send_count, .silence_s = -1, .once = once};
	for (size_t k = first; k < end; k++) {
		model->sends[model->send_count++] = send_of(fit, &fit->found[k], begin_ticks);
		if (fit->found[k].of.end_ticks > end_ticks)
			end_ticks = fit->found[k].of.end_ticks;
	}
	iteration->end = model->send_count;
	return end_ticks;
}

// What the model keeps of the iterations: those from the first on that SENDS_KEPT messages allow.
static void keep_iterations(struct message_fit *fit, const struct iterations *cut)
{
	struct messages_model *model = &fit->model;
	const size_t *begins = cut->begins;
	int64_t begin_ticks = begin_of(fit, 0, INT64_MIN);

	for (size_t i = 0; i < cut->count && model->iteration_count < MESSAGES_ITERATIONS_MAX &&
			   (i == 0 || model->send_count + begins[i + 1] - begins[i] <= SENDS_KEPT);
	     i++) {
		struct messages_iteration *iteration = &model->iterations[model->iteration_count];
		int64_t end_ticks = add_iteration(fit, begins[i], begins[i + 1], begin_ticks, i < cut->first_alike);
		const bool last = i + 1 == cut->count;
		const int64_t next_ticks = last ? end_ticks : begin_of(fit, begins[i + 1], end_ticks);

		if (!cut->silences)
			end_ticks = next_ticks;
		else if (!last)
			iteration->silence_s = settled(fit, (double)(next_ticks - end_ticks));
		iteration->lasts_s = settled(fit, (double)(end_ticks - begin_ticks));
		begin_ticks = next_ticks;
	}
}

static void note_method(const struct message_fit *fit, const struct iterations *cut, struct fit_notes *notes)
{
	const struct messages_model *model = &fit->model;
	size_t messages = 0;
	int n;

	for (size_t i = 0; i < fit->found_count; i++)
		messages += !fit->found[i].part;
	n = snprintf(notes->method, sizeof(notes->method), "%zu messages in %zu ", messages, cut->count);

	if (cut->silences)
		n += snprintf(notes->method + n, sizeof(notes->method) - (size_t)n,
			      "iterations that silences of the network separate, %.3g %% of them alike", 100 * cut->alike);
	else
		n += snprintf(notes->method + n, sizeof(notes->method) - (size_t)n,
			      "blocks of equal time, since no silences of the network separate iterations");
	if (model->iteration_count < cut->count)
		(void)snprintf(notes->method + n, sizeof(notes->method) - (size_t)n, "; the first %zu are kept",
			       model->iteration_count);
}

static enum tr_status cut(struct message_fit *fit, struct fit_notes *notes, struct tr_error *err)
{
	const double least_ticks = PAUSE_GAPS * mean(fit->gaps.values, fit->gaps.count);
	struct iteration_message *messages = calloc(fit->found_count, sizeof(*messages));
	struct iterations iterations = {.begins = NULL};
	enum tr_status status = TR_OK;

	if (!messages)
		return tr_no_memory(err, "%zu messages", fit->found_count);
	qsort(fit->found, fit->found_count, sizeof(*fit->found), by_data);
	for (size_t i = 0; i < fit->found_count; i++) {
		const struct found *found = &fit->found[i];

		messages[i] = (struct iteration_message){
			found->of.first_ticks, found->of.end_ticks,
			found->of.segments > 1 && !found->part ? 1 + found->src * fit->model.nodes + found->dst : 0};
	}
	status = iterations_find(messages, fit->found_count, (int64_t)least_ticks, &iterations, err);
	fit->model.iterations = calloc(iterations.count + 1, sizeof(*fit->model.iterations));
	fit->model.sends = calloc(fit->found_count, sizeof(*fit->model.sends));
	if (status == TR_OK && (!fit->model.iterations || !fit->model.sends))
		status = tr_no_memory(err, "%zu messages", fit->found_count);
	if (status == TR_OK) {
		keep_iterations(fit, &iterations);
		note_method(fit, &iterations, notes);
	}
	iterations_clear(&iterations);
	free(messages);
	return status;
}

// Sorts the gaps: the first *shorts are short, the median of the others is usual, and what those that are LONG_GAP times as
// long have more is a stall, by its median (0: there are none). Returns the usual gap.
static double split_gaps(struct column *gaps, double mean_ticks, size_t *shorts, double *stall_ticks)
{
	double usual_ticks;
	size_t longs;

	(void)middle(gaps);
	for (*shorts = 0; *shorts < gaps->count && gaps->values[*shorts] < SHORT_GAP * mean_ticks;)
		++*shorts;
	*stall_ticks = 0;
	if (*shorts == gaps->count)
		return mean_ticks;
	usual_ticks = gaps->values[*shorts + (gaps->count - *shorts) / 2];
	for (longs = *shorts; longs < gaps->count && gaps->values[longs] < LONG_GAP * usual_ticks;)
		longs++;
	if (longs < gaps->count)
		*stall_ticks = gaps->values[longs + (gaps->count - longs) / 2] - usual_ticks;
	return usual_ticks;
}

// How messages become packets, of all of them.
static void measure_flow(struct message_fit *fit)
{
	struct messages_model *model = &fit->model;
	const double gap_ticks = mean(fit->gaps.values, fit->gaps.count);
	double packets = 0, usual_ticks, stall_ticks, first_stall_ticks, short_ticks;
	size_t shorts, first_shorts;

	usual_ticks = split_gaps(&fit->gaps, gap_ticks, &shorts, &stall_ticks);
	model->pace_s = model_settle(MODEL_TIME, seconds(fit, usual_ticks), DIGITS);
	model->stall_s = model_settle(MODEL_TIME, seconds(fit, stall_ticks), DIGITS);
	model->pairs = fit->gaps.count > 0 ? model_settle(MODEL_SHARE, (double)shorts / (double)fit->gaps.count, DIGITS) : 0;
	(void)split_gaps(&fit->first_gaps, gap_ticks, &first_shorts, &first_stall_ticks);
	model->first_pairs = fit->first_gaps.count > 0
				     ? model_settle(MODEL_SHARE, (double)first_shorts / (double)fit->first_gaps.count, DIGITS)
				     : 0;
	short_ticks = mean(fit->gaps.values, shorts) * (double)shorts +
		      mean(fit->first_gaps.values, first_shorts) * (double)first_shorts;
	model->pair_gap_s = model_settle(MODEL_TIME, seconds(fit, short_ticks / fmax(1, (double)(shorts + first_shorts))),
					 DIGITS);
	model->header_B = fit->packets > 0 ? round(fit->headers_B / fit->packets) : 0;
	for (size_t i = 0; i < fit->found_count; i++) {
		const struct messages_send send = {.size_B = fit->found[i].of.payload_B};

		packets += (double)messages_packets(model, &send);
	}
	if (fit->acknowledgements > 0)
		model->acknowledge = model_settle(MODEL_REAL, fmax(1, packets / fit->acknowledgements), DIGITS);
	model->acknowledge_after_s = model_settle(MODEL_TIME, seconds(fit, middle(&fit->acknowledge_after)), DIGITS);
	model->request_B = middle(&fit->requests);
	model->answer_B = middle(&fit->answers);
	model->answer_before_s = model_settle(MODEL_TIME, seconds(fit, middle(&fit->answer_before)), DIGITS);
}

static enum tr_status check_memory(const struct message_fit *fit, struct tr_error *err)
{
	const bool failed = fit->gaps.failed || fit->first_gaps.failed || fit->acknowledge_after.failed ||
			    fit->answer_before.failed || fit->requests.failed || fit->answers.failed;

	return failed ? tr_no_memory(err, "the gaps of %zu packets", fit->sample->count) : TR_OK;
}

static void fit_clear(struct message_fit *fit)
{
	messages_model_clear(&fit->model);
	free(fit->number);
	free(fit->found);
	free(fit->gaps.values);
	free(fit->first_gaps.values);
	free(fit->acknowledge_after.values);
	free(fit->answer_before.values);
	free(fit->requests.values);
	free(fit->answers.values);
}

static enum tr_status messages_family_fit(const struct family *family, const struct packet_sample *sample,
					  const struct fit_options *options, struct model *text, struct fit_notes *notes,
					  struct tr_error *err)
{
	struct message_fit fit = {.sample = sample};
	enum tr_status status;

	(void)family;
	(void)options;
	if (sample->bin_ticks > 0)
		return tr_fail(err, "counts do not show messages");
	status = number_nodes(&fit, err);
	if (status == TR_OK)
		status = find_messages(&fit, err);
	if (status == TR_OK)
		status = check_memory(&fit, err);
	if (status == TR_OK)
		status = check_found(&fit, err);
	if (status == TR_OK)
		status = cut(&fit, notes, err);
	if (status == TR_OK) {
		measure_flow(&fit);
		fit.model.duration_s = model_settle(MODEL_TIME, packet_sample_seconds(sample), TIME_DIGITS);
		notes->freedom = (unsigned)(4 * fit.model.send_count + 2 * fit.model.iteration_count);
		messages_model_put(text, &fit.model);
	}
	fit_clear(&fit);
	return status;
}

const struct family_fit messages_fit = {
	.by = FIT_BY_ANY,
	.copies = true,
	.always = "network",
	.fit = messages_family_fit,
};
