// SPDX-License-Identifier: GPL-3.0-or-later
// Flows are sorted by rank, then by peer, for binary search.
#include "program/tcp.h"

#include <stdlib.h>

#define DRAWS_BITS 38 // of a flow

// Where a rank has flows to all others, its number tells which is which.
uint32_t flow_find(const struct program *program, uint32_t from, uint32_t to)
{
	uint32_t low = program->mpi.first_flow[from];
	uint32_t high = program->mpi.first_flow[from + 1];

	if (from == to)
		return program->mpi.flow_count + from;
	if (high - low == program->goal->ranks - 1)
		return low + to - (to > from);
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (program->mpi.flows[middle].to <= to)
			low = middle;
		else
			high = middle;
	}
	return low;
}

static void connect_flow(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];

	flow->stage = FLOW_OPENING;
	program->mpi.flows[flow->back].stage = FLOW_OPENING;
	flow_note(program, number, NOTE_SYN);
}

void flows_connect(struct program *program, uint32_t rank)
{
	const uint32_t *first = program->mpi.first_flow;

	if (!program->params.mpi.on || !program->params.mpi.connects_first)
		return;
	for (uint32_t i = first[rank]; i < first[rank + 1]; i++)
		if (rank < program->mpi.flows[i].to)
			connect_flow(program, i);
}

void flow_resume(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];
	struct chain *outbox = &program->ranks[flow->from].outbox;

	if (flow->sending || flow->messages.first == NOTHING || flow->stage != FLOW_OPEN ||
	    !tcp_has_window(program, number))
		return;
	flow->sending = true;
	flow->next_sending = NOTHING;
	CHAIN_APPEND(outbox, program->mpi.flows, next_sending, number);
	outbox_join(program, flow->from);
}

// The flow that carries the message at its stage.
static uint32_t mpi_flows_flow_of(const struct program *program, const struct message *message)
{
	bool back = message->stage == STAGE_REPLY;

	return flow_find(program, back ? message->destination : message->source,
			 back ? message->source : message->destination);
}

void flow_add(struct program *program, uint32_t number)
{
	struct message *message = &program->pool.messages[number];
	uint32_t place = mpi_flows_flow_of(program, message);
	struct flow *flow = &program->mpi.flows[place];

	CHAIN_APPEND(&flow->messages, program->pool.messages, next, number);
	if (program->mpi.tcp)
		tcp_rest(program, place);
	if (flow->stage == FLOW_CLOSED)
		connect_flow(program, place);
	if (program->params.mpi.envelope_apart && message->stage == STAGE_EAGER &&
	    program->goal->ops[message->send].size > 0)
		flow_note(program, place, NOTE_ENVELOPE);
	flow_resume(program, place);
}

// A flow that has sent notes meanwhile may have exhausted its window.
uint32_t flow_message(struct program *program, uint32_t rank)
{
	struct chain *outbox = &program->ranks[rank].outbox;

	if (program->ranks[rank].paced)
		return NOTHING;
	for (; outbox->first != NOTHING;
	     outbox->first = program->mpi.flows[outbox->first].next_sending) {
		struct flow *flow = &program->mpi.flows[outbox->first];

		if (tcp_has_window(program, outbox->first))
			return flow->messages.first;
		flow->sending = false;
	}
	return NOTHING;
}

// The flow's next draw from the law: a block of its own of one random stream, so that the order of
// events does not matter.
static int64_t mpi_flows_draw(struct program *program, const struct net_law *times, uint32_t number)
{
	return times->count == 0 ? 0
				 : net_law_draw(times, &program->mpi.random,
						(uint64_t)number << DRAWS_BITS |
							program->mpi.flows[number].drawn++);
}

static int64_t mpi_flows_draw_of(struct program *program, const struct net_law *times,
				 uint32_t message)
{
	return times->count == 0
		       ? 0
		       : mpi_flows_draw(
				 program, times,
				 mpi_flows_flow_of(program, &program->pool.messages[message]));
}

int64_t flow_answer_ticks(struct program *program, uint32_t message)
{
	return mpi_flows_draw_of(program, &program->params.mpi.answer, message);
}

int64_t flow_receive_ticks(struct program *program, uint32_t message)
{
	return mpi_flows_draw_of(program, &program->params.mpi.receive, message);
}

