// SPDX-License-Identifier: GPL-3.0-or-later
// The fit of messages to packets: those found between the nodes are cut into iterations by the
// silences of all; what is left are means of how trains flow.
#include <math.h>
#include <stdlib.h>

#include "gen/families/messages/messages_found.h"
#include "gen/families/messages/messages_model.h"
#include "gen/model_field.h"
#include "messages/iterations.h"
#include "value/order.h"

#define TIME_DIGITS 6
#define DIGITS 4
#define LONG_GAP 1.5	   // of the usual gap: longer ones have a stall
#define PAUSE_GAPS 8u	   // a shorter silence of the network separates nothing
#define SENDS_KEPT 150000u // about 10 MB of text

// The packets without payload that answer a message or part.
struct acknowledged {
	const struct found *of;
	uint32_t count, inside;			       // the latter not after its data
	int64_t first_ticks, inside_ticks, last_ticks; // of the first, the last inside, the last
};

struct message_fit {
	struct message_search search;
	struct messages_model model;
	struct acknowledged *acknowledged; // of each message found
};

static int messages_fit_by_data(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	ORDER_BY(a->of.first_ticks, b->of.first_ticks);
	ORDER_BY(a->src, b->src);
	ORDER_BY(a->dst, b->dst);
	return ORDER(a->of.end_ticks, b->of.end_ticks);
}

static double messages_fit_seconds(const struct message_fit *fit, double ticks)
{
	return ticks / fit->search.sample->ticks_per_s;
}

static double messages_fit_settled(const struct message_fit *fit, double ticks)
{
	return model_settle(MODEL_TIME, messages_fit_seconds(fit, ticks), TIME_DIGITS);
}

static int messages_fit_by_pair(const void *left, const void *right)
{
	const struct acknowledged *a = left, *b = right;

	ORDER_BY(a->of->src, b->of->src);
	ORDER_BY(a->of->dst, b->of->dst);
	return ORDER(a->of, b->of); // by time
}

static int by_message(const void *left, const void *right)
{
	const struct acknowledged *a = left, *b = right;

	return ORDER(a->of, b->of);
}

// Of those from this pair of nodes, sorted by_pair, the last one that had begun, or else the first;
// NULL: there is none.
static struct acknowledged *acknowledged_by(struct acknowledged *sorted, size_t count, uint32_t src,
					    uint32_t dst, int64_t ticks)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t at = low + (high - low) / 2;
		const struct found *found = sorted[at].of;
		const bool pair = found->src == src && found->dst == dst;

		if (pair ? found->of.first_ticks <= ticks
			 : found->src < src || (found->src == src && found->dst < dst))
			low = at + 1;
		else
			high = at;
	}
	if (low > 0 && sorted[low - 1].of->src == src && sorted[low - 1].of->dst == dst)
		return &sorted[low - 1];
	return low < count && sorted[low].of->src == src && sorted[low].of->dst == dst
		       ? &sorted[low]
		       : NULL;
}

// Gives each packet without payload to the message, or part, the other way that had begun last.
// Sorts the messages by_data.
static enum tr_status find_acknowledgements(struct message_fit *fit, struct tr_error *err)
{
	const struct message_search *search = &fit->search;
	const struct packet_sample *sample = search->sample;
	const uint32_t ids = sample->people.count;

	qsort(search->found, search->found_count, sizeof(*search->found), messages_fit_by_data);
	fit->acknowledged = calloc(search->found_count + 1, sizeof(*fit->acknowledged));
	if (!fit->acknowledged)
		return tr_no_memory(err, "%zu messages", search->found_count);
	for (size_t i = 0; i < search->found_count; i++)
		fit->acknowledged[i].of = &search->found[i];
	qsort(fit->acknowledged, search->found_count, sizeof(*fit->acknowledged),
	      messages_fit_by_pair);
	for (size_t i = 0; i < sample->count; i++) {
		const uint32_t src = sample->src[i], dst = sample->dst[i];
		struct acknowledged *by;

		if (sample->payload_B[i] > 0 || src >= ids || dst >= ids)
			continue;
		by = acknowledged_by(fit->acknowledged, search->found_count, search->number[dst],
				     search->number[src], sample->ticks[i]);
		if (!by)
			continue;
		by->first_ticks = by->count == 0 ? sample->ticks[i] : by->first_ticks;
		by->count++;
		by->last_ticks = sample->ticks[i];
		if (sample->ticks[i] <= by->of->of.end_ticks) {
			by->inside++;
			by->inside_ticks = sample->ticks[i];
		}
	}
	qsort(fit->acknowledged, search->found_count, sizeof(*fit->acknowledged), by_message);
	return TR_OK;
}

