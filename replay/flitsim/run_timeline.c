// SPDX-License-Identifier: GPL-3.0-or-later
#include "flitsim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "draw/paper.h"
#include "program/program.h"
#include "program_run.h"
#include "timeline/run_over_time.h"
#include "value/escape.h"
#include "value/ticks.h"

#define TITLE_BYTES 400
#define SAMPLE_US UINT64_C(1) // length of a sample that nobody asked for

static enum tr_status write_svg(const struct timeline *timeline, const char *title,
				const char *comments, FILE *out, struct tr_error *err)
{
	(void)err;
	timeline_svg(timeline, title, comments, out);
	return TR_OK;
}

static enum tr_status write_pdf(const struct timeline *timeline, const char *title,
				const char *comments, FILE *out, struct tr_error *err)
{
	struct draw_paper paper;
	enum tr_status status = draw_paper_open(&paper, "timeline.pdf", out, err);

	if (status == TR_OK)
		timeline_svg(timeline, title, comments, paper.svg);
	return draw_paper_close(&paper, status == TR_OK, err);
}

// By the ending of the file's name.
static const struct run_timeline_form {
	const char *ending;
	enum tr_status (*write)(const struct timeline *timeline, const char *title,
				const char *comments, FILE *out, struct tr_error *err);
} forms[] = {{".svg", write_svg}, {".pdf", write_pdf}, {".json", timeline_trace_events}};

static const struct run_timeline_form *find_form(const char *path)
{
	const size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		const size_t ending = strlen(forms[i].ending);

		if (length > ending && strcmp(path + length - ending, forms[i].ending) == 0)
			return &forms[i];
	}
	return NULL;
}

bool run_timeline_is_wanted(const struct sim_options *options)
{
	return options->output.timeline || options->output.watch;
}

enum tr_status run_timeline_check(const struct sim_options *options, struct tr_error *err)
{
	if (options->output.timeline && !find_form(options->output.timeline))
		return tr_fail(err,
			       "--timeline: %s: expected a name that ends in .svg, .pdf or .json",
			       options->output.timeline);
	if (options->output.watch && !isatty(STDOUT_FILENO))
		return tr_fail(err, "--watch: standard output is not a terminal; --timeline FILE "
				    "writes a picture");
	return TR_OK;
}

// Whether an engine of the kind does what setup asks.
static bool is_supported(const struct fabric *fabric, const struct net_setup *setup)
{
	const struct net_engine *const *engine = fabric->kind->engines;
	struct tr_error why;

	while (*engine && (*engine)->supports && (*engine)->supports(setup, &why) != TR_OK)
		engine++;
	return *engine;
}

// Samples for --links serve the timeline, too. A kind whose links cannot be sampled has a timeline
// without them.
static enum tr_status request_samples(const struct run_timeline *run, const struct fabric *fabric,
				      struct net_setup *setup, struct tr_error *err)
{
	if (setup->sampling.width_ticks > 0 || (!fabric->kind->linked && !fabric->kind->wired))
		return TR_OK;
	if (!tool_option_given(run->tool, "interval"))
		setup->sampling.width_ticks = (int64_t)(SAMPLE_US * setup->ticks_per_s / 1000000);
	else if (tr_ticks_exact(run->options->output.interval_s, setup->ticks_per_s,
				&setup->sampling.width_ticks, err) != TR_OK)
		return tr_fail_in(err, "--interval");
	if (!is_supported(fabric, setup))
		setup->sampling.width_ticks = 0;
	return TR_OK;
}

