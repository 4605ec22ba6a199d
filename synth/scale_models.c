// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit --scale: a model for more nodes from the models of two and four.
#include "flitfit.h"
#include "gen/scale.h"

void fit_write_model(struct tool *tool, const char *path, const struct model *text)
{
	FILE *out = tool_ok(tool) ? tool_text_output(tool, path) : NULL;
	struct tr_error err;

	if (out && model_write(text, out, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

static enum tr_status read_pulse(struct tool *tool, struct pulse_model *out)
{
	struct model text = {.name = NULL};
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
	model_clear(&text);
	return status;
}

static void write_scaled(struct tool *tool, const struct fit_request *request,
			 const struct pulse_model *pulse)
{
	struct model text = {.name = NULL};

	model_comment(&text, "A bursty pulse train for %llu nodes, scaled from models of 2 and 4 by the "
		      "rule of Yates 1997.", (unsigned long long)pulse->nodes);
	if (pulse->nodes > 128)
		model_comment(&text, "Beyond 128 nodes, where the rule ends, each step to 2n divides the "
			      "change by n.");
	model_comment(&text, "%s", tool_provenance(tool));
	pulse_model_put(&text, pulse, NULL);
	fit_write_model(tool, request->output, &text);
	model_clear(&text);
}

void fit_scale(struct tool *tool, const struct fit_request *request)
{
	struct pulse_model at_2 = {.nodes = 0}, at_4 = {.nodes = 0}, scaled;
	struct tr_error err;

	if (tool_operand_count(tool) != 2)
		tool_error(tool, "--scale takes two models, of 2 and of 4 nodes");
	else if (read_pulse(tool, &at_2) == TR_OK && read_pulse(tool, &at_4) == TR_OK) {
		if (scale_model(&at_2, &at_4, request->scale, &scaled, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		else
			write_scaled(tool, request, &scaled);
		pulse_model_clear(&scaled);
	}
	pulse_model_clear(&at_2);
	pulse_model_clear(&at_4);
}
