// SPDX-License-Identifier: GPL-3.0-or-later
// A message from its send to its receive. An eager one travels directly; a larger one sends a
// request, waits for the reply sent when the receive is matched, and then travels.
#include "program/mpi_flows.h"
#include "program/divided.h"

static int64_t bytes_ticks(const struct sim_pace *pace, uint64_t bytes)
{
	return bytes > 1 ? sim_pace_ticks(pace, (int64_t)(bytes - 1)) : 0;
}

static uint64_t messages_size_of(const struct program *program, const struct message *message)
{
	return program->goal->ops[message->send].size;
}

// Bytes that cost time when sent or received at this stage.
static uint64_t stage_bytes(const struct program *program, const struct message *message)
{
	if (message->stage == STAGE_REQUEST || message->stage == STAGE_REPLY)
		return 0;
	return messages_size_of(program, message);
}

static uint32_t messages_take_message(struct program *program)
{
	uint32_t message = program->pool.free_message;

	if (message == NOTHING && program->pool.fresh_message == program->pool.fresh_end)
		parts_next_numbers(program);
	if (message == NOTHING)
		return program->pool.fresh_message++;
	program->pool.free_message = program->pool.messages[message].next;
	return message;
}

void message_due(struct program *program, uint32_t number, struct lineup *lineup, enum what what)
{
	const struct message *message = &program->pool.messages[number];

	if (!lineup_add(program, lineup, number))
		remind(program, message->due_ticks, order_now(program, message->order), what,
		       number);
}

// Takes processor and interface to send the message at its stage, and hands it over an overhead
// later. Returns when the processor is free again.
static int64_t put_out(struct program *program, uint32_t number, uint32_t rank)
{
	const struct program_params *params = &program->params;
	struct message *message = &program->pool.messages[number];
	const struct goal_op *send = &program->goal->ops[message->send];
	uint64_t bytes = stage_bytes(program, message);
	int64_t busy = params->overhead_ticks + bytes_ticks(&params->overhead_byte, bytes);
	int64_t gap = params->gap_ticks + bytes_ticks(&params->gap_byte, bytes);
	int64_t *cpu = cpu_free(program, rank, send->cpu);

	*cpu = later(program, program->now_ticks, busy);
	*send_free(program, rank, send->nic) = later(program, program->now_ticks, gap);
	program->ranks[rank].sums.send_ticks += busy;
	message->due_ticks = later(program, program->now_ticks, params->overhead_ticks);
	if (params->mpi.on && (message->stage == STAGE_REPLY || message->stage == STAGE_DATA))
		message->due_ticks = later(program, message->due_ticks,
					   flow_answer_ticks(program, number));
	message_due(program, number, &program->due.hands, WHAT_HAND);
	return *cpu;
}

void message_send(struct program *program, uint32_t op)
{
	const struct goal_op *send = &program->goal->ops[op];
	uint32_t number = messages_take_message(program);
	uint32_t rank = rank_of(program, op);
	int64_t end_ticks;

	program->pool.messages[number] = (struct message){
		.order = program->due.orders++,
		.begun_ticks = program->now_ticks,
		.send = op,
		.recv = NOTHING,
		.source = rank,
		.destination = send->peer,
		.stage = send->size > program->params.eager_bytes ? STAGE_REQUEST : STAGE_EAGER};
	program->totals.sent++;
	program->ranks[rank].sums.sent++;
	program->ranks[rank].sums.sent_bytes += send->size;
	path_of_message(program, number);
	end_ticks = put_out(program, number, rank);
	if (program->pool.messages[number].stage == STAGE_EAGER)
		operation_end(program, op, end_ticks);
	else
		program->totals.controls++;
}

void message_send_on(struct program *program, uint32_t number)
{
	struct message *message = &program->pool.messages[number];

	if (message->stage == STAGE_REPLY) {
		put_out(program, number, message->destination);
		program->totals.controls++;
	} else {
		message->free_ticks = put_out(program, number, message->source);
		// With MPI it ends when the last of it is sent (mpi_flows.c).
		if (!program->params.mpi.on || message->source == message->destination)
			operation_end(program, message->send, message->free_ticks);
	}
}

