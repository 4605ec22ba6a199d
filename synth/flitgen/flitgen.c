// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen: traffic from a model, for any number of nodes; or a trace replayed, stretched, shifted,
// cut.
#include "flitgen.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "gen/families/program/program_model.h"
#include "gen/programs/algorithms.h"
#include "stat/intervals/numeric_errors.h"
#include "stat/intervals/workload.h"
#include "stream/provenance.h"
#include "text/program_file.h"
#include "tool/offered_load.h"
#include "value/ticks.h"

#define END_TICKS_MAX ((int64_t)1 << 62)

static enum tr_status flitgen_read_model(struct tool *tool, struct model *model)
{
	struct tr_source *source;
	struct tr_error err;

	if (tool_operand_count(tool) > 1) {
		tool_error(tool, "expected one model");
		return TR_ERROR;
	}
	if (tool_next_source(tool, &source) != TR_OK)
		return TR_ERROR;
	const char *name = tr_source_name(source);
	enum tr_status status = tr_source_begins(source, TR_MAGIC, 1)
					? tr_fail(&err,
						  "%s: this is a trace, not a model: flitfit fits "
						  "a model to it, flitgen --read replays it",
						  name)
					: model_read(model, source, &err);

	tr_source_close(source);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	return status;
}

// A bootstrap reads the trace that it was fitted to.
static bool flitgen_claim_trace(struct tool *tool, const struct model *model)
{
	const struct model_entry *trace = model_find(model, "", "trace");

	return !trace || tool_reads_beside(tool, model->name, trace->value);
}

static enum tr_status flitgen_settle(const struct gen_request *request,
				     struct generator_settings *settings, struct tr_error *err)
{
	*settings = (struct generator_settings){
		.seed = request->seed,
		.ticks_per_s = (uint64_t)llround((double)request->ticks_per_s * request->stretched),
		.stretch = request->stretched,
		.nodes = (uint32_t)request->nodes,
	};
	if (request->time.num < 0 || (request->time.den && request->time.num == 0))
		return tr_fail(err, "--time: expected more than 0");
	if (request->until.den && request->until.num <= 0)
		return tr_fail(err, "--until-bytes: expected more than 0");
	if (request->time.num)
		return tr_ticks_round(request->time, request->ticks_per_s, &settings->end_ticks,
				      err);
	if (request->count || request->until.num || request->workload)
		settings->end_ticks = END_TICKS_MAX;
	return TR_OK;
}

static enum tr_status flitgen_find_end(const struct gen_request *request, uint32_t nodes,
				       struct gen_progress *progress, struct tr_error *err)
{
	*progress = gen_progress_make(request);
	if (request->workload)
		return workload_bytes(request->workload, nodes, &progress->data_bytes_left, err);
	return TR_OK;
}

// Families that draw the whole run at its start need an end where packets or bytes are to end it:
// the model's duration, or the first of its doubles in which as much comes as is asked for.
static enum tr_status find_length(const struct gen_request *request, const struct model *model,
				  struct generator_settings *settings, struct tr_error *err)
{
	struct generator generator = {NULL, NULL};
	struct gen_progress progress;
	struct forecast forecast = {.senders = NULL};
	const struct family *family;
	double ticks;
	enum tr_status status = family_of(model, &family, err);

	if (status != TR_OK || !family->needs_end || settings->end_ticks != END_TICKS_MAX)
		return status;
	status = family->generator->forecast(model, &forecast, err);
	ticks = fmax(1, forecast.duration_s * (double)settings->ticks_per_s);
	forecast_clear(&forecast);
	for (bool enough = status != TR_OK; !enough; ticks *= 2) {
		settings->end_ticks = (int64_t)fmin(ticks, (double)END_TICKS_MAX);
		status = generator_open(&generator, model, settings, err);
		if (status == TR_OK)
			status = flitgen_find_end(request, generator.kind->nodes(generator.state),
						  &progress, err);
		if (status == TR_OK)
			status = gen_suffices(&generator, &progress, err);
		enough = status != TR_END;
		generator_close(&generator);
	}
	return status;
}

static void put_names(const struct generator *generator, struct tr_writer *out)
{
	char address[GENERATOR_NAME_BYTES];

	for (uint32_t id = 0; id < generator->kind->nodes(generator->state); id++) {
		enum tr_role role = generator->kind->node(generator->state, id, address);

		if (tr_put_node(out, id, address, role) != TR_OK)
			return;
	}
}

