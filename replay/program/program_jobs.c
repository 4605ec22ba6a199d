// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/program_jobs.h"

#include <stdlib.h>

static uint32_t jobs_of(const struct program *program, uint32_t rank)
{
	return goal_job_of(program->goal, rank);
}

static int64_t jobs_start_ticks(const struct program *program, uint32_t job)
{
	return program->params.plans ? program->params.plans[job].start_ticks : 0;
}

static uint32_t jobs_operations(const struct program *program, uint32_t job)
{
	const struct goal_program *goal = program->goal;

	return goal->first[goal_job_first(goal, job + 1)] - goal->first[goal_job_first(goal, job)];
}

int64_t job_start_ticks(const struct program *program, uint32_t rank)
{
	return jobs_start_ticks(program, jobs_of(program, rank));
}

uint32_t job_ranks(const struct program *program, uint32_t rank)
{
	const uint32_t job = jobs_of(program, rank);

	return goal_job_first(program->goal, job + 1) - goal_job_first(program->goal, job);
}

bool job_runs(const struct program *program, uint32_t rank)
{
	return program->params.only == 0 || program->params.only == jobs_of(program, rank) + 1;
}

enum tr_status jobs_open(struct program *program, struct tr_error *err)
{
	const struct goal_program *goal = program->goal;
	const struct program_plan *plans = program->params.plans;
	bool repeats = false;

	for (uint32_t job = 0; plans && job < goal_job_count(goal); job++)
		repeats = repeats || plans[job].repeats;
	if (!repeats || program->params.only > 0)
		return TR_OK;
	program->due.jobs = calloc((size_t)goal_job_count(goal) + 1, sizeof(*program->due.jobs));
	if (!program->due.jobs)
		return tr_no_memory(err, "the jobs");
	for (uint32_t job = 0, need = 0; job <= goal_job_count(goal); job++) {
		const uint32_t first = goal->first[goal_job_first(goal, job)];

		while (need < goal->need_count && goal->needs[need].op < first)
			need++;
		program->due.jobs[job].first_need = need;
	}
	for (uint32_t job = 0; job < goal_job_count(goal); job++) {
		program->due.jobs[job].ops_left = jobs_operations(program, job);
		program->due.jobs[job].begun_ticks = jobs_start_ticks(program, job);
		program->due.jobs[job].finish_ticks = program->due.jobs[job].begun_ticks;
		program->due.jobs[job].runs = program->due.jobs[job].ops_left == 0;
	}
	return TR_OK;
}

// ---- again

void job_operation_ended(struct program *program, uint32_t rank, int64_t end_ticks)
{
	const uint32_t number = jobs_of(program, rank);
	struct job *job = &program->due.jobs[number];

	if (end_ticks > job->finish_ticks)
		job->finish_ticks = end_ticks;
	if (--job->ops_left > 0)
		return;
	job->runs++;
	job->ran_ticks += job->finish_ticks - job->begun_ticks;
	if (program->params.plans[number].repeats)
		remind(program, job->finish_ticks, program->due.orders++, WHAT_AGAIN, number);
}

static bool jobs_is_message_of(const struct program *program, uint32_t message, uint32_t job)
{
	return jobs_of(program, program->pool.messages[message].source) == job;
}

static bool jobs_has_due(const struct program *program, const struct lineup *lineup, uint32_t job)
{
	uint32_t message = lineup->first;

	while (message != NOTHING && !jobs_is_message_of(program, message, job))
		message = program->pool.messages[message].kept.younger;
	return message != NOTHING;
}

// The job that an entry of the agenda is about, where nothing is left out and there is no MPI.
static uint32_t jobs_of_entry(const struct program *program, const struct entry *entry)
{
	switch ((enum what)entry->what) {
	case WHAT_AGAIN: return NOTHING;
	case WHAT_BEGIN: return jobs_of(program, entry->about);
	case WHAT_QUEUE:
		return jobs_of(program, entry->about / program->processors.queues_per_rank);
	case WHAT_HAND:
	case WHAT_ARRIVE: return jobs_of(program, program->pool.messages[entry->about].source);
	default: return jobs_of(program, rank_of(program, entry->about));
	}
}

void job_moves(struct program *program, const struct entry *entry)
{
	const uint32_t job = jobs_of_entry(program, entry);

	if (job == NOTHING)
		return;
	program->due.jobs[job].moved_ticks = program->now_ticks;
	program->due.jobs[job].moves++;
}

void job_packet_ended(struct program *program, uint32_t rank)
{
	program->due.jobs[jobs_of(program, rank)].moves++;
}

// Whether something of the job is due, or was at this tick.
static bool jobs_is_due(const struct program *program, uint32_t job)
{
	const struct agenda *agenda = &program->due.agenda;

	if (program->due.jobs[job].moved_ticks == program->now_ticks)
		return true;
	for (size_t i = 0; i < agenda->count; i++)
		if (jobs_of_entry(program, &agenda->entries[i]) == job)
			return true;
	for (uint32_t op = program->due.posts.first; op != NOTHING; op = program->ops.all[op].next)
		if (jobs_of(program, rank_of(program, op)) == job)
			return true;
	return jobs_has_due(program, &program->due.hands, job) ||
	       jobs_has_due(program, &program->due.arrivals, job);
}

