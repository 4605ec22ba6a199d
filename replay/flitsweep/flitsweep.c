// SPDX-License-Identifier: GPL-3.0-or-later
// flitsweep: programs, joined by pipes, run for each combination of some parameters' values.
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "flitsweep.h"
#include "slurm.h"
#include "tool/tool.h"
#include "value/num.h"
#include "value/processors.h"

struct flitsweep_options {
	struct opt_list parameters;
	const char *list;
	const char *seeds;
	const char *output;
	const char *tables;
	const char *title;
	const char *run;
	struct opt_list slurm;
	uint64_t jobs;
	uint64_t group;
	bool collect;
	bool print;
};

struct flitsweep_sweep {
	struct tool *tool;
	struct flitsweep_options options;
	struct sweep_grid grid;
	struct sweep_command command;
	struct sweep_folder folder; // without path: outputs are not kept
	bool *kept; // by run: its output is in the folder, or it is not to be run here
	struct sweep_results results;
	bool said_no; // a run ended with status 1
	struct sweep_remarks remarks;
	size_t all, done_before; // runs to show the progress of, and those that had ended when the
				 // first one began
};

static enum tr_status read_list(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const struct flitsweep_options *options = &sweep->options;
	struct tr_source *source;
	enum tr_status status;

	if (strcmp(options->list, "-") == 0 && (options->print || options->slurm.count > 0))
		return tr_fail(err, "--list: the commands read the list again; give a file instead "
				    "of standard input");
	source = tool_open_source(sweep->tool, options->list);
	status = source ? sweep_grid_read(&sweep->grid, source, err) : TR_END;

	tr_source_close(source);
	return status;
}

static enum tr_status make_grid(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	struct flitsweep_options *options = &sweep->options;
	enum tr_status status = options->list ? read_list(sweep, err) : TR_OK;

	for (size_t i = 0; status == TR_OK && i < options->parameters.count; i++)
		status = sweep_grid_add(&sweep->grid, options->parameters.words[i], err);
	if (status == TR_OK && options->seeds) {
		char text[256];

		if (snprintf(text, sizeof(text), "seed=%s", options->seeds) >= (int)sizeof(text))
			return tr_fail(err, "--seeds: too long");
		status = sweep_grid_add(&sweep->grid, text, err);
	}
	if (options->jobs > SWEEP_JOBS_MAX && options->slurm.count == 0)
		return tr_fail(err, "--jobs: expected 1 to %u", SWEEP_JOBS_MAX);
	if (status == TR_OK)
		status = sweep_results_tables(&sweep->results, options->tables, err);
	if (options->title && *options->title == '\0')
		return tr_fail(err, "--title: it is empty");
	if (status == TR_OK && sweep->results.table_count == 0 && options->output)
		return tr_fail(err, "--output %s: there is nothing to write with --tables none",
			       options->output);
	return status == TR_OK ? sweep_command_check(&sweep->command, &sweep->grid, err) : status;
}

// Reports a failed run, which ends the sweep unless it is to keep going.
static enum tr_status failed(struct flitsweep_sweep *sweep, size_t run, const char *why)
{
	char name[200];

	sweep_grid_name(&sweep->grid, run, name, sizeof(name));
	tool_error(sweep->tool, "run%s%s: %s", *name != '\0' ? " " : "", name, why);
	return tool_keep_going(sweep->tool) ? TR_OK : TR_END;
}

// Names a run that ended with status 1, once.
static void tell_no(struct flitsweep_sweep *sweep, size_t run)
{
	char name[200];

	sweep->said_no = true;
	sweep_grid_name(&sweep->grid, run, name, sizeof(name));
	tool_verdict(sweep->tool, "run%s%s: a program ended with status 1",
		     *name != '\0' ? " " : "", name);
}

// Writes the rows of a run whose program ended with this status.
static enum tr_status flitsweep_put_rows(struct flitsweep_sweep *sweep, size_t run,
					 const char *text, int exit_status, struct tr_error *err)
{
	struct tr_error why;

	if (exit_status == 1)
		tell_no(sweep, run);
	if (sweep_results_put(&sweep->results, run, text, &why) == TR_OK)
		return TR_OK;
	if (ferror(sweep->results.out))
		return sweep->options.output ? tr_fail(err, "%s", why.text) : TR_END;
	return failed(sweep, run, why.text);
}

// Whether a run was ended from outside: it, or the last program of its shell.
static bool was_killed(int exit_status)
{
	return exit_status == 128 + SIGHUP || exit_status == 128 + SIGINT ||
	       exit_status == 128 + SIGKILL || exit_status == 128 + SIGTERM;
}