static enum tr_status run_timeline_prepare(struct run_timeline *run, const struct fabric *fabric,
					   struct net_setup *setup,
					   const struct program_run *program, struct tr_error *err)
{
	const struct sim_output_options *output = &run->options->output;
	const struct tr_outfile_options whole = {.files = tool_files(run->tool)};
	struct timeline form = {.topology = setup->topology,
				.ticks_per_s = setup->ticks_per_s,
				.records_max = sim_memory_part(run->options, SIM_MEMORY_TIMELINE) /
					       TIMELINE_RECORD_BYTES,
				.program = program != NULL,
				.places = program ? program->form->ranks(program)
						  : setup->topology->hosts,
				.tracks_per_place = !program	       ? 2
						    : program->program ? program->goal.cpus
								       : 1};

	if (sim_window_open(&run->window, &output->only, setup->topology, setup->ticks_per_s,
			    err) != TR_OK)
		return TR_ERROR;
	form.window = (struct timeline_window){run->window.from_ticks, run->window.to_ticks,
					       run->window.links};
	if (request_samples(run, fabric, setup, err) != TR_OK ||
	    timeline_open(&run->timeline, &form, err) != TR_OK)
		return TR_ERROR;
	return output->timeline ? tr_outfile_open(&run->out, output->timeline, &whole, err) : TR_OK;
}

bool run_timeline_open(struct run_timeline *run, struct tool *tool,
		       const struct sim_options *options, const struct fabric *fabric,
		       struct net_setup *setup, const struct program_run *program)
{
	struct tr_error err;

	*run = (struct run_timeline){
		.tool = tool, .options = options, .wanted = run_timeline_is_wanted(options)};
	if (!run->wanted || run_timeline_prepare(run, fabric, setup, program, &err) == TR_OK)
		return true;
	tool_error(tool, "%s", err.text);
	return false;
}

enum tr_status run_timeline_packet(struct run_timeline *run, const struct net_worm *worm,
				   const struct tr_delivery *delivery, struct tr_error *err)
{
	return run->wanted ? timeline_add_packet(&run->timeline, worm, delivery, err) : TR_OK;
}

enum tr_status run_timeline_message(struct run_timeline *run, const struct tr_message *message,
				    struct tr_error *err)
{
	return run->wanted ? timeline_add_message(&run->timeline, message, err) : TR_OK;
}

enum tr_status run_timeline_turn(struct run_timeline *run, const struct program_turn *turn,
				 struct tr_error *err)
{
	const struct timeline_span span = {.begin_ticks = turn->begin_ticks,
					   .end_ticks = turn->end_ticks,
					   .track = turn->processor,
					   .line = turn->line,
					   .does = TIMELINE_COMPUTES};

	return run->wanted ? timeline_add_span(&run->timeline, &span, err) : TR_OK;
}

void run_timeline_sample(struct run_timeline *run, const struct tr_link *sample)
{
	if (run->wanted)
		timeline_add_sample(&run->timeline, sample);
}

// The steps of the critical path, the first one first. Returns how many; SIZE_MAX where memory runs
// out. The caller frees *out.
static size_t find_path(const struct program *program, uint32_t **out)
{
	size_t count = 0;
	size_t at;

	for (uint32_t i = program_last_step(program); i != PROGRAM_NO_STEP;
	     i = program_step(program, i).cause)
		count++;
	*out = calloc(count + 1, sizeof(**out));
	if (!*out)
		return SIZE_MAX;
	at = count;
	for (uint32_t i = program_last_step(program); i != PROGRAM_NO_STEP;
	     i = program_step(program, i).cause)
		(*out)[--at] = i;
	return count;
}

