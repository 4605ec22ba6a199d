// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/families/program/program_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/families/messages/messages_found.h"
#include "gen/families/program/program_stalls.h"
#include "value/grow.h"
#include "value/order.h"

#define STALL 2.5   // a gap of more upper quartiles is none within a train
#define AT_ONCE 0.5 // a gap of a burst is below this part of the pace
#define ALIKE 0.02  // sizes within this part of one another may be of one kind
#define RARELY 0.25
#define USUAL_WAITS \
	10.0 // a request that waits longer than so many usual ones, and this time, waits for its
	     // receiver or is none
#define USUAL_WAIT_S 0.01

enum tr_status program_trace_add(struct program_trace *trace, const struct program_found *found,
				 struct tr_error *err)
{
	if (!GROW(trace->found, trace->capacity, trace->count))
		return tr_no_memory(err, "%zu messages", trace->count);
	trace->found[trace->count++] = *found;
	return TR_OK;
}

static int program_trace_by_begin(const void *a, const void *b)
{
	const struct program_found *x = a, *y = b;

	ORDER_BY(x->begin_ticks, y->begin_ticks);
	ORDER_BY(x->src, y->src);
	return ORDER(x->dst, y->dst);
}

void program_trace_sort(struct program_trace *trace)
{
	if (trace->count > 0)
		qsort(trace->found, trace->count, sizeof(*trace->found), program_trace_by_begin);
}

void program_trace_clear(struct program_trace *trace)
{
	free(trace->found);
	*trace = (struct program_trace){.found = NULL};
}

// The rank of a model's node.
static uint32_t *program_trace_ranks_of(const struct message_search *search, const uint32_t *ranks)
{
	uint32_t *out = calloc((size_t)search->nodes + 1, sizeof(*out));

	for (uint32_t i = 0; out && i < search->sample->people.count; i++)
		if (search->number[i] < search->nodes)
			out[search->number[i]] = ranks[i];
	return out;
}

// Takes the messages between ranks, whole again where they stopped.
static enum tr_status take_messages(struct program_trace *trace,
				    const struct message_search *search, const uint32_t *ranks,
				    struct tr_error *err)
{
	for (size_t i = 0; i < search->found_count; i++) {
		const struct rule_message *of = &search->found[i].of;
		const struct program_found found = {
			.begin_ticks = of->begin_ticks,
			.first_ticks = of->first_ticks,
			.end_ticks = of->end_ticks,
			.bytes = of->payload_B,
			.packets = of->segments,
			.src = ranks[search->found[i].src],
			.dst = ranks[search->found[i].dst],
			.grant_ticks = of->answer_B > 0 ? of->answered_ticks : of->first_ticks,
			.granted = of->requested,
			.small = of->small};

		if (found.src == UINT32_MAX || found.dst == UINT32_MAX)
			continue;
		if (search->found[i].part) {
			trace->found[trace->count - 1].end_ticks = found.end_ticks;
			trace->found[trace->count - 1].bytes += found.bytes;
		} else if (program_trace_add(trace, &found, err) != TR_OK) {
			return TR_ERROR;
		}
	}
	for (size_t i = 0; i < trace->count; i++)
		trace->all.bytes += (double)trace->found[i].bytes;
	trace->all.messages = trace->count;
	return trace->count > 0 ? TR_OK : tr_fail(err, "no messages in the packets");
}

// Sorts gaps within messages. Returns how many are none of a stall of the sender: beyond a multiple
// of the upper quartile.
static size_t flowing_gaps(struct column *gaps)
{
	const size_t shorts = column_shorts(gaps, column_mean(gaps, 0, gaps->count));
	size_t kept = shorts;

	while (kept < gaps->count &&
	       gaps->values[kept] <= STALL * gaps->values[shorts + (gaps->count - shorts) / 2])
		kept++;
	return kept;
}

// Adds the gaps at this place of messages whose sender was idle before (0: those at none of the
// first places, as many as the burst has).
static void add_gaps(struct column *out, const struct column *gaps, const struct column *places,
		     double place, double burst)
{
	for (size_t i = 0; i < gaps->count; i++) {
		const double own = places->values[i];

		if (place > 0 ? own == place : own < 0 || own > burst)
			column_add(out, gaps->values[i]);
	}
}

// Whether a message has more full packets than the burst.
static bool has_beyond(const struct column *places, double burst)
{
	for (size_t i = 0; i < places->count; i++)
		if (places->values[i] > burst)
			return true;
	return false;
}

// The same of both columns. Where no message shows those at none of the first places, what the last
// packets of some tell that are not full.
static struct column burst_gaps_of(const struct message_search *search, double place, double burst)
{
	struct column out = {.values = NULL};

	if (place > 0 || search->tails[1].count == 0 || has_beyond(&search->places[0], burst) ||
	    has_beyond(&search->places[1], burst)) {
		add_gaps(&out, &search->gaps, &search->places[0], place, burst);
		add_gaps(&out, &search->first_gaps, &search->places[1], place, burst);
	} else {
		for (size_t i = 0; i < search->tails[1].count; i++)
			column_add(&out, search->tails[1].values[i]);
	}
	return out;
}

