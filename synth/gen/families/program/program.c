// SPDX-License-Identifier: GPL-3.0-or-later
// The packets of a parallel program. The messages of an iteration are computed at once
// (program_times.c), then their packets are merged: memory is that of the messages of two
// iterations.
#include <math.h>
#include <stdlib.h>

#include "gen/families/family.h"
#include "gen/families/program/program_times.h"
#include "gen/packet_source.h"
#include "stat/nodes/packet_sample.h"
#include "value/grow.h"
#include "value/heap.h"

#define NEVER INT64_MAX

enum next { NEXT_REQUEST, NEXT_GRANT, NEXT_DATA, NEXT_ACK };

// A message that is being sent.
struct flowing {
	int64_t next_ticks; // of its next packet
	uint64_t number;    // of the message, in the whole run
	uint32_t message;
	uint8_t next, second; // enum next; the last packet was the second of a pair
	struct program_sent sent;
	int64_t data_ticks;	// of the next packet of data; NEVER
	uint64_t packets, acks; // so far
	uint64_t rest_B;
	double ack_sum; // at its begin
	struct program_late late,
		ack_late; // at the next packet of data, and at the one that is acknowledged next
};

struct flow_ticks {
	int64_t ack_delay;
	uint32_t segment_B, header_B, request_B, grant_B;
	double pair_chance; // of a packet that is no second one
};

struct program_train_state {
	struct program_model model;
	struct program_times times;
	struct flow_ticks flow;
	struct tr_random *pairs; // by node
	double *ack_sums;	 // by node that acknowledges messages that bring less than one
	struct flowing *heap;
	size_t count, capacity;
	uint64_t iterations_left, messages, packets;
	int64_t end_ticks, safe_ticks; // packets before safe_ticks can be given
};

static bool program_before(const struct flowing *a, const struct flowing *b)
{
	return a->next_ticks < b->next_ticks ||
	       (a->next_ticks == b->next_ticks && a->number < b->number);
}

HEAP(flowing, struct flowing, program_before);

static enum tr_status program_put(struct program_train_state *state, const struct flowing *flowing,
				  struct tr_error *err)
{
	if (!GROW(state->heap, state->capacity, state->count))
		return tr_no_memory(err, "%zu messages under way", state->count);
	flowing_put(state->heap, state->count++, *flowing);
	return TR_OK;
}

// When the next acknowledgement is due: a packet of data adds acks to a sum that starts at one
// half, or goes on from one short message to the next of a receiver.
static int64_t ack_ticks(const struct program_train_state *state, struct flowing *flowing)
{
	const double acks = state->model.flow.acks;
	const double packets = acks > 0
				       ? ceil(((double)flowing->acks + 1 - flowing->ack_sum) / acks)
				       : INFINITY;

	if (packets > (double)flowing->sent.packets)
		return NEVER;
	return program_times_packet(&state->times.plan, &flowing->sent, &flowing->ack_late,
				    packets > 1 ? (uint64_t)packets - 1 : 0) +
	       state->flow.ack_delay;
}

// Sets what comes next of the message; false: nothing more.
static bool choose_next(const struct program_train_state *state, struct flowing *flowing)
{
	const int64_t ack = ack_ticks(state, flowing);

	flowing->next = ack < flowing->data_ticks ? NEXT_ACK : NEXT_DATA;
	flowing->next_ticks = ack < flowing->data_ticks ? ack : flowing->data_ticks;
	return flowing->next_ticks != NEVER;
}

static enum tr_status start_message(struct program_train_state *state, uint32_t m,
				    struct tr_error *err)
{
	const struct program_plan *plan = &state->times.plan;
	const struct program_train *train = &plan->trains[plan->list.messages[m].train];
	const struct program_sent *sent = &state->times.sent[m];
	const struct program_waits *waits = &plan->waits[m];
	const double acks = (double)sent->packets * state->model.flow.acks;
	double *ack_sum = acks < 1 ? &state->ack_sums[plan->list.messages[m].dst] : NULL;
	struct flowing flowing = {.number = state->messages++,
				  .message = m,
				  .sent = *sent,
				  .data_ticks = sent->begin_ticks,
				  .rest_B = sent->stream_B,
				  .ack_sum = ack_sum ? *ack_sum : 0.5,
				  .late = {.seed = waits->stall_seed},
				  .ack_late = {.seed = waits->stall_seed}};