void flow_pace(struct program *program, uint32_t number)
{
	struct rank *rank = &program->ranks[number];

	if (program->params.mpi.rdma.on && rank->due_ticks > program->now_ticks) {
		remind(program, rank->due_ticks, program->due.orders++, WHAT_PACE, number);
		return;
	}
	rank->paced = false;
	outbox_join(program, number);
}

void flow_occupy(struct program *program, uint32_t number, uint32_t bytes)
{
	const struct net_wire *wire = &program->params.mpi.rdma.wires[number];
	struct rank *rank = &program->ranks[number];

	if (!program->params.mpi.rdma.wires)
		return;
	if (rank->due_ticks < program->now_ticks)
		rank->due_ticks = program->now_ticks;
	rank->due_ticks = later(program, rank->due_ticks,
				(int64_t)net_wire_B(wire, bytes) * wire->byte_ticks);
	if (!rank->paced)
		remind(program, rank->due_ticks, program->due.orders++, WHAT_PACE, number);
	rank->paced = true;
}

// A data packet of the flow leaves, and the host's next waits as for the tokens of a bucket that
// holds those of a burst (tc-tbf(8)). If it must wait behind a packet of the same message, it is
// late as the law says.
static void set_pace(struct program *program, uint32_t number, uint32_t bytes, bool whole)
{
	const struct program_mpi *mpi = &program->params.mpi;
	struct rank *rank = &program->ranks[program->mpi.flows[number].from];
	int64_t due = program->now_ticks - (mpi->burst_packets - 1) * mpi->pace_ticks;
	__int128 cost = (__int128)mpi->pace_ticks * bytes / outbox_segment_bytes(program);

	if (mpi->pace_ticks == 0)
		return;
	if (due > rank->due_ticks)
		rank->due_ticks = due;
	rank->due_ticks = later(program, rank->due_ticks, (int64_t)cost);
	due = rank->due_ticks;
	if (due <= program->now_ticks)
		return;
	if (!whole)
		due = later(program, due, mpi_flows_draw(program, &mpi->late, number));
	rank->paced = true;
	remind(program, due, program->due.orders++, WHAT_PACE, program->mpi.flows[number].from);
}

// The last of a large message has been sent: its send ends now, unless the processor is still at
// it. It waited for this if it did nothing else.
static void end_send(struct program *program, uint32_t number)
{
	const struct message *message = &program->pool.messages[number];
	int64_t *cpu = cpu_free(program, message->source, program->goal->ops[message->send].cpu);
	int64_t end_ticks = message->free_ticks > program->now_ticks ? message->free_ticks
								     : program->now_ticks;

	if (*cpu < end_ticks) {
		program->ranks[message->source].sums.wait_network_ticks += end_ticks - *cpu;
		*cpu = end_ticks;
	}
	path_sent(program, number, end_ticks);
	operation_end(program, message->send, end_ticks);
}

// The flow's first message has been sent. MPI had a copy of an eager one from the begin.
static void take_off(struct program *program, struct flow *flow)
{
	uint32_t number = flow->messages.first;

	flow->messages.first = program->pool.messages[number].next;
	if (program->pool.messages[number].stage == STAGE_DATA)
		end_send(program, number);
}

// The rank is done: the flow, which has nothing more to send, says goodbye.
static void flow_part(struct program *program, uint32_t number)
{
	if (!program->params.mpi.connected)
		flow_note(program, number, NOTE_CLOSE);
}

// RDMA: the others of the rank send a packet each before the flow that is its first does again.
static void flow_take_turns(struct program *program, struct chain *outbox)
{
	const uint32_t number = outbox->first;
	struct flow *flow = &program->mpi.flows[number];

	if (!program->params.mpi.rdma.on || flow->next_sending == NOTHING)
		return;
	outbox->first = flow->next_sending;
	flow->next_sending = NOTHING;
	program->mpi.flows[outbox->last].next_sending = number;
	outbox->last = number;
}