// How many packets after its first one an idle port sends at once, as a token bucket lets it: the
// first gaps of a message, while they are short beside the later ones and those of a busy port.
// *gap_ticks: theirs.
static double measure_burst(const struct message_search *search, double *gap_ticks)
{
	double burst = 0;
	bool more = true;

	for (; more; burst += more) {
		struct column here = burst_gaps_of(search, burst + 1, 0),
			      others = burst_gaps_of(search, 0, burst + 1);
		const double middle_ticks = column_middle(&here);

		more = here.count > 0 &&
		       middle_ticks < AT_ONCE * column_mean(&others, 0, flowing_gaps(&others));
		if (more && burst == 0)
			*gap_ticks = middle_ticks;
		free(here.values);
		free(others.values);
	}
	return burst;
}

// Gaps of a message are in order, after the first one, which has a column of its own.
static void count_stalls(const struct message_search *search, double most_ticks,
			 struct program_stall_counts *counts)
{
	double before = 0, since = 0; // packets before the last gap; those since the last stall or
				      // the message's begin

	for (size_t i = 0; i < search->first_gaps.count; i++)
		program_stall_note(counts, 1, search->first_gaps.values[i] > most_ticks);
	for (size_t i = 0; i < search->gaps.count; i++) {
		const bool stall = search->gaps.values[i] > most_ticks;
		const double place = fabs(search->places[0].values[i]);

		since = place == before + 1 ? since + 1 : place;
		program_stall_note(counts, (uint64_t)since, stall);
		since = stall ? 0 : since;
		before = place;
	}
}

// Pace, burst, pairs and stalls.
static enum tr_status measure_gaps(struct program_trace *trace, const struct message_search *search,
				   struct tr_error *err)
{
	struct program_flow *flow = &trace->flow;
	struct program_stall_counts counts = {.gaps = {0}};
	struct column gaps = burst_gaps_of(search, 0, 1);
	const double ticks_per_s = trace->ticks_per_s;
	double pace_ticks, gap_ticks = 0;
	const double burst = measure_burst(search, &gap_ticks);
	size_t kept, shorts;

	trace->pace_known = gaps.count > 0 ? PROGRAM_PACE_SHOWN : PROGRAM_PACE_HIDDEN;
	free(gaps.values);
	gaps = burst_gaps_of(search, 0, burst);
	kept = flowing_gaps(&gaps);
	pace_ticks = column_mean(&gaps, 0, kept);
	shorts = column_shorts(&gaps, pace_ticks);
	flow->pace_s = pace_ticks / ticks_per_s;
	if (shorts > 0) {
		flow->pairs = fmin(0.5, (double)shorts / (double)kept);
		flow->pair_gap_s = column_mean(&gaps, 0, shorts) / ticks_per_s;
	}
	if (burst > 0) {
		flow->burst_B = (burst + 1) * (flow->segment_B + flow->header_B);
		flow->pair_gap_s = gap_ticks / ticks_per_s;
	}
	if (kept < gaps.count) {
		flow->stall_s = (column_mean(&gaps, kept, gaps.count) - pace_ticks) / ticks_per_s;
		count_stalls(search, gaps.values[kept - 1], &counts);
		program_stalls_fit(flow, &counts);
	}
	free(gaps.values);
	return gaps.failed ? tr_no_memory(err, "%zu gaps", search->gaps.count) : TR_OK;
}

static enum tr_status program_trace_measure_flow(struct program_trace *trace,
						 struct message_search *search,
						 struct tr_error *err)
{
	struct program_flow *flow = &trace->flow;
	const double ticks_per_s = trace->ticks_per_s;

	trace->shows_packets = true;
	flow->segment_B = search->segment_B;
	flow->header_B = search->packets > 0 ? round(search->headers_B / search->packets) : 0;
	if (search->packets > 0)
		flow->acks = search->acknowledgements / search->packets;
	flow->ack_s = column_middle(&search->acknowledge_after) / ticks_per_s;
	flow->request_B = column_middle(&search->requests);
	flow->grant_B = column_middle(&search->answers);
	flow->turn_s = column_mean(&search->answer_before, 0, search->answer_before.count) /
		       ticks_per_s;
	return measure_gaps(trace, search, err);
}

// ---- Requests: a protocol asks for all messages of a size or for none.

struct sized {
	double bytes;
	size_t granted; // of this one and those before it
};

static int program_trace_by_size(const void *a, const void *b)
{
	const struct sized *x = a, *y = b;

	return ORDER(x->bytes, y->bytes);
}

