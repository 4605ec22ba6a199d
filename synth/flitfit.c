// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit: a model from a trace; or one for more nodes from the models of two and four.
#include <stdlib.h>

#include "gen/pulse_fit.h"
#include "gen/scale.h"
#include "trace/provenance.h"
#include "trace/ticks.h"
#include "trace/tool.h"

struct request {
	struct pulse_fit_options fit;
	struct num_ratio window, level;
	uint64_t scale; // node count to scale to; 0: fit
	const char *output;
};

static const struct opt_choice method_words[] = {
	{"mixture", PULSE_MIXTURE}, {"window", PULSE_WINDOW}, {NULL, 0}};
static const struct opt_choice size_words[] = {{"auto", PULSE_SIZES_AUTO},
					       {"normal", PULSE_SIZES_NORMAL},
					       {"empirical", PULSE_SIZES_EMPIRICAL},
					       {NULL, 0}};
static const struct opt_choice destination_words[] = {
	{"uniform", PULSE_UNIFORM}, {"by-role", PULSE_BY_ROLE}, {NULL, 0}};

static void write_text(struct tool *tool, const struct request *request, const struct model *text)
{
	FILE *out = tool_ok(tool) ? tool_text_output(tool, request->output) : NULL;
	struct tr_error err;

	if (out && model_write(text, out, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

// ---- fit

// The roles by node id, to be freed; NULL with a message where memory ends.
static enum tr_role *find_roles(struct tool *tool, const struct tr_names *names)
{
	enum tr_role *roles = calloc((size_t)names->node_count + 1, sizeof *roles);
	unsigned controllers = 0, known = 0;

	for (uint32_t i = 0; roles && i < names->node_count; i++) {
		roles[i] = tr_names_role(names, i);
		known += roles[i] != TR_ROLE_UNKNOWN;
		controllers += roles[i] == TR_ROLE_CONTROLLER;
	}
	if (!roles)
		tool_error(tool, "no memory for the roles of %u nodes", names->node_count);
	else if (known == 0)
		tool_warn(tool, "no node has a role: all are taken for workers");
	else if (controllers > 1)
		tool_warn(tool, "%u controllers: generated traffic will have one, as they are on "
			  "average", controllers);
	return roles;
}

static enum tr_status read_packets(struct tool *tool, struct tr_reader *in, struct pulse_fit *fit)
{
	const union tr_record *record;
	enum tr_status status = TR_OK;
	struct tr_error err;

	while ((status = tr_next(in, &record)) == TR_OK)
		if (pulse_fit_add(fit, &record->packet, &err) != TR_OK) {
			tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
			return TR_ERROR;
		}
	return status == TR_END || tool_keep_going(tool) ? TR_OK : TR_ERROR;
}

static void describe(struct tool *tool, const struct request *request, const struct tr_reader *in,
		     const struct pulse_fitted *fitted, struct model *text)
{
	model_comment(text, "A bursty pulse train fitted to %llu packets of %llu nodes.",
		      (unsigned long long)fitted->packets,
		      (unsigned long long)fitted->model.nodes);
	if (request->fit.method == PULSE_MIXTURE)
		model_comment(text, "Times by maximum likelihood of the gaps between a node's packets; "
			      "intervals from the observed information.");
	else
		model_comment(text, "Times by bursts that gaps above the window end; intervals are "
			      "Student's.");
	model_comment(text, "%s", tool_provenance(tool));
	model_comment(text, "  digest %s %016llx", tr_provenance_base(tr_reader_name(in)),
		      (unsigned long long)tr_reader_digest(in));
	pulse_model_put(text, &fitted->model, fitted->notes);
}

static void fit_trace(struct tool *tool, const struct request *request, struct tr_reader *in,
		      struct pulse_fit *fit)
{
	struct pulse_fitted fitted;
	struct model text = {NULL};
	struct tr_error err;

	if (read_packets(tool, in, fit) != TR_OK)
		return;
	const struct tr_names *names = tr_reader_names(in);
	enum tr_role *roles = find_roles(tool, names);

	if (!roles)
		return;
	if (pulse_fit_finish(fit, roles, names->node_count, &fitted, &err) != TR_OK) {
		tool_error(tool, "%s: %s", tr_reader_name(in), err.text);
		free(roles);
		return;
	}
	if (fitted.unclassed)
		tool_warn(tool, "%llu packets have no class: those up to 86 bytes are taken for "
			  "overhead", (unsigned long long)fitted.unclassed);
	describe(tool, request, in, &fitted, &text);
	write_text(tool, request, &text);
	model_clear(&text);
	pulse_model_clear(&fitted.model);
	free(roles);
}

static void fit(struct tool *tool, struct request *request)
{
	struct pulse_fit *fit = NULL;
	struct tr_reader *in;
	struct tr_error err;

	if (tool_operand_count(tool) > 1) {
		tool_error(tool, "one trace at a time (flitcat merges several)");
		return;
	}
	if (tool_next_input(tool, &in) != TR_OK)
		return;
	const struct tr_header *header = tr_reader_header(in);

	request->fit.ticks_per_s = header->ticks_per_s;
	if (!tr_kind_has_packet(header->kind))
		tool_error(tool, "%s: holds no packets", tr_reader_name(in));
	else if (tr_ticks_round(request->window, header->ticks_per_s, &request->fit.window_ticks,
				&err) != TR_OK ||
		 pulse_fit_open(&fit, &request->fit, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		fit_trace(tool, request, in, fit);
	pulse_fit_close(fit);
}

// ---- scale

static enum tr_status read_pulse(struct tool *tool, struct pulse_model *out, uint64_t *digest)
{
	struct model text = {NULL};
	struct tr_source *source;
	struct tr_error err;

	*out = (struct pulse_model){.nodes = 0};
	if (tool_next_source(tool, &source) != TR_OK)
		return TR_ERROR;
	enum tr_status status = model_read(&text, source, &err);

	tr_source_close(source);
	if (status == TR_OK)
		status = pulse_model_get(&text, out, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	*digest = text.digest;
	model_clear(&text);
	return status;
}

static void write_scaled(struct tool *tool, const struct request *request,
			 const struct pulse_model *pulse, const uint64_t digests[2])
{
	struct model text = {NULL};

	model_comment(&text, "A bursty pulse train for %llu nodes, scaled from models of 2 and 4 by the "
		      "rule of Yates 1997.", (unsigned long long)pulse->nodes);
	if (pulse->nodes > 128)
		model_comment(&text, "Beyond 128 nodes, where the rule ends, each step to 2n divides the "
			      "change by n.");
	model_comment(&text, "%s", tool_provenance(tool));
	for (size_t i = 0; i < 2; i++)
		model_comment(&text, "  digest %s %016llx",
			      tr_provenance_base(tool_operand(tool, i)),
			      (unsigned long long)digests[i]);
	pulse_model_put(&text, pulse, NULL);
	write_text(tool, request, &text);
	model_clear(&text);
}

static void scale(struct tool *tool, const struct request *request)
{
	struct pulse_model at_2 = {.nodes = 0}, at_4 = {.nodes = 0}, scaled;
	uint64_t digests[2];
	struct tr_error err;

	if (tool_operand_count(tool) != 2)
		tool_error(tool, "--scale takes two models, of 2 and of 4 nodes");
	else if (read_pulse(tool, &at_2, &digests[0]) == TR_OK &&
		 read_pulse(tool, &at_4, &digests[1]) == TR_OK) {
		if (scale_model(&at_2, &at_4, request->scale, &scaled, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		else
			write_scaled(tool, request, &scaled, digests);
		pulse_model_clear(&scaled);
	}
	pulse_model_clear(&at_2);
	pulse_model_clear(&at_4);
}

int main(int argc, char **argv)
{
	struct request request = {.window = {1, 1}, .level = {99, 100}};
	const struct opt opts[] = {
		OPT_SILENT_FILE('o', "output", &request.output, "write here, not to stdout"),
		OPT_CHOICE('m', "method", &request.fit.method, method_words,
			   "how bursts are told from silences"),
		OPT_TIME('w', "window", &request.window, "a longer gap ends a burst (--method window)"),
		OPT_CHOICE(0, "sizes", &request.fit.sizes, size_words, "distribution of the sizes"),
		OPT_CHOICE(0, "destinations", &request.fit.destinations, destination_words,
			   "whom the generated packets go to"),
		OPT_QUANTITY('l', "level", "X", NUM_PLAIN, &request.level, "level of the intervals"),
		OPT_COUNT(0, "scale", &request.scale,
			  "scale two models, of 2 and 4 nodes, to this many"),
		OPT_END,
	};
	const struct tool_spec spec = {"flitfit", "[options] [trace] | --scale N model2 model4",
				       "Fit a model of traffic to a trace, or scale models.", opts};
	struct tool *tool = tool_start(argc, argv, &spec);

	request.fit.level = num_value(request.level);
	if (!(request.fit.level > 0 && request.fit.level < 1) || request.window.num <= 0)
		tool_error(tool, "the level must lie between 0 and 1, the window above 0");
	else if (tool_option_given(tool, "scale"))
		scale(tool, &request);
	else
		fit(tool, &request);
	return tool_finish(tool, TOOL_OK);
}
