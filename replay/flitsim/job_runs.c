// SPDX-License-Identifier: GPL-3.0-or-later
// Several programs as jobs of one run: what was asked of each, the time that it takes alone on the
// same hosts, and what the others cost it.
#include "program_run.h"

#include <math.h>
#include <stdlib.h>

#include "table/keys.h"
#include "table/table_rows.h"
#include "value/ticks.h"

static const struct job_keys job_keys_usual = {.start_s = {0, 1}, .alone = true};

static const struct key job_key_rows[] = {
	{"start", KEY_TIME, offsetof(struct job_keys, start_s), NULL, NULL,
	 "time at which its ranks begin"},
	{"alone", KEY_FLAG, offsetof(struct job_keys, alone), "no|yes", NULL, "run it alone, too"},
	{"repeat", KEY_FLAG, offsetof(struct job_keys, repeats), "no|yes", NULL,
	 "begin again until the others have ended"},
	{.type = KEY_END}};

static uint32_t job_runs_count(const struct program_run *run)
{
	return (uint32_t)run->options->program.files.count;
}

// The job that is read next.
static uint32_t job_runs_next(const struct program_run *run)
{
	return run->goal.job_count;
}

enum tr_status job_runs_read(struct program_run *run, const char *text, struct tr_error *err)
{
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	const struct key_kind kind = {"program", "flitsim(1)", job_key_rows, none, &job_keys_usual};
	struct job_runs *jobs = &run->jobs;
	struct keys_given given = {0};
	struct job_keys *keys;
	struct tr_error why;

	if (!jobs->keys)
		jobs->keys = calloc(job_runs_count(run), sizeof(*jobs->keys));
	if (!jobs->keys)
		return tr_no_memory(err, "the jobs");
	keys = &jobs->keys[job_runs_next(run)];
	*keys = job_keys_usual;
	if (text && keys_read(&kind, text, keys, &given, &why) != TR_OK)
		return tr_fail(err, "--program: %s", why.text);
	return TR_OK;
}

// Whether a job may begin again: all that it sends is received, and another ends.
static enum tr_status job_runs_check_repeat(const struct program_run *run, uint32_t job,
					    struct tr_error *err)
{
	const struct goal_program *goal = &run->goal;
	const char *name = goal_name_of(goal, goal_job_first(goal, job));
	const uint32_t first = goal->first[goal_job_first(goal, job)],
		       end = goal->first[goal_job_first(goal, job + 1)];
	uint32_t others = 0, sends = 0, receives = 0;

	for (uint32_t i = 0; i < job_runs_count(run); i++)
		others += !run->jobs.keys[i].repeats;
	for (uint32_t op = first; op < end; op++) {
		sends += goal->ops[op].kind == GOAL_SEND;
		receives += goal->ops[op].kind == GOAL_RECV;
	}
	if (others == 0)
		return tr_fail(err, "--program: repeat: every job repeats until the others have "
				    "ended: none would end");
	if (run->options->mpi.words.count > 0)
		return tr_fail(err, "--program: repeat: not with --mpi");
	if (run->options->program.path || run_timeline_is_wanted(run->options))
		return tr_fail(err, "--program: repeat: not with --critical-path, --timeline or "
				    "--watch, which have one run of each operation");
	if (end == first)
		return tr_fail(err, "%s: has no operations to repeat", name);
	if (sends != receives)
		return tr_fail(err,
			       "%s: has %u sends and %u receives: what it leaves would meet its "
			       "next run",
			       name, sends, receives);
	return TR_OK;
}

enum tr_status job_runs_open(struct program_run *run, uint64_t ticks_per_s, struct tr_error *err)
{
	struct job_runs *jobs = &run->jobs;
	struct tr_error why;