// How many of the sorted sizes are below.
static size_t small_below(const struct sized *sizes, size_t count, double bytes)
{
	size_t low = 0, high = count;

	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (sizes[middle].bytes < bytes)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Whether few messages of about this size have a request.
static bool is_rarely_granted(const struct sized *sizes, size_t count, double bytes)
{
	const size_t from = small_below(sizes, count, bytes * (1 - ALIKE)),
		     to = small_below(sizes, count, bytes * (1 + ALIKE));
	const size_t granted = (to > 0 ? sizes[to - 1].granted : 0) -
			       (from > 0 ? sizes[from - 1].granted : 0);

	return (double)granted < RARELY * (double)(to - from);
}

// A request of a message of a size that is rarely requested is another small packet.
static enum tr_status drop_requests(struct program_trace *trace, struct tr_error *err)
{
	struct sized *sizes = calloc(trace->count + 1, sizeof(*sizes));

	if (!sizes)
		return tr_no_memory(err, "%zu messages", trace->count);
	for (size_t i = 0; i < trace->count; i++)
		sizes[i] = (struct sized){(double)trace->found[i].bytes, trace->found[i].granted};
	qsort(sizes, trace->count, sizeof(*sizes), program_trace_by_size);
	for (size_t i = 1; i < trace->count; i++)
		sizes[i].granted += sizes[i - 1].granted;
	for (size_t i = 0; i < trace->count; i++) {
		struct program_found *found = &trace->found[i];

		if (!found->granted ||
		    !is_rarely_granted(sizes, trace->count, (double)found->bytes))
			continue;
		found->granted = false;
		found->begin_ticks = found->grant_ticks = found->first_ticks;
	}
	free(sizes);
	return TR_OK;
}

static int program_trace_by_data(const void *a, const void *b)
{
	const struct program_found *x = a, *y = b;

	ORDER_BY(x->first_ticks, y->first_ticks);
	return program_trace_by_begin(a, b);
}

static double wait_of(const struct program_found *found)
{
	return (double)(found->first_ticks - found->begin_ticks);
}

// Whether a message has waited for its receiver: what that sent and took, with pauses of up to
// slack, goes back to its request.
static bool has_waited(const struct program_trace *trace, size_t message, double slack)
{
	const struct program_found *of = &trace->found[message];
	int64_t busy_ticks = of->first_ticks;

	for (size_t i = message; i-- > 0 && (double)(busy_ticks - of->begin_ticks) > slack;) {
		const struct program_found *other = &trace->found[i];

		if (other->dst != of->dst && other->src != of->dst)
			continue;
		if ((double)(busy_ticks - other->end_ticks) > slack)
			return false;
		busy_ticks = other->first_ticks;
	}
	return (double)(busy_ticks - of->begin_ticks) <= slack;
}

// A request far earlier than is usual, for which its receiver was idle since, is another small
// packet: the message begins as long before its data as usual.
static enum tr_status mend_requests(struct program_trace *trace, struct tr_error *err)
{
	struct column waits = {.values = NULL};
	double usual, slack;

	for (size_t i = 0; i < trace->count; i++)
		if (trace->found[i].granted)
			column_add(&waits, wait_of(&trace->found[i]));
	usual = column_middle(&waits);
	slack = USUAL_WAITS * usual + USUAL_WAIT_S * trace->ticks_per_s;
	free(waits.values);
	if (waits.failed)
		return tr_no_memory(err, "%zu messages", trace->count);
	qsort(trace->found, trace->count, sizeof(*trace->found), program_trace_by_data);
	for (size_t i = 0; i < trace->count; i++) {
		struct program_found *found = &trace->found[i];

		if (!found->granted || wait_of(found) <= slack || has_waited(trace, i, slack))
			continue;
		found->begin_ticks = found->first_ticks - (int64_t)usual;
		if (found->grant_ticks < found->begin_ticks)
			found->grant_ticks = found->begin_ticks;
	}
	return TR_OK;
}

static enum tr_status find_program_trace(struct program_trace *out, struct message_search *search,
					 const uint32_t *ranks, struct tr_error *err)
{
	uint32_t *own = program_trace_ranks_of(search, ranks);
	enum tr_status status = own ? take_messages(out, search, own, err)
				    : tr_no_memory(err, "%u nodes", search->nodes);

	free(own);
	if (status == TR_OK)
		status = drop_requests(out, err);
	if (status == TR_OK)
		status = mend_requests(out, err);
	if (status != TR_OK)
		return status;
	program_trace_sort(out);
	return program_trace_measure_flow(out, search, err);
}

enum tr_status program_trace_find(struct program_trace *out, const struct packet_sample *sample,
				  const uint32_t *ranks, uint32_t nodes, struct tr_error *err)
{
	struct message_search search;
	struct tr_error none;
	enum tr_status status = message_search_run(&search, sample, err);

	out->nodes = nodes;
	out->ticks_per_s = sample->ticks_per_s;
	if (status == TR_OK) {
		out->in_trains = message_search_check(&search, &none) == TR_OK;
		status = find_program_trace(out, &search, ranks, err);
	}
	message_search_clear(&search);
	return status;
}