static enum tr_status take_result(void *context, const struct sweep_result *result,
				  struct tr_error *err)
{
	struct flitsweep_sweep *sweep = context;
	const bool bad = result->failed || result->exit_status > 1;
	enum tr_status status = TR_OK;
	struct tr_error why;

	if (sweep->folder.path && !(bad && was_killed(result->exit_status))) {
		status = sweep_folder_put(&sweep->folder, result->run, result->text,
					  result->exit_status, err);
		sweep->kept[result->run] = status == TR_OK && !bad;
		if (result->exit_status == 1 &&
		    sweep->options.run) // else the table's collection says it
			tell_no(sweep, result->run);
	}
	if (status == TR_OK && bad) {
		tr_fail(&why, "%s ended with status %d", sweep_command_last(&sweep->command),
			result->exit_status);
		return failed(sweep, result->run, result->failed ? result->why.text : why.text);
	}
	if (!sweep->folder.path)
		status = flitsweep_put_rows(sweep, result->run, result->text, result->exit_status,
					    err);
	return status;
}

static void show_ended(void *context, size_t ended)
{
	const struct flitsweep_sweep *sweep = context;
	const size_t done = sweep->done_before + ended;

	tool_progress_part(sweep->tool, (double)done / (double)sweep->all, "%zu of %zu runs", done,
			   sweep->all);
}

// Marks those of the runs that are not to be run here: all but the numbers of --run.
static enum tr_status select_runs(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const size_t runs = sweep_grid_runs(&sweep->grid);
	struct sweep_grid numbers = {0};
	char text[256];
	enum tr_status status;

	if (snprintf(text, sizeof(text), "run=%s", sweep->options.run) >= (int)sizeof(text))
		return tr_fail(err, "--run: too long");
	memset(sweep->kept, true, runs);
	status = sweep_grid_add(&numbers, text, err);
	for (size_t i = 0; status == TR_OK && i < sweep_grid_runs(&numbers); i++) {
		int64_t number;

		status = num_parse_signed(sweep_grid_value(&numbers, i, 0), 1, (int64_t)runs,
					  &number, err);
		if (status == TR_OK && sweep->kept[number - 1])
			sweep->all++;
		if (status == TR_OK)
			sweep->kept[number - 1] = false;
	}
	sweep_grid_clear(&numbers);
	return status;
}

// Finds the runs already in the folder.
static enum tr_status find_kept(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const size_t runs = sweep_grid_runs(&sweep->grid);

	sweep->kept = calloc(runs, sizeof(*sweep->kept));
	if (!sweep->kept)
		return tr_no_memory(err, "the kept runs");
	if (sweep->options.run && select_runs(sweep, err) != TR_OK)
		return TR_ERROR;
	for (size_t run = 0; run < runs; run++) {
		const char *text;
		char *whole;
		int exit_status;
		enum tr_status status;

		if (sweep->kept[run])
			continue;
		status = sweep_folder_get(&sweep->folder, run, &whole, &text, &exit_status, err);
		free(whole);
		if (status == TR_OK)
			sweep->said_no = sweep->said_no || exit_status == 1;
		else if (status == TR_END && exit_status > 1 && sweep->options.slurm.count > 0)
			status = sweep_folder_forget(&sweep->folder, run, err) == TR_OK ? TR_END
											: TR_ERROR;
		if (status == TR_ERROR)
			return TR_ERROR;
		sweep->kept[run] = status == TR_OK;
	}
	return TR_OK;
}

// The table of all runs in the folder, in the order of the grid.
static enum tr_status flitsweep_collect(struct flitsweep_sweep *sweep, struct tr_error *err)
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
			status = flitsweep_put_rows(sweep, run, text, exit_status, err);
		free(whole);
	}
	return status;
}

// Opens the output of the table. With a folder it is written anew; otherwise an existing one is
// continued.
static enum tr_status open_results(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	struct sweep_results *results = &sweep->results;
	FILE *out;

	results->grid = &sweep->grid;
	results->name = sweep->options.output ? sweep->options.output : "standard output";
	results->first_lines = sweep_results_first_lines(sweep->options.title, &sweep->command);
	if (!results->first_lines)
		return tr_no_memory(err, "the results");
	if (sweep->options.output && !sweep->folder.path)
		return sweep_results_open(results, err);
	out = tool_text_output(sweep->tool, sweep->options.output);
	return out ? sweep_results_start(results, out, err) : TR_END;
}

