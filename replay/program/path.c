// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/program.h"

#include "program/divided.h"
#include "program/repeat.h"

// For a rendezvous message: request sent and received, reply sent and received, data sent and
// received.
#define STEPS_OF_ASKING 6u
#define STEPS_OF_EAGER 2u

static uint32_t count_steps(const struct program *program)
{
	uint64_t steps = 0;

	for (uint32_t i = 0; i < program->goal->op_count; i++) {
		const struct goal_op *op = &program->goal->ops[i];

		if (op->kind != GOAL_SEND)
			steps++;
		else
			steps += op->size > program->params.eager_bytes ? STEPS_OF_ASKING
									: STEPS_OF_EAGER;
	}
	return steps < PROGRAM_NO_STEP ? (uint32_t)steps : PROGRAM_NO_STEP;
}

void path_layout(struct program *program, struct sim_arena *arena)
{
	const struct goal_program *goal = program->goal;
	struct path *path = &program->path;
	size_t cpus = (size_t)goal->ranks * goal->cpus;
	size_t nics = (size_t)goal->ranks * goal->nics;

	path->room = count_steps(program);
	path->steps = sim_arena_take(arena, path->room, sizeof(*path->steps));
	path->op_ready = sim_arena_take(arena, goal->op_count, sizeof(uint32_t));
	path->of_message = sim_arena_take(arena, program->pool.message_capacity, sizeof(uint32_t));
	path->of_cpu = sim_arena_take(arena, cpus, sizeof(uint32_t));
	path->of_send = sim_arena_take(arena, nics, sizeof(uint32_t));
	path->of_receive = sim_arena_take(arena, nics, sizeof(uint32_t));
}

static const struct path_end path_no_end = {-1, PROGRAM_NO_STEP};

static void set_none(uint32_t *steps, size_t count)
{
	for (size_t i = 0; i < count; i++)
		steps[i] = PROGRAM_NO_STEP;
}

void path_fill(struct program *program)
{
	const struct goal_program *goal = program->goal;
	struct path *path = &program->path;

	path->present = PROGRAM_NO_STEP;
	path->last = path->before = path_no_end;
	set_none(path->op_ready, goal->op_count);
	set_none(path->of_message, program->pool.message_capacity);
	set_none(path->of_cpu, (size_t)goal->ranks * goal->cpus);
	set_none(path->of_send, (size_t)goal->ranks * goal->nics);
	set_none(path->of_receive, (size_t)goal->ranks * goal->nics);
}

static uint32_t *cpu_step(const struct program *program, uint32_t rank, unsigned cpu)
{
	return &program->path.of_cpu[(size_t)rank * program->goal->cpus + cpu];
}

static uint32_t *nic_step(const struct program *program, const struct path_start *start)
{
	size_t place = (size_t)start->rank * program->goal->nics + start->nic;

	if (start->sends)
		return &program->path.of_send[place];
	return start->receives ? &program->path.of_receive[place] : NULL;
}

static enum program_does does(const struct program *program, const struct path_start *start)
{
	if (start->receives)
		return PROGRAM_RECEIVES;
	if (!is_message(start->task)) {
		const struct goal_op *op = &program->goal->ops[start->task];

		if (op->kind == GOAL_CALC)
			return PROGRAM_COMPUTES;
		return op->size > program->params.eager_bytes ? PROGRAM_REQUESTS : PROGRAM_SENDS;
	}
	return message_of(program, start->task)->stage == STAGE_REPLY ? PROGRAM_REPLIES
								      : PROGRAM_SENDS;
}

// What triggered the task, and when.
static int64_t set_off(const struct program *program, const struct path_start *start,
		       struct program_step *step)
{
	const struct path *path = &program->path;
	uint32_t number = start->task & ~TASK_MESSAGE;

	if (!is_message(start->task)) {
		step->cause = path->op_ready[start->task];
		step->since = step->cause == PROGRAM_NO_STEP ? PROGRAM_SINCE_START
							     : PROGRAM_SINCE_NEED;
		step->since_ticks = step->cause == PROGRAM_NO_STEP
					    ? 0
					    : program->ops.all[start->task].ready_ticks;
		return program->ops.all[start->task].ready_ticks;
	}
	step->cause = path->of_message[number];
	step->since = start->receives ? PROGRAM_SINCE_MESSAGE : PROGRAM_SINCE_NEED;
	step->since_ticks = path->steps[step->cause].end_ticks;
	if (!start->receives)
		return step->since_ticks;
	// A host that takes its time hands it over later than the step ends.
	if (program->pool.messages[number].handed_ticks < step->since_ticks)
		step->since_ticks = program->pool.messages[number].handed_ticks;
	return program->pool.messages[number].arrived_ticks;
}

