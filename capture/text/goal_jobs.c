// SPDX-License-Identifier: GPL-3.0-or-later
// Programs that run side by side, as one: its ranks are those of the first, then those of the next.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text/goal.h"

uint32_t goal_rank_of(const struct goal_program *program, uint32_t op)
{
	uint32_t low = 0;
	uint32_t high = program->ranks;

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (program->first[middle] <= op)
			low = middle;
		else
			high = middle;
	}
	return low;
}

uint32_t goal_job_count(const struct goal_program *program)
{
	return program->jobs ? program->job_count : 1;
}

uint32_t goal_job_first(const struct goal_program *program, uint32_t job)
{
	if (job >= goal_job_count(program))
		return program->ranks;
	return program->jobs ? program->jobs[job].first_rank : 0;
}

uint32_t goal_job_of(const struct goal_program *program, uint32_t rank)
{
	uint32_t low = 0;
	uint32_t high = goal_job_count(program);

	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (goal_job_first(program, middle) <= rank)
			low = middle;
		else
			high = middle;
	}
	return low;
}

const char *goal_name_of(const struct goal_program *program, uint32_t rank)
{
	return program->jobs ? program->jobs[goal_job_of(program, rank)].name : program->name;
}

// ---- joining

// Room for count items more behind the first ones.
static bool goal_jobs_grow(void **items, size_t count, size_t more, size_t each)
{
	void *grown = realloc(*items, (count + more) * each + 1);

	*items = grown ? grown : *items;
	return grown;
}

static bool goal_jobs_make_room(struct goal_program *into, const struct goal_program *more)
{
	return goal_jobs_grow((void **)&into->first, (size_t)into->ranks + 1, more->ranks,
			      sizeof(*into->first)) &&
	       goal_jobs_grow((void **)&into->ops, into->op_count, more->op_count,
			      sizeof(*into->ops)) &&
	       goal_jobs_grow((void **)&into->needs, into->need_count, more->need_count,
			      sizeof(*into->needs)) &&
	       goal_jobs_grow((void **)&into->jobs, into->job_count, 1, sizeof(*into->jobs));
}

static void goal_jobs_copy(struct goal_program *into, const struct goal_program *more)
{
	for (uint32_t i = 0; i < more->op_count; i++) {
		struct goal_op *op = &into->ops[into->op_count + i];

		*op = more->ops[i];
		if (op->kind != GOAL_CALC && op->peer != GOAL_ANY)
			op->peer += into->ranks;
	}
	for (uint32_t i = 0; i < more->need_count; i++) {
		struct goal_need *need = &into->needs[into->need_count + i];

		*need = more->needs[i];
		need->op += into->op_count;
		need->after += into->op_count;
	}
	for (uint32_t rank = 0; rank <= more->ranks; rank++)
		into->first[into->ranks + rank] = into->op_count + more->first[rank];
	into->ranks += more->ranks;
	into->op_count += more->op_count;
	into->need_count += more->need_count;
	into->cpus = into->cpus > more->cpus ? into->cpus : more->cpus;
	into->nics = into->nics > more->nics ? into->nics : more->nics;
}

// The names of all, with commas between.
static bool goal_jobs_name(struct goal_program *into, const char *name)
{
	const size_t bytes = (into->name ? strlen(into->name) + strlen(", ") : 0) + strlen(name) +
			     1;
	char *names = malloc(bytes);

	if (names)
		snprintf(names, bytes, "%s%s%s", into->name ? into->name : "",
			 into->name ? ", " : "", name);
	free(into->name);
	into->name = names;
	return names;
}

static enum tr_status goal_jobs_join(struct goal_program *into, struct goal_program *more,
				     struct tr_error *err)
{
	if (more->ranks > GOAL_RANKS_MAX - into->ranks)
		return tr_fail(err, "%s: more than %u ranks with those of %s", more->name,
			       GOAL_RANKS_MAX, into->name);
	if (more->op_count > GOAL_OPS_MAX - into->op_count ||
	    more->need_count > GOAL_NEEDS_MAX - into->need_count)
		return tr_fail(err,
			       "%s: more than %u operations, or %u dependencies, with those of %s",
			       more->name, GOAL_OPS_MAX, GOAL_NEEDS_MAX, into->name);
	if (!goal_jobs_make_room(into, more) || !goal_jobs_name(into, more->name))
		return tr_no_memory(err, "the programs");
	into->jobs[into->job_count++] = (struct goal_job){more->name, into->ranks};
	more->name = NULL;
	goal_jobs_copy(into, more);
	return TR_OK;
}

enum tr_status goal_join(struct goal_program *into, struct goal_program *more, struct tr_error *err)
{
	const enum tr_status status = goal_jobs_join(into, more, err);

	goal_clear(more);
	return status;
}
