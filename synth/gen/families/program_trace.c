// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "messages/rule.h"

#define USUAL_GAP_S 1e-4 // within trains, to begin with
#define STALL 5.0	 // a gap of more upper quartiles is none within a train
#define USUAL_WAITS 10.0 // a request that waits longer than so many usual ones, and this time, is none
#define USUAL_WAIT_S 0.01
#define SHORT_PART 4.0 // a gap below this part of the pace is short

struct finding {
	struct program_trace *out;
	const struct packet_sample *sample;
	const uint32_t *ranks;
	struct rule *rules;  // by pair of ranks
	int64_t *data_ticks; // by rank and peer: when the peer last sent data; -1
	int64_t *full_ticks; // by sender and receiver: of the last full packet of the open message; -1
	double *gaps;	     // between full packets of a message, in ticks
	size_t gap_count;
	double *requests, *grants; // their sizes
	size_t request_count, grant_count;
	double *delays; // of acknowledgements, in ticks
	size_t delay_count;
	uint64_t acks, data; // acknowledgements; packets of data
	uint32_t largest_B;
};

enum tr_status program_trace_add(struct program_trace *trace, const struct program_found *found, struct tr_error *err)
{
	if (trace->count == trace->capacity) {
		const size_t capacity = trace->capacity ? 2 * trace->capacity : 256;
		struct program_found *more = reallocarray(trace->found, capacity, sizeof(*more));

		if (!more)
			return tr_no_memory(err, "%zu messages", capacity);
		trace->found = more;
		trace->capacity = capacity;
	}
	trace->found[trace->count++] = *found;
	return TR_OK;
}

static int by_begin(const void *a, const void *b)
{
	const struct program_found *x = a, *y = b;

	if (x->begin_ticks != y->begin_ticks)
		return x->begin_ticks < y->begin_ticks ? -1 : 1;
	if (x->src != y->src)
		return x->src < y->src ? -1 : 1;
	return (x->dst > y->dst) - (x->dst < y->dst);
}

void program_trace_sort(struct program_trace *trace)
{
	if (trace->count > 0)
		qsort(trace->found, trace->count, sizeof(*trace->found), by_begin);
}

void program_trace_clear(struct program_trace *trace)
{
	free(trace->found);
	*trace = (struct program_trace){.found = NULL};
}

static enum tr_status keep(struct finding *finding, uint32_t low, uint32_t high, const struct rule_message *messages,
			   size_t count, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t i = 0; status == TR_OK && i < count; i++) {
		const struct rule_message *message = &messages[i];
		const struct program_found found = {.begin_ticks = message->begin_ticks,
						    .first_ticks = message->first_ticks,
						    .end_ticks = message->end_ticks,
						    .bytes = message->payload_B,
						    .packets = message->segments,
						    .src = message->direction ? high : low,
						    .dst = message->direction ? low : high,
						    .grant_ticks = message->requested ? message->answered_ticks
										      : message->begin_ticks,
						    .granted = message->requested,
						    .small = message->small};

		if (message->request_B > 0)
			finding->requests[finding->request_count++] = message->request_B;
		if (message->answer_B > 0)
			finding->grants[finding->grant_count++] = message->answer_B;
		status = program_trace_add(finding->out, &found, err);
	}
	return status;
}

// Notes gaps between full packets, and acknowledgements.
static void note(struct finding *finding, size_t i, uint32_t src, uint32_t dst, bool open)
{
	const struct packet_sample *sample = finding->sample;
	const size_t nodes = finding->out->nodes, there = src * nodes + dst, back = dst * nodes + src;
	const int64_t ticks = sample->ticks[i], delay = ticks - finding->data_ticks[back];
	const uint32_t payload_B = sample->payload_B[i];

	if (payload_B == 0) {
		finding->acks++;
		if (finding->data_ticks[back] >= 0)
			finding->delays[finding->delay_count++] = (double)delay;
		return;
	}
	finding->data++;
	finding->data_ticks[there] = ticks;
	if (payload_B == finding->largest_B && open && finding->full_ticks[there] >= 0)
		finding->gaps[finding->gap_count++] = (double)(ticks - finding->full_ticks[there]);
	finding->full_ticks[there] = payload_B == finding->largest_B ? ticks : -1;
}