	if (sent->packets == 0) // it joined another one
		return TR_OK;
	if (ack_sum)
		*ack_sum = fmod(*ack_sum + acks, 1);
	if (train->granted) {
		flowing.next = NEXT_REQUEST;
		flowing.next_ticks = flowing.sent.request_ticks;
	} else {
		(void)choose_next(state, &flowing);
	}
	return program_put(state, &flowing, err);
}

// Computes the next iteration, or finds that there is none.
static enum tr_status program_iterate(struct program_train_state *state, struct tr_error *err)
{
	enum tr_status status = state->iterations_left > 0 ? program_times_next(&state->times)
							   : TR_END;

	state->safe_ticks = NEVER;
	if (status == TR_END)
		return TR_OK;
	state->iterations_left--;
	state->safe_ticks = state->times.least_ticks;
	for (uint32_t m = 0; m < state->times.plan.list.count; m++)
		if (start_message(state, m, err) != TR_OK)
			return TR_ERROR;
	return TR_OK;
}

// Draws when the packet after this one of data comes.
static void program_go_on(struct program_train_state *state, struct flowing *flowing, uint32_t src)
{
	const int64_t gap_ticks = state->times.plan.pace.gap_ticks;
	const uint64_t i = ++flowing->packets;
	int64_t ticks;

	if (i == flowing->sent.packets) {
		flowing->data_ticks = NEVER;
		return;
	}
	ticks = program_times_packet(&state->times.plan, &flowing->sent, &flowing->late, i);
	if (state->times.plan.pace.burst_ticks > 0 && ticks <= flowing->data_ticks + gap_ticks)
		flowing->second = true; // of a burst
	else if ((flowing->second = !flowing->second && flowing->rest_B >= state->flow.segment_B &&
				    state->flow.pair_chance > 0 &&
				    tr_random_unit(&state->pairs[src]) < state->flow.pair_chance))
		ticks = flowing->data_ticks + gap_ticks;
	flowing->data_ticks = ticks;
}

// Makes the packet that comes next. False: it is the message's last.
static bool make_packet(struct program_train_state *state, struct flowing *flowing,
			struct tr_packet *packet)
{
	const struct program_message *message = &state->times.plan.list.messages[flowing->message];
	const bool back = flowing->next == NEXT_GRANT || flowing->next == NEXT_ACK;
	uint32_t payload_B = 0;
	bool more = true;

	*packet = (struct tr_packet){.time_ticks = flowing->next_ticks,
				     .id = state->packets++,
				     .flow = TR_FLOW_NONE,
				     .src = back ? message->dst : message->src,
				     .dst = back ? message->src : message->dst};
	switch ((enum next)flowing->next) {
	case NEXT_REQUEST:
		payload_B = state->flow.request_B;
		flowing->next = NEXT_GRANT;
		flowing->next_ticks = flowing->sent.grant_ticks;
		break;
	case NEXT_GRANT:
		payload_B = state->flow.grant_B;
		(void)choose_next(state, flowing);
		break;
	case NEXT_DATA:
		payload_B = flowing->rest_B < state->flow.segment_B ? (uint32_t)flowing->rest_B
								    : state->flow.segment_B;
		flowing->rest_B -= payload_B;
		program_go_on(state, flowing, message->src);
		more = choose_next(state, flowing);
		break;
	case NEXT_ACK:
		flowing->acks++;
		more = choose_next(state, flowing);
		break;
	}
	packet->payload_bytes = payload_B;
	packet->wire_bytes = source_wire_B(payload_B, state->flow.header_B);
	packet->class = payload_B <= PACKET_SAMPLE_OVERHEAD_MAX ? TR_CLASS_OVERHEAD : TR_CLASS_DATA;
	return more;
}