static enum tr_status do_runs(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const uint32_t processors = processors_allowed();
	const size_t jobs = (size_t)sweep->options.jobs, runs = sweep_grid_runs(&sweep->grid);
	const struct sweep_job job = {.command = &sweep->command,
				      .grid = &sweep->grid,
				      .skip = sweep->kept ? sweep->kept : sweep->results.done,
				      .at_once = jobs > 0			? jobs
						 : processors <= SWEEP_JOBS_MAX ? processors
										: 1,
				      .unordered = sweep->folder.path,
				      .done = take_result,
				      .progress = show_ended,
				      .context = sweep,
				      .remarks = &sweep->remarks};
	size_t skipped = 0;
	enum tr_status status;

	for (size_t run = 0; run < runs; run++)
		skipped += job.skip[run];
	if (!sweep->options.run)
		sweep->all = runs;
	sweep->done_before = sweep->all - (runs - skipped);
	show_ended(sweep, 0);
	status = sweep_runs(&job, err);
	sweep_remarks_end(&sweep->remarks);
	return status;
}

// ---- other machines

static struct sweep_part make_part(const struct flitsweep_sweep *sweep, const char *program,
				   const char *jobs)
{
	return (struct sweep_part){.program = program,
				   .jobs = jobs,
				   .list = sweep->options.list,
				   .parameters = &sweep->options.parameters,
				   .seeds = sweep->options.seeds,
				   .folder = &sweep->folder};
}

// A command for each group of runs that lacks one.
static enum tr_status flitsweep_print_parts(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const struct sweep_part part = make_part(sweep, "flitsweep", "1");

	return sweep_parts_put(&part, sweep->kept, (size_t)sweep->options.group,
			       tool_stdout(sweep->tool), err);
}

static void flitsweep_show_progress(void *context, const char *text)
{
	const struct flitsweep_sweep *sweep = context;

	tool_progress(sweep->tool, "%s", text);
}

static void show_warning(void *context, const char *text)
{
	const struct flitsweep_sweep *sweep = context;

	tool_warn(sweep->tool, "%s; trying again", text);
}

static void show_failed(void *context, size_t run, const char *why)
{
	(void)failed(context, run, why);
}

static enum tr_status submit_runs(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	char path[PATH_MAX];
	const struct sweep_part part = make_part(sweep, tr_spawn_beside("flitsweep", path),
						 "\"${SLURM_CPUS_PER_TASK:-1}\"");
	const struct sweep_slurm slurm = {.part = &part,
					  .options = &sweep->options.slurm,
					  .group = (size_t)sweep->options.group,
					  .at_once = (size_t)sweep->options.jobs,
					  .kept = sweep->kept,
					  .progress = flitsweep_show_progress,
					  .warn = show_warning,
					  .failed = show_failed,
					  .context = sweep};

	if (!memchr(sweep->kept, false, sweep_grid_runs(&sweep->grid)))
		return TR_OK;
	return sweep_slurm_runs(&slurm, err);
}

// Without running anything: the missing runs are an error.
static void report_missing(struct flitsweep_sweep *sweep)
{
	const size_t runs = sweep_grid_runs(&sweep->grid);
	size_t missing = 0, first = 0;
	char name[200];

	for (size_t run = runs; run-- > 0;)
		if (!sweep->kept[run]) {
			missing++;
			first = run;
		}
	if (missing > 0)
		tool_error(sweep->tool,
			   "%s: %zu of %zu runs are missing, the first is number %zu (%s)",
			   sweep->folder.path, missing, runs, first + 1,
			   sweep_grid_name(&sweep->grid, first, name, sizeof(name)));
}

// After failed runs or an interrupt, the finished runs are in the folder; the table is only written
// for complete sweeps.
static enum tr_status run_to_folder(struct flitsweep_sweep *sweep, struct tr_error *err)
{
	const struct flitsweep_options *options = &sweep->options;
	enum tr_status status = options->collect || options->print
					? TR_OK
					: sweep_folder_open(&sweep->folder, err);

	if (status == TR_OK)
		status = find_kept(sweep, err);
	if (status == TR_OK && options->print)
		return flitsweep_print_parts(sweep, err);
	if (status == TR_OK && options->collect)
		report_missing(sweep);
	else if (status == TR_OK && options->slurm.count > 0)
		status = submit_runs(sweep, err);
	else if (status == TR_OK)
		status = do_runs(sweep, err);
	if (status == TR_ERROR || options->run || (options->output && !tool_ok(sweep->tool)))
		return status;
	status = open_results(sweep, err);
	return status == TR_OK ? flitsweep_collect(sweep, err) : status;
}