void message_hand(struct program *program, uint32_t number)
{
	struct message *message = &program->pool.messages[number];

	message->handed_ticks = program->now_ticks;
	if (message->source == message->destination)
		message_arrive(program, number);
	else
		outbox_add(program, number);
}

void message_arrive(struct program *program, uint32_t number)
{
	const struct message *message = &program->pool.messages[number];

	matching_expect(program, message->destination, message->source,
			program->goal->ops[message->send].tag);
	program->pool.messages[number].arrived_ticks = program->now_ticks;
	queue_add_arrival(program, number);
}

// Completes the message, which its receive has got.
static void messages_complete(struct program *program, uint32_t number, int64_t end_ticks)
{
	struct message *message = &program->pool.messages[number];
	const struct goal_op *send = &program->goal->ops[message->send];
	const struct tr_message record = {
		.begin_ticks = message->begun_ticks,
		.end_ticks = end_ticks,
		.id = program->totals.messages++,
		.size_bytes = send->size,
		.src = message->source,
		.dst = message->destination,
		.tag = (int32_t)send->tag,
		.operation = TR_OP_SEND,
		.flags = send->size > program->params.eager_bytes ? TR_MESSAGE_RENDEZVOUS
								  : TR_MESSAGE_EAGER,
		.src_rank = message->source,
		.dst_rank = message->destination,
	};

	program->totals.message_bytes += send->size;
	if (program->log)
		part_log_message(program, &record);
	else if (program->listener.message && program->status == TR_OK)
		program->status = program->listener.message(program->listener.context, &record,
							    program->err);
	operation_end(program, message->recv, end_ticks);
	message->send = NOTHING;
	message->next = program->pool.free_message;
	program->pool.free_message = number;
}

static void send_next_stage(struct program *program, uint32_t number, enum stage stage)
{
	program->pool.messages[number].stage = (uint8_t)stage;
	program->pool.messages[number].order = program->due.orders++;
	queue_add_send(program, number);
}

void message_meet(struct program *program, uint32_t number, uint32_t recv, int64_t end_ticks)
{
	program->pool.messages[number].recv = recv;
	program->ops.all[recv].state = OP_BEGUN;
	path_meet(program, number, recv);
	if (program->pool.messages[number].stage == STAGE_EAGER)
		messages_complete(program, number, end_ticks);
	else
		send_next_stage(program, number, STAGE_REPLY);
}

// A message or a request is matched with a receive, or kept.
static void look_for_receive(struct program *program, uint32_t number)
{
	uint32_t recv = matching_take_posted(program, &program->pool.messages[number]);

	if (recv == NOTHING)
		matching_keep(program, number);
	else
		message_meet(program, number, recv, program->pool.messages[number].arrived_ticks);
}

void message_receive(struct program *program, uint32_t number)
{
	const struct program_params *params = &program->params;
	struct message *message = &program->pool.messages[number];
	const struct goal_op *send = &program->goal->ops[message->send];
	uint32_t rank = message->stage == STAGE_REPLY ? message->source : message->destination;
	uint64_t bytes = stage_bytes(program, message);
	int64_t work = bytes_ticks(&params->overhead_byte, bytes);
	int64_t gap = bytes_ticks(&params->gap_byte, bytes);
	int64_t busy = params->overhead_ticks + (work > gap ? work : gap);
	int64_t *cpu = cpu_free(program, rank, send->cpu);

	*cpu = later(program, program->now_ticks, busy);
	*receive_free(program, rank, send->nic) = later(program, program->now_ticks,
							params->gap_ticks + gap);
	program->ranks[rank].sums.receive_ticks += busy;
	message->arrived_ticks = *cpu;
	if (message->stage == STAGE_REPLY)
		send_next_stage(program, number, STAGE_DATA);
	else if (message->stage == STAGE_DATA)
		messages_complete(program, number, *cpu);
	else
		look_for_receive(program, number);
}
