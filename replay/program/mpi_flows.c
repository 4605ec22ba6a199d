// SPDX-License-Identifier: GPL-3.0-or-later
// Flows are sorted by rank, then by peer, for binary search.
#include "program/mpi_flows.h"

#include <stdlib.h>

#define FLOWS_MAX ((uint64_t)1 << 26)

static const struct chain no_chain = {NOTHING, NOTHING};

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a;
	uint64_t y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static uint64_t pair(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

// All pairs, in order.
static void list_all(uint64_t *pairs, uint32_t ranks)
{
	for (uint32_t from = 0; from < ranks; from++)
		for (uint32_t to = 0; to < ranks; to++)
			if (from != to)
				*pairs++ = pair(from, to);
}

static uint64_t list_sends(uint64_t *pairs, const struct goal_program *goal)
{
	uint64_t count = 0;

	for (uint32_t rank = 0; rank < goal->ranks; rank++)
		for (uint32_t op = goal->first[rank]; op < goal->first[rank + 1]; op++)
			if (goal->ops[op].kind == GOAL_SEND && goal->ops[op].peer != rank) {
				pairs[count++] = pair(rank, goal->ops[op].peer);
				pairs[count++] = pair(goal->ops[op].peer, rank);
			}
	return count;
}

// Both directions of each message, each pair once and sorted; returns how many.
static uint64_t list_used(uint64_t *pairs, const struct goal_program *goal)
{
	uint64_t count = list_sends(pairs, goal);
	uint64_t kept = 0;

	qsort(pairs, count, sizeof(*pairs), by_number);
	for (uint64_t i = 0; i < count; i++)
		if (kept == 0 || pairs[i] != pairs[kept - 1])
			pairs[kept++] = pairs[i];
	return kept;
}

static uint32_t find(const struct program *program, uint32_t from, uint32_t to)
{
	uint32_t low = program->first_flow[from];
	uint32_t high = program->first_flow[from + 1];

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (program->flows[middle].to <= to)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void fill(struct program *program, const uint64_t *pairs, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		program->flows[i] = (struct flow){
			.from = (uint32_t)(pairs[i] >> 32), .to = (uint32_t)pairs[i], .messages = no_chain};
		program->first_flow[program->flows[i].from + 1] = i + 1;
	}
	for (uint32_t rank = 0; rank < program->goal->ranks; rank++)
		if (program->first_flow[rank + 1] < program->first_flow[rank])
			program->first_flow[rank + 1] = program->first_flow[rank];
	for (uint32_t i = 0; i < count; i++)
		program->flows[i].back = find(program, program->flows[i].to, program->flows[i].from);
}

enum tr_status flows_open(struct program *program, struct tr_error *err)
{
	uint32_t ranks = program->goal->ranks;
	bool all = program->params.mpi.connects_first;
	uint64_t count = all ? (uint64_t)ranks * (ranks - 1) : 2 * (uint64_t)program->message_capacity;
	uint64_t *pairs;

	if (all && count > FLOWS_MAX)
		return tr_fail(err, "%s: %u ranks are too many to connect each with all", program->goal->name, ranks);
	pairs = calloc(count + 1, sizeof(*pairs));
	program->first_flow = calloc((size_t)ranks + 1, sizeof(*program->first_flow));
	if (pairs && all)
		list_all(pairs, ranks);
	else if (pairs)
		count = list_used(pairs, program->goal);
	program->flows = count <= FLOWS_MAX ? calloc(count + 1, sizeof(*program->flows)) : NULL;
	if (pairs && program->first_flow && program->flows) {
		fill(program, pairs, (uint32_t)count);
		program->flow_count = (uint32_t)count;
		free(pairs);
		return TR_OK;
	}
	free(pairs);
	return tr_no_memory(err, "%llu connections of %s", (unsigned long long)count / 2, program->goal->name);
}

static void connect_flow(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];

	flow->stage = FLOW_OPENING;
	program->flows[flow->back].stage = FLOW_OPENING;
	flow_note(program, number, NOTE_SYN);
}

void flows_connect(struct program *program)
{
	for (uint32_t i = 0; program->params.mpi.connects_first && i < program->flow_count; i++)
		if (program->flows[i].from < program->flows[i].to)
			connect_flow(program, i);
}

void flows_close(struct program *program)
{
	free(program->flows);
	free(program->first_flow);
}

void flow_resume(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];
	struct chain *outbox = &program->ranks[flow->from].outbox;

	if (flow->sending || flow->messages.first == NOTHING || flow->stage != FLOW_OPEN ||
	    flow->out >= program->params.mpi.window_packets)
		return;
	flow->sending = true;
	flow->next_sending = NOTHING;
	if (outbox->first == NOTHING)
		outbox->first = number;
	else
		program->flows[outbox->last].next_sending = number;
	outbox->last = number;
	outbox_join(program, flow->from);
}

// The flow that carries the message at its stage.
static uint32_t flow_of(const struct program *program, const struct message *message)
{
	bool back = message->stage == STAGE_REPLY;

	return find(program, back ? message->destination : message->source, back ? message->source : message->destination);
}