// From the first acknowledgement to the last; those of a long message at the pace of those that
// came before its end, for the last one may be a delayed one, much later.
static double acknowledging_ticks(const struct acknowledged *by)
{
	if (by->inside > 2)
		return (double)(by->inside_ticks - by->first_ticks) * (double)(by->count - 1) /
		       (double)(by->inside - 1);
	return (double)(by->last_ticks - by->first_ticks);
}

// A request from before the iteration comes at its begin.
static struct messages_send send_of(const struct message_fit *fit, size_t index,
				    int64_t begin_ticks)
{
	const struct found *found = &fit->search.found[index];
	const struct acknowledged *by = &fit->acknowledged[index];
	const struct rule_message *of = &found->of;
	const int64_t acknowledged_ticks = by->first_ticks > of->first_ticks
						   ? by->first_ticks - of->first_ticks
						   : 0;
	const int64_t at_ticks = of->begin_ticks > begin_ticks ? of->begin_ticks : begin_ticks;

	return (struct messages_send){
		.at_s = messages_fit_settled(fit, (double)(at_ticks - begin_ticks)),
		.wait_s = messages_fit_settled(fit, (double)(of->first_ticks - at_ticks)),
		.flow_s = messages_fit_settled(fit, (double)(of->end_ticks - of->first_ticks)),
		.size_B = of->payload_B,
		.acknowledged = by->count,
		.acknowledged_s = messages_fit_settled(fit, (double)acknowledged_ticks),
		.acknowledging_s = messages_fit_settled(fit, acknowledging_ticks(by)),
		.src = found->src,
		.dst = found->dst,
		.part = found->part};
}

// The iteration begins with the request of its first message if that came after the data of the
// iteration before.
static int64_t messages_fit_begin_of(const struct message_fit *fit, size_t first,
				     int64_t before_ticks)
{
	const struct rule_message *of = &fit->search.found[first].of;

	return of->begin_ticks > before_ticks ? of->begin_ticks : of->first_ticks;
}

// Adds the messages first .. end - 1 as an iteration. Returns when its data end.
static int64_t messages_fit_add_iteration(struct message_fit *fit, size_t first, size_t end,
					  int64_t begin_ticks, bool once)
{
	struct messages_model *model = &fit->model;
	struct messages_iteration *iteration = &model->iterations[model->iteration_count++];
	int64_t end_ticks = begin_ticks;

	*iteration = (struct messages_iteration){
		.first = model->send_count, .silence_s = -1, .once = once};
	for (size_t k = first; k < end; k++) {
		model->sends[model->send_count++] = send_of(fit, k, begin_ticks);
		if (fit->search.found[k].of.end_ticks > end_ticks)
			end_ticks = fit->search.found[k].of.end_ticks;
	}
	iteration->end = model->send_count;
	return end_ticks;
}

// What the model keeps of the iterations: those from the first on that SENDS_KEPT messages allow.
// The silence after the last one is what the trace has before the first message and after the last,
// so that all of them take as long as it.
static void keep_iterations(struct message_fit *fit, const struct iterations *cut)
{
	const struct packet_sample *sample = fit->search.sample;
	struct messages_model *model = &fit->model;
	const size_t *begins = cut->begins;
	const int64_t first_ticks = messages_fit_begin_of(fit, 0, INT64_MIN);
	int64_t begin_ticks = first_ticks;

	for (size_t i = 0; i < cut->count && model->iteration_count < MESSAGES_ITERATIONS_MAX &&
			   (i == 0 || model->send_count + begins[i + 1] - begins[i] <= SENDS_KEPT);
	     i++) {
		struct messages_iteration *iteration = &model->iterations[model->iteration_count];
		int64_t end_ticks = messages_fit_add_iteration(fit, begins[i], begins[i + 1],
							       begin_ticks, i < cut->first_alike);
		const int64_t around_ticks = sample->ticks[sample->count - 1] +
					     (first_ticks - sample->ticks[0]);
		const int64_t next_ticks = i + 1 < cut->count
						   ? messages_fit_begin_of(fit, begins[i + 1],
									   end_ticks)
						   : around_ticks;

		if (!cut->silences)
			end_ticks = next_ticks;
		else
			iteration->silence_s = messages_fit_settled(
				fit, (double)(next_ticks - end_ticks));
		iteration->lasts_s = messages_fit_settled(fit, (double)(end_ticks - begin_ticks));
		begin_ticks = next_ticks;
	}
}

