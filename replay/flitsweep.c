// SPDX-License-Identifier: GPL-3.0-or-later
// flitsweep: programs, joined by pipes, run for each combination of some parameters' values.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep_results.h"
#include "sweep_runs.h"
#include "trace/tool.h"

struct sweep {
	struct tool *tool;
	struct opt_list parameters;
	const char *seeds;
	const char *output;
	uint64_t jobs;
	uint64_t table;
	struct sweep_grid grid;
	struct sweep_command command;
	struct sweep_results results;
	bool said_no; // a run ended with status 1
};

static enum tr_status make_grid(struct sweep *sweep, struct tr_error *err)
{
	for (size_t i = 0; i < sweep->parameters.count; i++)
		if (sweep_grid_add(&sweep->grid, sweep->parameters.words[i], err) != TR_OK)
			return TR_ERROR;
	if (sweep->seeds != NULL) {
		char text[256];

		if (snprintf(text, sizeof(text), "seed=%s", sweep->seeds) >= (int)sizeof(text))
			return tr_fail(err, "--seeds: too long");
		if (sweep_grid_add(&sweep->grid, text, err) != TR_OK)
			return TR_ERROR;
	}
	if (sweep->jobs == 0) {
		long cores = sysconf(_SC_NPROCESSORS_ONLN);

		sweep->jobs = cores > 0 ? (uint64_t)cores : 1;
	}
	if (sweep->jobs > SWEEP_JOBS_MAX || sweep->table == 0)
		return tr_fail(err, "--jobs is 1 to %u, --table at least 1", SWEEP_JOBS_MAX);
	return sweep_command_check(&sweep->command, &sweep->grid, err);
}

// "# flitsweep VERSION: command", to be freed.
static char *make_first_line(const struct sweep *sweep)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	fprintf(out, "# flitsweep %s:", FLIT_VERSION);
	for (size_t i = 0; i < sweep->command.count; i++)
		fprintf(out, " %s", sweep->command.words[i]);
	if (fclose(out) != 0) {
		free(text);
		return NULL;
	}
	for (char *at = text; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	return text;
}

// A run that failed is told of, and ends the sweep unless it is to keep going.
static enum tr_status failed(struct sweep *sweep, size_t run, const char *why)
{
	char name[200];

	sweep_grid_name(&sweep->grid, run, name, sizeof(name));
	tool_error(sweep->tool, "run%s%s: %s", *name != '\0' ? " " : "", name, why);
	return tool_keep_going(sweep->tool) ? TR_OK : TR_END;
}

static enum tr_status take_result(void *context, const struct sweep_result *result,
				  struct tr_error *err)
{
	struct sweep *sweep = context;
	struct tr_error why;

	if (result->failed)
		return failed(sweep, result->run, result->why.text);
	if (result->exit_status > 1) {
		tr_fail(&why, "%s ended with status %d", sweep_command_last(&sweep->command),
			result->exit_status);
		return failed(sweep, result->run, why.text);
	}
	sweep->said_no = sweep->said_no || result->exit_status == 1;
	if (sweep_results_put(&sweep->results, result->run, result->text, &why) != TR_OK) {
		if (ferror(sweep->results.out))
			return sweep->output != NULL ? tr_fail(err, "%s", why.text) : TR_END;
		return failed(sweep, result->run, why.text);
	}
	tool_progress(sweep->tool, "%zu of %zu runs", result->run + 1,
		      sweep_grid_runs(&sweep->grid));
	return TR_OK;
}

static enum tr_status open_results(struct sweep *sweep, struct tr_error *err)
{
	struct sweep_results *results = &sweep->results;
	FILE *out;

	results->grid = &sweep->grid;
	results->table = sweep->table;
	results->name = sweep->output != NULL ? sweep->output : "standard output";
	results->first_line = make_first_line(sweep);
	if (results->first_line == NULL)
		return tr_fail(err, "memory is exhausted");
	if (sweep->output != NULL)
		return sweep_results_open(results, err);
	out = tool_text_output(sweep->tool, NULL);
	return out != NULL ? sweep_results_start(results, out, err) : TR_END;
}

static void run(struct sweep *sweep)
{
	struct sweep_results *results = &sweep->results;
	struct tr_error err;
	enum tr_status status = make_grid(sweep, &err);

	if (status == TR_OK)
		status = open_results(sweep, &err);
	if (status == TR_OK) {
		const struct sweep_job job = {.command = &sweep->command, .grid = &sweep->grid,
					      .skip = results->done,
					      .at_once = (size_t)sweep->jobs,
					      .done = take_result, .context = sweep};

		status = sweep_runs(&job, &err);
	}
	if (status == TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	if (sweep->output == NULL)
		results->out = NULL; // the tool's
	if (sweep_results_close(results, &err) != TR_OK && status != TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	free((char *)results->first_line);
}

int main(int argc, char **argv)
{
	struct sweep sweep = {.table = 1};
	const struct opt opts[] = {
		OPT_LIST('p', "parameter", "NAME=LIST", &sweep.parameters,
			 "a parameter and its values, as load=0.1,0.3 or nodes=2..8"),
		OPT_STRING('s', "seeds", "LIST", &sweep.seeds,
			   "the parameter seed, which changes first"),
		OPT_COUNT('j', "jobs", &sweep.jobs, "runs at once; as many as there are cores"),
		OPT_COUNT(0, "table", &sweep.table, "which table of a run's output"),
		OPT_SILENT_FILE('o', "output", &sweep.output,
				"write here, and go on with what is there"),
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitsweep", "[option ...] -- program [argument ...] ['|' program ...]",
		"Runs programs for all values of some parameters, {name} in their arguments.", opts};
	const char **words;

	sweep.tool = tool_start(argc, argv, &spec);
	sweep.command.count = tool_operand_count(sweep.tool);
	words = calloc(sweep.command.count + 1, sizeof(*words));
	for (size_t i = 0; words != NULL && i < sweep.command.count; i++)
		words[i] = tool_operand(sweep.tool, i);
	sweep.command.words = words;
	if (words == NULL)
		tool_error(sweep.tool, "memory is exhausted");
	else
		run(&sweep);
	free(words);
	sweep_grid_clear(&sweep.grid);
	return tool_finish(sweep.tool, sweep.said_no ? TOOL_NO : TOOL_OK);
}
