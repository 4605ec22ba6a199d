// SPDX-License-Identifier: GPL-3.0-or-later
// flitrun: executes a GOAL program with MPI, a process for each rank, and records its messages.
#include "flitrun.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/intervals/numeric_errors.h"

#define REPEATS_MAX 100000u
#define MARGIN_NS 10000000 // from the agreement on a start to the start
#define LIMIT_S 60u	   // of ending MPI
#define TEXT_BYTES 512	   // of a rank, of what waits
#define NS_PER_S 1e9

struct flitrun_running {
	struct tool *tool;
	struct run_rules rules;
	struct recording recording;
	struct goal_program program; // at rank 0
	struct portion portion;
	struct executor *executor;
	struct num_ratio timeout_s;
	uint64_t repeats;
	int level_percent;
	struct table_style style;
	bool stuck; // the job cannot end by itself
};

static bool flitrun_is_first(const struct flitrun_running *running)
{
	return running->portion.rank == 0;
}

// ---- before the run

static bool flitrun_check_options(struct flitrun_running *running)
{
	const double timeout_s = num_value(running->timeout_s);

	if (!(timeout_s >= 1e-3 && timeout_s <= 86400))
		tool_error(running->tool, "--timeout: expected 1ms to 1d");
	else if (tool_operand_count(running->tool) > 1)
		tool_error(running->tool, "expected one program, found %zu",
			   tool_operand_count(running->tool));
	running->rules.timeout_ns = (int64_t)(timeout_s * NS_PER_S);
	return tool_ok(running->tool);
}

// At rank 0.
static bool read_program(struct flitrun_running *running, int processes)
{
	struct tool *tool = running->tool;
	struct tr_source *source;
	struct tr_error err;
	enum tr_status status;

	source = tool_open_source(tool, tool_operand_count(tool) > 0 ? tool_operand(tool, 0) : "-");
	if (!source)
		return false;
	status = goal_read(&running->program, source, NULL, &err);
	tr_source_close(source);
	if (status == TR_OK)
		status = portion_check(&running->program, processes, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	running->recording.ranks = running->program.ranks;
	running->recording.operations = running->program.op_count;
	return status == TR_OK;
}

// In every process: false if any of them failed.
static bool flitrun_all_well(bool well)
{
	int mine = well, all;

	(void)MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
	return all;
}

static bool flitrun_prepare(struct flitrun_running *running)
{
	struct tr_error err = {""};
	int rank, processes;
	bool well = true;

	(void)MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	(void)MPI_Comm_size(MPI_COMM_WORLD, &processes);
	running->portion.rank = (uint32_t)rank;
	if (rank == 0)
		well = read_program(running, processes);
	if (!flitrun_all_well(well))
		return false;
	well = portion_give(&running->portion, rank == 0 ? &running->program : NULL, &err) == TR_OK;
	if (well && rank == 0)
		well = recording_open(&running->recording, running->repeats, &err) == TR_OK;
	if (!well)
		tool_error(running->tool, "%s", err.text);
	if (well) {
		running->executor = executor_open(&running->portion, &running->rules);
		well = running->executor;
		if (!well)
			tool_no_memory(running->tool, "the operations of rank %d", rank);
	}
	return flitrun_all_well(well);
}

// ---- repetitions

// What has not ended in each rank, printed by rank 0.
static void tell_waiting(const struct flitrun_running *running)
{
	char mine[TEXT_BYTES], *all = NULL;
	int can = 1;

	portion_describe(&running->portion, running->executor, mine, sizeof(mine));
	if (flitrun_is_first(running))
		all = malloc((size_t)running->portion.ranks * TEXT_BYTES);
	can = all || !flitrun_is_first(running);
	(void)MPI_Bcast(&can, 1, MPI_INT, 0, MPI_COMM_WORLD);
	if (can)
		(void)MPI_Gather(mine, TEXT_BYTES, MPI_CHAR, all, TEXT_BYTES, MPI_CHAR, 0,
				 MPI_COMM_WORLD);
	for (uint32_t rank = 0; all && rank < running->portion.ranks; rank++)
		for (char *line = all + (size_t)rank * TEXT_BYTES, *end;
		     (end = strchr(line, '\n')) != NULL; line = end + 1)
			tool_verdict(running->tool, "%.*s", (int)(end - line), line);
	free(all);
}

// The start of a repetition by the clock of rank 0, the same in every process.
static int64_t agree_on_start(void)
{
	int64_t start_ns = clock_now_ns() + MARGIN_NS;

	(void)MPI_Barrier(MPI_COMM_WORLD);
	(void)MPI_Bcast(&start_ns, 1, MPI_INT64_T, 0, MPI_COMM_WORLD);
	return start_ns;
}

// Each repetition has a communicator of its own, so that a message which nobody receives does not
// come to the next.
static bool repeat(struct flitrun_running *running, bool record)
{
	const struct clock_offset offset = clock_compare();
	struct tr_error err = {""};
	int64_t start_ns;
	MPI_Request request;
	MPI_Comm comm;
	int mine, all;
	bool well;

	(void)MPI_Comm_dup(MPI_COMM_WORLD, &comm);
	start_ns = agree_on_start();
	mine = executor_run(running->executor, comm, start_ns + offset.offset_ns, &err);
	if (*err.text != '\0')
		tool_error(running->tool, "%s", err.text);
	(void)MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD, &request);
	executor_wait(running->executor, &request);
	if (!all) {
		running->stuck = true;
		if (flitrun_is_first(running))
			tool_verdict(running->tool, "%s: cannot finish: nothing happened for %g s",
				     running->program.name,
				     (double)running->rules.timeout_ns / NS_PER_S);
		tell_waiting(running);
		return false;
	}
	well = !record ||
	       recording_take(flitrun_is_first(running) ? &running->recording : NULL,
			      running->executor, start_ns, offset.error_ns, &err) == TR_OK;
	if (!well && *err.text != '\0')
		tool_error(running->tool, "%s", err.text);
	(void)MPI_Comm_free(&comm);
	return flitrun_all_well(well);
}