// The trace has no silence after its last iteration if it ends with it and began with the first:
// then that one gets as much as the others have on average, and all are shorter by as much
// together, as two iterations without a silence would be a burst that never was.
static void share_silence(struct message_fit *fit)
{
	struct messages_iteration *iterations = fit->model.iterations;
	const size_t last = fit->model.iteration_count - 1;
	double all_s = 0, least_s = INFINITY;

	for (size_t i = 0; i < last; i++) {
		all_s += iterations[i].silence_s;
		least_s = fmin(least_s, iterations[i].silence_s);
	}
	if (last == 0 || iterations[last].silence_s >= least_s)
		return;
	for (size_t i = 0; i <= last; i++) {
		const double own_s = i < last ? iterations[i].silence_s : all_s / (double)last;

		iterations[i].silence_s = model_settle(
			MODEL_TIME,
			own_s * (all_s + iterations[last].silence_s) /
				(all_s + all_s / (double)last),
			TIME_DIGITS);
	}
}

static void note_method(const struct message_fit *fit, const struct iterations *cut,
			struct fit_notes *notes)
{
	const struct messages_model *model = &fit->model;
	size_t messages = 0;
	int n;

	for (size_t i = 0; i < fit->search.found_count; i++)
		messages += !fit->search.found[i].part;
	n = snprintf(notes->method, sizeof(notes->method), "%zu messages in %zu ", messages,
		     cut->count);

	if (cut->silences)
		n += snprintf(
			notes->method + n, sizeof(notes->method) - (size_t)n,
			"iterations that silences of the network separate, %.3g %% of them alike",
			100 * cut->alike);
	else
		n += snprintf(notes->method + n, sizeof(notes->method) - (size_t)n,
			      "blocks of equal time, since no silences of the network separate "
			      "iterations");
	if (model->iteration_count < cut->count)
		(void)snprintf(notes->method + n, sizeof(notes->method) - (size_t)n,
			       "; the first %zu are kept", model->iteration_count);
}

static enum tr_status messages_fit_cut(struct message_fit *fit, struct fit_notes *notes,
				       struct tr_error *err)
{
	const double least_ticks = PAUSE_GAPS *
				   column_mean(&fit->search.gaps, 0, fit->search.gaps.count);
	struct iteration_message *messages = calloc(fit->search.found_count, sizeof(*messages));
	struct iterations iterations = {.begins = NULL};
	enum tr_status status = TR_OK;

	if (!messages)
		return tr_no_memory(err, "%zu messages", fit->search.found_count);
	for (size_t i = 0; i < fit->search.found_count; i++) {
		const struct found *found = &fit->search.found[i];

		messages[i] = (struct iteration_message){
			found->of.first_ticks, found->of.end_ticks,
			found->of.segments > 1 && !found->part
				? 1 + found->src * fit->model.nodes + found->dst
				: 0};
	}
	status = iterations_find(messages, fit->search.found_count, (int64_t)least_ticks,
				 &iterations, err);
	fit->model.iterations = calloc(iterations.count + 1, sizeof(*fit->model.iterations));
	fit->model.sends = calloc(fit->search.found_count, sizeof(*fit->model.sends));
	if (status == TR_OK && (!fit->model.iterations || !fit->model.sends))
		status = tr_no_memory(err, "%zu messages", fit->search.found_count);
	if (status == TR_OK) {
		keep_iterations(fit, &iterations);
		if (iterations.silences && fit->model.iteration_count == iterations.count)
			share_silence(fit);
		note_method(fit, &iterations, notes);
	}
	iterations_clear(&iterations);
	free(messages);
	return status;
}