void flow_sent(struct program *program, uint32_t rank, uint32_t bytes, bool whole)
{
	struct chain *outbox = &program->ranks[rank].outbox;
	uint32_t number = outbox->first;
	struct flow *flow = &program->mpi.flows[number];

	if (whole)
		take_off(program, flow);
	if (whole && flow->messages.first == NOTHING && program->ranks[rank].finished)
		flow_part(program, number);
	set_pace(program, number, bytes, whole);
	if (flow->messages.first != NOTHING && tcp_has_window(program, number)) {
		flow_take_turns(program, outbox);
		return;
	}
	outbox->first = flow->next_sending;
	flow->sending = false;
}

void flow_heard(struct program *program, uint32_t message, uint64_t id)
{
	acknowledge_heard(program, mpi_flows_flow_of(program, &program->pool.messages[message]),
			  id);
}

void flows_finish(struct program *program, uint32_t rank)
{
	program->ranks[rank].finished = true;
	for (uint32_t i = program->mpi.first_flow[rank]; i < program->mpi.first_flow[rank + 1]; i++)
		if (program->mpi.flows[i].stage != FLOW_CLOSED &&
		    program->mpi.flows[i].messages.first == NOTHING)
			flow_part(program, i);
}

// Acknowledgement of MPI's packets. If MPI asks, a request follows each packet and is answered.
// Otherwise TCP acknowledges each n-th packet at once, fewer with the next packet in the other
// direction, or after a delay (Braden, RFC 1122, 4.2.3.2).

// The packet sent on this flow acknowledges what was heard, unless one under way already does.
static void mpi_flows_carry(struct flow *flow, uint64_t id)
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
	struct flow *flow = &program->mpi.flows[number];

	flow->out++;
	if (program->params.mpi.asks)
		flow_note(program, number, NOTE_ASK);
	else if (!program->params.mpi.rdma.on)
		mpi_flows_carry(flow, id);
}

void acknowledge_take(struct program *program, uint32_t number, uint32_t packets)
{
	program->mpi.flows[number].out -= packets;
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
	struct flow *flow = &program->mpi.flows[number];

	flow->ack_ticks = later(program, program->now_ticks, program->params.mpi.ack_delay_ticks);
	if (flow->timer)
		return;
	flow->timer = true;
	remind(program, flow->ack_ticks, program->due.orders++, WHAT_ACK, number);
}

// An acknowledgement is due. The host comes to it now or, as the law says, later, and then to all
// that are due by then.
static void mpi_flows_answer(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];
	const struct net_law *times = &program->params.mpi.ack;

	if (times->count == 0) {
		flow_note(program, number, NOTE_ACK);
	} else if (!flow->answering) {
		flow->answering = true;
		remind(program,
		       later(program, program->now_ticks, mpi_flows_draw(program, times, number)),
		       program->due.orders++, WHAT_ANSWER, number);
	}
}

void acknowledge_count(struct program *program, uint32_t number)
{
	const uint32_t place = program->mpi.flows[number].back;
	struct flow *back = &program->mpi.flows[place];

	if (program->params.mpi.asks)
		return;
	back->heard++;
	if (not_due(program, back) == 1)
		start_timer(program, place);
	if (not_due(program, back) == program->params.mpi.ack_every)
		mpi_flows_answer(program, place);
}

void acknowledge_heard(struct program *program, uint32_t number, uint64_t id)
{
	struct flow *came = &program->mpi.flows[number];

	if (program->params.mpi.asks)
		return;
	if (came->carried > 0 && came->carrier == id) {
		uint32_t carried = came->carried;

		came->carried = 0;
		acknowledge_take(program, came->back, carried);
	}
	acknowledge_count(program, number);
}

void acknowledge_answer(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];

	flow->answering = false;
	while (not_due(program, flow) >= program->params.mpi.ack_every)
		flow_note(program, number, NOTE_ACK);
	if (program->mpi.tcp && not_due(program, flow) > 0)
		start_timer(program, number);
}

void acknowledge_late(struct program *program, uint32_t number)
{
	struct flow *flow = &program->mpi.flows[number];

	flow->timer = false;
	if (flow->heard == 0 || not_due(program, flow) == 0)
		return;
	if (flow->ack_ticks <= program->now_ticks) {
		flow_note(program, number, NOTE_ACK);
		return;
	}
	flow->timer = true;
	remind(program, flow->ack_ticks, program->due.orders++, WHAT_ACK, number);
}