static enum tr_status add_steps(struct timeline *timeline, const struct program_run *run,
				const uint32_t *path, size_t count, struct tr_error *err)
{
	static const uint8_t does[] = {
		[PROGRAM_COMPUTES] = TIMELINE_COMPUTES, [PROGRAM_SENDS] = TIMELINE_SENDS,
		[PROGRAM_REQUESTS] = TIMELINE_SENDS,	[PROGRAM_REPLIES] = TIMELINE_SENDS,
		[PROGRAM_RECEIVES] = TIMELINE_RECEIVES, [PROGRAM_MATCHES] = TIMELINE_POSTS};
	const uint32_t steps = program_step_count(run->program);
	size_t place = 0;

	for (uint32_t i = 0; i < steps; i++) {
		const struct program_step step = program_step(run->program, i);
		const struct timeline_span span = {.begin_ticks = step.begin_ticks,
						   .end_ticks = step.end_ticks,
						   .track = step.rank * run->goal.cpus + step.cpu,
						   .line = run->goal.ops[step.op].line,
						   .does = does[step.does],
						   .critical = place < count && path[place] == i};

		place += span.critical;
		if (timeline_add_span(timeline, &span, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status add_legs(struct timeline *timeline, const struct program_run *run,
			       const uint32_t *path, size_t count, struct tr_error *err)
{
	for (size_t i = 0; i < count; i++) {
		const struct program_step step = program_step(run->program, path[i]);
		const struct timeline_leg leg = {
			.since_ticks = step.since_ticks,
			.begin_ticks = step.begin_ticks,
			.left_ticks = i + 1 < count
					      ? program_step(run->program, path[i + 1]).since_ticks
					      : step.end_ticks,
			.track = step.rank * run->goal.cpus + step.cpu};

		if (timeline_add_leg(timeline, &leg, err) != TR_OK)
			return TR_ERROR;
	}
	return TR_OK;
}

static enum tr_status add_program(struct timeline *timeline, const struct program_run *run,
				  struct tr_error *err)
{
	uint32_t *path;
	const size_t count = find_path(run->program, &path);
	enum tr_status status;

	if (count == SIZE_MAX)
		return tr_no_memory(err, "the critical path");
	status = add_steps(timeline, run, path, count, err);
	if (status == TR_OK)
		status = add_legs(timeline, run, path, count, err);
	free(path);
	return status;
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (strcmp(path, "-") == 0)
		return "standard input";
	return slash ? slash + 1 : path;
}

// Of a file its name; keys as they are, whose values may have a "/".
static const char *fabric_part(const char *word)
{
	return strchr(word, '=') ? word : last_part(word);
}

// What was run: the program or trace, the network and the hardware.
static void run_timeline_write_title(const struct run_timeline *run,
				     const struct program_run *program, char title[TITLE_BYTES])
{
	const struct sim_options *options = run->options;
	const char *trace = tool_operand_count(run->tool) > 0 ? tool_operand(run->tool, 0) : "-";

	*title = '\0';
	for (size_t i = 0; program && i < options->program.files.count; i++)
		text_append(title, TITLE_BYTES, "%s%s", i == 0 ? "" : ", ",
			    last_part(options->program.files.words[i]));
	if (!program)
		text_append(title, TITLE_BYTES, "%s", last_part(trace));
	if (run->timeline.topology->cable_count > 0)
		text_append(title, TITLE_BYTES, " on %s", last_part(options->network));
	for (size_t i = 0; i < options->fabric.count; i++)
		text_append(title, TITLE_BYTES, "%s%s", i == 0 ? ", " : ",",
			    fabric_part(options->fabric.words[i]));
}

static enum tr_status finish(struct run_timeline *run, const struct program_run *program,
			     struct tr_error *err)
{
	const char *path = run->options->output.timeline;
	char title[TITLE_BYTES];
	struct tr_outfile *out = run->out;
	FILE *file;

	if ((program && program->program && add_program(&run->timeline, program, err) != TR_OK) ||
	    timeline_settle(&run->timeline, err) != TR_OK)
		return TR_ERROR;
	run_timeline_write_title(run, program, title);
	if (path) {
		file = tr_outfile_stream(out);
		if (!file)
			return tr_no_memory(err, "%s", path);
		if (find_form(path)->write(&run->timeline, title, tool_provenance(run->tool), file,
					   err) != TR_OK)
			return TR_ERROR;
		run->out = NULL;
		if (tr_outfile_close(out, true, err) != TR_OK)
			return TR_ERROR;
	}
	if (!run->options->output.watch)
		return TR_OK;
	(void)tool_stdout(run->tool); // clears the progress
	return timeline_browse(&run->timeline, title, err);
}

void run_timeline_finish(struct run_timeline *run, const struct program_run *program)
{
	struct tr_error err;

	if (run->wanted && finish(run, program, &err) != TR_OK)
		tool_output_error(run->tool, err.text);
}

void run_timeline_close(struct run_timeline *run)
{
	struct tr_error err;

	(void)tr_outfile_close(run->out, false, &err);
	timeline_close(&run->timeline);
	sim_window_close(&run->window);
	*run = (struct run_timeline){.tool = NULL};
}
