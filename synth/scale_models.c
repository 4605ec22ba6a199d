// SPDX-License-Identifier: GPL-3.0-or-later
// flitfit --scale: a model for more nodes, by the published rule from the models of two and four, by an algorithm's formulas
// from one, or by regression over several.
#include <stdlib.h>
#include <string.h>

#include "flitfit.h"
#include "gen/scale.h"
#include "gen/scale_formula.h"
#include "gen/scale_regression.h"

// What is scaled, and what came of it.
struct scaling {
	struct pulse_model *models;
	size_t count;
	struct pulse_model scaled;
	struct pulse_notes notes[PULSE_ROLES][PULSE_CLASSES];
};

void fit_write_model(struct tool *tool, const char *path, const struct model *text)
{
	FILE *out = tool_ok(tool) ? tool_text_output(tool, path) : NULL;
	struct tr_error err;

	if (out && model_write(text, out, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
}

static enum tr_status get_pulse_train(const struct model *text, struct pulse_model *out, struct tr_error *err)
{
	const struct model_entry *family = model_find(text, "", "family");

	if (family && strcmp(family->value, pulse_family.name) != 0)
		return model_fail(text, family, err, "only pulse trains are scaled, not the family %.40s", family->value);
	return pulse_model_get(text, out, err);
}

static enum tr_status read_text(struct tool *tool, struct tr_source *source, struct pulse_model *out)
{
	struct model text = {.name = NULL};
	struct tr_error err;
	enum tr_status status = model_read(&text, source, &err);

	tr_source_close(source);
	if (status == TR_OK)
		status = get_pulse_train(&text, out, &err);
	if (status != TR_OK)
		tool_error(tool, "%s", err.text);
	model_clear(&text);
	return status;
}

// A pulse train fitted to the trace that the source is.
static enum tr_status fit_source(struct tool *tool, struct fit_request *request, struct tr_source *source,
				 struct pulse_model *out)
{
	struct tr_reader *in = tool_open_reader(tool, source);
	enum tr_status status = TR_ERROR;
	struct pulse_fitted fitted;
	struct tr_error err;

	if (!in)
		return TR_ERROR;
	if (fit_settle(in, request, &err) != TR_OK)
		tool_error(tool, "%s", err.text);
	else
		status = fit_pulse_read(tool, request, in, &fitted);
	tool_close_input(tool, in);
	if (status == TR_OK)
		*out = fitted.model;
	return status;
}

// The operands, each known by its magic: a model, or a trace to be fitted.
static enum tr_status read_operands(struct tool *tool, struct fit_request *request, struct scaling *scaling)
{
	struct tr_source *source;

	scaling->models = calloc(tool_operand_count(tool) + 1, sizeof *scaling->models);
	if (!scaling->models) {
		tool_error(tool, "no memory for %zu models", tool_operand_count(tool));
		return TR_ERROR;
	}
	while (tool_ok(tool) && tool_next_source(tool, &source) == TR_OK) {
		struct pulse_model *model = &scaling->models[scaling->count];
		enum tr_status status = tr_source_begins(source, TR_MAGIC, 1) ? fit_source(tool, request, source, model)
									      : read_text(tool, source, model);

		scaling->count += status == TR_OK;
	}
	return tool_ok(tool) ? TR_OK : TR_ERROR;
}

static enum tr_status scale_published(struct scaling *scaling, const struct fit_request *request, struct model *text,
				      struct tr_error *err)
{
	if (scaling->count != 2)
		return tr_fail(err, "--scale takes two models, of 2 and of 4 nodes");
	if (scale_model(&scaling->models[0], &scaling->models[1], request->scale, &scaling->scaled, err) != TR_OK)
		return TR_ERROR;
	model_comment(text, "A bursty pulse train for %llu nodes, scaled from models of 2 and 4 by the "
		      "rule of Yates 1997.", (unsigned long long)request->scale);
	if (request->scale > 128)
		model_comment(text, "Beyond 128 nodes, where the rule ends, each step to 2n divides the "
			      "change by n.");
	return TR_OK;
}

static enum tr_status scale_formula(struct scaling *scaling, const struct fit_request *request, struct model *text,
				    struct tr_error *err)
{
	struct fft_workload workload;

	if (!strchr(request->rule, ':'))
		return tr_fail(err, "the rule \"%.40s\" is none of published, regression, and rc:256 or vr:256 with any width",
			       request->rule);
	if (fft_workload_get(request->rule, &workload, err) != TR_OK)
		return TR_ERROR;
	if (scaling->count != 1)
		return tr_fail(err, "the rule %s takes one model or trace", request->rule);
	if (scale_by_formula(&scaling->models[0], &workload, request->scale, &scaling->scaled, err) != TR_OK)
		return TR_ERROR;
	model_comment(text, "A bursty pulse train for %llu nodes, scaled from one of %llu by what the algorithm %s sends "
		      "(equation %s of Yates 1997).", (unsigned long long)request->scale,
		      (unsigned long long)scaling->models[0].nodes, request->rule,
		      workload.algorithm == FFT_ROW_COLUMN ? "3.4" : "3.5");
	model_comment(text, "Sizes of data are those of its messages; pulses change as the packets of a phase; times, and the "
		      "sizes of overhead, are those fitted.");
	return TR_OK;
}

static enum tr_status scale_regression(struct scaling *scaling, const struct fit_request *request, struct model *text,
				       struct tr_error *err)
{
	char counts[200] = "";

	if (scaling->count < 2)
		return tr_fail(err, "the rule regression takes two models or traces, or more");
	if (scale_by_regression(scaling->models, scaling->count, request->scale, request->fit.pulse.level,
				&scaling->scaled, scaling->notes, err) != TR_OK)
		return TR_ERROR;
	for (size_t i = 0; i < scaling->count; i++) {
		size_t used = strlen(counts);

		(void)snprintf(counts + used, sizeof counts - used, "%s%llu", i ? ", " : "",
			       (unsigned long long)scaling->models[i].nodes);
	}
	model_comment(text, "A bursty pulse train for %llu nodes, scaled by regression over models of %s: each statistic as a "
		      "power of the number of nodes.", (unsigned long long)request->scale, counts);
	return TR_OK;
}

static enum tr_status scale(struct scaling *scaling, const struct fit_request *request, struct model *text,
			    struct tr_error *err)
{
	if (!request->rule || strcmp(request->rule, "published") == 0)
		return scale_published(scaling, request, text, err);
	if (strcmp(request->rule, "regression") == 0)
		return scale_regression(scaling, request, text, err);
	return scale_formula(scaling, request, text, err);
}

void fit_scale(struct tool *tool, struct fit_request *request)
{
	struct scaling scaling = {.models = NULL};
	struct model text = {.name = NULL};
	struct tr_error err;

	if (read_operands(tool, request, &scaling) == TR_OK) {
		if (scale(&scaling, request, &text, &err) != TR_OK)
			tool_error(tool, "%s", err.text);
		else {
			model_comment(&text, "%s", tool_provenance(tool));
			pulse_model_put(&text, &scaling.scaled, scaling.notes);
			fit_write_model(tool, request->output, &text);
		}
	}
	model_clear(&text);
	pulse_model_clear(&scaling.scaled);
	for (size_t i = 0; i < scaling.count; i++)
		pulse_model_clear(&scaling.models[i]);
	free(scaling.models);
}