static void flitsweep_run(struct flitsweep_sweep *sweep)
{
	struct sweep_results *results = &sweep->results;
	struct tr_error err;
	enum tr_status status = make_grid(sweep, &err);

	sweep->folder.command = &sweep->command;
	sweep->folder.grid = &sweep->grid;
	sweep->folder.files = tool_files(sweep->tool);
	if (status == TR_OK && !sweep->options.run)
		status = sweep_command_claim(&sweep->command, &sweep->grid, sweep->tool, &err);
	if (status == TR_OK && sweep->folder.path) {
		status = run_to_folder(sweep, &err);
	} else if (status == TR_OK) {
		status = open_results(sweep, &err);
		if (status == TR_OK)
			status = do_runs(sweep, &err);
	}
	if (status == TR_OK && sweep->options.output && tool_ok(sweep->tool))
		status = sweep_results_end(results, &err);
	if (status == TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	if (!sweep->options.output || sweep->folder.path)
		results->out = NULL; // belongs to the tool
	if (sweep_results_close(results, &err) != TR_OK && status != TR_ERROR)
		tool_error(sweep->tool, "%s", err.text);
	free((char *)results->first_lines);
	free(sweep->kept);
}

static const struct opt_choice table_words[] = {
	{"none", 0, "collect no table: only run the programs"},
	{NULL, 0}};

// Which options cannot be combined, and which have no effect alone.
#define RELATIONS \
	OPT_ONLY_WITH("slurm,commands,run,collect", "directory"), \
		OPT_ONLY_WITH("group", "slurm,commands"), \
		OPT_NOT_WITH("slurm", "commands,run,collect"), \
		OPT_NOT_WITH("commands", "run,collect"), OPT_NOT_WITH("run", "collect"), \
		OPT_NOT_WITH("output,tables,title", "commands,run"), \
		OPT_NOT_WITH("jobs", "commands,collect")

int main(int argc, char **argv)
{
	struct flitsweep_sweep sweep = {.options = {.tables = "1"}};
	struct flitsweep_options *o = &sweep.options;
	const struct opt opts[] = {
		OPT_LIST('p', "parameter", "NAME=LIST", &o->parameters,
			 "parameter and its values, as load=0.1,0.3 or nodes=2..8"),
		OPT_STRING('s', "seeds", "LIST", &o->seeds,
			   "values of the parameter seed, which varies fastest"),
		OPT_FILE(0, "list", &o->list,
			 "a run for each line: {line}, or the names in a first line # "
			 "NAME<TAB>NAME"),
		OPT_NUMBER('j', "jobs", &o->jobs, 0,
			   "number of runs at once, or of Slurm's tasks" OPT_DEFAULT(
				   "the number of cores; Slurm: any")),
		OPT_STRING_OR_WORD(0, "tables", "LIST", &o->tables, table_words,
				   "table of a run's output to collect, or several side by side, "
				   "as 1,2; or none"),
		OPT_TITLE(&o->title),
		OPT_SILENT_STRING(
			'd', "directory", "FOLDER", &sweep.folder.path,
			"keep the output of each run in FOLDER, and run only what is missing"),
		OPT_OUTPUT(&o->output),
		OPT_GROUP("other machines that share FOLDER"),
		{OPT_TYPE_LIST, 0, "slurm", "OPTIONS",
		 "submit the runs to Slurm, with OPTIONS of sbatch, and wait for them", &o->slurm,
		 NUM_PLAIN, NULL, OPT_SILENT | OPT_OPTIONAL, 0},
		OPT_SILENT_FLAG(0, "commands", &o->print,
				"print shell commands that do the missing runs, one a line"),
		OPT_NUMBER(0, "group", &o->group, 0,
			   "number of runs in a task or command" OPT_DEFAULT(
				   "1; more for Slurm's longest array")),
		OPT_STRING(0, "run", "LIST", &o->run,
			   "do only the runs with these numbers, as 7 or 1..20, without a table"),
		OPT_SILENT_FLAG(0, "collect", &o->collect,
				"run nothing; print the table of the runs in FOLDER"),
		RELATIONS,
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitsweep", "[option ...] -- program [argument ...] ['|' program ...]",
		"Run programs for all combinations of parameter values, {name} in their arguments.",
		opts};
	const char **words;

	sweep.tool = tool_start(argc, argv, &spec);
	sweep.remarks = (struct sweep_remarks){.tool = sweep.tool, .grid = &sweep.grid};
	sweep.command.count = tool_operand_count(sweep.tool);
	words = calloc(sweep.command.count + 1, sizeof(*words));
	for (size_t i = 0; words && i < sweep.command.count; i++)
		words[i] = tool_operand(sweep.tool, i);
	sweep.command.words = words;
	if (!words)
		tool_no_memory(sweep.tool, "the sweep");
	else
		flitsweep_run(&sweep);
	free(words);
	sweep_grid_clear(&sweep.grid);
	return tool_finish(sweep.tool, sweep.said_no ? TOOL_NO : TOOL_OK);
}
