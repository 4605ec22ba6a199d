// SPDX-License-Identifier: GPL-3.0-or-later
#include "gen/load_model.h"

#include <stdlib.h>
#include <string.h>

#include "gen/model_field.h"

static const struct opt_choice arrival_words[] = {{"exponential", LOAD_EXPONENTIAL},
						  {"uniform", LOAD_UNIFORM},
						  {"constant", LOAD_CONSTANT},
						  {"saturated", LOAD_SATURATED},
						  {NULL, 0}};

#define AT(member) offsetof(struct load_model, member)
static const struct model_field fields[] = {
	{"family", MODEL_REPEATED, 0, true, 0, 0, NULL},
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
static enum tr_status get_load(const struct model *model, struct load_model *out,
			       struct tr_error *err)
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
		status = model_value(strchr(entry->value, '%') ? MODEL_SHARE : MODEL_REAL,
				     entry->value, &out->load, &why);
	}
	if (status != TR_OK)
		return model_fail(model, entry, err, "load: %s", why.text);
	if (!(out->load > 0 && out->load <= 1000))
		return model_fail(model, entry, err,
				  "load: expected above 0 and at most 1000 times the rate");
	return TR_OK;
}

static enum tr_status find_mean(const struct model *model, struct load_model *out,
				struct tr_error *err)
{
	double count = 0, sum = 0;

	for (size_t i = 0; i < out->bin_count; i++) {
		const struct size_bin *bin = &out->bins[i];

		count += (double)bin->count;
		sum += (double)bin->count * ((double)bin->low_B + (double)bin->high_B) / 2;
	}
	if (!(sum > 0))
		return model_fail(model, NULL, err, "the sizes have no packet, or no byte");
	out->size_mean_B = sum / count;
	return TR_OK;
}

enum tr_status load_model_get(const struct model *model, struct load_model *out,
			      struct tr_error *err)
{
	enum tr_status status;

	*out = (struct load_model){
		.duration_s = 1, .rate_bps = 1.28e9, .load = 1, .destinations = destinations_default()};
	status = model_get(model, "", fields, out, err);
	if (status == TR_OK && model->sections > 0)
		status = model_fail(model, NULL, err, "the family load has no sections");
	if (status == TR_OK)
		status = destinations_get(model, &out->destinations, err);
	if (status == TR_OK)
		status = get_load(model, out, err);
	if (status == TR_OK)
		status = size_bins_or_size(model, "", &out->bins, &out->bin_count, err);
	if (status == TR_OK)
		status = find_mean(model, out, err);
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
		(unsigned long long)load.nodes, 100 * share,
		model_format(MODEL_RATE, load.rate_bps, rate),
		model_format(MODEL_SIZE, load.size_mean_B, size),
		model_format(MODEL_TIME, load_gap_s(&load), gap), arrivals[load.arrivals]);
	destinations_explain(&load.destinations, out);
	fputs(".\n", out);
	load_model_clear(&load);
	return ferror(out) ? tr_fail(err, "cannot write the explanation") : TR_OK;
}

void load_model_clear(struct load_model *load)
{
	free(load->bins);
	destinations_model_clear(&load->destinations);
	*load = (struct load_model){0};
}