void flow_add(struct program *program, uint32_t number)
{
	struct message *message = &program->messages[number];
	uint32_t place = flow_of(program, message);
	struct flow *flow = &program->flows[place];

	if (flow->messages.first == NOTHING)
		flow->messages.first = number;
	else
		program->messages[flow->messages.last].next = number;
	flow->messages.last = number;
	if (flow->stage == FLOW_CLOSED)
		connect_flow(program, place);
	if (program->params.mpi.envelope_apart && message->stage == STAGE_EAGER && program->goal->ops[message->send].size > 0)
		flow_note(program, place, NOTE_ENVELOPE);
	flow_resume(program, place);
}

// A flow that has sent notes meanwhile may have exhausted its window.
uint32_t flow_message(struct program *program, uint32_t rank)
{
	struct chain *outbox = &program->ranks[rank].outbox;

	for (; outbox->first != NOTHING; outbox->first = program->flows[outbox->first].next_sending) {
		struct flow *flow = &program->flows[outbox->first];

		if (flow->out < program->params.mpi.window_packets)
			return flow->messages.first;
		flow->sending = false;
	}
	return NOTHING;
}

void flow_sent(struct program *program, uint32_t rank, uint64_t id, bool whole)
{
	struct chain *outbox = &program->ranks[rank].outbox;
	uint32_t number = outbox->first;
	struct flow *flow = &program->flows[number];

	acknowledge_sent(program, number, id);
	if (whole)
		flow->messages.first = program->messages[flow->messages.first].next;
	if (whole && flow->messages.first == NOTHING && program->ranks[rank].finished)
		flow_note(program, number, NOTE_CLOSE);
	if (flow->messages.first != NOTHING && flow->out < program->params.mpi.window_packets)
		return;
	outbox->first = flow->next_sending;
	flow->sending = false;
}

void flow_heard(struct program *program, uint32_t message, uint64_t id)
{
	acknowledge_heard(program, flow_of(program, &program->messages[message]), id);
}

void flows_finish(struct program *program, uint32_t rank)
{
	program->ranks[rank].finished = true;
	for (uint32_t i = program->first_flow[rank]; i < program->first_flow[rank + 1]; i++)
		if (program->flows[i].stage != FLOW_CLOSED && program->flows[i].messages.first == NOTHING)
			flow_note(program, i, NOTE_CLOSE);
}

// Acknowledgement of MPI's packets. If MPI asks, a request follows each packet and is answered. Otherwise TCP acknowledges each
// n-th packet at once, fewer with the next packet in the other direction, or after a delay (Braden, RFC 1122, 4.2.3.2).

// The packet sent on this flow acknowledges what was heard, unless one under way already does.
static void carry(struct flow *flow, uint64_t id)
{
	if (flow->heard == 0 || flow->carried > 0)
		return;
	flow->carried = flow->heard;
	flow->carrier = id;
	flow->heard = 0;
	flow->notes[NOTE_ACK] = 0;
}

void acknowledge_sent(struct program *program, uint32_t number, uint64_t id)
{
	struct flow *flow = &program->flows[number];

	flow->out++;
	if (program->params.mpi.asks)
		flow_note(program, number, NOTE_ASK);
	else
		carry(flow, id);
}

void acknowledge_take(struct program *program, uint32_t number, uint32_t packets)
{
	program->flows[number].out -= packets;
	flow_resume(program, number);
}

// Packets heard for which no acknowledgement is due yet.
static uint32_t not_due(const struct program *program, const struct flow *flow)
{
	uint32_t due = flow->notes[NOTE_ACK] * program->params.mpi.ack_every;

	return flow->heard > due ? flow->heard - due : 0;
}

static void start_timer(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];

	flow->ack_ticks = later(program, program->now_ticks, program->params.mpi.ack_delay_ticks);
	if (flow->timer)
		return;
	flow->timer = true;
	remind(program, flow->ack_ticks, program->orders++, WHAT_ACK, number);
}

void acknowledge_heard(struct program *program, uint32_t number, uint64_t id)
{
	struct flow *came = &program->flows[number];
	struct flow *back = &program->flows[came->back];

	if (program->params.mpi.asks)
		return;
	if (came->carried > 0 && came->carrier == id) {
		uint32_t carried = came->carried;

		came->carried = 0;
		acknowledge_take(program, came->back, carried);
	}
	back->heard++;
	if (not_due(program, back) == 1)
		start_timer(program, came->back);
	if (not_due(program, back) == program->params.mpi.ack_every)
		flow_note(program, came->back, NOTE_ACK);
}

void acknowledge_late(struct program *program, uint32_t number)
{
	struct flow *flow = &program->flows[number];

	flow->timer = false;
	if (flow->heard == 0 || not_due(program, flow) == 0)
		return;
	if (flow->ack_ticks <= program->now_ticks) {
		flow_note(program, number, NOTE_ACK);
		return;
	}
	flow->timer = true;
	remind(program, flow->ack_ticks, program->orders++, WHAT_ACK, number);
}