static enum tr_status program_train_next(void *opaque, struct tr_packet *packets, size_t max,
					 size_t *count, struct tr_error *err)
{
	struct program_train_state *state = opaque;
	size_t n = 0;

	while (n < max) {
		struct flowing flowing;

		if (state->count == 0 || state->heap[0].next_ticks >= state->safe_ticks) {
			if (state->safe_ticks == NEVER)
				break;
			if (program_iterate(state, err) != TR_OK)
				return TR_ERROR;
			continue;
		}
		flowing = state->heap[0];
		if (flowing.next_ticks >= state->end_ticks)
			break;
		if (!make_packet(state, &flowing, &packets[n++]))
			flowing = state->heap[--state->count];
		if (state->count > 0)
			flowing_settle(state->heap, state->count, flowing);
	}
	*count = n;
	return n > 0 ? TR_OK : TR_END;
}

static uint32_t program_train_nodes(const void *state)
{
	return ((const struct program_train_state *)state)->times.plan.nodes;
}

static enum tr_role program_train_node(const void *state, uint32_t id,
				       char address[GENERATOR_NAME_BYTES])
{
	const enum tr_role role = source_worker(state, id, address);

	return id == 0 ? TR_ROLE_CONTROLLER : role;
}

static void program_train_close(void *opaque)
{
	struct program_train_state *state = opaque;

	program_times_close(&state->times);
	program_model_clear(&state->model);
	free(state->pairs);
	free(state->ack_sums);
	free(state->heap);
}

static void program_set_flow(struct program_train_state *state, double ticks_per_s)
{
	const struct program_flow *flow = &state->model.flow;

	state->flow = (struct flow_ticks){
		.ack_delay = source_ticks(flow->ack_s * ticks_per_s),
		.segment_B = (uint32_t)flow->segment_B,
		.header_B = (uint32_t)(flow->header_B + 0.5),
		.request_B = (uint32_t)(flow->request_B + 0.5),
		.grant_B = (uint32_t)(flow->grant_B + 0.5),
		.pair_chance = flow->pairs / (1 - flow->pairs),
	};
}

static enum tr_status program_train_open(void *opaque, const struct model *text,
					 const struct generator_settings *settings,
					 struct tr_error *err)
{
	struct program_train_state *state = opaque;
	const double ticks_per_s = (double)settings->ticks_per_s;

	if (program_model_get(text, &state->model, err) != TR_OK)
		return TR_ERROR;
	if (settings->nodes == 1 || settings->nodes > PROGRAM_NODES_MAX)
		return tr_fail(err, "expected 2 to %u nodes", PROGRAM_NODES_MAX);
	if (settings->nodes > 0)
		state->model.nodes = settings->nodes;
	program_set_flow(state, ticks_per_s);
	state->iterations_left = settings->end_ticks || state->model.iterations == 0
					 ? UINT64_MAX
					 : state->model.iterations;
	state->end_ticks = settings->end_ticks || state->model.duration_s > 0
				   ? source_end_ticks(settings, state->model.duration_s)
				   : NEVER;
	if (program_times_open(&state->times, &state->model, (uint32_t)state->model.nodes,
			       ticks_per_s, settings->seed, err) != TR_OK)
		return TR_ERROR;
	state->pairs = calloc(state->model.nodes, sizeof(*state->pairs));
	state->ack_sums = calloc(state->model.nodes, sizeof(*state->ack_sums));
	if (!state->pairs || !state->ack_sums)
		return tr_no_memory(err, "%llu nodes", (unsigned long long)state->model.nodes);
	for (uint32_t r = 0; r < state->model.nodes; r++) {
		state->ack_sums[r] = 0.5;
		source_streams_open(&(struct source_stream){&state->pairs[r], "pair"}, 1,
				    settings->seed, "node%u", r);
	}
	return TR_OK;
}

static const struct generator_kind generator = {
	.state_bytes = sizeof(struct program_train_state),
	.open = program_train_open,
	.next = program_train_next,
	.nodes = program_train_nodes,
	.node = program_train_node,
	.explain = program_explain,
	.forecast = program_forecast,
	.pairs = program_pairs,
	.close = program_train_close,
};

const struct family program_family = {
	.name = "program",
	.summary = "phases of messages of a parallel program, for any number of nodes",
	.generator = &generator,
	.fit = &program_sample_fit,
};
