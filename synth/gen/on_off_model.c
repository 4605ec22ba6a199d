// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/on_off_model.h"

#include <math.h>
#include <stdlib.h>

#include "gen/law_text.h"
#include "gen/model_field.h"

#define SHAPE_MIN 1.01 // of Pareto's law: with 1 and less it has no mean

#define AT(member) offsetof(struct on_off_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
	{"nodes", MODEL_COUNT, AT(nodes), true, 2, 1000000, NULL},
	{"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
	{"sources", MODEL_COUNT, AT(sources), false, 1, ON_OFF_SOURCES_MAX, NULL},
	{"on", MODEL_TIME, AT(on_s), true, 1e-9, 1e9, NULL},
	{"on-shape", MODEL_REAL, AT(on_shape), false, SHAPE_MIN, 100, NULL},
	LAW_FIELDS("on"),
	{"off", MODEL_TIME, AT(off_s), true, 1e-9, 1e9, NULL},
	{"off-shape", MODEL_REAL, AT(off_shape), false, SHAPE_MIN, 100, NULL},
	LAW_FIELDS("off"),
	{"inter-packet", MODEL_TIME, AT(gap_s), true, 1e-9, 1e9, NULL},
	{"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
	{"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
	{NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "on-law" and its bins, or "on-shape" for Pareto's law.
static enum tr_status get_law(const struct model *model, const char *name, double shape, struct law *law,
			      struct tr_error *err)
{
	char key[16];

	if (law_get(model, "", name, LAW_TIMES, law, err) != TR_OK)
		return TR_ERROR;
	if (shape == 0)
		return TR_OK;
	(void)snprintf(key, sizeof key, "%s-law", name);
	if (model_find(model, "", key))
		return model_fail(model, model_find(model, "", key), err, "%s and %s-shape exclude one another", key, name);
	*law = (struct law){.name = LAW_PARETO, .shape = shape};
	return TR_OK;
}

enum tr_status on_off_model_get(const struct model *model, struct on_off_model *out, struct tr_error *err)
{
	enum tr_status status;

	*out = (struct on_off_model){.duration_s = 60, .sources = 1};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family on-off has no sections");
	if (status == TR_OK)
		status = get_law(model, "on", out->on_shape, &out->on_law, err);
	if (status == TR_OK)
		status = get_law(model, "off", out->off_shape, &out->off_law, err);
	out->on_law.mean = out->on_s;
	out->off_law.mean = out->off_s;
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status != TR_OK)
		on_off_model_clear(out);
	return status;
}

// H of the sum of many such sources, equation 8 of the paper; .5 where no time has Pareto's law with a shape below 2.
static double on_off_hurst(const struct on_off_model *on_off)
{
	double shape = 2;

	if (on_off->on_law.name == LAW_PARETO)
		shape = fmin(shape, on_off->on_law.shape);
	if (on_off->off_law.name == LAW_PARETO)
		shape = fmin(shape, on_off->off_law.shape);
	return (3 - shape) / 2;
}

enum tr_status on_off_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	char on[MODEL_NUMBER_BYTES], off[MODEL_NUMBER_BYTES], gap[MODEL_NUMBER_BYTES];
	char on_law[LAW_DESCRIPTION_BYTES], off_law[LAW_DESCRIPTION_BYTES];
	struct on_off_model model;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	fprintf(out,
		"%llu nodes with %llu sources each. A source is on for %s on average (%s) and off for %s (%s);\n"
		"  while it is on it sends a packet each %s to one other node.\n"
		"  The sum of many has H = %.4g at times beyond these means.\n",
		(unsigned long long)model.nodes, (unsigned long long)model.sources,
		model_format(MODEL_TIME, model.on_s, on), law_describe(&model.on_law, on_law),
		model_format(MODEL_TIME, model.off_s, off), law_describe(&model.off_law, off_law),
		model_format(MODEL_TIME, model.gap_s, gap), on_off_hurst(&model));
	on_off_model_clear(&model);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

#define PACKETS_SUMMED 100000

// The sum over k of P(longer than k gaps), beyond PACKETS_SUMMED by its integral; NAN without memory.
static double on_off_packets(const struct on_off_model *on_off)
{
	const double last_s = (PACKETS_SUMMED - 0.5) * on_off->gap_s;
	struct law_plan on;
	double sum = 0;

	if (on_off->on_law.name == LAW_EXPONENTIAL)
		return 1 / -expm1(-on_off->gap_s / on_off->on_s);
	if (last_s < on_off->on_s) // so many that the fraction of one at the end does not matter
		return on_off->on_s / on_off->gap_s + 0.5;
	if (law_plan_make(&on, &on_off->on_law, 1, NULL) != TR_OK)
		return NAN;
	for (int k = 0; k < PACKETS_SUMMED; k++)
		sum += on.kind->survival(&on, k * on_off->gap_s);
	sum += law_excess(&on, last_s) / on_off->gap_s;
	law_plan_clear(&on);
	return sum;
}

// Variance over mean of the packets of a source with exponential times, by renewal rewards (Cox, Renewal theory, 1962,
// section 8.4): of (N - rate T) / E N where N packets come in a cycle of T. N is geometric; a time on is N - 1 gaps and a
// rest that does not depend on N.
static double exponential_dispersion(const struct on_off_model *on_off, double rate)
{
	const double more = exp(-on_off->gap_s / on_off->on_s);
	const double packets = 1 / (1 - more), variance = more / ((1 - more) * (1 - more));
	const double times = on_off->on_s * on_off->on_s + on_off->off_s * on_off->off_s;

	return (variance + rate * rate * times - 2 * rate * on_off->gap_s * variance) / packets;
}

enum tr_status on_off_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	struct forecast_sender sender = {.who = "Each source", .what = "data"};
	struct on_off_model model;
	enum tr_status status;

	if (on_off_model_get(text, &model, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = model.nodes, .duration_s = model.duration_s, .hurst = on_off_hurst(&model)};
	sender.senders = (double)(model.nodes * model.sources);
	sender.packets_per_s = on_off_packets(&model) / (model.on_s + model.off_s);
	sender.payload_B = size_bins_mean_B(model.bins, model.bin_count);
	sender.wire_B = sender.payload_B + model.header_B;
	sender.burst_packets_per_s = 1 / model.gap_s;
	sender.dispersion = out->hurst > 0.5 ? INFINITY :
			    model.on_law.name == LAW_EXPONENTIAL && model.off_law.name == LAW_EXPONENTIAL ?
					       exponential_dispersion(&model, sender.packets_per_s) :
					       NAN;
	out->memory_B = ON_OFF_SOURCE_BYTES * sender.senders;
	status = forecast_add(out, &sender, err);
	on_off_model_clear(&model);
	return status;
}

void on_off_model_clear(struct on_off_model *on_off)
{
	free(on_off->bins);
	law_clear(&on_off->on_law);
	law_clear(&on_off->off_law);
	*on_off = (struct on_off_model){0};
}
