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
static const struct job_keys job_keys_of_trace = {.start_s = {0, 1}};

static const struct key job_key_rows[] = {
	{"start", KEY_TIME, offsetof(struct job_keys, start_s), NULL, NULL,
	 "time at which its ranks begin, or of its first packet"},
	{"alone", KEY_FLAG, offsetof(struct job_keys, alone), "no|yes", NULL, "run it alone, too"},
	{"repeat", KEY_FLAG, offsetof(struct job_keys, repeats), "no|yes", NULL,
	 "of a program: begin again until the others have ended"},
	{"cut", KEY_FLAG, offsetof(struct job_keys, cut), "no|yes", NULL,
	 "of a trace: leave out what comes after the programs have ended"},
	{"hosts", KEY_TEXT, offsetof(struct job_keys, hosts), NULL, NULL,
	 "FROM..TO, those that it may have"},
	{"map", KEY_WORD, offsetof(struct job_keys, order), "all|ids|random", NULL,
	 "order of these: that of --map, by number, random"},
	{"by", KEY_WORD, offsetof(struct job_keys, unit), "host|switch|group", "map=random",
	 "what is in random order"},
	{"seed", KEY_COUNT, offsetof(struct job_keys, seed), NULL, "map=random",
	 "seed of the order"},
	{.type = KEY_END}};

uint32_t job_runs_count(const struct program_run *run)
{
	return (uint32_t)run->options->program.files.count + run->options->program.beside;
}

uint32_t job_runs_of(const struct program_run *run, uint32_t node)
{
	return node < run->goal.ranks ? goal_job_of(&run->goal, node) : goal_job_count(&run->goal);
}

// Reads the keys of the job that comes next, whose usual ones are these.
static enum tr_status job_runs_read_keys(struct program_run *run, const struct job_keys *usual,
					 const char *text, struct tr_error *err)
{
	static const struct key_preset none[] = {{NULL, NULL, NULL}};
	const struct key_kind kind = {"program", "flitsim(1)", job_key_rows, none, usual};
	struct job_runs *jobs = &run->jobs;
	struct keys_given given = {0};
	struct job_keys *keys;

	if (!jobs->keys)
		jobs->keys = calloc(job_runs_count(run), sizeof(*jobs->keys));
	if (!jobs->keys)
		return tr_no_memory(err, "the jobs");
	keys = &jobs->keys[run->goal.job_count];
	*keys = *usual;
	if (text && keys_read(&kind, text, keys, &given, err) != TR_OK)
		return TR_ERROR;
	return keys_check_effect(job_key_rows, keys, given.text, err);
}

enum tr_status job_runs_read(struct program_run *run, const char *text, struct tr_error *err)
{
	if (job_runs_read_keys(run, &job_keys_usual, text, err) != TR_OK)
		return tr_fail_in(err, "--program");
	if (run->jobs.keys[run->goal.job_count].cut)
		return tr_fail(err, "--program: cut is a key of a trace beside programs");
	return TR_OK;
}

enum tr_status job_runs_read_trace(struct program_run *run, const char *text, struct tr_error *err)
{
	if (job_runs_read_keys(run, &job_keys_of_trace, text, err) != TR_OK)
		return TR_ERROR;
	return run->jobs.keys[run->goal.job_count].repeats
		       ? tr_fail(err, "repeat is a key of programs: a trace is carried once")
		       : TR_OK;
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
		others += !run->jobs.keys[i].repeats && !run->jobs.keys[i].cut;
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
	const uint32_t count = job_runs_count(run);
	struct job_runs *jobs = &run->jobs;

