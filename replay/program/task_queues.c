// SPDX-License-Identifier: GPL-3.0-or-later
// Scheduling of a rank's processor.
#include "program/state.h"

enum queue_kind { QUEUE_CALC, QUEUE_SEND, QUEUE_ARRIVAL };

struct queue_place {
	uint32_t rank;
	enum queue_kind kind;
	unsigned cpu;
	unsigned nic;
};

int64_t *cpu_free(struct program *program, uint32_t rank, unsigned cpu)
{
	return &program->processors.cpu_free_ticks[(size_t)rank * program->goal->cpus + cpu];
}

int64_t *send_free(struct program *program, uint32_t rank, unsigned nic)
{
	return &program->processors.send_free_ticks[(size_t)rank * program->goal->nics + nic];
}

int64_t *receive_free(struct program *program, uint32_t rank, unsigned nic)
{
	return &program->processors.receive_free_ticks[(size_t)rank * program->goal->nics + nic];
}

// The queues of a rank: computations, then sends, then arrivals.
static uint32_t queue_at(const struct program *program, struct queue_place place)
{
	uint32_t cpus = program->goal->cpus;
	uint32_t nics = program->goal->nics;
	uint32_t within = place.cpu;

	if (place.kind != QUEUE_CALC)
		within = cpus + ((uint32_t)place.kind - QUEUE_SEND) * cpus * nics +
			 place.cpu * nics + place.nic;
	return place.rank * program->processors.queues_per_rank + within;
}

static struct queue_place queue_place_of(const struct program *program, uint32_t queue)
{
	uint32_t cpus = program->goal->cpus;
	uint32_t nics = program->goal->nics;
	uint32_t within = queue % program->processors.queues_per_rank;
	struct queue_place place = {.rank = queue / program->processors.queues_per_rank,
				    .cpu = within};

	if (within < cpus)
		return place;
	within -= cpus;
	place.kind = within < cpus * nics ? QUEUE_SEND : QUEUE_ARRIVAL;
	within %= cpus * nics;
	place.cpu = within / nics;
	place.nic = within % nics;
	return place;
}

// Earliest start of the queue's tasks.
static int64_t gate(struct program *program, uint32_t queue)
{
	const struct queue_place place = queue_place_of(program, queue);
	int64_t cpu = *cpu_free(program, place.rank, place.cpu);
	int64_t nic = INT64_MIN;

	if (place.kind == QUEUE_SEND)
		nic = *send_free(program, place.rank, place.nic);
	else if (place.kind == QUEUE_ARRIVAL)
		nic = *receive_free(program, place.rank, place.nic);
	return cpu > nic ? cpu : nic;
}

static uint64_t order_of(const struct program *program, uint32_t task)
{
	return order_now(program, is_message(task) ? message_of(program, task)->order
						   : program->ops.all[task].order);
}

static void wake_at(struct program *program, uint32_t queue, int64_t ticks)
{
	program->processors.queues[queue].awake = true;
	remind(program, ticks > program->now_ticks ? ticks : program->now_ticks,
	       order_of(program, program->processors.queues[queue].tasks.first), WHAT_QUEUE, queue);
}

// Tasks that come before the rank has begun wait for it.
static void wake(struct program *program, uint32_t queue)
{
	if (!program->processors.queues[queue].awake &&
	    program->ranks[queue / program->processors.queues_per_rank].greetings == 0)
		wake_at(program, queue, gate(program, queue));
}

static void queue_append(struct program *program, uint32_t queue, uint32_t task)
{
	struct chain *tasks = &program->processors.queues[queue].tasks;

	*task_next(program, task) = NOTHING;
	if (tasks->first == NOTHING)
		tasks->first = task;
	else
		*task_next(program, tasks->last) = task;
	tasks->last = task;
	wake(program, queue);
}

void queues_begin(struct program *program, uint32_t rank)
{
	uint32_t queue = rank * program->processors.queues_per_rank;

	for (uint32_t end = queue + program->processors.queues_per_rank; queue < end; queue++)
		if (program->processors.queues[queue].tasks.first != NOTHING)
			wake(program, queue);
}

