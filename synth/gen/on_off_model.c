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

// Probability that a time on is longer than t.
static double longer(const struct on_off_model *on_off, double t_s)
{
	const double least_s = on_off->on_s * (on_off->on_shape - 1) / on_off->on_shape;

	if (on_off->on_shape == 0)
		return exp(-t_s / on_off->on_s);
	return t_s < least_s ? 1 : pow(least_s / t_s, on_off->on_shape);
}

#define PACKETS_SUMMED 100000

// The sum over k of P(longer than k gaps); beyond PACKETS_SUMMED of Pareto's law by its integral.
double on_off_packets(const struct on_off_model *on_off)
{
	const double last_s = (PACKETS_SUMMED - 0.5) * on_off->gap_s;
	double sum = 0;

	if (on_off->on_shape == 0)
		return 1 / -expm1(-on_off->gap_s / on_off->on_s);
	if (last_s < on_off->on_s) // so many that the fraction of one at the end does not matter
		return on_off->on_s / on_off->gap_s + 0.5;
	for (int k = 0; k < PACKETS_SUMMED; k++)
		sum += longer(on_off, k * on_off->gap_s);
	return sum + longer(on_off, last_s) * last_s / (on_off->on_shape - 1) / on_off->gap_s;
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
			    model.on_shape == 0 && model.off_shape == 0 ?
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
	*on_off = (struct on_off_model){0};
}