static enum tr_status take(struct finding *finding, size_t i, struct tr_error *err)
{
	const struct packet_sample *sample = finding->sample;
	const uint32_t src = finding->ranks[sample->src[i]], dst = finding->ranks[sample->dst[i]];
	const uint32_t low = src < dst ? src : dst, high = src < dst ? dst : src;
	struct rule_message ended[RULE_ENDED_MAX];
	struct rule *rule;
	uint64_t before;
	size_t count;

	if (src == UINT32_MAX || dst == UINT32_MAX || src == dst)
		return TR_OK;
	rule = &finding->rules[(size_t)low * finding->out->nodes + high];
	before = rule_train(rule, src > dst);
	count = rule_add(rule, sample->ticks[i], src > dst, sample->payload_B[i], ended);
	note(finding, i, src, dst, before > 0 && rule_train(rule, src > dst) > before);
	return keep(finding, low, high, ended, count, err);
}

static enum tr_status finish(struct finding *finding, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (uint32_t low = 0; low < finding->out->nodes; low++)
		for (uint32_t high = low + 1; status == TR_OK && high < finding->out->nodes; high++) {
			struct rule_message ended[RULE_ENDED_MAX];
			const size_t count = rule_finish(&finding->rules[(size_t)low * finding->out->nodes + high], ended);

			status = keep(finding, low, high, ended, count, err);
		}
	return status;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), by_size);
	return values[count / 2];
}

// Mean gap between full packets of a message, but for stalls of its sender: those beyond a multiple of the upper quartile, whose
// share and mean it notes.
static double pace_ticks(struct finding *finding)
{
	double sum = 0;
	size_t kept = 0;

	qsort(finding->gaps, finding->gap_count, sizeof(*finding->gaps), by_size);
	for (; kept < finding->gap_count && finding->gaps[kept] <= STALL * finding->gaps[3 * finding->gap_count / 4]; kept++)
		sum += finding->gaps[kept];
	if (kept < finding->gap_count) {
		double stalls = 0;

		for (size_t i = kept; i < finding->gap_count; i++)
			stalls += finding->gaps[i] - sum / (double)kept;
		finding->out->flow.stalls = (double)(finding->gap_count - kept) / (double)finding->gap_count;
		finding->out->flow.stall_s = stalls / (double)(finding->gap_count - kept) / finding->out->ticks_per_s;
	}
	finding->gap_count = kept;
	return kept > 0 ? sum / (double)kept : 0;
}

// Mean time from a grant to the message.
static double turn_ticks(const struct program_trace *trace)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->found[i].granted) {
			sum += (double)(trace->found[i].first_ticks - trace->found[i].grant_ticks);
			count++;
		}
	return count > 0 ? sum / count : 0;
}

static void measure_flow(struct finding *finding)
{
	struct program_flow *flow = &finding->out->flow;
	const double ticks_per_s = finding->sample->ticks_per_s;
	const double pace = pace_ticks(finding);
	double short_ticks = 0;
	size_t shorts = 0;

	for (size_t i = 0; i < finding->gap_count; i++)
		if (finding->gaps[i] < pace / SHORT_PART) {
			short_ticks += finding->gaps[i];
			shorts++;
		}
	finding->out->shows_packets = true;
	flow->turn_s = turn_ticks(finding->out) / ticks_per_s;
	flow->pace_s = pace / ticks_per_s;
	if (shorts > 0) {
		flow->pairs = fmin(0.5, (double)shorts / (double)finding->gap_count);
		flow->pair_gap_s = short_ticks / (double)shorts / ticks_per_s;
	}
	if (finding->acks > 0 && finding->data > 0)
		flow->acks = (double)finding->acks / (double)finding->data;
	flow->ack_s = median(finding->delays, finding->delay_count) / ticks_per_s;
	flow->request_B = median(finding->requests, finding->request_count);
	flow->grant_B = median(finding->grants, finding->grant_count);
}

