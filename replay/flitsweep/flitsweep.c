// SPDX-License-Identifier: GPL-3.0-or-later
// flitsweep: programs, joined by pipes, run for each combination of some parameters' values.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "flitsweep.h"
#include "trace/memstream.h"
#include "trace/tool.h"

struct sweep {
	struct tool *tool;
	struct opt_list parameters;
	const char *seeds;
	const char *output;
	const char *tables;
	uint64_t jobs;
	struct sweep_grid grid;
	struct sweep_command command;
	struct sweep_folder folder; // without path: outputs are not kept
	bool *kept;		    // by run: its output is in the folder
	struct sweep_results results;
	bool said_no; // a run ended with status 1
};

static enum tr_status make_grid(struct sweep *sweep, struct tr_error *err)
{
	for (size_t i = 0; i < sweep->parameters.count; i++)
		if (sweep_grid_add(&sweep->grid, sweep->parameters.words[i], err) != TR_OK)
			return TR_ERROR;
	if (sweep->seeds) {
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
	if (sweep->jobs > SWEEP_JOBS_MAX)
		return tr_fail(err, "--jobs: expected 1 to %u", SWEEP_JOBS_MAX);
	if (sweep_results_tables(&sweep->results, sweep->tables, err) != TR_OK)
		return TR_ERROR;
	return sweep_command_check(&sweep->command, &sweep->grid, err);
}

// "# flitsweep VERSION: command", to be freed.
static char *make_first_line(const struct sweep *sweep)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = tr_memstream_open(&text, &bytes);

	if (!out)
		return NULL;
	fprintf(out, "# flitsweep %s:", FLIT_VERSION);
	for (size_t i = 0; i < sweep->command.count; i++)
		fprintf(out, " %s", sweep->command.words[i]);
	if (!tr_memstream_close(out)) {
		free(text);
		return NULL;
	}
	for (char *at = text; *at != '\0'; at++)
		if (*at == '\n')
			*at = ' ';
	return text;
}

// Reports a failed run, which ends the sweep unless it is to keep going.
static enum tr_status failed(struct sweep *sweep, size_t run, const char *why)
{
	char name[200];

	sweep_grid_name(&sweep->grid, run, name, sizeof(name));
	tool_error(sweep->tool, "run%s%s: %s", *name != '\0' ? " " : "", name, why);
	return tool_keep_going(sweep->tool) ? TR_OK : TR_END;
}

// Writes the rows of a run whose program ended with this status.
static enum tr_status put_rows(struct sweep *sweep, size_t run, const char *text, int exit_status, struct tr_error *err)
{
	struct tr_error why;

	sweep->said_no = sweep->said_no || exit_status == 1;
	if (sweep_results_put(&sweep->results, run, text, &why) == TR_OK)
		return TR_OK;
	if (ferror(sweep->results.out))
		return sweep->output ? tr_fail(err, "%s", why.text) : TR_END;
	return failed(sweep, run, why.text);
}

static enum tr_status take_result(void *context, const struct sweep_result *result, struct tr_error *err)
{
	struct sweep *sweep = context;
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (result->failed)
		return failed(sweep, result->run, result->why.text);
	if (result->exit_status > 1) {
		tr_fail(&why, "%s ended with status %d", sweep_command_last(&sweep->command), result->exit_status);
		return failed(sweep, result->run, why.text);
	}
	if (!sweep->folder.path) {
		status = put_rows(sweep, result->run, result->text, result->exit_status, err);
	} else {
		status = sweep_folder_put(&sweep->folder, result->run, result->text, result->exit_status, err);
		sweep->kept[result->run] = status == TR_OK;
	}
	if (status == TR_OK)
		tool_progress(sweep->tool, "%zu of %zu runs", result->run + 1, sweep_grid_runs(&sweep->grid));
	return status;
}

// A word of the command may name a file that a program reads, and so may the part after its "=". Files in /dev and /proc differ
// between processes.
static bool claim_word(struct sweep *sweep, const char *word)
{
	const char *value = strchr(word, '=');

	if (strcmp(word, "-") != 0 && strncmp(word, "/dev/", 5) != 0 && strncmp(word, "/proc/", 6) != 0 &&
	    !tool_reads(sweep->tool, word))
		return false;
	return !value || claim_word(sweep, value + 1);
}

// Makes sure that the table overwrites none of them.
static enum tr_status claim_files(struct sweep *sweep, struct tr_error *err)
{
	for (size_t i = 0; i < sweep->command.count; i++) {
		const bool changes = strchr(sweep->command.words[i], '{');

		for (size_t run = 0; run < (changes ? sweep_grid_runs(&sweep->grid) : 1); run++) {
			char *word = sweep_command_word(&sweep->command, &sweep->grid, run, i);
			const bool ok = word && claim_word(sweep, word);

			if (!word)
				return tr_no_memory(err, "the names of files");
			free(word);
			if (!ok)
				return TR_END;
		}
	}
	return TR_OK;
}