// Whether packets of the job are under way.
static bool jobs_is_carried(const struct program *program, uint32_t job)
{
	for (uint32_t i = 0; i < program->pool.fresh_message; i++) {
		const struct message *message = &program->pool.messages[i];

		if (message->send != NOTHING && message->worms_due > 0 && !message->lost &&
		    jobs_is_message_of(program, i, job))
			return true;
	}
	return false;
}

// What keeps a job that repeats going.
enum jobs_others { JOBS_OVER, JOBS_CARRIED, JOBS_DUE };

// Whether a job that does not repeat, or what is beside, has not ended before this tick, and can:
// something of it is due, or else packets are under way.
static enum jobs_others jobs_others_run(const struct program *program)
{
	const struct program_beside *beside = program->params.beside;
	enum jobs_others others = JOBS_OVER;

	if (beside && beside->end_ticks >= program->now_ticks) {
		if (beside->due || beside->end_ticks != INT64_MAX)
			return JOBS_DUE;
		others = JOBS_CARRIED;
	}
	for (uint32_t i = 0; i < goal_job_count(program->goal); i++) {
		const struct job *job = &program->due.jobs[i];

		if (program->params.plans[i].repeats)
			continue;
		if (job->finish_ticks >= program->now_ticks ||
		    (job->ops_left > 0 && jobs_is_due(program, i)))
			return JOBS_DUE;
		if (job->ops_left > 0 && jobs_is_carried(program, i))
			others = JOBS_CARRIED;
	}
	return others;
}

// Moves of all that does not repeat.
static uint64_t jobs_moves(const struct program *program)
{
	uint64_t moves = program->params.beside ? program->params.beside->moves : 0;

	for (uint32_t i = 0; i < goal_job_count(program->goal); i++)
		moves += program->params.plans[i].repeats ? 0 : program->due.jobs[i].moves;
	return moves;
}

// Whether a job begins again, where others have packets under way and nothing else: not if none of
// these has moved in so many of its runs.
static bool jobs_has_patience(const struct program *program, struct job *job)
{
	const uint64_t moves = jobs_moves(program);

	job->idle = moves == job->seen ? job->idle + 1 : 0;
	job->seen = moves;
	return job->idle < PROGRAM_IDLE_RUNS;
}

static void jobs_reset(struct program *program, uint32_t number)
{
	const struct goal_program *goal = program->goal;
	const uint32_t first = goal->first[goal_job_first(goal, number)];
	struct job *job = &program->due.jobs[number];

	job->ops_left = jobs_operations(program, number);
	job->begun_ticks = job->finish_ticks = program->now_ticks;
	program->totals.ended -= job->ops_left;
	for (uint32_t op = first; op < first + job->ops_left; op++) {
		program->ops.all[op].state = OP_WAITS;
		program->ops.all[op].ready_ticks = 0;
		program->ops.all[op].waits = 0;
	}
	for (uint32_t i = job->first_need; i < job[1].first_need; i++)
		program->ops.all[goal->needs[i].op].waits++;
}

// Others that end at this tick have not ended before it, whether they do so before or after this.
void job_again(struct program *program, uint32_t job)
{
	const struct goal_program *goal = program->goal;
	const enum jobs_others others = jobs_others_run(program);

	if (others == JOBS_OVER ||
	    (others == JOBS_CARRIED && !jobs_has_patience(program, &program->due.jobs[job])))
		return;
	if (program->due.jobs[job].finish_ticks == program->due.jobs[job].begun_ticks) {
		program->status = tr_fail(program->err,
					  "%s: takes no time, so it would begin again for ever at "
					  "the same tick",
					  goal_name_of(goal, goal_job_first(goal, job)));
		return;
	}
	jobs_reset(program, job);
	for (uint32_t rank = goal_job_first(goal, job); rank < goal_job_first(goal, job + 1);
	     rank++)
		operations_start(program, rank);
}

// ---- results

struct program_job program_job(const struct program *program, uint32_t job)
{
	const struct goal_program *goal = program->goal;
	const uint32_t first = goal_job_first(goal, job), end = goal_job_first(goal, job + 1);
	struct program_job out = {.start_ticks = jobs_start_ticks(program, job)};

	out.finish_ticks = out.start_ticks;
	for (uint32_t rank = first; rank < end; rank++)
		if (!program_rank_ended(program, rank))
			out.finish_ticks = -1;
	for (uint32_t rank = first; rank < end && out.finish_ticks >= 0; rank++)
		if (program->ranks[rank].sums.finish_ticks > out.finish_ticks)
			out.finish_ticks = program->ranks[rank].sums.finish_ticks;
	out.runs = out.finish_ticks >= 0;
	out.ran_ticks = out.finish_ticks - out.start_ticks;
	if (program->due.jobs) {
		out.runs = program->due.jobs[job].runs;
		out.ran_ticks = program->due.jobs[job].ran_ticks;
		out.gave_up = program->due.jobs[job].idle >= PROGRAM_IDLE_RUNS;
		out.gave_up_early = out.gave_up &&
				    jobs_moves(program) != program->due.jobs[job].seen;
	}
	return out;
}