	if (run->options->program.repeats == 1 && job_runs_count(run) > 1)
		return tr_fail(err, "--repeat exact takes one program");
	jobs->plans = calloc(job_runs_count(run), sizeof(*jobs->plans));
	if (!jobs->plans)
		return tr_no_memory(err, "the jobs");
	for (uint32_t job = 0; job < job_runs_count(run); job++)
		if (tr_ticks_exact(jobs->keys[job].start_s, ticks_per_s,
				   &jobs->plans[job].start_ticks, &why) != TR_OK)
			return tr_fail(err, "--program: start: %s", why.text);
	for (uint32_t job = 0; job < job_runs_count(run); job++) {
		jobs->plans[job].repeats = jobs->keys[job].repeats;
		if (jobs->keys[job].repeats && job_runs_check_repeat(run, job, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

// ---- alone

static enum tr_status job_runs_forget(void *context, const struct net_worm *worm,
				      const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)context, (void)worm, (void)delivery, (void)err;
	return TR_OK;
}

// The setup of a run of which only its time is asked.
static struct net_setup job_runs_setup(const struct net_setup *setup, struct program *program)
{
	struct net_setup alone = *setup;

	alone.traffic = program_traffic(program);
	alone.results = program_results(program);
	alone.sampling = (struct net_sampling){0};
	alone.watch = NULL;
	alone.contest = NULL;
	alone.stop_ticks = NULL;
	alone.cycles = (struct net_wait_cycles){NULL, NULL};
	return alone;
}

static enum tr_status job_runs_once(struct program_run *run, uint32_t job,
				    const struct net_engine *engine, const struct net_setup *setup,
				    struct tr_error *err)
{
	const struct program_listener listener = {.done = job_runs_forget};
	struct program_params params = run->params;
	struct program *program;
	struct net_setup alone;
	struct net_totals totals;
	enum tr_status status;

	params.keeps_path = params.keeps_waits = params.repeats = false;
	params.only = job + 1;
	if (program_open(&program, &run->goal, &params, setup->topology->hosts, run->host_of,
			 &listener, err) != TR_OK)
		return TR_ERROR;
	alone = job_runs_setup(setup, program);
	status = engine->run(&alone, &totals, err);
	if (status == TR_OK) {
		const struct program_job out = program_job(program, job);

		run->jobs.alone_ticks[job] = out.finish_ticks < 0
						     ? -1
						     : out.finish_ticks - out.start_ticks;
	}
	program_close(program);
	return status;
}

void job_runs_alone(struct program_run *run, const struct net_engine *engine,
		    const struct net_setup *setup)
{
	const uint32_t count = run->goal.job_count;
	enum tr_status status = TR_OK;
	struct tr_error err;

	if (count < 2)
		return;
	run->jobs.alone_ticks = calloc(count, sizeof(*run->jobs.alone_ticks));
	if (!run->jobs.alone_ticks)
		status = tr_no_memory(&err, "the jobs");
	for (uint32_t job = 0; status == TR_OK && job < count; job++) {
		run->jobs.alone_ticks[job] = -1;
		if (run->jobs.keys[job].alone && program_job(run->program, job).runs > 0)
			status = job_runs_once(run, job, engine, setup, &err);
	}
	if (status != TR_OK)
		tool_error(run->tool, "%s", err.text);
}

// ---- what became of them

TABLE_ROW(jobs, (count, job), (text, program), (count, first_rank), (count, ranks),
	  (us, start_us, 9), (us, finish_us, 9), (count, runs), (real, time_us, 9),
	  (us, alone_us, 9), (real, slowdown, 6));

static void job_runs_put(struct table *table, const struct program_run *run, uint32_t number)
{
	const struct goal_program *goal = &run->goal;
	const struct program_job job = program_job(run->program, number);
	const double runs = job.runs == 0 ? NAN : (double)job.runs;
	const int64_t alone_ticks = run->jobs.alone_ticks ? run->jobs.alone_ticks[number] : -1;

	TABLE_PUT(table, jobs, .job = number + 1,
		  .program = goal_name_of(goal, goal_job_first(goal, number)),
		  .first_rank = goal_job_first(goal, number),
		  .ranks = goal_job_first(goal, number + 1) - goal_job_first(goal, number),
		  .start_us = job.start_ticks, .finish_us = job.finish_ticks, .runs = job.runs,
		  .time_us = 1e6 * tr_ticks_seconds(job.ran_ticks, run->ticks_per_s) / runs,
		  .alone_us = alone_ticks,
		  .slowdown = alone_ticks > 0 ? (double)job.ran_ticks / (double)alone_ticks / runs
					      : NAN);
}

struct table *job_runs_table(const struct program_run *run)
{
	struct table *table;

	if (run->goal.job_count < 2)
		return NULL;
	table = table_of("jobs", "The jobs: how long each took, and alone on the same hosts",
			 jobs_fields);
	table_set_clock(table, run->ticks_per_s);
	for (uint32_t job = 0; job < run->goal.job_count; job++)
		job_runs_put(table, run, job);
	return table;
}

void job_runs_close(struct job_runs *jobs)
{
	free(jobs->keys);
	free(jobs->plans);
	free(jobs->alone_ticks);
	*jobs = (struct job_runs){0};
}