static void flitrun_print(struct flitrun_running *running)
{
	struct table *tables[RECORDING_TABLES];
	struct tr_error err;

	recording_tables(&running->recording, running->level_percent, tables);
	if (tables_print(tables, RECORDING_TABLES, running->style, "flitrun",
			 tool_stdout(running->tool), &err) != TR_OK)
		tool_error(running->tool, "%s", err.text);
	for (size_t i = 0; i < RECORDING_TABLES; i++)
		table_free(tables[i]);
}

static enum tool_status flitrun_run(struct flitrun_running *running)
{
	const struct recording *recording = &running->recording;
	bool well = flitrun_prepare(running);

	for (uint64_t i = 0; well && i <= running->repeats; i++) {
		if (flitrun_is_first(running))
			tool_progress_part(running->tool,
					   (double)i / (double)(running->repeats + 1),
					   "repetition %llu of %llu", (unsigned long long)i,
					   (unsigned long long)running->repeats);
		well = repeat(running, i > 0);
	}
	if (!well)
		return running->stuck ? TOOL_NO : TOOL_FAILED;
	if (!flitrun_is_first(running))
		return TOOL_OK;
	flitrun_print(running);
	if (recording->repetitions[0].unreceived == 0)
		return TOOL_OK;
	tool_verdict(running->tool, "%s: %llu messages were not received", running->program.name,
		     (unsigned long long)recording->repetitions[0].unreceived);
	return TOOL_NO;
}

static void flitrun_clear(struct flitrun_running *running)
{
	executor_close(running->executor);
	portion_clear(&running->portion);
	recording_clear(&running->recording);
	goal_clear(&running->program);
}

// Ends the job. Where messages are stuck MPI_Finalize would wait for them: rank 0 aborts it when
// its outputs are closed.
static int flitrun_end(const struct flitrun_running *running, bool first, int status)
{
	(void)alarm(LIMIT_S);
	if (!running->stuck)
		(void)MPI_Finalize();
	else if (first)
		(void)MPI_Abort(MPI_COMM_WORLD, status);
	else
		for (;;)
			(void)pause();
	return status;
}

int main(int argc, char **argv)
{
	struct flitrun_running r = {.timeout_s = {30, 1}, .repeats = 1, .level_percent = 95};
	const struct opt opts[] = {
		OPT_ALSO_WRITE(&r.recording.path),
		OPT_COMPRESS(&r.recording.compress),
		OPT_REPEATS(&r.repeats, REPEATS_MAX),
		OPT_FLAG(0, "sleep", &r.rules.sleeps,
			 "sleep instead of busy waiting, for ranks that share processors"),
		OPT_TIMEOUT(&r.timeout_s),
		OPT_LEVEL(&r.level_percent),
		TABLE_OPTIONS(&r.style),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitrun", "[option ...] [program]",
		"Executes a GOAL program with MPI; start it with mpirun, a process for each rank.",
		opts};
	enum tool_status status = TOOL_FAILED;
	bool first;

	r.tool = r.recording.tool = tool_start(argc, argv, &spec);
	numeric_errors_give_nan();
	if (!flitrun_check_options(&r))
		return tool_finish(r.tool, status);
	(void)alarm(LIMIT_S);
	(void)MPI_Init(NULL, NULL);
	(void)alarm(0);
	status = flitrun_run(&r);
	first = flitrun_is_first(&r);
	flitrun_clear(&r);
	return flitrun_end(&r, first, tool_finish(r.tool, status));
}