void queue_add_op(struct program *program, uint32_t op)
{
	const struct goal_op *what = &program->goal->ops[op];
	const struct queue_place place = {.rank = rank_of(program, op),
					  .cpu = what->cpu,
					  .nic = what->nic,
					  .kind = what->kind == GOAL_SEND ? QUEUE_SEND
									  : QUEUE_CALC};
	uint32_t queue = queue_at(program, place);
	int64_t ready = program->ops.all[op].ready_ticks;

	if (ready > program->now_ticks && ready > gate(program, queue))
		remind(program, ready, program->ops.all[op].order, WHAT_READY, op);
	else
		queue_append(program, queue, op);
}

static void queue_add_message(struct program *program, uint32_t message, uint32_t rank,
			      enum queue_kind kind)
{
	const struct goal_op *send = &program->goal->ops[program->pool.messages[message].send];
	const struct queue_place place = {
		.rank = rank, .kind = kind, .cpu = send->cpu, .nic = send->nic};

	queue_append(program, queue_at(program, place), message | TASK_MESSAGE);
}

void queue_add_send(struct program *program, uint32_t message)
{
	const struct message *what = &program->pool.messages[message];

	queue_add_message(program, message,
			  what->stage == STAGE_REPLY ? what->destination : what->source,
			  QUEUE_SEND);
}

void queue_add_arrival(struct program *program, uint32_t message)
{
	const struct message *what = &program->pool.messages[message];

	queue_add_message(program, message,
			  what->stage == STAGE_REPLY ? what->source : what->destination,
			  QUEUE_ARRIVAL);
}

// Attributes the processor's idle time since its last task. asked_ticks: when the task became
// available.
static void account_idle(struct program *program, const struct queue_place *place, uint32_t task)
{
	struct program_rank *sums = &program->ranks[place->rank].sums;
	int64_t from = *cpu_free(program, place->rank, place->cpu);
	int64_t now = program->now_ticks;
	int64_t asked;

	if (from >= now)
		return;
	if (place->kind == QUEUE_ARRIVAL) {
		const struct message *message = message_of(program, task);
		int64_t handed = message->handed_ticks < from ? from : message->handed_ticks;

		asked = message->arrived_ticks < from ? from : message->arrived_ticks;
		sums->wait_sender_ticks += handed - from;
		sums->wait_network_ticks += asked - handed;
		if (message->stage != STAGE_REPLY)
			matching_wait(program, message, handed - from, asked - handed);
	} else {
		asked = is_message(task) ? now : program->ops.all[task].ready_ticks;
		asked = asked < from ? from : asked > now ? now : asked;
		sums->wait_rank_ticks += asked - from;
	}
	sums->wait_gap_ticks += now - asked;
}

static void execute(struct program *program, const struct queue_place *place, uint32_t task)
{
	const struct path_start start = {.task = task,
					 .rank = place->rank,
					 .cpu = place->cpu,
					 .nic = place->nic,
					 .sends = place->kind == QUEUE_SEND,
					 .receives = place->kind == QUEUE_ARRIVAL};

	path_begin(program, &start);
	if (place->kind == QUEUE_ARRIVAL)
		message_receive(program, task & ~TASK_MESSAGE);
	else
		operation_execute(program, task);
	path_end(program, &start);
}

void queue_wake(struct program *program, uint32_t queue)
{
	struct chain *tasks = &program->processors.queues[queue].tasks;
	const struct queue_place place = queue_place_of(program, queue);
	int64_t open = gate(program, queue);
	uint32_t task = tasks->first;

	if (open > program->now_ticks) {
		wake_at(program, queue, open);
		return;
	}
	tasks->first = *task_next(program, task);
	program->processors.queues[queue].awake = false;
	account_idle(program, &place, task);
	execute(program, &place, task);
	if (tasks->first != NOTHING && !program->processors.queues[queue].awake)
		wake_at(program, queue, gate(program, queue));
}