// Provenance that the options lack: the seed, even if it is the default.
static void put_origin(const struct gen_request *request, struct tr_writer *out)
{
	char lines[TR_NAME_TEXT_MAX];

	snprintf(lines, sizeof(lines), "  seed %llu\n", (unsigned long long)request->seed);
	(void)tr_put_note(out, lines);
}

static enum tr_status add_matrix(struct tool *tool, const char *path, struct model *model,
				 struct tr_error *err)
{
	struct tr_source *source = tool_open_source(tool, path);
	enum tr_status status = source ? gen_read_matrix(model, source, err)
				       : tr_fail(err, "there is no matrix to read");

	tr_source_close(source);
	return status;
}

// Replaces the model's keys by the options.
static enum tr_status flitgen_change(struct tool *tool, const struct gen_request *request,
				     struct model *model, struct tr_error *err)
{
	for (size_t i = 0; i < request->set.count; i++) {
		const char *word = request->set.words[i];
		const char *sign = strchr(word, '=');
		char *key = sign ? strndup(word, (size_t)(sign - word)) : NULL;

		if (!sign)
			return tr_fail(err, "--set %s: expected KEY=VALUE", word);
		if (key)
			model_set(model, key, sign + 1);
		model->failed = model->failed || !key;
		free(key);
	}
	if (request->matrix && add_matrix(tool, request->matrix, model, err) != TR_OK)
		return TR_ERROR;
	return model->failed ? tr_no_memory(err, "the model") : TR_OK;
}

// The load of a controller and workers depends on the option's number of nodes. (A bootstrap
// accepts only its own.)
static enum tr_status set_load(struct gen_request *request, struct model *model,
			       struct tr_error *err)
{
	char nodes[32];

	(void)snprintf(nodes, sizeof(nodes), "%llu", (unsigned long long)request->nodes);
	if (request->nodes && request->load && !model_find(model, "", "trace"))
		model_set(model, "nodes", nodes);
	return gen_load(request, model, &request->stretched, &request->of_link, err);
}

// What nobody may expect of the model at this number of nodes and load.
static void tell_limits(struct tool *tool, const struct gen_request *request,
			const struct model *model)
{
	const struct family *family;
	struct tr_error err;

	tool_warn_load(tool, "--load", request->of_link, gen_link_bps(request),
		       " (--link-rate sets another rate)");
	if (tool_option_given(tool, "nodes") && family_of(model, &family, &err) == TR_OK &&
	    family == &client_server_family)
		tool_warn(tool, "--nodes: a class of one node, such as a single server, keeps one "
				"node; the other classes share the rest in proportion, and each "
				"client behaves as before, so more clients load the servers more; "
				"--explain says how much");
}

static enum tr_status check_nodes(const struct generator *generator, struct tr_error *err)
{
	const uint32_t nodes = generator->kind->nodes(generator->state);

	return nodes <= TR_NODES_MAX ? TR_OK
				     : tr_fail(err, "the model has %u nodes, a stream at most %u",
					       nodes, TR_NODES_MAX);
}

static void flitgen_generate(struct tool *tool, const struct gen_request *request,
			     const struct model *model)
{
	struct generator_settings settings;
	struct generator generator = {NULL, NULL};
	struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = request->ticks_per_s};
	struct tr_writer_options options = {.compress = request->compress};
	struct tr_error err;
	struct gen_progress progress;
	struct gen_counts counts;
	struct gen_output out = {NULL, NULL};

	if (request->counts.den) {
		header.kind = TR_SERIES;
		out.counts = &counts;
	}
	if (flitgen_settle(request, &settings, &err) != TR_OK ||
	    find_length(request, model, &settings, &err) != TR_OK ||
	    generator_open(&generator, model, &settings, &err) != TR_OK ||
	    check_nodes(&generator, &err) != TR_OK ||
	    flitgen_find_end(request, generator.kind->nodes(generator.state), &progress, &err) !=
		    TR_OK ||
	    (out.counts && gen_counts_set(&counts, request->counts, &header, &err) != TR_OK))
		gen_refuse_model(tool, request, &err);
	else if ((out.writer = tool_output(tool, request->output, &header, &options))) {
		counts.writer = out.writer;
		put_origin(request, out.writer);
		if (settings.end_ticks != END_TICKS_MAX)
			progress.end_ticks = settings.end_ticks;
		if (!out.counts)
			put_names(&generator, out.writer);
		gen_write(tool, &generator, &progress, &out);
		gen_tell_empty(tool, &progress);
	}
	generator_close(&generator);
}