// Sorts the gaps: the first *shorts are short, the median of the others is usual, and what those
// that are LONG_GAP times as long have more is a stall, by its median (0: there are none). Returns
// the usual gap.
static double split_gaps(struct column *gaps, double mean_ticks, size_t *shorts,
			 double *stall_ticks)
{
	double usual_ticks;
	size_t longs;

	*shorts = column_shorts(gaps, mean_ticks);
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
static void messages_fit_measure_flow(struct message_fit *fit)
{
	struct messages_model *model = &fit->model;
	const double gap_ticks = column_mean(&fit->search.part_gaps, 0,
					     fit->search.part_gaps.count);
	double packets = 0, usual_ticks, stall_ticks, first_stall_ticks, short_ticks;
	size_t shorts, first_shorts;

	usual_ticks = split_gaps(&fit->search.part_gaps, gap_ticks, &shorts, &stall_ticks);
	model->pace_s = model_settle(MODEL_TIME, messages_fit_seconds(fit, usual_ticks), DIGITS);
	model->stall_s = model_settle(MODEL_TIME, messages_fit_seconds(fit, stall_ticks), DIGITS);
	model->pairs = fit->search.part_gaps.count > 0
			       ? model_settle(MODEL_SHARE,
					      (double)shorts / (double)fit->search.part_gaps.count,
					      DIGITS)
			       : 0;
	(void)split_gaps(&fit->search.part_first_gaps, gap_ticks, &first_shorts,
			 &first_stall_ticks);
	model->first_pairs = fit->search.part_first_gaps.count > 0
				     ? model_settle(
					       MODEL_SHARE,
					       (double)first_shorts /
						       (double)fit->search.part_first_gaps.count,
					       DIGITS)
				     : 0;
	short_ticks = column_mean(&fit->search.part_gaps, 0, shorts) * (double)shorts +
		      column_mean(&fit->search.part_first_gaps, 0, first_shorts) *
			      (double)first_shorts;
	model->pair_gap_s = model_settle(
		MODEL_TIME,
		messages_fit_seconds(fit, short_ticks / fmax(1, (double)(shorts + first_shorts))),
		DIGITS);
	model->tail_gap_s = model_settle(
		MODEL_TIME, messages_fit_seconds(fit, column_middle(&fit->search.tails[0])),
		DIGITS);
	model->header_B = fit->search.packets > 0
				  ? round(fit->search.headers_B / fit->search.packets)
				  : 0;
	for (size_t i = 0; i < fit->search.found_count; i++) {
		const struct messages_send send = {.size_B = fit->search.found[i].of.payload_B};

		packets += (double)messages_packets(model, &send);
	}
	if (fit->search.acknowledgements > 0)
		model->acknowledge = model_settle(
			MODEL_REAL, fmax(1, packets / fit->search.acknowledgements), DIGITS);
	model->acknowledge_after_s = model_settle(
		MODEL_TIME,
		messages_fit_seconds(fit, column_middle(&fit->search.acknowledge_after)), DIGITS);
	model->request_B = column_middle(&fit->search.requests);
	model->answer_B = column_middle(&fit->search.answers);
	model->answer_before_s = model_settle(
		MODEL_TIME, messages_fit_seconds(fit, column_middle(&fit->search.answer_before)),
		DIGITS);
}

static enum tr_status messages_family_fit(const struct family *family,
					  const struct packet_sample *sample,
					  const struct fit_options *options, struct model *text,
					  struct fit_notes *notes, struct tr_error *err)
{
	struct message_fit fit = {.search = {.sample = NULL}};
	enum tr_status status;

	(void)family;
	(void)options;
	if (sample->bin_ticks > 0)
		return tr_fail(err, "counts do not show messages");
	status = message_search_run(&fit.search, sample, err);
	if (status == TR_OK)
		status = message_search_check(&fit.search, err);
	if (status == TR_OK && fit.search.nodes > MODEL_NODES_MAX)
		status = tr_fail(err, "more than %u nodes", MODEL_NODES_MAX);
	fit.model.nodes = fit.search.nodes;
	fit.model.controllers = fit.search.controllers;
	fit.model.segment_B = fit.search.segment_B;
	if (status == TR_OK)
		status = find_acknowledgements(&fit, err);
	if (status == TR_OK)
		status = messages_fit_cut(&fit, notes, err);
	if (status == TR_OK) {
		messages_fit_measure_flow(&fit);
		fit.model.duration_s = model_settle(MODEL_TIME, packet_sample_seconds(sample),
						    TIME_DIGITS);
		notes->freedom = (unsigned)(4 * fit.model.send_count +
					    2 * fit.model.iteration_count);
		messages_model_put(text, &fit.model);
	}
	free(fit.acknowledged);
	message_search_clear(&fit.search);
	messages_model_clear(&fit.model);
	return status;
}

const struct family_fit messages_fit = {
	.by = FIT_BY_ANY,
	.copies = true,
	.always = "network",
	.fit = messages_family_fit,
};