// A request far earlier than is usual is another small packet: the message begins as long before its data as usual.
static enum tr_status mend_requests(struct program_trace *trace, struct tr_error *err)
{
	double *waits = calloc(trace->count + 1, sizeof(*waits)), usual;
	size_t count = 0;

	if (!waits)
		return tr_no_memory(err, "%zu messages", trace->count);
	for (size_t i = 0; i < trace->count; i++)
		if (trace->found[i].granted)
			waits[count++] = (double)(trace->found[i].first_ticks - trace->found[i].begin_ticks);
	usual = median(waits, count);
	free(waits);
	for (size_t i = 0; i < trace->count; i++) {
		struct program_found *found = &trace->found[i];
		const double wait = (double)(found->first_ticks - found->begin_ticks);

		if (!found->granted || wait <= USUAL_WAITS * usual + USUAL_WAIT_S * trace->ticks_per_s)
			continue;
		found->begin_ticks = found->first_ticks - (int64_t)usual;
		if (found->grant_ticks < found->begin_ticks)
			found->grant_ticks = found->begin_ticks;
	}
	return TR_OK;
}

static enum tr_status find(struct finding *finding, struct tr_error *err)
{
	const struct packet_sample *sample = finding->sample;
	const size_t pairs = (size_t)finding->out->nodes * finding->out->nodes;

	finding->rules = calloc(pairs, sizeof(*finding->rules));
	finding->data_ticks = calloc(pairs, sizeof(*finding->data_ticks));
	finding->full_ticks = calloc(pairs, sizeof(*finding->full_ticks));
	finding->delays = calloc(sample->count, sizeof(*finding->delays));
	finding->requests = calloc(sample->count, sizeof(*finding->requests));
	finding->grants = calloc(sample->count, sizeof(*finding->grants));
	finding->gaps = calloc(sample->count, sizeof(*finding->gaps));
	if (!finding->rules || !finding->data_ticks || !finding->full_ticks || !finding->delays || !finding->requests ||
	    !finding->grants || !finding->gaps)
		return tr_no_memory(err, "%u nodes", finding->out->nodes);
	for (size_t i = 0; i < sample->count; i++)
		if (sample->payload_B[i] > finding->largest_B) {
			finding->largest_B = sample->payload_B[i];
			finding->out->flow.segment_B = sample->payload_B[i];
			finding->out->flow.header_B = (double)sample->wire_B[i] - sample->payload_B[i];
		}
	for (size_t i = 0; i < pairs; i++) {
		rule_open(&finding->rules[i], finding->largest_B, (int64_t)(USUAL_GAP_S * sample->ticks_per_s) + 1);
		finding->data_ticks[i] = finding->full_ticks[i] = -1;
	}
	for (size_t i = 0; i < sample->count; i++)
		if (take(finding, i, err) != TR_OK)
			return TR_ERROR;
	if (finish(finding, err) != TR_OK)
		return TR_ERROR;
	if (finding->out->count == 0)
		return tr_fail(err, "no messages in the packets");
	if (mend_requests(finding->out, err) != TR_OK)
		return TR_ERROR;
	program_trace_sort(finding->out);
	measure_flow(finding);
	return TR_OK;
}

enum tr_status program_trace_find(struct program_trace *out, const struct packet_sample *sample, const uint32_t *ranks,
				  uint32_t nodes, struct tr_error *err)
{
	struct finding finding = {.out = out, .sample = sample, .ranks = ranks};
	enum tr_status status;

	out->nodes = nodes;
	out->ticks_per_s = sample->ticks_per_s;
	status = find(&finding, err);
	free(finding.rules);
	free(finding.data_ticks);
	free(finding.full_ticks);
	free(finding.delays);
	free(finding.requests);
	free(finding.grants);
	free(finding.gaps);
	return status;
}
