// SPDX-License-Identifier: GPL-3.0-or-later
// flitgen: traffic from a model, for any number of nodes; or a trace again, stretched, shifted, cut.
#include "gen/generator.h"
#include "gen/workload.h"
#include "trace/ticks.h"
#include "trace/tool.h"

#define BATCH 512
#define END_TICKS_MAX ((int64_t)1 << 62)

struct request {
	uint64_t nodes, seed, count, ticks_per_s;
	struct num_ratio time, until; // zero: none
	const char *workload, *output;
	bool explain, compress;
};

// Where the generation stops, beside its end time.
struct bound {
	uint64_t packets;    // left
	uint64_t data_bytes; // left
};

static enum tr_status read_model(struct tool *tool, struct model *model)
{
	struct tr_source *source;
	struct tr_error err;

	if (tool_operand_count(tool) > 1) {
		tool_error(tool, "one model at a time");
		return TR_ERROR;
	}
	if (tool_next_source(tool, &source) != TR_OK)
		return TR_ERROR;
	enum tr_status status = model_read(model, source, &err);

	tr_source_close(source);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	return status;
}

static enum tr_status settle(const struct request *request, struct generator_settings *settings,
			     struct tr_error *err)
{
	*settings = (struct generator_settings){
		.seed = request->seed,
		.ticks_per_s = request->ticks_per_s,
		.nodes = (uint32_t)request->nodes,
	};
	if (request->time.num)
		return tr_ticks_round(request->time, request->ticks_per_s, &settings->end_ticks,
				      err);
	if (request->count || request->until.num || request->workload)
		settings->end_ticks = END_TICKS_MAX;
	return TR_OK;
}

static enum tr_status find_bound(const struct request *request, uint32_t nodes,
				 struct bound *bound, struct tr_error *err)
{
	*bound = (struct bound){.packets = request->count ? request->count : UINT64_MAX,
				.data_bytes = UINT64_MAX};
	if (request->until.num)
		bound->data_bytes = (uint64_t)request->until.num / (uint64_t)request->until.den;
	if (request->workload)
		return workload_bytes(request->workload, nodes, &bound->data_bytes, err);
	return TR_OK;
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

// Writes packets until a bound is reached; TR_END then.
static enum tr_status put_packets(struct tr_packet *packets, size_t count, struct bound *bound,
				  struct tr_writer *out)
{
	for (size_t i = 0; i < count; i++) {
		if (bound->packets == 0 || bound->data_bytes == 0)
			return TR_END;
		packets[i].id = tr_writer_records(out);
		if (tr_put(out, &packets[i]) != TR_OK)
			return TR_ERROR;
		bound->packets--;
		if (packets[i].class == TR_CLASS_DATA)
			bound->data_bytes -= packets[i].payload_bytes < bound->data_bytes
						     ? packets[i].payload_bytes
						     : bound->data_bytes;
	}
	return TR_OK;
}

static void generate(struct tool *tool, struct generator *generator, struct bound bound,
		     struct tr_writer *out)
{
	struct tr_packet packets[BATCH];
	enum tr_status status = TR_OK;
	struct tr_error err;
	size_t count;

	put_names(generator, out);
	while (status == TR_OK) {
		status = generator_next(generator, packets, BATCH, &count, &err);
		if (status == TR_ERROR)
			tool_error(tool, "%s", err.text);
		if (status == TR_OK)
			status = put_packets(packets, count, &bound, out);
		tool_progress(tool, "%llu packets",
			      (unsigned long long)tr_writer_records(out));
	}
}

static void run(struct tool *tool, const struct request *request, const struct model *model)
{
	struct generator_settings settings;
	struct generator generator = {NULL, NULL};
	struct tr_header header = {.kind = TR_PACKET, .ticks_per_s = request->ticks_per_s};
	struct tr_writer_options options = {.compress = request->compress};
	struct tr_error err;
	struct bound bound;
	struct tr_writer *out;

	if (settle(request, &settings, &err) != TR_OK ||
	    generator_open(&generator, model, &settings, &err) != TR_OK ||
	    find_bound(request, generator.kind->nodes(generator.state), &bound, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else if ((out = tool_output(tool, request->output, &header, &options)))
		generate(tool, &generator, bound, out);
	generator_close(&generator);
}

static void explain(struct tool *tool, const struct model *model)
{
	const struct generator_kind *kind;
	struct tr_error err;

	if (generator_find(model, &kind, &err) != TR_OK ||
	    kind->explain(model, tool_text_output(tool, NULL), &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

int main(int argc, char **argv)
{
	struct request request = {.seed = 1, .ticks_per_s = 1000000000};
	const struct opt opts[] = {
		OPT_COUNT('n', "nodes", &request.nodes, "how many nodes; the model's if not given"),
		OPT_COUNT('s', "seed", &request.seed, "seed of all random streams"),
		OPT_TIME('t', "time", &request.time, "generate the packets before this time"),
		OPT_COUNT('c', "count", &request.count, "stop after this many packets"),
		OPT_SIZE(0, "until-bytes", &request.until, "stop after this much data payload"),
		OPT_STRING(0, "workload", "FFT", &request.workload,
			   "stop after the data of an FFT: rc:256 or vr:256"),
		OPT_COUNT(0, "ticks", &request.ticks_per_s, "ticks per second of the stream"),
		OPT_SILENT_STRING('w', "write", "FILE", &request.output, "write here, not to stdout"),
		OPT_FLAG('z', "zstd", &request.compress, "compress the stream"),
		OPT_FLAG('e', "explain", &request.explain, "say in words what the model does"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitgen", "[options] [model]",
				       "Generate packets from a model of traffic.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);
	struct model model = {.name = NULL};

	if (read_model(tool, &model) == TR_OK && request.explain)
		explain(tool, &model);
	else if (tool_ok(tool))
		run(tool, &request, &model);
	model_clear(&model);
	return tool_finish(tool, TOOL_OK);
}