// Its cause is the latest of the things that it waited for.
static void path_find_cause(struct program *program, const struct path_start *start,
			    struct program_step *step)
{
	int64_t asked = set_off(program, start, step);
	int64_t cpu = *cpu_free(program, start->rank, start->cpu);
	int64_t nic = INT64_MIN;

	if (start->sends)
		nic = *send_free(program, start->rank, start->nic);
	else if (start->receives)
		nic = *receive_free(program, start->rank, start->nic);
	if (asked >= cpu && asked >= nic)
		return;
	step->since = cpu >= nic ? PROGRAM_SINCE_PROCESSOR : PROGRAM_SINCE_GAP;
	step->cause = cpu >= nic ? *cpu_step(program, start->rank, start->cpu)
				 : *nic_step(program, start);
	if (step->cause == PROGRAM_NO_STEP) { // the rank has just begun
		step->since = PROGRAM_SINCE_START;
		step->since_ticks = 0;
		return;
	}
	step->since_ticks = cpu >= nic ? cpu : program->path.steps[step->cause].begin_ticks;
}

// A message belongs to its send at the source, and to its receive, once known, at the destination.
static uint32_t op_of(const struct program *program, const struct path_start *start)
{
	const struct message *message;

	if (!is_message(start->task))
		return start->task;
	message = message_of(program, start->task);
	return message->recv != NOTHING && start->rank == message->destination ? message->recv
									       : message->send;
}

void path_begin(struct program *program, const struct path_start *start)
{
	struct path *path = &program->path;
	struct program_step *step;

	if (!path->steps)
		return;
	step = &path->steps[path->count];
	step->begin_ticks = program->now_ticks;
	step->rank = start->rank;
	step->cpu = (uint8_t)start->cpu;
	step->op = op_of(program, start);
	step->does = (uint8_t)does(program, start);
	path_find_cause(program, start, step);
	path->present = path->count++;
	if (is_message(start->task))
		path->of_message[start->task & ~TASK_MESSAGE] = path->present;
	*cpu_step(program, start->rank, start->cpu) = path->present;
	if (nic_step(program, start))
		*nic_step(program, start) = path->present;
}

void path_end(struct program *program, const struct path_start *start)
{
	struct path *path = &program->path;

	if (path->steps)
		path->steps[*cpu_step(program, start->rank, start->cpu)].end_ticks = *cpu_free(
			program, start->rank, start->cpu);
}

void path_post(struct program *program, uint32_t op)
{
	struct path *path = &program->path;
	struct program_step *step;

	if (!path->steps)
		return;
	step = &path->steps[path->count];
	*step = (struct program_step){.begin_ticks = program->now_ticks,
				      .end_ticks = program->now_ticks,
				      .since_ticks = program->now_ticks,
				      .op = op,
				      .rank = rank_of(program, op),
				      .cause = path->op_ready[op],
				      .does = PROGRAM_MATCHES,
				      .cpu = program->goal->ops[op].cpu,
				      .since = program->ops.all[op].ready_ticks < program->now_ticks
						       ? PROGRAM_SINCE_PROCESSOR
						       : PROGRAM_SINCE_NEED};
	if (step->cause == PROGRAM_NO_STEP) {
		step->since = PROGRAM_SINCE_START;
		step->since_ticks = 0;
	}
	path->present = path->count++;
}

void path_of_message(struct program *program, uint32_t message)
{
	if (program->path.steps)
		program->path.of_message[message] = program->path.present;
}

void path_of_op(struct program *program, uint32_t op)
{
	if (program->path.steps)
		program->path.op_ready[op] = program->path.present;
}

void path_wait_cpu(struct program *program, uint32_t op, uint32_t rank, unsigned cpu)
{
	if (program->path.steps)
		program->path.op_ready[op] = *cpu_step(program, rank, cpu);
}

void path_taken_in(struct program *program, uint32_t message)
{
	if (program->path.steps)
		program->path.present = program->path.of_message[message];
}

void path_sent(struct program *program, uint32_t message, int64_t end_ticks)
{
	struct path *path = &program->path;

	if (!path->steps)
		return;
	path->present = path->of_message[message];
	path->steps[path->present].end_ticks = end_ticks;
}

void path_meet(struct program *program, uint32_t message, uint32_t recv)
{
	struct path *path = &program->path;

	if (!path->steps)
		return;
	path->steps[path->of_message[message]].op = recv;
	if (program->pool.messages[message].stage == STAGE_REQUEST)
		path->of_message[message] = path->present;
}

