// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/on_off_model.h"

#include <math.h>
#include <stdlib.h>

#include "gen/model_field.h"

// A shape of 1 and less has no mean.
#define SHAPE_MIN 1.01

#define AT(member) offsetof(struct on_off_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, 1000000, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"sources", MODEL_COUNT, AT(sources), false, 1, ON_OFF_SOURCES_MAX, NULL},
	{"on", MODEL_TIME, AT(on_s), true, 1e-9, 1e9, NULL},
	{"on-shape", MODEL_REAL, AT(on_shape), false, SHAPE_MIN, 100, NULL},
	{"off", MODEL_TIME, AT(off_s), true, 1e-9, 1e9, NULL},
	{"off-shape", MODEL_REAL, AT(off_shape), false, SHAPE_MIN, 100, NULL},
	{"inter-packet", MODEL_TIME, AT(gap_s), true, 1e-9, 1e9, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out, struct tr_error *err)
{
	enum tr_status status;

	*out = (struct on_off_model){.duration_s = 60, .sources = 1};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family on-off has no sections");
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status != TR_OK)
		on_off_model_clear(out);
	return status;
}

double on_off_hurst(const struct on_off_model *on_off)
{
	double shape = 2;

	if (on_off->on_shape > 0)
		shape = fmin(shape, on_off->on_shape);
	if (on_off->off_shape > 0)
		shape = fmin(shape, on_off->off_shape);
	return (3 - shape) / 2;
}

static const char *law(double shape, char out[MODEL_NUMBER_BYTES])
{
	if (shape > 0)
		(void)snprintf(out, MODEL_NUMBER_BYTES, "Pareto's law of shape %.4g", shape);
	else
		(void)snprintf(out, MODEL_NUMBER_BYTES, "an exponential law");
	return out;
}

enum tr_status on_off_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char on[MODEL_NUMBER_BYTES], off[MODEL_NUMBER_BYTES], gap[MODEL_NUMBER_BYTES];
	char on_law[MODEL_NUMBER_BYTES], off_law[MODEL_NUMBER_BYTES];
	struct on_off_model model;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out,
		"%llu nodes with %llu sources each. A source is on for %s on average (%s) and off for %s (%s);\n"
		"  while it is on it sends a packet each %s to one other node.\n"
		"  The sum of many has H = %.4g at times beyond these means.\n",
		(unsigned long long)model.nodes, (unsigned long long)model.sources,
		model_format(MODEL_TIME, model.on_s, on), law(model.on_shape, on_law),
		model_format(MODEL_TIME, model.off_s, off), law(model.off_shape, off_law),
		model_format(MODEL_TIME, model.gap_s, gap), on_off_hurst(&model));
	on_off_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

void on_off_model_clear(struct on_off_model *on_off)
{
	free(on_off->bins);
	*on_off = (struct on_off_model){0};
}
