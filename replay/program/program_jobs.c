// SPDX-License-Identifier: GPL-3.0-or-later
#include "program/program_jobs.h"

static uint32_t jobs_of(const struct program *program, uint32_t rank)
{
	return goal_job_of(program->goal, rank);
}

static int64_t jobs_start_ticks(const struct program *program, uint32_t job)
{
	return program->params.plans ? program->params.plans[job].start_ticks : 0;
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

struct program_job program_job(const struct program *program, uint32_t job)
{
	const struct goal_program *goal = program->goal;
	const uint32_t first = goal_job_first(goal, job), end = goal_job_first(goal, job + 1);
	struct program_job out = {.start_ticks = jobs_start_ticks(program, job)};

	out.finish_ticks = out.start_ticks;
	for (uint32_t op = goal->first[first]; op < goal->first[end]; op++)
		if (program->ops.all[op].state != OP_ENDED)
			out.finish_ticks = -1;
	for (uint32_t rank = first; rank < end && out.finish_ticks >= 0; rank++)
		if (program->ranks[rank].sums.finish_ticks > out.finish_ticks)
			out.finish_ticks = program->ranks[rank].sums.finish_ticks;
	return out;
}