// How many steps were left out.
static uint32_t path_skipped(const struct path *path)
{
	return (uint32_t)(path->skip.times * path->skip_steps);
}

void path_finish(struct program *program, int64_t end_ticks)
{
	struct path *path = &program->path;
	const int64_t ticks = end_ticks + program->skipped_ticks;

	if (!path->steps || ticks <= path->last.ticks)
		return;
	path->last = (struct path_end){ticks, path->present + path_skipped(path)};
	if (program->log)
		part_log_last(program);
}

// Where two end at once, it is the first that did.
static struct path_end path_latest(const struct path *path)
{
	return path->last.ticks > path->before.ticks ? path->last : path->before;
}

void path_mark(struct program *program)
{
	struct path *path = &program->path;

	if (!path->steps)
		return;
	path->before = path_latest(path);
	path->last = path_no_end;
}

static void path_renumber(uint32_t *steps, size_t count, const uint32_t *numbers)
{
	for (size_t i = 0; i < count; i++)
		if (steps[i] != PROGRAM_NO_STEP)
			steps[i] = numbers[steps[i]];
}

// Moves the steps into their order. One that was in the way of an earlier one is where that was.
static void path_sort(struct path *path, const uint32_t *places)
{
	for (uint32_t i = 0; i < path->count; i++) {
		const struct program_step step = path->steps[i];
		uint32_t place = places[i];

		while (place < i)
			place = places[place];
		path->steps[i] = path->steps[place];
		path->steps[place] = step;
	}
}

void path_unite(struct program *program, const uint32_t *places, uint32_t *numbers)
{
	const struct goal_program *goal = program->goal;
	struct path *path = &program->path;

	for (uint32_t i = 0; i < path->count; i++)
		numbers[places[i]] = i;
	path_sort(path, places);
	for (uint32_t i = 0; i < path->count; i++)
		path_renumber(&path->steps[i].cause, 1, numbers);
	path_renumber(path->op_ready, goal->op_count, numbers);
	path_renumber(path->of_message, program->pool.message_capacity, numbers);
	path_renumber(path->of_cpu, (size_t)goal->ranks * goal->cpus, numbers);
	path_renumber(path->of_send, (size_t)goal->ranks * goal->nics, numbers);
	path_renumber(path->of_receive, (size_t)goal->ranks * goal->nics, numbers);
	path_renumber(&path->last.step, 1, numbers);
}

void path_skip(struct program *program, uint32_t first, const struct program_repeat *skip)
{
	struct path *path = &program->path;

	if (!path->steps)
		return;
	path->skip = *skip;
	path->skip_first = first;
	path->skip_steps = path->count - first;
	for (uint32_t i = first; i < path->count; i++)
		path->steps[i].op += (uint32_t)skip->times *
				     program->repeat->period[rank_of(program, path->steps[i].op)];
	if (path->last.step == PROGRAM_NO_STEP)
		return;
	path->last.ticks += (int64_t)skip->times * skip->period_ticks;
	path->last.step += path_skipped(path);
}

uint32_t program_last_step(const struct program *program)
{
	return path_latest(&program->path).step;
}

uint32_t program_step_count(const struct program *program)
{
	return program->path.count + path_skipped(&program->path);
}

// A step of a period that was left out, the last of which is 1 before that which was not.
static struct program_step path_left_out(const struct program *program, uint32_t number)
{
	const struct path *path = &program->path;
	const uint32_t after = number - path->skip_first, periods = after / path->skip_steps;
	struct program_step step = path->steps[path->skip_first + after % path->skip_steps];

	step.op -= (uint32_t)(path->skip.times - periods) *
		   program->repeat->period[rank_of(program, step.op)];
	return step;
}

// The same step so many periods later.
static struct program_step path_delayed(const struct path *path, struct program_step step,
					uint64_t periods)
{
	const int64_t ticks = (int64_t)periods * path->skip.period_ticks;

	step.begin_ticks += ticks;
	step.end_ticks += ticks;
	if (step.cause == PROGRAM_NO_STEP)
		return step;
	step.since_ticks += ticks;
	step.cause += (uint32_t)periods * path->skip_steps;
	return step;
}

struct program_step program_step(const struct program *program, uint32_t number)
{
	const struct path *path = &program->path;

	if (path->skip_steps == 0 || number < path->skip_first)
		return path->steps[number];
	if (number - path->skip_first < path_skipped(path))
		return path_delayed(path, path_left_out(program, number),
				    (number - path->skip_first) / path->skip_steps);
	return path_delayed(path, path->steps[number - path_skipped(path)], path->skip.times);
}