	if (run->options->program.repeats == 1 && count > 1)
		return tr_fail(err, "--repeat exact takes one program, and no trace beside it");
	jobs->plans = calloc(count, sizeof(*jobs->plans));
	if (count > 1) {
		jobs->packets = calloc(count, sizeof(*jobs->packets));
		jobs->by_alone = calloc(count, sizeof(*jobs->by_alone));
	}
	if (!jobs->plans || (count > 1 && !(jobs->packets && jobs->by_alone)))
		return tr_no_memory(err, "the jobs");
	for (uint32_t job = 0; job < count; job++)
		if (tr_ticks_exact(jobs->keys[job].start_s, ticks_per_s,
				   &jobs->plans[job].start_ticks, err) != TR_OK)
			return tr_fail_in(err, "%s: start",
					  job < goal_job_count(&run->goal)
						  ? "--program"
						  : job_trace_name(run->trace));
	for (uint32_t job = 0; job < count; job++) {
		jobs->plans[job].repeats = jobs->keys[job].repeats;
		if (jobs->keys[job].repeats && job_runs_check_repeat(run, job, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

void job_runs_add(struct program_run *run, const struct net_worm *worm,
		  const struct tr_delivery *delivery)
{
	struct job_packets *packets;

	if (!run->jobs.packets || delivery->status != TR_DELIVERED)
		return;
	packets = &run->jobs.packets[job_runs_of(run, delivery->packet.src)];
	packets->count++;
	packets->bytes += worm->size_bytes;
	packets->latency_ticks += (uint64_t)(delivery->packet.time_ticks - worm->created_ticks);
}

// ---- alone

static enum tr_status job_runs_count_alone(void *context, const struct net_worm *worm,
					   const struct tr_delivery *delivery, struct tr_error *err)
{
	(void)err;
	job_runs_add(context, worm, delivery);
	return TR_OK;
}

// The setup of a run of which only its time and packets are asked.
static struct net_setup job_runs_setup(const struct net_setup *setup)
{
	struct net_setup alone = *setup;

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
	const struct program_listener listener = {.done = job_runs_count_alone, .context = run};
	struct program_params params = run->params;
	struct net_host_ports ports; // beside those of the whole run
	struct program *program;
	struct net_setup alone;
	struct net_totals totals;
	enum tr_status status;

	params.keeps_path = params.keeps_waits = params.repeats = false;
	params.only = job + 1;
	if (program_open(&program, &run->goal, &params,
			 sim_ports_hosts(run->ports, setup->topology)->hosts, run->host_of,
			 &listener, err) != TR_OK)
		return TR_ERROR;
	alone = *setup;
	alone.traffic = program_traffic(program);
	alone.results = program_results(program);
	ports = run->ports->choice;
	if (run->ports->chooses)
		net_host_ports_join(&ports, &alone.traffic);
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

// What became of a job, as of a program.
static struct program_job job_runs_result(const struct program_run *run, uint32_t job)
{
	return job < goal_job_count(&run->goal) ? program_job(run->program, job)
						: job_trace_result(run->trace);
}

static enum tr_status job_runs_each_alone(struct program_run *run, const struct net_engine *engine,
					  const struct net_setup *setup, struct tr_error *err)
{
	const struct net_setup alone = job_runs_setup(setup);
	enum tr_status status = TR_OK;

	run->jobs.alone_ticks = calloc(job_runs_count(run), sizeof(*run->jobs.alone_ticks));
	if (!run->jobs.alone_ticks)
		return tr_no_memory(err, "the jobs");
	for (uint32_t job = 0; status == TR_OK && job < job_runs_count(run); job++) {
		run->jobs.alone_ticks[job] = -1;
		if (!run->jobs.keys[job].alone || job_runs_result(run, job).runs == 0)
			continue;
		status = job < goal_job_count(&run->goal)
				 ? job_runs_once(run, job, engine, &alone, err)
				 : job_trace_alone(run, engine, &alone, err);
	}
	return status;
}

void job_runs_alone(struct program_run *run, const struct net_engine *engine,
		    const struct net_setup *setup)
{
	struct job_packets *const together = run->jobs.packets;
	enum tr_status status;
	struct tr_error err;

	if (!together)
		return;
	run->jobs.packets = run->jobs.by_alone;
	status = job_runs_each_alone(run, engine, setup, &err);
	run->jobs.packets = together;
	if (status != TR_OK)
		tool_error(run->tool, "%s", err.text);
}

// ---- what became of them

TABLE_ROW(jobs, (count, job), (text, program), (count, first_rank), (count, ranks),
	  (us, start_us, 9), (us, finish_us, 9), (count, runs), (real, time_us, 9),
	  (us, alone_us, 9), (real, slowdown, 6), (count, packets), (count, bytes),
	  (real, latency_us, 9), (real, alone_latency_us, 9));

// The mean latency of packets.
static double job_runs_latency_us(const struct program_run *run, const struct job_packets *packets)
{
	return packets->count == 0 ? NAN
				   : (double)packets->latency_ticks * 1e6 /
					     (double)run->ticks_per_s / (double)packets->count;
}

static void job_runs_put(struct table *table, const struct program_run *run, uint32_t number)
{
	const struct goal_program *goal = &run->goal;
	const struct job_runs *jobs = &run->jobs;
	const bool is_program = number < goal_job_count(goal);
	const uint32_t first = goal_job_first(goal, number);
	const struct program_job job = job_runs_result(run, number);
	const double runs = job.runs == 0 ? NAN : (double)job.runs;
	const int64_t alone_ticks = jobs->alone_ticks ? jobs->alone_ticks[number] : -1;

	TABLE_PUT(table, jobs, .job = number + 1,
		  .program = is_program ? goal_name_of(goal, first) : job_trace_name(run->trace),
		  .first_rank = first,
		  .ranks = is_program ? goal_job_first(goal, number + 1) - first
				      : job_trace_nodes(run->trace),
		  .start_us = job.start_ticks, .finish_us = job.finish_ticks, .runs = job.runs,
		  .time_us = 1e6 * tr_ticks_seconds(job.ran_ticks, run->ticks_per_s) / runs,
		  .alone_us = alone_ticks,
		  .slowdown = alone_ticks > 0 ? (double)job.ran_ticks / (double)alone_ticks / runs
					      : NAN,
		  .packets = jobs->packets[number].count, .bytes = jobs->packets[number].bytes,
		  .latency_us = job_runs_latency_us(run, &jobs->packets[number]),
		  .alone_latency_us = job_runs_latency_us(run, &jobs->by_alone[number]));
}

void job_runs_tell(const struct program_run *run)
{
	for (uint32_t job = 0; job < run->goal.job_count; job++) {
		const struct program_job out = program_job(run->program, job);

		if (out.gave_up_early)
			tool_error(run->tool,
				   "%s: began no more after %llu runs, as nothing of the others "
				   "moved in %u of them, but it did later: give this job runs that "
				   "take longer",
				   goal_name_of(&run->goal, goal_job_first(&run->goal, job)),
				   (unsigned long long)out.runs, PROGRAM_IDLE_RUNS);
		else if (out.gave_up)
			tool_warn(run->tool,
				  "%s: repeats no more after %llu runs, as nothing of the others "
				  "moved in %u of them",
				  goal_name_of(&run->goal, goal_job_first(&run->goal, job)),
				  (unsigned long long)out.runs, PROGRAM_IDLE_RUNS);
	}
}

struct table *job_runs_table(const struct program_run *run)
{
	struct table *table;

	if (!run->jobs.packets)
		return NULL;
	table = table_of("jobs", "The jobs: how long each took, and alone on the same hosts",
			 jobs_fields);
	table_set_clock(table, run->ticks_per_s);
	for (uint32_t job = 0; job < job_runs_count(run); job++)
		job_runs_put(table, run, job);
	return table;
}

void job_runs_close(struct job_runs *jobs)
{
	free(jobs->keys);
	free(jobs->plans);
	free(jobs->packets);
	free(jobs->by_alone);
	free(jobs->alone_ticks);
	*jobs = (struct job_runs){0};
}