// Finds the runs already in the folder.
static enum tr_status find_kept(struct sweep *sweep, struct tr_error *err)
{
	sweep->kept = calloc(sweep_grid_runs(&sweep->grid), sizeof(*sweep->kept));
	if (!sweep->kept)
		return tr_no_memory(err, "the kept runs");
	if (sweep_folder_open(&sweep->folder, err) != TR_OK)
		return TR_ERROR;
	for (size_t run = 0; run < sweep_grid_runs(&sweep->grid); run++) {
		const char *text;
		char *whole;
		int exit_status;
		enum tr_status status = sweep_folder_get(&sweep->folder, run, &whole, &text, &exit_status, err);

		free(whole);
		if (status == TR_ERROR)
			return TR_ERROR;
		sweep->kept[run] = status == TR_OK;
	}
	return TR_OK;
}

// The table of all runs in the folder, in the order of the grid.
static enum tr_status collect(struct sweep *sweep, struct tr_error *err)
{
	enum tr_status status = TR_OK;

	for (size_t run = 0; run < sweep_grid_runs(&sweep->grid) && status == TR_OK; run++) {
		const char *text;
		char *whole;
		int exit_status;

		if (!sweep->kept[run])
			continue;
		status = sweep_folder_get(&sweep->folder, run, &whole, &text, &exit_status, err);
		if (status == TR_OK)
			status = put_rows(sweep, run, text, exit_status, err);
		free(whole);
	}
	return status;
}

// Opens the output of the table. With a folder it is written anew; otherwise an existing one is continued.
static enum tr_status open_results(struct sweep *sweep, struct tr_error *err)
{
	struct sweep_results *results = &sweep->results;
	FILE *out;

	results->grid = &sweep->grid;
	results->name = sweep->output ? sweep->output : "standard output";
	results->first_line = make_first_line(sweep);
	if (!results->first_line)
		return tr_no_memory(err, "the results");
	if (sweep->output && !sweep->folder.path)
		return sweep_results_open(results, err);
	out = tool_text_output(sweep->tool, sweep->output);
	return out ? sweep_results_start(results, out, err) : TR_END;
}

static enum tr_status do_runs(struct sweep *sweep, struct tr_error *err)
{
	const struct sweep_job job = {.command = &sweep->command,
				      .grid = &sweep->grid,
				      .skip = sweep->kept ? sweep->kept : sweep->results.done,
				      .at_once = (size_t)sweep->jobs,
				      .unordered = sweep->folder.path,
				      .done = take_result,
				      .context = sweep};

	return sweep_runs(&job, err);
}

// After failed runs or an interrupt, the finished runs are in the folder; the table is only written for complete sweeps.
static enum tr_status run_to_folder(struct sweep *sweep, struct tr_error *err)
{
	enum tr_status status = find_kept(sweep, err);

	if (status == TR_OK)
		status = do_runs(sweep, err);
	if (status == TR_ERROR || (sweep->output && !tool_ok(sweep->tool)))
		return status;
	status = open_results(sweep, err);
	return status == TR_OK ? collect(sweep, err) : status;
}

static void run(struct sweep *sweep)
{
	struct sweep_results *results = &sweep->results;
	struct tr_error err;
	enum tr_status status = make_grid(sweep, &err);

	sweep->folder.command = &sweep->command;
	sweep->folder.grid = &sweep->grid;
	sweep->folder.files = tool_files(sweep->tool);
	if (status == TR_OK)
		status = claim_files(sweep, &err);
	if (status == TR_OK && sweep->folder.path) {
		status = run_to_folder(sweep, &err);
	} else if (status == TR_OK) {
		status = open_results(sweep, &err);
		if (status == TR_OK)
			status = do_runs(sweep, &err);
	}
	if (status == TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	if (!sweep->output || sweep->folder.path)
		results->out = NULL; // belongs to the tool
	if (sweep_results_close(results, &err) != TR_OK && status != TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	free((char *)results->first_line);
	free(sweep->kept);
}

int main(int argc, char **argv)
{
	struct sweep sweep = {.tables = "1"};
	const struct opt opts[] = {
		OPT_LIST('p', "parameter", "NAME=LIST", &sweep.parameters,
			 "parameter and its values, as load=0.1,0.3 or nodes=2..8"),
		OPT_STRING('s', "seeds", "LIST", &sweep.seeds, "values of the parameter seed, which varies fastest"),
		OPT_COUNT('j', "jobs", &sweep.jobs, "number of runs at once (default: the number of cores)"),
		OPT_STRING(0, "table", "LIST", &sweep.tables,
			   "table of a run's output to collect, or several side by side, as 1,2"),
		OPT_SILENT_STRING('d', "directory", "FOLDER", &sweep.folder.path,
				  "keep the output of each run in FOLDER, and run only what is missing"),
		OPT_SILENT_FILE('o', "output", &sweep.output, "write to FILE; without -d, resume from its rows"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitsweep", "[option ...] -- program [argument ...] ['|' program ...]",
				       "Run programs for all combinations of parameter values, {name} in their arguments.",
				       opts};
	const char **words;

	sweep.tool = tool_start(argc, argv, &spec);
	sweep.command.count = tool_operand_count(sweep.tool);
	words = calloc(sweep.command.count + 1, sizeof(*words));
	for (size_t i = 0; words && i < sweep.command.count; i++)
		words[i] = tool_operand(sweep.tool, i);
	sweep.command.words = words;
	if (!words)
		tool_no_memory(sweep.tool, "the sweep");
	else
		run(&sweep);
	free(words);
	sweep_grid_clear(&sweep.grid);
	return tool_finish(sweep.tool, sweep.said_no ? TOOL_NO : TOOL_OK);
}