static enum tr_status list_programs(struct table_style style, FILE *out, struct tr_error *err)
{
	struct table *table = table_new("programs", "programs");

	table_column(table, "name");
	table_column(table, "program");
	table_column(table, "algorithm");
	for (const struct program_kind *const *kind = program_kinds; *kind; kind++) {
		char program[PROGRAM_ARGS_BYTES];

		(void)snprintf(program, sizeof(program), "%s:%s", (*kind)->name, (*kind)->keys);
		table_text(table, (*kind)->name);
		table_text(table, program);
		table_text(table, (*kind)->summary);
	}
	return tables_finish(&table, 1, style, "flitgen", out, err);
}

// Whether --program names a file: it is not an algorithm, and the file exists.
static bool is_file(const char *text)
{
	char name[PATH_MAX];
	const char *overrides;
	struct tr_error err;

	for (const struct program_kind *const *kind = program_kinds; *kind; kind++) {
		const size_t length = strlen((*kind)->name);

		if (strncmp(text, (*kind)->name, length) == 0 &&
		    (text[length] == ':' || text[length] == '\0'))
			return false;
	}
	return program_file_split(text, name, sizeof(name), &overrides, &err) == TR_OK &&
	       access(name, R_OK) == 0;
}

// Writes the model of a program that --program names.
static void write_modelled(struct tool *tool, const struct gen_request *request)
{
	struct tr_source *source = tool_open_source(tool, request->program);
	struct model model = {.name = NULL};
	struct tr_error err;
	FILE *out;

	if (!source)
		return;
	if (model_read(&model, source, &err) != TR_OK ||
	    flitgen_change(tool, request, &model, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if ((out = tool_printable_output(tool, request->output)) &&
		 program_write_goal(&model, request->nodes, request->seed, out, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	model_clear(&model);
	tr_source_close(source);
}

static void write_algorithm(struct tool *tool, const struct gen_request *request)
{
	FILE *out = tool_printable_output(tool, request->output);
	struct tr_error err;

	if (out && program_write(request->program, out, NULL, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

// Whether the file is a model's text, rather than a program of processes.
static bool is_model(struct tool *tool, const char *path)
{
	struct tr_source *source = access(path, R_OK) == 0 ? tool_open_source(tool, path) : NULL;
	const bool is = source &&
			tr_source_begins(source, MODEL_FIRST_LINE, sizeof(MODEL_FIRST_LINE) - 1);

	tr_source_close(source);
	return is;
}

static void write_program(struct tool *tool, const struct gen_request *request)
{
	static const char *const of_models[] = {"nodes", "seed", "set"};
	const bool file = is_file(request->program);

	if (tool_operand_count(tool) > 0) {
		tool_error(tool, "--program needs no model");
	} else if (file && is_model(tool, request->program)) {
		write_modelled(tool, request);
	} else {
		for (size_t i = 0; i < sizeof(of_models) / sizeof(*of_models); i++)
			if (tool_option_given(tool, of_models[i])) {
				tool_error(
					tool,
					"--%s has an effect with --program only if that is a model",
					of_models[i]);
				return;
			}
		(file ? process_program_write : write_algorithm)(tool, request);
	}
}

static void flitgen_run(struct tool *tool, struct gen_request *request)
{
	struct model model = {.name = NULL};
	struct tr_error err;

	if (request->ticks_per_s == 0 || request->ticks_per_s > TR_TICKS_PER_S_MAX)
		tool_error(tool, "--ticks: expected 1 to %llu",
			   (unsigned long long)TR_TICKS_PER_S_MAX);
	else if (request->program)
		write_program(tool, request);
	else if (request->replay)
		gen_replay(tool, request);
	else if (flitgen_read_model(tool, &model) != TR_OK)
		;
	else if (flitgen_change(tool, request, &model, &err) != TR_OK ||
		 set_load(request, &model, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if (!flitgen_claim_trace(tool, &model))
		;
	else if (request->explain)
		gen_explain(tool, request, &model);
	else if (tool_ok(tool)) {
		tell_limits(tool, request, &model);
		flitgen_generate(tool, request, &model);
	}
	model_clear(&model);
}

// Which options cannot be combined, and which have no effect alone.
#define RELATIONS \
	OPT_NOT_WITH("read,time,until-bytes,workload,ticks,explain,counts,matrix,load,link-" \
		     "rate,count,compress", \
		     "program"), \
		OPT_NOT_WITH("nodes,seed,time,until-bytes,workload,ticks,explain,counts,matrix," \
			     "load,link-rate,set", \
			     "read"), \
		OPT_ONLY_WITH("link-rate", "load"), \
		OPT_ONLY_WITH("stretch,shift,after,before,relabel,loops,period", "read"), \
		OPT_ONLY_WITH("json,format", "explain,program=list"), \
		OPT_ONLY_WITH("pairs", "explain"), OPT_ONLY_WITH("period", "loops"), \
		OPT_NOT_WITH("write,compress,counts,ticks,seed", "explain")

static const struct gen_request defaults = {.seed = 1,
					    .ticks_per_s = 1000000000,
					    .stretch = {1, 1},
					    .stretched = 1,
					    .loops = 1};

int main(int argc, char **argv)
{
	struct gen_request request = defaults;
	const struct opt opts[] = {
		OPT_NUMBER('n', "nodes", &request.nodes, TR_NODES_MAX,
			   "number of nodes" OPT_DEFAULT("that of the model")),
		OPT_SEED(&request.seed),
		OPT_TIME('t', "time", &request.time, "generate packets before TIME"),
		OPT_STOP_AFTER(&request.count),
		OPT_SIZE(0, "until-bytes", &request.until,
			 "stop when the payload of data reaches SIZE"),
		OPT_STRING_OR_WORD(0, "workload", "FFT", &request.workload, workload_words,
				   "stop after the data that an FFT sends, as rc:256 or vr:256"),
		OPT_STRING(0, "load", "LOAD", &request.load, OPT_LOAD_HELP),
		OPT_LINK_RATE(&request.link_rate),
		OPT_LIST(0, "set", "KEY=VALUE", &request.set,
			 "set a key before the sections of the model"),
		OPT_MATRIX(&request.matrix),
		OPT_TIME(0, "counts", &request.counts,
			 "write packet and byte counts in bins of this width instead of packets"),
		OPT_COUNT(0, "ticks", &request.ticks_per_s, "ticks per second of the stream"),
		OPT_FILE('r', "read", &request.replay, OPT_READ_HELP),
		OPT_QUANTITY(0, "stretch", "X", NUM_PLAIN, &request.stretch,
			     "replay: multiply all times by X"),
		{OPT_TYPE_QUANTITY, 0, "shift", "TIME",
		 "replay: move all times by TIME, which may be negative", &request.shift, NUM_TIME,
		 NULL, OPT_SIGNED, 0},
		OPT_TIME(0, "after", &request.from, OPT_AFTER_HELP),
		OPT_TIME(0, "before", &request.to, OPT_BEFORE_HELP),
		OPT_STRING(0, "relabel", "LIST", &request.map,
			   "replay: renumber nodes, such as 0=3,3=0"),
		OPT_NUMBER(0, "loops", &request.loops, 0, "replay: repeat N times"),
		OPT_TIME(0, "period", &request.period,
			 "replay: time from the start of one loop to the next"),
		OPT_STRING_LISTED(
			0, "program", "PROGRAM", &request.program, list_programs,
			"write an algorithm such as matmul:N=64,ranks=8, a program of processes or "
			"a model of a program as GOAL text; list: print all algorithms"),
		OPT_WRITE(&request.output),
		OPT_COMPRESS(&request.compress),
		OPT_FLAG('e', "explain", &request.explain, "describe the model in words"),
		OPT_FLAG(0, "pairs", &request.pairs,
			 "print a table of what each node sends each other one on average"),
		TABLE_OPTIONS(&request.style),
		RELATIONS,
		OPT_END,
	};
	const struct tool_spec spec = {
		"flitgen", "[options] [model] | --read TRACE [options] | --program PROGRAM",
		"Generate packets from a model of traffic or a trace, or write a parallel program.",
		opts};
	struct tool *tool = tool_start(argc, argv, &spec);

	numeric_errors_give_nan();
	flitgen_run(tool, &request);
	return tool_finish(tool, TOOL_OK);
}
