// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/load_model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"

static const struct opt_choice arrival_words[] = {{"exponential", LOAD_EXPONENTIAL},
						  {"uniform", LOAD_UNIFORM},
						  {"constant", LOAD_CONSTANT},
						  {"saturated", LOAD_SATURATED},
						  {NULL, 0}};

#define AT(member) offsetof(struct load_model, member)
static const struct model_field fields[] = {{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
					    {"nodes", MODEL_COUNT, AT(nodes), true, 2, LOAD_NODES_MAX, NULL},
					    {"duration", MODEL_TIME, AT(duration_s), false, 1e-9, 1e9, NULL},
					    {"rate", MODEL_RATE, AT(rate_bps), false, 1, 1e15, NULL},
					    {"load", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {"header", MODEL_SIZE, AT(header_B), false, 0, 65535, NULL},
					    {"arrivals", MODEL_WORD, AT(arrivals), false, 0, 0, arrival_words},
					    DESTINATIONS_FIELDS(AT(destinations)),
					    {"size", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {"bin", MODEL_REPEATED, 0, false, 0, 0, NULL},
					    {NULL, MODEL_END, 0, false, 0, 0, NULL}};
#undef AT

// "30 %" of the rate, "0.3" of it, or "384 Mb/s".
static enum tr_status get_load(const struct model *model, struct load_model *out, struct tr_error *err)
{
	const struct model_entry *entry = model_find(model, "", "load");
	struct tr_error why = {""};
	enum tr_status status;

	if (!entry && out->arrivals == LOAD_SATURATED)
		return TR_OK;
	if (!entry)
		return model_fail(model, NULL, err, "the key load is missing");
	if (strchr(entry->value, '/')) {
		status = model_value(MODEL_RATE, entry->value, &out->load, &why);
		out->load /= out->rate_bps;
	} else {
		status = model_value(strchr(entry->value, '%') ? MODEL_SHARE : MODEL_REAL, entry->value, &out->load, &why);
	}
	if (status != TR_OK)
		return model_fail(model, entry, err, "load: %s", why.text);
	if (!(out->load > 0 && out->load <= 1000))
		return model_fail(model, entry, err, "load: expected above 0 and at most 1000 times the rate");
	return TR_OK;
}

enum tr_status load_model_get(const struct model *model, struct load_model *out, struct tr_error *err)
{
	enum tr_status status;

	*out = (struct load_model){.duration_s = 1, .rate_bps = 1.28e9, .load = 1, .destinations = destinations_default()};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family load has no sections");
	if (status == TR_OK)
		status = destinations_get(model, false, &out->destinations, err);
	if (status == TR_OK)
		status = get_load(model, out, err);
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status == TR_OK)
		out->size_mean_B = size_bins_mean_B(out->bins, out->bin_count);
	if (status == TR_OK && !(out->size_mean_B > 0))
		status = model_fail(model, NULL, err, "the sizes have no packet, or no byte");
	if (status != TR_OK)
		load_model_clear(out);
	return status;
}

double load_gap_s(const struct load_model *load)
{
	double share = load->arrivals == LOAD_SATURATED ? 1 : load->load;

	return 8 * load->size_mean_B / (share * load->rate_bps);
}

enum tr_status load_explain(const struct model *text, FILE *out, struct tr_error *err)
{
	static const char *const arrivals[] = {
		[LOAD_EXPONENTIAL] = "exponentially distributed gaps",
		[LOAD_UNIFORM] = "gaps of 0 to twice the mean, all alike",
		[LOAD_CONSTANT] = "constant gaps",
		[LOAD_SATURATED] = "no gaps: a packet follows as soon as the one before could have left"};
	char rate[MODEL_NUMBER_BYTES], gap[MODEL_NUMBER_BYTES], size[MODEL_NUMBER_BYTES];
	struct load_model load;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	double share = load.arrivals == LOAD_SATURATED ? 1 : load.load;

	fprintf(out,
		"Synthetic load of %llu nodes. Each offers %.6g %% of %s in packets of %s on "
		"average, %s apart.\n  Arrivals: %s.\n  Destinations: ",
		(unsigned long long)load.nodes, 100 * share, model_format(MODEL_RATE, load.rate_bps, rate),
		model_format(MODEL_SIZE, model_settle(MODEL_SIZE, load.size_mean_B, 6), size),
		model_format(MODEL_TIME, load_gap_s(&load), gap), arrivals[load.arrivals]);
	destinations_explain(&load.destinations, out);
	fputs(".\n", out);
	load_model_clear(&load);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

// Nodes that the pattern leads elsewhere.
static enum tr_status count_senders(const struct load_model *load, const struct model *text, double *count,
				    struct tr_error *err)
{
	struct destinations destinations;

	if (destinations_open(&destinations, &load->destinations, (uint32_t)load->nodes, 1, text, err) != TR_OK)
		return TR_ERROR;
	*count = 0;
	for (uint32_t i = 0; i < load->nodes; i++)
		*count += destinations_lead(&destinations, i);
	destinations_clear(&destinations);
	return TR_OK;
}

// Squared coefficient of variation of the gaps, which is the dispersion of a renewal process (Cox, Renewal theory, 1962,
// section 4.2).
static double gap_variation(const struct load_model *load)
{
	switch ((enum load_arrivals)load->arrivals) {
	case LOAD_EXPONENTIAL: return 1;
	case LOAD_UNIFORM: return 1.0 / 3;
	case LOAD_SATURATED:
		return size_bins_variance_B2(load->bins, load->bin_count) / (load->size_mean_B * load->size_mean_B);
	case LOAD_CONSTANT: break;
	}
	return 0;
}

enum tr_status load_forecast(const struct model *text, struct forecast *out, struct tr_error *err)
{
	struct forecast_sender sender = {.who = "Each node that sends", .what = "data", .burst_packets_per_s = NAN};
	struct load_model load;
	enum tr_status status;

	if (load_model_get(text, &load, err) != TR_OK)
		return TR_ERROR;
	*out = (struct forecast){.nodes = load.nodes,
				 .duration_s = load.duration_s,
				 .hurst = 0.5,
				 .memory_B = (double)(LOAD_NODE_BYTES * load.nodes)};
	sender.packets_per_s = 1 / load_gap_s(&load);
	sender.payload_B = load.size_mean_B;
	sender.wire_B = load.size_mean_B + load.header_B;
	sender.dispersion = gap_variation(&load);
	status = count_senders(&load, text, &sender.senders, err);
	if (status == TR_OK)
		status = forecast_add(out, &sender, err);
	load_model_clear(&load);
	return status;
}

void load_model_clear(struct load_model *load)
{
	free(load->bins);
	destinations_model_clear(&load->destinations);
	*load = (struct load_model){0};
}
